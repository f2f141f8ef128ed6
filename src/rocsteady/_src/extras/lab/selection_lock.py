"""One writer at a time: a lock that ends with the process, or a file beside where the system has no such locks."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

from rocsteady._src.base.errors import InputError, printable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of a file, made if need be; refused while another run holds it."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NONBLOCK", 0), 0o666)
    beside = None
    try:
        if not _system_lock(handle, path):
            beside = _lock_file(path)
        yield
    finally:
        os.close(handle)
        if beside is not None:
            beside.unlink(missing_ok=True)


def _system_lock(handle: int, path: Path) -> bool:
    """Whether the system has locked the file; it unlocks it when the process ends, however it ends."""
    try:
        import fcntl
    except ImportError:  # no such thing on Windows
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        _refuse(path, "")
    except OSError:  # a file system without locks
        return False
    return True


def _lock_file(path: Path) -> Path:
    beside = path.with_name(f"{path.name}.lock")
    try:
        os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    except FileExistsError:
        _refuse(path, f", or delete {printable(beside)} if none is")
    return beside


def _refuse(path: Path, more: str) -> NoReturn:
    text = f"{printable(path)} is being written by another run; wait for it{more}, or name another file"
    raise InputError("checkpoint_in_use", text)
