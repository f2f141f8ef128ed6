"""Rows in order: always what a stable sort of indices gives, whatever the scores."""

from __future__ import annotations

from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rocsteady._src.ranked import rowsort
from rocsteady._src.ranked.rowsort import in_order

RNG = np.random.default_rng(3)
DTYPES = ("f2", "f4", "f8", "i1", "i8", "u1", "u8", "?", "g")


def assert_sorted(scores: np.ndarray) -> None:
    merged, order = in_order(scores)
    expected = scores.argsort(kind="stable")
    np.testing.assert_array_equal(order, expected)
    np.testing.assert_array_equal(merged, scores[expected])
    assert merged.dtype == scores.dtype
    assert order.dtype == np.int64


@settings(max_examples=50, deadline=None)
@given(data=st.data(), dtype=st.sampled_from(DTYPES))
def test_any_numbers(data: Any, dtype: str) -> None:
    elements = {"allow_nan": False} if np.dtype(dtype).kind == "f" else None
    scores = data.draw(hnp.arrays(dtype, st.integers(1, 40), elements=elements))
    with mock.patch.object(rowsort, "FEW_ROWS", 0):
        assert_sorted(scores)


@settings(max_examples=50, deadline=None)
@given(steps=hnp.arrays("i8", st.integers(2, 300), elements=st.integers(-4, 4)), base=st.sampled_from([0.0, 1.0, -3.0]))
def test_neighbouring_floats_and_both_zeros(steps: np.ndarray, base: float) -> None:
    """Scores apart by a few units in the last place share a coarse key."""
    units = steps * (np.spacing(base) if base else 5e-324)
    scores = np.where(steps == 4, -0.0, base + units)
    with mock.patch.object(rowsort, "FEW_ROWS", 0), mock.patch.object(rowsort, "MOST_WRONG", 1.0):
        assert_sorted(scores)


@pytest.mark.parametrize("n", [1001, 40_000, 300_000])
@pytest.mark.parametrize(
    "kind", ["normal", "near", "offset", "probabilities", "tied", "wide", "sorted", "constant", "whole", "huge"]
)
def test_large_arrays(n: int, kind: str) -> None:
    normal = RNG.normal(size=n)
    scores = {
        "normal": normal,
        "near": np.repeat(normal[: n // 2 + 1], 2)[:n] * (1 + 1e-15 * RNG.integers(0, 3, n)),
        "offset": 1e9 + normal * 1e-6,
        "probabilities": 1 / (1 + np.exp(-normal)),
        "tied": normal.round(1),
        "wide": normal * 10.0 ** RNG.integers(-300, 300, n),
        "sorted": np.sort(normal),
        "constant": np.zeros(n),
        "whole": RNG.integers(-(2**40), 2**40, n),
        "huge": RNG.integers(-(2**62), 2**62, n),
    }[kind]
    assert_sorted(scores)
    assert_sorted(scores[::-1])


def test_near_ties_are_put_right_without_sorting_again() -> None:
    scores = RNG.normal(size=50_000)
    scores[1::500] = scores[::500] * (1 - 1e-14)
    with mock.patch.object(rowsort, "_by_indices", side_effect=AssertionError):
        assert_sorted(scores)


def test_long_runs_of_near_ties_are_sorted_by_indices() -> None:
    scores = RNG.normal(size=50_000)
    scores[:5000] = 1 + np.spacing(1.0) * RNG.integers(0, 3, 5000)
    assert_sorted(scores)
