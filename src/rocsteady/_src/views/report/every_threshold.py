"""Counts at every threshold that a reader may type, in few bytes: at all scores, or of many at all round numbers."""

from __future__ import annotations

import base64
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.text import format_digits
from rocsteady._src.measures.confusion import confusion_at

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
    if not are_doubles(ranked):
        return None
    scores = ranked.scores
    whole = scores.size <= most
    cuts = as_decimals(scores.astype(np.float64)) if whole else round_numbers(ranked)
    rows, told = [ranked.pos, ranked.neg], dict[str, Any](whole=whole)
    if cuts is None:
        return {**told, "doubles": _text(scores.astype("<f8").tobytes()), **_counted(ranked, rows)}
    decimals, numbers = cuts
    rows = rows if whole else _between(ranked, numbers / 10.0**decimals)
    told |= {"decimals": decimals, "first": int(numbers[0]), "gaps": _varints(np.diff(numbers))}
    return {**told, **_counted(ranked, rows)}


def are_doubles(ranked: RankedScores) -> bool:
    """Whether a page's script can hold the scores as they are."""
    scores = ranked.scores
    if scores.dtype.kind not in "fiu" or scores.dtype.itemsize > np.dtype(np.float64).itemsize:
        return False
    return scores.dtype.kind == "f" or max(abs(int(scores[0])), abs(int(scores[-1]))) <= EXACT


def cuts_held(ranked: RankedScores, most: int) -> NDArray[np.float64]:
    """The thresholds of :func:`every_threshold`, as its reader unpacks them."""
    if ranked.scores.size <= most:
        return ranked.scores.astype(np.float64)
    decimals, numbers = round_numbers(ranked)
    return numbers / 10.0**decimals


def rows_between(ranked: RankedScores, cuts: NDArray[np.float64]) -> dict[str, Any]:
    """Where between thresholds rows of either class lie, and how many; ``size`` numbers in all.

    ``rows`` are, of positives and of negatives, gaps between the places of thresholds and the rows at each.
    """
    told: list[Any] = []
    size = 0
    for each in _between(ranked, cuts):
        (places,) = np.nonzero(each)
        counts = _varints(each[places].astype(np.int64)) if ranked.counts_rows else _weights(each[places])
        told += [_varints(np.diff(places, prepend=0)), counts]
        size += 2 * places.size
    return {"rows": told, "size": size}


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
    empty = ~np.any(_between(ranked, numbers / 10.0**decimals), axis=0)[:-1]
    kept = np.ones(numbers.size, dtype=bool)
    kept[1:-1] = ~(empty[:-1] & empty[1:])
    return decimals, numbers[kept]


def _some_below(ranked: RankedScores, end: float) -> bool:
    within = sum(float(each[0]) for each in _between(ranked, np.array([-end, end])))
    return within >= SHARE * float(ranked.n_pos + ranked.n_neg)


def _multiples(low: float, high: float, decimals: int, of: int) -> Whole:
    """From one below the lowest to one above the highest, in units of so many decimals."""
    first, last = math.floor(low * 10.0**decimals) - 1, math.ceil(high * 10.0**decimals) + 1
    found: Whole = np.arange(first, last + 1) * 10 ** (of - decimals)
    return found


def _between(ranked: RankedScores, cuts: NDArray[np.float64]) -> list[NDArray[Any]]:
    """Positives and negatives from each threshold to the next, and above the last."""
    counts = confusion_at(ranked, cuts)
    return [np.append(reached[:-1] - reached[1:], reached[-1:]) for reached in (counts.tp, counts.fp)]


def _counted(ranked: RankedScores, rows: list[NDArray[Any]]) -> dict[str, Any]:
    """Counts in few bytes, weights as they are."""
    named = zip(("positives", "negatives"), rows, strict=True)
    if ranked.counts_rows:
        return {name: _varints(each.astype(np.int64)) for name, each in named}
    return {name: _weights(each) for name, each in named}


def _weights(rows: NDArray[Any]) -> list[float]:
    return [float(format_digits(row, 10)) for row in rows.tolist()]


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
