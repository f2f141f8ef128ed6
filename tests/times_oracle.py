"""Censored outcomes by their definitions, over all pairs of rows, with weights: slow, and written without the package.

Everything takes a column of weights, so that what a row adds can be had by giving it a little more of it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def drawn(n: int, seed: int, *, ties: bool = True, competing: bool = False) -> dict[str, Any]:
    """Rows with times, events, two scores, weights and subjects; tied unless ``ties`` is False."""
    rng = np.random.default_rng(seed)
    marker, other = rng.normal(size=n), rng.normal(size=n)
    fate = rng.exponential(np.exp(-marker) * 10)
    stop = rng.exponential(12, n)
    time, event = np.minimum(fate, stop), (fate <= stop).astype(int)
    if competing:
        rival = rng.exponential(15, n)
        event = np.where(rival < time, 2, event)
        time = np.minimum(time, rival)
    second = marker + 1.5 * other
    if ties:
        time, marker, second = np.ceil(time), np.round(marker, 1), np.round(second)
    return {
        "time": time,
        "event": event,
        "first": marker,
        "second": second,
        "weight": rng.integers(1, 4, n).astype(float),
        "cluster": rng.integers(0, n // 2, n),
    }


def beats(score: Array) -> Array:
    """[i, j]: whether row i scores higher than row j, a tie one half."""
    return (score[:, None] > score[None, :]) + 0.5 * (score[:, None] == score[None, :])


def survivor(time: Array, leaves: Array, at: Any, w: Array, *, before: bool, first: Array | None = None) -> Any:
    """Kaplan-Meier at a time or at several, the product written out.

    Rows of ``first`` leave before those of the same time.
    """
    none = np.zeros(time.size, dtype=bool)
    given = (np.asarray(each).tobytes() for each in (time.astype(float), leaves, none if first is None else first))
    moments, leaving, there = _steps(*given)
    left = np.concatenate([[1.0], np.cumprod(1 - (leaving @ w) / (there @ w))])
    return left[np.searchsorted(moments, at, side="left" if before else "right")]


@cache
def _steps(time: bytes, leaves: bytes, first: bytes) -> tuple[Array, Array, Array]:
    """Times at which rows leave, which rows do, and which are there to do so, one line per time."""
    at, gone, ahead = np.frombuffer(time), np.frombuffer(leaves, dtype=bool), np.frombuffer(first, dtype=bool)
    moments = np.unique(at[gone])
    now = at == moments[:, None]
    return moments, (now & gone).astype(float), ((at >= moments[:, None]) & ~(now & ahead)).astype(float)


def watched(time: Array, event: Array, at: Any, w: Array, *, before: bool) -> Any:
    """The probability that a row is still watched; events come before censorings of the same time."""
    return survivor(time, event == 0, at, w, before=before, first=event != 0)


def concordance(time: Array, event: Array, score: Array, w: Array, method: str, tau: float = np.inf) -> float:
    """Harrell's or Uno's C over all pairs."""
    i = np.flatnonzero((event == 1) & (time < tau))
    g = watched(time, event, time[i], w, before=True) if method == "uno" else 1.0
    both = (w[i] / g**2)[:, None] * w * later_than(time, event)[i]
    return float((both * beats(score)[i]).sum() / both.sum())


def later_than(time: Array, event: Array) -> Array:
    """[i, j]: whether row j is watched for longer than row i; a censoring comes after an event of the same time."""
    return (time > time[:, None]) | ((time == time[:, None]) & (event == 0))


def cox_slope(time: Array, event: Array, score: Array, w: Array) -> float:
    """Cox's model of one score, Breslow's likelihood, by halving where its derivative is zero."""

    events = event == 1
    there = (time >= time[events, None]).astype(float)

    def slope(beta: float) -> float:
        risk = w * np.exp(beta * score)
        return float(w[events] @ (score[events] - (there @ (risk * score)) / (there @ risk)))

    from scipy.optimize import brentq

    return float(brentq(slope, -20.0, 20.0, xtol=1e-14))


def gonen_heller(time: Array, event: Array, score: Array, w: Array, *, repeats: bool) -> float:
    """The mean over pairs of the model's probability that the higher score comes first."""
    x = cox_slope(time, event, score, w) * np.abs(score[:, None] - score[None, :])
    both = w[:, None] * w[None, :]
    np.fill_diagonal(both, w * (w - 1) if repeats else 0.0)
    return float((both / (1 + np.exp(-x))).sum() / both.sum())


