"""Charts of estimates with intervals, one line per group, class or fold. No numbers are made here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.views.report.charts import SHOWN, base, by_model

if TYPE_CHECKING:
    from rocsteady._src.views.report.names import Style

    Spec = dict[str, Any]

LINE, GAP, EDGES, MANY, LEAST = 16, 12, 50, 25, 130
ENDS = (("estimate", "value"), ("low", "from"), ("high", "to"))
DOT = {"type": "point", "filled": True, "size": 70, "opacity": 1}


def _area(title: str = "AUC", **more: Any) -> Spec:
    made: Spec = {"field": "estimate", "type": "quantitative", "title": title, "scale": {"zero": False}}
    return made | {"axis": {"format": ".3~f", "tickCount": 8}} | more


def _rows(names: list[str], **more: Any) -> Spec:
    axis = {"labelLimit": 150, "grid": False, "ticks": False, "domain": False, "labelPadding": 6}
    scale = {"domain": names, "paddingInner": 0.25}
    return {"field": "row", "type": "nominal", "title": None, "scale": scale, "sort": None, "axis": axis | more}


def _told(first: str, *more: tuple[str, str]) -> list[Spec]:
    names = [{"field": "row", "title": first, "type": "nominal"}, {"field": "model", "title": "model"}]
    numbers = [{"field": name, "title": title, "type": "quantitative", "format": ".4f"} for name, title in ENDS]
    return [*names, *numbers, *({"field": name, "title": title, "type": "quantitative"} for name, title in more)]


def forest(
    styles: list[Style], rows: list[str], what: str, *, by_row: bool = False, title: str = "AUC", dashed: bool = True
) -> Spec:
    """Estimates of each row with their intervals; ``dashed`` lines are those of all rows.

    Each row has a line per model that is shown; ``by_row`` when each row is a model itself.
    """
    filters: list[Spec] = [] if by_row else [{"filter": SHOWN}]
    names = [style.name for style in styles]
    place: Spec = {} if by_row else {"yOffset": {"field": "model", "scale": {"domain": names}}}
    told = _told(what, ("positives", "positives"), ("negatives", "negatives"))
    colour = by_model(styles) | ({"legend": None} if by_row else {})
    encoding = {"y": _rows(rows), "color": colour, "tooltip": told, **place}
    whisker = {
        "data": {"name": "forest"},
        "transform": filters,
        "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.75},
        "encoding": {**encoding, "x": _area(title, field="low"), "x2": {"field": "high"}},
    }
    dots = {
        "data": {"name": "forest"},
        "transform": filters,
        "mark": DOT,
        "encoding": {**encoding, "x": _area(title)},
    }
    lines = [_reference(styles, filters, title)] if dashed else []  # an empty set of lines would have no axis
    height = len(rows) * ((1 if by_row else len(names)) * LINE + GAP) // (2 if len(rows) > MANY else 1) + EDGES
    return base(styles, [*lines, whisker, dots], height=max(height, LEAST) if by_row else height)


def _reference(styles: list[Style], filters: list[Spec], title: str) -> Spec:
    """Values of all rows as dashed lines, in the colour of their model where lines belong to models."""
    return {
        "data": {"name": "reference"},
        "transform": filters,
        "mark": {"type": "rule", "strokeDash": [4, 3], "strokeWidth": 1.2, "opacity": 0.9},
        "encoding": {"x": _area(title), "color": by_model(styles) if filters else {"value": "currentColor"}},
    }


def strip(styles: list[Style]) -> Spec:
    """Estimates of the folds as dots, one line per model, with mean and interval, and the pooled value."""
    shown = [{"filter": SHOWN}]
    names = [style.name for style in styles]
    y, colour = _rows(names), by_model(styles) | {"legend": None}
    counted = _told("what", ("positives", "positives"), ("negatives", "negatives"))

    def layer(data: str, mark: Spec, offset: float, **more: Any) -> Spec:
        place = y | {"field": "model", "bandPosition": offset}
        return {
            "data": {"name": data},
            "transform": shown,
            "mark": mark,
            "encoding": {"y": place, "x": _area(), "color": colour, "tooltip": counted, **more},
        }

    hollow = {"type": "point", "shape": "diamond", "size": 110, "filled": False, "strokeWidth": 2, "opacity": 1}
    layers = [
        layer("folds", {"type": "point", "filled": True, "size": 60, "opacity": 0.5}, 0.25),
        layer("mean", {"type": "rule", "strokeWidth": 3}, 0.6, x=_area(field="low"), x2={"field": "high"}),
        layer("mean", DOT | {"size": 100}, 0.6),
        layer("pooled", hollow, 0.85),
    ]
    return base(styles, layers, height=len(names) * 70 + EDGES)


def against(styles: list[Style], rows: list[str], title: str, order: str = "descending") -> Spec:
    """Differences to one model, the nearest first; the line at 0 is that model."""
    # at other costs another model leads, and is no row: places follow the data
    nearest = {"field": "estimate", "op": "min", "order": order}
    whoever = _rows(rows) | {"scale": {"paddingInner": 0.25}, "sort": nearest}
    place = {"y": whoever, "color": by_model(styles) | {"legend": None}}
    told = _told("model")
    x = {"field": "estimate", "type": "quantitative", "title": title, "scale": {"zero": True}}
    x["axis"] = {"labelFlush": False}  # a flushed label runs into its neighbour
    zero = {
        "data": {"name": "zero"},
        "mark": {"type": "rule", "strokeDash": [4, 3], "opacity": 0.8},
        "encoding": {"x": {"field": "x", "type": "quantitative"}},
    }
    whisker = {
        "data": {"name": "against"},
        "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.75},
        "encoding": {**place, "tooltip": told, "x": x | {"field": "low"}, "x2": {"field": "high"}},
    }
    dots = {"data": {"name": "against"}, "mark": DOT, "encoding": {**place, "tooltip": told, "x": x}}
    return base(styles, [zero, whisker, dots], height=len(rows) * (LINE + GAP) + EDGES)


def certain(styles: list[Style], rows: list[str], title: str) -> Spec:
    """Bounds that hold for certain: bars with ends, unlike dots with intervals of confidence."""
    place = {"y": _rows(rows), "color": by_model(styles) | {"legend": None}}
    told = [{"field": "row", "title": "model"}, *({"field": each, "format": ".6~g"} for each in ("low", "high"))]
    low, high = (_area(title, field=each) for each in ("low", "high"))
    bar = {
        "data": {"name": "bounds"},
        "mark": {"type": "bar", "opacity": 0.45, "height": {"band": 0.5}},
        "encoding": {**place, "tooltip": told, "x": low, "x2": {"field": "high"}},
    }
    ends = [
        {
            "data": {"name": "bounds"},
            "mark": {"type": "tick", "thickness": 3, "bandSize": LINE},
            "encoding": {**place, "tooltip": told, "x": end},
        }
        for end in (low, high)
    ]
    return base(styles, [bar, *ends], height=len(rows) * (LINE + 2 * GAP) + EDGES)
