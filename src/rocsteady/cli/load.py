"""Files and standard input for the commands."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from rocsteady.files import read_file

if TYPE_CHECKING:
    from rocsteady.files import Columns, Wanted


def load_columns(file: str, wanted: Wanted, delimiter: str | None) -> Columns:
    """Read a file; ``-`` is CSV on standard input, kept in a private temporary file while it is read."""
    if file != "-":
        return read_file(Path(file), wanted, delimiter=delimiter)
    with tempfile.TemporaryDirectory(prefix="rocsteady-") as folder:
        spool = Path(folder) / "standard-input.csv"
        with spool.open("wb") as out:
            shutil.copyfileobj(sys.stdin.buffer, out)
        return read_file(spool, wanted, delimiter=delimiter)
