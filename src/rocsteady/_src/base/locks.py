"""One run at a time: a lock that ends with the process, or a file beside where the system has no such locks."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rocsteady._src.base.errors import InputError, printable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAUSE = 0.05  # seconds between two tries


class _TakenError(Exception):
    """Another run holds the lock."""


@contextmanager
def locked(path: Path, code: str, told: str, *, wait: float = 0.0) -> Iterator[None]:
    """Hold the lock of a file, made if need be; refused where another run holds it for longer than ``wait`` seconds.

    ``told`` says what is being used, with ``{more}`` where the remedy has to name a file that was left behind.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NONBLOCK", 0), 0o666)
    beside = path.with_name(f"{path.name}.lock")
    made = False
    try:
        made = _taken_in_time(handle, beside, (code, told), wait)
        yield
    finally:
        os.close(handle)
        if made:
            beside.unlink(missing_ok=True)


def _taken_in_time(handle: int, beside: Path, refusal: tuple[str, str], wait: float) -> bool:
    """Whether the lock, once it is held, is a file beside."""
    code, told = refusal
    end = time.monotonic() + wait
    while True:
        more = ""
        try:
            if _system_lock(handle):
                return False
            more = f", or delete {printable(beside)} if none is"
            _lock_file(beside)
        except _TakenError:
            if time.monotonic() >= end:
                raise InputError(code, told.format(more=more)) from None
            time.sleep(PAUSE)
        else:
            return True


def _system_lock(handle: int) -> bool:
    """Whether the system has locked the file; it unlocks it when the process ends, however it ends."""
    try:
        import fcntl
    except ImportError:  # no such thing on Windows
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise _TakenError from None
    except OSError:  # a file system without locks
        return False
    return True


def _lock_file(beside: Path) -> None:
    try:
        os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    except FileExistsError:
        raise _TakenError from None
