"""The gate: what is decided follows from bounds that other functions and plain formulas give too."""

from __future__ import annotations

import ast
import json
import math
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest
from scipy.optimize import brentq
from scipy.special import ndtri
from scipy.stats import binom, multinomial
from scipy.stats import t as student

import rocsteady as rs
from cases import each_case
from rocsteady._src.evaluation.gate import carried, goals
from rocsteady._src.evaluation.gate.differences import Unchanged
from rocsteady._src.evaluation.gate.in_engine import EngineTable
from rocsteady._src.evaluation.gate.judge import of_gate, times_as_many
from rocsteady._src.evaluation.gate.shares import ExactPair, call_by_rows
from rocsteady._src.evaluation.gate.terms import goal_terms, margin_terms, settled_thresholds
from rocsteady._src.inference.paired.counts import PairedCounts
from rocsteady._src.ranked import read_models

LOANS = rs.examples.loans(600)
Y, OLD, NEW = (np.asarray(LOANS[name]) for name in ("defaulted", "logistic", "boosted"))
HALF = np.arange(600) % 2 == 0


def one(*args: Any, **how: Any) -> Any:
    """The only condition of a gate."""
    (condition,) = rs.gate(*args, **how).conditions
    return condition


def ends(found: Any) -> tuple[float, float, float]:
    return found.estimate, found.low, found.high


