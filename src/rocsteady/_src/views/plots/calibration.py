"""Pictures of calibration curves and decision curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import format_setting
from rocsteady._src.results.displays import CalibrationDisplay, CurveDisplays, DecisionDisplay
from rocsteady._src.views.plots.paper import for_paper
from rocsteady._src.views.plots.static import CHANCE, new_axes
from rocsteady._src.views.plots.style import LINE_WIDTH, line_style

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocsteady._src.results.calibration import CalibrationCurve, DecisionCurves

BAR_HEIGHT = 0.15
MOST_WITH_LIMITS = 4


@for_paper
def draw_calibration(
    curve: CalibrationCurve, ax: Any = None, *, name: str | None = None, **line_options: Any
) -> CalibrationDisplay:
    """Draw shares of positives with their limits over a histogram of the scores."""
    ax = new_axes(ax)
    known = sum(line.get_gid() == curve.title for line in ax.lines)
    isotonic = curve.strategy == "isotonic"
    options: dict[str, Any] = {
        **line_style(known),
        "linewidth": LINE_WIDTH,
        "marker": "" if isotonic else "o",
        "markersize": 4.5,
        "label": _shown(name or curve.title),
    }
    x, y = curve.xy
    if isotonic:
        x, y = np.stack([curve.bin_low, curve.bin_high], axis=1).ravel(), y.repeat(2)
    (line,) = ax.plot(x, y, gid=curve.title, **(options | line_options))
    colour = line.get_color()
    limits = ax.vlines(curve.predicted, curve.low, curve.high, color=colour, linewidth=1.2, alpha=0.6)
    limits.set_label(f"{format_setting(curve.level)} limits, each by itself" if np.isfinite(curve.low).any() else "_")
    bars = _draw_bars(curve, ax, colour)
    diagonal = _draw_diagonal(ax)
    ax.set(xlabel=curve.labels[0], ylabel=curve.labels[1], xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")
    _dress(ax, "upper left")
    return CalibrationDisplay(curve, ax, ax.figure, line, limits, bars, diagonal)


@for_paper
def draw_calibrations(curves: Mapping[str, CalibrationCurve], ax: Any = None) -> CurveDisplays:
    """Draw the calibration curves of several models in one picture; many of them without limits and histograms."""
    ax = new_axes(ax)
    shown = CurveDisplays()
    for place, (name, curve) in enumerate(curves.items()):
        display = draw_calibration(curve, ax, name=name, **line_style(place))
        if place or len(curves) > MOST_WITH_LIMITS:
            display.limits_.set_label("_")
        for artist in (display.limits_, *display.bars_) if len(curves) > MOST_WITH_LIMITS else ():  # type: ignore[misc]
            artist.set_visible(False)
        shown.append(display)  # type: ignore[arg-type]
    _dress(ax, "upper left")
    return shown


def _draw_bars(curve: CalibrationCurve, ax: Any, colour: Any) -> Any:
    """How many rows have which score, along the lower edge."""
    heights = np.asarray(curve.histogram)
    width = 1 / heights.size
    left = np.arange(heights.size) * width
    scaled = BAR_HEIGHT * heights / (heights.max(initial=0) or 1)
    return ax.bar(left, scaled, width, align="edge", color=colour, alpha=0.22, linewidth=0, label="_scores", zorder=1)


def _draw_diagonal(ax: Any) -> Any:
    if any(line.get_gid() == CHANCE for line in ax.lines):
        return None
    style: dict[str, Any] = {"color": "0.55", "linestyle": (0, (4, 3)), "linewidth": 1.0, "zorder": 1}
    return ax.plot([0, 1], [0, 1], gid=CHANCE, label="perfect calibration", **style)[0]


@for_paper
def draw_decisions(curves: DecisionCurves, ax: Any = None) -> DecisionDisplay:
    """Draw the net benefit of all models between those of treating all and none."""
    ax = new_axes(ax, (6.4, 4.4))
    cuts, lines, bands = curves.thresholds, {}, {}
    ax.plot(cuts, curves.treat_all, color="0.45", linestyle=(0, (4, 3)), linewidth=1.1, label="treat all", zorder=1)
    ax.plot(cuts, curves.treat_none, color="0.2", linewidth=1.0, label="treat none", zorder=1)
    for number, (name, benefit) in enumerate(curves.net_benefit.items()):
        (lines[name],) = ax.plot(cuts, benefit, linewidth=LINE_WIDTH, label=_shown(name), **line_style(number))
        colour = lines[name].get_color()
        bands[name] = ax.fill_between(cuts, curves.low[name], curves.high[name], color=colour, alpha=0.14, linewidth=0)
    ax.set(xlabel="Threshold probability", ylabel="Net benefit", xlim=(cuts.min(), cuts.max()), ylim=_height(curves))
    _dress(ax, "upper right")
    return DecisionDisplay(curves, ax, ax.figure, lines, bands)


def _height(curves: DecisionCurves) -> tuple[float, float]:
    """Room for what is above zero; what is far below is of no use to anybody."""
    tops = [array.max() for group in (curves.net_benefit, curves.high) for array in group.values()]
    top = max(float(np.nanmax([*tops, curves.treat_all.max()])), 0.01)
    return -0.15 * top, 1.08 * top


def _shown(name: str) -> str:
    # A $ would start TeX in matplotlib.
    return printable(name, most=60).replace("$", r"\$")


def _dress(ax: Any, place: str) -> None:
    ax.grid(visible=True, color="0.92", linewidth=0.8)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(loc=place, frameon=False)
