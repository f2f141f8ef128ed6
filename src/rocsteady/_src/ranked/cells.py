"""Counts of equal whole-number keys, for tables that grow while rows stream by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Keys = NDArray[np.int64]


def counted_keys(keys: Keys) -> tuple[Keys, Keys]:
    """Distinct keys, increasing, and how often each occurs; the array is sorted in place.

    Examples
    --------
    >>> [each.tolist() for each in counted_keys(np.array([3, 1, 3]))]
    [[1, 3], [1, 2]]
    """
    keys.sort()
    last = np.ones(keys.size, dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=last[:-1])
    ends = np.flatnonzero(last)
    return keys[ends], np.diff(ends, prepend=-1)
