"""The same models compared by several measures: a verdict for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, some_values
from rocsteady._src.base.sentences import safe
from rocsteady._src.results.base import Result
from rocsteady._src.results.pictures import Forest, line_of
from rocsteady._src.results.reading import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.comparison import Comparison


@dataclass(frozen=True, slots=True, eq=False)
class Comparisons(Result):
    """``measures[name]`` is the :class:`Comparison` by a measure; p-values are adjusted within each."""

    measures: dict[str, Comparison]

    def __getitem__(self, measure: str) -> Comparison:
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
        return {"measures": {name: found.to_dict() for name, found in self.measures.items()}}

    def _columns(self) -> Table:
        """One line per measure and pair."""
        frames = {name: found._columns() for name, found in self.measures.items()}  # noqa: SLF001 - its parts
        columns = next(iter(frames.values()))
        measure = [name for name, frame in frames.items() for _ in frame["first"]]
        return {"measure": measure} | {
            column: [value for frame in frames.values() for value in frame[column]] for column in columns
        }

    def _picture(self) -> Forest:
        lines = tuple(
            line_of(f"{name}: {pair.first} - {pair.second}", pair.test)
            for name, found in self.measures.items()
            for pair in found.pairs
        )
        return Forest(("Differences by measure",), "Difference; dashed: hypothesis", lines)

    def __str__(self) -> str:
        return "\n\n".join(f"{name}\n{found}" for name, found in self.measures.items())
