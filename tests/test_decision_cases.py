"""Of how many cases a decision speaks, and with how many digits, so that what it prints adds up everywhere."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady._src.results.cases import counts_shown, decimals_of, unit_of

RARE = (np.arange(20_000) % 2_000 == 0).astype(int)


def _numbers(cells: list[str]) -> list[float]:
    return [float(cell.replace(",", "")) for cell in cells]


def test_rare_positives_are_counted_in_more_cases(tmp_path: Any) -> None:
    scores = np.random.default_rng(0).normal(size=RARE.size).round(2) + 3 * RARE
    result = rs.evaluate(RARE, scores)
    found = result.decide(cost_fn=500)
    assert found.cases == 100_000
    assert found.courses[0].found + found.courses[0].missed == pytest.approx(50)
    assert "of 100,000 cases it finds" in found.verdict[0]
    assert found.cells()[0][0] == "of 100,000 cases"
    assert "of 100,000 cases" in str(found)
    assert found.to_dict()["cases"] == 100_000
    text = result.report(tmp_path / "r.md", cost_fn=500).read_text()
    assert "of 100,000 cases" in text
    assert "1,000 cases" not in text.replace("100,000 cases", "")


def test_a_given_prevalence_chooses_the_unit() -> None:
    y = np.arange(200) % 2
    found = rs.evaluate(y, np.arange(200) % 7 + y).decide(cost_fn=50, prevalence=0.002)
    assert found.cases == 10_000
    assert found.courses[-1].false_alarms == pytest.approx(9_980)


@given(
    st.floats(1e-5, 1 - 1e-5),
    st.floats(0, 1),
    st.floats(0, 1),
    st.sampled_from([(1, 1), (50, 400), (1, 9999), (0.3, 7)]),
)
def test_counts_as_shown_add_up(share: float, recall: float, alarmed: float, costs: tuple[float, float]) -> None:
    unit = unit_of(share)
    assert unit * min(share, 1 - share) >= 10 - 1e-8
    found, missed, alarms = unit * share * recall, unit * share * (1 - recall), unit * (1 - share) * alarmed
    cost = missed * costs[1] + alarms * costs[0]
    decimals = decimals_of([(found, missed, alarms, cost)], *costs)
    shown = counts_shown(found, missed, alarms, decimals)
    assert shown[0] + shown[1] == pytest.approx(round(unit * share, decimals), abs=1.01 * 10**-decimals)
    for one, exact in zip(shown, (found, missed, alarms), strict=True):
        assert one == pytest.approx(exact, abs=1.01 * 10**-decimals)
    if decimals < 2:
        assert shown[1] * costs[1] + shown[2] * costs[0] == pytest.approx(cost, rel=0.0021, abs=1e-6)


@pytest.mark.parametrize("n", [400, 367, 1000, 90])
def test_the_printed_table_can_be_added_up(n: int) -> None:
    table = rs.examples.loans(n)
    found = rs.evaluate(table, label="defaulted", scores=["boosted", "logistic"]).decide(cost_fp=50, cost_fn=400)
    _, rows = found.cells()
    positives = {round(sum(_numbers(row[2:4])), 6) for row in rows}
    assert len(positives) == 1
    for row in rows:
        _, missed, alarms, cost = _numbers(row[2:6])
        assert 400 * missed + 50 * alarms == pytest.approx(cost, rel=0.0021)
    happens = found.verdict[0].split("cases")[1].replace("(defaulted = 1)", "")
    told = [float(each.replace(",", "")) for each in re.findall(r"[\d,]*\d(?:\.\d+)?", happens)]
    lead, *_ = [row for row in rows if row[0] == found.model]
    numbers = _numbers(lead[2:6])
    assert told == [numbers[0], positives.pop(), *numbers[1:]]
