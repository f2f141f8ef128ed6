"""Groups of rows: values as of the group alone, tests against textbook formulas, subjects in several groups."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from benchmarks import subgroup_size
from scipy import stats

import rocsteady as rs
from rocsteady._src.evaluation.groups import GroupedEvaluation, evaluate_groups
from rocsteady._src.evaluation.groups.areas import group_areas
from rocsteady._src.inference.comparison.score import ScoreDifference
from rocsteady._src.ranked import read_rows

MODELS = ("a", "b")


def drawn(seed: int = 0, n: int = 600, gaps: tuple[float, ...] = (1.5, 1.5, 0.3)) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    site = rng.integers(0, len(gaps), n)
    y = rng.random(n) < 0.4
    return {
        "y": y,
        "a": (rng.normal(size=n) + y * np.array(gaps)[site]).round(1),
        "b": rng.normal(size=n) + y,
        "site": np.array(["east", "mid", "west"])[site],
        "patient": np.arange(n) // 2,
    }


def judged(table: dict[str, np.ndarray], **options: object) -> GroupedEvaluation:
    cluster = options.get("cluster")
    rows = read_rows(table, label="y", scores=MODELS, id=cluster, also=["site"])
    options = {"measures": ["auc"], **options}
    return evaluate_groups(rows, "site", **options)


def part(table: dict[str, np.ndarray], group: str) -> dict[str, np.ndarray]:
    return {name: values[table["site"] == group] for name, values in table.items()}


def test_a_group_is_what_its_rows_are_by_themselves() -> None:
    table = drawn()
    found = judged(table)
    assert list(found) == ["east", "mid", "west"]
    assert len(found) == 3
    for group in found:
        alone = part(table, group)
        for model in MODELS:
            interval = rs.auc_interval(alone["y"], alone[model])
            own = found[group].intervals[model]["auc"]
            assert (own.estimate, own.low, own.high) == (interval.estimate, interval.low, interval.high)
    assert found.overall.values["a"]["auc"] == rs.auc(table["y"], table["a"])


def test_heterogeneity_is_cochrans_q_of_log_odds() -> None:
    table = drawn(1)
    found = judged(table)
    for model in MODELS:
        each = [rs.auc_interval(part(table, g)["y"], part(table, g)[model]) for g in found]
        auc, se = np.array([e.estimate for e in each]), np.array([e.se for e in each])
        value, weight = np.log(auc / (1 - auc)), (auc * (1 - auc) / se) ** 2
        q = float(weight @ (value - weight @ value / weight.sum()) ** 2)
        test = found.tests[model]
        assert test.statistic == pytest.approx(q, rel=1e-10)
        free = [freedom(part(table, g)["y"], part(table, g)[model]) for g in found]
        assert test.pvalue == pytest.approx(welch(value, 1 / weight, free), rel=1e-9)
        assert test.pvalue > stats.chi2.sf(q, 2)
        assert test.df == 2
    differences = [rs.compare_auc(part(table, g)["y"], part(table, g)["a"], part(table, g)["b"]) for g in found]
    value, weight = np.array([e.estimate for e in differences]), np.array([1 / e.se**2 for e in differences])
    q = float(weight @ (value - weight @ value / weight.sum()) ** 2)
    assert found.interactions["a", "b"].statistic == pytest.approx(q, rel=1e-10)


def pulls(y: Any, scores: Any) -> Any:
    """What each row adds to the AUC, from all pairs."""
    wins = np.sign(scores[y][:, None] - scores[~y]) / 2 + 0.5
    return np.concatenate([(wins.mean(axis=axis) - wins.mean()) / len(wins.mean(axis=axis)) for axis in (1, 0)])


def freedom(y: Any, scores: Any) -> float:
    """2 over how much more the squares vary than if all were equal."""
    squares = pulls(y, scores) ** 2
    return float(2 / (squares @ squares / squares.sum() ** 2 - 1 / y.size))


def welch(values: Any, variances: Any, free: Any) -> float:
    """Welch 1951, as his paper writes it."""
    k, w = len(values), 1 / np.asarray(variances)
    mean, unsure = w @ values / w.sum(), ((1 - w / w.sum()) ** 2 / np.asarray(free)).sum()
    ratio = (w @ (values - mean) ** 2 / (k - 1)) / (1 + 2 * (k - 2) / (k**2 - 1) * unsure)
    return float(stats.f.sf(ratio, k - 1, (k**2 - 1) / (3 * unsure)))


def test_each_group_against_the_pairs_of_the_others() -> None:
    table = drawn(2)
    found = judged(table)
    each = {g: rs.auc_interval(part(table, g)["y"], part(table, g)["a"]) for g in found}
    pairs = {g: part(table, g)["y"].sum() * (~part(table, g)["y"]).sum() for g in found}
    for line in found.differences:
        if line.model != "a":
            continue
        others = [g for g in found if g != line.group]
        share = np.array([pairs[g] for g in others]) / sum(pairs[g] for g in others)
        mean = share @ [each[g].estimate for g in others]
        se = math.sqrt(each[line.group].se ** 2 + share**2 @ [each[g].se ** 2 for g in others])
        assert line.estimate == pytest.approx(each[line.group].estimate - mean, abs=1e-12)
        parts = np.array([each[line.group].se ** 2, *share**2 * [each[g].se ** 2 for g in others]])
        free = [freedom(part(table, g)["y"], part(table, g)["a"]) for g in (line.group, *others)]
        df = parts.sum() ** 2 / (parts**2 / free).sum()
        sizes = np.array([[part(table, g)["y"].sum(), (~part(table, g)["y"]).sum()] for g in (line.group, *others)])
        joined = tuple(sizes[0]), tuple(sizes[1:].sum(axis=0))
        by_hypothesis = ScoreDifference((each[line.group].estimate, float(mean)), joined, 0.0, se, df)
        assert line.method == "score"
        assert (line.low, line.high) == pytest.approx(by_hypothesis.ends(0.95), rel=1e-9)
        assert line.pvalue == pytest.approx(2 * stats.t.sf(abs(by_hypothesis.statistic(0.0)), df), rel=1e-9)
    raw = [line.pvalue for line in found.differences if line.model == "a"]
    adjusted = [line.pvalue_adjusted for line in found.differences if line.model == "a"]
    assert adjusted == pytest.approx(rs.adjust_pvalues(raw).tolist())


def test_within_groups_counts_pairs_of_one_group() -> None:
    table = drawn(3, n=60)
    wins = pairs = 0.0
    for i in np.flatnonzero(table["y"]):
        for j in np.flatnonzero(~table["y"]):
            if table["site"][i] == table["site"][j]:
                pairs += 1
                wins += (table["a"][i] > table["a"][j]) + 0.5 * (table["a"][i] == table["a"][j])
    assert judged(table).within["a"] == pytest.approx(wins / pairs, abs=1e-14)


def test_a_score_that_only_tells_groups_apart_is_told() -> None:
    rng = np.random.default_rng(4)
    sick = np.repeat([False, True], 300)
    y = rng.random(600) < np.where(sick, 0.8, 0.2)
    table = {"y": y, "a": sick + rng.normal(size=600) * 0.1, "b": rng.normal(size=600), "site": sick.astype(str)}
    found = judged(table)
    assert found.overall.values["a"]["auc"] > 0.7
    assert found.within["a"] == pytest.approx(0.5, abs=0.06)
    assert [remark.code for remark in found.remarks if remark.model == "a"] == ["between_groups"]


def test_models_that_rank_alike_have_no_interaction() -> None:
    table = drawn(5)
    found = judged(table | {"b": table["a"] * 2 + 1})
    assert (found.interactions["a", "b"].pvalue, found.interactions["a", "b"].estimate) == (1.0, 0.0)


def test_small_one_class_and_perfect_groups_are_named() -> None:
    table = drawn(6, n=300)
    site = table["site"].astype(object)
    site[:9], site[9:15], site[15:45] = "few", "healthy", "perfect"
    table["y"][9:15] = False
    table["y"][:4] = True
    table["y"][4:9] = False
    table["a"][15:45] = table["y"][15:45] * 10.0
    found = judged(table | {"site": site})
    codes = {remark.text.split(":")[0]: remark.code for remark in found.remarks if "group " in remark.text}
    assert codes["group few"] == "small_group"
    assert codes["group healthy"] == "one_class_group"
    assert codes["group perfect"] == "untested_group"
    assert math.isnan(found["healthy"].values["a"]["auc"])
    assert found.tests["a"].df == 3  # east, mid, west and few
    assert found.tests["b"].df == 4


def test_subjects_in_several_groups_vary_together() -> None:
    """Both eyes of a patient, one in each group: the variance of the difference against a bootstrap of patients."""
    rng = np.random.default_rng(7)
    n = 150
    y = np.repeat(rng.random(n) < 0.5, 2)
    shared = np.repeat(rng.normal(size=n), 2)
    score = 0.9 * shared + 0.4 * rng.normal(size=2 * n) + y
    site, patient = np.tile(["left", "right"], n), np.repeat(np.arange(n), 2)
    table = {"y": y, "a": score, "b": rng.normal(size=2 * n), "site": site, "patient": patient}
    found = judged(table, cluster="patient")
    ignored = judged({name: values for name, values in table.items() if name != "patient"})
    replicates = []
    for _ in range(600):
        chosen = rng.integers(0, n, n)
        rows = np.stack([2 * chosen, 2 * chosen + 1], axis=1).ravel()
        one, two = (rs.auc(y[rows][side::2], score[rows][side::2]) for side in (0, 1))
        replicates.append(one - two)
    line = next(each for each in found.differences if each.group == "left")
    width = (line.high - line.low) / (2 * stats.norm.ppf(0.975))
    assert width == pytest.approx(np.std(replicates), rel=0.12)
    loose = next(each for each in ignored.differences if each.group == "left")
    assert loose.high - loose.low > 1.5 * (line.high - line.low)


def test_covariance_between_groups_is_symmetric_and_definite() -> None:
    table = drawn(8)
    rng = np.random.default_rng(0)
    table["patient"] = rng.integers(0, 60, table["y"].size)
    rows = read_rows(table, label="y", scores=MODELS, id="patient", also=["site"])
    site_of = np.searchsorted(["east", "mid", "west"], table["site"])
    found = group_areas(rows, rows.split(site_of, 3), site_of)
    whole = found.covariance.transpose(2, 0, 3, 1).reshape(6, 6)
    assert whole == pytest.approx(whole.T, abs=1e-15)
    assert np.linalg.eigvalsh(whole).min() > -1e-6


def test_what_cannot_be_grouped_is_refused() -> None:
    table = drawn()
    with pytest.raises(rs.InputError, match="one value only"):
        judged(table | {"site": np.repeat("x", 600)})
    with pytest.raises(rs.InputError, match="cluster="):
        judged(table | {"site": np.arange(600)})


def test_reads_as_dict_frame_text_and_picture() -> None:
    found = judged(drawn())
    assert set(found.to_dict()) >= {"by", "overall", "groups", "tests", "differences", "within"}
    frame = found.to_frame()
    assert len(frame) == 8
    assert list(frame.columns)[:4] == ["site", "n_pos", "n_neg", "model"]
    assert "a: AUC differs between groups" in str(found)
    assert found.plot().ax_.get_title()


@pytest.mark.parametrize(("auc", "sizes"), [(0.7, (3, 27)), (0.9, (10, 30)), (0.97, (15, 15)), (0.8, (40, 60))])
def test_the_benchmark_decides_as_the_library_does(auc: float, sizes: tuple[int, int]) -> None:
    pos, neg = next(iter(subgroup_size.samples(4, sizes, auc, 1.0, 12)))
    found = subgroup_size.Groups.of(pos, neg)
    by_f, by_chi = found.pvalues()
    others = [found.against_others(group)[0] for group in range(4)]
    for sample in range(12):
        scores = np.concatenate([pos[sample], neg[sample]], axis=1).ravel()
        table = {
            "y": np.tile(np.repeat([True, False], sizes), 4),
            "s": scores,
            "site": np.repeat(list("abcd"), sum(sizes)),
        }
        result = rs.evaluate(table, label="y", scores="s", by="site", measures=["auc"], intervals=False)
        test = result.tests["s"]
        if not np.isnan(test.pvalue):
            assert test.pvalue == pytest.approx(by_f[sample], rel=1e-9)
        if not np.isnan(test.pvalue) and test.method.startswith(
            "delong, chi-square"
        ):  # two groups have the test of their difference
            assert stats.chi2.sf(test.statistic, test.df) == pytest.approx(by_chi[sample], rel=1e-9)
        for group, line in enumerate(result.differences):
            assert line.pvalue == pytest.approx(others[group][sample], rel=1e-8, nan_ok=True)
            if not np.isnan(line.pvalue):
                assert line.low <= line.estimate <= line.high
                assert (line.pvalue <= 0.05) == (not line.low <= 0 <= line.high)


def test_groups_that_are_alike_seldom_differ_where_chi_square_finds_twice_as_many() -> None:
    """A short run of benchmarks/subgroup_size.py: ten groups of ten positives, AUC 0.9."""
    made = [subgroup_size.Groups.of(*each) for each in subgroup_size.samples(10, (10, 90), 0.9, 1.0, 300)]
    by_f, by_chi = (np.mean(np.concatenate(each) <= 0.05) for each in zip(*(m.pvalues() for m in made), strict=True))
    held = np.concatenate([m.against_others(g)[0] for m in made for g in range(10)])
    assert by_f < 0.07 < by_chi
    assert np.mean(held[~np.isnan(held)] > 0.05) > 0.93


@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
def test_a_test_says_which_groups_it_left_out() -> None:
    group, y = np.arange(120) % 3, np.arange(120) // 3 % 2
    score = y + np.random.default_rng(0).normal(size=120)
    score[group == 2] = y[group == 2] + np.arange(40) / 1000
    found = rs.evaluate({"y": y, "s": score, "g": group}, label="y", scores=["s"], by="g", n_resamples=50)
    assert found.tests["s"].warnings == ("1 of 3 groups have no AUC with a variance above 0 and are left out",)


def test_evaluation_and_comparison_say_one_thing_about_a_difference_between_groups() -> None:
    found = judged(drawn(4, n=150))
    compared = found.compare()
    assert compared.interactions[0].pvalue == found.interactions["a", "b"].pvalue
    assert compared.interactions[0].pvalue > stats.chi2.sf(compared.interactions[0].statistic, 2)


def test_a_threshold_in_groups_needs_the_measure_that_is_compared() -> None:
    result = rs.evaluate([1, 0] * 20, {"a": np.arange(40), "b": np.arange(40)[::-1]}, by=np.repeat(["n", "s"], 20))
    with pytest.raises(rs.errors.ArgumentError, match="in groups name what is compared at a threshold"):
        result.compare(threshold=0.5)
