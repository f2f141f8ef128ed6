"""Reader studies of any design and by any measure, and the size of a new one: definitions, printed numbers, laws."""

from __future__ import annotations

import csv
import json
import math
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy import stats

import rocsteady as rs
from cases import each_case
from command import rocsteady as run
from page_forms import FORMS
from rocsteady._src.designs.readers.covariances import jackknifed, unbiased_covariance
from rocsteady._src.designs.readers.partly import Partly
from rocsteady._src.designs.readers.plan import t_above
from test_readers import NAMES, drawn, numbers, published, study_of

FIXTURES = Path(__file__).parent / "fixtures"
PILOT = json.loads((FIXTURES / "imrmc_pilot.json").read_text())


def kernel(high: float, low: float) -> Fraction:
    return Fraction(int(np.sign(high - low)) + 1, 2)


def by_definition(scores: Any, positive: Any) -> tuple[list[Fraction], list[list[Fraction | None]]]:
    """AUCs, and their products less the mean over pairs of pairs that share no case."""
    n = range(len(positive))
    pairs = [
        [(i, j, kernel(line[j], line[i])) for i in n for j in n
         if positive[j] and not positive[i] and not math.isnan(line[i] + line[j])]
        for line in scores
    ]  # fmt: skip
    areas = [sum((won for *_, won in each), Fraction(0)) / len(each) for each in pairs]

    def covariance(a: int, b: int) -> Fraction | None:
        apart = [x[2] * y[2] for x in pairs[a] for y in pairs[b] if x[0] != y[0] and x[1] != y[1]]
        return areas[a] * areas[b] - sum(apart, Fraction(0)) / len(apart) if apart else None

    return areas, [[covariance(a, b) for b in range(len(scores))] for a in range(len(scores))]


@each_case("seed", range(4))
def test_unbiased_covariance_follows_from_all_pairs_of_pairs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    positive = np.arange(7) < 3
    scores = rng.integers(0, 4, (4, 7)).astype(float)
    scores[1, rng.integers(7)] = scores[2, 5] = scores[3, 1] = np.nan
    areas, expected = by_definition(scores, positive)
    found = unbiased_covariance(scores, positive)
    assert found[0] == pytest.approx([float(area) for area in areas])
    told = [[math.nan if cell is None else float(cell) for cell in line] for line in expected]
    assert found[1] == pytest.approx(np.array(told), abs=1e-14, nan_ok=True)


DESIGNS = {
    "crossed": np.ones((2, 2, 4), dtype=bool),
    "a rating is missing": np.array([[[1, 1, 1, 1], [1, 1, 1, 1]], [[1, 1, 1, 1], [1, 1, 1, 0]]], dtype=bool),
    "readers have cases of their own": np.array([[[1, 1, 0, 0], [0, 0, 1, 1]]] * 2, dtype=bool),
    "modalities share some cases": np.array([[[1, 1, 1, 1, 0, 0]] * 2, [[0, 0, 1, 1, 1, 1]] * 2], dtype=bool),
    "cases in part": np.array([[[1, 1, 1, 0], [1, 1, 0, 1]], [[1, 1, 1, 1], [1, 1, 1, 1]]], dtype=bool),
}


@each_case("design", DESIGNS)
def test_the_variance_for_other_readers_and_cases_has_no_bias(design: str) -> None:
    """Over all samples of two kinds of readers, of positives and of negatives: cases are - + - + ..."""
    seen, rng = DESIGNS[design], np.random.default_rng(5)
    rating = rng.normal(size=(2, 2, 2, 2))  # modality, kind of reader, class, kind of case
    n = seen.shape[2]
    truth = np.arange(n) % 2
    gaps, variances = [], []
    for kinds in product(range(2), repeat=2 + n):
        readers, cases = kinds[:2], kinds[2:]
        scores = np.full(seen.shape, np.nan)
        for by, who, case in np.argwhere(seen):
            scores[by, who, case] = rating[by, readers[who], truth[case], cases[case]]
        values, covariance = unbiased_covariance(scores.reshape(4, n), truth == 1)
        found = Partly(values.reshape(2, 2), covariance.reshape(2, 2, 2, 2))
        gaps.append(found.mean(0) - found.mean(1))
        variances.append(found.of_difference(0, 1, "random").variance)
    assert np.mean(variances) == pytest.approx(np.var(gaps), abs=1e-12)


