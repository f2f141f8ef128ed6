"""The tables of the thesis on AUC variants, computed again: ``python -m reproductions.thesis [--plot thesis.png]``.

Every number is told where it stands. Counts of Tables 5.1 and 5.2 come from the batch evaluators, in the written order
of operations: scores from the highest to the lowest, positives outside, negatives inside, one running sum, one
division; probAUC is (sum(p)/P + sum(1-n)/N)/2. This order gives every printed count. A second count, with a tolerance
above all rounding, tells which are noise.
"""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rocsteady as rs
from reproductions.thesis_tables import AGREES, DIFFERS, NO_PRINT, NOISE, Setting, ThesisCell, ThesisTables
from rocsteady import lab

if TYPE_CHECKING:
    from collections.abc import Iterator

TOLD = Path(__file__).with_name("thesis.json")
PRINTED = Path(__file__).with_name("printed_thesis.json")
LABELS = "pppnnn"
SURELY_ROUNDING = 1e-12
VALUES = ("auc", "prob_auc", "scored_auc", "softened_auc", "soft_auc")
EXTENDED = ("mm1_auc", "mm4_auc", "mm6_auc", "mm7_auc")
PROPERTIES = ("range", "abs_margin", "rel_margin", "median", "abs_error_size", "rel_error_size")
COUNTED = ("prob_auc", "scored_auc", "softened_auc", "soft_auc", *EXTENDED)
NOTES = (
    "Table 4.2 has n = 1/16 in mm6 and mm7, Tables 5.1 and 5.2 have n = 1/100, without a word about the change.",
    "The lead of mm7 hangs on n: sweep it to see.",
    "AUC makes no errors by construction: correctly ranked means AUC = 1.",
)


@cache
def reproduce() -> ThesisTables:
    """Compute Tables 3.1, 4.1, 4.2, 5.1 and 5.2 of the thesis and compare every number with its print.

    A number agrees, or is rounding noise (the print is reached in plain float64 only, and changes when nothing is
    rounded), or differs from the print, with the reason, or has no print: its column is not in the thesis, or the
    digits are lost in the copy at hand.
    """
    told = json.loads(TOLD.read_text(encoding="utf-8"))
    cells = [*_table_3_1(told), *_table_4_1(told), *_table_4_2(told), *_table_5_1(told), *_table_5_2(told)]
    settings = {row["id"]: _setting(row) for row in told["table_5_2"]["rows"]}
    printed = json.loads(PRINTED.read_text(encoding="utf-8"))
    return ThesisTables(tuple(_with_print(cell, printed) for cell in cells), NOTES, settings)


def _with_print(cell: ThesisCell, printed: Any) -> ThesisCell:
    """The cell, or that it has no print to be compared with."""
    return cell if printed[cell.table][cell.row].get(cell.column) else replace(cell, standing=NO_PRINT)


def _setting(row: Any) -> Setting:
    return Setting(tuple(row["scores"]), row["margin_steps"], row["range_steps"])


def _ranked(text: str) -> rs.RankedScores:
    labels, scores = next(iter(lab.parse_sets(text)))
    return rs.rank(labels, scores)


def _value(name: str, ranked: rs.RankedScores, **params: float) -> float:
    return float(rs.get_measure(name)(ranked, **params))


def _table_3_1(told: Any) -> Iterator[ThesisCell]:
    for row in told["table_3_1"]:
        ranked = _ranked(row["set"])
        params: dict[str, dict[str, float]] = {
            "softened_auc": {"q": float(Fraction(row["q"]))},
            "soft_auc": {"beta": row["beta"]},
        }
        for name in VALUES:
            value = _value(name, ranked, **params.get(name, {}))
            printed = row.get("printed", {}).get(name)
            if printed is None:
                yield _compared("3.1", row["id"], name, value, row[name])
            else:
                remark = f"printed {printed}, but no pair is won, so it is {value:g}"
                yield ThesisCell("3.1", row["id"], name, value, float(printed), DIFFERS, remark)


