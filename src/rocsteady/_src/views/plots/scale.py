"""Pictures of brackets: curves that lie between two others, for certain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import format_digits
from rocsteady._src.results.displays import BracketDisplay
from rocsteady._src.views.plots.paper import for_paper
from rocsteady._src.views.plots.static import CHANCE, new_axes
from rocsteady._src.views.plots.style import COLOURS

if TYPE_CHECKING:
    from rocsteady._src.results.scale import BracketedEvaluation, BracketedPr, BracketedRoc

GRID = np.linspace(0, 1, 2001) ** 2


@for_paper
def draw_bracketed_roc(
    result: BracketedRoc, ax: Any = None, *, name: str | None = None, color: str = COLOURS[0]
) -> BracketDisplay:
    """Draw the lower and the upper curve and what lies between."""
    ax = new_axes(ax)
    limits = [np.interp(GRID, curve.fpr, curve.tpr) for curve in (result.low, result.up)]
    areas = (
        f"AUC {format_digits(result.low_auc, 6)}"
        if result.exact
        else f"AUC in [{format_digits(result.low_auc, 6)}, {format_digits(result.up_auc, 6)}]"
    )
    display = _draw(result, ax, GRID, limits, f"{_plain(name, 'ROC curve')} ({areas}, exact={result.exact})", color)
    if not any(line.get_gid() == CHANCE for line in ax.lines):
        ax.plot([0, 1], [0, 1], gid=CHANCE, color="0.55", linestyle=(0, (4, 3)), linewidth=1.0, zorder=1)
    _dress(ax, "False positive rate", "True positive rate")
    return display


@for_paper
def draw_bracketed_pr(
    result: BracketedPr, ax: Any = None, *, name: str | None = None, color: str = COLOURS[0]
) -> BracketDisplay:
    """Draw the limits of the precision as steps over recall."""
    ax = new_axes(ax)
    x = np.concatenate([[0.0], result.recall])
    limits = [np.concatenate([side[:1], side]) for side in (result.low, result.high)]
    label = (
        f"{_plain(name, 'Precision')} (AP in [{format_digits(result.area.low, 6)}, "
        f"{format_digits(result.area.high, 6)}], exact={result.exact})"
    )
    display = _draw(result, ax, x, limits, label, color, drawstyle="steps-pre")
    _dress(ax, *result.labels)
    return display


@for_paper
def draw_bracketed_models(result: BracketedEvaluation, ax: Any = None) -> list[BracketDisplay]:
    """Draw the ROC bands of several models in one picture."""
    ax = new_axes(ax)
    return [
        draw_bracketed_roc(curve, ax, name=name, color=COLOURS[place % len(COLOURS)])
        for place, (name, curve) in enumerate(result.curves.items())
    ]


def _draw(result: Any, ax: Any, x: Any, limits: list[Any], label: str, color: str, **style: Any) -> BracketDisplay:
    step = "pre" if style else None
    band = ax.fill_between(x, *limits, color=color, alpha=0.3, linewidth=0, step=step, label=label)
    lines = tuple(ax.plot(x, side, color=color, linewidth=0.9, **style)[0] for side in limits)
    return BracketDisplay(result, ax, ax.figure, lines, band)


def _plain(name: str | None, otherwise: str) -> str:
    return otherwise if name is None else printable(name, most=60).replace("$", r"\$")


def _dress(ax: Any, xlabel: str, ylabel: str) -> None:
    ax.set(xlabel=xlabel, ylabel=ylabel, xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")
    ax.grid(visible=True, color="0.92", linewidth=0.8)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(loc="lower right", frameon=False, fontsize="small")
