"""Tables that credit scoring knows: lift by tenths of the scores, and how far scores have moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import format_level, format_number
from rocsteady._src.results.base import DIRECTION, Result
from rocsteady._src.results.pictures import Bar, Bars, Forest, Line, Paths, source

if TYPE_CHECKING:
    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.base import Origin

VINTAGE = ("period", "age", "n", "positives", "rate", "low", "high")
LIFT = ("band", "from_score", "to_score", "n", "positives", "rate", "low", "high", "lift", "gain", "ks")


@dataclass(frozen=True, slots=True, eq=False)
class LiftTable(Result):
    """Bands of rows from the highest scores down: how many are positive, and how much more often than among all.

    ``rate`` with ``low`` and ``high`` (Wilson) is the share of positives in a band, ``lift`` that over the share among
    all; ``gain`` is the share of all positives down to the band's end, a point of the gains (CAP) curve, and ``ks`` the
    distance of the shares of positives and negatives there.

    Examples
    --------
    >>> import rocsteady as rs
    >>> table = rs.examples.loans(400)
    >>> found = rs.monitoring.lift_table(table["defaulted"], table["boosted"], bins=4)
    >>> found.positives.tolist(), found.gain.round(2).tolist()
    ([40, 8, 1, 0], [0.82, 0.98, 1.0, 1.0])
    """

    band: Any
    from_score: Any
    to_score: Any
    n: Any
    positives: Any
    rate: Any
    low: Any
    high: Any
    lift: Any
    gain: Any
    ks: Any
    level: float
    n_pos: Any
    n_neg: Any
    origin: Origin

    def _columns(self) -> Table:
        return {name: list(getattr(self, name)) for name in LIFT}

    def notes(self) -> list[str]:
        """Rows, the positive label, the direction of scores and the level."""
        return [
            f"{rows_told(self)}; {DIRECTION}{self.origin.dropped}",
            f"rates with ends at {format_level(self.level)}",
        ]

    def _picture(self) -> Forest:
        rows = zip(self.band, self.rate, self.low, self.high, strict=True)
        lines = tuple(Line(f"band {band}", float(rate), float(low), float(high)) for band, rate, low, high in rows)
        title = ("Share of positives by band of scores", *source(self.origin, self.n_pos, self.n_neg))
        return Forest(title, "Share of positives", lines)


def rows_told(found: Any) -> str:
    """Rows, and which label is positive."""
    rows = found.origin.sizes(found.n_pos, found.n_neg)
    return f"{rows}; positive label {printable(found.origin.pos_label)}"


@dataclass(frozen=True, slots=True, eq=False)
class VintageTable(Result):
    """By period and age, in days: rows, those known to be positive by then, and their share with its ends (Wilson).

    Every row of a period has reached an age that has a line.

    Examples
    --------
    >>> import rocsteady as rs
    >>> loans = {"bad": [1, 0, 0, 1], "granted": [1, 2, 3, 4], "known": [20, None, None, 50]}
    >>> found = rs.monitoring.vintage_table(loans, label="bad", day="granted", arrived="known", every=30, today=100)
    >>> found.rate.tolist()
    [0.25, 0.5]
    """

    period: tuple[str, ...]
    age: Any
    n: Any
    positives: Any
    rate: Any
    low: Any
    high: Any
    every: int
    today: str
    level: float
    n_pos: Any
    n_neg: Any
    origin: Origin

    def _columns(self) -> Table:
        return {name: list(getattr(self, name)) for name in VINTAGE}

    def notes(self) -> list[str]:
        """Rows, the positive label, until when labels are known."""
        told = f"known by {self.today}; rows that are not known to be positive count as not positive yet"
        return [f"{rows_told(self)}; {told}", f"rates with ends at {format_level(self.level)}, of each line by itself"]

    def _picture(self) -> Paths:
        ages = sorted_ages(self.age)
        paths = {name: np.full(len(ages), np.nan) for name in dict.fromkeys(self.period)}
        for name, age, rate in zip(self.period, self.age, self.rate, strict=True):
            paths[name][ages.index(int(age))] = rate
        title = ("Share known to be positive, by period", *source(self.origin, self.n_pos, self.n_neg))
        return Paths(title, "Age in days", "Share of rows", np.array(ages), paths)


def sorted_ages(age: Any) -> list[int]:
    """The ages that occur: steps up to the largest, of the oldest period, which has them all."""
    step = int(np.min(age))
    return list(range(step, int(np.max(age)) + 1, step))


@dataclass(frozen=True, slots=True, eq=False)
class StabilityIndex(Result):
    """Population stability index, by bins of the reference: the sum of what each bin ``adds``.

    It has no error probability and grows as rows get few: of unchanged scores its mean is about
    (bins - 1) (1/n + 1/m), the ``expected``. ``pvalue`` is that of a two-sample Kolmogorov-Smirnov test.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(1)
    >>> found = rs.monitoring.stability_index(rng.normal(size=5000), rng.normal(0.3, 1, 5000))
    >>> round(found.index, 3), found.pvalue < 1e-6
    (0.098, True)
    """

    index: float
    expected: float
    pvalue: float
    from_score: Any
    to_score: Any
    reference_share: Any
    share: Any
    adds: Any
    n_reference: int
    n: int

    def __str__(self) -> str:
        told = f"about {format_number(self.expected)} is expected of unchanged scores"
        return f"PSI {format_number(self.index)}; {told}; Kolmogorov-Smirnov p {format_number(self.pvalue, 3)}"

    def _columns(self) -> Table:
        names = ("from_score", "to_score", "reference_share", "share", "adds")
        return {name: list(getattr(self, name)) for name in names}

    def _picture(self) -> Bars:
        bars = tuple(
            Bar(f"bin {place}", 0.0, float(adds), float(adds)) for place, adds in enumerate(self.adds, start=1)
        )
        return Bars((str(self),), "What each bin adds to the index", bars)
