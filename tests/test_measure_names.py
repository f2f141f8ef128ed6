"""One look-up for all doors, and doors that take what people hand them, or say what to do."""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from cases import each_case
from rocsteady._src.extras.lab.measure_requests import read_measures
from rocsteady._src.measures.names import fold
from rocsteady._src.measures.registry import DECLARED, REGISTRY
from rocsteady._src.measures.requests import parse_requests
from rocsteady._src.views.cli.options import known_measures

TYPED = {
    "auc": "AUC",
    "pr_auc": "PR_AUC pr-auc",
    "matthews_correlation": "mcc MCC",
    "recall": "sensitivity tpr TPR",
    "false_positive_rate": "fpr FPR",
    "false_negative_rate": "fnr",
    "specificity": "tnr",
    "precision": "ppv",
    "negative_predictive_value": "npv",
    "false_discovery_rate": "fdr",
    "f1": "F1",
    "log_loss": "logloss",
    "lambda_auc": "λAUC lambdaAUC",
    "rho_auc": "\N{GREEK SMALL LETTER RHO}AUC rhoAUC",
    "scored_auc": "scorAUC",
    "softened_auc": "sondAUC",
    "soft_auc": "softAUC",
    "prob_auc": "probAUC",
    **{f"mm{i}_auc": f"mm{i}AUC mm{i}" for i in (1, 4, 6, 7, 11, 12)},
    "auch": "AUCH",
    "ks_statistic": "KS",
    "gini": "Gini",
    "low_auc": "lowAUC",
    "up_auc": "upAUC",
}
PAIRS = [(name, typed) for name, all_typed in TYPED.items() for typed in all_typed.split()]
RNG = np.random.default_rng(5)
Y = RNG.integers(0, 2, 60)
SCORE = np.clip(0.4 * Y + 0.6 * RNG.random(60), 0, 1)


@each_case(("name", "typed"), PAIRS)
def test_what_people_type_is_found_at_every_door(name: str, typed: str) -> None:
    assert rs.get_measure(typed).sheet.name == name
    assert parse_requests([typed])[0].sheet.name == name
    assert known_measures([typed]) == [typed]
    assert read_measures([typed])[0].registered == name


def test_names_never_mean_two_things() -> None:
    seen: dict[str, str] = {}
    for found in REGISTRY.values():
        for name in (found.sheet.name, *found.sheet.aliases):
            assert seen.setdefault(fold(name), found.sheet.name) == found.sheet.name, name
            assert DECLARED[fold(name)] is found


def test_short_forms_are_attributes_of_the_package() -> None:
    short = {form: sheet.name for sheet in rs.list_measures() for form in sheet.aliases}
    assert set(short) == {"fpr", "tpr", "fnr", "tnr", "ppv", "npv", "fdr", "mcc", "sensitivity"}
    for form, name in short.items():
        assert getattr(rs, form) is getattr(rs, name)
    assert not hasattr(rs, "mccc")


def test_pr_auc_is_the_number_that_xgboost_calls_aucpr() -> None:
    xgboost = pytest.importorskip("xgboost")
    rows = xgboost.DMatrix(np.zeros((60, 1)), label=Y, base_margin=SCORE.astype(np.float32))
    told = xgboost.train({"eval_metric": "aucpr", "learning_rate": 0}, rows, 1).eval(rows)
    assert float(told.rpartition(":")[2]) == pytest.approx(rs.measures.pr_auc(Y, SCORE.astype(np.float32)), abs=1e-7)


@pytest.mark.parametrize(
    ("name", "meant"),
    [("mm7AUC", "mm7_auc"), ("MCC", "matthews_correlation"), ("λAUC", "lambda_auc")],
)
def test_what_the_look_up_takes_is_an_attribute_of_the_package(name: str, meant: str) -> None:
    assert getattr(rs, name) is getattr(rs, meant) is rs.get_measure(name)


