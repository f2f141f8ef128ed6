"""Several models on the same rows: each ranked once, with the group of every row, so that rows can be paired."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.threads import for_each
from rocsteady._src.inputs.tables import TableRows, read_table
from rocsteady._src.ranked.grouping import row_places, sorted_distinct
from rocsteady._src.ranked.scores import RankedScores
from rocsteady._src.results import Origin

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from rocsteady._src.inputs import CleanRows
    from rocsteady._src.inputs.clean import Missing

LABEL, WEIGHT, CLUSTER = "y_true", "sample_weight", "cluster"


@dataclass(frozen=True, slots=True, eq=False)
class ModelRows:
    """Rows shared by one or more models.

    ``places[model][row]`` is the group of the row's score in ``ranked[model]``; ``clusters`` numbers the subject of
    every row, or is None when each row is a subject of its own; ``weights`` is None when every row counts once.
    """

    names: tuple[str, ...]
    positive: NDArray[np.bool_]
    ranked: tuple[RankedScores, ...]
    places: tuple[NDArray[np.int64], ...]
    weights: NDArray[Any] | None
    clusters: NDArray[np.int64] | None
    origin: Origin

    @property
    def n_clusters(self) -> int:
        """Number of different subjects."""
        return self.positive.size if self.clusters is None else int(self.clusters.max(initial=-1)) + 1

    @property
    def reading(self) -> str | None:
        """How the weights are read, "frequency" or "sampling"; None without any."""
        return self.origin.reading

    def by_row(self) -> ModelRows:
        """The same rows, each a subject of its own: a row of a sampling weight is one, however much it weighs."""
        return replace(self, clusters=np.arange(self.positive.size)) if self.clusters is None else self

    @property
    def one_row_each(self) -> bool:
        """Whether every subject has one row: then they are there for the weights."""
        return self.n_clusters == self.positive.size

    def alike(self, first: int, second: int) -> bool:
        """Whether the two models group the rows alike."""
        return np.array_equal(self.places[first], self.places[second])


def read_models(
    y_true: object,
    scores: Mapping[str, object],
    *,
    sample_weight: object = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    weight_type: str | None = None,
) -> ModelRows:
    """Check, align and rank columns; rows that lack a value are refused, or dropped for all models alike."""
    if not scores:
        raise ArgumentError("no_models", "no scores were given: pass at least one column, by name of its model")
    extra = {WEIGHT: sample_weight, CLUSTER: cluster}
    given = {name: column for name, column in extra.items() if column is not None}
    rows = read_table(
        {LABEL: y_true, **scores, **given},
        label=LABEL,
        scores=list(scores),
        weight=WEIGHT if WEIGHT in given else None,
        id=CLUSTER if CLUSTER in given else None,
        missing=missing,
        weight_type=weight_type,
    )
    return rank_models(rows, tuple(scores), pos_label)


def rank_models(rows: TableRows, names: tuple[str, ...], pos_label: Any = None) -> ModelRows:
    """Rank the models of a table that was read; its id column, if any, names the clusters."""
    cleaned = [rows.clean(name, pos_label) for name in names]
    placed = for_each(_rank_rows, cleaned, n_rows=cleaned[0].scores.size)
    first = cleaned[0]
    return ModelRows(
        names=names,
        positive=first.positive,
        ranked=tuple(ranked for ranked, _ in placed),
        places=tuple(places for _, places in placed),
        weights=first.weights,
        clusters=None if rows.id is None else numbered(rows.columns[rows.id])[1],
        origin=placed[0][0].origin,
    )


def _rank_rows(rows: CleanRows) -> tuple[RankedScores, NDArray[np.int64]]:
    distinct, places, order = row_places(rows.scores)
    if rows.weights is not None:
        return RankedScores.from_clean(rows), places
    origin = Origin(rows.pos_label, rows.scores.size, rows.n_dropped)
    if order is not None:
        return RankedScores.of_distinct(distinct, rows.positive.take(order), origin).told(rows), places
    both = np.bincount(places, minlength=distinct.size)
    pos = np.bincount(places[rows.positive], minlength=distinct.size)
    return RankedScores.trusted(distinct, pos, both - pos, origin).told(rows), places


def numbered(values: NDArray[Any], order: Sequence[Any] = ()) -> tuple[list[Any], NDArray[np.int64]]:
    """Distinct values in order, whatever the order of the rows, and the number of each row's value.

    ``order`` are values of an order of their own, as those of an ordered categorical; others follow, sorted.
    """
    if values.dtype.kind != "O" and not order:
        distinct, place = sorted_distinct(values)
        return distinct.tolist(), place
    listed = values.tolist()
    found = {(type(value), value) for value in listed}
    known = {value: number for number, value in enumerate(order)}
    kept = dict.fromkeys(value for value in order if (type(value), value) in found)
    kept |= dict.fromkeys(in_value_order([value for _, value in found if value not in known]))
    numbers = {value: number for number, value in enumerate(kept)}
    return list(numbers), np.array([numbers[value] for value in listed], dtype=np.int64)


def in_value_order(values: Sequence[Any]) -> list[Any]:
    """Values of any types in one order: by themselves, else numbers before text before the rest."""
    try:
        return sorted(values, key=lambda value: (value, type(value).__name__))
    except TypeError:
        return sorted(values, key=_order_of_mixed)


def _order_of_mixed(value: Any) -> tuple[int, str, Any, str]:
    if isinstance(value, (int, float, np.number)):
        return 0, "", value, type(value).__name__
    text = value if isinstance(value, str) else repr(value)
    return 1 if isinstance(value, str) else 2, "" if isinstance(value, str) else type(value).__name__, text, ""
