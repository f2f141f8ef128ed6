"""Files and standard input for the commands: into memory where they fit, else grouped where they are."""

from __future__ import annotations

import codecs
import sys
import zlib
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from rocsteady._src.base.errors import InputError, printable
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.inputs.files import ColumnAbsent, Wanted, estimate_rows, matching_files, scan_files
from rocsteady._src.inputs.files.formats import refuse_absent
from rocsteady._src.inputs.files.read import read_files
from rocsteady._src.inputs.files.scan import memory_bytes
from rocsteady._src.inputs.files.scratch_folders import private_folder
from rocsteady._src.inputs.files.workbook import is_workbook, write_sheet
from rocsteady._src.results.remarks import Remark
from rocsteady._src.views.cli.memory import Room
from rocsteady._src.views.cli.standard_input import pieces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocsteady._src.inputs.files import Columns, ScannedFiles
    from rocsteady._src.views.cli.source import Source

ROW_BYTES, VALUE_BYTES = 64, 48  # of a row in memory while it is read and ranked, and of each of its columns
WORTH_SAYING = 100_000
SMALL, MANY = 20_000_000, 100  # bytes and columns that are looked into for those that may be labels
NO_COLUMN = "\N{SYMBOL FOR NULL} no column"
LOOKED_AT, GZIP, PARQUET = 1 << 16, b"\x1f\x8b", b"PAR1"
UNREAD = {
    b"[{": "a JSON array (pandas writes JSON lines by to_json(path, orient='records', lines=True))",
    b"ARROW1": "an Arrow or Feather file",
    b"\xff\xff\xff\xff": "an Arrow stream",
    b"FEA1": "a Feather file",
    b"BZh": "compressed by bzip2",
    b"\xfd7zXZ": "compressed by xz",
    b"\x28\xb5\x2f\xfd": "compressed by zstd",
    b"PK\x03\x04": "a zip file or a workbook",
    b"\xd0\xcf\x11\xe0": "an old workbook (.xls) or document",
    b"$FL2": "an SPSS file",
    b"<stata_dta>": "a Stata file",
    b"%PDF": "a PDF file",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
}


@contextmanager
def files_of(file: str) -> Iterator[list[Path]]:
    """The files behind a name or a pattern; ``-`` is standard input, kept in a private file for as long.

    Its first bytes tell the format, as the ending of a file's name does.
    """
    if file != "-" and not is_workbook(Path(file)):
        yield matching_files(file)
        return
    if file != "-":
        with private_folder() as folder, _called(folder / "sheet.csv", file) as sheet:
            refuse_absent([Path(file)])
            write_sheet(Path(file), sheet)
            yield [sheet]
        return
    with private_folder() as folder:
        if sys.stdin is None or sys.stdin.closed:
            text = "standard input is closed; name a file, or pipe one into the command"
            raise InputError("stdin_closed", text)
        coming, start = pieces(sys.stdin.buffer), b""
        while len(start) < LOOKED_AT and (piece := next(coming, b"")):
            start += piece
        _refuse_unread(start)
        with _called(folder / f"standard-input{ending_of_bytes(start)}", "standard input") as spool:
            with spool.open("wb") as out:
                out.writelines(chain([start], coming))
            yield [spool]


@contextmanager
def _called(path: Path, name: str) -> Iterator[Path]:
    """A file of ours, which messages call by the name that its reader knows."""
    try:
        yield path
    except InputError as error:
        raise InputError(error.code, _renamed(error.sentence, printable(path), printable(name))) from error


def _renamed(told: str, path: str, name: str) -> str:
    """A message about one file as one about another; options stay what each door calls them."""
    if not isinstance(told, Sentence):
        return printable(told).replace(path, name)
    params = {key: each.replace(path, name) if type(each) is str else each for key, each in told.params.items()}
    return Sentence(told.template, **params)


def _refuse_unread(start: bytes) -> None:
    """Say what standard input is where its bytes are of a format that is not read."""
    for first, what in UNREAD.items():
        if start.startswith(first):
            text = f"standard input is {what}, which is not read; CSV, TSV, JSON lines and Parquet are"
            raise InputError("file_format", f"{text}, and the first three by gzip too")


def ending_of_bytes(start: bytes) -> str:
    """The ending that a file which begins so should have: .csv unless the bytes say otherwise.

    Examples
    --------
    >>> ending_of_bytes(b"PAR1..."), ending_of_bytes(b'{"y": 1}'), ending_of_bytes(b"y,a")
    ('.parquet', '.jsonl', '.csv')
    """
    if start.startswith(GZIP):
        inside = zlib.decompressobj(wbits=31).decompress(start, LOOKED_AT)
        return f"{ending_of_bytes(inside)}.gz"
    if start.startswith(PARQUET):
        return ".parquet"
    text = start.removeprefix(codecs.BOM_UTF8).lstrip()
    if text.startswith(b"{"):
        return ".jsonl"
    header = text.split(b"\n", 1)[0]
    return ".tsv" if b"\t" in header and b"," not in header else ".csv"


def load_columns(file: str, wanted: Wanted, delimiter: str | None) -> Columns:
    """Read the columns into memory."""
    with files_of(file) as paths:
        return read_files(paths, wanted, delimiter=delimiter)


def columns_in(file: str, delimiter: str | None) -> list[str]:
    """The columns that a file has."""
    try:
        load_columns(file, Wanted(numbers=(), labels=(NO_COLUMN,)), delimiter)
    except ColumnAbsent as error:
        return error.available
    return [NO_COLUMN]


def columns_of_two_values(file: str, columns: list[str], delimiter: str | None) -> list[str]:
    """Which of the columns of a small file have two values, as labels have."""
    with files_of(file) as paths:
        if sum(path.stat().st_size for path in paths) > SMALL or len(columns) > MANY:
            return []
        found = read_files(paths, Wanted(numbers=(), labels=tuple(columns)), delimiter=delimiter)
    return [name for name in columns if len({str(value) for value in found[name]} - {"--", "nan", "None"}) == 2]


@contextmanager
def open_table(source: Source) -> Iterator[tuple[Columns | ScannedFiles, Remark | None]]:
    """The columns in memory if by estimate they fit, else the files where they are; and which way was taken."""
    with open_columns(source.file, source.wanted, source.memory, source.delimiter, source.command) as opened:
        yield opened


@contextmanager
def open_columns(
    file: str, wanted: Wanted, memory: str, delimiter: str | None, command: str = ""
) -> Iterator[tuple[Columns | ScannedFiles, Remark | None]]:
    """The same of any columns of a file."""
    room = Room.of(memory_bytes(memory), command)
    with files_of(file) as paths:
        n_rows = estimate_rows(paths)
        if n_rows * (ROW_BYTES + VALUE_BYTES * len(wanted.names)) <= room.work:
            route = Remark("route", n=n_rows, way=": read into memory") if n_rows >= WORTH_SAYING else None
            yield read_files(paths, wanted, delimiter=delimiter), route
            return
        with scan_files(paths, wanted, memory=room.work, delimiter=delimiter) as scanned:
            way = f", more than --memory {memory} holds: grouped on disk by DuckDB"
            yield scanned, Remark("route", n=n_rows, way=way)
