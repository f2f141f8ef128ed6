"""The exact distribution of the rank sum, ties included: how many labellings of the rows have which AUC."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError
from rocsteady._src.base.text import format_count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores

MOST_CELLS = 300_000_000
MOST_ROWS = 1000  # from about there on numbers of labellings leave the range of floats


def exact_tails(ranked: RankedScores) -> tuple[float, float]:
    """Chances of an AUC at most, and at least, as large as this one, when labels have nothing to do with scores.

    Every labelling of the rows with as many positives is as likely; tied rows stay tied. From group to group of equal
    score, labellings are counted by positives so far and twice the pairs won.
    """
    sizes, n_pos = (ranked.pos + ranked.neg).astype(np.int64), int(ranked.n_pos)
    n_neg = int(ranked.n_neg)
    if sizes.sum() > MOST_ROWS or 2 * n_pos * n_neg * (n_pos + 1) * sizes.size > MOST_CELLS:
        text = f"all labellings of {format_count(n_pos)} positives and {format_count(n_neg)} negatives are too many"
        raise InputError("too_many_rows", f"{text} to count; the normal test is as good there: take the method normal")
    counts = _labellings(sizes, n_pos, n_neg)
    below = np.cumsum(ranked.neg) - ranked.neg
    won = int((ranked.pos * (2 * below + ranked.neg)).sum())
    total = counts.sum()
    return float(counts[: won + 1].sum() / total), float(counts[won:].sum() / total)


def _labellings(sizes: NDArray[np.int64], n_pos: int, n_neg: int) -> NDArray[np.float64]:
    """Number of labellings by twice the pairs that positives win, half of ties among them."""
    most = 2 * n_pos * n_neg
    counts = np.zeros((n_pos + 1, most + 1))
    counts[0, 0] = 1.0
    before = 0
    for size in sizes.tolist():
        found: NDArray[Any] = np.zeros_like(counts)
        for held in range(min(n_pos, before) + 1):
            negatives = before - held
            if negatives > n_neg:
                continue
            for taken in range(min(size, n_pos - held) + 1):
                if negatives + size - taken > n_neg:
                    continue
                gain = taken * (2 * negatives + size - taken)
                line = counts[held, : most + 1 - gain]
                found[held + taken, gain:] += _chosen(size, taken) * line
        counts, before = found, before + size
    last: NDArray[np.float64] = counts[n_pos]
    return last


def _chosen(size: int, taken: int) -> float:
    from math import comb

    return float(comb(size, taken))


def exact_p(tails: tuple[float, float], alternative: str) -> float:
    """One tail, or twice the smaller one."""
    at_most, at_least = tails
    return {"greater": at_least, "less": at_most}.get(alternative, min(1.0, 2 * min(tails)))
