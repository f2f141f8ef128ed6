"""Rules for thresholds: every one against all thresholds tried one by one with fractions; and what chooses by them."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings

import oracles
import rocsteady as rs
from cases import each_case
from rocsteady.inference import threshold_interval
from strategies import COUNT_WEIGHTS, FLOAT_WEIGHTS, ScoreTable, score_tables

if TYPE_CHECKING:
    from collections.abc import Callable

SHEETS = [sheet for sheet in rs.list_measures("threshold") if sheet.better != "neither"]
AT_AN_END = ("recall", "specificity", "false_positive_rate", "false_negative_rate")
TRADED = {
    "recall": "specificity",
    "false_negative_rate": "specificity",
    "negative_predictive_value": "specificity",
    "false_omission_rate": "specificity",
    "negative_likelihood_ratio": "specificity",
    "specificity": "recall",
    "false_positive_rate": "recall",
    "precision": "recall",
    "false_discovery_rate": "recall",
    "positive_likelihood_ratio": "recall",
}
COSTS = [
    {"tp": -3, "fp": 1, "fn": 2},
    {"tp": -2, "fp": 1, "fn": 0, "tn": -1},
    {"tp": 4, "fp": 1, "fn": 2, "tn": 0.5},
    {"cost_fp": 2, "cost_fn": 3, "benefit_tn": 0.25, "prevalence": 0.125},
]


def seen(value: Any) -> Any:
    """A number that has an order, or None."""
    return None if value is None or (isinstance(value, float) and math.isnan(value)) else value


def of_measure(name: str, better: str) -> Callable[[oracles.Cells], Any]:
    sign = -1 if better == "lower" else 1
    return lambda cells: None if (value := seen(getattr(oracles, name)(cells))) is None else sign * value


def of_held(name: str, better: str, value: float) -> Callable[[oracles.Cells], Any]:
    wanted = Fraction(str(value))

    def merit(cells: oracles.Cells) -> Any:
        held = seen(getattr(oracles, name)(cells))
        met = held is not None and (held <= wanted if better == "lower" else held >= wanted)
        return getattr(oracles, TRADED[name])(cells) if met else None

    return merit


def of_breakeven(cells: oracles.Cells) -> Any:
    return -abs(cells.fp - cells.fn) / (cells.tp + cells.fp + cells.fn + cells.tn)


def of_cost(options: dict[str, Any]) -> Callable[[oracles.Cells], Any]:
    cost = {
        name: Fraction(options.get(name, options.get(f"cost_{name}", -options.get(f"benefit_{name}", -usual))))
        for name, usual in {"tp": 0, "fp": 1, "fn": 1, "tn": 0}.items()
    }

    def merit(cells: oracles.Cells) -> Any:
        share = Fraction(options["prevalence"]) if "prevalence" in options else oracles.prevalence(cells)
        of_pos = cost["tp"] * oracles.recall(cells) + cost["fn"] * oracles.false_negative_rate(cells)
        of_neg = cost["tn"] * oracles.specificity(cells) + cost["fp"] * oracles.false_positive_rate(cells)
        return -(share * of_pos + (1 - share) * of_neg)

    return merit


def cases() -> list[tuple[Any, dict[str, Any], Callable[[oracles.Cells], Any], bool]]:
    """Rule, options, what is to be largest exactly, and whether the rule reports its negative."""
    made: list[Any] = [("breakeven", {}, of_breakeven, True)]
    made += [("cost", options, of_cost(options), True) for options in COSTS]
    made += [
        (sheet.name, {}, of_measure(sheet.name, sheet.better), sheet.better == "lower")
        for sheet in SHEETS
        if sheet.name not in AT_AN_END
    ]
    for sheet in SHEETS:
        for value in (0.25, 0.5, 0.8) if sheet.name in TRADED else ():
            made.append((f"{sheet.name}(value={value})", {}, of_held(sheet.name, sheet.better, value), False))
    made.append((lambda counts: 2 * counts.tp - counts.fp, {}, lambda cells: 2 * cells.tp - cells.fp, False))
    made.append((one_by_one, {}, lambda cells: min(cells.tp, cells.tn), False))
    return made


def one_by_one(counts: Any) -> Any:
    return min(counts.tp, counts.tn)


def choose(table: ScoreTable, rule: Any, options: dict[str, Any]) -> Any:
    try:
        return rs.best_threshold(table.y_true, table.y_score, sample_weight=table.sample_weight, rule=rule, **options)
    except rs.InputError as error:
        if error.code != "rule_unmet":
            raise
        return None


@settings(max_examples=15)
@given(table=score_tables(weights=COUNT_WEIGHTS))
def test_every_rule_finds_the_best_of_all_thresholds(table: ScoreTable) -> None:
    rows = oracles.rows_of(*table)
    candidates = [(threshold, oracles.cells(rows, threshold)) for threshold in oracles.thresholds(rows)]
    for rule, options, merit, negated in cases():
        merits = [(merit(cells), threshold) for threshold, cells in candidates]
        allowed = [found for found, _ in merits if found is not None]
        choice = choose(table, rule, options)
        if not allowed:
            assert choice is None, rule
            continue
        best = max(allowed)
        threshold = next(threshold for found, threshold in merits if found == best)
        assert choice.threshold == (math.inf if threshold is None else threshold), (rule, options)
        reached = -choice.objective if negated else choice.objective
        assert reached == best or oracles.relative_error(reached, best, scale=1) < 1e-12, (rule, options)


@settings(max_examples=10)
@given(table=score_tables(weights=FLOAT_WEIGHTS, scores=("eighths",)))
def test_every_rule_reaches_the_best_with_weights(table: ScoreTable) -> None:
    """Thresholds equal but for rounding may change places; what is reached may not."""
    rows = oracles.rows_of(*table)
    for rule, options, merit, negated in cases():
        if isinstance(rule, str) and "value" in rule:
            continue
        allowed = [found for cells in oracles.all_cells(rows) if (found := merit(cells)) is not None]
        choice = choose(table, rule, options)
        if allowed and not isinstance(max(allowed), float):
            reached = -choice.objective if negated else choice.objective
            assert oracles.relative_error(reached, max(allowed), scale=1) < 1e-9, (rule, options)


def test_many_scores_choose_from_the_hull_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cheapest of the vertices of the hull is the cheapest of all thresholds, and of equal ones the highest."""
    draw = np.random.default_rng(3)
    for turn in range(60):
        n = int(draw.integers(2, 60))
        y = np.append(draw.random(n) < 0.4, [True, False])
        ranked = rs.rank(y, np.round(draw.normal(size=n + 2) + y, turn % 3))
        costs: dict[str, Any] = {"fp": turn % 4, "fn": turn % 3 + (turn % 4 == 0), "prevalence": (None, 0.1)[turn % 2]}
        all_of_them = rs.best_threshold(ranked, rule="cost", **costs)
        with monkeypatch.context() as few:
            few.setattr("rocsteady._src.measures.best_threshold.MANY_GROUPS", 0)
            found = rs.best_threshold(ranked, rule="cost", **costs)
        assert str(found.to_dict()) == str(all_of_them.to_dict())  # NaN is as undefined in both


