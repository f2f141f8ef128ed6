"""Pictures of the selection experiment: differences, picks of one split, and redraws of the binormal model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, printable
from rocsteady._src.base.text import format_level, format_number
from rocsteady._src.results.displays import CurveDisplay, Display
from rocsteady._src.views.plots.granular import draw_granular
from rocsteady._src.views.plots.paper import for_paper
from rocsteady._src.views.plots.static import new_axes
from rocsteady._src.views.plots.style import COLOURS

if TYPE_CHECKING:
    from rocsteady._src.results import BinormalSimulation, ModelSelection


@for_paper
def draw_selection(selection: ModelSelection, ax: Any = None) -> Display:
    """Draw the difference of each measure to the reference; filled where Holm's p is small, without 0 inside."""
    rows = [row for row in selection.rows if row.measure != selection.reference][::-1]
    ax = new_axes(ax, (6.4, 1.2 + 0.36 * len(rows)))
    for place, row in enumerate(rows):
        told_apart = row.pvalue_holm < 1 - selection.level and not row.low <= 0 <= row.high
        colour = COLOURS[0] if told_apart else "0.45"
        ax.plot([row.low, row.high], [place, place], color=colour, linewidth=1.8)
        ax.plot(row.difference, place, "o", color=colour, markerfacecolor=colour if told_apart else "white")
    ax.axvline(0, color="0.55", linestyle=(0, (4, 3)), linewidth=1.0, zorder=1)
    ax.set_yticks(range(len(rows)), [_text(row.measure) for row in rows])
    ax.set_ylim(-0.6, len(rows) - 0.4)
    ax.set(
        xlabel=f"Test AUC of the pick minus that of picking by {_text(selection.reference)}",
        title=_text(f"{selection.data}: {selection.n_splits} splits, {format_level(selection.level)} intervals"),
    )
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(axis="y", length=0)
    return Display(selection, ax, ax.figure)


@for_paper
def draw_picks(selection: ModelSelection, ax: Any = None, *, measure: str, split: int = 0) -> Display:
    """Draw the models of one split: the measure on validation against test AUC, with the picks marked."""
    place = _place(selection, measure, split)
    ax = new_axes(ax)
    x, y = selection.validation[split, place], selection.test_auc[split]
    kinds = np.arange(y.size) % len(selection.classifiers)
    for kind, name in enumerate(selection.classifiers):
        points = ax.plot(x[kinds == kind], y[kinds == kind], "o", color=COLOURS[-2 - kind % 4], markersize=4, alpha=0.6)
        if len(selection.classifiers) > 1:
            points[0].set_label(_text(name))
    _mark(ax, selection, split, measure, x, y, {"color": COLOURS[1], "marker": "*", "markersize": 14})
    if measure != selection.reference:
        _mark(ax, selection, split, selection.reference, x, y, {"color": COLOURS[0], "marker": "D", "markersize": 8})
    ax.set(
        xlabel=f"{_text(measure)} on validation", ylabel="AUC on test", title=_text(f"{selection.data}, split {split}")
    )
    ax.grid(visible=True, color="0.92", linewidth=0.8)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False, loc="best")
    return Display(selection, ax, ax.figure)


def _place(selection: ModelSelection, measure: str, split: int) -> int:
    if measure not in selection.measures:
        raise ArgumentError(
            "measure", f"there is no measure {measure!r} here; measures: {', '.join(selection.measures)}"
        )
    if not 0 <= split < selection.n_splits:
        raise ArgumentError("split", f"splits are numbered from 0 to {selection.n_splits - 1}, got {split!r}")
    return selection.measures.index(measure)


def _mark(ax: Any, selection: ModelSelection, split: int, measure: str, x: Any, y: Any, style: dict[str, Any]) -> None:
    place = selection.measures.index(measure)
    pick, tied = int(selection.picks[split, place]), int(selection.n_tied[split, place])
    if pick < 0:
        return
    shared = f", first of {tied}" if tied > 1 else ""
    label = f"picked by {_text(measure)}{shared}"
    ax.plot(x[pick], y[pick], linestyle="none", label=label, markeredgecolor="black", markerfacecolor="none", **style)


@for_paper
def draw_binormal(result: BinormalSimulation, ax: Any = None) -> CurveDisplay:
    """Draw the curves of the redraws thinly below one sample and its granular band."""
    ax = new_axes(ax)
    lines = ax.plot(result.fpr, result.tpr.T, color="0.8", linewidth=0.5, zorder=0)
    lines[0].set_label(
        f"{result.auc.size} redraws (AUC {format_number(result.auc.min(), 3)} to {format_number(result.auc.max(), 3)})"
    )
    return draw_granular(result.sample, ax, name="one sample")


def _text(name: str) -> str:
    return printable(name, most=60).replace("$", r"\$")
