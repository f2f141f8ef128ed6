"""Models whose rows are right or wrong, compared on the same rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable
from rocsteady._src.base.sentences import safe
from rocsteady._src.base.text import (
    format_count,
    format_digits,
    format_interval,
    format_level,
    format_setting,
    format_threshold,
    p_words,
    table_cells,
    text_table,
)
from rocsteady._src.results.base import Result
from rocsteady._src.results.comparisons import Comparisons
from rocsteady._src.results.inference import TestResult
from rocsteady._src.results.pictures import Forest, Line, Spot, source
from rocsteady._src.results.plain_values import plain
from rocsteady._src.results.remarks import noted

if TYPE_CHECKING:
    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.base import Origin
    from rocsteady._src.results.comparison import Comparison
    from rocsteady._src.results.inference import Interval
    from rocsteady._src.results.remarks import Remark


@dataclass(frozen=True, slots=True, eq=False)
class OutcomeTest(TestResult):
    """A test of two shares of the same rows, with the four counts that it rests on.

    ``worth`` is how many independent rows tell the difference as surely, fewer than there are where subjects have
    several. ``detectable`` is the smallest true difference that a two-sided test of as many rows, which disagree as
    often, finds 4 times in 5.

    Examples
    --------
    >>> import rocsteady as rs
    >>> test = rs.compare_outcomes([1, 1, 1, 1, 0, 1, 0, 1], [1, 0, 0, 1, 0, 0, 0, 0])
    >>> test.first_only, test.second_only, round(test.pvalue, 3)
    (4, 0, 0.125)
    """

    both: Any = 0
    first_only: Any = 0
    second_only: Any = 0
    neither: Any = 0
    n_subjects: int | None = None
    worth: float = math.nan
    detectable: float = math.nan

    @property
    def n(self) -> float:
        """How many rows there are."""
        found: float = self.both + self.first_only + self.second_only + self.neither
        return found

    @property
    def design_effect(self) -> float:
        """How many rows are worth one independent one: 1 without subjects."""
        return self.n / self.worth if self.worth else math.nan

    def counted(self) -> str:
        """The four counts in words, and the difference that would be found."""
        cells = (("both", self.both), ("only first", self.first_only), ("only second", self.second_only))
        told = ", ".join(f"{name} {format_count(count)}" for name, count in (*cells, ("neither", self.neither)))
        of = "" if self.n_subjects is None else f" of {format_count(self.n_subjects)} subjects"
        line = f"{format_count(self.n)} rows{of}: {told}"
        if math.isnan(self.detectable):
            return line
        return f"{line}; a difference of {format_digits(self.detectable, 2)} would be found 4 times in 5"

    def __str__(self) -> str:
        return "\n".join([super(OutcomeTest, self).__str__(), self.counted(), *map(noted, self.warnings)])


@dataclass(frozen=True, slots=True, eq=False)
class OutcomePower(Result):
    """Power, rows and true difference that belong together; ``solved_for`` names the one that was asked for.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.power.power_outcomes(difference=0.05, discordant=0.2, n=500)
    OutcomePower(a difference of 0.05 with 0.2 of rows discordant: power 0.6764 with 500 rows, two-sided at 0.05 ...)
    """

    power: float
    n: int
    difference: float
    discordant: float
    alpha: float
    alternative: str
    method: str
    solved_for: str
    design_effect: float = 1.0

    def _picture(self) -> Spot:
        title = (f"Power of a test of two models on the same rows, solved for {self.solved_for}",)
        note = (
            f"{format_count(self.n)} rows, power {format_digits(self.power, 4)}",
            f"difference {format_digits(self.difference, 3)}, discordant {format_digits(self.discordant, 3)}",
            f"{self.method}, {self.alternative} at {format_setting(self.alpha)}",
        )
        reach = (2.5 * self.n, 1.0)
        return Spot(title, "Rows", "Power", float(self.n), self.power, note, reach, level=self.alpha)

    def __str__(self) -> str:
        start = f"a difference of {format_digits(self.difference, 4)} with {format_digits(self.discordant, 4)} of rows"
        effect = "" if self.design_effect == 1 else f", design effect {format_digits(self.design_effect, 3)}"
        return (
            f"{start} discordant: power {format_digits(self.power, 4)} with {format_count(self.n)} rows{effect}, "
            f"{self.alternative} at {format_setting(self.alpha)} (solved for {self.solved_for}, {self.method})"
        )


@dataclass(frozen=True, slots=True, eq=False)
class RelativeValue(Result):
    """PPV, or NPV, of the first model over that of the second; 1 where they are alike.

    ``statistic`` and ``pvalue`` are of the test that goes with the interval. "moskowitz-pepe" takes the logarithm over
    its standard error (2006). "wilson", where fewer than ten calls of a model are right or wrong, joins Wilson's
    limits of the parts behind the ratio; its statistic is the quantile at which they reach 1. ``score_statistic`` is
    the weighted generalised score (Kosinski 2013), a chi-square with one degree of freedom.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> both = {"a": [1, 1, 1, 0, 1, 0, 0, 0], "b": [1, 1, 0, 0, 1, 1, 0, 0]}
    >>> rs.inference.compare_calls(y, both).predictive[0].ppv
    RelativeValue(rPPV 1.5000 [0.8207, 4.8386], p = 0.177 (wilson))
    """

    name: str
    first: float
    second: float
    ratio: float
    low: float
    high: float
    statistic: float
    pvalue: float
    se_log: float
    level: float
    method: str
    score_statistic: float = math.nan
    score_pvalue: float = math.nan
    p_holm: float = math.nan
    warnings: tuple[Remark, ...] = ()

    def __iter__(self) -> Any:
        """Unpack as ``statistic, pvalue``."""
        return iter((self.statistic, self.pvalue))

    def _picture(self) -> Forest:
        title = (f"Relative {self.name.upper()}, {self.method}: {p_words(self.pvalue)}",)
        label = f"First over second, {format_level(self.level)} interval; dashed: alike"
        return Forest(title, label, (Line(f"r{self.name.upper()}", self.ratio, self.low, self.high, (1.0,)),))

    def __str__(self) -> str:
        value = format_interval(self.ratio, self.low, self.high)
        why = [str(self.warnings[0])] if math.isnan(self.ratio) and self.warnings else []
        return "; ".join([f"r{self.name.upper()} {value}, {p_words(self.pvalue)} ({self.method})", *why])


@dataclass(frozen=True, slots=True, eq=False)
class PairPredictive(Result):
    """Relative predictive values of one pair of models.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> both = {"a": [1, 1, 1, 0, 1, 0, 0, 0], "b": [1, 1, 0, 0, 1, 1, 0, 0]}
    >>> pair = rs.inference.compare_calls(y, both).predictive[0]
    >>> pair.first, pair.second, round(pair.ppv.ratio, 2), round(pair.npv.ratio, 2)
    ('a', 'b', 1.5, 1.5)
    """

    first: str
    second: str
    ppv: RelativeValue
    npv: RelativeValue
    n_pos: Any = None
    n_neg: Any = None
    origin: Origin | None = None

    def _columns(self) -> Table:
        return columns_of_values([self])

    def _picture(self) -> Forest:
        title = (f"{self.first} over {self.second}", *source(self.origin, self.n_pos, self.n_neg))
        lines = tuple(Line(f"r{each.name.upper()}", each.ratio, each.low, each.high, (1.0,)) for each in self.values)
        return Forest(title, f"Ratio, {format_level(self.ppv.level)} intervals; dashed: alike", lines)

    @property
    def values(self) -> tuple[RelativeValue, RelativeValue]:
        """Both."""
        return self.ppv, self.npv

    def __str__(self) -> str:
        return f"{printable(self.first)} over {printable(self.second)}: {self.ppv}; {self.npv}"


def columns_of_values(pairs: list[PairPredictive] | tuple[PairPredictive, ...]) -> Table:
    """One line per pair and predictive value."""
    names = {"first_value": "first", "second_value": "second", "ratio": "ratio", "low": "low", "high": "high"}
    names |= {each: each for each in ("statistic", "pvalue", "p_holm", "score_statistic")} | {"score_p": "score_pvalue"}
    lines = [(pair, value) for pair in pairs for value in pair.values]
    table: dict[str, list[Any]] = {
        "value": [value.name for _, value in lines],
        "first": [pair.first for pair, _ in lines],
        "second": [pair.second for pair, _ in lines],
    }
    return table | {column: [getattr(value, name) for _, value in lines] for column, name in names.items()}


@dataclass(frozen=True, slots=True, eq=False)
class CallComparison(Comparisons):
    """Models that call the same rows positive or negative: sensitivity and specificity compared, predictive values.

    ``measures`` holds a :class:`Comparison` of each; ``predictive`` the relative predictive values of each pair.
    ``thresholds`` are those of the models, empty where they called yes or no themselves.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> both = {"a": [1, 1, 1, 0, 1, 0, 0, 0], "b": [1, 1, 0, 0, 1, 1, 0, 0]}
    >>> found = rs.inference.compare_calls(y, both)
    >>> found["sensitivity"].pairs[0].test.estimate, list(found)
    (0.25, ['sensitivity', 'specificity'])
    """

    predictive: tuple[PairPredictive, ...] = ()
    thresholds: dict[str, Any] | None = None

    @property
    def sensitivity(self) -> Comparison:
        """The comparison of the shares of positives that are called."""
        return self.measures["sensitivity"]  # type: ignore[return-value]  # never of groups

    @property
    def specificity(self) -> Comparison:
        """The comparison of the shares of negatives that are not called."""
        return self.measures["specificity"]  # type: ignore[return-value]  # never of groups

    @property
    def estimates(self) -> dict[str, dict[str, Interval]]:
        """Sensitivity and specificity of each model, with intervals."""
        return {name: found.estimates for name, found in self.measures.items()}  # type: ignore[union-attr]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, with the relative predictive values."""
        more = {"predictive": [pair.to_dict() for pair in self.predictive], "thresholds": plain(self.thresholds or {})}
        return super(CallComparison, self).to_dict() | more

    def tables(self) -> list[str]:
        """The relative predictive values, for reading."""
        if not self.predictive:
            return []
        columns = columns_of_values(self.predictive)
        rows = table_cells(list(columns), zip(*columns.values(), strict=True))
        return ["\npredictive values, first over second\n" + text_table(list(columns), rows)]

    def notes(self) -> list[str]:
        """What is assumed, and at which thresholds."""
        known = (self.thresholds or {}).items()
        at = ", ".join(f"{printable(model)} {format_threshold(value)}" for model, value in known)
        remarks = dict.fromkeys(
            noted(each) for pair in self.predictive for value in pair.values for each in value.warnings
        )
        lines = super(CallComparison, self).notes()
        return [*([safe(f"positive when score >= {at}")] if at else []), *lines, *map(safe, remarks)]

    def __str__(self) -> str:
        return "\n".join([super(CallComparison, self).__str__(), *self.tables()])
