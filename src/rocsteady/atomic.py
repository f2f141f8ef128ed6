"""Output files are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rocsteady.errors import InputError, printable

if TYPE_CHECKING:
    from collections.abc import Iterator


def write_whole(path: Path, content: str | bytes, *, force: bool = False) -> None:
    """Write to a temporary file beside the target, flush it to disk, then rename it into place."""
    data = content.encode() if isinstance(content, str) else content
    with whole_file(path, force=force) as temporary:
        temporary.write_bytes(data)


@contextmanager
def whole_file(path: Path, *, force: bool = False) -> Iterator[Path]:
    """Give a temporary path to write to; it becomes ``path`` only when the block ends well.

    Parameters
    ----------
    path : Path
        The target. An existing file is refused unless ``force``.
    force : bool
        Replace an existing file.
    """
    refuse_existing(path, force=force)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".rocsteady-", suffix=path.suffix)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        _flush(temporary)
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def refuse_existing(path: Path, *, force: bool) -> None:
    """Refuse a target that exists or has no folder: at once, before long work."""
    if path.exists() and not force:
        raise InputError("file_exists", f"{printable(path)} exists; pass --force to replace it")
    if not path.parent.is_dir():
        raise InputError("folder_absent", f"there is no folder {printable(path.parent)}")


def _flush(path: Path) -> None:
    with path.open("rb") as handle:
        os.fsync(handle.fileno())


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
