"""Reader studies: against a published study, all pairs of cases, loops over the definition, and laws."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import rocsteady as rs
from cases import each_case

FIXTURES = Path(__file__).parent / "fixtures"
PUBLISHED = {name: json.loads((FIXTURES / f"{name}.json").read_text()) for name in ("vandyke", "franken")}
POPULATIONS = ("random", "fixed_readers", "fixed_cases")
NAMES: Any = {"reader": "who", "modality": "by", "case": "patient", "label": "ill", "score": "rating"}


def published(name: str = "vandyke") -> dict[str, list[Any]]:
    study = PUBLISHED[name]
    rows = [
        (by, who, number, int(number >= study["n_without"]), int(digit))
        for by, readers in study["ratings"].items()
        for who, digits in readers.items()
        for number, digit in enumerate(digits)
    ]
    return dict(zip(("by", "who", "patient", "ill", "rating"), map(list, zip(*rows, strict=True)), strict=True))


def study_of(name: str) -> rs.results.ReaderStudy:
    return rs.readers.analyze(published(name), **NAMES, covariance="jackknife")


def drawn(seed: int, *, t: int = 2, r: int = 3, n: int = 11, steps: int = 5) -> dict[str, Any]:
    """A small study with ties, in a random order of rows; the scores alone are in ``rating``."""
    rng = np.random.default_rng(seed)
    ill = np.arange(n) % 3 == 0
    rating = rng.integers(0, steps, (t, r, n)) + 2 * ill
    by, who, patient = (each.ravel() for each in np.indices((t, r, n)))
    order = rng.permutation(by.size)
    columns = {"by": by, "who": who, "patient": patient, "ill": ill[patient] * 1, "rating": rating.ravel()}
    return {name: values[order] for name, values in columns.items()}


def kernels(table: dict[str, Any]) -> tuple[list[list[Any]], int, int]:
    """For each modality and reader, who wins each pair of a positive and a negative case."""
    held = {tuple(row[:3]): (row[3], row[4]) for row in zip(*table.values(), strict=True)}
    t, r, cases = (sorted({key[place] for key in held}) for place in range(3))
    ill = [c for c in cases if held[t[0], r[0], c][0]]
    well = [c for c in cases if not held[t[0], r[0], c][0]]
    made = [
        [[[Fraction(int(np.sign(held[i, j, p][1] - held[i, j, q][1]) + 1), 2) for q in well] for p in ill] for j in r]
        for i in t
    ]
    return made, len(ill), len(well)


def area(won: Any) -> Fraction:
    return sum((sum(line, Fraction(0)) for line in won), Fraction(0)) / (len(won) * len(won[0]))


def without(won: Any, ill: int = -1, well: int = -1) -> Any:
    return [[x for q, x in enumerate(line) if q != well] for p, line in enumerate(won) if p != ill]


def delong(one: Any, two: Any) -> Fraction:
    """DeLong, DeLong and Clarke-Pearson's definition: covariance of the means of lines, and of columns."""

    def part(first: Any, second: Any) -> Fraction:
        m, a, b = len(first), area(first), area(second)
        means = [(sum(x) / len(x) - a) * (sum(y) / len(y) - b) for x, y in zip(first, second, strict=True)]
        return sum(means, Fraction(0)) / (m - 1) / m

    return part(one, two) + part(list(zip(*one, strict=True)), list(zip(*two, strict=True)))


def jackknife(one: Any, two: Any) -> Fraction:
    """Each case left out in turn."""
    m, n = len(one), len(one[0])
    left = [(area(without(one, p)), area(without(two, p))) for p in range(m)]
    left += [(area(without(one, well=q)), area(without(two, well=q))) for q in range(n)]
    means = [sum(column) / (m + n) for column in zip(*left, strict=True)]
    return Fraction(m + n - 1, m + n) * sum((a - means[0]) * (b - means[1]) for a, b in left)


