"""How many rows a Parquet file says it holds, read from its end: a database for this number takes longer to make."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsteady._src.inputs.files.page_checksums import I64, Compact

if TYPE_CHECKING:
    from pathlib import Path

MAGIC = b"PAR1"
TAIL = 8  # bytes: the footer's length, and the magic
MOST_FOOTER = 1 << 20  # bytes; of more columns DuckDB reads them faster
ROWS_FIELD = 3


def stated_rows(path: Path) -> int | None:
    """The number of rows in the footer; None where it cannot be told, and DuckDB says what is wrong if anything is."""
    footer = _footer(path)
    try:
        return None if footer is None else _rows(Compact(footer))
    except (IndexError, ValueError):
        return None


def _footer(path: Path) -> bytes | None:
    size = path.stat().st_size
    if size < TAIL + len(MAGIC):
        return None
    with path.open("rb") as file:
        file.seek(size - TAIL)
        tail = file.read(TAIL)
        length = int.from_bytes(tail[:4], "little")
        if tail[4:] != MAGIC or length > min(size - TAIL - len(MAGIC), MOST_FOOTER):
            return None
        file.seek(size - TAIL - length)
        return file.read(length)


def _rows(footer: Compact) -> int | None:
    field = 0
    while (kind := footer.byte()) != 0:
        field = field + (kind >> 4) if kind >> 4 else footer.signed()
        if field == ROWS_FIELD:
            rows = footer.signed() if kind & 15 == I64 else -1
            return rows if rows >= 0 else None
        footer.skip(kind & 15)
    return None
