"""Repeats of a cross-validation that were given as its folds alone: their folds must not be merged unseen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Column = NDArray[Any]

LEAST_ROWS, ALIKE = 20, 0.5  # rows of a repeat; correlation of scores within classes


def refuse_repeats(labels: Column, folds: NDArray[np.int64], scores: Column, row: str = "id") -> None:
    """Refuse rows that stand there several times over: the same labels in the same order, with like scores.

    Independent rows do not: their scores do not go together within the classes. ``row`` is the option that names rows.
    """
    n_repeats = repeats_in_order(labels, folds, scores)
    if n_repeats > 1:
        words = (
            "the same {n:count} labels stand here {times:count} times in the same order, with like scores: folds of "
            "repeats would be merged, and every row counted {times:count} times; say which is which with "
            f"{{repeat=}} and {{{row}=}}, of arrays np.repeat(np.arange({{times}}), {{n}}) and "
            "np.tile(np.arange({n}), {times}), or evaluate one repeat"
        )
        told = Sentence(words, n=labels.size // n_repeats, times=n_repeats)
        raise ArgumentError("repeat", told)


def repeats_in_order(labels: Column, folds: NDArray[np.int64], scores: Column) -> int:
    """How many times the same rows stand one after the other, as far as labels and scores tell; 1 where they do not.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> labels, scores, folds = np.tile(rng.integers(0, 2, 40), 3), np.tile(rng.random(40), 3), np.arange(120) % 4
    >>> repeats_in_order(labels, folds, scores), repeats_in_order(labels, folds, rng.random(120))
    (3, 1)
    """
    n, n_folds = labels.size, int(folds.max(initial=-1)) + 1
    sizes = (size for size in range(max(LEAST_ROWS, n_folds), n // 2 + 1) if not n % size)
    for size in sizes:
        blocks = labels.reshape(-1, size)
        if not np.array_equal(blocks[1:], blocks[:-1]):
            continue
        whole = all(np.unique(part).size == n_folds for part in folds.reshape(-1, size))
        if whole and _alike(blocks[0], scores.reshape(-1, size)):
            return n // size
    return 1


def _alike(labels: Column, scores: Column) -> bool:
    """Whether scores of all blocks go together within classes; those of few values may do so by chance."""
    if scores.dtype.kind not in "biuf" or np.unique(scores[0]).size < labels.size / 2:
        return False
    centred = scores.astype(np.float64)
    for label in np.unique(labels):
        centred[:, labels == label] -= centred[:, labels == label].mean(axis=1, keepdims=True)
    lengths = np.sqrt(np.square(centred).sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        together = centred[1:] @ centred[0] / (lengths[1:] * lengths[0])
    return bool(np.all(together > ALIKE))


def cycles_remark(labels: Column, folds: NDArray[np.int64]) -> tuple[Remark, ...]:
    """Say where folds come again in the same order, each time with as many rows of each class.

    Rows of a table that was written fold by fold, repeat by repeat, stand like that.
    """
    n_folds = int(folds.max(initial=-1)) + 1
    starts = np.flatnonzero(np.concatenate([[True], folds[1:] != folds[:-1]]))
    n_cycles, left = divmod(starts.size, max(n_folds, 1))
    if left or n_cycles < 2 or starts.size * 2 > folds.size or labels.size // n_cycles < LEAST_ROWS:
        return ()
    if not np.array_equal(folds[starts], np.tile(folds[starts[:n_folds]], n_cycles)):
        return ()
    codes = np.unique(labels, return_inverse=True)[1]
    cycle = np.repeat(np.arange(n_cycles), np.diff([*starts[::n_folds], folds.size]))
    counts = np.bincount(cycle * (int(codes.max()) + 1) + codes, minlength=n_cycles * (int(codes.max()) + 1))
    counts = counts.reshape(n_cycles, -1)
    return (Remark("folds_come_again", n=n_cycles),) if np.all(counts == counts[0]) else ()
