"""What fact sheets say about resampling holds, and so do intervals of every measure, whatever the method."""

from __future__ import annotations

import math
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from cases import each_case
from rocsteady._src.inference.intervals.measure_facts import bounds_with
from rocsteady._src.inference.intervals.replicate_ends import KINDS
from rocsteady._src.inference.resampling import bootstrap
from rocsteady._src.inference.resampling.resample import replicate_many
from rocsteady._src.measures.registry import WITHIN_CLASSES
from rocsteady._src.ranked import joined_negatives
from strategies import ScoreTable
from test_laws import every_measure, few_examples, params_for, tables_for, together, value_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocsteady.measures import FactSheet

N_RESAMPLES = 30
TABLES = {
    "few rows": (12, 5, 0.8),
    "rare": (60, 4, 1.5),
    "even": (60, 30, 1.0),
    "separated": (20, 10, 9.0),
}


def drawn(name: str) -> tuple[np.ndarray, np.ndarray]:
    n, n_pos, gap = TABLES[name]
    rng = np.random.default_rng(n + n_pos)
    y = np.repeat([1, 0], [n_pos, n - n_pos])
    scores = 1 / (1 + np.exp(-(rng.normal(size=n) + gap * y - gap / 2)))
    return y, scores


def asked(sheet: FactSheet) -> dict[str, Any]:
    return {"threshold": 0.5} if "threshold" in sheet.params else {"k": 5} if "k" in sheet.params else {}


@together(lambda sheet: sheet.resampling == WITHIN_CLASSES)
@given(data=st.data())
@few_examples
def test_repeating_every_row_of_one_class_changes_nothing(sheets: list[FactSheet], data: st.DataObject) -> None:
    table = data.draw(tables_for(sheets, weights=("none",)))
    times = np.where(table.y_true == data.draw(st.integers(0, 1)), data.draw(st.integers(2, 4)), 1)
    repeated = ScoreTable(table.y_true, table.y_score, times)
    for sheet in sheets:
        params = params_for(sheet, table)
        before, after = value_of(sheet, table, params), value_of(sheet, repeated, params)
        near = 2e-6 if sheet.name == "rho_auc" else 1e-12
        assert after == pytest.approx(before, rel=near, abs=near, nan_ok=True), sheet.name


@every_measure(lambda sheet: sheet.resampling == "rows")
def test_measures_that_draw_rows_depend_on_the_share_of_positives(sheet: FactSheet) -> None:
    y, scores = drawn("even")
    before, *after = [
        value_of(sheet, ScoreTable(y, scores, np.where(y == side, 5, 1)), asked(sheet)) for side in (None, 0, 1)
    ]
    least = 1e-6 if sheet.family == "two-level" else 1e-3  # there the share only breaks ties of the AUC
    assert max(abs(value - before) for value in after) > least


def test_a_measure_of_a_user_draws_rows_unless_it_says_otherwise() -> None:
    from rocsteady._src.measures import REGISTRY

    try:

        @rs.measure(label="Mean score", better="higher", bounds=(0, 1))
        def mean_score(ranked: rs.RankedScores) -> float:
            """Mean score."""
            return float((ranked.pos + ranked.neg) @ ranked.scores / ranked.n_rows_counted)

        @rs.measure(label="Mean of classes", better="higher", bounds=(0, 1), resampling="within classes")
        def mean_of_classes(ranked: rs.RankedScores) -> float:
            """Mean of the mean scores of both classes."""
            return float((ranked.pos / ranked.n_pos + ranked.neg / ranked.n_neg) @ ranked.scores / 2)

        y, scores = drawn("even")
        for measure, scheme in ((mean_score, "rows"), (mean_of_classes, "rows within each class")):
            found = rs.bootstrap_interval(measure, y, scores, n_resamples=50, random_state=1)
            assert found.resampling.scheme == scheme
            tested = rs.compare_measure(measure, y, scores, scores**2, n_resamples=50, random_state=1)
            assert tested.resampling.scheme == scheme
        plain = rs.bootstrap_interval(rs.auc.sheet.formula, y, scores, n_resamples=50, random_state=1)
        assert plain.resampling.scheme == "rows"
    finally:
        for name in ("mean_score", "mean_of_classes"):
            REGISTRY.pop(name, None)


@every_measure(lambda sheet: sheet.family != "granular")
@pytest.mark.parametrize("how", [{}, {"cluster": "pairs"}, {"weight_type": "sampling"}])
def test_every_door_draws_what_the_fact_sheet_says(sheet: FactSheet, how: dict[str, Any]) -> None:
    y, scores = drawn("even")
    options: dict[str, Any] = {"n_resamples": 20, "random_state": 1, "params": asked(sheet)}
    unit = "rows"
    if "cluster" in how:
        options["cluster"], unit = np.arange(60) // 2, "subjects"
    if "weight_type" in how:
        options |= {"weight_type": "sampling", "sample_weight": np.linspace(1, 2, 60)}
    scheme = f"{unit} within each class" if sheet.resampling == WITHIN_CLASSES else unit
    assert rs.bootstrap_interval(sheet.name, y, scores, **options).resampling.scheme == scheme
    if not how:
        assert rs.compare_measure(sheet.name, y, scores, scores**2, **options).resampling.scheme == scheme


