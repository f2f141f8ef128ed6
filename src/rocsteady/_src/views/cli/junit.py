"""The conditions of a gate as JUnit XML, which continuous integration reads: a test case each."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from rocsteady._src.base.decided import FAIL, PASS, UNSURE
from rocsteady._src.base.errors import printable
from rocsteady._src.results.gate import NO_NUMBER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocsteady._src.results.gate import GateCondition, GateResult

NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
SUITE = "rocsteady gate"


def junit_text(found: GateResult, told: str, policy: Mapping[str, Any]) -> str:
    """One suite with a case per condition; what cannot be told is a failure, unless ``policy`` passes it: a skip.

    ``told`` is what the command says in text.
    """
    passes = policy["cannot_tell"] == PASS
    decisions = [each.decision for each in found.conditions]
    open_ones, failed = decisions.count(UNSURE), decisions.count(FAIL)
    counts = {"tests": len(decisions), "failures": failed + (0 if passes else open_ones), "errors": 0}
    counts["skipped"] = open_ones if passes else 0
    shown = {name: str(count) for name, count in counts.items()}
    root = Element("testsuites", {"name": SUITE, **shown})
    suite = SubElement(root, "testsuite", {"name": SUITE, **shown})
    facts = SubElement(suite, "properties")
    known = {name: getattr(found, name) for name in ("decision", "baseline", "candidate", "level", "rows_needed")}
    if found.rows_needed is not None and math.isnan(found.rows_needed):
        known["rows_needed"] = NO_NUMBER
    for name, value in {**known, **policy}.items():
        if value is not None:
            SubElement(facts, "property", name=name, value=_safe(value))
    for condition in found.conditions:
        _case(suite, condition, found.candidate, passes=passes)
    SubElement(suite, "system-out").text = "\n".join(map(_safe, told.rstrip("\n").split("\n")))
    indent(root)
    body = tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{body}\n'


def _case(suite: Element, condition: GateCondition, candidate: str, *, passes: bool) -> None:
    case = SubElement(suite, "testcase", name=_safe(condition.name), classname=f"rocsteady.gate.{_safe(candidate)}")
    if condition.decision == PASS:
        return
    if condition.decision == UNSURE and passes:
        SubElement(case, "skipped", message=_safe(f"cannot tell: {condition.sentence}"))
        return
    told = SubElement(case, "failure", message=_safe(condition.sentence), type=condition.decision)
    told.text = _safe(condition)


def _safe(value: object) -> str:
    """Text that XML can hold, without what would steer a terminal."""
    return NOT_XML.sub("\N{REPLACEMENT CHARACTER}", printable(value))
