"""The paired test from joint cells contains that of the rows, whatever the cells, the order and the parts."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.errors import ArgumentError, InputError
from rocsteady.scale import PairedSketch


@given(
    seed=st.integers(0, 10_000),
    n=st.sampled_from([12, 60, 400]),
    joint=st.integers(4, 10),
    spanned=st.booleans(),
    digits=st.sampled_from([1, 8]),
    alternative=st.sampled_from(["two-sided", "greater", "less"]),
)
def test_the_test_of_the_rows_lies_inside(
    seed: int, n: int, joint: int, spanned: bool, digits: int, alternative: str
) -> None:
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 3 == 0)
    a = (y * rng.normal() + rng.normal(size=n)).round(digits)
    b = (a + rng.normal(size=n)).round(digits)
    rows = rs.compare_auc(y, a, b, method="delong-t", alternative=alternative, level=0.9)
    cut = rng.integers(1, n)
    span = (-4.0, 4.0) if spanned else None
    parts = [PairedSketch(12, span, joint_bits=joint).update(y[i], a[i], b[i], pos_label=True)
             for i in (slice(None, cut), slice(cut, None))]  # fmt: skip
    for whole in (parts[0].merge(parts[1]), pickle.loads(pickle.dumps(parts[1])).merge(parts[0])):  # noqa: S301 - our own
        found = whole.compare(alternative=alternative, level=0.9)
        assert found.low <= rows.low + 1e-12
        assert found.high >= rows.high - 1e-12
        assert found.pvalue >= rows.pvalue - 1e-12
        assert found.se >= rows.se - 1e-12


def test_many_rows_come_close_to_the_rows() -> None:
    rng = np.random.default_rng(1)
    y = rng.random(20_000) < 0.3
    a = y + rng.normal(size=y.size)
    b = a + 0.5 * rng.normal(size=y.size)
    rows = rs.compare_auc(y, a, b, method="delong-t")
    found = PairedSketch(20, (-6, 7), joint_bits=9).update(y, a, b).compare()
    assert found.high - found.low < 1.1 * (rows.high - rows.low)
    assert found.pvalue < 1e-6


def test_what_is_no_pair_is_refused() -> None:
    sketch = PairedSketch(8, joint_bits=4)
    with pytest.raises(InputError):
        sketch.update([1, 0], [0.5, 0.4], [0.5])
    with pytest.raises(InputError):
        sketch.update([1, 0], [0.5, np.nan], [0.5, 0.4])
    assert sketch.first.n_rows == 0
    with pytest.raises(InputError, match="one class"):
        sketch.update([1, 1], [0.5, 0.4], [0.5, 0.4], pos_label=1).compare()
    with pytest.raises(ArgumentError, match="joint_bits"):
        PairedSketch(8, joint_bits=9)
    with pytest.raises(ArgumentError, match="joint cells"):
        sketch.merge(PairedSketch(8, joint_bits=5))
