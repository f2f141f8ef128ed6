"""The file that lets an experiment go on where it was interrupted: a line of settings, then one line per split."""

from __future__ import annotations

import hashlib
import json
import math
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.errors import InputError, printable
from rocsteady.lab.selection_split import SplitResult

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = "rocsteady selection"
VERSION = 1


class Checkpoint:
    """Append each finished split, flushed to disk; read back what is there.

    A last line that was cut off while it was written is dropped and its split is run again. Settings that differ from
    those of the file are refused, so that no two experiments mix.
    """

    def __init__(self, path: Path, settings: dict[str, str]) -> None:
        self.path = path
        self.settings = settings

    def open(self) -> dict[int, SplitResult]:
        """Finished splits of a file that fits; a new file where there is none."""
        if not self.path.exists() or self.path.stat().st_size == 0:
            self._append({"format": FORMAT, "version": VERSION, "settings": self.settings})
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
        values = {"validation": _plain(result.validation), "test_auc": _plain(result.test_auc)}
        line = {"split": result.split, **values}
        self._append({**line, "check": _check(line)})

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
        stored = header.get("settings", {})
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
        if entry is None or entry.pop("check", None) != _check(entry):
            self._refuse("checkpoint_damaged", f"is damaged in line {number}; delete that line to run its split again")
        validation, test_auc = (np.array(entry[name], dtype=np.float64) for name in ("validation", "test_auc"))
        return SplitResult(entry["split"], validation, test_auc)

    def _refuse(self, code: str, told: str) -> None:
        raise InputError(code, f"{printable(self.path)} {told}")


def seed_of(path: Path | None) -> int | None:
    """The seed of a checkpoint that exists, so that a run without one goes on with it."""
    if path is None or not path.is_file():
        return None
    with path.open("rb") as lines:
        header = _loaded(lines.readline())
    stored = header.get("settings", {}).get("seed") if header else None
    return int(stored) if stored is not None and str(stored).isdigit() else None


def _loaded(line: bytes) -> Any:
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    return entry if isinstance(entry, dict) else None


def _plain(values: Any) -> Any:
    """Nested lists; JSON has no NaN, and Python's floats come back to the last bit."""
    if isinstance(values, np.ndarray):
        return [_plain(value) for value in values.tolist()]
    if isinstance(values, list):
        return [_plain(value) for value in values]
    return None if isinstance(values, float) and math.isnan(values) else values


def _check(entry: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(entry, sort_keys=True).encode()).hexdigest()[:12]
