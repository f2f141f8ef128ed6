"""Saved files with turned bits: refused, or read as the same numbers."""

from __future__ import annotations

import json
import random
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import rocsteady as rs

if TYPE_CHECKING:
    from collections.abc import Callable

TRIES = 20
RNG = np.random.default_rng(7)
Y, DAY = np.tile([1, 0, 0], 32), np.repeat(np.arange(8), 12)
A, B = (np.round(Y + RNG.normal(size=Y.size), 2) for _ in "ab")
TABLE = {"y": Y, "s": A, "day": DAY}
SAVED: dict[str, Callable[[Path], Any]] = {
    "evaluation": lambda path: rs.evaluate(Y, {"a": A, "b": B}, intervals=True).save(path),
    "gate": lambda path: rs.gate(Y, A, B, margin=0.1).save(path),
    "comparison": lambda path: rs.compare_auc(Y, A, B).save(path),
    "classes": lambda path: rs.evaluate(DAY % 3, {"a": np.eye(3)[(DAY + Y) % 3] * 0.7 + 0.1}, classes=[0, 1, 2]).save(
        path
    ),
    "watch": lambda path: rs.monitor(TABLE, "s", label="y", day="day", reference=4).save_state(path),
}


def _read(kind: str, path: Path) -> str:
    if kind == "watch":
        found = rs.monitor(TABLE, "s", label="y", day="day", state=path)
        return json.dumps(found.to_dict(), default=str)
    return json.dumps(rs.load(path).to_dict(), default=str)


@cache
def _whole(kind: str) -> tuple[bytes, str]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "saved.json"
        SAVED[kind](path)
        return path.read_bytes(), _read(kind, path)


def check(number: int) -> str | None:
    """What is wrong with some turned bits of one file; None when all end well."""
    rng = random.Random(number)
    kind = rng.choice(list(SAVED))
    whole, told = _whole(kind)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "saved.json"
        for _ in range(TRIES):
            turned, bits = bytearray(whole), rng.sample(range(8 * len(whole)), rng.choice((1, 1, 1, 2, 8)))
            for bit in bits:
                turned[bit // 8] ^= 1 << (bit % 8)
            path.write_bytes(turned)
            try:
                found = _read(kind, path)
            except rs.RocsteadyError:
                continue
            if found != told:
                return f"{kind} with bits {bits} turned is read as other numbers"
    return None
