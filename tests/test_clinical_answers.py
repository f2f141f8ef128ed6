"""What biostatisticians type at reader studies and at validation: it works, or one sentence says what to type."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from cases import each_case
from command import rocsteady
from test_r_agreement import FIXTURES

RNG = np.random.default_rng(1)
BY, WHO, PATIENT = (each.ravel() for each in np.indices((3, 5, 40)))
ILL = (np.arange(40) < 15).astype(int)[PATIENT]
SEEN = ILL * np.array([1.3, 1.8, 2.1])[BY] + RNG.normal(size=40)[PATIENT] + 0.6 * RNG.normal(size=600)
THREE = {"who": np.array(list("abcde"))[WHO], "by": np.array(["ct", "film", "screen"])[BY], "patient": PATIENT,
         "ill": ILL, "rating": SEEN.round(2)}  # fmt: skip
NAMES: Any = {"reader": "who", "modality": "by", "case": "patient", "label": "ill", "score": "rating"}
IN_SHELL = [part for name, column in NAMES.items() for part in (f"--{name}", column)]


def rows_of(kept: Any) -> dict[str, Any]:
    return {name: values[kept] for name, values in THREE.items()}


TWO = rows_of(BY < 2)
LACKING = TWO | {"rating": np.where(np.arange(400) == 7, np.nan, TWO["rating"])}
PILOT = rs.readers.analyze(TWO, **NAMES)


def gap(labels: Any, ratings: Any) -> float:
    return float(ratings[labels == 1].mean() - ratings[labels == 0].mean())


def codes(result: Any) -> list[str]:
    return [remark.code for remark in result.warnings]


def differences(study: Any) -> list[float]:
    tests = [test for each in study.analyses for test in each.differences.values()]
    return [getattr(test, name) for test in tests for name in ("estimate", "low", "high", "pvalue")]


def test_incomplete_ratings_are_dropped_and_counted() -> None:
    found = rs.readers.analyze(LACKING, **NAMES, missing="drop", method="u-statistics")
    without = {name: np.delete(values, 7) for name, values in TWO.items()}
    assert differences(found) == differences(rs.readers.analyze(without, **NAMES, method="u-statistics"))
    assert found.origin is not None
    assert found.origin.n_dropped == 1
    assert "incomplete rows dropped, as asked for: 1" in str(found)
    with pytest.raises(rs.InputError, match="method='u-statistics'"):
        rs.readers.analyze(LACKING, **NAMES, missing="drop")
    whole = TWO | {"rating": np.where(TWO["patient"] == 3, np.nan, TWO["rating"])}  # a case that nobody rated
    assert rs.readers.analyze(whole, **NAMES, missing="drop").n_pos == 14
    nothing = TWO | {"rating": np.full(400, np.nan)}
    with pytest.raises(rs.InputError, match="no rows; 400 incomplete rows dropped"):
        rs.readers.analyze(nothing, **NAMES, missing="drop")
    again = {name: np.append(values, values[9]) for name, values in LACKING.items()}
    with pytest.raises(rs.InputError, match="such as of patient 9"):
        rs.readers.analyze(again, **NAMES, missing="drop")


def test_some_of_the_modalities() -> None:
    found = rs.readers.analyze(THREE, **NAMES, modalities=["screen", "ct"])
    alone = rs.readers.analyze(rows_of(BY != 1), **NAMES, modalities=["screen", "ct"])
    assert differences(found) == differences(alone)
    assert found.modalities == ("screen", "ct")
    assert "modalities left out, as asked for: 'film'" in str(found)
    assert "modalities_left_out" not in codes(alone)


def test_a_function_under_a_name() -> None:
    found = rs.readers.analyze(TWO, **NAMES, measure={"gap": lambda y, s: float(s[y == 1].mean() - s[y == 0].mean())})
    plain = rs.readers.analyze(TWO, **NAMES, measure=gap)
    assert differences(found) == differences(plain)
    assert (found.measure, found.label) == ("gap", "gap")
    named = rs.readers.analyze(TWO, **NAMES, measure={"mine": "auc"})
    assert differences(named) == differences(PILOT)
    for measure, told in ((lambda y, s: 1.0, r"pass measure=\{'name': lambda"), ({"a": "auc", "b": "gini"}, "got 2")):
        with pytest.raises(rs.ArgumentError, match=told):
            rs.readers.analyze(TWO, **NAMES, measure=measure)


@each_case("pilot", [TWO, None, 3])
def test_a_plan_takes_a_study(pilot: Any) -> None:
    with pytest.raises(rs.ArgumentError, match=rf"rs.readers.analyze\(...\) made .* got {type(pilot).__name__}"):
        rs.readers.plan(pilot, difference=0.1, readers=8, power=0.8)


def test_a_difference_that_a_plan_has_room_for() -> None:
    for wide in (2, 1, -1.5, math.nan):
        with pytest.raises(rs.ArgumentError, match="in AUC lies between -1 and 1, got"):
            rs.readers.plan(PILOT, difference=wide, readers=8, power=0.8)
    assert "no_room_for_difference" in codes(rs.readers.plan(PILOT, difference=0.3, readers=8, power=0.8))
    assert "no_room_for_difference" not in codes(rs.readers.plan(PILOT, difference=0.05, readers=8, power=0.8))
    own = rs.readers.analyze(TWO, **NAMES, measure={"auc": gap})  # its name is that of a measure, its bounds are not
    assert rs.readers.plan(own, difference=2, readers=8, power=0.8).power >= 0.8


@each_case("method", ["obuchowski-rockette", "u-statistics"])
def test_no_test_has_no_degrees_of_freedom(method: Any) -> None:
    study = rs.readers.analyze(rows_of((BY < 2) & ((ILL == 0) | (PATIENT == 0))), **NAMES, method=method)
    assert "nan" not in str(study)
    assert [line[-2:] for line in study.cells()[1][:2]] == [["-", "-"]] * 2
    assert study.random.test.df is None or math.isfinite(study.random.test.df)
    assert "nan" not in study.random.test.method


@each_case("table, told", [(rows_of(BY == 0), "column 'by' holds one modality"), (THREE, "order names one modality")])
def test_one_modality_is_judged_elsewhere(table: Any, told: str) -> None:
    with pytest.raises(rs.InputError, match=f"{told}.* rs.auc_interval of the ratings of each reader"):
        rs.readers.analyze(table, **NAMES, modalities=["ct"])


def test_readers_in_a_shell(tmp_path: Path) -> None:
    lines = [",".join(THREE), *(",".join(map(str, line)) for line in zip(*THREE.values(), strict=True))]
    files = {"full": lines, "short": [lines[0], *lines[2:]], "lacks": [lines[0], "a,ct,0,1,", *lines[2:]]}
    paths = {name: tmp_path / f"{name}.csv" for name in files}
    for name, text in files.items():
        paths[name].write_text("\n".join(text) + "\n")

    def run(name: str, *options: str) -> str:
        done = rocsteady("readers", str(paths[name]), *IN_SHELL, *options)
        assert "Traceback" not in done.stderr
        return done.stdout + done.stderr

    assert "or take --method u-statistics, which needs no crossing" in run("short")
    assert "pass --missing drop" in run("lacks")
    assert "or take --method u-statistics" in run("lacks", "--missing", "drop")
    assert "dropped, as asked for: 1" in run("lacks", "--missing", "drop", "--method", "u-statistics")
    assert "left out, as asked for: 'film'" in run("full", "--modalities", "screen,ct")
    assert "lies between -1 and 1" in run("full", "--difference", "2", "--new-readers", "6")


X = RNG.normal(size=(60, 3))
Y = (X[:, 0] + RNG.normal(size=60) > 0).astype(int)
RISK = RNG.uniform(0.05, 0.95, 60)


def difference(features: Any, labels: Any) -> Any:
    weights = features[labels == 1].mean(0) - features[labels == 0].mean(0)
    return lambda rows: 1 / (1 + np.exp(-(rows @ weights)))


def constant(features: Any, labels: Any) -> Any:
    return lambda rows: np.full(len(rows), 0.4)


def share(features: Any, labels: Any) -> Any:
    return lambda rows: np.full(len(rows), labels.mean())


def optimism(model: Any = difference, **options: Any) -> Any:
    asked = {"n_resamples": 100, "random_state": 1} | options
    return rs.validation.optimism(model, X, Y, **asked)


def test_subjects_of_a_procedure() -> None:
    with pytest.raises(rs.InputError, match="two subjects at least"):
        optimism(cluster=np.zeros(60))
    assert "subjects_not_measured" in codes(optimism(cluster=np.arange(60) % 5, measures=["auc"]))
    assert "subjects_not_measured" not in codes(optimism(cluster=np.arange(60) % 20, measures=["auc"]))


def test_few_resamples_are_told() -> None:
    few = optimism(n_resamples=2, measures=["auc"])
    assert "few_resamples_of_procedure" in codes(few)
    assert "few_resamples_of_procedure" in codes(few["auc"])
    assert "2 resamples: the ends" in str(few)
    assert "few_resamples_of_procedure" not in codes(optimism(measures=["auc"]))
    with pytest.raises(rs.ArgumentError, match="n_outer must be 2 or more"):
        optimism(interval="two-stage", n_outer=1)


@each_case("model", [constant, share])
def test_a_constant_model_has_no_interval(model: Any) -> None:
    found = optimism(model)
    assert np.isnan([found["auc"].low, found["auc"].high, found["auc"].se]).all()
    assert codes(found["auc"]) == ["nothing_varies_in_resamples"]
    assert "auc: no interval: nothing varies, the value is 0.5000 in every resample" in str(found)
    assert found["brier_score"].low < found["brier_score"].high
    assert codes(found["calibration_slope"]) == ["apparent_undefined"]
    twice = optimism(model, interval="two-stage", n_resamples=5, n_outer=5, measures=["auc"])
    assert codes(twice["auc"]) == ["nothing_varies_in_resamples"]


def test_a_model_that_was_made_before_has_the_interval_of_its_draws() -> None:
    """It does not vary, and the rows that judge it do."""
    found = optimism(lambda features, labels: lambda rows: rows[:, 0], measures=["auc"])
    assert found.optimism[0] == pytest.approx(0, abs=0.03)
    assert found["auc"].low < found["auc"].estimate < found["auc"].high


def test_a_procedure_that_fails_on_all_rows() -> None:
    def singular(features: Any, labels: Any) -> Any:
        raise np.linalg.LinAlgError("singular\nmatrix")

    with pytest.raises(rs.InputError, match=r"failed on all 60 rows.*\(LinAlgError: singular\)") as caught:
        optimism(singular)
    assert isinstance(caught.value.__cause__, np.linalg.LinAlgError)
    assert caught.value.code == "fit_failed"


IMPUTED = [RISK + 0.2 * Y + 0.1 * RNG.normal(size=60) for _ in range(4)]
AREAS = [rs.auc_interval(Y, each, method="delong") for each in IMPUTED]


def test_pairs_are_those_of_mice() -> None:
    theirs = json.loads((FIXTURES / "r_pooling.json").read_text())
    pairs = list(zip(theirs["Q"], np.sqrt(theirs["U"]), strict=True))
    for given in (pairs, np.array(pairs), (each for each in pairs), dict(enumerate(pairs))):
        found = rs.validation.pool(given)
        ours = [found.estimate, found.within, found.between, found.df, found.missing_information]
        assert ours == pytest.approx([theirs["plain"][each] for each in ("qbar", "ubar", "b", "df", "fmi")], rel=1e-12)
    assert found.plot().ax_ is not None
    same = rs.validation.pool([(each.estimate, each.se) for each in AREAS], scale="logit").estimate
    assert same == rs.validation.pool([(each.estimate, each.se) for each in AREAS], measure="auc").estimate
    assert same == rs.validation.pool(AREAS).estimate


def test_whatever_holds_the_results() -> None:
    expected = rs.validation.pool(AREAS).to_dict()
    by_name = dict(enumerate(AREAS))
    for given in ((each for each in AREAS), by_name, by_name.values(), tuple(AREAS)):
        assert rs.validation.pool(given).to_dict() == expected


def test_corrected_measures_are_pooled_by_name() -> None:
    found = [optimism(n_resamples=100, random_state=seed) for seed in range(3)]
    pooled = rs.validation.pool(found, measure="auc")
    assert pooled.to_dict() == rs.validation.pool([each["auc"] for each in found], measure="auc").to_dict()
    assert codes(pooled) == ["optimism_pooled"]
    assert rs.validation.pool(found, measure="calibration_slope").scale == "plain"
    with pytest.raises(rs.ArgumentError, match=r"hold 'auc', .*: name the one to pool, with measure="):
        rs.validation.pool(found)


POOL: Any = rs.validation.pool
ESTIMATES, ERRORS = [each.estimate for each in AREAS], [each.se for each in AREAS]
TIMES = np.arange(1, 61)
NOT_POOLED: list[tuple[Any, str]] = [
    (lambda: POOL(ESTIMATES, ERRORS), r"pool\(\) takes results by position"),
    (lambda: rs.validation.pool(ESTIMATES), r"pool\(list\(zip\("),
    (lambda: rs.validation.pool([ESTIMATES, ERRORS]), r"pool\(list\(zip\("),
    (lambda: rs.validation.pool({"est": [0.7, 0.8], "se": [0.1, 0.1]}), r"pool\(list\(zip\("),
    (lambda: rs.validation.pool([PILOT, PILOT]), r"such as pool\(\[each.random.differences\[\('ct', 'film'\)\] for"),
    (lambda: rs.validation.pool([rs.calibration.calibration_summary(Y, RISK)] * 2), r"each.in_the_large for each"),
    (lambda: rs.validation.pool([rs.times.net_benefit_at(TIMES, Y, RISK, at=30, thresholds=[0.2])] * 2),
     r"such as pool\(\[each.model\[0\] for each in results\]\)"),
    (lambda: rs.validation.pool(AREAS[0]), "two or more results"),
]  # fmt: skip


@each_case("call, told", NOT_POOLED)
def test_what_is_not_pooled_is_told_with_the_line_that_is(call: Any, told: str) -> None:
    with pytest.raises(rs.ArgumentError, match=told):
        call()


def test_the_lines_that_are_told_work() -> None:
    summaries = [rs.calibration.calibration_summary(Y, np.clip(each, 0.01, 0.99)) for each in IMPUTED]
    assert rs.validation.pool([each.in_the_large for each in summaries]).n_imputations == 4
    assert rs.validation.pool([each.random.differences["ct", "film"] for each in (PILOT, PILOT)]).between == 0


def test_points_of_a_curve_without_limits_are_counted() -> None:
    bands = [rs.roc_band(Y, each, fpr=np.linspace(0, 1, 11)) for each in IMPUTED]
    found = rs.validation.pool_curves(each for each in bands)
    (remark,) = found.warnings
    assert remark.params == {"n": int(np.isnan(found.low).sum()), "total": 11}
    assert remark.params["n"] > 0
    assert "points have no limits" in str(found)
    inside = [rs.roc_band(Y, each, fpr=[0.3, 0.4]) for each in IMPUTED]
    assert rs.validation.pool_curves(inside).warnings == ()


def test_pooled_comparisons_take_the_fewest_degrees_of_freedom() -> None:
    """Barnard and Rubin's, unasked, as validation.md says."""
    tests = [rs.compare_auc(Y, each, RISK) for each in IMPUTED]
    fewest = min(each.df for each in tests if each.df is not None)
    assert rs.validation.pool(tests).df == rs.validation.pool(tests, complete_df=fewest).df < fewest
