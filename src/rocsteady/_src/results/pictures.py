"""How a result wants to be drawn: what goes where, as plain values. ``plots`` draws each kind, and nothing else.

A result declares ``_picture``, one of these kinds, and gets ``plot``. Everything drawn is a number of the result.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import format_count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.results.base import Origin

    Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Picture:
    """What all kinds share: the lines of the title, and what the horizontal axis shows."""

    title: tuple[str, ...]
    xlabel: str


@dataclass(frozen=True, slots=True)
class Line:
    """One estimate with its interval, NaN where there is none, and the values it is tested against.

    ``certain`` when the value lies between the limits for certain, which is no confidence interval.
    """

    label: str
    estimate: float
    low: float = math.nan
    high: float = math.nan
    nulls: tuple[float, ...] = ()
    certain: bool = False


@dataclass(frozen=True, slots=True)
class Forest(Picture):
    """Estimates below each other: dot, interval, reference line."""

    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar from ``start`` to ``stop``; ``shown`` is the number beside it."""

    label: str
    start: float
    stop: float
    shown: float


@dataclass(frozen=True, slots=True)
class Bars(Picture):
    """Signed numbers below each other, or the steps from one to another."""

    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Cells(Picture):
    """A table of counts, each coloured by its share of the row; those on the diagonal are right."""

    ylabel: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Paths(Picture):
    """Lines by name over the same abscissae; ``bands`` are the limits around some of them."""

    ylabel: str
    x: Array
    paths: dict[str, Array]
    bands: dict[str, tuple[Array, Array]] | None = None


@dataclass(frozen=True, slots=True)
class Histogram(Picture):
    """Values by name, each with weights or None, as shares of their sum; ``marks`` are places to point out."""

    values: dict[str, tuple[Array, Array | None]]
    marks: dict[str, float]


@dataclass(frozen=True, slots=True)
class Spot(Picture):
    """One point in a plane, with lines to both axes and a ``note``; ``level`` is a line to compare it with."""

    ylabel: str
    x: float
    y: float
    note: tuple[str, ...]
    reach: tuple[float, float] = (1.0, 1.0)
    diagonal: bool = False
    level: float | None = None


@dataclass(frozen=True, slots=True)
class Tail(Picture):
    """A chi-square statistic in its distribution under the hypothesis; the area beyond it is p."""

    statistic: float
    df: float


@dataclass(frozen=True, slots=True)
class Drawn(Picture):
    """A curve, under a ``name``."""

    curve: Any
    name: str


def source(origin: Origin | None, n_pos: Any = None, n_neg: Any = None) -> tuple[str, ...]:
    """What counts as positive, and the numbers of rows, as far as they are known."""
    known = [] if origin is None else [f"positive label {printable(repr(origin.pos_label), most=40)}"]
    if n_pos is not None and n_neg is not None:
        known.append(f"{format_count(n_pos)} positives, {format_count(n_neg)} negatives")
    return ("; ".join(known),) if known else ()


def line_of(label: str, found: Any) -> Line:
    """One line for an interval, or for a test with its hypothesis."""
    null = getattr(found, "null", None)
    nulls = () if null is None or math.isnan(found.estimate) else null if isinstance(null, tuple) else (null,)
    return Line(label, found.estimate, found.low, found.high, nulls)


def parts_of(name: str, total: Any, events: Any, nonevents: Any) -> tuple[Line, ...]:
    """A total and its parts among events and nonevents."""
    return line_of(name, total), line_of(f"{name}, events", events), line_of(f"{name}, nonevents", nonevents)
