"""Intervals of shares and of threshold measures: R, SciPy, textbook formulas, and coverage by enumeration."""

from __future__ import annotations

import csv
import hashlib
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import beta, binom, binomtest

import rocsteady as rs
from cases import each_case
from rocsteady._src.inference.intervals.beta import _expansion, beta_quantile
from rocsteady._src.inference.intervals.joint_measures import PARTS
from rocsteady._src.inference.intervals.measure import measure_interval, measure_intervals
from rocsteady._src.inference.intervals.proportions import (
    METHODS,
    PROPORTIONS,
    proportion_bounds,
    proportion_interval,
)
from rocsteady._src.inputs.weights import ASSUMED
from rocsteady._src.measures.registry import list_measures

FIXTURES = Path(__file__).with_name("fixtures")
R_SHARES = json.loads((FIXTURES / "r_proportions.json").read_text())
PLAIN = [name for name, share in PROPORTIONS.items() if share.ends is None]
THRESHOLD_MEASURES = [sheet.name for sheet in list_measures("threshold")]
TABLE = rs.Confusion(tp=26, fp=14, fn=15, tn=58)


def read_reference() -> tuple[list[int], list[float]]:
    with (FIXTURES / "reference_data.csv").open(encoding="ascii", newline="") as file:
        rows = list(csv.DictReader(file))
    return [int(row["y"]) for row in rows], [float(row["continuous"]) for row in rows]


