"""Results that are not curves as pictures: each kind a result can declare, drawn in one place."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.binning import counting_edges
from rocsteady._src.base.geometry import thin
from rocsteady._src.base.text import format_count, format_number, format_share
from rocsteady._src.results.displays import RecordDisplay
from rocsteady._src.results.pictures import Bars, Cells, Drawn, Forest, Histogram, Paths, Picture, Spot, Tail
from rocsteady._src.views.plots.forest import (
    REFERENCE,
    draw_bars,
    draw_forest,
    dress,
    shown_text,
    wrapped,
)
from rocsteady._src.views.plots.labels import CURVE, MARK, name_lines, shown_name
from rocsteady._src.views.plots.paper import for_paper
from rocsteady._src.views.plots.reclassification import rectangle
from rocsteady._src.views.plots.static import DRAWN_DEVIATION, draw_curve, draw_diagonal, new_axes
from rocsteady._src.views.plots.style import COLOURS, LINE_WIDTH, NEGATIVES, POSITIVES, line_style

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocsteady._src.results.displays import CurveDisplay

    Array = NDArray[Any]

N_BINS = 40
RIGHT, WRONG = COLOURS[0], COLOURS[1]


@for_paper
def draw_record(record: Any, picture: Picture, ax: Any = None) -> RecordDisplay | CurveDisplay:
    """Draw a result as the kind of picture it declares."""
    return DRAWN_BY[type(picture)](record, picture, ax)


def draw_cells(record: Any, picture: Cells, ax: Any) -> RecordDisplay:
    """Draw a table of counts with their shares of the row; depth of colour is the share."""
    ax = new_axes(ax, (4.4, 4.2))
    shown = RecordDisplay(record, ax, ax.figure)
    counts = np.asarray(picture.counts)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = counts / counts.sum(axis=1, keepdims=True)
    for row, column in np.ndindex(*counts.shape):
        share = shares[row, column]
        depth = 0.08 + 0.62 * (0.0 if np.isnan(share) else float(share))
        patch = rectangle(column, row, RIGHT if row == column else WRONG, depth)
        shown.bars_.append(ax.add_patch(patch))
        text = f"{format_count(counts[row, column])}\n{'undefined' if np.isnan(share) else format_share(share)}"
        shown.dots_.append(ax.text(column, row, text, ha="center", va="center", fontsize="large"))
    size = counts.shape
    ax.set(xlim=(-0.5, size[1] - 0.5), ylim=(size[0] - 0.5, -0.5), ylabel=picture.ylabel, aspect="equal")
    ax.set_xticks(range(size[1]), picture.columns)
    ax.set_yticks(range(size[0]), picture.rows, rotation=90, va="center")
    ax.tick_params(length=0)
    _dress_plane(ax, picture)
    ax.grid(visible=False)
    ax.spines[:].set_visible(False)
    return shown


def draw_paths(record: Any, picture: Paths, ax: Any) -> RecordDisplay:
    """Draw lines over the same abscissae, where these are finite."""
    ax = new_axes(ax, (6.0, 4.2))
    shown = RecordDisplay(record, ax, ax.figure)
    finite = np.isfinite(picture.x)
    x = picture.x[finite]
    for place, (name, path) in enumerate(picture.paths.items()):
        y = path[finite]
        kept = thin(_to_unit(x), _to_unit(y), DRAWN_DEVIATION)
        style = line_style(place) | {"linewidth": LINE_WIDTH, "label": shown_name(name), "gid": CURVE}
        shown.bars_ += ax.plot(x[kept], y[kept], **style)
        if name in (picture.bands or {}):
            low, high = (end[finite] for end in (picture.bands or {})[name])
            ax.fill_between(x, low, high, color=line_style(place)["color"], alpha=0.15, linewidth=0)
    ax.set_ylabel(shown_text(picture.ylabel))
    _dress_plane(ax, picture)
    name_lines(ax)
    return shown


def draw_histogram(record: Any, picture: Histogram, ax: Any) -> RecordDisplay:
    """Draw shares of values in bars of equal width, with marks."""
    ax = new_axes(ax, (6.0, 3.6))
    shown = RecordDisplay(record, ax, ax.figure)
    groups = {name: _finite(*group) for name, group in picture.values.items()}
    everything = [*(values for values, _ in groups.values() if values.size)]
    if everything:
        ends = min(float(each.min()) for each in everything), max(float(each.max()) for each in everything)
        edges = np.histogram_bin_edges(np.array(ends), N_BINS, ends)
        shown.bars_ = [_outline(ax, group, edges, name, place) for place, (name, group) in enumerate(groups.items())]
    else:
        _say(ax, "nothing finite to draw")
    for place, (name, value) in enumerate(picture.marks.items()):
        style = REFERENCE | {"color": COLOURS[1] if name == "observed" else "0.25", "zorder": 4}
        style |= {"linestyle": ("-", (0, (4, 3)), ":")[place % 3], "label": f"{name} {format_number(value)}"}
        style |= {"gid": MARK}
        shown.references_.append(ax.axvline(value, **style) if math.isfinite(value) else None)
    ax.set_ylabel("Share")
    _dress_plane(ax, picture)
    ax.locator_params(axis="x", nbins=6)
    name_lines(ax)
    return shown


def draw_spot(record: Any, picture: Spot, ax: Any) -> RecordDisplay:
    """Draw one point with lines to both axes and what is known about it."""
    ax = new_axes(ax, (5.2, 5.0) if picture.diagonal else (6.0, 4.0))
    shown = RecordDisplay(record, ax, ax.figure)
    x, y, reach = picture.x, picture.y, picture.reach
    right = reach[0] if math.isfinite(reach[0]) and reach[0] > 0 else 1.0
    if picture.diagonal:
        shown.references_.append(draw_diagonal(ax))
    if picture.level is not None and math.isfinite(picture.level):
        label = f"level {format_number(picture.level)}"
        shown.references_.append(ax.axhline(picture.level, gid=MARK, label=label, **REFERENCE))
    if math.isfinite(x) and math.isfinite(y):
        shown.bars_ += ax.plot([x, x, 0], [0, y, y], color=COLOURS[0], linewidth=1.0, alpha=0.6)
        shown.dots_ += ax.plot(x, y, "o", color=COLOURS[0], markersize=8, clip_on=False, zorder=3)
    else:
        shown.dots_.append(None)
        _say(ax, "undefined")
    ax.set(xlim=(-0.02 * right, 1.02 * right), ylim=(-0.02, 1.02 * reach[1]), ylabel=shown_text(picture.ylabel))
    if picture.diagonal:
        ax.set_aspect("equal")
    _note(ax, picture)
    _dress_plane(ax, picture)
    name_lines(ax)
    return shown


def draw_tail(record: Any, picture: Tail, ax: Any) -> RecordDisplay:
    """Draw the chi-square distribution with the statistic; the filled part is p."""
    ax = new_axes(ax, (6.0, 3.2))
    shown = RecordDisplay(record, ax, ax.figure)
    statistic, df = picture.statistic, picture.df
    right = max(statistic * 1.15, df + 5 * math.sqrt(2 * df))
    x = np.linspace(right / 2000, right, 2000)
    density = np.exp((df / 2 - 1) * np.log(x / 2) - x / 2 - math.lgamma(df / 2)) / 2
    beyond = x >= statistic
    shown.bars_.append(ax.fill_between(x[beyond], density[beyond], color=WRONG, alpha=0.5, linewidth=0))
    ax.plot(x, density, color=COLOURS[0], linewidth=1.6)
    style: dict[str, Any] = {"color": WRONG, "linewidth": 1.6, "gid": MARK}
    shown.references_.append(ax.axvline(statistic, label=f"observed {format_number(statistic)}", **style))
    # With one degree of freedom the density has no top.
    top = float(density[x >= min(0.25, statistic or 0.25)].max()) if df < 2 else float(density.max())
    ax.set(xlim=(0, right), ylim=(0, 1.08 * top), ylabel="Density")
    _dress_plane(ax, picture)
    name_lines(ax)
    return shown


def draw_drawn(_: Any, picture: Drawn, ax: Any) -> CurveDisplay:
    """Draw a curve under a title."""
    display = draw_curve(picture.curve, ax, name=picture.name)
    display.ax_.set_title("\n".join(wrapped(picture.title)), fontsize="medium")
    return display


DRAWN_BY: dict[type[Picture], Callable[..., RecordDisplay | CurveDisplay]] = {
    Forest: draw_forest,
    Bars: draw_bars,
    Cells: draw_cells,
    Paths: draw_paths,
    Histogram: draw_histogram,
    Spot: draw_spot,
    Tail: draw_tail,
    Drawn: draw_drawn,
}


def _dress_plane(ax: Any, picture: Picture) -> None:
    dress(ax, picture)
    ax.grid(visible=True, color="0.92", linewidth=0.8)
    ax.set_axisbelow(True)


def _say(ax: Any, text: str) -> None:
    ax.text(0.5, 0.5, text, transform=ax.transAxes, ha="center", va="center", color="0.4")


def _note(ax: Any, picture: Spot) -> None:
    """What is known about the point, in a corner away from it and from its lines."""
    high, left = not (picture.y > 0.45 * picture.reach[1]), picture.x > 0.55 * picture.reach[0]
    up = {"y": 0.97, "va": "top"} if high else {"y": 0.03 if picture.level is None else 0.12, "va": "bottom"}
    aside = {"x": 0.05, "ha": "left"} if left else {"x": 0.97, "ha": "right"}
    box = {"facecolor": "white", "edgecolor": "none", "alpha": 0.85}
    text = "\n".join(wrapped(picture.note, 44))
    ax.text(s=text, transform=ax.transAxes, fontsize="small", color="0.2", bbox=box, zorder=4, **up, **aside)


def _finite(values: Array, weights: Array | None) -> tuple[Array, Array | None]:
    kept = np.isfinite(values)
    return values[kept], None if weights is None else weights[kept]


def _outline(ax: Any, group: tuple[Array, Array | None], edges: Array, name: str, place: int) -> Any:
    values, weights = group
    heights, _ = np.histogram(values, counting_edges(edges, float(np.abs(edges).max())), weights=weights)
    heights = heights / (heights.sum() or 1)
    colour = (NEGATIVES, POSITIVES)[place % 2]
    return ax.stairs(heights, edges, fill=True, color=colour, alpha=0.6, label=shown_text(name))


def _to_unit(values: Array) -> Array:
    """Moved and scaled to between 0 and 1."""
    values = np.asarray(values, dtype=float)  # days are whole numbers, which have no infinity
    low = values.min(initial=np.inf)
    width = values.max(initial=-np.inf) - low
    scaled: Array = (values - low) / (width if width > 0 else 1.0)
    return scaled
