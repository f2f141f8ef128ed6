"""evaluate: which measures, at which threshold, on which rows, with which remarks; and all views of the result."""

from __future__ import annotations

import copy
import json
import math
import pickle
import warnings
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rocsteady as rs
from cases import each_case
from rocsteady._src.measures.registry import REGISTRY

if TYPE_CHECKING:
    from collections.abc import Iterator

RNG = np.random.default_rng(3)
Y = RNG.random(300) < 0.3
TABLE: dict[str, Any] = {
    "y": Y,
    "good": 1 / (1 + np.exp(-RNG.normal(size=300) - 2 * Y)),
    "poor": 1 / (1 + np.exp(-RNG.normal(size=300) - 0.3 * Y)),
    "logit": RNG.normal(size=300) + Y,
    "w": RNG.integers(0, 4, 300),
}
DEFAULTS = ("auc", "average_precision", "ks_statistic", "h_measure")


def evaluate(*models: str, **options: Any) -> rs.Evaluation:
    return rs.evaluate(TABLE, label="y", scores=list(models or ("good", "poor")), **options)


def values_of(evaluation: rs.Evaluation, model: str = "good") -> dict[str, Any]:
    return evaluation.values[model]  # noqa: PD011 - not a DataFrame


def refused(code: str, *words: str, **options: Any) -> None:
    with pytest.raises(rs.ArgumentError) as caught:
        evaluate(**options)
    assert caught.value.code == code
    for word in words:
        assert word in str(caught.value)


@pytest.fixture
def registered() -> Iterator[None]:
    """Forget the measures that a test registers."""
    known = dict(REGISTRY)
    yield
    REGISTRY.clear()
    REGISTRY.update(known)


# ---- Which measures


def test_default_measures() -> None:
    evaluation = evaluate()
    assert evaluation.models == ("good", "poor")
    assert evaluation.columns == DEFAULTS
    for model in evaluation.models:
        for column in DEFAULTS:
            assert values_of(evaluation, model)[column] == rs.get_measure(column)(TABLE["y"], TABLE[model])


def test_default_measures_with_a_threshold() -> None:
    columns = evaluate(threshold=0.5).columns
    assert columns[:4] == DEFAULTS
    assert columns[4:] == (
        "accuracy",
        "base_rate",
        "recall",
        "specificity",
        "precision",
        "negative_predictive_value",
        "f1",
        "matthews_correlation",
    )


def test_measures_by_name_short_form_function_and_text() -> None:
    evaluation = evaluate(measures=["auc", "mcc", rs.gini, "partial_auc", rs.get_measure("ks_statistic")])
    assert evaluation.columns == ("auc", "matthews_correlation", "gini", "partial_auc", "ks_statistic")
    assert evaluate(measures="auc").columns == ("auc",)
    assert evaluate(measures=(" auc ",)).columns == ("auc",)


def test_measures_by_family() -> None:
    for family in ("ranking", "threshold"):
        names = tuple(sheet.name for sheet in rs.list_measures(family))
        assert evaluate(measures=[f"family:{family}"]).columns == names
    both = evaluate(measures=["family:ranking", "family:threshold"])
    assert both.columns == tuple(sheet.name for sheet in [*rs.list_measures("ranking"), *rs.list_measures("threshold")])


def test_measures_with_parameters() -> None:
    texts = [
        "partial_auc(fpr_range=(0, 0.2))",
        "partial_auc(tpr_range=(0.8, 1), standardize=True)",
        "f_beta(beta=2)",
    ]
    evaluation = evaluate(measures=[*texts, "precision_at_k(k=20)", "lift(fraction=0.05)"])
    assert evaluation.columns == (*texts, "precision_at_k(k=20)", "lift(fraction=0.05)")
    y, good = TABLE["y"], TABLE["good"]
    values = values_of(evaluation)
    assert values[texts[0]] == rs.partial_auc(y, good, fpr_range=(0, 0.2))
    assert values[texts[1]] == rs.partial_auc(y, good, tpr_range=(0.8, 1), standardize=True)
    assert values[texts[2]] == rs.f_beta(y, good, beta=2)
    assert values["lift(fraction=0.05)"] == rs.lift(y, good, fraction=0.05)


def test_the_same_measure_is_listed_once_and_with_other_parameters_again() -> None:
    evaluation = evaluate(measures=["auc", "auc", rs.auc, "f_beta(beta=2)", "f_beta(beta=3)", "f_beta"])
    assert evaluation.columns == ("auc", "f_beta(beta=2)", "f_beta(beta=3)", "f_beta")


