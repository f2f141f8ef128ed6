"""Pictures of brackets: curves that lie between two others, for certain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.text import format_digits
from rocsteady._src.results.displays import BracketDisplay
from rocsteady._src.views.plots.bands import fill_certain
from rocsteady._src.views.plots.labels import CURVE, name_lines, shown_name
from rocsteady._src.views.plots.paper import for_paper
from rocsteady._src.views.plots.static import draw_diagonal, dress_axes, new_axes
from rocsteady._src.views.plots.style import line_style

if TYPE_CHECKING:
    from rocsteady._src.results.scale import BracketedEvaluation, BracketedPr, BracketedRoc

GRID = np.linspace(0, 1, 2001) ** 2
CERTAIN = "between the lines for certain,\nno confidence interval (exact=False)"


@for_paper
def draw_bracketed_roc(
    result: BracketedRoc, ax: Any = None, *, name: str | None = None, **line_options: Any
) -> BracketDisplay:
    """Draw the lower and the upper curve and what lies between."""
    ax = new_axes(ax)
    display = _add_roc(result, ax, name, line_style(0) | line_options)
    name_lines(ax)
    return display


@for_paper
def draw_bracketed_models(result: BracketedEvaluation, ax: Any = None) -> list[BracketDisplay]:
    """Draw the ROC bands of several models in one picture."""
    ax = new_axes(ax)
    drawn = [_add_roc(curve, ax, name, line_style(place)) for place, (name, curve) in enumerate(result.curves.items())]
    name_lines(ax)
    return drawn


def _add_roc(result: BracketedRoc, ax: Any, name: str | None, style: dict[str, Any]) -> BracketDisplay:
    limits = [np.interp(GRID, curve.fpr, curve.tpr) for curve in (result.low, result.up)]
    label = f"{_shown(name, 'ROC curve')} (AUC {_ends(result.low_auc, result.up_auc, exact=result.exact)})"
    display = _draw(result, ax, GRID, limits, style | {"label": label})
    draw_diagonal(ax)
    _dress(ax, "False positive rate", "True positive rate")
    return display


@for_paper
def draw_bracketed_pr(
    result: BracketedPr, ax: Any = None, *, name: str | None = None, **line_options: Any
) -> BracketDisplay:
    """Draw the limits of the precision as steps over recall."""
    ax = new_axes(ax)
    x = np.concatenate([[0.0], result.recall])
    limits = [np.concatenate([side[:1], side]) for side in (result.low, result.high)]
    label = f"{_shown(name, 'Precision')} (AP {_ends(result.area.low, result.area.high, exact=result.exact)})"
    style = line_style(0) | {"label": label, "drawstyle": "steps-pre"} | line_options
    display = _draw(result, ax, x, limits, style)
    _dress(ax, *result.labels)
    name_lines(ax)
    return display


def _draw(result: Any, ax: Any, x: Any, limits: list[Any], style: dict[str, Any]) -> BracketDisplay:
    step = "pre" if style.get("drawstyle") == "steps-pre" else None
    band = fill_certain(ax, x, *limits, color=style["color"], step=step, label="_" if result.exact else CERTAIN)
    below, above = {**style, "label": "_"}, {**style, "gid": CURVE}
    lines = tuple(ax.plot(x, side, linewidth=1.0, **how)[0] for side, how in zip(limits, (below, above), strict=True))
    return BracketDisplay(result, ax, ax.figure, lines, band)


def _ends(low: float, high: float, *, exact: bool) -> str:
    shown = [format_digits(each, 6) for each in (low, high)]
    return f"{shown[0]}, exact" if exact else f"in [{', '.join(shown)}]"


def _shown(name: str | None, otherwise: str) -> str:
    return otherwise if name is None else shown_name(name)


def _dress(ax: Any, xlabel: str, ylabel: str) -> None:
    ax.set(xlabel=xlabel, ylabel=ylabel, xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")
    dress_axes(ax)
