"""Two models counted together, as bytes: a file of sketches of version 2, whose last part holds the joint cells."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.scale.sketches_bytes import PAIRED, decode_file, encode_file, unsound

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]

LEVEL = 1


def encode_pair(header: dict[str, Any], sketches: list[bytes], joint: Counts) -> bytes:
    """Pack both sketches and the joint cells that hold rows: the steps of their places, and their counts."""
    flat = joint.ravel()
    places = np.flatnonzero(flat)
    columns = np.concatenate([np.diff(places, prepend=0), flat[places]]).astype("<i8")
    return encode_file(header, [*sketches, zlib.compress(columns.tobytes(), LEVEL)], version=PAIRED)


def decode_pair(data: bytes, *, most_bytes: int) -> tuple[dict[str, Any], list[memoryview], memoryview]:
    """Header, bytes of both sketches, and those of the joint cells."""
    header, found = decode_file(data, version=PAIRED)
    if len(header["models"]) != 2 or header["groups"] != [[]] or header["n_ungrouped"]:
        raise unsound("it does not hold two models of the same rows")
    if not 4 <= header["joint_bits"] <= 12:
        raise unsound("there are no joint cells of so many bits")
    if 16 * 4 ** header["joint_bits"] > most_bytes:
        raise unsound(f"its joint cells would take more than the {most_bytes} bytes that are allowed: see most_bytes")
    return header, found[:2], found[2]


def joint_counts(packed: memoryview, size: int, totals: tuple[int, int]) -> Counts:
    """The joint cells, whose negatives and positives add up to those of both sketches."""
    most = 16 * 2 * size * size
    opener = zlib.decompressobj()
    try:
        raw = opener.decompress(packed, most + 1)
    except zlib.error as error:
        raise unsound("its joint cells cannot be decompressed") from error
    if len(raw) > most or len(raw) % 16 or not opener.eof or opener.unused_data:
        raise unsound("its joint cells do not end where they should")
    steps, counts = np.frombuffer(raw, dtype="<i8").reshape(2, -1)
    if (counts < 1).any() or (steps[1:] < 1).any() or (steps[:1] < 0).any() or (steps > most).any():
        raise unsound("its joint cells are out of order, or hold no rows")
    places, joint = np.cumsum(steps), np.zeros(2 * size * size, dtype=np.int64)
    if places.size and places[-1] >= joint.size:
        raise unsound("there is no such joint cell")
    joint[places] = counts
    made = joint.reshape(2, size, size)
    found = tuple(sum(side.ravel().tolist()) for side in made)
    if found != totals:
        raise unsound(f"its joint cells count {found} negatives and positives, and its sketches {totals}")
    return made
