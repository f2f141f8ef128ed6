"""Curves of choice against slow oracles: all thresholds, fractions, brute force over betas and costs."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.curves import brier_curve, cost_curve, crossings, dominates, pr_gain_curve
from rocsteady.measures import concordant_partial_auc, partial_pr_auc, pr_auc, prg_auc, two_way_partial_auc

Point = tuple[Fraction, Fraction]


def cases() -> list[tuple[Any, Any, Any]]:
    rng = np.random.default_rng(8)
    made = []
    for n, levels in ((6, 3), (15, 5), (40, 400)):
        y = np.arange(n) < n // 3
        s = rng.integers(1, levels, n) / levels * 0.9 + 0.03 * y
        made += [(y, s, None), (y, s, rng.integers(1, 4, n))]
    return made


CASES = cases()


def counts(y: Any, s: Any, w: Any) -> list[tuple[int, int, float]]:
    """TP, FP and threshold, from none down."""
    w = np.ones(len(y), dtype=int) if w is None else w
    found = [(0, 0, math.inf)]
    for cut in sorted(set(s.tolist()), reverse=True):
        called = s >= cut
        found.append((int(w[called & y].sum()), int(w[called & ~y].sum()), cut))
    return found


def rates(y: Any, s: Any, w: Any) -> list[Point]:
    walk = counts(y, s, w)
    return [(Fraction(fp, walk[-1][1]), Fraction(tp, walk[-1][0])) for tp, fp, _ in walk]


def clipped(points: list[Point], low: Fraction, high: Fraction, height: Any) -> Fraction:
    """Integral of a function of y over x in a range, both linear along each step; cut finely where it bends."""
    area = Fraction(0)
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        a, b = max(x0, low), min(x1, high)
        if b > a:
            at = [y0 + (y1 - y0) * (x - x0) / (x1 - x0) for x in (a, b)]
            area += height(a, b, *at)
    return area


class TestRegions:
    @pytest.mark.parametrize("case", CASES)
    @pytest.mark.parametrize(("max_fpr", "min_tpr"), [("1", "0"), ("1/2", "1/2"), ("1/5", "3/10")])
    def test_two_way(self, case: Any, max_fpr: str, min_tpr: str) -> None:
        width, floor = Fraction(max_fpr), Fraction(min_tpr)

        def above(a: Fraction, b: Fraction, left: Fraction, right: Fraction) -> Fraction:
            if right <= floor:
                return Fraction(0)
            if left < floor:  # the step passes the floor on its way
                a, left = a + (b - a) * (floor - left) / (right - left), floor
            return (b - a) * (left + right - 2 * floor) / 2

        exact = clipped(rates(*case), Fraction(0), width, above)
        y, s, w = case
        how: dict[str, Any] = {"max_fpr": float(width), "min_tpr": float(floor), "sample_weight": w}
        assert two_way_partial_auc(y, s, **how) == pytest.approx(float(exact), abs=1e-12)
        whole = two_way_partial_auc(y, s, standardize=True, **how)
        assert whole == pytest.approx(float(exact / (width * (1 - floor))), abs=1e-12)

    @pytest.mark.parametrize("case", CASES)
    def test_the_whole_corner_is_the_auc(self, case: Any) -> None:
        y, s, w = case
        assert two_way_partial_auc(y, s, max_fpr=1, min_tpr=0, sample_weight=w) == pytest.approx(
            rs.auc(y, s, sample_weight=w), abs=1e-12
        )

    @pytest.mark.parametrize("case", CASES)
    @pytest.mark.parametrize("kind", ["fpr_range", "tpr_range"])
    @pytest.mark.parametrize("cuts", [(0, 1), (0, 0.5, 1), (0, 0.1, 0.2, 0.35, 0.75, 1)])
    def test_concordant_parts_add_up_to_the_auc(self, case: Any, kind: str, cuts: tuple[float, ...]) -> None:
        y, s, w = case
        ranges = list(itertools.pairwise(cuts))
        parts = [concordant_partial_auc(y, s, sample_weight=w, **{kind: each}) for each in ranges]
        assert sum(parts) == pytest.approx(rs.auc(y, s, sample_weight=w), abs=1e-12)
        assert min(parts) >= 0

    @pytest.mark.parametrize("case", CASES)
    def test_concordant_part_is_the_mean_of_both_areas(self, case: Any) -> None:
        y, s, w = case
        points, stop = rates(y, s, w), Fraction(2, 5)
        below = clipped(points, Fraction(0), stop, lambda a, b, u, v: (b - a) * (u + v) / 2)
        (x0, y0), (x1, y1) = next(pair for pair in itertools.pairwise(points) if pair[0][0] <= stop < pair[1][0])
        top = y0 + (y1 - y0) * (stop - x0) / (x1 - x0)
        turned = [(v, 1 - u) for u, v in points]
        beside = clipped(turned, Fraction(0), top, lambda a, b, u, v: (b - a) * (u + v) / 2)
        found = concordant_partial_auc(y, s, sample_weight=w, fpr_range=(0, 0.4))
        assert found == pytest.approx(float((below + beside) / 2), abs=1e-12)
        shared = concordant_partial_auc(y, s, sample_weight=w, fpr_range=(0, 0.4), standardize=True)
        assert shared == pytest.approx(float((below + beside) / (stop + top)), abs=1e-12)

    @pytest.mark.parametrize("case", CASES)
    def test_partial_pr_by_small_steps(self, case: Any) -> None:
        y, s, w = case
        walk = counts(y, s, w)
        tp, fp = (np.array([each[axis] for each in walk], dtype=float) for axis in (0, 1))
        climbs = np.flatnonzero(np.diff(tp) > 0)
        fine_tp = np.concatenate([np.linspace(tp[i], tp[i + 1], 20001)[1:] for i in climbs])
        fine_fp = np.concatenate([np.linspace(fp[i], fp[i + 1], 20001)[1:] for i in climbs])
        widths = np.concatenate([np.full(20000, (tp[i + 1] - tp[i]) / 20000) for i in climbs]) / tp[-1]
        inside = (fine_tp / tp[-1] > 0.2) & (fine_tp / tp[-1] <= 0.7)
        slow = float((widths * fine_tp / (fine_tp + fine_fp))[inside].sum())
        found = partial_pr_auc(y, s, sample_weight=w, recall_range=(0.2, 0.7))
        assert found == pytest.approx(slow, abs=2e-4)
        parts = [partial_pr_auc(y, s, sample_weight=w, recall_range=each) for each in ((0, 0.2), (0.2, 0.7), (0.7, 1))]
        assert sum(parts) == pytest.approx(pr_auc(y, s, sample_weight=w), abs=1e-12)
        mean = partial_pr_auc(y, s, sample_weight=w, recall_range=(0.2, 0.7), standardize=True)
        assert mean == pytest.approx(found / 0.5, abs=1e-12)

    @pytest.mark.parametrize("case", CASES)
    def test_gains_in_fractions(self, case: Any) -> None:
        """The area of gains by straight lines in fractions; gains from their definition by precision and recall."""
        walk = counts(*case)
        n_pos, n_neg, _ = walk[-1]
        share = Fraction(n_pos, n_pos + n_neg)

        def gain(rate: Fraction) -> Fraction:
            return (rate - share) / ((1 - share) * rate)

        points = [(gain(Fraction(tp, n_pos)), gain(Fraction(tp, tp + fp))) for tp, fp, _ in walk if tp]
        if points[0][0] > 0:  # the step from nothing to the first group has its precision
            points.insert(0, (Fraction(0), points[0][1]))
            tp, fp = next((tp, fp) for tp, fp, _ in walk if tp)
            earlier = [each[1] for each in walk if each[0] == 0][-1]
            at = share * n_pos
            wrong = earlier + (fp - earlier) * at / tp
            points[0] = Fraction(0), 1 - Fraction(n_pos, n_neg) * wrong / at
        exact = clipped(points, Fraction(0), Fraction(1), lambda a, b, u, v: (b - a) * (u + v) / 2)
        y, s, w = case
        assert prg_auc(y, s, sample_weight=w) == pytest.approx(float(exact), abs=1e-12)
        assert pr_gain_curve(y, s, sample_weight=w).area == prg_auc(y, s, sample_weight=w)

    def test_scores_without_information_gain_nothing(self) -> None:
        assert prg_auc([1, 0, 1, 0, 0], [0.5] * 5) == pytest.approx(0, abs=1e-15)
        assert prg_auc([1, 1, 0, 0, 0], [5, 4, 3, 2, 1]) == 1

    def test_negatives_of_next_to_no_weight(self) -> None:
        """The prevalence rounds to 1 then, and there is no threshold beyond it."""
        assert prg_auc([1, 0], [0.5, 0.5], sample_weight=[2e16, 1.3]) == pytest.approx(0, abs=1e-15)
        assert prg_auc([1, 0], [0.5, 0.2], sample_weight=[2e16, 1.3]) == 1


class TestCostCurve:
    @pytest.mark.parametrize("case", CASES)
    def test_the_least_of_all_thresholds(self, case: Any) -> None:
        y, s, w = case
        points, curve = rates(y, s, w), cost_curve(y, s, sample_weight=w)
        for place in [*np.linspace(0, 1, 23).tolist(), *curve.probability_cost.tolist()]:
            at = Fraction(place)
            least = min((1 - v) * at + u * (1 - at) for u, v in points)
            assert curve.cost_at(place) == pytest.approx(float(least), abs=1e-12)
        assert np.all(np.diff(curve.probability_cost) > 0)

    @pytest.mark.parametrize("case", CASES)
    def test_thresholds_reach_it(self, case: Any) -> None:
        y, s, w = case
        curve, points = (
            cost_curve(y, s, sample_weight=w),
            dict(zip([c[2] for c in counts(*case)], rates(*case), strict=True)),
        )
        middles = (curve.probability_cost[1:] + curve.probability_cost[:-1]) / 2
        for place, cut in zip(middles, curve.thresholds, strict=False):
            u, v = points[float(cut)]
            assert float((1 - v) * Fraction(place) + u * (1 - Fraction(place))) == pytest.approx(curve.cost_at(place))

    def test_intervals_square_and_add(self) -> None:
        y, s, _ = CASES[4]
        curve = cost_curve(y, s, level=0.9)
        walk = {each[2]: each for each in counts(*CASES[4])}
        for place, cost, low, high, cut in zip(
            curve.probability_cost, curve.cost, curve.low, curve.high, curve.thresholds, strict=True
        ):
            tp, fp, _ = walk[float(cut)]
            missed = rs.proportion_interval(y.sum() - tp, y.sum(), level=0.9)
            alarms = rs.proportion_interval(fp, (~y).sum(), level=0.9)
            reach = math.hypot(place * (missed.estimate - missed.low), (1 - place) * (alarms.estimate - alarms.low))
            above = math.hypot(place * (missed.high - missed.estimate), (1 - place) * (alarms.high - alarms.estimate))
            assert (low, high) == pytest.approx((max(cost - reach, 0), min(cost + above, 1)), abs=1e-12)
        assert np.isnan(cost_curve(y, s).low).all()

    def test_intervals_of_sampling_weights_are_refused(self) -> None:
        with pytest.raises(rs.InputError, match="weight"):
            cost_curve([1, 0, 1, 0], [4, 3, 2, 1], sample_weight=[0.5, 1, 2, 1], level=0.95)


class TestBrierCurve:
    @pytest.mark.parametrize("case", CASES)
    def test_the_area_is_the_brier_score(self, case: Any) -> None:
        y, s, w = case
        curve = brier_curve(y, s, sample_weight=w)
        area = float(np.diff(curve.cost_share) @ (curve.loss[1:] + curve.loss[:-1])) / 2
        assert area == pytest.approx(rs.brier_score(y, s, sample_weight=w), abs=1e-12)
        assert curve.area == rs.brier_score(y, s, sample_weight=w)

    def test_each_loss_is_that_of_the_calls(self) -> None:
        y, s, w = CASES[3]
        curve = brier_curve(y, s, sample_weight=w)
        for share in (0.05, 0.2, 0.41, 0.77, 0.99):
            called = s >= share
            loss = 2 * (share * w[called & ~y].sum() + (1 - share) * w[~called & y].sum()) / w.sum()
            assert np.interp(share, curve.cost_share, curve.loss) == pytest.approx(loss, abs=1e-12)

    @pytest.mark.parametrize("case", ["no ties", "ties", "weights"])
    def test_both_sides_of_each_jump_of_many_scores(self, case: str) -> None:
        rng = np.random.default_rng(4)
        y, s = rng.random(70_000) < 0.3, rng.permutation(70_000) / 70_000
        y, s = (np.append(y, y[:900]), np.append(s, s[:900])) if case == "ties" else (y, s)
        w = rng.random(y.size) if case == "weights" else np.ones(y.size)
        curve = brier_curve(y, s, sample_weight=w if case == "weights" else None)
        assert (curve.cost_share[0], curve.loss[0], curve.cost_share[-1], curve.loss[-1]) == (0, 0, 1, 0)
        for place in (0, 1, 32_767, 32_768, 50_000, 69_999):
            cut = place / 70_000
            called, above = (2 * (cut * w[on & ~y].sum() + (1 - cut) * w[~on & y].sum()) for on in (s >= cut, s > cut))
            assert curve.cost_share[2 * place + 1 : 2 * place + 3].tolist() == [cut, cut]
            losses = curve.loss[2 * place + 1 : 2 * place + 3] * w.sum()
            assert losses.tolist() == pytest.approx([called, above], rel=1e-11, abs=1e-11)

    def test_scores_that_are_no_probabilities(self) -> None:
        with pytest.raises(rs.RocsteadyError, match="probabilit"):
            brier_curve([1, 0], [2.0, 0.5])


class TestGainCurve:
    @pytest.mark.parametrize("case", CASES)
    @pytest.mark.parametrize("beta", [0.05, 0.5, 1.0, 2.0, 20.0])
    def test_thresholds_are_best_for_f(self, case: Any, beta: float) -> None:
        y, s, w = case
        n_pos = counts(*case)[-1][0]
        scores = {cut: (1 + beta**2) * tp / (tp + fp + beta**2 * n_pos) for tp, fp, cut in counts(*case)[1:]}
        chosen = pr_gain_curve(y, s, sample_weight=w).threshold_for_f(beta)
        assert scores[chosen] == pytest.approx(max(scores.values()), rel=1e-12)


def test_a_cost_curve_with_intervals_says_what_they_hold() -> None:
    y, s = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1]
    assert [remark.code for remark in cost_curve(y, s, level=0.95).warnings] == ["cost_chosen"]
    assert "84%" in str(cost_curve(y, s, level=0.95))
    assert cost_curve(y, s).warnings == ()


class TestCrossings:
    def test_a_crossing_lies_on_both_curves(self) -> None:
        rng = np.random.default_rng(3)
        y = np.arange(200) < 80
        first, second = rng.normal(size=200) + y, np.where(y, 1.5, 0.6) * rng.normal(size=200) + 1.1 * y
        curves = [rs.roc_curve(y, s) for s in (first, second)]
        found = crossings(*curves)
        assert len(found) == len(found.first_above) - 1 > 0
        for x, height in zip(found.fpr, found.tpr, strict=True):
            for curve in curves:
                gap = np.abs(np.interp(x + height, curve.fpr + curve.tpr, curve.tpr - curve.fpr) - (height - x))
                assert gap < 1e-12
        back = crossings(*curves[::-1])
        assert back.fpr == pytest.approx(found.fpr)
        assert back.first_above == tuple(not each for each in found.first_above)

    def test_none_where_one_dominates(self) -> None:
        low, high = rs.curves.roc_from_points([0.3], [0.6]), rs.curves.roc_from_points([0.2, 0.5], [0.7, 0.9])
        found = crossings(high, low)
        assert (len(found), found.first_above, dominates(high, low)) == (0, (True,), True)
        assert "first ROC curve is nowhere below" in str(found)
        assert str(crossings(low, low)) == "The two ROC curves are the same"

    def test_touching_is_no_crossing(self) -> None:
        low = rs.curves.roc_from_points([0.2, 0.4, 0.6], [0.4, 0.7, 0.8])
        high = rs.curves.roc_from_points([0.2, 0.4, 0.6], [0.5, 0.7, 0.9])
        assert len(crossings(high, low)) == 0

    def test_running_together_is_one_crossing(self) -> None:
        first = rs.curves.roc_from_points([0.1, 0.3, 0.5, 0.7], [0.4, 0.6, 0.8, 0.9])
        second = rs.curves.roc_from_points([0.1, 0.3, 0.5, 0.7], [0.3, 0.6, 0.8, 0.95])
        found = crossings(first, second)
        assert (found.fpr.tolist(), found.first_above) == (pytest.approx([0.5]), (True, False))

    def test_other_things_are_refused(self) -> None:
        with pytest.raises(rs.ArgumentError, match="roc_from_points"):
            crossings(rs.pr_curve([1, 0], [1, 0]), rs.roc_curve([1, 0], [1, 0]))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: two_way_partial_auc([1, 0], [1, 0], max_fpr=0), "max_fpr must lie in"),
        (lambda: two_way_partial_auc([1, 0], [1, 0], min_tpr=1), "min_tpr must lie in"),
        (lambda: concordant_partial_auc([1, 0], [1, 0], fpr_range=(0, 1), tpr_range=(0, 1)), "not both"),
        (lambda: partial_pr_auc([1, 0], [1, 0], recall_range=(0.5, 0.5)), "start < stop"),
        (lambda: pr_gain_curve([1, 1], [1, 0]), "gains need"),
        (lambda: cost_curve([1, 1], [1, 0]), "cost curve needs"),
    ],
)
def test_refusals(call: Any, words: str) -> None:
    with pytest.raises(rs.RocsteadyError, match=words):
        call()