@pytest.mark.parametrize(
    "measures", [["accuracy"], [rs.accuracy], ["accuracy(threshold=0.3)"], ["f1", "accuracy", "auc"]]
)
def test_base_rate_stands_beside_accuracy(measures: list[Any]) -> None:
    evaluation = evaluate(measures=measures)
    place = next(i for i, column in enumerate(evaluation.columns) if column.startswith("accuracy"))
    assert evaluation.columns[place + 1] == "base_rate"
    assert values_of(evaluation)["base_rate"] == np.count_nonzero(~Y) / Y.size


def test_base_rate_is_shown_once() -> None:
    columns = evaluate(measures=["auc", "accuracy(threshold=0.4)", "accuracy", "base_rate"]).columns
    assert columns == ("auc", "accuracy(threshold=0.4)", "accuracy", "base_rate")


@each_case(
    ("measure", "code", "words"),
    [
        ("auk", "unknown_measure", "'auk'"),
        ("auc(", "measure_syntax", "'auc('"),
        ("auc(1)", "measure_syntax", "name(param=value, ...)"),
        ("lift(fraction=open('x'))", "measure_syntax", "cannot read"),
        ("__import__('os').system(x=1)", "measure_syntax", "cannot read"),
        ("lift(share=0.1)", "measure_params", "no parameter share; it has: fraction"),
        ("auc(k=3)", "measure_params", "it has: none"),
        ("family:none", "family", "families: ranking, parts, threshold"),
        ("lift(fraction=2)", "fraction", "(0, 1]"),
        (3, "unknown_measure", "'3'"),
    ],
)
def test_measures_that_cannot_be_read(measure: Any, code: str, words: str) -> None:
    refused(code, words, measures=[measure])


def test_a_registered_measure_appears_everywhere(registered: None) -> None:
    @rs.measure(label="Share of top", better="higher", bounds=(0, 1), family="house", undefined_when=("no_positives",))
    def top_share(ranked: rs.RankedScores, *, groups: int = 1) -> float:
        """Share of the positives among the highest distinct scores."""
        return float(ranked.pos[-groups:].sum() / ranked.n_pos)

    evaluation = evaluate(measures=["top_share", "top_share(groups=50)", "family:house", top_share])
    assert evaluation.columns == ("top_share", "top_share(groups=50)")
    assert values_of(evaluation)["top_share(groups=50)"] == top_share(TABLE["y"], TABLE["good"], groups=50)
    assert rs.list_measures("house")[0].summary == "Share of the positives among the highest distinct scores."
    assert rs.get_measure("top_share") is top_share
    assert rs.evaluate({"y": [0, 0], "s": [1, 2]}, label="y", scores="s", measures=["top_share"]).to_dict()["models"][
        0
    ]["undefined"] == {"top_share": "no_positives"}
    again = rs.measure(label="Again", better="higher", bounds=(0, 1))(top_share.sheet.formula)
    assert rs.get_measure("top_share") is again  # as when the cell of a notebook is run twice


def test_a_registered_measure_is_forgotten_with_its_test() -> None:
    assert "top_share" not in REGISTRY


# ---- At which threshold


def test_threshold_as_a_number() -> None:
    evaluation = evaluate(measures=["recall", "auc"], threshold=0.25)
    assert evaluation.thresholds == {"good": 0.25, "poor": 0.25}
    assert values_of(evaluation)["recall"] == rs.recall(TABLE["y"], TABLE["good"], threshold=0.25)
    assert values_of(evaluation, "poor")["recall"] == rs.recall(TABLE["y"], TABLE["poor"], threshold=0.25)


@pytest.mark.parametrize("rule", ["youden", "closest_topleft", "f_beta", "cost"])
def test_threshold_by_a_rule_is_chosen_for_each_model(rule: str) -> None:
    evaluation = evaluate("good", "logit", measures=["false_positive_rate"], threshold=rule)
    for model in ("good", "logit"):
        chosen = rs.best_threshold(TABLE["y"], TABLE[model], rule=rule)
        assert evaluation.thresholds[model] == chosen.threshold
        assert values_of(evaluation, model)["false_positive_rate"] == chosen.fpr
    assert len(set(evaluation.thresholds.values())) == 2


