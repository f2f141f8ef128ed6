"""What to do: which model, at what threshold, what it costs, and what could be wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable
from rocsteady._src.base.sentences import safe
from rocsteady._src.base.text import format_count, format_digits, text_table
from rocsteady._src.results.base import DIRECTION, Result
from rocsteady._src.results.cases import LEAST, count_text, counts_shown, decimals_of, money, of_cases
from rocsteady._src.results.decision_groups import group_header
from rocsteady._src.results.pictures import Forest, Line, source
from rocsteady._src.results.reading import one_line
from rocsteady._src.results.remarks import noted

if TYPE_CHECKING:
    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.base import Origin
    from rocsteady._src.results.decision_groups import GroupCourse
    from rocsteady._src.results.inference import Interval, TestResult
    from rocsteady._src.results.remarks import Remark

HEADER = ["threshold", "found", "missed", "false alarms", "cost", "more than the first"]


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """One way to act: a model at a threshold, or None to treat all cases alike; its numbers are of ``Decision.cases``.

    ``more`` is what a case costs beyond the course that leads, with its interval; None where it is not known.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> course = rs.evaluate(y, {"boosted": s, "logistic": t}).decide(cost_fp=1, cost_fn=5).courses[0]
    >>> course.model, course.shown, round(course.recall, 4), round(course.cost)
    ('boosted', '0.227417', 0.9677, 190)
    """

    name: str
    model: str | None
    threshold: Any
    shown: str
    recall: float
    false_positive_rate: float
    found: float
    missed: float
    false_alarms: float
    cost: float
    more: TestResult | None = None
    p_holm: float = float("nan")

    @property
    def flagged(self) -> float:
        """Cases called positive."""
        return self.found + self.false_alarms

    @property
    def parts(self) -> tuple[float, float, float, float]:
        """Found, missed, false alarms, cost."""
        return self.found, self.missed, self.false_alarms, self.cost

    def counts(self, decimals: int) -> list[str]:
        """Found, missed and false alarms as text."""
        return [count_text(each) for each in counts_shown(self.found, self.missed, self.false_alarms, decimals)]

    def cells(self, unit: int, decimals: int) -> list[str]:
        """A row of the table."""
        beyond = "" if self.more is None else _beyond(self.more, unit)
        return [printable(self.name, most=48), self.shown, *self.counts(decimals), money(self.cost), beyond]


@dataclass(frozen=True, slots=True)
class Check:
    """A plain question about the decision: ``answer`` is yes, partly, no or unknown, and ``text`` says why."""

    name: str
    question: str
    answer: str
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Decision(Result):
    """The model and the threshold that cost least, beside all others and beside flagging nobody or everybody.

    ``courses`` are sorted by cost, the two that need no model last. ``costs`` says where the costs come from: "given",
    "1:1" when none were, or "neutral" when none were and 1:1 would treat all cases alike: then both classes weigh the
    same. ``threshold_interval`` counts that these rows chose the threshold. ``groups`` has what it does in each group
    of column ``by``, where rows have groups; ``label`` is the column of labels, where it has a name. Counts and costs
    are of so many ``cases``: 1,000, or more where one class is rare. ``excess`` is the expected cost of a case on new
    rows beyond that of the best choice among these models and their thresholds, ``excess_limit`` its upper limit at
    ``level``: both count that these rows chose model and threshold. NaN where the rows are not at hand.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> rs.evaluate(y, {"boosted": s, "logistic": t}).decide(cost_fp=1, cost_fn=5)
    Decision(Use boosted and flag scores of at least 0.227417: of 1,000 cases it finds 150 of 155 positives ...)
    """

    model: str
    threshold: Any
    courses: tuple[Course, ...]
    cost_fp: float
    cost_fn: float
    costs: str
    prevalence: float
    prevalence_given: bool
    baseline: str | None
    level: float
    verdict: tuple[str, ...]
    alarms: tuple[str, ...]
    checks: tuple[Check, ...]
    prices: tuple[tuple[str | None, float, float, bool], ...]
    threshold_interval: Interval | None
    rates: dict[str, Interval]
    n_pos: Any
    n_neg: Any
    origin: Origin
    warnings: tuple[Remark, ...] = ()
    by: str | None = None
    groups: tuple[GroupCourse, ...] = ()
    cases: int = LEAST
    label: str | None = None
    optimism: float = 0.0  # of the cost of a case, by resamples that chose the threshold again
    excess: float = float("nan")
    excess_limit: float = float("nan")

    @property
    def positives(self) -> str:
        """What is counted, in words: positives, and the label that makes a row one."""
        label = printable(self.origin.pos_label, most=40)
        return f"positives (label {label})" if self.label is None else f"positives ({self.label} = {label})"

    @property
    def decimals(self) -> int:
        """Of the counts that are shown, so that they make up the costs."""
        return decimals_of((course.parts for course in self.courses), self.cost_fp, self.cost_fn)

    def counts(self, course: Course) -> list[str]:
        """Found, missed and false alarms of a course as text, with the digits of this decision."""
        return course.counts(max(self.decimals, decimals_of([course.parts], self.cost_fp, self.cost_fn)))

    def __getitem__(self, name: str) -> Course:
        """The course of a model, or "flag nobody" and "flag everybody"."""
        return next(course for course in self.courses if course.name == name)

    def _brief(self) -> str:
        return one_line(safe(self.verdict[0]))

    def _above(self) -> tuple[str, ...]:
        return tuple(safe(line) for line in (*self.alarms, *self.verdict))

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Header and rows for reading, one row per course."""
        decimals = self.decimals
        return [f"of {of_cases(self.cases)}", *HEADER], [course.cells(self.cases, decimals) for course in self.courses]

    def group_cells(self) -> tuple[list[str], list[list[str]]]:
        """The same for groups of rows, at the threshold that leads."""
        parts = [part.course.parts for part in self.groups]
        decimals = max(self.decimals, decimals_of(parts, self.cost_fp, self.cost_fn))
        return group_header(self.by or ""), [part.cells(self.cases, decimals) for part in self.groups]

    def tables(self) -> list[str]:
        """Below the courses: what the chosen threshold does in each group."""
        if not self.groups:
            return []
        at = f"{printable(self.model, most=48)} at {self[self.model].shown}"
        return [
            f"\nof {of_cases(self.cases)} by {printable(self.by, most=40)}: {at}\n{text_table(*self.group_cells())}\n"
        ]

    def notes(self) -> list[str]:
        """Checks, what was assumed, what to beware of."""
        checks = [f"{check.question} {check.answer}: {check.text}" for check in self.checks]
        return [safe(line) for line in [*checks, self.assumptions(), *(noted(remark) for remark in self.warnings)]]

    def assumptions(self) -> str:
        """Costs, prevalence, rows and direction in one line."""
        rows = self.origin.sizes(self.n_pos, self.n_neg)
        how = {"given": "", "1:1": " (assumed)", "neutral": " (both classes weigh the same)"}[self.costs]
        prices = f"false alarm {_price(self.cost_fp)}, miss {_price(self.cost_fn)}{how}"
        share = f"prevalence {format_digits(self.prevalence, 4)}{'' if self.prevalence_given else ' of these rows'}"
        return f"{prices}; {share}; {rows}; positive label {self.origin.pos_label!r}; {DIRECTION}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        names = ("recall", "false_positive_rate", "found", "missed", "false_alarms", "cost")
        return {
            **self.origin.to_dict(),
            **{name: getattr(self, name) for name in ("n_pos", "n_neg", "model", "threshold", "cost_fp", "cost_fn")},
            **{name: getattr(self, name) for name in ("costs", "prevalence", "baseline", "level", "cases")},
            "courses": [
                {
                    "name": course.name,
                    "model": course.model,
                    "threshold": course.threshold,
                    **{name: getattr(course, name) for name in names},
                    "more": None if course.more is None else course.more.to_dict(),
                    "p_holm": course.p_holm,
                }
                for course in self.courses
            ],
            "cheapest": [
                {"model": model, "from": low, "to": high, "flags_all": flags} for model, low, high, flags in self.prices
            ],
            "threshold_interval": None if self.threshold_interval is None else self.threshold_interval.to_dict(),
            "excess": {"expected": self.excess, "limit": self.excess_limit},
            "rates": {name: found.to_dict() for name, found in self.rates.items()},
            "verdict": list(self.verdict),
            "alarms": list(self.alarms),
            "checks": {
                each.name: {"question": each.question, "answer": each.answer, "text": each.text} for each in self.checks
            },
            "remarks": [remark.to_dict() for remark in self.warnings],
            **({"by": self.by, "groups": [part.to_dict() for part in self.groups]} if self.groups else {}),
        }

    def _columns(self) -> Table:
        """One line per course; where rows have groups, then one per group at the threshold that leads."""
        names = ("threshold", "recall", "false_positive_rate", "found", "missed", "false_alarms", "cost")
        courses = [*self.courses, *(part.course for part in self.groups)]
        table: Table = {"course": [course.name for course in courses]}
        if self.groups:
            table["group"] = [*("all" for _ in self.courses), *(part.group for part in self.groups)]
        table |= {name: [getattr(course, name) for course in courses] for name in names}
        for name in ("estimate", "low", "high"):
            tests = [course.more for course in courses]
            more = [float("nan") if test is None else self.cases * float(getattr(test, name)) for test in tests]
            table["more" if name == "estimate" else f"more_{name}"] = more
        return table

    def _picture(self) -> Forest:
        lines = tuple(
            Line(printable(course.name, most=40), *(self.cases * getattr(course.more, name) for name in _ENDS))
            for course in self.courses
            if course.more is not None
        )
        title = (one_line(self.verdict[0]), *source(self.origin, self.n_pos, self.n_neg))
        leader = printable(self.model, most=30)
        return Forest(title, f"Cost of {of_cases(self.cases)} beyond that of {leader}; dashed: the same cost", lines)

    def __str__(self) -> str:
        return "\n".join([*self._above(), "", text_table(*self.cells()), *self.tables(), *self.notes()])


_ENDS = ("estimate", "low", "high")


def _price(cost: float) -> str:
    return format_count(round(cost)) if cost == round(cost) else format_digits(cost, 6)


def _beyond(test: TestResult, unit: int) -> str:
    estimate, low, high = (unit * float(getattr(test, name)) for name in _ENDS)
    return f"{money(estimate, signed=True)} [{money(low, signed=True)}, {money(high, signed=True)}]"
