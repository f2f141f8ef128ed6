"""Tests between models say where they were measured to reject too often, and what to use instead works there."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from scipy.stats import t

import rocsteady as rs
from cases import each_case
from rocsteady._src.inference.comparison.advice import few_rows

RNG = np.random.default_rng(8)


def sample(n_pos: int, n_neg: int, gap: float = 1.0, n_models: int = 2) -> tuple[Any, ...]:
    y = np.repeat([1, 0], [n_pos, n_neg])
    return y, *(gap * y + RNG.normal(size=(n_models, y.size)))


def advice(**options: Any) -> list[str]:
    """What DeLong's test says, unless another is asked for."""
    found = rs.compare_auc(*sample(**options.pop("of")), **({"method": "delong"} | options))
    return [text for text in found.warnings if "too often" in text]


@each_case(
    ("sizes", "contrasts", "few"),
    [
        ((11, 100), 1, True),
        ((12, 100), 1, False),
        ((5, 9), 1, False),
        ((4, 4), 1, True),
        ((23, 400), 2, True),
        ((24, 400), 2, False),
        ((19, 19), 4, True),
        ((20, 20), 4, False),
    ],
)
def test_each_direction_of_difference_needs_its_rows(sizes: tuple[float, float], contrasts: int, few: bool) -> None:
    assert few_rows(sizes, contrasts) is few
    assert few_rows(sizes[::-1], contrasts) is few


@pytest.mark.parametrize("paired", [True, False])
def test_few_rows_are_sent_to_what_knows_about_them(paired: bool) -> None:
    assert "method='auto'" in advice(of={"n_pos": 6, "n_neg": 60}, paired=paired)[0]
    assert not advice(of={"n_pos": 6, "n_neg": 60}, method="auto", paired=paired)
    assert "method='auto'" in advice(of={"n_pos": 60, "n_neg": 6}, method="bootstrap", paired=paired)[0]
    assert not advice(of={"n_pos": 40, "n_neg": 60}, paired=paired)
    assert not advice(of={"n_pos": 6, "n_neg": 60}, method="permutation", paired=paired)


@pytest.mark.parametrize("alternative", ["superiority", "non-inferiority", "equivalence"])
def test_margins_near_an_auc_of_one_are_sent_to_auto(alternative: str) -> None:
    how: dict[str, Any] = {"alternative": alternative, "margin": 0.05}
    assert "method='auto'" in advice(of={"n_pos": 40, "n_neg": 60, "gap": 3.0}, **how)[0]
    assert not advice(of={"n_pos": 40, "n_neg": 60, "gap": 0.5}, **how)
    assert not advice(of={"n_pos": 40, "n_neg": 60, "gap": 3.0}, method="newcombe", **how)


@pytest.mark.parametrize(
    "options",
    [
        {"fpr_range": (0, 0.5)},
        {"fpr_range": (0, 0.5), "method": "bootstrap"},
    ],
)
def test_margins_of_partial_areas_need_more_rows(options: dict[str, Any]) -> None:
    how: dict[str, Any] = {"alternative": "non-inferiority", "margin": 0.05} | options
    assert advice(of={"n_pos": 5, "n_neg": 45}, **how)[0].endswith("only more rows help")


def test_narrow_ranges_are_counted_in_the_class_that_they_are_a_share_of() -> None:
    for options, told in (
        ({"fpr_range": (0, 0.1)}, True),
        ({"fpr_range": (0, 0.2)}, False),
        ({"tpr_range": (0.9, 1)}, False),
        ({"tpr_range": (0.95, 1)}, True),
    ):
        assert bool(advice(of={"n_pos": 60, "n_neg": 35}, **options)) is told
    assert "2.5 rows inside the range" in advice(of={"n_pos": 60, "n_neg": 25}, fpr_range=(0, 0.1))[0]


