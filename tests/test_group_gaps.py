"""Gaps between groups: values, gaps, tests, and a largest gap whose interval holds where groups are alike."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2_contingency, hypergeom

import rocsteady as rs
from rocsteady._src.evaluation.groups.gaps import largest_gap_ends, shares_of


@pytest.fixture(scope="module")
def rows() -> Any:
    rng = np.random.default_rng(5)
    y = rng.random(300) < 0.5
    group = rng.choice(["x", "y", "z"], 300)
    score = 1 / (1 + np.exp(-(2 * y - 1 + rng.normal(size=300) - 2 * (group == "z"))))
    return y, score, group


@pytest.fixture(scope="module")
def judged(rows: Any) -> Any:
    y, score, group = rows
    return rs.evaluate(y, score, by=group, measures=["auc"])


def test_values_and_gaps_are_those_of_the_counts(rows: Any, judged: Any) -> None:
    y, score, group = rows
    found = judged.gaps("recall", threshold=0.5, reference="x").found[0]
    called = score >= 0.5
    hits = {g: (called & y)[group == g].sum() for g in "xyz"}
    among = {g: y[group == g].sum() for g in "xyz"}
    for each in found.groups:
        assert each.estimate == pytest.approx(hits[each.group] / among[each.group])
        assert (each.low, each.high) == pytest.approx(
            tuple(rs.inference.proportion_interval(int(hits[each.group]), int(among[each.group])))
        )
    z = found.groups[2]
    assert z.gap == pytest.approx(hits["z"] / among["z"] - hits["x"] / among["x"])
    same = hypergeom(among["z"] + among["x"], hits["z"] + hits["x"], among["z"])
    tails = [same.cdf(hits["z"]), same.sf(hits["z"] - 1)]
    assert z.pvalue == pytest.approx(2 * (min(tails) - same.pmf(hits["z"]) / 2), rel=1e-9)
    assert z.gap_low < z.gap < z.gap_high < 0
    whole = [hits[g] for g in "xyz"], [among[g] - hits[g] for g in "xyz"]
    assert (found.statistic, found.pvalue) == pytest.approx(chi2_contingency(whole, correction=False)[:2])
    assert math.isnan(found.groups[0].gap)
    assert (found.largest.lowest, found.pvalue < 0.001, found.largest.low > 0) == ("z", True, True)


def test_the_rest_is_all_other_rows(rows: Any, judged: Any) -> None:
    y, score, group = rows
    found = judged.gaps("precision", threshold=0.5).found[0].groups[2]
    called, rest = score >= 0.5, group != "z"
    assert found.gap == pytest.approx(y[called & ~rest].mean() - y[called & rest].mean())


def test_names_of_fairness_and_both_odds(judged: Any) -> None:
    assert judged.gaps("equal_opportunity", threshold=0.5).found == judged.gaps("recall", threshold=0.5).found
    both = judged.gaps("equalized_odds", threshold=0.5)
    assert [each.measure for each in both.found] == ["recall", "false_positive_rate"]
    assert both.pvalue["score"] == pytest.approx(2 * min(each.pvalue for each in both.found))
    assert judged.gaps("demographic_parity", threshold=0.5).found[0].measure == "selection_rate"
    one = judged.gaps("recall", threshold=0.5).found[0].largest
    assert both.found[0].largest.high > one.high  # either may be the largest


def test_probabilities_and_other_measures(rows: Any, judged: Any) -> None:
    y, score, group = rows
    found = judged.gaps("brier_score").found[0].groups[2]
    assert found.estimate == pytest.approx(((score - y)[group == "z"] ** 2).mean())
    large = judged.gaps("calibration_in_the_large").found[0].groups[2]
    part = group == "z"
    assert large.estimate == pytest.approx(rs.calibration_summary(y[part], score[part]).in_the_large.estimate)
    assert math.isfinite(judged.gaps("auc").found[0].pvalue)
    assert math.isfinite(judged.gaps("f1", threshold=0.5).found[0].groups[0].gap)


def test_two_columns_of_groups_and_the_threshold_of_the_evaluation(rows: Any) -> None:
    y, score, group = rows
    sex = np.where(np.arange(300) % 2 == 0, "m", "f")
    judged = rs.evaluate(y, score, by=[group, sex], measures=["recall"], threshold=0.4)
    found = judged.gaps("recall")
    assert len(found.found[0].groups) == 6
    assert found.found[0].threshold == 0.4
    assert found.to_frame().shape[0] == 6
    assert "largest gap" in str(found)
    assert found.to_dict()["found"][0]["df"] == 5


def test_subjects_count_once() -> None:
    rng = np.random.default_rng(6)
    y, score, group = rng.random(120) < 0.5, rng.random(120), np.repeat(["x", "y"], 60)
    twice = [np.repeat(each, 2) for each in (y, score, group)]
    once = rs.evaluate(y, score, by=group, measures=["auc"]).gaps("recall", threshold=0.5).found[0]
    subjects = rs.evaluate(*twice[:2], by=twice[2], cluster=np.repeat(np.arange(120), 2), measures=["auc"])
    again = subjects.gaps("recall", threshold=0.5).found[0]
    assert again.groups[0].estimate == pytest.approx(once.groups[0].estimate)
    assert again.pvalue == pytest.approx(once.pvalue, rel=0.1)


def test_what_cannot_be_had_is_refused(judged: Any) -> None:
    with pytest.raises(rs.errors.ArgumentError, match="a threshold is needed for"):
        judged.gaps("recall")
    with pytest.raises(rs.errors.ArgumentError, match="there is no group 'q'"):
        judged.gaps("recall", threshold=0.5, reference="q")


def test_the_largest_gap_holds_its_level_where_groups_are_alike() -> None:
    rng = np.random.default_rng(19)
    held = bootstrapped = 0
    for _ in range(200):
        hits = rng.binomial(40, 0.7, size=4)
        known = shares_of(np.column_stack([hits, np.full(4, 40)]).astype(float), 0.95)
        held += largest_gap_ends(known.centre, known.joint_se, 0.95)[0] == 0
        bootstrapped += np.quantile(np.ptp(rng.binomial(40, hits / 40, size=(99, 4)), axis=1), 0.025) <= 0
    assert held >= 180
    assert bootstrapped < 20


def test_a_list_of_measures_is_what_their_family_is() -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 300)
    result: Any = rs.evaluate(y, y + rng.normal(size=300), by=np.arange(300) % 3, measures=["auc"])
    both = result.gaps(["recall", "false_positive_rate", "recall"], threshold=0.5)
    family = result.gaps("equalized_odds", threshold=0.5).to_dict()
    assert both.to_dict() == family | {"measure": "recall, false_positive_rate"}
    for odd in (3, [], ["recall", 3]):
        with pytest.raises(rs.ArgumentError, match="measure must be a name such as 'recall'"):
            result.gaps(odd)
