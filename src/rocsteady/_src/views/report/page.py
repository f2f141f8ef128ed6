"""A document becomes one HTML file that contacts nobody. This is the only place that escapes text for HTML."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.text import format_count
from rocsteady._src.views.report.operating import GIVEN
from rocsteady._src.views.report.records import safe

if TYPE_CHECKING:
    from rocsteady._src.views.report.document import Chart, Document, Section, TableBlock
    from rocsteady._src.views.report.names import Style


def to_html(document: Document) -> str:
    """The whole page: markup, style, data as JSON that is never run, and two scripts named by their hashes."""
    scripts = [_vega(), _asset("page.js")]
    hashes = " ".join(f"'sha256-{_digest(script)}'" for script in scripts)
    policy = (
        f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src {hashes}; "
        "base-uri 'none'; form-action 'none'"
    )
    body = "\n".join([_header(document), _controls(document), _main(document), _footer(document)])
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{_text(document.title)}</title>
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


def _text(value: object) -> str:
    """Text for HTML, in which a name of any direction stays in its place."""
    return html.escape(str(value), quote=True)


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


def _data(document: Document) -> dict[str, Any]:
    return {
        "models": [{"name": each.name, "colour": each.colour, "shown": each.shown} for each in document.models],
        "charts": [
            {"id": chart.id, "spec": chart.spec, "data": {name: packed(rows) for name, rows in chart.data.items()}}
            for chart in document.all_charts
        ],
        "operating": {name: _columns(table) for name, table in document.operating.items()},
        "granular": {
            name: [{**step, "records": packed(step["records"])} for step in family]
            for name, family in document.granular.items()
        },
        "reclassified": {
            key: [{"title": t.title, "header": t.header, "rows": t.rows, "text": t.text} for t in tables]
            for key, tables in document.reclassified.items()
        },
    }


def packed(records: list[dict[str, Any]]) -> dict[str, Any]:
    """Records as columns, repeated texts once: a third of the bytes. The page unpacks them.

    Examples
    --------
    >>> packed([{"model": "a", "x": 1}, {"model": "a", "x": 2}])
    {'model': {'values': ['a'], 'codes': [0, 0]}, 'x': [1, 2]}
    """
    names = dict.fromkeys(name for record in records for name in record)
    columns: dict[str, Any] = {}
    for name in names:
        column = [record.get(name) for record in records]
        if all(isinstance(value, str) for value in column):
            values = {value: code for code, value in enumerate(dict.fromkeys(column))}
            columns[name] = {"values": list(values), "codes": [values[value] for value in column]}
        else:
            columns[name] = column
    return columns


def _columns(table: dict[str, Any]) -> dict[str, Any]:
    """Positions of the slider, the lowest threshold first, as scores lie on an axis."""
    columns: dict[str, Any] = {
        name: [safe(value) for value in values[::-1].tolist()]
        for name, values in table.items()
        if isinstance(values, np.ndarray)
    }
    return columns | {"start": len(columns["threshold"]) - 1 - table["start"]}


def _header(document: Document) -> str:
    first, *others = document.verdict
    listed, rest = (f'<ul class="why">{_items(lines)}</ul>' if lines else "" for lines in (others[:4], others[4:]))
    more = (
        f'<details class="rest"><summary>{format_count(len(others) - 4)} more</summary>{rest}</details>' if rest else ""
    )
    return f"""<a class="skip" href="#main">Skip to the charts</a>
