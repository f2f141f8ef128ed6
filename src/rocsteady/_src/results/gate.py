"""Whether a candidate may replace a baseline: conditions, each with its evidence, and one decision."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.decided import FAIL, PASS
from rocsteady._src.base.errors import printable
from rocsteady._src.base.sentences import safe
from rocsteady._src.base.text import (
    format_count,
    format_interval,
    format_level,
    format_number,
    format_setting,
)
from rocsteady._src.results.base import Result
from rocsteady._src.results.decided import Decided
from rocsteady._src.results.pictures import Forest, Line, source
from rocsteady._src.results.reading import one_line

if TYPE_CHECKING:
    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.base import Origin
    from rocsteady._src.results.remarks import Remark

HEADER = ["condition", "decision", "baseline", "candidate", "estimate and bounds", "limit", "rows", "would decide"]
NO_NUMBER = "no number"
TRACKED = ("estimate", "low", "high", "limit", "baseline", "candidate", "level", "n_rows", "rows_needed")
FIELDS = (
    *("name", "measure", "group", "decision", "margin", "goal", "limit", "side", "estimate", "low", "high"),
    *("baseline", "candidate", "level", "method", "n_rows", "rows_needed", "reason", "unnoticed", "unnoticed_of"),
)


@dataclass(frozen=True, slots=True, eq=False)
class GateCondition(Result):
    """One condition of a gate, of all rows or of a group of them.

    ``estimate`` is candidate minus baseline where there is a ``margin``, and the candidate's own value where there is a
    ``goal``; ``low`` and ``high`` are bounds, each at confidence ``level`` by itself. The condition holds where it lies
    on the ``side`` ("above" or "below") of the ``limit``. ``rows_needed`` are rows that would decide what these do not,
    NaN where no number would, None where it is decided; ``reason`` says why there are no bounds, ``sentence`` what was
    found. Of a pass ``unnoticed`` is the share of failing rows that may have gone unnoticed, and ``unnoticed_of`` says
    of which rows.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> rs.gate(y, t, s, margin=0.01).conditions[0]
    GateCondition(auc > baseline - 0.01: pass, +0.104 [+0.048, +0.171])
    """

    name: str
    measure: str
    group: Any
    decision: str
    margin: float | None
    goal: float | None
    limit: float
    side: str
    estimate: float
    low: float
    high: float
    baseline: float
    candidate: float
    level: float
    method: str
    n_rows: int
    rows_needed: float | None = None
    reason: str = ""
    sentence: str = ""
    warnings: tuple[Remark, ...] = ()
    unnoticed: float | None = None
    unnoticed_of: str = ""

    @property
    def found(self) -> str:
        """The estimate with its bounds, with a sign where it is a difference."""
        if math.isnan(self.low):
            return self.reason if self.decision == PASS else f"no bounds: {self.reason}"
        return format_interval(self.estimate, self.low, self.high, 3, signed=self.goal is None)

    @property
    def rows_words(self) -> str:
        """How many rows would decide; empty where it is decided."""
        if self.rows_needed is None:
            return ""
        return NO_NUMBER if math.isnan(self.rows_needed) else format_count(self.rows_needed)

    def cells(self) -> list[str]:
        """One row of a table."""
        values = [format_number(each) for each in (self.baseline, self.candidate)]
        limit = f"{'>' if self.side == 'above' else '<'} {format_setting(self.limit)}"
        counts = [format_count(self.n_rows), self.rows_words]
        return [printable(self.name, most=60), self.decision, *values, self.found, limit, *counts]

    def _brief(self) -> str:
        return one_line(f"{printable(self.name)}: {self.decision}, {self.found}")

    def __str__(self) -> str:
        return f"{printable(self.name)}: {self.decision}, {self.found}"

    def _reading(self) -> tuple[list[str], list[list[str]]]:
        return HEADER, [self.cells()]

    def _columns(self) -> Table:
        return {name: [getattr(self, name)] for name in FIELDS}

    def _tracked(self) -> Table:
        """What trackers keep."""
        return {**_as_numbers([self.decision]), **{name: [getattr(self, name)] for name in TRACKED}}

    def _picture(self) -> Forest:
        label = f"Bounds, each at {format_level(self.level)}; dashed: limit"
        return Forest((str(self),), label, (self.line(),))

    def line(self) -> Line:
        """How a picture shows it."""
        return Line(self.name, self.estimate, self.low, self.high, (self.limit,))


@dataclass(frozen=True, slots=True, eq=False)
class GateResult(Decided, Result):
    """A decision, "pass", "fail" or "cannot tell", and the ``conditions`` that it rests on.

    It is "pass" only where every condition passes, each at confidence ``level``: a candidate that breaks one of them
    passes with at most the probability 1 - level, however many there are. It is "fail" where any condition fails at
    the level that Bonferroni's adjustment leaves for each, so that a candidate that keeps all of them fails with at
    most that probability. All else is "cannot tell", which is never a pass; ``rows_needed`` rows would decide.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> found = rs.gate(y, t, s, margin=0.01)
    >>> found.decision, found.passed
    ('pass', True)
    """

    decision: str
    conditions: tuple[GateCondition, ...]
    verdict: tuple[str, ...]
    baseline: str | None
    candidate: str
    level: float
    paired: bool
    power: float
    n_pos: Any
    n_neg: Any
    origin: Origin
    rows_needed: float | None = None
    warnings: tuple[Remark, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the candidate may replace the baseline; False where that cannot be told."""
        return self.decision == PASS

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Header and rows for reading, one row per condition."""
        return list(HEADER), [each.cells() for each in self.conditions]

    def told(self) -> list[str]:
        """What a pass and a fail promise, and by which methods."""
        methods = "; ".join(
            dict.fromkeys(f"{each.measure} by {each.method}" for each in self.conditions if each.method)
        )
        return [self.rule, *([methods] if methods else [])]

    @property
    def rule(self) -> str:
        """What a pass and a fail promise."""
        n, levels = len(self.conditions), list(dict.fromkeys(each.level for each in self.conditions))
        level = " or ".join(map(format_level, levels))
        if n == 1:
            return f"pass: the condition is shown with {level} confidence, one-sided; fail: its opposite is"
        alpha = " or ".join(f"{format_setting(round(1 - each, 12))}/{n}" for each in levels)
        return (
            f"pass: every condition is shown with {level} confidence, one-sided; fail: the opposite of any, at {alpha}"
        )

    def _sample(self) -> str:
        return "" if self.paired else " in the candidate's sample"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values; conditions are a list of records."""
        return {
            **{name: getattr(self, name) for name in ("decision", "passed", "verdict", "baseline", "candidate")},
            **{name: getattr(self, name) for name in ("level", "paired", "power", "rows_needed", "n_pos", "n_neg")},
            "conditions": [each.to_dict() for each in self.conditions],
            **self.origin.to_dict(),
            "warnings": self.warnings,
        }

    def _columns(self) -> Table:
        return {name: [getattr(each, name) for each in self.conditions] for name in FIELDS}

    def _tracked(self) -> Table:
        """What trackers keep of each condition, which its name tells from the others."""
        named = {name: [getattr(each, name) for each in self.conditions] for name in ("measure", "group")}
        kept = {name: [getattr(each, name) for each in self.conditions] for name in TRACKED}
        decisions = _as_numbers([each.decision for each in self.conditions])
        return {**named, "condition": [each.name for each in self.conditions], **decisions, **kept}

    def _tracked_beside(self) -> dict[str, float]:
        """What trackers keep of the whole gate, beside its numbers."""
        return {name: number for name, (number,) in _as_numbers([self.decision]).items()}

    def _picture(self) -> Forest:
        title = (str(safe(self.verdict[0])), *source(self.origin, self.n_pos, self.n_neg))
        label = f"Estimate with bounds, each at {format_level(self.level)}; dashed: limit"
        return Forest(title, label, tuple(each.line() for each in self.conditions))


def _as_numbers(decisions: list[str]) -> dict[str, list[float]]:
    """Decisions for those who keep numbers only; neither passed nor failed is what cannot be told."""
    return {name: [float(each == told) for each in decisions] for name, told in (("passed", PASS), ("failed", FAIL))}