class TestBounds:
    """Bounds are those that the functions of comparison give at the level that fits one-sided confidence."""

    def test_areas_go_by_the_test_that_auto_takes(self) -> None:
        y, old = np.tile(Y, 4), np.tile(OLD, 4)  # so that many rows are on the wrong side
        noisy = old + np.random.default_rng(1).normal(0, 0.05, old.size)
        theirs = rs.compare_auc(y, noisy, old, alternative="non-inferiority", margin=0.01, level=0.9)
        assert theirs.method == "delong-t, paired"
        found = one(y, old, noisy, margin=0.01)
        pos, neg = y == 1, y == 0
        parts = np.concatenate(
            [_placed(noisy, pos, neg) - _placed(old, pos, neg), _placed(old, neg, pos) - _placed(noisy, neg, pos)]
        )
        expected = _no_closer(ends(theirs), parts, np.repeat([1 / pos.sum(), 1 / neg.sum()], [pos.sum(), neg.sum()]))
        assert ends(found) == pytest.approx(expected, abs=1e-12)
        assert ends(found) == pytest.approx(ends(theirs), abs=1e-3)

    def test_few_rows_on_the_wrong_side_take_the_safe_score(self) -> None:
        found = one(Y, OLD, NEW, margin=0.01)
        theirs = rs.compare_auc(Y, NEW, OLD, method="score", level=0.9)
        assert found.method.startswith("score")
        assert found.estimate == pytest.approx(theirs.estimate, abs=1e-14)
        assert found.low < theirs.low < found.estimate < theirs.high < found.high

    def test_gini_is_twice_the_area(self) -> None:
        of_area, of_gini = one(Y, OLD, NEW, margin=0.01), one(Y, OLD, NEW, measure="gini", margin=0.02)
        assert ends(of_gini) == pytest.approx([2 * each for each in ends(of_area)], abs=1e-14)
        assert of_gini.decision == of_area.decision

    @each_case("measure", ["recall", "specificity", "accuracy"])
    def test_shares_of_the_same_rows_join_exact_intervals_of_those_that_differ(self, measure: str) -> None:
        """Rows that only one model has right take from the same total: their shares are correlated, as counts are."""
        kept = {"recall": Y == 1, "specificity": Y == 0, "accuracy": Y >= 0}[measure]
        new, old = (((scores >= 0.3) == (Y == 1))[kept] for scores in (NEW, OLD))
        (p, low1, high1), (q, low2, high2) = (
            _exact(int(only.sum()), int(kept.sum())) for only in (new & ~old, old & ~new)
        )
        down, up, back, on = p - low1, high1 - p, q - low2, high2 - q
        common = 2 * math.sqrt(p * q / ((1 - p) * (1 - q)))
        reach = (math.sqrt(one**2 + two**2 + common * one * two) for one, two in ((down, on), (up, back)))
        found = one(Y, OLD, NEW, measure=measure, threshold=0.3, margin=0.02)
        assert ends(found) == pytest.approx((p - q, p - q - next(reach), p - q + next(reach)), abs=1e-12)
        tango = rs.compare_outcomes(new, old, method="tango", level=0.9)
        assert found.estimate == pytest.approx(tango.estimate, abs=1e-15)
        assert found.low < tango.low < tango.high < found.high
        wrong = {"recall": "false_negative_rate", "specificity": "false_positive_rate", "accuracy": "error_rate"}
        other = one(Y, OLD, NEW, measure=wrong[measure], threshold=0.3, margin=0.02)
        assert (other.estimate, other.low, other.high) == pytest.approx((-found.estimate, -found.high, -found.low))
        assert other.decision == found.decision
        assert other.side == "below"

    def test_means_over_rows_go_by_their_differences(self) -> None:
        lost = (NEW - Y) ** 2 - (OLD - Y) ** 2
        reach = 1.6448536269514722 * lost.std(ddof=1) / math.sqrt(lost.size)
        found = one(Y, OLD, NEW, measure="brier_score", margin=0.001)
        plain = lost.mean(), lost.mean() - reach, lost.mean() + reach
        assert ends(found) == pytest.approx(_no_closer(plain, lost, np.full(lost.size, 1 / lost.size)), rel=1e-9)
        assert found.limit == 0.001
        assert found.decision == "pass"

    def test_two_samples_join_their_intervals(self) -> None:
        """The square-and-add of two exact intervals, written out."""
        found = one(
            Y[HALF],
            OLD[HALF],
            NEW[~HALF],
            paired=False,
            y_true_second=Y[~HALF],
            measure="recall",
            threshold=0.3,
            margin=0.1,
        )
        (p, low1, high1), (q, low2, high2) = (
            _exact(int((scores[y == 1] >= 0.3).sum()), int(y.sum()))
            for scores, y in ((NEW[~HALF], Y[~HALF]), (OLD[HALF], Y[HALF]))
        )
        expected = p - q, p - q - math.hypot(p - low1, high2 - q), p - q + math.hypot(high1 - p, q - low2)
        assert ends(found) == pytest.approx(expected, abs=1e-12)
        areas = one(Y[HALF], OLD[HALF], NEW[~HALF], paired=False, y_true_second=Y[~HALF], margin=0.1)
        theirs = rs.compare_auc(Y[~HALF], NEW[~HALF], OLD[HALF], paired=False, y_true_second=Y[HALF], level=0.9)
        assert areas.estimate == pytest.approx(theirs.estimate, abs=1e-14)

    def test_joined_intervals_of_the_same_rows_know_what_both_have_in_common(self) -> None:
        """The correlation that the bounds were joined with is that of another bootstrap, in plain numpy."""
        how: dict[str, Any] = {"measure": "tpr_at(fpr=0.1)", "margin": 0.01, "n_resamples": 1000}
        paired = one(Y, OLD, NEW, **how)
        apart = one(Y, OLD, NEW, paired=False, y_true_second=Y, **how)
        assert apart.low < paired.low < paired.estimate < paired.high < apart.high
        (p, low, _), (q, _, high) = (
            ends(rs.operating_point(Y, scores, fpr=0.1, level=0.9).interval) for scores in (NEW, OLD)
        )
        down, up = p - low, high - q
        assert apart.low == pytest.approx(p - q - math.hypot(down, up), abs=1e-9)
        joined = (down**2 + up**2 - (paired.estimate - paired.low) ** 2) / (2 * down * up)
        assert joined == pytest.approx(_correlation_of_tpr(1000), abs=0.1)

    def test_goals_go_by_the_default_interval_and_shares_are_exact(self) -> None:
        area = one(Y, candidate=NEW, goals="auc >= 0.80")
        theirs = rs.auc_interval(Y, NEW, level=0.9)
        assert ends(area) == pytest.approx(ends(theirs), abs=1e-14)
        test = rs.inference.goal_test("auc", Y, NEW, above=0.8)
        assert (area.decision == "pass") == (test.pvalue < 0.05)
        hits, total = int((NEW[Y == 1] >= 0.3).sum()), int(Y.sum())
        share = one(Y, candidate=NEW, goals="recall >= 0.5", threshold=0.3)
        exact = rs.proportion_interval(hits, total, method="clopper-pearson", level=0.9)
        assert ends(share) == pytest.approx(ends(exact), abs=1e-14)

    @each_case("measure", ["precision", "f1", "mcc", "negative_predictive_value"])
    def test_calls_are_known_no_closer_than_their_rows_allow(self, measure: str) -> None:
        """What a row adds is how the difference moves with its weight, here by steps of a millionth."""
        y = np.arange(150) % 3 == 0
        old = y + np.random.default_rng(4).normal(size=150)
        new = np.where(np.arange(150) % 10 == 0, 1 - old, old)

        def lead(weight: Any) -> float:
            how = {"sample_weight": weight, "threshold": 0.5}
            return float(np.subtract(*(getattr(rs, measure)(y, each, **how) for each in (new, old))))

        steps = np.eye(150) * 1e-6
        pulls = np.array([(lead(1 + step) - lead(1 - step)) / 2e-6 for step in steps])
        known = _no_closer((lead(np.ones(150)),) * 3, pulls * 150, np.full(150, 1 / 150))
        found = one(y, old, new, measure=measure, threshold=0.5, margin=0.05, n_resamples=100)
        assert found.method.endswith("no closer than by influence), paired")
        assert found.estimate == pytest.approx(known[0], abs=1e-12)
        assert found.low <= known[1] + 1e-7
        assert found.high >= known[2] - 1e-7
        (term,) = margin_terms(measure, 0.05, thresholds=settled_thresholds(0.5))
        rows = read_models(y, {"candidate": new, "baseline": old})
        added, others = (call_by_rows(rows, model, term, term.params("candidate")) for model in (0, 1))
        assert added - others == pytest.approx(pulls * 150, abs=1e-7)

    def test_average_precision_is_known_no_closer_than_its_rows_allow(self) -> None:
        """What each row adds is how the difference moves with its weight."""
        kept = slice(0, 150)
        y, old, new = Y[kept], OLD[kept], NEW[kept]

        def lead(weight: Any) -> float:
            return float(np.subtract(*(rs.average_precision(y, each, sample_weight=weight) for each in (new, old))))

        pulls = np.array([(lead(1 + 1e-4 * row) - lead(1 - 1e-4 * row)) / 2e-4 for row in np.eye(150)])
        known = _no_closer((lead(np.ones(150)),) * 3, pulls * 150, np.full(150, 1 / 150))
        found = one(y, old, new, measure="average_precision", margin=0.05, n_resamples=60)
        assert found.estimate == pytest.approx(known[0], abs=1e-12)
        assert found.low <= known[1] + 1e-6
        assert found.high >= known[2] - 1e-6
        closer = one(y, old, old + np.where(np.arange(150) == 3, 0.2, 0), measure="average_precision", margin=0.05)
        assert closer.low < 0 < closer.high  # of one row that moved nothing is known
        assert "no closer than by influence" in found.method


def _placed(scores: Any, own: Any, others: Any) -> Any:
    """Share of the other class below each row, ties by half, less the mean."""
    gaps = scores[own][:, None] - scores[others][None, :]
    share = ((gaps > 0) + (gaps == 0) / 2).mean(axis=1)
    return share - share.mean()


def _no_closer(
    plain: tuple[float, float, float], parts: Any, weight: Any, level: float = 0.95
) -> tuple[float, float, float]:
    """Bounds that lie no closer than Student's t of the rows that carry a sum, and Hall (1992), allow."""
    off = weight * (parts - (weight * parts).sum() / weight.sum()) if np.ptp(weight) == 0 else weight * parts
    se = math.sqrt((off**2).sum())
    skew, carry = (off**3).sum() / se**3, (off**2).sum() ** 2 / (off**4).sum()
    q = float(student.ppf(level, carry - 1))
    found = []
    for side in (1, -1):
        cubic = np.roots([skew**2 / 27, skew / 3, 1, skew / 6 - side * q])
        at = float(cubic[np.abs(cubic.imag) < 1e-9].real[0])
        found.append(plain[0] - se * side * max(q, side * at))
    return plain[0], min(plain[1], found[0]), max(plain[2], found[1])


