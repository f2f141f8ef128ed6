"""The gate where few rows changed, or none: what rows that were not seen may do, and what a pass says of it."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest

import rocsteady as rs
from cases import each_case
from rocsteady._src.evaluation.gate.carried import by_rows
from rocsteady._src.evaluation.gate.unseen import (
    Changes,
    Whatever,
    changes_of,
    moved_share,
    placement_changes,
    unnoticed,
)
from rocsteady._src.inference.comparison.hypotheses import NormalDifference
from rocsteady._src.inference.intervals.bounded_mean import gaffke_lower
from rocsteady._src.inference.units.components import Area
from rocsteady._src.ranked import read_models

LOANS = rs.examples.loans(600)
Y, OLD, NEW = (np.asarray(LOANS[name]) for name in ("defaulted", "logistic", "boosted"))
RESULTS = Path(__file__).parents[1] / "benchmarks" / "results"


def codes(found: Any) -> set[str]:
    return {remark.code for remark in found.warnings}


def failing(n: int, seed: int, n_failing: int) -> tuple[Any, Any, Any]:
    """One row in ten is positive; the candidate has the lowest score on a few negatives and on no positive."""
    rng, y = np.random.default_rng(seed), np.arange(n) % 10 == 0
    old = rng.standard_normal(n) + 1.5 * y
    new = old.copy()
    new[np.flatnonzero(~y)[:n_failing]] = old.min() - 1
    return y, old, new


class TestFewChanges:
    """Rows of a class that did not change say how rare a change can be, and no more."""

    def test_a_class_without_a_changed_row_keeps_the_gate_open(self) -> None:
        """The formula knows the changed negatives alone; 100 positives allow a loss of 0.05^(1/100) at the least."""
        y, old, new = failing(1000, 3, 8)
        found = rs.gate(y, old, new, margin=0.01).conditions[0]
        assert found.estimate > 0
        assert found.decision == "cannot tell"
        assert found.low <= found.estimate - (1 - 0.05 ** (1 / 100))
        assert "whatever few rows do" in found.method
        assert rs.gate(y, old, new, margin=0.04).decision == "pass"

    def test_limits_of_both_classes_join_by_squares(self) -> None:
        y, old, new = failing(600, 5, 4)
        new[0] = old.min() - 2
        found = rs.gate(y, old, new, margin=0.3).conditions[0]
        reach = []
        for own, other in ((y, ~y), (~y, y)):
            sign = 1 if own is y else -1
            placed = [
                np.array(
                    [((sign * (score - each[other]) > 0) + (score == each[other]) / 2).mean() for score in each[own]]
                )
                for each in (new, old)
            ]
            change = placed[0] - placed[1]
            limit = gaffke_lower(change, np.ones(change.size), 0.05, -1.0)
            assert change.mean() == pytest.approx(found.estimate)
            reach.append(change.mean() - limit)
        rows = read_models(y, {"candidate": new, "baseline": old})
        added = by_rows(rows, [Area().components(ranked) for ranked in rows.ranked])
        bounds = Whatever(NormalDifference(found.estimate, 0.0), placement_changes(added, rows))
        assert bounds.ends(0.9)[0] == pytest.approx(found.estimate - math.hypot(*reach), abs=1e-5)
        assert found.low <= bounds.ends(0.9)[0]

    def test_means_over_rows_are_bounded_by_what_a_score_can_cost(self) -> None:
        y, p = Y, np.clip(OLD, 0.05, 0.95)
        new = p.copy()
        new[[3, 9]] = 0.05
        lost = (new - y) ** 2 - (p - y) ** 2
        brier = rs.gate(y, p, new, measure="brier_score", margin=0.1).conditions[0]
        high = -gaffke_lower(-lost, np.ones(600), 0.05, -1.0)
        assert brier.high == pytest.approx(high, abs=1e-5)
        loss = rs.gate(y, p, new, measure="log_loss", margin=0.1)
        assert "gate_largest_loss" in codes(loss)
        change = np.log(np.where(y == 1, p, 1 - p)) - np.log(np.where(y == 1, new, 1 - new))
        high = -gaffke_lower(-change, np.ones(600), 0.05, -math.log(19))
        assert loss.conditions[0].high == pytest.approx(high, abs=1e-4)

    @each_case("measure", ["average_precision", "precision", "f1", "brier_score", "gini"])
    def test_so_it_is_with_every_measure(self, measure: str) -> None:
        y, old, new = failing(1000, 3, 8)
        how: dict[str, Any] = {"measure": measure, "margin": 0.0005, "threshold": 0.5, "n_resamples": 50}
        found = rs.gate(y, 1 / (1 + np.exp(-old)), 1 / (1 + np.exp(-new)), **how)
        assert found.decision == "cannot tell"
        assert "whatever few rows do" in found.conditions[0].method

    def test_so_many_rows_as_are_told_decide(self) -> None:
        """With a power of one half: rows repeated so often just reach the limit."""
        y, old, new = failing(1000, 3, 8)
        found = rs.gate(y, old, new, margin=0.01, power=0.5)
        times = found.rows_needed / 1000
        more, less = (
            rs.gate(*(np.tile(each, n) for each in (y, old, new)), margin=0.01)
            for n in (math.ceil(1.1 * times), max(math.floor(0.6 * times), 1))
        )
        assert (more.decision, less.decision) == ("pass", "cannot tell")

    def test_noise_in_all_rows_takes_formulas_and_a_pass_says_what_it_supposes(self) -> None:
        y, old, _ = failing(1000, 3, 0)
        found = rs.gate(y, old, old + np.random.default_rng(1).normal(0, 0.1, 1000), margin=0.01)
        assert found.decision == "pass"
        (remark,) = (each for each in found.warnings if each.code == "gate_unseen")
        assert remark.params["share"] == remark.params["loss"] == pytest.approx(1 - 0.05 ** (1 / 100))
        assert remark.params["whose"] == "positive rows"
        enough = [np.tile(each, 5) for each in (y, old, old + np.random.default_rng(1).normal(0, 0.1, 1000))]
        assert "gate_unseen" not in codes(rs.gate(*enough, margin=0.05))

    @each_case("engine", ["polars", "duckdb"])
    def test_an_engine_says_the_same(self, engine: str) -> None:
        y, old, new = failing(900, 6, 7)
        new[[0, 10]] = old.min() - np.array([1, 2])
        held = pl.DataFrame({"y": y.astype(int), "old": old, "new": new, "w": 1 + np.arange(900) % 3, "same": 2 * old})
        table: Any = held.lazy() if engine == "polars" else duckdb.sql("select * from held")
        for how in ({}, {"sample_weight": "w", "weight_type": "frequency"}):
            for candidate, measure in (("new", "auc"), ("new", "gini"), ("same", "auc"), ("old2", "recall")):
                shown = held.with_columns(old2=pl.col("old"))
                there_table: Any = shown.lazy() if engine == "polars" else duckdb.sql("select *, old as old2 from held")
                asked: dict[str, Any] = {"label": "y", "measure": measure, "margin": 0.05, "threshold": 0.5, **how}
                here = rs.gate(shown, "old", candidate, **asked).conditions[0]
                there = rs.gate(there_table, "old", candidate, **asked).conditions[0]
                assert (there.low, there.high) == pytest.approx((here.low, here.high), rel=1e-9, nan_ok=True)
                assert (there.decision, there.method, there.reason) == (here.decision, here.method, here.reason)
                assert (there.unnoticed, there.unnoticed_of) == (here.unnoticed, here.unnoticed_of)
        assert table is not None

    def test_subjects_and_weights_are_units(self) -> None:
        """Rows that stand twice, as two of one subject, tell what they tell once; equal weights are none."""
        y, old, new = failing(600, 5, 4)
        once = rs.gate(y, old, new, margin=0.3).conditions[0]
        twice = [np.tile(each, 2) for each in (y, old, new)]
        by_subject = rs.gate(*twice, margin=0.3, cluster=np.tile(np.arange(600), 2)).conditions[0]
        assert by_subject.low == pytest.approx(once.low, abs=2e-4)
        assert by_subject.unnoticed == once.unnoticed
        weighed = rs.gate(y, old, new, margin=0.3, sample_weight=np.full(600, 2.5), weight_type="sampling")
        assert weighed.conditions[0].low == pytest.approx(once.low, abs=2e-4)

    def test_changes_are_joined_without_moving_their_mean(self) -> None:
        values = np.random.default_rng(2).uniform(-0.3, 0.4, 20_000)
        found = Changes.of(values, np.ones(20_000), 1.0)
        assert found.values.size < 800
        assert found.values @ found.counts / 20_000 == pytest.approx(values.mean(), abs=1e-14)
        rows = read_models(Y, {"candidate": NEW, "baseline": OLD})
        plain = changes_of(np.linspace(-1, 1, 600), rows, (1.0,))
        assert plain[0].counts.sum() == 600
        assert [part.counts.sum() for part in placement_changes(np.zeros(600), rows)] == list(rows.class_weights)

    def test_the_share_of_rows_that_moved(self) -> None:
        y, old, new = failing(1000, 3, 8)
        few = moved_share(read_models(y, {"candidate": new, "baseline": old}))
        noisy = old + np.random.default_rng(1).normal(0, 0.1, 1000)
        many = moved_share(read_models(y, {"candidate": noisy, "baseline": old}))
        assert few < 0.01
        assert many > 0.2
        assert moved_share(read_models(y, {"candidate": np.exp(old), "baseline": old})) == 0


class TestUnchangedPredictions:
    """Predictions that are the same in every row pass any margin above 0, and the result says so."""

    @each_case("measure", ["auc", "gini", "recall", "log_loss", "brier_score", "sensitivity_at", "average_precision"])
    def test_they_pass(self, measure: str) -> None:
        y, s = [1] * 5 + [0] * 5, [0.9, 0.4, 0.9, 0.8, 0.7, 0.1, 0.2, 0.5, 0.45, 0.1]
        found = rs.gate(y, s, s, measure=measure, margin=1e-6, threshold=0.5, n_resamples=50)
        (condition,) = found.conditions
        assert found.decision == "pass"
        assert "predictions unchanged; failures of up to" in found.verdict[1]
        assert "gate_unchanged" in codes(found)
        assert condition.found == "predictions unchanged"
        assert (condition.estimate, math.isnan(condition.low)) == (0.0, True)

    def test_the_same_order_is_enough_for_measures_of_ranks_alone(self) -> None:
        how: dict[str, Any] = {"margin": 1e-6, "threshold": 0.5, "n_resamples": 50}
        shifted = OLD**2
        told = {each: rs.gate(Y, OLD, shifted, measure=each, **how).decision for each in ("auc", "gini", "recall")}
        assert told == {"auc": "pass", "gini": "pass", "recall": "cannot tell"} | {"recall": told["recall"]}
        assert told["recall"] != "pass"
        assert rs.gate(Y, OLD, shifted, measure="log_loss", **how).decision != "pass"

    def test_a_margin_of_zero_or_another_threshold_is_no_such_case(self) -> None:
        assert rs.gate(Y, OLD, OLD, margin=0).decision == "cannot tell"
        at = {"baseline": 0.3, "candidate": 0.31}
        found = rs.gate(Y, OLD, OLD, measure="recall", margin=1e-6, threshold=at)
        assert found.decision != "pass"
        assert rs.gate(Y, OLD, OLD, paired=False, y_true_second=Y, margin=1e-6).decision == "cannot tell"


class TestWhatAPassSays:
    def test_the_share_of_failures_that_may_go_unnoticed(self) -> None:
        n_pos = int(Y.sum())
        share = 1 - 0.05 ** (1 / n_pos)
        assert unnoticed(n_pos, 0.05) == pytest.approx(share, rel=1e-12)
        found = rs.gate(Y, OLD, NEW, measure=["auc", "accuracy"], margin=0.05, threshold=0.5)
        first, second = found.conditions
        assert (first.unnoticed, first.unnoticed_of) == (pytest.approx(share), "positive rows")
        assert (second.unnoticed, second.unnoticed_of) == (pytest.approx(1 - 0.05 ** (1 / 600)), "rows")
        assert f"failures of up to {100 * share:.1f}% of positive rows may go unnoticed" in found.verdict[1]
        assert rs.gate(Y, NEW, OLD, margin=0.01).conditions[0].unnoticed is None
        held = found.to_dict()["conditions"][0]
        assert (held["unnoticed"], held["unnoticed_of"]) == (pytest.approx(share), "positive rows")

    def test_an_infinite_loss_fails_with_its_reason(self) -> None:
        sure = OLD.copy()
        sure[np.flatnonzero(Y)[0]] = 0.0
        for how in ({"measure": "log_loss", "margin": 0.1}, {"goals": "log_loss <= 1"}):
            found = rs.gate(Y, OLD, sure, **how)
            assert found.decision == "fail"
            assert "the log loss is infinite" in found.verdict[1]
        assert rs.gate(Y, sure, sure, measure="log_loss", margin=0.1).decision == "fail"
        better = rs.gate(Y, sure, OLD, measure="log_loss", margin=0.1)
        assert better.decision == "cannot tell"


@each_case(
    ("how", "told"),
    [
        ({"margin": 1}, "a margin of 1 cannot be lost: two values of auc differ by 1 at most"),
        ({"margin": 1e9}, "cannot be lost"),
        ({"margin": True}, "a finite number"),
        ({"margin": np.True_}, "a finite number"),
        ({"margin": 2, "measure": "gini"}, "differ by 2 at most"),
        ({"margin": 0.1, "measure": "partial_auc(fpr_range=(0, 0.1))"}, "differ by 0.1 at most"),
        ({"margin": 1e9, "measure": "log_loss"}, "cannot be lost"),
        ({"conditions": [{"measure": "auc", "margin": True}]}, "a finite number"),
        ({"conditions": [{"measure": "auc", "at_least": True}]}, "a finite number"),
        ({"conditions": [{"measure": "auc", "at_least": 0}]}, "auc >= 0 cannot be missed: no auc is below 0"),
        ({"goals": "auc >= -3"}, "cannot be missed"),
        ({"goals": "auc <= 1"}, "auc <= 1 cannot be missed: no auc is above 1"),
        ({"goals": "log_loss <= 1e9"}, "cannot be missed"),
        ({"margin": 0.1, "measure": "recall", "threshold": True}, "settled before"),
    ],
)
def test_what_no_value_can_break_is_refused(how: dict[str, Any], told: str) -> None:
    with pytest.raises(rs.RocsteadyError) as error:
        rs.gate(Y, OLD, NEW, **how)
    assert told in str(error.value)


def test_a_committed_true_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "gate.toml"
    path.write_text("[[condition]]\nmeasure = 'auc'\nmargin = true\n")
    with pytest.raises(rs.RocsteadyError, match="a finite number"):
        rs.gate(Y, OLD, NEW, conditions=path)


def test_a_large_margin_is_warned_of() -> None:
    assert "gate_large_margin" in codes(rs.gate(Y, OLD, NEW, margin=0.2))
    assert "gate_large_margin" not in codes(rs.gate(Y, OLD, NEW, margin=0.19))
    assert "gate_large_margin" in codes(rs.gate(Y, OLD, NEW, measure="log_loss", margin=0.5))


class TestGoalsWithMixtures:
    def test_points_of_the_curve_are_no_closer_than_exact_tails(self) -> None:
        """All positives are found: resamples cannot know that one in 20 may be missed."""
        y, s = np.repeat([1, 0], [40, 400]), np.random.default_rng(3).random(440)
        s[:40] += 2
        for goal in ("sensitivity_at(fpr=0.1) >= 0.95", "specificity_at(sensitivity=0.9) >= 0.999"):
            found = rs.gate(y, candidate=s, goals=goal, n_resamples=100).conditions[0]
            assert found.decision == "cannot tell", goal
            assert "exact tails over order statistics" in found.method
            assert found.low < 0.95 if goal.startswith("sens") else found.low < 0.999

    def test_an_area_near_1_is_no_closer_than_few_misranked_rows_allow(self) -> None:
        """Placements lie between 0 and 1: Gaffke's limits of both classes, joined by squares."""
        y = np.repeat([1, 0], [60, 300])
        s = np.random.default_rng(3).standard_normal(360) + 4 * y
        area, twice = (rs.gate(y, candidate=s, goals=goal).conditions[0] for goal in ("auc >= 0.9", "gini >= 0.8"))
        assert "whatever few rows do" in area.method
        placed = [
            np.array([((sign * (score - s[other])) > 0).mean() for score in s[own]])
            for own, other, sign in ((y == 1, y == 0, 1), (y == 0, y == 1, -1))
        ]
        reach = math.hypot(*(each.mean() - gaffke_lower(each, np.ones(each.size), 0.05, 0.0) for each in placed))
        assert area.low <= area.estimate - reach + 1e-5
        assert area.low <= rs.auc_interval(y, s, level=0.9).low
        assert (twice.low, twice.high) == pytest.approx((2 * area.low - 1, 2 * area.high - 1), abs=1e-9)
        plain = rs.gate(Y, candidate=NEW, goals="auc >= 0.8").conditions[0]
        assert "whatever" not in plain.method

    def test_two_samples_with_few_misranked_rows_join_the_intervals_of_both(self) -> None:
        y = np.repeat([1, 0], [60, 300])
        one, two = np.random.default_rng(3).standard_normal((2, 360)) + 4 * y
        found = rs.gate(y, one, two, paired=False, y_true_second=y, margin=0.01).conditions[0]
        first, second = (rs.auc_interval(y, each, level=0.9) for each in (two, one))
        joined = math.hypot(first.estimate - first.low, second.high - second.estimate)
        assert "no closer than joined intervals" in found.method
        assert found.low <= first.estimate - second.estimate - joined + 1e-12

    def test_points_of_the_curve_of_two_samples(self) -> None:
        y, s = np.repeat([1, 0], [40, 400]), np.random.default_rng(3).random((2, 440))
        s[:, :40] += 2
        how: dict[str, Any] = {"measure": "sensitivity_at(fpr=0.1)", "margin": 0.02, "n_resamples": 60}
        found = rs.gate(y, s[0], s[1], paired=False, y_true_second=y, **how).conditions[0]
        assert found.decision == "cannot tell"
        assert found.low < 0.05 ** (1 / 40) - 1 + 0.01


