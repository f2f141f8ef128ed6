"""Watching with weights, several models and many segments."""

from __future__ import annotations

import itertools
import json
import math
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from cases import each_case
from rocsteady._src.designs.watch.day_counts import DayCounts, Plan, day_sums
from rocsteady._src.designs.watch.discoveries import discovered
from rocsteady._src.designs.watch.measures import WATCHED
from rocsteady._src.designs.watch.open_labels import area_bounds, wide_bounds
from test_watch import COLUMNS, table_of


def some_rows(seed: int = 5, n: int = 60) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, n), rng.integers(1, 20, n) / 20, rng.choice([0.5, 1.0, 3.0], n)


def weighted_day(y: Any, s: Any, w: Any) -> Any:
    scores, place = np.unique(s, return_inverse=True)
    sums = [np.bincount(place, (y == each) * w**power, minlength=scores.size) for power in (1, 2) for each in (1, 0)]
    zero = np.zeros(scores.size)
    rows = DayCounts(scores, sums[0], sums[1], zero, sums[2], sums[3], float((w**2).sum()), float(y.size))
    return day_sums("1", rows, Plan(0.5, probabilities=True, edges=(0.5,), weighted=True))


def test_sums_with_weights_agree_with_measures_and_intervals_of_weighted_rows() -> None:
    y, s, w = some_rows()
    day = weighted_day(y, s, w)
    read = {name: measure.read([day]) for name, measure in WATCHED.items()}
    assert read["auc"].value == pytest.approx(rs.auc(y, s, sample_weight=w), abs=1e-14)
    counts = rs.confusion(y, s, threshold=0.5, sample_weight=w)
    for name in ("recall", "false_positive_rate", "specificity", "precision", "accuracy", "prevalence"):
        assert read[name].value == pytest.approx(getattr(counts, name)), name
    assert read["brier_score"].value == pytest.approx(rs.brier_score(y, s, sample_weight=w), abs=1e-14)
    assert day.n_rows == 60
    whole, part = y == 1, s >= 0.5
    mean = w[whole & part].sum() / w[whole].sum()
    spread = (w[whole] ** 2 @ (part[whole] - mean) ** 2) / w[whole].sum() ** 2
    kish = w[whole].sum() ** 2 / (w[whole] ** 2).sum()
    assert read["recall"].total == pytest.approx(min(kish, mean * (1 - mean) / spread))
    loss = (y - s) ** 2
    gap = loss - loss @ w / w.sum()
    kish = w.sum() ** 2 / (w**2).sum()
    assert read["brier_score"].variance == pytest.approx((w**2 @ gap**2) / w.sum() ** 2 * kish / (kish - 1))


def test_the_spread_of_a_weighted_area_is_that_of_weighted_placements() -> None:
    """DeLong with weights, row by row: sums of squared weights times squared distances of placements."""
    y, s, w = some_rows(6)
    area = rs.auc(y, s, sample_weight=w)
    variance = 0.0
    for side in (1, 0):
        own, other = y == side, y != side
        wins = (s[own][:, None] > s[other]) + (s[own][:, None] == s[other]) / 2
        placed = (wins if side else 1 - wins) @ w[other] / w[other].sum()
        size = w[own].sum() ** 2 / (w[own] ** 2).sum()
        variance += (w[own] ** 2 @ (placed - area) ** 2) / w[own].sum() ** 2 * size / (size - 1)
    assert WATCHED["auc"].read([weighted_day(y, s, w)]).variance == pytest.approx(variance, rel=1e-12)


def test_equal_weights_say_what_rows_say() -> None:
    table = table_of(24, worse_from=18)
    plain = rs.monitor(table, **COLUMNS, reference=10, measures=["auc", "precision"], threshold=0.8)
    same = rs.monitor(
        table | {"w": np.full(table["y"].size, 2.5)},
        **COLUMNS,
        reference=10,
        weight="w",
        measures=["auc", "precision"],
        threshold=0.8,
    )
    for first, second in zip(plain.measures, same.measures, strict=True):
        np.testing.assert_allclose(first.evidence, second.evidence, rtol=1e-9)
        assert (first.alarm_day, first.change_day) == (second.alarm_day, second.change_day)
    assert (same.origin.weighted, same.n_pos) == (True, pytest.approx(2.5 * plain.n_pos))
    np.testing.assert_allclose(plain.drift[0].distances, same.drift[0].distances, rtol=1e-9)


def test_weights_find_a_change_that_rows_alone_hide() -> None:
    """Rows of a small group are drawn often and weigh little: the rows that matter become worse."""
    table = table_of(40, n=200)
    small = np.arange(table["y"].size) % 4 > 0
    hurt = ~small & (table["day"] >= 25)
    rng = np.random.default_rng(2)
    scores = np.where(hurt, rng.normal(size=hurt.size), table["s"])
    found = rs.monitor(
        table | {"s": scores, "w": np.where(small, 0.1, 10.0)}, **COLUMNS, reference=15, weight="w", method="auto"
    )
    assert found["auc"].alarm_day is not None
    assert found["auc"].value[-1] < rs.monitor(table | {"s": scores}, **COLUMNS, reference=15)["auc"].value[-1]


