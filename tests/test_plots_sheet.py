"""The report as a sheet of pictures: nothing lies on anything, and every model is named."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.transforms import Bbox

import rocsteady as rs
from rocsteady._src.views.report.options import Options
from rocsteady._src.views.report.pictures import sheet

mpl.use("Agg")
pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
RNG = np.random.default_rng(5)
Y = np.arange(60) % 2


def names(number: int, long: str = "") -> list[str]:
    return [f"{long}model {place}" for place in range(1, number + 1)]


@pytest.mark.parametrize("models", [names(2), names(12, "cost in $ of ")], ids=["2", "12"])
def test_nothing_overlaps_and_every_model_is_named(models: list[str]) -> None:
    scores = {name: 1 / (1 + np.exp(-RNG.normal(size=60) - 2 * Y)) for name in models}
    result = rs.evaluate(Y, scores, measures=["auc"])
    verdict = "This is a long sentence about what to do and why. " * 6
    figure = sheet(result, Options(), verdict)
    figure.draw_without_rendering()
    assert len(figure.get_suptitle().splitlines()) > 2
    shown = [ax for ax in figure.axes if ax.get_visible()]
    boxes = [ax.get_tightbbox() for ax in shown]
    boxes += [figure._suptitle.get_window_extent(), *(legend.get_window_extent() for legend in figure.legends)]
    for one, other in combinations(boxes, 2):
        assert Bbox.intersection(one.padded(-1), other.padded(-1)) is None
    inside = figure.bbox.padded(2)
    assert all(inside.x0 <= box.x0 and box.x1 <= inside.x1 for box in boxes)
    assert all(inside.y0 <= box.y0 and box.y1 <= inside.y1 for box in boxes)
    words = words_of(figure)
    assert all(any(name.replace("$", r"\$") in text for text in words) for name in models)
    plt.close("all")


def words_of(figure: Any) -> list[str]:
    texts = [text for ax in figure.axes for text in ax.findobj(mpl.text.Text)]
    texts += [text for legend in figure.legends for text in legend.get_texts()]
    return [" ".join(text.get_text().split()) for text in texts]
