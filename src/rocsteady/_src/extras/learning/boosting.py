"""Pairwise losses as custom objectives for gradient boosting: gradient and diagonal of the Hessian."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, is_number
from rocsteady._src.base.typed import typed
from rocsteady._src.extras.learning.gradients import finite_scores, read_weights
from rocsteady._src.extras.learning.risk import PairRisk, checked_range, make_loss

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Range = tuple[float, float] | None

LEAST_CURVATURE = 1e-16


@dataclass(frozen=True)
class PairObjective:
    """A custom objective: gives gradient and curvature of half the total weight times the mean loss over pairs.

    The factor makes a row weigh about as much as in log loss, which the settings of boosting expect. Called as
    ``objective(y_true, y_pred, sample_weight)`` or as ``objective(y_pred, data)`` with ``data.get_label()``.
    """

    loss: str = "logistic"
    beta: float = 1.0
    fpr_range: Range = None
    hessian_factor: float = 2.0

    def __post_init__(self) -> None:
        make_loss(self.loss, self.beta)
        checked_range(self.fpr_range)
        if not (is_number(self.hessian_factor) and 0 < self.hessian_factor < math.inf):
            raise ArgumentError("hessian_factor", f"hessian_factor must be above 0, got {self.hessian_factor!r}")

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> tuple[Array, Array]:
        """Gradient and curvature at the current predictions."""
        if hasattr(y_pred, "get_label"):
            y_true, y_pred, sample_weight = y_pred.get_label(), y_true, y_pred.get_weight()
        positive, points = _positive_rows(np.asarray(y_true)), finite_scores(np.asarray(y_pred).ravel())
        weights = None if sample_weight is None or not len(sample_weight) else read_weights(sample_weight, points)
        risk = PairRisk.of(positive, weights, make_loss(self.loss, self.beta), checked_range(self.fpr_range))
        found = risk.at(points, curvature=True)
        scale = (positive.size if weights is None else float(weights.sum())) / 2
        curvature = self.hessian_factor * scale * np.asarray(found.curvature)
        return scale * found.gradient, np.maximum(curvature, LEAST_CURVATURE)


def _positive_rows(labels: NDArray[Any]) -> NDArray[np.bool_]:
    strange = np.setdiff1d(labels, (0, 1))
    if strange.size:
        raise ArgumentError("labels", f"boosting labels must be 0 and 1, found {strange[:5].tolist()}")
    return np.asarray(labels == 1)


@typed
def xgboost_objective(
    loss: str = "logistic", *, beta: float = 1.0, fpr_range: Range = None, hessian_factor: float = 2.0
) -> PairObjective:
    """A pairwise loss as ``objective=`` of ``XGBClassifier`` or ``obj=`` of ``xgboost.train``.

    Predictions are then scores without a meaning of their own: rank by ``predict(..., output_margin=True)``, and
    calibrate them if probabilities are wanted.

    Parameters
    ----------
    loss : {"logistic", "squared_hinge", "exponential", "soft_auc"}
        As in :func:`rocsteady.learning.pairwise_loss_and_gradient`.
    beta : float
        Scale of the differences.
    fpr_range : (low, high), optional
        Only negatives in this range of the false positive rate, see :class:`rocsteady.learning.AUCClassifier`.
    hessian_factor : float
        What the diagonal of the Hessian is multiplied by. A step moves positives up and negatives down at once, which
        the diagonal does not see; twice the diagonal is never below the Hessian, so the default of 2 is safe, and 1
        gives the diagonal itself. For ``"soft_auc"``, which is not convex, the diagonal is a bound of it.

    Returns
    -------
    PairObjective
        A callable that can be pickled and cloned.

    Examples
    --------
    >>> from rocsteady.learning import xgboost_objective
    >>> gradient, curvature = xgboost_objective()([1, 0, 0, 1], [0.0, 0.0, 0.0, 0.0])
    >>> gradient.tolist(), curvature.tolist()
    ([-0.5, 0.5, 0.5, -0.5], [0.5, 0.5, 0.5, 0.5])
    """
    return PairObjective(loss, beta, fpr_range, hessian_factor)


@typed
def lightgbm_objective(
    loss: str = "logistic", *, beta: float = 1.0, fpr_range: Range = None, hessian_factor: float = 2.0
) -> PairObjective:
    """A pairwise loss as ``objective=`` of ``LGBMClassifier`` or ``params["objective"]`` of ``lightgbm.train``.

    Predictions are then scores without a meaning of their own: rank by ``predict(..., raw_score=True)``.

    Parameters
    ----------
    loss, beta, fpr_range, hessian_factor
        As in :func:`rocsteady.learning.xgboost_objective`.

    Returns
    -------
    PairObjective
        A callable that can be pickled and cloned.

    Examples
    --------
    >>> from rocsteady.learning import lightgbm_objective
    >>> lightgbm_objective("squared_hinge")
    PairObjective(loss='squared_hinge', beta=1.0, fpr_range=None, hessian_factor=2.0)
    """
    return PairObjective(loss, beta, fpr_range, hessian_factor)
