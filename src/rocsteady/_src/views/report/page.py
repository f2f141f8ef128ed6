"""A document becomes one HTML file that contacts nobody."""

from __future__ import annotations

import base64
import hashlib
import json
from contextlib import nullcontext
from dataclasses import asdict
from importlib.resources import files
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.text import format_count
from rocsteady._src.views.report.glossary import glossary
from rocsteady._src.views.report.markup import bare_table, escaped, exports, items, options_of, table_html
from rocsteady._src.views.report.page_situation import controls, operating_panel
from rocsteady._src.views.report.records import safe
from rocsteady._src.views.report.still_pictures import Drawer

if TYPE_CHECKING:
    from rocsteady._src.views.report.document import Chart, Document, Section, TableBlock


MADE_THERE = (("cost", "costs"), ("rates", "rates"))  # from the positions of the slider, in the page
ORDER = "i"  # which record of a line comes first
FIRST = 7  # lines below the headline that need no click: all that a decision says of itself
STILL = "<!--still-{}-->"  # where a chart's still picture goes, for who reads without scripts


def to_html(document: Document, drawer: Drawer | None = None) -> str:
    """The whole page: markup, style, data as JSON that is never run, and two scripts named by their hashes."""
    own = ["decision.js", *(["parts.js"] if document.parts else []), "page.js"]
    scripts = [_vega(), "".join(map(_asset, own))]
    hashes = " ".join(f"'sha256-{_digest(script)}'" for script in scripts)
    policy = (
        f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src {hashes}; "
        "base-uri 'none'; form-action 'none'"
    )
    body = "\n".join([_header(document), controls(document), _main(document), _footer(document)])
    with Drawer() if drawer is None else nullcontext(drawer) as draws:
        stills = draws.stills([chart.whole for chart in document.all_charts])
    for chart, still in zip(document.all_charts, stills, strict=True):
        body = body.replace(STILL.format(chart.id), still)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escaped(document.title)}</title>
<style>{_asset("page.css")}</style>
</head>
<body>
{body}
<script type="application/json" id="data">{_json(_data(document))}</script>
<script>{scripts[0]}</script>
<script>{scripts[1]}</script>
</body>
</html>
"""


def _json(value: Any) -> str:
    """JSON that cannot end its script block, whatever the names are."""
    text = json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    for mark in "<>&\u2028\u2029":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _asset(name: str) -> str:
    return files("rocsteady._src.views.report").joinpath("assets", name).read_text(encoding="utf-8")


def _vega() -> str:
    """Vega, Vega-Lite and their embedding in one script; it holds no end of a script block. See vega.LICENSES.md."""
    return _asset("vega.js")


def _sets(document: Document) -> dict[int, list[dict[str, Any]]]:
    """Data sets of all charts, each once."""
    return {
        id(rows): rows
        for chart in document.all_charts
        for name, rows in chart.data.items()
        if (chart.id, name) not in MADE_THERE
    }


def _data(document: Document) -> dict[str, Any]:
    places = {name: place for place, name in enumerate(_sets(document))}
    return {
        "models": [{"name": each.name, "colour": each.colour, "shown": each.shown} for each in document.models],
        "sets": [packed(rows) for rows in _sets(document).values()],
        "charts": [
            {
                "id": chart.id,
                "spec": chart.spec,
                "data": {name: places.get(id(rows), -1) for name, rows in chart.data.items()},
            }
            for chart in document.all_charts
        ],
        "situation": None if document.situation is None else asdict(document.situation),
        "again": document.again,
        "line": document.line,
        "parts": document.parts or None,
        "tables": {table.id: table.values or table.keys for table in _tables(document) if table.values or table.keys},
        "operating": {name: _columns(table) for name, table in document.operating.items()},
        "granular": {
            name: [{**step, "records": packed(step["records"])} for step in family]
            for name, family in document.granular.items()
        },
        "moved": list(document.moved),
        "reclassified": {
            key: [{"title": t.title, "header": t.header, "rows": t.rows, "text": t.text} for t in tables]
            for key, tables in document.reclassified.items()
        },
    }


def _tables(document: Document) -> list[TableBlock]:
    first = [] if document.decision is None else [document.decision]
    return [*first, *document.tables, *(table for section in document.sections for table in section.tables)]


def packed(records: list[dict[str, Any]]) -> dict[str, Any]:
    """Records as columns, repeated texts once: a third of the bytes. The page unpacks them, and numbers them again.

    Examples
    --------
    >>> packed([{"model": "a", "x": 1}, {"model": "a", "x": 2}])
    {'model': {'values': ['a'], 'runs': [0, 2]}, 'x': [1, 2]}
    """
    names = dict.fromkeys(name for record in records for name in record if name != ORDER)
    columns: dict[str, Any] = {}
    for name in names:
        column = [record.get(name) for record in records]
        if all(isinstance(value, str) for value in column):
            values = {value: code for code, value in enumerate(dict.fromkeys(column))}
            columns[name] = {"values": list(values), **_coded([values[value] for value in column])}
        else:
            columns[name] = column
    return columns


def _coded(codes: list[int]) -> dict[str, list[int]]:
    """Codes one by one, or each with how often it comes in a row, whichever is shorter."""
    runs = [part for code, run in groupby(codes) for part in (code, len(list(run)))]
    return {"runs": runs} if len(runs) <= len(codes) else {"codes": codes}


FOLLOWING = {"fn", "tn", "drawn", "tpr", "fpr", "precision", "npv", "accuracy", "f1", "matthews_correlation", "cost"}
FOLLOWING |= {"chosen"}
RATES = ("tpr", "fpr", "precision", "npv")
ENDS = {f"{rate}_{end}" for rate in RATES for end in ("low", "high")}


def _columns(table: dict[str, Any]) -> dict[str, Any]:
    """Positions of the slider, the lowest threshold first, as scores lie on an axis.

    What follows from the four counts is left to the page: rates, and Wilson's intervals where no subjects are told
    apart. Intervals that count a choice stand by their place.
    """
    left_out = FOLLOWING | (ENDS if table["z"] is not None else set())
    columns: dict[str, Any] = {
        name: [safe(value) for value in values[::-1].tolist()]
        for name, values in table.items()
        if isinstance(values, np.ndarray) and name not in left_out
    }
    if columns["_threshold"] == columns["threshold"]:
        del columns["_threshold"]
    last = len(columns["threshold"]) - 1
    chosen = [
        {"place": last - place, "text": text, **{name: safe(table[name][place].item()) for name in sorted(ENDS)}}
        for place, text in enumerate(table["chosen"].tolist())
        if text is not None
    ]
    more = {name: table[name] for name in ("distinct", "z", "every")}
    for name, cells in (("positives", ("tp", "fn")), ("negatives", ("fp", "tn"))):
        more[name] = safe(sum(table[cell][0].item() for cell in cells))
    return columns | {"start": last - table["start"], "chosen": chosen, **more}


def _header(document: Document) -> str:
    first, *others = document.verdict or ("",)
    listed, rest = (
        f'<ul class="why">{items(lines)}</ul>' if lines else "" for lines in (others[:FIRST], others[FIRST:])
    )
    more = (
        f'<details class="rest"><summary>{format_count(len(others) - FIRST)} more</summary>{rest}</details>'
        if rest
        else ""
    )
    alarms = "".join(f'<p class="alarm"><bdi>{escaped(line)}</bdi></p>' for line in document.alarms)
    return f"""<a class="skip" href="#main">Skip to the charts</a>
