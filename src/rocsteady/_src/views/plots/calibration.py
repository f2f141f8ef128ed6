"""Pictures of calibration curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from rocsteady._src.base.text import format_digits, format_level
from rocsteady._src.results.displays import CalibrationDisplay, CurveDisplays
from rocsteady._src.results.smooth_calibration import SmoothCalibrationCurve
from rocsteady._src.views.plots.labels import CURVE, name_lines, shown_name
from rocsteady._src.views.plots.paper import for_paper
from rocsteady._src.views.plots.static import draw_diagonal, dress_axes, new_axes
from rocsteady._src.views.plots.style import LINE_WIDTH, NEUTRAL, line_style

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocsteady._src.results.calibration import CalibrationCurve

BAR_HEIGHT = 0.15  # of the Axes
MOST_WITH_LIMITS = 4
NO_LIMITS = f"limits are drawn for up to {MOST_WITH_LIMITS} models"
WHOLE = 0.7  # of the axis from 0 to 1: curves that span as much are drawn on all of it
BANDS: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()  # the band for the whole curve, by the limits of points
DRAWN: WeakKeyDictionary[Any, list[CalibrationDisplay]] = WeakKeyDictionary()


@for_paper
def draw_calibration(
    curve: CalibrationCurve, ax: Any = None, *, name: str | None = None, **line_options: Any
) -> CalibrationDisplay:
    """Draw shares of positives with their limits over a histogram of the scores."""
    ax = new_axes(ax)
    display = add_calibration(curve, ax, name=name, **line_options)
    _finish(ax)
    return display


@for_paper
def draw_calibrations(curves: Mapping[str, CalibrationCurve], ax: Any = None) -> CurveDisplays:
    """Draw the calibration curves of several models in one picture; many of them without limits and histograms."""
    ax = new_axes(ax)
    shown = CurveDisplays()
    for place, (name, curve) in enumerate(curves.items()):
        shown.append(add_calibration(curve, ax, name=name, **line_style(place)))  # type: ignore[arg-type]
    _finish(ax)
    return shown


def add_calibration(
    curve: CalibrationCurve, ax: Any, *, name: str | None = None, **line_options: Any
) -> CalibrationDisplay:
    """Draw a curve that is not named yet, on axes that are fitted when all are drawn."""
    drawn = DRAWN.setdefault(ax, [])
    isotonic, smooth = curve.strategy == "isotonic", isinstance(curve, SmoothCalibrationCurve)
    options: dict[str, Any] = {
        **line_style(len(drawn)),
        "linewidth": LINE_WIDTH,
        "marker": "" if isotonic or smooth else "o",
        "markersize": 4.5,
        "label": shown_name(name or curve.title),
    }
    x, y = curve.xy
    if isotonic:
        x, y = np.stack([curve.bin_low, curve.bin_high], axis=1).ravel(), y.repeat(2)
    (line,) = ax.plot(x, y, gid=CURVE, **(options | line_options))
    limits = _draw_limits(curve, ax, line.get_color())
    diagonal = draw_diagonal(ax, "perfect calibration")
    drawn.append(CalibrationDisplay(curve, ax, ax.figure, line, limits, _draw_bars(curve, ax), diagonal))
    return drawn[-1]


def _draw_limits(curve: CalibrationCurve, ax: Any, color: Any) -> Any:
    """Limits of bins as lines; of a smooth curve as an area, over the paler one of the band for the whole curve."""
    if not isinstance(curve, SmoothCalibrationCurve):
        return ax.vlines(curve.predicted, curve.low, curve.high, color=color, linewidth=1.2, alpha=0.6)
    area: dict[str, Any] = {"color": color, "linewidth": 0}
    said = f"{format_level(curve.level)} band, whole curve"
    band = ax.fill_between(curve.predicted, curve.band_low, curve.band_high, alpha=0.13, label=said, **area)
    limits = ax.fill_between(curve.predicted, curve.low, curve.high, alpha=0.25, **area)
    BANDS[limits] = band
    return limits


def fit_calibration(ax: Any) -> None:
    """Fit the axes to all curves, and say what is not drawn."""
    drawn = DRAWN[ax]
    few = len(drawn) <= MOST_WITH_LIMITS
    for place, each in enumerate(drawn):
        limited = bool(np.isfinite(each.result.low).any())
        said = f"{format_level(each.result.level)} limits, each by itself" if few and limited and not place else "_"
        each.limits_.set(visible=few, label=said)
        if each.limits_ in BANDS:
            BANDS[each.limits_].set(visible=few, **({} if few and limited and not place else {"label": "_"}))
        each.bars_.set(visible=few, facecolor=NEUTRAL if len(drawn) == 1 else each.line_.get_color())
    low, high = _span(drawn, few=few)
    first = drawn[0].result
    highest = max(float(each.result.bin_high.max(initial=0)) for each in drawn)
    notes = [f"scores reach {format_digits(highest, 3)}"] * (highest > high) + [NO_LIMITS] * (not few)
    under = f"\n({'; '.join(notes)})" if notes else ""
    ax.set(xlabel=first.labels[0] + under, ylabel=first.labels[1], xlim=(low, high), ylim=(low, high), aspect="equal")
    dress_axes(ax)


def _finish(ax: Any) -> None:
    fit_calibration(ax)
    name_lines(ax)


def _span(drawn: list[CalibrationDisplay], *, few: bool) -> tuple[float, float]:
    """Ends of both axes: around all points and limits; from 0 on unless all lie far from it."""
    curves = [each.result for each in drawn]
    parts = [each for curve in curves for each in (curve.predicted, curve.observed)]
    parts += [each for curve in curves for each in (curve.low, curve.high) if few]
    parts += [
        each
        for curve in curves
        if isinstance(curve, SmoothCalibrationCurve)
        for each in (curve.band_low, curve.band_high)
    ]
    parts += [each for curve in curves if curve.strategy == "isotonic" for each in (curve.bin_low, curve.bin_high)]
    values = np.concatenate(parts)
    values = values[np.isfinite(values)]
    low, high = float(values.min(initial=1)), float(values.max(initial=0))
    if not high > low or high - low > WHOLE:
        return -0.02, 1.02
    low = 0.0 if low < high / 3 else low
    room = 0.04 * (high - low)
    return max(low - room, -0.02), min(high + room, 1.02)


def _draw_bars(curve: CalibrationCurve, ax: Any) -> Any:
    """How many rows have which score, along the lower edge."""
    heights = np.asarray(curve.histogram)
    scaled = BAR_HEIGHT * heights / (heights.max(initial=0) or 1)
    options: dict[str, Any] = {"fill": True, "alpha": 0.3, "linewidth": 0, "label": "_scores", "zorder": 1}
    bars = ax.stairs(scaled, np.linspace(0, 1, heights.size + 1), transform=ax.get_xaxis_transform(), **options)
    bars.set_in_layout(False)
    return bars
