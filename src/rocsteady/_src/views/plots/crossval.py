"""Pictures of cross-validation: the averaged curve over those of the folds, and the posterior of a difference."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.geometry import thin
from rocsteady._src.base.text import format_interval, format_number, format_setting
from rocsteady._src.results.displays import BandDisplay, PosteriorDisplay
from rocsteady._src.views.plots.bands import draw_band
from rocsteady._src.views.plots.forest import REFERENCE, wrapped
from rocsteady._src.views.plots.labels import name_lines
from rocsteady._src.views.plots.paper import for_paper
from rocsteady._src.views.plots.static import DRAWN_DEVIATION, new_axes
from rocsteady._src.views.plots.style import COLOURS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.results.crossval import AveragedRoc, BayesianComparison

    Array = NDArray[np.float64]

POINTS = 401
REACH = 5.0  # scales to either side


@for_paper
def draw_averaged(roc: AveragedRoc, ax: Any = None, *, name: str | None = None, **line_options: Any) -> BandDisplay:
    """Draw the curve of every fold faintly, then their mean in its limits."""
    ax = new_axes(ax)
    colour = line_options.get("color", COLOURS[0])
    for curve in roc.curves:
        kept = thin(curve.fpr, curve.tpr, DRAWN_DEVIATION)
        ax.plot(curve.fpr[kept], curve.tpr[kept], color=colour, alpha=0.3, linewidth=0.8, gid="fold")
    shown = name or f"mean of {roc.n_folds} folds (area {format_number(roc.area, 3)})"
    return draw_band(roc, ax, name=shown, **line_options)


@for_paper
def draw_posterior(found: BayesianComparison, ax: Any = None) -> PosteriorDisplay:
    """Draw the posterior density of first minus second in its three regions."""
    ax = new_axes(ax, (6.0, 3.4))
    reach = max(REACH * found.scale, 1.5 * found.rope, 1e-9)
    x = np.linspace(
        min(found.estimate - reach, -1.2 * found.rope), max(found.estimate + reach, 1.2 * found.rope), POINTS
    )
    edges = [edge for edge in (-found.rope, found.rope) if x[0] < edge < x[-1]]
    x = np.union1d(x, edges)
    density = _density(x, found)
    (line,) = ax.plot(x, density, color="0.2", linewidth=1.4)
    labels = (
        f"second better {format_number(found.p_left, 3)}",
        f"alike {format_number(found.p_rope, 3)}",
        f"first better {format_number(found.p_right, 3)}",
    )
    inside = (x <= -found.rope, (x >= -found.rope) & (x <= found.rope), x >= found.rope)
    colours = (COLOURS[1], "0.6", COLOURS[0])
    regions = [
        ax.fill_between(x[part], density[part], color=colour, alpha=0.5, linewidth=0, label=label)
        if part.sum() > 1 and found.scale > 0
        else None
        for part, colour, label in zip(inside, colours, labels, strict=True)
    ]
    for edge in (-found.rope, found.rope):
        ax.axvline(edge, **REFERENCE)
    _dress(ax, found)
    return PosteriorDisplay(found, ax, ax.figure, line, regions)


def _density(x: Array, found: BayesianComparison) -> Array:
    """Density of Student's t; a posterior without any width is a line at its mean."""
    if not found.scale > 0:
        return np.where(np.abs(x - found.estimate) == np.abs(x - found.estimate).min(), 1.0, 0.0)
    df = found.df
    log_top = math.lgamma((df + 1) / 2) - math.lgamma(df / 2) - math.log(df * math.pi) / 2 - math.log(found.scale)
    z = (x - found.estimate) / found.scale
    density: Array = np.exp(log_top - (df + 1) / 2 * np.log1p(z**2 / df))
    return density


def _dress(ax: Any, found: BayesianComparison) -> None:
    ends = format_interval(found.estimate, found.low, found.high, signed=True)
    title = (
        f"First minus second: {ends} ({format_setting(100 * found.level)}% credible)",
        f"alike means within {format_setting(found.rope)}",
    )
    ax.set_title("\n".join(wrapped(title)), fontsize="medium")
    ax.set(xlabel="First minus second", ylabel="Posterior density")
    ax.set_ylim(bottom=0)
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(visible=True, color="0.92", linewidth=0.8)
    ax.set_axisbelow(True)
    name_lines(ax)
