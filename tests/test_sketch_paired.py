"""The paired test from joint cells contains that of the rows, whatever the cells, the order and the parts."""

from __future__ import annotations

import base64
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import rocsteady as rs
from rocsteady._src.scale.paired_bytes import decode_pair, encode_pair, joint_counts
from rocsteady._src.views.cli.app import app
from rocsteady.errors import ArgumentError, InputError
from rocsteady.scale import PairedSketch, load_pair, load_sketches, pair_table

VECTORS = Path(__file__).parent / "fixtures" / "sketch_pair.json"


@given(
    seed=st.integers(0, 10_000),
    n=st.sampled_from([12, 60, 400]),
    joint=st.integers(4, 10),
    spanned=st.booleans(),
    digits=st.sampled_from([1, 8]),
    alternative=st.sampled_from(["two-sided", "greater", "less"]),
)
def test_the_test_of_the_rows_lies_inside(
    seed: int, n: int, joint: int, spanned: bool, digits: int, alternative: str
) -> None:
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 3 == 0)
    a = (y * rng.normal() + rng.normal(size=n)).round(digits)
    b = (a + rng.normal(size=n)).round(digits)
    rows = rs.compare_auc(y, a, b, method="delong-t", alternative=alternative, level=0.9)
    cut = rng.integers(1, n)
    span = (-4.0, 4.0) if spanned else None
    parts = [PairedSketch(12, span, joint_bits=joint).update(y[i], a[i], b[i], pos_label=True)
             for i in (slice(None, cut), slice(cut, None))]  # fmt: skip
    for whole in (parts[0].merge(parts[1]), pickle.loads(pickle.dumps(parts[1])).merge(parts[0])):  # noqa: S301 - our own
        found = whole.compare(alternative=alternative, level=0.9)
        assert found.low <= rows.low + 1e-12
        assert found.high >= rows.high - 1e-12
        assert found.pvalue >= rows.pvalue - 1e-12
        assert found.se >= rows.se - 1e-12


def test_many_rows_come_close_to_the_rows() -> None:
    rng = np.random.default_rng(1)
    y = rng.random(20_000) < 0.3
    a = y + rng.normal(size=y.size)
    b = a + 0.5 * rng.normal(size=y.size)
    rows = rs.compare_auc(y, a, b, method="delong-t")
    found = PairedSketch(20, (-6, 7), joint_bits=9).update(y, a, b).compare()
    assert found.high - found.low < 1.1 * (rows.high - rows.low)
    assert found.pvalue < 1e-6


def test_what_is_no_pair_is_refused() -> None:
    sketch = PairedSketch(8, joint_bits=4)
    with pytest.raises(InputError):
        sketch.update([1, 0], [0.5, 0.4], [0.5])
    with pytest.raises(InputError):
        sketch.update([1, 0], [0.5, np.nan], [0.5, 0.4])
    assert sketch.first.n_rows == 0
    with pytest.raises(InputError, match="one class"):
        sketch.update([1, 1], [0.5, 0.4], [0.5, 0.4], pos_label=1).compare()
    with pytest.raises(ArgumentError, match="joint_bits"):
        PairedSketch(8, joint_bits=9)
    with pytest.raises(ArgumentError, match="joint cells"):
        sketch.merge(PairedSketch(8, joint_bits=5))


def pair_of(rows: slice, **options: Any) -> PairedSketch:
    rng = np.random.default_rng(5)
    y = rng.random(300) < 0.3
    a = y + rng.normal(size=300)
    how = {"bits": 8, "range": (-5.0, 6.0), "joint_bits": 5, "part": f"from {rows.start}", **options}
    return PairedSketch(**how).update(y[rows], a[rows], (a + rng.normal(size=300))[rows], pos_label=1)


