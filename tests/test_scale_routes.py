"""Tables whose different scores do not fit: another way is taken by itself, and the answer is right or bracketed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import rocsteady as rs
from cases import each_case
from command import rocsteady
from rocsteady._src.ranked.lazy import floors
from rocsteady._src.ranked.lazy.floors import with_floors
from rocsteady._src.ranked.lazy.lazy_rows import lazy_rows, named_rows
from rocsteady._src.ranked.lazy.paired import pair_models, sum_models
from rocsteady._src.scale.too_many import bracketed_table, summed_table
from rocsteady._src.views.cli import load
from rocsteady._src.views.cli.app import app
from rocsteady.errors import ArgumentError, InputError
from scale_kit import ENGINES, awkward_columns, make_table

MODELS = ("--label", "y", "--score", "a", "--score", "b")


def drawn(n: int = 4000, seed: int = 5) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(np.int8)
    return {"y": y, "a": y + rng.normal(size=n), "b": 0.8 * y + rng.normal(size=n)}


def _in_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few rows would all have cells of their own."""
    monkeypatch.setattr("rocsteady._src.scale.too_many.CAPACITY", 10)
    monkeypatch.setattr("rocsteady._src.scale.sketch_plan.FEW", 10)


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, dict[str, Any]]:
    """A file that stays on disk, and whose scores are more than may come back."""
    columns = drawn()
    pq.write_table(pa.table(columns), tmp_path / "x.parquet")
    monkeypatch.setattr(load, "ROW_BYTES", 10**9)
    monkeypatch.setattr("rocsteady._src.inputs.files.scan.GROUP_BYTES", 10**7)
    _in_cells(monkeypatch)
    return str(tmp_path / "x.parquet"), columns


@each_case("engine", ENGINES)
def test_sums_of_the_engine_are_those_of_groups(engine: str) -> None:
    columns = awkward_columns()
    several = ["big", "single"] if engine == "dask" else ["tied", "big", "single"]  # which plans a pair for a second
    for scores in (["tied"], several):
        rows = lazy_rows(make_table(engine, columns), label="y", scores=scores)
        summed, paired = sum_models(rows), pair_models(rows, rows.rank())
        assert summed.products == paired.products
        assert summed.placement_sums().wins == paired.placement_sums().wins
        assert [groups.n_pos for groups in summed.ranked] == [groups.n_pos for groups in paired.ranked]


def test_exact_areas_have_the_intervals_of_the_rows() -> None:
    columns = drawn(500)
    columns["a"] = columns["a"].round(1)
    made = summed_table(lazy_rows(make_table("duckdb", columns), label="y", scores=["a", "b"]), level=0.9)
    for name in ("a", "b"):
        want = rs.auc_interval(columns["y"], columns[name], level=0.9)
        found = made.intervals[name]["auc"]
        assert found.estimate == want.estimate == rs.auc(columns["y"], columns[name])
        assert found.low == pytest.approx(want.low, abs=1e-12)
        assert found.high == pytest.approx(want.high, abs=1e-12)
    rows = lazy_rows(make_table("duckdb", columns), label="y", scores=["a"])
    with pytest.raises(ArgumentError, match="ks_statistic needs the groups"):
        summed_table(rows, measures=["auc", "ks_statistic"])


def test_sums_refuse_what_groups_refuse() -> None:
    columns = awkward_columns(60)
    columns["tied"][[3, 4]] = np.nan
    with pytest.raises(InputError, match="tied: 2 missing"):
        sum_models(lazy_rows(make_table("duckdb", columns), label="y", scores=["tied"]))
    kept = sum_models(lazy_rows(make_table("duckdb", columns), label="y", scores=["tied"], missing="drop"))
    assert kept.origin.n_dropped == 2
    one = lazy_rows(make_table("duckdb", columns | {"y": np.ones(60, dtype=np.int64)}), label="y", scores=["big"])
    with pytest.raises(InputError, match="one class"):
        sum_models(one)


def test_sums_of_sampling_weights_are_refused() -> None:
    """A weight that says how often a row was drawn says nothing of how sure one is."""
    rows = lazy_rows(make_table("duckdb", awkward_columns(60)), label="y", scores=["tied"], weight="w")
    with pytest.raises(InputError) as error:
        sum_models(rows)
    assert error.value.code == "weights_summed"
    counted = lazy_rows(
        make_table("duckdb", awkward_columns(60)), label="y", scores=["tied"], weight="w", weight_type="frequency"
    )
    assert sum_models(counted).products == pair_models(counted, counted.rank()).products


