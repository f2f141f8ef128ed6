"""Numbers of JSON lines that are so near to 0 that the parser makes them 0, found in the text itself."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import InputError, first_rows, printable
from rocsteady._src.base.text import format_count

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
