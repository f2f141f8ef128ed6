"""What a weight means is said by weight_type: the type of the numbers never decides."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rocsteady as rs
from cases import each_case
from rocsteady._src.inputs.weights import ASSUMED

RNG = np.random.default_rng(17)
N = 120
Y = RNG.integers(0, 2, N)
SCORE = (Y + RNG.normal(size=N) * 1.3).round(1)
P, Q = (1 / (1 + np.exp(-(SCORE + shift))) for shift in (RNG.normal(size=N) * 0.4, RNG.normal(size=N) * 0.4))
SURVEY = RNG.integers(20, 90, N)  # few enough for int8
FOLD = np.arange(N) % 4
CLASS = np.where(SCORE > 1, 2, Y)
MATRIX = np.column_stack([1 - P, P * 0.6, P * 0.4])

TYPES: dict[str, Callable[[Any], Any]] = {
    "int8": lambda w: w.astype(np.int8),
    "int64": lambda w: w.astype(np.int64),
    "uint16": lambda w: w.astype(np.uint16),
    "float32": lambda w: w.astype(np.float32),
    "float64": lambda w: w.astype(np.float64),
    "list of float": lambda w: [float(value) for value in w],
    "Decimal": lambda w: [Decimal(int(value)) for value in w],
    "pandas Int64": lambda w: pd.array(w, dtype="Int64"),
    "pandas Float64": lambda w: pd.array(w.astype(float), dtype="Float64"),
}


def ends(found: Any) -> list[float]:
    """All numbers of a result that tell how sure it is, in one list."""
    if isinstance(found, dict):
        return [number for each in found.values() for number in ends(each)]
    if isinstance(found, rs.Interval):
        return [found.estimate, found.low, found.high, found.se or 0.0]
    if hasattr(found, "pvalue"):
        return [found.estimate, found.low, found.high, found.statistic, found.pvalue]
    parts = ("nri", "idi", "events", "relative", "slope", "brier", "accuracy", "mean", "pooled", "low", "high")
    listed: list[float] = []
    for name in parts:
        part = getattr(found, name, None)
        if isinstance(part, np.ndarray):
            listed += part.tolist()
        elif isinstance(part, dict):
            listed += [float(number) for each in part.values() for number in np.ravel(each)]
        elif part is not None:
            listed += ends(part)
    return listed


def evaluated(w: Any, **options: Any) -> dict[str, rs.Interval]:
    table = {"y": Y, "s": P, "w": w}
    asked: dict[str, Any] = {"measures": ["auc", "accuracy", "average_precision", "mcc"], "threshold": 0.5}
    found = rs.evaluate(table, label="y", scores="s", weight="w", intervals=True, n_resamples=40, **asked, **options)
    return found.intervals["s"]


DRAWN: dict[str, Any] = {"n_resamples": 20, "random_state": 1}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "auc_interval": lambda **o: rs.auc_interval(Y, SCORE, **o),
    "logit": lambda **o: rs.auc_interval(Y, SCORE, method="logit", **o),
    "partial": lambda **o: rs.auc_interval(Y, SCORE, fpr_range=(0, 0.3), **o),
    "bootstrap": lambda **o: rs.bootstrap_interval("average_precision", Y, SCORE, **DRAWN, **o),
    "jackknife": lambda **o: rs.jackknife_interval("auc", Y, SCORE, **o),
    "threshold": lambda **o: rs.threshold_interval(Y, SCORE, **DRAWN, **o),
    "measures": lambda **o: rs.measure_intervals(Y, SCORE, threshold=0.5, **o),
    "band": lambda **o: rs.roc_band(Y, SCORE, fpr=[0.1, 0.3], **o),
    "bootstrap band": lambda **o: rs.roc_band(Y, SCORE, method="bootstrap", **DRAWN, **o),
    "compare_auc": lambda **o: rs.compare_auc(Y, P, Q, method="delong", **o),
    "unpaired": lambda **o: rs.compare_auc(Y, P, Q, method="delong", paired=False, **o),
    "compare_measure": lambda **o: rs.compare_measure("brier_score", Y, P, Q, **DRAWN, **o),
    "permutation": lambda **o: rs.compare_measure("auc", Y, P, Q, method="permutation", **DRAWN, **o),
    "compare_models": lambda **o: rs.compare_models(Y, {"p": P, "q": Q}, **o).pairs[0].test,
    "brier": lambda **o: rs.brier_interval(Y, P, **o),
    "compare_brier": lambda **o: rs.compare_brier(Y, P, Q, **o),
    "net benefit": lambda **o: rs.compare_net_benefit(Y, P, Q, threshold=0.4, **o),
    "decision curve": lambda **o: rs.decision_curve(Y, P, thresholds=[0.3, 0.5], **o),
    "calibration_summary": lambda **o: rs.calibration_summary(Y, P, **o),
    "calibration_curve": lambda **o: rs.calibration_curve(Y, P, **o),
    "hosmer_lemeshow": lambda **o: rs.hosmer_lemeshow(Y, P, **o),
    "spiegelhalter": lambda **o: rs.spiegelhalter_test(Y, P, **o),
    "nri": lambda **o: rs.net_reclassification(Y, P, Q, **o),
    "idi": lambda **o: rs.integrated_discrimination(Y, P, Q, **o),
    "cook": lambda **o: rs.reclassification(Y, P, Q, cutoffs=[0.5], **o).cook_new,
    "crossval": lambda **o: rs.crossval_auc(Y, P, fold=FOLD, method="influence", **o),
    "crossval_evaluate": lambda **o: rs.crossval_evaluate(Y, P, fold=FOLD, **o),
    "multiclass auc": lambda **o: rs.multiclass_auc_interval(CLASS, MATRIX, **o),
    "multiclass measures": lambda **o: rs.multiclass_measures(CLASS, MATRIX, **o),
    "top k": lambda **o: rs.top_k_accuracy(CLASS, MATRIX, **o),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_type_of_the_numbers_does_not_decide(name: str) -> None:
    for weight_type in (None, "sampling", "frequency"):
        kinds = (
            ("int64", "float32") if weight_type == "sampling" else TYPES
        )  # None is read as that: the test after next
        found = {
            kind: ends(FUNCTIONS[name](sample_weight=TYPES[kind](SURVEY), weight_type=weight_type)) for kind in kinds
        }
        first = found.pop("int64")
        assert first
        assert all(np.array_equal(first, each, equal_nan=True) for each in found.values()), weight_type


@each_case("kind", TYPES)
def test_evaluate_too(kind: str) -> None:
    assert ends(evaluated(TYPES[kind](SURVEY))) == ends(evaluated(SURVEY))


@each_case("name", FUNCTIONS)
def test_without_a_word_weights_are_of_sampling_and_a_line_says_so(name: str) -> None:
    call = FUNCTIONS[name]
    assumed, said, counted = (call(sample_weight=SURVEY, weight_type=kind) for kind in (None, "sampling", "frequency"))
    assert np.array_equal(ends(assumed), ends(said), equal_nan=True)
    assert not np.array_equal(ends(assumed), ends(counted), equal_nan=True)
    for found, told in ((assumed, True), (said, False), (counted, False)):
        parts = found.values() if isinstance(found, dict) else [found]
        assert all((ASSUMED in part.warnings) == told for part in parts)


@each_case("name", [name for name in FUNCTIONS if name != "permutation"])
def test_only_ratios_of_sampling_weights_matter(name: str) -> None:
    one, ten = (FUNCTIONS[name](sample_weight=scale * SURVEY) for scale in (1, 0.5))
    assert ends(one) == pytest.approx(ends(ten), rel=1e-6, abs=1e-9, nan_ok=True)


@each_case("name", FUNCTIONS)
@each_case("weight_type", [None, "frequency"])
def test_weights_of_one_are_no_weights(name: str, weight_type: Any) -> None:
    plain = FUNCTIONS[name]()
    for ones in (np.ones(N), np.ones(N, dtype=int)):
        found = FUNCTIONS[name](sample_weight=ones, weight_type=weight_type)
        assert np.array_equal(ends(found), ends(plain), equal_nan=True)
        assert ASSUMED not in getattr(found, "warnings", ())


def test_survey_weights_are_not_rows() -> None:
    wide, narrow = (
        rs.auc_interval(Y, SCORE, sample_weight=100 * SURVEY, weight_type=kind) for kind in (None, "frequency")
    )
    plain = rs.auc_interval(Y, SCORE)
    assert 0.9 < wide.se / plain.se < 1.5
    assert narrow.se < 0.05 * plain.se
    assert wide.estimate == narrow.estimate
    assert wide.n_pos == narrow.n_pos == int(100 * SURVEY[Y == 1].sum())


def test_sampling_intervals_of_measures_against_the_bootstrap() -> None:
    """Rows drawn with replacement, all together; of one measure by the package too."""
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 800)
    score, weights = y + rng.normal(size=800), rng.uniform(0.3, 3, 800)
    drawn = rng.multinomial(800, np.full(800, 1 / 800), size=2000) * weights
    called = score >= 0.5
    tp, fp, fn, tn = (drawn[:, rows].sum(axis=1) for rows in (called & (y == 1), called & (y == 0), ~called & (y == 1),
                                                              ~called & (y == 0)))  # fmt: skip
    replicates = {
        "recall": tp / (tp + fn),
        "precision": tp / (tp + fp),
        "accuracy": (tp + tn) / (tp + fp + fn + tn),
        "mcc": (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)),
        "f1": 2 * tp / (2 * tp + fp + fn),
    }
    for measure, values in replicates.items():
        formula = rs.measure_interval(measure, y, score, threshold=0.5, sample_weight=weights)
        assert formula.se == pytest.approx(values.std(), rel=0.08), measure
    how: dict[str, Any] = {"stratified": False, "random_state": 1, "n_resamples": 1000}
    ours = rs.bootstrap_interval("mcc(threshold=0.5)", y, score, sample_weight=weights, **how)
    assert ours.se == pytest.approx(replicates["mcc"].std(), rel=0.08)


def test_frequencies_are_checked_by_value() -> None:
    whole = rs.auc_interval([1, 0, 1, 0], [4, 3, 2, 1], sample_weight=[1.0, 2.0, 1.0, 3.0], weight_type="frequency")
    assert whole.n_neg == 5
    with pytest.raises(rs.ArgumentError, match=r"2 not whole, rows 1, 3 \(1.5, 2.5\).*sampling weights"):
        rs.auc_interval([1, 0, 1, 0], [4, 3, 2, 1], sample_weight=[0, 1.5, 1.0, 2.5], weight_type="frequency")
    table = {"y": [1, 0, 1, 0], "s": [4, 3, 2, 1], "w": [0, 1.5, 1.0, 2.5]}
    with pytest.raises(rs.ArgumentError, match="w: 2 not whole, rows 1, 3"):
        rs.evaluate(table, label="y", scores="s", weight="w", weight_type="frequency")
    with pytest.raises(rs.ArgumentError, match="'frequency' or 'sampling'"):
        rs.evaluate(table, label="y", scores="s", weight="w", weight_type="count")


def test_values_are_exact_counts_whatever_the_type() -> None:
    big = [2**53, 2**53 + 1, 2**53 + 3, 5]
    for weights in (big, [Decimal(each) for each in big], pd.array(big, dtype="Int64")):
        ranked = rs.rank([1, 1, 0, 0], [2, 2, 1, 0], sample_weight=weights)
        assert (ranked.n_pos, ranked.n_neg) == (2**54 + 1, 2**53 + 8)
        cells = rs.multiclass_confusion(["a", "a", "b", "b"], ["a", "a", "b", "a"], sample_weight=weights)
        assert cells.matrix.tolist() == [[2**54 + 1, 0], [5, 2**53 + 3]]
        assert rs.multiclass_measures(["a", "a", "b", "b"], list("aaba"), sample_weight=weights).support.tolist() == [
            2**54 + 1,
            2**53 + 8,
        ]


def test_groups_of_weights_say_how_they_are_read() -> None:
    ranked = rs.rank(Y, SCORE, sample_weight=SURVEY.astype(float))
    assert ranked.exact
    assert not ranked.counts_rows
    for attempt in (
        lambda: rs.auc_interval(ranked),
        lambda: rs.bootstrap_interval("auc", ranked),
        lambda: rs.roc_band(ranked),
        lambda: rs.measure_interval("recall", ranked, threshold=0.5),
        lambda: rs.measure_interval("recall", rs.confusion(ranked, threshold=0.5)),
        lambda: rs.threshold_interval(ranked),
        lambda: rs.brier_interval(rs.rank(Y, P, sample_weight=SURVEY)),
        lambda: rs.decision_curve(rs.rank(Y, P, sample_weight=SURVEY)),
        lambda: rs.calibration_summary(rs.rank(Y, P, sample_weight=SURVEY)),
    ):
        with pytest.raises(rs.InputError, match="weight_type='frequency'"):
            attempt()
    counted = rs.rank(Y, SCORE, sample_weight=SURVEY, weight_type="frequency")
    known = rs.auc_interval(Y, SCORE, sample_weight=SURVEY, weight_type="frequency")
    for found in (rs.auc_interval(counted), rs.auc_interval(ranked, weight_type="frequency")):
        assert ends(found) == ends(known)
    with pytest.raises(rs.InputError, match=r"counts rows.*weight_type='frequency'"):
        rs.auc_null_test(Y, SCORE, sample_weight=SURVEY)
    assert rs.auc_null_test(Y, SCORE, sample_weight=SURVEY, weight_type="frequency").n_pos == SURVEY[Y == 1].sum()


def test_parts_keep_their_reading() -> None:
    parts = [
        rs.rank(Y[half], SCORE[half], sample_weight=SURVEY[half], weight_type="frequency")
        for half in (slice(60), slice(60, N))
    ]
    assert rs.merge(*parts).counts_rows
    assert not rs.merge(parts[0], rs.rank(Y[60:], SCORE[60:], sample_weight=SURVEY[60:])).counts_rows
    assert rs.merge(parts[0], rs.rank(Y[60:], SCORE[60:])).counts_rows


@pytest.mark.parametrize("kind", [np.int64, np.float64])
def test_lazy_tables_read_by_value_and_refuse_to_guess(kind: type) -> None:
    pl = pytest.importorskip("polars")
    columns = {"y": Y, "p": P, "q": Q, "w": SURVEY.astype(kind)}
    lazy, asked = pl.LazyFrame(columns), {"label": "y", "scores": ["p", "q"], "weight": "w"}
    memory = rs.evaluate(columns, **asked, measures=["auc", "brier_score"])
    found = rs.evaluate(lazy, **asked, measures=["auc", "brier_score"])
    assert found.ranked["p"].exact
    assert found.fingerprints == memory.fingerprints
    assert found.to_dict()["models"] == memory.to_dict()["models"]
    for refused in (found.with_intervals, found.compare, lambda: rs.evaluate(lazy, **asked, intervals=True)):
        with pytest.raises(rs.InputError, match="weight_type='frequency'"):
            refused()
    counted = rs.evaluate(lazy, **asked, measures=["auc"], weight_type="frequency", intervals=True)
    known = rs.evaluate(columns, **asked, measures=["auc"], weight_type="frequency", intervals=True)
    assert ends(counted.intervals["p"]) == ends(known.intervals["p"])
    assert counted.compare().pairs[0].test.se == pytest.approx(known.compare().pairs[0].test.se, rel=1e-12)
    ones = pl.LazyFrame({**columns, "w": np.ones(N, dtype=kind)})
    plain = rs.evaluate(ones, **asked, measures=["auc"], intervals=True)
    assert ends(plain.intervals["p"]) == ends(rs.auc_interval(Y, P))


def test_lazy_fractions_are_no_counts() -> None:
    pl = pytest.importorskip("polars")
    halves = {"y": [1, 1, 0, 0], "s": [2, 2, 1, 1], "w": [0.5, 0.5, 1.5, 0.5]}
    lazy = rs.scale.rank_table(pl.LazyFrame(halves), label="y", score="s", weight="w")
    memory = rs.rank(halves["y"], halves["s"], sample_weight=halves["w"])
    assert lazy.exact == memory.exact is False
    with pytest.raises(rs.ArgumentError, match="w: 4 not whole"):
        rs.scale.rank_table(pl.LazyFrame(halves), label="y", score="s", weight="w", weight_type="frequency")


def test_a_comparison_of_an_evaluation_reads_weights_as_it_does() -> None:
    table = {"y": Y, "p": P, "q": Q, "w": SURVEY, "site": np.arange(N) % 2, "fold": FOLD}
    asked: dict[str, Any] = {"label": "y", "scores": ["p", "q"], "weight": "w", "measures": ["auc"]}
    for kind in (None, "frequency"):
        found = rs.evaluate(table, **asked, weight_type=kind).compare(cutoffs=[0.5])
        known = rs.compare_models(Y, {"p": P, "q": Q}, sample_weight=SURVEY, weight_type=kind)
        assert found.pairs[0].test.se == known.pairs[0].test.se
        moved = rs.net_reclassification(Y, P, Q, cutoffs=[0.5], sample_weight=SURVEY, weight_type=kind)
        assert {each.nri.nri.se for each in found.reclassified} == {moved.nri.se}
        groups = rs.evaluate(table, **asked, weight_type=kind, by="site")
        assert ends(groups[0].intervals["p"]) == ends(
            rs.auc_interval(Y[::2], P[::2], sample_weight=SURVEY[::2], weight_type=kind)
        )
        folds = rs.evaluate(table, **asked, weight_type=kind, fold="fold")
        assert (
            folds["p"].mean.se == rs.crossval_evaluate(Y, P, fold=FOLD, sample_weight=SURVEY, weight_type=kind).mean.se
        )
        part = FOLD == 2
        one = rs.auc_interval(Y[part], P[part], sample_weight=SURVEY[part], weight_type=kind)
        assert (folds["p"].folds[2].low, folds["p"].folds[2].high) == pytest.approx((one.low, one.high), rel=1e-12)


def test_binormal_fits_have_no_errors_of_sampling_weights() -> None:
    assert math.isnan(rs.binormal_fit(Y, SCORE, sample_weight=SURVEY).se_auc)
    assert rs.binormal_fit(Y, SCORE, sample_weight=SURVEY, weight_type="frequency").se_auc > 0
    with pytest.raises(rs.ArgumentError, match="counts rows"):
        rs.roc_band(Y, SCORE, sample_weight=SURVEY, method="working-hotelling")
