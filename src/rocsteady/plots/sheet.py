"""One sheet of static pictures: what the report shows, for paper."""

from __future__ import annotations

from typing import Any

from rocsteady.errors import require
from rocsteady.plots.static import COLOURS, draw_curve


def draw_sheet(curves: dict[str, dict[str, Any]], title: str = "") -> Any:
    """Draw kinds of curves side by side, each for all models; ``curves[kind][model]`` is a curve."""
    pyplot = require("matplotlib.pyplot", extra="plots", purpose="a report as a picture")
    columns = min(2, len(curves))
    rows = -(-len(curves) // columns)
    figure, axes = pyplot.subplots(
        rows, columns, figsize=(5.4 * columns, 4.8 * rows), layout="constrained", squeeze=False
    )
    for (kind, models), ax in zip(curves.items(), axes.ravel(), strict=False):
        for place, (name, curve) in enumerate(models.items()):
            draw_curve(curve, ax, name=name, color=COLOURS[place % len(COLOURS)])
        ax.set_title(kind, fontsize=11)
    for ax in axes.ravel()[len(curves) :]:
        ax.set_visible(False)
    if title:
        figure.suptitle(title, fontsize=12)
    return figure
