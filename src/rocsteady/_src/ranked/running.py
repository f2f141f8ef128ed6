"""Running sums along the groups of ranked scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.exact import compensated_cumsum

if TYPE_CHECKING:
    from numpy.typing import NDArray


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


def left_below(through: NDArray[Any]) -> NDArray[Any]:
    """Running sums from the end on, and 0."""
    return np.concatenate([np.zeros(1, dtype=through.dtype), through])[::-1]
