"""Static pictures of granularity: the band around a ROC curve, its profile, interval AUC, a family of curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.text import format_number, format_setting, format_share
from rocsteady._src.results.displays import CurveDisplay
from rocsteady._src.views.plots.bands import fill_certain
from rocsteady._src.views.plots.labels import CURVE, name_lines
from rocsteady._src.views.plots.paper import for_paper
from rocsteady._src.views.plots.static import add_curve, dress_axes, new_axes
from rocsteady._src.views.plots.style import line_style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.results import GranularityProfile, GranularRoc, IntervalAuc, RocCurve

BAND, EDGE = "#56B4E9", "#0072B2"
GRID = np.linspace(0, 1, 1001)


@for_paper
def draw_granular(result: GranularRoc, ax: Any = None, *, name: str | None = None, zoom: bool = False) -> CurveDisplay:
    """Draw the ROC curve with the band between the low and the up curve."""
    ax = new_axes(ax)
    low, up = (_heights(curve) for curve in (result.low, result.up))
    ends = f"AUC {format_number(result.low_auc, 3)} to {format_number(result.up_auc, 3)}"
    label = f"certain when gaps below {format_setting(result.delta)}\nare not told apart: {ends}"
    fill_certain(ax, GRID, low, up, color=BAND, label=label)
    display = add_curve(result.roc, ax, name=name, color=EDGE)
    if zoom:
        _zoom(ax, low, up)
    name_lines(ax)
    return display


def _heights(curve: RocCurve) -> Any:
    """Height over a grid of false positive rates, the upper end of a jump; the paper's polygons may go back."""
    order = np.maximum.accumulate(curve.fpr)
    return np.interp(GRID, order, np.maximum.accumulate(curve.tpr))


def _zoom(ax: Any, low: Any, up: Any) -> None:
    open_band = np.flatnonzero(up - low > 0.25 * (up - low).max())
    if open_band.size:
        x = GRID[open_band]
        ax.set(xlim=(x[0] - 0.01, x[-1] + 0.01), ylim=(low[open_band].min() - 0.02, up[open_band].max() + 0.02))
        ax.set_aspect("auto")


@for_paper
def draw_profile(result: GranularityProfile, ax: Any = None) -> CurveDisplay:
    """Draw low/AUC and AUC/up against delta."""
    ax = new_axes(ax)
    style = "steps-pre" if result.exact else "default"
    (line,) = ax.plot(result.delta, result.low_over_auc, drawstyle=style, label="low / AUC", gid=CURVE, **line_style(0))
    ax.plot(result.delta, result.auc_over_up, drawstyle=style, label="AUC / up", gid=CURVE, **line_style(1))
    ax.set(xlabel="Granularity delta", ylabel="Share of the AUC", ylim=(-0.02, 1.02))
    dress_axes(ax)
    name_lines(ax)
    return CurveDisplay(result, ax, ax.figure, line)


@for_paper
def draw_regions(result: IntervalAuc, ax: Any = None) -> CurveDisplay:
    """Draw the shares of pairs that are certainly right, undecided and certainly wrong as one bar."""
    ax = new_axes(ax, size=(6.4, 1.6))
    parts = [
        ("certainly right", result.certain_right, "#009E73"),
        ("undecided", result.undecided, "0.75"),
        ("certainly wrong", result.certain_wrong, "#D55E00"),
    ]
    start = 0.0
    bar: Any = None
    for label, share, colour in parts:
        bar = ax.barh([0], [share], left=start, color=colour, label=f"{label} {format_share(share)}")
        start += share
    ax.set(xlim=(0, 1), yticks=[], xlabel="Share of positive-negative pairs")
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, frameon=False)
    return CurveDisplay(result, ax, ax.figure, bar)


@for_paper
def draw_family(result: GranularRoc, redraws: Sequence[RocCurve], ax: Any = None) -> CurveDisplay:
    """Draw curves of many samples of the same model thinly below one curve and its band."""
    ax = new_axes(ax)
    for place, curve in enumerate(redraws):
        label = "other samples" if place == 0 else None
        ax.plot(GRID, _heights(curve), color="0.8", linewidth=0.5, zorder=0, label=label)
    return draw_granular(result, ax, name="one sample")
