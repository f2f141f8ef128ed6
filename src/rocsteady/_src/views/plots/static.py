"""Static pictures with matplotlib, in scikit-learn's Display habits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable, require
from rocsteady._src.base.geometry import thin
from rocsteady._src.base.text import format_number
from rocsteady._src.results import Curve, DetCurve, GainsCurve, PrCurve, RocCurve
from rocsteady._src.results.displays import CurveDisplay, CurveDisplays
from rocsteady._src.views.plots.deviates import deviate, use_deviates
from rocsteady._src.views.plots.paper import for_paper, scaled
from rocsteady._src.views.plots.style import LINE_WIDTH, line_style

if TYPE_CHECKING:
    from collections.abc import Mapping

CHANCE = "chance"
DRAWN_DEVIATION = 5e-4


@for_paper
def draw_curve(curve: Curve, ax: Any = None, *, name: str | None = None, **line_options: Any) -> CurveDisplay:
    """Draw one curve, thinned below what a screen can show, with its chance level."""
    ax = new_axes(ax)
    x, y = curve.xy
    kept = _drawn_points(curve)
    # Average precision holds a precision from the recall reached before up to the one it reaches.
    style = "steps-pre" if isinstance(curve, PrCurve) and curve.interpolation == "step" else "default"
    options: dict[str, Any] = {
        "label": _legend(curve, name),
        "drawstyle": style,
        "linewidth": LINE_WIDTH,
    } | line_options
    (line,) = ax.plot(x[kept], y[kept], **options | line_options)
    chance = _draw_chance(curve, ax)
    _dress(curve, ax)
    return CurveDisplay(curve, ax, ax.figure, line, chance)


@for_paper
def draw_curves(curves: Mapping[str, Curve], ax: Any = None) -> CurveDisplays:
    """Draw the curves of several models in one picture."""
    ax = new_axes(ax)
    return CurveDisplays(
        draw_curve(curve, ax, name=name, **line_style(place)) for place, (name, curve) in enumerate(curves.items())
    )


def _drawn_points(curve: Curve) -> Any:
    """Places of the points to draw: others would be nearer than a screen can show."""
    x, y = curve.xy
    if isinstance(curve, DetCurve):
        reach = 2 * float(deviate(1.0))
        return thin(deviate(x) / reach, deviate(y) / reach, DRAWN_DEVIATION)
    return thin(x / max(float(x[-1]), 1.0), y, DRAWN_DEVIATION)


def new_axes(ax: Any, size: tuple[float, float] = (5.2, 5.0)) -> Any:
    """The axes to draw on: the given ones, or those of a new figure."""
    if ax is not None:
        return ax
    pyplot = require("matplotlib.pyplot", extra="plots", purpose="plot()")
    return pyplot.subplots(figsize=scaled(size), layout="constrained")[1]


def _legend(curve: Curve, name: str | None) -> str:
    # A $ would start TeX in matplotlib, so that a model's name could break the picture.
    title = curve.title if name is None else printable(name, most=60).replace("$", r"\$")
    area = getattr(curve, "area", None)
    symbol = _area_name(curve)
    return title if area is None else f"{title} ({symbol} {format_number(float(area), 3)})"


def _area_name(curve: Curve) -> str:
    if isinstance(curve, PrCurve) and curve.interpolation == "step":
        return "AP"
    return "AUC" if type(curve) is RocCurve else "area"


def _draw_chance(curve: Curve, ax: Any) -> Any:
    if any(line.get_gid() == CHANCE for line in ax.lines):
        return None
    style: dict[str, Any] = {
        "gid": CHANCE,
        "color": "0.55",
        "linestyle": (0, (4, 3)),
        "linewidth": 1.0,
        "zorder": 1,
    }
    if isinstance(curve, (RocCurve, GainsCurve)):
        return ax.plot([0, 1], [0, 1], **style)[0]
    if isinstance(curve, DetCurve):
        return ax.plot([0, 1], [1, 0], **style)[0]
    if isinstance(curve, PrCurve) and curve.n_pos and curve.n_neg is not None:
        return ax.axhline(curve.n_pos / (curve.n_pos + curve.n_neg), **style)
    return None


def _dress(curve: Curve, ax: Any) -> None:
    ax.set(xlabel=curve.labels[0], ylabel=curve.labels[1])
    if isinstance(curve, DetCurve):
        use_deviates(ax, curve)
    else:
        ax.set(ylim=(-0.02, 1.02))
    if curve.in_unit_square and not isinstance(curve, DetCurve):
        ax.set(xlim=(-0.02, 1.02), aspect="equal")
    ax.grid(visible=True, color="0.92", linewidth=0.8)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(loc="lower right" if isinstance(curve, (RocCurve, GainsCurve)) else "best", frameon=False)
