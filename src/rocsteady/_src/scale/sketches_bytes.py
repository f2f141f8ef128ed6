"""Files of sketches: magic, version, a header in JSON, the bytes of every sketch, checksum; docs/sketch_files.md."""

from __future__ import annotations

import hashlib
import json
import struct
from typing import Any

from rocsteady._src.base.errors import ArgumentError, InputError
from rocsteady._src.base.text import format_count

MAGIC = b"RSKFILES"
VERSION = 1
FRONT = struct.Struct("<8sHI")  # magic, version, bytes of the header
DIGEST = 16
MOST_HEADER = 1 << 28


def encode_file(header: dict[str, Any], sketches: list[bytes]) -> bytes:
    """Pack a header and sketches that are bytes already; the same contents give the same bytes."""
    whole = header | {"sizes": [len(data) for data in sketches]}
    words = json.dumps(whole, allow_nan=False, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()
    if len(words) > MOST_HEADER:
        raise ArgumentError("by", f"the names of the groups take {format_count(len(words))} bytes; make fewer groups")
    packed = b"".join([FRONT.pack(MAGIC, VERSION, len(words)), words, *sketches])
    return packed + hashlib.blake2b(packed, digest_size=DIGEST).digest()


def decode_file(data: bytes) -> tuple[dict[str, Any], list[memoryview]]:
    """Unpack what ``encode_file`` packed, or refuse; the sketches are checked by who reads them."""
    view = memoryview(data)
    if len(view) < FRONT.size + DIGEST or bytes(view[: len(MAGIC)]) != MAGIC:
        raise unsound(f"{format_count(len(view))} bytes that do not begin as such a file does")
    _, found_version, n_words = FRONT.unpack_from(view)
    if found_version != VERSION:
        text = f"this file of sketches has format {found_version}; this version of rocsteady reads {VERSION}"
        raise InputError("sketch_version", f"{text}: use the one that wrote it")
    if hashlib.blake2b(view[:-DIGEST], digest_size=DIGEST).digest() != view[-DIGEST:]:
        raise unsound("the checksum differs, so it was cut short or changed")
    start = FRONT.size + n_words
    header = _header(bytes(view[FRONT.size : start]))
    sizes, found = header.pop("sizes"), []
    if start + sum(sizes) + DIGEST != len(view):
        raise unsound("its parts do not add up to its length")
    for size in sizes:
        found.append(view[start : start + size])
        start += size
    return header, found


def unsound(what: str) -> InputError:
    """The bytes are no file of sketches, or have changed on the way."""
    return InputError("sketch_file", f"this is no sound file of sketches: {what}; make it again from the rows")


FIELDS: dict[str, type] = {"by": list, "models": list, "groups": list, "parts": dict, "n_ungrouped": int, "sizes": list}


def _header(words: bytes) -> dict[str, Any]:
    try:
        header = json.loads(words)
    except (ValueError, RecursionError) as error:
        raise unsound("its header cannot be read") from error
    if not isinstance(header, dict) or header.keys() != FIELDS.keys():
        raise unsound("its header has other fields")
    for name, kind in FIELDS.items():
        if not isinstance(header[name], kind):
            raise unsound(f"{name} of its header is of another type")
    texts = [*header["by"], *header["models"], *(text for group in header["groups"] for text in _listed(group))]
    numbers = [*header["sizes"], *header["parts"].values(), header["n_ungrouped"]]
    sound = all(isinstance(text, str) for text in texts) and all(type(each) is int and each >= 0 for each in numbers)
    alike = all(len(group) == len(header["by"]) for group in header["groups"])
    parts = len(header["groups"]) * len(header["models"])
    if not (sound and alike and len(header["sizes"]) == parts):
        raise unsound("its header contradicts itself")
    return header


def _listed(group: Any) -> list[Any]:
    return group if isinstance(group, list) else [None]
