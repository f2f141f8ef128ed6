"""Pictures of results. They read results and nothing else."""

from rocsteady.plots.static import CurveDisplay, draw_curve, draw_curves

__all__ = ["CurveDisplay", "draw_curve", "draw_curves"]
