"""A laboratory run as one page: errors of measures, where they lie, sweeps, values of sets, difference functions."""

from __future__ import annotations

import hashlib
import platform
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.atomic import write_whole
from rocsteady._src.base.errors import ArgumentError, printable
from rocsteady._src.base.text import format_count, format_digits, format_setting, format_share, table_cells
from rocsteady._src.results.lab import Breakdown, ErrorCounts, Sweep
from rocsteady._src.results.lab_values import ROUNDING, DifferenceFunctions, OrderErrorCounts, SetValues
from rocsteady._src.views.report import laboratory_charts as charts
from rocsteady._src.views.report.document import Document, Section, TableBlock
from rocsteady._src.views.report.names import short_names, styles
from rocsteady._src.views.report.own_page import marked, refuse_strangers
from rocsteady._src.views.report.page import to_html
from rocsteady._src.views.report.plain import for_readers, told_once
from rocsteady._src.views.report.provenance import made_on
from rocsteady._src.views.report.records import safe
from rocsteady._src.views.report.still_pictures import Drawer
from rocsteady._src.views.report.words import to_json, to_markdown
from rocsteady._version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rocsteady._src.views.report.names import Style

FORMS = {".html": "html", ".htm": "html", ".md": "md", ".json": "json"}
TITLE = "Laboratory: measuring the measures"
MOST_SETS = 1_000
HOLDS = "This file holds the score sets that its tables show, and contacts nobody."
TERMS = (
    ("correctly ranked set", "Every positive lies above every negative."),
    ("error", "A correctly ranked set that a measure values below the best-valued set that is not correctly ranked."),
    ("wrong pair", "A positive and a negative whose positive is not above its negative."),
    ("margin", "The lowest positive score less the highest negative one; above 0 in correctly ranked sets only."),
    ("range", "The highest score of a set less the lowest."),
    ("class ratio", "The share of positives in a set."),
    ("difference function", "What a pair adds to a measure, given its positive less its negative score."),
)


@dataclass(slots=True)
class Told:
    """What one result adds to the page."""

    verdict: list[str] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    facts: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    lead: str = ""  # where no other result has a verdict


def write_laboratory(
    results: Sequence[Any], path: object, *, title: str | None = None, command: str = "", force: bool = False
) -> Path:
    """Write a page of the results, whole or not at all; the form follows the file's ending."""
    target = Path(str(path))
    form = FORMS.get(target.suffix.lower())
    if form is None:
        text = f"a page of the laboratory is an .html, .md or .json file, got {target.suffix!r}; plot() draws pictures"
        raise ArgumentError("format", text)
    mark = _mark(results)
    force = refuse_strangers(target, mark, force=force)
    if form == "html":
        with Drawer() as drawer:
            told = to_html(build_laboratory(results, title=title, command=command), drawer)
    else:
        told = {"md": to_markdown, "json": to_json}[form](build_laboratory(results, title=title, command=command))
    write_whole(target, marked(told, form, mark), force=force)
    return target


def _mark(results: Sequence[Any]) -> str:
    """The same for every page of the same results."""
    return hashlib.sha256(repr([each.to_dict() for each in results]).encode()).hexdigest()[:24]


def build_laboratory(results: Sequence[Any], *, title: str | None = None, command: str = "") -> Document:
    """What the page says; nothing here knows HTML."""
    _refuse_others(results)
    look = styles(tuple(dict.fromkeys(name for each in results for name in measures_of(each))))
    swept = [each for each in results if isinstance(each, Sweep)]
    told = [TELLERS[type(each)](each, look) for each in results if not isinstance(each, Sweep)]
    told += [_swept(swept, look)] if swept else []
    verdict = [line for each in told for line in each.verdict] or [each.lead for each in told if each.lead]
    facts = dict(fact for each in reversed(told) for fact in each.facts)  # those of the first result hold
    return Document(
        title=printable(title or TITLE, most=200),
        verdict=tuple(map(for_readers, verdict)),
        models=list(look.values()),
        sections=sorted((s for each in told for s in each.sections), key=lambda section: ORDER.index(section.id)),
        assumptions=[
            ("Made on", made_on()),
            *facts.items(),
            ("rocsteady", __version__),
            ("Python, NumPy", f"{platform.python_version()}, {np.__version__}"),
        ],
        notes=told_once(line for each in told for line in each.notes),
        command=printable(command or _again(results), most=2000),
        supplied="" if command or not _again(results) else _supplied(results[0]),
        terms=TERMS,
        holds=HOLDS,
    )


CALLS: dict[type, str] = {ErrorCounts: "count_errors", OrderErrorCounts: "count_order_errors", SetValues: "set_values"}


