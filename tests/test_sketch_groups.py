"""Sketches by group and sketches in files: the same in every engine and order; files of earlier versions are read."""

from __future__ import annotations

import base64
import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from rocsteady._src.ranked.lazy import batches
from rocsteady._src.scale.sketch_groups import group_text, groups_of_rows
from rocsteady.errors import ArgumentError, InputError
from rocsteady.scale import Sketch, load_sketches, sketch_table
from scale_kit import ENGINES, make_table

VECTORS = Path(__file__).parent / "fixtures" / "sketches.json"
RNG = np.random.default_rng(26)
N = 400
COLUMNS: dict[str, Any] = {
    "y": RNG.integers(0, 2, N),
    "a": RNG.normal(size=N).round(2),
    "b": RNG.random(N),
    "day": RNG.integers(1, 4, N),
    "site": RNG.choice(["north", "south"], N),
}
HOW: dict[str, Any] = {"label": "y", "score": ["a", "b"], "bits": 8, "capacity": 30}


def expected(by: list[str]) -> dict[tuple[str, ...], dict[str, Sketch]]:
    """The sketches of each group, counted from its rows in memory."""
    found = {}
    for group in itertools.product(*(sorted(set(COLUMNS[name].tolist())) for name in by)):
        mask = np.logical_and.reduce([COLUMNS[name] == value for name, value in zip(by, group, strict=True)])
        counted = {m: Sketch(8, capacity=30).update(COLUMNS["y"][mask], COLUMNS[m][mask]) for m in ("a", "b")}
        found[tuple(map(str, group))] = counted
    return found


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_gives_the_sketches_of_the_rows(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "BATCH_ROWS", 64)
    found = sketch_table(make_table(engine, COLUMNS, 3), by=["day", "site"], **HOW)
    known = expected(["day", "site"])
    assert found == known
    assert list(found) == sorted(known)


def test_keys_of_groups_are_those_of_rank_table() -> None:
    table = pl.LazyFrame(COLUMNS)
    known = expected(["day"])
    one: dict[str, Any] = {**HOW, "score": "a"}
    assert sketch_table(table, by="day", **one) == {day: found["a"] for (day,), found in known.items()}
    assert sketch_table(table, by=["day"], **one) == {day: found["a"] for day, found in known.items()}
    assert sketch_table(table, by="day", **HOW) == {day: found for (day,), found in known.items()}
    with pytest.raises(ArgumentError, match="leave out width or by"):
        sketch_table(table, by="day", width=0.1, **HOW)


def test_groups_of_parts_merge_in_any_order_to_the_same_bytes() -> None:
    parts = [pl.LazyFrame({k: v[start : start + 100] for k, v in COLUMNS.items()}) for start in range(0, N, 100)]
    counted = [sketch_table(part, by=["day", "site"], **HOW) for part in parts]
    for group, found in expected(["day", "site"]).items():
        for order in itertools.permutations(counted):
            first, *others = (part[group]["a"] for part in order)
            assert first.merge(*others).to_bytes() == found["a"].to_bytes()


def test_rows_without_a_group_are_refused() -> None:
    table = pl.LazyFrame({"y": [1, 0, 1], "s": [3.0, 2.0, 1.0], "day": [1, None, 1]})
    with pytest.raises(InputError, match="day: 1 missing"):
        sketch_table(table, label="y", score="s", by="day")
    with pytest.raises(InputError, match="rows without a group have no place"):
        sketch_table(table, label="y", score="s", by="day", missing="drop")


def test_groups_are_named_alike_whatever_holds_them() -> None:
    days = np.array(["2026-05-01", "2026-05-02"], dtype="datetime64[D]")
    assert [group_text(day) for day in days.tolist()] == ["2026-05-01", "2026-05-02"]
    found = groups_of_rows([(np.array([1.0, 2.0, 1.0]), None), (np.array(["a", "b", "a"], dtype=object), None)])
    rows = {group: found.order[span].tolist() for group, span in found.spans}
    assert rows == {("1", "a"): [0, 2], ("2", "b"): [1]}


def test_committed_sketches_are_read_for_ever() -> None:
    """Bytes of format 2, with what they count: a later version must read them or say that it does not."""
    vectors = json.loads(VECTORS.read_text(encoding="utf-8"))
    for vector in vectors:
        found = Sketch.from_bytes(base64.b64decode(vector["data"]))
        area = found.auc()
        assert [found.n_rows, found.n_pos, area.low, area.high] == [vector["rows"], vector["positives"], *vector["auc"]]
        assert base64.b64encode(found.to_bytes()).decode() == vector["data"]
    assert len(vectors) >= 6


def test_a_file_holds_a_sketch(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    y = rng.random(300_000) < 0.3
    sketch = Sketch(16, range=(0, 1), capacity=0).update(y, rng.random(y.size))
    path = sketch.save(tmp_path / "x.rks")
    assert sketch.cells.first.size > 64_000
    assert path.stat().st_size < 1_000_000
    assert load_sketches(path) == sketch
    with pytest.raises(InputError, match="exists"):
        sketch.save(path)
    with pytest.raises(InputError, match="100000 are allowed"):
        load_sketches(path, most_bytes=100_000)
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(InputError, match=r"x\.rks.*no sound sketch"):
        load_sketches(path)
    with pytest.raises(InputError, match="cannot be read"):
        load_sketches(tmp_path / "absent.rks")