def unbiased(one: Any, two: Any) -> Fraction:
    """Product of the areas less the mean product of pairs that share no case."""
    m, n = len(one), len(one[0])
    apart = [
        one[p][q] * two[u][v] for p, q, u, v in product(range(m), range(n), range(m), range(n)) if p != u and q != v
    ]
    return area(one) * area(two) - sum(apart, Fraction(0)) / len(apart)


ORACLES = {"delong": delong, "jackknife": jackknife, "unbiased": unbiased}


@each_case(("method", "seed"), [(method, seed) for method in ORACLES for seed in (1, 2)])
def test_covariances_are_those_of_all_pairs(method: str, seed: int) -> None:
    table = drawn(seed, r=2, n=10)
    won, *_ = kernels(table)
    flat = [each for line in won for each in line]
    found = rs.readers.analyze(table, **NAMES, covariance=method)
    slow = [[float(ORACLES[method](one, two)) for two in flat] for one in flat]
    np.testing.assert_allclose(found.covariance, slow, rtol=1e-12, atol=1e-17)
    assert list(found.auc[1].values()) == [float(area(each)) for each in won[1]]


@each_case(("t", "r"), [(2, 2), (2, 5), (3, 4), (4, 3)])
def test_analysis_is_that_of_loops(t: int, r: int) -> None:
    study = rs.readers.analyze(drawn(7 * t + r, t=t, r=r, n=30), **NAMES)
    a = np.array([[study.auc[i][j] for j in range(r)] for i in range(t)])
    c = study.covariance.reshape(t, r, t, r)
    grand, rows, columns = a.mean(), a.mean(axis=1), a.mean(axis=0)
    ms_t = r * sum((rows[i] - grand) ** 2 for i in range(t)) / (t - 1)
    ms_r = t * sum((columns[j] - grand) ** 2 for j in range(r)) / (r - 1)
    left = sum((a[i, j] - rows[i] - columns[j] + grand) ** 2 for i in range(t) for j in range(r))
    ms_tr = left / ((t - 1) * (r - 1))
    assert list(study.mean_squares.values()) == pytest.approx([ms_t, ms_r, ms_tr], rel=1e-10)
    same: dict[tuple[bool, bool], list[float]] = {}
    for i, j, k, m in product(range(t), range(r), range(t), range(r)):
        same.setdefault((i == k, j == m), []).append(c[i, j, k, m])
    error, cov1, cov2, cov3 = (
        np.mean(same[key]) for key in ((True, True), (False, True), (True, False), (False, False))
    )
    assert [study.components[name] for name in ("error", "cov1", "cov2", "cov3")] == pytest.approx(
        [error, cov1, cov2, cov3], rel=1e-10
    )
    shared = max(cov2 - cov3, 0)
    term = ms_tr + r * shared
    df = term**2 / (ms_tr**2 / ((t - 1) * (r - 1)))
    assert study.random.test.statistic == pytest.approx(ms_t / term)
    assert study.random.test.pvalue == pytest.approx(stats.f.sf(ms_t / term, t - 1, df))
    squared = (t - 1) * ms_t / (error - cov1 + (r - 1) * shared)
    assert study.fixed_readers.test.pvalue == pytest.approx(stats.chi2.sf(squared, t - 1))
    assert study.fixed_cases.test.pvalue == pytest.approx(stats.f.sf(ms_t / ms_tr, t - 1, (t - 1) * (r - 1)))
    gap = study.random.differences[0, 1]
    assert (gap.low, gap.high) == pytest.approx(stats.t.interval(0.95, df, rows[0] - rows[1], math.sqrt(2 / r * term)))


