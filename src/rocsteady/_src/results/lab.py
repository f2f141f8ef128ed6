"""Results of the laboratory: errors of measures on score sets, and how they change with a parameter."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.near_names import part_of
from rocsteady._src.base.text import format_count, format_setting, table_cells, text_table
from rocsteady._src.results.base import Result
from rocsteady._src.results.lab_page import LabResult

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.displays import Display

    Array = NDArray[np.float64]

COLUMNS = ("measure", "errors", "min_correct", "max_incorrect", "n_sets", "n_correct", "n_undefined")


@dataclass(frozen=True, slots=True)
class MeasureErrors:
    """Errors of one measure: correctly ranked sets valued below the best-valued incorrectly ranked set.

    ``min_correct`` is the worst value of a correct set, ``max_incorrect`` the best of an incorrect one: least and
    greatest where higher is ``better``, the other way round where lower is. Either is NaN when there are no such sets.
    Sets on which the measure is undefined are counted in ``n_undefined`` and left out.
    """

    measure: str
    errors: int
    min_correct: float
    max_incorrect: float
    n_sets: int
    n_correct: int
    n_undefined: int = 0
    better: str = "higher"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Breakdown(Result):
    """Errors by a property of the correct sets: bins from ``low`` to ``high``, the last one closed.

    A property that rounding alone keeps from an edge counts as that edge: a range of 0.3999999999999999 as 0.4.
    ``errors`` has a row per measure. For the share of positives low and high are equal.

    Examples
    --------
    >>> import rocsteady as rs
    >>> sets = rs.lab.generate("1.00p 0.90p 0.20n 0.00n", margin_steps=5, range_steps=5, distribution=True)
    >>> rs.lab.count_errors(sets, ["auc", "scored_auc"]).breakdowns["range"]
    Breakdown(20 lines of measure, low, high, n_correct, errors)
    """

    by: str
    low: Array
    high: Array
    n_correct: NDArray[np.int64]
    errors: NDArray[np.int64]
    measures: tuple[str, ...]

    def _columns(self) -> Table:
        bins = len(self.low)
        return {
            "measure": [name for name in self.measures for _ in range(bins)],
            "low": self.low.tolist() * len(self.measures),
            "high": self.high.tolist() * len(self.measures),
            "n_correct": self.n_correct.tolist() * len(self.measures),
            "errors": self.errors.ravel().tolist(),
        }

    def plot(self, ax: Axes | None = None, *, publication: bool = False) -> Display:
        """Draw the share of errors against the property."""
        from rocsteady._src.views.plots.lab import draw_breakdown

        return draw_breakdown(self, ax, publication=publication)


@dataclass(frozen=True, slots=True)
class ErrorCounts(LabResult):
    """Errors of measures on score sets; iterate for one row per measure, or ask for one by name.

    ``breakdowns`` splits the errors by "range", "margin" and "ratio" (the share of positives). ``clouds`` keeps some
    values of correct and of incorrect sets for drawing.

    Examples
    --------
    >>> import rocsteady as rs
    >>> sets = rs.lab.generate("1.00p 0.90p 0.20n 0.00n", margin_steps=5, range_steps=5, distribution=True)
    >>> print(rs.lab.count_errors(sets, ["auc", "scored_auc"]))
    measure     errors  min over correct  max over incorrect
    auc              0            1.0000              0.7500
    scored_auc      52            0.1140              0.5333
    <BLANKLINE>
    350 sets, 75 of them correctly ranked (every positive above every negative); an error is a correctly ranked set
    valued below the best-valued other set
    """

    rows: tuple[MeasureErrors, ...]
    n_sets: int
    n_correct: int
    tolerance: float
    breakdowns: dict[str, Breakdown]
    notes: tuple[str, ...] = ()
    clouds: dict[str, tuple[Array, Array]] = field(default_factory=dict, repr=False)

    def __iter__(self) -> Iterator[MeasureErrors]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, measure: str | int) -> MeasureErrors:
        if isinstance(measure, int):
            return self.rows[measure]
        return part_of({row.measure: row for row in self.rows}, measure)

    def breakdown(self, by: str) -> Breakdown:
        """Errors by "range", "margin" or "ratio"."""
        if by not in self.breakdowns:
            raise ArgumentError("by", f"errors are broken down by {', '.join(self.breakdowns)}, not by {by!r}")
        return self.breakdowns[by]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, without the values kept for drawing."""
        return {
            "n_sets": self.n_sets,
            "n_correct": self.n_correct,
            "tolerance": self.tolerance,
            "rows": [row.to_dict() for row in self.rows],
            "breakdowns": {by: found.to_dict() for by, found in self.breakdowns.items()},
            "notes": list(self.notes),
        }

    def _columns(self) -> Table:
        return {name: [getattr(row, name) for row in self.rows] for name in COLUMNS}

    def __str__(self) -> str:
        header = ["measure", "errors", "min over correct", "max over incorrect"]
        cells = [[row.measure, row.errors, row.min_correct, row.max_incorrect] for row in self.rows]
        table = text_table(header, table_cells(header, cells))
        return "\n".join([table, "", *self.sentences()])

    def sentences(self) -> list[str]:
        """What was counted, and what was noticed."""
        beyond = f" by more than {format_setting(self.tolerance)}" if self.tolerance else ""
        sets, right = format_count(self.n_sets), format_count(self.n_correct)
        counted = (
            f"{sets} sets, {right} of them correctly ranked (every positive above every negative); "
            f"an error is a correctly ranked set valued{beyond} below the best-valued other set"
        )
        return [counted, *self.notes]

    def plot(self, ax: Axes | None = None, *, kind: str = "errors", publication: bool = False) -> Display:
        """Draw the errors.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            New axes by default.
        kind : {"errors", "range", "margin", "ratio", "clouds"}
            A bar per measure; the share of errors against a property of the correct sets; or the values of correct and
            incorrect sets, with the overlap that makes the errors.
        publication : bool
            Small serif type and the width of a journal's column.

        Returns
        -------
        LabDisplay
            With ``ax_`` and ``figure_``.
        """
        from rocsteady._src.views.plots.lab import draw_errors

        return draw_errors(self, ax, kind=kind, publication=publication)


