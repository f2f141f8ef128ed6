"""Checksums of Parquet pages: each page that carries one is compared with it, nothing is decompressed.

A column chunk is a row of pages, each behind a header in Thrift's compact protocol, of which only the length and the
checksum matter here.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

from rocsteady._src.base.errors import InputError, printable
from rocsteady._src.inputs.files.sql import run, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from rocsteady._src.inputs.files.formats import Wanted

WINDOW, MOST_HEADER = 1 << 10, 1 << 24
PIECE = 1 << 20
SIZE_FIELD, CHECKSUM_FIELD = 3, 4  # of a page header
DEEPEST = 16
TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Where a column of a row group lies in a file."""

    path: Path
    column: str
    start: int
    size: int


def chunks_of(connection: Any, paths: Sequence[Path], wanted: Wanted) -> list[Chunk]:
    """The parts of files that hold the wanted columns."""
    offsets = "coalesce(nullif(dictionary_page_offset, 0), data_page_offset), data_page_offset, total_compressed_size"
    query = f"SELECT file_name, path_in_schema, {offsets} FROM parquet_metadata({texts(paths, brackets='[]')})"
    named, found = {str(path): path for path in paths}, run(connection, query, *paths).fetchall()
    return [
        Chunk(named[file], column, min(dictionary, data), size)
        for file, column, dictionary, data, size in found
        if column in wanted.names and data is not None
    ]


def verify_pages(chunks: Sequence[Chunk], goes_on: Callable[[], bool]) -> None:
    """Compare the checksums of all pages that have one."""
    for chunk in chunks:
        with chunk.path.open("rb") as file:
            _verify_chunk(file, chunk, goes_on)


def _verify_chunk(file: BinaryIO, chunk: Chunk, goes_on: Callable[[], bool]) -> None:
    place, end, n_checked = chunk.start, chunk.start + chunk.size, 0
    while place < end and goes_on():
        try:
            length, size, checksum = _page_header(file, place)
        except (IndexError, ValueError) as error:
            if n_checked:
                raise _damaged(chunk, "the header of a page cannot be read") from error
            return  # without checksums DuckDB is the judge of headers
        if checksum is not None:
            n_checked += 1
            if _checksum(file, place + length, size) != checksum % 2**32:
                raise _damaged(chunk, "the checksum of a page differs")
        place += length + size


def _damaged(chunk: Chunk, what: str) -> InputError:
    text = f"{printable(chunk.path)} is damaged: {what}, in column {chunk.column!r}; fetch or write it again"
    return InputError("file_damaged", text)


def _checksum(file: BinaryIO, place: int, size: int) -> int:
    file.seek(place)
    found = 0
    while size > 0 and (data := file.read(min(size, PIECE))):
        found = zlib.crc32(data, found)
        size -= len(data)
    return found


def _page_header(file: BinaryIO, place: int) -> tuple[int, int, int | None]:
    """Length of the header, bytes of the page, and its checksum if it has one."""
    window = WINDOW
    while True:
        file.seek(place)
        data = file.read(window)
        try:
            return _read_header(Compact(data))
        except IndexError:
            if len(data) < window or window >= MOST_HEADER:
                raise
            window *= 4


def _read_header(data: Compact) -> tuple[int, int, int | None]:
    numbers: dict[int, int] = {}
    field = 0
    while (kind := data.byte()) != 0:
        field = field + (kind >> 4) if kind >> 4 else data.signed()
        if kind & 15 == I32:
            numbers[field] = data.signed()
        else:
            data.skip(kind & 15)
    size = numbers.get(SIZE_FIELD, -1)
    if size < 0:
        raise ValueError("a page has no size")
    return data.place, size, numbers.get(CHECKSUM_FIELD)


class Compact:
    """Thrift's compact protocol, as much as it takes to pass over a header; IndexError at the end of the data."""

    def __init__(self, data: bytes) -> None:
        self.data, self.place = data, 0

    def byte(self) -> int:
        """One byte."""
        self.place += 1
        return self.data[self.place - 1]

    def unsigned(self) -> int:
        """A number of as many bytes as it needs."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
            if shift > 63:
                raise ValueError("a number is too long")

    def signed(self) -> int:
        """The same with a sign, which is the lowest bit."""
        value = self.unsigned()
        return (value >> 1) ^ -(value & 1)

    def skip(self, kind: int, depth: int = 0, *, in_list: bool = False) -> None:
        """Pass over a value."""
        if depth > DEEPEST:
            raise ValueError("a header is nested too deep")
        if kind in (I16, I32, I64):
            self.unsigned()
        elif kind == STRUCT:
            self._skip_struct(depth)
        elif kind in (LIST, SET):
            self._skip_list(depth)
        elif kind in (TRUE, FALSE):
            self._forward(int(in_list))
        elif kind in (BYTE, DOUBLE, BINARY):
            self._forward({BYTE: 1, DOUBLE: 8}.get(kind) or self.unsigned())
        else:
            raise ValueError("no page header has such a field")

    def _skip_struct(self, depth: int) -> None:
        while (kind := self.byte()) != 0:
            if not kind >> 4:
                self.signed()
            self.skip(kind & 15, depth + 1)

    def _skip_list(self, depth: int) -> None:
        start = self.byte()
        count = start >> 4 if start >> 4 != 15 else self.unsigned()
        for _ in range(count):
            self.skip(start & 15, depth + 1, in_list=True)

    def _forward(self, count: int) -> None:
        self.place += count
        if self.place > len(self.data):
            raise IndexError(self.place)
