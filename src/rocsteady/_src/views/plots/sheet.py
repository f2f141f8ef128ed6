"""One sheet of static pictures: what the report shows, for paper."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import require
from rocsteady._src.views.plots.labels import CURVE, MOST_DIRECT, name_lines
from rocsteady._src.views.plots.static import add_curve
from rocsteady._src.views.plots.style import line_style

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

CELL = (5.0, 5.1)  # inches: a square picture with its labels
LETTERS = 46  # of a title over one picture


def draw_sheet(
    curves: dict[str, dict[str, Any]], *titles: str, more: Mapping[str, Callable[[Any], object]] | None = None
) -> Any:
    """Draw kinds of curves side by side, each for all models; ``curves[kind][model]`` is a curve.

    ``more`` draws what is no such curve, each on the Axes it is given; two of the curves come first, the others last.
    Lines are named when all are drawn; many models once, below.
    """
    pyplot = require("matplotlib.pyplot", extra="plots", purpose="a report as a picture")
    kinds = {kind: partial(_draw_all, models) for kind, models in curves.items()}
    drawn: dict[str, Callable[[Any], object]] = dict(list(kinds.items())[:2]) | dict(more or {}) | kinds
    columns = min(2, len(drawn))
    rows = -(-len(drawn) // columns)
    lines = "\n".join(line for title in titles if title for line in wrap(title, LETTERS * columns))
    height = CELL[1] * rows + (0.2 + 0.25 * len(lines.splitlines()) if lines else 0)
    size = (CELL[0] * columns, height)
    figure, axes = pyplot.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False)
    figure.get_layout_engine().set(w_pad=0.12, h_pad=0.12, hspace=0.02, wspace=0.02)
    if lines:
        figure.suptitle(lines, fontsize=13, fontweight="bold")
    for (kind, draw), ax in zip(drawn.items(), axes.ravel(), strict=False):
        draw(ax)
        ax.set_title("\n".join(wrap(kind, LETTERS + 8)), fontsize=11)
    for ax in axes.ravel()[len(drawn) :]:
        ax.set_visible(False)
    _name_all(figure, list(axes.ravel()[: len(drawn)]))
    return figure


def _draw_all(models: dict[str, Any], ax: Any) -> None:
    for place, (name, curve) in enumerate(models.items()):
        add_curve(curve, ax, name=name, **line_style(place))


def _name_all(figure: Any, axes: list[Any]) -> None:
    models = [line for line in axes[0].lines if line.get_gid() == CURVE]
    many = len(models) > MOST_DIRECT
    if many:
        columns = 3 if max(len(line.get_label()) for line in models) < 34 else 2
        legend = figure.legend(handles=models, loc="outside lower center", ncols=columns, frameon=False)
        figure.set_figheight(figure.get_figheight() + legend.get_window_extent().height / figure.dpi)
    with _in_place(figure):
        for ax in axes:
            if ax.get_legend_handles_labels()[0]:
                name_lines(ax, curves=not many)


@contextmanager
def _in_place(figure: Any) -> Iterator[None]:
    """Let the layout find its place once: names stand inside their pictures and move none, and a layout takes long."""
    engine = figure.get_layout_engine()
    engine.execute(figure)
    figure.set_layout_engine("none")
    yield
    figure.set_layout_engine(engine)
