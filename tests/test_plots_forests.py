"""Forests of many lines: as high as a screen, with names and numbers that do not touch."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest

import rocsteady as rs
from rocsteady._src.results.pictures import Forest, Line
from rocsteady._src.views.plots.records import draw_record

mpl.use("Agg")
pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
RNG = np.random.default_rng(11)
Y = RNG.integers(0, 2, 80)
LONG = "a name that is far longer than a picture has room for beside it, "
MODELS = {f"{LONG}{place}": RNG.normal(size=80) + 0.15 * place * Y for place in range(12)}


@pytest.fixture(autouse=True)
def closed() -> Any:
    yield
    plt.close("all")


def lines_of(number: int, label: str = "line") -> tuple[Line, ...]:
    return tuple(Line(f"{label} {place}", 0.5 + place / 200, 0.4, 0.9) for place in range(number))


@pytest.mark.parametrize(("number", "most"), [(2, 2.0), (12, 6.0), (40, 9.0)])
@pytest.mark.parametrize("label", ["line", LONG])
@pytest.mark.parametrize("publication", [False, True])
def test_a_forest_fits_a_screen_and_its_rows_stay_apart(
    number: int, most: float, label: str, publication: bool
) -> None:
    picture = Forest(("a title",), "AUC", lines_of(number, label))
    shown = draw_record(None, picture, publication=publication)
    assert shown.figure_.get_figheight() <= most
    shown.figure_.draw_without_rendering()
    names = [text.get_window_extent() for text in shown.ax_.get_yticklabels()]
    assert len(names) == len(shown.dots_) == number
    for above, below in pairwise(names):
        assert below.y1 <= above.y0 + 1, "two names touch"
    numbers = [text.get_window_extent() for text in shown.ax_.texts]
    for above, below in pairwise(numbers):
        assert below.y1 <= above.y0 + 1, "two numbers touch"
    box, (width, height) = shown.figure_.get_tightbbox(), shown.figure_.get_size_inches()
    assert max(-box.x0, -box.y0, box.x1 - width, box.y1 - height) < 0.02
    assert shown.ax_.get_window_extent().width > 0.2 * width * shown.figure_.dpi


def test_more_lines_than_a_picture_holds_are_counted() -> None:
    shown = draw_record(None, Forest(("a title",), "AUC", lines_of(75)))
    assert len(shown.dots_) == 60
    assert "the first 60 of 75 lines" in shown.ax_.get_title()


def numbers_of(shown: Any) -> dict[str, list[float]]:
    strokes = [
        line for line in shown.ax_.lines if len(line.get_xdata()) == 2 and line.get_ydata()[0] == line.get_ydata()[1]
    ]
    ends = [[float(x) for x in line.get_xdata()] for line in strokes]
    return dict(zip([text.get_text() for text in shown.ax_.get_yticklabels()], ends, strict=True))


def test_twelve_long_names_are_eleven_differences_to_the_best() -> None:
    compared = rs.evaluate(Y, MODELS, measures=["auc"]).compare()
    shown = compared.plot()
    assert shown.figure_.get_figheight() < 6
    ends = numbers_of(shown)
    assert len(ends) == 11
    best = max(compared.estimates, key=lambda model: compared.estimates[model].estimate)
    found = {frozenset((pair.first, pair.second)): pair for pair in compared.pairs}
    expected = []
    for model in MODELS:
        if model != best:
            pair = found[frozenset((model, best))]
            low, high = pair.test.low, pair.test.high
            expected.append([low, high] if pair.second == best else [-high, -low])
    assert np.array(sorted(ends.values())) == pytest.approx(np.array(sorted(expected)))
    estimates: list[Any] = [-line.get_xdata()[0] for line in shown.ax_.lines if line.get_marker() == "o"]
    assert estimates == sorted(estimates), "the nearest to the best stands first"
    assert all(each >= 0 for each in estimates)


def test_a_measure_where_less_is_better_has_the_lowest_as_best() -> None:
    shares = {name: 1 / (1 + np.exp(-score)) for name, score in MODELS.items()}
    compared = rs.evaluate(Y, shares, measures=["auc"]).compare(measure="brier_score")
    best = min(compared.estimates, key=lambda model: compared.estimates[model].estimate)
    label = compared.plot().ax_.get_xlabel().replace("\n", " ")
    assert best[-10:] in label


def test_groups_and_measures_of_many_models_are_differences_to_the_best_too() -> None:
    group = np.array(["n", "s"])[np.arange(80) % 2]
    by_group = rs.evaluate(Y, MODELS, by=group, measures=["auc"]).compare()
    shown = by_group.plot()
    assert len(shown.dots_) == 22
    assert shown.figure_.get_figheight() < 7
    assert "to the best model" in shown.ax_.get_xlabel()
