"""Files of one run, in a folder that only this user can open: bounded, never named by a client, gone at the end.

The folder goes when the server ends. If the server is killed, a keeper, a small process that waits for nothing else,
removes it; if the machine goes down, the next start does (``inputs/files/scratch_folders.py``).
"""

from __future__ import annotations

import secrets
import shutil
import subprocess
import sys
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from rocsteady._src.base.text import format_count
from rocsteady._src.inputs.files.scratch_folders import private_folder
from rocsteady._src.views.serve.doors import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PIECE = 1 << 20
ENDINGS = (
    ".csv", ".tsv", ".txt", ".jsonl", ".ndjson", ".parquet", ".pq", ".xlsx",
    ".csv.gz", ".tsv.gz", ".txt.gz", ".jsonl.gz", ".ndjson.gz",
)  # fmt: skip
LONGEST_NAME = 200
SPARE = 1 << 30  # of the disk, which an upload leaves free
MOST_PAGES = 40  # pages and exports that are kept; older ones are made again
KEEP = """import shutil, sys, time, pathlib
sys.stdin.buffer.read()
folder = pathlib.Path(sys.argv[1])
for tried in range(200):
    shutil.rmtree(folder, ignore_errors=True)
    if not folder.exists():
        break
    time.sleep(0.05)"""


class Stream(Protocol):
    """Bytes that come."""

    def read(self, size: int, /) -> bytes:
        """So many, or fewer where they end."""


@dataclass(frozen=True, slots=True)
class Held:
    """A file of the run, or one that the command named; ``name`` is what people call it."""

    path: Path
    name: str
    own: bool = True


@dataclass(slots=True)
class Store:
    """Files by ids that are made here."""

    folder: Path
    most_bytes: int
    _files: dict[str, Held] = field(default_factory=dict)
    _pages: dict[str, Held] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, path: Path, name: str, *, own: bool = True) -> str:
        """Take a file that is there."""
        made = secrets.token_hex(8)
        with self._lock:
            self._files[made] = Held(path, name, own)
        return made

    def get(self, key: str) -> Held:
        """The file of an id; whatever else a client sends is no path, and finds nothing."""
        with self._lock:
            found = self._files.get(key)
        if found is None:
            raise Refusal(404, "this file is no longer here: the server was started anew; choose it again")
        return found

    def new_path(self, ending: str) -> Path:
        """Where something may be written."""
        return self.folder / f"{secrets.token_hex(12)}{ending}"

    def receive(self, stream: Stream, length: int, name: str) -> str:
        """Take an upload, whole or not at all."""
        self.refuse_large(length)
        path = self.new_path(ending_of(name))
        try:
            with path.open("xb") as out:
                left = length
                while left and (piece := stream.read(min(PIECE, left))):
                    out.write(piece)
                    left -= len(piece)
            _refuse_part(left, length)
            path = _named_by_bytes(path, called(name))
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return self.add(path, called(name))

    def refuse_large(self, length: int) -> None:
        """Refuse what is larger than the bound, or than the disk has room for, before a byte is read."""
        held = sum(each.path.stat().st_size for each in list(self._files.values()) if each.own and each.path.exists())
        if length > self.most_bytes - held:
            room = format_count(max(self.most_bytes - held, 0))
            text = f"{format_count(length)} bytes are more than there is room for here ({room} bytes)"
            raise Refusal(413, f"{text}; name the file in the command instead: rocsteady serve FILE")
        if length > shutil.disk_usage(self.folder).free - SPARE:
            raise Refusal(413, "the disk of temporary files is nearly full; free some space, or set TMPDIR to another")

    def add_page(self, path: Path, name: str) -> str:
        """Keep something that was made; the oldest goes when there are many."""
        made = secrets.token_hex(8)
        with self._lock:
            self._pages[made] = Held(path, name)
            while len(self._pages) > MOST_PAGES:
                old = self._pages.pop(next(iter(self._pages)))
                with suppress(PermissionError):  # on Windows, while somebody reads it; it goes at the end
                    old.path.unlink(missing_ok=True)
        return made

    def page(self, key: str) -> Held:
        """Something that was made, or a file of this run; one that the command named is not handed out."""
        with self._lock:
            found = self._pages.get(key) or self._files.get(key)
            found = found if found is not None and found.own else None
        if found is None:
            raise Refusal(404, "this page is no longer here; make it again")
        return found


def _refuse_part(left: int, length: int) -> None:
    if left:
        raise Refusal(400, f"the file came in part: {format_count(left)} of {format_count(length)} bytes lack")


def _named_by_bytes(path: Path, name: str) -> Path:
    """The file with an ending that its first bytes allow: they are believed before its name."""
    from rocsteady._src.views.cli.load import LOOKED_AT, UNREAD, ending_of_bytes

    with path.open("rb") as file:
        start = file.read(LOOKED_AT)
    what = next((what for first, what in UNREAD.items() if start.startswith(first)), None)
    if what is not None and path.suffix != ".xlsx":
        raise Refusal(415, f"{name} is {what}, which is not read; save it as CSV, TSV, JSON lines, Parquet or .xlsx")
    told = ending_of_bytes(start) if start else ".csv"
    if path.suffix and (told.endswith(".parquet") == (path.suffix in (".parquet", ".pq"))):
        return path
    return path.rename(path.with_name(path.name.split(".")[0] + told))


def called(name: str) -> str:
    """The last part of a name, as people know the file; it is shown and never opened.

    Examples
    --------
    >>> called("../../etc/passwd"), called("C:/data/scores.csv"), called("")
    ('passwd', 'scores.csv', 'file')
    """
    last = name.replace("\\", "/").rsplit("/", 1)[-1].strip()
    shown = "".join(char for char in last if char.isprintable())
    return shown[-LONGEST_NAME:] or "file"


def ending_of(name: str) -> str:
    """One of the endings that are read, or none: then the bytes tell.

    Examples
    --------
    >>> ending_of("Scores.CSV"), ending_of("a.csv.gz"), ending_of("x.sh")
    ('.csv', '.csv.gz', '')
    """
    lower = called(name).lower()
    return next((each for each in sorted(ENDINGS, key=len, reverse=True) if lower.endswith(each)), "")


@contextmanager
def kept_store(most_bytes: int) -> Iterator[Store]:
    """A store whose folder goes at the end, however this process ends."""
    with private_folder() as folder:
        keeper = subprocess.Popen(  # noqa: S603 - Python itself, a constant, and a folder of ours
            [sys.executable, "-I", "-S", "-c", KEEP, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl+C is for the server, which then ends it
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # the same on Windows
        )
        try:
            yield Store(folder, most_bytes)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            if keeper.stdin is not None:
                keeper.stdin.close()
            keeper.wait()