@settings(max_examples=10)
@given(table=score_tables(weights=("none",), scores=("heavy ties", "eighths")))
def test_a_constant_weight_moves_no_choice(table: ScoreTable) -> None:
    weighted = table._replace(sample_weight=np.full(len(table.y_true), 0.1))
    for rule in ("f1", "mcc", "accuracy", "cohen_kappa", "markedness", "jaccard", "breakeven", "cost(tp=-1)"):
        first, second = (choose(data, rule, {}) for data in (table, weighted))
        assert (first is None) == (second is None)
        assert first is None or first.threshold == second.threshold, rule


Y = np.array([0, 0, 1, 0, 1, 0, 1, 1, 0, 1] * 6)
S = np.linspace(0, 1, 60) ** 2 + 0.1 * np.sin(np.arange(60))
STRINGS = ["f1", "mcc", "accuracy", "precision(value=0.6)", "recall(value=0.9)", "breakeven", "cost(fn=5, tp=-1)"]


@each_case("rule", STRINGS)
def test_the_same_string_everywhere(rule: str) -> None:
    cut = rs.best_threshold(Y, S, rule=rule).threshold
    assert rs.confusion(Y, S, threshold=rule).threshold == cut
    assert rs.evaluate(Y, S, threshold=rule, measures=["f1"]).thresholds == {"score": cut}
    assert threshold_interval(Y, S, rule=rule, n_resamples=20, random_state=0)["threshold"].estimate == cut


def test_options_in_brackets_and_beside() -> None:
    assert rs.best_threshold(Y, S, rule="precision(value=0.6)") == rs.best_threshold(Y, S, rule="precision", value=0.6)
    assert rs.best_threshold(Y, S, rule=rs.measures.f1) == rs.best_threshold(Y, S, rule="F1")
    with pytest.raises(rs.ArgumentError, match="give it once"):
        rs.best_threshold(Y, S, rule="precision(value=0.6)", value=0.7)


def test_a_threshold_of_each_model_counts_its_choice_alone() -> None:
    given_thresholds: dict[str, Any] = {"a": 0.3, "b": "mcc"}
    found = rs.evaluate(Y, {"a": S, "b": S**2}, threshold=given_thresholds, measures=["mcc"], intervals=True)
    assert found.thresholds == {"a": 0.3, "b": rs.best_threshold(Y, S**2, rule="mcc").threshold}
    column = found.columns[0]
    assert "optimism" not in found.intervals["a"][column].method
    assert "optimism" in found.intervals["b"][column].method
    alone = rs.evaluate(Y, {"b": S**2}, threshold="mcc", measures=["mcc"], intervals=True)
    assert tuple(alone.intervals["b"][column]) == tuple(found.intervals["b"][column])


