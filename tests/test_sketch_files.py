"""Files of sketches: the same bytes in any order of merging, every part once, hostile bytes refused."""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from cases import each_case
from rocsteady._src.ranked.lazy import batches
from rocsteady._src.scale.sketch_groups import group_text, groups_of_rows
from rocsteady._src.scale.sketches_bytes import DIGEST, FRONT, MAGIC
from rocsteady.errors import ArgumentError, InputError
from rocsteady.scale import Sketch, Sketches, load_sketches, sketch_table
from scale_kit import ENGINES, make_table

VECTORS = Path(__file__).parent / "fixtures" / "sketch_files.json"
RNG = np.random.default_rng(26)
N = 400
COLUMNS: dict[str, Any] = {
    "y": RNG.integers(0, 2, N),
    "a": RNG.normal(size=N).round(2),
    "b": RNG.random(N),
    "day": RNG.integers(1, 4, N),
    "site": RNG.choice(["north", "south"], N),
}


def part_of(rows: slice, name: str, **options: Any) -> Sketches:
    table = pl.LazyFrame({column: values[rows] for column, values in COLUMNS.items()})
    how: dict[str, Any] = {"bits": 8, "capacity": 30, "by": ["day", "site"], **options}
    return sketch_table(table, label="y", score=["a", "b"], part=name, **how)


PARTS = [part_of(slice(start, start + 100), f"part {start}") for start in range(0, N, 100)]


def test_merged_in_any_order_and_grouping_the_bytes_are_the_same() -> None:
    whole = {
        one.merge(two).merge(three.merge(four)).to_bytes() for one, two, three, four in itertools.permutations(PARTS)
    }
    assert len(whole) == 1
    (data,) = whole
    assert Sketches.from_bytes(data).to_bytes() == data
    assert Sketches.from_bytes(data).parts == {f"part {start}": 100 for start in range(0, N, 100)}


def test_groups_hold_their_rows_and_no_others() -> None:
    merged = PARTS[0].merge(*PARTS[1:])
    for day, site in itertools.product((1, 2, 3), ("north", "south")):
        mask = (COLUMNS["day"] == day) & (COLUMNS["site"] == site)
        expected = {m: Sketch(8, capacity=30).update(COLUMNS["y"][mask], COLUMNS[m][mask]) for m in ("a", "b")}
        assert {m: s.to_bytes() for m, s in merged.group(day, site).items()} == {
            m: s.to_bytes() for m, s in expected.items()
        }
    assert merged.over("day").group(2)["a"] == merged.group(2, "north")["a"].merge(merged.group(2, "south")["a"])
    assert merged.over().group()["b"] == merged["b"]
    assert merged["b"] == Sketch(8, capacity=30).update(COLUMNS["y"], COLUMNS["b"])


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_gives_the_same_file(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "BATCH_ROWS", 64)
    table = make_table(engine, COLUMNS, 3)
    how: dict[str, Any] = {"bits": 8, "capacity": 30, "by": ["day", "site"]}
    assert sketch_table(table, label="y", score=["a", "b"], part="all", **how) == part_of(slice(N), "all")


def test_a_part_counts_once() -> None:
    one, two, three, four = PARTS
    with pytest.raises(InputError, match="the part 'part 0' was counted before"):
        one.merge(two, one)
    assert one.merge(two, one, known="skip") == one.merge(two)
    with pytest.raises(InputError, match="merge the parts that are new by themselves"):
        one.merge(two).merge(two.merge(three), known="skip")
    before = one.merge(two)
    data = before.to_bytes()
    with pytest.raises(InputError):
        before.absorb(two.merge(four))
    assert before.to_bytes() == data  # all or nothing


@each_case("change", [{"bits": 9}, {"capacity": 31}, {"by": ["day"]}, {"range": (-3, 3)}])
def test_unlike_files_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError, match="differ in"):
        PARTS[0].merge(part_of(slice(5), "other", **change))