def pulls(value: Callable[[Array], float], w: Array, step: float = 1e-5) -> Array:
    """Derivative of a value by the weight of each row, by small steps up and down."""
    found = np.empty(w.size)
    for row in range(w.size):
        up, down = w.copy(), w.copy()
        up[row] += step
        down[row] -= step
        found[row] = (value(up) - value(down)) / (2 * step)
    return found


def stands_for(time: Array, event: Array, at: float, w: Array) -> Array:
    """What each row stands for at a time: 0 where it was censored before."""
    found, came = np.zeros(time.size), (time <= at) & (event != 0)
    found[time > at] = 1 / watched(time, event, at, w, before=False)
    found[came] = 1 / watched(time, event, time[came], w, before=True)
    return found


def auc_at(time: Array, event: Array, score: Array, at: float, w: Array) -> float:
    """Cumulative/dynamic AUC over all pairs; competing events make controls."""
    mass = w * stands_for(time, event, at, w)
    case = (time <= at) & (event == 1)
    control = (time > at) | ((time <= at) & (event == 2))
    both = np.outer(mass * case, mass * control)
    return float((both * beats(score)).sum() / both.sum())


def incidence(time: Array, event: Array, at: float, w: Array) -> float:
    """Aalen and Johansen, a sum over event times; 1 - Kaplan-Meier where no event competes.

    NaN after the last time, where a row was censored then: nobody knows what came.
    """
    if at > time.max() and (event[time == time.max()] == 0).any():
        return np.nan
    u = np.unique(time[(event == 1) & (time <= at)])
    there, came = (time >= u[:, None]) @ w, ((time == u[:, None]) & (event == 1)) @ w
    return float((survivor(time, event != 0, u, w, before=True) * came / there).sum())


def integrated_auc(time: Array, event: Array, score: Array, at: list[float], w: Array) -> float:
    """Areas weighing as the incidence between a time and the one before."""
    steps = np.diff([0.0, *(incidence(time, event, each, w) for each in at)])
    areas = np.array([auc_at(time, event, score, each, w) for each in at])
    return float((steps * areas).sum() / steps.sum())


def incident_auc(time: Array, event: Array, score: Array, near: Array, w: Array) -> float:
    """Mean over some events of the share of rows at risk that score lower."""
    i = np.flatnonzero(near)
    later = w * later_than(time, event)[i]
    shares = (later * beats(score)[i]).sum(axis=1) / later.sum(axis=1)
    return float((w[i] * shares).sum() / w[i].sum())


def brier(time: Array, event: Array, risk: Array, at: float, w: Array) -> float:
    """Mean squared difference of known rows, each by what it stands for."""
    came = ((time <= at) & (event == 1)).astype(float)
    return float((w * stands_for(time, event, at, w) * (came - risk) ** 2).sum() / w.sum())


def scaled_brier(time: Array, event: Array, risk: Array, at: float, w: Array) -> float:
    """1 less the score over that of the incidence."""
    null = np.full(time.size, incidence(time, event, at, w))
    return 1 - brier(time, event, risk, at, w) / brier(time, event, null, at, w)


def net_benefit(time: Array, event: Array, risk: Array, at: float, threshold: float, w: Array) -> float:
    """Share treated times what their incidence is worth."""
    treated = risk >= threshold
    among = incidence(time[treated], event[treated], at, w[treated])
    return float(w[treated].sum() / w.sum() * (among - (1 - among) * threshold / (1 - threshold)))


def means_of_classes(time: Array, event: Array, values: Array, at: float, w: Array) -> tuple[float, float]:
    """Means over cases and over controls, each row by what it stands for."""
    mass = w * stands_for(time, event, at, w)
    case = mass * ((time <= at) & (event == 1))
    control = mass - case
    return float((case * values).sum() / case.sum()), float((control * values).sum() / control.sum())