def holds_its_estimate(found: rs.Interval) -> None:
    if math.isnan(found.low):
        assert found.warnings
        return
    near = 1e-9 * max(1.0, abs(found.estimate)) if math.isfinite(found.estimate) else 0.0
    inside = found.low - near <= found.estimate <= found.high + near
    assert inside or any("leaves out the estimate" in text for text in found.warnings), found


def stays_in_bounds(found: rs.Interval, bounds: tuple[float, float]) -> None:
    for end in found:
        assert math.isnan(end) or bounds[0] <= end <= bounds[1], found


@pytest.mark.parametrize("measure", ["auc", "brier_score", "recall"])
def test_every_method_ends_the_same_resamples(measure: str) -> None:
    y, scores = drawn("even")
    draws: dict[str, Any] = {"n_resamples": N_RESAMPLES, "random_state": 3}
    found = [rs.bootstrap_interval(measure, y, scores, method=method, **draws).resampling for method in (None, *KINDS)]
    for each in found[1:]:
        assert each.scheme == found[0].scheme
        np.testing.assert_array_equal(each.distribution, found[0].distribution)


@contextmanager
def resamples_drawn_once() -> Iterator[None]:
    """For calls that differ in their method alone: see the test above."""
    drawn_before: list[Any] = []

    def draw_once(*args: Any, **options: Any) -> Any:
        if not drawn_before:
            drawn_before.append(replicate_many(*args, **options))
        return drawn_before[0]

    with mock.patch.object(bootstrap, "replicate_many", draw_once):
        yield


@every_measure()
@pytest.mark.parametrize("name", TABLES)
def test_no_interval_leaves_its_bounds_or_its_estimate_without_saying_why(sheet: FactSheet, name: str) -> None:
    y, scores = drawn(name)
    params = asked(sheet)
    bounds = bounds_with(sheet, params)
    ranked = rs.rank(y, scores)
    if math.isnan(sheet.compute(ranked, **params)):
        return
    draws: dict[str, Any] = {"n_resamples": N_RESAMPLES, "random_state": 3, "params": params}
    with warnings.catch_warnings(), resamples_drawn_once():
        warnings.simplefilter("ignore", rs.RocsteadyWarning)
        for method in (None, *KINDS):
            try:
                found = rs.bootstrap_interval(sheet.name, ranked, method=method, **draws)
            except rs.InputError as error:
                assert error.code == "resamples_failed"  # noqa: PT017 - the only refusal there may be
                continue
            holds_its_estimate(found)
            stays_in_bounds(found, bounds)
        left_out = rs.jackknife_interval(sheet.name, ranked, params=params)
    holds_its_estimate(left_out)
    stays_in_bounds(left_out, bounds)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("threshold", [0.5, "youden"])
