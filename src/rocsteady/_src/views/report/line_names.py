"""Names beside the lines of a chart, where there is room: a picture of it says what is what without its legend."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.views.plots.places import Ground, points_along
from rocsteady._src.views.report.charts import ACROSS, ALONG

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.views.report.document import Chart

    Array = NDArray[np.float64]
    Spec = dict[str, Any]

NAMES = "names"  # the data set of places
WIDTH, AXES = 380, 60  # a chart as narrow as it is on most screens, and what of its height axes and legend take
LETTER, LINE, FONT, LONGEST = 6.2, 13.0, 11, 24
MOST_TOGETHER, MOST = 5, 16  # lines that are placed all at once; beyond the second their legend must do
SPOTS, AWAY = 41, 3  # places along a level line for its words, and pixels from it
NEAR = 3.0  # pixels
HIGHER = 8  # lines of text above it, where models are near it all along: rare positives
THIN = 2  # of many lines every so manyth point is looked at


def with_names(chart: Chart) -> Chart:
    """The chart with a name beside each line of a model, the place of which no other line comes near."""
    layer = next((each for each in chart.spec["layer"] if _has_models(each)), None)
    if layer is None:
        return chart
    axes = [layer["encoding"][side] for side in ("x", "y")]
    domains = [each.get("scale", {}).get("domain") for each in axes]
    if any(domain is None for domain in domains):
        return chart
    view = _View(np.array(domains, dtype=np.float64).T, float(chart.spec["height"]) - AXES)
    shown = chart.spec["params"][0]["value"]
    (lines, edges), others = _lines_of(chart, layer, view, set(shown)), _others(chart, view)
    chart = _moved_words(chart, view, [*lines.values(), *edges])
    others = np.concatenate([others, *(points_along(edge, view.edge) for edge in edges)])
    places = view.places(lines, others, _words(chart, view)) if len(lines) <= MOST else []
    if not places:
        return chart
    fields = [each["field"] for each in axes]
    spec = {**chart.spec, "layer": [*chart.spec["layer"], _layer(layer, fields)]}
    return replace(chart, spec=spec, data={**chart.data, NAMES: [_record(each, fields) for each in places]})


def _moved_words(chart: Chart, view: _View, lines: list[Array]) -> Chart:
    """Words along a level line moved to where they cover no line of a model, or as little as can be."""
    points = np.concatenate([np.zeros((0, 2)), *(points_along(line, view.edge) for line in lines)])
    ground = Ground({}, points, np.zeros((0, 2)), [], view.edge, 1.0)
    layers = [_moved(each, chart, view, ground) for each in chart.spec["layer"]]
    return replace(chart, spec={**chart.spec, "layer": layers})


def _moved(layer: Spec, chart: Chart, view: _View, ground: Ground) -> Spec:
    """A layer of words at the first of its places that covers least; others as they are."""
    tried = {ALONG: _along, ACROSS: _across}.get(layer.get("name", ""), _nowhere)(layer, view)
    boxes = [(_box(each, chart, view), each) for each in tried]
    within = [(box, each) for box, each in boxes if (box[:2] >= 0).all() and (box[2:] <= view.size).all()]
    around = np.array([-NEAR, -NEAR, NEAR, NEAR])  # words that touch a line would seem to name it
    return min(within, key=lambda each: ground.covered(each[0] + around))[1] if within else layer


def _nowhere(layer: Spec, view: _View) -> list[Spec]:
    return []


def _along(layer: Spec, view: _View) -> list[Spec]:
    """Below a level line from left to right, then above it, then higher, where words name the line that they mean."""
    words = layer["mark"]["text"]
    sides = [("top", AWAY, words), ("bottom", -AWAY, words)]
    sides += [("bottom", -AWAY - int(LINE) * step, f"dotted: {words}") for step in range(1, HIGHER)]
    made = []
    for base, away, text in sides:
        for place in np.linspace(0.01, 0.99, SPOTS).tolist():
            mark = layer["mark"] | {"align": "left" if place < 0.3 else "right" if place > 0.7 else "center"}
            x = float(view.domain[0, 0] + place * (view.domain[1, 0] - view.domain[0, 0]))
            made.append(_placed(layer | {"mark": mark | {"baseline": base, "dy": away, "text": text}}, x=x))
    return made


def _across(layer: Spec, view: _View) -> list[Spec]:
    """Where it stands, then elsewhere below the diagonal, then above it."""
    made = [layer]
    for align, base, away in (("left", "top", -0.03), ("right", "bottom", 0.03)):
        mark = layer["mark"] | {"align": align, "baseline": base}
        made += [_placed(layer | {"mark": mark}, x=at, y=at + away) for at in np.linspace(0.1, 0.9, SPOTS).tolist()]
    return made


def _placed(layer: Spec, **place: float) -> Spec:
    at = {side: {"datum": round(value, 4), "type": "quantitative"} for side, value in place.items()}
    return layer | {"encoding": layer["encoding"] | at}


def _has_models(layer: Spec) -> bool:
    colour = layer["encoding"].get("color", {})
    by_model = layer["mark"].get("type") == "line" and colour.get("field") == "model"
    return by_model and not any("selected" in str(each) for each in layer.get("transform", []))


def _record(place: tuple[str, float, float, float], fields: list[str]) -> dict[str, Any]:
    """Where a name stands, and how high its line is there: a page that moves the line moves the name."""
    name, x, y, at = place
    return {"model": name, fields[0]: round(x, 4), fields[1]: round(y, 5), "at": round(at, 5)}


def _layer(lines: Spec, fields: list[str]) -> Spec:
    style = {"type": "text", "fontSize": FONT, "limit": int(LONGEST * LETTER), "baseline": "middle", "clip": True}
    place = {side: {"field": name, "type": "quantitative"} for side, name in zip("xy", fields, strict=True)}
    made = {"data": {"name": NAMES}, "mark": style, "encoding": {**place, "text": {"field": "model"}}}
    return made | {"transform": lines["transform"]}


class _View:
    """The inside of a chart in pixels, up as its axis goes."""

    def __init__(self, domain: Array, height: float) -> None:
        self.domain, self.size = domain, np.array([WIDTH, height])
        self.edge = np.concatenate([[2.0, 2.0], self.size - 2])

    def pixels(self, points: Array) -> Array:
        found: Array = (points - self.domain[0]) / (self.domain[1] - self.domain[0]) * self.size
        return found

    def back(self, pixels: Array) -> Array:
        found: Array = self.domain[0] + pixels / self.size * (self.domain[1] - self.domain[0])
        return found

    def places(
        self, lines: dict[str, Array], others: Array, taken: list[Array]
    ) -> list[tuple[str, float, float, float]]:
        """Names with their places; all together where few lines allow it, else one after the other."""
        points = {name: points_along(line, self.edge) for name, line in lines.items()}
        if len(points) > MOST_TOGETHER:
            points = {name: each[::THIN] for name, each in points.items()}
        ground = Ground(dict(points), others, np.zeros((0, 2)), taken, self.edge, 1.0)
        sizes = {name: (LETTER * min(len(name), LONGEST), LINE) for name in points}
        boxes = ground.arrange(sizes) if len(sizes) <= MOST_TOGETHER else {}
        if not boxes:
            for name, size in sizes.items():
                boxes |= ground.arrange({name: size})
        return [self._place(name, box, points[name]) for name, box in boxes.items()]

    def _place(self, name: str, box: Array, line: Array) -> tuple[str, float, float, float]:
        middle = (box[:2] + box[2:]) / 2
        nearest = line[np.hypot(*(line - middle).T).argmin()]
        x, y = self.back(middle)
        return name, float(x), float(y), float(self.back(nearest)[1])


def _lines_of(chart: Chart, layer: Spec, view: _View, shown: set[str]) -> tuple[dict[str, Array], list[Array]]:
    """Corners of the lines that are shown at first, in pixels; of a model with two edges the first, and all others."""
    x, y = (layer["encoding"][side]["field"] for side in ("x", "y"))
    records = chart.data[layer["data"]["name"]]
    found: dict[tuple[str, Any], list[tuple[float, float]]] = {}
    for record in records:
        if record["model"] in shown and isinstance(record[x], int | float) and isinstance(record[y], int | float):
            found.setdefault((record["model"], record.get("edge")), []).append((record[x], record[y]))
    steps = layer["mark"].get("interpolate") == "step-before"
    lines: dict[str, Array] = {}
    edges: list[Array] = []
    for (name, _), each in found.items():
        line = view.pixels(_stepped(np.array(each, dtype=np.float64), steps))
        if name in lines:
            edges.append(line)
        else:
            lines[name] = line
    return lines, edges


def _stepped(points: Array, steps: bool) -> Array:
    """Where a line goes up first and then to the side, with the corners between."""
    if not steps or len(points) < 2:
        return points
    corners = np.column_stack([points[:-1, 0], points[1:, 1]])
    found: Array = np.concatenate([np.stack([points[:-1], corners], axis=1).reshape(-1, 2), points[-1:]])
    return found


def _others(chart: Chart, view: _View) -> Array:
    """Lines of no model."""
    found = [np.zeros((0, 2))]
    for name in ("chance", "treat"):
        each = next((part for part in chart.spec["layer"] if part["data"]["name"] == name), None)
        if each is None or name not in chart.data or each["mark"]["type"] != "line":
            continue
        x, y = (each["encoding"][side]["field"] for side in ("x", "y"))
        lines: dict[str, list[tuple[float, float]]] = {}
        for record in chart.data[name]:
            lines.setdefault(record.get("policy", ""), []).append((record[x], record[y]))
        found += [points_along(view.pixels(np.array(line, dtype=np.float64)), view.edge) for line in lines.values()]
    return np.concatenate(found)


def _words(chart: Chart, view: _View) -> list[Array]:
    """Boxes of what is written in the chart already."""
    marks = [(layer, layer["mark"]) for layer in chart.spec["layer"]]
    texts = [layer for layer, mark in marks if mark.get("type") == "text" and isinstance(mark.get("text"), str)]
    return [_box(layer, chart, view) for layer in texts]


def _box(layer: Spec, chart: Chart, view: _View) -> Array:
    mark, at = layer["mark"], layer["encoding"]
    spot = [at[side].get("datum", chart.data["chance"][0]["y"] if "chance" in chart.data else 0) for side in "xy"]
    width = LETTER * len(mark["text"])
    x, y = view.pixels(np.array(spot, dtype=np.float64))
    left = x - {"left": 0.0, "right": width}.get(mark["align"], width / 2)
    low = (y if mark["baseline"] == "bottom" else y - LINE) - mark.get("dy", 0)
    return np.array([left, low, left + width, low + LINE])
