"""Rates where another is held: the observed threshold against all of them, intervals against exact sums, refusals."""

from __future__ import annotations

import itertools
import json
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

import rocsteady as rs
from cases import each_case
from rocsteady._src.inference.operating.rate_intervals import Known
from rocsteady._src.inference.operating.trade import Trade
from rocsteady._src.inference.operating.worth import People
from rocsteady._src.measures.at_rate import fewest_reaching, most_within
from rocsteady.errors import ArgumentError, InputError

LOANS = rs.examples.loans(2000)
Y, S = np.asarray(LOANS["defaulted"]), np.asarray(LOANS["boosted"])
METHOD = "mid-p over order statistics"
rows = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 6)), min_size=2, max_size=24).filter(
    lambda each: {label for label, _ in each} == {0, 1}
)
rates = st.sampled_from(["0", "0.1", "0.25", "0.29", "0.3", "0.5", "0.7", "0.9", "1"])


def every_threshold(table: list[tuple[int, int]]) -> list[tuple[float, Fraction, Fraction, Fraction | None]]:
    """Threshold, TPR, FPR and precision, in fractions, from inf down."""
    n_pos = sum(label for label, _ in table)
    found = []
    for cut in [math.inf, *sorted({score for _, score in table}, reverse=True)]:
        tp = sum(label for label, score in table if score >= cut)
        called = sum(1 for _, score in table if score >= cut)
        precision = Fraction(tp, called) if called else None
        found.append((cut, Fraction(tp, n_pos), Fraction(called - tp, len(table) - n_pos), precision))
    return found