@pytest.mark.parametrize("cluster", [None, "subject"])
def test_tables_hold_their_values_or_say_why_not(name: str, threshold: Any, cluster: str | None) -> None:
    y, scores = drawn(name)
    table = {"y": y, "model": scores, "subject": np.arange(y.size) // 2}
    measures = [f"family:{family}" for family in ("ranking", "threshold", "probability")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocsteadyWarning)
        found = rs.evaluate(
            table,
            label="y",
            scores="model",
            measures=measures,
            threshold=threshold,
            intervals=True,
            n_resamples=N_RESAMPLES,
            cluster=cluster,
        )
    for column, interval in found.intervals["model"].items():
        sheet = rs.get_measure(column).sheet
        assert interval.estimate == pytest.approx(found.values["model"][column])
        holds_its_estimate(interval)
        stays_in_bounds(interval, bounds_with(sheet, {}))


def test_the_jackknife_of_an_auc_stays_below_one() -> None:
    y, scores = [1, 1, 1, 0, 0, 0, 0, 0], [8, 7, 3, 6, 5, 4, 2, 1]
    raw = rs.jackknife_interval(rs.auc.sheet.formula, y, scores, stratified=True)
    assert raw.high > 1  # what the formula gives, and a function without a fact sheet has no bounds
    assert rs.jackknife_interval("auc", y, scores).high == 1
    narrow = rs.jackknife_interval("partial_auc(fpr_range=(0, 0.2))", y, scores)
    assert narrow.high <= 0.2


def test_resamples_without_a_class_are_counted_then_warned_of_then_refused() -> None:
    rng = np.random.default_rng(5)
    for n_pos, outcome in ((9, "silent"), (4, "warned"), (2, "refused")):
        y = np.repeat([1, 0], [n_pos, 60])
        scores = rng.normal(size=y.size) + y
        if outcome == "refused":
            with pytest.raises(rs.InputError, match="too few rows of a class to resample") as refused:
                rs.bootstrap_interval("average_precision", y, scores, random_state=1)
            assert refused.value.code == "resamples_failed"
            table = rs.evaluate({"y": y, "s": scores}, label="y", scores="s", intervals=True, n_resamples=500)
            missing = table.intervals["s"]["average_precision"]
            assert math.isnan(missing.low)
            assert "so that there is no interval" in str(table)
            continue
        found = rs.bootstrap_interval("average_precision", y, scores, random_state=1)
        undefined = int(np.isnan(found.resampling.distribution).sum())
        assert found.resampling.n_failed == undefined
        assert (undefined > 20) == (outcome == "warned")
        assert any("which are left out" in text for text in found.warnings) == (outcome == "warned")
        assert math.isfinite(found.low)


def test_results_say_what_was_drawn() -> None:
    y, scores = drawn("even")
    found = rs.evaluate({"y": y, "s": scores}, label="y", scores="s", intervals=True, n_resamples=50)
    text = str(found)
    assert "bootstrap student: average_precision" in text
    assert "; 50 resamples of rows or rows within each class, seed 0" in text
    made = found.to_dict()["models"][0]["intervals"]
    assert made["average_precision"]["resampling"]["scheme"] == "rows"
    assert made["ks_statistic"]["resampling"]["scheme"] == "rows within each class"


def test_measures_at_a_chosen_threshold_are_less_optimistic_and_say_so() -> None:
    rng = np.random.default_rng(8)
    y = np.repeat([1, 0], [20, 180])
    table = {"y": y, "s": rng.normal(size=200) + 1.2 * y}
    how: dict[str, Any] = {"label": "y", "scores": "s", "measures": ["recall", "youden_j"], "intervals": True}
    chosen = rs.evaluate(table, threshold="youden", n_resamples=300, **how)
    given = rs.evaluate(table, threshold=chosen.thresholds["s"], **how)
    for column in ("recall", "youden_j"):
        less, plain = chosen.intervals["s"][column], given.intervals["s"][column]
        assert less.estimate == plain.estimate
        assert less.low < plain.low
        assert less.high < plain.high
        assert "less optimism of the chosen threshold" in less.method
        assert less.resampling is not None
        assert less.resampling.scheme == "rows"
    assert "less optimism of the chosen threshold: recall" in str(chosen)
    assert "; 300 resamples of rows, seed 0\n" in str(chosen)
    for column in ("recall", "youden_j"):  # 20 positives are too few for either
        assert any("chosen on the same rows" in text for text in chosen.intervals["s"][column].warnings)


def test_what_no_threshold_changes_has_one_interval_whatever_the_model() -> None:
    rng = np.random.default_rng(8)
    y = np.repeat([1, 0], [30, 170])
    table = {"y": y, "good": rng.normal(size=200) + 2.0 * y, "poor": rng.normal(size=200) + 0.3 * y}
    names = ["base_rate", "prevalence", "accuracy"]
    how: dict[str, Any] = {"label": "y", "scores": ["good", "poor"], "measures": names, "intervals": True}
    for n_resamples in (50, 0):
        found = rs.evaluate(table, threshold="youden", n_resamples=n_resamples, **how).intervals
        for name in names[:2]:
            ends = {(each[name].low, each[name].high, each[name].method) for each in found.values()}
            plain = rs.measure_interval(name, y, table["good"], threshold=0.0)
            assert ends == {(plain.low, plain.high, "wilson")}
            assert not found["good"][name].warnings
        assert found["good"]["accuracy"].low != found["poor"]["accuracy"].low


@each_case("name", [sheet.name for sheet in rs.list_measures() if sheet.joins_negatives])
def test_joining_negatives_changes_no_value(name: str) -> None:
    """Resamples of rare positives rest on it."""
    for seed in range(8):
        rng = np.random.default_rng(seed)
        size = 200
        y, scores = rng.random(size) < rng.choice([0.02, 0.1, 0.5]), rng.normal(size=size).round(rng.integers(1, 4))
        y[:2] = True, False
        whole = rs.rank(y, scores)
        joined = joined_negatives(whole)
        assert joined.scores.size <= 2 * np.count_nonzero(whole.pos) + 1
        assert (joined.n_pos, joined.n_neg) == (whole.n_pos, whole.n_neg)
        params = {"fpr_range": (0.1, 0.37)} if name == "partial_auc" else {}
        compute = rs.get_measure(name).sheet.compute
        assert compute(joined, **params) == pytest.approx(compute(whole, **params), rel=1e-12, abs=1e-15)


def test_intervals_of_rare_positives_are_those_of_all_rows() -> None:
    """Drawn from joined groups, the replicates have the spread of those that are drawn row by row."""
    rng = np.random.default_rng(1)
    y = np.arange(6000) < 30
    scores = rng.normal(size=y.size) + 1.5 * y
    table = {"y": y, "a": scores}
    found = rs.evaluate(table, label="y", scores="a", measures=["average_precision", "ks_statistic"], intervals=True)
    for name in ("average_precision", "ks_statistic"):
        kind = rs.get_measure(name).sheet.resampling
        slow = rs.bootstrap_interval(name, y, scores, n_resamples=600, random_state=1)
        quick = found.intervals["a"][name]
        assert quick.resampling.scheme == slow.resampling.scheme
        assert ("class" in quick.resampling.scheme) == (kind == "within classes")
        assert quick.se == pytest.approx(slow.se, rel=0.12)
