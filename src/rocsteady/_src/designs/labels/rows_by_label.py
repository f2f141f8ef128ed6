"""Rows of several labels: for each label whether a row has it, and a score."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.designs.classes.scores_by_class import (
    CLUSTER,
    WEIGHT,
    ClassRows,
    counted_weights,
    number_clusters,
)
from rocsteady._src.inputs.arrays import read_column
from rocsteady._src.inputs.clean import check_lengths, check_row_labels, rows_to_keep
from rocsteady._src.inputs.given_labels import columns_of_labels
from rocsteady._src.inputs.labels import positive_rows
from rocsteady._src.inputs.scores import ordered_scores
from rocsteady._src.inputs.weights import settled_weights

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.results import Origin

POSITIVE, NEGATIVE = 0, 1  # places of the two classes of a label


@dataclass(frozen=True, slots=True, eq=False)
class LabelRows:
    """``present`` and ``scores`` have one column per label; ``rows`` holds what labels share."""

    labels: tuple[Any, ...]
    present: NDArray[np.bool_]
    scores: tuple[NDArray[Any], ...]
    rows: ClassRows

    @property
    def origin(self) -> Origin:
        """Where the numbers come from."""
        return self.rows.origin(1)

    def each(self) -> Iterator[ClassRows]:
        """The rows of each label as two classes: with the label, and without."""
        for place, column in enumerate(self.scores):
            codes = np.where(self.present[:, place], POSITIVE, NEGATIVE)
            yield replace(self.rows, labels=(1, 0), codes=codes, scores=(column, column))

    def pooled(self) -> ClassRows:
        """Every score of every row as a row of its own, again with a label or without."""
        codes, scores = np.where(self.present.ravel(), POSITIVE, NEGATIVE), np.column_stack(self.scores).ravel()
        n, weights = len(self.labels), self.rows.weights
        repeated = None if weights is None else weights.repeat(n)
        return replace(self.rows, labels=(1, 0), codes=codes, scores=(scores, scores), weights=repeated, clusters=None)


def read_labels(
    y_true: object,
    y_score: object,
    *,
    sample_weight: object = None,
    weight_type: str | None = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> LabelRows:
    """Check and align; rows that lack any value are refused or dropped."""
    own, theirs = columns_of_labels(y_true, y_score)
    side = {WEIGHT: sample_weight, CLUSTER: cluster}
    given = {name: read_column(values, name) for name, values in side.items() if values is not None}
    labels = {_of("y_true", name): column for name, column in own.items()}
    scores = {_of("y_score", name): column for name, column in theirs.items()}
    read = {name: read_column(values, name) for name, values in (labels | scores).items()}
    every = read | given
    check_lengths({name: values for name, (values, _) in every.items()})
    check_row_labels(labels | scores | {name: side[name] for name in given})
    counted = counted_weights(given, weight_type)
    gaps = {name: gap for name, (_, gap) in every.items()}
    keep, n_dropped = rows_to_keep(gaps, *read[next(iter(labels))], missing, counted=counted)
    kept = {name: values if keep is None else values[keep] for name, (values, _) in (read | given).items()}
    present = np.column_stack([positive_rows(kept[name], pos_label, name)[0] for name in labels])
    nothing = np.zeros(0)
    ordered = tuple(ordered_scores(kept[name], nothing, None, name) for name in scores)
    weights = settled_weights(kept[WEIGHT], WEIGHT, weight_type) if WEIGHT in kept else None
    nobody = np.zeros(len(present), dtype=np.intp)
    shared = ClassRows((None,), nobody, (), weights, number_clusters(kept.get(CLUSTER)), n_dropped, weight_type)
    return LabelRows(tuple(own), present, ordered, shared)


def _of(what: str, label: Any) -> str:
    return f"{what}[{label!r}]"