<header>
<p class="brand">rocsteady</p>
<h1>{_text(document.title)}</h1>
<p class="verdict"><bdi>{_text(first)}</bdi></p>
{listed}{more}
</header>"""


def _options(document: Document) -> str:
    names = enumerate(style.name for style in document.models)
    return "".join(f'<option value="{place}">{_text(name)}</option>' for place, name in names)


def _items(lines: list[str]) -> str:
    return "".join(f"<li><bdi>{_text(line)}</bdi></li>" for line in lines)


EXTRA = """<label class="model no-print"><input type="checkbox" id="extra" checked>
<span>bands and hull</span></label>"""


def _controls(document: Document) -> str:
    places = {style.name: place for place, style in enumerate(document.models)}
    first, rest = ([style for style in document.models if style.shown is shown] for shown in (True, False))
    boxes = "".join(_box(style, places[style.name]) for style in first)
    more = "".join(_box(style, places[style.name]) for style in rest)
    return f"""<section class="controls" aria-label="Controls">
{_threshold(document) if document.operating else ""}
<fieldset class="models"><legend>Show</legend>{boxes}
{EXTRA if document.operating else ""}
{_others(len(rest), more)}</fieldset>
</section>"""


def _others(count: int, boxes: str) -> str:
    if not count:
        return ""
    return (
        f'<details class="others"><summary>{format_count(count)} more, hidden '
        f"at first</summary><div>{boxes}</div></details>"
    )


def _box(style: Style, place: int) -> str:
    checked = " checked" if style.shown else ""
    return (
        f'<label class="model"><input type="checkbox"{checked} data-model="{place}">'
        f'<span class="swatch" style="background:{_drawn(style)}"></span><bdi>{_text(style.name)}</bdi></label>'
    )


def _drawn(style: Style) -> str:
    """The colour, with gaps where the line is dashed."""
    ink, gap = style.dash[:2]
    if not gap:
        return style.colour
    return f"repeating-linear-gradient(90deg,{style.colour} 0 {ink}px,transparent {ink}px {ink + gap}px)"


def _threshold(document: Document) -> str:
    return f"""<div class="pick"><label for="selected">Selected model</label>
<select id="selected">{_options(document)}</select></div>
<div class="slide"><label for="threshold">Threshold: <output id="threshold-value" for="threshold"></output></label>
<input type="range" id="threshold" min="0" max="1" value="0" step="1"></div>"""


def _main(document: Document) -> str:
    first, last = ([table for table in document.tables if table.id == name] for name in ("measures", "diagnostics"))
    others = [table for table in document.tables if table not in first + last]
    parts = [
        *map(_table, first),
        *map(_section, document.sections),
        _operating() if document.operating else "",
        _grid(document.charts),
        *map(_table, others),
        _moves(document),
        *map(_table, last),
    ]
    return f'<main id="main">{"".join(parts)}</main>'


def _section(section: Section) -> str:
    words = f'<ul class="words">{_items(section.lines)}</ul>' if section.lines else ""
    return f"""<section class="part" aria-labelledby="part-{section.id}">
<h2 id="part-{section.id}"><bdi>{_text(section.title)}</bdi></h2>{words}
{_grid(section.charts)}{"".join(map(_table, section.tables))}
</section>"""


def _grid(charts: list[Chart]) -> str:
    return f'<div class="grid">{"".join(map(_chart, charts))}</div>'


def _operating() -> str:
    cell = '<td><span class="count" data-value="{0}"></span><small>{1}</small></td>'
    rows = [
        f'<tr><th scope="row">{row}</th>{cell.format(*left)}{cell.format(*right)}</tr>'
        for row, left, right in (
            ("really positive", ("tp", "found"), ("fn", "missed")),
            ("really negative", ("fp", "false alarms"), ("tn", "left alone")),
        )
    ]
    names = (
        ("tpr", "Recall (TPR)"),
        ("fpr", "False positive rate"),
        ("precision", "Precision"),
        ("npv", "Negative predictive value"),
    )
    plain = (("accuracy", "Accuracy"), ("f1", "F1"), ("matthews_correlation", "MCC"), ("cost", "Cost per row"))
    rates = "".join(
        f'<div><dt>{title}</dt><dd><span data-value="{name}"></span> <small data-interval="{name}"></small></dd></div>'
        for name, title in names
    ) + "".join(f'<div><dt>{title}</dt><dd><span data-value="{name}"></span></dd></div>' for name, title in plain)
    return f"""<section class="card" aria-labelledby="operating-title">
