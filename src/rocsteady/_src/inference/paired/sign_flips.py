"""Chances of a difference where the models are alike: in each unit, row or subject, they may change places.

Without subjects the rows that models disagree on are then coins, and this is McNemar's test. Whole subjects change
places together, so that rows of a subject may depend on each other in any way.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.ranked import sorted_distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inference.paired.counts import PairedCounts

MOST_WORK = 100_000_000  # sums beyond which chances come from a Fourier transform, right to 1e-13
ROUNDING = 1e-13
EXACT = 1000  # coins whose chances are quotients of whole numbers


def flipped_tails(counts: PairedCounts) -> tuple[float, float, float]:
    """Chances of a difference as large as this or larger, of just this one, and of this one or smaller.

    Examples
    --------
    >>> from rocsteady._src.inference.paired.counts import PairedCounts
    >>> flipped_tails(PairedCounts(5, 3, 0, 4))
    (0.125, 0.125, 1.0)
    """
    if counts.subjects is None:
        return _coins(int(counts.first_only), int(counts.second_only))
    sizes = np.abs(counts.subjects.differences).astype(np.int64)
    return _of_subjects(sizes[sizes > 0], int(counts.first_only - counts.second_only))


def _coins(first: int, second: int) -> tuple[float, float, float]:
    from scipy.special import bdtr, betaln

    n = first + second
    above = float(bdtr(n - first, n, 0.5))  # heads and tails are alike: first or more as often as n - first or fewer
    if n <= EXACT:
        here = math.comb(n, first) / 2**n
    else:
        here = math.exp(-math.log(n + 1) - float(betaln(first + 1, second + 1)) - n * math.log(2))
    return above, here, float(bdtr(first, n, 0.5))


def _of_subjects(sizes: NDArray[np.int64], seen: int) -> tuple[float, float, float]:
    total = int(sizes.sum())
    if not total:
        return 1.0, 1.0, 1.0
    work = total * sizes.size
    chances = _summed(sizes, total) if work <= MOST_WORK else _transformed(sizes, total)
    place = seen + total  # chances[k] is that of a sum of k - total
    above, here, below = float(chances[place:].sum()), float(chances[place]), float(chances[: place + 1].sum())
    least = ROUNDING if work > MOST_WORK else 0.0
    return min(max(above, least), 1.0), here, min(max(below, least), 1.0)


def _summed(sizes: NDArray[np.int64], total: int) -> NDArray[np.float64]:
    chances = np.zeros(2 * total + 1)
    chances[total] = 1.0
    for size in sizes.tolist():
        moved = np.zeros_like(chances)
        moved[size:] += 0.5 * chances[: chances.size - size]
        moved[: chances.size - size] += 0.5 * chances[size:]
        chances = moved
    return chances


def _transformed(sizes: NDArray[np.int64], total: int) -> NDArray[np.float64]:
    """The same through the product of their cosines."""
    length = 2 * total + 1
    angles = 2 * math.pi * np.arange(length) / length
    distinct, place = sorted_distinct(sizes)
    waves = np.ones(length)
    for size, times in zip(distinct.tolist(), np.bincount(place).tolist(), strict=True):
        waves *= np.cos(angles * size) ** times
    chances = np.fft.ifft(waves).real
    return np.maximum(np.roll(chances, total), 0.0)
