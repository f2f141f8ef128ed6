"""Folders for what does not fit in memory: removed when done with, and at the next start if the process was killed."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterator

PREFIX, UNFINISHED, OWNER = "rocsteady-", ".rocsteady-", "owner"


@contextmanager
def private_folder() -> Iterator[Path]:
    """A folder that only this user can open, and that others know to be in use for as long as the process lives."""
    if not _can_lock():  # a folder with an open file could not be renamed or removed there
        with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as kept:
            yield Path(kept)
        return
    remove_abandoned()
    made = Path(tempfile.mkdtemp(prefix=UNFINISHED))
    lock = (made / OWNER).open("wb")
    folder = made.with_name(PREFIX + made.name.removeprefix(UNFINISHED))
    try:
        _locked(lock)
        made.rename(folder)  # under this name others look into it, and find it locked
        yield folder
    finally:
        for each in (made, folder):
            shutil.rmtree(each, ignore_errors=True)
        lock.close()


def remove_abandoned() -> None:
    """Remove folders whose process has died without doing so, as after SIGKILL; where files cannot be locked, none."""
    if not _can_lock():
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            if folder.is_symlink() or folder.stat().st_uid != os.getuid():
                continue
            with (folder / OWNER).open("rb") as lock:
                if _locked(lock):
                    shutil.rmtree(folder, ignore_errors=True)
        except OSError:  # not one of these folders, or it went meanwhile
            continue


def _can_lock() -> bool:
    """Whether files can be locked for as long as a process lives: not on Windows."""
    return find_spec("fcntl") is not None


def _locked(file: BinaryIO) -> bool:
    """Whether the file could be locked; the system unlocks it when its process ends, in whatever way."""
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