def test_attributes_that_are_no_measure_stay_absent() -> None:
    with pytest.raises(AttributeError, match="'gAUC': gAUC is two numbers: ask for low_auc and up_auc"):
        _ = rs.gAUC
    for name in ("_auc", "__auc__", "nothing"):
        with pytest.raises(AttributeError, match=f"^module 'rocsteady' has no attribute '{name}'$"):
            getattr(rs, name)


def test_the_library_names_its_own_function_for_the_list() -> None:
    with pytest.raises(rs.ArgumentError, match=r"; rs\.list_measures\(\) lists them all$"):
        rs.get_measure("nothing like it")


def test_a_pair_of_numbers_is_asked_for_as_two() -> None:
    assert [request.column for request in parse_requests(["gAUC"])] == ["low_auc", "up_auc"]
    with pytest.raises(rs.ArgumentError, match="low_auc and up_auc"):
        rs.get_measure("gAUC")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("acuracy", "accuracy"), ("matthews_corr", "matthews_correlation"), ("roc_acu", "auc"), ("mm7AUV", "mm7")],
)
def test_suggestions_find_names_and_aliases(typed: str, meant: str) -> None:
    with pytest.raises(rs.ArgumentError, match=rf"did you mean .*{meant}"):
        rs.get_measure(typed)


@pytest.mark.parametrize(
    ("rule", "options"), [("TPR", {"tpr": 0.9}), ("sensitivity", {"value": 0.9}), ("recall", {"recall": 0.9})]
)
def test_rules_by_the_name_of_their_rate(rule: str, options: dict[str, float]) -> None:
    found = rs.best_threshold(Y, SCORE, rule=rule, **options)
    assert found == rs.best_threshold(Y, SCORE, rule="sensitivity", value=0.9)


def test_options_of_rules_are_named() -> None:
    with pytest.raises(rs.ArgumentError, match=r"value=0\.9"):
        rs.best_threshold(Y, SCORE, rule="specificity")
    with pytest.raises(rs.ArgumentError, match="no option wrong; it has: value"):
        rs.best_threshold(Y, SCORE, rule="specificity", wrong=1)
    found = rs.best_threshold(Y, SCORE, rule="specificity", specificity=0.9)
    assert found == rs.best_threshold(Y, SCORE, rule="specificity", value=0.9)


def test_a_choice_stands_for_its_threshold() -> None:
    choice = rs.best_threshold(Y, SCORE)
    assert str(rs.confusion(Y, SCORE, threshold=choice)) == str(rs.confusion(Y, SCORE, threshold=choice.threshold))


def test_thresholds_by_model() -> None:
    table = {"y": Y, "a": SCORE, "b": SCORE**2}
    given = {"a": 0.5, "b": "youden"}
    found = rs.evaluate(table, label="y", scores=["a", "b"], threshold=given, measures=["recall"])
    assert found.thresholds == {"a": 0.5, "b": rs.best_threshold(Y, SCORE**2).threshold}
    for wrong, text in (({"a": 0.5}, "none for 'b'"), ({**given, "c": 1}, "'c', which is no model")):
        with pytest.raises(rs.ArgumentError, match=text):
            rs.evaluate(table, label="y", scores=["a", "b"], threshold=wrong, measures=["recall"])


def test_pictures_of_an_evaluation_by_kind() -> None:
    found = rs.evaluate({"y": Y, "a": SCORE}, label="y", scores="a")
    (display,) = found.plot("pr")
    assert display.ax_.get_xlabel() == "Recall"
    (same,) = found.plot(kind="pr")
    assert same.ax_.get_xlabel() == "Recall"
    with pytest.raises(rs.ArgumentError, match="kinds: roc, pr, det, gains"):
        found.plot("volcano")


def test_only_roc_curves_dominate() -> None:
    curve = rs.pr_curve(Y, SCORE)
    with pytest.raises(rs.ArgumentError, match="ROC curves, got PrCurve"):
        rs.dominates(curve, curve)


def mean_score(y_true: Any, y_score: Any) -> float:
    return float(np.mean(y_score))


