"""Charts against the threshold: cost, rates and scores of the selected model. No numbers are made here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.views.report.charts import POSITIVE, SELECTED, axis, base, by_model, note, of_share, tips, whose

if TYPE_CHECKING:
    from rocsteady._src.views.report.names import Style

    Spec = dict[str, Any]

INFINITE = "datum.threshold === 'inf' || datum.threshold === '-inf'"  # no score is there: nothing is drawn
ON_THE_RIGHT = "scale('x', datum.drawn) > width / 2"
AT_THE_END = "scale('x', datum.drawn) > 0.75 * width"
NEUTRAL = {"positive": "#7A5195", "negative": "#8A8F98"}  # of no model


def distributions(styles: list[Style]) -> Spec:
    """Scores of positives above and of negatives below, for the selected model, with the threshold."""
    colour = {
        "field": "class",
        "type": "nominal",
        "title": None,
        "scale": {"domain": list(NEUTRAL), "range": list(NEUTRAL.values())},
        "legend": {"orient": "top"},
    }
    x = {"field": "from", "type": "quantitative", "title": "Score", "scale": {"nice": False, "zero": False}}
    bars = {
        "data": {"name": "dist"},
        "transform": [{"filter": SELECTED}],
        "mark": {"type": "bar", "opacity": 0.75, "binSpacing": 0},
        "encoding": {
            "x": x | {"bin": {"binned": True}},
            "x2": {"field": "to"},
            "y": {"field": "share", "type": "quantitative", "title": "Share of the class", "stack": None}
            | {"axis": {"format": "~p", "labelExpr": "format(abs(datum.value), '~p')"}},
            "color": colour,
            "tooltip": [
                {"field": "class", "title": "class"},
                {"field": "from", "title": "from", "format": ".4~g"},
                {"field": "to", "title": "to", "format": ".4~g"},
                {"field": "size", "title": "share", "format": ".2%"},
            ],
        },
    }
    words = [
        note("positives", 0, 0, baseline="top") | {"encoding": {"x": {"value": "width"}, "y": {"value": 2}}},
        note("negatives", 0, 0) | {"encoding": {"x": {"value": "width"}, "y": {"value": "height"}}},
    ]
    return base(styles, [bars, *words, *_at_threshold()], height=300, **whose())


RATE_LINES = {"recall": "#7A5195", "false positive rate": "#8A8F98", "precision": "#2F7F6F"}


def rates(styles: list[Style], share: float = 0.0) -> Spec:
    """Recall, false positive rate and precision of the selected model against the threshold."""
    scale = {"domain": list(RATE_LINES), "range": list(RATE_LINES.values())}
    dash = {"domain": list(RATE_LINES), "range": [[1, 0], [5, 3], [2, 2]]}
    legend = {"orient": "bottom", "title": None, "symbolType": "stroke"}
    told = [{"field": "rate", "title": "rate"}, {"field": "value", "title": "value", "format": ".4f"}]
    curve = {
        "data": {"name": "rates"},
        "mark": {"type": "line", "strokeWidth": 2, "interpolate": "step-before"},
        "encoding": {
            "x": threshold_axis(),
            "y": axis("value", "Rate", domain=(0, 1)),
            "color": {"field": "rate", "type": "nominal", "scale": scale, "legend": legend},
            "strokeDash": {"field": "rate", "type": "nominal", "scale": dash, "legend": legend},
            "tooltip": [*told, {"field": "threshold", "title": "threshold", "type": "nominal"}],
        },
    }
    named = whose(f" + ', at {POSITIVE}", *SHADED)
    layers = [_of_choice(), curve, _rate_names(), *_at_threshold()]
    return of_share(base(styles, layers, height=330, **named), share)


SHADED = ("shaded: where another sample might choose",)
HEIGHTS = {"recall": 0.45, "precision": 0.85}  # where a line is named; that of false alarms low


def _rate_names() -> Spec:
    """The name of each rate beside its line, where it comes nearest to a height of its own."""
    before = f"datum.rate === 'precision' ? {ON_THE_RIGHT} : {AT_THE_END}"  # a falling line leaves room behind it
    before = f"({before})"
    heights = " : ".join(f"datum.rate === '{rate}' ? {height}" for rate, height in HEIGHTS.items())
    return {
        "data": {"name": "rates"},
        "transform": [
            {"filter": "isValid(datum.value)"},
            {"calculate": f"abs(datum.value - ({heights} : 0.12))", "as": "gap"},
            {"joinaggregate": [{"op": "min", "field": "gap", "as": "least"}], "groupby": ["rate"]},
            {"filter": "datum.gap === datum.least"},
            {
                "aggregate": [{"op": "max", "field": name, "as": name} for name in ("drawn", "value")],
                "groupby": ["rate"],
            },
        ],
        "mark": {
            "type": "text",
            "fontSize": 11,
            "align": {"expr": f"{before} ? 'right' : 'left'"},
            "dx": {"expr": f"{before} ? -6 : 6"},
            "dy": -6,
        },
        "encoding": {
            "x": {"field": "drawn", "type": "quantitative"},
            "y": {"field": "value", "type": "quantitative"},
            "text": {"field": "rate", "type": "nominal"},
        },
    }


def cost(styles: list[Style], unit: int = 1000) -> Spec:
    """Cost of so many cases against the threshold, of the selected model; the page may set another ``unit``."""
    curve = {
        "data": {"name": "costs"},
        "mark": {"type": "line", "strokeWidth": 2, "interpolate": "step-before"},
        "encoding": {
            "x": threshold_axis(),
            "y": {"field": "cost", "type": "quantitative", "title": "Cost"},
            "color": by_model(styles) | {"legend": None},
            "tooltip": tips(("threshold", "threshold"), ("cost", "cost"), form=",.4~g"),
        },
    }
    named = whose(" + ', of ' + format(unit, ',') + ' cases'", *SHADED)
    spec = base(styles, [_of_choice(), curve, *_at_threshold()], height=330, **named)
    return spec | {"params": [*spec["params"], {"name": "unit", "value": unit}]}


def threshold_axis() -> Spec:
    """Scores from the lowest to the highest."""
    return {"field": "drawn", "type": "quantitative", "title": "Threshold", "scale": {"nice": False, "zero": False}}


def _of_choice() -> Spec:
    """Where another sample might have chosen: the interval of the threshold that these rows chose."""
    return {
        "data": {"name": "choice"},
        "mark": {"type": "rect", "color": "currentColor"},
        "encoding": {
            "x": {"field": "low", "type": "quantitative"},
            "x2": {"field": "high"},
            "opacity": {"condition": {"test": SELECTED, "value": 0.14}, "value": 0},
        },
    }


def _at_threshold() -> list[Spec]:
    """The line at the threshold, with its number at the top, on the side that has more room."""
    words = {
        "data": {"name": "op"},
        "transform": [{"calculate": f"({INFINITE}) ? '' : 'threshold ' + datum._threshold", "as": "words"}],
        "mark": {
            "type": "text",
            "fontSize": 11,
            "baseline": "top",
            "align": {"expr": f"{ON_THE_RIGHT} ? 'right' : 'left'"},
            "dx": {"expr": f"{ON_THE_RIGHT} ? -5 : 5"},
        },
        "encoding": {
            "x": {"field": "drawn", "type": "quantitative"},
            "y": {"value": 2},
            "text": {"field": "words", "type": "nominal"},
        },
    }
    return [_threshold_line(), words]


def _threshold_line() -> Spec:
    return {
        "data": {"name": "op"},
        "mark": {"type": "rule", "strokeWidth": 2, "color": "currentColor"},
        "encoding": {
            "x": {"field": "drawn", "type": "quantitative"},
            "opacity": {"condition": {"test": INFINITE, "value": 0}, "value": 1},
        },
    }
