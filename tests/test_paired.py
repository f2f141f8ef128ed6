"""Models compared by right and wrong answers on the same rows: McNemar, Tango, Newcombe, Cochran, predictive values."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks.paired_size import coverage, exact_tables, size
from numpy.typing import NDArray
from scipy.stats import binom
from tools.site.tables import RESULTS, cells_of, read_rows

import rocsteady as rs
from command import rocsteady
from rocsteady._src.inference.paired import sign_flips
from rocsteady._src.inference.paired.counts import PairedCounts
from rocsteady._src.inference.paired.difference import tango_score
from rocsteady._src.inference.paired.sign_flips import flipped_tails
from rocsteady._src.inference.power.outcomes import power_of

FIXTURES = Path(__file__).parent / "fixtures"
R = json.loads((FIXTURES / "r_paired.json").read_text(encoding="utf-8"))
STATSMODELS = json.loads((FIXTURES / "statsmodels_paired.json").read_text(encoding="utf-8"))
# DTComPair 1.2.2, data Paired1, as printed in its README (tab.paired, pv.rpv, pv.wgs); there the ratio is y2 over y1.
CELLS = [[1, 1, 1], [1, 1, 0], [1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0], [0, 0, 1], [0, 0, 0]]
PAIRED1 = np.repeat(CELLS, [319, 78, 22, 32, 31, 53, 22, 155], axis=0).T
Column = NDArray[np.int64]


def columns(table: list[int]) -> tuple[Column, Column]:
    first, second = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], table, axis=0).T
    return first, second


@pytest.mark.parametrize("entry", R["tables"], ids=lambda entry: str(entry["table"]))
def test_tests_and_intervals_are_those_of_r(entry: dict[str, Any]) -> None:
    first, second = columns(entry["table"])
    found = {each: rs.compare_outcomes(first, second, method=each) for each in ("mcnemar", "mcnemar-corrected")}
    if entry["statistic"] is not None:
        assert found["mcnemar"].statistic == pytest.approx(entry["statistic"], rel=1e-12)
        assert found["mcnemar"].pvalue == pytest.approx(entry["p"], rel=1e-10)
        assert found["mcnemar-corrected"].statistic == pytest.approx(entry["corrected"], rel=1e-12)
        assert found["mcnemar-corrected"].pvalue == pytest.approx(entry["p_corrected"], rel=1e-10)
    exact = rs.compare_outcomes(first, second)
    assert exact.pvalue == pytest.approx(entry["exact"], rel=1e-10)
    above = rs.compare_outcomes(first, second, alternative="greater")
    assert above.pvalue == pytest.approx(entry["greater"], rel=1e-10)
    assert rs.compare_outcomes(first, second, method="mcnemar-mid-p").pvalue == pytest.approx(entry["mid"], rel=1e-9)
    assert (exact.low, exact.high) == pytest.approx(entry["tango"], abs=1e-7)
    ninety = rs.compare_outcomes(first, second, level=0.9)
    assert (ninety.low, ninety.high) == pytest.approx(entry["tango_90"], abs=1e-7)
    joined = rs.compare_outcomes(first, second, interval="newcombe")
    assert (joined.low, joined.high) == pytest.approx(entry["newcombe"], abs=1e-12)


@pytest.mark.parametrize("entry", STATSMODELS["tables"], ids=lambda entry: str(entry["table"]))
def test_statsmodels_agrees(entry: dict[str, Any]) -> None:
    first, second = columns(entry["table"])
    assert rs.compare_outcomes(first, second).pvalue == pytest.approx(entry["exact"][1], rel=1e-10)
    for name, method in (("plain", "mcnemar"), ("corrected", "mcnemar-corrected")):
        test = rs.compare_outcomes(first, second, method=method)
        if first.sum() != second.sum():  # with as many on both sides R and we correct nothing, statsmodels does
            assert (test.statistic, test.pvalue) == pytest.approx(entry[name], rel=1e-10)


@pytest.mark.parametrize(
    ("right", "expected"),
    [
        (R["cochran"]["right"], (R["cochran"]["statistic"], R["cochran"]["p"])),
        (STATSMODELS["right"], STATSMODELS["cochran"]),
    ],
    ids=["R", "statsmodels"],
)
def test_cochran_is_that_of_others(right: list[list[int]], expected: tuple[float, float]) -> None:
    found = rs.compare_outcomes({f"m{place}": column for place, column in enumerate(right)}).omnibus
    assert found is not None
    assert tuple(found) == pytest.approx(tuple(expected), rel=1e-10)


def all_flips(sizes: list[int], seen: int) -> tuple[Fraction, Fraction, Fraction]:
    sums = [
        sum(sign * each for sign, each in zip(signs, sizes, strict=True))
        for signs in product((1, -1), repeat=len(sizes))
    ]
    count = Fraction(1, len(sums))
    return (
        count * sum(s >= seen for s in sums),
        count * sum(s == seen for s in sums),
        count * sum(s <= seen for s in sums),
    )


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("most_work", [10**8, 0], ids=["summed", "transformed"])
def test_subjects_change_places_as_a_whole(seed: int, most_work: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against all 2^subjects ways to let the models change places."""
    monkeypatch.setattr(sign_flips, "MOST_WORK", most_work)
    rng = np.random.default_rng(seed)
    clusters = rng.integers(0, 8, 30)
    first, second = rng.random((2, 30)) < [[0.7], [0.5]]
    counts = PairedCounts.of(first, second, None, clusters)
    sums = np.bincount(clusters, first.astype(int) - second.astype(int), 8).astype(int)
    expected = all_flips([abs(each) for each in sums.tolist()], int(sums.sum()))
    assert flipped_tails(counts) == pytest.approx([float(each) for each in expected], rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("method", ["mcnemar-exact", "mcnemar-mid-p", "mcnemar", "tango"])
def test_subjects_of_one_row_are_rows(method: Any) -> None:
    first, second = columns([30, 9, 3, 8])
    alone = rs.compare_outcomes(first, second, method=method)
    each = rs.compare_outcomes(first, second, method=method, cluster=np.arange(50))
    assert each.statistic == pytest.approx(alone.statistic)
    if method != "tango":  # whose p of subjects is Student's
        assert each.pvalue == pytest.approx(alone.pvalue)
    assert each.worth == pytest.approx(50)
    assert each.se == pytest.approx(alone.se)


def test_subjects_whose_rows_agree_count_once() -> None:
    """Each row written four times over: the test is that of the subjects, and the interval not much shorter."""
    first, second = columns([12, 9, 2, 7])
    alone = rs.compare_outcomes(first, second)
    many = rs.compare_outcomes(np.repeat(first, 4), np.repeat(second, 4), cluster=np.repeat(np.arange(30), 4))
    assert many.pvalue == pytest.approx(alone.pvalue)
    assert many.worth == pytest.approx(30, rel=0.03)
    assert many.high - many.low == pytest.approx(alone.high - alone.low, rel=0.08)
    naive = rs.compare_outcomes(np.repeat(first, 4), np.repeat(second, 4))
    assert naive.pvalue < many.pvalue / 10


def test_the_score_falls_and_its_ends_are_the_intervals() -> None:
    for first_only, second_only, n in ((0, 0, 5), (3, 0, 3), (12, 2, 50), (1, 0, 44)):
        nulls = np.linspace(-0.99, 0.99, 397)
        score = tango_score(first_only, second_only, n, nulls)
        assert np.all(np.diff(score) <= 1e-9)
    whole = rs.compare_outcomes([1, 1, 1], [0, 0, 0])
    assert whole.high == 1.0
    assert -1 < whole.low < 1


def test_margins_go_with_the_score() -> None:
    first, second = columns([80, 6, 5, 9])
    test = rs.compare_outcomes(first, second, method="tango", alternative="non-inferiority", margin=0.1)
    assert test.statistic == pytest.approx(float(tango_score(6, 5, 100, -0.1)))
    assert test.pvalue < 0.01
    with pytest.raises(rs.ArgumentError, match="method='tango'"):
        rs.compare_outcomes(first, second, alternative="non-inferiority", margin=0.1)


def test_swapping_models_swaps_everything() -> None:
    first, second = columns([30, 9, 3, 8])
    for method in ("mcnemar-exact", "mcnemar-mid-p", "mcnemar", "tango"):
        one, two = rs.compare_outcomes(first, second, method=method), rs.compare_outcomes(second, first, method=method)
        assert one.pvalue == pytest.approx(two.pvalue)
        assert (one.estimate, one.low, one.high) == pytest.approx((-two.estimate, -two.high, -two.low), abs=1e-12)


def test_what_is_read_and_refused() -> None:
    text = rs.compare_outcomes(["right", "wrong", "right"], ["wrong", "wrong", "right"], pos_label="right")
    assert (text.first_only, text.both, text.neither) == (1, 1, 1)
    gaps = rs.compare_outcomes([1, None, 0, 1], [1, 1, None, 0], missing="drop")
    assert (gaps.n, gaps.origin.n_dropped) == (2, 2)
    with pytest.raises(rs.InputError, match="first: 1 missing"):
        rs.compare_outcomes([1, None], [1, 1])
    with pytest.raises(rs.InputError, match="pos_label"):
        rs.compare_outcomes([1, 2], [1, 1])
    with pytest.raises(rs.ArgumentError, match="second column is missing"):
        rs.compare_outcomes([1, 0])
    with pytest.raises(rs.InputError, match="differ in length"):
        rs.compare_outcomes([1, 0], [1, 0, 1])
    with pytest.raises(rs.ArgumentError, match="no continuity correction"):
        rs.compare_outcomes([1, 0], [0, 1], method="mcnemar-corrected", cluster=[1, 2])
    with pytest.raises(rs.InputError, match="1 subject"):
        rs.compare_outcomes([1, 0], [0, 1], cluster=[1, 1])


def test_models_that_agree_everywhere_leave_some_differences_open() -> None:
    test = rs.compare_outcomes([1, 1, 0, 0], [1, 1, 0, 0])
    assert (test.estimate, test.pvalue) == (0.0, 1.0)
    assert test.low < 0 < test.high
    assert [remark.code for remark in test.warnings] == ["outcomes_alike"]


def test_test_and_interval_that_disagree_say_so() -> None:
    test = rs.compare_outcomes(*columns([10, 5, 0, 5]))
    assert (test.pvalue > 0.05, test.low > 0) == (True, True)
    assert "outcome_interval_disagrees" in [remark.code for remark in test.warnings]


def test_several_models_a_table_and_a_column_of_tasks() -> None:
    rng = np.random.default_rng(3)
    task = np.repeat(np.arange(20), 6)
    table = {name: rng.random(120) < share for name, share in (("a", 0.9), ("b", 0.7), ("c", 0.68))} | {"task": task}
    found = rs.compare_outcomes(table, cluster="task", baseline="b")
    assert [(pair.first, pair.second) for pair in found.pairs] == [("a", "b"), ("c", "b")]
    assert found.omnibus is not None
    assert "by cluster" in found.omnibus.method
    alone = rs.compare_outcomes(table["a"], table["b"], cluster=task)
    assert found.pairs[0].test.pvalue == alone.pvalue
    assert found.pairs[0].p_holm == pytest.approx(min(1.0, 2 * alone.pvalue))
    assert found.estimates["a"].estimate == pytest.approx(np.mean(table["a"]))


def test_relative_predictive_values_are_those_of_dtcompair() -> None:
    truth, y1, y2 = PAIRED1
    pair = rs.inference.compare_calls(truth, {"y2": y2, "y1": y1}).predictive[0]
    ppv, npv = pair.ppv, pair.npv
    assert (ppv.second, ppv.first, ppv.ratio, ppv.se_log) == pytest.approx(
        (0.82536383, 0.86548223, 1.04860694, 0.01991247), abs=5e-9
    )
    assert (ppv.low, ppv.high, ppv.statistic, ppv.pvalue) == pytest.approx(
        (1.00847050, 1.09034078, 2.38355929, 0.01714612), abs=5e-8
    )
    assert (npv.ratio, npv.se_log, npv.low, npv.high) == pytest.approx(
        (8.536403e-01, 3.783679e-02, 7.926258e-01, 9.193516e-01), rel=1e-6
    )
    assert (npv.statistic, npv.pvalue) == pytest.approx((-4.182314, 2.885568e-05), rel=1e-6)
    assert (ppv.score_statistic, ppv.score_pvalue) == pytest.approx((5.46588745, 0.01939120), abs=5e-8)
    assert (npv.score_statistic, npv.score_pvalue) == pytest.approx((1.653540e01, 4.775012e-05), rel=1e-6)


def test_calls_are_compared_within_classes() -> None:
    truth, y1, y2 = PAIRED1
    found = rs.inference.compare_calls(truth, {"y1": y1, "y2": y2}, method="mcnemar")
    ill, well = truth == 1, truth == 0
    sensitivity = rs.compare_outcomes(y1[ill], y2[ill], method="mcnemar")
    specificity = rs.compare_outcomes(1 - y1[well], 1 - y2[well], method="mcnemar")
    for name, alone in (("sensitivity", sensitivity), ("specificity", specificity)):
        test = found[name].pairs[0].test
        assert (test.statistic, test.pvalue, test.estimate, test.low, test.high) == pytest.approx(
            (alone.statistic, alone.pvalue, alone.estimate, alone.low, alone.high)
        )
    assert found.sensitivity.estimates["y1"].estimate == pytest.approx(0.8802661, abs=1e-7)
    assert found.specificity.estimates["y2"].estimate == pytest.approx(0.7969349, abs=1e-7)


def test_yes_and_no_in_any_spelling_and_scores_at_thresholds() -> None:
    truth, y1, y2 = PAIRED1
    words = np.array(["well", "ill"])
    plain = rs.inference.compare_calls(truth, {"y1": y1, "y2": y2}).to_frame()
    spelled = rs.inference.compare_calls(words[truth], {"y1": words[y1], "y2": y2 == 1}, pos_label="ill").to_frame()
    scored = rs.inference.compare_calls(truth, {"y1": y1 * 0.8, "y2": y2 * 3.0}, threshold={"y1": 0.5, "y2": 2})
    assert plain.equals(spelled)
    assert plain.equals(scored.to_frame())
    assert scored.thresholds == {"y1": 0.5, "y2": 2}
    with pytest.raises(rs.InputError, match="threshold="):
        rs.inference.compare_calls([1, 0, 1], {"a": [0.2, 0.7, 0.4], "b": [1, 0, 1]})


def test_frequency_weights_repeat_rows_and_sampling_weights_are_refused() -> None:
    truth, y1, y2 = np.array(CELLS).T
    counts = np.array([319, 78, 22, 32, 31, 53, 22, 155])
    models = {"y1": y1, "y2": y2}
    found = rs.inference.compare_calls(truth, models, sample_weight=counts, weight_type="frequency")
    whole = rs.inference.compare_calls(PAIRED1[0], {"y1": PAIRED1[1], "y2": PAIRED1[2]})
    assert found.to_frame().equals(whole.to_frame())
    assert found.predictive[0].ppv.se_log == pytest.approx(whole.predictive[0].ppv.se_log)
    with pytest.raises(rs.ArgumentError, match="sampling weights are no counts"):
        rs.inference.compare_calls(truth, models, sample_weight=counts / 7)


def test_an_evaluation_compares_calls_at_a_threshold() -> None:
    table = rs.examples.loans(400)
    models = {name: np.asarray(table[name]) for name in ("boosted", "logistic")}
    result = rs.evaluate(table["defaulted"], models)
    found = result.compare(threshold=0.3)
    assert isinstance(found, rs.results.CallComparison)
    calls = {name: (scores >= 0.3).astype(int) for name, scores in models.items()}
    assert found.to_frame().equals(rs.inference.compare_calls(table["defaulted"], calls).to_frame())
    recall = result.compare(measure="recall", threshold=0.3, method="mcnemar-exact")
    assert recall.pairs[0].test.pvalue == found["sensitivity"].pairs[0].test.pvalue
    y = np.asarray(table["defaulted"])
    right = [np.asarray(each) == y for each in calls.values()]
    accuracy = result.compare(measure="accuracy", threshold=0.3, method="mcnemar-mid-p")
    assert accuracy.pairs[0].test.pvalue == rs.compare_outcomes(*right, method="mcnemar-mid-p").pvalue
    with pytest.raises(rs.ArgumentError, match="compares shares of the same rows"):
        result.compare(measure="f1", threshold=0.3, method="mcnemar-exact")
    chosen = result.compare(threshold="youden")
    assert "threshold_as_given" in [remark.code for remark in chosen["sensitivity"].warnings]


def test_the_command_compares_calls(tmp_path: Path) -> None:
    table = rs.examples.loans(300)
    names = ["defaulted", "boosted", "logistic"]
    lines = [",".join(names), *(",".join(str(table[name][row]) for name in names) for row in range(300))]
    file = tmp_path / "loans.csv"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    asked = [
        "compare",
        str(file),
        "--label",
        "defaulted",
        "--score",
        "boosted",
        "--score",
        "logistic",
        "--threshold",
        "0.3",
    ]
    done = rocsteady(*asked)
    assert "sensitivity: " in done.stdout
    assert "predictive values, first over second" in done.stdout
    told = json.loads(rocsteady(*asked, "--format", "json").stdout)
    found = rs.evaluate(table["defaulted"], {name: table[name] for name in names[1:]}).compare(threshold=0.3)
    assert told["predictive"][0]["ppv"]["ratio"] == pytest.approx(found.predictive[0].ppv.ratio)


@pytest.mark.parametrize("method", ["mcnemar-exact", "mcnemar-mid-p", "mcnemar"])
def test_power_is_the_sum_over_all_tables(method: Any) -> None:
    """Every table of 11 rows with its chance, tested one by one."""
    n, discordant, difference = 11, 0.5, 0.4
    share, expected = (discordant + difference) / (2 * discordant), 0.0
    for told in range(1, n + 1):
        for first in range(told + 1):
            test = rs.compare_outcomes(*columns([n - told, first, told - first, 0]), method=method)
            if test.pvalue <= 0.05 and first > told - first:
                expected += binom.pmf(told, n, discordant) * binom.pmf(first, told, share)
    found = rs.power.power_outcomes(difference=difference, discordant=discordant, n=n, method=method)
    assert found.power == pytest.approx(expected, rel=1e-9)


def test_power_is_solved_for_rows_and_differences() -> None:
    rows = rs.power.power_outcomes(difference=0.05, discordant=0.2, power=0.8)
    assert rows.power >= 0.8 > power_of(rows.n - 1, 0.05, 0.2, 0.025, "mcnemar-exact")
    back = rs.power.power_outcomes(discordant=0.2, n=rows.n, power=rows.power)
    assert back.difference == pytest.approx(0.05, abs=1e-6)
    tasks = rs.power.power_outcomes(difference=0.05, discordant=0.2, power=0.8, design_effect=2.5)
    assert tasks.n == pytest.approx(2.5 * rows.n, abs=3)
    with pytest.raises(rs.ArgumentError, match="at most the discordant share"):
        rs.power.power_outcomes(difference=0.3, discordant=0.2, n=50)
    with pytest.raises(rs.ArgumentError, match="leave exactly one"):
        rs.power.power_outcomes(difference=0.1, discordant=0.2)


def test_the_detectable_difference_is_close_to_the_exact_one() -> None:
    test = rs.compare_outcomes(*columns([500, 120, 80, 300]), method="mcnemar")
    exact = rs.power.power_outcomes(discordant=0.2, n=1000, power=0.8, method="mcnemar")
    assert test.detectable == pytest.approx(exact.difference, rel=0.02)
    few = rs.compare_outcomes(*columns([5, 2, 1, 2]))
    assert math.isnan(few.detectable) or few.detectable > 0.5


def test_sizes_and_coverage_of_the_page_are_those_of_the_script() -> None:
    table = read_rows(RESULTS / "tables" / "paired-size.csv")
    assert cells_of("\n".join(exact_tables().splitlines()[:6])) == table[:5]
    assert all(size(n, 0.3, "mcnemar-exact") <= 0.05 for n in (5, 20, 50))
    assert coverage(12, (0.6, 0.2, 0.1))["tango"] > 0.93