def variance_of(study: Any) -> float:
    """Of the difference for other readers and cases, below 0 too; 0 where all ratings are the same."""
    t, r = len(study.modalities), len(study.readers)
    values = np.array([[study.values[by].get(who, np.nan) for who in study.readers] for by in study.modalities])
    return Partly(values, study.covariance.reshape(t, r, t, r)).of_difference(0, 1, "random").variance


def test_readers_of_other_modalities_are_two_samples() -> None:
    """No reader and no case in common: the variance is the sum of two, with Welch's degrees of freedom."""
    one, two = drawn(3, r=4, n=20), drawn(9, r=3, n=24)
    kept = [{name: values[table["by"] == 0] for name, values in table.items()} for table in (one, two)]
    kept[1] |= {"by": kept[1]["by"] + 1, "who": kept[1]["who"] + 10, "patient": kept[1]["patient"] + 100}
    study = rs.readers.analyze(
        {name: np.concatenate([each[name] for each in kept]) for name in one}, **NAMES, method="u-statistics"
    )
    gap, means = study.random.differences[0, 1], study.random.means
    assert gap.se**2 == pytest.approx(means[0].se ** 2 + means[1].se ** 2)
    spread = [stats.sem(list(study.values[by].values())) ** 2 for by in (0, 1)]
    welch = sum(spread) ** 2 / (spread[0] ** 2 / 3 + spread[1] ** 2 / 2)
    assert gap.df == pytest.approx(max(gap.se**2 / sum(spread), 1) ** 2 * welch)
    fixed = study.fixed_cases.differences[0, 1]
    other = stats.ttest_ind(*(list(study.values[by].values()) for by in (0, 1)), equal_var=False)
    assert (fixed.statistic, fixed.pvalue) == pytest.approx((other.statistic, other.pvalue))


def test_java_says_the_same() -> None:
    """The U-statistics of iMRMC 4.0.0, to its last digit, with the degrees of freedom it takes from Hillis."""
    rows = [
        (by, who, case, int(case < PILOT["n_with"]), int(case < called))
        for by, readers in PILOT["called"].items()
        for who, called in readers.items()
        for case in range(PILOT["n_with"] + PILOT["n_without"])
    ]
    names = ("by", "who", "patient", "ill", "rating")
    table = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    study = rs.readers.analyze(table, **NAMES, method="u-statistics")
    gap = study.random.differences["modalityA", "modalityB"]
    assert [gap.estimate, gap.se**2, gap.df] == pytest.approx(PILOT["printed"]["difference"], rel=1e-8)
    for by, (mean, variance, _) in PILOT["printed"]["means"].items():
        found = study.random.means[by]
        assert [found.estimate, found.se**2] == pytest.approx([mean, variance], rel=1e-8)
    own = np.diag(study.covariance).reshape(2, 3)
    assert own == pytest.approx(np.array(list(PILOT["printed"]["of_readers"].values())), rel=3e-2)  # with bias there


def test_crossed_studies_are_the_analysis_of_variance_without_its_bounds() -> None:
    table = drawn(2, r=4, n=40)
    one = rs.readers.analyze(table, **NAMES, covariance="unbiased")
    two = rs.readers.analyze(table, **NAMES, method="u-statistics")
    parts = one.components
    variance = 2 / 4 * (one.mean_squares["interaction"] + 4 * (parts["cov2"] - parts["cov3"]))
    assert variance_of(two) == pytest.approx(variance, rel=1e-10)
    assert numbers(two)[-6:] == pytest.approx(numbers(one)[-6:], rel=1e-10)  # of these cases


