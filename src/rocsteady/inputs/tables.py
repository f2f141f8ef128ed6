"""Tables of any library: named columns become arrays; incomplete rows are settled for all models at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.errors import ArgumentError, InputError, some_values
from rocsteady.inputs.arrays import read_column
from rocsteady.inputs.clean import CleanRows, Names, clean_rows, rows_to_keep

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady.inputs.clean import Missing


@dataclass(frozen=True, slots=True)
class TableRows:
    """The complete rows of a table, read once; every model shares them."""

    columns: dict[str, NDArray[Any]]
    label: str
    weight: str | None
    n_dropped: int

    def clean(self, score: str, pos_label: Any) -> CleanRows:
        """Rows of one model."""
        names = Names(self.label, score, self.weight or "")
        rows = clean_rows(
            self.columns[self.label],
            self.columns[score],
            sample_weight=None if self.weight is None else self.columns[self.weight],
            pos_label=pos_label,
            names=names,
        )
        return CleanRows(rows.positive, rows.scores, rows.weights, rows.pos_label, self.n_dropped)


def read_table(
    table: object, *, label: str, scores: Sequence[str], weight: str | None = None, missing: Missing = "raise"
) -> TableRows:
    """Read the named columns and settle the missing values jointly."""
    wanted = [label, *scores, *([] if weight is None else [weight])]
    repeated = [name for name, count in Counter(wanted).items() if count > 1]
    if repeated:
        raise ArgumentError("column_twice", f"a column cannot serve twice: {some_values(repeated)}")
    read = {name: read_column(values, name) for name, values in pick_columns(table, wanted).items()}
    lengths = {name: len(values) for name, (values, _) in read.items()}
    if len(set(lengths.values())) > 1:
        raise InputError("lengths_differ", f"the columns differ in length: {lengths}")
    labels, no_label = read[label]
    keep = rows_to_keep({name: gap for name, (_, gap) in read.items()}, labels, no_label, missing)
    columns = {name: values if keep is None else values[keep] for name, (values, _) in read.items()}
    n_dropped = 0 if keep is None else int(keep.size - np.count_nonzero(keep))
    return TableRows(columns, label, weight, n_dropped)


def pick_columns(table: object, wanted: Sequence[str]) -> dict[str, Any]:
    """Columns by name, from a mapping or any DataFrame that narwhals knows."""
    if isinstance(table, Mapping):
        available: list[Any] = list(table)
        _check_present(wanted, available)
        return {name: table[name] for name in wanted}
    import narwhals as nw

    frame = nw.from_native(table, eager_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        raise InputError(
            "table_type",
            f"the table is a {type(table).__name__}: pass a pandas, polars or pyarrow DataFrame, or a dict of columns",
        )
    _check_present(wanted, frame.columns)
    return {name: frame[name] for name in wanted}


def repeated_ids(table: object, column: str) -> int:
    """How many rows repeat an id that another row has before."""
    values, gap = read_column(pick_columns(table, [column])[column], column)
    if gap is not None:
        raise InputError("missing_ids", f"{column}: {int(gap.sum())} rows have no id")
    return len(values) - len(set(values.tolist()))


def _check_present(wanted: Sequence[str], available: Sequence[Any]) -> None:
    absent = [name for name in wanted if name not in available]
    if absent:
        raise InputError(
            "column_absent",
            f"there is no column {some_values(absent)}; the table has {some_values(available, most=20)}",
        )
