"""What one rate is where another is held, at thresholds that were observed: never better than the rows can show.

A rate k/N is held where the quotient, rounded to the nearest double as every typed decimal is, does not pass the one
that was asked for: 1 of 10 is 0.1, 29 of 100 is 0.29, 1 of 3 is 1/3, whatever 0.1 * 10 or 0.29 * 100 round to.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, Undefined, is_number
from rocsteady._src.measures.ranking import BOTH_CLASSES
from rocsteady._src.measures.registry import WITHIN_CLASSES, measure

if TYPE_CHECKING:
    from rocsteady._src.ranked import RankedScores

BLOCK = 1 << 12
of_rows = partial(measure, bounds=(0, 1), undefined_when=BOTH_CLASSES, joins_negatives=True)
of_rates = partial(of_rows, resampling=WITHIN_CLASSES)


@of_rates(label="TPR at FPR", better="higher")
def tpr_at(ranked: RankedScores, *, fpr: float = 0.1) -> float:
    """Largest share of positives found at a threshold whose false positive rate is at most ``fpr``.

    The threshold is observed and the rate never above the one asked for; ``sensitivity_at`` reads the straight line
    between two thresholds instead. 0 where even the highest score has too many negatives.

    Parameters
    ----------
    fpr : float
        The false positive rate that is allowed, in [0, 1]; 0.1 unless given.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.tpr_at([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2], fpr=0.4)
    0.6666666666666666
    """
    return float(ranked.walked[0][step_at_fpr(ranked, fpr)] / ranked.n_pos)


@of_rates(label="FNMR at FMR", better="lower")
def fnmr_at_fmr(ranked: RankedScores, *, fmr: float = 0.1) -> float:
    """Share of genuine comparisons (positives) refused where at most ``fmr`` of the impostors (negatives) match.

    False non-match rate at a false match rate: 1 - ``tpr_at``, at the same observed threshold.

    Parameters
    ----------
    fmr : float
        The false match rate that is allowed, in [0, 1]; 0.1 unless given.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.fnmr_at_fmr([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2], fmr=0.4)
    0.3333333333333333
    """
    return float(_missed(ranked, step_at_fpr(ranked, fmr, "fmr")) / ranked.n_pos)


@of_rates(label="FPR at TPR", better="lower")
def fpr_at(ranked: RankedScores, *, tpr: float = 0.95) -> float:
    """Share of negatives called positive at the highest threshold that finds ``tpr`` of the positives or more.

    Parameters
    ----------
    tpr : float
        The share of positives to be found at least, in [0, 1]; 0.95 unless given.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.fpr_at([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2], tpr=0.9)
    0.5
    """
    return float(ranked.walked[1][step_at_tpr(ranked, tpr)] / ranked.n_neg)


@of_rows(label="Precision at recall", better="higher")
def precision_at_recall(ranked: RankedScores, *, recall: float = 0.9) -> float:
    """Precision at the highest threshold that finds ``recall`` of the positives or more.

    A lower threshold may happen to have a higher precision on the same rows; it is not searched for.

    Parameters
    ----------
    recall : float
        The share of positives to be found at least, in [0, 1]; 0.9 unless given.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.precision_at_recall([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2], recall=0.9)
    0.75
    """
    step = step_at_tpr(ranked, recall, "recall")
    tp, fp = (walked[step] for walked in ranked.walked)
    return float(tp / (tp + fp)) if step else Undefined("zero_division")


@of_rows(label="Recall at precision", better="higher")
def recall_at_precision(ranked: RankedScores, *, precision: float = 0.9) -> float:
    """Largest share of positives found at a threshold whose precision is at least ``precision``; 0 if none is.

    Parameters
    ----------
    precision : float
        The share of positives among those called at least, in [0, 1]; 0.9 unless given.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.recall_at_precision([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.2], precision=0.75)
    1.0
    """
    return float(ranked.walked[0][step_at_precision(ranked, precision)] / ranked.n_pos)


@of_rates(label="Equal error rate", better="lower", chance=0.5, label_swap="1-x")
def equal_error_rate(ranked: RankedScores) -> float:
    """The false positive rate and the false negative rate where they are equal.

    Where the ROC curve, with straight lines across ties, meets TPR = 1 - FPR; chance 0.5. Exchanging the classes gives
    1 - EER.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.equal_error_rate([1, 1, 1, 0, 0, 0], [0.9, 0.7, 0.2, 0.6, 0.3, 0.1])
    0.3333333333333333
    """
    step = equal_step(ranked)
    (first, missed), (last, left) = (_both_errors(ranked, at) for at in (step - 1, step))
    over, under = last - left, first - missed
    share = -under / (over - under)
    return float(first + share * (last - first))


def equal_step(ranked: RankedScores) -> int:
    """The first step of the walk down the scores at which the false positive rate is not below the false negative."""
    low, high = 0, ranked.scores.size  # the one rate falls and the other rises: at the last step all are called
    while high - low > 1:
        middle = (low + high) // 2
        alarms, missed = _both_errors(ranked, middle)
        low, high = (low, middle) if alarms >= missed else (middle, high)
    return high


def _both_errors(ranked: RankedScores, step: int) -> tuple[float, float]:
    """False positive rate and false negative rate at a step of the walk down the scores."""
    return ranked.walked[1][step] / ranked.n_neg, _missed(ranked, step) / ranked.n_pos


def _missed(ranked: RankedScores, step: int) -> Any:
    """Positives that are not called at a step; of weights, summed from below."""
    return ranked.n_pos - ranked.walked[0][step] if ranked.exact else ranked.called_negative[0][step]


def step_at_fpr(ranked: RankedScores, fpr: float, name: str = "fpr") -> int:
    """The step of the walk down the scores that finds most with a false positive rate of at most ``fpr``.

    Of several that find as many, the first, whose threshold is the highest.
    """
    (tp, fp), n_neg = ranked.walked, ranked.n_neg
    rate = checked_rate(name, fpr)
    if ranked.exact:
        last = int(fp.searchsorted(most_within(rate, n_neg), side="right")) - 1
    else:
        last = int((fp / n_neg).searchsorted(rate, side="right")) - 1
    return int(tp.searchsorted(tp[last], side="left"))


def step_at_tpr(ranked: RankedScores, tpr: float, name: str = "tpr") -> int:
    """The first step of the walk down the scores whose true positive rate is at least ``tpr``."""
    tp, n_pos = ranked.walked[0], ranked.n_pos
    rate = checked_rate(name, tpr)
    if ranked.exact:
        return int(tp.searchsorted(fewest_reaching(rate, n_pos), side="left"))
    return int((tp / n_pos).searchsorted(rate, side="left"))


def step_at_precision(ranked: RankedScores, precision: float) -> int:
    """The step of the walk down the scores that finds most with a precision of at least ``precision``; 0 if none has.

    Of several that find as many, the first, whose threshold is the highest.
    """
    rate = checked_rate("precision", precision)
    tp, fp = ranked.walked
    for block in _may_reach(ranked, rate):
        found = tp[block]
        reached = np.flatnonzero(found / (found + fp[block]) >= rate)
        if reached.size:
            return int(tp.searchsorted(found[reached[-1]], side="left"))
    return 0


def _may_reach(ranked: RankedScores, rate: float) -> list[slice]:
    """Ranges of steps from the last to the first, without those of counts whose precision is lower throughout.

    No step of a range has more true positives than its last, nor fewer false ones than its first.
    """
    (tp, fp), size = ranked.walked, ranked.scores.size + 1
    first = np.arange(1, size, BLOCK)
    if ranked.exact and first.size > 1:
        most, fewest = tp[np.minimum(first + BLOCK, size) - 1], fp[first]
        first = first[most / np.maximum(most + fewest, 1) >= rate]
    return [slice(start, min(start + BLOCK, size)) for start in first[::-1].tolist()]


def step_of(ranked: RankedScores, held: str, rate: float) -> int:
    """The step where a rate is held; of "equal" errors, that where the two rates are closest, the first of two."""
    if held == "fpr":
        return step_at_fpr(ranked, rate)
    if held in ("tpr", "precision"):
        return step_at_tpr(ranked, rate) if held == "tpr" else step_at_precision(ranked, rate)
    step = equal_step(ranked)
    apart = [abs(alarms - missed) for alarms, missed in (_both_errors(ranked, at) for at in (step - 1, step))]
    return step - 1 if apart[0] <= apart[1] else step


def most_within(rate: float, n: int) -> int:
    """The largest count k of ``n`` with k/n <= rate, the quotient rounded to the nearest double.

    Examples
    --------
    >>> most_within(0.1, 10), most_within(0.29, 100), most_within(1 / 3, 3), most_within(0.05, 19)
    (1, 29, 1, 0)
    """
    count = min(int(rate * n) + 1, n)
    while count / n > rate:
        count -= 1
    return count


def fewest_reaching(rate: float, n: int) -> int:
    """The smallest count k of ``n`` with k/n >= rate, the quotient rounded to the nearest double.

    Examples
    --------
    >>> fewest_reaching(0.9, 10), fewest_reaching(0.7, 10), fewest_reaching(2 / 3, 3), fewest_reaching(0.95, 19)
    (9, 7, 2, 19)
    """
    count = max(int(rate * n) - 1, 0)
    while count / n < rate:
        count += 1
    return count


def checked_rate(name: str, value: Any) -> float:
    """Refuse what is no rate."""
    if not (is_number(value) and 0 <= value <= 1):
        raise ArgumentError(name, f"{name} must lie between 0 and 1, got {value!r}")
    return float(value)
