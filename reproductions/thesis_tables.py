"""The thesis' tables, computed again, and where each number stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsteady._src.base.text import format_number, text_table

AGREES, NOISE, DIFFERS, UNKNOWN = "agrees", "rounding noise", "differs from the print", "no print at hand"
STANDINGS = (AGREES, NOISE, DIFFERS, UNKNOWN)
MARKS = {AGREES: "", NOISE: "~", DIFFERS: "!", UNKNOWN: ""}


@dataclass(frozen=True, slots=True)
class ThesisCell:
    """One number: what we compute, what the thesis has (None where no print is at hand), and how they compare."""

    table: str
    row: str
    column: str
    value: float
    thesis: float | None
    standing: str
    remark: str = ""


@dataclass(frozen=True, slots=True)
class ThesisTables:
    """All numbers of Tables 3.1, 4.1, 4.2, 5.1 and 5.2, each with where it stands."""

    cells: tuple[ThesisCell, ...]
    notes: tuple[str, ...] = ()

    def summary(self) -> tuple[list[str], list[list[Any]]]:
        """A row per table: how many numbers stand where."""
        rows = []
        for table in dict.fromkeys(cell.table for cell in self.cells):
            inside = [cell for cell in self.cells if cell.table == table]
            counts = [sum(cell.standing == standing for cell in inside) for standing in STANDINGS]
            rows.append([f"Table {table}", len(inside), *counts])
        return ["", "numbers", *STANDINGS], rows

    def table(self, name: str) -> tuple[list[str], list[list[str]]]:
        """One table as text, marked: ~ is rounding noise, ! differs from the print."""
        inside = [cell for cell in self.cells if cell.table == name]
        columns = list(dict.fromkeys(cell.column for cell in inside))
        rows: dict[str, dict[str, str]] = {}
        for cell in inside:
            shown = str(cell.value) if isinstance(cell.value, int) else format_number(cell.value, 3)
            rows.setdefault(cell.row, {})[cell.column] = shown + MARKS[cell.standing]
        return ["", *columns], [[row, *(cells.get(column, "") for column in columns)] for row, cells in rows.items()]

    def remarks(self) -> list[str]:
        """What is to be said about single numbers."""
        told = [cell for cell in self.cells if cell.remark]
        return [f"Table {cell.table}, {cell.row}, {cell.column}: {cell.standing}; {cell.remark}" for cell in told]

    def blocks(self) -> list[str]:
        """Every table under its name, then the remarks."""
        names = dict.fromkeys(cell.table for cell in self.cells)
        tables = [f"Table {name}\n{text_table(*self.table(name))}" for name in names]
        return [*tables, "\n".join(self.remarks())]

    def __str__(self) -> str:
        header, rows = self.summary()
        summary = text_table(header, [[str(cell) for cell in row] for row in rows])
        return "\n\n".join([*self.blocks(), summary, *self.notes])

    def plot(self) -> Any:
        """Draw Table 5.2: errors as numbers, darker where more correct sets are errors; ~ marks rounding noise."""
        from matplotlib import pyplot as plt

        header, rows = self.table("5.2")
        ax = plt.figure(figsize=(7.2, 0.9 + 0.2 * len(rows)), layout="constrained").add_subplot()
        counts = np.array([[float(cell.strip("~!")) for cell in row[1:]] for row in rows])
        shares = 100 * counts[:, :-1] / counts[:, -1:]
        mesh = ax.imshow(shares, cmap="Blues", vmin=0, vmax=100, aspect="auto")
        for at, row in enumerate(rows):
            for across, cell in enumerate(row[1:-1]):
                colour = "white" if shares[at, across] > 60 else "black"
                ax.text(across, at, cell, ha="center", va="center", color=colour, fontsize=6.5)
        ax.set_xticks(range(len(header) - 2), header[1:-1], rotation=30, ha="left")
        ax.set_yticks(range(len(rows)), [row[0] for row in rows])
        ax.tick_params(top=True, bottom=False, labeltop=True, labelbottom=False, length=0)
        ax.figure.colorbar(mesh, ax=ax).set_label("Errors in % of correct sets (~: rounding noise)")
        return ax
