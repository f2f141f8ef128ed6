"""Tests between whole ROC curves: pROC's statistics, plain-Python oracles, exact permutation distributions."""

from __future__ import annotations

import csv
import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from cases import each_case
from rocsteady._src.inference.comparison.auc import compare_auc
from rocsteady._src.inference.comparison.curves import compare_curves

# roc.test(method = "venkatraman")$statistic of pROC 1.18.0 on reference_data.csv, without ties, higher is positive.
PROC_PAIRED = {("continuous", "rival"): 2798, ("continuous", "wide"): 982}
PROC_UNPAIRED = {("continuous", "rival"): 0.031088888888888885, ("wide", "rival"): 0.028400000000000002}

PROC_HALVES = 0.045105238331678239  # continuous on rows 1 to 150, rival on the others


def read_reference() -> dict[str, np.ndarray]:
    path = Path(__file__).with_name("fixtures") / "reference_data.csv"
    with path.open(encoding="ascii", newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


DATA = read_reference()


def errors(y: list[int], score: list[float]) -> list[float]:
    """Errors when the x lowest rows are called negative, x = 1..n; tied rows at their average over all orders."""
    found = []
    for x in range(1, len(y) + 1):
        cut = sorted(score)[x - 1]
        below = [label for label, s in zip(y, score, strict=True) if s < cut]
        tied = [label for label, s in zip(y, score, strict=True) if s == cut]
        missed = sum(below) + (x - len(below)) * sum(tied) / len(tied)
        found.append(missed + (y.count(0) - (x - missed)))
    return found


def paired_e(y: list[int], first: list[float], second: list[float]) -> float:
    return sum(abs(a - b) for a, b in zip(errors(y, first), errors(y, second), strict=True))


def unpaired_e(samples: list[tuple[list[int], list[Any]]]) -> float:
    """Area between the error rates at the pooled prevalence, knot by knot."""
    n_pos, n = sum(sum(y) for y, _ in samples), sum(len(y) for y, _ in samples)
    prevalence, lines = n_pos / n, []
    for y, score in samples:
        wrong = errors(y, score)
        missed = [(e - y.count(0) + x) / 2 for x, e in enumerate(wrong, start=1)]
        fnr = [m / sum(y) * prevalence for m in missed]
        tnr = [(x - m) / y.count(0) * (1 - prevalence) for x, m in enumerate(missed, start=1)]
        lines.append(([a + b for a, b in zip(fnr, tnr, strict=True)], [a - b for a, b in zip(fnr, tnr, strict=True)]))
    start = max(x[0] for x, _ in lines)
    knots = sorted({x for line, _ in lines for x in line if x >= start})
    apart = [abs(np.interp(x, *lines[0]) - np.interp(x, *lines[1])) for x in knots]
    pairs = zip(itertools.pairwise(knots), itertools.pairwise(apart), strict=True)
    return sum((right - left) * (a + b) / 2 for (left, right), (a, b) in pairs)


class TestStatistic:
    @pytest.mark.parametrize("pair", PROC_PAIRED)
    def test_proc_paired(self, pair: tuple[str, str]) -> None:
        found = compare_curves(DATA["y"], DATA[pair[0]], DATA[pair[1]], n_permutations=1, random_state=0)
        assert found.statistic == PROC_PAIRED[pair]

    @pytest.mark.parametrize("pair", PROC_UNPAIRED)
    def test_proc_unpaired(self, pair: tuple[str, str]) -> None:
        scores = DATA[pair[0]], DATA[pair[1]]
        found = compare_curves(DATA["y"], *scores, paired=False, n_permutations=1, random_state=0)
        assert found.statistic == pytest.approx(PROC_UNPAIRED[pair], rel=1e-12)

    def test_proc_unpaired_of_unequal_prevalence(self) -> None:
        options = {"paired": False, "y_true_second": DATA["y"][150:], "n_permutations": 1, "random_state": 0}
        found = compare_curves(DATA["y"][:150], DATA["continuous"][:150], DATA["rival"][150:], **options)
        assert found.statistic == pytest.approx(PROC_HALVES, rel=1e-12)

    def test_proc_takes_ties_in_the_order_of_rows(self) -> None:
        """The same rows in another order change its E, not ours."""
        y, first, grade = DATA["y"], DATA["continuous"], DATA["grade"]
        up, down = (grade.astype(float) + np.linspace(0, 0.5 * sign, 300) for sign in (1, -1))
        ours = compare_curves(y, first, grade, n_permutations=1, random_state=0).statistic
        broken = [compare_curves(y, first, g, n_permutations=1, random_state=0).statistic for g in (up, down)]
        assert broken[0] != broken[1]
        backwards = compare_curves(y[::-1], first[::-1], grade[::-1], n_permutations=1, random_state=0)
        assert backwards.statistic == pytest.approx(ours, rel=1e-12)

    @each_case("seed", range(6))
    @each_case("n_values", [4, 1000])
    def test_oracles(self, seed: int, n_values: int) -> None:
        rng = np.random.default_rng(seed)
        y = [1, 0, 1, 0, *rng.integers(0, 2, 17).tolist()]
        other = [0, 1, 0, 1, *rng.integers(0, 2, 9).tolist()]
        first, second = rng.integers(0, n_values, (2, 21)).tolist()
        options: dict[str, Any] = {"n_permutations": 1, "random_state": 0}
        assert compare_curves(y, first, second, **options).statistic == pytest.approx(paired_e(y, first, second))
        options |= {"paired": False, "y_true_second": other}
        expected = unpaired_e([(y, first), (other, second[:13])])
        assert compare_curves(y, first, second[:13], **options).statistic == pytest.approx(expected, rel=1e-12)

    def test_ties_are_the_average_over_all_orders(self) -> None:
        y, score = [1, 0, 0, 1, 1, 0], [1, 1, 1, 2, 2, 0]
        orders = [
            errors(y, [s + rank / 100 for s, rank in zip(score, ranks, strict=True)])
            for ranks in itertools.permutations(range(6))
        ]
        np.testing.assert_allclose(np.mean(orders, axis=0), errors(y, score), atol=1e-12)


class TestPermutations:
    """The whole distribution, with all exchanges and all orders of equal ranks, against the sampled one."""

    def test_paired(self) -> None:
        y, first, second = [1, 1, 0, 0, 1, 0], [6, 5, 4, 3, 2, 1], [3, 6, 5, 1, 4, 2]
        observed, values = paired_e(y, first, second), []
        for swaps in itertools.product((0, 1), repeat=6):
            for flips in itertools.product((-0.25, 0.25), repeat=6):
                one = [r + flips[r - 1] for r in first]
                two = [r - flips[r - 1] for r in second]
                mixed = [(b, a) if swap else (a, b) for a, b, swap in zip(one, two, swaps, strict=True)]
                values.append(paired_e(y, *(list(side) for side in zip(*mixed, strict=True))))
        exact = np.mean(np.array(values) >= observed)
        found = compare_curves(y, first, second, n_permutations=6_000, random_state=3)
        assert found.statistic == observed
        assert found.pvalue == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 6_000))
        assert found.resampling is not None
        assert np.mean(found.resampling.distribution) == pytest.approx(np.mean(values), rel=0.02)

    def test_unpaired(self) -> None:
        y, first, second = [1, 1, 0, 0, 1], [5, 4, 3, 2, 1], [1, 5, 4, 2, 3]
        observed, values = unpaired_e([(y, first), (y, second)]), []
        for flips in itertools.product((-0.25, 0.25), repeat=5):
            pool = {
                flag: [r + flips[r - 1] for r, label in zip(first, y, strict=True) if label == flag]
                + [r - flips[r - 1] for r, label in zip(second, y, strict=True) if label == flag]
                for flag in (1, 0)
            }
            for pos in itertools.combinations(range(6), 3):
                for neg in itertools.combinations(range(4), 2):
                    taken = [pool[1][i] for i in pos] + [pool[0][i] for i in neg]
                    left = [pool[1][i] for i in range(6) if i not in pos]
                    left += [pool[0][i] for i in range(4) if i not in neg]
                    values.append(unpaired_e([([1, 1, 1, 0, 0], taken), ([1, 1, 1, 0, 0], left)]))
        exact = np.mean(np.array(values) >= observed - 1e-12)
        found = compare_curves(y, first, second, paired=False, n_permutations=6_000, random_state=3)
        assert found.statistic == pytest.approx(observed, rel=1e-12)
        assert found.pvalue == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 6_000))

    def test_size_of_unpaired_samples_that_differ_in_size_and_prevalence(self) -> None:
        """The same curve behind both; plain ranks would not be comparable between such samples."""
        rng = np.random.default_rng(12)
        y, other = np.repeat([1, 0], [30, 20]), np.repeat([1, 0], [20, 100])
        rejected = 0
        for seed in range(150):
            scores = y + rng.standard_normal(y.size), other + rng.standard_normal(other.size)
            options = {"paired": False, "y_true_second": other, "n_permutations": 49, "random_state": seed}
            rejected += compare_curves(y, *scores, **options).pvalue <= 0.1
        assert 4 <= rejected <= 27  # 150 draws of 0.1: outside with probability 0.003


