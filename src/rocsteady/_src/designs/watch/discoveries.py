"""Alarms of many segments together: e-BH, the rule of Benjamini and Hochberg for evidence (Wang and Ramdas 2022).

Of m segments those k with the most evidence are in alarm, for the largest k for which each of them has at least
m / (alpha k). At any look at which one stops, however chosen, at most a share alpha of those in alarm has not changed,
on average, whatever ties the segments; where none has changed, there is ever an alarm with at most the probability
alpha.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


def discovered(evidence: Array, alpha: float) -> tuple[NDArray[np.bool_], Array]:
    """Which segments, by line, are in alarm at each look, by column; and what evidence more of them would need.

    The limit of a look is that of those in alarm, and where there is none that of the first.
    """
    m, n = evidence.shape
    with np.errstate(divide="ignore"):
        needed = np.minimum(np.ceil(m / (alpha * evidence)), m + 1).astype(
            np.int64
        )  # the least k that it is enough for
    places = (needed - 1) * n + np.arange(n)
    enough = np.cumsum(np.bincount(places.ravel(), minlength=(m + 1) * n).reshape(m + 1, n), axis=0)[:m]
    ranks = np.arange(1, m + 1)[:, None]
    count = np.max(np.where(enough >= ranks, ranks, 0), axis=0)
    limit: Array = m / (alpha * np.maximum(count, 1))
    return needed <= count, limit
