"""JSON that others wrote, read within bounds: a file that is damaged, endless or nested too deeply gets a sentence."""

from __future__ import annotations

import struct
import zipfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.checksums import parsed_json
from rocsteady._src.base.errors import InputError, printable, require
from rocsteady._src.base.text import format_count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_BYTES = 1 << 29  # of one part of an archive when it is expanded
MOST_IN_ALL = 1 << 32
ZSTANDARD = 93  # by which inspect compresses; Python's own zipfile knows it since 3.14
LOCAL = struct.Struct("<26xHH")


def paths_of(given: object, endings: Sequence[str], what: str) -> list[Path]:
    """Files by name: one, several, or all in a folder whose names end so."""
    listed = given if isinstance(given, (list, tuple)) else [given]
    found: list[Path] = []
    for each in listed:
        if not isinstance(each, (str, Path)) and not hasattr(each, "__fspath__"):
            raise InputError("path", f"{what} are named by a path or a list of paths, got {type(each).__name__}")
        path = Path(each)
        if path.is_dir():
            inside = [file for file in path.rglob("*") if file.is_file() and file.name.endswith(tuple(endings))]
            if not inside:
                text = f"the folder {printable(path)} holds no {what} (files ending in {' or '.join(endings)})"
                raise InputError("file_absent", text)
            found += sorted(inside)
        elif path.is_file():
            found.append(path)
        else:
            raise InputError("file_absent", f"there is no file or folder {printable(path)}")
    return found


def parsed(text: str | bytes, where: str) -> Any:
    """One JSON value, or a sentence that names the place."""
    return parsed_json(text, "not_json", where)


def json_lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each line's object, with the words that name the line."""
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                where = f"line {format_count(number)} of {printable(path.name)}"
                yield where, an_object(parsed(line, where), where)


def an_object(value: Any, where: str) -> dict[str, Any]:
    """A JSON object, or a sentence."""
    if not isinstance(value, dict):
        raise InputError("not_an_object", f"{where} is a JSON {type(value).__name__} where an object is expected")
    return value


class Archive:
    """A zip of JSON parts: each within a bound when it is expanded, all of them too, and checked by its checksum."""

    def __init__(self, path: Path) -> None:
        """Read the list of parts."""
        self.path, self._read = path, 0
        try:
            with zipfile.ZipFile(path) as held:
                self._parts = {each.filename: each for each in held.infolist()}
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            text = f"{printable(path.name)} is no archive that can be read: {printable(error, most=200)}"
            raise InputError("not_an_archive", text) from error

    def names(self) -> list[str]:
        """Names of the parts; of two with one name the last holds."""
        return list(self._parts)

    def part(self, name: str) -> Any:
        """The JSON of a part."""
        where = f"{printable(name, most=100)} in {printable(self.path.name)}"
        part = self._parts[name]
        data = self._expanded(part, where)
        self._read += len(data)
        if len(data) > MOST_BYTES or self._read > MOST_IN_ALL:
            most = MOST_BYTES if len(data) > MOST_BYTES else MOST_IN_ALL
            raise InputError("too_large", f"{where} expands to more than {format_count(most)} bytes; it is not read")
        if zlib.crc32(data) != part.CRC:
            raise InputError("damaged", f"{where} is damaged: its checksum does not fit; copy the file again")
        return parsed(data, where)

    def _expanded(self, part: zipfile.ZipInfo, where: str) -> bytes:
        try:
            if part.compress_type == ZSTANDARD:
                return self._by_zstandard(part)
            with zipfile.ZipFile(self.path) as held, held.open(part) as stream:
                return stream.read(MOST_BYTES + 1)
        except ImportError:
            raise
        except Exception as error:  # of zlib, zipfile, struct and zstandard, each with kinds of its own
            text = f"{where} cannot be expanded: {printable(error, most=200)}; copy the file again"
            raise InputError("damaged", text) from error

    def _by_zstandard(self, part: zipfile.ZipInfo) -> bytes:
        zstandard = require("zstandard", extra="inspect", purpose="reading .eval files")
        with self.path.open("rb") as file:
            file.seek(part.header_offset)
            name, more = LOCAL.unpack(file.read(LOCAL.size))
            file.seek(part.header_offset + LOCAL.size + name + more)
            packed = file.read(part.compress_size)
        reader = zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(packed, read_across_frames=True)
        return bytes(reader.read(MOST_BYTES + 1))
