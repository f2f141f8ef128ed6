"""The difference of two independent shares: test and interval from one distribution, exact if they are alike.

Fisher's exact test with half the probability of what was seen (mid-p) keeps its level far out in the tails, which an
adjustment for many tests asks for; standard errors of shares near 0 or 1 do not. Its p-value is the mean of two
probabilities that one beta variable exceeds another (Altham 1969), which also hold for counts that are not whole, and
which give an interval of the difference that agrees with the test.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Counts = tuple[float, float]

NODES = 96
NEVER = 1e-9  # in place of a count of 0: the share is then 0


@dataclass(frozen=True, slots=True)
class ShareDifference:
    """First minus second share, each as hits among so many.

    Examples
    --------
    >>> both = ShareDifference((9.0, 10.0), (4.0, 10.0))
    >>> round(both.pvalue, 4), [round(end, 3) for end in both.ends(0.95)]
    (0.0302, [0.046, 0.795])
    """

    first: Counts
    second: Counts

    @property
    def estimate(self) -> float:
        """First minus second."""
        return self.first[0] / self.first[1] - self.second[0] / self.second[1]

    @property
    def pvalue(self) -> float:
        """Two-sided p of no difference."""
        less = self._below(0.0)
        return min(1.0, 2 * min(less, 1 - less))

    def ends(self, level: float) -> Counts:
        """Give the interval of the difference; it includes the estimate."""
        tail = (1 - level) / 2
        low, high = self._quantile(tail), self._quantile(1 - tail)
        return min(low, self.estimate), max(high, self.estimate)

    def _quantile(self, share: float) -> float:
        from scipy.optimize import brentq

        if self._below(-1.0) >= share:
            return -1.0
        if self._below(1.0) <= share:
            return 1.0
        return float(brentq(lambda gap: self._below(gap) - share, -1.0, 1.0, xtol=1e-12))

    def _below(self, gap: float) -> float:
        """How far the counts support a difference below ``gap``: the mean over both ways to count what was seen."""
        (hits, n), (others, m) = self.first, self.second
        less = (hits, n - hits + 1), (others + 1, m - others)
        more = (hits + 1, n - hits), (others, m - others + 1)
        return (_beta_below(*less, gap) + _beta_below(*more, gap)) / 2


def _beta_below(first: Counts, second: Counts, gap: float) -> float:
    """Probability that the first beta variable is less than ``gap`` above the second."""
    from scipy.special import betainc

    (a, b), (c, d) = (tuple(max(each, NEVER) for each in pair) for pair in (first, second))
    _, weights = _nodes()
    if (c + d, c) >= (a + b, a):  # the variable that spreads less is integrated over
        return float(weights @ betainc(a, b, np.clip(_beta_at(c, d) + gap, 0.0, 1.0)))
    return float(weights @ (1 - betainc(c, d, np.clip(_beta_at(a, b) - gap, 0.0, 1.0))))


@lru_cache(maxsize=256)
def _beta_at(a: float, b: float) -> Array:
    """Quantiles of a beta variable at the points to integrate over."""
    from scipy.special import betaincinv

    found: Array = betaincinv(a, b, _nodes()[0])
    return found


@cache
def _nodes() -> tuple[Array, Array]:
    """Points and weights of Gauss and Legendre on [0, 1], denser near both ends, where quantiles are steep."""
    points, weights = np.polynomial.legendre.leggauss(NODES)
    even = (points + 1) / 2
    return even**3 * (10 - 15 * even + 6 * even**2), weights / 2 * 30 * (even * (1 - even)) ** 2
