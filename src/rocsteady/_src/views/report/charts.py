"""Charts as data: Vega-Lite specifications with named data sets, filled by records. No numbers are made here."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rocsteady._src.views.report.operating import GIVEN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocsteady._src.views.report.names import Style

    Spec = dict[str, Any]

SHOWN = "indexof(shown, datum.model) >= 0"
RATE = {"format": ".0%"}
SELECTED = "datum.model === selected"
MOST_NAMED = 16
LEGEND: dict[str, Any] = {"orient": "bottom", "title": None, "columns": 3, "labelLimit": 150, "symbolType": "stroke"}
POINT = {"type": "point", "size": 130, "filled": True, "stroke": "white", "strokeWidth": 1.5, "opacity": 1}


def base(styles: Iterable[Style], layers: list[Spec], *, height: int = 320, **more: Any) -> Spec:
    """What all charts share: parameters the page sets, colours by model, a look that suits light and dark."""
    known = list(styles)
    return {
        "width": "container",
        "height": height,
        "params": [
            {"name": "shown", "value": [style.name for style in known if style.shown]},
            {"name": "selected", "value": known[0].name if known else ""},
            {"name": "extra", "value": True},
        ],
        "layer": layers,
        "config": _config(),
        "autosize": {"type": "fit", "contains": "padding"},
        **more,
    }


def _config() -> Spec:
    quiet = {"grid": True, "gridOpacity": 0.15, "domainOpacity": 0.5, "tickOpacity": 0.5, "titleFontWeight": "normal"}
    colours = {"labelColor": "currentColor", "titleColor": "currentColor", "gridColor": "currentColor"}
    return {
        "background": "transparent",
        "font": "system-ui, sans-serif",
        "view": {"stroke": None},
        "axis": quiet | colours | {"domainColor": "currentColor", "tickColor": "currentColor"},
        "axisX": {"labelSeparation": 6},  # else numbers of a narrow screen stand so close that they read as one
        "legend": {"labelColor": "currentColor", "titleColor": "currentColor"},
        "title": {"color": "currentColor"},
        "text": {"color": "currentColor"},
        "rule": {"color": "currentColor"},
    }


def legend(styles: Iterable[Style]) -> Spec:
    """Names of the models shown, inside the chart; of very many the first."""
    return LEGEND | {"values": [style.name for style in styles if style.shown][:MOST_NAMED]}


def by_model(styles: Iterable[Style]) -> Spec:
    """Colour of a model, with a legend inside the chart, so that a copy of it explains itself."""
    known = list(styles)
    scale = {"domain": [style.name for style in known], "range": [style.colour for style in known]}
    return {"field": "model", "type": "nominal", "scale": scale, "legend": legend(known)}


def dash_by_model(styles: Iterable[Style]) -> Spec:
    """Dashes tell models apart where colours repeat."""
    known = list(styles)
    scale = {"domain": [style.name for style in known], "range": [style.dash for style in known]}
    return {"field": "model", "type": "nominal", "scale": scale, "legend": legend(known)}


def axis(field: str, title: str, *, domain: tuple[float, float] | None = None, rate: bool = True) -> Spec:
    """A quantitative axis."""
    made: Spec = {"field": field, "type": "quantitative", "title": title}
    if domain is not None:
        made["scale"] = {"domain": list(domain), "nice": False}
    return made | ({"axis": dict(RATE)} if rate else {})


def tips(*fields: tuple[str, str], form: str = ".4f") -> list[Spec]:
    """What hovering tells; a threshold with all its digits."""
    model = [{"field": "model", "title": "model", "type": "nominal"}]
    return model + [_tip(name, title, form) for name, title in fields]


def _tip(name: str, title: str, form: str) -> Spec:
    if name in ("threshold", TOLD):
        return {"field": name, "title": title, "type": "nominal"}
    return {"field": name, "title": title, "type": "quantitative", "format": form}


TOLD = "told"  # whether intervals count the choice of the threshold: one sentence for all points, so no record holds it
RATES = (("threshold", "threshold"), ("tpr", "TPR"), ("fpr", "FPR"), ("precision", "precision"))
ENDS = {name: ((f"{name}_low", f"{title} from"), (f"{name}_high", f"{title} to")) for name, title in RATES[1:]}
ROC_TIPS = (*RATES[:2], *ENDS["tpr"], RATES[2], *ENDS["fpr"], RATES[3], (TOLD, "intervals"))
PR_TIPS = (*RATES[:2], *ENDS["tpr"], RATES[2], RATES[3], *ENDS["precision"], (TOLD, "intervals"))


def lines(data: str, styles: list[Style], x: Spec, y: Spec, told: list[Spec], **mark: Any) -> Spec:
    """One line per model that is shown."""
    return {
        "data": {"name": data},
        "transform": [{"filter": SHOWN}],
        "mark": {"type": "line", "strokeWidth": 2, "clip": True, **mark},
        "encoding": {
            "x": x,
            "y": y,
            "color": by_model(styles),
            "strokeDash": dash_by_model(styles),
            "order": {"field": "i", "type": "quantitative"},
            "tooltip": told,
        },
    }


def telling(layer: Spec) -> Spec:
    """The layer, its points saying whether intervals count that the rows chose the threshold, as the slider does."""
    said = {"calculate": f"datum.chosen || {json.dumps(GIVEN)}", "as": TOLD}
    return {**layer, "transform": [*layer.get("transform", []), said]}


def hover_points(data: str, styles: list[Style], x: Spec, y: Spec, told: list[Spec]) -> Spec:
    """Invisible points that answer to the pointer."""
    return {
        "data": {"name": data},
        "transform": [{"filter": SHOWN}],
        "mark": {"type": "point", "size": 60, "opacity": 0},
        "encoding": {"x": x, "y": y, "color": by_model(styles), "tooltip": told},
    }


def area(data: str, x: Spec, low: str, high: str) -> Spec:
    """A band of the selected model, in its colour; encoded, the colour would make the legend of the lines as pale."""
    return {
        "data": {"name": data},
        "transform": [{"filter": SELECTED}, {"filter": "extra"}],
        "mark": {"type": "area", "opacity": 0.18, "clip": True, "fill": {"expr": "scale('color', selected)"}},
        "encoding": {
            "x": x,
            "y": {"field": low, "type": "quantitative"},
            "y2": {"field": high},
        },
    }


def operating(styles: list[Style], x: Spec, y: Spec, told: list[Spec]) -> Spec:
    """The point that the threshold slider moves."""
    return {
        "data": {"name": "op"},
        "mark": POINT,
        "encoding": {"x": x, "y": y, "color": by_model(styles), "tooltip": told},
    }


def chance_line(points: str = "chance") -> Spec:
    """A thin dashed line without a model."""
    return {
        "data": {"name": points},
        "mark": {"type": "line", "strokeDash": [3, 3], "strokeWidth": 1, "color": "currentColor", "opacity": 0.6},
        "encoding": {"x": {"field": "x", "type": "quantitative"}, "y": {"field": "y", "type": "quantitative"}},
    }


def note(text: str, x: float, y: float, **mark: Any) -> Spec:
    """A few words at a place of the chart: what a line without a model is."""
    at = {name: {"datum": value, "type": "quantitative"} for name, value in (("x", x), ("y", y))}
    style = {"type": "text", "text": text, "fontSize": 11, "opacity": 0.75, "align": "right", "baseline": "bottom"}
    return {"data": {"name": "here"}, "mark": style | mark, "encoding": at}


def by_chance() -> Spec:
    """What the diagonal is; below it, where curves seldom are, unless line_names.py finds that one is there."""
    return note("chance", 0.56, 0.53, align="left", baseline="top") | {"name": ACROSS}


def whose(more: str = "", *below: str) -> Spec:
    """A heading inside charts of one model: the name of the selected one, and an expression for what is shown of it."""
    return titled(f"selected{more}", *below)


def roc(styles: list[Style]) -> Spec:
    """ROC curves with the band and hull of the selected model."""
    x, y = axis("fpr", "False positive rate", domain=(0, 1)), axis("tpr", "True positive rate", domain=(0, 1))
    told = tips(*ROC_TIPS)
    hull = lines("hull", styles, x, y, tips(*RATES[:3]), strokeWidth=1, opacity=0.8)
    hull["transform"] = [{"filter": SELECTED}, {"filter": "extra"}]
    hull["encoding"]["strokeDash"] = {"value": [2, 3]}
    layers = [
        area("band", x, "low", "high"),
        chance_line(),
        by_chance(),
        hull,
        telling(lines("roc", styles, x, y, told)),
        telling(hover_points("roc", styles, x, y, told)),
        telling(operating(styles, x, y, told)),
    ]
    return base(styles, layers, height=360)


ACROSS = "across"  # the same along the diagonal
ALONG = "along"  # words that may stand anywhere along a level line: line_names.py looks where no other line is
LOW = 0.08  # of the height of a chart: words do not fit below a line there


def pr(styles: list[Style], share: float = 0.0) -> Spec:
    """Precision against recall; steps, as average precision counts them."""
    x, y = axis("tpr", "Recall", domain=(0, 1)), axis("precision", "Precision", domain=(0, 1))
    told = tips(*PR_TIPS)
    named = note("share of positives", 0.01, share, align="left", baseline="top" if share > LOW else "bottom")
    named |= {"name": ALONG, "data": {"name": "chance"}, "transform": [{"filter": "datum.x === 0"}]}
    named["encoding"]["y"] = {"field": "y", "type": "quantitative"}  # the page may move it
    layers = [
        chance_line(),
        named,
        telling(lines("pr", styles, x, y, told, interpolate="step-before")),
        telling(operating(styles, x, y, told)),
    ]
    return of_share(base(styles, layers, height=360, **titled(f"'At {POSITIVE}")), share)


POSITIVE = "' + format(100 * share, '.4~g') + '% positive'"


def titled(expression: str, *below: str) -> Spec:
    look: Spec = {"anchor": "start", "fontSize": 12, "offset": 6}
    if below:
        look |= {"subtitle": list(below), "subtitleFontSize": 11, "subtitleColor": "currentColor"}
    return {"title": {"text": {"expr": expression}, **look}}


def of_share(spec: Spec, share: float) -> Spec:
    """With the share of positives to which the precision belongs, which the page may change."""
    return spec | {"params": [*spec["params"], {"name": "share", "value": share}]}


def calibration(styles: list[Style], reach: float = 1.0) -> Spec:
    """Observed share against mean prediction, with intervals, from 0 to the highest of them."""
    x, y = axis("predicted", "Predicted", domain=(0, reach)), axis("observed", "Observed", domain=(0, reach))
    told = tips(
        ("predicted", "predicted"), ("observed", "observed"), ("low", "from"), ("high", "to"), ("count", "rows")
    )
    whisker = {
        "data": {"name": "calibration"},
        "transform": [{"filter": SHOWN}, {"filter": "extra"}],
        "mark": {"type": "rule", "strokeWidth": 1.2, "opacity": 0.7},
        "encoding": {"x": x, "y": {"field": "low", "type": "quantitative"}, "y2": {"field": "high"}}
        | {"color": by_model(styles)},
    }
    points = hover_points("calibration", styles, x, y, told)
    points["mark"] = {"type": "point", "filled": True, "size": 55, "opacity": 0.95}
    right = note("dashed: as predicted", 0.01 * reach, 0.98 * reach, align="left", baseline="top")
    smooth = lines("smooth", styles, x, y, tips(("predicted", "predicted"), ("observed", "observed")), strokeWidth=1.4)
    smooth["transform"] = [{"filter": SELECTED}, {"filter": "extra"}]
    smooth["encoding"]["strokeDash"] = {"value": [2, 3]}
    curves = [smooth, lines("calibration", styles, x, y, told), points]
    return base(styles, [area("smooth", x, "low", "high"), chance_line(), right, whisker, *curves], height=340)


def gains(styles: list[Style]) -> Spec:
    """Share of positives found among the rows scored highest."""
    x, y = (
        axis("fraction", "Share of rows, highest first", domain=(0, 1)),
        axis("gain", "Positives found", domain=(0, 1)),
    )
    told = tips(("fraction", "rows"), ("gain", "found"), ("lift", "lift"), ("threshold", "threshold"))
    words = by_chance()
    curves = [lines("gains", styles, x, y, told), hover_points("gains", styles, x, y, told)]
    return base(styles, [chance_line(), words, *curves])


def decision(styles: list[Style], ends: tuple[float, float] = (-0.1, 1.0), treat_at: float = 0.2) -> Spec:
    """Net benefit against the threshold probability; what falls below the axis is in its table and CSV."""
    x = axis("threshold", "Threshold probability", domain=(0, 1))
    y: Spec = {"field": "net_benefit", "type": "quantitative", "title": "Net benefit"}
    y["scale"] = {"domain": list(ends), "nice": False, "zero": False}
    told = tips(("threshold", "threshold"), ("net_benefit", "net benefit"), ("low", "from"), ("high", "to"))
    treat = {
        "data": {"name": "treat"},
        "mark": {"type": "line", "strokeDash": [3, 3], "strokeWidth": 1.2, "color": "currentColor", "clip": True},
        "encoding": {
            "x": x,
            "y": y,
            "detail": {"field": "policy"},
            "tooltip": [{"field": "policy", "title": "policy"}],
        },
    }
    words = [
        note("treat none", 0.99, 0, baseline="top") | {"name": ALONG},
        note("treat all", treat_at, ends[0], align="left", dx=4),
    ]
    layers = [area("decision", x, "low", "high"), treat, *words, lines("decision", styles, x, y, told)]
    return base(styles, layers, height=340)


def granular(styles: list[Style]) -> Spec:
    """The ROC of the selected model between the curves that gaps below delta allow."""
    x, y = axis("fpr", "False positive rate", domain=(0, 1)), axis("tpr", "True positive rate", domain=(0, 1))
    told = tips(*RATES)
    edges = lines("granular", styles, x, y, tips(("fpr", "FPR"), ("tpr", "TPR")), strokeWidth=1.2)
    edges["transform"] = [{"filter": SELECTED}]
    edges["encoding"]["detail"] = {"field": "edge"}
    curve = lines("roc", styles, x, y, told)
    curve["transform"] = [{"filter": SELECTED}]
    words = [_edge_name(*each) for each in (("up", "at best", -12), ("low", "at worst", 12))]
    layers = [chance_line(), note("chance", 0.56, 0.53, align="left", baseline="top"), edges, curve, *words]
    return base(styles, layers, height=340, **whose())


def _edge_name(edge: str, words: str, away: int) -> Spec:
    """What an edge is, near the middle of the chart."""
    return {
        "data": {"name": "granular"},
        "transform": [
            {"filter": f"datum.edge === '{edge}'"},
            {"calculate": "abs(datum.fpr - 0.4)", "as": "gap"},
            {"joinaggregate": [{"op": "min", "field": "gap", "as": "least"}]},
            {"filter": "datum.gap === datum.least"},
            {"aggregate": [{"op": "max", "field": name, "as": name} for name in ("fpr", "tpr")]},
        ],
        "mark": {"type": "text", "text": words, "fontSize": 11, "dy": away},
        "encoding": {side: {"field": name, "type": "quantitative"} for side, name in (("x", "fpr"), ("y", "tpr"))},
    }
