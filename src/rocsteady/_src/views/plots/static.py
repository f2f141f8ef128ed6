"""Static pictures with matplotlib, in scikit-learn's Display habits."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, require
from rocsteady._src.base.geometry import thin
from rocsteady._src.base.text import format_number
from rocsteady._src.results import Curve, DetCurve, GainsCurve, PrCurve, RocCurve
from rocsteady._src.results.displays import CurveDisplay, CurveDisplays
from rocsteady._src.views.plots.deviates import deviate, use_deviates
from rocsteady._src.views.plots.labels import CHANCE, CURVE, OWN_FIGURE, name_lines, shown_name
from rocsteady._src.views.plots.paper import for_paper, scaled
from rocsteady._src.views.plots.style import LINE_WIDTH, REFERENCE, line_style

if TYPE_CHECKING:
    from collections.abc import Mapping

DRAWN_DEVIATION = 5e-4
CHANCE_STYLE: dict[str, Any] = {
    "gid": CHANCE, "color": REFERENCE, "linestyle": (0, (4, 3)), "linewidth": 1.0, "zorder": 1,
}  # fmt: skip


@for_paper
def draw_curve(curve: Curve, ax: Any = None, *, name: str | None = None, **line_options: Any) -> CurveDisplay:
    """Draw one curve, thinned below what a screen can show, with its chance level."""
    ax = new_axes(ax)
    display = add_curve(curve, ax, name=name, **line_options)
    name_lines(ax)
    return display


@for_paper
def draw_curves(curves: Mapping[str, Curve], ax: Any = None) -> CurveDisplays:
    """Draw the curves of several models in one picture."""
    ax = new_axes(ax)
    drawn = CurveDisplays(
        add_curve(curve, ax, name=name, **line_style(place)) for place, (name, curve) in enumerate(curves.items())
    )
    name_lines(ax)
    return drawn


def add_curve(curve: Curve, ax: Any, *, name: str | None = None, **line_options: Any) -> CurveDisplay:
    """Draw a curve that is not named yet."""
    x, y = curve.xy
    kept = _drawn_points(curve)
    # Average precision holds a precision from the recall reached before up to the one it reaches.
    style = "steps-pre" if isinstance(curve, PrCurve) and curve.interpolation == "step" else "default"
    known = sum(line.get_gid() == CURVE for line in ax.lines)
    options: dict[str, Any] = {"label": _legend(curve, name), "drawstyle": style, "linewidth": LINE_WIDTH, "gid": CURVE}
    look = {} if {"color", "c"} & line_options.keys() else line_style(known)
    (line,) = ax.plot(x[kept], y[kept], **options | look | line_options)
    chance = _draw_chance(curve, ax)
    _dress(curve, ax)
    return CurveDisplay(curve, ax, ax.figure, line, chance)


def _drawn_points(curve: Curve) -> Any:
    """Places of the points to draw: others would be nearer than a screen can show."""
    x, y = curve.xy
    if isinstance(curve, DetCurve):
        reach = 2 * float(deviate(1.0))
        return thin(deviate(x) / reach, deviate(y) / reach, DRAWN_DEVIATION)
    return thin(x / max(float(x[-1]), 1.0), y, DRAWN_DEVIATION)


def new_axes(ax: Any, size: tuple[float, float] = (5.2, 5.0)) -> Any:
    """The axes to draw on: the given ones, or those of a new figure."""
    if isinstance(ax, (str, PathLike)):
        raise ArgumentError("ax", "plot() takes axes to draw on; a picture is written by plot().savefig(path)")
    if hasattr(ax, "shape"):
        raise ArgumentError(
            "ax", "ax is an array of axes, as plt.subplots gives them: pass one of them, such as axes[0]"
        )
    if ax is not None:
        return ax
    pyplot = require("matplotlib.pyplot", extra="plots", purpose="plot()")
    figure, ax = pyplot.subplots(figsize=scaled(size), layout="constrained")
    figure.set_gid(OWN_FIGURE)
    return ax


def _legend(curve: Curve, name: str | None) -> str:
    title = curve.title if name is None else shown_name(name)
    area = getattr(curve, "area", None)
    symbol = _area_name(curve)
    return title if area is None else f"{title} ({symbol} {format_number(float(area), 3)})"


def _area_name(curve: Curve) -> str:
    if isinstance(curve, PrCurve) and curve.interpolation == "step":
        return "AP"
    return "AUC" if type(curve) is RocCurve else "area"


def _draw_chance(curve: Curve, ax: Any) -> Any:
    if isinstance(curve, (RocCurve, GainsCurve)):
        return draw_diagonal(ax)
    if isinstance(curve, DetCurve):
        return draw_diagonal(ax, falling=True)
    if isinstance(curve, PrCurve) and curve.n_pos and curve.n_neg is not None and not _has_chance(ax):
        share = curve.n_pos / (curve.n_pos + curve.n_neg)
        return ax.axhline(share, label=f"share of positives {format_number(float(share), 3)}", **CHANCE_STYLE)
    return None


def draw_diagonal(ax: Any, label: str = "chance", *, falling: bool = False) -> Any:
    """What curves are compared with, drawn once."""
    if _has_chance(ax):
        return None
    return ax.plot([0, 1], [1, 0] if falling else [0, 1], label=label, **CHANCE_STYLE)[0]


def _has_chance(ax: Any) -> bool:
    return any(line.get_gid() == CHANCE for line in ax.lines)


def _dress(curve: Curve, ax: Any) -> None:
    ax.set(xlabel=curve.labels[0], ylabel=curve.labels[1])
    if isinstance(curve, DetCurve):
        use_deviates(ax, curve)
    else:
        ax.set(ylim=(-0.02, 1.02))
    if curve.in_unit_square and not isinstance(curve, DetCurve):
        ax.set(xlim=(-0.02, 1.02), aspect="equal")
    dress_axes(ax)


def dress_axes(ax: Any) -> None:
    """A light grid, and no lines where nothing is to be read."""
    ax.grid(visible=True, color="0.92", linewidth=0.8)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
