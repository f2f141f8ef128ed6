<<<<<<< HEAD
"""A saved file with one bit flipped is refused, or holds the same numbers."""

from __future__ import annotations

import functools
import random
import tempfile
=======
"""Saved files with turned bits: refused, or read as the same numbers."""

from __future__ import annotations

import json
import random
import tempfile
from functools import cache
>>>>>>> w-watch
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import rocsteady as rs
<<<<<<< HEAD
from rocsteady.errors import RocsteadyError
=======
>>>>>>> w-watch

if TYPE_CHECKING:
    from collections.abc import Callable

<<<<<<< HEAD
FLIPS = 20  # in each case


def _data() -> dict[str, Any]:
    rng = np.random.default_rng(1)
    y = np.arange(60) % 3 == 0
    return {"y": y.astype(int), **{name: rng.normal(size=60).round(2) + y for name in "ab"}}


def _evaluation() -> Any:
    data = _data()
    return rs.evaluate(data, label="y", scores=["a", "b"], n_resamples=50)


def _gate() -> Any:
    data = _data()
    return rs.gate(data["y"], data["a"], data["b"], margin=0.3, goals="auc >= 0.6")


def _comparison() -> Any:
    data = _data()
    return rs.compare_auc(data["y"], data["a"], data["b"])


def _sketch() -> bytes:
    data = _data()
    return bytes(rs.scale.Sketch().update(data["y"], data["a"]).to_bytes())


def _sketches() -> bytes:
    import pandas as pd

    made: Any = rs.scale.sketch_table(pd.DataFrame(_data()), label="y", score=["a", "b"], part="monday")
    return bytes(made.to_bytes())


MADE: dict[str, Callable[[], Any]] = {
    "evaluation": _evaluation,
    "gate": _gate,
    "comparison": _comparison,
    "comparisons": lambda: _evaluation().compare(),
    "decision": lambda: _evaluation().decide(cost_fn=3),
}


SKETCHES: dict[str, tuple[Callable[[], bytes], Callable[[bytes], Any]]] = {
    "sketch": (_sketch, lambda data: repr(rs.scale.Sketch.from_bytes(data).auc())),
    "sketches": (_sketches, lambda data: rs.scale.Sketches.from_bytes(data).to_bytes()),
}


@functools.cache
def saved(kind: str) -> bytes:
    """The file of one kind of result."""
    if kind in SKETCHES:
        return SKETCHES[kind][0]()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "saved.json"
        MADE[kind]().save(path)
        return path.read_bytes()


def read(kind: str, data: bytes, path: Path) -> Any:
    """All that a file holds; "refused" where it is damaged."""
    path.write_bytes(data)
    try:
        if kind in SKETCHES:
            return SKETCHES[kind][1](data)
        return repr(rs.load(path).to_dict())
    except RocsteadyError:
        return "refused"


def check(number: int) -> str | None:
    """Some flips in a file of one kind."""
    draw = random.Random(number)
    kind = draw.choice([*MADE, *SKETCHES])
    whole = saved(kind)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "flipped.json"
        right = read(kind, whole, path)
        if right == "refused":
            return f"{kind}: its own file is refused"
        for _ in range(FLIPS):
            place, bit = draw.randrange(len(whole)), draw.randrange(8)
            flipped = whole[:place] + bytes([whole[place] ^ 1 << bit]) + whole[place + 1 :]
            if read(kind, flipped, path) not in ("refused", right):
                return f"{kind}: bit {bit} of byte {place} changes what is loaded"
=======
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
>>>>>>> w-watch
    return None
