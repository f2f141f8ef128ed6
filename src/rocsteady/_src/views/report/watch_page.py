"""A watch as one page over time: the verdict, values and evidence by day, what is open, scores, expectations."""

from __future__ import annotations

import hashlib
import json
import platform
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.atomic import write_whole
from rocsteady._src.base.decided import ALARM, QUIET
from rocsteady._src.base.errors import ArgumentError, printable
from rocsteady._src.base.text import format_count, format_level, format_share, json_printable, table_cells
from rocsteady._src.results.base import DIRECTION
from rocsteady._src.results.decision import Check
from rocsteady._src.results.watched import place_of
from rocsteady._src.views.report import watch_charts as charts
from rocsteady._src.views.report.document import Document, Section, TableBlock
from rocsteady._src.views.report.names import styles
from rocsteady._src.views.report.own_page import marked, refuse_strangers
from rocsteady._src.views.report.page import to_html
from rocsteady._src.views.report.plain import for_readers, told_once
from rocsteady._src.views.report.provenance import made_on
from rocsteady._src.views.report.records import safe
from rocsteady._src.views.report.still_pictures import Drawer
from rocsteady._src.views.report.words import to_markdown
from rocsteady._version import __version__

if TYPE_CHECKING:
    from rocsteady._src.results.monitor import MonitorResult
    from rocsteady._src.results.watched import WatchedMeasure
    from rocsteady._src.views.report.names import Style

    Look = dict[str, Style]

FORMS = {".html": "html", ".htm": "html", ".md": "md", ".json": "json"}
MOST_DAYS = 1_000
MOST_VINTAGES = 400
HOLDS = "This file holds values by day and segment, no rows of data, and contacts nobody."
TERMS = (
    ("reference", "The rows that the days are compared with."),
    (
        "at all looks together",
        "With this probability all ends hold that will ever be shown, not just those of one day.",
    ),
    ("evidence", "How much better a change explains the values than none. Without one it seldom grows."),
    ("open", "Rows whose label has not come yet."),
    (
        "PSI",
        "Population stability index: how far the shares of tenths of scores have moved. It has no error probability.",
    ),
    ("vintage", "Rows by the day they were scored, and how many were known to be positive after so many days."),
)


def write_watch(result: MonitorResult, path: object, *, title: str, command: str = "", force: bool = False) -> Path:
    """Write the page, whole or not at all; the form follows the file's ending. A page of the watch is replaced."""
    target = Path(str(path))
    form = FORMS.get(target.suffix.lower())
    if form is None:
        raise ArgumentError("format", f"a page of a watch is an .html, .md or .json file, got {target.suffix!r}")
    mark = _mark(result)
    force = refuse_strangers(target, mark, force=force)
    if form == "json":
        told = json_printable(json.dumps(result.to_dict(), allow_nan=False, ensure_ascii=False, indent=1) + "\n")
    elif form == "md":
        told = to_markdown(build_watch(result, title=title, command=command))
    else:
        with Drawer() as drawer:
            told = to_html(build_watch(result, title=title, command=command), drawer)
    write_whole(target, marked(told, form, mark), force=force)
    return target


def _mark(result: MonitorResult) -> str:
    """The same for every look of one watch: what it is compared with, and which measures."""
    models = [(each.model,) if each.model else () for each in result.measures]
    known = [
        (each.measure, *model, each.segment, repr(float(each.reference)))
        for each, model in zip(result.measures, models, strict=True)
    ]
    return hashlib.sha256(repr(known).encode()).hexdigest()[:24]


def build_watch(result: MonitorResult, *, title: str, command: str = "") -> Document:
    """What the page says; nothing here knows HTML."""
    look = styles(tuple(dict.fromkeys(each.where for each in result.measures)))
    header, cells = result.cells()
    return Document(
        title=printable(title, most=200),
        verdict=tuple(map(for_readers, result.verdict)),
        checks=_checks(result),
        models=list(look.values()),
        sections=_sections(result, look),
        decision=_table("decision", "Measures and segments", header, cells, f"{result.promise}."),
        assumptions=_assumptions(result),
        notes=told_once(map(for_readers, result.notes())),
        command=printable(command or _again(result), most=2000),
        supplied="" if command else _supplied(result),
        terms=TERMS,
        holds=HOLDS,
    )


def _again(result: MonitorResult) -> str:
    """The line that makes the page again in Python; none of a result that no watch made."""
    if not result.asked:
        return ""
    return f"import rocsteady as rs; rs.monitor({', '.join(result.asked)}).report('report.html')"


def _supplied(result: MonitorResult) -> str:
    """What the line does not hold."""
    named = [name for name in ("reference", "state") if f"{name}={name}" in result.asked]
    also = f"; {' and '.join(named)} as they were then" if named else ""
    return f"You supply table, with these columns, up to day {result.today}{also}." if result.asked else ""


def _sections(result: MonitorResult, look: Look) -> list[Section]:
    names = list(dict.fromkeys(each.measure for each in result.measures))
    by_name = {name: [each for each in result.measures if each.measure == name] for name in names}
    levels = [charts.levels(name, found, result, look) for name, found in by_name.items()]
    evidence = [charts.evidence(name, found, result, look) for name, found in by_name.items()]
    found = [
        Section("level", "How good is it, day by day?", [], [], levels),
        Section("change", "Has it changed?", [], [], evidence),
        Section("labels", "What is still open?", _open_words(result), _vintages(result), _open_chart(result, look)),
        Section("scores", "Have the scores changed?", [str(each) for each in result.drift], [], _drift(result, look)),
    ]
    if result.calibration is not None:
        found.append(_expected(result, look, by_name))
    return [*found, Section("days", "Every day, as numbers", [], [_days(result)], [], folded=True)]


