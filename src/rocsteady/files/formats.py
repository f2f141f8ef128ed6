"""Which formats there are, and which columns of a file are wanted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady.errors import InputError, printable, some_values

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Columns = dict[str, Any]

FORMATS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".txt": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}
DELIMITERS = {"csv": ",", "tsv": "\t"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which columns of a file are read, and which of them must be numbers.

    Numbers are never rounded, but those that are ``weights``: sums of huge ones are doubles everywhere.
    """

    numbers: tuple[str, ...]
    labels: tuple[str, ...]
    weights: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """All columns, each once."""
        return list(dict.fromkeys([*self.labels, *self.numbers]))

    def check(self, available: Sequence[str], path: Path) -> None:
        """Refuse when a column is not there."""
        absent = [name for name in self.names if name not in available]
        if absent:
            listed = some_values(available, most=20)
            raise InputError("column_absent", f"{printable(path)} has no column {some_values(absent)}; it has {listed}")


def format_of(path: Path) -> str:
    """The format that a file's name tells."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] == ".gz":
        suffixes.pop()
    found = FORMATS.get(suffixes[-1]) if suffixes else None
    if found is None:
        known = ", ".join(FORMATS)
        raise InputError("file_format", f"{printable(path)}: unknown extension; known: {known}; or name the format")
    return found


def states(paths: Sequence[Path]) -> list[tuple[int, int]]:
    """Size and time of each file: what must not change while they are read."""
    return [(stat.st_size, stat.st_mtime_ns) for stat in (path.stat() for path in paths)]
