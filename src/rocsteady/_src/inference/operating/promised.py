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

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError
from rocsteady._src.inference.operating.binomial_tails import at_most_so_many, errors_allowed, rows_needed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores

STARTS = (0, 5, 50, 500)  # errors that the first test of each sequence may see
BLOCK = 1 << 12


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
    fp = ranked.called_positive[1]
    return Stop(int(fp.searchsorted(allowed + 1, side="left")) - 1, above=True)


def stop_for_fnr(ranked: RankedScores, bound: float, risk: float) -> Stop | None:
    """At the lowest positive but for those that may be missed; None where no positives are enough."""
    allowed = errors_allowed(ranked.n_pos, bound, risk)
    if allowed < 0:
        return None
    tp = ranked.called_positive[0]
    return Stop(int(tp.searchsorted(ranked.n_pos - allowed, side="left")), above=False)


def stop_for_fdr(ranked: RankedScores, bound: float, risk: float) -> Stop | None:
    """The furthest that any of the sequences of tests goes; None where all fail at their start."""
    tp, fp = ranked.called_positive
    part = risk / len(STARTS)
    starts = [rows_needed(bound, part, errors) for errors in STARTS]
    reached = [_last_passed(tp, fp, start, bound, part) for start in starts]
    furthest = max(reached)
    return None if furthest < 0 else Stop(furthest, above=True)


def _last_passed(tp: Any, fp: Any, start: int, bound: float, risk: float) -> int:
    """The last step before the first test that fails, from the first one that calls ``start`` rows; -1 if none."""
    called = tp + fp
    first = int(called.searchsorted(start, side="left"))
    for begin in range(first, called.size, BLOCK):
        block = slice(begin, begin + BLOCK)
        failed = np.flatnonzero(at_most_so_many(fp[block], called[block], bound) > risk)
        if failed.size:
            return begin + int(failed[0]) - 1 if begin + failed[0] > first else -1
    return int(called.size) - 1 if first < called.size else -1


def threshold_of(ranked: RankedScores, stop: Stop) -> Any:
    """The observed score of the step, or the next number above that of the next step; -inf where all rows are called.

    Decimals and fractions have no next number: there it is the next higher score, or inf.
    """
    if not stop.above:
        return _plain(ranked.thresholds[stop.step])
    if stop.step == ranked.scores.size:
        return -np.inf
    limit, kind = ranked.scores[ranked.scores.size - stop.step - 1], ranked.scores.dtype.kind
    if kind in "iub":
        return int(limit) + 1
    if kind == "O":
        return _plain(ranked.thresholds[stop.step])
    if limit == np.inf:
        text = "the negatives that may not be called positive have infinite scores, above which there is no threshold"
        raise InputError("infinite_scores", text)
    narrow = _narrowest(ranked.scores)
    return _plain(np.nextafter(narrow(limit), narrow(np.inf)))


def _narrowest(scores: NDArray[Any]) -> type[np.floating[Any]]:
    """The type that scores may have had before they were doubles: NumPy rounds a threshold to it where they meet."""
    with np.errstate(over="ignore"):
        held = (kind for kind in (np.float16, np.float32) if np.array_equal(scores.astype(kind), scores))
        return next(held, scores.dtype.type)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
