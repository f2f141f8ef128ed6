"""The file that lets an experiment go on where it was interrupted: a line of settings, then one line per split."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn, Self

import numpy as np

from rocsteady._src.base.checksums import KEY as CHECKSUM
from rocsteady._src.base.checksums import checksum, with_checksum
from rocsteady._src.base.errors import InputError, printable
from rocsteady._src.extras.lab.selection_lock import locked
from rocsteady._src.extras.lab.selection_split import SplitResult
from rocsteady._src.results.plain_values import plain

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

FORMAT = "rocsteady selection"
VERSION = 3


@dataclass(frozen=True, slots=True)
class Expected:
    """What a line must hold: as many models, and one row of values within their limits per measure."""

    n_models: int
    bounds: tuple[tuple[float, float], ...]

    def fits(self, result: SplitResult) -> bool:
        """Whether a split that was read can have been computed."""
        areas, values = result.test_auc, result.validation
        if areas.shape != (self.n_models,) or values.shape != (len(self.bounds), self.n_models):
            return False
        limits = ((0.0, 1.0), *self.bounds)
        return all(_within(row, *ends) for row, ends in zip((areas, *values), limits, strict=True))


class Checkpoint:
    """Append each finished split, flushed to disk; read back what is there.

    The file is locked for as long as the experiment runs, so that no two write it. A last line that was cut off while
    it was written is dropped and its split is run again. Settings that differ from those of the file are refused, so
    that no two experiments mix, and so are lines of other settings and values that no measure has.
    """

    def __init__(self, path: Path, settings: dict[str, str], expected: Expected) -> None:
        self.path = path
        self.settings = settings
        self.expected = expected
        self._lock: AbstractContextManager[None] | None = None

    def __enter__(self) -> Self:
        if self.path.exists() and not stat.S_ISREG(self.path.stat().st_mode):
            self._refuse("checkpoint_no_file", "is no file that can be read and written; name another")
        self._lock = locked(self.path)
        self._lock.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            self._lock.__exit__(None, None, None)

    def open(self) -> dict[int, SplitResult]:
        """Finished splits of a file that fits; a new file where there is none."""
        if not self.path.exists() or self.path.stat().st_size == 0:
            self._append(with_checksum({"format": FORMAT, "version": VERSION, "settings": self.settings}))
            return {}
        whole, _, cut = self.path.read_bytes().rpartition(b"\n")
        lines = whole.split(b"\n")
        self._check_header(lines[0])
        done = [self._split(line, number) for number, line in enumerate(lines[1:], start=2)]
        if cut:
            os.truncate(self.path, len(whole) + 1)
        return {result.split: result for result in done}

    def add(self, result: SplitResult) -> None:
        """Write one split."""
        values = {"validation": plain(result.validation), "test_auc": plain(result.test_auc)}
        line = {"split": result.split, **values}
        self._append({**line, "check": self._check(line)})

    def _append(self, entry: dict[str, Any]) -> None:
        with self.path.open("ab") as out:
            out.write(json.dumps(entry).encode() + b"\n")
            out.flush()
            os.fsync(out.fileno())

    def _check_header(self, line: bytes) -> None:
        header = _loaded(line)
        if header is None or header.get("format") != FORMAT:
            self._refuse("checkpoint_foreign", "is no checkpoint of a selection; name another file")
        if header.get("version") != VERSION:
            self._refuse(
                "checkpoint_version", f"has format {header.get('version')!r}, not {VERSION}; name another file"
            )
        if header.get(CHECKSUM) != checksum(header):
            self._refuse("checkpoint_damaged", "is damaged in line 1; begin anew, or restore it")
        stored = header.get("settings")
        stored = stored if isinstance(stored, dict) else {}
        differing = [name for name in self.settings if stored.get(name) != self.settings[name]]
        if differing:
            told = "; ".join(f"{name}: {stored.get(name)!r}, now {self.settings[name]!r}" for name in differing)
            self._refuse(
                "checkpoint_differs",
                f"belongs to another experiment ({printable(told, most=400)}); repeat its settings to go on, or name "
                "another file",
            )

    def _split(self, line: bytes, number: int) -> SplitResult:
        entry = _loaded(line)
        result = None
        if entry is not None and entry.pop("check", None) == self._check(entry):
            result = _read(entry)
        if result is None or not self.expected.fits(result):
            self._refuse("checkpoint_damaged", f"is damaged in line {number}; delete that line to run its split again")
        return result

    def _check(self, entry: dict[str, Any]) -> str:
        """A hash of a line and of the settings under which it was computed."""
        bound = json.dumps([self.settings, entry], sort_keys=True)
        return hashlib.sha256(bound.encode()).hexdigest()[:16]

    def _refuse(self, code: str, told: str) -> NoReturn:
        raise InputError(code, f"{printable(self.path)} {told}")


def seed_of(path: Path | None) -> int | None:
    """The seed of a checkpoint that exists, so that a run without one goes on with it."""
    if path is None or not path.is_file():
        return None
    with path.open("rb") as lines:
        header = _loaded(lines.readline())
    settings = header.get("settings") if header and header.get(CHECKSUM) == checksum(header) else None
    stored = settings.get("seed") if isinstance(settings, dict) else None
    return int(str(stored)) if re.fullmatch("[0-9]{1,40}", str(stored)) else None


def _read(entry: dict[str, Any]) -> SplitResult | None:
    split = entry.get("split")
    if isinstance(split, bool) or not isinstance(split, int) or split < 0:
        return None
    try:
        validation, test_auc = (np.array(entry[name], dtype=np.float64) for name in ("validation", "test_auc"))
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    return SplitResult(split, validation, test_auc)


def _within(values: np.ndarray[Any, Any], low: float, high: float) -> bool:
    """Whether all values lie between limits, but for rounding; NaN is a value that is undefined."""
    known = values[~np.isnan(values)]
    return bool(((known >= low - 1e-9) & (known <= high + 1e-9)).all())


def _loaded(line: bytes) -> Any:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None
