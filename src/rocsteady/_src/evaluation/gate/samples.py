"""The rows of a gate: both models on the same rows, or each on a sample of its own; and their groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.evaluation.gate.in_engine import EngineTable
from rocsteady._src.evaluation.groups.members import group_members
from rocsteady._src.inputs.given import is_table
from rocsteady._src.ranked import read_rows
from rocsteady._src.ranked.lazy.columns import is_lazy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.ranked import Rows

OF_ROWS = ("sample_weight", "cluster")


@dataclass(frozen=True, slots=True)
class Given:
    """A table with the names of its columns: those of labels, of each model, of weights, subjects and groups."""

    table: Any
    label: str
    scores: tuple[str, ...]
    columns: dict[str, str]
    by: tuple[str, ...]

    def read(self, **how: Any) -> Rows:
        """The rows, checked."""
        weight, subject = (self.columns.get(name) for name in OF_ROWS)
        return read_rows(
            self.table, label=self.label, scores=self.scores, weight=weight, id=subject, also=self.by, **how
        ).checked()


def named(table: Any, label: Any, scores: dict[str, Any], rows: dict[str, Any], by: Sequence[str]) -> Given:
    """Columns of a table, by their names."""
    table = EngineTable(table) if not isinstance(table, EngineTable) and is_lazy(table) else table
    if not isinstance(table, EngineTable) and not is_table(table):
        words = "{label=} names a column, so that a table comes first, and this is a {kind}"
        raise ArgumentError("label", Sentence(words, kind=type(table).__name__))
    given = {name: column for name, column in rows.items() if column is not None}
    odd = [name for name, column in {**scores, **given}.items() if not isinstance(column, str)]
    if odd:
        raise ArgumentError(odd[0], f"{odd[0]} must be the name of a column of the table")
    return Given(table, label, tuple(scores.values()), given, tuple(by))


def of_arrays(y_true: Any, scores: dict[str, Any], rows: dict[str, Any], by: Any) -> Given:
    """Columns that were handed over by themselves, under names that say what they are."""
    if is_table(y_true):
        words = "a table comes first: name its column of labels with {label='...'}"
        raise ArgumentError("label", Sentence(words))
    given = {name: column for name, column in rows.items() if column is not None}
    groups = {} if by is None else {"by": by}
    table = {"y_true": y_true, **scores, **given, **groups}
    return Given(table, "y_true", tuple(scores), {name: name for name in given}, tuple(groups))


def grouped(samples: Sequence[Rows], by: tuple[str, ...]) -> dict[Any, list[Rows | None]]:
    """The rows of each group in every sample, in the order of the groups; None where a sample has none of one."""
    found: dict[Any, list[Rows | None]] = {}
    for place, rows in enumerate(samples):
        groups, member = group_members(rows, by, fewest=1)
        for group, part in zip(groups, rows.split(member, len(groups)), strict=True):
            found.setdefault(group, [None] * len(samples))[place] = part
    return found