<h2 id="operating-title">At this threshold</h2>
<p class="note" id="operating-words" aria-live="polite"></p>
<p class="note" id="operating-intervals" data-given="{_text(GIVEN)}"></p>
<div class="operating"><table class="confusion"><thead><tr><td></td><th scope="col">called positive</th>
<th scope="col">called negative</th></tr></thead><tbody>{"".join(rows)}</tbody></table>
<dl class="rates">{rates}</dl></div>
</section>"""


def _chart(chart: Chart) -> str:
    note = f'<p class="note">{_text(chart.note)}</p>' if chart.note else ""
    scrolled = ' tabindex="0"' if chart.broad else ""
    return f"""<section class="card chart{" wide" if chart.wide else ""}" aria-labelledby="{chart.id}-title">
<h2 id="{chart.id}-title">{_text(chart.title)}</h2>
<p class="note">{_text(chart.text)}</p>{_slider(chart)}{_switch(chart)}
<div class="view{" broad" if chart.broad else ""}" id="chart-{chart.id}"{scrolled} role="img"
 aria-label="{_text(chart.title)}: {_text(chart.text)}"></div>
{note}
<details class="as-table" data-chart="{chart.id}"><summary>Read as a table</summary>
<div class="scroll" tabindex="0"></div></details>
<p class="buttons"><button type="button" data-csv="{chart.id}">Download {_text(chart.title)} as CSV</button>
<button type="button" data-svg="{chart.id}">Download as SVG</button></p>
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
        f"{'' if place else ' checked'}> {_text(name)}</label>"
        for place, name in enumerate(chart.switch)
    )
    return f'<fieldset class="switch"><legend>Show</legend>{choices}</fieldset>'


def _table(table: TableBlock) -> str:
    sortable = bool(table.keys)
    head = "".join(
        f'<th scope="col"><button type="button" class="sort" data-column="{place}">{_text(name)}</button></th>'
        if sortable
        else f'<th scope="col"><bdi>{_text(name)}</bdi></th>'
        for place, name in enumerate(table.header)
    )
    body = "".join(
        "<tr>"
        + "".join(_cell(text, place, table.keys[row] if sortable else None) for place, text in enumerate(cells))
        + "</tr>"
        for row, cells in enumerate(table.rows)
    )
    said = " ".join([table.text, *(["Press a heading to sort."] if sortable else [])]).strip()
    note = f'<p class="note">{_text(said)}</p>' if said else ""
    return f"""<section class="card" aria-labelledby="{table.id}-title">
<h2 id="{table.id}-title">{_text(table.title)}</h2>{note}
<div class="scroll" tabindex="0" role="region" aria-labelledby="{table.id}-title"><table id="table-{table.id}">
<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>
</section>"""


def _cell(text: str, place: int, keys: list[Any] | None) -> str:
    key = "" if keys is None else f' data-key="{_text("" if keys[place] is None else keys[place])}"'
    if place == 0:
        return f'<th scope="row"{key}><bdi>{_text(text)}</bdi></th>'
    value, bracket, interval = text.partition(" [")
    inner = f"{_text(value)}<small> [{_text(interval)}</small>" if bracket else _text(text)
    return f"<td{key}>{inner}</td>"


def _moves(document: Document) -> str:
    if not document.reclassified:
        return ""
    options = _options(document)
    return f"""<section class="card" aria-labelledby="moves-title">
<h2 id="moves-title">Who would move between risk categories?</h2>
<p class="note">NRI rises for miscalibrated models even when nothing improves:
read it beside calibration and the decision curve.</p>
<div class="pick"><label for="old">From the old model</label><select id="old">{options}</select>
<label for="new">to the new model</label><select id="new">{options}</select></div>
<div id="moves" aria-live="polite"></div>
</section>"""


def _footer(document: Document) -> str:
    facts = "".join(
        f"<div><dt><bdi>{_text(name)}</bdi></dt><dd><bdi>{_text(value)}</bdi></dd></div>"
        for name, value in document.assumptions
    )
    notes = _items(document.notes)
    return f"""<footer class="card"><h2>What was assumed</h2><dl class="facts">{facts}</dl>
{f"<h2>Notes</h2><ul>{notes}</ul>" if notes else ""}
<p class="note">This file holds counts and curves, no rows of data, and contacts nobody.</p></footer>"""
