"""Differences of AUCs by Newcombe's joined intervals: the formula by another route, and its laws."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtri

import rocsteady as rs
from cases import each_case
from rocsteady._src.inference.comparison.newcombe import JoinedDifference
from rocsteady._src.inference.units.spread import Areas
from rocsteady._src.results.pictures import Forest

RNG = np.random.default_rng(5)
Y = (np.arange(80) % 3 == 0).astype(int)
FIRST, SECOND = 2.5 * Y + RNG.normal(size=80), 1.8 * Y + RNG.normal(size=80)
ALTERNATIVES = {"superiority": 0.02, "non-inferiority": 0.05, "equivalence": 0.1}


def newcombe_roots(a: float, n_pos: int, n_neg: int, z: float) -> tuple[float, float]:
    """Ends as roots of the quartic that is left of (a - t)^2 = z^2 V(t) once denominators are cleared."""
    t, half = np.polynomial.Polynomial([0, 1]), (n_pos + n_neg) / 2 - 1
    cleared = (2 - t) * (1 + t) + half * (1 - t) * (1 + t) + half * t * (2 - t)
    quartic: Any = n_pos * n_neg * (a - t) ** 2 * (2 - t) * (1 + t) - z**2 * t * (1 - t) * cleared
    real = [root.real for root in quartic.roots() if abs(root.imag) < 1e-9 and -1e-9 <= root.real <= 1 + 1e-9]
    return max(r for r in real if r <= a + 1e-9), min(r for r in real if r >= a - 1e-9)


def joined_ends(a: float, b: float, r: float, n_pos: int, n_neg: int, z: float) -> tuple[float, float]:
    (low1, high1), (low2, high2) = newcombe_roots(a, n_pos, n_neg, z), newcombe_roots(b, n_pos, n_neg, z)
    down = (a - low1) ** 2 + (high2 - b) ** 2 - 2 * r * (a - low1) * (high2 - b)
    up = (high1 - a) ** 2 + (b - low2) ** 2 - 2 * r * (high1 - a) * (b - low2)
    return a - b - math.sqrt(down), a - b + math.sqrt(up)


@each_case("level", [0.8, 0.95, 0.99])
@each_case("paired", [True, False])
def test_ends_are_those_of_the_quartic(level: float, paired: bool) -> None:
    found = rs.compare_auc(Y, FIRST, SECOND, method="newcombe", level=level, paired=paired)
    one, two = (rs.auc_interval(Y, score) for score in (FIRST, SECOND))
    delong = rs.compare_auc(Y, FIRST, SECOND)
    r = (one.se**2 + two.se**2 - delong.se**2) / (2 * one.se * two.se) if paired else 0.0
    sizes = int(Y.sum()), int((1 - Y).sum())
    expected = joined_ends(one.estimate, two.estimate, r, *sizes, -ndtri((1 - level) / 2))
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-9)
    assert found.method == f"newcombe, {'paired' if paired else 'unpaired'}"
    assert found.estimate == delong.estimate
    assert found.se == pytest.approx(delong.se if paired else math.hypot(one.se, two.se))


@pytest.mark.parametrize("paired", [True, False])
def test_p_is_one_minus_the_level_whose_interval_ends_at_the_null(paired: bool) -> None:
    test = rs.compare_auc(Y, FIRST, SECOND, method="newcombe", paired=paired)
    edge = rs.compare_auc(Y, FIRST, SECOND, method="newcombe", paired=paired, level=1 - test.pvalue)
    assert min(abs(edge.low), abs(edge.high)) == pytest.approx(0, abs=1e-10)
    for alternative, margin in ALTERNATIVES.items():
        test = rs.compare_auc(
            Y, FIRST, SECOND, method="newcombe", paired=paired, alternative=alternative, margin=margin
        )
        level = abs(1 - 2 * test.pvalue)
        edge = rs.compare_auc(Y, FIRST, SECOND, method="newcombe", paired=paired, level=level)
        nulls = {"superiority": (margin,), "non-inferiority": (-margin,), "equivalence": (margin, -margin)}
        assert min(abs(end - null) for end in (edge.low, edge.high) for null in nulls[alternative]) < 1e-10


@settings(max_examples=60, deadline=None)
@given(
    areas=st.tuples(st.floats(0, 1), st.floats(0, 1)),
    sizes=st.tuples(st.integers(1, 500), st.integers(1, 500)),
    correlation=st.floats(-1, 1),
    null=st.floats(-0.3, 0.3),
)
def test_order_direction_and_statistic_agree(
    areas: tuple[float, float], sizes: tuple[int, int], correlation: float, null: float
) -> None:
    there = JoinedDifference(areas, (sizes, sizes), correlation, 0.1)
    back = JoinedDifference(areas[::-1], (sizes, sizes), correlation, 0.1)
    low, high = there.ends(0.95)
    assert -1 - 1e-9 <= low <= there.estimate <= high <= 1 + 1e-9
    assert back.ends(0.95) == pytest.approx((-high, -low), abs=1e-12)
    statistic = there.statistic(null)
    assert back.statistic(-null) == pytest.approx(-statistic, rel=1e-6, abs=1e-9)
    if math.isfinite(statistic) and 1e-6 < abs(statistic) < 8:
        ends = there._ends(abs(statistic))
        assert ends[0 if statistic > 0 else 1] == pytest.approx(null, abs=1e-9)


def test_frequency_weights_are_repeated_rows() -> None:
    weight = RNG.integers(1, 4, size=Y.size)
    rows = np.repeat(np.arange(Y.size), weight)
    counted = rs.compare_auc(Y, FIRST, SECOND, method="newcombe", sample_weight=weight, weight_type="frequency")
    repeated = rs.compare_auc(Y[rows], FIRST[rows], SECOND[rows], method="newcombe")
    assert (counted.low, counted.high, counted.pvalue) == pytest.approx((repeated.low, repeated.high, repeated.pvalue))


def test_ranks_alone_decide() -> None:
    plain = rs.compare_auc(Y, FIRST, SECOND, method="newcombe")
    bent = rs.compare_auc(Y, np.exp(FIRST), SECOND**3, method="newcombe")
    assert (plain.low, plain.high, plain.pvalue) == (bent.low, bent.high, bent.pvalue)


def test_many_rows_agree_with_delong() -> None:
    rng = np.random.default_rng(1)
    y = np.arange(40_000) % 2
    shared = rng.normal(size=y.size)
    first, second = (y + shared + rng.normal(size=y.size) for _ in range(2))
    ours, delong = (rs.compare_auc(y, first, second, method=method) for method in ("newcombe", "delong"))
    assert (ours.low, ours.high) == pytest.approx((delong.low, delong.high), abs=0.03 * delong.se)
    assert ours.statistic == pytest.approx(delong.statistic, abs=0.03)


@pytest.mark.parametrize("paired", [True, False])
def test_identical_models_do_not_differ(paired: bool) -> None:
    found = rs.compare_auc(Y, FIRST, np.exp(FIRST), method="newcombe", paired=paired)
    assert (found.estimate, found.pvalue) == (0, 1)
    if paired:
        assert (found.low, found.high) == (0, 0)


def test_identical_models_are_not_sent_on_nor_weighed_by_sampling() -> None:
    y, score = [1, 0, 0, 0, 0, 0], [6, 5, 4, 3, 2, 1]
    found = rs.compare_auc(y, score, score, method="newcombe", alternative="non-inferiority", margin=0.05)
    assert not any("too often" in text for text in found.warnings)
    with pytest.raises(rs.ArgumentError, match="sampling weights"):
        rs.compare_auc(y, score, score, method="newcombe", sample_weight=[0.5] * 6)


def test_two_perfect_models_have_an_interval_with_width() -> None:
    y = np.repeat([1, 0], 10)
    first, second = y + RNG.uniform(size=20) / 2, y + RNG.uniform(size=20) / 2
    found = rs.compare_auc(y, first, second, method="newcombe")
    alone = rs.auc_interval(y, first, method="newcombe")
    assert (found.estimate, found.pvalue, found.se) == (0, 1, 0)
    assert (found.low, found.high) == pytest.approx((alone.low - 1, 1 - alone.low))


def test_one_positive_has_an_interval_too() -> None:
    found = rs.compare_auc([1, 0, 0, 0], [4, 3, 2, 1], [2, 3, 4, 1], method="newcombe")
    assert -1 <= found.low < found.estimate < found.high <= 1
    assert math.isnan(found.se)
    assert "joined intervals reject too often; only more rows help" in found.warnings[-1]
    auto = rs.compare_auc([1, 0, 0, 0], [4, 3, 2, 1], [2, 3, 4, 1])
    assert (auto.method, auto.pvalue) == ("newcombe, paired", found.pvalue)


@pytest.mark.parametrize(
    "options",
    [
        {"fpr_range": (0, 0.2)},
        {"cluster": np.arange(80) // 2},
        {"sample_weight": np.full(80, 0.5)},
        {"sample_weight": np.full(80, 2), "weight_type": "sampling"},
        {"paired": False, "cluster": np.arange(80), "cluster_second": np.arange(80, 160), "y_true_second": Y},
    ],
)
def test_what_it_does_not_count_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(rs.ArgumentError, match="newcombe"):
        rs.compare_auc(Y, FIRST, SECOND, method="newcombe", **options)


def test_no_correlation_is_assumed_where_an_area_does_not_vary() -> None:
    def correlation(own: float, other: float, both: float) -> float:
        areas: Any = SimpleNamespace(covariance=np.array([[own, both], [both, other]]))
        return Areas.correlation(areas, 0, 1)

    assert correlation(0.0, 0.1, 0.0) == 0
    assert correlation(math.nan, math.nan, math.nan) == 0
    assert correlation(0.04, 0.04, 0.04 * (1 + 1e-12)) == 1
    assert correlation(0.04, 0.01, -0.01) == pytest.approx(-0.5)


@each_case("method", ["delong", "newcombe", "bootstrap"])
@each_case("paired", [True, False])
@each_case("alternative", ["two-sided", "greater", "less", *ALTERNATIVES])
def test_a_result_carries_what_it_is_tested_against(alternative: str, paired: bool, method: str) -> None:
    """It cannot be found again from z and se: Newcombe's z is not a difference over its se."""
    margin = ALTERNATIVES.get(alternative)
    options: dict[str, Any] = {"n_resamples": 20, "random_state": 1} if method == "bootstrap" else {}
    found = rs.compare_auc(
        Y, FIRST, SECOND, method=method, paired=paired, alternative=alternative, margin=margin, **options
    )
    where = {"superiority": 0.02, "non-inferiority": -0.05, "equivalence": (-0.1, 0.1)}.get(alternative, 0.0)
    assert found.null == where
    assert found.to_dict()["null"] == (list(where) if isinstance(where, tuple) else where)
    picture = found._picture()
    assert isinstance(picture, Forest)
    assert list(picture.lines[0].nulls) == list(np.atleast_1d(where))


def test_more_than_two_tables_are_joined() -> None:
    parts = ({"id": [1, 2], "a": [0.1, 0.2]}, {"id": [2, 1], "b": [3, 4]}, {"id": [1, 2], "c": [5, 6]})
    found = rs.join_by_id(*parts, id="id")
    assert {name: values.tolist() for name, values in found.items()} == {
        "id": [1, 2], "a": [0.1, 0.2], "b": [4, 3], "c": [5, 6],
    }  # fmt: skip
