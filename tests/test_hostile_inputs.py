"""Numbers that no double holds, and things that are no values: exact where ranks suffice, else refused."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rocsteady as rs
from cases import each_case

LABELS = [1, 0, 1, 0, 1, 0]
DOUBLES = [0.9, 0.1, 0.8, 0.3, 0.2, 0.4]
DECIMALS = [Decimal(str(score)) for score in DOUBLES]
HUGE = [10**400 + 2, 10**400, 3, 2, 10**401, 1]
OF_SIZES = ["brier_score", "log_loss", "scaled_brier", "discrimination_slope", "expected_calibration_error", "prob_auc"]


@each_case("name", OF_SIZES)
@each_case("column", [DECIMALS, pl.Series(DECIMALS), pa.array(DECIMALS), pd.Series(DECIMALS)])
def test_decimals_of_a_database_are_measured(name: str, column: Any) -> None:
    measure = getattr(rs, name)
    assert measure(LABELS, column) == pytest.approx(measure(LABELS, DOUBLES), rel=1e-15)


def test_every_function_of_probabilities_takes_decimals() -> None:
    assert rs.brier_interval(LABELS, DECIMALS).estimate == rs.brier_interval(LABELS, DOUBLES).estimate
    assert str(rs.calibration_summary(LABELS, DECIMALS)) == str(rs.calibration_summary(LABELS, DOUBLES))
    cut = rs.net_reclassification(LABELS, DECIMALS, DOUBLES[::-1], cutoffs=[0.5])
    assert str(cut) == str(rs.net_reclassification(LABELS, DOUBLES, DOUBLES[::-1], cutoffs=[0.5]))
    table = {"y": LABELS, "a": DECIMALS}
    found = rs.evaluate(table, label="y", scores="a", measures=["auc", "brier_score"])
    assert found.values["a"]["brier_score"] == rs.brier_score(LABELS, DOUBLES)  # noqa: PD011 - not a DataFrame


@pytest.mark.parametrize("odd", [np.longdouble("0.25"), Fraction(1, 4), np.float32(0.25), 0.25, 1])
def test_decimals_beside_other_numbers_rank_exactly(odd: Any) -> None:
    scores = [*DECIMALS[:-1], odd]
    exact = [Fraction(*score.as_integer_ratio()) for score in scores]
    assert rs.auc(LABELS, scores) == rs.auc(LABELS, exact)
    assert rs.brier_score(LABELS, scores) == pytest.approx(rs.brier_score(LABELS, [float(score) for score in scores]))


def test_numbers_beyond_doubles_are_ranked_and_their_size_is_refused_with_rows() -> None:
    assert rs.auc(LABELS, HUGE) == rs.auc(LABELS, [4, 3, 2, 1, 5, 0])
    assert rs.recall(LABELS, HUGE, threshold=10**400) == 2 / 3
    for attempt in (
        lambda: rs.smooth_roc(LABELS, HUGE, method="normal"),
        lambda: rs.brier_interval(LABELS, [0.5, Decimal("1e-999"), 1, 0, 1, 0]),
        lambda: rs.brier_score(LABELS, [0.5, Decimal("1e-999"), 1, 0, 1, 0]),
    ):
        with pytest.raises(rs.InputError) as told:
            attempt()
        assert told.value.code == "beyond_doubles"
        assert "y_score: " in str(told.value)
        assert "rescale the scores, or drop these rows" in str(told.value)
    with pytest.raises(rs.InputError, match=r"y_score: 1 too large or too near to 0 for a double, row 1: Decimal"):
        rs.log_loss(LABELS, [0.5, Decimal("1e-999"), 1, 0, 1, 0])
    with pytest.raises(rs.InputError, match=r"brier_score needs probabilities, and the scores reach from 1 to 1000"):
        rs.brier_score(LABELS, HUGE)


@pytest.mark.parametrize("weight", [10**400, Fraction(1, 10**400), Decimal("1e-999"), np.longdouble("1e4000")])
def test_weights_beyond_doubles_are_refused_and_do_not_vanish(weight: Any) -> None:
    with pytest.raises(rs.InputError, match=r"sample_weight: 1 too large or too small .*row 2; only ratios") as told:
        rs.auc(LABELS, DOUBLES, sample_weight=[1, 1, weight, 1, 1, 1])
    assert told.value.code == "weights_extreme"


NESTED = {
    "list": [1],
    "dict": {"a": 1},
    "bytearray": bytearray(b"a"),
    "set": {1},
    "array": np.zeros(2),
    "tuple of a list": ([1],),
}


def objects(value: Any) -> Any:
    column = np.empty(6, dtype=object)
    for row in range(6):
        column[row] = "b" if row % 2 else value
    return column


@each_case("value", NESTED.values(), ids=NESTED.keys())
def test_labels_and_subjects_that_are_no_single_values_are_refused(value: Any) -> None:
    for attempt in (
        lambda: rs.auc(objects(value), DOUBLES, pos_label="b"),
        lambda: rs.auc_interval(LABELS, DOUBLES, cluster=objects(value)),
        lambda: rs.brier_interval(LABELS, DOUBLES, cluster=pd.Series(objects(value))),
        lambda: rs.crossval_auc(LABELS, DOUBLES, fold=objects(value)),
        lambda: rs.multiclass_confusion(objects(value), objects(value)),
        lambda: rs.evaluate({"y": LABELS, "a": DOUBLES, "who": objects(value)}, label="y", scores="a", id="who"),
    ):
        with pytest.raises(rs.InputError, match="must hold one value per row, and 3 are several") as told:
            attempt()
        assert "rows 0, 2, 4" in str(told.value)
        assert "take a number or a text out of each" in str(told.value)


@pytest.mark.parametrize(
    "column",
    [
        pl.Series([[1], [0]] * 3),
        pl.Series([{"a": 1}, {"a": 0}] * 3),
        pa.array([[("k", 1)], [("k", 0)]] * 3, pa.map_(pa.string(), pa.int64())),
        pa.array([{"a": 1}, {"a": 0}] * 3),
    ],
)
def test_nested_types_of_parquet_are_refused(column: Any) -> None:
    for attempt in (
        lambda: rs.auc(column, DOUBLES),
        lambda: rs.auc(LABELS, column),
        lambda: rs.auc_interval(LABELS, DOUBLES, cluster=column),
    ):
        with pytest.raises(rs.InputError, match=r"one value per row|one-dimensional|must hold numbers"):
            attempt()


def test_a_masked_cell_is_missing_in_any_container() -> None:
    column = np.empty(6, dtype=object)
    column[:] = DOUBLES
    column[2] = np.ma.masked
    with pytest.raises(rs.InputError, match="y_score: 1 missing, row 2"):
        rs.auc(LABELS, column)


OPTIONS = {
    "beta": lambda value: rs.f_beta(LABELS, DOUBLES, threshold=0.5, beta=value),
    "level": lambda value: rs.auc_interval(LABELS, DOUBLES, level=value),
    "n_resamples": lambda value: rs.bootstrap_interval("auc", LABELS, DOUBLES, n_resamples=value),
    "fpr_range": lambda value: rs.partial_auc(LABELS, DOUBLES, fpr_range=value),
    "missing": lambda value: rs.auc(LABELS, DOUBLES, missing=value),
    "n_bins": lambda value: rs.calibration_curve(LABELS, DOUBLES, n_bins=value),
}


@each_case("value", ["a", 1j, {}, np.zeros(3), Decimal("sNaN"), object(), 10**400])
@each_case("name", OPTIONS)
def test_options_of_the_wrong_type_are_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(rs.ArgumentError, match=r"must be|must lie|must hold|one of|needs"):
        OPTIONS[name](value)


@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
def test_settings_of_numpy_do_not_change_answers() -> None:
    scores = np.array([1e-320, 1e300, 5e-324, 0.5, 1.0, 0.0])
    probabilities = [1e-310, 1e-200, 0.5, 1 - 1e-16, 1.0, 1e-5]
    usual = _answers(scores, probabilities)
    with np.errstate(all="raise"):
        assert _answers(scores, probabilities) == usual


def _answers(scores: Any, probabilities: Any) -> list[str]:
    table = {"y": LABELS * 3, "a": [*scores] * 3, "b": probabilities * 3}
    found = rs.evaluate(
        table, label="y", scores=["a", "b"], measures=["auc", "pr_auc", "h_measure"], intervals=True, n_resamples=100
    )
    return [
        str(found),
        str(found.compare()),
        str(rs.calibration_summary(table["y"], table["b"])),
        str(rs.log_loss(table["y"], table["b"])),
        str(rs.roc_band(table["y"], table["b"])),
    ]
