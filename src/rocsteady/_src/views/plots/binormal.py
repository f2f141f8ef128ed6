"""The binormal simulation with the curve that is true."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.base.text import format_share
from rocsteady._src.views.plots.paper import for_paper
from rocsteady._src.views.plots.selection import draw_binormal

if TYPE_CHECKING:
    from rocsteady._src.results import BinormalSimulation
    from rocsteady._src.results.displays import CurveDisplay


@for_paper
def draw_with_truth(result: BinormalSimulation, ax: Any = None) -> CurveDisplay:
    """Draw redraws, one sample with its band, and the true curve; say how often a band holds all of it."""
    display = draw_binormal(result, ax)
    if result.true_tpr is not None:
        share = format_share(result.curve_coverage)
        label = f"true curve: whole within the band of {share} of the redraws"
        display.ax_.plot(result.fpr, result.true_tpr, color="black", linewidth=1.4, linestyle=(0, (5, 2)), label=label)
        display.ax_.legend(loc="lower right", frameon=False, fontsize="small")
    return display
