"""Differences between models as a picture: one line per pair, with its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.base.text import format_level
from rocsteady._src.results.differences import MOST_LETTERS, best_of, shortened, shown_differences, told_apart
from rocsteady._src.results.displays import Display
from rocsteady._src.views.plots.forest import label_rows, rows_axes, wrapped
from rocsteady._src.views.plots.paper import for_paper
from rocsteady._src.views.plots.style import COLOURS, REFERENCE

if TYPE_CHECKING:
    from rocsteady._src.results import Comparison


@for_paper
def draw_differences(comparison: Comparison, ax: Any = None) -> Display:
    """Draw each difference with its interval; pairs told apart after adjustment are filled.

    Of many models those to the best one; the table has them all.
    """
    lines = shown_differences(comparison)
    label = wrapped([_label(comparison)])
    names = [line.label for line, _ in lines]
    ax = rows_axes(ax, label, names)
    for place, (line, pair) in enumerate(lines):
        shown = told_apart(pair.test, pair.p_holm, comparison.level)
        colour = COLOURS[0] if shown else REFERENCE
        ax.plot([line.low, line.high], [place, place], color=colour, linewidth=1.8)
        ax.plot(line.estimate, place, "o", color=colour, markerfacecolor=colour if shown else "white")
    ax.axvline(0, color=REFERENCE, linestyle=(0, (4, 3)), linewidth=1.0, zorder=1)
    label_rows(ax, names)
    ax.locator_params(axis="x", nbins=6)
    ax.set_xlabel("\n".join(label))
    ax.spines[["top", "right", "left"]].set_visible(False)
    return Display(comparison, ax, ax.figure)


def _label(comparison: Comparison) -> str:
    kind = "simultaneous intervals" if comparison.intervals == "simultaneous" else "intervals"
    ends = f"{format_level(comparison.level)} {kind}"
    best = best_of(comparison)
    to_best = "" if best is None else f"; to {shortened(best, MOST_LETTERS)}, the best; all pairs in the table"
    return f"Difference in {comparison.measure} ({ends}; filled: told apart{to_best})"
