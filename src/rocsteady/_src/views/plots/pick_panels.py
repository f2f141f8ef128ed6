"""Models of one split, a panel per measure: what it says on validation against test AUC, and what its pick reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, require
from rocsteady._src.base.text import format_count
from rocsteady._src.results.displays import PanelsDisplay
from rocsteady._src.views.plots.paper import for_paper, scaled
from rocsteady._src.views.plots.selection import draw_picks
from rocsteady._src.views.plots.style import COLOURS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.results import ModelSelection

WIDE = 2


@for_paper
def draw_panels(selection: ModelSelection, ax: Any = None, *, measures: Sequence[str], split: int = 0) -> PanelsDisplay:
    """Draw one panel per measure, two in a row; the line is the test AUC of its pick."""
    panels = _panels(ax, len(measures))
    for panel, measure in zip(panels, measures, strict=True):
        draw_picks(selection, panel, measure=measure, split=split)
        reached = float(selection.pick_auc[split, selection.measures.index(measure)])
        panel.axhline(reached, color=COLOURS[1], linewidth=1.0, zorder=1)
        better, models = selection.n_better(measure, split), selection.test_auc.shape[1]
        panel.set_title(f"{format_count(better)} of {format_count(models)} models are better than its pick", fontsize=9)
        panel.legend(frameon=False, fontsize=7, loc="best")
    return PanelsDisplay(selection, panels, panels[0].figure)


def _panels(ax: Any, count: int) -> list[Any]:
    if ax is not None:
        given = list(np.ravel(ax))
        if len(given) != count:
            raise ArgumentError("ax", f"{count} measures need {count} Axes, got {len(given)}")
        return given
    pyplot = require("matplotlib.pyplot", extra="plots", purpose="plot()")
    rows = -(-count // WIDE)
    columns = min(count, WIDE)
    size = scaled((4.2 * columns, 3.6 * rows))
    grid = pyplot.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False, sharey=True)[1].ravel()
    for spare in grid[count:]:
        spare.set_visible(False)
    return list(grid[:count])
