"""Options that people mistype, and numbers at the edge of what a computer holds: a sentence, or the right answer."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl
import pytest

import rocsteady as rs
from cases import each_case
from rocsteady._src.base import threads
from rocsteady.lab import count_errors, generate, parse_sets, sample_labellings
from rocsteady.scale import rank_table, sketch_table

Y = [0, 1, 0, 1, 1, 0] * 5
S = [0.1, 0.4, 0.45, 0.8, 0.7, 0.2] * 5
TABLE = pl.LazyFrame({"y": Y, "a": S, "g": [1, 2] * 15})
SETS = "0.9p 0.8n 0.3p 0.1n"
NO_NAMES = [5, 2.5, object(), b"a", np.array("a"), np.array([["a"]]), len]
RESAMPLED: list[Callable[..., Any]] = [
    lambda **how: rs.bootstrap_interval("auc", Y, S, n_resamples=120, **how),
    lambda **how: rs.threshold_interval(Y, S, n_resamples=120, **how),
    lambda **how: rs.calibration_curve(Y, S, n_resamples=120, **how),
    lambda **how: rs.decision_curve(Y, S, intervals="bootstrap", n_resamples=120, **how),
    lambda **how: rs.compare_measure("auc", Y, S, S[::-1], n_resamples=120, **how),
]


@each_case("names", NO_NAMES, ids=lambda each: type(each).__name__)
def test_columns_are_named_by_a_text_or_a_list_of_them(names: Any) -> None:
    for ask in (rank_table, sketch_table):
        with pytest.raises(rs.ArgumentError, match="score must be the name of a column, or a list of names, got"):
            ask(TABLE, label="y", score=names)
    with pytest.raises(rs.ArgumentError, match="by must be the name of a column, or a list of names, got"):
        rank_table(TABLE, label="y", score="a", by=names)


def test_names_in_an_array_are_names() -> None:
    found = rank_table(TABLE, label="y", score=np.array(["a"]), by=np.array(["g"]))
    assert [type(name) for part in found.values() for name in part] == [str, str]
    assert list(sketch_table(TABLE, label="y", score=("a",))) == ["a"]


@pytest.mark.parametrize("nothing", [np.array(0.5), np.array("0.9p 0.1n"), np.array(None)], ids=str)
def test_an_array_without_dimensions_holds_no_sets(nothing: Any) -> None:
    for read in (parse_sets, generate, count_errors):
        with pytest.raises(rs.InputError, match="got ndarray; a set looks like"):
            read(nothing)


@pytest.mark.parametrize("number", [10**18, 10**400], ids=["large", "beyond all doubles"])
def test_more_labellings_than_fit_are_refused(number: int) -> None:
    with pytest.raises(rs.InputError, match="labellings of 4 scores do not fit in memory; take 250,000,000 or fewer"):
        generate(SETS, distribution=number)
    with pytest.raises(rs.RocsteadyError):
        sample_labellings(4, number)


def test_more_steps_than_can_be_made_are_refused() -> None:
    for option in ("margin_steps", "range_steps"):
        with pytest.raises(rs.ArgumentError, match=f"{option} must be 10,000,000 or fewer, got 1e\\+30"):
            generate(SETS, **{option: 10**30})
    with pytest.raises(rs.ArgumentError, match="take fewer steps or labellings"):
        generate(SETS, margin_steps=10**7, range_steps=10**7, distribution=10**6)
    assert len(generate(SETS, margin_steps=10**7, range_steps=10**7)) == 10**14


def test_seeds_are_whole_numbers_from_0_on() -> None:
    for ask in (
        lambda seed: sample_labellings(5, 6, seed=seed),
        lambda seed: generate(SETS, noise=0.1, seed=seed),
        lambda seed: rs.examples.loans(10, seed=seed),
        lambda seed: rs.examples.credit(10, seed=seed),
    ):
        with pytest.raises(rs.ArgumentError, match="seed must be a whole number >= 0, got -1"):
            ask(-1)
    for ask in RESAMPLED:
        with pytest.raises(rs.ArgumentError, match="random_state must be a whole number >= 0, got -1"):
            ask(random_state=-1)
    for examples in (rs.examples.loans, rs.examples.credit):
        with pytest.raises(rs.ArgumentError, match="n must be a number of rows, 1 or more, got -1"):
            examples(-1)


@pytest.mark.parametrize("ask", RESAMPLED)
def test_jobs_mean_the_same_everywhere(ask: Callable[..., Any]) -> None:
    """-1 is all cores, as in scikit-learn; the answer never depends on it."""
    alone = ask(random_state=1, n_jobs=1)
    for jobs in (-1, -2, -1000, 2**40):
        assert str(ask(random_state=1, n_jobs=jobs)) == str(alone)
    for wrong in (0, "all"):
        with pytest.raises(rs.ArgumentError, match="n_jobs must be a whole number above 0, or -1 for all cores, got"):
            ask(n_jobs=wrong)


def test_negative_jobs_leave_cores_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads.os, "cpu_count", lambda: 8)
    monkeypatch.setattr(threads.sys, "platform", "other")
    assert [threads.workers(jobs) for jobs in (1, 3, -1, -2, -8, -9)] == [1, 3, 8, 7, 1, 1]


def test_p_values_as_long_doubles() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rs.adjust_pvalues(np.array([0.1, 0.2], dtype=np.longdouble)).tolist() == [0.2, 0.2]
        with pytest.raises(rs.InputError, match=r"pvalues: 1 outside \[0, 1\], row 1"):
            rs.adjust_pvalues([0.1, np.longdouble("1e4000")])
    for text in (["0.1", "0.2"], np.array([b"0.1"]), [0.1j], np.array([1], dtype="m8[s]")):
        with pytest.raises(rs.InputError, match="pvalues must hold one number per test"):
            rs.adjust_pvalues(text)


def test_a_curve_thinned_by_next_to_nothing_keeps_its_points() -> None:
    curve = rs.roc_curve(Y, S)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for deviation in (5e-324, 1e-310):
            thinned = rs.thin_curve(curve, deviation)
            assert thinned.fpr.tolist() == curve.fpr.tolist()
            assert thinned.tpr.tolist() == curve.tpr.tolist()


@pytest.mark.parametrize("label", [10**100, -(10**100), 2**64])
def test_a_positive_label_that_no_engine_holds_is_absent(label: int) -> None:
    for ask in (rank_table, sketch_table):
        with pytest.raises(rs.InputError, match="pos_label"):
            ask(TABLE, label="y", score="a", pos_label=label)


def test_functions_that_do_not_take_labels_and_scores_are_told_so() -> None:
    for measures in (lambda x: x, [lambda: 0.5], {"mine": lambda a, b, c: 0.5}):
        with pytest.raises(rs.ArgumentError, match="cannot be called with two arguments: a measure is a function of"):
            count_errors(SETS, measures)
    with pytest.raises(rs.ArgumentError, match="a measure is a name or a function, got 5"):
        count_errors(SETS, {"mine": 5})
    assert count_errors(SETS, {"mine": lambda labels, scores: float(scores[labels == 1].mean())})


def test_a_constant_beyond_doubles_is_refused_by_what_needs_its_size() -> None:
    for constant in (-(10**400), 10**400):
        with pytest.raises(rs.InputError, match=r"probabilities|double"):
            rs.measures.scaled_brier(Y, np.array([constant] * len(Y), dtype=object))


def test_whole_numbers_beyond_doubles_among_the_scores_of_classes_are_refused() -> None:
    first = [[10**400, 0.2, 0.3], [0.1, 0.8, 0.1], [0.1, 0.2, 0.7]] * 4
    for scores in (first, np.array(first, dtype=object)):
        with pytest.raises(rs.InputError, match="beyond what doubles hold"):
            rs.multiclass.multiclass_auc([0, 1, 2] * 4, scores)


def test_long_doubles_beyond_doubles_are_compared_by_rank_without_a_warning() -> None:
    huge = np.array([np.longdouble("1e4000") if label else np.longdouble(0) for label in Y])
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        assert rs.compare_curves(Y, huge, S, n_permutations=20, random_state=0).pvalue <= 1


def test_options_that_hold_arrays_without_dimensions_are_refused() -> None:
    with pytest.raises(rs.ArgumentError, match="tpr_range must be two numbers"):
        rs.partial_auc(Y, S, tpr_range=np.array(0.5))
    with pytest.raises(rs.ArgumentError, match="labels must be a list of the classes"):
        rs.multiclass.multiclass_auc([0, 1, 2] * 4, np.eye(3)[[0, 1, 2] * 4], labels=np.array(0.5))
    with pytest.raises(rs.ArgumentError, match="fpr_range must be"):
        rs.learning.xgboost_objective(fpr_range=(0, 10**400))


def test_scores_that_are_sets_are_told_beside_labels_that_are_wrong() -> None:
    scores = np.array([{0}, {1}] * 15, dtype=object)
    for labels in ([-np.inf, 0, 1] * 10, [0.5, 0, 1] * 10):
        with pytest.raises(rs.InputError):
            rs.auc(labels, scores)


def test_granular_areas_of_scores_at_the_end_of_doubles_do_not_warn() -> None:
    scores = [1.7e308 if row == 1 else score for row, score in enumerate(S)]
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        assert rs.granularity_profile(Y, scores).auc == rs.auc(Y, scores)


@pytest.mark.parametrize("tiny", [5e-324, 5e-323, 4.34584738e-311, 1e-305])
def test_rho_auc_of_scores_next_to_zero_is_that_of_larger_ones(tiny: float) -> None:
    """A power of two, by which both scores and limit are multiplied, changes nothing."""
    lifted = math.ldexp(tiny, 900)
    for times in (1, 2):
        value = rs.rho_auc([1, 0], [tiny, 0.0], upper=times * tiny)
        known = rs.rho_auc([1, 0], [lifted, 0.0], upper=times * lifted)
        assert float(value) == float(known)
        assert value.error_bound == known.error_bound < 1e-12


def test_what_is_no_sketch_is_named() -> None:
    sketches: dict[str, Any] = {"a": 1}
    with pytest.raises(rs.ArgumentError, match="pass a dict of sketches by model; 'a' is a int"):
        rs.scale.evaluate_sketches(sketches)


def test_a_number_is_no_measure_whatever_holds_it() -> None:
    for number in (0.5, np.array(0.5)):
        with pytest.raises(rs.ArgumentError, match="measure"):
            count_errors(SETS, number)


def test_a_positive_label_that_signals_is_missing() -> None:
    for label in (Decimal("sNaN"), Decimal("NaN"), float("nan")):
        with pytest.raises(rs.InputError, match="pos_label"):
            rank_table(TABLE, label="y", score="a", pos_label=label)


def test_time_spans_are_no_scores() -> None:
    scores = [[np.timedelta64(row, "s"), 0.5, 0.5] for row in range(12)]
    with pytest.raises(rs.InputError, match="are no numbers"):
        rs.multiclass.multiclass_auc([0, 1, 2] * 4, scores)
