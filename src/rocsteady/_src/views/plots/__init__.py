"""Pictures of results. They read results and nothing else."""

from rocsteady._src.views.plots.bands import draw_band
from rocsteady._src.views.plots.calibration import draw_calibration, draw_calibrations
from rocsteady._src.views.plots.comparison import draw_differences
from rocsteady._src.views.plots.decisions import draw_decisions
from rocsteady._src.views.plots.granular import draw_family, draw_granular, draw_profile, draw_regions
from rocsteady._src.views.plots.reclassification import draw_reclassification
from rocsteady._src.views.plots.records import draw_record
from rocsteady._src.views.plots.selection import draw_binormal, draw_picks, draw_selection
from rocsteady._src.views.plots.static import draw_curve, draw_curves

__all__ = [
    "draw_band",
    "draw_binormal",
    "draw_calibration",
    "draw_calibrations",
    "draw_curve",
    "draw_curves",
    "draw_decisions",
    "draw_differences",
    "draw_family",
    "draw_granular",
    "draw_picks",
    "draw_profile",
    "draw_reclassification",
    "draw_record",
    "draw_regions",
    "draw_selection",
]
