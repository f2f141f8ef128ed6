"""Models compared within each group of rows, and whether their difference is the same in all."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable
from rocsteady._src.base.near_names import part_of
from rocsteady._src.base.sentences import safe
from rocsteady._src.base.text import (
    format_count,
    format_interval,
    format_level,
    format_number,
    format_p,
    p_words,
    text_table,
)
from rocsteady._src.results.base import Result
from rocsteady._src.results.differences import differences_label, shown_differences
from rocsteady._src.results.pictures import Forest
from rocsteady._src.results.plain_values import plain
from rocsteady._src.results.reading import one_line
from rocsteady._src.results.remarks import noted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.comparison import Comparison, PairComparison
    from rocsteady._src.results.remarks import Remark


@dataclass(frozen=True, slots=True)
class Interaction:
    """Is the difference between two models the same in all groups? Chi-square; ``p_holm`` is adjusted over pairs.

    ``reason`` says why there is no test.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> found = rs.evaluate(y, {"boosted": s, "logistic": t}, by=["north", "south"] * 100).compare()
    >>> found.interactions[0].first, round(found.interactions[0].pvalue, 3)
    ('boosted', 0.581)
    """

    first: str
    second: str
    statistic: float
    pvalue: float
    df: int
    p_holm: float = math.nan
    reason: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class GroupedComparison(Result):
    """``groups[group]`` compares the models there; ``interactions`` ask whether a difference is the same in all.

    p-values and verdicts are adjusted (Holm) over the pairs of models in all groups.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> rs.evaluate(y, {"boosted": s, "logistic": t}, by=["north", "south"] * 100).compare()
    GroupedComparison(boosted - logistic: the difference of AUC is not shown to differ between groups (chi-square 0.31
    ...)
    """

    by: str
    measure: str
    groups: dict[Any, Comparison]
    interactions: tuple[Interaction, ...]
    level: float
    warnings: tuple[Remark, ...] = ()

    @property
    def pairs(self) -> tuple[PairComparison, ...]:
        """The pairs of all groups, one group after another."""
        return tuple(pair for found in self.groups.values() for pair in found.pairs)

    @property
    def verdict(self) -> tuple[str, ...]:
        """Verdict of each group, then the tests between groups."""
        verdicts = [f"{printable(group)}: {found.verdict[0]}" for group, found in self.groups.items()]
        return (*verdicts, *map(self._line, self.interactions))

    def __getitem__(self, group: Any) -> Comparison:
        return part_of(self.groups, group)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.groups)

    def __len__(self) -> int:
        return len(self.groups)

    def _brief(self) -> str:
        return one_line(safe(self._line(self.interactions[0])))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: each group, then the tests between them."""
        return {
            "by": self.by,
            "measure": self.measure,
            "groups": [{"group": plain(group), **found.to_dict()} for group, found in self.groups.items()],
            "interactions": [plain(asdict(each)) for each in self.interactions],
            "warnings": [remark.to_dict() for remark in self.warnings],
        }

    def _columns(self) -> Table:
        frames = {group: found._columns() for group, found in self.groups.items()}  # noqa: SLF001 - its parts
        columns = next(iter(frames.values()))
        table: Table = {self.by: [plain(group) for group, frame in frames.items() for _ in frame["first"]]}
        return table | {column: [value for frame in frames.values() for value in frame[column]] for column in columns}

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Header and rows for reading."""
        rows = [
            [
                printable(group, most=40),
                printable(pair.first, most=48),
                printable(pair.second, most=48),
                format_interval(pair.test.estimate, pair.test.low, pair.test.high, signed=True),
                format_p(pair.p_holm),
            ]
            for group, found in self.groups.items()
            for pair in found.pairs
        ]
        return [self.by, "first", "second", f"difference of {self.measure}", "adjusted p"], rows

    def _line(self, each: Interaction) -> str:
        pair = f"{each.first} - {each.second}"
        if each.df == 0:
            return f"{pair}: {each.reason or 'fewer than two groups can be compared'}"
        told = "differs between groups" if each.p_holm <= 1 - self.level else "is not shown to differ between groups"
        found = f"chi-square {format_number(each.statistic)}, {format_count(each.df)} df, {p_words(each.pvalue)}"
        if len(self.interactions) > 1:
            found += f", adjusted {format_p(each.p_holm)}"
        return f"{pair}: the difference of {self.measure} {told} ({found})"

    def notes(self) -> list[str]:
        """Verdict of each group, the tests between groups, how p was adjusted, and what to beware of."""
        several = f"over the {format_count(len(self.pairs))} comparisons of all groups"
        adjusted = [f"adjusted p is Holm's {several}"] if len(self.pairs) > 1 else []
        return [safe(line) for line in [*self.verdict, *adjusted, *map(noted, self.warnings)]]

    def _picture(self) -> Forest:
        lines = tuple(
            replace(line, label=f"{printable(group)}: {line.label}")
            for group, found in self.groups.items()
            for line, _ in shown_differences(found)
        )
        title = (f"Differences of {self.measure} by {printable(self.by)}", f"{format_level(self.level)} intervals")
        return Forest(title, differences_label(*self.groups.values()), lines)

    def __str__(self) -> str:
        return "\n".join([text_table(*self.cells()), *self.notes()])
