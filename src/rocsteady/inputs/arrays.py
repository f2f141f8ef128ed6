"""Any column-like object becomes a one-dimensional NumPy array and a mask of its missing values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Column = tuple[NDArray[Any], NDArray[np.bool_] | None]


def read_column(values: object, name: str) -> Column:
    """Return the values and a mask of the missing ones, or None in its place when nothing is missing."""
    array, missing = _to_numpy(values, name)
    if array.ndim != 1:
        raise InputError("not_one_dimensional", _shape_message(array, name))
    if array.dtype.kind == "f" and array.size and np.isnan(array.max()):
        missing = _either(missing, np.isnan(array))
    elif array.dtype.kind == "O":
        missing = _either(missing, _null_objects(array))
    if missing is not None and not missing.any():
        missing = None
    return array, missing


def _to_numpy(values: object, name: str) -> Column:
    if isinstance(values, np.ma.MaskedArray):
        return np.asarray(values.data), np.ma.getmaskarray(values)
    if isinstance(values, np.ndarray):
        return values, None
    if isinstance(values, (list, tuple, range)):
        return _from_sequence(values, name), None
    series = _as_narwhals(values)
    if series is not None:
        return _from_narwhals(series)
    return np.asarray(values), None


def _from_sequence(values: list[Any] | tuple[Any, ...] | range, name: str) -> NDArray[Any]:
    """Convert without NumPy's silent turning of numbers into text, or of big integers into floats."""
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise InputError("ragged", f"{name}: the items do not all have the same length") from error
    if array.ndim != 1 or array.dtype.kind == "b":
        return array
    if array.dtype.kind == "U" and all(isinstance(value, str) for value in values):
        return array
    exact = array.dtype.kind in "iu" or (array.dtype.kind == "f" and not _has_big_integer(values))
    return array if exact else _as_objects(values)


def _has_big_integer(values: Any) -> bool:
    return any(type(value) is int and abs(value) > 2**53 for value in values)


def _as_objects(values: Any) -> NDArray[Any]:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _as_narwhals(values: object) -> Any:
    import narwhals as nw

    series = nw.from_native(values, series_only=True, pass_through=True)
    return series if isinstance(series, nw.Series) else None


def _from_narwhals(series: Any) -> Column:
    """Nulls are taken out before the conversion, so that integers stay integers."""
    import narwhals as nw

    if series.dtype == nw.Categorical or isinstance(series.dtype, nw.Enum):
        series = series.cast(nw.String)
    to_array = _decimals if isinstance(series.dtype, nw.Decimal) else _plain
    if not series.null_count():
        return to_array(series), None
    missing = np.asarray(series.is_null().to_numpy(), dtype=bool)
    present = to_array(series.drop_nulls())
    array = np.zeros(len(series), dtype=present.dtype)
    array[~missing] = present
    return array, missing


def _plain(series: Any) -> NDArray[Any]:
    array: NDArray[Any] = np.asarray(series.to_numpy())
    return array


def _decimals(series: Any) -> NDArray[Any]:
    return _as_objects(series.to_list())


def _null_objects(array: NDArray[Any]) -> NDArray[np.bool_]:
    return np.fromiter((value is None or _not_itself(value) for value in array), dtype=bool, count=array.size)


def _not_itself(value: Any) -> bool:
    try:
        return bool(value != value)  # noqa: PLR0124 - NaN of any type is the value that differs from itself
    except TypeError:  # pandas.NA has no truth value
        return True


def _either(first: NDArray[np.bool_] | None, second: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return second if first is None else first | second


def _shape_message(array: NDArray[Any], name: str) -> str:
    text = f"{name} must be one-dimensional, got shape {array.shape}"
    if array.ndim == 2 and array.shape[1] == 2:
        return text + "; for the output of predict_proba pass the positive column, [:, 1]"
    if array.ndim == 2 and 1 in array.shape:
        return text + "; pass .ravel() of it"
    return text
