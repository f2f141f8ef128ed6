"""How often each score occurs in two samples, one of which at least an engine holds and counts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from rocsteady._src.inputs.tables import pick_columns
from rocsteady._src.ranked.lazy.distinct_rows import MOST_ROWS
from rocsteady._src.ranked.lazy.fetch import fetch
from rocsteady._src.ranked.lazy.floors import Floors, step_exponent
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Counts = tuple[NDArray[Any], NDArray[np.bool_], NDArray[np.int64]]


class Column(Protocol):
    """Scores of one sample."""

    def counted(self, most: int) -> Counts | None:
        """The different scores, which of them are missing, and how often each occurs; None of more than ``most``."""
        ...

    def span(self) -> float:
        """From the least finite score to the greatest."""
        ...

    def rounded(self, floors: Floors) -> Counts:
        """The same of scores rounded down."""
        ...


def score_counts(columns: Sequence[Column], *, most: int = MOST_ROWS) -> tuple[list[Counts], Remark | None]:
    """The counts of each column; where one has more scores than ``most``, all are rounded to the same steps."""
    found = [each.counted(most) for each in columns]
    known = [each for each in found if each is not None]
    if len(known) == len(found):
        return known, None
    floors = Floors(step_exponent([each.span() for each in columns], most), {})
    rounded = [each.rounded(floors) for each in columns]
    most_steps = max(values.size for values, _, _ in rounded)
    return rounded, Remark("rounded_down", step=floors.resolution, most=most_steps)


@dataclass(frozen=True, slots=True, eq=False)
class HeldColumn:
    """Complete scores in memory."""

    values: NDArray[np.float64]

    def counted(self, most: int) -> Counts:
        """Each by itself."""
        return self.values, np.zeros(self.values.size, dtype=bool), np.ones(self.values.size, dtype=np.int64)

    def span(self) -> float:
        """Of finite scores."""
        finite = self.values[np.isfinite(self.values)]
        return float(np.ptp(finite)) if finite.size else 0.0

    def rounded(self, floors: Floors) -> Counts:
        """Grouped as an engine groups them."""
        steps, often = np.unique(floors.steps(self.values), return_counts=True)
        return floors.scores(steps, ""), np.zeros(steps.size, dtype=bool), often.astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class EngineColumn:
    """A frame with the column ``score`` that an engine holds."""

    frame: Any

    @classmethod
    def of(cls, table: Any, name: str) -> EngineColumn:
        """Of a table; a column that it lacks is refused by name."""
        import narwhals as nw

        frame: Any = nw.from_native(table).lazy()
        names = frame.collect_schema().names()
        if name not in names:
            pick_columns(dict.fromkeys(names, ()), [name])
        return cls(frame.select(score=nw.col(name)))

    def counted(self, most: int) -> Counts | None:
        """By a group-by, which engines that can end early."""
        grouped, engine = self._grouped(self.frame), self.frame.implementation
        stops_early = engine.is_duckdb() or engine.is_polars() or engine.is_ibis()
        found = _fetched(grouped.head(most + 1) if stops_early else grouped)
        return None if found[0].size > most else found

    def span(self) -> float:
        """By one query."""
        import narwhals as nw

        score = nw.col("score").cast(nw.Float64)
        finite = nw.when((score < math.inf) & (score > -math.inf)).then(score)
        (low, gap), (high, _) = fetch(self.frame.select(low=finite.min(), high=finite.max())).values()
        return 0.0 if gap is not None and gap.any() else float(high[0]) - float(low[0])

    def rounded(self, floors: Floors) -> Counts:
        """By a group-by of steps."""
        import narwhals as nw

        score = nw.col("score").cast(nw.Float64)
        step = floors.step_of(score, score.is_null() | score.is_nan())
        keys, gap, n = _fetched(self._grouped(self.frame.select(score=step)))
        return floors.scores(np.where(gap, np.nan, keys), ""), gap, n

    def _grouped(self, frame: Any) -> Any:
        import narwhals as nw

        return frame.group_by("score").agg(nw.len().alias("n"))


def _fetched(grouped: Any) -> Counts:
    columns = fetch(grouped)
    values, gap = columns["score"]
    missing = np.zeros(values.size, dtype=bool) if gap is None else gap.copy()
    if values.dtype.kind == "f":
        missing |= np.isnan(values)
    return values, missing, columns["n"][0].astype(np.int64)