@each_case(("name", "population"), list(product(PUBLISHED, POPULATIONS)))
def test_published_numbers(name: str, population: str) -> None:
    """Every number of the output of OR-DBM MRMC 2.51 for the ratings of Van Dyke and Franken, to its last digit."""
    study = study_of(name)
    printed = PUBLISHED[name]["printed"]
    digits, told, found = printed["digits"], printed[population], getattr(study, population)

    def as_printed(value: Any, shown: Any, places: int) -> None:
        assert value == pytest.approx(shown, abs=0.5001 * 10.0**-places, rel=0)

    for by, values in printed["auc"].items():
        as_printed(list(study.auc[by].values()), values, digits["auc"])
    for part in ("mean_squares", "components"):
        as_printed([getattr(study, part)[key] for key in printed[part]], list(printed[part].values()), digits[part])
    as_printed(found.test.statistic, told["statistic"], digits["statistic"][population])
    as_printed(found.test.pvalue, told["pvalue"], digits["pvalue"])
    as_printed(found.test.df, told["df"], digits["df"])
    gap = found.differences["1", "2"]
    as_printed([gap.estimate, gap.low, gap.high], told["difference"], digits["difference"])
    as_printed(gap.se, told["se"], digits["se"])
    for by, values in told["means"].items():
        mean = found.means[by]
        as_printed([mean.estimate, mean.low, mean.high, mean.se], values, digits["means"])


def test_two_modalities_of_fixed_cases_are_a_paired_t_test() -> None:
    study = rs.readers.analyze(drawn(5, r=6, n=40), **NAMES)
    other = stats.ttest_rel(list(study.auc[0].values()), list(study.auc[1].values()))
    found = study.fixed_cases.differences[0, 1]
    assert (found.statistic, found.pvalue) == pytest.approx((other.statistic, other.pvalue))


def numbers(study: Any) -> list[float]:
    return [
        getattr(gap, name)
        for population in POPULATIONS
        for gap in getattr(study, population).differences.values()
        for name in ("estimate", "low", "high", "se", "pvalue", "statistic")
    ]


def test_laws() -> None:
    """Names and order of readers and cases change nothing; swapped modalities change the sign; so do swapped labels."""
    table = drawn(3, r=4, n=25)
    study = rs.readers.analyze(table, **NAMES)
    renamed = table | {"who": [f"r{9 - who}" for who in table["who"]], "patient": 1000 - table["patient"]}
    assert numbers(rs.readers.analyze(renamed, **NAMES)) == pytest.approx(numbers(study), rel=1e-12)
    stretched = table | {"rating": np.exp(table["rating"] / 3.0)}
    assert numbers(rs.readers.analyze(stretched, **NAMES)) == numbers(study)
    swapped = rs.readers.analyze(table, **NAMES, modalities=[1, 0])
    turned = rs.readers.analyze(table | {"rating": -table["rating"]}, **NAMES)
    for population in POPULATIONS:
        one, two = getattr(study, population).differences[0, 1], getattr(swapped, population).differences[1, 0]
        assert (two.estimate, two.low, two.high, two.pvalue) == pytest.approx(
            (-one.estimate, -one.high, -one.low, one.pvalue), rel=1e-12
        )
        back = getattr(turned, population).differences[0, 1]
        assert (back.estimate, back.se) == pytest.approx((-one.estimate, one.se), rel=1e-10)


def test_every_case_twice_halves_the_variance_nearly() -> None:
    """AUCs and mean squares stay; of the part of DeLong's variance of n cases, (n - 1) / (2 n - 1) is left."""
    table = drawn(4, r=3, n=30)
    double = {name: np.tile(values, 2) for name, values in table.items()}
    double["patient"] = np.concatenate([table["patient"], table["patient"] + 500])
    one, two = (rs.readers.analyze(each, **NAMES) for each in (table, double))
    assert two.mean_squares == one.mean_squares
    n_pos, n_neg = one.n_pos, one.n_neg
    ends = sorted((n - 1) / (2 * n - 1) for n in (n_pos, n_neg))
    ratio = two.components["error"] / one.components["error"]
    assert ends[0] <= ratio <= ends[1]


def test_one_modality_given_twice_differs_by_nothing() -> None:
    table = drawn(6, n=20)
    first = table["by"] == 0
    held = {name: np.concatenate([values[first]] * 2) for name, values in table.items()}
    held["by"] = np.repeat(["a", "b"], first.sum())
    study = rs.readers.analyze(held, **NAMES)
    for population in POPULATIONS:
        found = getattr(study, population)
        gap = found.differences["a", "b"]
        assert (gap.estimate, gap.low, gap.high, gap.pvalue, found.test.pvalue) == (0, 0, 0, 1, 1)
        assert [remark.code for remark in gap.warnings] == ["modalities_alike"]


