"""Pictures of results. They read results and nothing else."""

from rocsteady.plots.granular import draw_family, draw_granular, draw_profile, draw_regions
from rocsteady.plots.static import CurveDisplay, draw_curve, draw_curves

__all__ = [
    "CurveDisplay",
    "draw_curve",
    "draw_curves",
    "draw_family",
    "draw_granular",
    "draw_profile",
    "draw_regions",
]
