"""Called classes: predicted labels, or the class of the highest score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, some_values
from rocsteady._src.base.text import format_count
from rocsteady._src.designs.classes.labels import checked_labels, distinct_labels, numbered
from rocsteady._src.designs.classes.scores_by_class import (
    CLUSTER,
    LABEL,
    WEIGHT,
    ClassRows,
    counted_weights,
    is_table,
    number_clusters,
    read_classes,
)
from rocsteady._src.inputs.arrays import read_column
from rocsteady._src.inputs.clean import check_lengths, check_row_labels, rows_to_keep
from rocsteady._src.inputs.weights import settled_weights
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import Missing

CALLED = "y_pred"


@dataclass(frozen=True, slots=True, eq=False)
class CalledRows:
    """Rows with the number of the class each was called; ``n_tied`` rows had several highest scores."""

    rows: ClassRows
    called: NDArray[Any]
    n_tied: int = 0

    @property
    def warnings(self) -> tuple[Remark, ...]:
        """What was decided on the way."""
        if not self.n_tied:
            return ()
        rows = "row has" if self.n_tied == 1 else "rows have"
        return (Remark("tied_calls", n=self.n_tied, rows=rows),)


def called_of_scores(rows: ClassRows) -> CalledRows:
    """The class of the highest score; the first one where several are."""
    called = np.empty(rows.n_rows, dtype=np.intp)
    n_tied = 0
    for block, part in rows.blocks():
        called[block] = part.argmax(axis=1)
        highest = part.max(axis=1, keepdims=True)
        n_tied += int(np.count_nonzero(np.count_nonzero(part == highest, axis=1) > 1))
    return CalledRows(rows, called, n_tied)


def top_k_credit(rows: ClassRows, k: int) -> NDArray[np.float64]:
    """Whether a row's class is among its k highest scores; where ties leave it open, the chance in random order."""
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or not 1 <= k <= rows.n_classes:
        raise ArgumentError(
            "k", f"k must be a whole number from 1 to {format_count(rows.n_classes)}, the classes, got {k!r}"
        )
    credit = np.empty(rows.n_rows)
    for block, part in rows.blocks():
        own = np.take_along_axis(part, rows.codes[block][:, None].astype(np.intp), axis=1)
        above, tied = np.count_nonzero(part > own, axis=1), np.count_nonzero(part == own, axis=1)
        credit[block] = np.clip((k - above) / tied, 0.0, 1.0)
    return credit


def read_called(
    y_true: object,
    y_pred: object,
    *,
    labels: object = None,
    sample_weight: object = None,
    cluster: object = None,
    missing: Missing = "raise",
    weight_type: str | None = None,
) -> CalledRows:
    """Check and align labels with predicted labels, or with one column of scores per class."""
    options: dict[str, Any] = {"sample_weight": sample_weight, "cluster": cluster, "missing": missing}
    options["weight_type"] = weight_type
    if isinstance(y_pred, Mapping) or is_table(y_pred) or _has_columns(y_pred):
        return called_of_scores(read_classes(y_true, y_pred, labels=labels, **options))
    side = {LABEL: y_true, CALLED: y_pred, WEIGHT: sample_weight, CLUSTER: cluster}
    needed = (LABEL, CALLED)
    given = {name: read_column(values, name) for name, values in side.items() if values is not None or name in needed}
    check_lengths({name: values for name, (values, _) in given.items()})
    check_row_labels({name: side[name] for name in given})
    counted = counted_weights(given, weight_type)
    gaps = {name: gap for name, (_, gap) in given.items()}
    keep, n_dropped = rows_to_keep(gaps, *given[LABEL], missing, counted=counted)
    kept = {name: values if keep is None else values[keep] for name, (values, _) in given.items()}
    found = {name: distinct_labels(kept[name], name) for name in needed}
    classes = _union(*(distinct for distinct, _ in found.values())) if labels is None else checked_labels(labels)
    codes, called = (numbered(*found[name], classes, name=name, where="class") for name in needed)
    weights = settled_weights(kept[WEIGHT], WEIGHT, weight_type) if WEIGHT in kept else None
    clusters = number_clusters(kept.get(CLUSTER))
    rows = ClassRows(tuple(classes), codes, (), weights, clusters, n_dropped, weight_type)
    return CalledRows(rows, called.astype(np.intp))


def _has_columns(values: object) -> bool:
    if isinstance(values, np.ndarray):
        return values.ndim == 2
    return isinstance(values, (list, tuple)) and bool(values) and np.ndim(values[0]) == 1


def _union(one: list[Any], two: list[Any]) -> list[Any]:
    try:
        return sorted({*one, *two})
    except TypeError as error:
        text = f"{LABEL} and {CALLED} hold values of different types, as {some_values([one[0], two[0]])}"
        raise InputError("label_mixed_types", text + "; convert them to one type") from error


def of_one_class(rows: ClassRows) -> ClassRows:
    """The same rows without their classes, for shares of all rows."""
    return replace(rows, labels=(None,), codes=np.zeros(rows.n_rows, dtype=np.intp))
