"""The tables of the thesis on AUC variants, computed again; every number is told where it stands.

Counts of Tables 5.1 and 5.2 come from the batch evaluators, in the written order of operations: scores from the highest
to the lowest, positives outside, negatives inside, one running sum, one division; probAUC is (sum(p)/P + sum(1-n)/N)/2.
This order gives every printed count. A second count, with a tolerance above all rounding, tells which are noise.
"""

from __future__ import annotations

import json
import math
from contextlib import nullcontext
from fractions import Fraction
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.progress import progress_bar
from rocsteady._src.base.text import format_setting
from rocsteady._src.extras.lab.asked import read_measures
from rocsteady._src.extras.lab.counting import count_at
from rocsteady._src.extras.lab.generators import generate
from rocsteady._src.extras.lab.parse import parse_sets
from rocsteady._src.measures.registry import get_measure
from rocsteady._src.measures.sets import set_properties
from rocsteady._src.ranked import RankedScores, rank
from rocsteady._src.results.thesis import AGREES, DIFFERS, NOISE, UNKNOWN, ThesisCell, ThesisTables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rocsteady._src.extras.lab.counting import Progress
    from rocsteady._src.results.lab import ErrorCounts

LABELS = "pppnnn"
# Rows D and E are of the same construction as A, B and C; their sources are known, their print is not at hand.
MORE_SOURCES = {"D": (1.0, 0.99, 0.98, 0.97, 0.96, 0.0), "E": (1.0, 0.99, 0.98, 0.02, 0.01, 0.0)}
SETTINGS: tuple[tuple[int | None, int | None], ...] = (
    (None, None),
    (30, None),
    (100, None),
    (1000, None),
    (None, 30),
    (None, 100),
    (None, 1000),
    (30, 30),
)
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


def reproduce_thesis(*, progress: Progress = False) -> ThesisTables:
    """Compute Tables 3.1, 4.1, 4.2, 5.1 and 5.2 of the thesis and compare every number with its print.

    A number agrees, or is rounding noise (the print is reached in plain float64 only, and changes when nothing is
    rounded), or differs from the print, with the reason; for rows D and E of Table 5.2 no print is at hand.

    Parameters
    ----------
    progress : bool or callable
        Show a progress bar, or call this with the share done.

    Returns
    -------
    ThesisTables

    Examples
    --------
    >>> import rocsteady as rs
    >>> tables = rs.lab.reproduce_thesis()
    >>> [cell.remark for cell in tables.cells if cell.standing == "differs from the print"]
    ['printed 0.001, but no pair is won, so it is 0']
    """
    told = json.loads((files("rocsteady._src.extras.lab") / "thesis.json").read_text(encoding="utf-8"))
    bar = progress_bar("settings") if progress is True else nullcontext(progress or None)
    with bar as report:
        cells = [*_table_3_1(told), *_table_4_1(told), *_table_4_2(told), *_table_5_1(told)]
        return ThesisTables((*cells, *_table_5_2(told, report or (lambda _: None))), NOTES)


def _ranked(text: str) -> RankedScores:
    labels, scores = next(iter(parse_sets(text)))
    return rank(labels, scores)


def _value(name: str, ranked: RankedScores, **params: float) -> float:
    return float(get_measure(name).sheet.compute(ranked, **params))


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
                remark = f"printed {printed}, but no pair is won, so it is {format_setting(value)}"
                yield ThesisCell("3.1", row["id"], name, value, float(printed), DIFFERS, remark)


def _table_4_1(told: Any) -> Iterator[ThesisCell]:
    sets = {row["id"]: row["set"] for row in told["table_3_1"]}
    for row in told["table_4_1"]:
        found = set_properties(_ranked(sets[row["id"]]))
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
    sets = generate(parse_sets(table["sources"]), range_steps=table["range_steps"], seed=0)
    names = [row["measure"] for row in table["rows"]]
    plain, exact = _both_counts(sets, names)
    for row in table["rows"]:
        found = plain[row["measure"]]
        yield _counted("5.1", row["measure"], "errors", (found.errors, exact[row["measure"]].errors), row["errors"])
        for column in ("min_correct", "max_incorrect"):
            yield _compared("5.1", row["measure"], column, getattr(found, column), row[column])


def _table_5_2(told: Any, report: Callable[[float], object]) -> Iterator[ThesisCell]:
    rows = list(_settings(told))
    for place, (row, scores, steps, (errors, n_correct)) in enumerate(rows):
        text = " ".join(f"{score}{label}" for score, label in zip(scores, LABELS, strict=True))
        sets = generate(parse_sets(text), margin_steps=steps[0], range_steps=steps[1], distribution=True, seed=0)
        plain, exact = _both_counts(sets, COUNTED)
        for name in COUNTED:
            counts = (plain[name].errors, exact[name].errors)
            yield _counted("5.2", row, name, counts, errors.get(name))
        yield _counted("5.2", row, "n_correct", (plain.n_correct, plain.n_correct), n_correct)
        report((place + 1) / len(rows))


def _settings(told: Any) -> Iterator[tuple[str, Any, tuple[int | None, int | None], Any]]:
    for row in told["table_5_2"]["rows"]:
        yield row["id"], row["scores"], (row["margin_steps"], row["range_steps"]), (row["errors"], row["n_correct"])
    for letter, scores in MORE_SOURCES.items():
        for number, steps in enumerate(SETTINGS, 1):
            yield f"{letter}{number}", scores, steps, ({}, None)


def _both_counts(sets: Any, names: Any) -> tuple[ErrorCounts, ErrorCounts]:
    plain, exact = count_at(sets, read_measures(names), (0.0, SURELY_ROUNDING))
    return plain, exact


def _counted(table: str, row: str, column: str, counts: tuple[int, int], thesis: int | None) -> ThesisCell:
    value, exact = counts
    remark = "" if value == exact else f"{value} in float64, {exact} when nothing is rounded"
    if thesis is None:
        return ThesisCell(table, row, column, value, None, UNKNOWN, remark)
    if value != thesis:
        return ThesisCell(table, row, column, value, thesis, DIFFERS, remark or f"the thesis has {thesis}")
    return ThesisCell(table, row, column, value, thesis, NOISE if remark else AGREES, remark)