def _correlation_of_tpr(n_resamples: int) -> float:
    rng, found = np.random.default_rng(9), []
    places = [np.flatnonzero(Y == 1), np.flatnonzero(Y == 0)]
    most = math.floor(0.1 * places[1].size)
    for _ in range(n_resamples):
        pos, neg = (rng.choice(each, each.size) for each in places)
        found.append([(each[pos] > np.sort(each[neg])[-most - 1]).mean() for each in (NEW, OLD)])
    return float(np.corrcoef(np.array(found).T)[0, 1])


def _exact(hits: int, n: int) -> tuple[float, float, float]:
    """Where so many hits, or more extreme ones, have a chance of 5%."""
    low = brentq(lambda share: binom.sf(hits - 1, n, share) - 0.05, 1e-12, 1 - 1e-12, xtol=1e-15)
    high = brentq(lambda share: binom.cdf(hits, n, share) - 0.05, 1e-12, 1 - 1e-12, xtol=1e-15)
    return hits / n, float(low), float(high)


@each_case("shares", [(0.02, 0.09), (0.09, 0.02), (0.0, 0.12), (0.1, 0.1), (0.05, 0.4), (0.3, 0.3)])
def test_shares_of_the_same_rows_err_no_more_than_promised(shares: tuple[float, float]) -> None:
    """Summed over all counts of 40 rows: where few rows differ, score intervals would err in 7% of samples."""
    n, limit, erred = 40, shares[0] - shares[1], np.zeros(2)
    for first in range(n + 1):
        for second in range(n + 1 - first):
            rest = n - first - second
            chance = multinomial.pmf((first, second, rest), n, (*shares, 1 - sum(shares)))
            if chance > 1e-9:
                low, high = ExactPair(PairedCounts(rest, first, second, 0)).ends(0.9)
                erred += chance * np.array([low > limit + 1e-12, high < limit - 1e-12])
    assert (erred <= 0.05).all()
    assert erred.max() > 0.005


class TestUnchanged:
    """Models that no row tells apart: how much may they differ where nobody looked?"""

    @each_case("sizes", [(300, 300), (49, 351), (326, 1674), (10, 1000), (5, 5)])
    def test_ends_are_where_the_worst_case_is_as_rare_as_said(self, sizes: tuple[int, int]) -> None:
        reach = Unchanged((float(sizes[0]), float(sizes[1]))).ends(0.9)[1]

        def unseen(moved: float) -> float:
            shares = np.linspace(0, min(moved, 1), 20001)
            return float(((1 - shares) ** sizes[0] * (1 - (moved - shares)) ** sizes[1]).max())

        assert unseen(reach) == pytest.approx(0.05, rel=1e-3)

    def test_perfect_models_pass_only_with_enough_rows(self) -> None:
        """Each has every positive above all negatives, in an order of its own."""
        y = np.arange(200) % 2
        old, new = y + np.random.default_rng(4).uniform(0, 0.5, (2, 200))
        few = rs.gate(y, old, new, margin=0.01)
        assert few.decision == "cannot tell"
        assert "gate_alike" in {remark.code for remark in few.warnings}
        times = math.ceil(few.rows_needed / 200) + 1
        many = [np.tile(each, times) for each in (y, old, new)]
        assert rs.gate(*many, margin=0.01).decision == "pass"

    def test_no_wall_of_certainty_where_nothing_varies(self) -> None:
        """Both models have every positive right, with other scores: five rows do not show that none is ever lost."""
        y, s = [1] * 5 + [0] * 5, np.array([0.9] * 5 + [0.1] * 5)
        for measure in ("auc", "recall", "tpr_at(fpr=0.1)", "average_precision", "gini"):
            t = s - np.arange(10) * 1e-3
            found = rs.gate(y, s, t, measure=measure, margin=0.01, threshold=0.5, n_resamples=50)
            assert found.decision == "cannot tell", measure


class TestFewRowsCarryTheDifference:
    """A candidate that is the baseline but for a few rows: what these few show is all that is known."""

    def test_bounds_say_how_few_there_are(self) -> None:
        y, old = np.tile(Y, 3), np.tile(OLD, 3)
        for n, passes in ((2, False), (400, True)):
            new, moved = old.copy(), np.random.default_rng(7).choice(y.size, n, replace=False)
            new[moved] += 0.02 * np.where(y[moved] == 1, 1, -1) * np.random.default_rng(8).random(n)
            found = rs.gate(y, old, new, margin=1e-5)
            told = [remark.params["rows"] for remark in found.warnings if remark.code == "gate_few_differ"]
            assert (found.decision == "pass") == passes
            assert bool(told) != passes
            assert all(rows < 4 for rows in told)

    def test_so_it_is_with_every_measure(self) -> None:
        y, old = np.tile(Y, 3), np.tile(OLD, 3)
        new = old.copy()
        new[[5, 77]] = 1 - new[[5, 77]]
        for measure in ("auc", "gini", "brier_score", "average_precision", "tpr_at(fpr=0.1)"):
            found = one(y, old, new, measure=measure, margin=0.0005, n_resamples=100)
            assert found.decision == "cannot tell", measure


