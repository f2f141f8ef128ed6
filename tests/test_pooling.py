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
    "is not pooled": lambda: rs.validation.pool(
        [rs.compare_auc(Y, each, BASE, alternative="equivalence", margin=0.1) for each in IMPUTED]
    ),
}


@each_case("told, call", REFUSED.items())
def test_what_is_refused(told: str, call: Any) -> None:
    with pytest.raises(rs.RocsteadyError, match=told):
        call()
