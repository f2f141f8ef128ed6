"""Tables of any library: named columns become arrays; incomplete rows are settled for all models at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from rocsteady._src.base.errors import ArgumentError, InputError, some_values
from rocsteady._src.base.near_names import meant_columns
from rocsteady._src.inputs.arrays import category_order, is_one, read_column
from rocsteady._src.inputs.clean import check_lengths, check_row_labels, counted_rows, rows_to_keep
from rocsteady._src.inputs.weights import checked_weights, weight_type_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import Missing


class ReadColumns(NamedTuple):
    """The complete rows of a table, column by column; ``orders`` are those of columns with ordered categories."""

    columns: dict[str, NDArray[Any]]
    n_dropped: int
    orders: dict[str, tuple[Any, ...]]


def read_table(
    table: object,
    *,
    label: str,
    scores: Sequence[str],
    weight: str | None = None,
    id: str | None = None,  # noqa: A002 - as evaluate calls it
    also: Sequence[str] = (),
    missing: Missing = "raise",
    weight_type: str | None = None,
) -> ReadColumns:
    """Read the named columns, and others that rows need, and settle the missing values jointly."""
    wanted = [label, *scores, *(name for name in (weight, id) if name is not None), *also]
    refuse_unhashable(wanted)
    repeated = [name for name, count in Counter(wanted).items() if count > 1]
    if repeated:
        raise ArgumentError("column_twice", f"a column cannot serve twice: {some_values(repeated)}")
    picked = pick_columns(table, wanted)
    read = {name: read_column(values, name, numbers_follow=name in scores) for name, values in picked.items()}
    check_lengths({name: values for name, (values, _) in read.items()})
    check_row_labels(picked)
    labels, no_label = read[label]
    gaps = {name: gap for name, (_, gap) in read.items()}
    weight_type_of(None, weight_type)
    if weight is not None and read[weight][1] is None:
        read[weight] = checked_weights(read[weight][0], weight, weight_type), None
    counted = None if weight is None else counted_rows(*read[weight])
    keep, n_dropped = rows_to_keep(gaps, labels, no_label, missing, counted=counted)
    columns = {name: values if keep is None else values[keep] for name, (values, _) in read.items()}
    if weight is not None and keep is not None:  # those that are left may all be whole
        columns[weight] = checked_weights(columns[weight], weight, weight_type)
    orders = {name: order for name in also if (order := category_order(picked[name]))}
    return ReadColumns(columns, n_dropped, orders)


def refuse_unhashable(names: Sequence[Any]) -> None:
    """A name of a column is one value."""
    odd = [name for name in names if not is_one(name)]
    if odd:
        text = f"a column is named by a text, got {some_values(odd)}; name one column at a time"
        raise ArgumentError("column_name", text)


def column_names(table: object) -> list[Any]:
    """Names of the columns of a mapping or of a DataFrame."""
    return list(table) if isinstance(table, Mapping) else list(_eager_frame(table).columns)


def all_columns(table: object) -> dict[str, Any]:
    """Every column by name."""
    if isinstance(table, Mapping):
        return dict(table)
    frame = _eager_frame(table)
    return {name: frame.get_column(name) for name in frame.columns}


def columns_of_models(scores: object, names: Sequence[str] | None = None) -> dict[str, Any]:
    """One column of scores per model: of a mapping or any DataFrame by name, or of a 2-D array with names."""
    import numpy as np

    if isinstance(scores, (np.ndarray, list, tuple)):
        return _columns_of_array(np.asarray(scores), names)
    if names is not None:
        raise ArgumentError("names", "names are of the columns of an array; a mapping or a DataFrame has its own")
    columns = all_columns(scores)
    odd = [name for name in columns if not isinstance(name, str)]
    if odd:
        text = f"models are called by text, and these are not: {some_values(odd)}; rename the columns"
        raise ArgumentError("names", text)
    return columns


def _columns_of_array(values: NDArray[Any], names: Sequence[str] | None) -> dict[str, Any]:
    if values.ndim != 2:
        text = "pass a mapping of names to columns, a DataFrame, or an array of one column per model with names="
        raise InputError("scores_shape", f"scores have {values.ndim} dimensions: {text}")
    if names is None:
        raise ArgumentError("names", f"an array of {values.shape[1]} models needs names=, one per column")
    given = list(names)
    if len(given) != values.shape[1] or len(set(given)) != len(given):
        text = f"scores have {values.shape[1]} columns, so names= must hold as many different names, got"
        raise ArgumentError("names", f"{text} {some_values(given)}")
    return {str(name): values[:, place] for place, name in enumerate(given)}


def pick_columns(table: object, wanted: Sequence[str]) -> dict[str, Any]:
    """Columns by name, from a mapping or any DataFrame that narwhals knows."""
    if isinstance(table, Mapping):
        available: list[Any] = list(table)
        _check_present(wanted, available)
        return {name: table[name] for name in wanted}
    frame = _eager_frame(table)
    _check_present(wanted, frame.columns)
    return {name: frame.get_column(name) for name in wanted}


def _eager_frame(table: object) -> Any:
    import narwhals as nw

    try:
        frame = nw.from_native(table, pass_through=True)
    except nw.exceptions.DuplicateError as error:
        text = f"the table has several columns of the same name, {' '.join(str(error).split())}; rename them"
        raise InputError("columns_repeated", text) from error
    if isinstance(frame, nw.DataFrame):
        return frame
    lazy = isinstance(frame, nw.LazyFrame)
    remedy = "collect it first" if lazy else "pass a pandas, polars or pyarrow DataFrame, or a dict of columns"
    raise InputError("table_type", f"the table is a {type(table).__name__}: {remedy}")


def _check_present(wanted: Sequence[str], available: Sequence[Any]) -> None:
    absent = [name for name in wanted if name not in available]
    if absent:
        raise InputError(
            "column_absent",
            f"there is no column {some_values(absent)}; the table has {some_values(available, most=20)}"
            f"{meant_columns(absent, available)}",
        )
