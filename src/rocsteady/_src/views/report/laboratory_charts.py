"""Charts of a laboratory run: errors, clouds of values, breakdowns, sweeps, difference functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.text import format_count
from rocsteady._src.views.plots.lab import AXES, CORRECT, INCORRECT, OVERLAP, is_geometric
from rocsteady._src.views.report.charts import SHOWN, axis, base, by_model, hover_points, lines, tips
from rocsteady._src.views.report.document import chart_of
from rocsteady._src.views.report.records import as_records, safe

if TYPE_CHECKING:
    from rocsteady._src.results.lab import Breakdown, ErrorCounts, Sweep
    from rocsteady._src.results.lab_values import DifferenceFunctions, OrderErrorCounts, SetValues
    from rocsteady._src.views.report.document import Chart, Records
    from rocsteady._src.views.report.names import Style

    Look = dict[Any, Style]
    Spec = dict[str, Any]

LINE, EDGES = 26, 60
MOST_DOTS = 120
MOST_TICKS = 12
KINDS = ("correctly ranked", "not so")


def error_bars(rows: list[tuple[str, int]], n_sets: int, look: Look, words: tuple[str, str, str]) -> Chart:
    """A bar per measure: the share of sets that it errs on, with their number at its end."""
    name, title, text = words
    look = {measure: look[measure] for measure, _ in rows}
    records = [
        {"model": look[measure].name, "errors": errors, "share": errors / n_sets if n_sets else None}
        for measure, errors in rows
    ]
    x = axis("share", f"Errors in % of {format_count(n_sets)} sets", domain=(0, 1))
    layers = [
        _bar("errors", {"type": "bar", "height": {"band": 0.7}}, x, look),
        _bar("errors", {"type": "text", "align": "left", "dx": 5}, x, look),
    ]
    layers[1]["encoding"]["text"] = {"field": "errors", "type": "quantitative", "format": ","}
    layers[1]["encoding"]["color"] = {"value": "currentColor"}
    spec = base(look.values(), layers, height=LINE * len(rows) + EDGES)
    return chart_of(name, title, text, spec, {"errors": records})


def _bar(data: str, mark: Spec, x: Spec, look: Look) -> Spec:
    told = tips(("errors", "errors"), form=",")
    return {
        "data": {"name": data},
        "transform": [{"filter": SHOWN}],
        "mark": mark,
        "encoding": {"x": x, "y": _measures(look), "color": _unnamed(look), "tooltip": told},
    }


def _measures(look: Look) -> Spec:
    side = {"labelLimit": 170, "grid": False, "ticks": False, "domain": False, "labelPadding": 6}
    names = {"domain": [style.name for style in look.values()]}
    return {"field": "model", "type": "nominal", "title": None, "sort": None, "scale": names, "axis": side}


def _unnamed(look: Look) -> Spec:
    return by_model(look.values()) | {"legend": None}


def clouds(result: ErrorCounts, look: Look) -> Chart:
    """Values of correct and of other sets, one strip each; the overlap that makes errors is shaded."""
    look = {row.measure: look[row.measure] for row in result.rows}
    dots: Records = [
        {"model": look[row.measure].name, "set": kind, "value": safe(float(value))}
        for row in result.rows
        for kind, values in zip(KINDS, result.clouds.get(row.measure, ((), ())), strict=True)
        for value in _spread(np.asarray(values, dtype=np.float64))
    ]
    overlaps: Records = [
        {"model": look[row.measure].name, "low": low, "high": high}
        for row in result.rows
        for low, high in [sorted((row.min_correct, row.max_incorrect))]
        if row.errors and np.isfinite([low, high]).all()
    ]
    seen = [dot["value"] for dot in dots] or [0.0, 1.0]
    x = axis("value", "Value of the measure", rate=False, domain=(min(seen), max(seen)))
    y, shown = _measures(look), [{"filter": SHOWN}]
    colours = {"domain": list(KINDS), "range": [CORRECT, INCORRECT]}
    colour = {"field": "set", "type": "nominal", "scale": colours, "legend": {"orient": "bottom", "title": None}}
    span = {"x": x | {"field": "low"}, "x2": {"field": "high"}, "y": y}
    shade = {"type": "bar", "color": OVERLAP, "opacity": 0.35, "height": {"band": 0.96}}
    told = [{"field": "model", "title": "measure"}, {"field": "set"}, {"field": "value", "format": ".4f"}]
    strips = {"x": x, "y": y, "yOffset": {"field": "set", "scale": {"domain": list(KINDS)}}, "color": colour}
    tick = {"type": "tick", "thickness": 1.5, "opacity": 0.55}
    layers = [
        {"data": {"name": "overlap"}, "transform": shown, "mark": shade, "encoding": span},
        {"data": {"name": "clouds"}, "transform": shown, "mark": tick, "encoding": {**strips, "tooltip": told}},
    ]
    spec = base(look.values(), layers, height=(LINE + 8) * len(result.rows) + EDGES)
    text = "Values of correctly ranked sets above, of others below; where they overlap, shaded, the errors are."
    note = f"At most {MOST_DOTS} values of each kind, evenly spread over their order; the extremes are among them."
    return chart_of("clouds", "Values of right and wrong sets", text, spec, {"clouds": dots, "overlap": overlaps}, note)


def _spread(values: Any) -> Any:
    """So many order statistics at most, the first and the last among them."""
    kept = values[np.isfinite(values)]
    return kept if kept.size <= MOST_DOTS else np.quantile(kept, np.linspace(0, 1, MOST_DOTS), method="nearest")


def breakdown(result: Breakdown, look: Look) -> Chart:
    """The share of errors among the correct sets of a bin, against the property."""
    filled = result.n_correct > 0
    at = (result.low + result.high) / 2
    records: Records = []
    for place, measure in enumerate(result.measures):
        columns = {"at": at, "low": result.low, "high": result.high, "correct": result.n_correct}
        columns["errors"] = result.errors[place]
        columns["share"] = result.errors[place] / np.maximum(result.n_correct, 1)
        records += as_records(look[measure].name, {name: column[filled] for name, column in columns.items()})
    title = AXES.get(result.by, result.by)
    x = axis("at", title, rate=False) | {"scale": {"zero": False}}
    y = axis("share", "Errors in % of correct sets", domain=(0, 1))
    told = tips(("low", "from"), ("high", "to"), ("correct", "correct sets"), ("errors", "errors"), form=",.4~f")
    styles = [look[measure] for measure in result.measures]
    layers = [lines("shares", styles, x, y, told, point=True), hover_points("shares", styles, x, y, told)]
    text = "Of the correctly ranked sets in a bin, the share that is valued below the best wrong one."
    name = {"range": "by range", "margin": "by margin", "ratio": "by class ratio"}.get(result.by, f"by {result.by}")
    return chart_of(f"by-{result.by}", f"Errors {name}", text, base(styles, layers), {"shares": records})


def sweep(result: Sweep, place: int, name: str, look: Look) -> list[Chart]:
    """Errors against one parameter as a line, against two as a heat map; more have a table only."""
    if len(result.grid) > 2:
        return []
    columns = {key: np.asarray(values) for key, values in result._columns().items()}  # noqa: SLF001 - its own frame
    records = as_records(name, {"a": columns[next(iter(result.grid))], **{k: columns[k] for k in MEASURED}})
    if len(result.grid) == 2:
        second = columns[list(result.grid)[1]]
        records = [{**record, "b": safe(float(value))} for record, value in zip(records, second, strict=True)]
    spec = (_swept_line if len(result.grid) == 1 else _swept_map)(result, look)
    text = f"Errors among {format_count(result.n_correct)} correctly ranked sets, for every value of the grid."
    return [chart_of(f"sweep-{place}", f"Sweep of {name}", text, spec, {"swept": records})]


MEASURED = ("errors", "min_correct", "max_incorrect")


def _scaled(values: Any) -> Spec:
    return {"scale": {"type": "log"}} if is_geometric(values) else {"scale": {"zero": False}}


def _swept_line(result: Sweep, look: Look) -> Spec:
    ((name, values),) = result.grid.items()
    x = axis("a", name, rate=False) | _scaled(values)
    y = axis("errors", "Errors", rate=False)
    told = [_number("a", name), _number("errors", "errors", ",")]
    mark = {"type": "line", "point": True, "color": CORRECT}
    layer = {"data": {"name": "swept"}, "mark": mark, "encoding": {"x": x, "y": y, "tooltip": told}}
    return base(look.values(), [layer], height=300)


def _swept_map(result: Sweep, look: Look) -> Spec:
    first, second = result.grid
    side = {"type": "ordinal", "axis": {"format": ".4~g", "labelOverlap": True}}
    x, y = {"field": "b", "title": second, **side}, {"field": "a", "title": first, "sort": "descending", **side}
    told = [_number("a", first), _number("b", second), _number("errors", "errors", ",")]
    key = {"orient": "bottom", "title": "errors", "gradientLength": 200, "format": ",d"}
    colour = {"field": "errors", "type": "quantitative", "scale": {"scheme": "viridis"}, "legend": key}
    layer = {
        "data": {"name": "swept"},
        "mark": {"type": "rect"},
        "encoding": {"x": x, "y": y, "color": colour, "tooltip": told},
    }
    return base(look.values(), [layer], height=320)


def _number(field: str, title: str, form: str = ".4~g") -> Spec:
    return {"field": field, "title": title, "type": "quantitative", "format": form}


def set_dots(result: SetValues, look: Look) -> Chart:
    """Value of every set against its wrong pairs, by measure; of many sets, some."""
    every = np.arange(len(result))
    drawn = every if every.size <= MOST_DOTS else np.linspace(0, every.size - 1, MOST_DOTS).round().astype(np.int64)
    records: Records = []
    for measure, values in result.values.items():
        made = as_records(look[measure].name, {"wrong": result.wrong_pairs[drawn], "value": values[drawn]})
        whose = zip(drawn.tolist(), made, strict=True)
        records += [{**record, "set": result.sets[at]} for at, record in whose if record["value"] is not None]
    most = int(result.wrong_pairs.max(initial=0))
    ticks = {"values": list(range(most + 1))} if most <= MOST_TICKS else {"format": "d"}
    x = axis("wrong", "Wrong pairs", rate=False) | {"axis": ticks}
    y = axis("value", "Value", rate=False)
    told = [*tips(("wrong", "wrong pairs"), form=","), _number("value", "value", ".4f"), {"field": "set"}]
    styles = [look[measure] for measure in result.values]
    dots = hover_points("dots", styles, x, y, told)
    dots["mark"] = {"type": "point", "size": 55, "opacity": 0.75, "strokeWidth": 1.6}
    text = "A measure that keeps the order of AUC falls from left to right."
    note = f"{format_count(MOST_DOTS)} of the sets, evenly spread over the table." if drawn.size < every.size else ""
    spec = base(styles, [dots], height=360)
    return chart_of("dots", "Value against wrong pairs", text, spec, {"dots": records}, note)


def functions(result: DifferenceFunctions, look: Look) -> Chart:
    """What a pair adds to each measure, as a function of its difference."""
    records: Records = []
    for measure, values in result.values.items():
        records += as_records(look[measure].name, {"d": result.d, "adds": values})
    x = axis("d", "Positive minus negative score", rate=False)
    y = axis("adds", "What the pair adds", rate=False)
    told = tips(("d", "difference"), ("adds", "adds"))
    styles = [look[measure] for measure in result.values]
    layers = [lines("functions", styles, x, y, told), hover_points("functions", styles, x, y, told)]
    text = "Scores in [0, 1], range 1. A pairwise measure is the mean of this over all pairs; AUC is the step."
    return chart_of("functions", "Difference functions", text, base(styles, layers, height=340), {"functions": records})


def order_bars(result: OrderErrorCounts, look: Look) -> Chart:
    """Sets that are valued below one with more wrong pairs."""
    rows = [(row.measure, row.errors) for row in result.rows]
    text = "Sets that a measure values below one with more wrong pairs."
    return error_bars(rows, result.n_sets, look, ("order", "Errors in the order of sets", text))
