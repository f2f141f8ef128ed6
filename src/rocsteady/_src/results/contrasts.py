"""Several AUCs with their covariance matrix, and contrasts of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.text import format_count, format_digits, format_interval, format_level, format_setting, p_words
from rocsteady._src.results.base import Origin, Result
from rocsteady._src.results.pictures import Forest, Line, source
from rocsteady._src.results.remarks import noted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.remarks import Remark

    Array = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class AucContrasts(Result):
    """AUCs of several models, their covariance matrix, and linear contrasts of them.

    ``statistic`` and ``pvalue`` are those of all contrasts together: F with ``rank`` degrees of freedom and what is
    left of ``df``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> table = rs.examples.loans(200)
    >>> found = rs.inference.auc_contrasts(table["defaulted"], {name: table[name] for name in ("boosted", "logistic")})
    >>> found.names, found.rank
    (('logistic - boosted',), 1)
    """

    models: tuple[str, ...]
    auc: Array
    covariance: Array
    names: tuple[str, ...]
    weights: Array
    estimates: Array
    covariance_of_contrasts: Array
    low: Array
    high: Array
    pvalues: Array
    statistic: float
    pvalue: float
    rank: int
    df: float
    level: float
    null: float
    n_pos: Any
    n_neg: Any
    origin: Origin
    warnings: tuple[Remark, ...] = ()

    def _columns(self) -> Table:
        columns: Table = {"contrast": list(self.names), "estimate": self.estimates, "low": self.low, "high": self.high}
        return columns | {"pvalue": self.pvalues}

    def __str__(self) -> str:
        numbers = zip(self.names, self.estimates, self.low, self.high, self.pvalues, strict=True)
        lines = [
            f"{name}: {format_interval(float(value), float(low), float(high), signed=True)}, {p_words(float(p))}"
            for name, value, low, high, p in numbers
        ]
        free = f"F with {self.rank} degrees of freedom, {format_digits(self.df, 4)} within"
        together = f"together: {p_words(self.pvalue)} ({free})"
        sizes = self.origin.sizes(self.n_pos, self.n_neg)
        last = f"{sizes}; {format_setting(self.level)} level, each contrast by itself; null {format_setting(self.null)}"
        return "\n".join([*lines, together, last, *map(noted, self.warnings)])

    def _brief(self) -> str:
        return f"{format_count(len(self.names))} contrasts of {', '.join(self.models)}; {p_words(self.pvalue)}"

    def _picture(self) -> Forest:
        title = (
            f"Contrasts of AUCs, {format_level(self.level)} intervals",
            *source(self.origin, self.n_pos, self.n_neg),
        )
        numbers = zip(self.names, self.estimates, self.low, self.high, strict=True)
        lines = tuple(Line(name, float(v), float(a), float(b), (self.null,)) for name, v, a, b in numbers)
        return Forest(title, "Contrast", lines)
