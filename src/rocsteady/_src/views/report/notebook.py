"""The report's charts in a notebook: the same specifications, shown by Altair."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import MissingDependencyError, RocsteadyError, require
from rocsteady._src.base.geometry import thin
from rocsteady._src.results import DetCurve
from rocsteady._src.results.reading import html_of_table
from rocsteady._src.views.plots.deviates import deviate, nearest_edge, ticks_within
from rocsteady._src.views.report import charts, records
from rocsteady._src.views.report.names import styles
from rocsteady._src.views.report.still_pictures import svg_of

if TYPE_CHECKING:
    from altair.typing import ChartType

    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.results import Curve
    from rocsteady._src.views.report.names import Style


def curve_chart(curve: Curve, name: str | None = None) -> ChartType:
    """One curve: its two coordinates, with thresholds where it has them."""
    look = list(styles((name or curve.title,)).values())
    if isinstance(curve, DetCurve):
        return _det_chart(curve, look)
    x_name, y_name = curve.axes
    x, y = curve.xy
    kept = thin(x / max(float(x[-1]), 1.0), y, records.DEVIATION)
    columns = {x_name: x[kept], y_name: y[kept]}
    thresholds = getattr(curve, "thresholds", None)
    if thresholds is not None:
        columns["threshold"] = thresholds[kept]
    unit = (0.0, 1.0) if curve.in_unit_square else None
    ends = [
        charts.axis(field, title, domain=unit, rate=curve.in_unit_square)
        for field, title in zip(curve.axes, curve.labels, strict=True)
    ]
    told = charts.tips(*((field, field) for field in columns))
    spec = charts.base(look, [charts.lines("curve", look, ends[0], ends[1], told)], height=320)
    return _altair(spec, {"curve": records.as_records(look[0].name, columns)})


def _det_chart(curve: DetCurve, look: list[Style]) -> ChartType:
    """A DET curve on axes of normal deviates with percents beside them."""
    lowest = nearest_edge(curve)
    x, y = deviates = [deviate(rates, lowest) for rates in curve.xy]
    edge = abs(float(deviate(lowest)))
    kept = thin(x / (2 * edge), y / (2 * edge), records.DEVIATION)
    names = ("fpr", "fnr")
    columns = {name: rates[kept] for name, rates in zip(names, curve.xy, strict=True)}
    columns |= {f"{name}_deviate": values[kept] for name, values in zip(names, deviates, strict=True)}
    ticks = {float(deviate(tick)): label for tick, label in ticks_within(lowest).items()}
    words = [f"abs(datum.value - {at}) < 1e-6 ? '{label}'" for at, label in ticks.items()]
    shown = {"values": list(ticks), "labelExpr": " : ".join([*words, "''"])}
    ends = [
        charts.axis(f"{name}_deviate", title, domain=(-edge, edge), rate=False) | {"axis": shown}
        for name, title in zip(names, curve.labels, strict=True)
    ]
    told = charts.tips(*((name, title) for name, title in zip(names, curve.labels, strict=True)), form=".3~%")
    spec = charts.base(look, [charts.lines("curve", look, ends[0], ends[1], told)], height=320)
    return _altair(spec, {"curve": records.as_records(look[0].name, columns | {"threshold": curve.thresholds[kept]})})


def roc_chart(result: Evaluation) -> ChartType:
    """The ROC curves of all models."""
    spec, data = _roc(result)
    return _altair(spec, data)


def evaluation_html(result: Evaluation) -> str:
    """The table, with the ROC curves as a still picture where it can be drawn."""
    page = html_of_table(result.cells(), result.notes())
    if not (result.n_pos and result.n_neg):
        return page
    spec, data = _roc(result)
    try:
        drawn = svg_of({**spec, "width": 380, "datasets": data})
    except MissingDependencyError:
        return page
    except RocsteadyError as error:
        return page + f"<p><small>{html.escape(str(error))}</small></p>"
    return page + f'<div style="max-width:460px">{drawn}</div>'


def _roc(result: Evaluation) -> tuple[dict[str, Any], dict[str, Any]]:
    look = styles(result.models)
    known = list(look.values())
    x = charts.axis("fpr", "False positive rate", domain=(0, 1))
    y = charts.axis("tpr", "True positive rate", domain=(0, 1))
    line = charts.telling(charts.lines("roc", known, x, y, charts.tips(*charts.ROC_TIPS)))
    points = [
        record for model, ranked in result.ranked.items() for record in records.walk(look[model].name, ranked, 0.95)[0]
    ]
    chance = [{"x": 0, "y": 0}, {"x": 1, "y": 1}]
    return charts.base(known, [charts.chance_line(), line], height=360), {"roc": points, "chance": chance}


def _altair(spec: dict[str, Any], data: dict[str, Any]) -> ChartType:
    altair = require("altair", extra="report", purpose="chart()")
    made: ChartType = altair.Chart.from_dict({**spec, "width": 420, "datasets": data})
    return made
