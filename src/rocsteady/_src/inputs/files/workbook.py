"""Workbooks of spreadsheets (.xlsx) become CSV files: one sheet, its values as they are, within bounds."""

from __future__ import annotations

import csv
import datetime as dt
import zipfile
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import InputError, printable, require, some_values
from rocsteady._src.base.text import format_count

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

ENDINGS = (".xlsx", ".xlsm")
MOST_BYTES = 1 << 30  # of all parts, unpacked
MOST_TIMES = 250  # larger than packed: sheets of numbers come to some twenty times
FREE = 1 << 24  # so much may be packed as well as it likes
MOST_PARTS = 10_000
WAY_OUT = "save the sheet as CSV"


def is_workbook(path: Path) -> bool:
    """Whether a file's name says that it is a workbook."""
    return path.suffix.lower() in ENDINGS


def write_sheet(path: Path, target: Path, sheet: str | None = None) -> list[str]:
    """Write a sheet, the first unless named, as CSV; give the names of all sheets.

    Formulas stand with the values that were saved. Workbooks that unpack to far more than they are, are refused before
    they are opened.
    """
    refuse_bombs(path)
    openpyxl = require("openpyxl", extra="serve", purpose="reading workbooks")
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True, keep_links=False)
        names = [each.title for each in book.worksheets]
        rows = book[_chosen(path, names, sheet)].iter_rows(values_only=True)
        with target.open("w", newline="", encoding="utf-8") as out:
            csv.writer(out).writerows(_filled(rows))
        book.close()
    except InputError:
        raise
    except Exception as error:  # a damaged workbook fails anywhere in it
        text = f"{printable(path)} cannot be read as a workbook: {printable(error, most=160)}; {WAY_OUT}"
        raise InputError("file_unreadable", text) from error
    return names


def _chosen(path: Path, names: list[str], sheet: str | None) -> str:
    if sheet is not None and sheet not in names:
        text = f"{printable(path)} has no sheet {sheet!r}; it has {some_values(names)}"
        raise InputError("sheet_absent", text)
    if not names:
        raise InputError("file_empty", f"{printable(path)} has no sheet of cells")
    return sheet or names[0]


def refuse_bombs(path: Path) -> None:
    """Refuse a workbook whose parts are, by its own list, far larger than the file; none is unpacked beyond it."""
    try:
        with zipfile.ZipFile(path) as parts:
            listed = parts.infolist()
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError) as error:
        text = f"{printable(path)} cannot be read as a workbook: {printable(error, most=160)}; {WAY_OUT}"
        raise InputError("file_unreadable", text) from error
    size, packed = sum(each.file_size for each in listed), path.stat().st_size
    if len(listed) > MOST_PARTS or size > MOST_BYTES or size > FREE + MOST_TIMES * packed:
        told = f"{format_count(packed)} bytes that unpack to {format_count(size)} in {format_count(len(listed))} parts"
        raise InputError("unpacks_too_large", f"{printable(path)} has {told}, which is not opened; {WAY_OUT}")


def _filled(rows: Iterable[tuple[Any, ...]]) -> Iterable[list[str]]:
    """Rows of text without empty ones, as wide as the header, whose last cells may be empty."""
    width = 0
    for row in rows:
        cells = [_text(cell) for cell in row]
        if not any(cells):
            continue
        if not width:
            width = max(place for place, cell in enumerate(cells) if cell) + 1
        if any(cells[width:]):
            yield cells  # too long: whoever reads the file names the row
            continue
        yield (cells + [""] * width)[:width]


def _text(cell: object) -> str:
    """A cell as CSV has it: numbers with all their digits, days by ISO 8601."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return repr(int(cell)) if cell.is_integer() and abs(cell) < 2**53 else repr(cell)
    if isinstance(cell, dt.datetime | dt.date | dt.time):
        return cell.isoformat()
    return str(cell)