def test_margin() -> None:
    study = rs.readers.analyze(published(), **NAMES, modalities=["2", "1"], alternative="non-inferiority", margin=0.05)
    gap = study.random.differences["2", "1"]
    assert gap.pvalue == pytest.approx(stats.t.sf((gap.estimate + 0.05) / gap.se, gap.df))
    assert gap.pvalue < 0.001 < study.random.test.pvalue


def test_one_case_of_a_class_has_no_covariance() -> None:
    table = drawn(8, n=9)
    kept = (table["ill"] == 0) | (table["patient"] == 0)
    study = rs.readers.analyze({name: values[kept] for name, values in table.items()}, **NAMES)
    gap = study.random.differences[0, 1]
    assert np.isnan([gap.pvalue, gap.low, gap.se]).all()
    assert gap.warnings[0].code == "readers_no_spread"
    assert math.isfinite(study.fixed_cases.differences[0, 1].pvalue)


def changed(**columns: Any) -> dict[str, Any]:
    return drawn(1) | columns


def dropped(place: int) -> dict[str, Any]:
    return {name: np.delete(values, place) for name, values in drawn(1).items()}


def repeated() -> dict[str, Any]:
    return {name: np.append(values, values[4]) for name, values in drawn(1).items()}


def relabelled() -> dict[str, Any]:
    table = drawn(1)
    table["ill"][3] = 1 - table["ill"][3]
    return table


@each_case(
    ("table", "code", "says"),
    [
        (dropped(3), "not_crossed", "1 ratings are missing"),
        (repeated(), "ratings_repeated", "row 66"),
        (relabelled(), "case_labels", "1 values of column 'patient' have both labels"),
        (changed(who=[1] * 66), "one_reader", "rs.compare_auc"),
        (changed(by=["ct"] * 66), "one_modality", "nothing to compare"),
        (changed(rating=[math.nan] * 66), "missing_values", "rating"),
        (changed(ill=[1] * 66), "single_class", "both classes"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_refusals(table: Any, code: str, says: str) -> None:
    with pytest.raises(rs.InputError, match=says) as caught:
        rs.readers.analyze(table, **NAMES)
    assert caught.value.code == code


@each_case("order", [[1, 7], [1, 1], [[1], 0], []])
def test_order_must_name_modalities_once(order: Any) -> None:
    with pytest.raises(rs.ArgumentError, match="each of them once"):
        rs.readers.analyze(drawn(1), **NAMES, modalities=order)


def test_what_is_said() -> None:
    study = rs.readers.analyze(published(), **NAMES)
    text = str(study)
    assert "5 readers, 2 modalities, 45 positive and 69 negative cases" in text
    assert "other readers, other cases" in text
    assert "positive label 1" in text
    assert study.to_frame("pandas").shape == (3, 11)
    assert [remark.code for remark in study.random.means["2"].warnings] == ["few_misread"]
    assert not study.random.means["1"].warnings
    few = rs.readers.analyze(drawn(1), **NAMES)
    assert "few_readers" in [remark.code for remark in few.warnings]


def test_a_small_pilot_and_other_measures_say_what_they_cannot_tell() -> None:
    rng = np.random.default_rng(1)
    rows = [(who, by, case) for who in range(2) for by in ("ct", "mr") for case in range(12)]
    who, by, case = zip(*rows, strict=True)
    ill = np.array(case) % 2
    table = {"who": who, "by": by, "case": case, "ill": ill, "rating": ill + rng.normal(size=len(rows))}
    columns: Any = {"reader": "who", "modality": "by", "case": "case", "label": "ill", "score": "rating"}
    pilot = rs.readers.analyze(table, **columns)
    assert rs.readers.plan(pilot, difference=0.1, readers=8, cases=100).warnings[0].code == "small_pilot"
    other = rs.readers.analyze(table, **columns, measure="average_precision")
    assert "readers_other_measure" in [each.code for each in other.warnings]
    assert "readers_other_measure" not in [each.code for each in pilot.warnings]
