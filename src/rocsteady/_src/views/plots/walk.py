"""Pictures of the ROC plane before there is a curve: the walk on its grid, and single points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, printable
from rocsteady._src.base.text import format_number, format_threshold
from rocsteady._src.results.displays import CurveDisplay, Display
from rocsteady._src.views.plots.paper import for_paper
from rocsteady._src.views.plots.static import new_axes
from rocsteady._src.views.plots.style import COLOURS

if TYPE_CHECKING:
    from rocsteady._src.results.walks import RocPoints, RocWalk

MOST_LINES = 60  # a finer grid is a grey square
MOST_SCORES = 30
CHANCE: dict[str, Any] = {"color": "0.55", "linestyle": (0, (4, 3)), "linewidth": 1.0, "zorder": 1}


@for_paper
def draw_walk(walk: RocWalk, ax: Any = None, *, steps: int | None = None, scores: bool = True) -> CurveDisplay:
    """Draw the grid, the walk up to a step, the area below it, and what the last step adds."""
    taken = walk.score.size if steps is None else steps
    if not 0 <= taken <= walk.score.size:
        raise ArgumentError("steps", f"the walk has {walk.score.size} steps, got {steps!r}")
    ax = new_axes(ax)
    x, y = (np.concatenate([[0.0], found[:taken]]) for found in (walk.fpr, walk.tpr))
    _grid(ax, walk)
    ax.fill_between(x, y, color=COLOURS[5], alpha=0.25, linewidth=0)
    if taken < walk.score.size:
        ax.fill_between(x[-2:], y[-2:], color=COLOURS[1], alpha=0.35, linewidth=0)
    reached = format_number(float(walk.area[:taken].sum()), 3)
    label = f"AUC {reached}" if taken == walk.score.size else f"{taken} steps, area so far {reached}"
    (line,) = ax.plot(x, y, color=COLOURS[0], linewidth=2.0, marker="o", markersize=4, label=label)
    if scores and taken <= MOST_SCORES:
        _name_steps(ax, walk, x, y)
    ax.set(xlabel="False positive rate", ylabel="True positive rate", xlim=(-0.03, 1.03), ylim=(-0.03, 1.09))
    ax.set(aspect="equal", title=f"A step right is 1/{walk.n_neg}, a step up is 1/{walk.n_pos}")
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(loc="lower right", frameon=False)
    return CurveDisplay(walk, ax, ax.figure, line, ax.plot([0, 1], [0, 1], **CHANCE)[0])


def _grid(ax: Any, walk: RocWalk) -> None:
    for count, draw in ((walk.n_neg, ax.axvline), (walk.n_pos, ax.axhline)):
        if count <= MOST_LINES and float(count).is_integer():
            for place in range(int(count) + 1):
                draw(place / count, color="0.85", linewidth=0.8, zorder=1)


def _name_steps(ax: Any, walk: RocWalk, x: Any, y: Any) -> None:
    """The score of every step beside its middle: left of a step up, above a step right."""
    for place in range(x.size - 1):
        middle = ((x[place] + x[place + 1]) / 2, (y[place] + y[place + 1]) / 2)
        up = x[place] == x[place + 1]
        offset, sides = ((5, 0), ("left", "center")) if up else ((0, 4), ("center", "bottom"))
        if not up and y[place] != y[place + 1]:
            offset, sides = (-4, 4), ("right", "bottom")
        text = format_threshold(float(walk.score[place]))
        options: dict[str, Any] = {"textcoords": "offset points", "ha": sides[0], "va": sides[1], "fontsize": 8}
        ax.annotate(text, middle, offset, **options)


@for_paper
def draw_points(points: RocPoints, ax: Any = None) -> Display:
    """Draw classifiers as named points over the diagonal."""
    ax = new_axes(ax)
    ax.plot([0, 1], [0, 1], **CHANCE)
    for place, (name, x, y) in enumerate(zip(points.names, points.fpr, points.tpr, strict=True)):
        ax.plot(x, y, "o", color=COLOURS[place % len(COLOURS)], markersize=8)
        shown = printable(name, most=30).replace("$", r"\$")
        left = x > 0.85
        options: dict[str, Any] = {"textcoords": "offset points", "va": "center", "ha": "right" if left else "left"}
        ax.annotate(shown, (x, y), (-8 if left else 8, 0), **options)
    ax.set(xlabel="False positive rate", ylabel="True positive rate", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    ax.set(aspect="equal", title="Classifiers without scores; dashed: chance")
    ax.grid(visible=True, color="0.92", linewidth=0.8)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    return Display(points, ax, ax.figure)
