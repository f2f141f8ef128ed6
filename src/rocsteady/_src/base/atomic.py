"""Output files are written whole or not at all; what is no file, such as a pipe, is written through."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rocsteady._src.base.errors import ArgumentError, InputError, printable, some_values
from rocsteady._src.base.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

STREAMS = ("/dev/", "/proc/")


def write_whole(path: Path, content: str | bytes, *, force: bool = False) -> None:
    """Write to a temporary file beside the target, flush it to disk, then rename it into place."""
    data = content.encode(errors="backslashreplace") if isinstance(content, str) else content
    with whole_file(path, force=force) as temporary:
        temporary.write_bytes(data)


@contextmanager
def whole_file(path: Path, *, force: bool = False) -> Iterator[Path]:
    """Give a temporary path to write to; it becomes ``path`` only when the block ends well.

    A link stays, and the file that it leads to is replaced; a file keeps its mode. A pipe or a device is never
    replaced: what was written is copied into it.

    Parameters
    ----------
    path : Path
        The target. An existing file is refused unless ``force``.
    force : bool
        Replace an existing file.
    """
    refuse_existing(path, force=force)
    through = _is_stream(path)
    target = path if through else _followed(path)
    handle, name = tempfile.mkstemp(dir=None if through else target.parent, prefix=".rocsteady-", suffix=path.suffix)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        if through:
            _copy_into(temporary, path)
        else:
            _flush(temporary)
            temporary.chmod(_mode(target))
            temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def named_file(path: object) -> Path:
    """Refuse what names no file."""
    if not isinstance(path, (str, os.PathLike)):
        raise ArgumentError("path", f"a file is named by a text or a Path, got {some_values([path])}")
    return Path(path)


def refuse_existing(path: Path, *, force: bool) -> None:
    """Refuse a target that exists, or that cannot be written: at once, before long work."""
    if _is_stream(path):
        if not os.access(path, os.W_OK):
            raise InputError("output_unwritable", f"{printable(path)} cannot be written to; name another file")
        return
    target = _followed(path)
    if target.is_dir():
        raise InputError("output_is_folder", f"{printable(path)} is a folder; name a file in it")
    if target.exists() and not force:
        raise InputError(
            "file_exists", Sentence("{path} exists; pass {force=True} to replace it", path=printable(path))
        )
    if not target.parent.is_dir():
        raise InputError("folder_absent", f"there is no folder {printable(target.parent)}")
    if not _takes_files(target.parent):
        text = f"nothing can be written into the folder {printable(target.parent)}; name another, or change its mode"
        raise InputError("folder_unwritable", text)


def _takes_files(folder: Path) -> bool:
    """Whether a file can be made there: modes do not tell, since some file systems refuse whatever they say."""
    try:
        with tempfile.TemporaryFile(dir=folder, prefix=".rocsteady-"):
            return True
    except OSError:
        return False


def _is_stream(path: Path) -> bool:
    """Whether this is a device, a pipe or a socket, or a name of an open stream such as /dev/stdout."""
    try:
        found = path.stat()
    except (OSError, RuntimeError):
        return False
    if stat.S_ISDIR(found.st_mode):
        return False
    return not stat.S_ISREG(found.st_mode) or os.path.abspath(path).startswith(STREAMS)  # noqa: PTH100 - links are not followed


def _followed(path: Path) -> Path:
    """The file that a link leads to, whether it is there or not."""
    try:
        return path.resolve() if path.is_symlink() else path
    except (OSError, RuntimeError) as error:
        raise InputError("link_circular", f"{printable(path)} is a link that leads to itself; name another") from error


def _copy_into(temporary: Path, path: Path) -> None:
    with temporary.open("rb") as written, path.open("wb") as out:
        shutil.copyfileobj(written, out)


def _mode(target: Path) -> int:
    """That of the file to be replaced, or that of a new one."""
    try:
        return stat.S_IMODE(target.stat().st_mode)
    except OSError:
        return 0o666 & ~_umask()


def _flush(path: Path) -> None:
    with path.open("rb") as handle:
        os.fsync(handle.fileno())


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
