"""What clinicians hand over, and what is said where there is no answer: tables, options, order, gaps."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocsteady as rs
from cases import each_case
from test_r_agreement import COLUMNS, LABELS

SCORES = {name: COLUMNS[name] for name in ("continuous", "rival", "grade")}
TABLES: dict[str, Any] = {
    "pandas": pd.DataFrame(SCORES),
    "polars": pl.DataFrame(SCORES),
    "pairs": list(SCORES.items()),
}
contrasts: Any = rs.inference.auc_contrasts
curve: Any = rs.calibration_curve
ordinal: Any = rs.multiclass.ordinal_auc
adjusted: Any = rs.inference.adjusted_roc
partly: Any = rs.inference.partial_verification
RISK = COLUMNS["continuous"]


@each_case("kind", TABLES)
def test_contrasts_of_tables(kind: str) -> None:
    plain, found = (contrasts(LABELS, each) for each in (SCORES, TABLES[kind]))
    assert found.models == tuple(SCORES)
    assert found.to_dict() == plain.to_dict()


def test_contrasts_of_arrays_and_texts() -> None:
    matrix = np.column_stack(list(SCORES.values()))
    found = contrasts(LABELS, matrix, "model 3 - model 1")
    assert found.models == ("model 1", "model 2", "model 3")
    assert found.estimates[0] == contrasts(LABELS, SCORES, [[-1, 0, 1]]).estimates[0]
    assert contrasts(LABELS, list(matrix.T)).names == ("model 2 - model 1", "model 3 - model 1")
    dashed = {"new-a": matrix[:, 0], "b": matrix[:, 1], "c": matrix[:, 2]}
    found = contrasts(LABELS, dashed, ["new-a-b", "b - c"])
    assert found.names == ("new-a - b", "b - c")
    assert found.weights.tolist() == [[1, -1, 0], [0, 1, -1]]


WRONG_CONTRASTS = {
    "a name too few": "rival",
    "a name that is none": "rival - nobody",
    "one model twice": "rival - rival",
    "texts in a matrix": [["a", "b", "c"]],
    "texts and numbers": ["rival - grade", 3],
    "a number for a line": {"x": 3},
    "a text for a weight": {"x": {"rival": "much"}},
    "a model that is none": {"x": {"nobody": 1}},
}


@each_case("case", WRONG_CONTRASTS)
def test_contrasts_refused(case: str) -> None:
    with pytest.raises(rs.errors.ArgumentError, match="the models are 'continuous', 'rival', 'grade'"):
        contrasts(LABELS, SCORES, WRONG_CONTRASTS[case])


def test_one_model_has_no_contrast() -> None:
    for alone in ({"a": RISK}, RISK, np.column_stack([1 - RISK, RISK])):
        with pytest.raises(rs.errors.ArgumentError, match="two models or more"):
            contrasts(LABELS, alone)


UNUSED: dict[str, tuple[dict[str, Any], str]] = {
    "knots of a belt": ({"method": "belt", "n_knots": 4}, "n_knots is about splines"),
    "knots of bins": ({"n_knots": 4}, "n_knots is about splines"),
    "knots of lowess": ({"method": "lowess", "n_knots": 4}, "n_knots is about splines"),
    "rows of a spline": ({"method": "spline", "external": False}, "external is about belts"),
    "rows of bins": ({"external": False}, "external is about belts"),
    "bins of a belt": ({"method": "belt", "n_bins": 4, "strategy": "uniform"}, "n_bins and strategy are about bins"),
    "bins of steps": ({"strategy": "isotonic", "n_bins": 4}, "n_bins is not for isotonic"),
}


@each_case("case", UNUSED)
def test_unused_options_of_curves(case: str) -> None:
    options, told = UNUSED[case]
    with pytest.raises(rs.errors.ArgumentError, match=told):
        curve(LABELS, RISK, **options)


def test_a_strategy_is_no_method() -> None:
    with pytest.raises(rs.errors.ArgumentError, match="pass strategy='isotonic'"):
        curve(LABELS, RISK, method="isotonic")


@pytest.mark.parametrize(("external", "values"), [(True, [0.3, 0.7]), (True, [0.4]), (False, [0.2, 0.5, 0.8])])
def test_a_belt_of_few_scores(external: bool, values: list[float]) -> None:
    scores = np.resize(values, LABELS.size)
    with pytest.raises(rs.InputError, match=f"a belt needs {3 if external else 4} different scores") as caught:
        curve(LABELS, scores, method="belt", external=external)
    assert "separated" not in str(caught.value)
    enough = np.resize([*values, 0.1] if len(values) > 1 else [0.1, 0.5, 0.9], LABELS.size)
    assert curve(LABELS, enough, method="belt", external=external).degree <= 2
    with pytest.raises(rs.InputError, match="separated") as caught:
        curve(RISK > 0.5, RISK, method="belt", external=external)
    assert "knots" not in str(caught.value)


@pytest.mark.parametrize(
    ("y", "scores"),
    [(np.zeros(40, int), RISK[:40]), (np.ones(40, int), RISK[:40]), ([0, 1], [0.3, 0.6]), ([0, 1, 1], [0.3, 0.6, 0.9])],
)
def test_lowess_without_spread(y: Any, scores: Any) -> None:
    options: list[dict[str, Any]] = [{}, {"cluster": np.arange(len(y))}]
    for more in options:
        found = curve(y, scores, method="lowess", pos_label=1, **more)
        assert np.isfinite(found.observed).all()
        assert np.isnan([found.low, found.high, found.band_low, found.band_high]).all()
        for each in found.distances.values():
            assert math.isfinite(each.estimate)
            assert (math.isnan(each.low), math.isnan(each.high)) == (True, True)
            assert [remark.code for remark in each.warnings] == ["curve_unvarying"]
        assert "nothing varies about the curve" in str(found)


def test_lowess_with_spread_keeps_its_limits() -> None:
    found = curve(LABELS, RISK, method="lowess")
    assert found.ici.low < found.ici.estimate < found.ici.high
    assert found.ici.warnings == ()


ENDS = ("estimate", "low", "high", "se")
GRADES = ["low", "mid", "high"]
GRADE = np.resize(GRADES, LABELS.size)
ORDERED: dict[str, Any] = {
    "categorical": pd.Categorical(GRADE, categories=["low", "mid", "unseen", "high"], ordered=True),
    "series": pd.Series(pd.Categorical(GRADE, categories=GRADES, ordered=True)),
    "enum": pl.Series(GRADE, dtype=pl.Enum(GRADES)),
}


@each_case("kind", ORDERED)
def test_order_of_a_categorical(kind: str) -> None:
    found = ordinal(ORDERED[kind], RISK)
    assert found.classes == tuple(GRADES)
    assert found.to_dict() == ordinal(GRADE, RISK, order=GRADES).to_dict()
    assert ordinal(ORDERED[kind], RISK, order=GRADES[::-1]).classes == tuple(GRADES[::-1])
    with pytest.raises(rs.errors.ArgumentError, match="no order of their own"):
        ordinal(pd.Categorical(GRADE), RISK)


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_a_score_that_is_the_same_in_all_rows(n_classes: int) -> None:
    found = ordinal(np.resize(range(n_classes), 60), np.full(60, 0.1))
    assert found.volume.estimate == pytest.approx(found.chance, abs=1e-15)
    for each in (found.volume, found.ordinal_c, found.concordance):
        assert (math.isnan(each.low), math.isnan(each.high)) == (True, True)
        assert [remark.code for remark in each.warnings] == ["no_spread_of_ordered"]
    assert "nothing tells how the value would vary" in str(found)


def test_ordered_rows_that_lack_a_value() -> None:
    grade, score = np.resize([1.0, 2.0, 3.0], 60), RISK[:60].copy()
    grade[3], score[5], score[40] = math.nan, math.nan, math.nan
    kept = np.isfinite(grade) & np.isfinite(score)
    with pytest.raises(rs.InputError, match=r"y_score: 2 missing.*missing='drop'"):
        ordinal(grade, score)
    found, plain = ordinal(grade, score, missing="drop"), ordinal(grade[kept], score[kept])
    assert found.to_dict() == plain.to_dict() | {"n_dropped": 3}
    assert "3 incomplete rows dropped" in str(found)
    with pytest.raises(rs.InputError, match="y_score must hold numbers"):
        ordinal([1, 2, 3], ["a", "b", "c"])


def test_weights_of_ordered_rows() -> None:
    """Frequencies are repeated rows; sampling weights of two classes are those of the AUC; like ones change nothing."""
    rng = np.random.default_rng(5)
    grade, score = np.resize([1, 2, 3], 60), RISK[:60].round(1)
    often = rng.integers(0, 4, 60)
    counted = ordinal(grade, score, sample_weight=often, weight_type="frequency")
    repeated = ordinal(grade.repeat(often), score.repeat(often))
    assert (counted.counts, counted.pairs) == (repeated.counts, pytest.approx(repeated.pairs, abs=1e-14))
    for name in ("volume", "ordinal_c", "concordance"):
        ours, theirs = ([getattr(getattr(each, name), end) for end in ENDS] for each in (counted, repeated))
        assert ours == pytest.approx(theirs, abs=1e-13)
    weights = rng.uniform(0.5, 3, LABELS.size)
    found = ordinal(LABELS, RISK, sample_weight=weights, weight_type="sampling").volume
    area = rs.auc_interval(LABELS, RISK, sample_weight=weights, weight_type="sampling", method="delong")
    assert (found.estimate, found.se) == pytest.approx((area.estimate, area.se), abs=1e-14)
    plain, alike = ordinal(grade, score).volume, ordinal(grade, score, sample_weight=np.full(60, 2.5))
    assert (alike.volume.low, alike.volume.high) == pytest.approx((plain.low, plain.high), abs=1e-12)
    assert alike.warnings[0].code == "weights_assumed"
    with pytest.raises(rs.errors.ArgumentError, match="frequency"):
        ordinal(grade, score, sample_weight=np.full(60, 2.5), weight_type="frequency")


FEW: dict[str, Any] = {"n_resamples": 20, "random_state": 1}
STRATUM = np.arange(300) // 2 % 4


@pytest.mark.parametrize("method", ["stratified", "linear"])
def test_adjusted_rows_that_lack_a_value(method: str) -> None:
    score, stratum = RISK.copy(), STRATUM.astype(float)
    score[3], stratum[10] = math.nan, math.nan
    with pytest.raises(rs.InputError, match=r"y_score: 1 missing.*stratum: 1 missing.*missing='drop'"):
        adjusted(LABELS, score, {"stratum": stratum}, method=method, **FEW)
    found = adjusted(LABELS, score, stratum, method=method, missing="drop", **FEW)
    kept = np.isfinite(score) & np.isfinite(stratum)
    plain = adjusted(LABELS[kept], score[kept], stratum[kept], method=method, **FEW)
    assert (found.tpr == plain.tpr).all()
    assert found.auc.to_dict() == plain.auc.to_dict()
    assert (found.origin.n_rows, found.origin.n_dropped) == (298, 2)


def test_covariates_of_tables() -> None:
    plain = adjusted(LABELS, RISK, STRATUM, **FEW).to_dict()
    for table in (pd.DataFrame({"y_true": STRATUM}), pl.DataFrame({"y_score": STRATUM}), STRATUM[:, None]):
        assert adjusted(LABELS, RISK, table, **FEW).to_dict() == plain
    with pytest.raises(rs.InputError, match="covariates has 4 rows"):
        adjusted(LABELS, RISK, STRATUM[:4], **FEW)


SEEN = np.random.default_rng(7).random(300) < np.where(RISK >= 0.4, 0.9, 0.3)


def test_verified_as_a_column() -> None:
    gaps = partly(np.where(SEEN, LABELS, math.nan), RISK, threshold=0.4)
    for verified in (SEEN, SEEN.astype(int), pd.Series(SEEN), SEEN.tolist()):
        assert partly(LABELS, RISK, threshold=0.4, verified=verified).to_dict() == gaps.to_dict()
    unread = np.where(SEEN, LABELS, 7)  # whatever stands where nobody looked
    assert partly(unread, RISK, threshold=0.4, verified=SEEN).to_dict() == gaps.to_dict()


WRONG_VERIFIED: dict[str, tuple[Any, str]] = {
    "texts": (np.where(SEEN, "yes", "no"), "True or False"),
    "counts": (np.where(SEEN, 2, 0), "True or False"),
    "rows": (SEEN[:5], "has 5 rows"),
    "gaps": (np.where(SEEN, 1, math.nan), "missing values"),
    "all": (np.ones(300, bool), "all rows are verified"),
}


@each_case("case", WRONG_VERIFIED)
def test_verified_refused(case: str) -> None:
    verified, told = WRONG_VERIFIED[case]
    with pytest.raises(rs.InputError, match=told):
        partly(LABELS, RISK, threshold=0.4, verified=verified)


def test_verified_rows_have_labels() -> None:
    with pytest.raises(rs.InputError, match="verified and have no label"):
        partly(np.where(SEEN, LABELS, math.nan), RISK, threshold=0.4, verified=np.arange(300) > 0)


@pytest.mark.parametrize("swapped", [False, True])
def test_the_rarer_error_is_counted(swapped: bool) -> None:
    """3 misses beside 20 false alarms, and the other way round."""
    y = [1] * 40 + [0] * 20 + [None] * 20 + [1] * 3 + [0] * 30 + [None] * 20
    score = np.repeat([1, 0], [80, 53])
    truth = [None if each is None else 1 - each for each in y] if swapped else y
    found = partly(truth, 1 - score if swapped else score, threshold=1)
    (few,) = (remark for remark in found.warnings if remark.code == "few_verified")
    assert (few.params["n"], few.params["which"]) == (3, "false alarms" if swapped else "misses")
