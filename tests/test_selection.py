"""The selection experiment: what it computes, against slow ways; what it refuses; what it survives."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import rocsteady as rs
from rocsteady._src.extras.lab.selection import _rows, _without_spread
from rocsteady._src.extras.lab.selection_batch import ON_PAIRS, areas, judge
from rocsteady._src.extras.lab.selection_split import Plan, bootstrap_sample, divide, run_split
from rocsteady._src.extras.lab.selection_stats import picks_of, spearman_rows
from rocsteady._src.measures.requests import parse_requests
from rocsteady.lab import corrected_test, select_models, simulate_binormal

pytest.importorskip("sklearn")

from sklearn.linear_model import LogisticRegression, RidgeClassifier, SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

if TYPE_CHECKING:
    pass

SMALL: dict[str, Any] = {"n_splits": 4, "n_bootstraps": 12, "random_state": 3, "progress": False}
MEASURES = ["auc", "lambda_auc(delta=0.1)", "rho_auc", "scored_auc", "brier_score"]


@pytest.fixture(scope="module")
def rows() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(8)
    y = np.repeat([1, 0], [40, 60])
    return rng.normal(size=(100, 3)) + 0.8 * y[:, None], y


@pytest.fixture(scope="module")
def found(rows: Any) -> Any:
    return select_models(rows, "tree", MEASURES, **SMALL)


def same(first: Any, second: Any) -> bool:
    return np.array_equal(first.validation, second.validation) and np.array_equal(first.test_auc, second.test_auc)


# ---- what a split computes ----


def test_values_and_picks_are_those_of_the_public_functions_on_models_trained_again(rows: Any, found: Any) -> None:
    """The experiment written out slowly from its description, with scikit-learn and the public measures."""
    x, y = rows
    for split in range(2):
        rng = np.random.default_rng(np.random.SeedSequence(3, spawn_key=(split,)))
        train, validation, test = divide(y == 1, (0.6, 0.2, 0.2), rng)
        aucs, values = [], []
        for _ in range(12):
            sample = bootstrap_sample(y == 1, train, rng)
            model = DecisionTreeClassifier(min_samples_leaf=5, random_state=int(rng.integers(2**31 - 1)))
            model.fit(x[sample], y[sample])
            on_validation, on_test = (model.predict_proba(x[part])[:, 1] for part in (validation, test))
            table = {"y": y[validation], "s": on_validation}
            values.append(list(rs.evaluate(table, label="y", scores="s", measures=MEASURES).values["s"].values()))
            aucs.append(rs.auc(rs.rank(y[test], on_test)))
        assert found.test_auc[split] == pytest.approx(aucs, abs=1e-14)
        assert found.validation[split] == pytest.approx(np.array(values).T, rel=1e-12, abs=1e-14)
        best_brier = np.array(values)[:, 4].min()
        tied = [
            auc for auc, value in zip(aucs, values, strict=True) if value[4] == pytest.approx(best_brier, rel=1e-12)
        ]
        assert found.pick_auc[split, 4] == pytest.approx(np.mean(tied))


def test_parts_are_disjoint_stratified_and_cover_all_rows() -> None:
    positive = np.arange(107) < 33
    parts = divide(positive, (0.6, 0.2, 0.2), np.random.default_rng(0))
    assert np.array_equal(np.sort(np.concatenate(parts)), np.arange(107))
    assert [(int(positive[part].sum()), int((~positive[part]).sum())) for part in parts] == [(19, 44), (7, 15), (7, 15)]


def test_bootstrap_samples_have_both_classes_and_come_from_train() -> None:
    positive = np.arange(30) < 2
    train = np.arange(0, 30, 1)
    rng = np.random.default_rng(1)
    for _ in range(200):
        sample = bootstrap_sample(positive, train, rng)
        assert sample.size == 30
        assert 0 < positive[sample].sum() < 30


def test_a_classifier_is_trained_anew_for_every_sample(rows: Any) -> None:
    """A warm start would carry knowledge from one bootstrap sample to the next."""
    cold = SGDClassifier(loss="log_loss", max_iter=5, tol=None)
    warm = SGDClassifier(loss="log_loss", max_iter=5, tol=None, warm_start=True)
    assert same(*(select_models(rows, {"sgd": each}, ["auc"], **SMALL) for each in (cold, warm)))


# ---- measures of many models at once ----


def scores_of(rng: np.random.Generator, kind: str, n: int) -> np.ndarray:
    made = {
        "distinct": rng.random((7, n)),
        "tied": rng.integers(0, 4, (7, n)) / 4,
        "decimal": np.round(rng.random((7, n)), 1),
        "decision": rng.normal(0, 3, (7, n)),
        "constant": np.full((7, n), 0.3),
    }
    return made[kind]


ALL = [
    *(name for name in ON_PAIRS if name not in ("low_auc", "up_auc", "lambda_auc")),
    *(f"{name}(delta={delta})" for name in ("low_auc", "up_auc", "lambda_auc") for delta in (0, 0.1, 0.3)),
    "rho_auc(upper=0.4)",
    "softened_auc(q=0.5)",
    "soft_auc(beta=40.0)",
    "mm6_auc(n=0.0625)",
    "mm4_auc(floor=0.2)",
    "lambda_auc(delta=0.1, definition='dong2013')",
    "average_precision",
]


@pytest.mark.parametrize("kind", ["distinct", "tied", "decimal", "decision", "constant"])
@pytest.mark.parametrize("n_pos", [1, 9, 20])
def test_values_of_many_models_are_those_of_one(kind: str, n_pos: int) -> None:
    scores = scores_of(np.random.default_rng(n_pos), kind, 21)
    positive = np.arange(21) < n_pos
    requests = parse_requests([name for name in ALL if kind != "decision" or name != "prob_auc"])
    values = judge(requests, positive, scores)
    for model, row in enumerate(scores):
        one = [request.sheet.compute(request.sheet.ranker(positive, row), **request.params) for request in requests]
        assert values[:, model] == pytest.approx(one, rel=1e-12, abs=1e-15, nan_ok=True)


def test_perfect_and_inverted_models_keep_their_values() -> None:
    positive = np.arange(6) < 3
    scores = np.array([[0.9, 0.8, 0.7, 0.3, 0.2, 0.1], [0.1, 0.2, 0.3, 0.7, 0.8, 0.9]])
    values = judge(parse_requests(["auc", "rho_auc", "mm6_auc", "lambda_auc(delta=0.9)"]), positive, scores)
    ranked = [rs.rank(positive, row) for row in scores]
    assert values[0].tolist() == [1.0, 0.0]
    assert values[1, 0] == pytest.approx(rs.rho_auc(ranked[0]), rel=1e-12)
    assert math.isnan(values[1, 1])
    assert values[2] == pytest.approx([rs.mm6_auc(each) for each in ranked])
    assert values[3, 0] == pytest.approx(rs.lambda_auc(ranked[0], delta=0.9))


def test_large_sets_go_through_the_formula_of_the_measure() -> None:
    rng = np.random.default_rng(2)
    positive = rng.random(900) < 0.4
    scores = rng.random((2, 900))
    requests = parse_requests(["auc", "scored_auc", "rho_auc"])
    values = judge(requests, positive, scores)
    for model in range(2):
        ranked = rs.rank(positive, scores[model])
        assert values[:, model].tolist() == [request.sheet.compute(ranked) for request in requests]


def test_areas_are_exact_counts() -> None:
    rng = np.random.default_rng(0)
    positive = rng.random(50) < 0.5
    scores = rng.integers(0, 8, (4, 50)).astype(float)
    p, n = scores[:, positive], scores[:, ~positive]
    for model, area in enumerate(areas(positive, scores)):
        won = sum(Fraction(int(a > b)) + Fraction(int(a == b), 2) for a in p[model] for b in n[model])
        assert area == pytest.approx(float(won / (p.shape[1] * n.shape[1])), abs=1e-16)


# ---- statistics ----


def test_corrected_test_by_hand() -> None:
    """Mean .04, s = .02, J = 3, n_test/n_train = 1/3: variance (1/3 + 1/3) s^2 = .000266667, t = 2.449490.

    With 2 degrees of freedom p = 1 - t / sqrt(t^2 + 2) = 1 - sqrt(6/8) = 0.133975.
    """
    test = corrected_test([0.02, 0.04, 0.06], n_train=60, n_test=20)
    assert test.se == pytest.approx(math.sqrt(0.0004 * 2 / 3))
    assert (test.statistic, test.pvalue) == pytest.approx((math.sqrt(6), 1 - math.sqrt(0.75)))
    assert (test.low + test.high) / 2 == pytest.approx(0.04)
    assert (test.high - test.low) / 2 == pytest.approx(4.302652729911275 * test.se)  # t of 2 df at 0.975


def test_without_overlap_it_is_the_usual_t_test() -> None:
    from scipy.stats import ttest_1samp

    differences = np.random.default_rng(5).normal(0.3, 1, 12)
    usual = ttest_1samp(differences, 0)
    test = corrected_test(differences, n_train=1e18, n_test=1)
    assert (test.statistic, test.pvalue) == pytest.approx((usual.statistic, usual.pvalue))
    assert (test.low, test.high) == pytest.approx(tuple(usual.confidence_interval()))


def test_corrected_test_agrees_with_the_worked_example_of_scikit_learn() -> None:
    """Its user guide, "Statistical comparison of models using grid search": rbf against linear, one-sided p."""
    from sklearn.datasets import make_moons
    from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
    from sklearn.svm import SVC

    x, y = make_moons(noise=0.352, random_state=1, n_samples=100)
    folds = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    rbf, linear = (cross_val_score(SVC(kernel=k, random_state=0), x, y, scoring="roc_auc", cv=folds) for k in KERNELS)
    test = corrected_test(rbf - linear, n_train=90, n_test=10)
    assert (round(test.statistic, 3), round(test.pvalue / 2, 3)) == (0.750, 0.227)


KERNELS = ("rbf", "linear")


def test_no_difference_at_all_is_p_one_and_one_split_is_unknown() -> None:
    nothing = corrected_test([0.0, 0.0, 0.0], n_train=3, n_test=1)
    assert (nothing.statistic, nothing.pvalue) == (0, 1)
    assert np.isnan([nothing.low, nothing.high]).all()
    for differences, code in (([0.1], "splits_too_few"), ([1 / 22, 1 / 22], "splits_agree")):
        found = corrected_test(differences, n_train=3, n_test=1)
        assert np.isnan([found.pvalue, found.statistic, found.low, found.high]).all()
        assert [remark.code for remark in found.warnings] == [code]
    with pytest.raises(rs.ArgumentError):
        corrected_test([0.1, 0.2], n_train=0, n_test=1)


def test_tied_picks_count_by_their_mean_and_nan_is_never_picked() -> None:
    goodness = np.array([[0.9, 0.7, 0.9, 0.9 - 1e-15], [np.nan, -0.2, -0.1, np.nan], [np.nan] * 4])
    picks, counts, means = picks_of(goodness, np.array([0.5, 0.6, 0.8, 0.9]))
    assert picks.tolist() == [0, 2, -1]
    assert counts.tolist() == [3, 1, 0]
    assert means[:2] == pytest.approx([2.2 / 3, 0.8])
    assert math.isnan(means[2])


def test_spearman_is_that_of_scipy_with_ties() -> None:
    from scipy.stats import spearmanr

    rng = np.random.default_rng(1)
    values, others = rng.integers(0, 5, (3, 30)).astype(float), rng.integers(0, 9, 30).astype(float)
    expected = [spearmanr(row, others).statistic for row in values]
    assert spearman_rows(values, others) == pytest.approx(expected)
    assert math.isnan(spearman_rows(np.ones((1, 30)), others)[0])


def test_rows_are_the_tests_of_the_picks(found: Any) -> None:
    reference = found.pick_auc[:, 0]
    assert any(row.difference for row in found.rows)
    pvalues = []
    for place, row in enumerate(found.rows):
        test = corrected_test(found.pick_auc[:, place] - reference, n_train=60, n_test=20)
        assert row.test_auc == pytest.approx(found.pick_auc[:, place].mean())
        if place:
            assert (row.difference, row.low, row.high) == pytest.approx((test.estimate, test.low, test.high))
            assert (row.statistic, row.pvalue) == pytest.approx((test.statistic, test.pvalue), nan_ok=True)
            pvalues.append(test.pvalue)
    assert [row.pvalue_holm for row in found.rows[1:]] == pytest.approx(rs.adjust_pvalues(pvalues).tolist())
    assert math.isnan(found.rows[0].pvalue)
    lower = -found.validation[:, 4]
    expected = np.mean([spearman_rows(each[None], aucs)[0] for each, aucs in zip(lower, found.test_auc, strict=True)])
    assert found.row("brier_score").spearman == pytest.approx(expected)


def test_equal_differences_of_two_splits_are_no_proof() -> None:
    """The picks of a measure are better by the same in both splits: how much that varies is not known."""
    away = np.array([[0.8, 0.8 + 1 / 22, 0.8], [0.7, 0.7 + 1 / 22, 0.7 + 1e-16]])
    rows = _rows(
        ("auc", "better", "alike"), 0, away, np.ones((2, 3)), away, {"n_train": 60, "n_test": 20, "level": 0.95}
    )
    own, better, alike = rows
    assert (own.difference, own.low, own.high) == (0, 0, 0)
    assert better.difference == pytest.approx(1 / 22)
    assert np.isnan([better.low, better.high, better.pvalue, better.pvalue_holm, better.detectable]).all()
    assert (alike.difference, alike.pvalue) == (0, 1)
    assert np.isnan([alike.low, alike.high]).all()
    assert _without_spread(rows)[0].startswith("better, alike: the difference is the same in every split")


def test_an_oracle_measure_would_be_found_and_the_result_says_what_was_done(found: Any) -> None:
    assert found.random_auc == pytest.approx(found.test_auc.mean())
    assert found.best_auc == pytest.approx(found.test_auc.max(axis=1).mean())
    text = str(found)
    for word in ("auc", "scored_auc", "seed 3", "tree (predict_proba)", "positive label 1", "80% of the time"):
        assert word in text
    plain = json.loads(json.dumps(found.to_dict()))
    assert plain["seed"] == 3
    assert plain["versions"]["scikit-learn"]
    assert len(plain["rows"]) == 5
    assert found.to_frame("polars").shape == (5, 14)


# ---- runs ----


def test_more_splits_begin_with_the_same_ones(rows: Any, found: Any) -> None:
    more = select_models(rows, "tree", MEASURES, **{**SMALL, "n_splits": 5})
    assert np.array_equal(more.validation[:4], found.validation)
    other = select_models(rows, "tree", MEASURES, **{**SMALL, "random_state": 4})
    assert not same(other, found)


def test_a_seed_is_drawn_and_told(rows: Any) -> None:
    options = {**SMALL, "random_state": None, "n_splits": 2}
    first = select_models(rows, "tree", ["auc"], **options)
    again = select_models(rows, "tree", ["auc"], **{**options, "random_state": first.seed})
    assert same(first, again)


def test_a_function_is_told_the_share_done(rows: Any, found: Any) -> None:
    shares: list[float] = []
    told = select_models(rows, "tree", MEASURES, **{**SMALL, "progress": shares.append})
    assert shares == [0.25, 0.5, 0.75, 1.0]
    assert json.dumps(told.to_dict()) == json.dumps(found.to_dict())


def test_several_classifiers_compete(rows: Any) -> None:
    both = select_models(rows, {"a": "tree", "b": GaussianNB()}, ["auc"], **SMALL)
    assert both.test_auc.shape == (4, 24)
    assert both.classifiers == {"a": "predict_proba", "b": "predict_proba"}


def test_a_split_does_not_depend_on_the_others(rows: Any, found: Any) -> None:
    from rocsteady._src.extras.lab.selection_classifiers import read_classifiers
    from rocsteady._src.extras.lab.selection_data import read_rows

    requests = tuple(parse_requests(MEASURES))
    plan = Plan(read_rows(rows), tuple(read_classifiers("tree")), requests, (0.6, 0.2, 0.2), 12, 3)
    assert np.array_equal(run_split(plan, 3).validation, found.validation[3])


# ---- the binormal model ----


def test_binormal_redraws() -> None:
    simulated = simulate_binormal(300, 200, n_redraws=60, delta=0.02, random_state=1)
    assert simulated.true_auc == pytest.approx(0.7602499389065233)  # Phi(1 / sqrt(2))
    assert abs(simulated.auc.mean() - simulated.true_auc) < 4 * simulated.auc.std() / math.sqrt(60)
    assert (simulated.low_auc < simulated.auc).all()
    assert (simulated.auc < simulated.up_auc).all()
    rng = np.random.default_rng(1)
    draws = [np.concatenate([rng.normal(0.65, 0.2, 300), rng.normal(0.45, 0.2, 200)]) for _ in range(2)]
    y = np.repeat([1, 0], [300, 200])
    assert simulated.sample.auc == rs.auc(y, draws[0])
    assert simulated.low_auc[0] == rs.low_auc(y, draws[1], delta=0.02)
    curve = rs.roc_curve(y, draws[1])
    for x, height in zip(simulated.fpr[::20], simulated.tpr[0, ::20], strict=True):
        assert height == curve.tpr[curve.fpr <= x + 1e-12].max()
    assert "60 redraws" in str(simulated)
    with pytest.raises(rs.ArgumentError):
        simulate_binormal(0, 5)


def test_pictures_show_all_models_and_mark_the_picks(found: Any) -> None:
    mpl = pytest.importorskip("matplotlib")
    mpl.use("Agg")
    import matplotlib.pyplot as plt

    drawn = found.plot(measure="rho_auc", split=1)
    texts = [text.get_text() for text in drawn.ax_.get_legend().get_texts()]
    assert any("picked by rho_auc" in text for text in texts)
    assert any(text.startswith("picked by auc") for text in texts)
    assert drawn.ax_.lines[0].get_ydata().size == 12
    assert [label.get_text() for label in found.plot().ax_.get_yticklabels()] == [*found.measures[:0:-1]]
    assert found.plot(publication=True).figure_.get_size_inches()[0] < 5
    redraws = simulate_binormal(50, 50, n_redraws=4).plot()
    assert len(redraws.ax_.lines) >= 5
    with pytest.raises(rs.ArgumentError, match="there is no measure 'gini'"):
        found.plot(measure="gini")
    with pytest.raises(rs.ArgumentError, match="from 0 to 3"):
        found.plot(measure="auc", split=4)
    plt.close("all")


def test_scores_may_be_decision_values(rows: Any) -> None:
    result = select_models(rows, RidgeClassifier(), ["auc", "scored_auc"], **SMALL)
    assert result.classifiers == {"RidgeClassifier": "decision_function"}
    x, y = rows
    rng = np.random.default_rng(np.random.SeedSequence(3, spawn_key=(0,)))
    train, _, test = divide(y == 1, (0.6, 0.2, 0.2), rng)
    sample = bootstrap_sample(y == 1, train, rng)
    model = RidgeClassifier(random_state=int(rng.integers(2**31 - 1))).fit(x[sample], y[sample])
    assert result.test_auc[0, 0] == pytest.approx(rs.auc(y[test], model.decision_function(x[test])), abs=1e-14)


def test_logistic_regression_of_a_frame_keeps_its_columns(rows: Any) -> None:
    import pandas as pd
    from sklearn.compose import make_column_transformer
    from sklearn.pipeline import make_pipeline

    x, y = rows
    frame = pd.DataFrame(x, columns=["a", "b", "c"])
    model = make_pipeline(make_column_transformer(("passthrough", ["a", "c"])), LogisticRegression())
    framed = select_models((frame, y), {"m": model}, ["auc"], **SMALL)
    plain = select_models((x[:, [0, 2]], y), {"m": LogisticRegression()}, ["auc"], **SMALL)
    assert framed.test_auc == pytest.approx(plain.test_auc)
