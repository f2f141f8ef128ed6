"""One rate where another is held: how surely it is known, with the uncertainty of the threshold in it.

Where a share f of the negatives is truly called, the number of those seen above the true threshold is binomial. If it
is j, the threshold lies just above the (j+1)-th highest negative, and the positives above that are binomial with the
rate sought. So the confidence that this rate is x or less is the mean over j of a binomial's mid-p confidence: exact
tails on both sides, no density and no resample. Above the highest negative nothing is known of the threshold; there the
lower end takes half of the positives above it.

Rows that are not independent, or weigh unlike, are worth fewer (:mod:`rocsteady._src.inference.operating.worth`); the
binomials then have that many rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores

    Array = NDArray[np.float64]

End = Literal["low", "high"]
Kind = Literal["mid-p", "exact"]
MANY = 2000  # a variance of counts from which on they are taken as a continuum
NODES = 401
REACH = 5.5  # standard deviations
STEPS, TINY, MORE = 40, 2.0**-40, 8
LEAST = 1e-12
CERTAIN = 745.0  # exp of minus this is 0
SHARPEST = 1e-16
SMOOTH = 100_000  # rows of each class
SPREADS, WIDER, SURE = 8, 8, 1e-7


@dataclass(frozen=True, eq=False)
class Trade:
    """Errors of the class whose rate is held, and hits of the other, while the threshold lets in more of both.

    ``worth`` is how many independent rows each class is worth: that whose rate is held, and the other.
    """

    held: NDArray[Any]
    hits: NDArray[Any]
    n_held: Any
    n_hits: Any
    worth: tuple[float, float]

    @classmethod
    def of_negatives(cls, ranked: RankedScores, worth: tuple[float, float] | None = None) -> Trade:
        """True positives where the false positive rate is held; ``worth`` of negatives and positives."""
        tp, fp = ranked.walked
        return cls(fp, tp, ranked.n_neg, ranked.n_pos, worth or (float(ranked.n_neg), float(ranked.n_pos)))

    @classmethod
    def of_positives(cls, ranked: RankedScores, worth: tuple[float, float] | None = None) -> Trade:
        """True negatives where the false negative rate is held; ``worth`` of positives and negatives."""
        fn, tn = ranked.walked_up
        return cls(fn, tn, ranked.n_pos, ranked.n_neg, worth or (float(ranked.n_pos), float(ranked.n_neg)))

    @cached_property
    def counted(self) -> bool:
        """Whether rows of the held class are independent and counted."""
        return self.held.dtype.kind == "i" and self.worth[0] == self.n_held

    def near(self, share: float) -> tuple[float, float] | None:
        """Where to look for the ends of an interval of this share, and how far around; None of few rows."""
        fewer = min(self.worth)
        return (share, SPREADS * math.sqrt(max(share * (1 - share), 1 / fewer) / fewer)) if fewer >= SMOOTH else None

    @cached_property
    def _first_let_in(self) -> int:
        """The first step at which an error is let in."""
        return int(self.held.searchsorted(0, side="right"))

    @cached_property
    def _known_steps(self) -> dict[float, tuple[NDArray[np.intp], Array]]:
        return {}

    def steps(self, rate: float) -> tuple[NDArray[np.intp], Array]:
        """Steps at which the true threshold may stand if this is the true rate, and how likely each is."""
        known = self._known_steps
        if rate not in known:
            known.clear()  # ends are sought at one rate after the other
            known[rate] = self._steps(rate)
        return known[rate]

    def _steps(self, rate: float) -> tuple[NDArray[np.intp], Array]:
        n, spread = self.worth[0], self.worth[0] * rate * (1 - rate)
        if not self.counted or spread > MANY:
            seen = _beta_nodes(n * rate + 0.5, n * (1 - rate) + 0.5, many=spread > MANY) * self.n_held
            chances = np.full(NODES, 1 / NODES)
            seen = np.floor(seen).astype(np.int64) if self.held.dtype.kind == "i" else seen
        else:
            reach = REACH * math.sqrt(spread) + REACH**2
            seen = np.arange(max(0, math.floor(n * rate - reach)), min(int(n), math.ceil(n * rate + reach)) + 1)
            chances = _binomial(seen, int(n), rate)
        return _joined(self.held.searchsorted(seen, side="right") - 1, chances)

    def confidence(self, rate: float, share: float, end: End, kind: Kind = "mid-p") -> float:
        """Confidence that the true share of hits is at most ``share`` where the held rate is ``rate``, for one end."""
        steps, chances = self.steps(rate)
        n, hits = self.worth[1], self.hits[steps] / self.n_hits
        if end == "low" and kind == "exact":  # the threshold may stand as high as the last error let in
            before = self.held.searchsorted(self.held[steps], side="left")
            let_in = steps >= self._first_let_in
            hits = np.where(let_in, self.hits[np.maximum(before - 1, 0)] / self.n_hits, 0.0)
        elif end == "low":
            hits = np.where(steps >= self._first_let_in, hits, hits / 2)
        return float(chances @ _at_most(share, hits * n, n, end, kind))

    def ends(self, rate: float, level: float, kind: Kind = "mid-p") -> tuple[float, float]:
        """Interval of the share of hits where the held rate is ``rate``."""
        tail = (1 - level) / 2
        steps, chances = self.steps(rate)
        middle = steps[min(int(chances.cumsum().searchsorted(0.5)), steps.size - 1)]
        near = self.near(float(self.hits[middle] / self.n_hits))
        low = crossing(lambda share: self.confidence(rate, share, "low", kind), tail, near)
        return low, crossing(lambda share: self.confidence(rate, share, "high", kind), 1 - tail, near)


def _joined(steps: NDArray[np.intp], chances: Array) -> tuple[NDArray[np.intp], Array]:
    """Steps in their order, each once, with its chances together: of few rows many nodes stand at one step."""
    starts = np.flatnonzero(np.diff(steps, prepend=steps[:1] - 1))
    return steps[starts], np.add.reduceat(chances, starts)


def _around(rising: Callable[[float], float], centre: float, reach: float) -> tuple[float, float]:
    """Rates of which the function is negative at the one and not at the other, unless it is nowhere so."""
    low, high = max(centre - reach, LEAST), min(centre + reach, 1 - LEAST)
    while low > LEAST and rising(low) >= 0:
        low, high, reach = max(low - WIDER * reach, LEAST), low, WIDER * reach
    while high < 1 - LEAST and rising(high) < 0:
        low, high, reach = high, min(high + WIDER * reach, 1 - LEAST), WIDER * reach
    return low, high


def _quantile(confidence: float) -> float:
    """Of a normal distribution, for confidence between 0 and 1."""
    from scipy.special import ndtri

    return float(ndtri(min(max(confidence, SHARPEST), 1 - SHARPEST)))


def _beta_nodes(a: float, b: float, *, many: bool) -> Array:
    """Quantiles of a beta distribution in the middle of equal shares; of many rows by their first four moments.

    Examples
    --------
    >>> one, other = (_beta_nodes(2000.5, 4000.5, many=many) for many in (False, True))
    >>> bool(np.abs(one - other).max() < 1e-7)
    True
    """
    from scipy.special import betaincinv

    if not many:
        return np.asarray(betaincinv(a, b, (np.arange(NODES) + 0.5) / NODES))
    total, z = a + b, _normal_nodes()
    spread = math.sqrt(a * b / (total + 1)) / total
    skew = 2 * (b - a) * math.sqrt(total + 1) / ((total + 2) * math.sqrt(a * b))
    tails = 6 * ((a - b) ** 2 * (total + 1) - a * b * (total + 2)) / (a * b * (total + 2) * (total + 3))
    moved = z + skew * (z**2 - 1) / 6 + tails * (z**3 - 3 * z) / 24 - skew**2 * (2 * z**3 - 5 * z) / 36
    return np.asarray(a / total + spread * moved)


@lru_cache(maxsize=1)
def _normal_nodes() -> Array:
    from scipy.special import ndtri

    return np.asarray(ndtri((np.arange(NODES) + 0.5) / NODES))


def _binomial(counts: NDArray[Any], n: int, rate: float) -> Array:
    """Chances of the counts among n rows, which add up to one."""
    from scipy.special import gammaln, xlog1py, xlogy

    logs = gammaln(n + 1) - gammaln(counts + 1) - gammaln(n - counts + 1)
    logs = logs + xlogy(counts, rate) + xlog1py(n - counts, -rate)
    found = np.exp(logs - logs.max())
    shares: Array = found / found.sum()
    return shares


def _at_most(share: float, hits: Array, n: float, end: End, kind: Kind) -> Array:
    """Confidence that a binomial's rate is at most ``share``: Clopper and Pearson's of an end, or the mean of both."""
    from scipy.special import betainc

    above = n * share - hits
    near = 2 * (np.abs(above) - 1) ** 2 <= CERTAIN * n
    if not near.all():  # elsewhere Hoeffding's inequality leaves less than the smallest number
        found = np.where(above > 0, 1.0, 0.0)
        found[near] = _at_most(share, hits[near], n, end, kind) if near.any() else 0.0
        return found
    left = np.maximum(n - hits, 0.0)
    with np.errstate(invalid="ignore"):
        lower = np.where(hits > 0, betainc(hits, left + 1, share), 1.0)
        upper = np.where(left > 0, betainc(hits + 1, left, share), 0.0)
    if kind == "exact":
        return np.asarray(lower if end == "low" else upper)
    return np.asarray((lower + upper) / 2)


def crossing(rising: Callable[[float], float], value: float, near: tuple[float, float] | None = None) -> float:
    """Where a function of a rate that rises reaches a value: 0 or 1 if it never does in between.

    Confidence of many rows is nearly straight on the scale of normal quantiles, so that few steps are needed there:
    ``near`` is a rate close to the one sought, and how far apart they may be, a ten-millionth of which is near enough.

    Halves the range where it must, and follows the chord where that is quicker (the ITP method of Oliveira and
    Takahashi 2021), so that a smooth function is asked less often, and none much more often than by halving.
    """
    low, high, tiny = LEAST, 1 - LEAST, TINY
    if near is not None:
        plain, quantile, tiny = rising, _quantile(value), max(TINY, near[1] * SURE)
        rising, value = lru_cache(lambda share: _quantile(plain(share)) - quantile), 0.0
        low, high = _around(rising, *near)
    below, above = rising(low) - value, rising(high) - value
    if below >= 0:
        return 0.0
    if above < 0:
        return 1.0
    for step in range(STEPS + MORE):
        if high - low <= tiny:
            break
        middle = (low + high) / 2
        chord = (high * below - low * above) / (below - above)
        towards = math.copysign(1.0, middle - chord)
        moved = chord + towards * min(0.2 * (high - low) ** 2, abs(middle - chord))
        room = TINY * 2.0 ** (STEPS + MORE - 1 - step) - (high - low) / 2  # so that halving still ends in time
        at = moved if abs(moved - middle) <= room else middle - towards * max(room, 0.0)
        found = rising(at) - value
        low, high, below, above = (low, at, below, found) if found >= 0 else (at, high, found, above)
    return (low + high) / 2