@each_case("seed", range(6))
def test_wide_bounds_hold_all_that_weighted_open_rows_can_make(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores, state, w = np.arange(8.0), rng.integers(0, 3, 8), rng.choice([0.5, 2.0], 8)
    state[:2] = 0, 1
    pos, neg, free = (np.where(state == each, w, 0.0) for each in (1, 0, 2))
    low, high = wide_bounds(pos, neg, free)
    for labels in itertools.product((0, 1), repeat=int((state == 2).sum())):
        whole = state.copy()
        whole[state == 2] = labels
        assert low - 1e-12 <= rs.auc(whole, scores, sample_weight=w) <= high + 1e-12
    assert wide_bounds(pos, neg, 0 * free) == pytest.approx(area_bounds(pos, neg, 0 * free))


def test_models_are_watched_together_as_each_would_be_at_its_share() -> None:
    table = table_of(30, worse_from=20) | {"t": table_of(30)["s"]}
    both = rs.monitor(table, ["s", "t"], label="y", day="day", reference=10)
    assert (both.decision, both.models, both["auc", "s"].decision, both["auc", "t"].decision) == (
        "alarm",
        ("s", "t"),
        "alarm",
        "quiet",
    )
    alone = rs.monitor(table, "s", label="y", day="day", reference=10, alpha=0.025)
    np.testing.assert_array_equal(alone["auc"].evidence, both["auc", "s"].evidence)
    assert (alone["auc"].limit, alone["auc"].alarm_day) == (both["auc", "s"].limit, both["auc", "s"].alarm_day)
    assert 'measure="auc",model="t",segment="all"' in both.openmetrics()
    assert set(both.to_frame()["model"]) == {"s", "t"}
    later = rs.monitor(
        {name: column[table["day"] > 25] for name, column in table.items()},
        ["s", "t"],
        label="y",
        day="day",
        state=json.loads(json.dumps(both.state())),
    )
    assert later["auc", "s"].to_dict() == both["auc", "s"].to_dict()
    with pytest.raises(rs.ArgumentError, match="the state watches 's', 't', and now it is 's'"):
        rs.monitor(table, "s", label="y", day="day", state=both.state())


def slow_discoveries(evidence: Any, alpha: float) -> set[int]:
    """The rule of its definition, at one look."""
    m, best = len(evidence), 0
    for k in range(1, m + 1):
        if sum(each >= m / (alpha * k) for each in evidence) >= k:
            best = k
    return {place for place, each in enumerate(evidence) if best and each >= m / (alpha * best)}


@each_case("seed", range(5))
def test_segments_in_alarm_are_those_of_the_rule(seed: int) -> None:
    evidence = np.exp(np.random.default_rng(seed).normal(3, 2, (9, 20)))
    alarms, limits = discovered(evidence, 0.1)
    for look in range(20):
        assert set(np.flatnonzero(alarms[:, look])) == slow_discoveries(evidence[:, look], 0.1)
        assert limits[look] == pytest.approx(9 / (0.1 * max(alarms[:, look].sum(), 1)))


def test_many_segments_that_change_are_seen_sooner_together() -> None:
    table = table_of(40, n=800, worse_from=25)
    segment = np.array([f"s{each:02d}" for each in np.arange(table["y"].size) % 20])
    how: dict[str, Any] = {**COLUMNS, "segment": "site", "reference": 15}
    family, shared = (rs.monitor(table | {"site": segment}, **how, control=each) for each in ("familywise", "fdr"))
    days = [
        [int(each.alarm_day) if each.alarm_day else 99 for each in found.measures if each.segment]
        for found in (family, shared)
    ]
    assert np.mean(days[1]) < np.mean(days[0])
    assert shared["auc", "s00"].limit < family["auc", "s00"].limit
    assert "of the segments in alarm at a look at most the share 0.025" in shared.promise
    quiet = rs.monitor(table_of(40, n=800) | {"site": segment}, **how, control="fdr")
    assert (quiet.decision, quiet.alarms) == ("quiet", ())


@each_case(
    ("more", "told"),
    [
        ({"control": "fdr", "run_length": 100.0}, "goes with"),
        ({"weight": "s", "method": "exact"}, "counts rows, which sampling weights do not"),
        ({"weight": "s"}, "s: .* negative"),
        ({"weight": "gone"}, "no column 'gone'"),
        ({"score": ["s", "s"]}, "each model is watched once"),
    ],
)
def test_what_is_refused(more: dict[str, Any], told: str) -> None:
    table = table_of(30, n=20)
    with pytest.raises(rs.RocsteadyError, match=told):
        rs.monitor(table, **{**COLUMNS, "reference": 10, **more})


def test_probabilities_with_weights_are_expected_and_not_tested() -> None:
    table = table_of(20)
    p, w = 1 / (1 + np.exp(-table["s"])), np.where(table["y"] == 1, 1.0, 2.0)
    found = rs.monitor(table | {"s": p, "w": w}, **COLUMNS, reference=10, weight="w", probabilities=True)
    assert found.calibration is None
    assert "weights_untested" in [remark.code for remark in found.warnings]
    assert not math.isnan(found["auc"].expected[-1])