def test_plain_functions_are_measures() -> None:
    from sklearn.metrics import roc_auc_score

    table = {"y": Y, "a": SCORE}
    wanted = {"mine": lambda _, score: float(np.mean(score)), "area": "auc"}
    found = rs.evaluate(table, label="y", scores="a", measures=wanted, intervals=True, n_resamples=60)
    assert found.values["a"] == {"mine": pytest.approx(SCORE.mean()), "area": rs.auc(Y, SCORE)}
    assert found.intervals["a"]["mine"].low < SCORE.mean() < found.intervals["a"]["mine"].high
    columns = rs.evaluate(table, label="y", scores="a", measures=[roc_auc_score, mean_score]).columns
    assert columns == ("roc_auc_score", "mean_score")
    with pytest.raises(rs.ArgumentError, match=r"measures=\{'name': lambda"):
        rs.evaluate(table, label="y", scores="a", measures=[lambda a, b: 1.0])


@pytest.mark.parametrize("weights", [None, RNG.integers(1, 4, 60)])
def test_the_bootstrap_hands_resampled_rows_to_plain_functions(weights: Any) -> None:
    from sklearn.metrics import roc_auc_score

    options: dict[str, Any] = {"n_resamples": 40, "random_state": 3, "sample_weight": weights, "stratified": True}
    if weights is not None:
        options["weight_type"] = "frequency"
    ours = rs.bootstrap_interval("auc", Y, SCORE, **options).resampling.distribution
    theirs = rs.bootstrap_interval(roc_auc_score, Y, SCORE, **options).resampling.distribution
    rows = rs.bootstrap_interval(
        lambda y, s: rs.auc(y.tolist(), s.tolist()), Y, SCORE, **options
    ).resampling.distribution
    assert theirs == pytest.approx(ours, abs=1e-12)
    assert rows == pytest.approx(ours, abs=1e-12)


def test_weights_that_are_no_counts_need_a_function_that_takes_them() -> None:
    with pytest.raises(rs.ArgumentError, match="add sample_weight=None"):
        rs.bootstrap_interval(mean_score, Y, SCORE, sample_weight=np.full(60, 0.7), n_resamples=40)
    with pytest.raises(rs.ArgumentError, match="must return one number"):
        rs.bootstrap_interval(lambda y, s: s, Y, SCORE, n_resamples=40)


@pytest.mark.parametrize("made", [lambda ranked: ranked, lambda _: None, lambda _: "0.5", lambda _: np.ones(2)])
def test_functions_of_ranked_scores_return_one_number_too(made: Any) -> None:
    calls = [
        lambda: rs.bootstrap_interval(made, Y, SCORE, n_resamples=40),
        lambda: rs.inference.jackknife_interval(made, Y, SCORE),
        lambda: rs.compare_measure(made, Y, SCORE, -SCORE, n_resamples=40),
        lambda: rs.evaluate({"y": Y, "a": SCORE}, label="y", scores="a", measures={"mine": made}),
    ]
    for call in calls:
        with pytest.raises(rs.ArgumentError, match="must return one number, got"):
            call()


@pytest.fixture
def registry() -> Any:
    kept, declared = dict(REGISTRY), dict(DECLARED)
    yield
    for now, before in ((REGISTRY, kept), (DECLARED, declared)):
        now.clear()
        now.update(before)