class TestDecisions:
    def test_a_better_candidate_passes_and_a_worse_one_fails(self) -> None:
        assert rs.gate(Y, OLD, NEW, margin=0.01).decision == "pass"
        worse = rs.gate(Y, NEW, OLD, margin=0.01)
        assert (worse.decision, worse.passed, worse.rows_needed) == ("fail", False, None)
        noise = NEW + np.random.default_rng(3).normal(0, 0.1, Y.size)
        unsure = rs.gate(Y, NEW, noise, margin=0.005)
        assert (unsure.decision, unsure.passed) == ("cannot tell", False)
        assert unsure.rows_needed > Y.size

    @each_case(
        ("margin", "decision"), [(-0.02, "pass"), (0, "pass"), (0.05, "pass"), (-0.08, "cannot tell"), (-0.3, "fail")]
    )
    def test_a_margin_of_zero_asks_for_better_and_a_negative_one_for_more(self, margin: float, decision: str) -> None:
        found = one(Y, OLD, NEW, margin=margin)
        assert found.decision == decision
        assert found.limit == -margin

    def test_swapping_the_models_swaps_pass_and_fail_of_opposite_margins(self) -> None:
        for margin in np.linspace(-0.2, 0.2, 21).tolist():
            there, back = one(Y, OLD, NEW, margin=margin), one(Y, NEW, OLD, margin=-margin)
            swap = {"pass": "fail", "fail": "pass", "cannot tell": "cannot tell"}
            assert there.decision == swap[back.decision], margin

    def test_all_must_pass_and_any_fails(self) -> None:
        class Made:
            def __init__(self, decision: str) -> None:
                self.decision = decision

        cases = {("pass", "pass"): "pass", ("pass", "fail"): "fail", ("fail", "cannot tell"): "fail"}
        cases |= {("pass", "cannot tell"): "cannot tell"}
        for decisions, expected in cases.items():
            made: Any = [Made(each) for each in decisions]
            assert of_gate(made) == expected

    def test_a_fail_among_many_needs_a_share_of_the_level_and_a_pass_does_not(self) -> None:
        """The bound that a fail takes is at alpha / k, that of a pass at alpha, whatever else is asked."""
        grid = np.linspace(-0.16, 0.0, 41).tolist()
        alone = [one(Y, NEW, OLD, margin=-limit).decision for limit in grid]
        among = [rs.gate(Y, NEW, OLD, margin=-limit, goals=["auc >= 0.1"] * 9).conditions[0].decision for limit in grid]
        assert [each == "pass" for each in alone] == [each == "pass" for each in among]
        assert alone.count("fail") > among.count("fail") > 0
        bound = rs.gate(Y, NEW, OLD, margin=0.01, level=0.995).conditions[0].high
        assert [each == "fail" for each in among] == [limit > bound for limit in grid]

    def test_confidence_may_be_its_own(self) -> None:
        plain, sure = (rs.gate(Y, candidate=NEW, goals=f"auc >= 0.88{how}") for how in ("", " with 99.9% confidence"))
        assert plain.conditions[0].level == 0.95
        assert sure.conditions[0].level == pytest.approx(0.999)
        assert sure.conditions[0].low < plain.conditions[0].low
        assert rs.gate(Y, candidate=NEW, goals="auc >= 0.88", level=0.999).conditions[0].low == sure.conditions[0].low


class TestRowsThatWouldDecide:
    def test_the_formula_of_textbooks(self) -> None:
        z = [float(ndtri(each)) for each in (0.95, 0.8)]
        assert times_as_many(0.01, z[0] * 0.02, 0.05, 0.8) == pytest.approx((sum(z) * 0.02 / 0.01) ** 2)
        assert math.isnan(times_as_many(0.0, 0.1, 0.05, 0.8))

    def test_so_many_rows_like_these_do_decide(self) -> None:
        """With a power of one half the bound of rows repeated so often just reaches the limit."""
        y, new, noise = self.many()
        for margin in (0.005, 0.011):
            found = rs.gate(y, new, noise, margin=margin, power=0.5)
            assert found.decision == "cannot tell"
            times = found.rows_needed / y.size
            most, least = (
                rs.gate(*(np.tile(each, n) for each in (y, new, noise)), margin=margin) for n in _around(times)
            )
            assert most.decision == ("fail" if margin == 0.005 else "pass")
            assert least.decision == "cannot tell", margin

    def test_the_gate_needs_what_its_slowest_condition_needs_or_its_first_fail(self) -> None:
        y, new, noise = self.many()
        passing = rs.gate(y, new, noise, margin=[0.01, 0.011], measure=["auc", "auc"])
        assert passing.rows_needed == max(each.rows_needed or 0 for each in passing.conditions)
        assert "for a pass" in passing.verdict[0]
        failing = rs.gate(y, new, noise, margin=[0.01, 0.005], measure=["auc", "auc"])
        assert failing.rows_needed == failing.conditions[1].rows_needed
        assert "for a fail" in failing.verdict[0]

    @staticmethod
    def many() -> tuple[Any, Any, Any]:
        y, new = np.tile(Y, 4), np.tile(NEW, 4)
        return y, new, new + np.random.default_rng(3).normal(0, 0.05, y.size)


def _around(times: float) -> tuple[int, int]:
    """A number of repetitions a little above, and one a little below."""
    return math.ceil(1.03 * times), math.floor(0.8 * times)


class TestGroups:
    def test_a_condition_for_all_rows_and_one_for_each_group(self) -> None:
        site = np.where(HALF, "north", "south")
        found = rs.gate(Y, OLD, NEW, margin=0.01, by=site)
        assert [each.group for each in found.conditions] == [None, "north", "south"]
        north = one(Y[HALF], OLD[HALF], NEW[HALF], margin=0.01)
        assert ends(found.conditions[1]) == ends(north)
        assert found.conditions[1].name == "auc > baseline - 0.01, by north"

    def test_a_group_that_cannot_tell_keeps_the_gate_closed(self) -> None:
        site = np.where(np.arange(600) < 590, "large", "small")
        site[(site == "small") & (Y == 1)] = "large"
        found = rs.gate(Y, OLD, NEW, margin=0.01, by=site)
        assert found.conditions[2].reason == "only one class is among these rows"
        assert math.isnan(found.conditions[2].low)
        assert (found.decision, math.isnan(found.rows_needed)) == ("cannot tell", True)
        assert "only one class" in str(found)

    def test_groups_of_two_tables_are_matched_by_name(self) -> None:
        first = {"y": Y[HALF], "s": OLD[HALF], "site": np.where(np.arange(300) % 3, "a", "b")}
        second = {"y": Y[~HALF], "s": NEW[~HALF], "site": np.where(np.arange(300) % 3, "a", "c")}
        how: dict[str, Any] = {"label": "y", "by": "site", "margin": 0.1, "paired": False, "y_true_second": second}
        found = rs.gate(first, "s", "s", **how)
        assert [each.group for each in found.conditions] == [None, "a", "c", "b"]
        assert [bool(each.reason) for each in found.conditions] == [False, False, True, True]


