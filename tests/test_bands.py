"""Binormal fits and ROC bands: against brute force, published numbers, laws and simulation."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from scipy import optimize, special, stats

import rocsteady as rs
from cases import each_case
from rocsteady._src.inference.bands.band_methods import Reach, Steps, clopper_pearson, displaced, wilson
from rocsteady._src.inference.bands.binormal import binormal_fit, smooth_roc
from rocsteady._src.inference.bands.probit import collapse, maximise
from rocsteady._src.inference.bands.roc_band import METHODS, roc_band
from rocsteady._src.results.bands import RocBand
from rocsteady._src.results.remarks import Remark
from strategies import ALL_WEIGHTS, ScoreTable, score_tables

CT_POS, CT_NEG = [3, 2, 2, 11, 33], [33, 6, 6, 11, 2]
CT = rs.RankedScores.from_counts(range(5), pos=CT_POS, neg=CT_NEG)
MODEL_FREE = tuple(method for method in METHODS if method != "working-hotelling")
TABLES = [
    (CT_POS, CT_NEG),
    ([5, 7, 9], [10, 6, 3]),
    ([1, 4, 3, 8], [6, 5, 2, 1]),
    ([9, 3, 4, 5, 2, 7], [1, 8, 8, 2, 3, 1]),
    ([0, 3, 0, 4, 2, 0, 6], [4, 0, 3, 1, 0, 2, 0]),
    ([0, 1, 0, 1], [1, 0, 1, 0]),
    ([0, 2, 0, 3], [4, 0, 1, 0]),
]


def binormal_rows(seed: int, n_pos: int, n_neg: int, a: float = 1.2, b: float = 0.8) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = np.arange(n_pos + n_neg) < n_pos
    return y, np.where(y, (rng.normal(size=y.size) + a) / b, rng.normal(size=y.size))


# The likelihood, written down once more from its definition


def plain_log_likelihood(theta: np.ndarray, pos: list[int], neg: list[int]) -> float:
    """Parameters are a, log b, the first cut and the logarithms of the gaps between cuts."""
    a, b = theta[0], math.exp(theta[1])
    cuts = np.concatenate([[-np.inf], theta[2] + np.concatenate([[0], np.cumsum(np.exp(theta[3:]))]), [np.inf]])
    shares_neg, shares_pos = np.diff(special.ndtr(cuts)), np.diff(special.ndtr((cuts - a / b) * b))
    logs = (np.log(np.maximum(shares, 1e-300)) for shares in (shares_pos, shares_neg))
    return float(sum(np.asarray(counts) @ log for counts, log in zip((pos, neg), logs, strict=True)))


def brute_force(pos: list[int], neg: list[int]) -> tuple[np.ndarray, float]:
    start = np.concatenate([[1.0, 0.0, -1.0], np.full(len(pos) - 2, math.log(0.5))])
    best = start
    for method in ("Nelder-Mead", "BFGS", "Nelder-Mead", "BFGS"):
        options = {"maxiter": 40_000, "maxfev": 40_000, "xatol": 1e-10, "fatol": 1e-13} if method[0] == "N" else {}
        found = optimize.minimize(lambda t: -plain_log_likelihood(t, pos, neg), best, method=method, options=options)
        best = found.x
    return best, -found.fun


@pytest.mark.parametrize(("pos", "neg"), TABLES)
def test_the_fit_is_the_maximum(pos: list[int], neg: list[int]) -> None:
    fit = binormal_fit(rs.RankedScores.from_counts(range(len(pos)), pos=pos, neg=neg))
    theta, height = brute_force(pos, neg)
    assert fit.converged
    assert (fit.a, math.log(fit.b)) == pytest.approx(tuple(theta[:2]), abs=2e-4)
    if not any(0 < sum(kinds) < 2 for kinds in zip(np.sign(pos), np.sign(neg), strict=True)):
        assert fit.log_likelihood == pytest.approx(height, abs=1e-7)
        assert fit.log_likelihood >= height - 1e-9


@pytest.mark.parametrize(("pos", "neg"), TABLES[:4])
def test_covariance_is_the_inverse_of_minus_the_hessian(pos: list[int], neg: list[int]) -> None:
    fit = binormal_fit(rs.RankedScores.from_counts(range(len(pos)), pos=pos, neg=neg))
    theta, _ = brute_force(pos, neg)
    size, step = theta.size, 1e-3
    unit = np.eye(size) * step

    def value(*moves: np.ndarray) -> float:
        return plain_log_likelihood(theta + sum(moves), pos, neg)

    hessian = np.array(
        [[value(u, v) - value(u, -v) - value(-u, v) + value(-u, -v) for v in unit] for u in unit]
    ) / (4 * step**2)  # fmt: skip
    covariance = np.linalg.inv(-hessian)[:2, :2]
    by_b = np.array([[1, fit.b], [fit.b, fit.b**2]])  # from log b to b
    assert fit.covariance == pytest.approx(covariance * by_b, rel=2e-3)


def test_hanley_and_mcneil_1982() -> None:
    """The rating data of 109 CT images; a, b and the area by maximum likelihood are published."""
    fit = binormal_fit(CT)
    assert (round(fit.a, 2), round(fit.b, 2), round(fit.auc, 3)) == (1.66, 0.71, 0.911)
    assert fit.se_auc == pytest.approx(0.03, abs=0.001)
    assert fit.auc == pytest.approx(stats.norm.cdf(fit.a / math.sqrt(1 + fit.b**2)), abs=1e-15)
    assert not fit.warnings


@pytest.mark.parametrize("seed", range(5))
def test_collapsing_runs_changes_nothing(seed: int) -> None:
    ranked = rs.rank(*binormal_rows(seed, 40, 60))
    pos, neg = (counts.astype(float) for counts in (ranked.pos, ranked.neg))
    full, few = maximise(pos, neg), maximise(*collapse(ranked.pos, ranked.neg))
    assert full.converged
    assert few.converged
    assert (full.a, full.b) == pytest.approx((few.a, few.b), rel=1e-6)
    assert full.information == pytest.approx(few.information, rel=1e-5)


@pytest.mark.parametrize("seed", range(5))
def test_laws_of_the_fit(seed: int) -> None:
    y, s = binormal_rows(seed, 50, 30)
    fit = binormal_fit(y, s)
    mapped = binormal_fit(y, np.exp(s / 3))
    assert (fit.a, fit.b, fit.se_auc) == (mapped.a, mapped.b, mapped.se_auc)
    swapped = binormal_fit(~y, -s)
    assert (swapped.a, swapped.b) == pytest.approx((fit.a / fit.b, 1 / fit.b), rel=1e-6)
    assert (swapped.auc, swapped.se_auc) == pytest.approx((fit.auc, fit.se_auc), rel=1e-6)
    reversed_ = binormal_fit(y, -s)
    assert (reversed_.a, reversed_.b) == pytest.approx((-fit.a, fit.b), rel=1e-6)
    assert reversed_.auc == pytest.approx(1 - fit.auc, rel=1e-6)
    twice = binormal_fit(y, s, sample_weight=np.full(y.size, 2), weight_type="frequency")
    assert twice.se_auc == pytest.approx(fit.se_auc / math.sqrt(2))
    sampled = binormal_fit(y, s, sample_weight=np.full(y.size, 2))
    assert (sampled.a, sampled.auc) == (twice.a, twice.auc)
    assert math.isnan(sampled.se_auc)
    assert sampled.se_auc.reason == "weights_no_counts"
    assert str(sampled).endswith("(no se: weights that are no counts of rows have no standard error here)")
    assert "weight_type='frequency'" in sampled.warnings[0]


def test_many_rows_give_back_the_model() -> None:
    for method in ("binormal", "normal"):
        fit = binormal_fit(*binormal_rows(3, 20_000, 30_000), method=method)
        errors = np.sqrt(np.diag(fit.covariance))
        assert (np.abs(np.array([fit.a - 1.2, fit.b - 0.8])) < 4 * errors).all()
        assert errors.max() < 0.02
        assert not fit.warnings


@pytest.mark.parametrize("method", ["binormal", "normal"])
def test_standard_errors_are_those_of_repeated_samples(method: str) -> None:
    fits = [binormal_fit(*binormal_rows(seed, 100, 150), method=method) for seed in range(250)]
    areas, pairs = np.array([fit.auc for fit in fits]), np.array([[fit.a, fit.b] for fit in fits])
    assert np.mean([fit.se_auc for fit in fits]) == pytest.approx(areas.std(), rel=0.12)
    assert np.mean([fit.covariance for fit in fits], axis=0) == pytest.approx(np.cov(pairs.T), rel=0.25)
    assert areas.mean() == pytest.approx(stats.norm.cdf(1.2 / math.sqrt(1.64)), abs=0.006)


def test_two_normals_by_hand() -> None:
    y, s = binormal_rows(1, 12, 15)
    fit = binormal_fit(y, s, method="normal")
    assert fit.a == pytest.approx((s[y].mean() - s[~y].mean()) / s[y].std(), rel=1e-12)
    assert fit.b == pytest.approx(s[~y].std() / s[y].std(), rel=1e-12)
    likelihood = sum(stats.norm.logpdf(part, part.mean(), part.std()).sum() for part in (s[y], s[~y]))
    assert fit.log_likelihood == pytest.approx(likelihood, rel=1e-12)


@each_case(
    ("y", "s"),
    [
        ([0, 0, 0, 1, 1, 1], [1, 2, 3, 4, 5, 6]),
        ([1, 1, 0, 0], [1, 2, 3, 4]),
        ([0, 1, 0, 1], [5, 5, 5, 5]),
        ([0, 1, 0, 1, 0], [0, 0, 1, 1, 1]),
        ([1, 0, 0, 1, 1], [1, 2, 3, 4, 5]),
        ([0, 1, 1, 0, 0], [1, 2, 3, 4, 5]),
    ],
)
def test_data_without_a_best_curve_are_refused(y: list[int], s: list[int]) -> None:
    for attempt in (binormal_fit, smooth_roc, lambda y, s: roc_band(y, s, method="working-hotelling")):
        with pytest.raises(rs.InputError) as refused:
            attempt(y, s)
        assert refused.value.code == "binormal_degenerate"


@given(score_tables(weights=ALL_WEIGHTS))
def test_a_fit_is_sound_or_refused(table: ScoreTable) -> None:
    try:
        ranked = rs.rank(table.y_true, table.y_score, sample_weight=table.sample_weight)
        fit = binormal_fit(rs.rank(ranked, weight_type="frequency") if ranked.exact else ranked)
    except rs.InputError as error:
        if error.code not in {"binormal_degenerate", "binormal_not_converged", "single_class"}:
            raise
        return
    assert fit.converged
    assert 0 <= fit.auc <= 1
    assert math.isfinite(fit.se_auc) == ranked.exact
    assert not ranked.exact or (np.linalg.eigvalsh(fit.covariance) > 0).all()


def test_wild_weights_end_in_a_fit_or_a_refusal() -> None:
    rng, codes = np.random.default_rng(0), set()
    for _ in range(18):  # of which the last is refused for want of a best curve
        y, s, weights = rng.random(20) < 0.5, rng.integers(0, 8, 20), np.exp(15 * rng.normal(size=20))
        try:
            assert math.isfinite(binormal_fit(y, s, sample_weight=weights).auc)
        except rs.InputError as error:
            codes.add(error.code)
    assert codes == {"binormal_degenerate", "binormal_not_converged"}


def test_a_poor_fit_is_told() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(4000) < 2000
    far = np.where(rng.random(y.size) < 0.5, 4.0, -0.5)
    assert Remark("poor_fit") in binormal_fit(y, rng.normal(size=y.size) + far * y).warnings
    assert Remark("poor_fit") in roc_band(y, rng.normal(size=y.size) + far * y, method="working-hotelling").warnings


# Smooth curves


@pytest.mark.parametrize("method", ["binormal", "normal"])
def test_smooth_curves(method: str) -> None:
    y, s = binormal_rows(2, 60, 40)
    curve = smooth_roc(y, s, method=method, n_points=5001)
    fit = binormal_fit(y, s, method=method)
    assert curve.area == fit.auc == pytest.approx(float(np.trapezoid(curve.tpr, curve.fpr)), abs=1e-6)
    assert len(curve) == 5001
    assert (curve.fpr[0], curve.tpr[0], curve.fpr[-1], curve.tpr[-1]) == (0, 0, 1, 1)
    assert all((np.diff(axis) >= 0).all() for axis in curve.xy)
    assert curve.tpr == pytest.approx(fit.roc(curve.fpr), abs=1e-9)
    if method == "normal":
        inner = curve.thresholds[1:-1]
        assert curve.fpr[1:-1] == pytest.approx(stats.norm.sf(inner, s[~y].mean(), s[~y].std()), abs=1e-12)
        assert curve.tpr[1:-1] == pytest.approx(stats.norm.sf(inner, s[y].mean(), s[y].std()), abs=1e-12)


# Bands


@given(score_tables(weights=ALL_WEIGHTS))
@example(ScoreTable(np.array([1, 0, 0, 1, 1, 1, 1, 1]), np.repeat([0.25, 0.5], [7, 1]), np.full(8, 1e16)))
def test_every_band_is_one(table: ScoreTable) -> None:
    ranked = rs.rank(table.y_true, table.y_score, sample_weight=table.sample_weight)
    given = (table.y_true, table.y_score)
    for method in MODEL_FREE:
        if method == "ks" and not ranked.counts_rows:
            continue
        band = roc_band(*given, sample_weight=table.sample_weight, method=method, n_resamples=20, random_state=1)
        check_shape(ranked, band)


@each_case("method", METHODS)
@each_case("level", [0.5, 0.95, 0.999])
def test_bands_of_some_rows(method: str, level: float) -> None:
    for rows in (binormal_rows(1, 30, 700), binormal_rows(2, 700, 900), (CT,)):
        ranked = rs.rank(*rows)
        band = roc_band(ranked, method=method, level=level, n_resamples=99, random_state=1)
        check_shape(ranked, band)
        assert len(band) <= 512
        assert (band.level, band.method) == (level, method)
        assert band.coverage == ("pointwise" if method in {"pointwise", "threshold"} else "simultaneous")


def check_shape(ranked: rs.RankedScores, band: RocBand) -> None:
    tiny = 1e-12
    assert ((band.low >= 0) & (band.high <= 1)).all()
    assert (band.low <= band.tpr + tiny).all()
    assert (band.tpr <= band.high + tiny).all()
    assert all((np.diff(column) >= -tiny).all() for column in (band.fpr, band.low, band.high))
    assert (band.fpr[0], band.low[0], band.fpr[-1], band.high[-1]) == (0, 0, 1, 1)
    if band.method in {"pointwise", "ks", "fixed-width"}:
        steps = Steps.of(ranked)
        inner = (band.fpr > 0) & (band.fpr < 1)
        assert (band.low[inner] <= steps.bottom(band.fpr[inner]) + tiny).all()


def test_wider_levels_hold_narrower_ones() -> None:
    rows = binormal_rows(4, 60, 90)
    for method in METHODS:
        inner, outer = (
            roc_band(*rows, method=method, level=level, n_resamples=300, random_state=3) for level in (0.8, 0.99)
        )
        assert (outer.low <= inner.low + 1e-12).all()
        assert (outer.high >= inner.high - 1e-12).all()


def test_proportions_agree_with_scipy() -> None:
    rows = 17
    for hits in range(rows + 1):
        for make, name in ((wilson, "wilson"), (clopper_pearson, "exact")):
            low, high = make(np.array([hits / rows]), rows, 0.9)
            told = stats.binomtest(hits, rows).proportion_ci(0.9, method=name)
            assert (low[0], high[0]) == pytest.approx((told.low, told.high), abs=1e-10)


def test_threshold_boxes() -> None:
    band = roc_band(CT, method="threshold", level=0.9)
    assert band.thresholds.tolist() == [math.inf, 4, 3, 2, 1, 0]
    tp, fp = np.cumsum([0, *CT_POS[::-1]]), np.cumsum([0, *CT_NEG[::-1]])
    for i in range(1, 6):
        tpr = stats.binomtest(int(tp[i]), 51).proportion_ci(0.9)
        fpr = stats.binomtest(int(fp[i]), 58).proportion_ci(0.9)
        box = (band.low[i], band.high[i], band.fpr_low[i], band.fpr_high[i])
        assert box == pytest.approx((tpr.low, tpr.high, fpr.low, fpr.high), abs=1e-10)


def test_pointwise_by_hand() -> None:
    """FPR 6/30 is known to be exact, so only its threshold and the rate there are unsure."""
    y, s = binormal_rows(6, 20, 30)
    band = roc_band(y, s, fpr=[0.2])
    negatives = sorted(s[~y], reverse=True)
    hits = int((s[y] > negatives[6]).sum())
    told = stats.binomtest(hits, 20).proportion_ci(0.95, method="wilson")
    half = 1.959963984540054 * math.sqrt(0.2 * 0.8 / 30)
    left, right = (int(share * 30) for share in (0.2 - half, 0.2 + half))
    lowest, highest = ((s[y] > negatives[place]).mean() for place in (left, right))
    assert band.tpr[0] == hits / 20
    assert band.low[0] == pytest.approx(hits / 20 - math.hypot(hits / 20 - told.low, hits / 20 - lowest))
    assert band.high[0] == pytest.approx(hits / 20 + math.hypot(told.high - hits / 20, highest - hits / 20))


def test_pointwise_variance_is_that_of_theory() -> None:
    """With many rows the arms are z times sqrt(R(1 - R)/P + slope^2 t(1 - t)/N)."""
    n_pos, n_neg, at = 100_000, 150_000, np.array([0.1, 0.3, 0.6])
    arms = Reach.of(steps := Steps.of(rs.rank(*binormal_rows(5, n_pos, n_neg))), at, 0.95).arms(steps)
    deviate = stats.norm.ppf(at)
    rate, slope = (f(1.2 + 0.8 * deviate) for f in (stats.norm.cdf, stats.norm.pdf))
    slope = 0.8 * slope / stats.norm.pdf(deviate)
    theory = 1.96 * np.sqrt(rate * (1 - rate) / n_pos + slope**2 * at * (1 - at) / n_neg)
    assert arms.down == pytest.approx(theory, rel=0.12)
    assert arms.up == pytest.approx(theory, rel=0.12)


def test_ks_distances_are_those_of_the_tables() -> None:
    """Massey's and Miller's tables for ten rows: 0.409 at 95%; here at the root of the joint level."""
    y = np.arange(20) < 10
    band = roc_band(y, np.arange(20) % 7, method="ks", level=0.95**2)
    assert band.critical == pytest.approx((0.40925, 0.40925), abs=5e-5)


@pytest.mark.parametrize("rows", [binormal_rows(7, 9, 13), (CT,)])
def test_displaced_curves_hold_all_boxes(rows: Any) -> None:
    """Against a dense walk along the curve: the highest and lowest corner of boxes that reach a place."""
    steps, right, up = Steps.of(rs.rank(*rows)), 0.11, 0.07
    walk = np.linspace(0, steps.fpr.size - 1, 40_001)
    x, y = (np.interp(walk, np.arange(steps.fpr.size), axis) for axis in (steps.fpr, steps.tpr))
    at = np.linspace(0.0137, 0.9871, 50)
    limits = displaced(steps, at, right, up)
    near = np.abs(x[:, None] - at) <= right
    assert limits.high == pytest.approx(np.where(near, y[:, None], -1).max(axis=0) + up, abs=2e-3)
    assert limits.low == pytest.approx(np.where(near, y[:, None], 2).min(axis=0) - up, abs=2e-3)


def redrawn(y: np.ndarray, s: np.ndarray, rng: np.random.Generator) -> rs.RankedScores:
    chosen = np.concatenate([rng.choice(np.flatnonzero(y == kind), (y == kind).sum()) for kind in (True, False)])
    return rs.rank(y[chosen], s[chosen])


def test_fixed_width_holds_its_share_of_redrawn_curves() -> None:
    """Rows are drawn here one by one; the points of a redrawn curve must lie between the displaced curves."""
    (y, s), rng = binormal_rows(8, 60, 90), np.random.default_rng(1)
    band = roc_band(y, s, method="fixed-width", n_resamples=2000, random_state=1)
    assert band.critical[0] * math.sqrt(90) == pytest.approx(band.critical[1] * math.sqrt(60))
    steps, inside = Steps.of(rs.rank(y, s)), 0
    for _ in range(800):
        again = Steps.of(redrawn(y, s, rng))
        limits = displaced(steps, again.fpr, *band.critical)
        inside += bool(((limits.low <= again.tpr + 1e-9) & (again.tpr <= limits.high + 1e-9)).all())
    assert inside / 800 == pytest.approx(0.95, abs=0.025)


def test_bootstrap_factor_is_found_again_from_rows_drawn_one_by_one() -> None:
    (y, s), rng = binormal_rows(9, 60, 90), np.random.default_rng(2)
    band = roc_band(y, s, method="bootstrap", n_resamples=2000, random_state=1)
    curve, needed = Steps.of(rs.rank(y, s)), []
    for _ in range(700):
        again = Steps.of(redrawn(y, s, rng))
        arms = Reach.of(again, band.fpr, 0.95).arms(again)
        off = curve.top(band.fpr) - arms.tpr
        arm = np.where(off > 0, arms.up, arms.down)
        needed.append((np.abs(off)[off != 0] / arm[off != 0]).max(initial=0))
    assert np.mean(np.array(needed) <= band.critical[0]) == pytest.approx(0.95, abs=0.02)


def test_working_hotelling_holds_its_share_of_lines() -> None:
    """A line is in the band everywhere exactly when (a, b) is in the ellipse of 95%."""
    fit, at = binormal_fit(CT), np.concatenate([[1e-9], np.linspace(0.001, 0.999, 200), [1 - 1e-9]])
    band = roc_band(CT, method="working-hotelling", fpr=at)
    pairs = np.random.default_rng(0).multivariate_normal([fit.a, fit.b], fit.covariance, 20_000)
    pairs = pairs[pairs[:, 1] > 0]
    curves = special.ndtr(pairs[:, :1] + pairs[:, 1:] * stats.norm.ppf(at))
    inside = ((band.low <= curves + 1e-12) & (curves <= band.high + 1e-12)).all(axis=1)
    assert inside.mean() == pytest.approx(0.95, abs=0.008)
    assert band.tpr == pytest.approx(fit.roc(at))


@pytest.mark.parametrize("method", ["fixed-width", "bootstrap"])
def test_seeds(method: str) -> None:
    rows = binormal_rows(1, 30, 40)
    first, second, other = (roc_band(*rows, method=method, n_resamples=50, random_state=seed) for seed in (1, 1, 2))
    assert first.low.tobytes() == second.low.tobytes()
    assert first.low.tobytes() != other.low.tobytes()
    fresh = roc_band(*rows, method=method, n_resamples=50)
    again = roc_band(*rows, method=method, n_resamples=50, random_state=fresh.seed)
    assert fresh.high.tobytes() == again.high.tobytes()
    assert (first.seed, first.n_resamples) == (1, 50)
    assert roc_band(*rows, method="ks").seed is None


@each_case("method", METHODS)
def test_counts_are_rows(method: str) -> None:
    y, s = binormal_rows(1, 15, 20)
    s = s.round(1)
    options = {"method": method, "n_resamples": 30, "random_state": 1}
    counted = roc_band(y, s, sample_weight=np.full(y.size, 3.0), weight_type="frequency", **options)
    repeated = roc_band(np.tile(y, 3), np.tile(s, 3), method=method, n_resamples=30, random_state=1)
    assert counted.low == pytest.approx(repeated.low, abs=1e-12)
    assert counted.high == pytest.approx(repeated.high, abs=1e-12)


def test_many_rows_are_drawn_at_few_thresholds() -> None:
    ranked = rs.rank(*binormal_rows(1, 30_000, 40_000))
    band = roc_band(ranked, method="fixed-width", n_resamples=200, random_state=1)
    assert 0.8 < band.critical[0] * math.sqrt(40_000) < 1.5
    assert len(band) <= 512
    # The largest of many correlated normals, over 1.96: between that of one and that of 512 free ones.
    assert 1 < roc_band(ranked, method="bootstrap", n_resamples=200, random_state=1).critical[0] < 4.1 / 1.96


@pytest.mark.parametrize(("method", "least"), [("pointwise", 0.94), ("ks", 0.95), ("working-hotelling", 0.9)])
def test_coverage(method: str, least: float) -> None:
    """A short run of benchmarks/band_coverage.py."""
    at = np.linspace(0.01, 0.99, 99)
    true = stats.norm.cdf(1.2 + 0.8 * stats.norm.ppf(at))
    held = []
    for seed in range(120):
        band = roc_band(*binormal_rows(seed, 50, 60), method=method, fpr=at)
        inside = (band.low <= true) & (true <= band.high)
        held.append(inside.mean() if method == "pointwise" else inside.all())
    assert np.mean(held) >= least


@each_case(
    ("code", "attempt"),
    [
        ("single_class", lambda: roc_band([1, 1], [1, 2])),
        ("single_class", lambda: binormal_fit([0, 0], [1, 2])),
        ("method", lambda: roc_band(CT, method="wald")),
        ("method", lambda: binormal_fit(CT, method="kernel")),
        ("level", lambda: roc_band(CT, level=95)),
        ("rates_outside", lambda: roc_band(CT, fpr=[20])),
        ("rates_outside", lambda: roc_band(CT, fpr=[math.nan])),
        ("fpr_order", lambda: roc_band(CT, fpr=[0.2, 0.1])),
        ("fpr", lambda: roc_band(CT, method="threshold", fpr=[0.1])),
        ("n_resamples", lambda: roc_band(CT, method="bootstrap", n_resamples=0)),
        ("n_points", lambda: smooth_roc(CT, n_points=2)),
        ("infinite_scores", lambda: binormal_fit([0, 1, 0, 1], [1, 2, 3, math.inf], method="normal")),
        ("no_spread", lambda: binormal_fit([0, 1, 0, 1], [1, 2, 3, 2], method="normal")),
    ],
)
def test_refusals(code: str, attempt: Any) -> None:
    with pytest.raises(rs.RocsteadyError) as refused:
        attempt()
    assert refused.value.code == code


def test_warnings_say_when_not_to_trust() -> None:
    few = rs.rank([0, 1, 0, 1], [1, 2, 2, 3])
    assert "tied" in roc_band(few, method="ks").warnings[0]
    assert not roc_band(few, method="pointwise").warnings  # measured on few rows: 97% or more
    for method in ("bootstrap", "fixed-width"):
        (warning,) = roc_band(few, method=method, n_resamples=9).warnings
        assert f"a {method} band of 95% held" in warning
        assert 'take method="ks"' in warning
    clear, unclear = binormal_rows(1, 25, 25, a=3.0), binormal_rows(1, 25, 25, a=0.5)
    assert len(roc_band(*clear, method="bootstrap", n_resamples=9).warnings) == 1
    assert not roc_band(*unclear, method="bootstrap", n_resamples=9).warnings
    assert "fewer than 60 rows" in roc_band(*unclear, method="working-hotelling").warnings[0]
    weighted = roc_band(*binormal_rows(1, 20, 20), sample_weight=np.full(40, 0.5))
    assert any("weights" in text for text in weighted.warnings)
    assert not roc_band(*binormal_rows(1, 200, 200)).warnings


# Tables and pictures


@each_case("method", METHODS)
def test_tables(method: str) -> None:
    band = roc_band(CT, method=method, n_resamples=20, random_state=1)
    plain = band.to_dict()
    assert json.loads(json.dumps(plain)) == plain
    frame = band.to_frame("pandas")
    assert {"fpr", "tpr", "low", "high"} <= set(frame.columns)
    assert len(frame) == len(band)
    assert str(band).startswith(f"ROC band: {len(band)} points")
    fit = binormal_fit(CT)
    assert json.loads(json.dumps(fit.to_dict())) == fit.to_dict()
    assert fit.to_frame("pandas")["auc"].to_list() == [fit.auc]


@pytest.mark.parametrize("method", METHODS)
def test_plots(method: str, pyplot: Any) -> None:
    band = roc_band(CT, method=method, n_resamples=20, random_state=1)
    display = band.plot()
    assert display.figure_ is display.ax_.figure
    assert display.line_ in display.ax_.lines
    assert display.band_ in display.ax_.collections
    assert display.line_.get_xydata()[0].tolist() == [0, 0]
    _, ax = pyplot.subplots()
    again = band.plot(ax, name="$model_1", color="black")
    assert again.ax_ is ax
    assert r"\$model_1" in again.line_.get_label()
    assert again.chance_level_ is not None
    assert band.plot(ax).chance_level_ is None
    again.figure_.canvas.draw()
    assert smooth_roc(CT).plot(ax).line_ in ax.lines


def few_subjects(seed: int) -> tuple[Any, Any, Any]:
    """Subjects with several rows of both classes, whose scores go together; scores tie."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(12, 120))
    subject = rng.integers(0, max(3, n // 5), n)
    y = np.append(rng.random(n - 2) < 0.4, [True, False])
    return y, np.round(rng.normal(size=n) + y + rng.normal(size=n)[subject], 1), subject


@each_case("method", ["pointwise", "threshold"])
@each_case("seed", range(12))
def test_limits_of_subjects_never_fall_and_are_nested(method: Any, seed: int) -> None:
    y, score, subject = few_subjects(seed)
    levels = (0.5, 0.9, 0.93, 0.95, 0.99)
    bands = [rs.roc_band(y, score, method=method, cluster=subject, level=level) for level in levels]
    for band in bands:
        for limits in (band.low, band.high, band.fpr_low, band.fpr_high):
            assert limits is None or (np.diff(limits) >= 0).all()
        assert (band.low <= band.tpr + 1e-12).all()
        assert (band.tpr <= band.high + 1e-12).all()
    for narrow, wide in pairwise(bands):
        assert (wide.low <= narrow.low + 1e-12).all()
        assert (narrow.high <= wide.high + 1e-12).all()


def test_arms_of_subjects_are_the_longest_of_all_levels_below() -> None:
    """By hand: the arm at every one of many levels, and the greatest of them."""
    from rocsteady._src.inference.bands.band_methods import Reach, _nested_arms
    from rocsteady._src.inference.bands.roc_band import _steps
    from rocsteady._src.inference.units.subjects import read_rows

    shrank = 0
    for seed in range(20):
        y, score, subject = few_subjects(seed)
        rows = read_rows(y, score, subject)
        steps, at = _steps(rows.ranked[0], rows), np.linspace(0.05, 0.95, 19)
        nested = _nested_arms(steps, at, 0.95)
        tried = [Reach.of(steps, at, level).arms(steps) for level in (*np.linspace(0.01, 0.949, 100), 0.95)]
        for side in ("down", "up"):
            longest = np.max([getattr(arms, side) for arms in tried], axis=0)
            found = getattr(nested, side)
            assert (found >= longest - 1e-12).all()
            assert (found <= 1.25 * longest + 1e-9).all()
            shrank += int((getattr(tried[-1], side) < longest - 1e-6).sum())
    assert shrank > 0
