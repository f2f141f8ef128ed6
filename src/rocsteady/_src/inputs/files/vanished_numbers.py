"""Numbers of JSON lines that the parser makes 0, or makes one of two, found in the text itself."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import InputError, first_rows, printable
from rocsteady._src.base.text import format_count
from rocsteady._src.inputs.files.sql import run, text, texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

TINY = re.compile(r"[eE]-0*[0-9]{3}|0{300}")  # no other number is below the smallest double


def refuse_vanished(paths: Sequence[Path], names: Sequence[str]) -> None:
    """Refuse numbers that are not 0 and would be read as 0."""
    for path in paths:
        found = list(_vanished(path, names))
        if found:
            rows, (_, name, number) = [row for row, _, _ in found], found[0]
            raise InputError(
                "beyond_doubles",
                f"{printable(path)}, column {name!r}: {format_count(len(found))} too near to 0 for a double, "
                f"{first_rows(rows, total=len(rows))}: {printable(number, most=30)}; rescale the column, or write 0",
            )


def _vanished(path: Path, names: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    from rocsteady._src.inputs.files.tables import open_text

    with open_text(path) as lines:
        for row, line in enumerate(lines):
            if TINY.search(line):
                yield from ((row, name, number) for name, number in _numbers(line, names) if _is_lost(number))


def _numbers(line: str, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    try:
        record: Any = json.loads(line, parse_float=_Number)
    except (ValueError, RecursionError):  # whoever reads it says what is wrong
        return
    for name in names:
        value = record.get(name) if isinstance(record, dict) else None
        if isinstance(value, _Number):
            yield name, value


class _Number(str):
    """A number as it is written."""

    __slots__ = ()


def _is_lost(number: str) -> bool:
    return float(number) == 0 and re.search("[1-9]", re.split("[eE]", number)[0]) is not None


LONG = r"[1-9][0-9]{17,}|[1-9][0-9.]{18,}"  # more than 17 digits


def refuse_merged(connection: Any, paths: Sequence[Path], names: Sequence[str]) -> None:
    """Refuse decimals of so many digits that the parser makes one number of two."""
    source = f"read_ndjson_objects({texts(paths, brackets='[]')})"
    long = f"SELECT 1 FROM {source} WHERE regexp_matches(CAST(json AS VARCHAR), {text(LONG)}) LIMIT 1"
    if not names or run(connection, long, *paths).fetchone() is None:
        return
    from rocsteady._src.inputs.files.tables import open_text

    known: dict[tuple[str, float], tuple[int, str]] = {}
    for path in paths:
        with open_text(path) as lines:
            for row, line in enumerate(lines):
                for name, number in _numbers(line, names):
                    first = known.setdefault((name, float(number)), (row, number))
                    if Decimal(first[1]) != Decimal(number):
                        raise _merged(path, name, first, (row, number))


def _merged(path: Path, name: str, first: tuple[int, str], second: tuple[int, str]) -> InputError:
    shown = " and ".join(f"{printable(number, most=30)} in row {row + 1}" for row, number in (first, second))
    told = (
        f"{printable(path)}, column {name!r}: different numbers that are one double: {shown} (row 1 is the first line)"
    )
    remedy = "write decimals of at most 15 digits, or whole numbers, which are ranked exactly"
    return InputError("merged_decimals", f"{told}; {remedy}")