@each_case("measure", ["recall(threshold=4)", "average_precision", "auc"])
def test_any_measure_by_leaving_out_cases(measure: str) -> None:
    table = drawn(7, r=3, n=14)
    study = rs.readers.analyze(table, **NAMES, measure=measure, covariance="jackknife")
    held = {tuple(row[:3]): row[3:] for row in zip(*table.values(), strict=True)}
    cases = range(14)

    def value(by: int, who: int, left: int | None = None) -> float:
        rows = [held[by, who, case] for case in cases if case != left]
        labels, scores = zip(*rows, strict=True)
        name, threshold = measure.split("(", maxsplit=1)[0], {"threshold": 4} if "(" in measure else {}
        return float(getattr(rs, name)(labels, scores, **threshold))

    cells = list(product(range(2), range(3)))
    assert [study.values[by][who] for by, who in cells] == pytest.approx([value(*cell) for cell in cells])
    left = np.array([[value(*cell, case) for case in cases] for cell in cells])
    expected = 13 / 14 * 14 * np.cov(left, bias=True)
    assert study.covariance == pytest.approx(expected, abs=1e-14)


def test_the_jackknife_of_any_measure_is_that_of_the_area() -> None:
    table = drawn(4, r=3, n=20)
    plain = rs.readers.analyze(table, **NAMES, covariance="jackknife")
    other = rs.readers.analyze(table, **NAMES, measure=own_area)
    assert numbers(other) == pytest.approx(numbers(plain), rel=1e-9)
    assert other.label == "own_area"
    with pytest.raises(AttributeError, match="has no attribute 'auc'"):
        _ = other.auc


def own_area(y_true: Any, y_score: Any) -> float:
    return float(rs.auc(y_true, y_score))


def test_cases_add_where_both_have_them() -> None:
    """Two readers of different cases have no covariance, and each has its own variance."""
    rng = np.random.default_rng(1)
    positive, scores = np.arange(20) % 2 == 0, rng.normal(size=(2, 20))
    scores[0, 10:] = scores[1, :10] = np.nan
    values, covariance = jackknifed(rs.auc, scores, positive)
    assert covariance[0, 1] == 0
    alone = [jackknifed(rs.auc, scores[[k], part], positive[part]) for k, part in ((0, slice(10)), (1, slice(10, 20)))]
    assert np.diag(covariance) == pytest.approx([float(each[1][0, 0]) for each in alone])
    assert values == pytest.approx([float(each[0][0]) for each in alone])


def with_effects(t: int) -> dict[str, Any]:
    """Cases that are hard for all, readers that are better than others."""
    rng = np.random.default_rng(3)
    by, who, patient = (each.ravel() for each in np.indices((t, 5, 40)))
    ill = np.arange(40) % 2
    hard, own = rng.normal(size=(t, 40)), rng.normal(size=(t, 5))
    rating = ill[patient] * (1.2 + 0.4 * own[by, who]) + hard[by, patient] + 0.7 * rng.normal(size=by.size)
    return {"by": by, "who": who, "patient": patient, "ill": ill[patient], "rating": rating}


def test_three_modalities_of_any_design() -> None:
    table = with_effects(3)
    study = rs.readers.analyze(table, **NAMES, method="u-statistics")
    turned = rs.readers.analyze(table, **NAMES, method="u-statistics", modalities=[2, 0, 1])
    assert study.random.test.statistic == pytest.approx(turned.random.test.statistic)
    assert 0 < study.random.test.pvalue < 1
    two = rs.readers.analyze(with_effects(2), **NAMES, method="u-statistics")
    gap = two.random.differences[0, 1]
    assert two.random.test.statistic == pytest.approx(gap.statistic**2)
    assert two.random.test.pvalue == pytest.approx(gap.pvalue)


