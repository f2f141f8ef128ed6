"""Bad inputs, row by row of the table of required behaviour: refused with a code and a remedy, or defined."""

from __future__ import annotations

import datetime as dt
import math
import pickle
import warnings
from collections import Counter, deque
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import hypothesis.extra.numpy as npst
import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from cases import each_case
from rocsteady._src.base.errors import first_rows, printable, require, some_values
from rocsteady._src.measures.registry import REGISTRY

if TYPE_CHECKING:
    from collections.abc import Iterator

LABELS = [1, 0, 1, 0, 1]
SCORES = [0.9, 0.1, 0.8, 0.3, 0.2]


@contextmanager
def refused(code: str, *words: str) -> Iterator[None]:
    """Expect an error of rocsteady with this code, whose message holds these words."""
    with pytest.raises(rs.RocsteadyError) as caught:
        yield
    assert caught.value.code == code
    for word in words:
        assert word in str(caught.value)


@contextmanager
def warned(code: str, *words: str) -> Iterator[None]:
    """Expect exactly one warning of rocsteady, with this code and these words."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    assert [getattr(warning.message, "code", warning.message) for warning in caught] == [code]
    for word in words:
        assert word in str(caught[0].message)


def evaluate(scores: Any, labels: Any = LABELS, **options: Any) -> rs.Evaluation:
    return rs.evaluate({"y": labels, "model": scores}, label="y", scores="model", **options)


def values_of(evaluation: rs.Evaluation) -> dict[str, dict[str, Any]]:
    return evaluation.values  # noqa: PD011 - not a DataFrame


def silently(call: Any, *args: Any, **kwargs: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocsteadyWarning)
        return call(*args, **kwargs)


def exact_auc(labels: Any, scores: Any, weights: Any = None) -> Fraction:
    """AUC by counting all pairs in exact arithmetic."""
    weights = [1] * len(labels) if weights is None else weights
    rows = [(label, score, Fraction(weight)) for label, score, weight in zip(labels, scores, weights, strict=True)]
    positives = [row[1:] for row in rows if row[0] == 1]
    negatives = [row[1:] for row in rows if row[0] != 1]
    won = sum(v * w * (Fraction(int(p > n)) + Fraction(int(p == n), 2)) for p, v in positives for n, w in negatives)
    return won / sum((v for _, v in positives), Fraction(0)) / sum((w for _, w in negatives), Fraction(0))


# ---- Row 1: missing labels, scores and weights

MISSING = {
    "None": None,
    "nan": math.nan,
    "numpy nan": np.float32("nan"),
    "pandas NA": pd.NA,
    "pandas NaT": pd.NaT,
    "numpy NaT": np.datetime64("NaT"),
    "Decimal NaN": Decimal("NaN"),
    "Decimal sNaN": Decimal("sNaN"),
}


@each_case("gap", MISSING.values(), ids=MISSING.keys())
def test_row_01_missing_label_is_refused(gap: Any) -> None:
    with refused("missing_values", "y_true: 1 missing, row 2", "missing='drop'"):
        rs.rank([1, 0, gap, 0, 1], SCORES)


@each_case("gap", MISSING.values(), ids=MISSING.keys())
def test_row_01_missing_score_is_refused_with_counts_per_class(gap: Any) -> None:
    with refused("missing_values", "y_score: 3 missing, rows 0, 1, 2", "1 with label 0, 2 with label 1", "'drop'"):
        rs.auc(LABELS, [gap, gap, gap, 0.3, 0.2])


@each_case("gap", MISSING.values(), ids=MISSING.keys())
def test_row_01_missing_weight_is_refused_with_counts_per_class(gap: Any) -> None:
    with refused("missing_values", "sample_weight: 1 missing, row 4 (1 with label 1)", "missing='drop'"):
        rs.auc(LABELS, SCORES, sample_weight=[1, 1, 1, 1, gap])


MISSING_COLUMNS = {
    "object array": np.array(["a", "b", None, "b", "a"], dtype=object),
    "masked array": np.ma.masked_array(["a", "b", "?", "b", "a"], mask=[0, 0, 1, 0, 0]),
    "numpy text with None": np.array(["a", "b", None, "b", "a"], dtype=np.dtypes.StringDType(na_object=None)),
    "numpy text with nan": np.array(["a", "b", np.nan, "b", "a"], dtype=np.dtypes.StringDType(na_object=np.nan)),
    "pandas": pd.Series(["a", "b", None, "b", "a"]),
    "pandas category": pd.Series(["a", "b", None, "b", "a"], dtype="category"),
    "pandas arrow": pd.Series(["a", "b", None, "b", "a"], dtype="string[pyarrow]"),
    "polars": pl.Series(["a", "b", None, "b", "a"]),
    "polars category": pl.Series(["a", "b", None, "b", "a"], dtype=pl.Categorical),
    "polars enum": pl.Series(["a", "b", None, "b", "a"], dtype=pl.Enum(["b", "a"])),
    "pyarrow": pa.array(["a", "b", None, "b", "a"]),
    "pyarrow dictionary": pa.array(["a", "b", None, "b", "a"]).dictionary_encode(),
    "pyarrow text view": pa.array(["a", "b", None, "b", "a"], pa.string_view()),
}


@each_case("labels", MISSING_COLUMNS.values(), ids=MISSING_COLUMNS.keys())
def test_row_01_missing_label_in_any_container(labels: Any) -> None:
    with refused("missing_values", "y_true: 1 missing, row 2"):
        rs.rank(labels, SCORES, pos_label="a")
    kept = rs.rank(labels, SCORES, pos_label="a", missing="drop")
    assert (kept.n_pos, kept.n_neg, kept.origin.n_dropped) == (2, 2, 1)


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["2020", "2021", "NaT", "2021", "2020"], dtype="M8[D]"),
        pd.Series(pd.to_datetime(["2020", "2021", None, "2021", "2020"])),
        pa.array([18262, 18628, None, 18628, 18262], pa.date32()),
    ],
)
def test_row_01_missing_date_label_is_not_a_negative(labels: Any) -> None:
    with refused("missing_values", "y_true: 1 missing, row 2"):
        rs.rank(labels, SCORES, pos_label=np.datetime64("2020", "D"))


def test_row_01_drop_counts_each_incomplete_row_once() -> None:
    kept = rs.rank([1, 0, None, 0, 1, 1], [None, 0.1, 0.8, 0.3, 0.2, None], missing="drop")
    assert kept.origin.n_dropped == 3
    assert kept.origin.n_rows == 3
    weighted = rs.rank(LABELS, SCORES, sample_weight=[None, 1, 1, 1, np.nan], missing="drop")
    assert (weighted.origin.n_dropped, weighted.n_pos, weighted.n_neg) == (2, 1, 2)


def test_row_01_dropped_rows_are_in_every_result() -> None:
    labels, scores = [1, 0, None, 0, 1], [0.9, 0.1, 0.8, 0.3, None]
    for result in (rs.roc_curve, rs.pr_curve, rs.det_curve, rs.gains_curve, rs.confusion, rs.best_threshold):
        assert result(labels, scores, missing="drop").to_dict()["origin"]["n_dropped"] == 2
    evaluation = evaluate(scores, labels, missing="drop")
    assert evaluation.to_dict()["n_dropped"] == 2
    assert "2 incomplete rows dropped" in str(evaluation)


def test_row_01_models_drop_rows_jointly() -> None:
    table = {"y": [1, 0, 1, 0, 1, 0], "a": [0.9, None, 0.8, 0.3, 0.2, 0.1], "b": [9, 1, None, 3, 2, 1]}
    evaluation = rs.evaluate(table, label="y", scores=["a", "b"], missing="drop")
    kept = [0, 3, 4, 5]
    for model in ("a", "b"):
        assert evaluation.ranked[model] == rs.rank(*([table[name][row] for row in kept] for name in ("y", model)))
        assert evaluation.ranked[model].origin.n_dropped == 2


def test_row_01_all_missing_columns_are_named_in_one_message() -> None:
    table = {"y": [1, 0, None], "a": [None, 1, 2], "w": [1, math.nan, 1]}
    with refused("missing_values", "y: 1 missing, row 2", "a: 1 missing, row 0 (1 with label 1", "w: 1 missing, row 1"):
        rs.evaluate(table, label="y", scores="a", weight="w")


def test_row_01_many_missing_rows_are_cut_short() -> None:
    with refused("missing_values", "y_score: 100 missing, rows 0, 1, 2, 3, 4 and 95 more (50 with label 0"):
        rs.auc([0, 1] * 50, [None] * 100)


def test_row_01_counts_per_class_are_left_out_where_labels_are_no_classes() -> None:
    with refused("missing_values", "y_score: 20 missing, rows 0, 1, 2, 3, 4 and 15 more; pass"):
        rs.auc(list(range(20)), [None] * 20)


def test_row_01_everything_dropped_is_empty() -> None:
    with warned("empty"):
        assert rs.auc(LABELS, [None] * 5, missing="drop").reason == "empty"


def test_row_01_missing_policy_typo_is_refused() -> None:
    for call in (rs.auc, rs.rank, rs.roc_curve):
        with refused("missing_policy", "'raise' or 'drop'", "'omit'"):
            call(LABELS, SCORES, missing="omit")
    with refused("missing_policy", "'omit'"):
        evaluate(SCORES, missing="omit")


# ---- Row 2: infinite scores


def test_row_02_infinite_scores_rank_at_the_ends_with_one_warning() -> None:
    with warned("infinite_scores"):
        value = rs.auc(LABELS, [np.inf, -np.inf, 0.5, 0.7, 1e308])
    assert value == float(exact_auc(LABELS, [4, 0, 1, 2, 3]))
    with warned("infinite_scores"):
        assert rs.auc([1, 0, 1, 0], [np.inf] * 4) == 0.5
    groups = rs.rank([1, 0, 1], [np.inf, -np.inf, 0.0])
    assert groups.scores.tolist() == [-np.inf, 0.0, np.inf]


@pytest.mark.parametrize("infinity", [np.inf, np.float32("inf"), Decimal("Infinity")])
def test_row_02_infinities_of_any_type(infinity: Any) -> None:
    with warned("infinite_scores"):
        assert rs.auc([1, 0, 1], [infinity, 1, 2]) == 1.0


def test_row_02_infinite_scores_are_carried_in_the_evaluation() -> None:
    with warned("infinite_scores", "model"):
        evaluation = evaluate([np.inf, 0.1, 0.8, 0.3, 0.2])
    assert [remark.code for remark in evaluation.remarks] == ["infinite_scores"]


def test_row_02_measures_of_magnitudes_refuse_infinities() -> None:
    needing = [sheet.name for sheet in rs.list_measures() if sheet.needs_finite]
    try:

        @rs.measure(label="Top", better="neither", bounds=(-math.inf, math.inf), needs_finite=True)
        def top_score(ranked: rs.RankedScores) -> float:
            return float(ranked.scores[-1])

        for name in [*needing, "top_score"]:
            with refused("infinite_scores", name, "drop those rows"):
                silently(REGISTRY[name], LABELS, [np.inf, 0.1, 0.8, 0.3, 0.2])
    finally:
        REGISTRY.pop("top_score", None)


# ---- Row 3: negative zero


@each_case("dtype", [np.float64, np.float32, np.float16, np.longdouble, object])
@each_case("zeros", [[-0.0, 0.0, -0.0], [0.0, -0.0, 0.0]])
@each_case("weights", [None, [1.5, 1.5, 1.5]])
def test_row_03_negative_zero_is_zero(dtype: Any, zeros: list[float], weights: Any) -> None:
    groups = rs.rank([1, 0, 1], np.array(zeros, dtype=dtype), sample_weight=weights)
    assert groups.scores.tolist() == [0.0]
    assert not np.signbit(groups.scores.astype(np.float64)).any()
    assert rs.auc(groups) == 0.5
    plain = rs.rank([1, 0, 1], [0.0, 0.0, 0.0], sample_weight=weights)
    assert groups == plain
    assert groups.fingerprint == plain.fingerprint


def test_row_03_negative_zero_between_other_scores() -> None:
    labels, scores = [1, 0, 1, 0], [-0.0, 0.0, 5e-324, -5e-324]
    assert rs.auc(labels, scores) == exact_auc(labels, scores)
    assert rs.confusion(labels, scores, threshold=-0.0).tp == rs.confusion(labels, scores, threshold=0.0).tp == 2


# ---- Row 4: extreme and adjacent floats

EXTREMES = [
    -1.7976931348623157e308,
    -1e308,
    -1.0,
    -2.2250738585072014e-308,
    -5e-324,
    0.0,
    5e-324,
    1e-323,
    2.2250738585072014e-308,
    0.1 + 0.2,
    0.3,
    1.0,
    math.nextafter(1.0, 2.0),
    1e308,
    1.7976931348623157e308,
]


def test_row_04_extreme_floats_keep_their_order() -> None:
    scores = sorted(EXTREMES)
    labels = [row % 2 for row in range(len(scores))]
    groups = rs.rank(labels[::-1], scores[::-1])
    assert groups.scores.tolist() == scores
    assert rs.auc(groups) == float(exact_auc(labels, scores))


def test_row_04_thresholds_are_observed_scores() -> None:
    low = 1.0
    high = math.nextafter(low, 2.0)
    assert rs.auc([0, 1], [low, high]) == 1.0
    curve = rs.roc_curve([0, 1, 0, 1], [low, high, -1.7e308, 1.7e308])
    assert curve.thresholds.tolist() == [np.inf, 1.7e308, high, low, -1.7e308]
    assert rs.best_threshold([0, 1], [low, high]).threshold == high


@given(
    st.data(),
    st.sampled_from([np.float64, np.float32, np.float16, np.int64, np.uint64, np.int8, np.bool_]),
    st.integers(1, 30),
)
def test_row_04_and_05_groups_equal_a_plain_count(data: st.DataObject, dtype: Any, size: int) -> None:
    few = data.draw(npst.arrays(dtype, data.draw(st.integers(1, 6))).filter(lambda drawn: not np.isnan(drawn).any()))
    rows = data.draw(npst.arrays(np.int64, size, elements=st.integers(0, few.size - 1)))
    labels = data.draw(npst.arrays(np.bool_, size))
    scores = few[rows]
    groups = rs.rank(labels, scores)
    exact = [score.item() for score in scores]
    pos = Counter(score for score, label in zip(exact, labels, strict=True) if label)
    neg = Counter(score for score, label in zip(exact, labels, strict=True) if not label)
    distinct = sorted(set(exact))
    assert groups.scores.tolist() == distinct
    assert groups.pos.tolist() == [pos[score] for score in distinct]
    assert groups.neg.tolist() == [neg[score] for score in distinct]
    weighted = rs.rank(labels, scores, sample_weight=np.full(size, 2))
    assert weighted.scores.tolist() == distinct
    assert weighted.pos.tolist() == [2 * pos[score] for score in distinct]


# ---- Row 5: types of scores


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_row_05_narrow_floats_are_not_rounded_and_counts_are_int64(dtype: Any) -> None:
    scores = np.array(SCORES, dtype=dtype)
    groups = rs.rank(LABELS, scores)
    assert groups.scores.tolist() == sorted(score.item() for score in scores)
    assert groups.pos.dtype == groups.neg.dtype == np.int64
    assert groups.pos_through.dtype == np.int64


def test_row_05_counts_do_not_stop_where_the_score_type_does() -> None:
    groups = rs.rank([1, 0] * 3000, np.zeros(6000, dtype=np.float16))
    assert (groups.n_pos, groups.n_neg) == (3000, 3000)


BEYOND = 2**53


@each_case(
    "scores",
    [
        [BEYOND + 1, BEYOND, BEYOND + 2],
        np.array([BEYOND + 1, BEYOND, BEYOND + 2]),
        np.array([2**63 + 1, 2**63, 2**63 + 2], dtype=np.uint64),
        np.array([-BEYOND + 1, -BEYOND - 1, -BEYOND + 2]),
        np.array([np.iinfo(np.int64).max - 1, np.iinfo(np.int64).min, np.iinfo(np.int64).max]),
        np.array([BEYOND + 1, BEYOND, BEYOND + 2], dtype=object),
        [2**70 + 1, 2**70, 2**70 + 2],
        [2**64 - 1, -1, 2**64],
        [BEYOND + 1, float(BEYOND), 1e17],
        [np.int64(BEYOND + 1), float(BEYOND), 1e17],
        np.array([np.int64(BEYOND + 1), np.float64(BEYOND), 1e17], dtype=object),
        (BEYOND + 1, BEYOND, BEYOND + 2),
        deque([BEYOND + 1, float(BEYOND), 1e17]),
        pl.Series([2**100 + 1, 2**100, 2**100 + 2], dtype=pl.Int128),
    ],
    ids=repr,
)
def test_row_05_integers_beyond_2_53_rank_as_integers(scores: Any) -> None:
    assert rs.auc([1, 0, 1], scores) == 1.0
    assert rs.rank([1, 0, 1], scores).scores.size == 3
    assert rs.auc([1, 0, 1], scores, sample_weight=[1, 2, 3]) == 1.0


def test_row_05_thresholds_of_big_integers_are_exact() -> None:
    scores = [BEYOND, BEYOND + 1, BEYOND + 2]
    assert rs.roc_curve([0, 0, 1], scores).thresholds.tolist() == [np.inf, BEYOND + 2, BEYOND + 1, BEYOND]
    assert rs.confusion([0, 0, 1], scores, threshold=BEYOND + 1).fp == 1


def test_row_05_decimals_and_fractions_are_compared_exactly() -> None:
    tiny = Decimal("0.30000000000000000000000000000001")
    assert rs.auc([1, 0], [tiny, Decimal("0.3")]) == 1.0
    assert rs.auc([1, 0], [Fraction(1, 3), 1 / 3]) == 1.0
    assert rs.auc([1, 0, 1], [Decimal("0.5"), 0.5, Fraction(1, 2)]) == 0.5
    assert rs.accuracy([1, 0, 1], [Decimal("0.9"), Decimal("0.1"), Decimal("0.2")]) == 2 / 3
    assert rs.accuracy([1, 0, 1], [Fraction(2, 3), Fraction(1, 3), Fraction(1, 2)], threshold=Fraction(1, 2)) == 1.0


def test_row_05_single_precision_does_not_blur_its_neighbours() -> None:
    mixed = [np.float32(0.1), 0.1, np.float32(0.1)]
    for scores in (mixed, np.array(mixed, dtype=object), [*mixed[:2], Fraction(np.float32(0.1).item())]):
        assert rs.auc([1, 0, 1], scores) == 1.0


def test_row_05_bool_scores_are_zero_and_one() -> None:
    for scores in ([True, False, True, False], np.array([True, False, True, False], dtype=object)):
        groups = rs.rank([1, 0, 0, 1], scores)
        assert groups.scores.tolist() == [0, 1]
        assert rs.accuracy([1, 0, 0, 1], scores) == 0.5


# ---- Row 6: near-ties


def test_row_06_near_ties_are_distinct_and_reported_with_the_auc_if_tied() -> None:
    labels, scores = [1, 0, 1, 0], [0.3, 0.1 + 0.2, 0.5, 0.1]
    assert rs.auc(labels, scores) == 0.75
    with warned("near_ties", "AUC 0.75", "would be 0.875", "ulp"):
        evaluation = evaluate(scores, labels)
    assert [(remark.code, remark.model) for remark in evaluation.remarks] == [("near_ties", "model")]
    ties = rs.tie_diagnostics(labels, scores)
    assert (ties.near_tied_pairs, ties.auc, ties.auc_if_near_ties_tied) == (0.25, 0.75, 0.875)


def test_row_06_near_ties_within_one_class_do_not_matter() -> None:
    evaluation = evaluate([0.3, 0.1, 0.1 + 0.2, 0.2, 0.5], [1, 0, 1, 0, 1])
    assert evaluation.remarks == ()


@pytest.mark.parametrize("centre", [0.0, 1e308, -1e308, 1.0, 5e-324])
def test_row_06_near_ties_anywhere_on_the_axis(centre: float) -> None:
    scores = [math.nextafter(centre, math.inf), centre, 1e9, -1e9]
    assert rs.tie_diagnostics([1, 0, 1, 0], scores).near_tied_pairs == 0.25


# ---- Row 7: all scores equal


@each_case("score", [0.3, 0, 1e308, np.float32(0.1), Decimal("0.1"), True])
@each_case("weights", [None, [0.1, 0.2, 0.3, 0.4, 0.7]])
def test_row_07_equal_scores(score: Any, weights: Any) -> None:
    labels, scores = [1, 0, 0, 0, 0], [score] * 5
    prevalence = 0.2 if weights is None else 0.1 / math.fsum(weights)
    assert rs.auc(labels, scores, sample_weight=weights) == 0.5
    curve = rs.roc_curve(labels, scores, sample_weight=weights)
    assert (curve.fpr.tolist(), curve.tpr.tolist()) == ([0.0, 1.0], [0.0, 1.0])
    assert rs.average_precision(labels, scores, sample_weight=weights) == pytest.approx(prevalence, rel=1e-15)
    assert rs.ks_statistic(labels, scores, sample_weight=weights) == 0.0
    assert rs.gini(labels, scores, sample_weight=weights) == 0.0


# ---- Row 8: one class, no rows


@pytest.mark.parametrize(
    ("labels", "reason"),
    [([1, 1], "single_class"), ([0, 0], "single_class"), ([], "empty"), ([-1, -1], "single_class")],
)
def test_row_08_one_class_or_no_rows_is_nan_with_a_reason(labels: list[int], reason: str) -> None:
    with pytest.warns(rs.UndefinedWarning) as caught:
        value = rs.auc(labels, [0.1, 0.2][: len(labels)])
    assert math.isnan(value)
    assert isinstance(value, rs.Undefined)
    assert value.reason == reason == caught[0].message.code
    assert "auc is undefined" in str(caught[0].message)


def test_row_08_every_measure_survives_one_class_and_no_rows() -> None:
    for labels in ([], [1, 1], [0, 0]):
        ranked = rs.rank(labels, [0.1, 0.2][: len(labels)])
        for sheet in rs.list_measures():
            value = sheet.compute(ranked)
            assert isinstance(value, rs.Undefined) or math.isfinite(value)
            assert labels or isinstance(value, rs.Undefined)


def test_row_08_evaluate_keeps_the_reason() -> None:
    evaluation = evaluate([0.1, 0.2], [1, 1], measures=["auc", "average_precision"])
    assert values_of(evaluation)["model"]["auc"].reason == "single_class"
    assert evaluation.to_dict()["models"][0]["undefined"] == {"auc": "single_class"}
    assert evaluate([], []).to_dict()["models"][0]["undefined"]["auc"] == "empty"


def test_row_08_curves_of_one_class_are_nan_and_say_so() -> None:
    with warned("single_class"):
        assert np.isnan(rs.roc_curve([1, 1], [0.1, 0.2]).fpr).all()
    with refused("single_class", "both classes"):
        rs.best_threshold([1, 1], [0.1, 0.2])


def test_row_08_zero_by_zero_is_nan_with_a_reason() -> None:
    with warned("zero_division"):
        assert rs.precision([1, 0], [0.2, 0.1]).reason == "zero_division"


# ---- Rows 9 to 11: one positive, perfect separation, identical models


@pytest.mark.parametrize("labels", [[1, 0, 0, 0], [0, 1, 1, 1]])
def test_row_09_one_row_of_a_class_is_enough(labels: list[int]) -> None:
    scores = [0.5, 0.1, 0.5, 0.9]
    for name in ("auc", "gini", "average_precision", "ks_statistic", "h_measure", "partial_auc", "auch"):
        assert math.isfinite(rs.get_measure(name)(labels, scores))
    assert rs.auc(labels, scores) == 0.5


def test_row_10_perfect_separation() -> None:
    labels, scores = [1, 1, 0, 0], [4.0, 3.0, 2.0, 1.0]
    perfect = {name: rs.get_measure(name)(labels, scores) for name in ("auc", "gini", "average_precision", "pr_auc")}
    assert set(perfect.values()) == {1.0}
    assert rs.h_measure(labels, scores) == rs.ks_statistic(labels, scores) == rs.auch(labels, scores) == 1.0
    assert rs.auc(labels, [-score for score in scores]) == 0.0


def test_row_11_identical_models_have_identical_values() -> None:
    rng = np.random.default_rng(11)
    scores = rng.normal(size=200)
    table = {"y": rng.random(200) < 0.4, "a": scores, "b": scores.copy()}
    evaluation = rs.evaluate(table, label="y", scores=["a", "b"], measures=["family:ranking"])
    assert values_of(evaluation)["a"] == values_of(evaluation)["b"]
    assert evaluation.fingerprints["a"] == evaluation.fingerprints["b"]


# ---- Row 12: labels


@each_case(
    "labels",
    [
        [1, 0, 1, 0, 1],
        [1, -1, 1, -1, 1],
        [1.0, 0.0, 1.0, 0.0, 1.0],
        [True, False, True, False, True],
        np.array([True, False, True, False, True], dtype=object),
        np.array([True, 0, 1, False, 1], dtype=object),
        [True, 0, 1, False, 1],
        np.array([1, 0.0, np.int8(1), 0, 1], dtype=object),
        [Decimal(1), Decimal(0), Decimal(1), Decimal("0.0"), Decimal(1)],
        [Fraction(1), Fraction(0), Fraction(1), Fraction(0), Fraction(1)],
        pd.Series([1, 0, 1, 0, 1], dtype="category"),
        pd.Series([True, False, True, False, True], dtype="category"),
        pd.Series([1, -1, 1, -1, 1], dtype="Int8"),
        pl.Series([True, False, True, False, True]),
        pa.chunked_array([[1, 0], [1, 0, 1]]).dictionary_encode(),
    ],
    ids=lambda labels: f"{type(labels).__module__}: {list(labels)}"[:60],
)
def test_row_12_conventional_labels_speak_for_themselves(labels: Any) -> None:
    groups = rs.rank(labels, SCORES)
    assert groups == rs.rank(LABELS, SCORES)
    assert groups.origin.pos_label == 1


@each_case(
    ("labels", "listed"),
    [
        ([1, 2, 1, 2, 1], "1, 2"),
        ([2, 2, 2, 2, 2], "2"),
        ([-1, 0, 1, 0, 1], "-1, 0, 1"),
        ([0.5, 0, 1, 0, 1], "0.0, 0.5, 1.0"),
        (["0", "1", "0", "1", "0"], "'0', '1'"),
        (["no", "yes", "no", "yes", "no"], "'no', 'yes'"),
        ([b"n", b"y", b"n", b"y", b"n"], "b'n', b'y'"),
        (["a", "b", "c", "b", "a"], "'a', 'b', 'c'"),
        ([3, 4, 5, 3, 4], "3, 4, 5"),
        ([Decimal("0.1"), Decimal(1), Decimal(1), Decimal(1), Decimal(1)], "Decimal('0.1'), Decimal('1')"),
        (pd.Series(["a", "b", "a", "b", "a"], dtype="category"), "'a', 'b'"),
        (pl.Series(["a", "b", "a", "b", "a"], dtype=pl.Enum(["b", "a"])), "'a', 'b'"),
        (pl.Series(["a", "b", "a", "b", "a"], dtype=pl.Categorical), "'a', 'b'"),
        (np.array([0, 1j, 0, 1j, 0]), "0j, 1j"),
    ],
    ids=lambda case: str(list(case))[:40] if not isinstance(case, str) else case,
)
def test_row_12_other_labels_need_pos_label_and_the_values_are_listed(labels: Any, listed: str) -> None:
    with refused("positive_label_required", f"y_true holds the values {listed};", "pos_label="):
        rs.auc(labels, SCORES)


def test_row_12_a_long_list_of_label_values_is_cut() -> None:
    with refused("positive_label_required", "8, 9, ...;"):
        rs.auc(list(range(1000)), list(range(1000)))


@each_case(
    ("labels", "pos_label"),
    [
        ([2, 1, 2, 1, 2], 2),
        ([2, 1, 2, 1, 2], np.int16(2)),
        ([0, 1, 0, 1, 0], 0),
        (["1", "0", "1", "0", "1"], "1"),
        (["y", "n", "y", "n", "y"], np.str_("y")),
        (["y", "n", "y", "m", "y"], "y"),
        ([7, 8, 7, 9, 7], 7),
        ([False, True, False, True, False], False),
        (pd.Series(["y", "n", "y", "n", "y"], dtype="category"), "y"),
        (pd.Series([2, 1, 2, 1, 2], dtype="category"), 2),
        (pl.Series(["y", "n", "y", "n", "y"], dtype=pl.Enum(["y", "n"])), "y"),
        (np.array(["y", "n", "y", "n", "y"], dtype=np.dtypes.StringDType()), "y"),
        (pa.array([b"y", b"n", b"y", b"n", b"y"]), b"y"),
    ],
)
def test_row_12_named_positive_label(labels: Any, pos_label: Any) -> None:
    groups = rs.rank(labels, SCORES, pos_label=pos_label)
    assert groups == rs.rank(LABELS, SCORES)
    assert groups.origin.pos_label == pos_label


def test_row_12_pos_label_that_does_not_occur_is_refused() -> None:
    with refused("positive_label_absent", "pos_label='sik'", "y_true", "'sick', 'well'", "pass one of these"):
        rs.auc(["sick", "well", "sick"], [3, 2, 1], pos_label="sik")
    with refused("positive_label_absent", "pos_label=2", "0, 1"):
        rs.auc(LABELS, SCORES, pos_label=2)


def test_row_12_a_fold_without_positives_is_not_a_typo() -> None:
    with warned("single_class"):
        assert rs.auc(["well", "well"], [1, 2], pos_label="sick").reason == "single_class"


@each_case(
    ("labels", "pos_label"),
    [
        ([1, 0, 1], "1"),
        (["1", "0", "1"], 1),
        ([True, False, True], "True"),
        (["a", "b", "a"], True),
        ([1, 0, 1], [1]),
        (["a", "b", "a"], ["a", "b", "a"]),
        (["a", "b", "a"], ("a",)),
        (["a", "b", "a"], pd.NA),
        ([1, 0, 1], math.nan),
        ([0, 0, 0], math.nan),
    ],
    ids=repr,
)
def test_row_12_pos_label_of_another_type_is_refused(labels: Any, pos_label: Any) -> None:
    with refused("label_type", "pos_label="):
        rs.auc(labels, [3, 2, 1], pos_label=pos_label)


@pytest.mark.parametrize(
    "labels",
    [[1, "0", 1], np.array(["a", 1, "a"], dtype=object), pd.Series([1, "0", 1]), (1, "1", 0), deque([1, "0", 1])],
    ids=repr,
)
def test_row_12_mixed_types_are_refused(labels: Any) -> None:
    with refused("label_mixed_types", "y_true mixes number and text values, as in", "convert"):
        rs.auc(labels, [3, 2, 1], pos_label=1)


# ---- Rows 13 and 14: low-scored positives, hard predictions


def test_row_13_low_scored_positives_are_not_flipped() -> None:
    labels, scores = [1, 1, 0, 0, 0], [0.1, 0.3, 0.2, 0.8, 0.9]
    assert rs.auc(labels, scores) == pytest.approx(1 / 6)
    evaluation = evaluate(scores, labels)
    assert values_of(evaluation)["model"]["auc"] == rs.auc(labels, scores)
    (hint,) = evaluation.remarks
    assert hint.code == "below_chance"
    assert "AUC 0.1667 is below 0.5" in hint.text
    assert "negate them (AUC 0.8333)" in hint.text
    assert f"note: {hint}" in str(evaluation)


def test_row_14_hard_predictions_are_warned_about() -> None:
    labels = [1, 0, 1, 0, 1, 0]
    for scores in ([1, 0, 1, 1, 0, 0], [True, False, True, True, False, False], [0.0, 1.0, 0.0, 1.0, 1.0, 1.0]):
        with warned("two_distinct_scores", "2 distinct scores", "balanced accuracy", "pass probabilities"):
            value = rs.auc(labels, scores)
        assert value == rs.balanced_accuracy(labels, scores)
    with warned("two_distinct_scores"):
        evaluation = evaluate(scores, labels)
    assert "two_distinct_scores" in {remark.code for remark in evaluation.remarks}


def test_row_14_threshold_measures_take_hard_predictions_without_a_word() -> None:
    labels, calls = [1, 0, 1, 0, 1, 0], [1, 0, 1, 1, 0, 0]
    assert rs.accuracy(labels, calls) == pytest.approx(4 / 6)
    assert not rs.evaluate(labels, calls, measures=["recall", "specificity"], threshold=1).remarks


def test_row_14_predicted_text_labels_are_a_discrete_classifier() -> None:
    labels, predicted = ["yes", "no", "yes", "no", "yes"], ["yes", "no", "no", "yes", "yes"]
    counts = rs.confusion(labels, predicted, pos_label="yes")
    assert (counts.tp, counts.fp, counts.fn, counts.tn) == (2, 1, 1, 1)
    for container in (np.array, pd.Series, pl.Series, pa.array, lambda rows: pd.Series(rows, dtype="category")):
        assert rs.accuracy(container(labels), container(predicted), pos_label="yes") == 0.6
    with warned("zero_division"):
        assert math.isnan(rs.precision(labels, ["no"] * 5, pos_label="yes"))


@pytest.mark.parametrize("scores", [["0.9", "0.1", "0.8", "0.3", "0.2"], ["yes", "nope", "yes", "no", "no"]])
def test_row_14_text_that_is_no_label_is_refused(scores: list[str]) -> None:
    what = "numbers as text" if scores[0] == "0.9" else "text that is no label"
    with refused("score_text", f"y_score holds {what}, row", repr(scores[1]), "convert"):
        rs.auc(["yes", "no", "yes", "no", "yes"], scores, pos_label="yes")


# ---- Row 15: scores that are no probabilities


def test_row_15_rank_measures_take_any_scale() -> None:
    odds = [score / (1 - score) for score in SCORES]
    logits = [math.log(value) for value in odds]
    for scores in (odds, logits, [100 * score for score in SCORES], [-1e6 + score for score in SCORES]):
        assert rs.auc(LABELS, scores) == rs.auc(LABELS, SCORES)
        assert rs.rank(LABELS, scores).scores.tolist() == sorted(scores)


def test_row_15_no_threshold_is_guessed_outside_0_1() -> None:
    for call in (rs.accuracy, rs.f1, rs.confusion):
        with refused("threshold_required", "from -1.5 to 2", "threshold="):
            call([1, 0, 1], [2.0, -1.5, 0.5])
    assert rs.accuracy([1, 0, 1], [2.0, -1.5, 0.5], threshold=0) == 1.0
    with refused("threshold_required"):
        evaluate([2.0, -1.5, 0.5, 3.0, 4.0], measures=["accuracy"])


def test_row_15_threshold_must_be_a_number() -> None:
    for threshold in (math.nan, [0.5, math.nan], np.float32("nan")):
        with refused("threshold_nan", "NaN"):
            rs.confusion(LABELS, SCORES, threshold=threshold)
    with refused("threshold", "'best'"):
        rs.accuracy(LABELS, SCORES, threshold="best")
    with refused("rule", "youden", "'best'"):
        evaluate(SCORES, measures=["accuracy"], threshold="best")


# ---- Rows 16 to 18: weights and large counts


@each_case(
    ("weights", "code", "words"),
    [
        ([1, -1, 1, -2, 1], "weights_negative", "sample_weight: 2 negative, rows 1, 3;"),
        ([1.0, -0.5, 1, 1, 1], "weights_negative", "1 negative, row 1"),
        ([1, np.inf, 1, 1, 1], "weights_not_finite", "1 infinite, row 1"),
        ([1, np.nan, 1, 1, 1], "missing_values", "1 missing, row 1"),
        ([0, 0, 0, 0, 0], "weights_all_zero", "all 5 weights are zero"),
        ([0.0, -0.0, 0, 0, 0], "weights_all_zero", "all 5 weights are zero"),
        ([1e308] * 5, "weights_extreme", "5 too large or too small"),
        ([1, 1, 5e-324, 1, 1], "weights_extreme", "row 2"),
        (["1"] * 5, "weight_type", "must hold numbers"),
        ([1, "a", 1, 1, 1], "weight_type", "row 1: 'a'"),
        ([1j] * 5, "weight_type", "must hold numbers"),
        ([dt.date(2020, 1, 1)] * 5, "weight_type", "must hold numbers"),
        (np.ones(5, dtype="m8[s]"), "weight_type", "timedelta64"),
        (np.ones((5, 1)), "not_one_dimensional", "(5, 1)"),
        ([1, 1], "lengths_differ", "sample_weight has 2"),
        (2.0, "not_a_column", "got float"),
    ],
)
def test_row_16_bad_weights_are_refused(weights: Any, code: str, words: str) -> None:
    with refused(code, "sample_weight", words):
        rs.auc(LABELS, SCORES, sample_weight=weights)


@each_case("kind", [int, float, Decimal, Fraction, np.float16, bool])
def test_row_16_zero_weight_is_an_absent_row(kind: Any) -> None:
    weights = [kind(weight) for weight in (1, 0, 1, 1, 0)]
    present = [row for row, weight in enumerate(weights) if weight]
    groups = rs.rank(LABELS, SCORES, sample_weight=weights)
    assert groups == rs.rank([LABELS[row] for row in present], [SCORES[row] for row in present])
    assert groups.origin.n_rows == 3
    with warned("single_class"):
        rs.auc(LABELS, SCORES, sample_weight=[0, 1, 0, 1, 0])


def test_row_16_a_weight_is_a_repetition() -> None:
    weights = [3, 1, 2, 5, 1]
    labels, scores = (np.repeat(column, weights) for column in (LABELS, SCORES))
    for dtype in (np.int8, np.uint64, np.int64, np.float32, np.float64, object):
        groups = rs.rank(LABELS, SCORES, sample_weight=np.array(weights, dtype=dtype))
        assert groups == rs.rank(labels, scores)
    assert rs.rank(LABELS, SCORES, sample_weight=np.array(weights, dtype=np.uint8)).exact


@pytest.mark.parametrize("heavy", [0, 1, 2, 3])
def test_row_17_huge_weight_ratio(heavy: int) -> None:
    rng = np.random.default_rng(17)
    labels = (rng.random(60) < 0.5).astype(int)
    scores = rng.integers(0, 20, 60)
    weights = rng.random(60)
    weights[heavy] = 1e16
    exact = float(exact_auc(labels, scores, weights.tolist()))
    assert rs.auc(labels, scores, sample_weight=weights) == pytest.approx(exact, rel=1e-12)
    assert rs.rank(labels, scores, sample_weight=weights).n_rows_counted == pytest.approx(math.fsum(weights), rel=1e-15)


def test_row_17_small_weights_after_a_huge_one_are_not_lost() -> None:
    weights = [1e16] + [1.0] * 1000
    labels, scores = [0] * 1001 + [1], [*range(1001), 2000]
    groups = rs.rank(labels, scores, sample_weight=[*weights, 1.0])
    assert groups.n_neg == 1e16 + 1000


def test_row_18_products_of_counts_do_not_overflow() -> None:
    scores, pos, neg = [1, 2, 3], [2**40, 2**41 + 1, 3], [2**42, 5, 2**40 - 7]
    groups = rs.RankedScores.from_counts(scores, pos, neg)
    rows = [(1, s, w) for s, w in zip(scores, pos, strict=True)] + [(0, s, w) for s, w in zip(scores, neg, strict=True)]
    exact = exact_auc(*zip(*rows, strict=True))
    assert groups.n_pos * groups.n_neg > 2**63
    assert rs.auc(groups) == float(exact)
    assert rs.gini(groups) == pytest.approx(float(2 * exact - 1), rel=1e-14)
    for weight in (2**61, 2**62, 2**70):
        assert rs.auc([1, 0, 1], [3, 2, 1], sample_weight=[weight] * 3) == 0.5


# ---- Row 19: lengths, shapes, alignment


def test_row_19_lengths_differ() -> None:
    with refused("lengths_differ", "y_true has 5, y_score has 3", "one value per row"):
        rs.auc(LABELS, SCORES[:3])
    with refused("lengths_differ", "y_true has 0, y_score has 5"):
        rs.auc([], SCORES)
    with refused("lengths_differ", "y has 5, model has 3"):
        evaluate(SCORES[:3])


TWO_COLUMNS = np.column_stack([1 - np.array(SCORES), SCORES])


@each_case(
    ("scores", "words"),
    [
        (TWO_COLUMNS, "(5, 2); for the output of predict_proba pass the positive column, [:, 1]"),
        (TWO_COLUMNS.tolist(), "[:, 1]"),
        (pd.DataFrame(TWO_COLUMNS), "[:, 1]"),
        (pl.DataFrame(TWO_COLUMNS), "[:, 1]"),
        (np.array(SCORES)[:, None], "(5, 1); pass .ravel()"),
        (np.array(SCORES)[None], "(1, 5); pass .ravel()"),
        (pd.DataFrame({"p": SCORES}), "pass .ravel()"),
        (np.ones((5, 3)), "(5, 3); of more than two classes use rs.evaluate(y, P)"),
        (np.ones((5, 2, 2)), "(5, 2, 2)"),
        (pl.Series([[1.0, 2.0]] * 5), "List(Float64); pass one value per row"),
        (pl.Series([[1.0, 2.0]] * 5, dtype=pl.Array(pl.Float64, 2)), "Array(Float64"),
        (pa.array([[1.0]] * 5), "List(Float64)"),
        (pl.Series([{"p": 1.0}] * 5), "Struct"),
        (np.array([(1, 2)] * 5, dtype=[("a", int), ("b", int)]), "[('a', '<i8'), ('b', '<i8')]; pass one value"),
    ],
)
def test_row_19_columns_must_have_one_dimension(scores: Any, words: str) -> None:
    with refused("not_one_dimensional", "y_score must be one-dimensional", words):
        rs.auc(LABELS, scores)


@pytest.mark.parametrize("scores", [[[1, 2], [1], [2], [3], [4]], [1, [2], 3, 4, 5]])
def test_row_19_ragged_lists(scores: Any) -> None:
    with refused("ragged", "y_score", "same length", "one value per row"):
        rs.auc(LABELS, scores)


@each_case(
    "scores",
    [
        (score for score in SCORES),
        set(SCORES),
        dict(enumerate(SCORES)),
        dict(enumerate(SCORES)).values(),
        "0.9",
        b"01010",
        0.5,
        np.float64(0.5),
        pl.LazyFrame({"p": SCORES}),
        nw.from_native(pl.LazyFrame({"p": SCORES})),
        object(),
    ],
    ids=lambda scores: type(scores).__name__,
)
def test_row_19_things_that_are_no_column(scores: Any) -> None:
    with refused("not_a_column", "y_score must be a column", type(scores).__name__, "pass a list"):
        rs.auc(LABELS, scores)


def test_row_19_labels_without_scores() -> None:
    with refused("scores_absent", "y_score"):
        rs.auc(LABELS)
    with refused("not_a_column", "y_true", "NoneType"):
        rs.auc(None, SCORES)


@each_case(
    ("scores", "words"),
    [
        (np.array(SCORES, dtype=complex), "complex128"),
        ([1j, 0, 1, 2, 3], "row 0: 1j"),
        ([complex(1), 0, 1, 2, 3], "row 0: (1+0j)"),
        (np.array(["2020"] * 5, dtype="M8[D]"), "datetime64[D]"),
        (np.arange(5).astype("m8[s]"), "timedelta64[s]"),
        (pd.Series(pd.date_range("2020", periods=5)), "datetime64"),
        (pd.Series(pd.date_range("2020", periods=5, tz="UTC")), "datetime64"),
        (pl.Series([dt.date(2020, 1, day) for day in range(1, 6)]), "datetime64"),
        ([dt.date(2020, 1, day) for day in range(1, 6)], "rows 0, 1, 2, 3, 4: datetime.date(2020, 1, 1)"),
        ([dt.timedelta(day) for day in range(5)], "datetime.timedelta"),
        ([0.1, "a", 0.3, None, 0.1], "row 1: 'a'"),
        (np.array([np.zeros(2), 1, 2, 3, 4], dtype=object), "row 0: array"),
    ],
)
def test_row_19_scores_must_be_real_numbers(scores: Any, words: str) -> None:
    with refused("score_type", "y_score must hold numbers", words, "convert"):
        rs.auc(LABELS, scores, missing="drop")


def test_row_19_differently_indexed_series_are_not_paired_by_position() -> None:
    labels = pd.Series(LABELS, index=[3, 1, 4, 0, 2])
    with refused("row_labels_differ", "y_true and y_score", "row 0: 3 and 0", "align", ".to_numpy()"):
        rs.auc(labels, pd.Series(SCORES))
    with refused("row_labels_differ", "y_true and sample_weight", "row 0"):
        rs.auc(labels, SCORES, sample_weight=pd.Series([1] * 5))
    with refused("row_labels_differ", "y and model"):
        evaluate(nw.from_native(pd.Series(SCORES), series_only=True), labels)
    with refused("row_labels_differ", "row 1: b and c"):
        rs.auc(pd.Series([1, 0], index=["a", "b"]), pd.Series([1, 0], index=["a", "c"]))


def test_row_19_equally_indexed_series_and_bare_arrays_are_paired() -> None:
    labels = pd.Series(LABELS, index=[3, 1, 4, 0, 2])
    for scores in (SCORES, np.array(SCORES), pl.Series(SCORES), pd.Series(SCORES, index=labels.index.copy())):
        assert rs.rank(labels, scores) == rs.rank(LABELS, SCORES)


# ---- Row 20 and tables


def test_row_20_repeated_ids_are_warned_about_and_carried() -> None:
    table = {"y": LABELS, "model": SCORES, "patient": ["a", "a", "b", "c", "a"]}
    with warned("repeated_ids", "2 rows repeat an id of column 'patient'", "not independent"):
        evaluation = rs.evaluate(table, label="y", scores="model", id="patient")
    assert [(remark.code, remark.model) for remark in evaluation.remarks] == [("repeated_ids", None)]
    table["patient"] = list("abcde")
    assert rs.evaluate(table, label="y", scores="model", id="patient").remarks == ()


def test_row_20_ids_must_exist() -> None:
    with refused("missing_values", "patient: 1 missing, row 1"):
        rs.evaluate({"y": [1, 0], "a": [2, 1], "patient": ["x", None]}, label="y", scores="a", id="patient")
    with refused("column_absent", "'patient'"):
        evaluate(SCORES, id="patient")


def test_tables_name_the_absent_column_and_those_present() -> None:
    for table in ({"y": [1, 0], "a": [2, 1]}, pd.DataFrame({"y": [1, 0], "a": [2, 1]})):
        with refused("column_absent", "no column 'b', 'c'", "the table has 'y', 'a'"):
            rs.evaluate(table, label="y", scores=["b", "a", "c"])


def test_tables_refuse_a_column_in_two_roles() -> None:
    with refused("column_twice", "'a'"):
        rs.evaluate({"y": [1, 0], "a": [2, 1]}, label="y", scores=["a", "a"])
    with refused("column_twice", "'y'"):
        rs.evaluate({"y": [1, 0], "a": [2, 1]}, label="y", scores=["a"], weight="y")
    with refused("no_scores"):
        rs.evaluate({"y": [1, 0]}, label="y", scores=[])


def test_tables_refuse_two_columns_of_one_name() -> None:
    with refused("columns_repeated", "'s'", "rename"):
        rs.evaluate(pd.DataFrame([[1, 2, 3]], columns=["y", "s", "s"]), label="y", scores="s")


@pytest.mark.parametrize("lazy", [lambda frame: frame, nw.from_native], ids=["polars", "narwhals"])
def test_lazy_frames_are_evaluated(lazy: Any) -> None:
    table = {"y": LABELS, "a": SCORES, "site": [row % 2 for row in range(len(LABELS))]}
    found = rs.evaluate(lazy(pl.LazyFrame(table)), label="y", scores="a", measures=["auc"])
    assert found.to_dict()["models"] == rs.evaluate(table, label="y", scores="a", measures=["auc"]).to_dict()["models"]
    with refused("column_absent", "nope"):
        rs.evaluate(lazy(pl.LazyFrame(table)), label="y", scores="a", by="nope")


@pytest.mark.parametrize("table", [[LABELS, SCORES], np.ones((5, 2)), None, pd.Series(SCORES)])
def test_tables_of_other_types_are_refused(table: Any) -> None:
    with refused("table_type", type(table).__name__, "pandas, polars or pyarrow DataFrame"):
        rs.evaluate(table, label="y", scores="a")


# ---- Errors themselves


def test_errors_do_not_pass_control_characters_on_to_the_terminal() -> None:
    evil = "p\x1b[31m\x07"
    with refused("missing_values", "p\N{REPLACEMENT CHARACTER}[31m", "1 with label p\N{REPLACEMENT CHARACTER}"):
        rs.evaluate({"y": [evil, "n"], evil: [None, 1]}, label="y", scores=evil, pos_label=evil)
    with warned("near_ties", "p\N{REPLACEMENT CHARACTER}[31m"):
        rs.evaluate({"y": [1, 0], evil: [0.1 + 0.2, 0.3]}, label="y", scores=evil)
    for error in (rs.InputError("code", evil), rs.RocsteadyWarning("code", evil)):
        assert "\x1b" not in str(error)


def test_errors_and_reasons_survive_pickling() -> None:
    for error in (rs.InputError("a", "b"), rs.ArgumentError("a", "b"), rs.UndefinedWarning("empty", "b")):
        copy = pickle.loads(pickle.dumps(error))  # noqa: S301
        assert (type(copy), copy.code, str(copy)) == (type(error), "a" if error.code == "a" else "empty", "b")
    copy = pickle.loads(pickle.dumps(rs.Undefined("empty")))  # noqa: S301
    assert (copy.reason, copy.explanation, math.isnan(copy)) == ("empty", "there are no rows", True)


def test_errors_are_value_errors() -> None:
    with pytest.raises(ValueError, match="both classes"):
        rs.tie_diagnostics([1, 1], [1, 2])
    with pytest.raises(KeyError):
        rs.Undefined("no such reason")


def test_an_absent_package_is_named_with_the_command_that_installs_it() -> None:
    with pytest.raises(rs.MissingDependencyError, match=r'plot\(\) needs absent: pip install "rocsteady\[plots\]"'):
        require("absent.part", extra="plots", purpose="plot()")
    assert require("json", extra="plots", purpose="plot()").dumps([]) == "[]"


def test_message_parts() -> None:
    assert first_rows([3], total=1) == "row 3"
    assert first_rows(range(7), total=7) == "rows 0, 1, 2, 3, 4 and 2 more"
    assert some_values(["a", 1], most=1) == "'a', ..."
    assert len(some_values(["x" * 1000])) == 60
    assert printable("a\tb\x9b") == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}"
