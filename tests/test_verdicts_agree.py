"""No verdict without a small adjusted p and an interval without 0; no needed difference below the observed one."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from benchmarks import familywise, share_gap_coverage
from benchmarks.readers_size import Setting, analyzed
from benchmarks.subgroup_size import Groups
from scipy import stats

import rocsteady as rs
from rocsteady._src.evaluation.groups.gaps import Known, _gaps, homogeneity, shares_of
from rocsteady._src.inference.comparison.multiplicity import adjust_pvalues
from rocsteady._src.inference.comparison.needed import needed_difference, smallest_pvalue, step_level
from rocsteady._src.inference.comparison.verdict import verdict
from rocsteady._src.inference.intervals.two_shares import ShareDifference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocsteady.results import Comparison

BETTER = re.compile(r"^(\w+) (?:ranks|is) better than (\w+): ")
NEEDED = re.compile(r"^(\w+) and (\w+) cannot be told apart with .*; a difference of ([\d.e-]+) would be needed")
MEASURES: tuple[dict[str, Any], ...] = (
    {},
    {"intervals": "simultaneous"},
    {"method": "permutation", "n_resamples": 200},
    {"method": "bootstrap", "n_resamples": 100},
    {"measure": "recall", "threshold": 0.3, "method": "mcnemar-exact"},
    {"measure": "accuracy", "threshold": 0.3, "method": "mcnemar-mid-p"},
    {"measure": "recall", "threshold": 0.3, "n_resamples": 100},
    {"measure": "brier_score"},
)


def checked(found: Comparison) -> tuple[int, int]:
    """How many verdicts and needed differences a comparison has, each as it should be."""
    alpha, verdicts, needed = 1 - found.level, 0, 0
    pairs = {frozenset((pair.first, pair.second)): pair for pair in found.pairs}
    for line in found.verdict:
        if named := BETTER.match(line):
            pair = pairs[frozenset(named.groups())]
            assert pair.p_holm < alpha, line
            assert not pair.test.low <= 0 <= pair.test.high, line
            verdicts += 1
        if asked := NEEDED.match(line):
            test = pairs[frozenset(asked.groups()[:2])].test
            assert float(asked[3]) > abs(test.estimate), line
            assert float(asked[3]) <= 1, line
            assert smallest_pvalue(test) <= alpha, line
            needed += 1
    if " ahead of all others" in found.verdict[0]:
        best = found.verdict[0].split()[0]
        met = [pair for pair in found.pairs if best in (pair.first, pair.second)]
        assert all(pair.p_holm < alpha and not pair.test.low <= 0 <= pair.test.high for pair in met)
    return verdicts, needed


def tables(n: int) -> Iterator[tuple[Any, dict[str, Any], np.random.Generator]]:
    """Small tables of two to four models, with and without ties."""
    for seed in range(n):
        rng = np.random.default_rng(seed)
        size = int(rng.integers(4, 80))
        y = np.r_[0, 1, rng.random(size - 2) < rng.choice([0.2, 0.5])].astype(int)
        scores = {}
        for model in "abcd"[: rng.integers(2, 5)]:
            noise = rng.normal(size=size) * rng.choice([0.3, 1.0, 3.0])
            scores[model] = np.round(1 / (1 + np.exp(-(2 * y - 1 + noise))), int(rng.choice([1, 2, 9])))
        yield y, scores, rng


@pytest.mark.filterwarnings("ignore")
def test_verdicts_of_models_need_p_and_interval() -> None:
    counted = np.zeros(2, dtype=int)
    for y, scores, rng in tables(160):
        how = MEASURES[int(rng.integers(len(MEASURES)))]
        counted += checked(rs.compare_models(y, scores, random_state=1, **how))
    assert counted.min() >= 20


@pytest.mark.filterwarnings("ignore")
def test_verdicts_of_groups_and_folds_need_p_and_interval() -> None:
    counted = np.zeros(2, dtype=int)
    for y, scores, rng in tables(40):
        part = rng.integers(0, 3, y.size)
        if min(np.bincount(part, y, 3).min(), np.bincount(part, 1 - y, 3).min()) < 1:
            continue
        of_groups = rs.evaluate(y, scores, by=part, measures=["auc"], intervals=False).compare()
        pvalues = [pair.test.pvalue for pair in of_groups.pairs]
        assert [pair.p_holm for pair in of_groups.pairs] == adjust_pvalues(pvalues).tolist()
        found = [*of_groups.groups.values(), rs.evaluate(y, scores, fold=part, measures=["auc"]).compare()]
        counted += np.sum([checked(each) for each in found], axis=0)
    assert counted.min() >= 5


def test_groups_of_classes_and_of_predicted_classes_are_adjusted_over_groups() -> None:
    rng = np.random.default_rng(2)
    y, site = np.tile(["ant", "bee", "cat"], 40), np.repeat(["north", "south", "west"], 40)
    of_classes = {}
    for model in ("a", "b"):
        p = rng.random((120, 3)) + 2 * (y[:, None] == np.array(["ant", "bee", "cat"])) * rng.random((120, 1))
        of_classes[model] = p / p.sum(axis=1, keepdims=True)
    called = {model: np.where(rng.random(120) < 0.6, y, "ant") for model in ("a", "b")}
    results: Any = (rs.evaluate(y, of_classes, classes=["ant", "bee", "cat"], by=site), rs.evaluate(y, called, by=site))
    for result in results:
        found = result.compare()
        pvalues = [pair.test.pvalue for pair in found.pairs]
        assert len(pvalues) == 3
        assert [pair.p_holm for pair in found.pairs] == adjust_pvalues(pvalues).tolist()
        assert "adjusted p is Holm's over the 3 comparisons of all groups" in str(found)


def test_a_small_p_beside_an_interval_with_0_is_no_verdict() -> None:
    y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    found = rs.compare_models(y, {"boosted": s, "logistic": t})
    assert found.verdict[0].startswith("boosted ranks better")
    (pair,) = found.pairs
    unsure = replace(pair, test=replace(pair.test, low=-0.01))
    (line,) = verdict([unsure], found.estimates, level=0.95, n_rows=200)
    assert line.startswith("boosted and logistic cannot be told apart with 200 rows (p < 0.001, but the interval ")


def test_needed_differences_use_the_level_of_holm_and_students_t() -> None:
    y, s, t = (rs.examples.loans(200)[name][:40] for name in ("defaulted", "boosted", "logistic"))
    test = rs.compare_auc(y, s, t, method="delong-t")
    reach, more = (stats.t.ppf(share, test.df) for share in (1 - 0.05 / 3 / 2, 0.8))
    alpha = step_level([0.01, 0.2, 0.3, 0.3], 0.05)
    assert alpha == pytest.approx(0.05 / 3)
    critical = max(reach * test.se, test.estimate)
    assert needed_difference(test, alpha) == pytest.approx(critical + more * max(test.se, critical / reach))


def test_nothing_is_needed_where_no_result_reaches_the_level() -> None:
    rng = np.random.default_rng(3)
    right, cluster = rng.random((2, 100)) < 0.6, np.arange(100) // 20
    few: Any = rs.compare_outcomes(*right, cluster=cluster)
    assert smallest_pvalue(few) == pytest.approx(2 / 2**5)
    assert np.isnan(few.detectable)
    assert "4 times in 5" not in str(few)
    many: Any = rs.compare_outcomes(*right, cluster=np.arange(100) // 10)
    assert many.detectable > abs(many.estimate)
    for n in (30, 170, 1000):  # one row of n differs: the exact test rejects from 6 such rows on
        one: Any = rs.compare_outcomes(np.arange(n) < 9, np.arange(n) < 10)
        assert needed_difference(one, 0.05) == pytest.approx(one.detectable)
        assert stats.binom.sf(5, n, one.detectable) == pytest.approx(0.8, abs=0.05)
    for _ in range(30):
        first, second = rng.permutation(4), rng.permutation(4)
        found = rs.compare_models([1, 1, 0, 0], {"first": first, "second": second})
        assert "needed" not in found.verdict[0]


def test_a_gap_between_shares_is_tested_by_fishers_mid_p() -> None:
    for hits, n, others, m in [(3, 20, 300, 2000), (0, 10, 80, 100), (10, 10, 150, 190), (50, 100, 600, 1900)]:
        same = stats.hypergeom(n + m, hits + others, n)
        tails = np.array([same.cdf(hits), same.sf(hits - 1)]) - same.pmf(hits) / 2
        found = ShareDifference((hits, n), (others, m))
        assert found.pvalue == pytest.approx(2 * tails.min(), rel=1e-6)
        low, high = found.ends(0.95)
        assert low <= found.estimate <= high
        assert (found.pvalue < 0.05) == (not low <= 0 <= high)


def test_intervals_of_gaps_between_shares_hold() -> None:
    lines = share_gap_coverage.read()
    assert len(lines) == len(share_gap_coverage.SIZES) * len(share_gap_coverage.SHARES)
    for line in lines:
        assert float(line["coverage"]) >= 0.93, line
        assert float(line["false_rate"] or 0) <= 0.065, line
    ends = np.array([[ShareDifference((h, 10), (k, 10)).ends(0.95) for k in range(11)] for h in range(11)])
    chance = np.outer(stats.binom.pmf(range(11), 10, 0.8), stats.binom.pmf(range(11), 10, 0.8))
    held = (ends[..., 0] <= 0) & (ends[..., 1] >= 0)
    assert (chance * held).sum() == pytest.approx(float(lines[1]["coverage"]), abs=2e-4)


def test_two_groups_have_one_gap_and_one_verdict() -> None:
    for hits in ([9.0, 4.0], [9.0, 8.0]):
        known = shares_of(np.array([[hits[0], 10.0], [hits[1], 10.0]]), 0.95)
        gaps = _gaps(known, ["x", "y"], None, 0.95)
        assert [each.p_holm for each in gaps] == [each.pvalue for each in gaps]
        assert gaps[0].pvalue == pytest.approx(gaps[1].pvalue)
        assert homogeneity(known, gaps)[1] == gaps[0].pvalue
        assert (gaps[0].gap_low, gaps[0].gap_high) == pytest.approx((-gaps[1].gap_high, -gaps[1].gap_low), abs=1e-5)
    rng = np.random.default_rng(8)
    y = rng.random(120) < 0.4
    found = rs.evaluate(y, y + rng.normal(size=120), by=np.arange(120) % 2, measures=["auc"])
    gaps_of_auc = found.gaps("auc").found[0]
    one, other = found.differences
    test = found.tests["score"]
    assert one.pvalue == one.pvalue_adjusted == pytest.approx(other.pvalue, rel=1e-9)
    assert test.pvalue == pytest.approx(one.pvalue, rel=1e-9)
    assert gaps_of_auc.pvalue == pytest.approx(one.pvalue, rel=1e-9)
    assert gaps_of_auc.groups[0].p_holm == pytest.approx(one.pvalue, rel=1e-9)
    assert max(abs(test.low), abs(test.high)) == pytest.approx(gaps_of_auc.largest.high, rel=1e-6)


def test_gaps_of_areas_are_the_differences_that_the_benchmark_counts() -> None:
    rng = np.random.default_rng(4)
    pos, neg = 1 + rng.normal(size=(1, 4, 10)), rng.normal(size=(1, 4, 40))
    expected = [Groups.of(pos, neg).against_others(group)[0][0] for group in range(4)]
    scores = np.concatenate([pos[0], neg[0]], axis=1).ravel()
    y, site = np.tile(np.repeat([1, 0], [10, 40]), 4), np.repeat(np.arange(4), 50)
    found = rs.evaluate(y, scores, by=site, measures=["auc"]).gaps("auc").found[0]
    assert [each.pvalue for each in found.groups] == pytest.approx(expected, rel=1e-8)
    assert isinstance(shares_of(np.array([[1.0, 2.0]]), 0.95), Known)


def test_size_over_many_groups_pairs_and_readers_holds_or_is_told() -> None:
    lines = familywise.read()
    assert {line["subject"] for line in lines} == set(familywise.SUBJECTS)
    assert {int(line["families"]) for line in lines if line["subject"] != "readers"} == set(familywise.GROUPS)
    assert {int(line["families"]) for line in lines if line["subject"] == "readers"} == {2, 3, 4, 5}
    for line in lines:
        assert float(line["false_rate"]) <= 0.065 or line["remark"], line


def test_the_remark_of_the_table_is_given() -> None:
    rng = np.random.default_rng(5)
    y, site = np.tile([1, 0], 60), np.repeat(["north", "south"], 60)
    scores = {model: y + rng.normal(size=120) for model in ("a", "b")}
    result: Any = rs.evaluate(y, scores, by=site, measures=["auc"], intervals=False)
    found = result.compare(measure="recall", threshold=0.5, n_resamples=100)
    assert [remark.code for remark in found.warnings] == ["resampled_groups"]
    assert "adjusted over 2 comparisons" in str(found)
    for group, pair in zip(("north", "south"), found.pairs, strict=True):  # the table counts by a closed form
        called = np.array([np.asarray(scores[model])[(site == group) & (y == 1)] >= 0.5 for model in ("a", "b")])
        apart = called[0].astype(float) - called[1]
        assert pair.test.se == pytest.approx(apart.std() / np.sqrt(apart.size), rel=0.3)
    assert result.compare().warnings == ()
    assert result.compare(measure="recall", threshold=0.5, method="mcnemar-exact").warnings == ()


def test_pairs_of_modalities_are_adjusted() -> None:
    rng = np.random.default_rng(6)
    table = Setting(5, 25, 25, 0.85, modalities=4).drawn(rng)
    study = analyzed(table)
    for population, expected in familywise.pair_pvalues(table, 4, 5).items():
        found = [test.pvalue for test in getattr(study, population).differences.values()]
        assert found == pytest.approx(expected, rel=1e-8)  # so that the benchmark counts what the library finds
    for analysis in study.analyses:
        pvalues = [test.pvalue for test in analysis.differences.values()]
        assert list(analysis.p_holm.values()) == adjust_pvalues(pvalues).tolist()
        shown = [pair for pair in analysis.differences if analysis.shown(pair)]
        assert all(analysis.p_holm[pair] < 0.05 for pair in shown)
    assert "p (Holm)" in str(study)


def test_rows_that_would_decide_between_perfect_models_do_not_depend_on_the_rows_at_hand() -> None:
    """Such bounds shrink with the number of rows, not with its root: no 22,851 times as many rows are asked for."""
    rng, needed = np.random.default_rng(0), []
    for n in (40, 100, 400):
        y = np.arange(n) % 2
        needed.append(rs.gate(y, y + 0.3 * rng.random(n), y + 0.3 * rng.random(n), margin=0.01).rows_needed)
    assert needed == pytest.approx([600, 600, 600], rel=0.1)


def test_intervals_of_compared_models_of_subjects_are_those_of_each_model_alone() -> None:
    rng = np.random.default_rng(7)
    y, subject = rng.random(90) < 0.4, np.repeat(np.arange(30), 3)
    scores = {"a": np.round(y + 0.3 * rng.normal(size=90), 1), "b": y + 0.3 * rng.normal(size=90)}
    found = rs.compare_models(y, scores, cluster=subject)
    for model, score in scores.items():
        alone = rs.auc_interval(y, score, cluster=subject)
        assert tuple(found.estimates[model]) == tuple(alone)