@pytest.mark.usefixtures("registry")
def test_own_measures_with_ordinary_parameters_and_run_twice() -> None:
    facts: dict[str, Any] = {"label": "Mine", "better": "higher", "bounds": (0, 1)}
    for value in (0.25, 0.75):

        @rs.measure(**facts)
        def mine(ranked: rs.RankedScores, k: int = 3, power: float = 2.0, value: float = value) -> float:
            return value

    assert rs.get_measure("Mine")(Y, SCORE, k=2) == 0.75

    @rs.measure(**facts | {"label": "Rows"})
    def of_rows(y_true: Any, y_score: Any, sample_weight: Any = None, power: float = 2) -> float:
        return float(np.average(np.abs(y_true - y_score) ** power, weights=sample_weight))

    assert of_rows(Y, SCORE) == pytest.approx(rs.brier_score(Y, SCORE))
    assert of_rows(Y, SCORE, power=1) == pytest.approx(np.abs(Y - SCORE).mean())
    for name in ("auc", "mcc"):

        def taken(ranked: rs.RankedScores) -> float:
            return 0.0

        taken.__name__ = name
        with pytest.raises(rs.ArgumentError, match="built in"):
            rs.measure(**facts)(taken)
    with pytest.raises(rs.ArgumentError, match=r"write @rs\.measure"):
        rs.measure(mean_score)


@pytest.mark.parametrize("options", [{}, {"pos_label": 1}])
def test_swapped_labels_and_scores_are_recognised(options: dict[str, Any]) -> None:
    for call in (rs.auc, rs.roc_curve, rs.auc_interval, rs.best_threshold):
        with pytest.raises(rs.InputError, match="look swapped; labels come first") as caught:
            call(SCORE, Y, **options)
        assert caught.value.code == "swapped"


@pytest.mark.parametrize("kind", [rs.RocsteadyWarning, rs.UndefinedWarning, rs.InputError, rs.ArgumentError])
def test_errors_and_warnings_are_ordinary_ones(kind: type) -> None:
    for made, code in ((kind("text"), kind.__name__), (kind("code", "text"), "code")):
        again = pickle.loads(pickle.dumps(made))  # noqa: S301 - our own
        for each in (made, again, copy.copy(made), copy.deepcopy(made)):
            assert (str(each), each.code) == ("text", code)
    if issubclass(kind, Warning):
        with pytest.warns(kind, match="text"):
            warnings.warn("text", kind, stacklevel=1)


def test_severity_ratio_is_that_of_a_false_positive_over_a_missed_one() -> None:
    """Where false positives weigh more, the model that finds some positives without any wins, and the reverse."""
    labels = np.repeat([1, 0], 50)
    sure_of_some = np.r_[np.linspace(2, 3, 25), np.linspace(0, 1, 25), np.linspace(0, 1, 50)]
    misses_none = np.r_[np.linspace(0, 1, 50), np.linspace(0, 1, 25), np.linspace(-2, -1, 25)]
    for severity, better, worse in ((20.0, sure_of_some, misses_none), (0.05, misses_none, sure_of_some)):
        values = [rs.h_measure(labels, scores, severity_ratio=severity) for scores in (better, worse)]
        assert values[0] > values[1] + 0.1
        c = np.linspace(0, 1, 20001)[1:-1]
        density = c ** (2 - 1) * (1 - c) ** (1 / severity)
        curve = rs.roc_curve(labels, better)
        losses = [np.min(share * 0.5 * curve.fpr + (1 - share) * 0.5 * (1 - curve.tpr)) for share in c[::20]]
        ignoring = np.minimum(c * 0.5, (1 - c) * 0.5)[::20]
        assert values[0] == pytest.approx(
            1 - np.sum(losses * density[::20]) / np.sum(ignoring * density[::20]), abs=0.01
        )


def test_prob_auc_ignores_a_shift_that_stays_among_probabilities() -> None:
    assert "shift" in rs.get_measure("prob_auc").sheet.invariances
    assert rs.prob_auc(Y, SCORE / 2 + 0.25) == pytest.approx(rs.prob_auc(Y, SCORE / 2), abs=1e-15)


def test_bands_hold_areas_and_curves_by_separate_counts() -> None:
    from rocsteady.lab import simulate_binormal

    found = simulate_binormal(200, 200, n_redraws=8, delta=0.02)
    assert 0 <= found.curve_coverage <= found.coverage <= 1
    wide = simulate_binormal(200, 200, n_redraws=3, delta=5.0)
    assert (wide.coverage, wide.curve_coverage) == (1.0, 1.0)
    assert "the whole true curve within it" in str(found)
