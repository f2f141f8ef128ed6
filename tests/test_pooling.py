"""Rubin's rules against exact fractions, limits, and what is refused."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

import rocsteady as rs
from cases import each_case
from rocsteady._src.designs.validation.pooling import rubins_rules

RNG = np.random.default_rng(8)
Y = np.tile([0, 1], 30)
BASE = Y + RNG.normal(size=60)
IMPUTED = [BASE + 0.5 * RNG.normal(size=60) for _ in range(4)]
AREAS = [rs.auc_interval(Y, each, method="logit") for each in IMPUTED]
TESTS = [rs.compare_auc(Y, each, RNG.normal(size=60), method="delong") for each in IMPUTED]
TIMES, CAME = RNG.exponential(np.exp(-Y)), RNG.random(60) < 0.7
AT_TIMES = [rs.times.auc_at(TIMES, CAME, each, at=[0.5, 1.0]) for each in IMPUTED]
TABLES = [rs.evaluate({"d": TIMES, "e": CAME, "s": each}, label="e", time="d", scores="s", at=[0.5, 1.0])
          for each in IMPUTED]  # fmt: skip
Y3 = np.tile([0, 1, 2], 20)
P3 = [np.exp(np.eye(3)[Y3] + 0.7 * RNG.normal(size=(60, 3))) for _ in range(3)]
P3 = [each / each.sum(axis=1, keepdims=True) for each in P3]
CLASSES = [rs.evaluate(Y3, each, measures=["macro_auc", "log_loss", "kappa"]) for each in P3]
MANY = [rs.evaluate(Y3, {"first": each, "second": P3[0]}, classes=[0, 1, 2]) for each in P3]


@each_case("complete", [None, 30])
def test_rules_in_fractions(complete: int | None) -> None:
    """As mice's pool.scalar writes them: Rubin (1987), Barnard and Rubin (1999)."""
    values, variances = [Fraction(k, 7) for k in (3, 5, 4, 9)], [Fraction(k, 11) for k in (2, 3, 2, 1)]
    m, mean, within = 4, sum(values) / 4, sum(variances) / 4
    between = sum((value - mean) ** 2 for value in values) / 3
    total = within + (1 + Fraction(1, m)) * between
    share = (1 + Fraction(1, m)) * between / total
    df = (m - 1) / share**2
    if complete is not None:
        observed = Fraction(complete + 1, complete + 3) * complete * (1 - share)
        df = df * observed / (df + observed)
    increase = (1 + Fraction(1, m)) * between / within
    missing = (increase + 2 / (df + 3)) / (increase + 1)
    exact = {"estimate": mean, "within": within, "between": between, "total": total, "df": df}
    found = rubins_rules([float(v) for v in values], [float(v) for v in variances], complete)
    expected = {name: float(value) for name, value in (exact | {"missing_information": missing}).items()}
    assert found == pytest.approx(expected, rel=1e-12)


def test_areas_are_pooled_as_log_odds() -> None:
    found = rs.validation.pool(AREAS, measure="auc", complete_df=58)
    odds = [math.log(each.estimate / (1 - each.estimate)) for each in AREAS]
    errors = [each.se / each.estimate / (1 - each.estimate) for each in AREAS if each.se is not None]
    rules = rubins_rules(odds, [each**2 for each in errors], 58)
    reach = stats.t.ppf(0.975, rules["df"]) * math.sqrt(rules["total"])
    ends = [1 / (1 + math.exp(-rules["estimate"] + way * reach)) for way in (0, 1, -1)]
    assert [found.estimate, found.low, found.high] == pytest.approx(ends, rel=1e-12)
    assert found.scale == "logit" == rs.validation.pool(AREAS).scale


def test_a_test_agrees_with_its_interval() -> None:
    found = rs.validation.pool(TESTS)
    assert found.pvalue is not None
    edge = rs.validation.pool(TESTS, level=1 - found.pvalue)
    assert min(abs(edge.low), abs(edge.high)) == pytest.approx(0, abs=1e-9)
    assert found.estimate == pytest.approx(np.mean([each.estimate for each in TESTS]))


def test_nothing_missing_gives_the_interval_itself() -> None:
    found = rs.validation.pool([AREAS[0]] * 5)
    assert [found.low, found.high] == pytest.approx([AREAS[0].low, AREAS[0].high], rel=1e-9)
    assert (found.between, found.missing_information, found.warnings) == (0, 0, ())


REFUSED: dict[str, Any] = {
    "two or more results": lambda: rs.validation.pool(AREAS[:1]),
    "of one kind": lambda: rs.validation.pool([AREAS[0], TESTS[0]]),
    "differ in level": lambda: rs.validation.pool([AREAS[0], rs.auc_interval(Y, BASE, level=0.9)]),
    "differ in their number of rows": lambda: rs.validation.pool([AREAS[0], rs.auc_interval(Y[2:], BASE[2:])]),
    "differ in hypothesis": lambda: rs.validation.pool([TESTS[0], dataclasses.replace(TESTS[1], hypothesis="other")]),
    "no place on the logit scale": lambda: rs.validation.pool([rs.auc_interval(Y, Y)] * 2, scale="logit"),
    "standard error None": lambda: rs.validation.pool([dataclasses.replace(AREAS[0], se=None)] * 2),
    "complete_df must be above 0": lambda: rs.validation.pool(AREAS, complete_df=-1),
    "name the one to pool, with at=": lambda: rs.validation.pool([AT_TIMES[0]] * 2),
    "hold one value each": lambda: rs.validation.pool(AREAS, at=1.0),
    "has no interval of 3": lambda: rs.validation.pool(AT_TIMES, at=3.0),
    "such as 'macro_auc'": lambda: rs.validation.pool(CLASSES),
    "such as 'harrell'": lambda: rs.validation.pool(TABLES),
    "name the model to pool": lambda: rs.validation.pool(MANY, measure="macro_auc"),
}


