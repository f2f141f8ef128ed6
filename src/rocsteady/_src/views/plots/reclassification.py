"""Reclassification tables as pictures: who moved up, who moved down, among events and nonevents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, require
from rocsteady._src.base.text import format_count, format_share
from rocsteady._src.results.displays import PanelsDisplay
from rocsteady._src.views.plots.paper import for_paper, scaled

if TYPE_CHECKING:
    from rocsteady._src.results import Reclassification

UP, DOWN, SAME = "#D55E00", "#0072B2", "#BBBBBB"
TITLES = {"events": "Events", "nonevents": "Nonevents", "all": "All"}


@for_paper
def draw_reclassification(result: Reclassification, ax: Any = None) -> PanelsDisplay:
    """Draw three tables side by side; the depth of colour is the share of the row."""
    if ax is None:
        pyplot = require("matplotlib.pyplot", extra="plots", purpose="plot()")
        _, ax = pyplot.subplots(1, 3, figsize=scaled((3.1 * 3, 3.2)), layout="constrained")
    axes = np.ravel(ax)
    if axes.size != len(TITLES):
        raise ArgumentError("axes", f"three Axes are needed, for events, nonevents and all; got {axes.size}")
    shares = result.row_shares
    for (name, title), one in zip(TITLES.items(), axes, strict=True):
        _draw_table(one, getattr(result, name), shares[name], result.labels)
        moved = result.moved[name]
        one.set_title(f"{title}: {format_share(moved['up'], 0)} up, {format_share(moved['down'], 0)} down", fontsize=10)
    axes[0].set_ylabel("old model")
    return PanelsDisplay(result, tuple(axes), axes[0].figure)


def _draw_table(ax: Any, table: Any, shares: Any, labels: tuple[str, ...]) -> None:
    size = len(labels)
    for row, column in np.ndindex(size, size):
        colour = SAME if row == column else (UP if column > row else DOWN)
        depth = 0.0 if np.isnan(shares[row, column]) else float(shares[row, column])
        ax.add_patch(rectangle(column, row, colour, 0.08 + 0.62 * depth))
        text = (
            f"{format_count(table[row, column])}\n{format_share(shares[row, column], 0)}" if table[row, column] else "0"
        )
        ax.text(column, row, text, ha="center", va="center", fontsize=9)
    ax.set(xlim=(-0.5, size - 0.5), ylim=(size - 0.5, -0.5), xlabel="new model")
    ax.set_xticks(range(size), labels, fontsize=8)
    ax.set_yticks(range(size), labels, fontsize=8)
    ax.set_aspect("equal")
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)


def rectangle(x: int, y: int, colour: str, alpha: float) -> Any:
    """A cell of a table."""
    patches = require("matplotlib.patches", extra="plots", purpose="plot()")
    return patches.Rectangle((x - 0.48, y - 0.48), 0.96, 0.96, color=colour, alpha=alpha, linewidth=0)