def test_the_command_brackets_what_does_not_fit(small: tuple[str, dict[str, Any]]) -> None:
    file, columns = small
    done = rocsteady("evaluate", file, *MODELS, "--format", "json", "--threshold", "0.5", "--measure", "auc",
                     "--measure", "ks_statistic", "--measure", "average_precision", "--measure", "recall")  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert not told["exact"]
    assert any("counted in cells" in note for note in told["notes"])
    for name in ("a", "b"):
        found = told["models"][name]
        y, s = columns["y"], columns[name]
        want = {"auc": rs.auc(y, s), "ks_statistic": rs.ks_statistic(y, s)}
        want |= {"average_precision": rs.average_precision(y, s)}
        assert all(found[each]["low"] <= value <= found[each]["high"] for each, value in want.items())
        assert found["auc"]["high"] - found["auc"]["low"] <= 1e-6
        sure = rs.auc_interval(y, s)
        assert found["auc"]["interval_low"] <= sure.low < sure.high <= found["auc"]["interval_high"]
        share = rs.inference.measure_interval("recall", y, s, threshold=0.5)
        assert found["recall"]["interval_low"] <= share.low < share.high <= found["recall"]["interval_high"]


def test_exact_insists(small: tuple[str, dict[str, Any]]) -> None:
    file, columns = small
    done = rocsteady("evaluate", file, *MODELS, "--exact", "--measure", "auc", "--format", "json")
    told = json.loads(done.stdout)
    assert told["exact"]
    assert told["models"]["a"]["auc"]["estimate"] == rs.auc(columns["y"], columns["a"])
    refused = rocsteady("evaluate", file, *MODELS, "--exact", "--measure", "ks_statistic")
    assert refused.returncode == 2
    assert "allow more memory" in refused.stderr


def test_comparison_stays_exact(small: tuple[str, dict[str, Any]]) -> None:
    file, columns = small
    done = rocsteady("compare", file, *MODELS, "--format", "json")
    assert done.returncode == 0, done.stderr
    pair = json.loads(done.stdout)["pairs"][0]["test"]
    want = rs.compare_auc(columns["y"], columns["a"], columns["b"])
    assert (pair["estimate"], pair["pvalue"]) == (want.estimate, want.pvalue)
    refused = rocsteady("compare", file, *MODELS, "--measure", "brier_score")
    assert refused.returncode == 2
    assert "by anything but the AUC" in refused.stderr


def test_the_report_is_one_of_brackets(small: tuple[str, dict[str, Any]], tmp_path: Path) -> None:
    file, _ = small
    done = rocsteady("report", file, *MODELS, "-o", str(tmp_path / "page.html"))
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "page.html").read_text()
    assert "for certain" in page
    assert "Interval" in page
    refused = rocsteady("report", file, *MODELS, "-o", str(tmp_path / "other.html"), "--cost-fp", "2")
    assert refused.returncode == 2
    assert "--cost-fp needs the scores in memory" in refused.stderr


