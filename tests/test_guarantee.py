"""Promises about new rows, against all order statistics, tails in fractions, and populations gone through whole."""

from __future__ import annotations

import itertools
import json
import math
from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

import rocsteady as rs
from cases import each_case
from rocsteady._src.inference.operating.binomial_tails import at_most_so_many, errors_allowed, rows_needed
from rocsteady._src.inference.operating.guarantee import PROMISES, promised
from rocsteady._src.inference.operating.promised import STARTS, surest_step
from rocsteady.errors import ArgumentError, InputError

LOANS = rs.examples.loans(2000)
Y, S = np.asarray(LOANS["defaulted"]), np.asarray(LOANS["boosted"])


def exact_tail(errors: int, n: int, rate: Fraction) -> Fraction:
    """P(so many errors or fewer), in fractions."""
    return sum((math.comb(n, k) * rate**k * (1 - rate) ** (n - k) for k in range(errors + 1)), Fraction(0))


class TestTails:
    @each_case("n", [1, 2, 5, 12, 30])
    @each_case("rate", ["0.1", "0.25", "0.5", "0.9"])
    def test_tails_are_those_of_fractions(self, n: int, rate: str) -> None:
        found = at_most_so_many(np.arange(-1, n + 1), n, float(rate))
        wanted = [float(exact_tail(k, n, Fraction(rate))) for k in range(-1, n + 1)]
        assert found == pytest.approx(wanted, rel=1e-12, abs=1e-15)

    @pytest.mark.parametrize(("n", "rate", "risk"), [(59, "0.05", "0.05"), (58, "0.05", "0.05"), (300, "0.1", "0.01")])
    def test_errors_allowed_is_the_largest(self, n: int, rate: str, risk: str) -> None:
        allowed = errors_allowed(n, float(rate), float(risk))
        p = Fraction(rate)
        tails = itertools.accumulate(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1))
        within = [k for k, tail in enumerate(tails) if tail <= Fraction(risk)]
        assert allowed == max(within, default=-1)

    @pytest.mark.parametrize("errors", [0, 1, 7])
    def test_rows_needed_are_the_fewest(self, errors: int) -> None:
        needed = rows_needed(0.1, 0.05, errors)
        assert exact_tail(errors, needed, Fraction(1, 10)) <= Fraction(1, 20)
        assert exact_tail(errors, needed - 1, Fraction(1, 10)) > Fraction(1, 20)

    def test_rule_of_three(self) -> None:
        """No error in 3/rate rows shows the rate at 95%, in nearly as few."""
        assert [rows_needed(rate, 0.05) for rate in (0.1, 0.01, 0.001)] == [29, 299, 2995]


def all_order_statistics(negatives: list[float], bound: Fraction, risk: Fraction) -> float:
    """The lowest negative above which the promise holds, by going through all of them."""
    held = [
        score
        for place, score in enumerate(sorted(negatives, reverse=True))
        if exact_tail(place, len(negatives), bound) <= risk
    ]
    return min(held)


class TestOrderStatistics:
    @each_case("n", [5, 8, 12])
    @each_case("bound", ["0.3", "0.5", "0.7"])
    def test_fpr_stops_above_the_order_statistic(self, n: int, bound: str) -> None:
        rng = np.random.default_rng(n)
        negatives, positives = rng.normal(size=n), rng.normal(1, size=7)
        y, s = np.r_[np.zeros(n), np.ones(7)], np.r_[negatives, positives]
        found = rs.threshold_guarantee(y, s, "fpr", at_most=float(bound), confidence=0.8)
        limit = all_order_statistics(negatives.tolist(), Fraction(bound), Fraction(1, 5))
        assert found.threshold == math.nextafter(limit, math.inf)
        assert found.tpr == np.mean(positives > limit)

    @each_case("n", [5, 8, 12])
    @each_case("bound", ["0.3", "0.5", "0.7"])
    def test_recall_stops_at_the_order_statistic(self, n: int, bound: str) -> None:
        rng = np.random.default_rng(n)
        negatives, positives = rng.normal(size=6), rng.normal(1, size=n)
        y, s = np.r_[np.zeros(6), np.ones(n)], np.r_[negatives, positives]
        found = rs.threshold_guarantee(y, s, "recall", at_least=float(bound), confidence=0.8)
        assert found.threshold == -all_order_statistics((-positives).tolist(), 1 - Fraction(bound), Fraction(1, 5))

    def test_ties_are_called_whole_or_not_at_all(self) -> None:
        y, s = [0] * 60 + [1] * 10, [0.1] * 58 + [0.5] * 2 + [0.5] * 5 + [0.9] * 5
        found = rs.threshold_guarantee(y, s, "fpr", at_most=0.05)
        assert (found.errors, found.tpr) == (0, 0.5)
        assert 0.5 < found.threshold < 0.5 + 1e-12

    def test_the_true_rate_exceeds_the_bound_exactly_as_rarely_as_beta_says(self) -> None:
        """Uniform scores: the rate above an order statistic is Beta(k + 1, N - k), and k is the largest within risk."""
        k = errors_allowed(200, 0.1, 0.05)
        assert at_most_so_many(k, 200, 0.1) <= 0.05 < at_most_so_many(k + 1, 200, 0.1)
        rng, broken = np.random.default_rng(5), 0
        for _ in range(400):
            s = rng.random(200)
            found = rs.threshold_guarantee(np.r_[np.zeros(200), 1], np.r_[s, 0.5], "fpr", at_most=0.1)
            broken += 1 - found.threshold > 0.1
        assert broken / 400 == pytest.approx(float(at_most_so_many(k, 200, 0.1)), abs=3 * math.sqrt(0.05 * 0.95 / 400))


