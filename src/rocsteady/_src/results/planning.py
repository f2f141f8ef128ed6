"""Results of planning a study: rows for a width, for a goal, and for a validation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rocsteady._src.base.text import format_count, format_digits, format_level, format_setting
from rocsteady._src.results.base import Result
from rocsteady._src.results.pictures import Bar, Bars, Spot

if TYPE_CHECKING:
    from rocsteady._src.base.frames import Table

SPOKEN = {
    "auc": "AUC",
    "recall": "sensitivity",
    "precision": "PPV",
    "negative_predictive_value": "NPV",
}
OF_THEM = {
    "positives": "positive",
    "negatives": "negative",
    "rows called positive": "called positive",
    "rows called negative": "called negative",
}


def spoken(measure: str) -> str:
    """A measure as plans call it."""
    return SPOKEN.get(measure, measure.replace("_", " "))


def _whole(rows: float) -> str:
    return format_count(math.ceil(rows - 1e-9) if math.isfinite(rows) else rows)


@dataclass(frozen=True, slots=True)
class WidthPlan(Result):
    """The width to expect of an interval with ``n`` rows; ``asked`` is the width that was wanted, None if n was given.

    ``n_counted`` of the rows are to be ``among`` those that the measure counts. ``n_pos`` and ``n_neg`` are expected
    numbers, None where the plan does not know them.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.power.plan_width("specificity", 0.8, n=400, prevalence=0.25)
    WidthPlan(specificity 0.8: 400 rows, 300 of them negative, give an interval 0.09007 wide (95% level, wilson))
    """

    measure: str
    value: float
    width: float
    asked: float | None
    n: int
    n_pos: float | None
    n_neg: float | None
    among: str
    n_counted: float
    level: float
    method: str

    @property
    def _rows(self) -> str:
        if self.among == "rows" and self.n_pos is not None:
            return f"{format_count(self.n)} rows, {_whole(self.n_pos)} of them positive"
        if self.n_counted < self.n:
            return f"{format_count(self.n)} rows, {_whole(self.n_counted)} of them {OF_THEM[self.among]}"
        return f"{format_count(self.n)} {self.among}"

    def _picture(self) -> Spot:
        title = (f"Width of an interval of {spoken(self.measure)} {format_digits(self.value, 4)}",)
        note = (self._rows, f"width {format_digits(self.width, 4)}", f"{format_level(self.level)} level", self.method)
        reach = (2.0 * self.n, 2.0 * self.width if self.width > 0 and math.isfinite(self.width) else 1.0)
        return Spot(title, "Rows", "Width", self.n, self.width, note, reach, level=self.asked)

    def __str__(self) -> str:
        name, how = f"{spoken(self.measure)} {format_digits(self.value, 4)}", f"({format_level(self.level)} level, "
        if self.asked is not None:
            needs = f"an interval {format_setting(self.asked)} wide needs {self._rows}"
            return f"{name}: {needs} {how}{self.method})"
        comma = "," if "," in self._rows.replace(format_count(self.n), "") else ""
        return f"{name}: {self._rows}{comma} give an interval {format_digits(self.width, 4)} wide {how}{self.method})"


@dataclass(frozen=True, slots=True)
class GoalPower(Result):
    """How surely a test against a goal succeeds: ``power`` with ``n`` rows if the truth is ``value``.

    ``size`` is the probability of success where the truth is the goal itself, at most ``alpha`` for shares, whose test
    is exact; for an AUC it is alpha by approximation. ``critical`` is the smallest count (for ``side`` "below" the
    largest) among ``n`` rows that succeeds, None for an AUC.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.power.power_goal("sensitivity", 0.95, above=0.9, n=200)
    GoalPower(sensitivity above 0.9 if it is 0.95: power 0.7965 with 200 positives, one-sided at 0.05 (solved ...)
    """

    measure: str
    value: float
    goal: float
    side: str
    power: float
    size: float
    n: float
    n_pos: float | None
    n_neg: float | None
    among: str
    critical: int | None
    alpha: float
    solved_for: str
    method: str

    @property
    def _rows(self) -> str:
        if self.n_pos is not None and self.n_neg is not None:
            return f"{_whole(self.n_pos)} positives and {_whole(self.n_neg)} negatives"
        return f"{_whole(self.n)} {self.among}"

    def _picture(self) -> Spot:
        title = (f"Power of a test of {spoken(self.measure)} {self.side} {format_setting(self.goal)}",)
        note = (self._rows, f"power {format_digits(self.power, 4)}", f"if it is {format_digits(self.value, 4)}")
        return Spot(title, "Rows", "Power", self.n, self.power, note, (2.5 * self.n, 1.0), level=self.alpha)

    def __str__(self) -> str:
        asked = f"{spoken(self.measure)} {self.side} {format_setting(self.goal)} if it is {format_setting(self.value)}"
        return (
            f"{asked}: power {format_digits(self.power, 4)} with {self._rows}, one-sided at "
            f"{format_setting(self.alpha)} (solved for {self.solved_for}, {self.method})"
        )


@dataclass(frozen=True, slots=True)
class Criterion(Result):
    """One criterion of a validation: what is to be known, how surely, and the rows that takes.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.power.validation_size(prevalence=0.1, auc=0.7).criteria[0]
    Criterion(observed/expected 1 with an interval 0.2 wide: 3,469 rows, 347 positive)
    """

    name: str
    value: float
    width: float
    se: float
    n: int
    n_pos: float

    def _picture(self) -> Bars:
        return Bars((str(self),), "Rows", (Bar(self.name, 0.0, float(self.n), float(self.n)),))

    def __str__(self) -> str:
        size = f"{format_count(self.n)} rows, {_whole(self.n_pos)} positive"
        return f"{self.name} {format_digits(self.value, 4)} with an interval {format_setting(self.width)} wide: {size}"


@dataclass(frozen=True, slots=True)
class ValidationSize(Result):
    """Rows for the validation of a model of risks: ``n`` is the largest of its ``criteria``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.power.validation_size(prevalence=0.1, auc=0.7)
    ValidationSize(8,714 rows, 872 positive, for calibration slope (95% level, true risks with AUC 0.7))
    """

    criteria: tuple[Criterion, ...]
    prevalence: float
    auc: float
    level: float
    scores: str

    @property
    def n(self) -> int:
        """Rows for all criteria."""
        return max(each.n for each in self.criteria)

    @property
    def n_pos(self) -> float:
        """Positives to be expected among them."""
        return self.n * self.prevalence

    @property
    def largest(self) -> Criterion:
        """The criterion that needs most rows."""
        return max(self.criteria, key=lambda each: each.n)

    def _columns(self) -> Table:
        names = ("name", "value", "width", "se", "n", "n_pos")
        return {name: [getattr(each, name) for each in self.criteria] for name in names}

    def _picture(self) -> Bars:
        title = (f"Rows for a validation at prevalence {format_setting(self.prevalence)}",)
        bars = tuple(Bar(each.name, 0.0, float(each.n), float(each.n)) for each in self.criteria)
        return Bars(title, "Rows", bars)

    def __str__(self) -> str:
        how = f"({format_level(self.level)} level, {self.scores})"
        first = f"{format_count(self.n)} rows, {_whole(self.n_pos)} positive, for {self.largest.name} {how}"
        return "\n".join([first, *(f"  {each}" for each in self.criteria)])
