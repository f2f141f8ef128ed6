"""Sketches as bytes: magic, version, length, compressed header and counts, checksum. What is read may be hostile."""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.errors import ArgumentError, InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Arrays = list[NDArray[np.int64]]

MAGIC = b"RSSKETCH"
VERSION = 1
FRONT = struct.Struct("<8sHQ")  # magic, version, bytes when expanded
LENGTHS = struct.Struct("<III")  # bytes of the header, entries of the counts, entries of the plan
DIGEST = 16
MOST_HEADER = 1 << 16
MOST_EXPANDED = 1 << 31
LEVEL = 1


def encode(header: dict[str, Any], counts: Arrays, plan: Arrays) -> bytes:
    """Pack a header and two blocks of columns; the first column of each rises, and its steps are stored."""
    try:
        words = json.dumps(header, allow_nan=False, sort_keys=True, separators=(",", ":")).encode()
    except (TypeError, ValueError) as error:
        raise ArgumentError("pos_label", "a label to be stored must be text or a finite number") from error
    if len(words) > MOST_HEADER:
        raise ArgumentError("pos_label", f"the label is too long to be stored: {len(words)} bytes")
    sizes = LENGTHS.pack(len(words), counts[0].size, plan[0].size)
    body = b"".join([sizes, words, *map(_column, _stepped(counts)), *map(_column, _stepped(plan))])
    packed = FRONT.pack(MAGIC, VERSION, len(body)) + zlib.compress(body, LEVEL)
    return packed + _digest(packed)


def decode(data: object, *, columns: tuple[int, int], most: int) -> tuple[dict[str, Any], Arrays, Arrays]:
    """Unpack what ``encode`` packed, or refuse; memory stays below ``most`` bytes whatever is claimed."""
    body = _expanded(_checked(data, most))
    if len(body) < LENGTHS.size:
        raise damaged("it is too short")
    n_words, n_counts, n_plan = LENGTHS.unpack_from(body)
    expected = LENGTHS.size + n_words + 8 * (columns[0] * n_counts + columns[1] * n_plan)
    if n_words > MOST_HEADER or expected != len(body):
        raise damaged(f"its parts add up to {expected} bytes, not {len(body)}")
    start = LENGTHS.size + n_words
    header = _header(body[LENGTHS.size : start])
    numbers = np.frombuffer(body, dtype="<i8", offset=start).astype(np.int64)
    middle = columns[0] * n_counts
    return header, _unstepped(numbers[:middle], columns[0]), _unstepped(numbers[middle:], columns[1])


def damaged(what: str) -> InputError:
    """The bytes are no sketch, or have changed on the way."""
    return InputError("sketch_bytes", f"these bytes are no sound sketch: {what}; make it again from the rows")


def _checked(data: object, most: int) -> memoryview:
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise damaged(f"bytes are needed, not {type(data).__name__}")
    view = memoryview(bytes(data))
    if len(view) < FRONT.size + DIGEST or bytes(view[: len(MAGIC)]) != MAGIC:
        raise damaged(f"{len(view)} bytes that do not begin as a sketch does")
    _, version, expanded = FRONT.unpack_from(view)
    if version != VERSION:
        text = f"this sketch has format {version}; this version of rocsteady reads {VERSION}: use the one that wrote it"
        raise InputError("sketch_version", text)
    if _digest(view[:-DIGEST]) != view[-DIGEST:]:
        raise damaged("the checksum differs, so it was cut short or changed")
    if expanded > most:
        raise damaged(f"it would expand to {expanded} bytes, and {most} are allowed: see most_bytes")
    return view


def _expanded(view: memoryview) -> bytes:
    """Decompress at most what was announced."""
    announced = FRONT.unpack_from(view)[2]
    packed = bytes(view[FRONT.size : -DIGEST])
    opener = zlib.decompressobj()
    try:
        body = opener.decompress(packed, announced + 1)
    except zlib.error as error:
        raise damaged("it cannot be decompressed") from error
    if len(body) != announced or not opener.eof or opener.unused_data:
        raise damaged(f"it does not expand to the {announced} bytes announced")
    return body


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


def _unstepped(numbers: NDArray[np.int64], columns: int) -> Arrays:
    first, *others = numbers.reshape(columns, -1)
    return [np.cumsum(first.view(np.uint64), dtype=np.uint64).view(np.int64), *(column.copy() for column in others)]