class TestRowsOfAllKinds:
    def test_a_table_or_arrays_say_the_same(self) -> None:
        table = pl.DataFrame({"y": Y, "old": OLD, "new": NEW})
        named = rs.gate(table, label="y", baseline="old", candidate="new", margin=0.01)
        assert ends(named.conditions[0]) == ends(one(Y, OLD, NEW, margin=0.01))
        assert (named.baseline, named.candidate) == ("old", "new")
        assert "new may replace old" in named.verdict[0]

    def test_counts_are_rows_that_repeat(self) -> None:
        times = 1 + np.arange(600) % 3
        how: dict[str, Any] = {"measure": ["auc", "recall", "brier_score"], "margin": 0.01, "threshold": 0.3}
        weighed = rs.gate(Y, OLD, NEW, sample_weight=times, weight_type="frequency", **how)
        repeated = rs.gate(*(np.repeat(each, times) for each in (Y, OLD, NEW)), **how)
        for one_way, other in zip(weighed.conditions, repeated.conditions, strict=True):
            assert ends(one_way) == pytest.approx(ends(other), rel=1e-9)

    def test_subjects_are_the_units(self) -> None:
        who = np.arange(600) // 4
        found = one(Y, OLD, NEW, margin=0.3, cluster=who)
        assert found.estimate == pytest.approx(one(Y, OLD, NEW, margin=0.3).estimate)
        assert found.low != one(Y, OLD, NEW, margin=0.3).low
        doubled = one(np.tile(Y, 2), np.tile(OLD, 2), np.tile(NEW, 2), margin=0.3, cluster=np.tile(np.arange(600), 2))
        alone = one(Y, OLD, NEW, margin=0.3)
        assert doubled.low == pytest.approx(alone.low, abs=0.01)
        share = one(Y, OLD, NEW, measure="recall", threshold=0.3, margin=0.3, cluster=who)
        assert share.method == "joined intervals (clopper-pearson), paired, by cluster"

    def test_weights_that_differ_much_err_half_as_often(self) -> None:
        """Bounds at 95% are those that weights which hardly differ would have at 97.5%; counts are not weights."""
        draw = np.random.default_rng(12)
        y = np.arange(300) % 2
        old, new = draw.normal(size=(2, 300)) + y
        unlike = np.exp(draw.normal(size=300))
        how: dict[str, Any] = {"margin": 0.1, "sample_weight": unlike, "weight_type": "sampling"}
        found = rs.gate(y, old, new, **how).conditions[0]
        assert "at half the error, since weights are unlike" in found.method
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(carried, "UNLIKE_WEIGHTS", 1e9)
            plain = rs.gate(y, old, new, level=0.975, **how).conditions[0]
        assert "half the error" not in plain.method
        assert (found.estimate, found.low, found.high) == pytest.approx(
            (plain.estimate, plain.low, plain.high), abs=1e-14
        )
        alike = rs.gate(y, old, new, **{**how, "sample_weight": 1 + unlike / 100}).conditions[0]
        assert "half the error" not in alike.method
        counts = rs.gate(y, old, new, **{**how, "sample_weight": np.ceil(unlike), "weight_type": "frequency"})
        assert "half the error" not in counts.conditions[0].method

    def test_sampling_weights_are_no_counts(self) -> None:
        weight = np.random.default_rng(4).uniform(0.5, 2, 600)
        how: dict[str, Any] = {"sample_weight": weight, "margin": 0.01, "threshold": 0.3, "n_resamples": 200}
        found = rs.gate(Y, OLD, NEW, measure=["auc", "recall"], **how)
        assert found.conditions[1].method.startswith("joined intervals")
        assert all(math.isfinite(each.low) for each in found.conditions)

    def test_any_registered_measure_has_bounds_or_says_why_not(self) -> None:
        y, old, new = Y[:150], OLD[:150], NEW[:150]
        for sheet in rs.list_measures():
            if sheet.higher_is_better is None:
                continue
            found = one(y, old, new, measure=sheet.name, margin=0.01, threshold=0.3, n_resamples=20)
            assert found.reason or found.low <= found.estimate <= found.high, sheet.name
            assert found.decision in ("pass", "fail", "cannot tell")

    def test_the_spelling_of_rates(self) -> None:
        how: dict[str, Any] = {"margin": 0.02, "n_resamples": 100}
        by_fpr = one(Y, OLD, NEW, measure="sensitivity_at(fpr=0.01)", **how)
        by_specificity = one(Y, OLD, NEW, measure="sensitivity_at(specificity=0.99)", **how)
        assert ends(by_fpr) == ends(by_specificity)
        assert rs.measures.sensitivity_at(Y, NEW, fpr=0.01) == by_fpr.candidate

    def test_own_thresholds(self) -> None:
        at = {"baseline": 0.2, "candidate": 0.4}
        found = one(Y, OLD, NEW, measure="recall", threshold=at, margin=0.5)
        assert found.baseline == rs.confusion(Y, OLD, threshold=0.2).recall
        assert found.candidate == rs.confusion(Y, NEW, threshold=0.4).recall


TOML = """
label = "y"
baseline = "old"
candidate = "new"
level = 0.9

[[condition]]
measure = "auc"
margin = 0.01

[[condition]]
name = "finds enough"
measure = "recall"
at_least = 0.5
threshold = 0.3
level = 0.95

[[condition]]
measure = "brier_score"
at_most = 0.2
by = "site"
"""