def test_a_parameter_of_the_measure_overrides_the_threshold() -> None:
    evaluation = evaluate(measures=["recall(threshold=0.9)", "recall"], threshold=0.25)
    assert values_of(evaluation)["recall(threshold=0.9)"] == rs.recall(TABLE["y"], TABLE["good"], threshold=0.9)
    assert values_of(evaluation)["recall"] == rs.recall(TABLE["y"], TABLE["good"], threshold=0.25)


def test_without_a_threshold_probabilities_are_cut_at_one_half() -> None:
    evaluation = evaluate(measures=["recall"])
    assert evaluation.thresholds == {}
    assert values_of(evaluation)["recall"] == rs.recall(TABLE["y"], TABLE["good"], threshold=0.5)
    with pytest.raises(rs.ArgumentError) as caught:
        evaluate("logit", measures=["recall"])
    assert caught.value.code == "threshold_required"


def test_a_threshold_is_not_shown_where_no_measure_uses_it() -> None:
    found = evaluate(measures=["auc"], threshold=0.3)
    assert "threshold" not in str(found)
    assert found.thresholds == {"good": 0.3, "poor": 0.3}  # kept, for gaps and whatever else asks for calls later


# ---- On which rows


def test_rows_are_dropped_for_all_models_alike() -> None:
    table = {name: column.astype(float) for name, column in TABLE.items()}
    table["good"][:10] = np.nan
    table["poor"][5:20] = np.nan
    table["y"][30] = np.nan
    table["w"][40:42] = np.nan
    kept = np.setdiff1d(np.arange(300), [*range(20), 30, 40, 41])
    evaluation = rs.evaluate(table, label="y", scores=["good", "poor"], weight="w", missing="drop")
    incomplete = np.setdiff1d(np.arange(300), kept)
    assert evaluation.origin.n_dropped == np.count_nonzero(TABLE["w"][incomplete])
    for model in ("good", "poor"):
        alone = rs.rank(table["y"][kept], table[model][kept], sample_weight=table["w"][kept])
        assert evaluation.ranked[model] == alone
        assert values_of(evaluation, model)["auc"] == rs.auc(alone)
    assert evaluation.n_pos == table["w"][kept] @ table["y"][kept]


def test_weights() -> None:
    evaluation = evaluate(weight="w", measures=["auc", "accuracy"])
    expected = rs.auc(TABLE["y"], TABLE["good"], sample_weight=TABLE["w"])
    assert values_of(evaluation)["auc"] == expected
    assert values_of(evaluation)["auc"] != rs.auc(TABLE["y"], TABLE["good"])
    assert evaluation.origin.weighted
    assert evaluation.origin.n_rows == np.count_nonzero(TABLE["w"])
    assert evaluation.n_pos == TABLE["w"][Y].sum()
    assert "(weighted)" in str(evaluation)


def test_positive_label() -> None:
    table = {**TABLE, "y": np.where(Y, "ill", "well")}
    evaluation = rs.evaluate(table, label="y", scores="good", pos_label="ill")
    assert values_of(evaluation) == values_of(evaluate("good"))
    assert "positive label 'ill'" in str(evaluation)
    turned = rs.evaluate(table, label="y", scores="good", pos_label="well")
    assert values_of(turned)["auc"] == pytest.approx(1 - values_of(evaluation)["auc"])
    with pytest.raises(rs.InputError) as caught:
        rs.evaluate(table, label="y", scores="good")
    assert caught.value.code == "positive_label_required"


def test_messages_name_the_columns_of_the_table() -> None:
    for column, code in (("y", "positive_label_required"), ("good", "score_type"), ("w", "weights_negative")):
        table = {**TABLE, "y": Y.astype(int)}
        table[column] = {"y": Y * 7, "good": np.full(300, 1j), "w": np.full(300, -1)}[column]
        with pytest.raises(rs.InputError, match=column) as caught:
            rs.evaluate(table, label="y", scores="good", weight="w")
        assert caught.value.code == code


def test_one_model_may_be_named_by_text_alone() -> None:
    assert rs.evaluate(TABLE, label="y", scores="good").to_dict() == evaluate("good").to_dict()


# ---- With which remarks


def test_clean_scores_leave_no_remark() -> None:
    assert evaluate().remarks == ()
    assert "note" not in str(evaluate())


