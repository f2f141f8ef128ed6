"""Pictures of confidence bands of the ROC curve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.text import format_level
from rocsteady._src.results.displays import BandDisplay
from rocsteady._src.views.plots.labels import CURVE, name_lines, shown_name
from rocsteady._src.views.plots.paper import for_paper
from rocsteady._src.views.plots.static import draw_diagonal, dress_axes, new_axes
from rocsteady._src.views.plots.style import COLOURS, LINE_WIDTH

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.results.bands import RocBand

MOST_CROSSES = 25


@for_paper
def draw_band(band: RocBand, ax: Any = None, *, name: str | None = None, **line_options: Any) -> BandDisplay:
    """Draw a curve in its band: shaded limits, or crosses at thresholds."""
    ax = new_axes(ax)
    options: dict[str, Any] = {"color": COLOURS[0], "linewidth": LINE_WIDTH, "label": _name(band, name), "gid": CURVE}
    options |= line_options
    x, y = _from_corner(band)
    (line,) = ax.plot(x, y, **options)
    shape = (
        _draw_crosses(band, ax, options["color"]) if band.fpr_low is not None else _shade(band, ax, options["color"])
    )
    chance = draw_diagonal(ax)
    _dress(band, ax)
    return BandDisplay(band, ax, ax.figure, line, shape, chance)


def _name(band: RocBand, name: str | None) -> str:
    shown = "ROC curve" if band.method != "working-hotelling" else "binormal ROC curve"
    return shown if name is None else shown_name(name)


def _from_corner(band: RocBand) -> tuple[NDArray[Any], NDArray[Any]]:
    """The line starts in (0, 0) even where the curve has risen at once."""
    start = band.fpr[:1] == 0
    return np.concatenate([[0.0][: start.sum()], band.fpr]), np.concatenate([[0.0][: start.sum()], band.tpr])


def _shade(band: RocBand, ax: Any, colour: Any) -> Any:
    label = f"{format_level(band.level)} band, {band.coverage}"
    return ax.fill_between(band.fpr, band.low, band.high, color=colour, alpha=0.18, linewidth=0, label=label)


def fill_certain(ax: Any, x: Any, low: Any, high: Any, *, color: Any, **options: Any) -> Any:
    """What lies between two limits for certain: hatched, where a confidence band is a soft colour."""
    hatched: dict[str, Any] = {"facecolor": "none", "edgecolor": color, "hatch": "/////", "linewidth": 0.0}
    return ax.fill_between(x, low, high, alpha=0.7, **hatched | options)


def _draw_crosses(band: RocBand, ax: Any, colour: Any) -> Any:
    """Both limits of some thresholds, spread along the curve; boxes would hide each other."""
    from matplotlib.collections import LineCollection

    along = band.fpr + band.tpr
    some = np.unique(np.searchsorted(along, np.linspace(0, 2, MOST_CROSSES)).clip(max=len(band) - 1))
    x, y = band.fpr[some], band.tpr[some]
    limits = (band.fpr_low, band.fpr_high, band.low, band.high)
    left, right, low, high = (np.asarray(limit)[some] for limit in limits)
    flat, upright = np.stack([left, y, right, y], axis=1), np.stack([x, low, x, high], axis=1)
    lines = list(np.concatenate([flat, upright]).reshape(-1, 2, 2))
    label = f"{format_level(band.level)} limits at thresholds,\neach rate by itself"
    return ax.add_collection(LineCollection(lines, colors=[colour], alpha=0.45, linewidth=1.0, label=label))


def _dress(band: RocBand, ax: Any) -> None:
    ax.set(xlabel=band.labels[0], ylabel=band.labels[1], xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")
    dress_axes(ax)
    name_lines(ax)
