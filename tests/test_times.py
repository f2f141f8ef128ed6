"""Concordance with censored times: against all pairs, derivatives by weights, R, and laws."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
import times_oracle as oracle
from cases import each_case
from rocsteady._src.ranked.later_pairs import LaterPairs

WITNESS = json.loads((Path(__file__).parent / "fixtures" / "r_times.json").read_text())
METHODS = ("harrell", "uno", "gonen-heller")


def slow(method: str, rows: dict[str, Any], w: Any, *, tau: float = np.inf, repeats: bool = False) -> float:
    given = rows["time"], rows["event"], rows["first"], w
    if method == "gonen-heller":
        return oracle.gonen_heller(*given, repeats=repeats)
    return oracle.concordance(*given, method, tau)


@each_case(
    ("n", "n_scores", "n_times", "whole"),
    [(1, 1, 1, True), (50, 10, 7, True), (200, 400, 400, False), (300, 3, 400, True), (900, 900, 900, False)],
)
def test_sums_over_later_rows_are_those_over_all_pairs(n: int, n_scores: int, n_times: int, whole: bool) -> None:
    rng = np.random.default_rng(n)
    when, places = rng.integers(0, n_times, n), np.unique(rng.integers(0, n_scores, n), return_inverse=True)[1]
    held, loads = (None, rng.integers(0, 2, n) * 1.0) if whole else (rng.random(n), rng.random(n))
    below, above = LaterPairs.of(when, places).sums(held, loads)
    pairs = oracle.beats(places) * (when[None, :] > when[:, None])
    assert below == pytest.approx(pairs @ (np.ones(n) if held is None else held), rel=1e-12)
    assert above == pytest.approx(pairs.T @ loads, rel=1e-12)


def test_sums_of_many_rows_agree_from_both_sides() -> None:
    """More rows than the cache holds at once: pairs counted from the earlier row are those from the later one."""
    rng = np.random.default_rng(5)
    n = 70_000
    loads = rng.integers(0, 2, n) * 1.0
    below, above = LaterPairs.of(rng.integers(0, 500, n), rng.integers(0, 900, n)).sums(None, loads)
    assert below @ loads == above.sum() > 0


@each_case(("method", "ties", "tau"), [(m, t, tau) for m in METHODS for t in (True, False) for tau in (None, 8.0)])
def test_concordance_and_its_error_follow_from_all_pairs(method: str, ties: bool, tau: float | None) -> None:
    if method == "gonen-heller" and tau is not None:
        return
    rows = oracle.drawn(30, 3, ties=ties)
    found = rs.times.concordance(rows["time"], rows["event"], rows["first"], method=method, tau=tau)
    one, limit = np.ones(30), tau or np.inf
    assert found.estimate == pytest.approx(slow(method, rows, one, tau=limit, repeats=True), abs=1e-11)
    pulls = oracle.pulls(lambda w: slow(method, rows, w, tau=limit, repeats=True), one)
    assert found.se == pytest.approx(np.sqrt((pulls**2).sum()), rel=1e-7)


@cache
def pulls_of_weighted_rows(method: str, *, repeats: bool) -> Any:
    rows = oracle.drawn(26, 8)
    return oracle.pulls(lambda w: slow(method, rows, w, repeats=repeats), rows["weight"])


@each_case(
    ("method", "reading", "by_subject"), [(m, r, c) for m in METHODS for r in (None, "frequency") for c in (0, 1)]
)
def test_weights_and_subjects(method: str, reading: Any, by_subject: int) -> None:
    rows = oracle.drawn(26, 8)
    w, subject = rows["weight"], rows["cluster"] if by_subject else np.arange(26)
    how = {"weight_type": reading, "cluster": subject if by_subject else None}
    found = rs.times.concordance(
        rows["time"], rows["event"], rows["first"], method=method, sample_weight=w.astype(int), **how
    )
    repeats = reading == "frequency"
    assert found.estimate == pytest.approx(slow(method, rows, w, repeats=repeats), abs=1e-11)
    pulls = pulls_of_weighted_rows(method, repeats=repeats)
    if repeats and not by_subject:
        expected = np.sqrt((w * pulls**2).sum())
    else:
        expected = np.sqrt((np.bincount(subject, w * pulls) ** 2).sum())
    assert found.se == pytest.approx(expected, rel=1e-7)


@each_case("method", METHODS)
def test_counts_are_repeated_rows(method: str) -> None:
    rows = oracle.drawn(60, 2)
    w = rows["weight"].astype(int)
    given = [rows[name] for name in ("time", "event", "first")]
    weighted = rs.times.concordance(*given, method=method, sample_weight=w, weight_type="frequency")
    repeated = rs.times.concordance(*(np.repeat(column, w) for column in given), method=method)
    for name in ("estimate", "low", "high", "se"):
        assert getattr(weighted, name) == pytest.approx(getattr(repeated, name), rel=1e-9)


@each_case("method", METHODS)
def test_order_and_scale_do_not_matter_and_turned_scores_turn_the_value(method: str) -> None:
    rows = oracle.drawn(80, 4)
    order = np.random.default_rng(0).permutation(80)
    t, e, s = rows["time"], rows["event"], rows["first"]
    found = rs.times.concordance(t, e, s, method=method)
    moved = rs.times.concordance(t[order], e[order], s[order], method=method)
    scaled = rs.times.concordance(t * 365.25, e, 3 * s - 7, method=method)
    turned = rs.times.concordance(t, e, -s, method=method)
    for other in (moved, scaled):
        assert (other.estimate, other.se) == pytest.approx((found.estimate, found.se), rel=1e-9)
    assert (1 - turned.estimate, turned.se) == pytest.approx((found.estimate, found.se), rel=1e-9)
    assert (1 - turned.high, 1 - turned.low) == pytest.approx((found.low, found.high), rel=1e-9)


def test_without_censoring_and_ties_harrell_and_uno_are_kendall() -> None:
    from scipy.stats import kendalltau

    rng = np.random.default_rng(1)
    t, s = rng.exponential(size=200), rng.normal(size=200)
    expected = (1 - kendalltau(t, s).statistic) / 2
    for method in ("harrell", "uno"):
        assert rs.times.concordance(t, np.ones(200, int), s, method=method).estimate == pytest.approx(expected)


def test_witnesses_are_of_the_rows_that_are_kept() -> None:
    folder = Path(__file__).parent / "fixtures"
    digest = hashlib.md5((folder / "times_data.csv").read_bytes()).hexdigest()  # noqa: S324 - no secret
    for name in ("r_times.json", "sksurv_times.json", "torchsurv_times.json"):
        assert json.loads((folder / name).read_text())["made_by"]["data_md5"] == digest, name


@each_case("case", WITNESS["cases"], ids=lambda case: case["name"])
def test_r_says_the_same(case: dict[str, Any]) -> None:
    """survival::concordance; its Uno takes the censoring as known, so that only the value is compared."""
    columns = {name: np.array(values) for name, values in WITNESS["data"][case["data"]].items()}
    t, e, s, other = (columns[name] for name in ("time", "event", "first", "second"))
    harrell = {
        "plain": {},
        "weighted": {"sample_weight": columns["weight"]},
        "subjects": {"cluster": columns["cluster"]},
    }
    for name, how in harrell.items():
        found = rs.times.concordance(t, e, s, **how)
        assert found.estimate == pytest.approx(case[name]["c"], abs=1e-12), name
        assert found.se**2 == pytest.approx(case[name]["var"], rel=1e-10), name
    (v1, cov), (_, v2) = case["both"]["var"]
    test = rs.times.compare_concordance(t, e, s, other)
    assert test.estimate == pytest.approx(case["both"]["c"][0] - case["both"]["c"][1], abs=1e-12)
    assert test.se**2 == pytest.approx(v1 + v2 - 2 * cov, rel=1e-9)
    for name, tau in (("uno", None), ("uno_tau", case["tau"])):
        assert rs.times.concordance(t, e, s, method="uno", tau=tau).estimate == pytest.approx(case[name], abs=1e-11)
    assert rs.times.concordance(t, e, s, tau=case["tau"]).estimate == pytest.approx(case["harrell_tau"], abs=1e-12)
    assert rs.times.concordance(t, e, s, method="gonen-heller").estimate == pytest.approx(case["cpe"], abs=1e-8)


def test_what_cannot_be_judged_is_refused() -> None:
    t, e, s = [1.0, 2.0, 3.0], [1, 0, 1], [3, 2, 1]
    with pytest.raises(rs.InputError, match=r"time must hold finite times of 0 or more, and 1 are not, row 1: -2.0"):
        rs.times.concordance([1, -2, 3], e, s)
    with pytest.raises(rs.InputError, match="no pair of rows tells who came first"):
        rs.times.concordance(t, [0, 0, 1], s)
    with pytest.raises(rs.InputError, match="event holds other events too: '2', in 1 rows"):
        rs.times.concordance(t, [0, 1, 2], s, pos_label=1)
    with pytest.raises(rs.InputError, match="time: 1 missing, row 0"):
        rs.times.concordance([None, 2.0, 3.0], e, s)
    with pytest.raises(rs.ArgumentError, match="method must be one of harrell, uno, gonen-heller"):
        rs.times.concordance(t, e, s, method="c")
    with pytest.raises(rs.ArgumentError, match="a time above 0"):
        rs.times.concordance(t, e, s, tau=0)
    with pytest.raises(rs.InputError, match="no finite slope"):
        rs.times.concordance(t, [1, 1, 1], s, method="gonen-heller")
    with pytest.raises(rs.InputError, match="there are no rows"):
        rs.times.concordance([], [], [])


def test_rows_that_lack_a_value_are_dropped_and_counted() -> None:
    found = rs.times.concordance([1, 2, 3, None, 5], [1, 1, 0, 1, 0], [3, 1, 2, 2, 1], missing="drop")
    assert found.estimate == rs.times.concordance([1, 2, 3, 5], [1, 1, 0, 0], [3, 1, 2, 1]).estimate
    assert found.origin is not None
    assert found.origin.n_dropped == 1


def test_a_perfect_order_has_the_interval_of_pairs_that_share_no_row() -> None:
    few = rs.times.concordance([1, 2, 3, 4], ["dead", "dead", "alive", "dead"], [4, 3, 2, 1], pos_label="dead")
    assert (few.estimate, few.low, few.high) == pytest.approx((1.0, 0.025 ** (1 / 2), 1.0))
    assert [remark.code for remark in few.warnings] == ["few_events"]
    days = np.arange(1.0, 20_002)
    found = rs.times.concordance(days, np.ones(days.size, dtype=int), -days)
    assert found.estimate == 1.0
    assert (found.low, found.high) == pytest.approx((0.025 ** (1 / 10_000), 1.0), rel=1e-12)
    assert found.warnings == ()
    upside_down = rs.times.concordance(days, np.ones(days.size, dtype=int), days)
    assert (upside_down.low, upside_down.high) == pytest.approx((0.0, 1 - found.low))


@pytest.mark.parametrize("kind", ["cumulative", "incident"])
def test_an_area_of_one_at_a_time_has_an_interval(kind: str) -> None:
    days = np.arange(1.0, 41)
    found = rs.times.auc_at(days, np.ones(40, dtype=int), -days, at=20, kind=kind)
    assert found.estimate == 1.0
    assert 0.5 < found.low < 0.97
    assert found.high == 1.0