def test_remarks_name_their_model_and_are_warned_about_once_each() -> None:
    table = {
        "y": [1, 0, 1, 0, 1, 0],
        "fine": [6, 1, 5, 2, 4, 3],
        "hard": [1, 0, 1, 0, 0, 0],
        "endless": [math.inf, 0, 2, 1, 3, -1],
        "near": [0.3, 0.1 + 0.2, 5, 1, 6, 2],
        "low": [1, 6, 2, 5, 3, 4],
    }
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        evaluation = rs.evaluate(table, label="y", scores=list(table)[1:])
    found = [(remark.model, remark.code) for remark in evaluation.remarks]
    assert found == [
        ("hard", "two_distinct_scores"),
        ("endless", "infinite_scores"),
        ("near", "near_ties"),
        ("low", "below_chance"),
    ]
    assert [warning.message.code for warning in caught] == [code for _, code in found if code != "below_chance"]
    for remark in evaluation.remarks:
        assert str(remark) == f"{remark.model}: {remark.text}"
        assert f"note: {remark}" in str(evaluation)
        assert remark.to_dict() in evaluation.to_dict()["remarks"]


def test_undefined_values_carry_their_reason() -> None:
    evaluation = rs.evaluate({"y": [1, 1, 1], "s": [1, 2, 3]}, label="y", scores="s")
    assert values_of(evaluation, "s")["auc"].reason == "single_class"
    assert values_of(evaluation, "s")["average_precision"] == 1.0
    (entry,) = evaluation.to_dict()["models"]
    assert entry["undefined"] == dict.fromkeys(("auc", "ks_statistic", "h_measure"), "single_class")
    assert str(evaluation).splitlines()[1].split() == ["s", "-", "1.0000", "-", "-"]


# ---- Views


def test_to_dict_is_plain_and_says_what_was_assumed() -> None:
    result = evaluate(threshold="youden", weight="w").to_dict()
    assert json.loads(json.dumps(result, allow_nan=False)) == result
    assert result["pos_label"] is True
    assert result["direction"] == "a higher score means more positive"
    assert result["version"] == rs.__version__
    assert (result["n_dropped"], result["weighted"]) == (0, True)
    assert [model["model"] for model in result["models"]] == ["good", "poor"]
    assert set(result["models"][0]) == {"model", "fingerprint", "measures", "threshold"}


@pytest.mark.parametrize(
    ("backend", "kind"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame), ("pyarrow", pa.Table)]
)
def test_to_frame(backend: str, kind: type) -> None:
    evaluation = evaluate(threshold="youden")
    frame = evaluation.to_frame(backend)
    assert isinstance(frame, kind)
    columns = pl.DataFrame(frame) if kind is not pl.DataFrame else frame
    assert columns.columns == ["model", "threshold", *evaluation.columns]
    assert columns["model"].to_list() == ["good", "poor"]
    assert columns["auc"].to_list() == [values_of(evaluation, model)["auc"] for model in evaluation.models]
    assert all(columns[column].dtype == pl.Float64 for column in evaluation.columns)


def test_to_frame_keeps_undefined_as_nan() -> None:
    frame = rs.evaluate({"y": [1, 1], "s": [1, 2]}, label="y", scores="s").to_frame("polars")
    assert math.isnan(frame["auc"].item())


def test_text_is_a_table_with_the_assumptions_below() -> None:
    lines = str(evaluate(measures=["auc", "accuracy"], threshold=0.5)).splitlines()
    assert lines[0].split() == ["model", "threshold", "auc", "accuracy", "base_rate"]
    assert lines[1].split()[:2] == ["good", "0.5"]
    assert float(lines[1].split()[2]) == round(rs.auc(TABLE["y"], TABLE["good"]), 4)
    assert len({len(line) for line in lines[:3]}) == 1
    n_pos = int(np.count_nonzero(Y))
    assert lines[3].startswith(f"300 rows: {n_pos} positive, {300 - n_pos} negative; positive label True;")
    assert lines[3].endswith("; a higher score means more positive")
    assert len(lines) == 4


def test_names_of_models_cannot_break_the_text() -> None:
    evil = "m\x1b[2J\nfake  0.99"
    for scores, notes in (([3, 1, 2], 0), ([1, 3, 2], 1)):
        text = str(rs.evaluate({"y": [1, 0, 1], evil: scores}, label="y", scores=evil))
        assert "\x1b" not in text
        assert len(text.splitlines()) == 3 + notes


def test_plot_draws_every_model_with_its_area() -> None:
    evaluation = evaluate()
    displays = evaluation.plot()
    (ax,) = {display.ax_ for display in displays}
    names = [text.get_text() for text in (*ax.texts, *(ax.get_legend().get_texts() if ax.get_legend() else ()))]
    for model, display in zip(evaluation.models, displays, strict=True):
        assert any(model in entry and f"{values_of(evaluation, model)['auc']:.3f}" in entry for entry in names)
        assert display.result.area == values_of(evaluation, model)["auc"]
    _, own = plt.subplots()
    assert evaluation.plot(own)[0].ax_ is own
    plt.close("all")