@dataclass(frozen=True, slots=True)
class Sweep(LabResult):
    """Errors of one measure on a grid of its parameters; arrays have one axis per parameter, in that order.

    Examples
    --------
    >>> import rocsteady as rs
    >>> sets = rs.lab.generate("1.00p 0.90p 0.20n 0.00n", margin_steps=5, range_steps=5, distribution=True)
    >>> rs.lab.sweep(sets, "mm7_auc", n=[0, 1 / 16]).errors.tolist()
    [0, 0]
    """

    measure: str
    grid: dict[str, Array]
    errors: NDArray[np.int64]
    min_correct: Array
    max_incorrect: Array
    n_sets: int
    n_correct: int
    notes: tuple[str, ...] = ()

    @property
    def fewest(self) -> dict[str, float]:
        """The parameters with the fewest errors; the first of several."""
        place = np.unravel_index(int(np.argmin(self.errors)), self.errors.shape)
        return {name: float(values[at]) for (name, values), at in zip(self.grid.items(), place, strict=True)}

    def _columns(self) -> Table:
        points = list(product(*(values.tolist() for values in self.grid.values())))
        columns: Table = {name: [point[place] for point in points] for place, name in enumerate(self.grid)}
        for name in ("errors", "min_correct", "max_incorrect"):
            columns[name] = getattr(self, name).ravel().tolist()
        return columns

    def __str__(self) -> str:
        columns = self._columns()
        rows = table_cells(list(columns), zip(*columns.values(), strict=True))
        sets, right = format_count(self.n_sets), format_count(self.n_correct)
        told = f"{self.measure} on {sets} sets, {right} of them correctly ranked"
        return "\n".join([text_table(list(columns), rows), "", told, *self.notes])

    def plot(self, ax: Axes | None = None, *, publication: bool = False) -> Display:
        """Draw errors against one parameter as a line, against two as a heat map."""
        from rocsteady._src.views.plots.lab import draw_sweep

        return draw_sweep(self, ax, publication=publication)
