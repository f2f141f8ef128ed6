"""Sketches without rows that are taken back; scores that crowd."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocsteady.errors import InputError
from rocsteady.scale import Sketch


def drawn(seed: int, n: int = 300) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return y, np.concatenate([rng.normal(size=n - 3), [np.inf, -0.0, 7.0]])


@given(seed=st.integers(0, 50), capacity=st.sampled_from([0, 10_000]), gone=st.integers(0, 300))
def test_rows_that_are_taken_back_leave_the_others(seed: int, capacity: int, gone: int) -> None:
    y, s = drawn(seed)
    whole = Sketch(10, (-3, 3), capacity=capacity).update(y, s)
    part = Sketch(10, (-3, 3), capacity=capacity).update(y[:gone], s[:gone])
    left = whole.without(part)
    assert left.n_rows == y.size - gone
    if gone < y.size:
        assert left == Sketch(10, (-3, 3), capacity=capacity).update(y[gone:], s[gone:])
    again = left.update(1 - y[:gone], s[:gone]) if gone else left
    turned = np.concatenate([1 - y[:gone], y[gone:]])
    assert again == Sketch(10, (-3, 3), capacity=capacity).update(turned, s)


def test_rows_that_were_not_counted_are_not_taken_back() -> None:
    whole = Sketch().update([1, 0, 1], [3.0, 2.0, 1.0])
    for y, s in (([0], [3.0]), ([1], [9.0]), ([1, 0, 1, 0], [3.0, 2.0, 1.0, 0.0])):
        with pytest.raises(InputError, match="are not among those"):
            whole.without(Sketch().update(y, s, pos_label=1))
    collapsed = Sketch(capacity=0).update([1, 0], [3.0, 2.0])
    assert collapsed.without(Sketch(capacity=0).update([1], [3.0])).n_rows == 1


def test_scores_that_crowd_near_zero_are_said() -> None:
    rng = np.random.default_rng(2)
    y = rng.random(20_000) < 0.01
    p = 1 / (1 + np.exp(7 - 1.5 * y - rng.normal(size=y.size)))
    wide = Sketch(10, (0, 1), capacity=0).update(y, p)
    assert [remark.code for remark in wide.auc().warnings] == ["crowded_cells"]
    assert "crowd" in str(wide.evaluate(["auc"]))
    logits = Sketch(10, (-14, 2), capacity=0).update(y, np.log(p / (1 - p)))
    assert not logits.auc().warnings
    assert not wide.refine([(y, p)], width=1e-6).auc().warnings