class TestLazyTables:
    """Rows that stay in an engine are decided as those in memory are."""

    FEW = np.where(np.arange(600) % 60 == 7, 0.4, OLD)  # ten rows are scored otherwise
    TABLE = pl.DataFrame({"y": Y, "old": OLD, "new": NEW, "few": FEW, "w": 1 + np.arange(600) % 3, "half": HALF})

    @staticmethod
    @cache
    def in_memory(asked: str) -> Any:
        return rs.gate(TestLazyTables.TABLE, **dict(ast.literal_eval(asked)))

    @each_case(
        "how",
        [
            {"margin": 0.01},
            {"margin": 0.01, "candidate": "few"},
            {"margin": 0.01, "candidate": "few", "sample_weight": "w", "weight_type": "frequency"},
            {"measure": ["gini", "recall", "error_rate"], "margin": 0.02, "threshold": 0.3},
            {"goals": ["auc >= 0.8", "brier_score <= 0.2", "precision >= 0.3"], "threshold": 0.3},
            {"goals": ["partial_auc >= 0.02", "log_loss <= 1", "average_precision >= 0.3"], "n_resamples": 50},
            {"measure": "brier_score", "margin": 0.01, "by": "half"},
            {"margin": 0.01, "sample_weight": "w", "weight_type": "sampling"},
        ],
    )
    @each_case("engine", ["polars", "duckdb"])
    def test_as_in_memory(self, how: dict[str, Any], engine: str) -> None:
        table: Any = self.TABLE.lazy()
        if engine == "duckdb":
            held = self.TABLE
            table = duckdb.sql("select * from held")
            assert len(held) == 600
        asked = {"label": "y", "baseline": "old", "candidate": "new", **how}
        here, there = self.in_memory(repr(sorted(asked.items()))), rs.gate(table, **asked)
        for one_, other in zip(here.conditions, there.conditions, strict=True):
            assert ends(other) == pytest.approx(ends(one_), rel=1e-9, abs=1e-12)
            assert (other.decision, other.n_rows, other.method) == (one_.decision, one_.n_rows, one_.method)
        assert (there.n_pos, there.n_neg, there.origin) == (here.n_pos, here.n_neg, here.origin)
        assert set(here.warnings) <= {*there.warnings, *(w for w in here.warnings if w.code == "maybe_nested")}

    def test_two_samples(self) -> None:
        parts = self.TABLE.filter(HALF), self.TABLE.filter(~HALF)
        how: dict[str, Any] = {"measure": ["auc", "recall", "brier_score"], "margin": 0.05, "threshold": 0.3}
        how |= {"label": "y", "baseline": "old", "candidate": "new", "paired": False}
        here = rs.gate(parts[0], y_true_second=parts[1], **how)
        there = rs.gate(parts[0].lazy(), y_true_second=parts[1].lazy(), **how)
        for one_, other in zip(here.conditions, there.conditions, strict=True):
            assert ends(other) == pytest.approx(ends(one_), rel=1e-12)
        assert (here.n_pos, here.origin) == (there.n_pos, there.origin)

    def test_too_many_groups_are_summed_by_the_engine_for_areas_alone(self) -> None:
        table = EngineTable(self.TABLE.lazy(), most_groups=50, most_lines=50)
        here, there = (rs.gate(each, "old", "few", label="y", margin=0.01) for each in (self.TABLE, table))
        assert ends(there.conditions[0]) == pytest.approx(ends(here.conditions[0]), rel=1e-9)
        assert [remark.code for remark in there.warnings] == ["gate_few_differ", "summed_by_engine"]
        with pytest.raises(rs.InputError, match="50"):
            rs.gate(table, "old", "few", label="y", margin=0.01, goals="auc >= 0.8")


class TestCommitted:
    def test_a_file_says_all(self, tmp_path: Path) -> None:
        path = tmp_path / "gate.toml"
        path.write_text(TOML)
        table = {"y": Y, "old": OLD, "new": NEW, "site": np.where(HALF, "n", "s")}
        found = rs.gate(table, conditions=path)
        assert [each.name for each in found.conditions] == [
            *("auc > baseline - 0.01", "finds enough", "brier_score <= 0.2"),
            *("brier_score <= 0.2, site n", "brier_score <= 0.2, site s"),
        ]
        assert [each.level for each in found.conditions] == [0.9, 0.95, 0.9, 0.9, 0.9]
        records = [{"measure": "auc", "margin": 0.01}, "brier_score <= 0.2"]
        same = rs.gate(table, "old", "new", label="y", level=0.9, conditions=records)
        assert ends(same.conditions[0]) == ends(found.conditions[0])

    @each_case(
        ("text", "told"),
        [
            ("margn = 0.01\n[[condition]]\nmeasure='auc'\nmargin=0.1", "has a key 'margn' that means nothing"),
            ("[[condition]]\nmeasure='auc'\nmargins=0.1", r"a key 'margins' .* did you mean margin\?"),
            ("[[condition]]\nmeasure='auc'", "one of margin, at_least and at_most"),
            ("[[condition]]\nmeasure='auc'\nmargin=0.1\nat_least=0.7", "one of margin, at_least and at_most"),
            ("[[condition]]\nmargin=0.1", "a condition has a measure"),
            ("level = 0.9", "has no conditions"),
            ("[[condition", "is no TOML file"),
            ("label = 3\n[[condition]]\nmeasure='auc'\nmargin=0.1", "label names a column, got 3"),
            ("level = 0.8\n[[condition]]\nmeasure='auc'\nmargin=0.1", "level is 0.9 in the call and 0.8 in the file"),
            ("[[condition]]\nmeasure='auk'\nmargin=0.1", "there is no measure 'auk'"),
            ("[[condition]]\nmeasure='recall'\nmargin=0.1\nthreshold='youden'", "settled before"),
            ("condition = 3", "has no conditions"),
        ],
    )
    def test_what_means_nothing_is_refused_by_name(self, tmp_path: Path, text: str, told: str) -> None:
        path = tmp_path / "gate.toml"
        path.write_text(text)
        with pytest.raises(rs.RocsteadyError, match=told):
            rs.gate({"y": Y, "a": OLD, "b": NEW}, "a", "b", label="y", level=0.9, conditions=path)


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: rs.gate(Y, OLD, NEW), "a gate needs margin="),
    (lambda: rs.gate(Y, OLD, NEW, measure="brier_score", goals="auc >= 0.8"), "a gate needs margin="),
    (lambda: rs.gate(Y, None, NEW, margin=0.01), "pass baseline="),
    (lambda: rs.gate(Y, OLD, margin=0.01), "pass candidate="),
    (lambda: rs.gate(Y, OLD, NEW, margin=math.nan), "a finite number"),
    (lambda: rs.gate(Y, OLD, NEW, margin="0.01"), "one, or a list"),
    (lambda: rs.gate(Y, OLD, NEW, margin=[0.1, 0.2]), "1 measures and 2 margins"),
    (
        lambda: rs.gate(Y, OLD, NEW, margin=0.1, measure="prevalence", threshold=0.3),
        "whether more prevalence is better",
    ),
    (lambda: rs.gate(Y, OLD, NEW, margin=0.1, measure="family:ranking"), "about one measure"),
    (lambda: rs.gate(Y, OLD, NEW, margin=0.1, measure="recall"), "recall needs a threshold"),
    (lambda: rs.gate(Y, OLD, NEW, margin=0.1, measure="recall", threshold="youden"), "settled before"),
    (
        lambda: rs.gate(Y, OLD, NEW, margin=0.1, measure="recall", threshold={"old": 1}),
        "a key 'old' that means nothing",
    ),
    (lambda: rs.gate(Y, OLD, NEW, margin=0.1, level=0.5), "more than 50% confidence"),
    (lambda: rs.gate(Y, OLD, NEW, goals="auc is 0.8"), "a goal is written as"),
    (lambda: rs.gate(Y, OLD, NEW, goals="auc >= high"), "a goal is written as"),
    (lambda: rs.gate(Y, OLD, NEW, goals="auc ! >= 0.8"), "a goal is written as"),
    (lambda: rs.gate(Y, OLD, NEW, goals="auc => 0.8"), "a goal is written as"),
    (lambda: rs.gate(Y, OLD, NEW, conditions=[3]), "a condition is a record"),
    (lambda: rs.gate(Y, OLD, NEW, conditions=3), "a list of records, or the path"),
    (lambda: rs.gate({"y": Y, "a": OLD}, "a", "a", margin=0.1), "name its column of labels"),
    (lambda: rs.gate({"y": Y, "a": OLD}, "a", "b", label="y", margin=0.1), "there is no column 'b'"),
    (lambda: rs.gate({"y": Y, "a": OLD}, "a", "a", label="y", margin=0.1), "cannot serve twice"),
    (lambda: rs.gate(Y, "a", "b", label="y", margin=0.1), "a table comes first"),
    (lambda: rs.gate(Y, OLD, NEW, margin=0.1, y_true_second=Y), "paired=False"),
    (lambda: rs.gate(Y, OLD, NEW, margin=0.1, paired=False), "pass y_true_second"),
    (lambda: rs.gate(Y, OLD, NEW, margin=0.1, paired=False, y_true_second=Y, by=HALF), "columns of two tables"),
    (lambda: rs.gate(Y, OLD, NEW, margin=0.1, paired=False, y_true_second=Y, cluster=Y), "of both samples"),
    (lambda: rs.gate(Y, OLD[:5], NEW, margin=0.1), "600"),
]