def measured(name: str) -> list[dict[str, str]]:
    with (RESULTS / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


@each_case("name", ["gate_failing", "gate_goals", "gate_noisy"])
def test_measured_false_passes_keep_their_level_or_carry_a_remark(name: str) -> None:
    lines = measured(name)
    assert lines
    for line in lines:
        assert float(line["passed_without_remark"]) <= 0.065, line


def test_measured_cells_are_those_that_were_promised() -> None:
    lines = measured("gate_failing")
    for column, wanted in {
        "measure": {"auc", "gini", "sensitivity_at", "log_loss"},
        "rows": {"200", "500", "1000", "5000"},
        "positive": {"0.05", "0.1", "0.5"},
        "setting": {"0.002", "0.005", "0.01", "0.02", "0.03"},
    }.items():
        assert {line[column] for line in lines} == wanted
    assert len(lines) == 240
    remarks = {code.split(":")[0] for line in lines for code in line["remarks"].split()}
    assert remarks <= {"gate_unchanged", "gate_unseen", "gate_alike"}


class TestNothingToTellApart:
    """Two models that make no error, or the same calls: bounds shrink with the rows, and hold whatever was not seen."""

    MEASURES = (
        "precision",
        "f1",
        "balanced_accuracy",
        "youden_j",
        "matthews_correlation",
        "cohen_kappa",
        "negative_predictive_value",
    )

    @staticmethod
    def perfect(n_pos: int, n_neg: int) -> tuple[Any, Any, Any]:
        rng, y = np.random.default_rng(0), np.r_[np.ones(n_pos), np.zeros(n_neg)].astype(int)
        return y, 0.5 * y + 0.4 * rng.random(y.size), 0.5 * y + 0.4 * rng.random(y.size)

    @each_case("measure", (*MEASURES, "average_precision", "pr_auc"))
    def test_perfect_models_pass_with_enough_rows(self, measure: str) -> None:
        found = rs.gate(*self.perfect(2000, 2000), measure=measure, margin=0.05, threshold=0.5, n_resamples=200)
        assert found.decision == "pass"

    @each_case("measure", MEASURES)
    def test_the_same_calls_pass_with_enough_rows(self, measure: str) -> None:
        rng = np.random.default_rng(0)
        y = rng.random(2000) < 0.3
        old = 1 / (1 + np.exp(-(rng.normal(size=2000) + 1.5 * y - 0.8)))
        new = np.where(old >= 0.5, 0.5 + 0.9 * (old - 0.5), 0.95 * old)
        found = rs.gate(y, old, new, measure=measure, margin=0.05, threshold=0.5, n_resamples=200)
        assert found.decision == "pass"
        assert found.conditions[0].low < 0

    @each_case("sizes", ((20, 180), (20, 2000), (500, 50), (100, 100)))
    def test_bounds_hold_whatever_share_of_a_class_fails_unseen(self, sizes: tuple[int, int]) -> None:
        """A candidate that fails on so many rows of a class that 5% of samples show none loses less than the bound."""
        n_pos, n_neg = sizes
        missed, raised = (1 - 0.05 ** (1 / size) for size in sizes)
        cells = [(n_pos * (1 - missed), 0, n_pos * missed, n_neg), (n_pos, n_neg * raised, 0, n_neg * (1 - raised))]
        for measure in self.MEASURES:
            made = rs.gate(*self.perfect(*sizes), measure=measure, margin=0.05, threshold=0.5, n_resamples=200)
            value = getattr(rs.measures, measure)
            lost = max(1 - float(value(rs.Confusion(*each))) for each in cells)
            assert lost <= -made.conditions[0].low, measure
        odds = raised * n_neg / n_pos
        for measure in ("average_precision", "pr_auc"):
            made = rs.gate(*self.perfect(*sizes), measure=measure, margin=0.05, n_resamples=200)
            assert odds * math.log((1 + odds) / odds) <= -made.conditions[0].low, measure


def test_an_infinite_loss_of_the_baseline_is_told() -> None:
    y, s = np.tile([1, 0], 50), np.tile([0.8, 0.3], 50)
    found = rs.gate(y, np.where(np.arange(100) == 0, 0.0, s), s, measure="log_loss", margin=0.05).conditions[0]
    assert (found.decision, found.reason) == ("cannot tell", "log_loss of the baseline is infinite on these rows")


def test_a_committed_number_that_no_double_holds_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "gate.toml"
    path.write_text('[[condition]]\nmeasure = "recall"\nmargin = 0.05\nthreshold = 1e400\n')
    with pytest.raises(rs.errors.InputError, match="'1e400' is beyond the range of doubles"):
        rs.gate(Y, OLD, NEW, conditions=path)
