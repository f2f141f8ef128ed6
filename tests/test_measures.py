"""Every measure of sections 1 and 2 against its definition, through every door."""

from __future__ import annotations

import math
import pickle
import warnings
from contextlib import contextmanager
from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
import rocsteady as rs
from cases import each_case
from strategies import COUNT_WEIGHTS, FLOAT_WEIGHTS, ScoreTable, score_tables, splits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

EXACT, AUC_ERROR, OTHER_ERROR = 0.0, 1e-14, 1e-12


class Case(NamedTuple):
    """A measure, its parameters, its definition and the relative errors allowed on counts and on float weights.

    With float weights the error may be relative to ``scale`` instead: cumulative weights are rounded relative to
    their total, and what is left of them after a difference cannot be better than that.
    """

    name: str
    oracle: Callable[..., Any]
    params: dict[str, Any]
    on_counts: float = OTHER_ERROR
    on_weights: float = OTHER_ERROR
    scale: float = 0.0

    def value(self, table: ScoreTable) -> float:
        return call(getattr(rs, self.name), table, **self.params)

    def reference(self, table: ScoreTable) -> Any:
        return self.oracle(oracles.rows_of(*table), **self.params)


def ranking_case(name: str, *facts: float, scale: float = 0.0, **params: Any) -> Any:
    oracle = getattr(oracles, {"pr_auc": "pr_area"}.get(name, name))
    case = Case(name, oracle, params, *facts)._replace(scale=scale)
    return pytest.param(case, id=f"{name}{params or ''}")


RANKING_CASES = [
    ranking_case("auc", EXACT, AUC_ERROR),
    ranking_case("gini", EXACT, AUC_ERROR, scale=1.0),
    ranking_case("defective_pairs", EXACT, AUC_ERROR),
    ranking_case("auch", AUC_ERROR, AUC_ERROR),
    ranking_case("average_precision"),
    ranking_case("pr_auc"),
    ranking_case("r_precision", scale=1.0),
    ranking_case("precision_at_k", k=1, scale=1.0),
    ranking_case("precision_at_k", k=3, scale=1.0),
    ranking_case("recall_at_k", k=2, scale=1.0),
    ranking_case("recall_at_k", k=2.5, scale=1.0),
    ranking_case("lift", fraction=0.25, scale=1.0),
    ranking_case("lift", fraction=1.0, scale=1.0),
    ranking_case("ks_statistic", scale=1.0),
    ranking_case("partial_auc", fpr_range=(0, 0.125), scale=1.0),
    ranking_case("partial_auc", fpr_range=(0.25, 0.75), scale=1.0),
    ranking_case("partial_auc", fpr_range=(0.3, 1), scale=1.0),
    ranking_case("partial_auc", tpr_range=(0.75, 1), scale=1.0),
    ranking_case("partial_auc", tpr_range=(0.125, 0.5), scale=1.0),
    ranking_case("partial_auc", fpr_range=(0, 0.5), standardize=True, scale=1.0),
    ranking_case("partial_auc", tpr_range=(0.5, 1), standardize=True, scale=1.0),
    ranking_case("h_measure", scale=1.0),
    ranking_case("h_measure", alpha=2.0, beta=1.5, scale=1.0),
]
CASES: list[Case] = [case.values[0] for case in RANKING_CASES]

THRESHOLD_NAMES = [sheet.name for sheet in rs.list_measures("threshold")]
DIFFERENCES_OF_RATES = {"youden_j", "markedness", "matthews_correlation", "cohen_kappa"}


