"""AUC of more than two classes against scikit-learn, R, exact fractions, derivatives and the two-class functions."""

from __future__ import annotations

import csv
import hashlib
import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsteady as rs
from cases import each_case
from rocsteady._src.designs.classes.areas import average_of
from rocsteady._src.designs.classes.influence import influence_on, influence_on_pool, pair_areas, variance_of
from rocsteady._src.designs.classes.scores_by_class import read_classes
from rocsteady._src.inference.units.components import Area, delong_variance
from rocsteady._src.ranked.columns import ColumnRanker
from rocsteady.results import Origin
from strategies import score_tables

FIXTURES = Path(__file__).with_name("fixtures")
AVERAGES = [("macro", "ovr"), ("weighted", "ovr"), ("macro", "ovo"), ("weighted", "ovo"), ("micro", "ovr")]


@st.composite
def class_tables(draw: st.DrawFn, *, weights: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Labels with every class there, probabilities of a few values that sum to one, weights or None."""
    k = draw(st.integers(3, 5))
    more = draw(st.lists(st.integers(0, k - 1), max_size=12))
    y = np.array([*range(k), *range(k), *more])
    parts = draw(st.lists(st.lists(st.integers(1, 4), min_size=k, max_size=k), min_size=y.size, max_size=y.size))
    shares = np.array(parts, dtype=np.float64)
    shares /= shares.sum(axis=1, keepdims=True)
    heavy = draw(st.lists(st.sampled_from([0.5, 1.0, 2.5]), min_size=y.size, max_size=y.size)) if weights else None
    return y, shares, None if heavy is None else np.array(heavy)


def drawn(n: int = 120, k: int = 4, *, seed: int = 1, tied: bool = False, skew: float = 1.0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    share = skew ** np.arange(k)
    y = np.concatenate([np.arange(k), np.arange(k), rng.choice(k, n - 2 * k, p=share / share.sum())])
    scores = rng.normal(size=(n, k)) + 1.3 * np.eye(k)[y] + 0.6 * np.roll(np.eye(k), 1, axis=1)[y]
    odds = np.exp(np.round(scores) if tied else scores)
    return y, odds / odds.sum(axis=1, keepdims=True)


def exact_area(y: list[Any], score: list[float], high: set[Any], low: set[Any]) -> Fraction:
    above, below = ([each for each, c in zip(score, y, strict=True) if c in side] for side in (high, low))
    return Fraction(sum(2 * (a > b) + (a == b) for a in above for b in below), 2 * len(above) * len(below))


def exact_average(y: np.ndarray, scores: np.ndarray, average: str, scheme: str) -> Fraction:
    """All pairs of rows, in fractions."""
    classes, rows = sorted(set(y.tolist())), y.tolist()
    n = {c: rows.count(c) for c in classes}
    if average == "micro":
        own = (y[:, None] == np.array(classes)).ravel().tolist()
        return exact_area(own, scores.ravel().tolist(), {True}, {False})
    columns = {c: scores[:, place].tolist() for place, c in enumerate(classes)}
    if scheme == "ovr":
        areas = {c: exact_area(rows, columns[c], {c}, set(classes) - {c}) for c in classes}
        weight = {c: Fraction(n[c] if average == "weighted" else 1) for c in classes}
    else:
        pairs = [(a, b) for a in classes for b in classes if a < b]
        areas = {
            (a, b): (exact_area(rows, columns[a], {a}, {b}) + exact_area(rows, columns[b], {b}, {a})) / 2
            for a, b in pairs
        }
        weight = {(a, b): Fraction(n[a] + n[b] if average == "weighted" else 1) for a, b in pairs}
    return sum((weight[c] * areas[c] for c in areas), Fraction(0)) / sum(weight.values())


@given(table=class_tables())
@settings(max_examples=25, deadline=None)
def test_values_are_those_of_scikit_learn_and_of_all_pairs(table: Any) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    y, scores, _ = table
    for average, scheme in AVERAGES:
        ours = rs.multiclass_auc(y, scores, average=average, scheme=scheme)
        theirs = metrics.roc_auc_score(y, scores, average=average, multi_class=scheme)
        assert ours == pytest.approx(theirs, abs=1e-10), (average, scheme)
        assert ours == pytest.approx(float(exact_average(y, scores, average, scheme)), abs=1e-14), (average, scheme)


@pytest.mark.filterwarnings("ignore:2 distinct scores")
@given(table=class_tables(weights=True))
@settings(max_examples=25, deadline=None)
def test_weighted_rows_agree_with_scikit_learn(table: Any) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    y, scores, weights = table
    for average in ("macro", "weighted", "micro"):
        theirs = metrics.roc_auc_score(y, scores, average=average, multi_class="ovr", sample_weight=weights)
        assert rs.multiclass_auc(y, scores, average=average, sample_weight=weights) == pytest.approx(theirs, abs=1e-10)
    per_class = rs.multiclass_auc(y, scores, average=None, sample_weight=weights)
    for label, area in enumerate(per_class):
        assert area == pytest.approx(rs.auc(y == label, scores[:, label], sample_weight=weights), abs=1e-12)


@given(table=class_tables())
@settings(max_examples=20, deadline=None)
def test_whole_weights_are_repeated_rows(table: Any) -> None:
    y, scores, _ = table
    weights = np.arange(y.size) % 3 + 1
    again = np.repeat(np.arange(y.size), weights)
    for average, scheme in AVERAGES:
        options = {"average": average, "scheme": scheme, "method": "delong"}
        one = rs.multiclass_auc_interval(y, scores, sample_weight=weights, weight_type="frequency", **options)
        two = rs.multiclass_auc_interval(y[again], scores[again], **options)
        assert one.estimate == pytest.approx(two.estimate, abs=1e-12)
        if average != "micro":
            assert (one.low, one.high) == pytest.approx((two.low, two.high), abs=1e-9)


@given(table=score_tables(classes="both"))
@settings(max_examples=50, deadline=None)
@pytest.mark.filterwarnings("ignore")
def test_condensed_groups_have_the_same_area_and_variance(table: Any) -> None:
    positive = np.asarray(table.y_true, dtype=bool)
    scores = table.y_score.view(np.uint8) if table.y_score.dtype == bool else table.y_score
    short = ColumnRanker(scores.size).condensed(scores, positive, Origin(1, scores.size))
    full = rs.rank(positive, scores)
    assert rs.auc(short) == rs.auc(full)
    one, two = (delong_variance(ranked, Area().components(ranked)) for ranked in (short, full))
    assert one == pytest.approx(two, abs=1e-14, nan_ok=True)


def test_condensed_groups_of_many_rows_below_zero_and_tied() -> None:
    rng = np.random.default_rng(3)
    positive = rng.random(70_000) < 0.1
    ranker = ColumnRanker(positive.size)
    for scores in (rng.normal(size=positive.size), rng.normal(size=positive.size).round(2), -rng.random(positive.size)):
        short = ranker.condensed(scores, positive, Origin(1, positive.size))
        full = rs.rank(positive, scores)
        assert rs.auc(short) == rs.auc(full)
        one, two = (delong_variance(ranked, Area().components(ranked)) for ranked in (short, full))
        assert one == pytest.approx(two, rel=1e-9)


@each_case("tied", [False, True])
@each_case(("average", "scheme"), AVERAGES)
def test_influence_is_the_derivative_by_the_weight_of_a_row(average: Any, scheme: Any, tied: bool) -> None:
    y, scores = drawn(40, tied=tied, skew=0.6)
    rows = read_classes(y, scores)
    if average == "micro":
        influence, units = influence_on_pool(rows)
    else:
        influence, units = influence_on(rows, average_of(rows, average, scheme)), rows
    step = 1e-4
    for row in range(0, y.size, 3):
        ends = []
        for sign in (1, -1):
            weights = np.ones(y.size)
            weights[row] += sign * step
            ends.append(rs.multiclass_auc(y, scores, average=average, scheme=scheme, sample_weight=weights))
        slope = (ends[0] - ends[1]) / (2 * step)
        assert influence.within[row] + influence.drift[units.codes[row]] == pytest.approx(slope, abs=1e-8)


@pytest.mark.parametrize("tied", [False, True])
def test_influence_sums_to_zero_in_each_class_and_drift_over_all_rows(tied: bool) -> None:
    y, scores = drawn(tied=tied, skew=0.6)
    rows = read_classes(y, scores)
    for average, scheme in AVERAGES[:4]:
        influence = influence_on(rows, average_of(rows, average, scheme))
        assert np.bincount(y, influence.within) == pytest.approx(np.zeros(4), abs=1e-12)
        assert influence.drift @ rows.sizes == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("options", [{}, {"weights": True}, {"cluster": True}, {"weights": True, "cluster": True}])
@pytest.mark.parametrize("tied", [False, True])
def test_two_classes_are_delong(options: dict[str, bool], tied: bool) -> None:
    rng = np.random.default_rng(4)
    y = rng.permutation(np.arange(60) % 3 == 0).astype(int)
    models = [rng.normal(size=60) + y for _ in range(2)]
    models = [np.round(model) if tied else model for model in models]
    rows: dict[str, Any] = {
        "sample_weight": rng.random(60) + 0.2 if "weights" in options else None,
        "cluster": rng.integers(0, 25, 60) if "cluster" in options else None,
    }
    both = [np.column_stack([-model, model]) for model in models]
    binary = rs.auc_interval(y, models[0], **rows)
    for average, scheme in AVERAGES[:4]:
        kind: dict[str, Any] = {"average": average, "scheme": scheme}
        found = rs.multiclass_auc_interval(y, both[0], method="delong", **kind, **rows)
        assert (found.estimate, found.se) == pytest.approx((binary.estimate, binary.se), abs=1e-12)
        for method in ("delong", "delong-t"):
            test = rs.compare_multiclass_auc(y, *both, method=method, **kind, **rows)
            known = rs.compare_auc(y, *models, method=method, **rows)
            assert (test.statistic, test.pvalue, test.low) == pytest.approx((known.statistic, known.pvalue, known.low))


@pytest.mark.parametrize("kind", ["plain", "weights", "counts", "cluster", "both"])
def test_intervals_of_classes_are_those_of_auc_interval(kind: str) -> None:
    y, scores = drawn(90, tied=kind == "plain")
    rng = np.random.default_rng(5)
    weights = {"weights": rng.random(90) + 0.1, "both": rng.random(90) + 0.1, "counts": rng.integers(1, 4, 90)}
    rows: dict[str, Any] = {
        "sample_weight": weights.get(kind),
        "cluster": rng.integers(0, 30, 90) if kind in ("cluster", "both") else None,
    }
    for method in ("delong", "logit"):
        found = rs.multiclass_auc_interval(y, scores, average=None, method=method, **rows)
        for label, interval in found.items():
            known = rs.auc_interval(y == label, scores[:, label], method=method, **rows)
            ours, theirs = ((i.estimate, i.low, i.high, i.se, i.n_pos, i.n_neg) for i in (interval, known))
            assert ours == pytest.approx(theirs, abs=1e-12)
            assert interval.origin is not None
            assert interval.origin.pos_label == label


@pytest.mark.parametrize(("average", "scheme"), AVERAGES)
def test_standard_errors_are_those_of_a_bootstrap(average: Any, scheme: Any) -> None:
    y, scores = drawn(300, skew=0.6, seed=7)
    rng = np.random.default_rng(8)
    subject = rng.integers(0, 80, 300)
    members = [np.flatnonzero(subject == s) for s in range(80)]
    classes = [np.flatnonzero(y == c) for c in range(4)]
    draws = {
        "rows": lambda: rng.integers(0, 300, 300),
        "classes": lambda: np.concatenate([rng.choice(rows, rows.size) for rows in classes]),
        "subjects": lambda: np.concatenate([members[s] for s in rng.integers(0, 80, 80)]),
    }
    options: dict[str, dict[str, Any]] = {
        "rows": {},
        "classes": {"class_sizes": "fixed"},
        "subjects": {"cluster": subject},
    }
    for name, draw in draws.items():
        picks = [draw() for _ in range(150)]
        values = [rs.multiclass_auc(y[i], scores[i], average=average, scheme=scheme) for i in picks]
        se = rs.multiclass_auc_interval(y, scores, average=average, scheme=scheme, **options[name]).se
        assert se == pytest.approx(np.std(values), rel=0.15), name


def test_class_sizes_matter_where_areas_differ() -> None:
    """One class easy, one hopeless: the weighted average moves with the sizes, the mean of pairs does not."""
    rng = np.random.default_rng(9)
    y = rng.integers(0, 3, 600)
    scores = rng.normal(size=(600, 3)) + np.diag([6.0, 0.0, 0.0])[y]
    se = {
        (average, scheme, sizes): rs.multiclass_auc_interval(
            y, scores, average=average, scheme=scheme, class_sizes=sizes
        ).se
        for average, scheme in AVERAGES[:4]
        for sizes in ("random", "fixed")
    }
    assert se["weighted", "ovr", "random"] > 1.05 * se["weighted", "ovr", "fixed"]
    assert se["macro", "ovo", "random"] == se["macro", "ovo", "fixed"]


@pytest.mark.parametrize(("average", "scheme"), AVERAGES)
def test_comparing_is_antisymmetric_and_a_model_equals_itself(average: Any, scheme: Any) -> None:
    y, first = drawn(seed=1)
    _, second = drawn(seed=2)
    kind: dict[str, Any] = {"average": average, "scheme": scheme}
    one, two = rs.compare_multiclass_auc(y, first, second, **kind), rs.compare_multiclass_auc(y, second, first, **kind)
    assert (one.statistic, one.pvalue) == pytest.approx((-two.statistic, two.pvalue))
    values = [rs.multiclass_auc(y, scores, **kind) for scores in (first, second)]
    assert one.estimate == pytest.approx(values[0] - values[1], abs=1e-12)
    same = rs.compare_multiclass_auc(y, first, first, **kind)
    assert (same.estimate, same.pvalue, same.se) == (0.0, 1.0, 0.0)
    assert "no row tells the models apart" in same.warnings[0]


def test_alternatives_and_margins_are_those_of_compare_auc() -> None:
    y, first = drawn(seed=1)
    _, second = drawn(seed=2)
    two_sided = rs.compare_multiclass_auc(y, first, second)
    greater = rs.compare_multiclass_auc(y, first, second, alternative="greater")
    less = rs.compare_multiclass_auc(y, first, second, alternative="less")
    assert greater.pvalue + less.pvalue == pytest.approx(1)
    assert two_sided.pvalue == pytest.approx(2 * min(greater.pvalue, less.pvalue))
    with pytest.raises(rs.ArgumentError, match="margin"):
        rs.compare_multiclass_auc(y, first, second, alternative="equivalence")


def test_order_of_rows_and_of_classes_leaves_no_trace() -> None:
    y, scores = drawn(tied=True)
    rng = np.random.default_rng(6)
    rows, classes = rng.permutation(y.size), np.array([2, 0, 3, 1])
    for average, scheme in AVERAGES:
        kind: dict[str, Any] = {"average": average, "scheme": scheme}
        one = rs.multiclass_auc_interval(y, scores, **kind)
        two = rs.multiclass_auc_interval(y[rows], scores[rows][:, classes], labels=classes, **kind)
        assert (one.estimate, one.low, one.high) == pytest.approx((two.estimate, two.low, two.high), abs=1e-12)


def test_perfect_scores_have_no_width_and_say_so() -> None:
    y = np.repeat([0, 1, 2], 5)
    found = rs.multiclass_auc_interval(y, np.eye(3)[y], method="delong")
    assert (found.estimate, found.low, found.high) == (1.0, 1.0, 1.0)
    assert "not certainty" in found.warnings[0]
    assert math.isnan(rs.multiclass_auc_interval(y, np.eye(3)[y], method="logit").low)
    for average in ("macro", "weighted", "micro"):
        better = rs.multiclass_auc_interval(y, np.eye(3)[y], average=average)
        assert better.low < better.high == better.estimate == 1
        assert better.how == "wilson, chosen by auto"
        assert [remark.code for remark in better.warnings] == ["few_misranked_on_average"]


def test_of_two_classes_the_default_is_that_of_auc_interval() -> None:
    rng = np.random.default_rng(2)
    for n in (8, 200):
        y = np.arange(n) % 2
        score = rng.normal(size=n) + y
        one = rs.auc_interval(y, score)
        for scheme in ("ovr", "ovo"):
            two = rs.multiclass_auc_interval(y, np.column_stack([-score, score]), scheme=scheme)
            assert (two.low, two.high) == pytest.approx((one.low, one.high), abs=1e-12)
            assert two.how == one.how


def test_one_row_in_a_class_leaves_the_variance_undefined() -> None:
    y = np.array([0, 0, 0, 1, 1, 1, 2])
    scores = np.random.default_rng(1).random((7, 3))
    found = rs.multiclass_auc_interval(y, scores, method="logit")
    assert math.isnan(found.low)
    assert "fewer than two" in found.warnings[0]
    default = rs.multiclass_auc_interval(y, scores)
    assert default.low < default.estimate < default.high
    assert "rests on a model" in default.warnings[0]
    assert found.estimate == pytest.approx(rs.multiclass_auc(y, scores))


# ---- R -------------------------------------------------------------------------------------------

REFERENCE = json.loads((FIXTURES / "r_multiclass.json").read_text())
NAMES = ("ant", "bee", "cat", "dog")


def reference(suffix: str = "") -> tuple[list[str], dict[str, list[float]]]:
    with (FIXTURES / "r_multiclass.csv").open() as file:
        lines = list(csv.DictReader(file))
    return [line["y"] for line in lines], {name: [float(line[name + suffix]) for line in lines] for name in NAMES}


def test_the_reference_was_made_from_these_data() -> None:
    found = hashlib.md5((FIXTURES / "r_multiclass.csv").read_bytes(), usedforsecurity=False).hexdigest()
    assert found == REFERENCE["made_by"]["data_md5"]


@pytest.mark.parametrize("kind", ["plain", "coarse"])
def test_hand_and_till_agree_with_proc(kind: str) -> None:
    y, scores = reference("" if kind == "plain" else "_coarse")
    known = REFERENCE["areas"][kind]
    assert rs.multiclass_auc(y, scores, scheme="hand-till") == pytest.approx(known["auc"], abs=1e-12)
    rows = read_classes(y, scores)
    areas = np.array([pair_areas(rows, place, rows.column(place), rows.sizes) for place in range(4)])
    for pair, value in known["pairs"].items():
        i, j = (NAMES.index(name) for name in pair.split("/"))
        assert (areas[i, j] + areas[j, i]) / 2 == pytest.approx(value, abs=1e-12)


def test_called_classes_agree_with_caret() -> None:
    y, scores = reference()
    assert rs.multiclass_confusion(y, scores).matrix.tolist() == REFERENCE["matrix"]
    found = rs.multiclass_measures(y, scores, measures=list(REFERENCE["per_class"]))
    for name, values in REFERENCE["per_class"].items():
        assert found.per_class[name] == pytest.approx(values, abs=1e-12), name
    known = REFERENCE["overall"]
    ours = (found.accuracy.estimate, found.kappa, found.base_rate)
    assert ours == pytest.approx((known["accuracy"], known["kappa"], known["base_rate"]), abs=1e-12)
    exact = rs.proportion_interval(140, 240, method="clopper-pearson")
    assert (exact.low, exact.high) == pytest.approx((known["accuracy_low"], known["accuracy_high"]), abs=1e-12)


# ---- the scripts that measure --------------------------------------------------------------------


def test_the_coverage_script_measures_the_public_functions() -> None:
    script = pytest.importorskip("benchmarks.multiclass_coverage")
    design = script.Design(4, 80, skewed=True, tied=True)
    rng = np.random.default_rng(1)
    codes = np.concatenate([np.arange(4), np.arange(4), design.codes(rng)[8:]])
    first, second = (design.rows(rng.standard_normal((80, 4)), codes) for _ in range(2))
    for name, (average, scheme) in script.AVERAGES.items():
        kind = {"average": average, "scheme": scheme}
        for method in script.METHODS:
            public = rs.multiclass_auc_interval(codes, first.scores, method=method, **kind)
            assert script.ends(first, name, method) == pytest.approx((public.low, public.high))
        for method in script.TESTS:
            test = rs.compare_multiclass_auc(codes, first.scores, second.scores, method=method, **kind)
            assert script.pvalues(first, second)[name, method] == pytest.approx(test.pvalue)


@pytest.mark.parametrize("tied", [False, True])
def test_the_truths_of_the_coverage_script_are_limits_of_large_samples(tied: bool) -> None:
    script = pytest.importorskip("benchmarks.multiclass_coverage")
    design = script.Design(3, 60_000, skewed=True, tied=tied)
    rng = np.random.default_rng(2)
    codes = design.codes(rng)
    scores = design.scores(rng.standard_normal((design.n, 3)), codes)
    for name, (average, scheme) in script.AVERAGES.items():
        value = rs.multiclass_auc(codes, scores, average=average, scheme=scheme)
        assert value == pytest.approx(design.truth(name), abs=0.006)


def test_the_page_has_a_place_for_every_table_and_only_that_is_written(tmp_path: Path) -> None:
    script = pytest.importorskip("benchmarks.multiclass_coverage")
    page = tmp_path / "multiclass.md"
    page.write_text(script.PAGE.read_text())
    script.main(["--only", "effort", "--repeats", "10"], page)
    assert "10 samples per line for intervals, 5 for tests" in page.read_text()
    for name in script.TABLES:
        assert script.with_table(page.read_text(), name, "new").count("new\n<!-- end -->") == 1


def test_variance_of_nothing_is_nan() -> None:
    y, scores = np.array([0, 1, 2]), np.eye(3)
    rows = read_classes(y, scores)
    influence = influence_on(rows, average_of(rows, "macro", "ovr"))
    assert math.isnan(variance_of(influence, rows))