def test_more_models_at_once_need_more_rows() -> None:
    y, *scores = sample(15, 150, n_models=3)
    columns = {str(i): score for i, score in enumerate(scores)}
    found = rs.compare_models(y, columns, method="delong")
    assert found.omnibus is not None
    assert not rs.compare_models(y, columns).omnibus.warnings
    assert "15 rows in the smaller class for 3 models" in found.omnibus.warnings[0]
    assert found.omnibus.warnings[0] in found.warnings
    assert not any("too often" in text for text in found.pairs[0].test.warnings)
    many = rs.compare_models(*_many(), method="delong")
    assert many.omnibus is not None
    assert not many.omnibus.warnings


def _many() -> tuple[Any, dict[str, Any]]:
    y, *scores = sample(30, 150, n_models=3)
    return y, {str(i): score for i, score in enumerate(scores)}


def test_subjects_are_counted_instead_of_rows() -> None:
    y, first, second = sample(40, 60)
    found = rs.compare_measure("auc", y, first, second, cluster=np.arange(100) % 12, n_resamples=50, random_state=1)
    assert found.warnings == ("only 12 subjects: intervals over so few are too short",)


def test_intervals_of_the_bootstrap_are_too_short_near_an_auc_of_one() -> None:
    y, first, second = sample(30, 200, gap=3.5)
    how: dict[str, Any] = {"method": "bootstrap", "n_resamples": 50, "random_state": 1}
    told = rs.compare_auc(y, first, second, **how).warnings[-1]
    assert "rejects as it should, but its interval is too short" in told
    assert told.endswith("use rs.compare_auc(method='auto')")
    assert not rs.compare_measure("average_precision", y, first, second, **how).warnings
    few = rs.compare_auc(*sample(20, 200, gap=0.5), **how).warnings[-1]
    assert few.startswith("20 rows in the smaller class")


def test_ties_among_few_positives_are_told_of_permutations() -> None:
    y, *scores = sample(4, 100, gap=3.0)
    tied = np.round(scores)
    how: dict[str, Any] = {"n_permutations": 50, "random_state": 1}
    for first, second, told in ((*scores, False), (*tied, True)):
        found = rs.compare_auc(y, first, second, method="permutation", n_resamples=50, random_state=1)
        assert any("and tied scores" in text for text in found.warnings) is told
        for paired in (True, False):
            curves = rs.compare_curves(y, first, second, paired=paired, **how)
            assert any("and tied scores" in text for text in curves.warnings) is told


def test_the_better_method_can_be_called() -> None:
    y, first, second = sample(6, 60, gap=2.0)
    for how in ({}, {"alternative": "non-inferiority", "margin": 0.1}):
        told = rs.compare_auc(y, first, second, method="delong", **how).warnings[-1]
        method = re.search(r"method='(\w+)'", told)
        assert method is not None
        better = rs.compare_auc(y, first, second, method=method[1], random_state=1, **how)
        assert 0 < better.pvalue <= 1


def codes_of(found: rs.results.TestResult | rs.results.Comparison) -> list[str]:
    return [remark.code for remark in found.warnings]


def two_models(n_pos: int, n_neg: int, lead: float, digits: int = 9) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    y, rng = np.repeat([1, 0], [n_pos, n_neg]), np.random.default_rng(n_pos)
    return y, {name: (rng.normal(size=y.size) + lead * y).round(digits) for name in ("one", "two")}


@pytest.mark.parametrize(("n_neg", "speaks"), [(10, True), (49, True), (50, False), (500, False)])
def test_differences_of_partial_areas_say_that_few_rows_lie_inside(n_neg: int, speaks: bool) -> None:
    y, models = two_models(40, n_neg, 1.0)
    single = rs.compare_auc(y, models["one"], models["two"], fpr_range=(0, 0.2), n_resamples=20)
    several = rs.compare_models(y, models, fpr_range=(0, 0.2), n_resamples=20)
    for found in (single, several):
        assert ("few_inside_both" in codes_of(found)) == speaks
    assert "few_inside_both" not in codes_of(rs.compare_auc(y, models["one"], models["two"]))


def test_the_smaller_of_two_samples_decides_how_many_lie_inside() -> None:
    (y, models), (other, _) = two_models(40, 200, 1.0), two_models(40, 20, 1.0)
    samples = {"paired": False, "y_true_second": other, "fpr_range": (0, 0.2)}
    found = rs.compare_auc(y, models["one"], models["two"][: other.size], **samples)
    assert "few_inside_both" in codes_of(found)