@each_case(("call", "told"), REFUSED, ids=lambda value: None if callable(value) else str(value))
def test_what_cannot_be_decided_is_refused_with_the_remedy(call: Callable[[], object], told: str) -> None:
    with pytest.raises(rs.RocsteadyError, match=told):
        call()


def test_terms_have_short_names() -> None:
    names = {term.name for term in margin_terms(["auc", "brier_score"], [0.01, -0.02])}
    assert names == {"auc > baseline - 0.01", "brier_score < baseline - 0.02"}
    assert margin_terms("auc", 0)[0].name == "auc > baseline"
    assert [term.name for term in goal_terms(["auc>0.8", "tpr_at(fpr=0.01) >= 5e-1"])] == [
        "auc >= 0.8",
        "tpr_at(fpr=0.01) >= 0.5",
    ]


def test_results_have_all_doors() -> None:
    found = rs.gate(Y, OLD, NEW, margin=0.01, goals="auc >= 0.8")
    told = json.loads(json.dumps(found.to_dict()))
    assert {"name", "measure", "decision", "estimate", "low", "high", "goal", "margin"} <= set(told["conditions"][0])
    assert (told["decision"], told["passed"], told["pos_label"]) == ("pass", True, 1)
    assert found.to_frame("polars").height == 2
    assert found.to_markdown().startswith("**pass: all 2 conditions hold")
    assert "| auc &gt; baseline" in found.to_markdown()
    assert repr(found) == "GateResult(pass: all 2 conditions hold, so that candidate may replace baseline)"
    assert found.plot().ax_.get_title(loc="left") or found.plot().figure_
    assert "shown: auc of candidate is above 0.8" in str(found)


def test_the_same_seed_gives_the_same_decision_on_any_day() -> None:
    how: dict[str, Any] = {"measure": "average_precision", "margin": 0.01, "n_resamples": 100}
    assert rs.gate(Y, OLD, NEW, **how).to_dict() == rs.gate(Y, OLD, NEW, **how).to_dict()


def test_false_passes_and_false_fails_keep_their_level() -> None:
    """A short look at what benchmarks/gate_simulation.py measures: 600 samples at the limit, and three conditions."""
    from benchmarks.gate_simulation import World, counted

    def three(*_: Any) -> dict[str, Any]:
        goals = ["auc >= 0.82", "auc >= 0.82"]
        return {"margin": 0.03, "goals": goals}

    world = World(400, 0.4, (0.85, 0.82), 0.6)
    passed, failed, _ = counted(world, three, 600)
    most = 0.05 + 3 * math.sqrt(0.05 * 0.95 / 600)
    assert passed <= most
    assert failed <= most
    assert passed + failed > 0


