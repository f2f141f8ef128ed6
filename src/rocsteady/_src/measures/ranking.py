"""Measures of how well scores rank positives above negatives. Each costs O(distinct scores) once ranked."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady._src.base.errors import ArgumentError, Undefined, is_number
from rocsteady._src.base.exact import blocks, exact_wins_twice
from rocsteady._src.base.geometry import area_between, climbed_area, hull_of_steps, trapezoid_area
from rocsteady._src.measures.expected_loss import check_beta, saved_share
from rocsteady._src.measures.registry import WITHIN_CLASSES, measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores

BOTH_CLASSES = ("single_class",)
of_classes = partial(measure, undefined_when=BOTH_CLASSES, resampling=WITHIN_CLASSES, joins_negatives=True)


@of_classes(
    label="AUC",
    better="higher",
    bounds=(0, 1),
    chance=0.5,
    label_swap="1-x",
    reference="Hanley and McNeil 1982",
)
def auc(ranked: RankedScores) -> float:
    """Probability that a random positive outranks a random negative; ties count one half.

    The Mann-Whitney U over P N, and the trapezoid area under the ROC curve. In [0, 1], chance 0.5. Below 0.5 it is
    reported as it is; negating the scores gives 1 - AUC. NaN with a reason when only one class is present.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.auc([1, 1, 0, 0], [0.9, 0.4, 0.4, 0.1])
    0.875
    """
    value: float = ranked.wins_twice / (2 * ranked.n_pos * ranked.n_neg)
    return value


@of_classes(
    label="Gini",
    better="higher",
    bounds=(-1, 1),
    chance=0.0,
    label_swap="-x",
)
def gini(ranked: RankedScores) -> float:
    """Gini coefficient, 2 AUC - 1; Somers' D of label and score.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.gini([1, 1, 0, 0], [0.9, 0.4, 0.4, 0.1])
    0.75
    """
    pairs = ranked.n_pos * ranked.n_neg
    value: float = (ranked.wins_twice - pairs) / pairs
    return value


@measure(
    label="Defective pairs",
    better="lower",
    bounds=(0, 1),
    undefined_when=BOTH_CLASSES,
    reference="share of defective pairs among all l(l-1)/2 pairs",
)
def defective_pairs(ranked: RankedScores) -> float:
    """Share of all row pairs that are in the wrong order: wrong * 2 / (l (l - 1)), a tied pair counts 1/2.

    Here l = P + N; same-class pairs are never wrong but count below the line, so it is at most 2 P N / (l (l - 1)).

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.defective_pairs([1, 0, 1], [0.9, 0.6, 0.2])
    0.3333333333333333
    """
    total = ranked.n_rows_counted
    if total < 2:
        return Undefined("one_row")
    losses_twice = exact_wins_twice(ranked.neg, ranked.pos, most=ranked.n_pos * ranked.n_neg)
    value: float = losses_twice / (total * (total - 1))
    return value


@measure(
    label="Average precision",
    joins_negatives=True,
    better="higher",
    bounds=(0, 1),
    undefined_when=("no_positives",),
    ends="student",
)
def average_precision(ranked: RankedScores) -> float:
    """Mean over the positives of the precision at their score; tied rows are taken whole.

    AP = (1/P) sum of pos_g TP_g / (TP_g + FP_g), the step-wise area under the curve; the prevalence if all are tied.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.average_precision([1, 0, 1], [0.9, 0.6, 0.2])
    0.8333333333333333
    """
    found, tp, fp = ranked.at_positives
    found = np.broadcast_to(found, tp.shape)
    return float(sum((found[at] * (tp[at] / (tp[at] + fp[at]))).sum() for at in blocks(tp.size)) / ranked.n_pos)


@measure(
    label="PR area (Davis-Goadrich)",
    better="higher",
    bounds=(0, 1),
    undefined_when=("no_positives",),
    reference="Davis and Goadrich 2006; continuous form of Keilwagen et al. 2014",
    ends="student",
)
def pr_auc(ranked: RankedScores) -> float:
    """Area under precision-recall with false positives linear in true positives between thresholds.

    Interpolated as by Davis and Goadrich, exactly, like XGBoost's ``aucpr``; the trapezoid of some tools is too
    optimistic. ``AUC-PR``, in any spelling, is ``average_precision`` here, a step sum, with a warning that says so.

    Examples
    --------
    >>> import rocsteady as rs
    >>> round(rs.measures.pr_auc([1, 0, 1], [0.9, 0.6, 0.2]), 6)
    0.797267
    """
    return climbed_area(*ranked.climbs) / float(ranked.n_pos)


@measure(label="R-precision", better="higher", bounds=(0, 1), undefined_when=("no_positives",))
def r_precision(ranked: RankedScores) -> float:
    """Expected precision among the P highest scores, its break-even point with recall; ties are in random order.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.r_precision([1, 0, 1, 0], [0.9, 0.6, 0.6, 0.2])
    0.75
    """
    return _expected_hits(ranked, ranked.n_pos) / float(ranked.n_pos)


@measure(label="Precision at k", better="higher", bounds=(0, 1), undefined_when=("empty",))
def precision_at_k(ranked: RankedScores, *, k: float = 10) -> float:
    """Expected precision among the ``k`` highest scores; ties that straddle rank k are taken in random order.

    Parameters
    ----------
    k : float
        How many rows, or how much weight, above 0; NaN where there are fewer. 10 unless given.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.precision_at_k([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.2], k=3)
    0.6666666666666666
    """
    hits = _hits_at(ranked, k)
    return hits if isinstance(hits, Undefined) else hits / k


@measure(label="Recall at k", better="higher", bounds=(0, 1), undefined_when=("no_positives",))
def recall_at_k(ranked: RankedScores, *, k: float = 10) -> float:
    """Expected share of all positives found among the ``k`` highest scores.

    Parameters
    ----------
    k : float
        As in :func:`rocsteady.measures.precision_at_k`.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.recall_at_k([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], k=2)
    0.5
    """
    hits = _hits_at(ranked, k)
    return hits if isinstance(hits, Undefined) else hits / float(ranked.n_pos)


@measure(
    label="Lift",
    better="higher",
    bounds=(0, float("inf")),
    chance=1.0,
    undefined_when=("no_positives",),
)
def lift(ranked: RankedScores, *, fraction: float = 0.1) -> float:
    """How many times more positives than by chance among the ``fraction`` of rows scored highest.

    Parameters
    ----------
    fraction : float
        In (0, 1]. Lift is the share of positives found there over it, which is precision there over prevalence.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.lift([1, 0, 0, 0], [0.9, 0.6, 0.4, 0.2], fraction=0.25)
    4.0
    """
    if not (is_number(fraction) and 0 < fraction <= 1):
        raise ArgumentError("fraction", f"fraction must lie in (0, 1], got {fraction!r}")
    hits = _expected_hits(ranked, fraction * ranked.n_rows_counted)
    return hits / float(ranked.n_pos) / fraction


def _hits_at(ranked: RankedScores, k: float) -> float:
    if not k > 0:
        raise ArgumentError("k", f"k must be above 0, got {k!r}")
    return Undefined("k_exceeds_rows") if k > ranked.n_rows_counted else _expected_hits(ranked, k)


def _expected_hits(ranked: RankedScores, k: float) -> float:
    """Positives expected among the k highest scores when ties are ordered at random."""
    tp, fp = ranked.called_positive
    called = tp + fp
    full = int(np.searchsorted(called, k, side="right")) - 1
    if full >= called.size - 1:
        return float(tp[-1])
    share = (k - called[full]) / (called[full + 1] - called[full])
    return float(tp[full] + share * (tp[full + 1] - tp[full]))


@of_classes(
    label="KS",
    better="higher",
    bounds=(0, 1),
    chance=0.0,
    ends="corrected log",
)
def ks_statistic(ranked: RankedScores) -> float:
    """Largest distance of the ROC curve above the diagonal: max over thresholds of TPR - FPR.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.ks_statistic([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.2])
    0.5
    """
    _, tp, fp = ranked.at_positives
    return max(0.0, *(float((tp[at] / ranked.n_pos - fp[at] / ranked.n_neg).max()) for at in blocks(tp.size)))


@of_classes(label="Partial AUC", better="higher", bounds=(0, 1))
def partial_auc(
    ranked: RankedScores,
    *,
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
    standardize: bool = False,
) -> float:
    """Area under the ROC curve over a range of FPR, or right of it over a range of TPR.

    Parameters
    ----------
    fpr_range, tpr_range : (a, b) with 0 <= a < b <= 1, optional
        Integrate TPR over FPR in [a, b], or 1 - FPR over TPR in [a, b]; not both, and without either FPR in [0, 0.1].
    standardize : bool
        McClish's (1 + (area - chance) / (b - a - chance)) / 2: 1 is perfect, 0.5 the diagonal, less is worse than it.
        The raw area lies in [0, b - a]. (Some tools divide it by b - a instead and call that standardised.)

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = [1, 0, 1, 0], [0.9, 0.6, 0.4, 0.2]
    >>> [round(rs.partial_auc(y, s, fpr_range=(0, 0.5), standardize=way), 6) for way in (False, True)]
    [0.25, 0.666667]
    """
    if fpr_range is not None and tpr_range is not None:
        raise ArgumentError("partial_range", "give fpr_range or tpr_range, not both")
    tp, fp = ranked.called_positive
    tpr = tp / ranked.n_pos
    if tpr_range is None:
        start, stop = checked_range((0.0, 0.1) if fpr_range is None else fpr_range)
        area, chance = area_between(fp / ranked.n_neg, tpr, start, stop), (start + stop) / 2
    else:
        start, stop = checked_range(tpr_range)
        tnr = ranked.called_negative[1] / ranked.n_neg
        area, chance = area_between(tpr, tnr, start, stop), 1 - (start + stop) / 2
    share = min(area / (stop - start), 1.0)  # rounding may carry it beyond
    return _mcclish(share, chance) if standardize else min(area, stop - start)


def checked_range(limits: tuple[float, float]) -> tuple[float, float]:
    if len(limits) != 2 or not 0 <= limits[0] < limits[1] <= 1:
        raise ArgumentError("partial_range", f"a range needs 0 <= start < stop <= 1, got {limits!r}")
    return limits


def _mcclish(height: float, chance: float) -> float:
    """Put the mean height of the diagonal at one half and the largest height, 1, at one."""
    return (1 + (height - chance) / (1 - chance)) / 2


@of_classes(
    label="AUC of hull",
    better="higher",
    bounds=(0.5, 1),
    chance=0.5,
    ends="corrected log",
)
def auch(ranked: RankedScores) -> float:
    """Area under the upper convex hull of the ROC curve: what the best mix of thresholds could reach.

    Optimistic on the data it is computed on; never below 0.5.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.auch([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.2])
    0.875
    """
    gained, paid = (np.append(0.0, sums.cumsum()) for sums in _hull_segments(ranked))
    return trapezoid_area(paid / paid[-1], gained / gained[-1])


@measure(
    label="H-measure",
    joins_negatives=True,
    better="higher",
    bounds=(0, 1),
    chance=0.0,
    undefined_when=BOTH_CLASSES,
    reference="Hand 2009; Beta(2, 2) over the cost share of a false positive",
    ends="corrected log",
)
def h_measure(
    ranked: RankedScores,
    *,
    alpha: float = 2.0,
    beta: float = 2.0,
    severity_ratio: float | Literal["prevalence"] | None = None,
) -> float:
    """Share of the expected misclassification loss saved, over a fixed Beta distribution of costs.

    H = 1 - L / L_max with L = integral over c of min over thresholds of (c (1 - pi) FPR + (1 - c) pi (1 - TPR)) u(c),
    where c is the cost share of a false positive, pi the prevalence, u the Beta(alpha, beta) density, and L_max the
    loss of ignoring the scores. In [0, 1]; 0 when the hull is the diagonal.

    Parameters
    ----------
    alpha, beta : float
        Above 0; Beta(2, 2), unless given, has its mode at equal costs.
    severity_ratio : float or "prevalence", optional
        s > 0, the severity of a false positive over that of a missed one, takes Beta(2, 1 + 1/s) instead, whose mode
        is c = s / (1 + s): the SR = c0/c1 of R's hmeasure, and "prevalence" is its default, s = P/N.

    Examples
    --------
    >>> import rocsteady as rs
    >>> round(rs.h_measure([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.2]), 6)
    0.5
    """
    if severity_ratio is not None:
        alpha, beta = 2.0, 1 + 1 / _severity(ranked, severity_ratio)
    check_beta(alpha, beta)
    gained, paid = _hull_segments(ranked)
    if ranked.n_pos > ranked.n_neg:  # seen from the other side, so that no share is close to 1
        alpha, beta, gained, paid = beta, alpha, paid, gained
    return saved_share(gained, paid, alpha, beta)


def _severity(ranked: RankedScores, ratio: Any) -> float:
    if isinstance(ratio, str) and ratio == "prevalence":
        return float(ranked.n_pos / ranked.n_neg)
    if not (is_number(ratio) and 0 < ratio < float("inf")):
        raise ArgumentError("severity_ratio", f"severity_ratio is 'prevalence' or a number above 0, got {ratio!r}")
    return float(ratio)


def _hull_segments(ranked: RankedScores) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Positives and negatives passed along each edge of the hull, from the highest scores down."""
    pos, neg = (steps[::-1] for steps in ranked.steps)
    corners = hull_of_steps(neg, pos)
    if pos.dtype.kind == "f":  # differences of sums would lose the digits of small weights
        return np.add.reduceat(pos, corners[:-1]), np.add.reduceat(neg, corners[:-1])
    tp, fp = ranked.called_from(pos.size - corners)
    return np.diff(tp).astype(np.float64), np.diff(fp).astype(np.float64)
