"""Where a text can stand in a picture: beside its line, clear of all other lines and texts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice, permutations
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

STEP = 3.0  # pixels between the points that stand for a line
FAR_OUTSIDE = 1e4  # pixels: a curve may lead to anywhere
ORDERS = 24  # of choosing places, one name after the other
PLACES = 48  # along a line
GAP, CLEAR, FAR = 4.0, 7.0, 45.0  # points from the own line, at least from others, and from where on more is no better
SOFT, FAINT = 0.2, 1.0  # how much the outline of a band counts, and points below which lines count like it
# Right, left, over, under, and the four corners: where the text lies, seen from its point of the line.
SIDES = np.array([(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)], dtype=np.float64)


@dataclass(slots=True)
class Ground:
    """What is drawn already, in pixels: points of each line, boxes that are taken, and the edge.

    Texts keep away from ``others``, such as limits; only a legend does from ``soft`` ones, bands and thin lines.
    """

    lines: dict[Any, Array]
    others: Array
    soft: Array
    taken: list[Array]
    edge: Array
    point: float  # pixels

    def arrange(self, sizes: dict[Any, tuple[float, float]]) -> dict[Any, Array]:
        """A box of the given size beside each line, none over another or over a line; empty where one has no place.

        Of several orders of choosing, the one whose nearest other line is farthest away.
        """
        free = {line: self._places(line, size) for line, size in sizes.items()}
        best: tuple[float, dict[Any, Array]] = (0.0, {})
        for order in islice(permutations(sizes), ORDERS):
            chosen: dict[Any, Array] = {}
            nearest = np.inf
            for line in order:
                boxes, room = free[line]
                for taken in chosen.values():
                    room = np.where(overlaps(boxes, taken, 3 * self.point), 0.0, room)
                place = int(room.argmax()) if len(room) else -1
                if place < 0 or not room[place]:
                    break
                chosen[line], nearest = boxes[place], min(nearest, float(room[place]))
            if len(chosen) == len(sizes) and nearest > best[0]:
                best = nearest, chosen
        self.taken += best[1].values()
        return best[1]

    def _places(self, line: Any, size: tuple[float, float]) -> tuple[Array, Array]:
        """Boxes beside a line that hide nothing, and how far each is from all other lines."""
        along = self.lines[line]
        if not len(along):
            return np.zeros((0, 4)), np.zeros(0)
        spots = along[np.linspace(0, len(along) - 1, PLACES).round().astype(np.int64)]
        half = np.asarray(size) / 2
        middles = (spots[:, None] + SIDES * (half + GAP * self.point)).reshape(-1, 2)
        boxes = np.hstack([middles - half, middles + half])
        boxes = boxes[self._free(boxes)]
        boxes = boxes[nearest_of(boxes, along) >= 0.6 * GAP * self.point]
        boxes = boxes[nearest_of(boxes, self.others) >= 0.3 * GAP * self.point]
        away = np.full(len(boxes), FAR * self.point)
        for other, points in self.lines.items():
            if other is not line:
                away = np.minimum(away, nearest_of(boxes, points))
        kept = away >= CLEAR * self.point
        return boxes[kept], away[kept]

    def _free(self, boxes: Array) -> Any:
        inside = (boxes[:, :2] >= self.edge[:2]).all(axis=1) & (boxes[:, 2:] <= self.edge[2:]).all(axis=1)
        for each in self.taken:
            inside &= ~overlaps(boxes, each, 2 * self.point)
        return inside

    def covered(self, box: Array) -> float:
        """How many points of lines lie below a box; a text below it counts as very many."""
        hidden = 1000.0 * sum(bool(overlaps(box[None], each, self.point)[0]) for each in self.taken)
        for points in (*self.lines.values(), self.others, self.soft):
            weight = SOFT if points is self.soft else 1.0
            hidden += weight * int(((points >= box[:2]) & (points <= box[2:])).all(axis=1).sum())
        return hidden


def nearest_of(boxes: Array, points: Array) -> Array:
    """From each box to the nearest of the points, in pixels; 0 inside."""
    if not len(points):
        return np.full(len(boxes), np.inf)
    across, up = (
        np.maximum(boxes[:, None, side] - points[:, side], points[:, side] - boxes[:, None, side + 2]).clip(min=0)
        for side in (0, 1)
    )
    found: Array = np.sqrt((across * across + up * up).min(axis=1))
    return found


def overlaps(boxes: Array, box: Array, room: float) -> Any:
    """Which boxes come nearer to another than ``room``."""
    return (boxes[:, :2] < box[2:] + room).all(axis=1) & (boxes[:, 2:] > box[:2] - room).all(axis=1)


def ground_of(ax: Any) -> Ground:
    """All that is drawn on the Axes as it will stand on the figure."""
    settle(ax)
    box, point = ax.bbox, ax.figure.dpi / 72
    edge = np.array([box.x0 + 2 * point, box.y0 + 2 * point, box.x1, box.y1])
    shown = {line: line_pixels(line) for line in ax.lines if line.get_visible()}
    faint = [corners for line, corners in shown.items() if line.get_linewidth() < FAINT]
    lines = {line: points_along(corners, edge) for line, corners in shown.items() if line.get_linewidth() >= FAINT}
    others, soft = (
        np.concatenate([np.zeros((0, 2)), *(points_along(piece, edge) for piece in pieces)])
        for pieces in (_edges(ax), [*faint, *_outlines(ax)])
    )
    texts = [np.array(text.get_window_extent().extents) for text in ax.texts if text.get_visible() and text.get_text()]
    return Ground(lines, others, soft, texts, edge, point)


def settle(ax: Any) -> None:
    """Let the layout find its place, which it would only when the figure is drawn."""
    figure = ax.figure.figure
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
    ax.apply_aspect()


def line_pixels(line: Any) -> Array:
    """Corners of a line in pixels, steps as they are drawn."""
    from matplotlib.cbook import STEP_LOOKUP_MAP

    x, y = line.get_data(orig=False)
    steps = STEP_LOOKUP_MAP[line.get_drawstyle()](x, y)
    corners = np.column_stack([np.asarray(side, dtype=np.float64) for side in steps])
    found: Array = line.get_transform().transform(corners[np.isfinite(corners).all(axis=1)])
    return found


def points_along(corners: Array, edge: Array) -> Array:
    """Points of a line at even steps, as far as they are inside."""
    corners = corners[np.isfinite(corners).all(axis=1)]
    if not len(corners):
        return corners
    corners = corners.clip(edge[:2] - FAR_OUTSIDE, edge[2:] + FAR_OUTSIDE)
    at = np.concatenate([[0.0], np.hypot(*np.diff(corners, axis=0).T).cumsum()])
    steps = np.linspace(0, at[-1], int(at[-1] / STEP) + 2)
    points = np.column_stack([np.interp(steps, at, corners[:, side]) for side in (0, 1)])
    return points[((points >= edge[:2] - 2) & (points <= edge[2:] + 2)).all(axis=1)]


def _edges(ax: Any) -> list[Array]:
    """Outlines of bars and of loose strokes, such as limits, in pixels."""
    bars = [patch for patch in ax.patches if patch.get_visible()]
    found = [np.asarray(patch.get_transform().transform_path(patch.get_path()).vertices) for patch in bars]
    for group in ax.collections:
        if group.get_visible() and hasattr(group, "get_segments"):
            found += [group.get_transform().transform(segment) for segment in group.get_segments()]
    return found


def _outlines(ax: Any) -> list[Array]:
    """Outlines of bands, in pixels."""
    groups = [each for each in ax.collections if each.get_visible() and not hasattr(each, "get_segments")]
    return [np.asarray(each.get_transform().transform(path.vertices)) for each in groups for path in each.get_paths()]