<header>
<p class="brand">rocsteady</p>
<h1>{escaped(document.title)}</h1>
{alarms}<p class="verdict" id="verdict"><bdi>{escaped(first)}</bdi></p>
<div id="as-given">{listed}{more}</div>
<div id="as-typed" hidden></div>
{_checks(document)}{_decision(document)}
</header>"""


MARKS = {"yes": "\u2713", "partly": "~", "no": "\u2717", "unknown": "?"}


def _checks(document: Document) -> str:
    if not document.checks:
        return ""
    made = "".join(
        f'<li class="check {check.answer}" data-check="{check.name}">'
        f'<span class="mark" aria-hidden="true">{MARKS[check.answer]}</span>'
        f"<div><strong>{escaped(check.question)}</strong> <span>{escaped(check.answer)}</span><br>"
        f"<small><bdi>{escaped(check.text)}</bdi></small></div></li>"
        for check in document.checks
    )
    return f'<ul class="checks">{made}</ul>'


def _decision(document: Document) -> str:
    if document.decision is None:
        return ""
    table = document.decision
    whole = (
        f'<div class="scroll" tabindex="0" role="group" aria-label="{escaped(table.title)}">{bare_table(table)}</div>'
    )
    return f"""{whole}
<p class="note" id="decision-note">{escaped(table.text)}</p>{exports("decision", "the decision")}"""


def _main(document: Document) -> str:
    first, last = ([table for table in document.tables if table.id == name] for name in ("measures", "diagnostics"))
    others = [table for table in document.tables if table not in first + last]
    parts = [
        *map(table_html, first),
        *(_section(section, document) for section in document.sections),
        _grid(document.charts),
        *map(table_html, others),
        *map(table_html, last),
    ]
    return f'<main id="main">{"".join(parts)}</main>'


def _section(section: Section, document: Document) -> str:
    words = f'<ul class="words">{items(section.lines)}</ul>' if section.lines else ""
    panel = {"operating": operating_panel, "moves": _moves}.get(section.panel)
    inner = f"""{words}{panel(document) if panel else ""}
{_grid(section.charts)}{"".join(map(table_html, section.tables))}"""
    title = f'<h2 id="part-{section.id}"><bdi>{escaped(section.title)}</bdi></h2>'
    if section.folded:
        return f"""<details class="part folded" id="fold-{section.id}"><summary>{title}</summary>{inner}</details>"""
    return f"""<section class="part" aria-labelledby="part-{section.id}">
{title}{inner}
</section>"""


def _grid(charts: list[Chart]) -> str:
    return f'<div class="grid">{"".join(map(_chart, charts))}</div>'


def _chart(chart: Chart) -> str:
    note = f'<p class="note">{escaped(chart.note)}</p>' if chart.note else ""
    scrolled = ' tabindex="0"' if chart.broad else ""
    whose = f'<span class="away"> of {escaped(chart.title)}</span>'
    forms = (("csv", "CSV"), ("svg", "SVG"), ("png", "PNG"))
    buttons = "".join(f'<button type="button" data-{name}="{chart.id}">{form}{whose}</button>' for name, form in forms)
    return f"""<section class="card chart{" wide" if chart.wide else ""}" aria-labelledby="{chart.id}-title">
