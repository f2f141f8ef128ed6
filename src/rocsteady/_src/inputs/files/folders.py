"""Folders of a table with a log, of whose files only its own readers know which count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsteady._src.base.errors import InputError, printable

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

READERS = {
    "Delta": "DuckDB's delta_scan or the package deltalake",
    "Iceberg": "DuckDB's iceberg_scan or the package pyiceberg",
    "Hudi": "Spark or the package hudi",
}
DEEPEST = 3  # folders below a given one that are looked into


def refuse_tables_with_logs(paths: Iterable[Path]) -> None:
    """Refuse files of a Delta, Iceberg or Hudi table: its log says which of them count, and only its readers know."""
    seen: dict[Path, str | None] = {}
    for path in paths:
        for folder in dict.fromkeys([*path.absolute().parents, *path.resolve().parents]):
            if folder not in seen:
                seen[folder] = log_of(folder)
            if seen[folder] is not None:
                raise table_with_log(folder, seen[folder] or "")


def log_of(folder: Path) -> str | None:
    """Which kind of table keeps its log in this folder, if any."""
    try:
        if (folder / "_delta_log").is_dir():
            return "Delta"
        if (folder / ".hoodie").is_dir():
            return "Hudi"
        return "Iceberg" if next((folder / "metadata").glob("*.metadata.json"), None) is not None else None
    except PermissionError:  # what nobody may look into is not known to be a table
        return None


def log_below(folder: Path, depth: int = DEEPEST) -> tuple[Path, str] | None:
    """The first table with a log in this folder or a little below."""
    if kind := log_of(folder):
        return folder, kind
    if not depth:
        return None
    try:
        inside = [each for each in folder.iterdir() if each.is_dir() and not each.is_symlink()]
    except PermissionError:
        return None
    return next((found for each in inside if (found := log_below(each, depth - 1))), None)


def table_with_log(folder: Path, kind: str) -> InputError:
    """Its files hold rows that were overwritten or deleted, so that reading them all counts too many."""
    told = f"{printable(folder)} is {'an' if kind == 'Iceberg' else 'a'} {kind} table: its files also hold rows that"
    remedy = f"read it with {READERS[kind]}, and pass the frame to rocsteady in Python, or write it to one Parquet file"
    return InputError("table_with_log", f"{told} were overwritten or deleted; {remedy} elsewhere")