def test_ten_rows_of_each_class_with_heavy_ties_are_permuted_and_say_so() -> None:
    y, models = two_models(10, 10, 2.6, digits=0)
    found = rs.compare_auc(y, models["one"], models["two"], fpr_range=(0, 0.2))
    assert found.method.startswith("permutation")
    assert {"few_inside_both", "permuted_with_delong"} <= set(codes_of(found))


MARGINS = [("non-inferiority", 0.0), ("superiority", 0.9), ("equivalence", 0.0)]


@pytest.mark.parametrize(("alternative", "lead"), MARGINS)
def test_rejections_with_a_margin_that_rest_on_classes_spreading_alike_say_so(alternative: str, lead: float) -> None:
    speaks, silent = 0, 0
    for margin in np.linspace(0.01, 0.3, 59):
        y, models = two_models(15, 135, 2.3)
        found = rs.compare_auc(
            y, models["one"] + lead * y, models["two"] - lead * y, alternative=alternative, margin=float(margin)
        )
        told = [remark for remark in found.warnings if remark.code == "margin_rejects"]
        assert not told or found.pvalue <= 0.05 < told[0].params["pvalue"]
        speaks, silent = speaks + bool(told), silent + (found.pvalue <= 0.05 and not told)
    assert speaks
    assert silent  # a margin so wide that the rejection stands whatever the spread


def test_the_remark_on_margins_follows_the_level() -> None:
    y, models = two_models(15, 135, 2.3)
    asked = {"alternative": "non-inferiority", "margin": 0.09}
    found = {
        level: rs.compare_auc(y, models["one"], models["two"], level=level, **asked) for level in (0.9, 0.95, 0.99)
    }
    for level, each in found.items():
        told = [remark for remark in each.warnings if remark.code == "margin_rejects"]
        assert bool(told) == (each.pvalue <= 1 - level < safe_pvalue(y, models, 0.09))


def safe_pvalue(y: np.ndarray, models: dict[str, np.ndarray], margin: float) -> float:
    """By hand: half way, as a product, between DeLong's variance moved to the margin and the largest there can be."""
    one, two = rs.auc(y, models["one"]), rs.auc(y, models["two"])
    plain = rs.compare_auc(y, models["one"], models["two"], method="delong-t")
    low, high = (one + two - margin) / 2, (one + two + margin) / 2
    n = min(y.sum(), (1 - y).sum())
    errors: list[Any] = [rs.auc_interval(y, each, method="delong").se for each in models.values()]
    r = (sum(se**2 for se in errors) - plain.se**2) / 2
    r /= np.prod(errors)

    def joined(variance: Any, first: float, second: float) -> float:
        u, v = variance(first), variance(second)
        return float(u + v - 2 * r * np.sqrt(u * v))

    def newcombe(a: float) -> float:
        half = y.size / 2 - 1
        return a * (1 - a) * (1 + half * (1 - a) / (2 - a) + half * a / (1 + a)) / (y.sum() * (1 - y).sum())

    moved = plain.se**2 * joined(newcombe, low, high) / joined(newcombe, one, two)
    safe = joined(lambda a: a * (1 - a) / n, low, high)
    z = (one - two + margin) / np.sqrt(np.sqrt(max(moved, min(plain.se**2, safe)) * max(safe, plain.se**2)))
    return float(t.sf(z, plain.df))


def test_no_margin_and_many_rows_on_the_wrong_side_need_no_such_remark() -> None:
    y, models = two_models(15, 135, 2.3)
    assert "margin_rejects" not in codes_of(rs.compare_auc(y, models["one"], models["two"]))
    y, models = two_models(200, 400, 1.0)
    for margin in np.linspace(0.02, 0.1, 9):
        asked = {"alternative": "non-inferiority", "margin": float(margin)}
        assert "margin_rejects" not in codes_of(rs.compare_auc(y, models["one"], models["two"], **asked))
