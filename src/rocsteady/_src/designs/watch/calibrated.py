"""Are the scores probabilities? Evidence against it, row by row, that may be looked at at any time.

Where a score is the probability of a label, the likelihood of the labels under any other probabilities, over that under
the scores, is 1 on average, exactly and for any number of rows. The others here are a + b logit(p).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

SHIFTS = (-1.0, -0.5, -0.25, -0.1, -0.05, 0.05, 0.1, 0.25, 0.5, 1.0)
SLOPES = (0.6, 0.8, 0.9, 1.1, 1.25, 1.6)
OTHERS = tuple((shift, 1.0) for shift in SHIFTS) + tuple((0.0, slope) for slope in SLOPES)
REFUTED = 1e6  # more than any number of rows says otherwise, and a number that JSON knows


def calibration_logs(p: Array, pos: Array, neg: Array) -> tuple[float, ...]:
    """Of every other (a, b) the logarithm of the likelihood ratio; REFUTED where a score ruled its label out.

    Scores of exactly 0 and 1 have no log-odds: no other moves them, and they either are right or refuted at once.
    """
    if pos[p <= 0].any() or neg[p >= 1].any():
        return (REFUTED,) * len(OTHERS)
    inner = (p > 0) & (p < 1)
    odds = np.log(p[inner] / (1 - p[inner]))
    ups, downs = pos[inner], neg[inner]
    return tuple(
        float(ups @ _log_ratio(a + b * odds, odds) + downs @ _log_ratio(-a - b * odds, -odds)) for a, b in OTHERS
    )


def _log_ratio(other: Array, odds: Array) -> Array:
    """Log of expit(other) / expit(odds)."""
    ratio: Array = np.logaddexp(0, -odds) - np.logaddexp(0, -other)
    return ratio
