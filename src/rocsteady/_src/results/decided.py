"""What results share that decide something: a verdict above a table, and below it what was assumed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable
from rocsteady._src.base.sentences import safe
from rocsteady._src.base.text import text_table
from rocsteady._src.results.base import DIRECTION
from rocsteady._src.results.reading import one_line
from rocsteady._src.results.remarks import noted

if TYPE_CHECKING:
    from rocsteady._src.results.base import Origin
    from rocsteady._src.results.remarks import Remark


class Decided:
    """A ``decision`` with its ``verdict``, one sentence a line, and rows of evidence; ``told`` says how it was made."""

    __slots__ = ()

    if TYPE_CHECKING:
        decision: str
        verdict: tuple[str, ...]
        n_pos: Any
        n_neg: Any
        origin: Origin
        warnings: tuple[Remark, ...]

    def _brief(self) -> str:
        return one_line(safe(self.verdict[0]))

    def _above(self) -> tuple[str, ...]:
        return tuple(safe(line) for line in self.verdict)

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Header and rows for reading."""
        raise NotImplementedError(f"{type(self).__name__} must have rows for reading")

    def told(self) -> list[str]:
        """How it was decided."""
        return []

    def notes(self) -> list[str]:
        """How it was decided, what was assumed, what to beware of."""
        return [safe(line) for line in (*self.told(), self.assumptions(), *map(noted, self.warnings))]

    def assumptions(self) -> str:
        """Rows, the positive label and the direction of scores."""
        rows = f"{self.origin.sizes(self.n_pos, self.n_neg)}{self._sample()}"
        return f"{rows}; positive label {printable(self.origin.pos_label)}; {DIRECTION}{self.origin.dropped}"

    def _sample(self) -> str:
        """Which rows were counted, where that needs a word."""
        return ""

    def __str__(self) -> str:
        return "\n".join([*self._above(), "", text_table(*self.cells(), numbers=False), "", *self.notes()])