def test_ranked_scores_feed_every_other_function() -> None:
    evaluation = evaluate("good")
    ranked = evaluation.ranked["good"]
    assert rs.roc_curve(ranked).area == values_of(evaluation)["auc"]
    assert rs.best_threshold(ranked).threshold == rs.best_threshold(TABLE["y"], TABLE["good"]).threshold
    assert evaluation.fingerprints["good"] == rs.rank(TABLE["y"], TABLE["good"]).fingerprint


def test_evaluations_are_frozen_and_survive_copies() -> None:
    evaluation: Any = evaluate(threshold="youden", n_resamples=100)
    with pytest.raises(AttributeError):
        evaluation.models = ()
    for twin in (copy.deepcopy(evaluation), pickle.loads(pickle.dumps(evaluation))):  # noqa: S301
        assert twin.to_dict() == evaluation.to_dict()
        assert str(twin) == str(evaluation)


def test_the_table_is_left_as_it_was() -> None:
    before = {name: column.copy() for name, column in TABLE.items()}
    evaluate(weight="w", threshold="youden")
    assert all(np.array_equal(TABLE[name], before[name]) for name in TABLE)


def test_near_ties_of_single_precision_are_reported() -> None:
    near = np.array([0.1, np.nextafter(np.float32(0.1), np.float32(1)), -0.2, 0.7], dtype=np.float32)
    ties = rs.tie_diagnostics([1, 0, 0, 1], near)
    assert (ties.near_tied_pairs, ties.auc, ties.auc_if_near_ties_tied) == (0.25, 0.75, 0.875)


def test_predicted_labels_of_both_signs_need_no_threshold() -> None:
    assert rs.recall([-1, 1, 1, -1], [-1, 1, -1, -1]) == 0.5
    assert rs.confusion([-1, 1], [-1, -1]).tp == 0


def test_a_row_of_weight_zero_is_not_asked_for_its_values() -> None:
    assert rs.auc([1, 0, 1], [2.0, 1.0, np.nan], sample_weight=[1, 1, 0]) == 1.0
    table = {"y": [1, 0, None], "a": [2.0, 1.0, 5.0], "w": [1, 1, 0]}
    assert rs.evaluate(table, label="y", scores="a", weight="w").origin.n_dropped == 0


def test_a_threshold_rule_can_have_options() -> None:
    result = rs.evaluate(TABLE, label="y", scores="good", measures=["recall"], threshold="sensitivity(value=0.9)")
    assert rs.recall(result.ranked["good"], threshold=result.thresholds["good"]) >= 0.9


@pytest.mark.parametrize("more", [{"pos_label": 1}, {"sample_weight": [1, 1]}, {"y_score": [1, 2]}])
def test_counted_data_go_alone(more: dict[str, Any]) -> None:
    for measure, data in ((rs.auc, rs.rank([1, 0], [2, 1])), (rs.accuracy, rs.Confusion(1, 1, 1, 1))):
        with pytest.raises(rs.ArgumentError) as told:
            measure(data, **more)
        assert told.value.code == "already_ranked"


@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
@pytest.mark.parametrize("limits", [{"fpr_range": (0.0, 0.1)}, {"fpr_range": (0.2, 0.5)}, {"tpr_range": (0.8, 1.0)}])
def test_a_partial_area_says_how_large_it_can_be(limits: dict[str, tuple[float, float]]) -> None:
    y, perfect, same = [0, 1] * 20, [0, 1] * 20, [0] * 40
    asked = f"partial_auc({', '.join(f'{name}={each}' for name, each in limits.items())})"
    result: Any = rs.evaluate(y, {"a": np.linspace(0, 1, 40)}, measures=[asked])
    told = next(remark for remark in result.remarks if remark.code == "partial_area")
    assert told.params["most"] == pytest.approx(rs.partial_auc(y, perfect, **limits))
    assert told.params["chance"] == pytest.approx(rs.partial_auc(y, same, **limits))
    assert "a perfect ranking has" in str(result)
    assert "a perfect ranking has" in result.to_markdown()
    standard = rs.evaluate(y, {"a": np.linspace(0, 1, 40)}, measures=["partial_auc(standardize=True)"])
    assert "perfect ranking" not in str(standard)