def _again(results: Sequence[Any]) -> str:
    """The line that makes the page of one result again in Python; a page of several is made by the command."""
    if len(results) != 1:
        return ""
    result = results[0]
    if isinstance(result, Sweep):
        grid = [f"{name}={safe(values)!r}" for name, values in result.grid.items()]
        called = f"sweep({', '.join(['sets', repr(result.measure), *grid])})"
    elif type(result) in CALLS:
        own = ROUNDING if isinstance(result, OrderErrorCounts) else 0.0
        strict = [f"tolerance={result.tolerance!r}"] if getattr(result, "tolerance", own) != own else []
        called = f"{CALLS[type(result)]}({', '.join(['sets', repr([*measures_of(result)]), *strict])})"
    else:
        return ""
    return f"import rocsteady as rs; rs.lab.{called}.report('report.html')"


def _supplied(result: Any) -> str:
    """What the line does not hold."""
    also = ", and the tolerance, where it was not 0" if isinstance(result, Sweep) else ""
    words = "You supply sets, as rs.lab.generate or rs.lab.parse_sets made them"
    return f"{words}{also}. A function of your own goes in place of its name."


ORDER = ("errors", "where", "bins", "order", "sweeps", "values", "functions")


def _refuse_others(results: Sequence[Any]) -> None:
    known = (ErrorCounts, SetValues, OrderErrorCounts, DifferenceFunctions, Sweep)
    for each in results:
        if not isinstance(each, known):
            names = ", ".join(kind.__name__ for kind in known)
            raise ArgumentError("also", f"a page of the laboratory shows {names}; it cannot show {type(each).__name__}")
    kinds = [type(each) for each in results if not isinstance(each, Sweep)]
    twice = [kind.__name__ for kind in dict.fromkeys(kinds) if kinds.count(kind) > 1]
    if twice:
        raise ArgumentError("also", f"a page shows one {twice[0]}, got {kinds.count(kinds[0])}; write a page for each")


def measures_of(result: Any) -> Iterable[str]:
    """Names that have a colour on the page."""
    if isinstance(result, Sweep):
        return ()
    return result.values if hasattr(result, "values") else [row.measure for row in result.rows]


def _errors(result: ErrorCounts, look: dict[Any, Style]) -> Told:
    header = ["measure", "errors", "share of correct sets", "min over correct", "max over incorrect", "undefined"]
    share = [row.errors / row.n_correct if row.n_correct else float("nan") for row in result.rows]
    cells = [
        [row.measure, row.errors, part, row.min_correct, row.max_incorrect, row.n_undefined]
        for row, part in zip(result.rows, share, strict=True)
    ]
    counted, *notes = result.sentences()
    bars = [(row.measure, row.errors) for row in result.rows]
    words = ("errors", "Errors", "Correctly ranked sets valued below the best-valued other set; numbers are sets.")
    drawn = [charts.error_bars(bars, result.n_correct, look, words), charts.clouds(result, look)]
    facts = [
        ("Sets", format_count(result.n_sets)),
        ("Correctly ranked", format_count(result.n_correct)),
        ("Tolerance", format_setting(result.tolerance)),
    ]
    where = [charts.breakdown(each, look) for each in result.breakdowns.values()]
    tables = [_breakdown(each, look) for each in result.breakdowns.values()]
    return Told(
        _fewest(result),
        [
            Section(
                "errors", "Which measures err?", [counted], [_table("counts", "Errors, counted", header, cells)], drawn
            ),
            Section("where", "Where do they err?", [], [], where),
            Section("bins", "Errors of every bin, as numbers", [], tables, [], folded=True),
        ],
        facts,
        notes,
    )


def _fewest(result: ErrorCounts) -> list[str]:
    """Which measures err least; AUC cannot err by this criterion, so it does not lead."""
    sure = [row for row in result.rows if row.measure == "auc" and not row.errors]
    others = [row for row in result.rows if row not in sure]
    said = (
        ["auc makes none, by construction: it is 1 on correctly ranked sets and below 1 on all others"] if sure else []
    )
    if not result.n_correct or not others:
        none = "No set is correctly ranked, so that no measure can err" if not result.n_correct else "No errors"
        return [none, *said]
    least, most = (pick(row.errors for row in others) for pick in (min, max))
    best, worst = ([row.measure for row in others if row.errors == count] for count in (least, most))
    of = f"of {format_count(result.n_correct)} correctly ranked sets"
    lines = [f"Fewest errors: {_named(best)}, {format_count(least)} {of} ({format_share(least / result.n_correct)})"]
    if most > least:
        lines.append(f"most: {_named(worst)}, {format_count(most)} ({format_share(most / result.n_correct)})")
    return [*lines, *said]


def _named(names: list[str], most: int = 4) -> str:
    shown = ", ".join(short_names(names[:most]))
    return shown if len(names) <= most else f"{shown} and {format_count(len(names) - most)} more"


