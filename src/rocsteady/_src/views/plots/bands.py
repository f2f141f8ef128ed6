"""Pictures of confidence bands of the ROC curve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import format_setting
from rocsteady._src.results.displays import BandDisplay
from rocsteady._src.views.plots.paper import for_paper
from rocsteady._src.views.plots.static import CHANCE, new_axes
from rocsteady._src.views.plots.style import COLOURS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.results.bands import RocBand

MOST_CROSSES = 25


@for_paper
def draw_band(band: RocBand, ax: Any = None, *, name: str | None = None, **line_options: Any) -> BandDisplay:
    """Draw a curve in its band: shaded limits, or crosses at thresholds."""
    ax = new_axes(ax)
    options: dict[str, Any] = {"color": COLOURS[0], "linewidth": 1.8, "label": _name(band, name)} | line_options
    x, y = _from_corner(band)
    (line,) = ax.plot(x, y, **options)
    shape = (
        _draw_crosses(band, ax, options["color"]) if band.fpr_low is not None else _shade(band, ax, options["color"])
    )
    chance = _draw_chance(ax)
    _dress(band, ax)
    return BandDisplay(band, ax, ax.figure, line, shape, chance)


def _name(band: RocBand, name: str | None) -> str:
    shown = "ROC curve" if band.method != "working-hotelling" else "binormal ROC curve"
    return shown if name is None else printable(name, most=60).replace("$", r"\$")


def _from_corner(band: RocBand) -> tuple[NDArray[Any], NDArray[Any]]:
    """The line starts in (0, 0) even where the curve has risen at once."""
    start = band.fpr[:1] == 0
    return np.concatenate([[0.0][: start.sum()], band.fpr]), np.concatenate([[0.0][: start.sum()], band.tpr])


def _shade(band: RocBand, ax: Any, colour: Any) -> Any:
    label = f"{format_setting(band.level)} band, {band.coverage}"
    return ax.fill_between(band.fpr, band.low, band.high, color=colour, alpha=0.18, linewidth=0, label=label)


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
    label = f"{format_setting(band.level)} limits at thresholds, each rate by itself"
    return ax.add_collection(LineCollection(lines, colors=[colour], alpha=0.45, linewidth=1.0, label=label))


def _draw_chance(ax: Any) -> Any:
    if any(line.get_gid() == CHANCE for line in ax.lines):
        return None
    return ax.plot([0, 1], [0, 1], gid=CHANCE, color="0.55", linestyle=(0, (4, 3)), linewidth=1.0, zorder=1)[0]


def _dress(band: RocBand, ax: Any) -> None:
    ax.set(xlabel=band.labels[0], ylabel=band.labels[1], xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")
    ax.grid(visible=True, color="0.92", linewidth=0.8)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(loc="lower right", frameon=False)
