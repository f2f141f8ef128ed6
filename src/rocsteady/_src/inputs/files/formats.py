"""Which formats there are, and which columns of a file are wanted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, InputError, in_shell, printable, some_values
from rocsteady._src.base.near_names import meant_columns
from rocsteady._src.inputs.files.folders import log_below, refuse_tables_with_logs, table_with_log

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
OTHER_DELIMITERS = (";", ",", "\t", "|")


class ColumnAbsent(InputError):  # noqa: N818 - it is told as any other
    """A column is not there; ``available`` are those that are."""

    def __init__(self, text: str, available: Sequence[str]) -> None:
        super().__init__("column_absent", text)
        self.available = list(available)


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

    def renamed(self, others: dict[str, str]) -> Wanted:
        """The same under other names, where there are such."""
        parts = (self.numbers, self.labels, self.weights)
        return Wanted(*(tuple(others.get(name, name) for name in part) for part in parts))

    def check(self, available: Sequence[str], path: Path) -> None:
        """Refuse when a column is not there."""
        absent = [name for name in self.names if name not in available]
        if absent:
            listed = some_values(available, most=20)
            told = f"{printable(path)} has no column {some_values(absent)}; it has {listed}"
            raise ColumnAbsent(f"{told}{meant_columns(absent, available)}", available)


def set_apart(wanted: Wanted) -> tuple[Wanted, dict[str, str]]:
    """The wanted columns under names that do not differ in case only, and of each such name the one in the file.

    Examples
    --------
    >>> set_apart(Wanted(("A", "a"), ("y",)))
    (Wanted(numbers=('A', 'a (2)'), labels=('y',), weights=()), {'y': 'y', 'A': 'A', 'a (2)': 'a'})
    """
    of_name: dict[str, str] = {}
    known = {name.lower() for name in wanted.names}
    for name in wanted.names:
        turn, other = 1, name
        while other.lower() in {each.lower() for each in of_name.values()} or (turn > 1 and other.lower() in known):
            turn += 1
            other = f"{name} ({turn})"
        of_name[name] = other
    return wanted.renamed(of_name), {other: name for name, other in of_name.items()}


def format_of(path: Path) -> str:
    """The format that a file's name tells."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] == ".gz":
        suffixes.pop()
    found = FORMATS.get(suffixes[-1]) if suffixes else None
    if found is None:
        known = ", ".join([*FORMATS, ".xlsx"])
        lines = "; a JSON array becomes JSON lines by pandas' to_json(path, orient='records', lines=True)"
        told = lines if suffixes and suffixes[-1] == ".json" else ""
        text = f"{printable(path)}: unknown extension; known: {known}; or name the format{told}"
        raise InputError("file_format", text)
    return found


def refuse_absent(paths: Sequence[Path]) -> None:
    """Refuse what is no file; a folder is told how to name its files."""
    for path in paths:
        if path.is_dir():
            if (found := log_below(path)) is not None:
                raise table_with_log(*found)
            refuse_tables_with_logs([path])
            inside = sorted({each.suffix.lower() for each in path.iterdir()} & set(FORMATS)) or [".parquet"]
            pattern = in_shell(path / f"*{inside[0]}")
            raise InputError("file_is_folder", f"{printable(path)} is a folder; name its files, such as {pattern}")
        if not path.is_file():
            raise InputError("file_absent", f"there is no file {printable(path)}")
    refuse_tables_with_logs(path for path in paths if FORMATS.get(path.suffix.lower()) == "parquet")


def one_delimiter(kind: str, given: str | None) -> str:
    """The character between the columns of a text file."""
    if given is None:
        return DELIMITERS[kind]
    if given == "\\t":
        return "\t"
    if len(given) != 1 or given in '"\r\n':
        raise ArgumentError("delimiter", f"a delimiter is one character, such as ; or \\t for a tab, got {given!r}")
    return given


def states(paths: Sequence[Path]) -> list[tuple[int, int]]:
    """Size and time of each file: what must not change while they are read."""
    return [(stat.st_size, stat.st_mtime_ns) for stat in (path.stat() for path in paths)]
