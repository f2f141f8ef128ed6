"""Pictures of results. They read results and nothing else."""

from rocsteady.plots.bands import BandDisplay, draw_band
from rocsteady.plots.calibration import CalibrationDisplay, DecisionDisplay, draw_calibration, draw_decisions
from rocsteady.plots.comparison import DifferencesDisplay, draw_differences
from rocsteady.plots.forest import RecordDisplay
from rocsteady.plots.granular import draw_family, draw_granular, draw_profile, draw_regions
from rocsteady.plots.reclassification import TablesDisplay, draw_reclassification
from rocsteady.plots.records import draw_record
from rocsteady.plots.selection import SelectionDisplay, draw_binormal, draw_picks, draw_selection
from rocsteady.plots.static import CurveDisplay, draw_curve, draw_curves

__all__ = [
    "BandDisplay",
    "CalibrationDisplay",
    "CurveDisplay",
    "DecisionDisplay",
    "DifferencesDisplay",
    "RecordDisplay",
    "SelectionDisplay",
    "TablesDisplay",
    "draw_band",
    "draw_binormal",
    "draw_calibration",
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
