"""Measures that several rates make: joint limits that hold with few errors, the same from every entry point."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import rocsteady as rs
from cases import each_case
from command import rocsteady
from measured_kit import measured
from rocsteady._src.inference.intervals.joint_limits import joint_limits
from rocsteady._src.inference.intervals.joint_measures import PARTS, joint_bounds
from rocsteady._src.inference.intervals.share_limits import mid_p_limits, wilson_limits
from rocsteady._src.measures.registry import get_measure, list_measures
from rocsteady.inference import measure_interval, measure_intervals

if TYPE_CHECKING:
    from pathlib import Path

Confusion = rs.measures.Confusion
Z = 1.959963984540054
SETTINGS = {"positives": {5, 10, 20, 50, 100}, "negatives": {40, 100, 200, 1000}, "recall": {0.9, 0.95, 0.98, 0.99}}


def test_every_measured_cell_holds_the_level() -> None:
    lines = measured("measures_of_rates")
    assert {line["measure"] for line in lines} == {*PARTS, "f1"}
    for name, values in SETTINGS.items():
        assert {float(line[name]) for line in lines} == values
    assert len([line for line in lines if line["design"] == "fixed"]) == 320 * (len(PARTS) + 1)
    assert min(float(line["coverage"]) for line in lines) >= 0.93


def test_three_of_three_positives_are_not_certainty() -> None:
    """The delta method said [0.993, 1]: it saw no variance in the positives."""
    found = measure_interval("balanced_accuracy", Confusion(3, 1, 0, 200))
    assert found.low == pytest.approx(0.6813, abs=1e-4)
    assert found.high > found.estimate == pytest.approx(0.99751, abs=1e-5)
    assert [remark.code for remark in found.warnings] == ["few_behind_measure"]


def test_every_threshold_measure_is_a_share_or_has_parts() -> None:
    every = [measure_interval(sheet.name, Confusion(9, 2, 3, 20)) for sheet in list_measures("threshold")]
    delta = [found.measure for found in every if found.method == "delta"]
    assert delta == []


@each_case("name", sorted(PARTS))
def test_the_shares_make_the_measure(name: str) -> None:
    rng, parts = np.random.default_rng(1), PARTS[name]
    sheet = get_measure(name).sheet
    cells = rng.integers(1, 40, (4, 30)).astype(float)
    hits, totals = parts.counted(cells)
    made = sheet.formula(Confusion(*parts.table(*(hits / totals))))
    assert made == pytest.approx(sheet.formula(Confusion(*cells)), rel=1e-12)


@each_case("cells", [(3, 1, 0, 200), (26, 14, 15, 58), (20, 0, 0, 20), (0, 3, 5, 9), (95, 1, 5, 999)])
def test_limits_are_the_extremes_over_all_directions(cells: tuple[int, ...]) -> None:
    """Every pair of scores whose squares add up to that of the level, looked through one by one."""
    around = np.linspace(0, 2 * np.pi, 4001)
    counts = Confusion(cells[0], cells[1], cells[2], cells[3])
    tp, fp, fn, tn = (np.array(float(cell)) for cell in cells)
    recall, specificity = mid_p_limits(tp, tp + fn, Z * np.cos(around)), mid_p_limits(tn, tn + fp, Z * np.sin(around))
    for name in ("youden_j", "g_mean", "balanced_accuracy"):
        values: Any = get_measure(name).sheet.formula(Confusion(recall, 1 - specificity, 1 - recall, specificity))
        found = measure_interval(name, counts)
        width = values.max() - values.min()
        assert (found.low, found.high) == pytest.approx((values.min(), values.max()), abs=1e-4 * width)


def test_laws_between_measures() -> None:
    rng = np.random.default_rng(3)
    for cells in rng.integers(0, 40, (25, 4)).tolist():
        counts, turned = Confusion(*cells), Confusion(cells[3], cells[2], cells[1], cells[0])
        both = [measure_interval(name, counts) for name in ("youden_j", "balanced_accuracy")]
        assert [*both[1]] == pytest.approx([(end + 1) / 2 for end in both[0]], abs=2e-4, nan_ok=True)
        ones = [measure_interval("f1", counts), measure_interval("f_beta", counts, beta=1.0)]
        assert [*ones[1]] == pytest.approx([*ones[0]], abs=1e-6, nan_ok=True)
        for name in ("youden_j", "matthews_correlation", "cohen_kappa", "markedness", "g_mean"):
            ends = [[*measure_interval(name, each)] for each in (counts, turned)]
            assert ends[0] == pytest.approx(ends[1], abs=2e-3, nan_ok=True), name


def test_limits_of_a_share_invert_their_tails() -> None:
    from scipy.stats import binom, norm

    rng = np.random.default_rng(5)
    n = rng.integers(1, 2000, 300).astype(float)
    hits, scores = np.floor(rng.random(300) * (n + 1)), rng.normal(size=300)
    found = mid_p_limits(hits, n, scores)
    half = binom.sf(hits, n, found) + binom.pmf(hits, n, found) / 2
    inside = ((hits > 0) | (scores > 0)) & ((hits < n) | (scores < 0))
    assert half[inside] == pytest.approx(norm.cdf(scores[inside]), abs=1e-9)
    assert found[~inside] == pytest.approx(np.where(hits[~inside] > 0, 1.0, 0.0), abs=0)
    ends = [float(wilson_limits(np.array(81.0), np.array(263.0), np.array(side * Z))) for side in (-1, 1)]
    assert ends == pytest.approx([*rs.proportion_interval(81, 263)], rel=1e-12)
    for limits in (mid_p_limits, wilson_limits):
        assert limits(np.zeros(2), np.zeros(2), np.array([-1.0, 1.0])).tolist() == [0, 1]


def test_one_share_alone_has_its_own_limits() -> None:
    low, high = joint_limits(lambda shares: shares[0], np.array([[3.0]]), np.array([[20.0]]), Z)
    expected = mid_p_limits(np.array(3.0), np.array(20.0), np.array([-Z, Z]))
    assert [low[0], high[0]] == pytest.approx(expected.tolist(), rel=1e-12)


class TestEntryPoints:
    Y = (1,) * 20 + (0,) * 60
    SCORE = tuple([0.9] * 19 + [0.2] + [0.1] * 58 + [0.8] * 2)
    RATIOS = ("positive_likelihood_ratio", "negative_likelihood_ratio", "diagnostic_odds_ratio")
    NAMES = ("balanced_accuracy", "youden_j", "g_mean", "mcc", "cohen_kappa", *RATIOS, "f1")

    def test_all_give_the_same(self, tmp_path: Path) -> None:
        counts = rs.confusion(self.Y, self.SCORE, threshold=0.5)
        known = rs.evaluate(self.Y, self.SCORE, threshold=0.5, measures=list(self.NAMES), intervals=True)
        every = measure_intervals(counts)
        path = tmp_path / "d.csv"
        path.write_text("y,s\n" + "".join(f"{y},{s}\n" for y, s in zip(self.Y, self.SCORE, strict=True)))
        asked = [word for name in self.NAMES for word in ("--measure", name)]
        given = ("--label", "y", "--score", "s", "--threshold", "0.5", "--intervals", *asked, "--format", "json")
        told = rocsteady("evaluate", str(path), *given)
        shell = json.loads(told.stdout)["models"][0]["intervals"]
        for name in self.NAMES:
            expected = measure_interval(name, counts)
            column = get_measure(name).sheet.name
            assert [*every[column]] == [*known.intervals["score"][column]] == [*expected]
            ends = [shell[column][end] for end in ("low", "high")]
            assert ends == pytest.approx([expected.low, None if math.isinf(expected.high) else expected.high])

    def test_many_tables_at_once_give_the_same(self) -> None:
        cells = np.array([[3, 1, 0, 200], [26, 14, 15, 58], [9, 1, 1, 89]], dtype=float).T
        for name in PARTS:
            low, high = joint_bounds(get_measure(name).sheet, cells, Z, {})
            for place, column in enumerate(cells.T.tolist()):
                found = measure_interval(name, Confusion(*column))
                ends = min(low[place], found.estimate), max(high[place], found.estimate)
                assert ends == pytest.approx((found.low, found.high), rel=1e-9)

    @each_case("name", sorted(PARTS))
    def test_subjects_of_equal_rows_are_worth_one_each(self, name: str) -> None:
        y, score = np.array(self.Y), np.array(self.SCORE)
        plain = measure_interval(name, y, score, threshold=0.5)
        subjects = np.arange(y.size).repeat(2)
        doubled = measure_interval(name, y.repeat(2), score.repeat(2), threshold=0.5, cluster=subjects)
        assert [*doubled] == pytest.approx([*plain], rel=0.08, abs=0.02)
        assert doubled.method == f"{plain.method}, by cluster"
        weighted: Any = measure_interval(name, y, score, threshold=0.5, sample_weight=np.full(80, 0.5))
        assert [*weighted] == pytest.approx([*plain], rel=0.08, abs=0.02)

    def test_one_subject_of_a_class_tells_nothing_of_it(self) -> None:
        y, score = np.array(self.Y), np.array(self.SCORE)
        subjects = np.where(y == 1, 0, np.arange(y.size))
        found = measure_interval("youden_j", y, score, threshold=0.5, cluster=subjects)
        assert found.low < 0
        assert "one_subject_of_share" in [remark.code for remark in found.warnings]
