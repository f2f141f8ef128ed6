"""Files larger than memory: DuckDB, inside this process, reads them within a memory limit and spills to disk."""

from __future__ import annotations

import glob
import gzip
import re
import threading
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, printable
from rocsteady._src.base.progress import progress_bar
from rocsteady._src.inputs.files.footer import stated_rows
from rocsteady._src.inputs.files.formats import format_of, refuse_absent, states
from rocsteady._src.inputs.files.read import refuse_changed, typed_label
from rocsteady._src.inputs.files.scratch_folders import private_folder
from rocsteady._src.inputs.files.sql import connect, run, texts
from rocsteady._src.inputs.files.tables import source_query
from rocsteady._src.inputs.files.verify import verified

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocsteady._src.inputs.files.formats import Wanted
    from rocsteady._src.inputs.files.text_form import TextForm
    from rocsteady._src.inputs.files.verify import Verification

REMOTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
SAMPLE = 1 << 20
UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
ENGINE_SHARE = 0.6  # of the memory limit; the groups that come back have the rest
GROUP_BYTES = 100
POLL_SECONDS = 0.2


@dataclass(frozen=True, slots=True, eq=False)
class ScannedFiles:
    """A relation over files, the connection that runs it, and how many groups may come back within the limit."""

    relation: Any
    connection: Any
    most_groups: int
    paths: list[Path]
    states: list[tuple[int, int]]
    checks: Verification

    def check(self) -> None:
        """Refuse files that are damaged, or have changed since they were opened."""
        self.checks.finish()
        refuse_changed(self.paths, self.states)

    @contextmanager
    def checked(self) -> Iterator[None]:
        """Refuse the outcome of the block unless the files are sound; if it fails, say so first where they are not."""
        try:
            yield
        except InputError:
            self.check()
            raise
        self.check()


def memory_bytes(text: str) -> int:
    """A memory limit such as 2GB in bytes.

    Examples
    --------
    >>> memory_bytes("2GB"), memory_bytes("500 mb")
    (2000000000, 500000000)
    """
    number, unit = text.strip()[:-2], text.strip()[-2:].upper()
    try:
        size = int(float(number) * UNITS[unit])
    except (KeyError, ValueError, OverflowError):
        raise ArgumentError("memory", f"memory is a number with MB, GB or TB, such as 2GB, got {text!r}") from None
    if size < 10**8:
        raise ArgumentError("memory", f"memory must be at least 100MB, got {text!r}")
    return size


def matching_files(pattern: str) -> list[Path]:
    """The file of this name, or the files that match it as a pattern, in order of name; all of one format."""
    found = files_named(pattern)
    if len(found) > 1:
        formats = {format_of(each) for each in found}
        if len(formats) > 1:
            raise InputError("file_format", f"{printable(pattern)} matches several formats: {', '.join(formats)}")
    return found


def files_named(pattern: str) -> list[Path]:
    """The same of files of any kind."""
    path = Path(pattern)
    if REMOTE.match(pattern) and not path.exists():
        text = f"{printable(pattern)} is a remote address, and only files of this machine are read, nothing is fetched"
        raise InputError("file_remote", f"{text}; copy it here, mount it, or pipe it into the command: ... < file")
    if path.exists() or not glob.has_magic(pattern):
        return [path]
    found = [Path(name) for name in glob.glob(pattern, recursive=True) if Path(name).is_file()]  # noqa: PTH207 - a pattern may be absolute
    if not found:
        raise InputError("file_absent", f"no file matches {printable(pattern)}")
    return sorted(found)


def estimate_rows(paths: list[Path], *, format: str | None = None) -> int:  # noqa: A002
    """How many rows the files hold: known for Parquet, else from their size and the length of the first lines."""
    refuse_absent(paths)
    if (format or format_of(paths[0])) == "parquet":
        stated = [stated_rows(path) for path in paths]
        return _rows_by_duckdb(paths) if None in stated else sum(rows or 0 for rows in stated)
    return sum(_estimate_lines(path) for path in paths)


def _rows_by_duckdb(paths: list[Path]) -> int:
    connection = connect(paths)
    try:
        query = f"SELECT sum(num_rows) FROM parquet_file_metadata({texts(paths, brackets='[]')})"
        return int(run(connection, query, *paths).fetchall()[0][0])
    finally:
        connection.close()


def _estimate_lines(path: Path) -> int:
    size = path.stat().st_size
    with path.open("rb") as raw:
        if path.suffix.lower() == ".gz":
            try:
                sample = gzip.GzipFile(fileobj=raw).read(SAMPLE)
            except (gzip.BadGzipFile, EOFError, zlib.error):
                return 0  # whoever reads it says what is wrong
            size = int(size * len(sample) / max(min(raw.tell(), size), 1))
        else:
            sample = raw.read(SAMPLE)
    lines = sample.count(b"\n")
    return int(size / len(sample) * lines) if lines else 0


def label_type(files: ScannedFiles, label: str, value: str) -> Any:
    """The positive label as its column holds it."""
    kind = str(files.relation.types[files.relation.columns.index(label)])
    whole = int if kind.endswith(("INT", "INTEGER")) else float
    return typed_label(value, np.empty(0, dtype={"BOOLEAN": bool, "VARCHAR": object}.get(kind, whole)))


@contextmanager
def scan_files(
    paths: list[Path], wanted: Wanted, *, memory: int, delimiter: str | TextForm | None = None
) -> Iterator[ScannedFiles]:
    """Open files as a relation that keeps within the memory limit; what it spills goes when it is closed."""
    before = states(paths)
    chosen = format_of(paths[0])
    with private_folder() as folder:
        connection = connect(paths, memory=int(memory * ENGINE_SHARE), spill=folder / "spill")
        try:
            with verified(connection, paths, chosen, wanted) as checks:
                with watching(connection, "reading"):
                    query = source_query(connection, paths, wanted, chosen, delimiter)
                most = int(memory * (1 - ENGINE_SHARE) / GROUP_BYTES)
                files = ScannedFiles(connection.sql(query), connection, most, paths, before, checks)
                yield files
        finally:
            connection.close()
    files.check()


@contextmanager
def watching(connection: Any, what: str) -> Iterator[None]:
    """Show how far the connection's queries are while they run, and that they ended: quick ones do before a look."""
    done = threading.Event()
    with progress_bar(what) as report:

        def look() -> None:
            while not done.wait(POLL_SECONDS):
                share = connection.query_progress()
                if share >= 0:
                    report(share / 100)

        thread = threading.Thread(target=look, daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()
        report(1.0)
