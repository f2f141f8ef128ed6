"""The same models compared by several measures: a verdict for each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, printable, some_values
from rocsteady._src.base.sentences import safe
from rocsteady._src.base.text import format_count, format_digits, table_cells
from rocsteady._src.results.base import Result
from rocsteady._src.results.differences import differences_label, shown_differences
from rocsteady._src.results.pictures import Forest, Line
from rocsteady._src.results.plain_values import plain
from rocsteady._src.results.reading import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.comparison import Comparison
    from rocsteady._src.results.grouped_comparison import GroupedComparison


@dataclass(frozen=True, slots=True, eq=False)
class Comparisons(Result):
    """``measures[name]`` is the :class:`Comparison` by a measure, or the :class:`GroupedComparison` of groups.

    The p-values of each are adjusted for its own pairs, by which its verdict goes; ``p_holm_all`` are those of all
    pairs of all measures, in their order, adjusted together: one of many measures differs by chance more easily.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1]
    >>> rs.evaluate(y, {"first": s, "second": [4, 3, 3, 2, 1, 1]}).compare(measures=["auc", "gini"])
    Comparisons(auc: first and second cannot be told apart with 6 rows; a difference of 0.4 would be needed (fou ...)
    """

    measures: Mapping[str, Comparison | GroupedComparison]
    p_holm_all: tuple[float, ...]

    def __getitem__(self, measure: str) -> Any:
        """The comparison by a measure."""
        if measure not in self.measures:
            known = some_values(tuple(self.measures), most=20)
            raise ArgumentError("measure", f"models were not compared by {measure!r}; measures: {known}")
        return self.measures[measure]

    def __iter__(self) -> Iterator[str]:
        return iter(self.measures)

    def __len__(self) -> int:
        return len(self.measures)

    @property
    def verdict(self) -> dict[str, tuple[str, ...]]:
        """The verdict by each measure."""
        return {name: found.verdict for name, found in self.measures.items()}

    def _brief(self) -> str:
        return one_line(safe("; ".join(f"{name}: {found.verdict[0]}" for name, found in self.measures.items())))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values by measure."""
        found = {name: each.to_dict() for name, each in self.measures.items()}
        return {"measures": found, "p_holm_all": [plain(p) for p in self.p_holm_all]}

    def _columns(self) -> Table:
        """One line per measure and pair."""
        frames = {name: found._columns() for name, found in self.measures.items()}  # noqa: SLF001 - its parts
        columns = next(iter(frames.values()))
        measure = [name for name, frame in frames.items() for _ in frame["first"]]
        joined: Table = {column: [value for frame in frames.values() for value in frame[column]] for column in columns}
        return {"measure": measure, **joined, "p_holm_all": list(self.p_holm_all)}

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Header and rows for reading, one row per measure and pair."""
        columns = self._columns()
        return list(columns), table_cells(list(columns), zip(*columns.values(), strict=True))

    def notes(self) -> list[str]:
        """What is assumed by each measure, each said once, and which pairs differ when all tests count."""
        plain_ones = [found for found in self.measures.values() if not hasattr(found, "groups")]  # else verdicts
        return [*dict.fromkeys(line for found in plain_ones for line in found.notes()), safe(self.over_all())]

    def over_all(self) -> str:
        """One line on all tests together."""
        n, level = len(self.p_holm_all), float(next(iter(self.measures.values())).level)
        names = [name for name, found in self.measures.items() for _ in found.pairs]
        told = [name for name, p in zip(names, self.p_holm_all, strict=True) if p < 1 - level]
        start = f"over all {format_count(n)} tests of {format_count(len(self.measures))} measures Holm's p is"
        counted = [f"{name} ({format_count(told.count(name))})" for name in dict.fromkeys(told)]
        alpha = format_digits(1 - level, 4)
        return f"{start} below {alpha} by {', '.join(counted)}" if told else f"{start} nowhere below {alpha}"

    def _picture(self) -> Forest:
        lines = [
            replace(line, label=f"{name}: {line.label}")
            for name, found in self.measures.items()
            for line in forest_lines(found)
        ]
        parts = [each for found in self.measures.values() for each in getattr(found, "groups", {"": found}).values()]
        return Forest(("Differences by measure",), differences_label(*parts), tuple(lines))

    def __str__(self) -> str:
        each = [f"{name}\n{found}" for name, found in self.measures.items()]
        return "\n\n".join([*each, self.over_all()])


def forest_lines(found: Comparison | GroupedComparison) -> list[Line]:
    """A line for each pair of models that a picture shows, of groups for each in each group."""
    groups = getattr(found, "groups", None)
    of_groups: dict[str, Any] = {"": found}
    if groups is not None:
        of_groups = {f"{printable(name)}: ": each for name, each in groups.items()}
    return [
        replace(line, label=f"{start}{line.label}")
        for start, each in of_groups.items()
        for line, _ in shown_differences(each)
    ]
