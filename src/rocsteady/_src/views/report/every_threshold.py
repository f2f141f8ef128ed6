"""Counts at every threshold that a reader may type, in few bytes: at all scores, or of many at all round numbers."""

from __future__ import annotations

import base64
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.measures.reaches_threshold import first_reached

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores

    Whole = NDArray[np.int64]

MOST_HELD = 15_000  # scores of all models of a page together
MOST_DECIMALS = 9
EXACT = 2**53
STEPS = 250  # round numbers between the lowest and the highest score, at least
DECADES = 3  # below which they come ten times as close, as long as a thousandth of the rows lies there
SHARE = 1e-3


def every_threshold(ranked: RankedScores, most: int) -> dict[str, Any] | None:
    """Thresholds from the lowest up, and how many rows of either class lie from each to the next; None of huge scores.

    ``whole`` says that these are all scores, so that any threshold finds its counts. Otherwise those are exact that are
    held, and those with no row between them and the held one below.
    """
    scores = ranked.scores
    if scores.dtype.kind not in "fiu" or scores.dtype.itemsize > np.dtype(np.float64).itemsize:
        return None
    if scores.dtype.kind in "iu" and max(abs(int(scores[0])), abs(int(scores[-1]))) > EXACT:
        return None
    whole = scores.size <= most
    cuts = as_decimals(scores.astype(np.float64)) if whole else round_numbers(ranked)
    if cuts is None:
        return {"whole": whole, "doubles": _text(scores.astype("<f8").tobytes())} | _between(ranked, scores)
    decimals, numbers = cuts
    held = scores if whole else numbers / 10.0**decimals
    gaps = _varints(np.diff(numbers))
    return {"whole": whole, "decimals": decimals, "first": int(numbers[0]), "gaps": gaps} | _between(ranked, held)


def as_decimals(values: NDArray[np.float64]) -> tuple[int, Whole] | None:
    """The fewest decimals that write all numbers exactly, and the numbers without their point; None if none do.

    Examples
    --------
    >>> decimals, numbers = as_decimals(np.array([0.25, 0.5, 1.0]))
    >>> decimals, numbers.tolist()
    (2, [25, 50, 100])
    """
    if not np.isfinite(values).all():
        return None
    for decimals in range(MOST_DECIMALS + 1):
        numbers = np.rint(values * 10.0**decimals)
        if np.abs(numbers).max() > EXACT:
            return None
        if (numbers / 10.0**decimals == values).all():
            return decimals, numbers.astype(np.int64)
    return None


def round_numbers(ranked: RankedScores) -> tuple[int, Whole]:
    """Round numbers from below the lowest finite score to above the highest; small ones with three digits of their own.

    Those with no row on either side are left out: what lies between finds the same counts.
    """
    scores = ranked.doubles[np.isfinite(ranked.doubles)]
    low, high = float(scores[0]), float(scores[-1])
    coarse = min(-math.floor(math.log10((high - low) / STEPS)), MOST_DECIMALS)
    finer = [e for e in range(1, DECADES + 1) if _some_below(ranked, 10.0 ** (3 - coarse - e))]
    decimals = min(max(coarse, 0, *(coarse + e for e in finer)), MOST_DECIMALS)
    made = [_multiples(low, high, coarse, decimals)]
    for each in range(coarse + 1, decimals + 1):
        end = 10.0 ** (3 - each)
        made.append(_multiples(max(low, -end), min(high, end), each, decimals))
    numbers = np.unique(np.concatenate(made))
    reached = first_reached(ranked.scores, numbers / 10.0**decimals)
    empty = np.diff(reached) == 0
    kept = np.ones(numbers.size, dtype=bool)
    kept[1:-1] = ~(empty[:-1] & empty[1:])
    return decimals, numbers[kept]


def _some_below(ranked: RankedScores, end: float) -> bool:
    within = np.diff(first_reached(ranked.doubles, np.array([-end, end])))[0]
    return bool(within >= SHARE * ranked.scores.size)


def _multiples(low: float, high: float, decimals: int, of: int) -> Whole:
    """From one below the lowest to one above the highest, in units of so many decimals."""
    first, last = math.floor(low * 10.0**decimals) - 1, math.ceil(high * 10.0**decimals) + 1
    found: Whole = np.arange(first, last + 1) * 10 ** (of - decimals)
    return found


def _between(ranked: RankedScores, held: NDArray[Any]) -> dict[str, Any]:
    """Rows of either class from each threshold to the next: counts in few bytes, weights as they are."""
    steps = ranked.scores.size - first_reached(ranked.scores, held)
    told: dict[str, Any] = {}
    for name, called in zip(("positives", "negatives"), ranked.called_positive, strict=True):
        reached = np.append(called[steps], 0)
        rows = reached[:-1] - reached[1:]
        told[name] = _varints(rows.astype(np.int64)) if ranked.counts_rows else [float(f"{row:.10g}") for row in rows]
    return told


def _varints(numbers: Whole) -> str:
    """Whole numbers from 0 on, seven bits to a byte, the lowest first; the high bit says that more follow.

    Examples
    --------
    >>> _varints(np.array([1, 300]))
    'AawC'
    """
    left, parts = numbers.astype(np.uint64), []
    while True:
        more = left >= 128
        parts.append((left & 127 | more * np.uint64(128)).astype(np.uint8))
        left = left >> np.uint64(7)
        if not more.any():
            break
    needed = np.ones((len(parts), numbers.size), dtype=bool)
    for place in range(1, len(parts)):
        needed[place] = needed[place - 1] & (parts[place - 1] >= 128)
    return _text(np.array(parts).T[needed.T].tobytes())


def _text(given: bytes) -> str:
    return base64.b64encode(given).decode("ascii")
