"""AUCClassifier: a linear scikit-learn classifier that minimises a loss over all positive-negative pairs."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import (
    ArgumentError,
    InputError,
    RocsteadyWarning,
    is_number,
    require,
    some_values,
    warn,
)
from rocsteady._src.base.text import format_number, format_setting
from rocsteady._src.extras.learning.cuts import cut_by_rule, read_cut
from rocsteady._src.extras.learning.gradients import read_weights
from rocsteady._src.extras.learning.platt import platt
from rocsteady._src.extras.learning.risk import PairRisk, checked_range, make_loss

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

PURPOSE = "AUCClassifier"
_base = require("sklearn.base", extra="sklearn", purpose=PURPOSE)
_validation = require("sklearn.utils.validation", extra="sklearn", purpose=PURPOSE)
_multiclass = require("sklearn.utils.multiclass", extra="sklearn", purpose=PURPOSE)
_utils = require("sklearn.utils", extra="sklearn", purpose=PURPOSE)
_class_weight = require("sklearn.utils.class_weight", extra="sklearn", purpose=PURPOSE)
_exceptions = require("sklearn.exceptions", extra="sklearn", purpose=PURPOSE)

SMALLEST_GAIN = 64 * float(np.finfo(np.float64).eps)
MOST_LINE_SEARCHES = 50
HARDLY_LEARNT = 0.995
MOST_RESTARTS, LEAST_GAIN = 10, 1e-6


class AUCClassifier(_base.ClassifierMixin, _base.BaseEstimator):  # type: ignore[misc, name-defined]
    """Linear classifier trained to rank: minimises the mean over pairs of ``L(beta w.(x+ - x-)) + alpha/2 |w|^2``.

    Loss and gradient over all P*N pairs cost O(n log n) a step, and L-BFGS minimises. No pair is sampled or left out.

    Parameters
    ----------
    loss : {"logistic", "squared_hinge", "exponential", "soft_auc"}
        L(u) is log(1 + exp(-u)), max(0, 1 - u)**2, exp(-u) or 1 / (1 + exp(u)). The last is 1 - soft AUC itself,
        closest to AUC and not convex: a local minimum is found.
    alpha : float
        Strength of the L2 penalty ``alpha/2 |w|^2`` beside the mean loss, as in ``SGDClassifier`` and not as ``C``.
    beta : float
        Scale of the differences.
    fpr_range : (low, high), optional
        For those who live at the left end of the curve: only the negatives that a threshold passes while the false
        positive rate goes from low to high count, in order of the current scores, chosen anew at every step. A tied
        group at an end counts in part. The gradient is that of the chosen pairs. With low = 0 and a convex loss the
        whole is still convex, since the hardest negatives are those that make the loss largest; with low > 0 it is not.
    fit_intercept : bool
        A pairwise loss does not see an intercept. If True it is set so that ``predict`` cuts where ``threshold``
        says; if False it is 0 and ``predict`` cuts at 0.
    threshold : str or (str, float)
        Where to cut: ``"probability"``, at a calibrated probability of one half, or a rule of
        :func:`rocsteady.best_threshold` on the training scores (``"youden"``, ``"f1"``,
        ``"cost(fn=5)"``, ``"sensitivity=0.9"``, ...), or ``("precision", 0.9)``.
    class_weight : dict, "balanced" or None
        Every pair has one row of each class, so class weights cannot change the ranking. They weigh the rows in the
        calibration and in the choice of the threshold.
    max_iter : int
        Most iterations of L-BFGS.
    tol : float
        Stop when no entry of the gradient exceeds this.
    warm_start : bool
        Start from the ``coef_`` of the last fit.
    n_starts : int
        Starts for a loss that is not convex: the first from zero (or ``coef_``), the others at random; the
        smallest loss wins. A convex loss takes one.
    random_state : int, RandomState or None
        For random starts; nothing else is random.

    Attributes
    ----------
    coef_ : ndarray of shape (1, n_features)
    intercept_ : ndarray of shape (1,)
    classes_ : ndarray of shape (2,)
        ``classes_[1]`` is the positive class.
    n_iter_ : int
        Iterations of L-BFGS.
    loss_ : float
        Mean loss over the training pairs, without the penalty.
    calibration_ : (slope, offset)
        ``predict_proba`` gives 1 / (1 + exp(-(slope decision + offset))): Platt's method on the training scores.
        They are the scores the model was fitted to, so with many features the probabilities are too sure; wrap the
        model in ``CalibratedClassifierCV`` where probabilities matter.
    n_features_in_, feature_names_in_
        As always in scikit-learn.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> import rocsteady as rs
    >>> X, y = make_classification(500, weights=[0.9], random_state=0)
    >>> model = rs.learning.AUCClassifier(loss="squared_hinge", alpha=1e-3).fit(X, y)
    >>> round(rs.auc(y, model.decision_function(X)), 3)
    0.924
    """

    def __init__(
        self,
        loss: str = "logistic",
        *,
        alpha: float = 1e-4,
        beta: float = 1.0,
        fpr_range: tuple[float, float] | None = None,
        fit_intercept: bool = True,
        threshold: str | tuple[str, float] = "probability",
        class_weight: Any = None,
        max_iter: int = 1000,
        tol: float = 1e-4,
        warm_start: bool = False,
        n_starts: int = 1,
        random_state: Any = None,
    ) -> None:
        self.loss = loss
        self.alpha = alpha
        self.beta = beta
        self.fpr_range = fpr_range
        self.fit_intercept = fit_intercept
        self.threshold = threshold
        self.class_weight = class_weight
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start
        self.n_starts = n_starts
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> AUCClassifier:  # noqa: N803
        """Minimise the loss, then set the intercept and the calibration on the training scores.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels of two classes.
        sample_weight : array-like, optional
            A pair weighs the product of the weights of its rows.
        """
        self._check_parameters()
        X, y = _validation.validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)  # noqa: N806
        kind = _multiclass.type_of_target(y, input_name="y", raise_unknown=True)
        self.classes_, places = np.unique(y, return_inverse=True)
        if self.classes_.size == 1:
            only = some_values(self.classes_.tolist())
            raise InputError("single_class", f"y holds one class only, {only}: pairs need two classes")
        if kind != "binary":
            raise InputError(
                "not_binary", f"Only binary classification is supported. The type of the target is {kind}."
            )
        positive = places == 1
        weights = np.ones(y.size) if sample_weight is None else read_weights(sample_weight, positive)
        risk = PairRisk.of(positive, weights, make_loss(self.loss, self.beta), checked_range(self.fpr_range))
        self._minimise(X, risk)
        by_class = _class_weight.compute_sample_weight(self.class_weight, y)
        counted = weights > 0
        scores = self._raw_scores(X)
        self._place_cut(scores[counted], positive[counted], (weights * by_class)[counted])
        return self

    def _minimise(self, X: Any, risk: PairRisk) -> None:  # noqa: N803
        """Set ``coef_``, ``loss_`` and ``n_iter_``."""
        runs = [self._descend(X, risk, start) for start in self._starts(X, several=not risk.convex)]
        best = min(runs, key=lambda run: run.fun)
        self.coef_ = best.x[np.newaxis]
        self.n_iter_ = max(int(best.nit), 1)
        self.loss_ = float(best.fun - self.alpha / 2 * float(best.x @ best.x))
        self._warn_unless_converged(best)
        if risk.fpr_range is not None and self.loss_ > HARDLY_LEARNT * float(risk.loss(np.zeros(1))[0]):
            message = (
                "the loss of the chosen negatives is hardly below that of equal scores: they win too many pairs for "
                "this loss to learn from; widen fpr_range, or take loss='soft_auc'"
            )
            warn(RocsteadyWarning("focus_too_narrow", message))

    def _descend(self, X: Any, risk: PairRisk, start: Array) -> Any:  # noqa: N803
        """L-BFGS from a start.

        A focus starts from the solution for all negatives, as at zero all scores are tied. Where the choice changes
        its loss has kinks, at which L-BFGS can stall: it starts anew until that gains nothing.
        """
        from scipy.optimize import minimize

        def objective(w: Array) -> tuple[float, Array]:
            with np.errstate(over="ignore", invalid="ignore"):
                found = risk.at(np.asarray(X @ w))
                return found.value + self.alpha / 2 * float(w @ w), X.T @ found.gradient + self.alpha * w

        if risk.fpr_range is not None and not start.any():
            start = self._descend(X, replace(risk, fpr_range=None), start).x
        options = {"maxiter": self.max_iter, "gtol": self.tol, "ftol": SMALLEST_GAIN, "maxls": MOST_LINE_SEARCHES}
        run = minimize(objective, start, jac=True, method="L-BFGS-B", options=options)
        for _ in range(0 if risk.fpr_range is None else MOST_RESTARTS):
            again = minimize(objective, run.x, jac=True, method="L-BFGS-B", options=options)
            if not again.fun < run.fun - LEAST_GAIN * abs(run.fun):
                break
            again.nit += run.nit
            run = again
        return run

    def _starts(self, X: Any, *, several: bool) -> list[Array]:  # noqa: N803
        """Zero or the last solution, then random directions whose scores are about 1/beta apart."""
        n_features = X.shape[1]
        again = self.warm_start and getattr(self, "coef_", np.empty(0)).size == n_features
        starts = [self.coef_.ravel().copy() if again else np.zeros(n_features)]
        if several and self.n_starts > 1:
            rng = _utils.check_random_state(self.random_state)
            length = math.sqrt(float((X.multiply(X) if hasattr(X, "multiply") else X * X).sum()) / X.shape[0])
            starts += [rng.normal(size=n_features) / (self.beta * (length or 1.0)) for _ in range(self.n_starts - 1)]
        return starts

    def _warn_unless_converged(self, run: Any) -> None:
        slope = float(np.abs(run.jac).max(initial=0.0))
        at_a_kink = self.fpr_range is not None and run.status != 1
        if run.status == 0 or slope <= self.tol or at_a_kink:
            return
        what = f"reached max_iter={self.max_iter}" if run.status == 1 else "found no lower point in its last direction"
        message = (
            f"L-BFGS {what} with a gradient of {format_number(slope)}, above "
            f"tol={format_setting(self.tol)}: scale the features "
            "(StandardScaler), raise max_iter or alpha, or accept it with a larger tol"
        )
        warnings.warn(message, _exceptions.ConvergenceWarning, stacklevel=4)

    def _place_cut(self, scores: Array, positive: NDArray[np.bool_], weights: Array) -> None:
        """Set ``intercept_`` and ``calibration_``."""
        slope, offset = platt(scores, positive, weights)
        rule = read_cut(self.threshold)
        if slope < 0:
            message = "the training scores do not rise with the class on average: probabilities are the class share"
            warn(RocsteadyWarning("no_calibration", message))
            slope, offset = platt(np.zeros(scores.size), positive, weights)
        if not self.fit_intercept:
            shift = 0.0
        elif rule is None:
            shift = offset / slope if slope else offset
        else:
            shift = -cut_by_rule(scores, positive, weights, rule)
        self.intercept_ = np.array([shift])
        self.calibration_ = (slope, offset - slope * shift) if slope else (0.0, offset)

    def _raw_scores(self, X: Any) -> Array:  # noqa: N803
        return np.asarray(X @ self.coef_[0])

    def decision_function(self, X: Any) -> Array:  # noqa: N803
        """Scores, above 0 where the positive class is predicted."""
        _validation.check_is_fitted(self)
        X = _validation.validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)  # noqa: N806
        return np.asarray(self._raw_scores(X) + self.intercept_[0])

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """The class on whose side of the cut each row lies."""
        above = self.decision_function(X) > 0
        return np.asarray(self.classes_[above.astype(np.intp)])

    def predict_proba(self, X: Any) -> Array:  # noqa: N803
        """Calibrated probabilities of both classes, in the order of ``classes_``; see ``calibration_``."""
        decision = self.decision_function(X)
        slope, offset = self.calibration_
        odds = slope * decision + offset
        return np.exp(-np.logaddexp(0.0, np.stack([odds, -odds], axis=1)))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse = True
        return tags

    def _check_parameters(self) -> None:
        make_loss(self.loss, self.beta)
        checked_range(self.fpr_range)
        read_cut(self.threshold)
        if not (is_number(self.alpha) and 0 <= self.alpha < math.inf):
            raise ArgumentError("alpha", f"alpha must be at least 0 and finite, got {self.alpha!r}")
        if not (is_number(self.tol) and 0 < self.tol < math.inf):
            raise ArgumentError("tol", f"tol must be above 0 and finite, got {self.tol!r}")
        for name in ("max_iter", "n_starts"):
            if not (isinstance(value := getattr(self, name), (int, np.integer)) and value >= 1):
                raise ArgumentError(name, f"{name} must be a whole number of at least 1, got {value!r}")
