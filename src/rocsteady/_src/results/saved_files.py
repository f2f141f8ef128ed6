"""Results as files: JSON with a version and a checksum, whole or not at all, which replaces no file of a stranger."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rocsteady._src.base.atomic import named_file, write_whole
from rocsteady._src.base.checksums import with_checksum
from rocsteady._src.results.saved_values import to_json
from rocsteady._version import __version__

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

    from rocsteady._src.results.base import Result

RESULT, VERSION = "rocsteady result", 1
START = f'{{"format": "{RESULT}"'.encode()


def save_result(result: Result, path: str | PathLike[str], *, force: bool = False) -> Path:
    """Write a result to a file; see :meth:`rocsteady.results.Result.save`."""
    target = named_file(path)
    known = {"format": RESULT, "version": VERSION, "written_by": f"rocsteady {__version__}"}
    told = with_checksum({**known, "result": to_json(result)})
    text = json.dumps(told, ensure_ascii=False, allow_nan=False)
    write_whole(target, text, force=force or _is_saved(target))
    return target


def _is_saved(path: Path) -> bool:
    """Whether this is a file that was written here before."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(START)) == START
