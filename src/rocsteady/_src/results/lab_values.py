"""Results of the laboratory on single sets: their values, errors in the order of sets, and difference functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.near_names import part_of
from rocsteady._src.base.text import format_count, table_cells, text_table
from rocsteady._src.results.lab_page import LabResult
from rocsteady._src.results.pictures import Bar, Bars, Paths

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from rocsteady._src.base.frames import Table

    Array = NDArray[np.float64]

ROUNDING = 1e-12  # above all rounding of sums over the pairs of a set: differences up to it are none, unless asked for


@dataclass(frozen=True, slots=True, eq=False)
class SetValues(LabResult):
    """A row per score set: the set as text, whether it is correctly ranked, its wrong pairs, and measures by name.

    A value is NaN where the measure is undefined on the set.

    Examples
    --------
    >>> import rocsteady as rs
    >>> print(rs.lab.set_values("0.61p 0.60n", ["auc", "prob_auc"]))
    set         correct  wrong pairs     auc  prob_auc
    0.61p 0.6n      yes            0  1.0000    0.5050
    <BLANKLINE>
    1 sets, 1 of them correctly ranked; a wrong pair is one whose positive is not above its negative
    """

    sets: tuple[str, ...]
    correctly_ranked: NDArray[np.bool_]
    wrong_pairs: NDArray[np.int64]
    values: dict[str, Array]
    notes_: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.sets)

    def __getitem__(self, measure: str) -> Array:
        return part_of(self.values, measure)

    def _columns(self) -> Table:
        known = {"set": list(self.sets), "correctly_ranked": self.correctly_ranked.tolist()}
        return {**known, "wrong_pairs": self.wrong_pairs.tolist(), **{k: v.tolist() for k, v in self.values.items()}}

    def cells(self) -> tuple[list[str], list[list[Any]]]:
        """Header and rows for reading."""
        header = ["set", "correct", "wrong pairs", *self.values]
        flags = np.where(self.correctly_ranked, "yes", "no").tolist()
        columns = [self.sets, flags, self.wrong_pairs.tolist(), *(found.tolist() for found in self.values.values())]
        return header, [list(row) for row in zip(*columns, strict=True)]

    def sentences(self) -> list[str]:
        """What was computed, and what was noticed."""
        right = int(self.correctly_ranked.sum())
        counted = f"{format_count(len(self))} sets, {format_count(right)} of them correctly ranked"
        return [f"{counted}; a wrong pair is one whose positive is not above its negative", *self.notes_]

    def __str__(self) -> str:
        header, rows = self.cells()
        return "\n".join([text_table(header, table_cells(header, rows)), "", *self.sentences()])

    def _picture(self) -> Paths:
        title = (f"{format_count(len(self))} score sets by {format_count(len(self.values))} measures",)
        return Paths(title, "Set, in the order of the table", "Value", np.arange(1.0, len(self) + 1), dict(self.values))


@dataclass(frozen=True, slots=True)
class OrderErrors:
    """Errors of one measure in the order of sets: ``errors`` counts sets, ``excess`` adds up how far each is off."""

    measure: str
    errors: int
    excess: int
    n_sets: int
    n_undefined: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class OrderErrorCounts(LabResult):
    """How often a measure values a set below one with more wrong pairs; iterate for one row per measure.

    Examples
    --------
    >>> import rocsteady as rs
    >>> sets = rs.lab.generate("1.00p 0.90p 0.20n 0.00n", margin_steps=5, range_steps=5, distribution=True)
    >>> [(row.measure, row.errors) for row in rs.lab.count_order_errors(sets, ["auc", "scored_auc"])]
    [('auc', 0), ('scored_auc', 180)]
    """

    rows: tuple[OrderErrors, ...]
    n_sets: int
    most_wrong: int
    tolerance: float = 0.0
    notes_: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[OrderErrors]:
        return iter(self.rows)

    def __getitem__(self, measure: str) -> OrderErrors:
        return part_of({row.measure: row for row in self.rows}, measure)

    def _columns(self) -> Table:
        names = ("measure", "errors", "excess", "n_sets", "n_undefined")
        return {name: [getattr(row, name) for row in self.rows] for name in names}

    def __str__(self) -> str:
        header = ["measure", "errors", "excess"]
        table = text_table(header, table_cells(header, [[row.measure, row.errors, row.excess] for row in self.rows]))
        told = (
            f"{format_count(self.n_sets)} sets with 0 to {format_count(self.most_wrong)} wrong pairs; an error is a "
            "set valued below one with more of them, its excess how many more the worst of these has"
        )
        return "\n".join([table, "", told, *self.notes_])

    def _picture(self) -> Bars:
        title = ("Sets valued below one with more wrong pairs", f"{format_count(self.n_sets)} sets")
        bars = tuple(Bar(row.measure, 0.0, float(row.errors), float(row.errors)) for row in self.rows)
        return Bars(title, "Sets", bars)


@dataclass(frozen=True, slots=True, eq=False)
class DifferenceFunctions(LabResult):
    """What a pair with difference d adds to each measure, over a grid of d; the measure is the mean over pairs.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.lab.difference_functions(n=5).values["scored_auc"].tolist()
    [0.0, 0.0, 0.0, 0.5, 1.0]
    """

    d: Array
    values: dict[str, Array]

    def _columns(self) -> Table:
        return {"d": self.d.tolist(), **{name: found.tolist() for name, found in self.values.items()}}

    def _brief(self) -> str:
        return f"{format_count(self.d.size)} differences, {', '.join(self.values)}"

    def _picture(self) -> Paths:
        title = ("Difference functions", "scores in [0, 1], range 1")
        label = "Positive minus negative score"
        return Paths(title, label, "What the pair adds", self.d, dict(self.values))
