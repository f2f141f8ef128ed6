"""What a day is: a date, a whole number, or text of one; as a number that counts days, and as it is shown."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, first_rows, some_values
from rocsteady._src.ranked import numbered

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]


def day_numbers(values: NDArray[Any], name: str, every: int = 1) -> tuple[Numbers, bool]:
    """The number of each row's day, the first of its ``every`` days; and whether days are dates."""
    if values.dtype.kind == "M":
        number = values.astype("datetime64[D]").astype(np.int64) + date(1970, 1, 1).toordinal()
        return _first_of(number, every), True
    if values.dtype.kind in "iu":
        return _first_of(values.astype(np.int64), every), False
    distinct, place = numbered(values)
    found = [_day(value) for value in distinct]
    odd = [number for number, each in enumerate(found) if each is None]
    if odd:
        rows = np.flatnonzero(np.isin(place, odd))
        told = f"{name} must hold dates or whole numbers, not as in {first_rows(rows, total=rows.size)}: "
        raise InputError("day", f"{told}{some_values([distinct[each] for each in odd[:3]])}; write them as 2026-11-17")
    if len({each[1] for each in found if each is not None}) > 1:
        raise InputError("day", f"{name} mixes dates and numbers; write all days alike")
    number = np.array([each[0] for each in found if each is not None], dtype=np.int64)[place]
    return _first_of(number, every), bool(found and found[0] and found[0][1])


def _first_of(number: Numbers, every: int) -> Numbers:
    """Periods of several days begin on the same days whatever the rows are: 7 of them on Mondays."""
    return number if every == 1 else (number - 1) // every * every + 1


def _day(value: Any) -> tuple[int, bool] | None:
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, datetime):
        return value.date().toordinal(), True
    if isinstance(value, date):
        return value.toordinal(), True
    if isinstance(value, bool):
        return None
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return int(value), False
    return _of_text(value) if isinstance(value, str) else None


def _of_text(value: str) -> tuple[int, bool] | None:
    text = value.strip()
    if text.lstrip("-").isdigit() and len(text) < 8:
        return int(text), False
    try:
        return datetime.fromisoformat(text).date().toordinal(), True
    except ValueError:
        return None


def one_day(value: Any, name: str) -> int:
    """The number of one day that was named."""
    found = _day(value)
    if found is None:
        raise ArgumentError(name, f"{name} must be a date or a whole number, such as 2026-11-17, got {value!r}")
    return found[0]


def shown_day(number: int, *, dates: bool) -> str:
    """A day as it is read."""
    return date.fromordinal(number).isoformat() if dates else str(number)