def test_a_file_counts_every_part_once_in_any_order(tmp_path: Path) -> None:
    parts = [pair_of(slice(start, start + 100)) for start in (0, 100, 200)]
    one, two, three = (load_pair(part.save(tmp_path / f"{place}.rks")) for place, part in enumerate(parts))
    assert one.merge(two).merge(three).to_bytes() == three.merge(one, two).to_bytes()
    assert one.merge(two, three).parts == {"from 0": 100, "from 100": 100, "from 200": 100}
    assert one.merge(two, three).compare().pvalue == pair_of(slice(0, 300)).compare().pvalue
    for refused, words in [
        (lambda: one.merge(two, one), "counted before"),
        (lambda: one.merge(pair_of(slice(100, 200), names=("x", "y"))), "differ in models"),
        (lambda: one.merge(pair_of(slice(100, 200), joint_bits=6)), "joint cells"),
        (lambda: PairedSketch().update([1, 0], [1, 0], [0, 1]).save(tmp_path / "no.rks"), "need a name"),
        (lambda: load_sketches(tmp_path / "0.rks"), "load_pair reads it"),
        (lambda: PairedSketch.from_bytes(one.to_bytes(), most_bytes=1000), "most_bytes"),
    ]:
        with pytest.raises((ArgumentError, InputError), match=words):
            refused()


def test_damaged_bytes_of_a_pair_are_refused() -> None:
    data = pair_of(slice(0, 100)).to_bytes()
    assert PairedSketch.from_bytes(data).to_bytes() == data
    for place in range(0, len(data), 97):
        with pytest.raises(InputError):
            PairedSketch.from_bytes(data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :])
    header, packed, joint = decode_pair(data, most_bytes=1 << 30)
    other = pair_of(slice(100, 200))
    wrong = encode_pair(header, [bytes(each) for each in packed], other._joint)
    with pytest.raises(InputError, match="joint cells count"):  # sound to the checksum, and no pair
        PairedSketch.from_bytes(wrong)
    with pytest.raises(InputError):
        joint_counts(joint, 4, (70, 30))


def test_a_pair_of_this_version_is_read_by_every_later_one() -> None:
    vector = json.loads(VECTORS.read_text(encoding="utf-8"))
    found = PairedSketch.from_bytes(base64.b64decode(vector["data"]))
    assert found.compare().pvalue == pytest.approx(vector["pvalue"], rel=1e-9)
    assert found.parts == vector["parts"]
    assert base64.b64encode(found.to_bytes()).decode() == vector["data"]


def test_an_engine_and_the_command_count_pairs(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    y, a = rng.integers(0, 2, 400), rng.normal(size=400)
    table = pl.DataFrame({"y": y, "a": a + y, "b": a})
    how: dict[str, Any] = {"bits": 16, "range": (-5.0, 6.0)}
    by_hand = PairedSketch(names=("a", "b"), part="p", **how).update(y, a + y, a)
    assert pair_table(table.lazy(), label="y", score=["a", "b"], part="p", **how) == by_hand
    with pytest.raises(ArgumentError, match="two columns"):
        pair_table(table.lazy(), label="y", score=["a"], part="p")
    for place in (0, 1):
        table[200 * place : 200 * (place + 1)].write_csv(tmp_path / f"{place}.csv")
        words = ["sketch", "make", str(tmp_path / f"{place}.csv"), "--label", "y", "--score", "a", "--score", "b"]
        words += ["--paired", "--range=-5,6", "--part", f"day {place}", "-o", str(tmp_path / f"{place}.rks")]
        assert CliRunner().invoke(app, words).exit_code == 0
    refused = CliRunner().invoke(app, [*words, "--by", "y", "--force"])
    assert "leave out --by" in str(refused.exception)
    files = [str(tmp_path / f"{place}.rks") for place in (0, 1)]
    whole = str(tmp_path / "whole.rks")
    assert CliRunner().invoke(app, ["sketch", "merge", *files, "-o", whole]).exit_code == 0
    again = CliRunner().invoke(app, ["sketch", "merge", whole, files[0], "--known", "skip", "-o", whole, "--force"])
    assert "2 parts, 400 rows" in again.output
    shown = CliRunner().invoke(app, ["sketch", "show", whole, "--format", "json"])
    assert json.loads(shown.output)["difference"]["pvalue"] == pytest.approx(by_hand.compare().pvalue)
    page = CliRunner().invoke(app, ["sketch", "report", whole, "-o", str(tmp_path / "pair.md")])
    assert page.exit_code == 0
    assert "on the same rows: +" in (tmp_path / "pair.md").read_text(encoding="utf-8")