@each_case(
    ("table", "options", "says"),
    [
        (drawn(1), {"covariance": "unbiased", "measure": "recall(threshold=3)"}, "not for other measures"),
        (drawn(1), {"covariance": "delong", "method": "u-statistics"}, "not for method='u-statistics'"),
        (drawn(1), {"measure": "precision_at_recall(recall=2)"}, "recall"),
        (drawn(1), {"method": "anova"}, "method"),
    ],
    ids=lambda value: str(value) if isinstance(value, str) else "",
)
def test_refusals(table: Any, options: dict[str, Any], says: str) -> None:
    with pytest.raises((rs.ArgumentError, rs.InputError), match=says):
        rs.readers.analyze(table, **NAMES, **options)


def test_readers_of_one_class_are_left_out_and_said() -> None:
    table = drawn(5, r=3, n=20)
    kept = ~((table["who"] == 2) & (table["by"] == 1) & (table["ill"] == 1))
    study = rs.readers.analyze({k: v[kept] for k, v in table.items()}, **NAMES, method="u-statistics")
    assert set(study.values[1]) == {0, 1}
    assert "readers_no_value" in [remark.code for remark in study.warnings]
    one = rs.readers.analyze({k: v[kept] for k, v in table.items()}, **NAMES, method="u-statistics")
    assert one.to_frame("pandas").shape == (3, 11)


def test_published_sizes() -> None:
    """What RJafroc states for the data of Van Dyke and of Franken (its book and its tests), to the last digit."""
    first, second = study_of("vandyke"), study_of("franken")
    gap = abs(first.random.differences["1", "2"].estimate)
    for readers, cases, power in ((6, 111, 0.5526116), (6, 112, 0.5555789), (10, 163, 0.8015625), (10, 236, 0.9003501)):
        found = rs.readers.plan(first, difference=gap, readers=readers, cases=cases)
        assert found.power == pytest.approx(power, abs=5e-8)
    for readers, power, cases in ((6, 0.8, 251), (10, 0.8, 163), (10, 0.9, 236)):
        assert rs.readers.plan(first, difference=gap, readers=readers, power=power).cases == cases
    told: Any = {"difference": -0.043800322, "readers": 10}
    for cases, population, power in (
        (165, "random", 0.80541995),
        (131, "fixed_readers", 0.80091813),
        (53, "fixed_cases", 0.80496663),
    ):
        found = rs.readers.plan(first, **told, cases=cases, population=population)
        assert found.power == pytest.approx(power, abs=1e-8)
    found = rs.readers.plan(second, difference=0.05, readers=6, power=0.8)
    assert (found.cases, round(found.power, 7)) == (121, 0.8004469)


def test_sizes_of_margins_and_readers() -> None:
    pilot = study_of("vandyke")
    margin: Any = {"difference": 0.0, "alternative": "non-inferiority", "margin": 0.05}
    found = rs.readers.plan(pilot, **margin, readers=10, power=0.8)
    away = 0.05 / found.se
    assert found.power == pytest.approx(stats.nct.sf(stats.t.isf(0.05, found.df), found.df, away), abs=1e-9)
    assert found.power >= 0.8 > rs.readers.plan(pilot, **margin, readers=10, cases=found.cases - 1).power
    more = rs.readers.plan(pilot, difference=0.04, cases=200, power=0.8)
    assert more.power >= 0.8 > rs.readers.plan(pilot, difference=0.04, cases=200, readers=more.readers - 1).power
    assert "solved for readers" in str(more)
    with pytest.raises(rs.ArgumentError, match="take more readers"):
        rs.readers.plan(pilot, difference=0.01, readers=4, power=0.9)
    with pytest.raises(rs.ArgumentError, match="give two to learn the third"):
        rs.readers.plan(pilot, difference=0.01, readers=4)
    with pytest.raises(rs.ArgumentError, match="wrong side"):
        rs.readers.plan(pilot, difference=-0.06, alternative="non-inferiority", margin=0.05, readers=4, cases=50)
    with pytest.raises(rs.ArgumentError, match="goes with non-inferiority"):
        rs.readers.plan(pilot, difference=0.06, margin=0.05, readers=4, cases=50)
    any_design = rs.readers.analyze(drawn(2), **NAMES, method="u-statistics")
    with pytest.raises(rs.ArgumentError, match="no variance components"):
        rs.readers.plan(any_design, difference=0.06, readers=4, cases=50)


