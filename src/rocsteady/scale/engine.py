"""One group-by on a lazy table gives the same groups as ranking its rows; only groups leave the engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.errors import ArgumentError, InputError
from rocsteady.inputs import CleanRows
from rocsteady.inputs.scores import ordered_scores
from rocsteady.progress import progress_bar
from rocsteady.ranked import RankedScores
from rocsteady.ranked.grouping import ascending_order, sorted_distinct
from rocsteady.results import Origin
from rocsteady.scale.columns import LazyColumns, find_columns
from rocsteady.scale.fetch import fetch
from rocsteady.scale.gaps import refuse_gaps, refuse_weights
from rocsteady.scale.grid import Grid
from rocsteady.scale.labels import label_code, positive_codes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady.inputs.clean import Missing

MOST_GROUPS = 50_000_000


def rank_table(
    table: object,
    *,
    label: str,
    score: str | Sequence[str],
    weight: str | None = None,
    by: str | Sequence[str] | None = None,
    resolution: float | None = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    most_groups: int = MOST_GROUPS,
) -> Any:
    """Rank a table where it is: the engine counts, and only the groups of equal score come back.

    One group-by per model is pushed down to the engine. The groups are those of :func:`rocsteady.rank`, count for
    count, whatever the order or the partitions of the rows; sums of fractional weights agree to rounding.

    Parameters
    ----------
    table : lazy table
        A DuckDB relation, a Polars LazyFrame, a PySpark, Dask or Ibis table: whatever narwhals understands.
    label : str
        Column of labels: {0, 1}, {-1, 1}, booleans, or anything together with ``pos_label``.
    score : str or list of str
        Column of scores, or one per model; higher means more positive.
    weight : str, optional
        Column of row weights >= 0.
    by : str or list of str, optional
        Columns that split the rows: one answer per value, or per tuple of values.
    resolution : float, optional
        Round scores to multiples of this; said in the origin of every result. Nothing is rounded without it.
    pos_label : optional
        The label of the positive class.
    missing : {"raise", "drop"}
        Rows that lack any of the columns are refused, or dropped for all models alike and counted.
    most_groups : int
        Refuse to fetch more groups than this; they must fit in memory, at some 80 bytes each while they are sorted.

    Returns
    -------
    RankedScores or dict
        By model where ``score`` is a list; by value of ``by``, where given, outside of that.

    Examples
    --------
    >>> import polars as pl
    >>> import rocsteady as rs
    >>> table = pl.LazyFrame({"y": [1, 0, 1, 0], "a": [0.8, 0.3, 0.3, 0.1]})
    >>> rs.scale.rank_table(table, label="y", score="a")
    RankedScores(3 distinct scores, 2 positives, 2 negatives)
    >>> rs.auc(rs.scale.rank_table(table, label="y", score="a", resolution=0.5))
    0.75
    """
    models = (score,) if isinstance(score, str) else tuple(score)
    groups = () if by is None else (by,) if isinstance(by, str) else tuple(by)
    columns = find_columns(table, label=label, scores=models, weight=weight, by=groups)
    question = Question(columns.counted(), pos_label, missing, Grid.of(resolution), most_groups)
    found = {}
    with progress_bar("grouping") as report:
        for done, model in enumerate(models):
            found[model] = _split(question.counts(model), single=isinstance(by, str))
            report((done + 1) / len(models))
    return _arranged(found, several=not isinstance(score, str), split=by is not None)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of an engine for every model alike."""

    columns: LazyColumns
    pos_label: Any
    missing: Missing
    grid: Grid
    most_groups: int

    def __post_init__(self) -> None:
        if not self.columns.scores:
            raise ArgumentError("no_scores", "name at least one score column")
        if self.missing not in ("raise", "drop"):
            raise ArgumentError("missing_policy", f"missing must be 'raise' or 'drop', got {self.missing!r}")

    def rank(self) -> dict[str, RankedScores]:
        """Groups of every model."""
        return {model: self.counts(model).ranked() for model in self.columns.scores}

    def counts(self, model: str) -> Counts:
        """Count the rows of one model in the engine, and check what came back."""
        columns = self.columns
        fetched = fetch(self._grouped(model))
        n = fetched["n"][0].astype(np.int64)
        if n.size > self.most_groups:
            raise InputError("too_many_groups", _too_many_message(model, self.most_groups))
        complete = np.ones(n.size, dtype=bool) if "complete" not in fetched else fetched["complete"][0] == 1
        lacking = [name for name in ("code", "key", "weight") if name in fetched and fetched[name][1] is not None]
        if self.missing == "raise" and lacking:
            refuse_gaps(columns, self.pos_label)
        values = {name: column[complete] for name, (column, _) in fetched.items()}
        if any(fetched[f"by{place}"][1] is not None for place in range(len(columns.by))):
            refuse_gaps(columns, self.pos_label, only=columns.by)
        positive, pos_label = positive_codes(columns, values["code"], self.pos_label)
        scores = ordered_scores(self.grid.scores(values["key"]), values["code"], pos_label, model)
        weights = None if columns.weight is None else refuse_weights(columns, values)
        by = [fetched[f"by{place}"][0] for place in range(len(columns.by))]
        return Counts(positive, scores, n, complete, weights, by, pos_label, self.grid.resolution)

    def _grouped(self, model: str) -> Any:
        """Distinct rows of label code, score and ``by`` with their number and weight: the one group-by."""
        import narwhals as nw

        columns = self.columns
        keys = {"code": label_code(columns, self.pos_label), "key": self.grid.key(columns, model)}
        keys |= {f"by{place}": nw.col(name) for place, name in enumerate(columns.by)}
        if self.missing == "drop":
            keys["complete"] = nw.when(columns.any_gap()).then(nw.lit(0)).otherwise(nw.lit(1))
        wanted, sums = dict(keys), [nw.len().alias("n")]
        if columns.weight is not None:
            wanted["weight"] = _weight(columns)
            wanted["rough"] = _weight(columns).cast(nw.Float64)
            sums += [nw.col("weight").sum().alias("weight"), nw.col("rough").sum().alias("rough")]
            sums += [nw.col("rough").min().alias("least"), nw.col("rough").max().alias("most")]
        picked = columns.frame.select(**wanted)
        grouped = picked.group_by(*keys).agg(*sums)
        if columns.weight is not None and not columns.types[columns.weight].is_float():
            grouped = grouped.with_columns(nw.col("weight").cast(nw.Int64))
        stops_early = grouped.implementation.is_duckdb() or grouped.implementation.is_polars()
        return grouped.head(self.most_groups + 1) if stops_early else grouped


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Distinct rows with how often they occur; ``positive``, ``scores`` and ``weights`` of the complete ones alone."""

    positive: NDArray[np.bool_]
    scores: NDArray[Any]
    n: NDArray[np.int64]
    complete: NDArray[np.bool_]
    weights: NDArray[Any] | None
    by: list[NDArray[Any]]
    pos_label: Any
    resolution: float | None

    def ranked(self, chosen: NDArray[np.intp] | slice = slice(None)) -> RankedScores:
        """Groups of the chosen distinct rows."""
        complete = self.complete[chosen]
        n = self.n[chosen]
        places = (np.cumsum(self.complete) - 1)[chosen][complete]
        weights = n[complete] if self.weights is None else self.weights[places]
        rows = CleanRows(self.positive[places], self.scores[places], weights, self.pos_label, 0)
        found = RankedScores.from_clean(rows)
        n_rows, n_dropped = int(n[complete].sum()), int(n[~complete].sum())
        origin = Origin(self.pos_label, n_rows, n_dropped, self.weights is not None, self.resolution)
        return RankedScores.trusted(found.scores, found.pos, found.neg, origin)


def _weight(columns: LazyColumns) -> Any:
    import narwhals as nw

    kind, weight = columns.types[columns.weight or ""], nw.col(columns.weight or "")
    return weight.cast(nw.Int64 if kind.is_integer() or kind == nw.Boolean else nw.Float64)


def _split(counts: Counts, *, single: bool) -> Any:
    """One RankedScores, or one per value of the splitting columns, in order of value."""
    if not counts.by:
        return counts.ranked()
    numbered = np.zeros(counts.n.size, dtype=np.int64)
    for values in counts.by:
        distinct, place = sorted_distinct(values)
        numbered = numbered * max(distinct.size, 1) + place
    order = ascending_order(numbered, stable=True)
    starts = np.flatnonzero(np.diff(numbered[order], prepend=-1))
    made = {}
    for chosen in np.split(order, starts[1:]) if order.size else []:
        value = tuple(_python(values[chosen[0]]) for values in counts.by)
        made[value[0] if single else value] = counts.ranked(chosen)
    return made


def _python(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _arranged(found: dict[str, Any], *, several: bool, split: bool) -> Any:
    if not several:
        return next(iter(found.values()))
    if not split:
        return found
    values = list(next(iter(found.values())))
    return {value: {model: groups[value] for model, groups in found.items()} for value in values}


def _too_many_message(model: str, most: int) -> str:
    return (
        f"{model} has more than {most} groups of equal score, too many to bring into memory; bracket the AUC with "
        "scale.Sketch, rank on a grid with resolution=1e-6, or raise most_groups"
    )
