"""One score against several ordered classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import format_count, format_interval, format_level, format_number, format_setting
from rocsteady._src.results.base import Result
from rocsteady._src.results.pictures import Forest, Line, line_of
from rocsteady._src.results.remarks import noted

if TYPE_CHECKING:
    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.inference import Interval
    from rocsteady._src.results.remarks import Remark


@dataclass(frozen=True, slots=True, eq=False)
class OrdinalAuc(Result):
    """How well one score puts ordered classes in their order; see :func:`rocsteady.multiclass.ordinal_auc`.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.multiclass.ordinal_auc([1, 1, 2, 2, 3, 3], [1, 3, 2, 5, 4, 6]).pairs[1, 3]
    1.0
    """

    volume: Interval
    ordinal_c: Interval
    concordance: Interval
    pairs: dict[tuple[Any, Any], float]
    chance: float
    classes: tuple[Any, ...]
    counts: tuple[float, ...]
    level: float
    warnings: tuple[Remark, ...] = ()
    n_dropped: int = 0
    weighted: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return plain values; pairs are a list of lower class, higher class and AUC."""
        parts = {name: getattr(self, name).to_dict() for name in ("volume", "ordinal_c", "concordance")}
        pairs = [{"lower": low, "higher": high, "auc": value} for (low, high), value in self.pairs.items()]
        named = ("chance", "classes", "counts", "level", "warnings", "n_dropped", "weighted")
        rest = {name: getattr(self, name) for name in named}
        return parts | {"pairs": pairs} | rest

    def _columns(self) -> Table:
        found = {"volume": self.volume, "ordinal C": self.ordinal_c, "concordance": self.concordance}
        return {
            "name": list(found),
            **{end: [getattr(each, end) for each in found.values()] for end in ("estimate", "low", "high", "se")},
        }

    def __str__(self) -> str:
        name = "VUS" if len(self.classes) == 3 else "HUM"
        told = {name: self.volume, "ordinal C": self.ordinal_c, "concordance": self.concordance}
        first = "; ".join(
            f"{label} {format_interval(each.estimate, each.low, each.high)}" for label, each in told.items()
        )
        sizes = ", ".join(
            f"{printable(label, most=24)} ({format_count(count)})"
            for label, count in zip(self.classes, self.counts, strict=True)
        )
        weighted = " (weighted)" if self.weighted else ""
        dropped = f"; {format_count(self.n_dropped)} incomplete rows dropped" if self.n_dropped else ""
        rest = f"classes from low to high: {sizes}{weighted}; a higher score means a later class{dropped}"
        last = f"volume by chance {format_number(self.chance)}; {format_setting(self.level)} level"
        return "\n".join([first, rest, last, *map(noted, self.warnings)])

    def _picture(self) -> Forest:
        title = (f"Ordered classes, {format_level(self.level)} intervals",)
        volume = self.volume
        lines = (
            Line("volume", volume.estimate, volume.low, volume.high, (self.chance,)),
            line_of("ordinal C", self.ordinal_c),
            line_of("concordance", self.concordance),
        )
        return Forest(title, "Estimate; dashed: chance of the volume", lines)
