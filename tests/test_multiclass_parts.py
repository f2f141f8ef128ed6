"""More than two classes in groups and in folds."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import accuracy_score, log_loss, roc_auc_score

import rocsteady as rs
from rocsteady._src.designs.classes.estimates import JudgedClasses
from rocsteady._src.designs.classes.scores_by_class import read_classes
from rocsteady._src.evaluation.classes.classes_by_fold import mean_over_folds
from rocsteady._src.evaluation.classes.parts import free_of_variance
from rocsteady._src.inference.comparison.hypotheses import all_equal

N, K = 240, 3
RNG = np.random.default_rng(11)
Y = RNG.integers(0, K, N)
GROUP = RNG.choice(["x", "y", "z"], N)
FOLD = RNG.integers(0, 4, N)


def probabilities(gap: float) -> Any:
    odds = np.exp(RNG.normal(size=(N, K)) + gap * np.eye(K)[Y])
    return odds / odds.sum(axis=1, keepdims=True)


A, B = probabilities(1.5), probabilities(1.0)


@pytest.fixture(scope="module")
def grouped() -> Any:
    return rs.evaluate(Y, A, by=GROUP)


@pytest.fixture(scope="module")
def folded() -> Any:
    return rs.evaluate(Y, A, fold=FOLD)


def test_each_group_is_what_it_is_alone(grouped: Any) -> None:
    assert list(grouped) == ["x", "y", "z"]
    assert len(grouped) == 3
    for group in grouped:
        inside = group == GROUP
        assert grouped[group].to_dict() == rs.evaluate(Y[inside], A[inside]).to_dict()
    assert grouped.overall.to_dict() == rs.evaluate(Y, A).to_dict()


@pytest.mark.parametrize("weight_type", ["frequency", "sampling"])
def test_each_group_of_weighted_rows_and_subjects(weight_type: Any) -> None:
    weights, subjects = RNG.integers(1, 4, N), RNG.integers(0, 80, N)
    how: dict[str, Any] = {"weight_type": weight_type, "measures": ["macro_auc", "accuracy", "log_loss"]}
    found = rs.evaluate(Y, A, by=GROUP, sample_weight=weights, cluster=subjects, **how)
    inside = GROUP == "y"
    alone = rs.evaluate(Y[inside], A[inside], sample_weight=weights[inside], cluster=subjects[inside], **how)
    for name, interval in alone.values.items():
        assert tuple(found["y"].values[name]) == pytest.approx(tuple(interval), rel=1e-12)


def free_by_hand(y: Any, scores: Any) -> float:
    """Twice the square of a sum of squares over what varies in it, of what each row adds to the macro AUC."""
    added = JudgedClasses(read_classes(y, scores)).estimate("macro_auc").pulls()
    squares = added**2
    return float(2 * squares.sum() ** 2 / (squares.size * squares.var()))


def test_the_test_of_groups_is_a_chi_square_of_log_odds_with_welchs_p(grouped: Any) -> None:
    found = [
        rs.multiclass.multiclass_auc_interval(Y[group == GROUP], A[group == GROUP], method="delong")
        for group in grouped
    ]
    areas, errors = np.array([each.estimate for each in found]), np.array([each.se for each in found])
    odds, weights = np.log(areas / (1 - areas)), (areas * (1 - areas) / errors) ** 2
    chi = float(weights @ (odds - weights @ odds / weights.sum()) ** 2)
    test = grouped.tests["model"]
    assert (test.statistic, test.df) == (pytest.approx(chi, rel=1e-9), 2)
    free = np.array([free_by_hand(Y[group == GROUP], A[group == GROUP]) for group in grouped])
    unsure = float(((1 - weights / weights.sum()) ** 2 / free).sum())
    ratio = chi / 2 / (1 + 2 * (3 - 2) / (9 - 1) * unsure)
    assert test.pvalue == pytest.approx(stats.f.sf(ratio, 2, (9 - 1) / (3 * unsure)), rel=1e-9)
    assert test.pvalue > stats.chi2.sf(chi, 2)
    assert "macro AUC is not shown to differ between groups" in str(grouped)


def test_groups_that_differ_are_found() -> None:
    turned = np.where((GROUP == "z")[:, None], np.full((N, K), 1 / K) + 0.01 * RNG.random((N, K)), A)
    found = rs.evaluate(Y, turned, by=GROUP, measures=["macro_auc"])
    assert found.tests["model"].pvalue < 1e-6
    assert "macro AUC differs between groups" in str(found)


def test_a_difference_of_models_between_groups_is_tested_by_its_own_variance() -> None:
    found = rs.evaluate(Y, {"a": A, "b": B}, by=GROUP, measures=["macro_auc"])
    pairs = [
        rs.multiclass.compare_multiclass_auc(Y[group == GROUP], A[group == GROUP], B[group == GROUP]) for group in found
    ]
    values, weights = np.array([each.estimate for each in pairs]), np.array([each.se for each in pairs]) ** -2.0
    chi = float(weights @ (values - weights @ values / weights.sum()) ** 2)
    assert found.interactions["a", "b"].statistic == pytest.approx(chi, rel=1e-9)
    assert list(found["x"]) == ["a", "b"]
    assert "a - b: the difference in macro AUC" in str(found)


def test_subjects_in_several_groups_make_these_vary_together() -> None:
    """Every row again in a second group, of the same subject: the same macro AUC, known to be the same."""
    twice: dict[str, Any] = {"by": np.repeat(["u", "v"], N), "measures": ["macro_auc"]}
    y, noisy = np.tile(Y, 2), np.vstack([A, A * (1 + 0.05 * RNG.random((N, K)))])
    apart = rs.evaluate(y, noisy, **twice).tests["model"].statistic
    together = rs.evaluate(y, noisy, cluster=np.tile(np.arange(N), 2), **twice).tests["model"].statistic
    assert together > 5 * apart


def test_groups_read_well(grouped: Any) -> None:
    frame = grouped.to_frame()
    assert frame["group"].tolist() == ["all", "x", "y", "z"]
    assert frame["n_rows"].tolist() == [N, *(int((group == GROUP).sum()) for group in grouped)]
    assert frame["macro_auc"][1] == pytest.approx(rs.multiclass_auc(Y[GROUP == "x"], A[GROUP == "x"]), rel=1e-14)
    told = json.loads(json.dumps(grouped.to_dict()))
    assert [each["group"] for each in told["groups"]] == ["x", "y", "z"]
    assert repr(grouped).startswith("MulticlassGroups(3 groups by 'group'; 3 classes; macro AUC")
    assert repr(grouped).count("\n") == 0
    assert "<table>" in grouped._repr_html_()
    assert grouped.to_markdown().startswith("| group | rows | macro_auc |")
    assert grouped.plot() is not None


def test_a_class_absent_in_a_group_is_named() -> None:
    kept = ~((Y == 2) & (GROUP == "x"))
    found = rs.evaluate(Y[kept], A[kept], by=GROUP[kept])
    assert math.isnan(found["x"].values["macro_auc"].estimate)
    assert found["x"].values["macro_auc"].estimate.reason == "class_absent"
    assert "note: group x: no row is of class 2: areas and recalls have no average" in str(found)
    assert found.tests["model"].df == 1
    assert found.tests["model"].warnings[0].code == "groups_left_out"


def test_means_over_folds_by_hand_and_by_scikit_learn(folded: Any) -> None:
    of_folds = [fold == FOLD for fold in range(4)]
    areas = [roc_auc_score(Y[one], A[one], multi_class="ovr") for one in of_folds]
    losses = [log_loss(Y[one], A[one]) for one in of_folds]
    right = [accuracy_score(Y[one], A[one].argmax(axis=1)) for one in of_folds]
    means = folded["model"]
    for name, values in {"macro_auc": areas, "log_loss": losses, "accuracy": right}.items():
        assert folded.to_frame()[name].tolist() == pytest.approx(values, rel=1e-10)
        assert means[name].estimate == pytest.approx(np.mean(values), rel=1e-10)


def test_the_variance_of_a_mean_over_folds_is_that_of_its_folds(folded: Any) -> None:
    areas: list[Any] = [
        rs.multiclass.multiclass_auc_interval(Y[fold == FOLD], A[fold == FOLD], method="delong") for fold in range(4)
    ]
    by_hand = math.sqrt(sum(each.se**2 for each in areas)) / 4
    assert folded["model"]["macro_auc"].se == pytest.approx(by_hand, rel=1e-12)
    losses = [-np.log(A[np.arange(N), Y])[fold == FOLD] for fold in range(4)]
    by_hand = math.sqrt(sum(np.var(each, ddof=1) / each.size for each in losses)) / 4
    assert folded["model"]["log_loss"].se == pytest.approx(by_hand, rel=1e-12)
    low, high = folded["model"]["log_loss"]
    assert 0 < low < folded["model"]["log_loss"].estimate < high


def test_folds_read_well(folded: Any) -> None:
    assert folded.overall.to_dict() == rs.evaluate(Y, A).to_dict()
    assert folded.folds[2].to_dict() == rs.evaluate(Y[FOLD == 2], A[FOLD == 2]).to_dict()
    assert [row[0] for row in folded.cells()[1]] == ["0", "1", "2", "3", "mean", "pooled"]
    assert "different models have given" in str(folded)
    assert repr(folded).startswith("MulticlassFolds(4 folds by 'fold'; model mean macro_auc 0.")
    told = json.loads(json.dumps(folded.to_dict()))
    assert told["means"]["model"]["macro_auc"]["estimate"] == folded["model"]["macro_auc"].estimate
    assert "<table>" in folded._repr_html_()
    assert folded.plot() is not None
    both = rs.evaluate(Y, {"a": A, "b": B}, fold=FOLD, measures=["macro_auc"])
    assert list(both) == ["a", "b"]
    assert both["a"]["macro_auc"].estimate == folded["model"]["macro_auc"].estimate


def test_a_class_absent_in_a_fold_is_named() -> None:
    kept = ~((Y == 2) & (FOLD == 1))
    found = rs.evaluate(Y[kept], A[kept], fold=FOLD[kept])
    assert math.isnan(found["model"]["macro_auc"].estimate)
    assert found["model"]["macro_auc"].estimate.reason == "class_absent"
    assert math.isfinite(found["model"]["log_loss"].low)
    assert "macro_auc has no mean: undefined in fold 1" in str(found)
    assert "fold 1: no row is of class 2" in str(found)


def test_repeats_bring_no_new_rows() -> None:
    """The same folds twice: the same mean, and the same standard error but for degrees of freedom."""
    how: dict[str, Any] = {"measures": ["macro_auc", "log_loss"]}
    once = rs.evaluate(Y, A, fold=FOLD, **how)
    twice = rs.evaluate(
        np.tile(Y, 2),
        np.vstack([A, A]),
        fold=np.tile(FOLD, 2),
        repeat=np.repeat([0, 1], N),
        id=np.tile(np.arange(N), 2),
        **how,
    )
    assert "0: 0" in twice.folds
    for name in how["measures"]:
        assert twice["model"][name].estimate == pytest.approx(once["model"][name].estimate, rel=1e-12)
        assert twice["model"][name].se == pytest.approx(once["model"][name].se, rel=0.02)


def test_a_group_that_is_ranked_perfectly_is_not_tested() -> None:
    perfect = np.where((GROUP == "x")[:, None], 0.98 * np.eye(K)[Y] + 0.02 / K + 1e-4 * A, A)
    found = rs.evaluate(Y, perfect, by=GROUP, measures=["macro_auc"])
    assert float(found["x"].values["macro_auc"].estimate) == pytest.approx(1, abs=1e-12)
    assert found.tests["model"].df == 1
    assert "group x: an AUC has no variance to test with" in str(found)


def test_few_rows_of_a_class_are_told() -> None:
    few = (Y != 2) | (np.cumsum(Y == 2) <= 12)
    grouped = rs.evaluate(Y[few], A[few], by=GROUP[few], measures=["macro_auc"])
    assert any(remark.code == "small_group" for remark in grouped.remarks)
    folds = np.arange(N)
    for label in range(K):
        folds[label == Y] = np.arange((label == Y).sum()) % 4
    folded = rs.evaluate(Y[few], A[few], fold=folds[few], measures=["macro_auc"])
    assert [remark.code for remark in folded.remarks] == ["few_of_class_in_fold"]
    assert rs.evaluate(Y, A, fold=folds, measures=["macro_auc"]).remarks == ()


def test_what_is_refused() -> None:
    with pytest.raises(rs.errors.ArgumentError, match="by and fold cannot be combined"):
        rs.evaluate(Y, A, by=GROUP, fold=FOLD)
    with pytest.raises(rs.errors.InputError, match="a cross-validation has at least two folds"):
        rs.evaluate(Y, A, fold=np.zeros(N))


def test_fitted_models_of_three_classes_in_groups() -> None:
    from sklearn.naive_bayes import GaussianNB

    model = GaussianNB().fit(B, Y)
    found: Any = rs.evaluate_estimators({"bayes": model}, A, Y, by=GROUP, measures=["macro_auc"])
    assert found.remarks[-1].code == "rows_may_be_known"
    assert found["x"].values["macro_auc"].estimate == pytest.approx(
        rs.multiclass_auc(Y[GROUP == "x"], model.predict_proba(A[GROUP == "x"])), rel=1e-12
    )


def test_a_report_of_classes_in_groups_from_the_command_line(tmp_path: Any) -> None:
    from typer.testing import CliRunner

    from rocsteady._src.views.cli.app import app

    path = tmp_path / "rows.csv"
    rows = [f"{label},{','.join(map(str, line))},{group}" for label, line, group in zip(Y, A, GROUP, strict=True)]
    path.write_text("\n".join(["y,a,b,c,site", *rows]))
    asked = [str(path), "--label", "y", "--score", "a", "--score", "b", "--score", "c", "--classes", "0,1,2"]
    shown = CliRunner().invoke(app, ["evaluate", *asked, "--by", "site"])
    assert shown.exit_code == 0
    assert "macro AUC is not shown to differ between groups" in shown.output
    for split in ("--by", "--fold"):
        made = CliRunner().invoke(app, ["report", *asked, split, "site", "--output", str(tmp_path / f"page{split}.md")])
        assert made.exit_code == 0, made.output
        assert "Make it again: rocsteady report" in (tmp_path / f"page{split}.md").read_text()


@pytest.mark.parametrize("n_groups", [2, 3, 4])
def test_welchs_p_is_that_of_plain_means(n_groups: int) -> None:
    """Of means of rows it is Welch's analysis of variance, of two of them Welch's t-test."""
    groups = [np.random.default_rng(each).normal(each / 4, 1 + each, 8 + 3 * each) for each in range(n_groups)]
    means, sizes = np.array([each.mean() for each in groups]), np.array([each.size for each in groups])
    squares = np.array([each.var(ddof=1) / each.size for each in groups])
    _, pvalue, df = all_equal(means, np.diag(squares), free=sizes - 1.0)
    assert df == n_groups - 1
    if n_groups == 2:
        assert pvalue == pytest.approx(stats.ttest_ind(*groups, equal_var=False).pvalue, rel=1e-9)
    weights = 1 / squares
    unsure = ((1 - weights / weights.sum()) ** 2 / (sizes - 1)).sum()
    between = (weights * (means - weights @ means / weights.sum()) ** 2).sum() / (n_groups - 1)
    ratio = between / (1 + 2 * (n_groups - 2) * unsure / (n_groups**2 - 1))
    assert pvalue == pytest.approx(stats.f.sf(ratio, n_groups - 1, (n_groups**2 - 1) / (3 * unsure)), rel=1e-9)
    surest = all_equal(means, np.diag(squares), free=np.full(n_groups, np.inf))
    assert surest == all_equal(means, np.diag(squares))


def test_rows_that_are_repeated_and_subjects_are_as_sure_as_they_are() -> None:
    rows = read_classes(Y, A)
    times = RNG.integers(1, 4, N)
    heavy = JudgedClasses(read_classes(Y, A, sample_weight=times, weight_type="frequency")).estimate("macro_auc")
    again = JudgedClasses(read_classes(Y.repeat(times), A.repeat(times, axis=0))).estimate("macro_auc")
    assert free_of_variance(heavy) == pytest.approx(free_of_variance(again), rel=1e-9)
    alone = JudgedClasses(replace(rows, clusters=np.arange(N))).estimate("macro_auc")
    plain = JudgedClasses(rows).estimate("macro_auc")
    assert free_of_variance(alone) == pytest.approx(free_of_variance(plain), rel=1e-9)


def test_the_script_of_the_page_knows_its_truths() -> None:
    parts = pytest.importorskip("benchmarks.multiclass_parts")  # a copy without the repository has none
    design = parts.Design(60, (0.5, 0.3, 0.2), 1.5)
    y, p = design.draw(np.random.default_rng(1))
    fold = parts.stratified(y, np.random.default_rng(2))
    found = rs.evaluate(y, p, fold=fold, classes=[0, 1, 2], measures=["macro_auc"])
    rows = read_classes(y, p, labels=[0, 1, 2])
    light = mean_over_folds(parts.parts_of(rows, fold, 5), "model", "macro_auc", 0.95, found.whole)
    assert tuple(light) == pytest.approx(tuple(found["model"]["macro_auc"]), rel=1e-12)
    truths = design.truths(["macro_auc"])["macro_auc"]
    assert abs(truths - rs.multiclass_auc(*design.draw(np.random.default_rng(3), 20_000))) < 0.02