def _breakdown(result: Breakdown, look: dict[Any, Style]) -> TableBlock:
    header = ["from", "to", "correct sets", *(look[name].name for name in result.measures)]
    cells = [
        [float(low), float(high), int(count), *map(int, errors)]
        for low, high, count, errors in zip(result.low, result.high, result.n_correct, result.errors.T, strict=True)
    ]
    title = {"range": "Errors by range", "margin": "Errors by margin", "ratio": "Errors by class ratio"}
    text = "Numbers of errors; the last bin includes its end."
    name = title.get(result.by, f"Errors by {result.by}")
    return _table(f"split-{result.by}", f"{name}, counted", header, cells, text)


def _order(result: OrderErrorCounts, look: dict[Any, Style]) -> Told:
    cells = [[row.measure, row.errors, row.excess, row.n_undefined] for row in result.rows]
    table = _table(
        "order-counts", "Errors in the order of sets, counted", ["measure", "errors", "excess", "undefined"], cells
    )
    said = (
        f"{format_count(result.n_sets)} sets with 0 to {format_count(result.most_wrong)} wrong pairs; an error is a "
        "set valued below one with more of them, its excess how many more the worst of these has"
    )
    section = Section(
        "order", "Is one mistake worth more than two?", [said], [table], [charts.order_bars(result, look)]
    )
    least = min(row.errors for row in result.rows)
    best = _named([row.measure for row in result.rows if row.errors == least])
    lead = f"Fewest errors in the order of sets: {best}, {format_count(least)} of {format_count(result.n_sets)} sets"
    return Told([], [section], [("Sets", format_count(result.n_sets))], list(result.notes_), lead)


def _values(result: SetValues, look: dict[Any, Style]) -> Told:
    header, cells = result.cells()
    counted, *notes = result.sentences()
    some = f"; the first {format_count(MOST_SETS)} are shown" if len(result) > MOST_SETS else ""
    shown = [[_short(row[0]), *row[1:]] for row in cells[:MOST_SETS]]
    table = _table("sets", "Sets by measures", header, shown)
    right = int(result.correctly_ranked.sum())
    facts = [("Sets", format_count(len(result))), ("Correctly ranked", format_count(right))]
    drawn = [charts.set_dots(result, look)]
    section = Section("values", "What is each set worth?", [counted + some], [table], drawn)
    lead = f"{format_count(len(result))} score sets by {format_count(len(result.values))} measures"
    return Told([], [section], facts, notes, lead)


def _functions(result: DifferenceFunctions, look: dict[Any, Style]) -> Told:
    said = "mm6 and mm7 are no means over pairs and have no difference function"
    drawn = [charts.functions(result, look)]
    lead = f"Difference functions of {_named(list(result.values), most=8)}"
    return Told([], [Section("functions", "How is a pair valued?", [said], [], drawn)], lead=lead)


def _swept(results: list[Sweep], look: dict[Any, Style]) -> Told:
    told, tables, drawn = [], [], []
    names = short_names(f"{each.measure} over {', '.join(each.grid)}" for each in results)
    for place, (result, name) in enumerate(zip(results, names, strict=True)):
        at = ", ".join(f"{key} = {format_setting(value)}" for key, value in result.fewest.items())
        told.append(f"{name}: fewest errors, {format_count(int(result.errors.min()))}, at {at}")
        columns = result._columns()  # noqa: SLF001 - its own frame
        cells = [list(row) for row in zip(*columns.values(), strict=True)]
        tables.append(_table(f"grid-{place}", f"Grid of {name}", list(columns), cells))
        drawn += charts.sweep(result, place, name, look)
    first = results[0]
    facts = [("Sets", format_count(first.n_sets)), ("Correctly ranked", format_count(first.n_correct))]
    return Told(told, [Section("sweeps", "What do parameters change?", told, tables, drawn)], facts, list(first.notes))


def _short(text: str) -> str:
    """A set without the noise of the last bits of its scores."""
    words = [(word[:-1], word[-1]) for word in text.split()]
    if not all(kind in "pn" and "." in score for score, kind in words):
        return text
    return " ".join(f"{format_digits(float(score), 12)}{kind}" for score, kind in words)


TELLERS: dict[type, Callable[[Any, dict[Any, Style]], Told]] = {
    ErrorCounts: _errors,
    OrderErrorCounts: _order,
    SetValues: _values,
    DifferenceFunctions: _functions,
}


def _table(name: str, title: str, header: list[str], cells: list[list[Any]], text: str = "") -> TableBlock:
    shown = [printable(each, most=60) for each in header]
    keys = [[printable(cell) if isinstance(cell, str) else safe(cell) for cell in row] for row in cells]
    rows = [[printable(cell, most=200) for cell in row] for row in table_cells(header, cells)]
    return TableBlock(name, title, shown, rows, keys, text)