def test_rules_of_models_are_saved(tmp_path: Any) -> None:
    found = rs.evaluate(Y, {"a": S, "b": S**2}, threshold={"a": rs.measures.f1, "b": "mcc"}, measures=["mcc"])
    assert rs.load(found.save(tmp_path / "e.json")).threshold_rule == {"a": "f1", "b": "mcc"}
    own = rs.evaluate(Y, S, threshold=one_by_one, measures=["mcc"])
    with pytest.raises(rs.InputError, match="function cannot be saved"):
        own.save(tmp_path / "own.json")


def test_a_choice_prints_what_it_reached_and_what_it_traded() -> None:
    said = str(rs.best_threshold(Y, S, rule="cost", fp=1, fn=5, benefit_tp=2))
    assert "smallest expected cost per row (FP 1, FN 5, TP -2): -" in said
    assert "largest recall with precision >= 0.6: 0." in str(rs.best_threshold(Y, S, rule="precision(value=0.6)"))
    assert "largest F1: 0." in str(rs.best_threshold(Y, S, rule="f1"))


@pytest.mark.parametrize(
    ("labels", "pos_label", "kinds"),
    [
        (np.array([0, 1]), None, "i"),
        (np.array([-1, 1]), None, "i"),
        (np.array([False, True]), None, "b"),
        (np.array(["no", "yes"]), "yes", "U"),
        (np.array([2, 7]), 2, "i"),
    ],
)
def test_predicted_labels_are_of_the_kind_of_the_data(labels: Any, pos_label: Any, kinds: str) -> None:
    y = labels[Y] if pos_label is None or pos_label == labels[1] else labels[1 - Y]
    for made in (
        rs.best_threshold(y, S, pos_label=pos_label),
        rs.best_threshold(rs.evaluate(y, S, pos_label=pos_label).ranked["score"]),
    ):
        called = made.predict(S)
        assert called.dtype.kind == kinds
        assert set(called.tolist()) == set(labels.tolist())
        positive = called == made.origin.pos_label
        assert (positive == (made.threshold <= S)).all()


def test_predictions_that_would_be_guesses_are_refused() -> None:
    several = rs.best_threshold(["a", "b", "c", "a"], [3, 1, 2, 4], pos_label="a")
    with pytest.raises(rs.ArgumentError, match="neg_label="):
        several.predict([1, 2])
    assert several.predict([1, 5], neg_label="other").tolist() == ["other", "a"]
    choice = rs.best_threshold(Y, S)
    with pytest.raises(rs.InputError, match="1 missing, row 1"):
        choice.predict([0.5, math.nan])
    with pytest.raises(rs.InputError, match="one column"):
        choice.predict(np.ones((3, 2)))
    with pytest.raises(rs.InputError, match="numbers"):
        choice.predict(["a"])
    whole = rs.best_threshold([0, 1], [2**53, 2**53 + 1])
    assert whole.predict([2**53, 2**53 + 1]).tolist() == [0, 1]


@each_case(
    ("rule", "said"),
    [
        ("recall", r"such as sensitivity\(value=0\.9\)"),
        ("fpr", r"false_positive_rate\(value=0\.9\)"),
        ("auc", "no measure at a threshold"),
        ("prevalence", "neither better high nor low"),
        ("best", "'best' by what"),
        ("f1(value=0.5)", "no option value; it has: none"),
        ("cost(fp=1, cost_fp=2)", "one cell"),
        ("cost(fp=-1, tp=-2)", "those of errors >= 0"),
        ("cost(tp=1, fn=1, tn=1, fp=1)", "every threshold costs the same"),
        (3, "name or a function"),
        (lambda: 1, "must take the counts"),
        (lambda counts: "a", "one number"),
    ],
)
def test_rules_that_choose_nothing_are_refused(rule: Any, said: str) -> None:
    with pytest.raises(rs.RocsteadyError, match=said):
        rs.best_threshold(Y, S, rule=rule)


def test_an_unreachable_precision_names_the_highest() -> None:
    with pytest.raises(
        rs.InputError, match=r"no threshold has a precision of at least 0\.9: the highest is 0\.\d+, at"
    ):
        rs.best_threshold(Y, -S, rule="precision(value=0.9)")


def test_resamples_without_an_allowed_threshold_are_counted() -> None:
    """The highest score is of a positive: where it is not drawn, others must reach the precision."""
    y = np.array([1, *[0] * 9, 1, 1, 1, 1, 1, 1, *[0] * 9])
    score = np.arange(y.size)[::-1]
    found = threshold_interval(y, score, rule="precision(value=0.3)", n_resamples=60, random_state=0)["tpr"]
    assert 0 < found.resampling.n_failed <= 6
    with pytest.raises(rs.InputError, match="without a threshold that the rule allows"):
        threshold_interval(y, score, rule="precision(value=0.45)", n_resamples=60, random_state=0)
