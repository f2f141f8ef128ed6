"""The rows of a lazy table as a comparison needs them: complete, with one key per model, still in the engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.sentences import Option, Sentence
from rocsteady._src.ranked.lazy.columns import find_columns
from rocsteady._src.ranked.lazy.grid import Grid
from rocsteady._src.ranked.lazy.labels import POSITIVE, label_code
from rocsteady._src.ranked.lazy.rank_table import MOST_GROUPS, Question
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.ranked import RankedScores
    from rocsteady._src.ranked.lazy.columns import LazyColumns
    from rocsteady._src.ranked.lazy.floors import Floors
    from rocsteady._src.ranked.lazy.paired import LazyModels
    from rocsteady._src.ranked.lazy.probabilities import LazyPair


ENGINES = {
    "duckdb": "DuckDB",
    "polars": "Polars",
    "pyspark": "Spark",
    "pyspark_connect": "Spark",
    "dask": "Dask",
    "ibis": "Ibis",
}


@dataclass(frozen=True, slots=True, eq=False)
class LazyRows:
    """A lazy table with the columns that matter. Nothing is read until a question is asked."""

    columns: LazyColumns
    pos_label: Any
    missing: Missing
    resolution: float | None = None
    most_groups: int = MOST_GROUPS
    weight_type: str | None = None
    floors: Floors | None = None  # where scores were too many and are rounded down

    @property
    def grid(self) -> Grid | Floors:
        """What the engine groups scores by."""
        return Grid.of(self.resolution) if self.floors is None else self.floors

    @property
    def label(self) -> str:
        """The column of labels."""
        return self.columns.label

    @property
    def id(self) -> None:
        """No row of a lazy table is known by name."""
        return

    @property
    def n_repeated_ids(self) -> int:
        """None: see ``id``."""
        return 0

    @property
    def n_subjects(self) -> int:
        """None: see ``id``."""
        return 0

    def repeated_ids(self, most: int) -> list[Any]:
        """None: see ``id``."""
        return []

    def of_models(self, *models: str) -> None:
        """The rows stay in their engine."""

    def paired(self, ranked: dict[str, RankedScores]) -> LazyModels:
        """Sums over pairs of models, made when they are asked for."""
        from rocsteady._src.ranked.lazy.paired import pair_models

        return pair_models(self, ranked)

    def engine_pair(self, ranked: Mapping[str, RankedScores], old: str, new: str) -> LazyPair:
        """Sums over the probabilities of two models, made by the engine."""
        from rocsteady._src.ranked.lazy.probabilities import pair_probabilities

        return pair_probabilities(self, ranked, old, new)

    def rank_in_order(self) -> dict[str, RankedScores]:
        """Groups of every model: the rows of a table have no order."""
        return self.rank()

    def rank(self) -> dict[str, RankedScores]:
        """Groups of every model."""
        columns = self.columns.counted()
        return Question(columns, self.pos_label, self.missing, self.grid, self.most_groups, self.weight_type).rank()

    def route(self, ranked: dict[str, RankedScores]) -> Remark:
        """Which way the numbers came, in words."""
        most = max((groups.scores.size for groups in ranked.values()), default=0)
        if self.floors is not None:
            return Remark("rounded_down", step=self.floors.resolution, most=most)
        engine = ENGINES.get(self.columns.frame.implementation.name.lower(), "the table's engine")
        return Remark("grouped_by_engine", engine=engine, most=most)

    def base(self) -> Any:
        """Complete rows: ``of_pos`` and ``of_neg``, the weight of a row in each class, and ``key0``, ``key1``, ..."""
        import narwhals as nw

        columns = self.columns.counted()
        code = label_code(columns, self.pos_label)
        weight = nw.lit(1) if columns.weight is None else nw.col(columns.weight)
        weight, nothing = weight.cast(nw.Int64), nw.lit(0).cast(nw.Int64)
        keys = {f"key{place}": self._key(name) for place, name in enumerate(columns.scores)}
        return columns.frame.filter(~columns.any_gap()).select(
            of_pos=nw.when(code == POSITIVE).then(weight).otherwise(nothing),
            of_neg=nw.when(code == POSITIVE).then(nothing).otherwise(weight),
            **keys,
        )

    def streamable(self) -> Any:
        """Complete rows as they stream: ``positive``, ``weight`` where there is one, and ``key0``, ``key1``, ..."""
        import narwhals as nw

        columns = self.columns.counted()
        positive = label_code(columns, self.pos_label) == POSITIVE
        wanted = {"positive": nw.when(positive).then(nw.lit(1)).otherwise(nw.lit(0)).cast(nw.Int8)}
        if columns.weight is not None:
            wanted["weight"] = nw.col(columns.weight).cast(nw.Int64)
        wanted |= {f"key{place}": self.grid.key(columns, name) for place, name in enumerate(columns.scores)}
        return columns.frame.filter(~columns.any_gap()).select(**wanted)

    def _key(self, name: str) -> Any:
        """The score, with -0.0 turned into 0.0, which equals it: engines join by bits."""
        import narwhals as nw

        key = self.grid.key(self.columns, name)
        if self.grid.resolution is None and not self.columns.types[name].is_float():
            return key
        return nw.when(key == 0).then(nw.lit(0.0)).otherwise(key)


def rank_named(
    table: object,
    score: object,
    *,
    label: str,
    sample_weight: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    weight_type: str | None = None,
) -> RankedScores:
    """Groups of a table given in place of labels, with names of columns in place of columns."""
    return named_rows(table, (score,), label, sample_weight, pos_label, missing, weight_type).rank()[str(score)]


def named_rows(
    table: object,
    scores: Sequence[object],
    label: str,
    sample_weight: object,
    pos_label: Any,
    missing: Missing,
    weight_type: str | None = None,
) -> LazyRows:
    """Rows of a table given in place of labels; with ``label`` all else must be names of its columns."""
    names = [*scores, *([] if sample_weight is None else [sample_weight])]
    odd = [type(name).__name__ for name in names if not isinstance(name, str)]
    if odd:
        text = Sentence(
            "{label} says that a table comes first: name its columns of scores ({y_score=}) and weights, got {odd}",
            label=Option("label", (label,)),
            odd="none" if odd[0] == "NoneType" else odd[0],
        )
        raise ArgumentError("label", text)
    weight = None if sample_weight is None else str(sample_weight)
    columns = find_columns(table, label=label, scores=[str(score) for score in scores], weight=weight)
    return LazyRows(columns, pos_label, missing, weight_type=weight_type)


def lazy_rows(
    table: object,
    *,
    label: str,
    scores: Sequence[str],
    weight: str | None = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    resolution: float | None = None,
    most_groups: int = MOST_GROUPS,
    weight_type: str | None = None,
) -> LazyRows:
    """Find the columns of a lazy table."""
    columns = find_columns(table, label=label, scores=scores, weight=weight)
    return LazyRows(columns, pos_label, missing, resolution, most_groups, weight_type)
