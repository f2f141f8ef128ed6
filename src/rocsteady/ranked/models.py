"""Several models on the same rows: each ranked once, with the group of every row, so that rows can be paired."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.errors import ArgumentError
from rocsteady.inputs.tables import TableRows, read_table
from rocsteady.ranked.grouping import row_places, sorted_distinct
from rocsteady.ranked.scores import RankedScores
from rocsteady.results import Origin
from rocsteady.threads import for_each

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from rocsteady.inputs import CleanRows
    from rocsteady.inputs.clean import Missing

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
        return RankedScores.of_distinct(distinct, rows.positive.take(order), origin), places
    both = np.bincount(places, minlength=distinct.size)
    pos = np.bincount(places[rows.positive], minlength=distinct.size)
    return RankedScores.trusted(distinct, pos, both - pos, origin), places


def numbered(values: NDArray[Any]) -> tuple[list[Any], NDArray[np.int64]]:
    """Distinct values in order, or as they appear where they have no order, and the number of each row's value."""
    if values.dtype.kind != "O":
        distinct, place = sorted_distinct(values)
        return distinct.tolist(), place
    numbers: dict[Any, int] = {}
    place = np.array([numbers.setdefault(value, len(numbers)) for value in values.tolist()], dtype=np.int64)
    return list(numbers), place
