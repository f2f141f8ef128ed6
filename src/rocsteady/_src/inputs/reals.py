"""Options that hold numbers, one or several, as float64."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError, first_rows, is_number, some_values
from rocsteady._src.base.text import format_count
from rocsteady._src.inputs.arrays import read_column
from rocsteady._src.inputs.scores import is_real, to_doubles

if TYPE_CHECKING:
    from numpy.typing import NDArray


def real_numbers(values: object, name: str) -> NDArray[np.float64]:
    """One number or a column of them; NaN where one is missing.

    Examples
    --------
    >>> real_numbers(0.5, "at").tolist(), real_numbers([0.1, None], "at").tolist()
    ([0.5], [0.1, nan])
    >>> real_numbers([0.1, "a"], "at")
    Traceback (most recent call last):
    rocsteady.errors.InputError: at must hold numbers, and 1 are none, row 1: 'a'; convert or drop them
    """
    column, missing = read_column([values] if is_number(values) else values, name, numbers_follow=True)
    if missing is None:
        return doubles_of(column, name)
    numbers = np.full(column.size, np.nan)
    numbers[~missing] = doubles_of(column[~missing], name)
    return numbers


def doubles_of(column: NDArray[Any], name: str) -> NDArray[np.float64]:
    """The numbers of a column that was read, or a refusal of what are none."""
    if column.dtype.kind not in "biufO":
        raise InputError("value_type", f"{name} must hold numbers, got the type {column.dtype}; convert them")
    odd = [row for row, value in enumerate(column) if not is_real(value)] if column.dtype.kind == "O" else []
    if odd:
        told = f"{first_rows(odd, total=len(odd))}: {some_values(column[row] for row in odd[:3])}"
        raise InputError(
            "value_type",
            f"{name} must hold numbers, and {format_count(len(odd))} are none, {told}; convert or drop them",
        )
    doubles, beyond = to_doubles(column)
    if beyond.size:
        where = first_rows(beyond, total=beyond.size)
        raise InputError(
            "beyond_doubles", f"{name}: {format_count(beyond.size)} too large or too near to 0 for a double, {where}"
        )
    return doubles