# Shares of three scores, from low to high, among positives and negatives; the middle one of the last is the purest.
POPULATIONS: dict[str, tuple[list[float], list[float]]] = {
    "falling": ([0.05, 0.15, 0.3], [0.25, 0.15, 0.1]),
    "pure top": ([0.1, 0.1, 0.3], [0.3, 0.2, 0.0]),
    "impure top": ([0.1, 0.35, 0.05], [0.3, 0.05, 0.15]),
    "up and down": ([0.02, 0.4, 0.03], [0.35, 0.1, 0.1]),
}


def every_sample(n: int) -> list[tuple[int, ...]]:
    """All ways to put n rows into six cells."""
    bars = itertools.combinations(range(n + 5), 5)
    return [tuple(np.diff([-1, *each, n + 5]) - 1) for each in bars]


def true_rate(name: str, pos: list[float], neg: list[float], threshold: float) -> float:
    called = np.arange(3) >= threshold
    tp, fp = sum(np.array(pos)[called]), sum(np.array(neg)[called])
    return {"fdr": fp / (tp + fp) if tp + fp else 0.0, "fpr": fp / sum(neg), "fnr": 1 - tp / sum(pos)}[name]


def every_promise(n: int, rate: str, bound: float) -> dict[tuple[int, ...], float]:
    """The threshold of each sample that has one, whatever the population."""
    promise, kept = PROMISES[rs.get_measure(rate).sheet.name], {}
    for counts in every_sample(n):
        held = np.array(counts[:3]) + np.array(counts[3:]) > 0
        scores, of_pos, of_neg = (np.asarray(each)[held] for each in (np.arange(3), counts[:3], counts[3:]))
        ranked = rs.RankedScores.trusted(scores, of_pos, of_neg, None)
        if not (ranked.n_pos and ranked.n_neg):
            continue
        with suppress(InputError):
            kept[counts] = promised(ranked, promise, bound, 0.7).threshold
    return kept


@pytest.mark.parametrize(("rate", "bound"), [("fpr", 0.45), ("fnr", 0.45), ("fdr", 0.45), ("fdr", 0.3)])
def test_the_promise_is_broken_within_the_risk_among_all_samples(rate: str, bound: float) -> None:
    """Nothing is drawn: every sample of seven rows is gone through with its probability."""
    n, broken = 7, dict.fromkeys(POPULATIONS, 0.0)
    ways = math.factorial(n)
    for counts, threshold in every_promise(n, rate, bound).items():
        for population, (pos, neg) in POPULATIONS.items():
            chances = (p**c / math.factorial(c) for p, c in zip([*pos, *neg], counts, strict=True))
            if true_rate(rate, pos, neg, threshold) > bound:
                broken[population] += ways * math.prod(chances)
    assert max(broken.values()) <= 0.3 + 1e-12, broken


def walk_in_fractions(labels: list[int], rate: Fraction, risk: Fraction) -> int:
    """How many of untied rows, best first, are called when a false discovery rate is promised; -1 for refusal."""
    best, part = -1, risk / len(STARTS)
    for errors in STARTS:
        needed = (m for m in range(errors + 1, len(labels) + 1) if exact_tail(errors, m, rate) <= part)
        rows = next(needed, len(labels) + 1)
        while rows <= len(labels) and exact_tail(rows - sum(labels[:rows]), rows, rate) <= part:
            best, rows = max(best, rows), rows + 1
    return best