<h3 id="{chart.id}-title">{escaped(chart.title)}</h3>
<p class="note">{escaped(chart.text)}</p>{_slider(chart)}{_switch(chart)}
<div class="view{" broad" if chart.broad else ""}" id="chart-{chart.id}"{scrolled} role="img"
 aria-label="{escaped(chart.title)}: {escaped(chart.text)}">{STILL.format(chart.id)}</div>
{note}
<details class="as-table" data-chart="{chart.id}"><summary>Read as a table</summary>
<div class="scroll" tabindex="0" role="group" aria-label="{escaped(chart.title)} as a table"></div></details>
<p class="buttons no-print">{buttons}</p>
</section>"""


def _slider(chart: Chart) -> str:
    if chart.id != "granular":
        return ""
    return (
        '<div class="slide"><label for="delta">Delta: <output id="delta-value" for="delta"></output></label>'
        '<input type="range" id="delta" min="0" max="0" value="0" step="1"></div>'
    )


def _switch(chart: Chart) -> str:
    if not chart.switch:
        return ""
    choices = "".join(
        f'<label><input type="radio" name="switch-{chart.id}" data-switch="{chart.id}" value="{place}"'
        f"{'' if place else ' checked'}> {escaped(name)}</label>"
        for place, name in enumerate(chart.switch)
    )
    return f'<fieldset class="switch"><legend>Show</legend>{choices}</fieldset>'


def _moves(document: Document) -> str:
    if not document.reclassified:
        return ""
    options = options_of(document)
    first = _from_to(document)
    old, new = (_chosen(options, document, name) for name in first)
    return f"""<section class="card" aria-labelledby="moves-title">
<h3 id="moves-title">Who moves between risk categories?</h3>
<p class="note">NRI rises for miscalibrated models even when nothing improves:
read it beside calibration and the decision curve.</p>
<div class="pick"><label for="old">From the old model</label><select id="old">{old}</select>
<label for="new">to the new model</label><select id="new">{new}</select></div>
<div id="moves" aria-live="polite"></div>
</section>"""


def _from_to(document: Document) -> list[str]:
    """From the baseline, or else the runner-up, to the model that leads."""
    known = list(document.reclassified)
    if document.decision is not None and document.situation is not None:
        leader = document.situation.model
        named = document.baseline or next((row[0] for row in document.decision.rows if row[0] != leader), leader)
        if f"{named}\n{leader}" in known:
            return [named, leader]
    return known[0].split("\n")


def _chosen(options: str, document: Document, name: str) -> str:
    """The list with one of its models chosen."""
    place = next(place for place, style in enumerate(document.models) if style.name == name)
    return options.replace(f'<option value="{place}">', f'<option value="{place}" selected>', 1)


def _footer(document: Document) -> str:
    facts = "".join(
        f"<div><dt><bdi>{escaped(name)}</bdi></dt><dd><bdi>{escaped(value)}</bdi></dd></div>"
        for name, value in document.assumptions
    )
    again = (
        f'<h3>Make it again</h3><p class="again"><code id="command">{escaped(document.command)}</code> '
        '<button type="button" class="no-print" data-copy-text="command">Copy</button></p>'
        + (f'<p class="note">{escaped(document.supplied)}</p>' if document.supplied else "")
        if document.command
        else ""
    )
    terms = "".join(
        f"<div><dt>{escaped(term)}</dt><dd>{escaped(meaning)}</dd></div>"
        for term, meaning in [*document.terms, *glossary(_words(document))]
    )
    notes = items(document.notes)
    return f"""<footer class="card"><h2>Provenance</h2><dl class="facts">{facts}</dl>{again}
{f"<h3>Notes</h3><ul>{notes}</ul>" if notes else ""}
<details class="terms" id="glossary"><summary><h3>What the words mean</h3></summary><dl>{terms}</dl></details>
<p class="note">{escaped(document.holds)}</p></footer>"""


def _words(document: Document) -> str:
    """All that a page says, for the glossary."""
    tables = [*document.tables, *(table for section in document.sections for table in section.tables)]
    charts = document.all_charts
    parts = [*document.verdict, *(check.text for check in document.checks), *document.notes]
    parts += [text for table in tables for text in (table.title, table.text, *table.header)]
    parts += [text for chart in charts for text in (chart.title, chart.text)]
    parts += [row[0] for table in tables if table.id == "moves-gains" for row in table.rows]
    operating = "recall precision accuracy F1 MCC negative predictive value false positive rate base rate prevalence"
    operating += " Cheapest Neutral As given"
    return " ".join([*parts, operating if document.operating else "", "NRI IDI" if document.reclassified else ""])
