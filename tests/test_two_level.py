"""AUC:acc: the order of AUC, its ties broken by accuracy."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given

import oracles
import rocsteady as rs
from strategies import ScoreTable, score_tables

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
SCORES = (0.2, 0.4, 0.6, 0.8)


def slow(y: list[int], s: list[float], threshold: float) -> tuple[Fraction, Fraction]:
    """AUC over all pairs, and accuracy."""
    pairs = [(p, n) for p, a in zip(s, y, strict=True) if a for n, b in zip(s, y, strict=True) if not b]
    wins = sum((Fraction(1) if p > n else Fraction(p == n, 2) for p, n in pairs), Fraction(0))
    right = sum((score >= threshold) == bool(label) for label, score in zip(y, s, strict=True))
    return wins / len(pairs), Fraction(right, len(y))


@pytest.mark.parametrize("y", [[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0, 0]])
def test_it_orders_models_by_auc_and_then_by_accuracy(y: list[int]) -> None:
    found: dict[tuple[Fraction, Fraction], float] = {}
    for s in product(SCORES, repeat=len(y)):
        area, right = slow(y, list(s), 0.5)
        weight = 4 * sum(y) * (len(y) - sum(y))
        value = rs.measures.auc_acc(y, s)
        assert value == float((weight * area + right) / (weight + 1))
        assert found.setdefault((area, right), value) == value
    by_levels = [found[levels] for levels in sorted(found)]
    assert all(low < high for low, high in pairwise(by_levels))


@given(score_tables())
def test_weights_are_counts_of_rows(table: ScoreTable) -> None:
    rows = oracles.rows_of(*table)
    area = oracles.auc(rows)
    if area is None:
        return
    pos, neg = (sum(row.weight for row in rows if row.positive is side) for side in (True, False))
    right = sum(row.weight for row in rows if row.positive is (row.score >= 0.1)) / (pos + neg)
    value = rs.measures.auc_acc(table.y_true, table.y_score, sample_weight=table.sample_weight, threshold=0.1)
    assert value == pytest.approx(float((4 * pos * neg * area + right) / (4 * pos * neg + 1)), rel=1e-12)


def test_it_is_found_by_the_name_of_the_source() -> None:
    for name in ("AUC:acc", "auc_acc", "AUC:ACC"):
        assert rs.get_measure(name).sheet.name == "auc_acc"
    found = rs.evaluate([1, 0, 1, 0], [0.9, 0.2, 0.4, 0.3], measures=["AUC:acc"], threshold=0.5)
    assert found.values["score"]["auc_acc"] == rs.measures.auc_acc([1, 0, 1, 0], [0.9, 0.2, 0.4, 0.3])


def test_its_interval_is_that_of_auc_but_for_what_accuracy_can_move() -> None:
    rng = np.random.default_rng(2)
    y = rng.random(60) < 0.4
    s = np.clip(0.4 + 0.2 * y + 0.2 * rng.normal(size=60), 0, 1)
    found = rs.evaluate(y, s, measures=["auc", "auc_acc"], intervals=True).intervals["score"]
    area, both = found["auc"], found["auc_acc"]
    most = 1 / (4 * y.sum() * (~y).sum() + 1)
    assert both.method == area.method
    assert all(0 < abs(getattr(both, end) - getattr(area, end)) <= most for end in ("estimate", "low", "high"))
    assert both.low < both.estimate < both.high
    perfect = rs.evaluate([1, 1, 0, 0], [0.4, 0.3, 0.2, 0.1], measures=["auc_acc"], intervals=True)
    ends = perfect.intervals["score"]["auc_acc"]
    assert (ends.low < ends.estimate, ends.high) == (True, 1.0)  # at another threshold all could be right
