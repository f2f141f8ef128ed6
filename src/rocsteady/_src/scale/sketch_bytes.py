"""Sketches as bytes: magic, version, length, compressed header and counts, checksum. What is read may be hostile."""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError
from rocsteady._src.base.text import format_count

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Needs = Callable[[dict[str, Any], int, int], int]
    Arrays = list[NDArray[np.int64]]

MAGIC = b"RSSKETCH"
VERSION = 2
FRONT = struct.Struct("<8sHQ")  # magic, version, bytes when expanded
LENGTHS = struct.Struct("<III")  # bytes of the header, entries of the counts, entries of the plan
DIGEST = 16
MOST_HEADER = 1 << 16
MOST_EXPANDED = 1 << 31
LEVEL = 1
COLUMNS = 3
PIECE = 1 << 16


def encode(header: dict[str, Any], counts: Arrays, plan: Arrays) -> bytes:
    """Pack a header and two blocks of columns; the first column of each rises, and its steps are stored."""
    try:
        words = json.dumps(header, allow_nan=False, sort_keys=True, separators=(",", ":")).encode()
    except (TypeError, ValueError) as error:
        raise ArgumentError("pos_label", "a label to be stored must be text or a finite number") from error
    if len(words) > MOST_HEADER:
        raise ArgumentError("pos_label", f"the label is too long to be stored: {format_count(len(words))} bytes")
    sizes = LENGTHS.pack(len(words), counts[0].size, plan[0].size)
    body = b"".join([sizes, words, *map(_column, _stepped(counts)), *map(_column, _stepped(plan))])
    packed = FRONT.pack(MAGIC, VERSION, len(body)) + zlib.compress(body, LEVEL)
    return packed + _digest(packed)


def decode(data: object, *, most: int, needs: Needs) -> tuple[dict[str, Any], Arrays, Arrays]:
    """Unpack what ``encode`` packed, or refuse.

    ``needs`` says, of the header and of how many entries there are, how many bytes of memory the sketch takes. More
    than ``most`` are refused before any is taken; the contents are expanded piece by piece into their arrays.
    """
    view = _checked(data, most)
    _, _, announced = FRONT.unpack_from(view)
    body = _Body(view[FRONT.size : -DIGEST])
    n_words, n_counts, n_plan = LENGTHS.unpack(body.read(LENGTHS.size))
    expected = LENGTHS.size + n_words + 8 * COLUMNS * (n_counts + n_plan)
    if n_words > MOST_HEADER or expected != announced:
        raise damaged(f"its parts add up to {expected} bytes, and it would expand to {announced}")
    header = _header(body.read(n_words))
    needed = needs(header, n_counts, n_plan)
    if needed > most:
        raise damaged(f"it would take {needed} bytes of memory, and {most} are allowed: see most_bytes")
    arrays = body.columns(n_counts), body.columns(n_plan)
    body.end()
    return header, *arrays


def damaged(what: str) -> InputError:
    """The bytes are no sketch, or have changed on the way."""
    return InputError("sketch_bytes", f"these bytes are no sound sketch: {what}; make it again from the rows")


def _checked(data: object, most: int) -> memoryview:
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise damaged(f"bytes are needed, not {type(data).__name__}")
    view = memoryview(data).cast("B")
    if len(view) < FRONT.size + DIGEST or bytes(view[: len(MAGIC)]) != MAGIC:
        raise damaged(f"{format_count(len(view))} bytes that do not begin as a sketch does")
    _, version, expanded = FRONT.unpack_from(view)
    if version != VERSION:
        text = f"this sketch has format {version}; this version of rocsteady reads {VERSION}"
        raise InputError("sketch_version", f"{text}: use the one that wrote it")
    if _digest(view[:-DIGEST]) != view[-DIGEST:]:
        raise damaged("the checksum differs, so it was cut short or changed")
    if expanded > most:
        raise damaged(f"it would expand to {expanded} bytes, and {most} are allowed: see most_bytes")
    return view


class _Body:
    """The compressed part, expanded no further than it is asked for."""

    def __init__(self, packed: memoryview) -> None:
        self._packed, self._opener, self._waiting = packed, zlib.decompressobj(), b""

    def read(self, size: int) -> bytes:
        """So many bytes, or a refusal."""
        parts = []
        while size > 0:
            parts.append(self._some(size))
            size -= len(parts[-1])
        return b"".join(parts)

    def _some(self, most: int) -> bytes:
        """At least one byte and at most ``most``."""
        while not self._opener.eof and (self._waiting or self._packed):
            if not self._waiting:
                self._waiting, self._packed = bytes(self._packed[:PIECE]), self._packed[PIECE:]
            try:
                found = self._opener.decompress(self._waiting, most)
            except zlib.error as error:
                raise damaged("it cannot be decompressed") from error
            self._waiting = self._opener.unconsumed_tail
            if found:
                return found
        raise damaged("it does not expand to the bytes announced")

    def columns(self, size: int) -> Arrays:
        """Columns of numbers; of the first the steps are stored."""
        made = []
        for _ in range(COLUMNS):
            column = np.empty(size, dtype=np.int64)
            for start in range(0, size, PIECE):
                piece = column[start : start + PIECE]
                piece[:] = np.frombuffer(self.read(8 * piece.size), dtype="<i8")
            made.append(column)
        steps = made[0].view(np.uint64)
        np.cumsum(steps, out=steps)
        return made

    def end(self) -> None:
        """Refuse more than was announced."""
        if not self._opener.eof and self._opener.decompress(self._waiting + bytes(self._packed[:PIECE]), 1):
            raise damaged("it expands to more than the bytes announced")
        if not self._opener.eof or self._opener.unused_data or self._packed:
            raise damaged("it does not end where it should")


def _header(words: bytes) -> dict[str, Any]:
    try:
        header = json.loads(words)
    except (ValueError, RecursionError) as error:
        raise damaged("its header cannot be read") from error
    if not isinstance(header, dict):
        raise damaged("its header is no record")
    return header


def _digest(data: bytes | memoryview) -> bytes:
    return hashlib.blake2b(data, digest_size=DIGEST).digest()


def _column(values: NDArray[np.int64]) -> bytes:
    return values.astype("<i8").tobytes()


def _stepped(columns: Arrays) -> Arrays:
    """Steps of the first column, modulo 2**64: small numbers, which compress well."""
    first = columns[0].astype(np.int64).view(np.uint64)
    return [np.diff(first, prepend=np.uint64(0)).view(np.int64), *columns[1:]]
