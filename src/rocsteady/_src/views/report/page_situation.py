"""The reader's situation on a page: what can be typed, and what follows; first values are in the page itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsteady._src.base.text import format_count, format_digits, format_interval, format_number
from rocsteady._src.results.cases import of_cases
from rocsteady._src.views.report.chart_parts import operating_record
from rocsteady._src.views.report.glossary import TERMS
from rocsteady._src.views.report.markup import escaped, options_of
from rocsteady._src.views.report.operating import GIVEN

if TYPE_CHECKING:
    from rocsteady._src.views.report.document import Document
    from rocsteady._src.views.report.names import Style

BUTTONS = (("cheapest", "Cheapest", ""), ("neutral", "Neutral", ": classes weigh the same"), ("reset", "As given", ""))
EXTRA = """<label class="model no-print"><input type="checkbox" id="extra" checked>
<span>bands and hull</span></label>"""


def controls(document: Document) -> str:
    places = {style.name: place for place, style in enumerate(document.models)}
    first, rest = ([style for style in document.models if style.shown is shown] for shown in (True, False))
    boxes = "".join(_box(style, places[style.name]) for style in first)
    more = "".join(_box(style, places[style.name]) for style in rest)
    shown = f"""<fieldset class="models"><legend>Show</legend>{boxes}
{EXTRA if document.operating else ""}
{_others(len(rest), more)}</fieldset>"""
    if not document.models:
        return ""
    if not document.operating:
        return f'<section class="controls" aria-label="Controls">{shown}</section>'
    return f"""<section class="controls" aria-label="Your situation">
<p class="outcome" id="outcome" aria-live="polite">{_outcome(document)}</p>
<details class="situation no-print" id="situation" open><summary>Your situation</summary>
{_situation(document)}{shown}</details>
</section>"""


def _outcome(document: Document) -> str:
    """The first line of the situation, as the page's script would write it."""
    if document.situation is None or document.decision is None:
        return ""
    row = next(row for row in document.decision.rows if row[0] == document.situation.model)
    model, threshold, found, missed, alarms, cost, _ = row
    if (asked := document.situation.opened) is not None:
        model, threshold, found, missed = asked.model, asked.shown, asked.found, asked.missed
        alarms, cost = asked.false_alarms, asked.cost
    return (
        f"<strong><bdi>{escaped(model)}</bdi></strong> at {escaped(threshold)}: "
        f"of {of_cases(document.situation.cases)} {found} found, {missed} missed, {alarms} false alarms, cost {cost}"
    )


def _situation(document: Document) -> str:
    at = document.situation
    assert at is not None  # noqa: S101 - a page with thresholds has one
    numbers = (
        ("cost-fp", "A false alarm costs", format_digits(at.cost_fp, 7)),
        ("cost-fn", "A miss costs", format_digits(at.cost_fn, 7)),
        ("prevalence", "Positive, in %", format_digits(100 * at.prevalence, 7)),
    )
    boxes = "".join(
        f'<span class="pick"><label for="{name}">{title}</label><input type="text" inputmode="decimal" id="{name}"'
        f' value="{value}" size="8"></span>'
        for name, title, value in numbers
    )
    buttons = "".join(
        f'<button type="button" id="{name}" title="{TERMS[title]}">{title}{more}</button>'
        for name, title, more in BUTTONS
    )
    return f"""<div class="asked"><span class="pick"><label for="selected">Model</label>
<select id="selected">{options_of(document)}</select></span>
<span class="pick"><label for="typed">Threshold</label>
<input type="text" inputmode="decimal" id="typed" size="10"></span>
{boxes}{buttons}</div>
<p class="note said" id="situation-note" role="status"></p>
<div class="slide"><label for="threshold">Threshold: <output id="threshold-value" for="threshold"></output></label>
<input type="range" id="threshold" min="0" max="1" value="0" step="1"></div>"""


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
        f'<span class="swatch" style="background:{_drawn(style)}"></span><bdi>{escaped(style.name)}</bdi></label>'
    )


def _drawn(style: Style) -> str:
    """The colour, with gaps where the line is dashed."""
    ink, gap = style.dash[:2]
    if not gap:
        return style.colour
    return f"repeating-linear-gradient(90deg,{style.colour} 0 {ink}px,transparent {ink}px {ink + gap}px)"


def operating_panel(document: Document) -> str:
    shown = _first_values(document)
    cell = '<td><span class="count" data-value="{0}">{2}</span><small>{1}</small></td>'
    rows = [
        f'<tr><th scope="row">{row}</th>'
        f"{cell.format(*left, shown.get(left[0], ''))}{cell.format(*right, shown.get(right[0], ''))}</tr>"
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
    plain = [("accuracy", "Accuracy"), ("f1", "F1"), ("matthews_correlation", "MCC"), ("cost", "Cost per row")]
    plain.append(("flagged", "Share flagged"))
    beside = {"accuracy": f" <small>base rate <span data-base>{escaped(_base_rate(document))}</span></small>"}
    rates = "".join(
        f'<div><dt>{title}</dt><dd><span data-value="{name}">{escaped(shown.get(name, ""))}</span> '
        f'<small data-interval="{name}">{escaped(shown.get(name + "_ends", ""))}</small></dd></div>'
        for name, title in names
    ) + "".join(
        f'<div><dt>{title}</dt><dd><span data-value="{name}">{escaped(shown.get(name, ""))}</span>'
        f"{beside.get(name, '')}</dd></div>"
        for name, title in plain
    )
    return f"""<section class="card" aria-labelledby="operating-title">
<h3 id="operating-title">At this threshold, on these rows</h3>
<p class="note" id="operating-words" aria-live="polite">{escaped(shown.get("words", ""))}</p>
<p class="note" id="operating-intervals" data-given="{escaped(GIVEN)}">{escaped(shown.get("chosen", ""))}</p>
<p class="pick no-print"><label for="goal">Threshold that finds at least so many % of the positives</label>
<input type="text" inputmode="decimal" id="goal" size="6"></p>
<div class="operating"><table class="confusion"><thead><tr><td></td><th scope="col">called positive</th>
<th scope="col">called negative</th></tr></thead><tbody>{"".join(rows)}</tbody></table>
<dl class="rates">{rates}</dl></div>
</section>"""


def _base_rate(document: Document) -> str:
    share = 0.5 if document.situation is None else document.situation.sample
    return format_number(max(share, 1 - share))


def _first_values(document: Document) -> dict[str, str]:
    """What the panel says before, or without, the script: the leading model at its threshold."""
    if document.situation is None:
        return {}
    asked = document.situation.opened
    name = document.situation.model if asked is None else asked.model
    record = operating_record(name, document.operating[name], document.operating[name]["opens"])
    shown: dict[str, str] = {cell: format_count(record[cell]) for cell in ("tp", "fp", "fn", "tn")}
    for rate in ("tpr", "fpr", "precision", "npv"):
        value, low, high = (record[f"{rate}{end}"] for end in ("", "_low", "_high"))
        if value is not None:
            text, _, ends = format_interval(value, low, high).partition(" ")
            shown |= {rate: text, f"{rate}_ends": ends}
    record["flagged"] = (record["tp"] + record["fp"]) / sum(record[cell] for cell in ("tp", "fp", "fn", "tn"))
    for rate in ("accuracy", "f1", "matthews_correlation", "cost", "flagged"):
        shown[rate] = "-" if record[rate] is None else format_number(float(record[rate]))
    cut = record["_threshold"] if asked is None else asked.shown
    shown["words"] = f"{name}: positive when the score is at least {cut}"
    shown["chosen"] = str(record["chosen"] or GIVEN)
    return shown
