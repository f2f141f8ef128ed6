"""What stands in place of rows that stayed where a result was saved."""

from __future__ import annotations

from typing import Any, NoReturn

from rocsteady._src.base.errors import InputError


def refuse_without_rows(what: str) -> NoReturn:
    """Refuse what a file cannot answer."""
    text = "this result was read from a file, which holds no rows"
    raise InputError("rows_absent", f"{text}: {what} needs them; evaluate the rows again")


class AbsentRows:
    """Rows that are not in the file: whoever asks for them is told so.

    Examples
    --------
    >>> AbsentRows().estimates
    Traceback (most recent call last):
    rocsteady.errors.InputError: this result was read from a file, which holds no rows: that needs them; ...
    """

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        refuse_without_rows("that")

    def __getitem__(self, name: Any) -> NoReturn:
        refuse_without_rows("that")


def absent_rows() -> Any:
    """Rows that are not there, whatever they would be."""
    return AbsentRows()
