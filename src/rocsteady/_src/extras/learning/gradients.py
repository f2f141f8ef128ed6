"""Loss and gradient over all pairs, for any framework that can take a gradient from outside."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError, first_rows
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.extras.learning.risk import PairRisk, checked_range, make_loss
from rocsteady._src.inputs import clean_rows
from rocsteady._src.inputs.arrays import read_column
from rocsteady._src.inputs.clean import Names, check_lengths
from rocsteady._src.inputs.scores import as_doubles
from rocsteady._src.inputs.weights import checked_weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.results import Bounded

    Array = NDArray[np.float64]

NAMES = Names(label="y", score="scores")


@typed
def pairwise_loss_and_gradient(
    scores: object,
    y: object,
    *,
    loss: str = "logistic",
    beta: float = 1.0,
    sample_weight: object = None,
    fpr_range: tuple[float, float] | None = None,
    pos_label: Any = None,
) -> tuple[Bounded, Array]:
    """Mean loss over all positive-negative pairs, and its gradient by the score of each row.

    Each pair weighs the product of the weights of its rows, and costs L(beta d) with d = positive - negative score.
    The P*N pairs are never formed: O(n log n), O(n) for the exponential loss.

    Parameters
    ----------
    scores : array-like
        One finite score per row; higher means more positive.
    y : array-like
        Labels of two classes.
    loss : {"logistic", "squared_hinge", "exponential", "soft_auc"}
        L(u) is log(1 + exp(-u)), max(0, 1 - u)**2, exp(-u) or 1 / (1 + exp(u)).
    beta : float
        Scale of the differences: large values look at close pairs only.
    sample_weight : array-like, optional
        One weight per row; a row of weight zero has a gradient of zero.
    fpr_range : (low, high), optional
        Only the negatives that a threshold passes while the false positive rate goes from low to high, see
        :class:`rocsteady.learning.AUCClassifier`.
    pos_label : optional
        The positive label, as in :func:`rocsteady.rank`.

    Returns
    -------
    loss : Bounded
        A float that knows a bound of its absolute error.
    gradient : ndarray
        Derivative of the loss by each score, float64, in the order of the rows.

    Examples
    --------
    >>> from rocsteady.learning import pairwise_loss_and_gradient
    >>> loss, gradient = pairwise_loss_and_gradient([1.5, 0.5, 1.0, 0.0], [1, 1, 0, 0], loss="squared_hinge")
    >>> round(loss, 6), gradient.tolist()
    (0.6875, [-0.25, -1.0, 1.0, 0.25])
    """
    risk_loss, focus = make_loss(loss, beta), checked_range(fpr_range)
    rows = clean_rows(y, scores, pos_label=pos_label, names=NAMES)
    points = finite_scores(rows.scores)
    weights = None if sample_weight is None else read_weights(sample_weight, points)
    risk = PairRisk.of(rows.positive, weights, risk_loss, focus).at(points)
    return risk.value, risk.gradient


def finite_scores(scores: NDArray[Any]) -> Array:
    """Scores as float64, refused where a difference of two would not be a number."""
    points = as_doubles(scores, NAMES.score)
    bad = np.flatnonzero(~np.isfinite(points))
    if bad.size:
        where = first_rows(bad.tolist(), total=bad.size)
        raise InputError(
            "infinite_scores",
            f"scores holds {format_count(bad.size)} infinite values ({where}); a loss needs finite ones",
        )
    if points.size and not math.isfinite(float(points.max()) - float(points.min())):
        raise InputError("score_range", "the range of the scores exceeds what a float can hold; rescale them")
    return points


def read_weights(sample_weight: object, scores: Array) -> Array:
    """One weight per row, finite and not negative."""
    weights, missing = read_column(sample_weight, NAMES.weight)
    check_lengths({NAMES.score: scores, NAMES.weight: weights})
    if missing is not None and missing.any():
        where = first_rows(np.flatnonzero(missing).tolist(), total=int(missing.sum()))
        raise InputError(
            "missing_values",
            Sentence("{@sample_weight} has missing values ({where}); give every row a weight", where=where),
        )
    return np.asarray(checked_weights(weights, NAMES.weight), dtype=np.float64)
