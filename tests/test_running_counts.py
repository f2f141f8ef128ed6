"""Counts that are summed where somebody looks, against arrays of them; and the answers of many groups."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from benchmarks.operating_speed import ANSWERS
from scipy.special import ndtr

import rocsteady as rs
from cases import each_case
from rocsteady._src.inference.operating.trade import crossing
from rocsteady._src.ranked import walks
from rocsteady._src.ranked.running_counts import Rising, RunningCounts

AREAS = ("two_way_partial_auc", "concordant_partial_auc")
MORE: dict[str, Any] = {
    "sensitivity_at": rs.measures.sensitivity_at,
    "specificity_at": rs.measures.specificity_at,
    "roc_hull": rs.roc_hull,
    "pr_auc": rs.measures.pr_auc,
    "precision": lambda ranked: rs.operating_point(ranked, precision=0.4, method="exact"),
    "confusion": lambda ranked: rs.confusion(ranked, threshold=np.array([[0.2, 0.5], [0.7, 2.0]])),
    "whole corner two_way_partial_auc": lambda ranked: rs.measures.two_way_partial_auc(ranked, max_fpr=1, min_tpr=0),
    "narrow corner two_way_partial_auc": lambda ranked: rs.measures.two_way_partial_auc(
        ranked, max_fpr=0.02, min_tpr=0.9
    ),
    "high concordant_partial_auc": lambda ranked: rs.measures.concordant_partial_auc(ranked, tpr_range=(0.3, 0.8)),
    "one step concordant_partial_auc": lambda ranked: rs.measures.concordant_partial_auc(
        ranked, fpr_range=(0.5, 0.501)
    ),
}


@pytest.mark.parametrize("kind", [bool, np.int32, np.int64])
def test_counts_are_those_of_the_array(kind: type) -> None:
    rng = np.random.default_rng(4)
    for size in (1, 5, 63, 64, 65, 128, 700):
        steps: Any = rng.integers(0, 2 if kind is bool else 4, size).astype(kind)
        for down in (True, False):
            array = np.append(0, (steps[::-1] if down else steps).astype(np.int64).cumsum())
            counts = RunningCounts(steps, down=down)
            np.testing.assert_array_equal(counts[:], array)
            np.testing.assert_array_equal(counts[size // 3 : size], array[size // 3 : size])
            assert [int(counts[at]) for at in range(-size - 1, size + 1)] == array[
                np.arange(-size - 1, size + 1)
            ].tolist()
            for at in (np.arange(size + 1), rng.integers(-size - 1, size + 1, (2, 3)), np.array([size])):
                np.testing.assert_array_equal(counts[at], array[at])
            sought = np.arange(-1, array[-1] + 3)
            for side in ("left", "right"):
                np.testing.assert_array_equal(counts.searchsorted(sought, side), array.searchsorted(sought, side))
                assert counts.searchsorted(sought[-1], side) == size + 1


def test_counts_are_looked_up_by_whole_numbers() -> None:
    with pytest.raises(TypeError, match="whole numbers"):
        RunningCounts(np.array([1, 0]), down=True).searchsorted(0.5)


def test_rates_are_found_by_halving() -> None:
    counts = RunningCounts(np.array([1, 0, 2, 0, 0, 1]), down=True)
    rates, array = Rising.rates(counts, 4), counts[:] / 4
    for rate in (-0.1, 0.0, 0.25, 0.3, 0.75, 1.0, 1.5):
        for side in ("left", "right"):
            assert rates.searchsorted(rate, side) == array.searchsorted(rate, side)
            assert rates.flipped().searchsorted(rate, side) == (1 - array[::-1]).searchsorted(rate, side)


def _table(kind: str) -> rs.RankedScores:
    rng = np.random.default_rng(len(kind))
    y = rng.random(900) < 0.4
    s = 1 / (1 + np.exp(-rng.normal(size=900) - 1.5 * y))
    if kind == "tied":
        return rs.rank(y, s.round(2))
    if kind == "whole":
        return rs.rank(y, (s * 60).astype(int), sample_weight=rng.integers(1, 4, 900), weight_type="frequency")
    return rs.rank(y, s)


def _fields(answer: Any) -> dict[str, Any]:
    if dataclasses.is_dataclass(answer):
        return {
            field.name: getattr(answer, field.name) for field in dataclasses.fields(answer) if field.name != "origin"
        }
    return {"value": answer}


def _answered(answer: Any, ranked: rs.RankedScores) -> dict[str, Any]:
    try:
        return _fields(answer(ranked))
    except rs.RocsteadyError as error:
        return {"refused": str(error)}


@each_case("kind, name", [(kind, name) for kind in ("distinct", "tied", "whole") for name in (*ANSWERS, *MORE)])
def test_many_groups_are_answered_as_few_are(kind: str, name: str) -> None:
    ask = {**ANSWERS, **MORE}[name]
    few = _answered(ask, _table(kind))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(walks, "MANY_GROUPS", 1)
        many = _answered(ask, _table(kind))
    assert few.keys() == many.keys()
    for field, value in few.items():
        if any(area in name for area in AREAS):
            assert many[field] == pytest.approx(value, rel=1e-13, abs=1e-15)
        elif isinstance(value, np.ndarray):
            np.testing.assert_array_equal(many[field], value)
        else:
            assert repr(many[field]) == repr(value)


def test_the_end_of_an_interval_is_found_near_a_guess() -> None:
    for centre, spread in ((0.3, 1e-4), (0.9, 1e-3), (1e-5, 1e-6), (0.5, 0.2)):
        for value in (0.025, 0.5, 0.975):
            plain = crossing(lambda rate: float(ndtr((rate - centre) / spread)), value)  # noqa: B023
            for guess in (centre, centre + 30 * spread, max(centre - 30 * spread, 0.0)):
                near = crossing(lambda rate: float(ndtr((rate - centre) / spread)), value, (guess, 8 * spread))  # noqa: B023
                assert near == pytest.approx(plain, abs=2e-6 * spread)
