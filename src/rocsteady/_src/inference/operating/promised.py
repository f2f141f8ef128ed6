"""Where the walk down the scores may stop so that a promise holds: order statistics, and tests in a fixed sequence.

The false positive rate above the (k+1)-th highest of N negatives is Beta(k + 1, N - k) or less, whatever the scores
are: it exceeds a bound with the probability of k or fewer errors among N rows that err with that rate. So the largest k
whose probability is within the risk gives the threshold, just above that negative. Recall goes the same way by the
lowest positives.

Precision need not fall with the threshold. The rows above the (m+1)-th highest score, taken from all, are independent
draws from those above it, so the errors among them are binomial, and an exact test shows that the precision there
suffices. The tests go from few rows called to many, from a few starts that do not look at the data, each with its part
of the risk, and stop at the first that fails: then the first threshold that breaks the promise is passed with no more
than the risk.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError
from rocsteady._src.inference.operating.binomial_tails import at_most_so_many, errors_allowed, rows_needed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores

STARTS = (0, 5, 50, 500)  # errors that the first test of each sequence may see
BLOCK, MOST_AT_ONCE = 1 << 12, 1 << 18


@dataclass(frozen=True, slots=True)
class Stop:
    """A step of the walk down the scores; ``above`` when the threshold lies just above the score of the next one."""

    step: int
    above: bool


def stop_for_fpr(ranked: RankedScores, bound: float, risk: float) -> Stop | None:
    """Just above the negative that would be one error too many; None where no negatives are enough."""
    allowed = errors_allowed(ranked.n_neg, bound, risk)
    if allowed < 0:
        return None
    fp = ranked.walked[1]
    return Stop(int(fp.searchsorted(allowed + 1, side="left")) - 1, above=True)


def stop_for_fnr(ranked: RankedScores, bound: float, risk: float) -> Stop | None:
    """At the lowest positive but for those that may be missed; None where no positives are enough."""
    allowed = errors_allowed(ranked.n_pos, bound, risk)
    if allowed < 0:
        return None
    tp = ranked.walked[0]
    return Stop(int(tp.searchsorted(ranked.n_pos - allowed, side="left")), above=False)


def stop_for_fdr(ranked: RankedScores, bound: float, risk: float) -> Stop | None:
    """The furthest that any of the sequences of tests goes; None where all fail at their start."""
    tp, fp = ranked.walked
    part = risk / len(STARTS)
    furthest = -1
    for errors in STARTS:
        start = _first_calling(tp, fp, rows_needed(bound, part, errors))
        if start > furthest:  # a start that another sequence has passed ends where that one does
            furthest = max(furthest, _last_passed(tp, fp, start, bound, part))
    return None if furthest < 0 else Stop(furthest, above=True)


def _last_passed(tp: Any, fp: Any, first: int, bound: float, risk: float) -> int:
    """The last step before the first test that fails, from step ``first`` on; -1 if none."""
    begin, size = first, BLOCK
    while begin < tp.size:
        block = slice(begin, begin + size)
        failed = _first_failed(fp[block], tp[block] + fp[block], bound, risk)
        if failed is not None:
            return begin + failed - 1 if begin + failed > first else -1
        begin, size = begin + size, min(2 * size, MOST_AT_ONCE)
    return int(tp.size) - 1 if first < tp.size else -1


def _first_calling(tp: Any, fp: Any, start: int) -> int:
    """The first step that calls so many rows."""
    low, high = -1, int(tp.size)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if tp[middle] + fp[middle] >= start else (middle, high)
    return high


def _first_failed(fp: Any, called: Any, bound: float, risk: float) -> int | None:
    """The first of some tests that fails; Hoeffding's inequality says of most that they do not."""
    spare = bound * called - fp
    unsure = np.flatnonzero((spare <= 0) | (2 * spare * spare < math.log(1 / risk) * called))
    for begin in range(0, unsure.size, BLOCK):
        some = unsure[begin : begin + BLOCK]
        failed = np.flatnonzero(at_most_so_many(fp[some], called[some], bound) > risk)
        if failed.size:
            return int(some[failed[0]])
    return None


def surest_step(tp: Any, fp: Any, bound: float) -> int:
    """The step that calls rows with the smallest probability of so few errors, the first of equals.

    No step of a block is surer than the errors at its begin among the rows called at its end would be; blocks are
    looked into from the surest of these on, until none can be surer than what was found.
    """
    begins = np.arange(1, tp.size, BLOCK)
    ends = np.minimum(begins + BLOCK, tp.size) - 1
    at_best = at_most_so_many(fp[begins], tp[ends] + fp[begins], bound)
    least, surest = math.inf, 1
    while at_best.min() <= least:
        place = int(at_best.argmin())
        at_best[place] = math.inf
        block = slice(int(begins[place]), int(ends[place]) + 1)
        wrong = fp[block]
        unsure = at_most_so_many(wrong, tp[block] + wrong, bound)
        found = int(np.argmin(unsure))
        if (unsure[found], block.start + found) < (least, surest):
            least, surest = float(unsure[found]), block.start + found
    return surest


def threshold_of(ranked: RankedScores, stop: Stop) -> Any:
    """The observed score of the step, or the next number above that of the next step; -inf where all rows are called.

    Decimals and fractions have no next number: there it is the next higher score, or inf.
    """
    if not stop.above:
        return _plain(ranked.thresholds_at(np.array([stop.step]))[0])
    if stop.step == ranked.scores.size:
        return -np.inf
    limit, kind = ranked.scores[ranked.scores.size - stop.step - 1], ranked.scores.dtype.kind
    if kind in "iub":
        return int(limit) + 1
    if kind == "O":
        return _plain(ranked.thresholds_at(np.array([stop.step]))[0])
    if limit == np.inf:
        text = "the negatives that may not be called positive have infinite scores, above which there is no threshold"
        raise InputError("infinite_scores", text)
    narrow = _narrowest(ranked.scores)
    return _plain(np.nextafter(narrow(limit), narrow(np.inf)))


def _narrowest(scores: NDArray[Any]) -> type[np.floating[Any]]:
    """The type that scores may have had before they were doubles: NumPy rounds a threshold to it where they meet."""
    with np.errstate(over="ignore"):
        for kind in (np.float16, np.float32):  # of most scores a few tell that they are doubles
            if all(np.array_equal(some.astype(kind), some) for some in (scores[:BLOCK], scores)):
                return kind
        return scores.dtype.type


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