def test_rows_without_a_group_are_counted_apart() -> None:
    table = pl.LazyFrame({"y": [1, 0, 1], "s": [3.0, 2.0, 1.0], "day": [1, None, 1]})
    with pytest.raises(InputError, match="day"):
        sketch_table(table, label="y", score="s", by="day", part="x")
    found = sketch_table(table, label="y", score="s", by="day", part="x", missing="drop")
    assert (found.n_rows, found.n_ungrouped, found.groups) == (2, 1, [("1",)])
    assert Sketches.from_bytes(found.to_bytes()).n_ungrouped == 1
    assert "1 rows without a group" in str(found)


def test_groups_are_named_alike_whatever_holds_them() -> None:
    days = np.array(["2026-05-01", "2026-05-02"], dtype="datetime64[D]")
    assert [group_text(day) for day in days.tolist()] == ["2026-05-01", "2026-05-02"]
    found = groups_of_rows([(np.array([1.0, 2.0, 1.0]), None), (np.array(["a", "b", "a"], dtype=object), None)])
    rows = {group: found.order[span].tolist() for group, span in found.spans}
    assert rows == {("1", "a"): [0, 2], ("2", "b"): [1]}


def test_committed_files_are_read_for_ever() -> None:
    """Files of format 1, with what they count: a later version must read them or say that it does not."""
    vectors = json.loads(VECTORS.read_text(encoding="utf-8"))
    for vector in vectors:
        found = Sketches.from_bytes(base64.b64decode(vector["data"]))
        assert [list(group) for group in found.groups] == vector["groups"]
        assert found.parts == vector["parts"]
        for line, model in zip(vector["auc"], found.models, strict=True):
            area = found[model].auc()
            assert [area.low, area.high] == line
        assert base64.b64encode(found.to_bytes()).decode() == vector["data"]


@each_case("name", ["cut", "flipped", "longer", "other magic", "other version", "two groups alike", "no models"])
def test_hostile_files_are_refused(name: str) -> None:
    data = PARTS[0].to_bytes()
    words = json.loads(data[FRONT.size : FRONT.size + FRONT.unpack_from(data)[2]])
    rest = data[FRONT.size + FRONT.unpack_from(data)[2] : -DIGEST]

    def packed(header: dict[str, Any], version: int = 1) -> bytes:
        text = json.dumps(header, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()
        made = FRONT.pack(MAGIC, version, len(text)) + text + rest
        return made + hashlib.blake2b(made, digest_size=DIGEST).digest()

    assert packed(words) == data
    groups = [words["groups"][0]] * len(words["groups"])
    hostile = {
        "cut": data[:-5],
        "flipped": data[:100] + bytes([data[100] ^ 1]) + data[101:],
        "longer": data + b"x",
        "other magic": b"RSSKETCH" + data[8:],
        "other version": packed(words, 9),
        "two groups alike": packed(words | {"groups": groups}),
        "no models": packed(words | {"models": [], "sizes": []}),
    }
    with pytest.raises(InputError, match=r"no sound file|has format 9"):
        Sketches.from_bytes(hostile[name])


def test_memory_is_bounded_before_it_is_taken() -> None:
    dense = Sketches(Sketch(16, capacity=0).update([1, 0], [2.0, 1.0]), part="x").to_bytes()
    with pytest.raises(InputError, match="bytes of memory"):
        Sketches.from_bytes(dense, most_bytes=100_000)


def test_a_sketch_of_many_cells_is_small_on_disk(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    y = rng.random(300_000) < 0.3
    sketch = Sketch(16, range=(0, 1), capacity=0).update(y, rng.random(y.size))
    path = Sketches(sketch, part="x").save(tmp_path / "x.rks")
    assert sketch.cells.first.size > 64_000
    assert path.stat().st_size < 1_000_000
    assert load_sketches(path)["model"] == sketch
