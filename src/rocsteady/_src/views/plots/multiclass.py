"""Pictures of more than two classes: a curve per class, the confusion matrix as a heat map, measures by class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, printable, require
from rocsteady._src.base.text import format_count
from rocsteady._src.results.displays import Display, PanelsDisplay
from rocsteady._src.views.plots.labels import CHANCE, name_lines
from rocsteady._src.views.plots.paper import for_paper, scaled
from rocsteady._src.views.plots.static import add_curve, new_axes
from rocsteady._src.views.plots.style import COLOURS, line_style

if TYPE_CHECKING:
    from rocsteady._src.results.multiclass import (
        MulticlassConfusion,
        MulticlassCurves,
        MulticlassEvaluation,
        MulticlassMeasures,
    )

MOST_NAMED, MOST_NUMBERED = 10, 15
STYLES = {"macro": (0, (5, 2)), "micro": (0, (1, 1.2))}


@for_paper
def draw_class_curves(result: MulticlassCurves, ax: Any = None) -> Display:
    """Draw a curve per class, and the averages in black; with many classes those stay unnamed and grey."""
    ax = new_axes(ax)
    few = len(result.per_class) <= MOST_NAMED
    for place, (label, curve) in enumerate(result.per_class.items()):
        style = line_style(place) | {"linewidth": 1.4} if few else {"color": "0.75", "linewidth": 0.6}
        drawn = add_curve(curve, ax, name=str(label), **style)
        if not few:
            said = f"{format_count(len(result.per_class))} classes" if not place else "_"
            drawn.line_.set(label=said, gid=None)
    for name, curve in result.averages.items():
        add_curve(curve, ax, name=f"{name} average", color="black", linestyle=STYLES[name], linewidth=1.6)
    if result.kind == "pr":  # every class has a share of its own
        for line in [line for line in ax.lines if line.get_gid() == CHANCE]:
            line.remove()
    name_lines(ax)
    return Display(result, ax, ax.figure)


@for_paper
def draw_confusion(result: MulticlassConfusion, ax: Any = None) -> Display:
    """Draw counts as a heat map; colour is the share of the row, or what the matrix was normalised by."""
    size = len(result.labels)
    side = min(4.0 + 0.25 * size, 9.0)
    ax = new_axes(ax, (side, side))
    image = ax.imshow(_shares(result), cmap="Blues", vmin=0, vmax=1)
    names = [printable(label, most=20).replace("$", r"\$") for label in result.labels]
    step = max(1, size // 40)
    ax.set_xticks(range(0, size, step), names[::step], rotation=90 if size > 6 else 0)
    ax.set_yticks(range(0, size, step), names[::step])
    ax.set(xlabel="called", ylabel="true")
    if size <= MOST_NUMBERED:
        _number(result, ax)
    by = {"pred": "share of the column", "all": "share of all rows"}.get(result.normalize or "", "share of the row")
    ax.figure.colorbar(image, ax=ax, shrink=0.7, label=by)
    return Display(result, ax, ax.figure)


def _shares(result: MulticlassConfusion) -> Any:
    if result.shares is not None:
        return np.nan_to_num(result.shares)
    sums = result.matrix.sum(axis=1, keepdims=True)
    return np.divide(result.matrix, sums, out=np.zeros(result.matrix.shape), where=sums > 0)


def _number(result: MulticlassConfusion, ax: Any) -> None:
    depth = _shares(result)
    for row, column in np.ndindex(*result.matrix.shape):
        colour = "white" if depth[row, column] > 0.55 else "black"
        ax.text(
            column, row, format_count(result.matrix[row, column]), ha="center", va="center", color=colour, fontsize=8
        )


@for_paper
def draw_measures(result: MulticlassMeasures, ax: Any = None) -> Display:
    """Draw the measures of each class, with their intervals where they have one."""
    names, size = list(result.per_class), len(result.labels)
    ax = new_axes(ax, (min(3.0 + 0.5 * size, 12.0), 4.2))
    for place, name in enumerate(names):
        x = np.arange(size) + (place - (len(names) - 1) / 2) * 0.8 / max(len(names), 1)
        colour = COLOURS[place % len(COLOURS)]
        ax.plot(x, result.per_class[name], "o", color=colour, markersize=4, label=name.replace("_", " "))
        if name in result.low:
            ax.vlines(x, result.low[name], result.high[name], color=colour, linewidth=1.0)
    labels = [printable(label, most=20).replace("$", r"\$") for label in result.labels]
    ax.set_xticks(range(size), labels, rotation=90 if size > 6 else 0)
    ax.grid(visible=True, axis="y", color="0.92", linewidth=0.8)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, fontsize=8)
    return Display(result, ax, ax.figure)


@for_paper
def draw_evaluation(result: MulticlassEvaluation, ax: Any = None) -> PanelsDisplay:
    """Draw the ROC curve of each class beside the confusion matrix."""
    if ax is None:
        pyplot = require("matplotlib.pyplot", extra="plots", purpose="plot()")
        _, ax = pyplot.subplots(1, 2, figsize=scaled((11.0, 5.0)), layout="constrained")
    axes = np.ravel(ax)
    if axes.size != 2:
        raise ArgumentError("axes", f"two Axes are needed, for curves and confusion matrix; got {axes.size}")
    draw_class_curves(result.roc, axes[0])
    draw_confusion(result.confusion, axes[1])
    return PanelsDisplay(result, tuple(axes), axes[0].figure)
