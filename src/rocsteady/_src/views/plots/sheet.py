"""One sheet of static pictures: what the report shows, for paper."""

from __future__ import annotations

from functools import partial
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import require
from rocsteady._src.views.plots.static import draw_curve
from rocsteady._src.views.plots.style import line_style

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

CELL = (5.0, 5.1)  # inches: a square picture with its labels


def draw_sheet(
    curves: dict[str, dict[str, Any]], *titles: str, more: Mapping[str, Callable[[Any], object]] | None = None
) -> Any:
    """Draw kinds of curves side by side, each for all models; ``curves[kind][model]`` is a curve.

    ``more`` draws what is no such curve, each on the Axes it is given.
    """
    pyplot = require("matplotlib.pyplot", extra="plots", purpose="a report as a picture")
    drawn = {kind: partial(_draw_all, models) for kind, models in curves.items()} | dict(more or {})
    columns = min(2, len(drawn))
    rows = -(-len(drawn) // columns)
    lines = "\n".join(line for title in titles if title for line in wrap(title, 48 * columns))
    height = CELL[1] * rows + (0.2 + 0.25 * len(lines.splitlines()) if lines else 0)
    size = (CELL[0] * columns, height)
    figure, axes = pyplot.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False)
    figure.get_layout_engine().set(w_pad=0.12, h_pad=0.12, hspace=0.02, wspace=0.02)
    for (kind, draw), ax in zip(drawn.items(), axes.ravel(), strict=False):
        draw(ax)
        ax.set_title(kind, fontsize=11)
    for ax in axes.ravel()[len(drawn) :]:
        ax.set_visible(False)
    if lines:
        figure.suptitle(lines, fontsize=13, fontweight="bold")
    return figure


def _draw_all(models: dict[str, Any], ax: Any) -> None:
    for place, (name, curve) in enumerate(models.items()):
        draw_curve(curve, ax, name=name, **line_style(place))