class TestPrecision:
    @each_case("seed", range(8))
    def test_the_walk_is_that_of_fractions(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        labels = (rng.random(60) < np.linspace(0.98, 0.3, 60)).astype(int)
        wanted = walk_in_fractions(labels.tolist(), Fraction(3, 10), Fraction(1, 10))
        call = lambda: rs.threshold_guarantee(labels, -np.arange(60), "fdr", at_most=0.3, confidence=0.9)  # noqa: E731
        if wanted < 0:
            with pytest.raises(InputError, match="needs at least"):
                call()
        else:
            assert call().rows == wanted

    def test_precision_is_one_minus_fdr(self) -> None:
        first = rs.threshold_guarantee(Y, S, "precision", at_least=0.6)
        second = rs.threshold_guarantee(Y, S, "fdr", at_most=0.4)
        assert (first.threshold, first.errors) == (second.threshold, second.errors)
        assert first.observed == pytest.approx(1 - second.observed)

    def test_all_rows_may_be_called(self) -> None:
        found = rs.threshold_guarantee([1] * 400 + [0] * 2, np.arange(402), "precision", at_least=0.9)
        assert found.threshold == -math.inf
        assert found.predict([-5]).tolist() == [1]

    def test_what_was_seen_is_told_where_it_is_refused(self) -> None:
        with pytest.raises(InputError, match=r"the surest .* rows have precision .*: take about 2 times as many"):
            rs.threshold_guarantee(Y, S, "precision", at_least=0.9)
        with pytest.raises(InputError, match="which no number of such rows would show"):
            rs.threshold_guarantee(np.tile([0, 1], 300), np.repeat(np.arange(300), 2), "precision", at_least=0.9)
        with pytest.raises(
            InputError, match=r"needs at least 437 rows called positive without an error .* are 40 rows"
        ):
            rs.threshold_guarantee([0, 1] * 20, np.arange(40), "fdr", at_most=0.01)

    @pytest.mark.parametrize(("n", "top", "bound"), [(1, 1.0, 0.1), (60, 0.9, 0.05), (9000, 0.95, 0.1)])
    def test_the_surest_of_blocks_is_the_surest_of_all(self, n: int, top: float, bound: float) -> None:
        labels = np.random.default_rng(n).random(n) < np.linspace(top, 0.2, n)
        tp, fp = rs.rank(labels, -np.round(np.arange(n), -1)).called_positive
        tails = binom.cdf(fp[1:], (tp + fp)[1:], bound)
        assert tails[surest_step(tp, fp, bound) - 1] == pytest.approx(tails.min(), rel=1e-12)


class TestAnswer:
    def test_what_is_given_up_is_told(self) -> None:
        found = rs.threshold_guarantee(Y, S, "fpr", at_most=0.1)
        naive = rs.best_threshold(Y, S, rule="fpr=0.1")
        assert found.without == naive.tpr
        assert found.given_up == pytest.approx(naive.tpr - found.tpr)
        assert (found.low, found.high) == tuple(rs.proportion_interval(found.tpr * 326, 326))
        assert "in return recall 0.6871 [0.6349, 0.7350], where 0.7239 is had without the promise" in str(found)
        assert str(found).startswith("FPR at most 0.1 on new rows, with 95% confidence: positive when score > 0.356553")

    def test_it_is_a_threshold_for_others(self) -> None:
        found = rs.threshold_guarantee(Y, S, "fpr", at_most=0.1)
        counts = rs.confusion(Y, S, threshold=found)
        assert (counts.fp, counts.recall) == (found.errors, found.tpr)
        assert np.array_equal(found.predict(S) == 1, found <= S)
        assert rs.evaluate(Y, S, threshold=found, measures=["recall"]).to_frame()["recall"][0] == found.tpr

    def test_it_is_plain_data(self) -> None:
        made = rs.threshold_guarantee(Y, S, "tpr", at_least=0.9)
        told = json.loads(json.dumps(made.to_dict()))
        assert (told["rate"], told["side"], told["bound"]) == ("recall", "at_least", 0.9)
        assert made.to_frame()["threshold"][0] == made.threshold
        assert "recall at least 0.9" in made._repr_html_()

    def test_ranked_rows_tables_and_frequencies_say_the_same(self) -> None:
        found = rs.threshold_guarantee(Y, S, "fpr", at_most=0.1).threshold
        table = pd.DataFrame({"y": Y, "s": S})
        assert rs.threshold_guarantee(rs.rank(Y, S), "fpr", at_most=0.1).threshold == found
        assert rs.threshold_guarantee(table, "s", "fpr", at_most=0.1, label="y").threshold == found
        twice = {"sample_weight": np.full(Y.size, 2), "weight_type": "frequency"}
        doubled = rs.threshold_guarantee(np.r_[Y, Y], np.r_[S, S], "fpr", at_most=0.1).threshold
        assert rs.threshold_guarantee(Y, S, "fpr", at_most=0.1, **twice).threshold == doubled

    @pytest.mark.parametrize("kind", ["int64", "float32", "float16", "uint8"])
    def test_the_next_number_is_that_of_the_type(self, kind: str) -> None:
        s = np.arange(100).astype(kind)
        found = rs.threshold_guarantee(np.r_[np.zeros(99), 1], s, "fpr", at_most=0.1)
        limit = int(np.sort(s[:99])[-1 - errors_allowed(99, 0.1, 0.05)])
        assert limit < found.threshold <= limit + 1
        assert np.count_nonzero(s >= found.threshold) == np.sum(found.predict(s) == 1) == 99 - limit


class TestRefusals:
    def test_too_few_rows_are_told_with_a_number(self) -> None:
        y, s = np.r_[np.zeros(4000), np.ones(10)], np.arange(4010)
        words = "false positive rate at most 0.0001 needs at least 29,956 negatives without an error to be shown at 95%"
        with pytest.raises(InputError, match=f"{words}; there are 4,000"):
            rs.threshold_guarantee(y, s, "fpr", at_most=1e-4)
        with pytest.raises(InputError, match=r"recall at least 0.9 needs at least 29 positives .* there are 10"):
            rs.threshold_guarantee(y, s, "recall", at_least=0.9)

    @each_case(
        ("rate", "bounds", "words"),
        [
            (None, {"at_most": 0.1}, "which rate is promised"),
            ("f1", {"at_least": 0.1}, "which rate is promised.*got 'f1'"),
            ("fpr", {"at_least": 0.1}, "promised at most a bound"),
            ("recall", {"at_least": 0.1, "at_most": 0.2}, "promised at least a bound"),
            ("fpr", {"at_most": 0.0}, "between 0 and 1"),
            ("fpr", {"at_most": 1.5}, "between 0 and 1"),
        ],
    )
    def test_what_does_not_fit_is_refused(self, rate: Any, bounds: dict[str, float], words: str) -> None:
        with pytest.raises(ArgumentError, match=words):
            rs.threshold_guarantee(Y, S, rate, **bounds)

    def test_sampling_weights_and_infinite_negatives_are_refused(self) -> None:
        with pytest.raises(InputError, match=r"sampling weights.*probability weight / largest weight"):
            rs.threshold_guarantee(Y, S, "fpr", at_most=0.1, sample_weight=np.linspace(1, 2, Y.size))
        with pytest.raises(InputError, match="infinite"):
            rs.threshold_guarantee([0] * 59 + [1], [np.inf] * 59 + [1.0], "fpr", at_most=0.05)


class TestSketches:
    @pytest.mark.parametrize(("rate", "bound"), [("fpr", {"at_most": 0.1}), ("recall", {"at_least": 0.8})])
    @pytest.mark.parametrize("bits", [5, 9])
    def test_the_bracket_holds_the_threshold_of_the_rows_and_its_safe_end_is_taken(
        self, rate: str, bound: dict[str, float], bits: int
    ) -> None:
        coarse = rs.scale.Sketch(bits=bits, range=(0, 1), capacity=0).update(Y, S)
        found, exact = coarse.threshold_guarantee(rate, **bound), rs.threshold_guarantee(Y, S, rate, **bound)
        assert not coarse.exact
        assert found.bracket[0] <= exact.threshold <= found.bracket[1]
        safe = found.bracket[1] if rate == "fpr" else found.bracket[0]
        assert found.threshold == safe
        assert rs.confusion(Y, S, threshold=found).fpr <= exact.fpr or rate == "recall"
        assert rs.confusion(Y, S, threshold=found).recall >= exact.tpr or rate == "fpr"
        assert "promise_bracket" in [remark.code for remark in found.warnings]
        assert "lies from" in str(found)

    def test_precision_goes_by_the_edges_of_cells(self) -> None:
        coarse = rs.scale.Sketch(bits=7, range=(0, 1), capacity=0).update(Y, S)
        found = coarse.threshold_guarantee("precision", at_least=0.6)
        counts = rs.confusion(Y, S, threshold=found)
        assert (counts.tp + counts.fp, counts.fp) == (found.rows, found.errors)
        assert "promise_by_cells" in [remark.code for remark in found.warnings]

    def test_exact_sketches_say_what_the_rows_say(self) -> None:
        found = rs.scale.Sketch().update(Y, S).threshold_guarantee("fpr", at_most=0.1)
        assert (found.threshold, found.bracket) == (rs.threshold_guarantee(Y, S, "fpr", at_most=0.1).threshold, None)