class TestGoalsWithCare:
    Y = np.tile([1, 0, 0, 1, 0], 40)
    S = Y + np.random.default_rng(8).normal(0, 1.2, 200)
    WEIGHTS = np.random.default_rng(9).uniform(1, 3, 200)

    def test_areas_of_sampling_weights_are_no_closer_than_by_influence(self) -> None:
        how: dict[str, Any] = {"sample_weight": self.WEIGHTS, "weight_type": "sampling"}
        whole = rs.gate(self.Y, candidate=self.S, goals="auc >= 0.7", **how).conditions[0]
        formula = rs.auc_interval(self.Y, self.S, level=0.9, **how)
        assert whole.method.endswith("no closer than by influence")
        assert whole.low <= formula.low
        assert whole.high >= formula.high
        assert (whole.low, whole.high) != (formula.low, formula.high)
        twice = rs.gate(self.Y, candidate=self.S, goals="gini >= 0.4", **how).conditions[0]
        assert (twice.low, twice.high) == pytest.approx((2 * whole.low - 1, 2 * whole.high - 1), abs=1e-12)

    def test_means_over_rows_are_no_closer_than_by_influence(self) -> None:
        y, s = np.repeat([1, 0], [12, 60]), np.random.default_rng(5).uniform(0.05, 0.6, 72)
        found = one(y, candidate=s, goals="brier_score <= 0.3")
        formula = rs.measure_interval("brier_score", y, s, level=0.9)
        assert ends(found) == pytest.approx(_no_closer(ends(formula), (y - s) ** 2, np.full(72, 1 / 72)), abs=1e-12)
        assert found.high > formula.high
        assert found.method.endswith("no closer than by influence")

    def test_average_precision_goes_by_half_the_error_and_influence(self) -> None:
        y, s = self.Y[:80], self.S[:80]
        found = one(y, candidate=s, goals="average_precision >= 0.3", n_resamples=80)
        formula = rs.measure_interval("average_precision", y, s, level=0.95, n_resamples=80)
        weights = (1 + 1e-4 * np.eye(80), 1 - 1e-4 * np.eye(80))
        up, down = ([rs.average_precision(y, s, sample_weight=row) for row in each] for each in weights)
        pulls = np.subtract(up, down) / 2e-4 * 80
        known = _no_closer(ends(formula), pulls, np.full(80, 1 / 80), 0.975)
        assert ends(found) == pytest.approx((known[0], max(known[1], 0), min(known[2], 1)), abs=1e-6)
        assert found.method.endswith("at half the error, since it looks surest where it is too high")

    def test_parts_of_areas_are_no_closer_than_by_influence(self) -> None:
        found = one(self.Y, candidate=self.S, goals="partial_auc(fpr_range=(0, 0.1)) >= 0.02")
        whole = one(self.Y, candidate=self.S, goals="auc >= 0.7")
        formula = rs.auc_interval(self.Y, self.S, fpr_range=(0, 0.1), level=0.9)
        assert found.low < formula.low
        assert 0 <= found.low < found.estimate < found.high <= 0.1
        assert "influence" not in whole.method

    def test_few_rows_with_weights_halve_the_error_of_an_area(self) -> None:
        y = np.repeat([1, 0], [5, 60])
        s, weight = y + np.random.default_rng(8).normal(size=65), np.random.default_rng(9).uniform(1, 1.5, 65)
        how: dict[str, Any] = {"candidate": s, "goals": "auc >= 0.5", "sample_weight": weight}
        found = one(y, weight_type="sampling", **how)
        assert found.method.endswith("at half the error, since few rows carry it")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(goals, "FEW_CARRY", 0)
            assert ends(one(y, weight_type="sampling", level=0.975, **how)) == pytest.approx(ends(found), abs=1e-12)

    def test_two_samples_are_no_closer_than_the_rows_of_both_allow(self) -> None:
        """Rows of both samples are parts of one sum, those of the baseline with the other sign."""
        y, s = np.repeat([1, 0], [12, 60]), np.random.default_rng(5).uniform(0.05, 0.6, (2, 72))
        how: dict[str, Any] = {"paired": False, "y_true_second": y[:50], "margin": 0.1}
        found = one(y, s[0], s[1, :50], measure="brier_score", **how)
        lost = (y[:50] - s[1, :50]) ** 2, (y - s[0]) ** 2
        parts = np.concatenate([(lost[0] - lost[0].mean()) / 50, (lost[1].mean() - lost[1]) / 72])
        gap = lost[0].mean() - lost[1].mean()
        known = _no_closer((gap, gap, gap), parts, np.arange(122) * 1e-13 + 1)
        assert found.low <= known[1] + 1e-9
        assert found.high >= known[2] - 1e-9
        assert (found.low, found.high) == pytest.approx(known[1:], abs=0.02)
        part = one(y, s[0], s[1, :50], measure="partial_auc", **{**how, "margin": 0.09})
        assert part.method == "delong-t, no closer than by influence, unpaired"
        assert -0.1 <= part.low < part.estimate < part.high <= 0.1

    def test_differences_stay_within_what_they_can_be(self) -> None:
        y, old = np.arange(12) == 0, np.arange(12.0)[::-1]
        found = one(y, old, np.where(np.arange(12) == 3, 12, old), margin=0.01)
        assert -1 <= found.low < found.estimate < 0 < found.high <= 1
        twice = one(y, old, np.where(np.arange(12) == 3, 12, old), measure="gini", margin=0.01)
        assert (twice.low, twice.high) == (-2, 2)

    def test_bounds_stay_within_what_an_area_can_be(self) -> None:
        y, s, w = self.Y[:20], self.Y[:20] + np.where(np.arange(20) == 3, -2.0, 0.0), self.WEIGHTS[:20]
        found = rs.gate(y, candidate=s, goals="auc >= 0.7", sample_weight=w, weight_type="sampling").conditions[0]
        assert 0 <= found.low < found.estimate < found.high <= 1

    def test_unlike_weights_halve_the_error_of_every_goal(self) -> None:
        how: dict[str, Any] = {"sample_weight": np.exp(self.WEIGHTS * 2), "weight_type": "sampling"}
        found = rs.gate(self.Y, candidate=self.S, goals="recall >= 0.5", threshold=0.5, **how).conditions[0]
        whole = rs.measure_interval("recall", self.Y, self.S, threshold=0.5, level=0.95, **how)
        assert found.method.endswith("at half the error, since weights are unlike")
        assert (found.low, found.high) == pytest.approx((whole.low, whole.high), abs=1e-12)

    def test_a_goal_that_asks_for_worse_values_is_remarked_upon(self) -> None:
        codes = {
            goal: [each.code for each in rs.gate(self.Y, candidate=self.S, goals=goal).warnings]
            for goal in ("auc >= 0.6", "auc <= 0.99")
        }
        assert "gate_goal_turned" not in codes["auc >= 0.6"]
        assert "gate_goal_turned" in codes["auc <= 0.99"]

    def test_groups_are_named_whole_in_sentences_and_remarks(self) -> None:
        table = {"y": self.Y, "old": self.S, "new": self.S + np.where(np.arange(200) < 4, 0.5, 0.0)}
        table["site, region"] = np.where(np.arange(200) < 100, "north", "south")
        found = rs.gate(table, "old", "new", label="y", margin=0.05, by="site, region")
        assert "(site, region north)" in found.conditions[1].sentence
        assert "north" in [remark.model for remark in found.warnings if remark.code == "gate_few_differ"]
