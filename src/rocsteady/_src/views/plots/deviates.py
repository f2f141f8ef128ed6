"""Axes of normal deviates for DET curves, on which curves of normal scores are straight."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.text import format_digits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.results import DetCurve

    Array = NDArray[np.float64]

WIDEST, NARROWEST = 1e-6, 0.02  # the rates at the edge: that of 0, which has no deviate, is drawn there
TICKS = (0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999)
FAR_TICKS = (1e-5, 0.01, 0.5, 0.99, 0.99999)


def deviate(rates: Any, edge: float = WIDEST) -> Array:
    """The normal deviate of each rate; rates beyond the edge are those of the edge.

    Examples
    --------
    >>> deviate([0.5, 0.975]).round(3).tolist()
    [0.0, 1.96]
    """
    from scipy.special import ndtri

    return np.asarray(ndtri(np.clip(np.asarray(rates, dtype=np.float64), edge, 1 - edge)))


def rate(deviates: Any) -> Array:
    """The rate of each normal deviate."""
    from scipy.special import ndtr

    return np.asarray(ndtr(np.asarray(deviates, dtype=np.float64)))


def nearest_edge(curve: DetCurve) -> float:
    """A rate below the lowest of the curve that is not 0, and 1 less a rate above the highest that is not 1."""
    rates = np.concatenate(curve.xy)
    inner = np.minimum(rates, 1 - rates)
    lowest = float(inner[inner > 0].min(initial=2 * NARROWEST))
    return min(max(lowest / 2, WIDEST), NARROWEST)


def ticks_within(edge: float) -> dict[float, str]:
    """Rates to mark on an axis that ends at ``edge`` and 1 less that, with their labels.

    Examples
    --------
    >>> list(ticks_within(0.01).values())
    ['1%', '5%', '20%', '50%', '80%', '95%', '99%']
    """
    ticks = TICKS if edge > FAR_TICKS[0] * 10 else FAR_TICKS
    return {tick: f"{format_digits(100 * tick, 6)}%" for tick in ticks if edge <= tick <= 1 - edge}


def use_deviates(ax: Any, curve: DetCurve) -> None:
    """Give both axes normal deviates, labelled in percent, wide enough for this curve and those before it."""
    edge = nearest_edge(curve)
    for axis in (ax.xaxis, ax.yaxis):
        if axis.get_scale() == "function":
            edge = min(edge, float(axis.get_view_interval().min()))
    ticks = ticks_within(edge)
    for name in ("x", "y"):
        getattr(ax, f"set_{name}scale")("function", functions=(partial(deviate, edge=edge), rate))
        getattr(ax, f"set_{name}lim")(edge, 1 - edge)
        getattr(ax, f"set_{name}ticks")(list(ticks), list(ticks.values()))
    ax.minorticks_off()
    ax.set_aspect("equal")
