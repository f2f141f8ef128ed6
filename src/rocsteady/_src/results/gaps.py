"""How far a measure lies apart between groups of rows."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable
from rocsteady._src.base.sentences import safe
from rocsteady._src.base.text import (
    format_count,
    format_interval,
    format_level,
    format_number,
    format_p,
    format_setting,
    p_words,
    text_table,
)
from rocsteady._src.results.base import DIRECTION, Result
from rocsteady._src.results.pictures import Forest, Line
from rocsteady._src.results.plain_values import plain
from rocsteady._src.results.reading import one_line

if TYPE_CHECKING:
    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.base import Origin


@dataclass(frozen=True, slots=True)
class GroupGap:
    """A measure in a group with its interval, and its gap to the reference or to the rest; ``n`` is its weight.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> gaps = rs.evaluate(y, s, by=["north", "south"] * 100).gaps("recall", threshold=0.3)
    >>> group = gaps.found[0].groups[0]
    >>> group.group, round(group.estimate, 4), round(group.gap, 4)
    ('north', 0.8235, -0.0336)
    """

    group: Any
    estimate: float
    low: float
    high: float
    gap: float
    gap_low: float
    gap_high: float
    pvalue: float
    p_holm: float
    n: float


@dataclass(frozen=True, slots=True)
class LargestGap:
    """The largest gap, between two groups, with an interval that also holds where all groups are alike.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> gaps = rs.evaluate(y, s, by=["north", "south"] * 100).gaps("recall", threshold=0.3)
    >>> largest = gaps.found[0].largest
    >>> largest.highest, largest.lowest, round(largest.estimate, 4)
    ('south', 'north', 0.0336)
    """

    highest: Any
    lowest: Any
    estimate: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class MeasureGaps:
    """One model by one measure: every group, the test of whether all are alike, and the largest gap.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> gaps = rs.evaluate(y, s, by=["north", "south"] * 100).gaps("recall", threshold=0.3)
    >>> found = gaps.found[0]
    >>> found.measure, found.threshold, round(found.pvalue, 3)
    ('recall', 0.3, 0.829)
    """

    model: str
    measure: str
    threshold: float | None
    groups: tuple[GroupGap, ...]
    statistic: float
    pvalue: float
    df: int
    largest: LargestGap


@dataclass(frozen=True, slots=True, eq=False)
class GroupGaps(Result):
    """Gaps of each model by each measure; ``reference`` is the group they are taken to, None for the rest.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> rs.evaluate(y, s, by=["north", "south"] * 100).gaps("recall", threshold=0.3)
    GroupGaps(score: recall at 0.3000 is not shown to differ between groups (chi-square 0.0465, 1 df, p = 0.82 ...)
    """

    by: str
    measure: str
    reference: Any
    level: float
    found: tuple[MeasureGaps, ...]
    origin: Origin

    @property
    def pvalue(self) -> dict[str, float]:
        """By model: p of whether the groups are alike in all measures asked for, Bonferroni's where these are two."""
        models = dict.fromkeys(each.model for each in self.found)
        listed = {model: [each.pvalue for each in self.found if each.model == model] for model in models}
        return {model: min(1.0, len(values) * min(values)) for model, values in listed.items()}

    def _brief(self) -> str:
        return one_line(safe(self.lines()[0]))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: of each model and measure its groups, its test and its largest gap."""
        about = {name: plain(getattr(self, name)) for name in ("by", "measure", "reference", "level")}
        return {**about, "found": [plain(asdict(each)) for each in self.found], **self.origin.to_dict()}

    def _columns(self) -> Table:
        pairs = [(each, group) for each in self.found for group in each.groups]
        table: Table = {name: [getattr(each, name) for each, _ in pairs] for name in ("model", "measure", "threshold")}
        table[self.by] = [getattr(group.group, "item", lambda group=group: group.group)() for _, group in pairs]
        for name in ("estimate", "low", "high", "gap", "gap_low", "gap_high", "pvalue", "p_holm"):
            table[name] = [getattr(group, name) for _, group in pairs]
        return table

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Header and rows for reading."""
        to = "gap to the rest" if self.reference is None else f"gap to {printable(self.reference)}"
        rows = [
            [
                printable(each.model, most=48),
                each.measure,
                printable(group.group, most=40),
                format_interval(group.estimate, group.low, group.high),
                format_interval(group.gap, group.gap_low, group.gap_high, signed=True),
                format_p(group.p_holm),
            ]
            for each in self.found
            for group in each.groups
        ]
        return ["model", "measure", self.by, "value", to, "adjusted p"], rows

    def lines(self) -> list[str]:
        """A sentence on each model and measure."""
        return [self._line(each) for each in self.found]

    def _line(self, each: MeasureGaps) -> str:
        largest, alpha = each.largest, 1 - self.level
        if largest.highest is None:
            return f"{each.model}: {each.measure}: fewer than two groups can be compared"
        shown = each.pvalue <= alpha and largest.low > 0  # test and interval agree
        told = "differs between groups" if shown else "is not shown to differ between groups"
        gap = format_interval(largest.estimate, largest.low, largest.high)
        ends = f"between {printable(largest.highest)} and {printable(largest.lowest)}"
        between = "" if largest.highest == largest.lowest else f", {ends}"  # all groups alike
        at = "" if each.threshold is None else f" at {format_number(each.threshold)}"
        return (
            f"{each.model}: {each.measure}{at} {told} (chi-square {format_number(each.statistic)}, "
            f"{format_count(each.df)} df, {p_words(each.pvalue)}); largest gap {gap}{between}"
        )

    def notes(self) -> list[str]:
        """Verdicts, and how intervals were made."""
        how = (
            f"intervals at level {format_setting(self.level)}; that of a largest gap holds for all pairs together, so "
            f"that it begins at 0 where no groups are told apart; positive label {self.origin.pos_label!r}; {DIRECTION}"
        )
        return [safe(line) for line in [*self.lines(), how]]

    def _picture(self) -> Forest:
        lines = tuple(
            Line(
                f"{printable(each.model)}, {each.measure}: {printable(group.group)}",
                group.estimate,
                group.low,
                group.high,
            )
            for each in self.found
            for group in each.groups
        )
        title = (f"{self.measure} by {printable(self.by)}", f"{format_level(self.level)} intervals")
        return Forest(title, self.measure, lines)

    def __str__(self) -> str:
        return "\n".join([text_table(*self.cells()), *self.notes()])
