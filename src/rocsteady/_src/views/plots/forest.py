"""Numbers below each other: estimates with their intervals, and signed bars."""

from __future__ import annotations

import math
import re
import textwrap
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import format_interval, number_words
from rocsteady._src.results.differences import shortened
from rocsteady._src.results.displays import RecordDisplay
from rocsteady._src.views.plots.paper import ON_PAPER
from rocsteady._src.views.plots.static import new_axes
from rocsteady._src.views.plots.style import COLOURS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rocsteady._src.results.pictures import Bars, Forest, Line, Picture

REFERENCE: dict[str, Any] = {"color": "0.55", "linestyle": (0, (4, 3)), "linewidth": 1.0, "zorder": 1}
WIDE = 6.4
ROW, CLOSE_ROW, CLOSE_FROM = 0.34, 0.19, 15  # inches of a row, of one among many, and from how many on
MOST_ROWS = 60
TITLE_WIDTH = 62  # letters over a figure of that width, beside the labels


def draw_forest(record: Any, picture: Forest, ax: Any) -> RecordDisplay:
    """Draw each estimate as a dot on its interval, with its hypothesis and, to the right, its numbers."""
    lines = picture.lines[:MOST_ROWS]
    left = len(picture.lines) - len(lines)
    if left:
        picture = replace(picture, title=(*picture.title, f"the first {MOST_ROWS} of {len(picture.lines)} lines"))
    ax = rows_axes(ax, wrapped([*picture.title, picture.xlabel]), [line.label for line in lines])
    shown = RecordDisplay(record, ax, ax.figure)
    span = _span(number for line in lines for number in (line.estimate, line.low, line.high, *line.nulls))
    ax.set_xlim(*span)
    for place, line in enumerate(lines):
        shown.bars_.append(_interval(ax, place, line, span))
        shown.dots_.append(_dot(ax, place, line.estimate))
        shown.references_ += [_reference(ax, place, null) for null in line.nulls if math.isfinite(null)]
    _dress_rows(ax, [line.label for line in lines], [_numbers(line) for line in lines])
    dress(ax, picture)
    return shown


def draw_bars(record: Any, picture: Bars, ax: Any) -> RecordDisplay:
    """Draw each number as a bar, those to the left of where they start in another colour."""
    ax = rows_axes(ax, wrapped([*picture.title, picture.xlabel]), [bar.label for bar in picture.bars])
    shown = RecordDisplay(record, ax, ax.figure)
    ax.set_xlim(*_span((0.0, *(end for bar in picture.bars for end in (bar.start, bar.stop)))))
    for place, bar in enumerate(picture.bars):
        known = math.isfinite(bar.start) and math.isfinite(bar.stop)
        colour = COLOURS[0] if bar.stop >= bar.start else COLOURS[1]
        length = bar.stop - bar.start
        drawn = ax.barh(place, length, left=bar.start, height=0.55, color=colour)[0] if known else None
        shown.bars_.append(drawn)
    shown.references_.append(ax.axvline(0, color="0.3", linewidth=0.8))
    _dress_rows(ax, [bar.label for bar in picture.bars], [number_words(bar.shown) for bar in picture.bars])
    dress(ax, picture)
    return shown


def dress(ax: Any, picture: Picture) -> None:
    """Title and axis label, in lines short enough for the figure."""
    ax.set_title("\n".join(wrapped(picture.title)), fontsize="medium")
    ax.set_xlabel("\n".join(wrapped([picture.xlabel])))
    ax.spines[["top", "right"]].set_visible(False)


def wrapped(lines: Iterable[str], width: int = TITLE_WIDTH) -> list[str]:
    """Text broken into lines that fit; type on paper is smaller, but less than the figure is."""
    width = round(0.8 * width) if ON_PAPER.get() else width
    return [piece for line in lines for piece in _pieces(shown_text(line, 300), width)]


def _pieces(text: str, width: int) -> list[str]:
    """Lines of text, with no break in ``Holm p = 0.04``."""
    kept = re.sub(r" (p )?(>=|=|<) ", lambda found: found[0].replace(" ", "\N{NO-BREAK SPACE}"), text)
    return textwrap.wrap(kept, width, break_on_hyphens=False)


