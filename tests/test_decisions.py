"""Decision curves against brute force over rows, R, and laws."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from calibration_kit import DATA, R_REFERENCE, UNIT, Y, calibrated, fractions
from cases import each_case
from rocsteady._src.probabilities.decisions import compare_net_benefit, decision_curve
from strategies import ScoreTable, score_tables


def row_values(y: np.ndarray, p: np.ndarray, t: float) -> np.ndarray:
    return np.where(p >= t, np.where(y == 1, 1.0, -t / (1 - t)), 0.0)


def two_models(n: int = 300) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    y, p = calibrated(n, digits=2)
    return y, p, np.clip(p + np.random.default_rng(1).normal(size=n) / 5, 0, 1).round(2)


class TestCurve:
    @given(
        score_tables(scores=UNIT, weights=("none", "small integers")),
        st.lists(st.sampled_from([0.0, 0.125, 0.25, 0.5, 0.75, 0.9375]), min_size=1, max_size=4),
    )
    def test_net_benefit_by_definition(self, table: ScoreTable, cuts: list[float]) -> None:
        rows = fractions(table)
        total = sum(w for _, _, w in rows)
        expected = []
        for cut in map(Fraction, cuts):
            values = [w * (1 if y else -cut / (1 - cut)) for y, s, w in rows if s >= cut]
            expected.append(float(Fraction(sum(values)) / total))
        curve = decision_curve(*table[:2], sample_weight=table.sample_weight, thresholds=cuts)
        assert curve.net_benefit["model"].tolist() == pytest.approx(expected, abs=1e-13)
        share = sum(w for y, _, w in rows if y) / total
        everyone = [float(share - (1 - share) * c / (1 - c)) for c in map(Fraction, cuts)]
        assert curve.treat_all.tolist() == pytest.approx(everyone, abs=1e-13)

    @pytest.mark.parametrize("name", ["continuous", "rounded", "rival", "poor"])
    def test_r(self, name: str) -> None:
        theirs = R_REFERENCE[name]["net_benefit"]
        curve = decision_curve(Y, DATA[name], thresholds=theirs["thresholds"], intervals="wald")
        assert curve.net_benefit["model"] == pytest.approx(theirs["net_benefit"], abs=1e-12)
        se = (curve.high["model"] - curve.low["model"]) / (2 * 1.959963984540054)
        assert se == pytest.approx(theirs["se"], abs=1e-12)

    def test_lowest_threshold_treats_all(self) -> None:
        y, p, _ = two_models()
        curve = decision_curve(y, p, thresholds=[0.0, p.min(), 0.995])
        assert curve.net_benefit["model"][:2] == pytest.approx(curve.treat_all[:2], abs=1e-15)
        assert curve.interventions_avoided["model"][1] == pytest.approx(0, abs=1e-9)
        assert np.isnan(curve.interventions_avoided["model"][0])
        top = (curve.low["model"][2], curve.net_benefit["model"][2], curve.high["model"][2])
        assert top[0] < top[1] == 0 < top[2] or p.max() >= 0.995  # nothing is called, and more rows may be

    def test_interventions_avoided_count_true_negatives(self) -> None:
        """Per 100 rows: true negatives gained, less what missed positives cost at the going rate."""
        y, p, _ = two_models()
        t = 0.3
        tn, fn = np.sum((p < t) & (y == 0)), np.sum((p < t) & (y == 1))
        curve = decision_curve(y, p, thresholds=[t])
        assert curve.interventions_avoided["model"][0] == pytest.approx(100 * (tn - fn * (1 - t) / t) / y.size)
        assert curve.standardized["model"][0] == pytest.approx(curve.net_benefit["model"][0] / y.mean())

    def test_default_thresholds_meet_rounded_scores(self) -> None:
        y, p, _ = two_models()
        curve = decision_curve(y, p)
        assert curve.thresholds.tolist() == [float(f"0.{k:02d}") for k in range(1, 100)]
        brute = [row_values(y, p, t).mean() for t in curve.thresholds]
        assert curve.net_benefit["model"] == pytest.approx(brute, abs=1e-13)

    @each_case("prevalence", [None, 0.1])
    @each_case("how", ["counts", "sampling", "cluster"])
    def test_errors_by_rows(self, prevalence: float | None, how: str) -> None:
        y, p, _ = two_models(120)
        cuts, n = [0.2, 0.6], 120
        weights = np.random.default_rng(2).random(n) + 0.5 if how == "sampling" else np.ones(n)
        subject = np.arange(n) // 2 if how == "cluster" else np.arange(n)
        options = {"sampling": {"sample_weight": weights}, "cluster": {"cluster": subject}, "counts": {}}[how]
        curve = decision_curve(y, p, thresholds=cuts, prevalence=prevalence, intervals="wald", **options)
        for at, t in enumerate(cuts):
            mean, se = brute_mean(row_values(y, p, t), y, weights, subject, prevalence, how)
            assert curve.net_benefit["model"][at] == pytest.approx(mean, abs=1e-13)
            half = (curve.high["model"][at] - curve.low["model"][at]) / 2
            assert half == pytest.approx(1.959963984540054 * se, rel=1e-10)

    @pytest.mark.parametrize("prevalence", [None, 0.2])
    def test_bootstrap_agrees_with_wald(self, prevalence: float | None) -> None:
        y, first, second = two_models()
        models = {"first": first, "second": second}
        options: dict[str, Any] = {"thresholds": [0.2, 0.5], "prevalence": prevalence}
        wald = decision_curve(y, models, intervals="wald", **options)
        drawn = decision_curve(y, models, intervals="bootstrap", random_state=1, **options)
        alone = decision_curve(y, first, intervals="bootstrap", random_state=1, **options)
        again = decision_curve(y, models, intervals="bootstrap", random_state=1, n_jobs=1, **options)
        for name in models:
            width = wald.high[name] - wald.low[name]
            assert drawn.high[name] - drawn.low[name] == pytest.approx(width, rel=0.15)
            assert drawn.low[name].tolist() == again.low[name].tolist()
        assert alone.high["model"] == pytest.approx(drawn.high["first"], abs=0.02)
        assert (drawn.seed, drawn.n_resamples, wald.seed) == (1, 1000, None)

    def test_order_and_repeats(self) -> None:
        y, first, second = two_models()
        weights = 1 + np.arange(y.size) % 3
        order = np.random.default_rng(3).permutation(int(weights.sum()))
        models = {"a": first, "b": second}
        weighted = decision_curve(y, models, sample_weight=weights, weight_type="frequency")
        repeated = decision_curve(
            y.repeat(weights)[order], {name: column.repeat(weights)[order] for name, column in models.items()}
        )
        for name in models:
            assert weighted.net_benefit[name].tolist() == repeated.net_benefit[name].tolist()
            assert weighted.low[name] == pytest.approx(repeated.low[name], abs=1e-14)

    def test_few_called_rows_are_named(self) -> None:
        y, p, _ = two_models()
        curve = decision_curve(y, p, intervals="wald")
        first = min(t for t in curve.thresholds if np.sum(p >= t) < 20)
        assert f"from {first:g} on" in curve.warnings[0]
        assert decision_curve(y, p, thresholds=[0.2]).warnings == ()
        test = compare_net_benefit(y, p, np.where(np.arange(p.size) < 9, 1 - p, p), threshold=0.4)
        assert "rows are called differently" in test.warnings[0]

    def test_frame_is_long(self) -> None:
        y, first, second = two_models()
        frame = decision_curve(y, {"a": first, "b": second}, thresholds=[0.1, 0.2]).to_frame("pandas")
        assert frame["model"].tolist() == ["a", "a", "b", "b"]
        assert frame["threshold"].tolist() == [0.1, 0.2, 0.1, 0.2]

    @each_case(
        ("code", "options"),
        [
            ("thresholds", {"thresholds": [1.0]}),
            ("thresholds", {"thresholds": [-0.1]}),
            ("thresholds", {"thresholds": [math.nan]}),
            ("thresholds", {"thresholds": []}),
            ("prevalence", {"prevalence": 1.5}),
            ("intervals", {"intervals": "exact"}),
            ("level", {"level": 95}),
        ],
    )
    def test_arguments_that_do_not_fit(self, code: str, options: dict[str, Any]) -> None:
        y, p, _ = two_models(30)
        with pytest.raises(rs.ArgumentError) as refused:
            decision_curve(y, p, **options)
        assert refused.value.code == code

    def test_data_that_do_not_fit(self) -> None:
        with pytest.raises(rs.InputError, match="probabilities"):
            decision_curve([1, 0], [2.0, 0.1])
        with pytest.raises(rs.InputError, match="one class"):
            decision_curve([1, 1], [0.2, 0.1], prevalence=0.5)
        with pytest.raises(rs.InputError, match="no rows"):
            decision_curve([], [])
        with pytest.raises(rs.ArgumentError, match="empty"):
            decision_curve([1, 0], {})


def brute_mean(
    values: np.ndarray, y: np.ndarray, weights: np.ndarray, subject: np.ndarray, prevalence: float | None, how: str
) -> tuple[float, float]:
    """Mean and standard error from row values; with a prevalence class by class."""
    strata = [np.ones(y.size, dtype=bool)] if prevalence is None else [y == 1, y == 0]
    shares = [1.0] if prevalence is None else [prevalence, 1 - prevalence]
    means = [np.average(values[mask], weights=weights[mask]) for mask in strata]
    pulls = np.zeros(y.size)
    for mask, share, mean in zip(strata, shares, means, strict=True):
        pulls[mask] = share * weights[mask] * (values[mask] - mean) / weights[mask].sum()
    mean = float(np.dot(shares, means))
    if how == "cluster":
        sums = np.array([pulls[subject == s].sum() for s in set(subject.tolist())])
        return mean, math.sqrt(sums.size / (sums.size - 1) * (sums**2).sum())
    return mean, math.sqrt(sum(m.sum() / (m.sum() - 1) * (pulls[m] ** 2).sum() for m in strata))


class TestComparison:
    @each_case("prevalence", [None, 0.1])
    @each_case("cut", [0.1, 0.35, 0.8])
    def test_paired_rows(self, cut: float, prevalence: float | None) -> None:
        y, first, second = two_models()
        difference = row_values(y, first, cut) - row_values(y, second, cut)
        ones = np.ones(y.size)
        mean, se = brute_mean(difference, y, ones, np.arange(y.size), prevalence, "counts")
        test = compare_net_benefit(y, first, second, threshold=cut, prevalence=prevalence)
        assert (test.estimate, test.se) == pytest.approx((mean, se), rel=1e-10, abs=1e-14)
        curve = decision_curve(y, {"a": first, "b": second}, thresholds=[cut], prevalence=prevalence)
        assert test.estimate == pytest.approx(float(curve.net_benefit["a"][0] - curve.net_benefit["b"][0]), abs=1e-14)

    def test_laws(self) -> None:
        y, first, second = two_models()
        one, two = (compare_net_benefit(y, *pair, threshold=0.4) for pair in ((first, second), (second, first)))
        assert (one.estimate, one.low, one.pvalue) == pytest.approx((-two.estimate, -two.high, two.pvalue))
        same = compare_net_benefit(y, first, first, threshold=0.4)
        assert (same.estimate, same.pvalue) == (0, 1)
        weights = 1 + np.arange(y.size) % 3
        weighted = compare_net_benefit(y, first, second, threshold=0.4, sample_weight=weights, weight_type="frequency")
        repeated = compare_net_benefit(*(c.repeat(weights) for c in (y, first, second)), threshold=0.4)
        assert (weighted.estimate, weighted.se) == pytest.approx((repeated.estimate, repeated.se), rel=1e-12)
        twice = compare_net_benefit(
            *(c.repeat(2) for c in (y, first, second)), threshold=0.4, cluster=np.arange(y.size).repeat(2)
        )
        assert twice.se == pytest.approx(one.se, rel=1e-12)

    def test_bootstrap_gives_the_same_error(self) -> None:
        y, first, second = two_models()

        def benefit(ranked: rs.RankedScores) -> float:
            return float(decision_curve(ranked, thresholds=[0.4]).net_benefit["model"][0])

        drawn = rs.compare_measure(benefit, y, first, second, n_resamples=600, random_state=1)
        assert drawn.se == pytest.approx(compare_net_benefit(y, first, second, threshold=0.4).se, rel=0.12)


def test_picture_shows_every_model() -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    y, first, second = two_models()
    shown = decision_curve(y, {"first": first, "$second": second}).plot()
    assert set(shown.lines_) == set(shown.bands_) == {"first", "$second"}
    shown.figure_.canvas.draw()
    pyplot.close(shown.figure_)


def test_a_decision_curve_prints_what_it_answers() -> None:
    table = rs.examples.loans(400)
    found = rs.decision_curve(table["defaulted"], {"new": table["boosted"]}, thresholds=[0.1, 0.2])
    frame = found.to_frame()
    header, first = str(found).splitlines()[1:3]
    assert header.split() == ["threshold", "new", "treat", "all", "treat", "none"]
    low, high, everybody = frame["low"][0], frame["high"][0], frame["treat_all"][0]
    assert first.split() == [
        "0.1",
        f"{frame['net_benefit'][0]:.4f}",
        f"[{low:.4f},",
        f"{high:.4f}]",
        f"{everybody:.4f}",
        "0",
    ]
    assert repr(found).count("\n") == 0