class TestAgreement:
    def test_r_read_this_file(self) -> None:
        text = (FIXTURES / "reference_data.csv").read_text()
        digest = hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()
        assert R_SHARES["made_by"]["data_md5"] == digest

    @each_case("share", R_SHARES["shares"], ids=lambda share: f"{share['metric']}-{share['threshold']}")
    def test_r(self, share: dict[str, Any]) -> None:
        y, score = read_reference()
        for interval in share["intervals"]:
            for method in ("wilson", "clopper-pearson"):
                ends = proportion_interval(share["hits"], share["n"], level=interval["level"], method=method)
                np.testing.assert_allclose([*ends], interval[method], rtol=0, atol=1e-12)
                options = {"threshold": share["threshold"], "level": interval["level"], "method": method}
                assert [*measure_interval(share["metric"], y, score, **options)] == [*ends]

    @each_case(("method", "scipys"), [("wilson", "wilson"), ("clopper-pearson", "exact")])
    @each_case("n", [1, 7, 60, 5000])
    def test_scipy(self, method: Any, scipys: str, n: int) -> None:
        for hits in {0, 1, n // 3, n - 1, n}:
            theirs = binomtest(hits, n).proportion_ci(0.9, method=scipys)
            ours = proportion_interval(hits, n, level=0.9, method=method)
            np.testing.assert_allclose([*ours], [theirs.low, theirs.high], rtol=0, atol=1e-12)

    def test_jeffreys_is_the_posterior_with_prior_one_half(self) -> None:
        ends = beta.ppf([0.025, 0.975], 3.5, 7.5)
        np.testing.assert_allclose([*proportion_interval(3, 10, method="jeffreys")], ends, rtol=1e-10)

    def test_published_values(self) -> None:
        """Newcombe 1998, Statistics in Medicine 17:857-872, table I: 81 of 263 and 15 of 148, to four decimals."""
        table = {
            (81, 263): {"wald": (0.2522, 0.3638), "wilson": (0.2553, 0.3662), "clopper-pearson": (0.2527, 0.3676)},
            (15, 148): {"wald": (0.0527, 0.1500), "wilson": (0.0624, 0.1605), "clopper-pearson": (0.0578, 0.1617)},
        }
        for (hits, n), methods in table.items():
            for method, ends in methods.items():
                assert [*proportion_interval(hits, n, method=method)] == pytest.approx(ends, abs=5.1e-5)

    def test_agresti_coull_is_wald_after_adding_z_squared_rows(self) -> None:
        z = 1.959963984540054
        share, n = (4 + z**2 / 2) / (20 + z**2), 20 + z**2
        half = z * math.sqrt(share * (1 - share) / n)
        expected = [share - half, share + half]
        assert [*proportion_interval(4, 20, method="agresti-coull")] == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("method", METHODS)
class TestEveryMethod:
    def test_ends_are_exact(self, method: Any) -> None:
        low, high = proportion_bounds([0, 12], 12, 0.95, method)
        assert (low[0], high[1]) == (0.0, 1.0)

    def test_failures_mirror_successes(self, method: Any) -> None:
        hits = np.arange(31)
        low, high = proportion_bounds(hits, 30, 0.95, method)
        np.testing.assert_allclose(low, 1 - high[::-1], rtol=0, atol=1e-12)
        assert np.all(np.diff(low) >= 0)
        assert np.all((low <= hits / 30) & (hits / 30 <= high))

    def test_higher_levels_are_wider(self, method: Any) -> None:
        inner, outer = (proportion_interval(7, 30, level=level, method=method) for level in (0.8, 0.99))
        assert outer.low < inner.low < inner.high < outer.high

    def test_no_rows(self, method: Any) -> None:
        found = proportion_interval(0, 0, method=method)
        assert np.isnan([found.estimate, *found]).all()
        assert "no rows" in found.warnings[0]

    def test_scalar_and_array_agree(self, method: Any) -> None:
        low, high = proportion_bounds([3, 9], [10, 11], 0.9, method)
        assert [*proportion_interval(9, 11, level=0.9, method=method)] == [low[1], high[1]]

    def test_bad_counts(self, method: Any) -> None:
        for hits, n in ((-1, 5), (6, 5), (1, math.inf), (math.nan, 5)):
            with pytest.raises(rs.InputError):
                proportion_interval(hits, n, method=method)


def test_only_wilson_takes_sums_of_weights() -> None:
    low, high = proportion_interval(2.5, 10.25)
    assert low < 2.5 / 10.25 < high
    for method in METHODS[1:]:
        with pytest.raises(rs.InputError, match="whole counts"):
            proportion_interval(2.5, 10.25, method=method)


def test_bad_words() -> None:
    with pytest.raises(rs.ArgumentError, match="method"):
        proportion_interval(1, 2, method="exact")
    with pytest.raises(rs.ArgumentError, match="level"):
        proportion_interval(1, 2, level=95)


class TestCoverage:
    """Exact: the binomial probability of all counts whose interval holds the true share."""

    SHARES = np.linspace(0.005, 0.995, 199)

    def coverage(self, n: int, method: Any) -> np.ndarray:
        hits = np.arange(n + 1)
        low, high = proportion_bounds(hits, n, 0.95, method)
        holds = (low <= self.SHARES[:, None]) & (self.SHARES[:, None] <= high)
        return (binom.pmf(hits, n, self.SHARES[:, None]) * holds).sum(axis=1)

    @pytest.mark.parametrize("n", [5, 20, 80, 300])
    def test_clopper_pearson_never_falls_below_the_level(self, n: int) -> None:
        assert self.coverage(n, "clopper-pearson").min() >= 0.95

    @each_case("n", [20, 80, 300])
    @each_case("method", ["wilson", "jeffreys", "agresti-coull"])
    def test_others_reach_it_on_average(self, n: int, method: str) -> None:
        """Brown, Cai and DasGupta's finding; at single shares coverage swings by a few points."""
        covered = self.coverage(n, method)
        assert covered.mean() == pytest.approx(0.955, abs=0.016)
        assert covered.min() > 0.82

    @each_case("method", ["clopper-pearson", "jeffreys"])
    @each_case("n", [1e8, 1e9, 1e10, 1e13, 1e16, 1e18])
    def test_limits_of_any_number_of_rows(self, n: float, method: Any) -> None:
        """SciPy's inverse strays from 1e11 rows on and is NaN at 1e16; the score limits do not, and all limits meet."""
        hits = np.floor(n * np.linspace(0.05, 0.95, 91))
        sure = proportion_bounds(hits, n, 0.95, method)
        for side, score in zip(sure, proportion_bounds(hits, n, 0.95, "wilson"), strict=True):
            error = np.sqrt(hits / n * (1 - hits / n) / n)
            assert np.abs((side - score) / error).max() < max(5 / np.sqrt(n), 1e-15 / error.min())

    @each_case("a", [1e6, 1e7, 1e8])
    @each_case("ratio", [0.1, 1.0, 30.0])
    def test_the_expansion_meets_the_inverse(self, a: float, ratio: float) -> None:
        spread = beta(a, ratio * a).std()
        for p in (0.005, 0.3, 0.5, 0.975):
            gap = abs(_expansion(a, ratio * a, p) - beta_quantile(a, ratio * a, p)) / spread
            assert gap < 4 / (min(1, ratio) * a) + 1e-15 * a

    def test_wald_does_not(self) -> None:
        assert self.coverage(20, "wald").mean() < 0.87


class TestMeasuresAreProportions:
    @each_case("name", PLAIN)
    def test_the_ratio_is_the_measure(self, name: str) -> None:
        rng = np.random.default_rng(4)
        for cells in rng.integers(1, 50, (40, 4)):
            counts, parts = rs.Confusion(*cells.tolist()), (PROPORTIONS[name].hits, PROPORTIONS[name].among)
            hits, total = (sum(getattr(counts, cell) for cell in part) for part in parts)
            assert getattr(counts, name) == hits / total == measure_interval(name, counts).estimate

    def test_measures_that_could_be_in_the_table_are(self) -> None:
        """A share of rows among rows is binomial: search all numerators inside all denominators."""
        rng = np.random.default_rng(5)
        tables = [rs.Confusion(*row.tolist()) for row in rng.integers(1, 50, (12, 4))]
        cells = ("tp", "fp", "fn", "tn")
        subsets = [[cell for bit, cell in enumerate(cells) if code >> bit & 1] for code in range(1, 16)]
        found = set()
        for name in THRESHOLD_MEASURES:
            for whole in subsets:
                for part in (subset for subset in subsets if set(subset) < set(whole)):
                    values = [sum(getattr(t, c) for c in part) / sum(getattr(t, c) for c in whole) for t in tables]
                    if np.allclose(values, [getattr(t, name) for t in tables]):
                        found.add(name)
        assert found == set(PLAIN)

    @pytest.mark.parametrize("method", METHODS)
    def test_f1_is_a_function_of_jaccard(self, method: str) -> None:
        f1, jaccard = (measure_interval(name, TABLE, method=method) for name in ("f1", "jaccard"))
        assert f1.estimate == pytest.approx(2 * jaccard.estimate / (1 + jaccard.estimate), rel=1e-14)
        assert [*f1] == pytest.approx([2 * end / (1 + end) for end in jaccard], rel=1e-14)
        assert f1.se == pytest.approx(measure_interval("f1", TABLE, method="delta").se, rel=1e-9)

    def test_base_rate_is_the_larger_share(self) -> None:
        assert [*measure_interval("base_rate", rs.Confusion(70, 9, 10, 11))] == [
            *measure_interval("prevalence", rs.Confusion(70, 9, 10, 11))
        ]
        swapped = measure_interval("base_rate", rs.Confusion(11, 10, 9, 70))
        assert [*swapped] == pytest.approx([*measure_interval("base_rate", rs.Confusion(70, 9, 10, 11))], rel=1e-12)
        even = measure_interval("base_rate", rs.Confusion(25, 25, 25, 25))
        assert even.low == even.estimate == 0.5
        assert even.high == measure_interval("prevalence", rs.Confusion(25, 25, 25, 25)).high


class TestEveryMeasure:
    def test_gets_an_interval(self) -> None:
        found = measure_intervals(TABLE)
        assert list(found) == THRESHOLD_MEASURES
        for name, interval in found.items():
            low, high = rs.get_measure(name).sheet.bounds
            assert low <= interval.low < interval.estimate < interval.high <= high, name
            assert interval.estimate == getattr(TABLE, name)
            assert (interval.n_pos, interval.n_neg) == (41, 72)
            assert interval.method == ("wilson" if name in PROPORTIONS else PARTS[name].method)
            assert not interval.warnings

    @pytest.mark.parametrize("cells", [(5, 0, 0, 7), (0, 3, 4, 0), (1, 1, 1, 1), (0, 0, 3, 9), (4, 0, 0, 0)])
    def test_few_rows_are_said_to_be_few(self, cells: tuple[int, ...]) -> None:
        for name, found in measure_intervals(rs.Confusion(*cells)).items():
            if math.isnan(found.estimate):
                assert np.isnan([*found]).all(), name
            else:
                assert found.low <= found.estimate <= found.high, name
                assert found.low < found.high, name
            assert found.warnings or name in ("prevalence", "base_rate"), name

    def test_no_rows_at_all(self) -> None:
        for found in measure_intervals(rs.Confusion(0, 0, 0, 0)).values():
            assert math.isnan(found.low)
            assert found.warnings

    @pytest.mark.parametrize("name", [name for name in THRESHOLD_MEASURES if name not in PROPORTIONS])
    def test_coverage_over_simulated_tables(self, name: str) -> None:
        """113 rows as in the example; a standard error of 0.006 in 1500 draws."""
        rng = np.random.default_rng(9)
        cells = np.array([26, 14, 15, 58])
        truth = getattr(TABLE, name)
        drawn = rng.multinomial(113, cells / 113, size=1500)
        ends = np.array([[*measure_interval(name, rs.Confusion(*row.tolist()))] for row in drawn])
        covered = ((ends[:, 0] <= truth) & (truth <= ends[:, 1])).mean()
        assert covered == pytest.approx(0.95, abs=0.025)

    @each_case("name", THRESHOLD_MEASURES)
    def test_repeating_all_rows_shrinks_the_delta_interval(self, name: str) -> None:
        once = measure_interval(name, TABLE, method="delta")
        often = measure_interval(name, rs.Confusion(2600, 1400, 1500, 5800), method="delta")
        assert often.se == pytest.approx(once.se / 10, rel=1e-9)


class TestDelta:
    """Textbook standard errors."""

    def test_logarithms_of_ratios(self) -> None:
        c = TABLE
        p, n = c.tp + c.fn, c.fp + c.tn
        variances = {
            "diagnostic_odds_ratio": 1 / c.tp + 1 / c.fp + 1 / c.fn + 1 / c.tn,
            "positive_likelihood_ratio": 1 / c.tp - 1 / p + 1 / c.fp - 1 / n,
            "negative_likelihood_ratio": 1 / c.fn - 1 / p + 1 / c.tn - 1 / n,
        }
        for name, variance in variances.items():
            found = measure_interval(name, c, method="delta")
            reach = math.exp(1.959963984540054 * math.sqrt(variance))
            assert [*found] == pytest.approx([found.estimate / reach, found.estimate * reach], rel=1e-10)

    def test_a_share(self) -> None:
        for name in ("recall", "specificity", "accuracy", "precision", "prevalence"):
            found = measure_interval(name, TABLE, method="delta")
            assert [*found] == pytest.approx([*measure_interval(name, TABLE, method="wald")], rel=1e-10)

    def test_sum_of_two_independent_shares(self) -> None:
        variance = TABLE.recall * (1 - TABLE.recall) / 41 + TABLE.specificity * (1 - TABLE.specificity) / 72
        assert measure_interval("youden_j", TABLE).se == pytest.approx(math.sqrt(variance), rel=1e-10)
        assert measure_interval("balanced_accuracy", TABLE).se == pytest.approx(math.sqrt(variance) / 2, rel=1e-10)

    def test_kappa(self) -> None:
        """Fleiss, Cohen and Everitt 1969, two categories."""
        c, n = TABLE, 113
        cells = np.array([[c.tp, c.fp], [c.fn, c.tn]]) / n
        rows, columns, observed = cells.sum(axis=1), cells.sum(axis=0), np.trace(cells)
        expected = rows @ columns
        kappa = (observed - expected) / (1 - expected)
        both = columns[:, None] + rows[None, :]
        a = sum(cells[i, i] * (1 - (rows[i] + columns[i]) * (1 - kappa)) ** 2 for i in range(2))
        b = (1 - kappa) ** 2 * (cells[0, 1] * both[0, 1] ** 2 + cells[1, 0] * both[1, 0] ** 2)
        variance = (a + b - (kappa - expected * (1 - kappa)) ** 2) / (n * (1 - expected) ** 2)
        assert measure_interval("cohen_kappa", c).se == pytest.approx(math.sqrt(variance), rel=1e-10)

    @each_case("name", [name for name in THRESHOLD_MEASURES if name not in PROPORTIONS])
    def test_spread_over_simulated_tables(self, name: str) -> None:
        rng = np.random.default_rng(8)
        cells = np.array([520, 280, 300, 1160])
        drawn = rng.multinomial(cells.sum(), cells / cells.sum(), size=20_000)
        values = getattr(rs.Confusion(*drawn.T.astype(float)), name)
        se = measure_interval(name, rs.Confusion(*cells.tolist())).se
        assert np.std(values) == pytest.approx(se, rel=0.03)

    def test_jackknife_agrees_where_it_exists(self) -> None:
        """Leaving out one row changes one cell by one: four values, weighted by the counts."""
        cells = np.array([520, 280, 300, 1160])
        for name in ("mcc", "g_mean", "markedness", "cohen_kappa"):
            left = [getattr(rs.Confusion(*(cells - row).tolist()), name) for row in np.eye(4, dtype=int)]
            n = cells.sum()
            mean = cells @ left / n
            jackknife = math.sqrt((n - 1) / n * (cells @ (left - mean) ** 2))
            se = measure_interval(name, rs.Confusion(*cells.tolist())).se
            assert se == pytest.approx(jackknife, rel=2e-3)

    def test_parameters_reach_the_measure(self) -> None:
        assert measure_interval("f_beta", TABLE, beta=2).estimate == rs.f_beta(TABLE, beta=2)


class TestDoors:
    Y, SCORE = (1, 1, 0, 0, 1, 0), (0.9, 0.4, 0.6, 0.1, 0.7, 0.2)

    def test_rows_ranked_and_counts_agree(self) -> None:
        ranked = rs.rank(self.Y, self.SCORE)
        found = [
            measure_interval("f1", self.Y, self.SCORE, threshold=0.5),
            measure_interval("f1", ranked, threshold=0.5),
            measure_interval("f1", rs.confusion(ranked, threshold=0.5)),
        ]
        assert len({(item.low, item.high) for item in found}) == 1
        assert found[0].origin.n_rows == 6

    def test_weights_are_remarked_on(self) -> None:
        weights = [1.5, 2.5, 1, 1, 1, 1]
        found = measure_interval("recall", self.Y, self.SCORE, threshold=0.5, sample_weight=weights)
        assert found.estimate == pytest.approx(0.5)
        assert found.warnings[0] == ASSUMED
        assert found.method == "wilson, by weight"

    def test_refusals(self) -> None:
        with pytest.raises(rs.ArgumentError, match="counts at one threshold do not tell"):
            measure_interval("auc", TABLE)
        with pytest.raises(rs.ArgumentError, match="auc has no threshold"):
            measure_interval("auc", self.Y, self.SCORE, threshold=0.5)
        with pytest.raises(rs.ArgumentError, match=r"is neither: leave it out, or use rs.bootstrap_interval\(\)"):
            measure_interval("average_precision", self.Y, self.SCORE, method="wilson")
        with pytest.raises(TypeError, match=r"no option 'conf_level'; did you mean level=\?"):
            measure_interval("average_precision", self.Y, self.SCORE, conf_level=0.9)
        with pytest.raises(rs.ArgumentError, match="one threshold"):
            measure_interval("recall", self.Y, self.SCORE, threshold=[0.1, 0.2])
        with pytest.raises(rs.ArgumentError, match="method"):
            measure_interval("mcc", TABLE, method="wilson")
        with pytest.raises(rs.ArgumentError, match="alone"):
            measure_interval("f1", TABLE, threshold=0.5)


class TestAnyMeasure:
    """A measure without a threshold has the interval that an evaluation gives it."""

    NAMES = ("auc", "gini", "average_precision", "ks_statistic", "partial_auc(fpr_range=(0, 0.2))")

    @pytest.mark.parametrize("how", [{}, {"cluster": np.arange(90) // 2}, {"sample_weight": 1 + np.arange(90) % 3}])
    def test_it_is_that_of_an_evaluation(self, how: dict[str, Any]) -> None:
        rng = np.random.default_rng(5)
        y = rng.integers(0, 2, 90)
        score = 3 * y + 2 * rng.normal(size=90) - 7  # far from [0, 1]
        known = rs.evaluate(y, score, measures=list(self.NAMES), intervals=True, n_resamples=100, **how)
        for name in self.NAMES:
            found = measure_interval(name, y, score, n_resamples=100, **how)
            assert (found.estimate, *found) == (known["score"].values["score"][name], *known.intervals["score"][name])

    def test_a_method_is_that_of_areas(self) -> None:
        y, score = [1, 0, 1, 0, 1, 1, 0], [0.9, 0.4, 0.6, 0.5, 0.3, 0.8, 0.1]
        assert [*measure_interval("auc", y, score, method="delong")] == [*rs.auc_interval(y, score, method="delong")]

    def test_without_a_value_there_is_a_reason(self) -> None:
        found = measure_interval("average_precision", [0, 0, 0], [0.1, 0.2, 0.4], pos_label=1)
        assert math.isnan(found.low)
        assert found.warnings
