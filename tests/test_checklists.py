"""Reporting checklists: every item is there once, what is filled in stands in the result, the rest is empty."""

from __future__ import annotations

import json

import pytest

import rocsteady as rs
from rocsteady._src.evaluation.checklists import STARD, TRIPOD

LOANS = rs.examples.loans(200)
RESULT = rs.evaluate(
    LOANS["defaulted"], {"<b>": LOANS["boosted"]}, measures=["auc", "recall"], intervals=True, threshold=0.3
)


def test_every_item_once() -> None:
    assert [number.rstrip("ab") for number, _, _ in STARD if not number.endswith("b")] == [str(n) for n in range(1, 31)]
    numbers = [int("".join(filter(str.isdigit, number))) for number, _, _ in TRIPOD]
    assert sorted(set(numbers)) == list(range(1, 28))


def test_what_is_filled_in_stands_in_the_result() -> None:
    found = rs.validation.reporting_checklist(RESULT, "STARD")
    counts = rs.confusion(LOANS["defaulted"], LOANS["boosted"], threshold=0.3)
    assert found["23"] == f"<b>: tp {counts.tp}, fp {counts.fp}, fn {counts.fn}, tn {counts.tn}"
    interval = RESULT.intervals["<b>"]["auc"]
    assert f"[{interval.low:.4f}, {interval.high:.4f}]" in found["24"]
    assert "as the call gave it" in found["12a"]
    assert "200 rows" in found["19"]
    assert found["30"] == ""
    assert "&lt;b&gt;" in found._repr_html_()
    assert "<b>" not in found._repr_html_()
    assert json.loads(json.dumps(found.to_dict()))["guideline"] == "STARD"
    chosen = rs.evaluate(LOANS["defaulted"], LOANS["boosted"], threshold="youden")
    assert "chosen on these rows by youden" in rs.validation.reporting_checklist(chosen)["15"]
    assert rs.validation.reporting_checklist(rs.evaluate([0, 1], [0.1, 0.9]), "STARD")["23"] == ""


def test_refusals() -> None:
    with pytest.raises(rs.errors.ArgumentError, match="evaluate"):
        rs.validation.reporting_checklist(3)
    with pytest.raises(rs.errors.ArgumentError, match="guideline"):
        rs.validation.reporting_checklist(RESULT, "CONSORT")
    with pytest.raises(rs.errors.ArgumentError, match="99"):
        rs.validation.reporting_checklist(RESULT)["99"]
