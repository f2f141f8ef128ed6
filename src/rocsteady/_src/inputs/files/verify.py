"""Files that carry checksums are compared with them, in a thread beside the one that reads: DuckDB compares none."""

from __future__ import annotations

import threading
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import InputError, printable
from rocsteady._src.inputs.files.page_checksums import chunks_of, verify_pages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from rocsteady._src.inputs.files.formats import Wanted

READ_AT_ONCE, EXPANDED_AT_ONCE = 1 << 20, 1 << 22
GZIP = 31  # zlib's word for gzip with its header and checksum
GZIP_MAGIC = b"\x1f\x8b"


class Verification:
    """Compares checksums from when it is made; ``finish`` refuses what differs."""

    def __init__(self, work: Callable[[Callable[[], bool]], None]) -> None:
        self._work, self._stopped = work, threading.Event()
        self._found: Exception | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._work(lambda: not self._stopped.is_set())
        except Exception as error:  # raised where it is waited for
            self._found = error

    def finish(self) -> None:
        """Wait until all is compared; refuse a damaged file."""
        self._thread.join()
        if self._found is not None:
            raise self._found

    def stop(self) -> None:
        """Nobody waits for the outcome."""
        self._stopped.set()
        self._thread.join()


@contextmanager
def verified(connection: Any, paths: Sequence[Path], kind: str, wanted: Wanted) -> Iterator[Verification]:
    """Compare while the block reads. A file that cannot be read is called damaged where that is why."""
    checks = verification(connection, paths, kind, wanted)
    try:
        yield checks
    except InputError:
        checks.finish()
        raise
    except BaseException:
        checks.stop()
        raise
    checks.finish()


def verification(connection: Any, paths: Sequence[Path], kind: str, wanted: Wanted) -> Verification:
    """Begin to compare: of Parquet the pages of the wanted columns, of compressed text all."""
    if kind == "parquet":
        chunks = chunks_of(connection, paths, wanted)
        return Verification(lambda goes_on: verify_pages(chunks, goes_on))
    return Verification(lambda goes_on: _verify_texts(paths, goes_on))


def _verify_texts(paths: Sequence[Path], goes_on: Callable[[], bool]) -> None:
    for path in paths:
        if path.suffix.lower() == ".gz":
            verify_gzip(path, goes_on)


def verify_gzip(path: Path, goes_on: Callable[[], bool] = lambda: True) -> None:
    """Refuse a gzip file unless checksum and length of each of its members are those of its contents."""
    with path.open("rb", buffering=0) as file:
        data, opener = file.read(READ_AT_ONCE), zlib.decompressobj(GZIP)
        try:
            while data and goes_on():
                opener.decompress(data, EXPANDED_AT_ONCE)
                if opener.eof:
                    data = opener.unused_data or file.read(READ_AT_ONCE)
                    if not data:
                        return
                    data += b"" if len(data) > 1 else file.read(READ_AT_ONCE)
                    if not data.startswith(GZIP_MAGIC):
                        raise _damaged(path, "something follows its end that is not gzip")
                    opener = zlib.decompressobj(GZIP)
                else:
                    data = opener.unconsumed_tail or file.read(READ_AT_ONCE)
        except zlib.error as error:
            raise _damaged(path, _in_words(str(error))) from error
        if goes_on():
            raise _damaged(path, "it ends too early")


def _in_words(told: str) -> str:
    if "data check" in told:
        return "its checksum differs"
    if "length check" in told:
        return "its length differs from the one it states"
    return "it is not gzip" if "header check" in told else "its contents cannot be expanded"


def _damaged(path: Path, what: str) -> InputError:
    return InputError("file_damaged", f"{printable(path)} is damaged: {what}; fetch or write it again")
