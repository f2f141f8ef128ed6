"""Tables that credit scoring knows: lift by tenths of the scores, and how far scores have moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.text import format_number
from rocsteady._src.results.base import Result
from rocsteady._src.results.pictures import Bar, Bars, Forest, Line, source

if TYPE_CHECKING:
    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.base import Origin

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

    def _picture(self) -> Forest:
        rows = zip(self.band, self.rate, self.low, self.high, strict=True)
        lines = tuple(Line(f"band {band}", float(rate), float(low), float(high)) for band, rate, low, high in rows)
        title = ("Share of positives by band of scores", *source(self.origin, self.n_pos, self.n_neg))
        return Forest(title, "Share of positives", lines)


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
