"""Differences between models as a picture: one line per pair, with its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import format_level
from rocsteady._src.results.displays import Display
from rocsteady._src.views.plots.paper import for_paper
from rocsteady._src.views.plots.static import new_axes
from rocsteady._src.views.plots.style import COLOURS

if TYPE_CHECKING:
    from rocsteady._src.results import Comparison, PairComparison

MOST_MODELS = 6


@for_paper
def draw_differences(comparison: Comparison, ax: Any = None) -> Display:
    """Draw each difference with its interval; pairs told apart after adjustment are filled.

    Of many models those to the best one; the table has them all.
    """
    pairs, best = _shown_pairs(comparison)
    ax = new_axes(ax, (6.4, 0.8 + 0.38 * len(pairs)))
    for place, pair in enumerate(pairs):
        told_apart = pair.p_holm < 1 - comparison.level
        colour = COLOURS[0] if told_apart else "0.45"
        ax.plot([pair.test.low, pair.test.high], [place, place], color=colour, linewidth=1.8)
        ax.plot(pair.test.estimate, place, "o", color=colour, markerfacecolor=colour if told_apart else "white")
    ax.axvline(0, color="0.55", linestyle=(0, (4, 3)), linewidth=1.0, zorder=1)
    names = [_text(f"{pair.first} - {pair.second}") for pair in pairs]
    ax.set_yticks(range(len(pairs)), names)
    kind = "simultaneous intervals" if comparison.intervals == "simultaneous" else "intervals"
    ends = f"{format_level(comparison.level)} {kind}"
    to_best = "" if best is None else f"; to {_text(best)}, the best; all pairs in the table"
    ax.set(xlabel=f"Difference in {comparison.measure} ({ends}; filled: told apart{to_best})")
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(axis="y", length=0)
    return Display(comparison, ax, ax.figure)


def _shown_pairs(comparison: Comparison) -> tuple[tuple[PairComparison, ...], str | None]:
    """Pairs from below, and the best model, which the verdict names, where the others are not drawn."""
    pairs = comparison.pairs[::-1]
    if comparison.baseline is not None or len(comparison.models) <= MOST_MODELS or not comparison.verdict:
        return pairs, None
    named = [model for model in comparison.models if comparison.verdict[0].startswith(f"{model} has the ")]
    best = max(named, key=len, default=None)
    return (pairs, None) if best is None else (tuple(each for each in pairs if best in (each.first, each.second)), best)


def _text(name: str) -> str:
    return printable(name, most=60).replace("$", r"\$")