class TestAnswers:
    Y, FIRST, SECOND = DATA["y"], DATA["continuous"], DATA["rival"]

    @pytest.mark.parametrize("paired", [True, False])
    @pytest.mark.parametrize("name", ["continuous", "grade"])
    def test_identical_curves(self, name: str, *, paired: bool) -> None:
        score = DATA[name]
        found = compare_curves(self.Y, score, 3 * score - 1, paired=paired, n_permutations=50)
        assert (found.statistic, found.pvalue, found.estimate) == (0.0, 1.0, 0.0)

    @pytest.mark.parametrize("paired", [True, False])
    def test_increasing_maps_change_nothing(self, *, paired: bool) -> None:
        options = {"paired": paired, "n_permutations": 60, "random_state": 2}
        plain = compare_curves(self.Y, self.FIRST, self.SECOND, **options)
        mapped = compare_curves(self.Y, np.exp(4 * self.FIRST), self.SECOND - 7, **options)
        assert [*plain] == [*mapped]

    def test_same_seed_same_result(self) -> None:
        one, two = (compare_curves(self.Y, self.FIRST, self.SECOND, random_state=5) for _ in range(2))
        assert one.resampling is not None
        assert two.resampling is not None
        assert one.resampling.seed == 5
        assert np.array_equal(one.resampling.distribution, two.resampling.distribution)
        fresh = compare_curves(self.Y, self.FIRST, self.SECOND, n_permutations=30)
        assert fresh.resampling is not None
        again = compare_curves(self.Y, self.FIRST, self.SECOND, n_permutations=30, random_state=fresh.resampling.seed)
        assert [*fresh] == [*again]

    def test_order_of_models(self) -> None:
        one = compare_curves(self.Y, self.FIRST, self.SECOND, n_permutations=20, random_state=1)
        two = compare_curves(self.Y, self.SECOND, self.FIRST, n_permutations=20, random_state=1)
        assert (one.statistic, one.estimate) == (two.statistic, -two.estimate)

    def test_estimate_is_delongs(self) -> None:
        found = compare_curves(self.Y, self.FIRST, self.SECOND, level=0.9, n_permutations=20)
        areas = compare_auc(self.Y, self.FIRST, self.SECOND, level=0.9)
        assert (found.estimate, found.low, found.high) == (areas.estimate, areas.low, areas.high)

    def test_crossing_curves_of_equal_area(self) -> None:
        """Positives vary more than negatives in one model and less in the other."""
        rng = np.random.default_rng(2)
        y = np.repeat([1, 0], 150)
        spread = np.concatenate([rng.normal(1.6, 2.2, 150), rng.normal(0, 1, 150)])
        narrow = np.concatenate([rng.normal(0.93, 0.45, 150), rng.normal(0, 1.3, 150)])
        assert compare_auc(y, spread, narrow).pvalue > 0.2
        assert compare_curves(y, spread, narrow, n_permutations=400, random_state=1).pvalue < 0.01

    def test_blocks_do_not_depend_on_anything_but_the_seed(self) -> None:
        """Many rows come in many blocks; 3000 rows need several."""
        rng = np.random.default_rng(9)
        y = rng.integers(0, 2, 3000)
        scores = rng.standard_normal((2, 3000)) + y
        found = compare_curves(y, *scores, n_permutations=150, random_state=1)
        assert found.resampling is not None
        assert found.resampling.distribution.size == 150
        assert found.pvalue > 0.01

    def test_labels_and_missing_values(self) -> None:
        y, first, second = ["a", "b", "a", "b", None], [1, 2, 3, 4, 5], [4, 3, 2, 1, 0]
        found = compare_curves(y, first, second, pos_label="b", missing="drop", n_permutations=10)
        assert (found.n_pos, found.n_neg) == (2, 2)
        with pytest.raises(rs.InputError):
            compare_curves(y, first, second, pos_label="b")

    def test_refusals(self) -> None:
        with pytest.raises(rs.ArgumentError, match="n_permutations"):
            compare_curves(self.Y, self.FIRST, self.SECOND, n_permutations=0)
        with pytest.raises(rs.InputError, match="one class"):
            compare_curves([1, 1], [1, 2], [2, 1])