def test_lazy_evaluate_brackets_what_does_not_come(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = drawn()
    monkeypatch.setattr("rocsteady._src.evaluation.evaluate.lazy_rows", _few_groups)
    _in_cells(monkeypatch)
    with pytest.warns(rs.RocsteadyWarning, match="counted in cells"):
        found: Any = rs.evaluate(make_table("polars", columns), label="y", scores=["a"], intervals=True)
    assert not found.exact
    low, high = found.brackets["a"]["auc"]
    assert low <= rs.auc(columns["y"], columns["a"]) <= high
    assert found.intervals["a"]["auc"].low < low


def _few_groups(table: Any, **options: Any) -> Any:
    return lazy_rows(table, most_groups=100, **options)


def test_fewer_cells_give_wider_brackets_that_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = drawn()
    _in_cells(monkeypatch)
    rows = lazy_rows(make_table("duckdb", columns), label="y", scores=["a"])
    for cells in (20, 200, 3000):
        found = bracketed_table(rows, cells=cells, measures=["auc"]).brackets["a"]["auc"]
        assert found.low <= rs.auc(columns["y"], columns["a"]) <= found.high


def test_a_remote_address_is_told_what_it_is() -> None:
    for address in ("s3://bucket/x.parquet", "https://example.org/x.csv", "gs://bucket/*.parquet"):
        done = rocsteady("evaluate", address, *MODELS)
        assert done.returncode == 2
        assert f"{address} is a remote address" in done.stderr


@each_case("engine", ENGINES)
def test_scores_rounded_down_have_the_counts_of_the_rows_at_every_step(engine: str) -> None:
    rng = np.random.default_rng(3)
    scores = np.concatenate([rng.normal(size=300) * 3, [np.inf, -np.inf, 0.0, -0.0, 0.25, 1e-300]])
    y = rng.integers(0, 2, scores.size)
    given = float(scores[17])
    rows = lazy_rows(make_table(engine, {"y": y, "a": scores}), label="y", scores=["a"])
    floored = with_floors(rows, given, 64)
    groups = floored.rank()["a"]
    assert groups.scores.size < 60
    assert given in groups.scores
    for threshold in groups.scores:
        counts, known = rs.confusion(groups, threshold=threshold), rs.confusion(y, scores, threshold=threshold)
        assert (counts.tp, counts.fp, counts.fn, counts.tn) == (known.tp, known.fp, known.fn, known.tn)
    between = float(np.nextafter(groups.scores[10], np.inf))
    called = rs.confusion(y, scores, threshold=floored.floors.safe(between, "a"))
    assert (called.tp, called.fp) == (
        rs.confusion(groups, threshold=between).tp,
        rs.confusion(groups, threshold=between).fp,
    )


@each_case(
    "words",
    [
        ["confusion", "--threshold", "0.3"],
        ["thresholds", "--rule", "youden"],
        ["calibration"],
        ["operating-point", "--fpr", "0.2", "--promise", "fpr<=0.2"],
        ["decide", "--cost-fn", "5"],
    ],
)
def test_no_command_ends_where_scores_do_not_fit(words: list[str], tmp_path: Path) -> None:
    columns = drawn(3000)
    columns["a"] = 1 / (1 + np.exp(-columns["a"]))
    pq.write_table(pa.table(columns), tmp_path / "x.parquet")
    asked = [words[0], str(tmp_path / "x.parquet"), "--label", "y", "--score", "a", *words[1:], "--format", "json"]
    known = json.loads(CliRunner().invoke(app, asked).output)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(load, "ROW_BYTES", 10**9)
        patch.setattr("rocsteady._src.inputs.files.scan.GROUP_BYTES", 10**6)
        done = CliRunner().invoke(app, asked)
    assert done.exit_code == 0, done.exception
    found = json.loads(done.output)
    assert "resolution" in json.dumps(found) or "rounded down" in json.dumps(found)
    if words[0] == "confusion":  # the very counts, and their intervals
        one, two = (told["models"][0] for told in (found, known))
        assert [one[cell] for cell in ("tp", "fp", "fn", "tn")] == [two[cell] for cell in ("tp", "fp", "fn", "tn")]
        for name, each in one["intervals"].items():
            assert (each["low"], each["high"]) == (two["intervals"][name]["low"], two["intervals"][name]["high"])
    for point in found.get("operating_points", []):
        at = rs.confusion(columns["y"], columns["a"], threshold=point["threshold"])
        assert at.fp / (at.fp + at.tn) == pytest.approx(point["fpr"], abs=1e-12)
        assert point["fpr"] <= 0.2


@each_case("engine", ENGINES)
def test_losses_are_added_up_by_the_engine(engine: str) -> None:
    columns = drawn(600)
    for name in ("a", "b"):
        columns[name] = 1 / (1 + np.exp(-columns[name]))
    rows = lazy_rows(make_table(engine, columns), label="y", scores=["a", "b"])
    found = bracketed_table(rows, measures=["brier_score", "auc", "log_loss"], curves=False)
    assert found.measures == ["brier_score", "auc", "log_loss"]
    for name in ("a", "b"):
        for loss in ("brier_score", "log_loss"):
            low, high = found.brackets[name][loss]
            assert low <= getattr(rs, loss)(columns["y"], columns[name]) <= high
            assert high - low < 1e-12
    columns["a"][columns["y"] == 1] = 0.0
    endless = bracketed_table(lazy_rows(make_table(engine, columns), label="y", scores=["a"]), measures=["log_loss"])
    assert endless.brackets["a"]["log_loss"].estimate == np.inf
    columns["a"][5] = 1.5
    with pytest.raises(InputError, match="needs probabilities"):
        bracketed_table(lazy_rows(make_table(engine, columns), label="y", scores=["a"]), measures=["log_loss"])


@each_case("engine", ENGINES)
def test_counts_at_a_threshold_are_those_of_the_rows_where_groups_are_too_many(engine: str) -> None:
    columns = drawn(700)
    confusion: Any = rs.confusion  # a door that takes label too
    table, y, a = make_table(engine, columns), columns["y"], columns["a"]

    def counts(found: Any) -> tuple[Any, ...]:
        return found.threshold, found.tp, found.fp, found.fn, found.tn

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(floors, "named_rows", lambda *given: replace(named_rows(*given), most_groups=100))
        for threshold in (0.123456789, float(a[5]), 3):
            with pytest.warns(rs.errors.RocsteadyWarning, match="rounded down to steps"):
                found = confusion(table, "a", label="y", threshold=threshold)
            assert counts(found) == counts(rs.confusion(y, a, threshold=threshold))
            with pytest.warns(rs.errors.RocsteadyWarning, match="rounded down to steps"):
                rate = rs.recall(table, "a", label="y", threshold=threshold)
            assert rate == rs.recall(y, a, threshold=threshold)
        with pytest.warns(rs.errors.RocsteadyWarning, match="rounded down to steps"):
            chosen = confusion(table, "a", label="y", threshold="youden")
        assert counts(chosen) == counts(rs.confusion(y, a, threshold=chosen.threshold))
        for several in ([0.1, 0.2], np.array([0.1])):
            with pytest.raises(InputError, match="too many to bring into memory"):
                confusion(table, "a", label="y", threshold=several)
