"""Compressed files that are far smaller than what they hold: bounded before anybody loads them."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from rocsteady._src.base.errors import InputError, printable
from rocsteady._src.base.text import format_count

if TYPE_CHECKING:
    from pathlib import Path

GZIP = 31  # zlib's word for a gzip header
PIECE = 1 << 20
MOST_TIMES = 250  # larger than packed: tables of text come to some twenty times
FREE = 1 << 26  # so much may be packed as well as it likes


def refuse_exploding_gzip(path: Path) -> None:
    """Refuse a gzip file once it has unpacked to far more than its size; what is damaged is told by its reader."""
    most = FREE + MOST_TIMES * path.stat().st_size
    opener, size = zlib.decompressobj(GZIP), 0
    with path.open("rb") as file:
        data = file.read(PIECE)
        while data:
            try:
                size += len(opener.decompress(data, PIECE))
            except zlib.error:
                return
            if size > most:
                told = f"{format_count(path.stat().st_size)} bytes unpack to more than {format_count(most)}"
                text = f"{printable(path)}: {told}, which is not loaded; give the file unpacked, if that is right"
                raise InputError("unpacks_too_large", text)
            if opener.eof:
                data = opener.unused_data or file.read(PIECE)
                opener = zlib.decompressobj(GZIP)
            else:
                data = opener.unconsumed_tail or file.read(PIECE)
