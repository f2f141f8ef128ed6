"""Running sums along the groups of ranked scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.exact import compensated_cumsum

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLOCK = 1 << 14
FEW_PLACES = 1000


def last(sums: NDArray[np.float64]) -> float:
    """The last of running sums, 0 of none."""
    return float(sums[-1]) if sums.size else 0.0


def cumulate(weights: NDArray[Any]) -> NDArray[Any]:
    """Running sums, which never fall."""
    return weights.cumsum() if weights.dtype.kind == "i" else np.maximum.accumulate(compensated_cumsum(weights))


def one_later(sums: NDArray[Any]) -> NDArray[Any]:
    """Running sums up to the entry before."""
    return np.concatenate([np.zeros(1, dtype=sums.dtype), sums])[: sums.size]


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """The array, closed to writing."""
    array.flags.writeable = False
    return array


def walk_down(weights: NDArray[Any], total: Any) -> NDArray[Any]:
    """Cumulate from the highest score; rounded sums never pass the total, on which they end."""
    walked = np.zeros(weights.size + 1, dtype=weights.dtype)
    walked[1:] = cumulate(weights[::-1])
    if weights.dtype.kind == "f":
        np.minimum(walked, total, out=walked)
        walked[-1] = total
    return walked


def labels_of_rows(pos: NDArray[Any], neg: NDArray[Any]) -> NDArray[np.bool_] | None:
    """Which groups are a positive, where each is one row; else None."""
    if pos.dtype.kind != "i":
        return None
    labels = np.empty(pos.size, dtype=bool)
    for start in range(0, pos.size, BLOCK):
        block = slice(start, start + BLOCK)
        if not (pos[block] + neg[block] == 1).all():
            return None
        np.equal(pos[block], 1, out=labels[block])
    return labels


def left_below(through: NDArray[Any]) -> NDArray[Any]:
    """Running sums from the end on, and 0."""
    return np.concatenate([np.zeros(1, dtype=through.dtype), through])[::-1]


def at_positives(pos: NDArray[Any], neg: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64], NDArray[np.int64]]:
    """For groups that hold positives, from the highest down: positives there; true and false ones from there up.

    In blocks: fresh memory costs more than the arithmetic.
    """
    size = int(np.count_nonzero(pos))
    found = np.empty(size, dtype=pos.dtype)
    tp, fp = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
    filled, above = 0, [0, 0]
    for stop in range(pos.size, 0, -BLOCK):
        block = slice(max(stop - BLOCK, 0), stop)
        places = np.flatnonzero(pos[block][::-1])
        here = slice(filled, filled + places.size)
        found[here] = pos[block][::-1][places]
        for which, (steps, out) in enumerate(((pos, tp), (neg, fp))):
            walked = steps[block][::-1].cumsum(dtype=np.int64)
            np.add(walked[places], above[which], out=out[here])
            above[which] += int(walked[-1])
        filled = here.stop
    return found, tp, fp


def sums_of_blocks(steps: NDArray[Any]) -> NDArray[np.int64]:
    """Sums of counts from the start of each block on, and 0."""
    sums = [int(steps[start : start + BLOCK].sum(dtype=np.int64)) for start in range(0, steps.size, BLOCK)]
    return np.array([*sums, 0], dtype=np.int64)[::-1].cumsum()[::-1]


def from_places_on(
    steps: NDArray[Any], places: NDArray[np.intp], from_blocks_on: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Sums of counts from each of some places on; ``from_blocks_on`` are their ``sums_of_blocks``."""
    if places.size > FEW_PLACES:
        sums = steps[::-1].cumsum(dtype=np.int64)
        return np.append(sums[::-1], 0)[places]
    beyond = -(-places // BLOCK)
    within = [
        int(steps[place : block * BLOCK].sum(dtype=np.int64)) for place, block in zip(places, beyond, strict=True)
    ]
    return from_blocks_on[beyond] + np.array(within, dtype=np.int64)
