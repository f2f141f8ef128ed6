"""The thesis' tables, computed again, and where each number stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rocsteady._src.base.text import format_number, text_table

AGREES, NOISE, DIFFERS, NO_PRINT = "agrees", "rounding noise", "differs from the print", "no print"
STANDINGS = (AGREES, NOISE, DIFFERS, NO_PRINT)
MARKS = {AGREES: "", NOISE: "~", DIFFERS: "!", NO_PRINT: ""}
# The thesis marks the fewest errors of a row among its four predecessors and mm7, and nothing where they share it.
RIVALS = ("prob_auc", "scored_auc", "softened_auc", "soft_auc", "mm7_auc")


@dataclass(frozen=True, slots=True)
class ThesisCell:
    """One number: what we compute, what it should be, and how it compares with the print, where there is one."""

    table: str
    row: str
    column: str
    value: float
    thesis: float
    standing: str
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a row of Table 5.2 is made of: a source set, and the steps of margin (k1) and range (k2)."""

    scores: tuple[float, ...]
    margin_steps: int | None
    range_steps: int | None

    def cells(self) -> list[str]:
        """As the thesis prints it, a dash for a step that is not taken."""
        steps = ["-" if steps is None else str(steps) for steps in (self.margin_steps, self.range_steps)]
        return [" ".join(f"{score:.2f}" for score in self.scores), *steps]


@dataclass(frozen=True, slots=True)
class ThesisTables:
    """All numbers of Tables 3.1, 4.1, 4.2, 5.1 and 5.2, each with where it stands."""

    cells: tuple[ThesisCell, ...]
    notes: tuple[str, ...] = ()
    settings: dict[str, Setting] = field(default_factory=dict)

    def best(self) -> dict[str, str]:
        """The measure with the fewest errors in each row of Table 5.2, empty where several share them."""
        found = {}
        for row in self.settings:
            errors = {
                cell.column: cell.value
                for cell in self.cells
                if (cell.table, cell.row) == ("5.2", row) and cell.column in RIVALS
            }
            fewest = [name for name, count in errors.items() if count == min(errors.values())]
            found[row] = fewest[0] if len(fewest) == 1 else ""
        return found

    def best_counts(self) -> dict[str, int]:
        """In how many rows of Table 5.2 each measure is the best; the empty name counts the ties."""
        best = list(self.best().values())
        return {name: best.count(name) for name in dict.fromkeys(sorted(best))}

    def summary(self) -> tuple[list[str], list[list[Any]]]:
        """A row per table: how many numbers stand where."""
        rows = []
        for table in dict.fromkeys(cell.table for cell in self.cells):
            inside = [cell for cell in self.cells if cell.table == table]
            counts = [sum(cell.standing == standing for cell in inside) for standing in STANDINGS]
            rows.append([f"Table {table}", len(inside), *counts])
        return ["", "numbers", *STANDINGS], rows

    def table(self, name: str) -> tuple[list[str], list[list[str]]]:
        """One table as text, marked: ~ is rounding noise, ! differs from the print, * is the best of its row."""
        inside = [cell for cell in self.cells if cell.table == name]
        columns = list(dict.fromkeys(cell.column for cell in inside))
        best = self.best() if name == "5.2" else {}
        rows: dict[str, dict[str, str]] = {}
        for cell in inside:
            shown = str(cell.value) if isinstance(cell.value, int) else format_number(cell.value, 3)
            mark = MARKS[cell.standing] + ("*" if best.get(cell.row) == cell.column else "")
            rows.setdefault(cell.row, {})[cell.column] = shown + mark
        return ["", *columns], [[row, *(cells.get(column, "") for column in columns)] for row, cells in rows.items()]

    def with_settings(self) -> tuple[list[str], list[list[str]]]:
        """Table 5.2 with its settings in front of the counts."""
        header, rows = self.table("5.2")
        wide = [[row[0], *self.settings[row[0]].cells(), *row[1:]] for row in rows]
        return [header[0], "source set", "k1", "k2", *header[1:]], wide

    def remarks(self) -> list[str]:
        """What is to be said about single numbers."""
        told = [cell for cell in self.cells if cell.remark]
        return [f"Table {cell.table}, {cell.row}, {cell.column}: {cell.standing}; {cell.remark}" for cell in told]

    def blocks(self) -> list[str]:
        """Every table under its name, then the remarks."""
        names = dict.fromkeys(cell.table for cell in self.cells)
        shown = {name: self.with_settings() if name == "5.2" else self.table(name) for name in names}
        tables = [f"Table {name}\n{text_table(*cells)}" for name, cells in shown.items()]
        return [*tables, "\n".join(self.remarks())]

    def __str__(self) -> str:
        header, rows = self.summary()
        summary = text_table(header, [[str(cell) for cell in row] for row in rows])
        return "\n\n".join([*self.blocks(), summary, *self.notes])

    def plot(self) -> Any:
        """Draw Table 5.2: numbers of errors, darker where more correct sets are errors; ~ is noise, * the best."""
        from matplotlib import pyplot as plt

        header, rows = self.table("5.2")
        ax = plt.figure(figsize=(7.2, 0.9 + 0.2 * len(rows)), layout="constrained").add_subplot()
        counts = np.array([[float(cell.strip("~!*")) for cell in row[1:]] for row in rows])
        shares = 100 * counts[:, :-2] / counts[:, -1:]
        mesh = ax.imshow(shares, cmap="Blues", vmin=0, vmax=100, aspect="auto")
        for at, row in enumerate(rows):
            for across, cell in enumerate(row[1:-2]):
                colour = "white" if shares[at, across] > 60 else "black"
                ax.text(across, at, cell, ha="center", va="center", color=colour, fontsize=6.5)
        ax.set_xticks(range(len(header) - 3), header[1:-2], rotation=30, ha="left")
        ax.set_yticks(range(len(rows)), [row[0] for row in rows])
        ax.tick_params(top=True, bottom=False, labeltop=True, labelbottom=False, length=0)
        ax.figure.colorbar(mesh, ax=ax).set_label(
            "Errors in % of correct sets (~: rounding noise, *: fewest of its row)"
        )
        return ax
