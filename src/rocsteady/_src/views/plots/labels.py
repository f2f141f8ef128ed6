"""Names in a picture: beside their lines where these lie far enough apart, in a legend otherwise."""

from __future__ import annotations

import math
import textwrap
from itertools import product
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from rocsteady._src.base.errors import printable
from rocsteady._src.views.plots.places import ground_of, settle
from rocsteady._src.views.plots.style import readable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from rocsteady._src.views.plots.places import Ground

# What lines are: of a model, the chance level, or another mark that no model owns.
CURVE, CHANCE, MARK, LABEL, OWN_FIGURE = "curve", "chance", "mark", "label", "rocsteady"
MOST_DIRECT = 5
WIDE, NARROW, LONGEST = 30, 20, 60  # letters in a line of a name, in a narrow one, and in a name
HIDDEN = 2  # points of lines that a legend may cover
GROWN: WeakKeyDictionary[Any, float] = WeakKeyDictionary()  # inches by which figures grew for a legend
CORNERS = {
    "lower right": (1, 0), "upper right": (1, 1), "upper left": (0, 1), "lower left": (0, 0),
    "center right": (1, 0.5), "center left": (0, 0.5), "lower center": (0.5, 0), "upper center": (0.5, 1),
}  # fmt: skip


def shown_name(name: object) -> str:
    """A name that matplotlib takes as it is, in lines short enough for a picture: a $ would start TeX."""
    return "\n".join(textwrap.wrap(printable(name, most=LONGEST), WIDE)).replace("$", r"\$")


def name_lines(ax: Any, *, curves: bool = True) -> None:
    """Name all lines of the Axes, anew where more were drawn; those of models unless they are named elsewhere."""
    _clear(ax)
    ground = ground_of(ax)
    models, references = ([line for line in ax.lines if line.get_gid() in kind] for kind in ((CURVE,), (CHANCE, MARK)))
    named = [line for line in models if _is_named(line)]
    done = named if not curves else _beside(ax, ground, named) if len(named) <= MOST_DIRECT else []
    ground = _legend(ax, ground, [*done, *references])
    found = [line for line in references if _is_named(line) and _beside(ax, ground, [line])]
    if [line for line in references if _is_named(line) and line not in found]:
        _clear(ax, texts=False)
        _legend(ax, ground_of(ax), [*done, *found])


def _clear(ax: Any, *, texts: bool = True) -> None:
    for text in [text for text in ax.texts if texts and text.get_gid() == LABEL]:
        text.remove()
    if ax.get_legend() is not None:
        ax.get_legend().remove()
    figure = ax.figure
    if figure in GROWN:
        figure.set_figheight(figure.get_figheight() - GROWN.pop(figure))
        settle(ax)


def _is_named(line: Any) -> bool:
    return not str(line.get_label()).startswith("_")


def _beside(ax: Any, ground: Ground, lines: Sequence[Any]) -> list[Any]:
    """Write the name of each line beside it, in one line or two, if there is room for all; which were named."""
    texts = {line: _text(ax, line) for line in lines}
    shapes: tuple[Callable[[str], str], ...] = (str, _narrow)
    for size, shape in product((_letters(), "small"), shapes):
        for line, text in texts.items():
            text.set(text=shape(line.get_label()), fontsize="small" if line.get_gid() != CURVE else size)
        boxes = ground.arrange({line: _size(text) for line, text in texts.items()})
        if boxes:
            break
    for line, text in texts.items():
        if line in boxes:
            text.set_position(ax.transData.inverted().transform((boxes[line][:2] + boxes[line][2:]) / 2))
        else:
            text.remove()
    return list(boxes)


def _narrow(label: str) -> str:
    """The area below the name, and names in short lines."""
    name, bracket, area = label.rpartition(" (")
    name, area = (name, f"\n({area}") if bracket else (label, "")
    return "\n".join(textwrap.wrap(name, NARROW, break_long_words=False)) + area


def _text(ax: Any, line: Any) -> Any:
    from matplotlib.patheffects import withStroke

    face = ax.get_facecolor()
    return ax.text(
        0.5, 0.5, line.get_label(), gid=LABEL, ha="center", va="center", multialignment="center", zorder=5,
        color=readable(line.get_color(), face),
        path_effects=[withStroke(linewidth=2.5, foreground=face)],
    )  # fmt: skip


def _letters() -> Any:
    from matplotlib import rcParams

    return rcParams["legend.fontsize"]


def _size(text: Any) -> tuple[float, float]:
    box = text.get_window_extent()
    return float(box.width), float(box.height)


def _legend(ax: Any, ground: Ground, done: Sequence[Any]) -> Ground:
    """Make a legend of what was not named yet, where it hides least; below the picture where it would hide much."""
    handles = _handles(ax, done)
    if not handles:
        return ground
    tried: list[tuple[float, int, dict[str, Any]]] = []
    for letters, columns in product((_letters(), "small"), (1, 2, 3)):
        options = {"ncols": columns, "fontsize": letters, "framealpha": 0.85, "edgecolor": "none", "borderaxespad": 0.2}
        legend = ax.legend(handles=handles, loc="lower right", **options)
        size = np.array(_size(legend))
        boxes = {loc: _corner(ground.edge, size, np.array(corner)) for loc, corner in CORNERS.items()}
        hidden = {loc: ground.covered(box) for loc, box in boxes.items()}
        best = min(hidden, key=lambda loc: hidden[loc])
        outside = 10**6 if (size > ground.edge[2:] - ground.edge[:2]).any() else 0
        tried.append((hidden[best] + outside, len(tried), options | {"loc": best}))
        if tried[-1][0] <= HIDDEN:
            break
    fewest, _, options = min(tried, key=lambda each: each[:2])
    if fewest > HIDDEN and ax.figure.get_gid() == OWN_FIGURE:
        _below(ax, handles)
        return ground_of(ax)
    legend = ax.legend(handles=handles, **options)
    ground.taken.append(np.array(legend.get_window_extent().extents))
    return ground


def _handles(ax: Any, done: Sequence[Any]) -> list[Any]:
    """What a legend has to name: curves first, and what several share once."""
    left = [(handle, label) for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)]
    left = [(handle, label) for handle, label in left if not any(handle is each for each in done)]
    curves = [handle for handle, _ in left if getattr(handle, "get_gid", str)() == CURVE]
    rest = {label: handle for handle, label in left if not any(handle is each for each in curves)}
    return [*curves, *rest.values()]


def _corner(edge: NDArray[Any], size: NDArray[Any], corner: NDArray[Any]) -> NDArray[Any]:
    start = edge[:2] + corner * (edge[2:] - edge[:2] - size)
    return np.concatenate([start, start + size])


def _below(ax: Any, handles: Sequence[Any]) -> None:
    """A legend under a figure of our own, which grows by its height."""
    figure = ax.figure
    one = ax.legend(handles=handles, frameon=False)
    columns = max(1, min(len(handles), int(figure.bbox.width / max(one.get_window_extent().width, 1.0))))
    below = ax.xaxis.get_tightbbox()
    start = (below.y0 - ax.bbox.y0) / ax.bbox.height if below is not None else -0.1
    options = {"loc": "upper center", "bbox_to_anchor": (0.5, start - 0.02), "frameon": False, "borderaxespad": 0.0}
    legend = ax.legend(handles=handles, ncols=columns, **options)
    GROWN[figure] = math.ceil(legend.get_window_extent().height) / figure.dpi + 0.05
    figure.set_figheight(figure.get_figheight() + GROWN[figure])
    settle(ax)
