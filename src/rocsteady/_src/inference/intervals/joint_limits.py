"""Limits of a measure made of several independent shares: propagated imprecision (PropImp).

Every share moves within its own interval, each at a level of its own, such that the squares of their normal scores add
up to that of the confidence level. The limits are the smallest and the largest value of the measure there.

References
----------
Newcombe (2011), Propagating imprecision: combining confidence intervals from independent sources, Communications in
Statistics - Theory and Methods 40:3154-3180.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.inference.intervals.share_limits import mid_p_limits

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Measure = Callable[[Array], Array]
    Limits = Callable[[Array, Array, Array], Array]

NODES = 65
STARTS, MANY = (2, 8), 5  # directions that are followed, and of how many shares the larger number
FIRST_TURN, LAST_TURN = 0.4, 2e-3
MOST_TURNS = 80
FURTHEST = 30.0  # standard errors, beyond which p is below 1e-190


def joint_limits(
    measure: Measure,
    hits: Array,
    totals: Array,
    reach: float,
    *,
    together: float = 0.0,
    limits: Limits = mid_p_limits,
) -> tuple[Array, Array]:
    """Smallest and largest value of a measure of several shares, for every column of counts.

    ``hits`` and ``totals`` have a line for each share; ``measure`` takes shares, by line. ``reach`` is the quantile of
    the level, ``together`` the correlation of the first two shares, ``limits`` gives those of a share at a score.

    Examples
    --------
    >>> hits, totals = np.array([[45.0], [90.0]]), np.array([[50.0], [100.0]])
    >>> low, high = joint_limits(lambda shares: shares[0] + shares[1] - 1, hits, totals, 1.96)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.675], [0.884])
    """
    hits, totals = (np.atleast_2d(np.asarray(each, dtype=np.float64)) for each in (hits, totals))
    return _Search(_Shares(hits, totals, reach, together, limits), measure).ends()


def score_of(ends: Callable[[float], tuple[float, float]], estimate: float, null: float) -> float:
    """The quantile at which an interval, given as a function of it, just reaches ``null``: a test that agrees with it.

    Examples
    --------
    >>> round(score_of(lambda reach: (1 - 2 * reach, 1 + 2 * reach), 1.0, -3.0), 6)
    2.0
    """
    from scipy.optimize import brentq

    if math.isnan(estimate) or estimate == null:
        return 0.0 if estimate == null else math.nan
    above = estimate > null

    def short(reach: float) -> float:
        low, high = ends(reach)
        return low - null if above else null - high

    sign = 1.0 if above else -1.0
    if short(FURTHEST) >= 0:
        return sign * FURTHEST
    return sign * float(brentq(short, 1e-6, FURTHEST, xtol=1e-9)) if short(1e-6) > 0 else 0.0


class _Shares:
    """Limits of shares at any normal score within reach: exact, or read off a table."""

    def __init__(self, hits: Array, totals: Array, reach: float, together: float, limits: Limits) -> None:
        self.hits, self.totals, self.reach, self.together, self.limits = hits, totals, reach, together, limits
        known, places = np.unique(hits.ravel() + 1j * totals.ravel(), return_inverse=True)
        self.places, self.table = places.reshape(hits.shape), _table(known.tobytes(), reach, limits)

    def moved(self, directions: Array) -> Array:
        """Normal scores of the shares, where the first two vary together."""
        scores = self.reach * directions
        if self.together and len(scores) > 1:
            own = np.sqrt(1 - self.together**2)
            scores[1] = self.together * scores[0] + own * scores[1]
        return scores

    def near(self, directions: Array) -> Array:
        """Shares by the table, for lines of shares, columns of counts and any number of directions."""
        scores = self.moved(directions)
        at = (scores + self.reach) / (2 * self.reach) * (NODES - 1)
        left = np.clip(at.astype(np.intp), 0, NODES - 2)
        part = at - left
        places = self.places[:, :, None]
        found = self.table[places, left] * (1 - part) + self.table[places, left + 1] * part
        return np.where(self.totals[:, :, None] > 0, found, scores >= 0)

    def exact(self, directions: Array) -> Array:
        """Shares without the table."""
        return self.limits(self.hits[:, :, None], self.totals[:, :, None], self.moved(directions))


@lru_cache(maxsize=64)
def _table(known: bytes, reach: float, limits: Limits) -> Array:
    """Limits of shares, given as complex numbers of hits and rows, at evenly spaced scores."""
    shares = np.frombuffer(known, dtype=np.complex128)[:, None]
    return limits(shares.real, shares.imag, np.linspace(-reach, reach, NODES))


class _Search:
    """The directions in which a measure falls and rises most: many are tried, then the best few are turned."""

    def __init__(self, shares: _Shares, measure: Measure) -> None:
        self.shares, self.measure = shares, measure
        self.starts = STARTS[shares.hits.shape[0] >= MANY]
        self.signs = np.repeat([1.0, -1.0], self.starts)

    def ends(self) -> tuple[Array, Array]:
        """The least and the largest value of every column."""
        here = self._starts()
        value = self._small(self.shares.near(here))
        turn = np.full(value.shape, FIRST_TURN)
        for _ in range(MOST_TURNS):
            there, lower = self._turned(here, turn)
            better = (lower < value) & (turn >= LAST_TURN)  # no column waits for another
            here, value = np.where(better, there, here), np.where(better, lower, value)
            turn = np.where(better, turn, turn / 2)
            if np.all(turn < LAST_TURN):
                break
        found = self._small(self.shares.exact(here))
        return found[:, : self.starts].min(axis=1), -found[:, self.starts :].min(axis=1)

    def _values(self, shares: Array) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.measure(shares)

    def _small(self, shares: Array) -> Array:
        """Values to be made small, of directions by start; what is undefined is not looked for."""
        values = self._values(shares)
        values = values.reshape(values.shape[0], self.signs.size, -1) * self.signs[:, None]
        return np.where(np.isnan(values), np.inf, values).reshape(values.shape[0], -1)

    def _starts(self) -> Array:
        """Where the measure is least, and largest, of directions along every share and between them."""
        k, columns = self.shares.hits.shape
        first = np.repeat(_directions(k)[:, None, :], columns, axis=1)
        values = self._values(self.shares.near(first))
        best = [at for sign in (1.0, -1.0) for at in _least(sign * values, self.starts)]
        return np.take_along_axis(first, np.stack(best, axis=1)[None], axis=2)

    def _turned(self, here: Array, turn: Array) -> tuple[Array, Array]:
        """The best of the directions next to each, a turn away or with one sign changed."""
        k, columns, starts = here.shape
        steps = np.concatenate([np.eye(k), -np.eye(k)], axis=1)[:, None, None, :]
        tried = np.concatenate(
            [here[..., None] + turn[..., None] * steps, here[..., None] * (1 - 2 * np.eye(k))[:, None, None, :]], axis=3
        )
        tried = tried / np.sqrt((tried * tried).sum(axis=0))
        values = self._small(self.shares.near(tried.reshape(k, columns, -1))).reshape(columns, starts, -1)
        at = values.argmin(axis=2)[..., None]
        return np.take_along_axis(tried, at[None], axis=3)[..., 0], np.take_along_axis(values, at, axis=2)[..., 0]


def _directions(k: int) -> Array:
    """Directions to begin with: along every share, and between any of them."""
    signs = np.array([each for each in product((-1.0, 0.0, 1.0), repeat=k) if any(each)]).T
    return np.asarray(signs / np.sqrt((signs * signs).sum(axis=0)))


def _least(values: Array, n: int) -> list[Any]:
    """Places of the n least values of every line, one after the other."""
    left, lines, found = np.where(np.isnan(values), np.inf, values), np.arange(values.shape[0]), []
    for _ in range(n):
        found.append(left.argmin(axis=1))
        left[lines, found[-1]] = np.inf
    return found