def test_a_page_and_a_command_say_the_same(tmp_path: Path) -> None:
    table = published("franken")
    study = rs.readers.analyze(table, **NAMES)
    page = study.report(tmp_path / "page.html").read_text(encoding="utf-8")
    assert "1 and 2 cannot be told apart for other readers and other cases" in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    told = study.report(tmp_path / "page.md").read_text(encoding="utf-8")
    assert "| other readers, other cases | 1 | 2 |" in told
    assert json.loads(study.report(tmp_path / "page.json").read_text(encoding="utf-8"))
    file = tmp_path / "ratings.csv"
    with file.open("w", newline="") as out:
        csv.writer(out).writerows([list(table), *zip(*table.values(), strict=True)])
    how = ["--reader", "who", "--modality", "by", "--case", "patient", "--label", "ill", "--score", "rating"]
    said = run("readers", str(file), *how, "--modalities", "2,1", "--format", "json")
    assert said.returncode == 0, said.stderr
    found = json.loads(said.stdout)["random"]["differences"]
    gap = study.random.differences["1", "2"]
    assert [found["estimate"][0], found["pvalue"][0]] == pytest.approx([-gap.estimate, gap.pvalue], rel=1e-12)
    sized = run("readers", str(file), *how, "--difference", "0.05", "--new-readers", "6")
    assert "power 0.8" in sized.stdout
    with pytest.raises(rs.ArgumentError, match="such a report has no cutoffs"):
        study.report(tmp_path / "other.html", cutoffs=[0.2])


def test_a_page_of_any_design_says_what_is_shown() -> None:
    from rocsteady._src.views.report.readers_page import build_readers

    study = rs.readers.analyze(with_effects(2), **NAMES, method="u-statistics", measure="average_precision")
    page = build_readers(study)
    assert page.sections[2].tables == []
    assert "in average precision" in page.verdict[0].lower()
    margin = rs.readers.analyze(with_effects(2), **NAMES, alternative="non-inferiority", margin=0.5)
    assert "is shown" in build_readers(margin).verdict[0]


def test_an_interval_that_cannot_be_so_short_is_named() -> None:
    """Of the difference the interval for other readers is the wider one, though its variance is the smaller."""
    study = FORMS["readers"][0]()
    told = next(remark for remark in study.warnings if remark.code == "readers_agree")
    assert told.startswith("the mean of screen: ")
    others, these = (each.differences["film", "screen"] for each in (study.random, study.fixed_readers))
    assert others.low < these.low < these.high < others.high
    others, these = (each.means["screen"] for each in (study.random, study.fixed_readers))
    assert these.low < others.low < others.high < these.high


def test_the_power_of_t_tests_is_exact() -> None:
    """Against the integral over the spread, in 30 digits."""
    with mpmath.workdps(30):
        for t, df, away in ((1.8, 9.0, 2.5), (2.1, 4.3, 0.3), (2.5, 30.0, 6.0), (1.7, 12.0, -1.0), (-0.5, 5.0, 1.0)):
            scale = mpmath.mpf(2) * (mpmath.mpf(df) / 2) ** (mpmath.mpf(df) / 2) / mpmath.gamma(mpmath.mpf(df) / 2)

            def above(s: Any, t: float = t, df: float = df, away: float = away) -> Any:
                return mpmath.ncdf(away - t * s) * s ** (df - 1) * mpmath.exp(-df * s * s / 2)

            exact = scale * mpmath.quad(above, [0, 0.5, 1, 1.5, 2, 3, 6])
            assert t_above(t, df, away) == pytest.approx(float(exact), abs=1e-14)
    beyond = t_above(2.0, 8.0, 1.5) + t_above(2.0, 8.0, -1.5)
    assert beyond == pytest.approx(1 - stats.ncf.cdf(4.0, 1, 8, 2.25), abs=1e-12)