@each_case("told, call", REFUSED.items())
def test_what_is_refused(told: str, call: Any) -> None:
    with pytest.raises(rs.RocsteadyError, match=told):
        call()


def test_what_holds_several_is_pooled_as_its_intervals_are() -> None:
    """Of censored times and of classes, on the scale of their intervals."""
    plain = [rs.times.auc_at(TIMES, CAME, each, at=0.5) for each in IMPUTED]
    expected = rs.validation.pool(plain)
    assert expected.scale == "logit"
    for found in (
        rs.validation.pool(AT_TIMES, at=0.5),
        rs.validation.pool(TABLES, measure="auc", at=0.5),
        rs.validation.pool(TABLES, measure="auc(0.5)", model="s"),
    ):
        assert found.to_dict() == expected.to_dict()
    risks = [1 / (1 + np.exp(-each)) for each in IMPUTED]
    assert rs.validation.pool([rs.times.brier_at(TIMES, CAME, each, at=0.5) for each in risks]).scale == "log"
    pooled = {name: rs.validation.pool(CLASSES, measure=name) for name in ("macro_auc", "log_loss", "kappa")}
    assert [each.scale for each in pooled.values()] == ["logit", "log", "plain"]
    inside = rs.validation.pool([each["macro_auc"] for each in CLASSES], scale="logit")
    assert pooled["macro_auc"].to_dict() == inside.to_dict()
    several = rs.validation.pool(MANY, measure="macro_auc", model="first")
    assert several.estimate == pytest.approx(inside.estimate, rel=1e-12)


@each_case("alternative", ["equivalence", "non-inferiority", "superiority"])
def test_tests_with_a_margin(alternative: str) -> None:
    """The pooled difference against the margin by t: both one-sided tests of equivalence."""
    tests = [rs.compare_auc(Y, each, BASE, alternative=alternative, margin=0.1, method="delong") for each in IMPUTED]
    found = rs.validation.pool(tests)
    rules = rubins_rules([each.estimate for each in tests], [float(each.se or 0) ** 2 for each in tests], None)
    spread = math.sqrt(rules["total"])
    above, below = ((rules["estimate"] - limit) / spread for limit in (-0.1, 0.1))
    upper, lower = stats.t.sf(above, rules["df"]), stats.t.cdf(below, rules["df"])
    expected = {"equivalence": max(upper, lower), "non-inferiority": upper,
                "superiority": stats.t.sf(below, rules["df"])}  # fmt: skip
    assert found.pvalue == pytest.approx(expected[alternative], rel=1e-9)
    assert (found.null, found.hypothesis) == (tests[0].null, tests[0].hypothesis)


def test_pooled_concordances_say_what_their_imputation_must_know() -> None:
    rng = np.random.default_rng(4)
    times, seen, scores = rng.exponential(size=60), np.ones(60, int), rng.normal(size=(3, 60))
    found = rs.validation.pool([rs.times.concordance(times, seen, each) for each in scores])
    assert "imputed_for_times" in [told.code for told in found.warnings]
    of_classes = rs.validation.pool([rs.auc_interval(times > 1, each) for each in scores])
    assert "imputed_for_times" not in [told.code for told in of_classes.warnings]


def test_values_at_the_end_of_the_range_have_limits_in_it_and_a_width() -> None:
    y, score = np.repeat([1, 0], 20), np.arange(40.0)[::-1]
    perfect = rs.auc_interval(y, score)
    found = rs.validation.pool([perfect] * 5, scale="plain")
    assert (found.low, found.high) == pytest.approx((perfect.low, 1.0))
    assert found.high == 1.0
    score[19] = 5.5
    mixed = rs.validation.pool([perfect] * 3 + [rs.auc_interval(y, score)] * 2, scale="plain")
    assert 0 < mixed.low <= perfect.low < mixed.estimate < mixed.high == 1.0
    near = rs.validation.pool([(0.99, 0.02), (0.98, 0.02)], measure="auc", scale="plain")
    assert near.low < near.estimate < near.high == 1.0
    unknown = rs.validation.pool([(1.0, 0.0)] * 3, measure="auc", scale="plain")
    assert np.isnan([unknown.low, unknown.high]).all()
    assert "nothing_varies" in [remark.code for remark in unknown.warnings]
    flat = rs.validation.pool([rs.auc_interval(y, y, method="delong")] * 5, scale="plain")
    assert np.isnan([flat.low, flat.high, flat.missing_information]).all()
