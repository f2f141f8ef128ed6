"""Intervals and tests from sketches contain those of the rows, wherever in their cells the rows stand."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from cases import each_case
from rocsteady._src.scale.sketch_intervals import known_area
from rocsteady.errors import ArgumentError, InputError
from rocsteady.scale import Sketch, compare_sketches

METHODS: tuple[Any, ...] = ("auto", "logit", "delong", "newcombe", "wilson")


def drawn(seed: int, n: int, share: float, shift: float, digits: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.random(n) < share
    y[:4] = [True, True, False, False]
    return y, (shift * y + rng.normal(size=n)).round(digits)


@given(
    st.integers(0, 10**6),
    st.integers(8, 400),
    st.sampled_from([0.05, 0.3, 0.5, 0.9]),
    st.sampled_from([0.0, 0.7, 2.0, 6.0, -1.0]),
    st.sampled_from([0, 1, 6]),
    st.sampled_from([4, 6, 8, 12]),
)
def test_intervals_contain_those_of_the_rows(
    seed: int, n: int, share: float, shift: float, digits: int, bits: int
) -> None:
    y, s = drawn(seed, n, share, shift, digits)
    sketch = Sketch(bits, range=(-5, 10), capacity=0).update(y, s)
    for method in METHODS:
        inner = rs.auc_interval(y, s, method=method)
        outer = sketch.auc_interval(method=method)
        if not np.isnan(inner.low):
            assert outer.low <= inner.low + 1e-12, method
            assert inner.high <= outer.high + 1e-12, method


@each_case("n_pos", [1, 2, 8, 30])
def test_intervals_contain_those_of_the_rows_where_few_are_misranked(n_pos: int) -> None:
    """A perfect ranking, and one with a row of each class far off: "auto" takes a bound for any distribution there."""
    rng, bounded = np.random.default_rng(4), 0
    for n_neg, off, bits in ((12, 0, 6), (60, 0, 10), (60, 1, 6), (300, 1, 10)):
        y = np.arange(n_pos + n_neg) < n_pos
        s = 9.0 * y + rng.normal(size=y.size)
        s[:off], s[y.size - off :] = -4.0, 13.0
        inner, outer = rs.auc_interval(y, s), Sketch(bits, range=(-6, 15), capacity=0).update(y, s).auc_interval()
        assert outer.low <= inner.low + 1e-12
        assert inner.high <= outer.high + 1e-12
        bounded += inner.method == "gaffke"
        assert ("gaffke" in outer.method) >= (inner.method == "gaffke")
    assert bounded


@given(st.integers(0, 10**6), st.sampled_from([4, 7, 10]))
def test_the_standard_error_lies_below_its_bound(seed: int, bits: int) -> None:
    y, s = drawn(seed, 120, 0.4, 1.0, 3)
    known = known_area(Sketch(bits, range=(-5, 6), capacity=0).update(y, s))
    assert rs.auc_interval(y, s, method="delong").se <= known.most_error


def test_of_an_exact_sketch_they_are_those_of_the_rows() -> None:
    y, s = drawn(1, 300, 0.4, 1.0, 1)
    sketch = Sketch().update(y, s)
    for method in METHODS:
        inner, outer = rs.auc_interval(y, s, method=method), sketch.auc_interval(method=method)
        assert (inner.low, inner.high, inner.method) == (outer.low, outer.high, outer.method)


def test_fine_cells_hardly_stretch_them() -> None:
    y, s = drawn(2, 20_000, 0.3, 1.0, 9)
    inner, outer = rs.auc_interval(y, s), Sketch(range=(-6, 7), capacity=0).update(y, s).auc_interval()
    assert outer.method == f"{inner.method}, sketch bracket"
    assert (outer.high - outer.low) < 1.001 * (inner.high - inner.low)
    assert [remark.code for remark in outer.warnings] == ["interval_bracket"]


@each_case("alternative", ["two-sided", "greater", "less"])
def test_comparisons_contain_those_of_the_rows(alternative: Literal["two-sided", "greater", "less"]) -> None:
    for seed in range(10):
        (y, a), (z, b) = drawn(seed, 300, 0.4, 1.2, 3), drawn(seed + 100, 200, 0.3, 0.8, 3)
        inner = rs.compare_auc(y, a, b, y_true_second=z, paired=False, method="delong-t", alternative=alternative)
        exact = compare_sketches(Sketch().update(y, a), Sketch().update(z, b), alternative=alternative)
        assert np.allclose([exact.low, exact.high, exact.pvalue], [inner.low, inner.high, inner.pvalue], rtol=1e-9)
        for bits in (5, 8, 14):
            first, second = (Sketch(bits, range=(-5, 6), capacity=0).update(*rows) for rows in ((y, a), (z, b)))
            outer = compare_sketches(first, second, alternative=alternative)
            assert outer.low <= inner.low
            assert inner.high <= outer.high
            assert outer.pvalue >= inner.pvalue


def test_draws_of_counts_agree_with_formulas() -> None:
    rng = np.random.default_rng(7)
    y = rng.integers(0, 2, 600)
    s = (y + rng.normal(size=600)).round(3)
    plain = Sketch(10, (-5.0, 6.0), capacity=0).update(y, s)
    found, known = plain.measure_interval("gini"), rs.auc_interval(y, s)
    assert found.low == pytest.approx(2 * known.low - 1, abs=0.03)
    assert found.high == pytest.approx(2 * known.high - 1, abs=0.03)
    assert plain.measure_interval("auc").method == plain.auc_interval().method
    with pytest.raises(ArgumentError, match=r"200 replicates .* ask for 0.99 or less"):
        plain.measure_interval("gini", level=0.999)


def test_draws_of_cells_contain_those_of_known_scores() -> None:
    """Where cells hold several scores, the ends reach beyond those of an exact sketch of the same rows."""
    rng = np.random.default_rng(8)
    y = rng.integers(0, 2, 400)
    s = (y + rng.normal(size=400)).round(1)
    for name in ("average_precision", "ks_statistic"):
        wide = Sketch(5, (-5.0, 6.0), capacity=0).update(y, s).measure_interval(name)
        narrow = Sketch().update(y, s).measure_interval(name)
        assert wide.low < narrow.low < narrow.high < wide.high
        assert wide.low < narrow.estimate < wide.high


def test_what_cannot_be_judged_is_refused() -> None:
    y, s = drawn(1, 60, 0.4, 1.0, 3)
    sketch = Sketch(4, range=(-5, 6), capacity=0).update(y, s)
    with pytest.raises(ArgumentError, match="method must be one of"):
        sketch.auc_interval(method="bootstrap")
    with pytest.raises(InputError, match=r"two classes|one class|only"):
        Sketch().update([1, 1], [1.0, 2.0]).auc_interval()
    weighted = Sketch(4, range=(-5, 6), capacity=0).update(y, s, sample_weight=np.full(60, 2))
    with pytest.raises(InputError, match="how many rows"):
        weighted.auc_interval()
    with pytest.raises(InputError, match="weights"):
        compare_sketches(weighted, sketch)
    with pytest.raises(ArgumentError, match="two sketches"):
        compare_sketches(sketch, "other")
