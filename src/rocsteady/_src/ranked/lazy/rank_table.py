"""One group-by on a lazy table gives the same groups as ranking its rows; only groups leave the engine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError
from rocsteady._src.base.progress import progress_bar
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.inputs.scores import ordered_scores
from rocsteady._src.inputs.weights import MOST_EXACT_WEIGHT, weight_type_of
from rocsteady._src.ranked import RankedScores
from rocsteady._src.ranked.grouping import ascending_order, group_counted, sorted_distinct
from rocsteady._src.ranked.lazy.columns import LazyColumns, find_columns
from rocsteady._src.ranked.lazy.fetch import fetch
from rocsteady._src.ranked.lazy.grid import Grid
from rocsteady._src.ranked.lazy.labels import label_code, label_sides, positive_codes, taken_as_positive
from rocsteady._src.ranked.lazy.refusals import every_weight_is_one, refuse_gaps, refuse_weights
from rocsteady._src.ranked.lazy.weighing import grouped_sums, is_whole
from rocsteady._src.results import Origin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.inputs.arrays import Column
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.ranked.lazy.floors import Floors

MOST_GROUPS = 50_000_000
EXACT = 2**53  # up to here sums of whole numbers are doubles


@typed
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
    weight_type: str | None = None,
) -> RankedScores | dict[Any, Any]:
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
    weight_type : {"frequency", "sampling"}, optional
        How intervals read the weights, as in :func:`rocsteady.rank`.

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
    >>> rs.auc(rs.scale.rank_table(table, label="y", score="a", resolution=1))
    0.75
    """
    models = (score,) if isinstance(score, str) else tuple(score)
    groups = () if by is None else (by,) if isinstance(by, str) else tuple(by)
    columns = find_columns(table, label=label, scores=models, weight=weight, by=groups)
    question = Question(columns.counted(), pos_label, missing, Grid.of(resolution), most_groups, weight_type)
    found = {}
    with progress_bar("grouping") as report:
        for done, model in enumerate(models):
            found[model] = _split(question.counts(model), single=isinstance(by, str))
            report((done + 1) / len(models))
    arranged: RankedScores | dict[Any, Any] = _arranged(found, several=not isinstance(score, str), split=by is not None)
    return arranged


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of an engine for every model alike."""

    columns: LazyColumns
    pos_label: Any
    missing: Missing
    grid: Grid | Floors
    most_groups: int
    weight_type: str | None = None

    def __post_init__(self) -> None:
        weight_type_of(None, self.weight_type)
        if not self.columns.scores:
            raise ArgumentError("no_scores", "name at least one score column")
        if self.missing not in ("raise", "drop"):
            raise ArgumentError("missing_policy", f"missing must be 'raise' or 'drop', got {self.missing!r}")

    def rank(self) -> dict[str, RankedScores]:
        """Groups of every model."""
        return {model: self.counts(model).whole() for model in self.columns.scores}

    def counts(self, model: str) -> Counts:
        """Count the rows of one model in the engine, and check what came back."""
        plain = self.columns.weight is None and self.missing == "raise"
        found = self._counted_by_score(model) if plain else None
        return self._counted_by_code(model) if found is None else found

    def _counted_by_score(self, model: str) -> Counts | None:
        """One group per score with both counts, the quickest way; None when a row lacks a value or is neither class."""
        import narwhals as nw

        columns = self.columns
        positive, negative = label_sides(columns, self.pos_label)
        keys = {"key": self.grid.key(columns, model), **_by_keys(columns)}
        flags = {"pos": nw.when(positive).then(nw.lit(1)), "neg": nw.when(negative).then(nw.lit(1))}
        grouped = columns.frame.select(**keys, **flags).group_by(*keys)
        fetched = self._fetch(grouped.agg(nw.col("pos").count(), nw.col("neg").count(), nw.len().alias("n")), model)
        n, pos, neg = (fetched[name][0].astype(np.int64) for name in ("n", "pos", "neg"))
        gaps = any(gap is not None for _, gap in fetched.values())
        if gaps or (pos + neg != n).any() or (n.size and not pos.any()):
            return None
        return self._made(model, fetched["key"][0], pos, neg, n, fetched, np.ones(n.size, dtype=bool))

    def _counted_by_code(self, model: str) -> Counts:
        """One group per score and kind of label, which tells what is wrong, or which convention the labels follow."""
        columns = self.columns
        fetched = self._fetch(self._grouped_by_code(model), model)
        n = fetched["n"][0].astype(np.int64)
        complete = np.ones(n.size, dtype=bool) if "complete" not in fetched else fetched["complete"][0] == 1
        lacking = [name for name in ("code", "key", "weight") if name in fetched and fetched[name][1] is not None]
        if self.missing == "raise" and lacking:
            refuse_gaps(columns, self.pos_label)
        if any(fetched[name][1] is not None for name in _by_keys(columns)):
            refuse_gaps(columns, self.pos_label, only=columns.by)
        values = {name: column[complete] for name, (column, _) in fetched.items()}
        if self._rounds_whole_weights(values):
            return replace(self, columns=columns.with_whole_weights()).counts(model)
        positive = positive_codes(columns, values["code"], self.pos_label)
        weighted = columns.weight is not None and not every_weight_is_one(values)
        weights = refuse_weights(columns, values, self.weight_type) if weighted else values["n"].astype(np.int64)
        nothing = np.zeros((), dtype=weights.dtype)
        pos, neg = np.where(positive, weights, nothing), np.where(positive, nothing, weights)
        return self._made(model, values["key"], pos, neg, n, fetched, complete, weighted=weighted)

    def _rounds_whole_weights(self, values: dict[str, NDArray[Any]]) -> bool:
        """Whether weights are whole numbers of a type whose sums are rounded, and integers would hold these."""
        if self.columns.weight is None or is_whole(self.columns.types[self.columns.weight]):
            return False
        whole = not (values["part"] > 0).any() and not (values["least"] < 0).any()
        return whole and EXACT < float(values["rough"].sum()) < MOST_EXACT_WEIGHT

    def _made(
        self,
        model: str,
        keys: NDArray[Any],
        pos: NDArray[Any],
        neg: NDArray[Any],
        n: NDArray[np.int64],
        fetched: dict[str, Column],
        complete: NDArray[np.bool_],
        *,
        weighted: bool = False,
    ) -> Counts:
        pos_label = taken_as_positive(self.columns, self.pos_label)
        scores = ordered_scores(self.grid.scores(keys, model), keys[:0], pos_label, model)
        by = [fetched[name][0] for name in _by_keys(self.columns)]
        weight_type = self.weight_type if weighted else None
        origin = Origin(pos_label, 0, 0, weighted, self.grid.resolution, weight_type)
        return Counts(scores, pos, neg, n, complete, by, origin)

    def _grouped_by_code(self, model: str) -> Any:
        """Distinct rows of label code, score and ``by`` with their number and weight."""
        import narwhals as nw

        columns = self.columns
        keys = {"code": label_code(columns, self.pos_label), "key": self.grid.key(columns, model), **_by_keys(columns)}
        if self.missing == "drop":
            keys["complete"] = nw.when(columns.any_gap()).then(nw.lit(0)).otherwise(nw.lit(1))
        return grouped_sums(columns, keys)

    def _fetch(self, grouped: Any, model: str) -> dict[str, Column]:
        """Bring the groups here, unless they are too many."""
        engine = grouped.implementation
        # Dask's head is that of its first partition, and a limit of Spark goes through one task
        stops_early = engine.is_duckdb() or engine.is_polars() or engine.is_ibis()
        fetched = fetch(grouped.head(self.most_groups + 1) if stops_early else grouped)
        if fetched["n"][0].size > self.most_groups:
            raise InputError("too_many_groups", _too_many_message(model, self.most_groups))
        return fetched


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """What came back: ``n`` rows of each kind, and of the complete ones alone scores and weights of both classes."""

    scores: NDArray[Any]
    pos: NDArray[Any]
    neg: NDArray[Any]
    n: NDArray[np.int64]
    complete: NDArray[np.bool_]
    by: list[NDArray[Any]]
    origin: Origin

    def places(self) -> NDArray[np.int64]:
        """Where each complete entry stands among the complete ones."""
        return np.cumsum(self.complete) - 1

    def whole(self) -> RankedScores:
        """Groups of all entries."""
        return self.ranked(np.arange(self.n.size), self.places())

    def ranked(self, entries: NDArray[np.intp], among_complete: NDArray[np.int64]) -> RankedScores:
        """Groups of these entries; ``places`` are handed over, since thousands of parts ask for them."""
        kept = self.complete[entries]
        places = among_complete[entries[kept]]
        n_rows, n_dropped = (int(self.n[entries[which]].sum()) for which in (kept, ~kept))
        groups = group_counted(self.scores[places], self.pos[places], self.neg[places])
        if self.origin.reading == "frequency":
            n_rows = int(groups[1].sum() + groups[2].sum())
        return RankedScores.trusted(*groups, replace(self.origin, n_rows=n_rows, n_dropped=n_dropped))


def _by_keys(columns: LazyColumns) -> dict[str, Any]:
    import narwhals as nw

    return {f"by{place}": nw.col(name) for place, name in enumerate(columns.by)}


def _split(counts: Counts, *, single: bool) -> Any:
    """One RankedScores, or one per value of the splitting columns, in order of value."""
    if not counts.by:
        return counts.whole()
    numbered = np.zeros(counts.n.size, dtype=np.int64)
    for values in counts.by:
        distinct, place = sorted_distinct(values)
        numbered = numbered * max(distinct.size, 1) + place
    order = ascending_order(numbered)
    starts = np.flatnonzero(np.diff(numbered[order], prepend=-1))
    made, places = {}, counts.places()
    for chosen in np.split(order, starts[1:]) if order.size else []:
        value = tuple(_python(values[chosen[0]]) for values in counts.by)
        made[value[0] if single else value] = counts.ranked(chosen, places)
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


def _too_many_message(model: str, most: int) -> Sentence:
    told = f"{model} has more than {format_count(most)} groups of equal score, too many to bring into memory"
    way_out = "bracket it with scale.sketch_table, rank on a grid with resolution=1e-6, or raise most_groups"
    return Sentence("{told}; {way_out}", told=told, way_out=way_out)
