"""Printed numbers of the thesis on AUC variants."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rocsteady as rs
from reproductions.printed import AGREES, ARTEFACT, MISPRINT, Number, other, same, without_data
from reproductions.thesis import reproduce
from reproductions.thesis_tables import NOISE
from rocsteady import lab

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reproductions.thesis_tables import ThesisCell, ThesisTables

SOURCE = "thesis"
PRINTED = Path(__file__).with_name("printed_thesis.json")
LOST = "lost in the copy of the text at hand"
TABLE_2_1 = (
    "0.95p 0.92p 0.90p 0.86p 0.80n 0.73p 0.71p 0.64n 0.61p 0.60n "
    "0.57n 0.55p 0.54p 0.52n 0.50n 0.48n 0.47p 0.44n 0.38n 0.35n"
)
SIX = "0.85p 0.80p 0.75p 0.70n 0.65n 0.60n"
NARROWED = ("0.72625", "0.72575", "0.72525", "0.72475", "0.72425", "0.72375")
SHRUNK = ("0.85", "0.787625", "0.72525", "0.72475", "0.662375", "0.60")


def numbers() -> Iterator[Number]:
    """All of them, chapter by chapter."""
    tables = reproduce()
    yield from _chapter_2()
    yield from _tables(tables)
    yield from _margins(tables)
    yield from _generators()
    yield from _counts(tables)


def _set(text: str) -> tuple[Any, Any]:
    return next(iter(lab.parse_sets(text)))


def _chapter_2() -> Iterator[Number]:
    y, s = _set(TABLE_2_1)
    positives = sorted((score for score, label in zip(s, y, strict=True) if label), reverse=True)
    negatives = [score for score, label in zip(s, y, strict=True) if not label]
    wins = [sum(score > each for each in negatives) for score in positives]
    sums = [sum(wins[: count + 1]) for count in range(len(wins))]
    yield same(SOURCE, "Table 2.1, AUC", "0.81", rs.auc(y, s))
    for place, printed, value in (
        ("pairs", "100", len(positives) * len(negatives)),
        ("won by row 1", "10", wins[0]),
        ("running sum, row 4", "40", sums[3]),
        ("won by row 6", "9", wins[4]),
        ("running sum, row 6", "49", sums[4]),
        ("running sum, row 7", "58", sums[5]),
        ("won by row 17", "3", wins[-1]),
        ("running sum, row 17", "81", sums[-1]),
    ):
        yield same(SOURCE, f"Table 2.1, {place}", printed, value)
    curve = rs.roc_curve(y, s)
    for row, point in ((4, ("0", "0.4")), (5, ("0.1", "0.4"))):
        for axis, printed, value in zip(("FPR", "TPR"), point, (curve.fpr[row], curve.tpr[row]), strict=True):
            yield same(SOURCE, f"Table 2.1, {axis} after row {row}", printed, float(value))


def _tables(tables: ThesisTables) -> Iterator[Number]:
    printed = json.loads(PRINTED.read_text(encoding="utf-8"))
    for cell in tables.cells:
        text = printed[cell.table][cell.row].get(cell.column, "")
        if text != "":  # the relative error size is no column of Table 4.1
            yield _cell(cell, text)


def _cell(cell: ThesisCell, printed: str | None) -> Number:
    place = f"Table {cell.table}, {cell.row}, {cell.column}"
    if printed is None:
        return without_data(SOURCE, place, "", LOST)
    if printed == "—":
        return Number(SOURCE, place, printed, "undefined", AGREES) if math.isnan(cell.value) else _impossible(place)
    if cell.standing == NOISE:
        return other(SOURCE, place, printed, cell.value, ARTEFACT, cell.remark)
    if cell.standing != AGREES:
        return other(SOURCE, place, printed, cell.value, MISPRINT, cell.remark)
    return same(SOURCE, place, printed, cell.value)


def _impossible(place: str) -> Number:
    raise AssertionError(f"{place} is defined, but printed as a dash")


def _margins(tables: ThesisTables) -> Iterator[Number]:
    """Margins that the text of section 3.6 works out."""
    margins = {cell.row: cell.value for cell in tables.cells if (cell.table, cell.column) == ("4.1", "abs_margin")}
    for row, printed in (("4", "0.21"), ("5", "0.20"), ("3", "0.36"), ("6", "0.10")):
        yield same(SOURCE, f"Section 3.6, margin of set {row}", printed, margins[row])


def _generators() -> Iterator[Number]:
    source = lab.parse_sets(SIX)
    narrowed = list(lab.generate(source, range_steps=100))
    shrunk = list(lab.generate(source, margin_steps=100))
    for section, printed, made in (("5.1.2", NARROWED, narrowed), ("5.1.3", SHRUNK, shrunk)):
        for rank, (text, score) in enumerate(zip(printed, made[-1][1], strict=True), 1):
            yield same(SOURCE, f"Section {section}, score {rank} after 100 steps", text, float(score))
        yield same(SOURCE, f"Section {section}, sets", "100", len(made))
    for section, name, sets, texts in (
        ("5.1.2", "range", narrowed, ("0.25", "0.0025")),
        ("5.1.3", "abs_margin", shrunk, ("0.05", "0.0005")),
    ):
        for when, made, text in zip(("before", "after"), (sets[0], sets[-1]), texts, strict=True):
            yield same(SOURCE, f"Section {section}, {name} {when}", text, getattr(rs.set_properties(*made), name))
    yield same(SOURCE, "Section 5.1.4, labellings", "62", len(lab.generate(source, distribution=True)))


def _counts(tables: ThesisTables) -> Iterator[Number]:
    """What the text counts in Tables 5.1 and 5.2."""
    two = lab.parse_sets("1.00p 0.90p 0.80p 0.20n 0.10n 0.00n\n1.00p 0.90p 0.80n 0.20p 0.10n 0.00n")
    found = lab.count_errors(lab.generate(two, range_steps=100), ["auc"])
    yield same(SOURCE, "Section 5.1.6, sets", "200", found.n_sets)
    yield same(SOURCE, "Section 5.1.6, correctly ranked", "100", found.n_correct)
    best = tables.best()
    counts = tables.best_counts()
    yield same(SOURCE, "Section 5.2, settings", "40", len(best))
    yield same(SOURCE, "Section 5.2, mm7AUC best", "24", counts["mm7_auc"])
    yield same(SOURCE, "Section 5.2, sondAUC best", "4", counts["softened_auc"])
    yield same(SOURCE, "Section 5.2, tied", "12", counts[""])
    errors = {(cell.row, cell.column): cell.value for cell in tables.cells if cell.table == "5.2"}
    soft = [row for row in best if errors[row, "soft_auc"] < errors[row, "mm7_auc"] and best[row] == "softened_auc"]
    yield same(SOURCE, "Section 5.2, of these softAUC before mm7AUC", "3", len(soft))
    older = ("prob_auc", "scored_auc", "softened_auc", "soft_auc")
    shared = [sum(errors[row, name] == errors[row, "mm7_auc"] for name in older) for row in best if not best[row]]
    yield same(SOURCE, "Section 5.2, tied with all four", "8", sum(count == len(older) for count in shared))
    yield same(SOURCE, "Section 5.2, tied with some", "4", sum(0 < count < len(older) for count in shared))
    in_c = sum(errors[row, "mm7_auc"] for row in best if row[0] == "C")
    yield same(SOURCE, "Section 5.2, errors of mm7AUC in C", "4", in_c)
