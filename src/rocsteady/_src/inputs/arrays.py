"""Any column-like object becomes a one-dimensional NumPy array and a mask of its missing values."""

from __future__ import annotations

import numbers
import sys
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError, first_rows, printable, some_values
from rocsteady._src.base.text import format_count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Column = tuple[NDArray[Any], NDArray[np.bool_] | None]

PLAIN_TYPES = {str, int, float, bool, bytes, Decimal, Fraction, type(None), np.float64, np.int64, np.bool_, np.str_}
ALWAYS_THERE = {str, int, bool, bytes, np.int64, np.bool_, np.str_}  # types of which no value stands for a missing one


def read_column(values: object, name: str, *, numbers_follow: bool = False) -> Column:
    """Return the values and a mask of the missing ones, or None in its place when nothing is missing.

    Where a check for ``numbers_follow`` it refuses what is no single value; else it is refused here.
    """
    array, missing = _to_numpy(values, name)
    if array.ndim == 0:
        raise InputError("not_a_column", _type_message(values, name))
    if array.ndim != 1:
        raise InputError("not_one_dimensional", _shape_message(array, name))
    if array.dtype.kind == "f":
        if array.size and np.isnan(array.max()):
            missing = _either(missing, np.isnan(array))
    elif array.dtype.kind not in "biuU":
        array, gaps = _unusual(array, name)
        missing = _either(missing, gaps)
        if not numbers_follow:
            _refuse_nested(array, missing, name)
    if missing is not None and not missing.any():
        missing = None
    return array, missing


def category_order(values: object) -> tuple[Any, ...]:
    """The order that an ordered categorical gives its values; empty for all else, whose values sort."""
    if isinstance(values, (np.ndarray, list, tuple, range)):
        return ()
    if getattr(values, "ordered", False) is True and hasattr(values, "categories"):  # a pandas.Categorical by itself
        return tuple(values.categories)
    series = _as_narwhals(values)
    if series is None:
        return ()
    import narwhals as nw

    if isinstance(series.dtype, nw.Enum):
        return tuple(series.dtype.categories)
    kind = getattr(series.to_native(), "type", None)
    if not getattr(kind, "ordered", False):
        return ()
    listed = (value for chunk in series.to_native().chunks for value in chunk.dictionary.to_pylist())
    return tuple(dict.fromkeys(listed))


def exactly_converted(array: NDArray[Any], values: Any) -> bool:
    """Whether NumPy's conversion of these numbers kept each of them: floats skip integers beyond 2**53."""
    if array.dtype.kind != "f":
        return array.dtype.kind in "biu"
    big = np.flatnonzero(np.abs(array) >= np.float64(2**53))
    return not any(isinstance(values[row], numbers.Integral) for row in big)


def _to_numpy(values: object, name: str) -> Column:
    if isinstance(values, np.ma.MaskedArray):
        return np.asarray(values.data), np.ma.getmaskarray(values)
    if isinstance(values, np.ndarray):
        return np.asarray(values), None
    if isinstance(values, (list, tuple, range)):
        return _from_sequence(values, name), None
    series = _as_narwhals(values)
    if series is not None:
        return _from_narwhals(series, name)
    if isinstance(values, Sequence) and not isinstance(values, (str, bytes)):
        return _from_sequence(values, name), None
    return np.asarray(values), None


def _from_sequence(values: Sequence[Any], name: str) -> NDArray[Any]:
    """Convert without NumPy's silent turning of numbers into text, or of big integers into floats."""
    try:
        array = natural_array(values)
    except ValueError as error:
        text = f"{name}: the items do not all have the same length; pass one value per row"
        raise InputError("ragged", text) from error
    if array.ndim != 1 or exactly_converted(array, values):
        return array
    if array.dtype.kind == "U" and all(isinstance(value, str) for value in values):
        return array
    return _as_objects(values)


def natural_array(values: Any) -> NDArray[Any]:
    """What NumPy makes of these values; whole numbers beside floats that none can hold stay as they are."""
    try:
        return np.asarray(values)
    except OverflowError:
        return _as_objects(values)


def _as_objects(values: Any) -> NDArray[Any]:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _as_narwhals(values: object) -> Any:
    import narwhals as nw

    values = nw.to_native(values, pass_through=True)
    pa = sys.modules.get("pyarrow")
    if pa is not None and isinstance(values, pa.Array):
        values = pa.chunked_array([values])
    series = nw.from_native(values, series_only=True, pass_through=True)
    return series if isinstance(series, nw.Series) else None


