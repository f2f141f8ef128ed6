"""Columns of right and wrong answers, one per model, without labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from rocsteady._src.base.errors import InputError
from rocsteady._src.inputs.arrays import read_column
from rocsteady._src.inputs.clean import check_lengths, check_row_labels, rows_to_keep
from rocsteady._src.inputs.labels import positive_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import Missing

CLUSTER = "cluster"


class Outcomes(NamedTuple):
    """Which rows each model has right, whose rows they are, what means right, and how many rows were left out."""

    right: dict[str, NDArray[np.bool_]]
    subject: NDArray[Any] | None
    pos_label: Any
    n_dropped: int

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return next(iter(self.right.values())).size


def read_outcomes(columns: Mapping[str, object], cluster: object, pos_label: Any, missing: Missing) -> Outcomes:
    """Check and align columns of outcomes; rows that lack one are refused, or dropped for all models alike."""
    given = dict(columns) if cluster is None else {**columns, CLUSTER: cluster}
    read = {name: read_column(values, name) for name, values in given.items()}
    check_lengths({name: values for name, (values, _) in read.items()})
    check_row_labels(given)
    first = read[next(iter(columns))]
    keep, n_dropped = rows_to_keep({name: gap for name, (_, gap) in read.items()}, *first, missing)
    kept = {name: values if keep is None else values[keep] for name, (values, _) in read.items()}
    right = {name: positive_rows(kept[name], pos_label, name) for name in columns}
    if not first[0].size or not next(iter(right.values()))[0].size:
        raise InputError("no_rows", "there are no rows to compare")
    labels = [label for _, label in right.values()]
    return Outcomes({name: mask for name, (mask, _) in right.items()}, kept.get(CLUSTER), labels[0], n_dropped)
