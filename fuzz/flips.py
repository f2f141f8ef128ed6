"""A saved file with one bit flipped is refused, or holds the same numbers."""

from __future__ import annotations

import functools
import random
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import rocsteady as rs
from rocsteady.errors import RocsteadyError

if TYPE_CHECKING:
    from collections.abc import Callable

FLIPS = 20  # in each case
WATCH = "watch"


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


def _watched(**more: Any) -> Any:
    data = _data()
    table = {"y": data["y"], "s": data["a"], "day": DAYS}
    return rs.monitor(table, "s", label="y", day="day", **more)


def _sketch() -> bytes:
    data = _data()
    return bytes(rs.scale.Sketch().update(data["y"], data["a"]).to_bytes())


MADE: dict[str, Callable[[], Any]] = {
    "evaluation": _evaluation,
    "gate": _gate,
    "comparison": _comparison,
    "comparisons": lambda: _evaluation().compare(),
    "decision": lambda: _evaluation().decide(cost_fn=3),
    "classes": lambda: rs.evaluate(
        np.arange(60) % 3, {"a": np.eye(3)[np.arange(60) % 3] * 0.7 + 0.1}, classes=[0, 1, 2]
    ),
}
DAYS = np.repeat(np.arange(6), 10)


SKETCHES: dict[str, tuple[Callable[[], bytes], Callable[[bytes], Any]]] = {
    "sketch": (_sketch, lambda data: repr(rs.scale.Sketch.from_bytes(data).auc())),
}


@functools.cache
def saved(kind: str) -> bytes:
    """The file of one kind of result."""
    if kind in SKETCHES:
        return SKETCHES[kind][0]()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "saved.json"
        if kind == WATCH:
            _watched(reference=3).save_state(path)
        else:
            MADE[kind]().save(path)
        return path.read_bytes()


def read(kind: str, data: bytes, path: Path) -> Any:
    """All that a file holds; "refused" where it is damaged."""
    path.write_bytes(data)
    try:
        if kind in SKETCHES:
            return SKETCHES[kind][1](data)
        if kind == WATCH:
            return repr(_watched(state=path).to_dict())
        return repr(rs.load(path).to_dict())
    except RocsteadyError:
        return "refused"


def check(number: int) -> str | None:
    """Some flips in a file of one kind."""
    draw = random.Random(number)
    kind = draw.choice([*MADE, *SKETCHES, WATCH])
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
    return None
