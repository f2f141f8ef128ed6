"""Sums over pairs one by one, in blocks: all pairs for checking and for functions without structure, or near ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Kernel = Callable[[Array], Array]

PAIRS_AT_ONCE = 1 << 18


def all_pairs_sum(
    kernel: Kernel,
    positives: tuple[Array, Array],
    negatives: tuple[Array, Array],
    *,
    progress: Callable[[float], object] | None = None,
) -> tuple[float, float]:
    """Sums of w_i w_j f(p_i - n_j) and of w_i w_j |f(p_i - n_j)| over all pairs; each side is (points, weights).

    O(P N) time, O(P + N) memory.
    """
    points, weights = positives
    others, other_weights = negatives
    rows = max(1, PAIRS_AT_ONCE // max(others.size, 1))
    total, size = 0.0, 0.0
    for start in range(0, points.size, rows):
        block = slice(start, start + rows)
        values = np.asarray(kernel(points[block, None] - others), dtype=np.float64)
        total += float(weights[block] @ (values @ other_weights))
        size += float(weights[block] @ (np.abs(values) @ other_weights))
        if progress is not None:
            progress(min(1.0, (start + rows) / points.size))
    return total, size


def windowed_sums(kernel: Kernel, targets: Array, sources: tuple[Array, Array], first: Any, last: Any) -> Array:
    """For each target x_i the sum of w_j f(x_i - y_j) over the sources j in first[i]..last[i]-1."""
    points, weights = sources
    sums = np.zeros(targets.size)
    sizes = np.maximum(last - first, 0)
    reached = np.cumsum(sizes)
    start = 0
    while start < targets.size:
        base = reached[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(reached, base + PAIRS_AT_ONCE, side="right")))
        block = slice(start, stop)
        owner, partner = _expand(sizes[block], first[block])
        terms = np.asarray(kernel(targets[block][owner] - points[partner]), dtype=np.float64) * weights[partner]
        sums[block] = np.bincount(owner, terms, minlength=sizes[block].size)
        start = stop
    return sums


def _expand(sizes: Any, first: Any) -> tuple[Any, Any]:
    """Number the pairs of a block: which target each belongs to, and its source."""
    owner = np.repeat(np.arange(sizes.size), sizes)
    offsets = np.arange(owner.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return owner, np.repeat(first, sizes) + offsets
