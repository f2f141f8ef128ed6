"""One sheet of static pictures: what the report shows, for paper."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from rocsteady.errors import require
from rocsteady.plots.static import COLOURS, draw_curve

CELL = (5.0, 5.1)  # inches: a square picture with its labels


def draw_sheet(curves: dict[str, dict[str, Any]], *titles: str) -> Any:
    """Draw kinds of curves side by side, each for all models; ``curves[kind][model]`` is a curve."""
    pyplot = require("matplotlib.pyplot", extra="plots", purpose="a report as a picture")
    columns = min(2, len(curves))
    rows = -(-len(curves) // columns)
    lines = "\n".join(line for title in titles if title for line in wrap(title, 52 * columns))
    height = CELL[1] * rows + (0.2 + 0.25 * len(lines.splitlines()) if lines else 0)
    figure, axes = pyplot.subplots(
        rows, columns, figsize=(CELL[0] * columns, height), layout="constrained", squeeze=False
    )
    figure.get_layout_engine().set(w_pad=0.12, h_pad=0.12, hspace=0.02, wspace=0.02)
    for (kind, models), ax in zip(curves.items(), axes.ravel(), strict=False):
        for place, (name, curve) in enumerate(models.items()):
            draw_curve(curve, ax, name=name, color=COLOURS[place % len(COLOURS)])
        ax.set_title(kind, fontsize=11)
    for ax in axes.ravel()[len(curves) :]:
        ax.set_visible(False)
    if lines:
        figure.suptitle(lines, fontsize=13, fontweight="bold")
    return figure
