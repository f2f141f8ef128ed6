"""Rows of several labels: for each label whether a row has it, and a score."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.designs.classes.scores_by_class import (
    CLUSTER,
    WEIGHT,
    ClassRows,
    counted_weights,
    number_clusters,
    part_of_rows,
)
from rocsteady._src.inputs.arrays import category_order, read_column
from rocsteady._src.inputs.clean import check_lengths, check_row_labels, rows_to_keep
from rocsteady._src.inputs.given_labels import columns_of_labels
from rocsteady._src.inputs.labels import positive_rows
from rocsteady._src.inputs.scores import ordered_scores
from rocsteady._src.inputs.weights import settled_weights

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.given_labels import Columns
    from rocsteady._src.results import Origin

POSITIVE, NEGATIVE = 0, 1  # places of the two classes of a label


@dataclass(frozen=True, slots=True, eq=False)
class LabelRows:
    """``present`` and ``scores`` have one column per label; ``rows`` holds what labels share.

    Averages are over the labels at the places ``chosen``, all when None, of those that some rows have and some have
    not where others are skipped.
    """

    labels: tuple[Any, ...]
    present: NDArray[np.bool_]
    scores: tuple[NDArray[Any], ...]
    rows: ClassRows
    chosen: tuple[int, ...] | None = None
    skips_absent: bool = False

    @property
    def averaged(self) -> NDArray[np.bool_]:
        """Which labels averages are over."""
        found = np.full(len(self.labels), self.chosen is None)
        found[list(self.chosen or ())] = True
        return found & self.of_both if self.skips_absent else found

    @property
    def of_both(self) -> NDArray[np.bool_]:
        """Labels that some rows have and some have not."""
        weights = self.rows.weights
        present = self.present if weights is None else self.present[weights > 0]
        return np.asarray(present.any(axis=0) & ~present.all(axis=0))

    def lacking(self) -> list[Any]:
        """Labels that averages are to be over, and that every row has, or none."""
        lost = replace(self, skips_absent=False).averaged & ~self.of_both
        return [self.labels[place] for place in np.flatnonzero(lost)]

    def part(self, places: NDArray[Any]) -> LabelRows:
        """Some of the rows, by place."""
        scores = tuple(column[places] for column in self.scores)
        return replace(self, present=self.present[places], scores=scores, rows=part_of_rows(self.rows, places))

    def two(self, place: int) -> ClassRows:
        """The rows of one label as two classes: with the label, and without."""
        codes, column = np.where(self.present[:, place], POSITIVE, NEGATIVE), self.scores[place]
        return replace(self.rows, labels=(1, 0), codes=codes, scores=(column, column))

    @property
    def origin(self) -> Origin:
        """Where the numbers come from."""
        return self.rows.origin(1)

    def each(self) -> Iterator[ClassRows]:
        """The rows of each label, one after another."""
        return (self.two(place) for place in range(len(self.labels)))

    def pooled(self) -> ClassRows:
        """Every score of every row as a row of its own, of the labels that averages are over."""
        places = np.flatnonzero(self.averaged)
        codes = np.where(self.present[:, places].ravel(), POSITIVE, NEGATIVE)
        scores = np.column_stack([self.scores[place] for place in places]).ravel()
        n, weights = places.size, self.rows.weights
        repeated = None if weights is None else weights.repeat(n)
        return replace(self.rows, labels=(1, 0), codes=codes, scores=(scores, scores), weights=repeated, clusters=None)


@dataclass(frozen=True, slots=True, eq=False)
class ColumnsBeside:
    """Columns of groups and folds of the rows that were kept; ``id`` names subjects that may repeat."""

    columns: dict[str, Any]
    orders: dict[str, tuple[Any, ...]]
    id: str | None
    subjects: NDArray[np.int64] | None
    values: list[Any]

    @property
    def n_repeated_ids(self) -> int:
        """Rows whose subject was there before."""
        return 0 if self.subjects is None else self.subjects.size - int(np.unique(self.subjects).size)

    def repeated_ids(self, most: int) -> list[Any]:
        """Some subjects of several rows."""
        counted = Counter(self.values)
        return [value for value, times in counted.items() if times > 1][:most]


def read_labels(y_true: object, y_score: object, **how: Any) -> LabelRows:
    """Check and align the labels and scores of one model."""
    own, theirs = columns_of_labels(y_true, y_score)
    return read_label_models(own, {"": theirs}, **how)[0][""]


def read_label_models(
    own: Columns,
    models: dict[str, Columns],
    *,
    sample_weight: object = None,
    weight_type: str | None = None,
    cluster: object = None,
    id: object = None,  # noqa: A002 - the word people use for such a column
    pos_label: Any = None,
    missing: Missing = "raise",
    also: Mapping[str, object] | None = None,
) -> tuple[dict[str, LabelRows], ColumnsBeside]:
    """Check and align; rows that lack any value are refused or dropped."""
    side = {WEIGHT: sample_weight, CLUSTER: cluster, "id": id, **(also or {})}
    given = {name: read_column(values, name) for name, values in side.items() if values is not None}
    labels = {_of("y_true", name): column for name, column in own.items()}
    scores = {
        _of("y_score" if len(models) == 1 else model, name): column
        for model, theirs in models.items()
        for name, column in theirs.items()
    }
    read = {name: read_column(values, name) for name, values in (labels | scores).items()}
    every = read | given
    check_lengths({name: values for name, (values, _) in every.items()})
    check_row_labels(labels | scores | {name: side[name] for name in given})
    counted = counted_weights(given, weight_type)
    gaps = {name: gap for name, (_, gap) in every.items()}
    keep, n_dropped = rows_to_keep(gaps, *read[next(iter(labels))], missing, counted=counted)
    kept = {name: values if keep is None else values[keep] for name, (values, _) in every.items()}
    present = np.column_stack([positive_rows(kept[name], pos_label, name)[0] for name in labels])
    nothing = np.zeros(0)
    ordered = [ordered_scores(kept[name], nothing, None, name) for name in scores]
    weights = settled_weights(kept[WEIGHT], WEIGHT, weight_type) if WEIGHT in kept else None
    nobody = np.zeros(len(present), dtype=np.intp)
    shared = ClassRows((None,), nobody, (), weights, number_clusters(kept.get(CLUSTER)), n_dropped, weight_type)
    step = len(own)
    found = {
        model: LabelRows(tuple(own), present, tuple(ordered[place * step : (place + 1) * step]), shared)
        for place, model in enumerate(models)
    }
    columns = {name: kept[name] for name in (also or {})}
    orders = {name: order for name in columns if (order := category_order(side[name]))}
    subjects = number_clusters(kept["id"]) if "id" in kept else shared.clusters
    values = kept["id"].tolist() if "id" in kept else []
    return found, ColumnsBeside(columns, orders, "id" if "id" in kept else None, subjects, values)


def _of(what: str, label: Any) -> str:
    return f"{what}[{label!r}]"