def _table_4_1(told: Any) -> Iterator[ThesisCell]:
    sets = {row["id"]: row["set"] for row in told["table_3_1"]}
    for row in told["table_4_1"]:
        found = rs.set_properties(_ranked(sets[row["id"]]))
        for name in PROPERTIES:
            thesis = math.nan if row[name] is None else row[name]
            yield _compared("4.1", row["id"], name, getattr(found, name), thesis)


def _table_4_2(told: Any) -> Iterator[ThesisCell]:
    sets = {row["id"]: row["set"] for row in told["table_3_1"]}
    table = told["table_4_2"]
    powers = {"m": table["m"], "n": table["n"]}
    for row in table["rows"]:
        ranked = _ranked(sets[row["id"]])
        for name in EXTENDED:
            params = powers if name in ("mm6_auc", "mm7_auc") else {}
            yield _compared("4.2", row["id"], name, _value(name, ranked, **params), row[name])


def _compared(table: str, row: str, column: str, value: float, thesis: float) -> ThesisCell:
    both_undefined = math.isnan(value) and math.isnan(thesis)
    same = both_undefined or math.isclose(value, thesis, rel_tol=1e-12, abs_tol=1e-15)
    remark = "" if same else f"we compute {value!r}, the thesis has {thesis!r}"
    return ThesisCell(table, row, column, value, thesis, AGREES if same else DIFFERS, remark)


def _table_5_1(told: Any) -> Iterator[ThesisCell]:
    table = told["table_5_1"]
    sets = lab.generate(lab.parse_sets(table["sources"]), range_steps=table["range_steps"], seed=0)
    names = [row["measure"] for row in table["rows"]]
    plain, exact = _both_counts(sets, names)
    for row in table["rows"]:
        found = plain[row["measure"]]
        yield _counted("5.1", row["measure"], "errors", (found.errors, exact[row["measure"]].errors), row["errors"])
        for column in ("min_correct", "max_incorrect"):
            yield _compared("5.1", row["measure"], column, getattr(found, column), row[column])


def _table_5_2(told: Any) -> Iterator[ThesisCell]:
    for row in told["table_5_2"]["rows"]:
        text = " ".join(f"{score}{label}" for score, label in zip(row["scores"], LABELS, strict=True))
        steps = {"margin_steps": row["margin_steps"], "range_steps": row["range_steps"]}
        sets = lab.generate(lab.parse_sets(text), **steps, distribution=True, seed=0)
        plain, exact = _both_counts(sets, COUNTED)
        for name in COUNTED:
            counts = (plain[name].errors, exact[name].errors)
            yield _counted("5.2", row["id"], name, counts, row["errors"][name])
        for name in ("n_sets", "n_correct"):
            yield _counted("5.2", row["id"], name, (getattr(plain, name),) * 2, row[name])


def _both_counts(sets: Any, names: Any) -> tuple[rs.results.ErrorCounts, rs.results.ErrorCounts]:
    return lab.count_errors(sets, names), lab.count_errors(sets, names, tolerance=SURELY_ROUNDING)


def _counted(table: str, row: str, column: str, counts: tuple[int, ...], thesis: int) -> ThesisCell:
    value, exact = counts
    remark = "" if value == exact else f"{value} in float64, {exact} when nothing is rounded"
    if value != thesis:
        return ThesisCell(table, row, column, value, thesis, DIFFERS, remark or f"the thesis has {thesis}")
    return ThesisCell(table, row, column, value, thesis, NOISE if remark else AGREES, remark)


def main() -> None:
    """Print every table, then what is to be said about single numbers."""
    asked = argparse.ArgumentParser(description=reproduce.__doc__)
    asked.add_argument("--plot", type=Path, help="draw Table 5.2 to this file")
    file = asked.parse_args().plot
    tables = reproduce()
    print(tables)
    if file is not None:
        tables.plot().figure.savefig(file, dpi=90)


if __name__ == "__main__":
    main()