def _from_narwhals(series: Any, name: str) -> Column:
    """Nulls are taken out before the conversion, so that integers stay integers."""
    import narwhals as nw

    if series.dtype.is_nested():
        raise InputError("not_one_dimensional", _nested_message(series.dtype, name))
    if isinstance(series.dtype, (nw.Decimal, nw.Int128, nw.UInt128, nw.String, nw.Object)):
        return _as_objects(series.to_list()), None
    if not series.null_count():
        return np.asarray(series.to_numpy()), None
    missing = np.asarray(series.is_null().to_numpy(), dtype=bool)
    present = np.asarray(series.drop_nulls().to_numpy())
    array = np.zeros(len(series), dtype=present.dtype)
    array[~missing] = present
    return array, missing


def _unusual(array: NDArray[Any], name: str) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Types whose missing values NumPy does not find in one way; text of any length becomes objects."""
    if array.dtype.kind == "V":
        raise InputError("not_one_dimensional", _nested_message(array.dtype, name))
    if array.dtype.kind in "mM":
        return array, np.isnat(array)
    if array.dtype.kind == "T":
        array = array.astype(object)
    return array, _null_objects(array)


def _refuse_nested(array: NDArray[Any], missing: NDArray[np.bool_], name: str) -> None:
    """A list, a mapping or an array is no value: it can neither be a label, nor name a subject, nor be a number."""
    if array.dtype.kind != "O":
        return
    unusual = {kind for kind in set(map(type, array)) if kind not in PLAIN_TYPES}
    if not unusual:
        return
    odd = [row for row, value in enumerate(array) if type(value) in unusual and not missing[row] and not is_one(value)]
    if odd:
        raise InputError(
            "not_one_dimensional",
            f"{name} must hold one value per row, and {format_count(len(odd))} are several or can change, "
            f"{first_rows(odd, total=len(odd))}: {some_values(array[odd[:3]])}; take a number or a text out of each",
        )


def is_one(value: object) -> bool:
    """Whether a value can be looked up: texts and numbers can, lists and arrays cannot."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _null_objects(array: NDArray[Any]) -> NDArray[np.bool_]:
    if ALWAYS_THERE.issuperset(map(type, array.flat)):
        return np.zeros(array.size, dtype=bool)
    return np.fromiter((is_missing(value) for value in array), dtype=bool, count=array.size)


def is_missing(value: Any) -> bool:
    """Whether a value is None, NaN, NaT or pandas.NA."""
    try:
        return value is None or value is np.ma.masked or bool(value != value)  # noqa: PLR0124 - NaN of any type is the value that differs from itself
    except (TypeError, ArithmeticError):  # pandas.NA has no truth value, a signalling NaN no comparison
        return True
    except ValueError:  # an array in a cell: odd, but there
        return False


def _either(first: NDArray[np.bool_] | None, second: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return second if first is None else first | second


def _type_message(values: object, name: str) -> str:
    if isinstance(values, Mapping) and values and name not in ("y_true", "y"):
        first = some_values([next(iter(values))])
        text = f"{name} must be a column of scores, got a {type(values).__name__} of {format_count(len(values))}"
        return f"{text}; pass a list or an array, such as models[{first}], or judge all with rs.evaluate(y, models)"
    if hasattr(values, "predict"):
        text = f"{name} is a model, {type(values).__name__}, not a column of values: use"
        return f"{text} rs.evaluate_estimators(models, X, y), and .compare() of it"
    if isinstance(values, str):
        text = f"{name} must be a column of values, got str, {printable(values, most=40)!r}"
        return f"{text}; pass a list, an array or a Series, or its name after a table and with the name of the labels"
    return (
        f"{name} must be a column of values, got {type(values).__name__}; "
        "pass a list, an array or a Series: list(...) of an iterable, a column of a collected lazy frame"
    )


def _nested_message(dtype: object, name: str) -> str:
    return f"{name} must be one-dimensional, its values are of type {dtype}; pass one value per row"


def _shape_message(array: NDArray[Any], name: str) -> str:
    text = f"{name} must be one-dimensional, got shape {array.shape}"
    if array.ndim == 2 and array.shape[1] > 1 and name in ("y_true", "y"):
        return text + "; of several labels of a row use rs.evaluate(y, P)"
    if array.ndim == 2 and array.shape[1] == 2:
        return text + "; for the output of predict_proba pass the positive column, [:, 1]"
    if array.ndim == 2 and 1 in array.shape:
        return text + "; pass .ravel() of it"
    if array.ndim == 2:
        text += "; of more than two classes use rs.evaluate(y, P), for the AUC alone rs.multiclass_auc(y, P)"
        return text + ", and rs.scorer('macro_auc') in a search"
    return text + "; pass one value per row"


def kind_of(value: object) -> str:
    """What a value is, in a word: boolean, number, text or the name of its type."""
    if isinstance(value, (bool, np.bool_)):
        return "boolean"
    if isinstance(value, (int, float, np.number)):
        return "number"
    return "text" if isinstance(value, str) else type(value).__name__
