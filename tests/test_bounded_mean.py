"""Gaffke's limit of a mean of bounded contributions: closed forms, exact sums of draws, and its laws."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy.stats import beta

from rocsteady._src.inference.intervals.bounded_mean import gaffke_lower, gaffke_upper


@pytest.mark.parametrize("n", [1, 2, 10, 1000, 100_000])
@pytest.mark.parametrize("alpha", [1e-6, 0.025, 0.05, 0.5, 0.9])
def test_of_values_all_at_the_top_the_limit_is_a_power_of_alpha(n: int, alpha: float) -> None:
    found = gaffke_lower(np.array([0.25]), np.array([float(n)]), alpha, -1.0)
    assert found == pytest.approx(-1 + 1.25 * alpha ** (1 / n), abs=1e-12)


@pytest.mark.parametrize("alpha", [1e-6, 0.025, 0.5, 0.9])
@pytest.mark.parametrize(("ones", "zeros"), [(1, 1), (10, 3), (200, 1), (5000, 30)])
def test_zeros_and_ones_have_the_limit_of_clopper_and_pearson(ones: int, zeros: int, alpha: float) -> None:
    exact = beta.ppf(alpha, ones, zeros + 1)
    assert gaffke_lower(np.array([0.0, 1.0]), np.array([zeros, ones], float), alpha, 0.0) == pytest.approx(exact)
    apart = gaffke_lower(
        np.array([0.0, 1e-11, 1 - 1e-11, 1.0]), np.array([zeros / 2, zeros / 2, ones / 2, ones / 2]), alpha, 0.0
    )
    assert apart == pytest.approx(exact, abs=1e-9)  # by the integral


def below(place: Fraction, values: list[Fraction]) -> Fraction:
    """P(sum D_i v_i <= place) for single values and D_0 of 0: divided differences of truncated powers."""
    held = [Fraction(0), *map(Fraction, values)]
    n = len(held) - 1
    total = Fraction(0)
    for one in held:
        if one < place:
            spread = Fraction(1)
            for other in held:
                spread *= (other - one) if other != one else 1
            total += (place - one) ** n / spread
    return total


@pytest.mark.parametrize("values", [("0.3", "0.9"), ("0.1", "0.2", "0.7", "0.95"), ("0.5", "0.999", "0.9995", "1")])
@pytest.mark.parametrize("alpha", [0.001, 0.025, 0.5, 0.9])
def test_of_distinct_values_it_is_the_quantile_in_exact_arithmetic(values: tuple[str, ...], alpha: float) -> None:
    found = gaffke_lower(np.array(values, float), np.ones(len(values)), alpha, 0.0)
    assert float(below(Fraction(found), [Fraction(v) for v in values])) == pytest.approx(alpha, rel=1e-6)


def test_the_order_and_the_splitting_of_equal_values_change_nothing() -> None:
    values, counts = np.array([0.2, 0.97, 0.99, 0.99]), np.array([1.0, 4.0, 20.0, 10.0])
    once = gaffke_lower(values[:3], np.array([1.0, 4.0, 30.0]), 0.025, 0.0)
    assert gaffke_lower(values[::-1], counts[::-1], 0.025, 0.0) == once
    assert gaffke_upper(-values, counts, 0.025, 0.0) == -once


def test_it_is_the_quantile_of_draws() -> None:
    draws = np.random.default_rng(4)
    values, counts = np.array([0.0, 0.01, 0.6, 0.999, 1.0]), np.array([2.0, 1.0, 3.0, 7.0, 500.0])
    gammas = draws.gamma(np.array([3.0, 1.0, 3.0, 7.0, 500.0]), size=(400_000, 5))
    means = gammas @ values / gammas.sum(axis=1)
    for alpha in (0.025, 0.05, 0.5):
        share = np.mean(means <= gaffke_lower(values, counts, alpha, 0.0))
        assert abs(share - alpha) < 4 * np.sqrt(alpha * (1 - alpha) / 400_000)


def test_it_lies_between_the_lowest_value_and_the_mean_and_rises_with_the_values() -> None:
    draws = np.random.default_rng(5)
    for _ in range(200):
        values, counts = np.sort(draws.random(6) ** draws.choice([0.01, 1, 9])), np.ceil(9 * draws.random(6))
        found = gaffke_lower(values, counts, 0.025, 0.0)
        assert 0 <= found < counts @ values / counts.sum()
        raised = values.copy()
        raised[2] = values[3]
        assert gaffke_lower(raised, counts, 0.025, 0.0) >= found - 1e-9


def test_over_all_samples_of_ten_rows_it_holds_its_level() -> None:
    """A mean of three values, over all samples of 10 rows: missed in no more than alpha."""
    places, shares = np.array([0.0, 0.9, 1.0]), (0.03, 0.17, 0.80)
    truth, missed = float(places @ shares), 0.0
    for low in range(11):
        for mid in range(11 - low):
            counts = np.array([low, mid, 10 - low - mid], float)
            chance = comb(10, low) * comb(10 - low, mid) * np.prod(np.array(shares) ** counts)
            missed += chance * (gaffke_lower(places, counts, 0.05, 0.0) > truth)
    assert missed <= 0.05


def test_values_all_at_the_lowest_have_it_as_their_limit() -> None:
    assert gaffke_lower(np.array([0.3, 0.3]), np.array([1.0, 2.0]), 0.05, 0.3) == 0.3