def call(measure: Callable[..., Any], table: ScoreTable, **params: Any) -> Any:
    """Ask a measure through its first door; what it has to say about odd scores is tested elsewhere."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocsteadyWarning)
        return measure(table.y_true, table.y_score, sample_weight=table.sample_weight, **params)


def ranked_of(table: ScoreTable) -> rs.RankedScores:
    return rs.rank(table.y_true, table.y_score, sample_weight=table.sample_weight)


def assert_close(value: float, reference: Any, allowed: float, scale: float = 0.0, name: Any = "") -> None:
    if allowed == EXACT:
        assert value == float(reference) if reference is not None else math.isnan(value), name
        return
    error = oracles.relative_error(value, reference, scale=scale)
    assert error <= allowed, f"{value!r} is not {reference}: relative error {error:.2g} {name}"


def same(first: Any, second: Any) -> bool:
    return np.array_equal(np.asarray(first, dtype=float), np.asarray(second, dtype=float), equal_nan=True)


@contextmanager
def undefined(reason: str) -> Iterator[None]:
    with pytest.warns(rs.UndefinedWarning) as told:
        yield
    assert [warning.message.code for warning in told] == [reason]


# Ranking measures


@given(table=score_tables(weights=COUNT_WEIGHTS))
def test_ranking_measures_on_counts(table: ScoreTable) -> None:
    for case in CASES:
        assert_close(case.value(table), case.reference(table), case.on_counts, name=case)


@given(table=score_tables(weights=FLOAT_WEIGHTS, scores=("heavy ties", "eighths", "probabilities")))
def test_ranking_measures_on_float_weights(table: ScoreTable) -> None:
    for case in CASES:
        assert_close(case.value(table), case.reference(table), case.on_weights, case.scale, name=case)


@each_case("case", RANKING_CASES)
def test_ranking_measure_on_more_rows(case: Case) -> None:
    rng = np.random.default_rng(11)
    y_true = (rng.random(60) < 0.3).astype(int)
    table = ScoreTable(y_true, (rng.normal(size=60) + y_true).round(1))
    assert_close(case.value(table), case.reference(table), case.on_counts)


@given(score_tables(weights=("none",), max_rows=7, scores=("heavy ties", "eighths")))
def test_r_precision_is_the_mean_over_all_orders_inside_ties(table: ScoreTable) -> None:
    """Averaged over every order of the rows, each sorted by score, instead of by a formula."""
    n_pos = int(table.y_true.sum())
    hits = [
        sum(table.y_true[row] for row in sorted(order, key=lambda row: -table.y_score[row])[:n_pos])
        for order in permutations(range(len(table.y_true)))
    ]
    mean = Fraction(int(sum(hits)), len(hits) * n_pos)
    assert_close(call(rs.r_precision, table), mean, OTHER_ERROR)


def test_severity_ratio_of_the_h_measure_is_a_beta_distribution() -> None:
    rows = ([1, 0, 1, 0, 0], [0.9, 0.6, 0.4, 0.2, 0.1])
    assert rs.h_measure(*rows, severity_ratio=0.5) == rs.h_measure(*rows, alpha=2.0, beta=3.0)
    assert rs.h_measure(*rows, severity_ratio="prevalence") == rs.h_measure(*rows, severity_ratio=2 / 3)


@pytest.mark.parametrize("prevalence", [0.01, 0.25, 0.5])
def test_constant_score(prevalence: float) -> None:
    y_true = np.arange(1000) < 1000 * prevalence
    rows = rs.rank(y_true, np.zeros(1000))
    assert (rs.auc(rows), rs.gini(rows), rs.ks_statistic(rows), rs.h_measure(rows), rs.auch(rows)) == (
        0.5,
        0,
        0,
        0,
        0.5,
    )
    assert rs.average_precision(rows) == rs.pr_auc(rows) == rs.r_precision(rows) == prevalence
    assert rs.lift(rows) == pytest.approx(1, rel=1e-15)


def test_small_pr_area_after_a_large_precision_keeps_its_digits() -> None:
    groups = rs.RankedScores.from_counts([2, 1], pos=[1, 10**5], neg=[0, 10**13])
    rows = oracles.rows_of([1, 1, 0], [2, 1, 1], [1, 10**5, 10**13])
    assert_close(rs.pr_auc(groups), oracles.pr_area(rows), OTHER_ERROR)


@pytest.mark.parametrize(
    ("pos", "neg"),
    [
        ([1001, 1000], [1000, 1001]),
        ([10**6 + 1, 10**6], [10**6, 10**6]),
        ([10**12, 10**12, 1], [1, 2, 5]),
        ([1, 2, 1], [10**12, 10**12, 1]),
    ],
    ids=["near chance", "nearer to chance", "few negatives", "few positives"],
)
@pytest.mark.parametrize("params", [{}, {"alpha": 2.0, "beta": 1.5}, {"alpha": 0.5, "beta": 0.5}], ids=str)
def test_h_measure_keeps_its_digits(pos: list[int], neg: list[int], params: dict[str, float]) -> None:
    scores = list(range(len(pos), 0, -1))
    rows = oracles.rows_of([1] * len(pos) + [0] * len(neg), scores * 2, pos + neg)
    value = rs.h_measure(rs.RankedScores.from_counts(scores, pos, neg), **params)
    assert_close(value, oracles.h_measure(rows, **params), OTHER_ERROR)


@pytest.mark.parametrize("alpha", [600.0, 1e4])
def test_h_measure_of_costs_that_hardly_vary_does_not_overflow(alpha: float) -> None:
    """Where all costs are next to 1/2, it is what one threshold at that cost saves; 1/B(alpha, alpha) is no double."""
    y_true, y_score = [1, 0, 1, 0, 0, 1], [6, 5, 4, 3, 2, 1]
    calls = oracles.all_cells(oracles.rows_of(y_true, y_score))
    least = min(cells.fp + cells.fn for cells in calls)
    with np.errstate(all="raise"):
        assert rs.h_measure(y_true, y_score, alpha=alpha, beta=alpha) == pytest.approx(1 - least / 3, abs=0.02)


def test_hull_under_one_huge_class() -> None:
    """As shares of all rows the negatives of a group round to nothing beside its positives."""
    y_true, y_score = [1, 0, 0, 0, 1, 0, 1, 1, 1, 1], [6, 5, 4, 4, 5, 4, 2, 5, 5, 3]
    table = ScoreTable(
        np.array(y_true), np.array(y_score), np.array([1e8, 4, 0.1, 0.1, 1e8, 1, 1e16, 1e16, 7e15, 1e16])
    )
    assert_close(call(rs.auch, table), oracles.auch(oracles.rows_of(*table)), AUC_ERROR)


# Threshold measures


@given(score_tables(weights=COUNT_WEIGHTS, classes="any", min_rows=1))
def test_threshold_measures_on_counts(table: ScoreTable) -> None:
    check_at_every_threshold(table, dict.fromkeys(THRESHOLD_NAMES, 0.0))


@given(score_tables(weights=FLOAT_WEIGHTS, scores=("heavy ties", "eighths")))
def test_threshold_measures_on_float_weights(table: ScoreTable) -> None:
    check_at_every_threshold(table, {name: float(name in DIFFERENCES_OF_RATES) for name in THRESHOLD_NAMES})


def check_at_every_threshold(table: ScoreTable, scales: dict[str, float]) -> None:
    rows, ranked = oracles.rows_of(*table), ranked_of(table)
    for step, cells in enumerate(oracles.all_cells(rows)):
        for name, scale in scales.items():
            reference, value = getattr(oracles, name)(cells), value_at(ranked, name, step)
            assert_close(value, reference, OTHER_ERROR, scale)
            assert (reference is None) is (getattr(value, "reason", None) == "zero_division"), name


def value_at(ranked: rs.RankedScores, name: str, step: int) -> float:
    """The same bits through all thresholds at once, through one, through counts, and as their attribute."""
    measure, everywhere = getattr(rs, name), rs.confusion(ranked, threshold="all")
    cells = rs.Confusion(*(getattr(everywhere, cell)[step].item() for cell in ("tp", "fp", "fn", "tn")))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.UndefinedWarning)
        value, at_once = measure(cells), measure(ranked, threshold="all")[step]
        # inf names "nothing positive", unless it is a score itself
        alone = (
            [measure(ranked, threshold=everywhere.threshold[step])] if step or not ranked.has_infinite_scores else []
        )
    assert all(same(other, value) for other in (at_once, getattr(cells, name), *alone)), name
    return value


@pytest.mark.parametrize("name", THRESHOLD_NAMES)
@given(cells=st.tuples(*[st.integers(0, 2**61)] * 4))
def test_threshold_measure_on_huge_counts(name: str, cells: tuple[int, ...]) -> None:
    if any(cells):
        check_counts(name, *cells)


@each_case("name", THRESHOLD_NAMES)
def test_threshold_measure_next_to_chance(name: str) -> None:
    check_counts(name, 10**12 + 1, 10**12, 10**12, 10**12)


def check_counts(name: str, *cells: int) -> None:
    reference = getattr(oracles, name)(oracles.Cells(*map(Fraction, cells)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.UndefinedWarning)
        assert_close(getattr(rs, name)(rs.Confusion(*cells)), reference, OTHER_ERROR)


@each_case("name", THRESHOLD_NAMES)
def test_threshold_measure_over_all_thresholds_does_not_overflow(name: str) -> None:
    pos, neg = [2**40, 3, 2**41], [5, 2**42, 2**40]
    values = getattr(rs, name)(rs.RankedScores.from_counts([3, 2, 1], pos, neg), threshold="all")
    rows = oracles.rows_of([1] * 3 + [0] * 3, [3, 2, 1] * 2, pos + neg)
    for value, cells in zip(values.tolist(), oracles.all_cells(rows), strict=True):
        assert_close(value, getattr(oracles, name)(cells), OTHER_ERROR)


@pytest.mark.parametrize("beta", [0.0, 0.5, 2.0, 10.0])
@given(cells=st.tuples(*[st.integers(0, 50)] * 4))
def test_f_beta(beta: float, cells: tuple[int, ...]) -> None:
    reference = oracles.f_beta(oracles.Cells(*map(Fraction, cells)), beta=beta)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.UndefinedWarning)
        assert_close(rs.f_beta(rs.Confusion(*cells), beta=beta), reference, OTHER_ERROR)


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_thresholds_beyond_2_53_compare_as_integers(dtype: Any) -> None:
    scores = np.array([2**53, 2**53 + 1, 2**53 + 2, 2**53 + 3], dtype=dtype)
    ranked = rs.rank([1, 0, 1, 1], scores)
    for called, threshold in enumerate(scores[::-1].tolist(), start=1):
        counts = rs.confusion(ranked, threshold=threshold)
        assert counts.tp + counts.fp == called
    assert rs.confusion(ranked, threshold=2.0**53 + 4).tp == 0
    assert rs.confusion(ranked, threshold=scores).tp.tolist() == [3, 2, 2, 1]


def test_thresholds_beyond_all_floats() -> None:
    assert rs.recall([1, 1, 0], [10**400, 1, 0], threshold=10**400) == 0.5


@given(score_tables(weights=COUNT_WEIGHTS, classes="any", min_rows=1), st.lists(st.floats(-2, 2), max_size=5))
def test_thresholds_need_not_be_scores(table: ScoreTable, thresholds: list[float]) -> None:
    rows, ranked = oracles.rows_of(*table), ranked_of(table)
    counts = rs.confusion(ranked, threshold=thresholds)
    for i, threshold in enumerate(thresholds):
        expected = tuple(map(int, oracles.cells(rows, threshold)))
        assert (counts.tp[i], counts.fp[i], counts.fn[i], counts.tn[i]) == expected


@given(score_tables(weights=FLOAT_WEIGHTS))
def test_few_among_many_are_counted(table: ScoreTable) -> None:
    """1e16 and 1 in the same class: the 1 is still there when the 1e16 are taken away."""
    rows = oracles.rows_of(*table)
    counts = rs.confusion(ranked_of(table), threshold="all")
    for i, threshold in enumerate(oracles.thresholds(rows)):
        for cell, reference in oracles.cells(rows, threshold)._asdict().items():
            assert_close(getattr(counts, cell)[i], reference, AUC_ERROR)


# Undefined values


def sheets_undefined_when(reason: str) -> list[Any]:
    return [sheet.name for sheet in rs.list_measures() if reason in sheet.undefined_when]


@each_case("name", sheets_undefined_when("single_class"))
@each_case("label", [0, 1])
def test_single_class_is_nan_with_a_reason(name: str, label: int) -> None:
    check_undefined(name, "single_class", [label] * 3, [0.2, 0.4, 0.6])


@pytest.mark.parametrize("name", sheets_undefined_when("no_positives"))
def test_no_positives_is_nan_with_a_reason(name: str) -> None:
    check_undefined(name, "no_positives", [0] * 3, [0.2, 0.4, 0.6])


@each_case("name", [sheet.name for sheet in rs.list_measures()])
def test_no_rows_is_nan_with_a_reason(name: str) -> None:
    check_undefined(name, "empty", [], [])


def check_undefined(name: str, reason: str, y_true: list[int], y_score: list[float], **params: Any) -> None:
    measure = rs.get_measure(name)
    with undefined(reason):
        value = measure(y_true, y_score, **params)
    assert math.isnan(value)
    assert (value.reason, bool(value.explanation)) == (reason, True)
    silent = measure.sheet.compute(rs.rank(y_true, y_score), **params)
    assert (type(silent), silent.reason) == (rs.Undefined, reason)


@each_case(
    ("name", "reason", "y_true", "params"),
    [
        ("precision_at_k", "k_exceeds_rows", [1, 0], {"k": 3}),
        ("recall_at_k", "k_exceeds_rows", [1, 0], {"k": 2.5}),
        ("precision", "zero_division", [1, 0], {"threshold": 0.9}),
        ("negative_predictive_value", "zero_division", [1, 0], {"threshold": 0.1}),
        ("recall", "zero_division", [0, 0], {"threshold": 0.3}),
        ("specificity", "zero_division", [1, 1], {"threshold": 0.3}),
        ("balanced_accuracy", "zero_division", [1, 1], {"threshold": 0.3}),
        ("g_mean", "zero_division", [0, 0], {"threshold": 0.3}),
        ("positive_likelihood_ratio", "zero_division", [1, 0], {"threshold": 0.9}),
        ("diagnostic_odds_ratio", "zero_division", [1, 0], {"threshold": 0.9}),
        ("matthews_correlation", "zero_division", [1, 0], {"threshold": 0.9}),
        ("cohen_kappa", "zero_division", [1, 1], {"threshold": 0.1}),
    ],
)
def test_other_undefined_values(name: str, reason: str, y_true: list[int], params: dict[str, Any]) -> None:
    check_undefined(name, reason, y_true, [0.4, 0.2], **params)


@pytest.mark.parametrize("weight", [0.25, 0.75])
def test_defective_pairs_need_two_rows(weight: float) -> None:
    with undefined("one_row"):
        value = rs.defective_pairs([1, 0], [0.2, 0.4], sample_weight=[weight, weight])
    assert value.reason == "one_row"


def test_likelihood_ratios_can_be_infinite() -> None:
    perfect = rs.Confusion(tp=2, fp=0, fn=1, tn=3)
    assert rs.positive_likelihood_ratio(perfect) == rs.diagnostic_odds_ratio(perfect) == math.inf


# Arguments that do not fit

ROWS = ([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.2])


@each_case(
    ("code", "attempt"),
    [
        ("k", lambda: rs.precision_at_k(*ROWS, k=0)),
        ("k", lambda: rs.recall_at_k(*ROWS, k=math.nan)),
        ("fraction", lambda: rs.lift(*ROWS, fraction=0)),
        ("fraction", lambda: rs.lift(*ROWS, fraction=1.5)),
        ("partial_range", lambda: rs.partial_auc(*ROWS, fpr_range=(0.5, 0.5))),
        ("partial_range", lambda: rs.partial_auc(*ROWS, tpr_range=(0.5, 1.5))),
        ("partial_range", lambda: rs.partial_auc(*ROWS, fpr_range=(0, 0.1, 0.2))),
        ("partial_range", lambda: rs.partial_auc(*ROWS, fpr_range=(0, 1), tpr_range=(0, 1))),
        ("beta_parameters", lambda: rs.h_measure(*ROWS, alpha=0)),
        ("beta_parameters", lambda: rs.h_measure(*ROWS, beta=math.inf)),
        ("beta_parameters", lambda: rs.h_measure(*ROWS, alpha=1e-300)),
        ("beta_parameters", lambda: rs.h_measure(*ROWS, alpha=1e300, beta=2.0)),
        ("severity_ratio", lambda: rs.h_measure(*ROWS, severity_ratio=0)),
        ("severity_ratio", lambda: rs.h_measure(*ROWS, severity_ratio="prevalent")),
        ("beta", lambda: rs.f_beta(*ROWS, beta=-1)),
        ("near_ulps", lambda: rs.tie_diagnostics(*ROWS, near_ulps=-1)),
        ("accuracy", lambda: rs.relative_error_reduction(0.5, 1.5)),
        ("threshold", lambda: rs.recall(*ROWS, threshold="some")),
        ("threshold_nan", lambda: rs.recall(*ROWS, threshold=[0.5, math.nan])),
        ("threshold_required", lambda: rs.recall([1, 0], [3.0, 1.0])),
        ("threshold_required", lambda: rs.recall([1, 0], [Fraction(5, 2), Fraction(1, 2)])),
        ("threshold_required", lambda: rs.recall([1, 0], [10**400, 1])),
        ("threshold_given", lambda: rs.recall(rs.Confusion(1, 1, 1, 1), threshold=0.5)),
        ("rule", lambda: rs.best_threshold(*ROWS, rule="best")),
        ("rule_options", lambda: rs.best_threshold(*ROWS, rule="sensitivity")),
        ("rule_options", lambda: rs.best_threshold(*ROWS, rule="youden", value=1)),
        ("share", lambda: rs.best_threshold(*ROWS, rule="specificity", value=95)),
        ("share", lambda: rs.best_threshold(*ROWS, rule="cost", prevalence=-0.1)),
        ("costs", lambda: rs.best_threshold(*ROWS, rule="cost", cost_fp=0, cost_fn=0)),
        ("costs", lambda: rs.best_threshold(*ROWS, rule="cost", cost_fp=math.inf)),
        ("single_class", lambda: rs.best_threshold([1, 1], [0.2, 0.4])),
        ("single_class", lambda: rs.tie_diagnostics([0, 0], [0.2, 0.4])),
    ],
)
def test_arguments_that_do_not_fit_are_refused(code: str, attempt: Callable[[], Any]) -> None:
    with pytest.raises(rs.RocsteadyError) as refused:
        attempt()
    assert refused.value.code == code


def test_ranges_may_be_arrays() -> None:
    assert rs.partial_auc(*ROWS, fpr_range=np.array([0, 0.5])) == 0.25


# Choosing a threshold

RULES: list[tuple[str, dict[str, Any]]] = [
    ("youden", {}),
    ("closest_topleft", {}),
    *[(rule, {"value": value}) for rule in ("sensitivity", "specificity") for value in (0, 0.3, 0.5, 0.9, 1)],
    *[("f_beta", {"beta": beta}) for beta in (0, 0.5, 1, 2)],
    ("cost", {}),
    ("cost", {"cost_fp": 1, "cost_fn": 5}),
    ("cost", {"cost_fp": 1e-20, "cost_fn": 1e-20}),
    ("cost", {"cost_fp": 10, "cost_fn": 1, "prevalence": 0.25}),
    ("cost", {"cost_fp": 0, "cost_fn": 1}),
]


def merit(rule: str, cells: oracles.Cells, options: dict[str, Any]) -> Any:
    """What the rule wants to be large, exactly; None where it does not allow the threshold."""
    tpr, fpr = oracles.recall(cells), oracles.false_positive_rate(cells)
    wanted = Fraction(str(options.get("value", 0)))
    return {
        "youden": lambda: tpr - fpr,
        "closest_topleft": lambda: -(fpr**2) - (1 - tpr) ** 2,
        "sensitivity": lambda: 1 - fpr if tpr >= wanted else None,
        "specificity": lambda: tpr if 1 - fpr >= wanted else None,
        "f_beta": lambda: oracles.f_beta(cells, **options),
        "cost": lambda: -expected_cost(cells, **options),
    }[rule]()


def expected_cost(cells: oracles.Cells, *, cost_fp: Any = 1, cost_fn: Any = 1, prevalence: Any = None) -> Fraction:
    share = oracles.prevalence(cells) if prevalence is None else Fraction(prevalence)
    missed, alarmed = oracles.false_negative_rate(cells), oracles.false_positive_rate(cells)
    return share * Fraction(cost_fn) * missed + (1 - share) * Fraction(cost_fp) * alarmed


@given(table=score_tables(weights=COUNT_WEIGHTS))
def test_best_threshold(table: ScoreTable) -> None:
    rows = oracles.rows_of(*table)
    candidates = [(threshold, oracles.cells(rows, threshold)) for threshold in oracles.thresholds(rows)]
    for rule, options in RULES:
        check_choice(rule, options, call(rs.best_threshold, table, rule=rule, **options), candidates)


def check_choice(rule: str, options: dict[str, Any], choice: Any, candidates: list[tuple[Any, oracles.Cells]]) -> None:
    merits = [(merit(rule, cells, options), threshold, cells) for threshold, cells in candidates]
    best = max(found for found, _, _ in merits if found is not None)
    threshold, cells = next((threshold, cells) for found, threshold, cells in merits if found == best)
    assert choice.threshold == (math.inf if threshold is None else threshold)
    assert_close(choice.tpr, oracles.recall(cells), EXACT)
    assert_close(choice.fpr, oracles.false_positive_rate(cells), EXACT)
    assert_close(choice.precision, oracles.precision(cells), EXACT)
    assert_close(choice.accuracy, oracles.accuracy(cells), EXACT)
    assert_close(choice.base_rate, oracles.base_rate(cells), EXACT)
    reached = {"closest_topleft": lambda: oracles.root(-best), "cost": lambda: -best}.get(rule, lambda: best)()
    assert_close(choice.objective, reached, OTHER_ERROR)


@given(table=score_tables(weights=FLOAT_WEIGHTS, scores=("eighths",)))
def test_best_threshold_on_float_weights(table: ScoreTable) -> None:
    """Thresholds that differ by rounding only may change places; what is reached may not.

    The shares asked for are ones that these weights do not meet up to rounding.
    """
    every = list(oracles.all_cells(oracles.rows_of(*table)))
    for rule, options in RULES:
        if options.get("value", 0) in {0, 0.3}:
            reached = call(rs.best_threshold, table, rule=rule, **options).objective
            best = max(found for cells in every if (found := merit(rule, cells, options)) is not None)
            reached = {"closest_topleft": -(reached**2), "cost": -reached}.get(rule, reached)
            assert_close(reached, best, OTHER_ERROR, scale=1.0, name=(rule, options))


@given(table=score_tables(weights=("none",), scores=("heavy ties", "eighths")))
def test_a_constant_weight_does_not_move_the_best_threshold(table: ScoreTable) -> None:
    """Tenths add up with rounding errors; among thresholds equal but for these the highest still wins."""
    weighted = table._replace(sample_weight=np.full(len(table.y_true), 0.1))
    for rule, options in RULES:
        if "value" not in options:
            choices = [call(rs.best_threshold, data, rule=rule, **options).threshold for data in (table, weighted)]
            assert choices[0] == choices[1], (rule, options)


@pytest.mark.parametrize("weight", [1, 1 / 3])
def test_largest_youden_index_but_for_rounding(weight: float) -> None:
    """With thirds the threshold 11 comes out ahead of 13, by less than the rounding of its two rates."""
    labels = [int(letter == "p") for letter in "pnnppnpnpnnpnppppnnnpppnnn"]
    assert rs.best_threshold(labels, range(26), sample_weight=[weight] * 26).threshold == 13


# Ties


@pytest.mark.parametrize("ulps", [0, 1, 4])
@given(table=score_tables(weights=COUNT_WEIGHTS))
def test_tie_diagnostics(ulps: int, table: ScoreTable) -> None:
    rows, ties = oracles.rows_of(*table), call(rs.tie_diagnostics, table, near_ulps=ulps)
    counted = ulps if table.y_score.dtype.kind == "f" else 0
    expected = {
        "tied_pairs": oracles.tied_pairs(rows),
        "auc": oracles.auc(rows),
        "auc_worst": oracles.auc_if_ties_were(rows, 0),
        "auc_best": oracles.auc_if_ties_were(rows, 1),
        "near_tied_pairs": oracles.near_tied_pairs(rows, counted),
        "auc_if_near_ties_tied": oracles.auc_if_near_ties_tied(rows, counted),
    }
    assert {name: getattr(ties, name) for name in expected} == {name: float(ref) for name, ref in expected.items()}
    assert ties.n_distinct == len(oracles.thresholds(rows)) - 1


@given(table=score_tables(weights=FLOAT_WEIGHTS, scores=("near ties",)))
def test_tie_diagnostics_on_float_weights(table: ScoreTable) -> None:
    rows, ties = oracles.rows_of(*table), call(rs.tie_diagnostics, table)
    assert_close(ties.tied_pairs, oracles.tied_pairs(rows), AUC_ERROR)
    assert_close(ties.near_tied_pairs, oracles.near_tied_pairs(rows, 4), AUC_ERROR, scale=1.0)


# Labels only, and folds


@given(score_tables(scores=("booleans",), weights=COUNT_WEIGHTS))
def test_discrete_classifier_is_one_roc_point(table: ScoreTable) -> None:
    counts = call(rs.confusion, table)
    area = (1 + Fraction(counts.tp, counts.tp + counts.fn) - Fraction(counts.fp, counts.fp + counts.tn)) / 2
    assert call(rs.auc, table) == float(area)
    assert_close(rs.roc_from_points([counts.fpr], [counts.tpr]).area, area, AUC_ERROR)
    assert_close(rs.balanced_accuracy(counts), area, AUC_ERROR)


def test_predicted_labels_may_be_text() -> None:
    y_true, predicted = ["ham", "spam", "spam", "ham"], ["ham", "spam", "ham", "ham"]
    assert rs.auc(y_true, predicted, pos_label="spam") == 0.75


@given(st.data())
def test_counts_of_folds_add_up(data: st.DataObject) -> None:
    table = data.draw(score_tables(weights=COUNT_WEIGHTS, scores=("eighths",), classes="any", min_rows=1))
    parts = data.draw(splits(len(table.y_true)))
    folds = [table.take(parts == part) for part in range(4)]
    filled = [fold for fold in folds if fold.sample_weight is None or fold.sample_weight.any()]
    added = sum(call(rs.confusion, fold, threshold=0.5) for fold in filled)
    whole = call(rs.confusion, table, threshold=0.5)
    assert (added.tp, added.fp, added.fn, added.tn) == (whole.tp, whole.fp, whole.fn, whole.tn)


def test_counts_at_different_thresholds_do_not_add_up() -> None:
    with pytest.raises(rs.ArgumentError) as refused:
        rs.confusion(*ROWS, threshold=0.5) + rs.confusion(*ROWS, threshold=0.6)
    assert refused.value.code == "confusion_thresholds"


def test_counts_know_every_measure_by_name_and_short_form() -> None:
    counts = rs.confusion(*ROWS)
    for sheet in rs.list_measures("threshold"):
        for name in (sheet.name, *sheet.aliases):
            assert getattr(counts, name) == sheet.formula(counts)
        assert sheet.name in dir(counts)
    assert not hasattr(counts, "auc")
    assert pickle.loads(pickle.dumps(counts)).to_dict() == counts.to_dict()  # noqa: S301 - our own bytes


def test_accuracy_of_a_rare_class_needs_its_base_rate() -> None:
    counts = rs.Confusion(tp=9_000, fp=1_000, fn=1_000, tn=989_000)
    assert (counts.precision, counts.recall, counts.accuracy, counts.base_rate) == (0.9, 0.9, 0.998, 0.99)


@pytest.mark.parametrize(
    ("first", "second", "reduction"), [(0.5, 0.75, 0.5), (0.75, 0.75, 0), (0.75, 0.5, -1), (0.875, 1, 1), (0, 1, 1)]
)
def test_relative_error_reduction(first: float, second: float, reduction: float) -> None:
    assert rs.relative_error_reduction(first, second) == reduction


def test_errors_that_are_not_there_cannot_be_reduced() -> None:
    with undefined("no_error_to_reduce"):
        assert rs.relative_error_reduction(1, 0.5).reason == "no_error_to_reduce"


@pytest.mark.parametrize(("right", "sign"), [(True, 1.0), (False, -1.0)])
def test_a_perfect_correlation_is_one(right: bool, sign: float) -> None:
    """Roots of margins round; all right or all wrong is 1 or -1 for any counts."""
    sizes = range(1, 60)
    for p in sizes:
        for n in (*range(1, 8), 11, 13, 29, 37, 59):
            assert rs.Confusion(*((p, 0, 0, n) if right else (0, n, p, 0))).matthews_correlation == sign
    ps, ns = (np.array(column) for column in zip(*[(p, n) for p in sizes for n in sizes], strict=True))
    nothing = np.zeros_like(ps)
    at_once = rs.Confusion(*((ps, nothing, nothing, ns) if right else (nothing, ns, ps, nothing)))
    assert (abs(at_once.matthews_correlation) <= 1).all()
    y = np.repeat([0, 1, 2], [3, 24, 7])
    assert -1 <= rs.multiclass_measures(y, y if right else (y + 1) % 3).matthews_correlation <= 1


def test_counts_beyond_doubles_give_the_same_bits_at_one_threshold_and_at_all() -> None:
    weights = np.array([2, 2, 1, 10**16, 1])
    ranked = rs.rank([1, 0, 0, 0, 0], [0.25, 0.25, 0.25, 0.25, 0.5], sample_weight=weights)
    alone = [rs.specificity(ranked, threshold=threshold) for threshold in (np.inf, 0.5, 0.25)]
    assert rs.specificity(ranked, threshold="all").tolist() == alone == [1.0, (10**16 + 3) / (10**16 + 4), 0.0]
