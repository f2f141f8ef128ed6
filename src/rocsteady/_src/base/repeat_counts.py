"""Values repeated as often as counts say, whatever whole numbers the counts are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def repeat_by(values: NDArray[Any], counts: NDArray[Any]) -> NDArray[Any]:
    """Each value so many times; NumPy takes counts of 64 bits only where its indices have as many.

    Examples
    --------
    >>> repeat_by(np.array([5, 7]), np.array([2, 1], dtype=np.int64)).tolist()
    [5, 5, 7]
    """
    found: NDArray[Any] = np.repeat(values, np.asarray(counts).astype(np.intp, copy=False))
    return found
