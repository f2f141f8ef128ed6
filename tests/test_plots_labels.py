"""Names in pictures: each line has one, beside it or in a legend, and none hides anything."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.cbook import STEP_LOOKUP_MAP
from matplotlib.transforms import Bbox

import rocsteady as rs
from rocsteady._src.views.plots.style import COLOURS, readable

mpl.use("Agg")
pytestmark = [
    pytest.mark.filterwarnings("ignore:Glyph"),  # a name in letters that no installed font has
    pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning"),
]
Y = (np.arange(120) % 3 == 0).astype(int)
HOSTILE = ("a$b_{x$", "模型 ü ✓", "two\nlines \x1b[31m", "<b>bold</b>", "long name " * 9)
LONG = (
    "gradient boosting with 500 trees and early stopping",
    "logistic regression, ridge, all interactions",
    "random forest after Platt scaling",
)
KINDS = ("roc", "pr", "calibration", "gains", "det", "decision")


def models(names: tuple[str, ...], spread: float = 3.0) -> dict[str, Any]:
    noise = np.random.default_rng(7).normal(size=(len(names), Y.size))
    skill = np.linspace(0.4, spread, len(names))
    return {name: 1 / (1 + np.exp(1 - each * Y - rest)) for name, each, rest in zip(names, skill, noise, strict=True)}


def numbered(number: int) -> tuple[str, ...]:
    return tuple(f"model {place}" for place in range(1, number + 1))


NAMES = {"1": numbered(1), "2": numbered(2), "3": numbered(3), "5": numbered(5), "12": numbered(12)}
NAMES |= {"hostile": HOSTILE, "long": LONG}


def draw(kind: str, scores: dict[str, Any], **options: Any) -> tuple[Any, list[Any]]:
    """The Axes, and the lines of the models."""
    if kind == "decision":
        shown = rs.decision_curve(Y, scores).plot(**options)
        return shown.ax_, list(shown.lines_.values())
    drawn = rs.evaluate(Y, scores, measures=["auc"]).plot(kind=kind, **options)
    return drawn.ax_, [each.line_ for each in drawn]


@cache
def drawn(kind: str, names: str) -> tuple[Any, list[Any]]:
    """A picture, drawn once for all who read its names."""
    return draw(kind, models(NAMES[names]))


@pytest.fixture(autouse=True)
def closed() -> Any:
    yield
    plt.close("all")


def labels_of(ax: Any) -> list[Any]:
    return [text for text in ax.texts if text.get_gid() == "label"]


def in_legend(ax: Any) -> list[str]:
    return [] if ax.get_legend() is None else [text.get_text() for text in ax.get_legend().get_texts()]


def flat(text: str) -> str:
    return " ".join(text.split())


def pixels(line: Any) -> Any:
    """Points of a drawn line, at most a pixel or so apart."""
    x, y = STEP_LOOKUP_MAP[line.get_drawstyle()](*line.get_data(orig=False))
    corners = line.get_transform().transform(np.column_stack([x, y]))
    pieces = [np.linspace(a, b, 30) for a, b in pairwise(corners)]
    return np.concatenate(pieces)


def assert_clear(ax: Any) -> None:
    ax.figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in labels_of(ax)]
    legend = ax.get_legend()
    if legend is not None:
        boxes.append(legend.get_window_extent())
    for one, other in combinations(boxes, 2):
        assert Bbox.intersection(one, other) is None, "two texts lie on each other"
    around = ax.get_window_extent().padded(1)
    for box in boxes[: len(labels_of(ax))]:
        assert around.containsx(box.x0)
        assert around.containsx(box.x1)
        assert around.containsy(box.y0)
        assert around.containsy(box.y1)
        for line in ax.lines:
            points = pixels(line)
            inside = (points >= [box.x0, box.y0]).all(axis=1) & (points <= [box.x1, box.y1]).all(axis=1)
            assert not inside.any(), f"{line.get_label()} runs through a name"


@pytest.mark.parametrize(
    ("kind", "names"),
    [("roc", names) for names in NAMES]  # how many there are and how long is no matter of the kind
    + [("calibration", names) for names in ("3", "12", "hostile", "long")]
    + [(kind, names) for kind in KINDS if kind not in ("roc", "calibration") for names in ("3", "12", "hostile")],
)
def test_every_model_is_named_once_and_nothing_is_hidden(kind: str, names: str) -> None:
    ax, lines = drawn(kind, names)
    assert_clear(ax)
    beside = [flat(text.get_text()) for text in labels_of(ax)]
    listed = [flat(text) for text in in_legend(ax)]
    for line in lines:
        label = flat(line.get_label())
        assert (beside + listed).count(label) == 1
    width, height = ax.figure.get_size_inches()
    shown = ax.get_window_extent()
    assert shown.width > 0.6 * width * ax.figure.dpi, "names took the room of the picture"
    assert shown.height > 0.5 * height * ax.figure.dpi
    overhang = ax.figure.get_tightbbox()
    assert overhang.x0 > -0.02
    assert overhang.x1 < width + 0.02
    assert overhang.y0 > -0.02


@pytest.mark.parametrize("kind", KINDS)
def test_few_models_are_named_beside_their_lines(kind: str) -> None:
    ax, lines = drawn(kind, "2")
    beside = {flat(text.get_text()): text for text in labels_of(ax)}
    for line in lines:
        text = beside[flat(line.get_label())]
        box = text.get_window_extent()
        middle = np.array([(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2])
        reach = np.hypot(box.width, box.height) / 2 + 8
        assert np.hypot(*(pixels(line) - middle).T).min() < reach
        assert text.get_color() == readable(line.get_color(), "white")


def test_twelve_models_stand_in_a_legend() -> None:
    ax, lines = drawn("roc", "12")
    assert {flat(line.get_label()) for line in lines} <= set(map(flat, in_legend(ax)))


@pytest.mark.parametrize(
    ("kind", "marks"),
    [
        ("roc", ["chance"]),
        ("gains", ["chance"]),
        ("det", ["chance"]),
        ("pr", ["share of positives 0.333"]),
        ("calibration", ["perfect calibration"]),
        ("decision", ["treat all", "treat none"]),
    ],
)
def test_what_belongs_to_no_model_is_named_too(kind: str, marks: list[str]) -> None:
    ax, _ = drawn(kind, "12")
    named = [flat(text.get_text()) for text in labels_of(ax)] + [flat(text) for text in in_legend(ax)]
    assert all(named.count(mark) == 1 for mark in marks)


def test_curves_added_one_by_one_are_named_anew() -> None:
    scores = models(LONG * 2)
    scores |= {f"{name}, again": value for name, value in models(LONG).items()}
    ax = None
    heights = []
    for name, score in scores.items():
        shown = rs.roc_curve(Y, score).plot(ax, name=name)
        ax = shown.ax_
        heights.append(shown.figure_.get_figheight())
    assert_clear(ax)
    assert heights[-1] < heights[0] + 3
    named = [flat(text) for text in in_legend(ax)]
    assert sum("AUC" in name for name in named) == len(scores)
    assert len({(line.get_color(), str(line.get_linestyle())) for line in ax.lines}) > 5


def test_equal_curves_are_named_in_a_legend() -> None:
    score = models(("one",))["one"]
    ax, lines = draw("roc", {"one": score, "the same": score})
    assert [flat(line.get_label()) in in_legend(ax) for line in lines] == [True, True]


def test_an_axes_of_the_user_keeps_its_size_and_its_lines() -> None:
    figure, axes = plt.subplots(1, 2, figsize=(8, 4))
    axes[0].plot([0, 1], [0.2, 0.3], label="of the user")
    draw("roc", models(numbered(12)), ax=axes[0])
    assert tuple(figure.get_size_inches()) == (8, 4)
    assert "of the user" in in_legend(axes[0])
    assert not axes[1].texts


@pytest.mark.parametrize("ground", ["white", "black", "#777777"])
def test_letters_can_be_read_on_their_ground(ground: str) -> None:
    def light(colour: Any) -> float:
        parts = np.asarray(mpl.colors.to_rgb(colour))
        linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        return float(linear @ [0.2126, 0.7152, 0.0722])

    for colour in COLOURS:
        darker, lighter = sorted([light(readable(colour, ground)), light(ground)])
        assert (lighter + 0.05) / (darker + 0.05) >= 4.5


def test_print_has_names_in_the_column_too() -> None:
    ax, _ = draw("roc", models(numbered(3)), publication=True)
    assert_clear(ax)
    assert ax.figure.get_figwidth() < 4
