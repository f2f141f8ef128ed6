"""A model looks the same in a picture and on the page."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex

import rocsteady as rs
from rocsteady._src.views.report.names import styles

mpl.use("Agg")
RNG = np.random.default_rng(5)
Y = np.repeat([0, 1], 20)
SCORES = {f"m{place}": RNG.uniform(0, 0.8, 40) + 0.2 * Y for place in range(28)}


@pytest.fixture(autouse=True)
def closed() -> Any:
    yield
    plt.close("all")


def points_of(line: Any) -> list[float]:
    """Ink and gaps of a drawn line in points; a solid line is ink without gaps."""
    pattern = line._dash_pattern[1]
    return [1.0, 0.0] if pattern is None else list(pattern)


def assert_like_the_page(lines: dict[str, Any]) -> None:
    page = styles(tuple(lines))
    for name, line in lines.items():
        assert to_hex(line.get_color()).upper() == page[name].colour.upper()
        assert points_of(line) == pytest.approx(page[name].dash)


@pytest.mark.parametrize("number", [12, 28])
@pytest.mark.parametrize("kind", ["roc", "pr", "calibration", "gains", "det"])
def test_a_model_looks_the_same_in_a_picture_and_on_the_page(number: int, kind: str) -> None:
    models = {name: SCORES[name] for name in list(SCORES)[:number]}
    found: Any = rs.evaluate(Y, models, measures=["auc"])
    drawn = found.plot(kind=kind)
    assert_like_the_page({name: each.line_ for name, each in zip(models, drawn, strict=True)})


def test_decision_curves_look_like_the_page_too() -> None:
    assert_like_the_page(rs.decision_curve(Y, SCORES).plot().lines_)


def test_models_added_one_by_one_look_like_the_page_too() -> None:
    ax = plt.figure().add_subplot()
    lines = {name: rs.calibration_curve(Y, SCORES[name]).plot(ax, name=name).line_ for name in list(SCORES)[:12]}
    assert_like_the_page(lines)


def test_28_models_differ_and_each_differs_from_its_neighbour_in_both() -> None:
    page = list(styles(tuple(SCORES)).values())
    assert len({(each.colour, str(each.dash)) for each in page}) == 28
    assert all(a.colour != b.colour and a.dash != b.dash for a, b in pairwise(page))