def shown_text(text: str, most: int = 120) -> str:
    """Text that matplotlib takes as it is: a $ would start TeX."""
    return printable(text, most=most).replace("$", r"\$")


def _numbers(line: Line) -> str:
    if math.isnan(line.low) and math.isnan(line.high):
        return number_words(line.estimate)
    return format_interval(line.estimate, line.low, line.high)


def rows_axes(ax: Any, words: Sequence[str], labels: Sequence[str]) -> Any:
    """Axes for rows with these names; many of them lie closer, so that the picture fits a screen."""
    # On paper everything shrinks more than the type, so the rows and the title need more room.
    room = 1.25 if ON_PAPER.get() else 1.0
    lines = max((len(label.splitlines()) for label in row_names(labels)), default=1)
    row = CLOSE_ROW if len(labels) > CLOSE_FROM else max(ROW, 0.05 + 0.17 * lines)
    high = max(ROW * min(len(labels), CLOSE_FROM), row * len(labels))
    return new_axes(ax, (WIDE, room * (0.55 + 0.2 * len(words) + high)))


def label_rows(ax: Any, labels: Sequence[str]) -> None:
    """Names to the left of rows, counted from above."""
    many = len(labels) > CLOSE_FROM
    ax.set_yticks(range(len(labels)), row_names(labels), fontsize="small" if many else None)
    ax.set_ylim(len(labels) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)


def row_names(labels: Sequence[str]) -> list[str]:
    """Names as a picture has room for them: in two lines, of many rows in one."""
    if len(labels) > CLOSE_FROM:
        return [shown_text(shortened(label, 44)) for label in labels]
    return ["\n".join(wrapped([shortened(label, 38 if ON_PAPER.get() else 56)], 30)) for label in labels]


def _span(numbers: Iterable[float]) -> tuple[float, float]:
    """Ends of the axis: room around all that is finite."""
    finite = [each for each in numbers if math.isfinite(each)] or [0.0, 1.0]
    low, high = min(finite), max(finite)
    room = 0.06 * (high - low) or 0.1 * abs(high) or 1.0
    return low - room, high + room


def _interval(ax: Any, place: int, line: Line, span: tuple[float, float]) -> Any:
    """A bar between the limits, with an arrow towards an infinite one."""
    if math.isnan(line.low) or math.isnan(line.high):
        return None
    low, high = max(line.low, span[0]), min(line.high, span[1])
    # What is certain ends hard; a confidence interval is one broad stroke.
    ends = {"linewidth": 1.0, "marker": "|", "markersize": 13, "markeredgewidth": 1.8} if line.certain else {}
    style = {"color": COLOURS[0], "linewidth": 2.0, "solid_capstyle": "butt"} | ends
    (bar,) = ax.plot([low, high], [place, place], **style)
    for limit, marker in ((line.low, "<"), (line.high, ">")):
        if math.isinf(limit):
            ax.plot(min(max(limit, low), high), place, marker, color=COLOURS[0], clip_on=False)
    return bar


def _dot(ax: Any, place: int, estimate: float) -> Any:
    if not math.isfinite(estimate):
        return None
    return ax.plot(estimate, place, "o", color=COLOURS[0], markersize=6, zorder=3)[0]


def _reference(ax: Any, place: int, null: float) -> Any:
    return ax.plot([null, null], [place - 0.5, place + 0.5], **REFERENCE)[0]


def _dress_rows(ax: Any, labels: Sequence[str], numbers: Sequence[str]) -> None:
    label_rows(ax, labels)
    for place, text in enumerate(numbers):
        ax.annotate(
            text, (1, place), (8, 0), xycoords=ax.get_yaxis_transform(), textcoords="offset points", va="center",
            fontsize="small" if len(labels) <= CLOSE_FROM else "x-small", color="0.4" if text == "undefined" else "0.1",
        )  # fmt: skip
    ax.locator_params(axis="x", nbins=5)
    ax.spines["left"].set_visible(False)
    ax.grid(visible=True, axis="x", color="0.92", linewidth=0.8)
    ax.set_axisbelow(True)
