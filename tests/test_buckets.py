"""Searching by buckets, against np.searchsorted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from rocsteady._src.measures.granularity import buckets, edges


@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize("kind", ["even", "tied with sought", "scaled", "both signs"])
def test_buckets_find_what_searchsorted_finds(kind: str, right: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buckets, "MANY_VALUES", 2)
    rng = np.random.default_rng(len(kind))
    values = np.unique(
        rng.normal(size=500) if kind == "both signs" else rng.random(500) * (1e300 if kind == "scaled" else 1)
    )
    ends = [-np.inf, np.inf, values[0], values[-1], np.nextafter(values[0], -np.inf), np.nextafter(values[-1], np.inf)]
    sought = np.concatenate([values[::2], np.nextafter(values[::3], -np.inf), rng.normal(size=300) * values[-1], ends])
    found = buckets.Buckets.of(values)
    assert found is not None
    side: Any = "right" if right else "left"
    np.testing.assert_array_equal(found.search(sought, right=right), values.searchsorted(sought, side=side))


def test_full_buckets_are_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buckets, "MANY_VALUES", 2)
    crowded = np.append(1e-9 * np.arange(100), 1.0)
    for values in (crowded, np.array([0.0, 5e-324]), np.array([-1.7e308, 1.7e308]), np.array([0.0, np.inf])):
        assert buckets.Buckets.of(values) is None


def test_edges_are_the_same_by_buckets_and_by_searching(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    y = rng.random(800) < 0.4
    ranked = rs.rank(y, (rng.normal(size=800) + y).round(2))
    deltas = [0.0, 0.01, 0.1, 0.37, 1.5, 100.0]
    searched = list(edges.granular_edges(ranked, deltas, 0.01))
    monkeypatch.setattr(buckets, "MANY_VALUES", 2)
    assert edges.Shifter(ranked, many_shifts=True)._buckets is not None
    for one, other in zip(searched, edges.granular_edges(ranked, deltas, 0.01), strict=True):
        for mine, known in zip(one, other, strict=True):
            assert mine.area == known.area
            np.testing.assert_array_equal(mine.fpr, known.fpr)
            np.testing.assert_array_equal(mine.tpr, known.tpr)