def _expected(result: MonitorResult, look: Look, by_name: dict[str, list[WatchedMeasure]]) -> Section:
    """What was expected of all rows, of the first of several models; and the test of each model's probabilities."""
    drawn = [charts.expected(name, each[0], result, look) for name, each in by_name.items()]
    tested = [each for each in result.calibrations if each.n_days]
    named = [look[place_of(each.model, None)] for each in tested]
    kept = [each for each in drawn if each is not None]
    kept += [charts.calibration(tested, result, named)] if tested else []
    title = "What was expected without labels?"
    return Section("expected", title, [str(each) for each in result.calibrations], [], kept)


def _open_words(result: MonitorResult) -> list[str]:
    told = f"{format_count(result.open_rows)} rows have no label yet"
    waiting = f"; {format_count(result.n_waiting)} days are younger than {result.matures} days and not judged yet"
    return [told + (waiting if result.n_waiting else "")]


def _open_chart(result: MonitorResult, look: Look) -> list[Any]:
    return [charts.open_rows(result.measures[0], result, look)] if result.open_rows else []


def _drift(result: MonitorResult, look: Look) -> list[Any]:
    return [charts.drift(result.drift, result, look)] if len(result.measures[0].day) else []


def _vintages(result: MonitorResult) -> list[TableBlock]:
    if not result.vintages:
        return []
    header = ["scored on", "age in days", "rows", "known positives", "known negatives", "share of rows known positive"]
    kept = result.vintages[-MOST_VINTAGES:]
    cells = [[line[0], *map(int, line[1:]), line[3] / line[2]] for line in kept]
    some = f"The last {format_count(MOST_VINTAGES)} lines." if len(kept) < len(result.vintages) else ""
    return [_table("vintages", "Vintages: what was known at which age", header, cells, some)]


def _days(result: MonitorResult) -> TableBlock:
    columns = result._columns()  # noqa: SLF001 - its own frame
    kept = (
        "measure",
        *(["model"] if result.models else []),
        "segment",
        "day",
        "value",
        "low",
        "high",
        "n",
        "n_open",
        "so_far",
        "so_far_low",
        "so_far_high",
    )
    cells = [list(row) for row in zip(*(columns[name] for name in kept), strict=True)]
    some = f"The last {format_count(MOST_DAYS)} lines; to_frame() has all." if len(cells) > MOST_DAYS else ""
    return _table("all-days", "Values by day", list(kept), cells[-MOST_DAYS:], some)


def _checks(result: MonitorResult) -> tuple[Check, ...]:
    """Is it as good as it was, are the labels there, are the scores the same?"""
    same = {QUIET: "yes", ALARM: "no"}.get(result.decision, "unknown")
    share = result.open_rows / max(result.origin.n_rows, 1)
    labels = "yes" if share < 0.01 else "partly" if share < 0.2 else "no"
    told = f"{format_count(result.open_rows)} of {format_count(result.origin.n_rows)} rows are open"
    moved = [each for each in result.drift if each.changed]
    scores = "no" if moved else "yes"
    found = [
        Check("same", "As good as it was?", same, result.verdict[0]),
        Check("labels", "Are the labels there?", labels, told),
        Check("scores", "Scores as they were?", scores, str((moved or list(result.drift))[0])),
    ]
    if result.calibration is not None:
        sure = "no" if result.calibration.refuted else "partly" if result.calibration.n_days else "unknown"
        found.append(Check("probabilities", "Can the probabilities be trusted?", sure, str(result.calibration)))
    return tuple(found)


def _assumptions(result: MonitorResult) -> list[tuple[str, str]]:
    first, last = (result.measures[0].day[place] if result.measures[0].day else "none" for place in (0, -1))
    return [
        ("Made on", made_on()),
        ("Look of", result.today),
        ("Days watched", f"{format_count(len(result.measures[0].day))}, {first} to {last}"),
        ("Days of the reference", format_count(result.reference_days)),
        ("Rows", result.assumptions()),
        ("Promised", result.promise),
        ("Confidence", f"{format_level(result.level)} at all looks together"),
        ("Labels may take", f"{format_count(result.matures)} days"),
        *_deadline(result),
        ("Direction", DIRECTION),
        ("rocsteady", __version__),
        ("Python, NumPy", f"{platform.python_version()}, {np.__version__}"),
    ]


def _deadline(result: MonitorResult) -> list[tuple[str, str]]:
    """After how many days labels will not come, and of how many rows they did not."""
    if result.label_timeout is None:
        return []
    days, share = format_count(result.label_timeout), format_share(result.never_labelled)
    return [("Never labelled", f"{share} of the rows watched: no label after {days} days")]


def _table(name: str, title: str, header: list[str], cells: list[list[Any]], text: str = "") -> TableBlock:
    keys = [[printable(cell) if isinstance(cell, str) else safe(cell) for cell in row] for row in cells]
    rows = [[printable(cell, most=120) for cell in row] for row in table_cells(header, cells)]
    return TableBlock(name, title, list(header), rows, keys, text)