class TestMeasures:
    @given(rows, rates)
    def test_all_thresholds_agree(self, table: list[tuple[int, int]], rate: str) -> None:
        ranked = rs.rank(*zip(*table, strict=True))
        points, asked = every_threshold(table), Fraction(rate)
        tpr = max(point[1] for point in points if point[2] <= asked)
        fpr = min(point[2] for point in points if point[1] >= asked)
        recall = max((point[1] for point in points if point[3] is not None and point[3] >= asked), default=0)
        assert rs.measures.tpr_at(ranked, fpr=float(rate)) == float(tpr)
        assert rs.measures.fnmr_at_fmr(ranked, fmr=float(rate)) == pytest.approx(float(1 - tpr), abs=1e-15)
        assert rs.measures.fpr_at(ranked, tpr=float(rate)) == float(fpr)
        assert rs.measures.recall_at_precision(ranked, precision=float(rate)) == float(recall)
        first = next(point for point in points if point[1] >= asked)
        if first[3] is not None:
            assert rs.measures.precision_at_recall(ranked, recall=float(rate)) == float(first[3])

    @given(rows)
    def test_equal_errors_are_where_the_curve_meets_the_other_diagonal(self, table: list[tuple[int, int]]) -> None:
        ranked = rs.rank(*zip(*table, strict=True))
        points = [(point[2], point[1]) for point in every_threshold(table)]
        for (x0, y0), (x1, y1) in itertools.pairwise(points):
            if x1 + y1 >= 1:
                share = (1 - x0 - y0) / (x1 + y1 - x0 - y0)
                assert rs.equal_error_rate(ranked) == pytest.approx(float(x0 + share * (x1 - x0)), abs=1e-12)
                return

    @each_case("n", [3, 7, 10, 19, 30, 100, 1000, 12345])
    def test_every_count_over_n_is_held_exactly(self, n: int) -> None:
        for k in {*range(0, n + 1, max(1, n // 200)), n}:
            assert most_within(k / n, n) == fewest_reaching(k / n, n) == k
            assert most_within(math.nextafter(k / n, -1), n) == k - 1 if k else True

    def test_a_tenth_of_ten_is_one(self) -> None:
        y, s = [0] * 10 + [1], [*range(10), 8.5]
        assert rs.operating_point(y, s, tpr=0.5, level=0.4).fpr == 0.1
        assert rs.measures.tpr_at(y, s, fpr=0.1) == 1.0
        assert rs.measures.tpr_at(y, s, fpr=math.nextafter(0.1, 0)) == 0.0

    def test_biometric_names_lead_to_the_measure(self) -> None:
        for name, measure in {"FMR": "false_positive_rate", "FNMR": "false_negative_rate"}.items():
            with pytest.raises(rs.errors.ArgumentError, match=measure):
                rs.get_measure(name)


def slow_confidence(y: Any, s: Any, fpr: float, share: float) -> float:
    """Mid-p confidence that the TPR at this FPR is at most ``share``, term by term with SciPy's binomials."""
    neg, pos = np.sort(s[y == 0])[::-1], s[y == 1]
    total = 0.0
    for seen in range(neg.size + 1):
        hits = pos.size if seen == neg.size else int(np.sum(pos > neg[seen]))
        part = binom.sf(hits, pos.size, share) + 0.5 * binom.pmf(hits, pos.size, share)
        total += binom.pmf(seen, neg.size, fpr) * part
    return float(total)


class TestIntervals:
    @each_case("fpr", [0.05, 0.2, 0.5])
    @each_case("share", [0.2, 0.6, 0.95])
    def test_confidence_is_the_sum_over_order_statistics(self, fpr: float, share: float) -> None:
        rng = np.random.default_rng(1)
        y = np.repeat([0, 1], [60, 25])
        s = rng.normal(size=85) + y
        found = Trade.of_negatives(rs.rank(y, s)).confidence(fpr, share, "high")
        assert found == pytest.approx(slow_confidence(y, s, fpr, share), abs=1e-9)

    def test_ends_are_where_the_confidence_is_in_the_tails(self) -> None:
        found = rs.operating_point(Y, S, fpr=0.05)
        trade = Trade.of_negatives(rs.rank(Y, S))
        assert trade.confidence(0.05, found.low, "low") == pytest.approx(0.025, abs=1e-6)
        assert trade.confidence(0.05, found.high, "high") == pytest.approx(0.975, abs=1e-6)

    @pytest.mark.parametrize(
        ("held", "measure"),
        [
            ({"fpr": 0.05}, "tpr_at(fpr=0.05)"),
            ({"tpr": 0.9}, "fpr_at(tpr=0.9)"),
            ({"precision": 0.7}, "recall_at_precision(precision=0.7)"),
            ({"equal_error": True}, "equal_error_rate"),
        ],
    )
    def test_the_bootstrap_says_much_the_same(self, held: dict[str, float], measure: str) -> None:
        found = rs.operating_point(Y, S, **held)
        drawn = rs.bootstrap_interval(measure, Y, S, n_resamples=300, random_state=1)
        width = drawn.high - drawn.low
        assert found.interval.estimate == drawn.estimate
        assert found.low == pytest.approx(drawn.low, abs=0.2 * width)
        assert found.high == pytest.approx(drawn.high, abs=0.2 * width)

    def test_exchanging_classes_turns_the_answer_round(self) -> None:
        there = rs.operating_point(Y, S, fpr=0.05).interval
        back = rs.operating_point(1 - Y, -S, tpr=0.95).interval
        assert (back.low, back.high) == pytest.approx((1 - there.high, 1 - there.low), abs=1e-9)
        equal, turned = (rs.operating_point(*each, equal_error=True) for each in ((Y, S), (1 - Y, -S)))
        assert tuple(turned.interval) == pytest.approx(tuple(equal.interval), abs=0.003)

    def test_many_rows_take_the_continuum_and_agree_with_the_sum(self) -> None:
        rng = np.random.default_rng(2)
        y = np.repeat([0, 1], [20_000, 500])
        ranked = rs.rank(y, rng.normal(size=y.size) + 2 * y)
        many = Trade.of_negatives(ranked)
        few, all_of_them = many.steps(0.01), many.steps(0.3)
        nodes = [chances * 401 for _, chances in (few, all_of_them)]  # of a continuum, several at one step
        assert np.abs(nodes[1] - nodes[1].round()).max() < 1e-9 < np.abs(nodes[0] - nodes[0].round()).max()
        assert nodes[1].sum() == pytest.approx(401)
        spread = np.sqrt(20_000 * 0.3 * 0.7)
        seen, chances = many.held[all_of_them[0]], all_of_them[1]
        assert np.sqrt(chances @ (seen - chances @ seen) ** 2) == pytest.approx(spread, rel=0.02)
        assert np.mean(seen) == pytest.approx(6000, abs=2)

    def test_exact_is_wider(self) -> None:
        auto, exact = (rs.operating_point(Y, S, fpr=0.05, method=each) for each in ("auto", "exact"))
        assert exact.low < auto.low < auto.high < exact.high

    def test_intervals_of_evaluate_are_these(self) -> None:
        asked = ["tpr_at(fpr=0.05)", "fnmr_at_fmr(fmr=0.05)", "precision_at_recall(recall=0.9)"]
        found = rs.evaluate(Y, S, measures=asked, intervals=True).intervals["score"]
        point = rs.operating_point(Y, S, fpr=0.05)
        assert tuple(found[asked[0]]) == (point.low, point.high)
        assert tuple(found[asked[1]]) == pytest.approx((1 - point.high, 1 - point.low))
        precision = rs.operating_point(Y, S, tpr=0.9).intervals["precision"]
        assert tuple(found[asked[2]]) == (precision.low, precision.high)


class TestDependentRows:
    def test_repeated_rows_of_subjects_are_worth_the_subjects(self) -> None:
        alone = rs.operating_point(Y, S, fpr=0.05)
        who = np.tile(np.arange(Y.size), 3)
        thrice = rs.operating_point(np.tile(Y, 3), np.tile(S, 3), fpr=0.05, cluster=who)
        assert (thrice.low, thrice.high) == pytest.approx((alone.low, alone.high), abs=0.004)
        assert "by cluster" in thrice.interval.method

    def test_people_of_pairs_by_all_products(self) -> None:
        """Variance by going through every two rows that share a person."""
        rng = np.random.default_rng(4)
        one, two = rng.integers(0, 9, (2, 60))
        hits, among = rng.random(60) < 0.4, rng.random(60) < 0.8
        share = np.mean(hits[among])
        people = People.of(one, two)
        places = np.flatnonzero(among)
        products = sum(
            (hits[i] - share) * (hits[j] - share) for i in places for j in places if {one[i], two[i]} & {one[j], two[j]}
        )
        n, known = places.size, {*one[among], *two[among]}
        factor = len(known) / (len(known) - 1) * (n - 1) / n
        wanted = min(n, share * (1 - share) * n**2 / (factor * products)) if products > 0 else n
        assert people.worth(hits, among) == pytest.approx(wanted)

    def test_people_with_one_row_each_are_rows(self) -> None:
        who = np.arange(Y.size)
        plain, paired = rs.operating_point(Y, S, fpr=0.05), rs.operating_point(Y, S, fpr=0.05, cluster=(who, who))
        assert (paired.low, paired.high) == pytest.approx((plain.low, plain.high), abs=0.004)

    def test_shared_people_widen_the_interval_whichever_side_they_stand_on(self) -> None:
        rng = np.random.default_rng(5)
        one, two = np.triu_indices(60, 1)
        looks = rng.normal(size=60)
        s = np.r_[looks[one] + looks[two] + rng.normal(size=one.size), rng.normal(4, 1.7, 1200)]
        who = np.repeat(np.arange(60), 20)
        y, first, second = np.repeat([0, 1], [one.size, who.size]), np.r_[one, who], np.r_[two, who]
        plain = rs.operating_point(y, s, fpr=0.05)
        paired = rs.operating_point(y, s, fpr=0.05, cluster=(first, second))
        assert paired.high - paired.low > 1.3 * (plain.high - plain.low)
        swapped = np.where(np.arange(y.size) % 2, first, second), np.where(np.arange(y.size) % 2, second, first)
        again = rs.operating_point(y, s, fpr=0.05, cluster=np.column_stack(swapped))
        assert tuple(again.interval) == tuple(paired.interval)
        table = pd.DataFrame({"a": first, "b": second})
        assert tuple(rs.operating_point(y, s, fpr=0.05, cluster=table).interval) == tuple(paired.interval)

    def test_too_few_independent_rows_are_told(self) -> None:
        y, s = np.repeat([0, 1], [5000, 50]), np.arange(5050)
        with pytest.raises(InputError, match=r"299 independent negatives .* 5,000, worth .* independent ones"):
            rs.operating_point(y, s, fpr=0.01, cluster=np.r_[np.arange(5000) // 100, np.arange(50, 100)])

    def test_weights_count_as_fewer_rows(self) -> None:
        heavy = np.where(np.arange(Y.size) % 10, 1.0, 30.0)
        found, plain = rs.operating_point(Y, S, fpr=0.1, sample_weight=heavy), rs.operating_point(Y, S, fpr=0.1)
        assert found.high - found.low > 1.5 * (plain.high - plain.low)
        assert found.fpr <= 0.1

    def test_frequencies_are_rows(self) -> None:
        twice = rs.operating_point(Y, S, fpr=0.1, sample_weight=np.full(Y.size, 2), weight_type="frequency")
        assert tuple(twice.interval) == tuple(rs.operating_point(np.r_[Y, Y], np.r_[S, S], fpr=0.1).interval)


class TestAnswer:
    def test_threshold_and_rates_are_those_of_the_rule(self) -> None:
        for held, rule in (
            ({"fpr": 0.05}, "fpr=0.05"),
            ({"tpr": 0.9}, "recall=0.9"),
            ({"precision": 0.7}, "precision=0.7"),
        ):
            found, choice = rs.operating_point(Y, S, **held), rs.best_threshold(Y, S, rule=rule)
            assert (found.threshold, found.tpr, found.fpr, found.precision) == (
                choice.threshold,
                choice.tpr,
                choice.fpr,
                choice.precision,
            )

    def test_it_reads_well(self) -> None:
        found = rs.operating_point(Y, S, fpr=0.05)
        assert str(found).splitlines() == [
            "FPR at most 0.05: positive when score >= 0.438713",
            f"TPR 0.5675 [0.5034, 0.6503] (0.95 level, {METHOD}); on these rows FPR 0.0484, precision 0.6955",
        ]
        assert found.fnr == 1 - found.tpr
        told = json.loads(json.dumps(found.to_dict()))
        assert (told["held"], told["answer"], told["interval"]["low"]) == ("fpr", "tpr", found.low)
        assert found.to_frame()["low"][0] == found.low
        assert found.predict([0.1, 0.9]).tolist() == [0, 1]
        assert rs.confusion(Y, S, threshold=found).recall == found.tpr
        assert str(rs.operating_point(Y, S, equal_error=True)).startswith("FPR and FNR alike: positive when score >=")

    def test_tables_and_ranked_rows_say_the_same(self) -> None:
        wanted = rs.operating_point(Y, S, fpr=0.05).to_dict()
        assert rs.operating_point(rs.rank(Y, S), fpr=0.05).to_dict() == wanted
        table = pd.DataFrame({"y": Y, "s": S})
        assert rs.operating_point(table, "s", fpr=0.05, label="y").to_dict() == wanted


class TestRefusals:
    def test_rates_that_rows_cannot_show(self) -> None:
        y, s = np.repeat([0, 1], [4000, 100]), np.arange(4100)
        words = "FPR 0.0001 needs at least 29,956 negatives without an error to be shown at 95%; there are 4,000"
        with pytest.raises(InputError, match=words):
            rs.operating_point(y, s, fpr=1e-4)
        with pytest.raises(InputError, match=r"TPR 0.99 needs at least 299 positives .* there are 100"):
            rs.operating_point(y, s, tpr=0.99)
        with pytest.raises(InputError, match="is shown by no number of rows"):
            rs.operating_point(y, s, fpr=5e-324)
        with pytest.raises(InputError, match="FPR 0 is shown by no number of rows"):
            rs.operating_point(y, s, fpr=0)
        (told,) = rs.evaluate(y, s, measures=["tpr_at(fpr=0.0001)"], intervals=True).intervals["score"].values()
        assert [remark.code for remark in told.warnings] == ["rate_unresolved"]

    def test_a_precision_that_is_never_reached(self) -> None:
        with pytest.raises(InputError, match=r"no threshold has a precision of at least 0.9: the highest is"):
            rs.operating_point([0, 1] * 50, np.repeat(np.arange(50), 2), precision=0.9)

    @pytest.mark.parametrize(
        ("given", "words"),
        [
            ({}, "hold one rate: fpr=0.01.*got none"),
            ({"fpr": 0.1, "tpr": 0.9}, "got fpr, tpr"),
            ({"fpr": 1.5}, "fpr must lie between 0 and 1"),
            ({"fpr": 0.1, "method": "magic"}, "method"),
        ],
    )
    def test_what_does_not_fit(self, given: dict[str, Any], words: str) -> None:
        with pytest.raises(ArgumentError, match=words):
            rs.operating_point(Y, S, **given)

    def test_two_ids_are_two_per_row(self) -> None:
        with pytest.raises(InputError, match="2 first ids and 3 second ones"):
            rs.operating_point(Y, S, fpr=0.1, cluster=([1, 2], [3, 4, 5]))
        with pytest.raises(InputError, match="cluster"):
            rs.operating_point(Y, S, fpr=0.1, cluster=([1, 2, 3], [3, 4, 5]))
        with pytest.raises(InputError, match="without weights"):
            rs.operating_point(Y, S, fpr=0.1, cluster=(Y, Y), sample_weight=S)


@pytest.mark.parametrize("shape", [1.0, 2.0])
def test_coverage_is_near_its_level(shape: float) -> None:
    """200 samples with two evaluations each, of TPR 0.8 at FPR 0.05; the tables of docs have more."""
    rng, inside = np.random.default_rng(6), 0
    mean = 1.6448536269514722 - shape * -0.8416212335729143
    y = np.repeat([0, 1], [200, 60])
    for _ in range(200):
        s = np.where(y, mean + shape * rng.normal(size=260), rng.normal(size=260))
        trade = Known(rs.rank(y, s), (200.0, 60.0), 0.95).negatives
        inside += trade.confidence(0.05, 0.8, "low") >= 0.025 and trade.confidence(0.05, 0.8, "high") <= 0.975
    assert 0.91 <= inside / 200 <= 1


class TestSketches:
    @pytest.mark.parametrize("held", [{"fpr": 0.05}, {"tpr": 0.9}, {"precision": 0.6}])
    def test_ends_reach_as_far_as_those_of_the_rows(self, held: dict[str, float]) -> None:
        coarse = rs.scale.Sketch(bits=7, range=(0, 1), capacity=0).update(Y, S)
        found, exact = coarse.operating_point(**held), rs.operating_point(Y, S, **held)
        assert found.low <= exact.low <= exact.high <= found.high
        assert found.high - found.low < exact.high - exact.low + 0.2
        assert "point_bracket" in [remark.code for remark in found.warnings]
        counts = rs.confusion(Y, S, threshold=found)
        assert (counts.recall, counts.fpr, counts.precision) == (found.tpr, found.fpr, found.precision)
        ((name, rate),) = held.items()
        assert found.fpr <= rate if name == "fpr" else getattr(found, name) >= rate

    def test_the_plain_function_asks_the_sketch(self) -> None:
        coarse = rs.scale.Sketch(bits=7, range=(0, 1), capacity=0).update(Y, S)
        for held in ({"fpr": 0.05}, {"tpr": 0.9}, {"precision": 0.6}, {"equal_error": True}):
            assert rs.operating_point(coarse, **held).to_dict() == coarse.operating_point(**held).to_dict()
        exact, wide = (
            rs.operating_point(each, fpr=0.05, method="exact", level=0.9) for each in (rs.rank(Y, S), coarse)
        )
        assert wide.low <= exact.low <= exact.high <= wide.high
        promised = rs.threshold_guarantee(coarse, "fpr", at_most=0.1)
        assert promised.to_dict() == coarse.threshold_guarantee("fpr", at_most=0.1).to_dict()
        assert "promise_bracket" in [remark.code for remark in promised.warnings]
        with pytest.raises(ArgumentError, match="counted already"):
            rs.operating_point(coarse, S, fpr=0.05)
        for ask in (rs.auc, rs.auc_interval, rs.equal_error_rate):
            with pytest.raises(ArgumentError, match=r"sketch\.measure"):
                ask(coarse)

    def test_exact_sketches_say_what_the_rows_say(self) -> None:
        found = rs.scale.Sketch().update(Y, S).operating_point(fpr=0.05)
        assert tuple(found.interval) == tuple(rs.operating_point(Y, S, fpr=0.05).interval)

    def test_the_equal_error_rate_too(self) -> None:
        exact = rs.operating_point(Y, S, equal_error=True)
        assert rs.scale.Sketch().update(Y, S).operating_point(equal_error=True).to_dict() == exact.to_dict()
        found = rs.scale.Sketch(bits=7, range=(0, 1), capacity=0).update(Y, S).operating_point(equal_error=True)
        assert found.low <= exact.low <= exact.high <= found.high < exact.high + 0.1


def test_a_recall_at_a_precision_that_calls_few_rows_says_so() -> None:
    rng = np.random.default_rng(5)
    y = rng.random(200) < 0.2
    score = rng.normal(size=200) + y
    few = rs.evaluate(y, score, measures=["recall_at_precision(precision=0.9)"], intervals=True)
    assert "rows are called positive at this precision" in str(few)
    far = rs.evaluate(y, score + 20 * y, measures=["recall_at_precision(precision=0.9)"], intervals=True)
    assert "rows are called positive at this precision" not in str(far)
