"""Charts of a watch: values by day with the level so far, evidence, open labels, scores, what is expected."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.text import format_level
from rocsteady._src.views.report.charts import SELECTED, area, axis, base, by_model, hover_points, lines, tips
from rocsteady._src.views.report.document import chart_of
from rocsteady._src.views.report.records import as_records, safe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.results.monitor import MonitorResult
    from rocsteady._src.results.watched import CalibrationWatch, ScoreDrift, WatchedMeasure
    from rocsteady._src.views.report.document import Chart, Records
    from rocsteady._src.views.report.names import Style

    Spec = dict[str, Any]
    Look = dict[str, Style]

LOWEST = 1e-3  # of evidence that is drawn: less says nothing for a change
DOT = {"type": "point", "size": 26, "filled": True, "opacity": 0.6}


def time_axis(result: MonitorResult) -> Spec:
    """Days as dates, or as numbers."""
    days = result.measures[0].day
    dated = bool(days) and "-" in days[0][1:]
    if dated:
        return {"field": "day", "type": "temporal", "title": "Day of scoring", "scale": {"type": "utc"}}
    numbers = [float(day) for day in days] or [0.0, 1.0]
    return axis("day", "Day of scoring", rate=False, domain=(min(numbers), max(numbers)))


def _days(days: Sequence[str]) -> list[Any]:
    return [day if "-" in day[1:] else float(day) for day in days]


def _table(model: str, days: Sequence[str], columns: dict[str, Any], needed: str) -> Records:
    """Records of the days that have a value."""
    made = as_records(model, columns)
    rows = zip(made, _days(days), strict=True)
    return [{**record, "day": day} for record, day in rows if record[needed] is not None]


def levels(name: str, found: Sequence[WatchedMeasure], result: MonitorResult, look: Look) -> Chart:
    """Values by day as dots, the mean so far as a line with its band; the reference, and days of alarms."""
    dots: Records = []
    so_far: Records = []
    marks: Records = []
    for each in found:
        model = look[each.where].name
        ends = {"value": np.where(each.judged, each.value, math.nan), "low": each.low, "high": each.high}
        ends |= {"n": each.n, "n_open": each.n_open}
        dots += _table(model, each.day, ends, "value")
        level = {"so_far": each.so_far, "so_far_low": each.so_far_low, "so_far_high": each.so_far_high}
        so_far += _table(model, each.day, level, "so_far")
        if each.alarm_day is not None:
            marks.append({"model": model, "day": _days([each.alarm_day])[0], "told": "alarm"})
    styles = [look[each.where] for each in found]
    x, y = time_axis(result), axis("value", name, rate=False) | {"scale": {"zero": False}}
    told = [_day_tip(x), *tips(("value", "value"), ("low", "from"), ("high", "to"), ("n", "rows"), ("n_open", "open"))]
    line_tips = [_day_tip(x), *tips(("so_far", "so far"), ("so_far_low", "from"), ("so_far_high", "to"))]
    values = hover_points("dots", styles, x, y, told) | {"mark": DOT, "transform": [{"filter": SELECTED}]}
    layers = [
        area("so_far", x, "so_far_low", "so_far_high"),
        _reference("reference"),
        _mark(x),
        values,
        lines("so_far", styles, x, y | {"field": "so_far"}, line_tips),
    ]
    references = [{"model": look[each.where].name, "at": safe(each.reference)} for each in found]
    text = (
        "Dots, of the selected segment: each day that is judged, by itself. Line: mean since the watch began; band: "
        f"{format_level(result.level)} at all looks together. Dashed: reference. Upright line: alarm."
    )
    data = {"dots": dots, "so_far": so_far, "reference": references, "alarms": marks}
    return chart_of(f"level-{name}", f"{name} over time", text, base(styles, layers, height=300), data, wide=True)


def _day_tip(x: Spec) -> Spec:
    kind = {"type": "temporal", "format": "%Y-%m-%d"} if x["type"] == "temporal" else {"type": "quantitative"}
    return {"field": "day", "title": "day", **kind}


def _reference(data: str) -> Spec:
    return {
        "data": {"name": data},
        "transform": [{"filter": SELECTED}],
        "mark": {"type": "rule", "strokeDash": [5, 4], "color": "currentColor", "opacity": 0.7},
        "encoding": {"y": {"field": "at", "type": "quantitative"}},
    }


def _mark(x: Spec) -> Spec:
    return {
        "data": {"name": "alarms"},
        "transform": [{"filter": SELECTED}],
        "mark": {"type": "rule", "color": "#b3261e", "strokeWidth": 2},
        "encoding": {"x": x},
    }


def evidence(name: str, found: Sequence[WatchedMeasure], result: MonitorResult, look: Look) -> Chart:
    """Evidence for a change as a share of what raises an alarm, on a scale of powers of ten."""
    records: Records = []
    for each in found:
        share = np.clip(each.evidence / each.limit, LOWEST, 1e6)
        records += _table(look[each.where].name, each.day, {"share": share, "evidence": each.evidence}, "share")
    styles = [look[each.where] for each in found]
    x = time_axis(result)
    y = axis("share", "Evidence / limit", rate=False)
    y |= {"scale": {"type": "log"}, "axis": {"format": "~g", "tickCount": 6}}
    told = [_day_tip(x), *tips(("evidence", "evidence"), ("share", "share of the limit"), form=".3~g")]
    limit = _reference("limit") | {"transform": []}
    layers = [limit, lines("evidence", styles, x, y, told), hover_points("evidence", styles, x, y, told)]
    text = f"An alarm where a line reaches the dashed one; {result.promise.split(';')[0]}."
    data = {"evidence": records, "limit": [{"at": 1}]}
    return chart_of(f"evidence-{name}", f"Has {name} changed?", text, base(styles, layers, height=240), data, wide=True)


def expected(name: str, found: WatchedMeasure, result: MonitorResult, look: Look) -> Chart | None:
    """What was expected without labels, and what came."""
    if not len(found.expected) or all(math.isnan(each) for each in found.expected):
        return None
    columns = {key: getattr(found, key) for key in ("expected", "expected_low", "expected_high", "value")}
    model, styles, x = look[found.where].name, [look[found.where]], time_axis(result)
    y = axis("expected", name, rate=False) | {"scale": {"zero": False}}
    told = [_day_tip(x), *tips(("expected", "expected"), ("expected_low", "from"), ("expected_high", "to"))]
    values = hover_points("came", styles, x, y | {"field": "value"}, [_day_tip(x), *tips(("value", "came"))])
    band = area("expected", x, "expected_low", "expected_high")
    layers = [band, lines("expected", styles, x, y, told), values | {"mark": DOT}]
    data = {
        "expected": _table(model, found.day, columns, "expected"),
        "came": _table(model, found.day, columns, "value"),
    }
    text = f"Line with {format_level(result.level)} band: expected from probabilities alone. Dots: what labels told."
    return chart_of(f"expected-{name}", f"{name} expected and seen", text, base(styles, layers, height=240), data)


def drift(found: Sequence[ScoreDrift], result: MonitorResult, look: Look) -> Chart:
    """Distance of the scores of each day from those of the reference."""
    records: Records = []
    for each in found:
        columns = {"distance": each.distances, "psi": each.psi}
        records += _table(look[each.where].name, each.day, columns, "distance")
    styles = [look[each.where] for each in found]
    x, y = time_axis(result), axis("distance", "Distance from the reference (KS)", rate=False)
    told = [_day_tip(x), *tips(("distance", "distance"), ("psi", "PSI"))]
    layers = [lines("drift", styles, x, y, told, point=True), hover_points("drift", styles, x, y, told)]
    text = "Largest gap between the share of scores below a value on the day and in the reference; labels play no part."
    return chart_of(
        "drift", "Distance of scores from the reference", text, base(styles, layers, height=240), {"drift": records}
    )


def open_rows(found: WatchedMeasure, result: MonitorResult, look: Look) -> Chart:
    """Rows of each day whose label has not come."""
    model, styles, x = look[found.where].name, [look[found.where]], time_axis(result)
    records = _table(model, found.day, {"open": found.n_open}, "open")
    y = axis("open", "Rows without a label", rate=False)
    layer = {
        "data": {"name": "open"},
        "mark": {"type": "bar", "width": {"expr": "max(1, width / 90)"}},
        "encoding": {
            "x": x,
            "y": y,
            "color": by_model(styles),
            "tooltip": [_day_tip(x), *tips(("open", "open"), form=",")],
        },
    }
    text = "By the day of scoring. For an alarm, open rows count as if their labels would speak for the model."
    return chart_of("open", "What is still open", text, base(styles, [layer], height=200), {"open": records})


def calibration(found: Sequence[CalibrationWatch], result: MonitorResult, styles: list[Style]) -> Chart:
    """Evidence against calibration as a share of what refutes it."""
    records: Records = []
    for each, style in zip(found, styles, strict=True):
        share = np.clip(np.asarray(each.evidence) / each.limit, LOWEST, 1e6)
        records += _table(style.name, each.day, {"share": share}, "share")
    x, y = time_axis(result), axis("share", "Evidence / limit", rate=False)
    y |= {"scale": {"type": "log"}, "axis": {"format": "~g", "tickCount": 6}}
    told = [_day_tip(x), *tips(("share", "share of the limit"), form=".3~g")]
    layers = [_reference("limit") | {"transform": []}, lines("calibrated", styles, x, y, told)]
    text = "Exact for any number of rows. Where it reaches the dashed line the scores are no probabilities any more."
    data = {"calibrated": records, "limit": [{"at": 1}]}
    return chart_of("calibrated", "Are scores still probabilities?", text, base(styles, layers, height=240), data)
