"""Pictures of results. They read results and nothing else."""

from rocsteady.plots.bands import BandDisplay, draw_band
from rocsteady.plots.granular import draw_family, draw_granular, draw_profile, draw_regions
from rocsteady.plots.reclassification import TablesDisplay, draw_reclassification
from rocsteady.plots.static import CurveDisplay, draw_curve, draw_curves

__all__ = [
    "BandDisplay",
    "CurveDisplay",
    "TablesDisplay",
    "draw_band",
    "draw_curve",
    "draw_curves",
    "draw_family",
    "draw_granular",
    "draw_profile",
    "draw_reclassification",
    "draw_regions",
]
