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
INFINITE = "datum.threshold === 'inf' || datum.threshold === '-inf'"  # no score is there: nothing is drawn
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
        "legend": {"labelColor": "currentColor", "titleColor": "currentColor"},
        "text": {"color": "currentColor"},
        "rule": {"color": "currentColor"},
    }


def by_model(styles: Iterable[Style]) -> Spec:
    """Colour of a model; the legend is the page's own."""
    known = list(styles)
    scale = {"domain": [style.name for style in known], "range": [style.colour for style in known]}
    return {"field": "model", "type": "nominal", "scale": scale, "legend": None}


def dash_by_model(styles: Iterable[Style]) -> Spec:
    """Dashes tell models apart where colours repeat."""
    known = list(styles)
    scale = {"domain": [style.name for style in known], "range": [style.dash for style in known]}
    return {"field": "model", "type": "nominal", "scale": scale, "legend": None}


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
RATE_TIPS = (
    *RATES[:2],
    ("tpr_low", "TPR from"),
    ("tpr_high", "TPR to"),
    RATES[2],
    ("fpr_low", "FPR from"),
    ("fpr_high", "FPR to"),
    RATES[3],
    ("precision_low", "precision from"),
    ("precision_high", "precision to"),
    (TOLD, "intervals"),
)


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


def area(data: str, styles: list[Style], x: Spec, low: str, high: str) -> Spec:
    """A band of the selected model."""
    return {
        "data": {"name": data},
        "transform": [{"filter": SELECTED}, {"filter": "extra"}],
        "mark": {"type": "area", "opacity": 0.18, "clip": True},
        "encoding": {
            "x": x,
            "y": {"field": low, "type": "quantitative"},
            "y2": {"field": high},
            "color": by_model(styles),
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


def roc(styles: list[Style]) -> Spec:
    """ROC curves with the band and hull of the selected model."""
    x, y = axis("fpr", "False positive rate", domain=(0, 1)), axis("tpr", "True positive rate", domain=(0, 1))
    told = tips(*RATE_TIPS)
    hull = lines("hull", styles, x, y, tips(*RATES[:3]), strokeWidth=1, opacity=0.8)
    hull["transform"] = [{"filter": SELECTED}, {"filter": "extra"}]
    hull["encoding"]["strokeDash"] = {"value": [2, 3]}
    layers = [
        area("band", styles, x, "low", "high"),
        chance_line(),
        hull,
        telling(lines("roc", styles, x, y, told)),
        telling(hover_points("roc", styles, x, y, told)),
        telling(operating(styles, x, y, told)),
    ]
    return base(styles, layers, height=360)


def pr(styles: list[Style]) -> Spec:
    """Precision against recall; steps, as average precision counts them."""
    x, y = axis("tpr", "Recall", domain=(0, 1)), axis("precision", "Precision", domain=(0, 1))
    told = tips(*RATE_TIPS)
    layers = [
        chance_line(),
        telling(lines("pr", styles, x, y, told, interpolate="step-before")),
        telling(operating(styles, x, y, told)),
    ]
    return base(styles, layers, height=360)


def distributions(styles: list[Style]) -> Spec:
    """Scores of positives above and of negatives below, for the selected model, with the threshold."""
    colour = {
        "field": "class",
        "type": "nominal",
        "title": None,
        "scale": {"domain": ["positive", "negative"], "range": ["#D55E00", "#0072B2"]},
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
    rule = {
        "data": {"name": "op"},
        "mark": {"type": "rule", "strokeWidth": 2, "color": "currentColor"},
        "encoding": {
            "x": {"field": "drawn", "type": "quantitative"},
            "opacity": {"condition": {"test": INFINITE, "value": 0}, "value": 1},
        },
    }
    return base(styles, [bars, rule], height=300)


def calibration(styles: list[Style]) -> Spec:
    """Observed share against mean prediction, with intervals."""
    x, y = axis("predicted", "Predicted", domain=(0, 1)), axis("observed", "Observed", domain=(0, 1))
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
    return base(styles, [chance_line(), whisker, lines("calibration", styles, x, y, told), points], height=340)


def gains(styles: list[Style]) -> Spec:
    """Share of positives found among the rows scored highest."""
    x, y = (
        axis("fraction", "Share of rows, highest first", domain=(0, 1)),
        axis("gain", "Positives found", domain=(0, 1)),
    )
    told = tips(("fraction", "rows"), ("gain", "found"), ("lift", "lift"), ("threshold", "threshold"))
    return base(styles, [chance_line(), lines("gains", styles, x, y, told), hover_points("gains", styles, x, y, told)])


def decision(styles: list[Style]) -> Spec:
    """Net benefit against the threshold probability."""
    x = axis("threshold", "Threshold probability", domain=(0, 1))
    y = {"field": "net_benefit", "type": "quantitative", "title": "Net benefit"}
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
    layers = [area("decision", styles, x, "low", "high"), treat, lines("decision", styles, x, y, told)]
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
    return base(styles, [chance_line(), edges, curve], height=340)
