"""Rows that agree in label, calls and subject, counted by the engine: all that paired tests of calls need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError
from rocsteady._src.ranked import Rows
from rocsteady._src.ranked.lazy.fetch import fetch
from rocsteady._src.ranked.lazy.labels import label_code, positive_codes
from rocsteady._src.ranked.lazy.refusals import every_weight_is_one, refuse_gaps, refuse_weights
from rocsteady._src.ranked.lazy.weighing import grouped_sums
from rocsteady._src.ranked.numbering import numbered

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.ranked import RankedScores
    from rocsteady._src.ranked.lazy.columns import LazyColumns
    from rocsteady._src.ranked.lazy.floors import Floors
    from rocsteady._src.ranked.lazy.grid import Grid
    from rocsteady._src.ranked.lazy.lazy_rows import LazyRows

CODE = "code"
CHANGED = "the table changed between two passes over it; run again when it is still"


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """One line per combination of values: the values by name, how often each line counts, and the rows behind all."""

    values: dict[str, NDArray[Any]]
    weights: NDArray[Any]
    n_rows: int
    n_dropped: int
    weighted: bool


def counted_cells(
    columns: LazyColumns,
    keys: Mapping[str, Any],
    pos_label: Any,
    missing: Missing,
    weight_type: str | None = None,
) -> Cells:
    """Group by expressions and count; rows that lack a value are refused, or left out and counted."""
    import narwhals as nw

    columns = columns.counted()
    named = {f"cell{place}": key for place, key in enumerate(keys.values())}
    named["complete"] = nw.when(columns.any_gap()).then(nw.lit(0)).otherwise(nw.lit(1))
    fetched = fetch(grouped_sums(columns, named))
    complete = fetched["complete"][0] == 1
    if missing == "raise" and not complete.all():
        refuse_gaps(columns, pos_label)
    kept = {name: column[complete] for name, (column, _) in fetched.items()}
    n = fetched["n"][0].astype(np.int64)
    weighted = columns.weight is not None and not every_weight_is_one(kept)
    weights = refuse_weights(columns, kept, weight_type) if weighted else n[complete]
    values = {name: kept[f"cell{place}"] for place, name in enumerate(keys)}
    return Cells(values, weights, int(n[complete].sum()), int(n[~complete].sum()), weighted)


def called_rows(
    rows: LazyRows, ranked: Mapping[str, RankedScores], places: Mapping[str, int], cluster: str | None = None
) -> Rows:
    """A row per combination of label, calls and subject, as often as it occurs; one pass over the table.

    ``places`` says from which of a model's groups on it calls a row positive. A call is all that is known of a row: it
    stands for all scores on its side of the threshold.
    """
    import narwhals as nw

    columns, grid = rows.columns, rows.grid
    keys: dict[str, Any] = {CODE: label_code(columns, rows.pos_label)}
    for name, groups in ranked.items():
        keys[name] = _call(grid, columns, name, groups, places[name])
    if cluster is not None:
        keys["cluster of rows"] = nw.col(cluster)
    cells = counted_cells(columns, keys, rows.pos_label, rows.missing, rows.weight_type)
    positive = positive_codes(columns, cells.values[CODE], rows.pos_label)
    _check_same_rows(cells, positive, next(iter(ranked.values())))
    models = {name: (groups, places[name] - 1 + cells.values[name].astype(np.int64)) for name, groups in ranked.items()}
    subjects = None if cluster is None else numbered(cells.values["cluster of rows"])[1]
    return Rows.trusted(positive, models, weights=cells.weights, clusters=subjects)


def _call(grid: Grid | Floors, columns: LazyColumns, name: str, groups: RankedScores, place: int) -> Any:
    """1 where a row stands in this group or above, 0 where it does not."""
    import narwhals as nw

    if place >= groups.scores.size:
        return nw.lit(0)
    least = groups.scores[place]
    reached = grid.key(columns, name) >= grid.key_of(_plain(least), name)
    return nw.when(reached).then(nw.lit(1)).otherwise(nw.lit(0))


def _plain(score: Any) -> Any:
    return score.item() if isinstance(score, np.generic) else score


def _check_same_rows(cells: Cells, positive: NDArray[np.bool_], groups: RankedScores) -> None:
    sizes = cells.weights[positive].sum(), cells.weights[~positive].sum()
    if tuple(sizes) != (groups.n_pos, groups.n_neg):
        raise InputError("table_changed", CHANGED)
