"""The confusion matrix of many classes as a chart. No numbers are made here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.views.report.charts import base

if TYPE_CHECKING:
    from rocsteady._src.views.report.names import Style

    Spec = dict[str, Any]

FITS, NUMBERED, HALF = 6, 20, 8  # classes: shrunk to the page, with numbers in cells, beside another chart
RIGHT, WRONG, DARK = "#0072B2", "#D55E00", 0.64
LABEL = "!switched ? format(datum.count, datum._form) : datum.share === null ? '' : format(datum.share, '.0%')"
DEPTH = "switched ? datum.share : datum._of_most"


def matrix(styles: list[Style], names: list[str]) -> Spec:
    """True classes downwards, called classes across; the parameter ``switched`` shows shares of the true class."""
    numbered = len(names) <= NUMBERED
    layers = [_cells(names)] + ([_numbers(names)] if numbered else [])
    step = (52, 30) if numbered else (22, 18)
    spec = base(styles, layers, height=max(330, len(names) * step[1] + 60))
    spec["params"] = [*spec["params"], {"name": "switched", "value": False}]
    if len(names) <= FITS:
        return spec
    size = {"width": len(names) * step[0], "height": len(names) * step[1]}
    return spec | size | {"autosize": {"type": "pad"}}


def _place(names: list[str]) -> Spec:
    across = {"orient": "top", "labelAngle": 0 if len(names) <= FITS else -50, "labelLimit": 110}
    quiet = {"grid": False, "ticks": False, "domain": False, "labelOverlap": False}
    common = {"type": "nominal", "sort": None, "scale": {"domain": names, "padding": 0.04}}
    return {
        "x": {"field": "called", "title": "Called", **common, "axis": across | quiet},
        "y": {"field": "true", "title": "Really", **common, "axis": {"labelLimit": 130} | quiet},
    }


def _cells(names: list[str]) -> Spec:
    told = [
        {"field": "true", "title": "really", "type": "nominal"},
        {"field": "called", "title": "called", "type": "nominal"},
        {"field": "count", "title": "count", "type": "quantitative", "format": ",.10~g"},
        {"field": "share", "title": "share of the true class", "type": "quantitative", "format": ".1%"},
    ]
    colour = {"condition": {"test": "datum.true === datum.called", "value": RIGHT}, "value": WRONG}
    depth = {"field": "depth", "type": "quantitative", "legend": None}
    steps = {"type": "sqrt", "domain": [0, 1], "range": [0.03, 1]}  # rare mistakes should be seen
    return {
        "data": {"name": "confusion"},
        "transform": [{"calculate": DEPTH, "as": "depth"}],
        "mark": {"type": "rect"},
        "encoding": {
            **_place(names),
            "color": colour,
            "opacity": depth | {"scale": steps},
            "tooltip": told,
        },
    }


def _numbers(names: list[str]) -> Spec:
    ink = {"condition": {"test": f"datum.depth > {DARK}", "value": "white"}, "value": "currentColor"}
    return {
        "data": {"name": "confusion"},
        "transform": [{"calculate": LABEL, "as": "label"}, {"calculate": DEPTH, "as": "depth"}],
        "mark": {"type": "text", "fontSize": 12, "tooltip": None},
        "encoding": {
            **_place(names),
            "text": {"field": "label", "type": "nominal"},
            "color": ink,
            "opacity": {"condition": {"test": "datum.count === 0", "value": 0.35}, "value": 1},
        },
    }
