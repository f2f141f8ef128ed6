"""Gains and stability of tables that an engine holds, and of files that do not fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rocsteady as rs
from cases import each_case
from command import rocsteady
from rocsteady._src.evaluation.monitor.credit import counted_scores, stability_of
from rocsteady._src.ranked.lazy.score_counts import score_counts
from rocsteady._src.views.cli import load
from rocsteady.errors import ArgumentError, InputError
from scale_kit import ENGINES, make_table


def drawn(n: int = 600, seed: int = 3, *, moved: float = 0.0) -> dict[str, Any]:
    """Labels, tied scores, such without ties, and some of them missing."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(np.int64)
    scores = np.round(y + rng.normal(moved, 1, n), 2)
    some = [float(score) if bad else None for score, bad in zip(scores, y, strict=True)]
    return {"y": y, "s": scores, "some": some, "exact": y + rng.normal(moved, 1, n)}


@each_case("engine", ENGINES)
def test_engines_count_what_memory_counts(engine: str) -> None:
    columns, others = drawn(), drawn(400, 4, moved=0.3)
    table, other = make_table(engine, columns), make_table(engine, others)
    want = rs.monitoring.stability_index(columns["s"], others["s"])
    for first, second in ((table, other), (columns, other), (table, others), (columns, others)):
        assert rs.monitoring.stability_index(first, second, score="s").to_dict() == want.to_dict()
    gains = rs.gains_curve(table, "s", label="y", n_bins=10)
    assert gains.gain.tolist() == rs.gains_curve(columns["y"], columns["s"], n_bins=10).gain.tolist()


@each_case("engine", ENGINES)
def test_too_many_scores_are_rounded_alike_and_it_is_said(engine: str) -> None:
    """The index is that of scores rounded down by hand, whether an engine or memory holds them."""
    columns, others = drawn(), drawn(400, 4, moved=0.3)
    held = [[(make_table(engine, columns), "a"), (make_table(engine, others), "b")]]
    held.append([held[0][0], (others, "b")])
    for tables in held:
        counted, told = counted_scores(tables, "exact", most=200)
        assert told is not None
        found, step = stability_of(*counted), told.params["step"]
        by_hand = [np.floor(each["exact"] / step) * step for each in (columns, others)]
        assert found.to_dict() == rs.monitoring.stability_index(*by_hand).to_dict()


def test_a_call_that_rounds_warns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score_counts, "__kwdefaults__", {"most": 100})
    with pytest.warns(rs.RocsteadyWarning, match=r"rounded down to steps of 0\.\d+"):
        rs.monitoring.stability_index(make_table("duckdb", drawn()), drawn(), score="exact")


def test_what_is_wrong_is_told() -> None:
    table = make_table("polars", drawn())
    for given in (table, drawn(), pa.table(drawn())):
        with pytest.raises(ArgumentError, match="which column of the tables holds the scores"):
            rs.monitoring.stability_index(given, given)
    with pytest.raises(InputError, match="no column 'nope'"):
        rs.monitoring.stability_index(table, table, score="nope")
    with pytest.raises(InputError, match=r"some of reference: \d+ values are missing"):
        rs.monitoring.stability_index(table, table, score="some")


def test_files_that_do_not_fit_are_counted_where_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pq.write_table(pa.table(drawn()), tmp_path / "now.parquet")
    pq.write_table(pa.table(drawn(400, 4, moved=0.3)), tmp_path / "before.parquet")
    now, before = (str(tmp_path / f"{name}.parquet") for name in ("now", "before"))
    asked = ("psi", now, "--score", "s", "--reference", before)
    in_memory = rocsteady(*asked).stdout
    monkeypatch.setattr(load, "ROW_BYTES", 10**9)
    assert rocsteady(*asked).stdout == in_memory
    monkeypatch.setattr("rocsteady._src.inputs.files.scan.GROUP_BYTES", 10**7)
    assert "bins must be 2 or more" in rocsteady(*asked, "--bins", "1").stderr
    moved = rocsteady("psi", now, "--score", "exact", "--reference", before)
    assert moved.returncode == 0
    assert "rounded down to steps of" in moved.stdout
