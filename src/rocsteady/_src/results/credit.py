"""How far scores have moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.text import format_number
from rocsteady._src.results.base import Result
from rocsteady._src.results.pictures import Bar, Bars

if TYPE_CHECKING:
    from rocsteady._src.base.frames import Table


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
