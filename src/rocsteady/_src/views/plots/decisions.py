"""Pictures of decision curves: net benefit over thresholds, whole, with what lies below the axis said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.text import format_digits, format_level
from rocsteady._src.results.displays import DecisionDisplay
from rocsteady._src.views.plots.calibration import MOST_WITH_LIMITS, NO_LIMITS
from rocsteady._src.views.plots.forest import wrapped
from rocsteady._src.views.plots.labels import CURVE, MARK, name_lines, shown_name
from rocsteady._src.views.plots.paper import for_paper
from rocsteady._src.views.plots.static import dress_axes, new_axes
from rocsteady._src.views.plots.style import LINE_WIDTH, REFERENCE, line_style

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocsteady._src.results.calibration import DecisionCurves

FLOOR = (0.15, 0.5)  # of the top: as far below 0 as the picture reaches at least, and at most
MOST_SAID = 3


@for_paper
def draw_decisions(curves: DecisionCurves, ax: Any = None) -> DecisionDisplay:
    """Draw the net benefit of all models between those of treating all and none."""
    ax = new_axes(ax, (6.4, 4.6))
    display = add_decisions(curves, ax)
    name_lines(ax)
    return display


def add_decisions(curves: DecisionCurves, ax: Any) -> DecisionDisplay:
    """Draw lines that are not named yet."""
    cuts, lines, bands = curves.thresholds, {}, {}
    style: dict[str, Any] = {"gid": MARK, "color": REFERENCE, "linewidth": 1.1, "zorder": 1}
    ax.plot(cuts, curves.treat_all, linestyle=(0, (4, 3)), label="treat all", **style)
    ax.plot(cuts, curves.treat_none, label="treat none", **style)
    few = len(curves.net_benefit) <= MOST_WITH_LIMITS
    for place, (name, benefit) in enumerate(curves.net_benefit.items()):
        options = {"linewidth": LINE_WIDTH, "label": shown_name(name), "gid": CURVE, **line_style(place)}
        (lines[name],) = ax.plot(cuts, benefit, **options)
        said = f"{format_level(curves.level)} limits, each threshold by itself" if few and not place else "_"
        style = {"color": lines[name].get_color(), "alpha": 0.14, "linewidth": 0, "label": said, "visible": few}
        bands[name] = ax.fill_between(cuts, curves.low[name], curves.high[name], **style)
    floor, top = _height(curves)
    notes = [*_below(curves, floor), *([] if few else [NO_LIMITS])]
    label = "\n".join(["Threshold probability", *wrapped(["; ".join(notes)])])
    ax.set(xlabel=label, ylabel="Net benefit", xlim=_ends(cuts), ylim=(floor, top))
    dress_axes(ax)
    return DecisionDisplay(curves, ax, ax.figure, lines, bands)


def _ends(cuts: Any) -> tuple[float, float]:
    """From the lowest threshold to the highest; around a single one."""
    low, high = float(cuts.min()), float(cuts.max())
    return (low, high) if high > low else (low - 0.05, high + 0.05)


def _height(curves: DecisionCurves) -> tuple[float, float]:
    """All that is above 0, and below it the models as far as half of that."""
    tops = [array.max() for group in (curves.net_benefit, curves.high) for array in group.values()]
    top = max(float(np.nanmax([*tops, curves.treat_all.max()])), 0.01)
    lowest = float(np.nanmin([array.min() for array in curves.net_benefit.values()]))
    return -min(max(FLOOR[0] * top, -1.1 * lowest), FLOOR[1] * top), 1.08 * top


def _below(curves: DecisionCurves, floor: float) -> list[str]:
    """Which lines lead below the axis, from which threshold on, and how far."""
    lines: Mapping[str, Any] = {"treat all": curves.treat_all} | curves.net_benefit
    said = []
    for name, line in lines.items():
        under = line < floor
        if under.any():
            start, lowest = (format_digits(each, 3) for each in (curves.thresholds[under].min(), line.min()))
            said.append(f"{name} from {start} on, down to {lowest}")
    if not said:
        return []
    more = f" and {len(said) - MOST_SAID} more" if len(said) > MOST_SAID else ""
    return [f"below the picture: {', '.join(said[:MOST_SAID])}{more}"]
