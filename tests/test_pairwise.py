"""The pairwise engine on its fast ways, against sums over all pairs in extended precision."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple
from unittest import mock

import mpmath
import numpy as np
import pytest

import pair_oracles as slow
import rocsteady as rs
from cases import each_case
from oracles import relative_error, rows_of
from rocsteady._src.measures.pairwise import (
    Logistic,
    Power,
    Ramp,
    SmoothKernel,
    Step,
    engine,
    pair_mean,
    pair_slopes,
    smooth,
)
from rocsteady._src.measures.pairwise.power import power_sum
from rocsteady._src.measures.pairwise.ramp import ramp_sum, shifted_ramp_sum
from rocsteady._src.measures.pairwise.smooth import smooth_sums

Array = np.ndarray
Side = tuple[Array, Array]
LONG = np.longdouble
QS = (1 / 1001, 1 / 7, 0.5, 1.5, 3.0)
BETAS = (1e-3, 0.1, 7.0, 1e3, 1e6)
SHIFTS = (0.0, 1e-9, 0.1, 0.5, 0.95)  # shares of the range
ALLOWED = {Power: 1e-10, Logistic: 1e-12, Ramp: 1e-12}
SMALLEST_COMPARED = 1e-300
ROWS = 560  # more pairs than are summed one by one
FEWER = 300


# Distributions that break kernel sums


def uniform(rng: np.random.Generator, y: Array) -> Array:
    return rng.random(y.size)


def normal(rng: np.random.Generator, y: Array) -> Array:
    return rng.normal(size=y.size) + y


def tight_cluster(rng: np.random.Generator, y: Array) -> Array:
    return 0.5 + 1e-9 * rng.random(y.size)


def one_outlier(rng: np.random.Generator, y: Array) -> Array:
    return np.append(1e-3 * rng.random(y.size - 1), 1e6)


def many_magnitudes(rng: np.random.Generator, y: Array) -> Array:
    return 10 ** rng.uniform(-200, 2, y.size)


def twenty_clusters(rng: np.random.Generator, y: Array) -> Array:
    return rng.choice(rng.random(20), y.size) + 1e-7 * rng.random(y.size)


def heavy_tails(rng: np.random.Generator, y: Array) -> Array:
    return 1e6 * rng.standard_cauchy(y.size)


def heavy_ties(rng: np.random.Generator, y: Array) -> Array:
    return np.where(rng.random(y.size) < 0.3, rng.integers(0, 5, y.size), rng.integers(0, 2000, y.size) / 500)


def all_wrong(rng: np.random.Generator, y: Array) -> Array:
    return rng.random(y.size) + np.where(y, 0.0, 1.0)


def all_wrong_by_far(rng: np.random.Generator, y: Array) -> Array:
    return rng.random(y.size) + np.where(y, 0.0, 90.0)


def equal_grids(rng: np.random.Generator, y: Array) -> Array:
    """The k-th row of each class has the score k / 300."""
    return np.where(y, np.cumsum(y), np.cumsum(1 - y)) / 300


def powers_of_two(rng: np.random.Generator, y: Array) -> Array:
    return (
        rng.choice([-1.0, 1.0], y.size)
        * 2.0 ** rng.integers(-60, 20, y.size)
        * (1 + rng.integers(0, 3, y.size) / 2**52)
    )


def box_edges(rng: np.random.Generator, y: Array) -> Array:
    edges = rng.integers(-256, 256, y.size) / 16
    return np.nextafter(edges, rng.choice([-np.inf, np.inf], y.size)) * rng.choice([1.0, 1 - 2**-40], y.size)


def around_zero(rng: np.random.Generator, y: Array) -> Array:
    return rng.normal(size=y.size) * 10 ** rng.uniform(-20, 0, y.size)


def adjacent_floats(rng: np.random.Generator, y: Array) -> Array:
    return (np.full(y.size, 0.3).view(np.int64) + rng.integers(-1000, 1000, y.size)).view(np.float64)


def opposite_corners(rng: np.random.Generator, y: Array) -> Array:
    """Far boxes with all points in the two corners that are nearest to each other."""
    return np.where(y, 2 + 0.01 * rng.random(y.size), 1 - 0.01 * rng.random(y.size))


def sentinel(rng: np.random.Generator, y: Array) -> Array:
    return np.where(rng.random(y.size) < 0.02, -1e30, rng.random(y.size))


DISTRIBUTIONS: dict[str, Callable[[np.random.Generator, Array], Array]] = {
    make.__name__: make
    for make in (
        uniform,
        normal,
        tight_cluster,
        one_outlier,
        many_magnitudes,
        twenty_clusters,
        heavy_tails,
        heavy_ties,
        all_wrong,
        all_wrong_by_far,
        equal_grids,
        powers_of_two,
        box_edges,
        around_zero,
        adjacent_floats,
        opposite_corners,
        sentinel,
    )
}
WEIGHTS: dict[str, Callable[[np.random.Generator, int], Array | None]] = {
    "counts": lambda _, __: None,
    "floats": lambda rng, size: rng.random(size) + 0.01,
    "huge ratios": lambda rng, size: 10 ** rng.uniform(-8, 8, size),
}


@cache
def ranked_scores(name: str, *, rows: int = ROWS, weights: str = "counts", seed: int = 5) -> rs.RankedScores:
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(rows) % 2)
    return rs.rank(y, DISTRIBUTIONS[name](rng, y), sample_weight=WEIGHTS[weights](rng, rows))


# Sums over all pairs in extended precision


def long_power(d: Array, q: float) -> Array:
    return np.power(d, LONG(q), out=np.zeros_like(d), where=d > 0)


def long_logistic(d: Array, beta: float) -> Array:
    shrunk = np.exp(-np.abs(LONG(beta) * d))
    return np.where(d >= 0, LONG(1), shrunk) / (1 + shrunk)


def long_ramp(d: Array, shift: float) -> Array:
    return np.maximum(d - LONG(shift), LONG(0))


def in_extended_precision(kernel: Any) -> Callable[[Array], Array]:
    if isinstance(kernel, Power):
        return lambda d: long_power(d, kernel.q)
    if isinstance(kernel, Logistic):
        return lambda d: long_logistic(d, kernel.beta)
    return lambda d: long_ramp(d, kernel.shift)


def long_sides(ranked: rs.RankedScores) -> list[tuple[Array, ...]]:
    return [tuple(part.astype(LONG) for part in side) for side in engine.sides(ranked)]


def long_mean(ranked: rs.RankedScores, function: Callable[[Array], Array]) -> Any:
    """Mean of f(p - n) over all pairs; long doubles hold almost every difference of doubles exactly."""
    (p, p_weights), (n, n_weights) = long_sides(ranked)
    rows = max(1, 200_000 // n.size)
    blocks = [slice(start, start + rows) for start in range(0, p.size, rows)]
    total = sum(p_weights[block] @ (function(p[block, None] - n) @ n_weights) for block in blocks)
    return total / (p_weights.sum() * n_weights.sum())


def long_shares(ranked: rs.RankedScores, taus: Array) -> list[float]:
    """Share of all pairs whose difference is above each tau; of sorted negatives those are the lowest."""
    (p, p_weights), (n, n_weights) = long_sides(ranked)
    order = np.argsort(n)
    apart, held = p[:, None] - n[order], np.append(LONG(0), np.cumsum(n_weights[order]))
    whole = p_weights.sum() * n_weights.sum()
    return [float(p_weights @ held[np.count_nonzero(apart > tau, axis=1)] / whole) for tau in taus]


def assert_right(value: rs.results.Bounded, truth: Any, allowed: float) -> None:
    """Near the truth, and nearer than the bound it carries."""
    if truth < SMALLEST_COMPARED:
        assert value <= 2 * SMALLEST_COMPARED
        return
    error = abs(LONG(value) - truth)
    assert error <= allowed * truth
    assert error <= value.error_bound


def kernels_for(ranked: rs.RankedScores) -> list[Any]:
    width = float(ranked.scores[-1] - ranked.scores[0])
    return [*map(Power, QS), *map(Logistic, BETAS), *(Ramp(share * width) for share in SHIFTS)]


KERNEL_NAMES = [*(f"q={q:.3g}" for q in QS), *(f"beta={b:g}" for b in BETAS), *(f"shift={s:g}R" for s in SHIFTS)]


@pytest.mark.parametrize("name", DISTRIBUTIONS)
@each_case("number", range(len(KERNEL_NAMES)), ids=KERNEL_NAMES)
def test_fast_sums_equal_sums_over_all_pairs(name: str, number: int) -> None:
    ranked = ranked_scores(name, rows=FEWER)
    kernel = kernels_for(ranked)[number]
    with mock.patch.object(engine, "FEW_PAIRS", 0):
        value = pair_mean(ranked, kernel)
    assert value.method in ("multipole", "Chebyshev boxes", "prefix sums")
    assert_right(value, long_mean(ranked, in_extended_precision(kernel)), ALLOWED[type(kernel)])


@pytest.mark.parametrize("weights", ["floats", "huge ratios"])
@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_fast_sums_of_weighted_pairs(name: str, weights: str) -> None:
    ranked = ranked_scores(name, weights=weights, rows=FEWER)
    width = float(ranked.scores[-1] - ranked.scores[0])
    for kernel in (Power(1 / 7), Power(1.5), Logistic(7.0), Logistic(1e3), Ramp(), Ramp(0.5 * width)):
        with mock.patch.object(engine, "FEW_PAIRS", 0):
            value = pair_mean(ranked, kernel)
        assert_right(value, long_mean(ranked, in_extended_precision(kernel)), ALLOWED[type(kernel)])


@pytest.mark.parametrize(
    "kernel", [Power(1 / 7), Power(1.5), Logistic(7.0), Logistic(1e3), Ramp(), Ramp(0.25)], ids=str
)
@pytest.mark.parametrize("name", ["normal", "one_outlier", "twenty_clusters"])
def test_many_pairs_take_the_fast_way_by_themselves(name: str, kernel: Any) -> None:
    ranked = ranked_scores(name)
    value = pair_mean(ranked, kernel)
    assert value.method != "all pairs"
    assert_right(value, long_mean(ranked, in_extended_precision(kernel)), ALLOWED[type(kernel)])
    exact = pair_mean(ranked, kernel, exact=True)
    assert exact.method == "all pairs"
    assert abs(exact - value) <= value.error_bound + exact.error_bound


@pytest.mark.parametrize("kernel", [Power(3.0), Power(4.0), Power(5.0), Power(50.0)], ids=str)
def test_large_powers_keep_their_bound(kernel: Power) -> None:
    ranked = ranked_scores("opposite_corners")
    value = pair_mean(ranked, kernel)
    assert value.method == ("multipole" if kernel.q <= 4 else "all pairs")
    assert_right(value, long_mean(ranked, in_extended_precision(kernel)), 1e-12)


def test_the_bound_is_not_idle() -> None:
    """Measured errors stay below a tenth of FAST_ERROR, but are not zero."""
    with mock.patch.object(engine, "FEW_PAIRS", 0):
        errors = [
            abs(LONG(pair_mean(ranked, kernel)) / long_mean(ranked, in_extended_precision(kernel)) - 1)
            for ranked in map(ranked_scores, ("uniform", "normal", "twenty_clusters", "opposite_corners"))
            for kernel in (Power(1 / 7), Power(1.5), Logistic(7.0), Ramp())
        ]
    assert 0 < max(errors) < engine.FAST_ERROR / 10


# The sums themselves, with few points


def side(*points: float) -> Side:
    return np.array(points), np.ones(len(points))


PAIRS = [
    (1.0, -1e-17),  # the range rounds to a power of two
    (2.0, -5e-324),
    (1.0, 0.0),
    (1.0, np.nextafter(1.0, 0.0)),
    (np.nextafter(1.0, 2.0), 1.0),
    (4.0, 1.0),
    (-1.0, -4.0),
    (0.5, -0.5),
    (3e-320, 1e-320),
    (1.7e308, -5e306),
    (1e300, -1e300),
]


@each_case(("p", "n"), PAIRS)
@each_case("q", [1 / 1001, 1 / 7, 0.5])
def test_power_sum_of_one_pair(p: float, n: float, q: float) -> None:
    truth = slow.softened_auc(rows_of([1, 0], [p, n]), q=q)
    assert relative_error(power_sum(side(p), side(n), q), truth) <= 1e-13


@each_case(("p", "n"), PAIRS)
def test_ramp_sums_of_one_pair(p: float, n: float) -> None:
    points = np.array([n, p])
    assert ramp_sum(points, np.array([0, 1]), np.array([1, 0])) == p - n
    assert shifted_ramp_sum(side(p), side(n), 0.0) == p - n
    assert shifted_ramp_sum(side(n), side(p), 0.0) == 0


@pytest.mark.parametrize(
    ("p", "n", "shift"),
    [(1.3, -0.3, 1.6 - 1e-12), (0.3, 0.1, 0.2 - 2**-54), (1.0, -1e-17, 1.0), (0.75, 0.5, 0.25), (0.7, 0.1, 0.6)],
)
def test_a_pair_that_clears_the_shift_by_a_hair_keeps_its_digits(p: float, n: float, shift: float) -> None:
    truth = slow.scored_auc(rows_of([1, 0], [p, n]), shift=shift)
    assert relative_error(shifted_ramp_sum(side(p), side(n), shift), truth) <= 1e-15


def test_sums_without_a_won_pair_are_zero() -> None:
    assert power_sum(side(1.0, 2.0), side(2.0, 3.0), 0.5) == 0
    assert power_sum(side(1.0), side(1.0), 0.5) == 0
    assert ramp_sum(np.array([1.0]), np.array([1]), np.array([1])) == 0
    assert shifted_ramp_sum(side(1.0, 2.0), side(0.0), 2.0) == 0


def test_power_sums_too_large_for_a_float_are_infinite() -> None:
    ranked = rs.rank(np.arange(600) % 2, np.arange(600) * 1e300)
    assert pair_mean(ranked, Power(1.5)) == np.inf
    assert rs.softened_auc(ranked, q=0.5) == pytest.approx(
        1e150 * rs.softened_auc(np.arange(600) % 2, np.arange(600), q=0.5)
    )


@pytest.mark.parametrize("q", [1 / 7, 1.5])
def test_power_sum_of_crowds_deep_in_the_tree(q: float) -> None:
    """Thousands of points within 1e-12, beside others far away: the tree goes on for the crowd alone."""
    rng = np.random.default_rng(0)
    s = np.concatenate([1e-12 * rng.random(400), 0.7 + 1e-13 * rng.random(300), rng.normal(size=100), [1e12, -1e200]])
    ranked = rs.rank(rng.permutation(np.arange(s.size) % 2), s)
    assert_right(pair_mean(ranked, Power(q)), long_mean(ranked, lambda d: long_power(d, q)), 1e-10)


# Kernels of one's own


class Own(NamedTuple):
    """A declared kernel, and the same function in any precision."""

    function: Callable[[Any], Any]
    kernel: SmoothKernel


OWN = {
    "tanh": Own(lambda d: np.tanh(5 * d), SmoothKernel(lambda d: np.tanh(5 * d), 0.1, 4.5, left=-1.0, right=1.0)),
    "bump": Own(lambda d: np.exp(-d * d), SmoothKernel(lambda d: np.exp(-d * d), 0.2, 6.5)),
    "odd, of mean zero": Own(lambda d: d * np.exp(-d * d), SmoothKernel(lambda d: d * np.exp(-d * d), 0.2, 6.6)),
    "wave": Own(
        lambda d: np.cos(4 * d) * np.exp(-d * d), SmoothKernel(lambda d: np.cos(4 * d) * np.exp(-d * d), 0.1, 6.5)
    ),
    "narrow bump": Own(
        lambda d: np.exp(-((d / 1e-3) ** 2)), SmoothKernel(lambda d: np.exp(-((d / 1e-3) ** 2)), 2e-4, 6.5e-3)
    ),
}


@each_case("weights", ["counts", "floats"])
@each_case("name", ["uniform", "normal", "one_outlier", "twenty_clusters", "equal_grids", "sentinel"])
@each_case("own", OWN.values(), ids=OWN)
def test_smooth_kernels_of_ones_own(own: Own, name: str, weights: str) -> None:
    ranked = ranked_scores(name, weights=weights)
    value, truth = pair_mean(ranked, own.kernel), long_mean(ranked, own.function)
    assert value.method == "Chebyshev boxes"
    assert abs(LONG(value) - truth) <= min(1e-12, value.error_bound)
    assert value.error_bound < 1e-11


@each_case("pair_cost", [0.0, 1e3], ids=["one by one", "by boxes"])
@each_case("name", DISTRIBUTIONS)
def test_both_ways_of_smooth_sums_agree_with_all_pairs(name: str, pair_cost: float) -> None:
    ranked = ranked_scores(name, rows=120)
    (p, _), negatives = engine.sides(ranked)
    with mock.patch.object(smooth, "PAIR_COST", pair_cost), np.errstate(under="ignore"):
        sums = smooth_sums(p, negatives, Logistic(7.0).smooth(45.0))
    truth = long_logistic(p[:, None] - negatives[0].astype(LONG), 7.0) @ negatives[1]
    assert np.abs(sums - truth).max() <= 1e-12 * negatives[1].sum()


@each_case("beta", [1e14, 1e15, 1e16, 1e17])
@each_case("name", ["adjacent_floats", "around_zero", "box_edges"])
def test_points_too_far_out_for_boxes(name: str, beta: float) -> None:
    """Widths near the spacing of floats: some or all points lie beyond the numbers that boxes can have."""
    ranked = ranked_scores(name, rows=240)
    with mock.patch.object(engine, "FEW_PAIRS", 0), mock.patch.object(smooth, "PAIR_COST", 1e3):
        value = pair_mean(ranked, Logistic(beta))
    assert_right(value, long_mean(ranked, lambda d: long_logistic(d, beta)), 1e-12)


@pytest.mark.parametrize("name", ["uniform", "one_outlier", "sentinel", "many_magnitudes", "tight_cluster"])
def test_smooth_sums_evaluate_few_pairs(name: str) -> None:
    """A score far out must not send the others to all pairs."""
    evaluated = 0

    def bump(d: Array) -> Array:
        nonlocal evaluated
        evaluated += np.size(d)
        return np.exp(-d * d)

    ranked = ranked_scores(name, rows=20_000)
    pair_mean(ranked, SmoothKernel(bump, 0.2, 6.5))
    assert evaluated < 100 * 20_000


# Slopes


@each_case("beta", BETAS)
@each_case("name", DISTRIBUTIONS)
def test_slopes_equal_sums_of_derivatives(name: str, beta: float) -> None:
    ranked = ranked_scores(name, rows=160)
    points = engine.points_of(ranked).astype(LONG)
    (p, p_weights), (n, n_weights) = engine.sides(ranked)

    def derivative(d: Array) -> Array:
        shrunk = np.exp(-np.abs(LONG(beta) * d))
        return LONG(beta) * shrunk / (1 + shrunk) ** 2

    of_positives, of_negatives = pair_slopes(ranked, Logistic(beta))
    for slopes, truth in (
        (of_positives, derivative(points[:, None] - n) @ n_weights),
        (of_negatives, derivative(p - points[:, None]) @ p_weights),
    ):
        assert np.abs(slopes - truth).max() <= 1e-12 * max(truth.max(), SMALLEST_COMPARED)


@pytest.mark.parametrize("beta", [0.5, 7.0, 200.0])
def test_slopes_equal_finite_differences(beta: float) -> None:
    ranked = ranked_scores("normal", rows=400)
    points, (positives, negatives) = engine.points_of(ranked), engine.sides(ranked)
    step, kernel = 1e-5 / beta, Logistic(beta).smooth(45.0)
    rising = (smooth_sums(points + step, negatives, kernel) - smooth_sums(points - step, negatives, kernel)) / (
        2 * step
    )
    falling = kernel.mirrored()
    lost = (smooth_sums(points - step, positives, falling) - smooth_sums(points + step, positives, falling)) / (
        2 * step
    )
    for slopes, differences in zip(pair_slopes(ranked, Logistic(beta)), (rising, lost), strict=True):
        assert np.abs(slopes - differences).max() <= 1e-8 * np.abs(slopes).max()


def test_slopes_take_a_kernel_as_the_derivative_itself() -> None:
    ranked = ranked_scores("normal", rows=400)
    points, ((p, p_weights), (n, n_weights)) = engine.points_of(ranked), engine.sides(ranked)
    own = OWN["odd, of mean zero"]
    of_positives, of_negatives = pair_slopes(ranked, own.kernel)
    assert np.abs(of_positives - own.function(points[:, None] - n) @ n_weights).max() <= 1e-12 * n_weights.sum()
    assert np.abs(of_negatives - own.function(p - points[:, None]) @ p_weights).max() <= 1e-12 * p_weights.sum()


# Any function, all pairs


@pytest.mark.parametrize("function", [np.tanh, np.cbrt, lambda d: np.abs(d) < 0.25], ids=["tanh", "cbrt", "near"])
def test_pairwise_mean_of_any_function(function: Callable[[Any], Any]) -> None:
    ranked = ranked_scores("normal", weights="floats", rows=900)
    value = rs.pairwise_mean(function, ranked)
    assert value.method == "all pairs"
    assert abs(LONG(value) - long_mean(ranked, lambda d: function(d).astype(LONG))) <= value.error_bound < 1e-13


@pytest.mark.parametrize("kernel", [np.tanh, Logistic(7.0)], ids=["any function", "exact"])
def test_progress_rises_to_one(kernel: Any) -> None:
    ranked = ranked_scores("normal", rows=4000)
    shares: list[float] = []
    rs.pairwise_mean(kernel, ranked, exact=True, progress=shares.append)
    assert len(shares) > 5
    assert all(before < after for before, after in pairwise([0.0, *shares]))
    assert shares[-1] == 1


def test_progress_bars_keep_quiet_away_from_a_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    rs.pairwise_mean(np.tanh, [1, 0, 1], [0.5, 0.25, 0.125], progress=True)
    assert capfd.readouterr() == ("", "")


def test_every_pair_is_evaluated_once() -> None:
    evaluated = 0

    def counted(d: Array) -> Array:
        nonlocal evaluated
        evaluated += d.size
        return np.tanh(d)

    ranked = ranked_scores("normal", rows=2000)
    rs.pairwise_mean(counted, ranked)
    assert evaluated == 1000 * 1000


@each_case("rows", [40, 2000])
@each_case("name", ["normal", "heavy_ties", "equal_grids", "all_wrong"])
def test_step_equals_auc_exactly(name: str, rows: int) -> None:
    ranked = ranked_scores(name, rows=rows)
    assert rs.pairwise_mean(Step(), ranked) == rs.auc(ranked)
    assert rs.pairwise_mean(Step(), ranked, exact=True) == rs.auc(ranked)


def test_step_equals_auc_exactly_for_counts_beyond_floats() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        ranked = rs.RankedScores.from_counts(np.arange(9), *rng.integers(1, 2**50, (2, 9)))
        assert rs.pairwise_mean(Step(), ranked) == rs.auc(ranked)


# Memory


@pytest.mark.parametrize(
    ("measure", "params"),
    [
        (rs.scored_auc, {}),
        (rs.mm4_auc, {}),
        (rs.softened_auc, {}),
        *((rs.soft_auc, {"beta": beta}) for beta in (7.0, 1e4)),
    ],
)
@pytest.mark.parametrize("name", ["normal", "twenty_clusters"])
def test_memory_stays_linear(name: str, measure: rs.measures.Measure, params: dict[str, float]) -> None:
    ranked = ranked_scores.__wrapped__(name, rows=60_000)  # which holds nothing that was made for another
    tracemalloc.start()
    value = measure(ranked, **params)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert value.method != "all pairs"
    assert peak < 400 * 60_000


# Curves

UNIT_NAMES = ("uniform", "tight_cluster", "twenty_clusters", "equal_grids")


def unit_scores(name: str, **options: Any) -> rs.RankedScores:
    ranked = ranked_scores(name, **options)
    return rs.RankedScores.from_counts(ranked.scores / max(1.0, ranked.scores[-1]), ranked.pos, ranked.neg)


@each_case("rows", [12, 2000])
@each_case("weights", WEIGHTS)
@each_case("name", UNIT_NAMES)
def test_area_under_prob_roc_is_prob_auc(name: str, weights: str, rows: int) -> None:
    ranked = unit_scores(name, weights=weights, rows=rows)
    curve = rs.prob_roc(ranked)
    assert curve.area == pytest.approx(rs.prob_auc(ranked), rel=1e-12)
    assert (np.diff(curve.fpr) >= 0).all()
    assert (np.diff(curve.tpr) >= 0).all()
    assert (curve.fpr[0], curve.tpr[0], curve.fpr[-1], curve.tpr[-1]) == (0, 0, 1, 1)


@pytest.mark.parametrize("scores", [[1, 1, 0], [True, True, False], np.array([3, 2, 1], dtype=np.longdouble) / 4])
def test_thresholds_of_prob_roc_are_scores_of_negatives(scores: Any) -> None:
    curve = rs.prob_roc([1, 0, 0], scores)
    negatives = [float(score) for score in scores[1:]]
    assert curve.thresholds.tolist() == [np.inf, *np.repeat(negatives, 2).tolist(), -np.inf]


@each_case("rows", [12, 300, 900])
@each_case("weights", WEIGHTS)
@each_case("name", DISTRIBUTIONS)
def test_area_under_scored_roc_is_scored_auc(name: str, weights: str, rows: int) -> None:
    ranked = ranked_scores(name, weights=weights, rows=rows)
    curve = rs.scored_roc(ranked)
    assert curve.area == pytest.approx(float(rs.scored_auc(ranked)), rel=1e-12)
    assert (np.diff(curve.tau) >= 0).all()
    assert (np.diff(curve.share) <= 0).all()
    assert curve.tau[0] == 0
    assert curve.tau[-1] == curve.tau.max() == ranked.scores[-1] - ranked.scores[0]


@pytest.mark.parametrize("weights", WEIGHTS)
def test_every_step_of_a_short_scored_roc_is_right(weights: str) -> None:
    rng = np.random.default_rng(2)
    y, s, w = np.arange(14) % 2, rng.integers(0, 16, 14) / 16, WEIGHTS[weights](rng, 14)
    curve, rows = rs.scored_roc(y, s, sample_weight=w), rows_of(y, s, w)
    assert curve.exact
    for tau in {*curve.tau.tolist(), *(curve.tau + 1 / 32).tolist()}:
        truth = float(slow.share_won_by_more_than(rows, tau))
        last = np.searchsorted(curve.tau, tau, side="right") - 1
        assert curve.share[last] == pytest.approx(truth, abs=1e-12)


@pytest.mark.parametrize("grid", [7, 200])
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("name", ["uniform", "normal", "twenty_clusters", "heavy_tails"])
def test_a_long_scored_roc_is_exact_on_its_grid(name: str, weights: str, grid: int) -> None:
    ranked = ranked_scores(name, weights=weights, rows=900)
    curve = rs.scored_roc(ranked, grid=grid)
    assert not curve.exact
    assert len(curve) == grid + 1
    assert curve.share[::20] == pytest.approx(long_shares(ranked, curve.tau[::20]), abs=1e-14)


def test_a_long_scored_roc_decides_ties_exactly() -> None:
    """Scores and grid in binary fractions, so that p - tau = n happens and is exact."""
    rng = np.random.default_rng(4)
    s = np.concatenate([np.arange(2048) / 2048, rng.integers(0, 2048, 512) / 2048, [1.0]])
    ranked = rs.rank(rng.permutation(np.arange(s.size) % 2), s)
    curve = rs.scored_roc(ranked, grid=16)
    assert curve.share == pytest.approx(long_shares(ranked, curve.tau), abs=1e-15)


def test_the_references_agree_with_each_other() -> None:
    """Long doubles against 50 digits."""
    y, s = np.arange(24) % 2, np.random.default_rng(3).random(24)
    ranked, rows = rs.rank(y, s), rows_of(y, s)
    for kernel, truth in (
        (Power(1 / 7), slow.softened_auc(rows, q=1 / 7)),
        (Logistic(7.0), slow.soft_auc(rows, beta=7.0)),
        (Ramp(0.25), slow.scored_auc(rows, shift=0.25)),
    ):
        with mpmath.workdps(slow.DIGITS):
            error = abs(slow.to_real(long_mean(ranked, in_extended_precision(kernel))) / slow.to_real(truth) - 1)
        assert error < 1e-15
