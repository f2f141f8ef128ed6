"""Pictures of several models: each line its own colour and dash, and every kind of curve."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest

import rocsteady as rs

mpl.use("Agg")
RNG = np.random.default_rng(3)
Y = RNG.integers(0, 2, 60)
MODELS = {f"m{i}": (1 / (1 + np.exp(-(RNG.normal(size=60) + Y)))).round(3) for i in range(12)}


@pytest.mark.parametrize("kind", ["roc", "pr", "calibration", "gains", "det"])
def test_twelve_models_look_different(kind: str) -> None:
    found: Any = rs.evaluate(Y, MODELS, measures=["auc"])
    shown = found.plot(kind=kind)
    looks = {(line.get_color(), str(line._unscaled_dash_pattern)) for line in (each.line_ for each in shown)}
    assert len(shown) == len(looks) == 12
    assert len({each.ax_ for each in shown}) == 1
    neighbours = pairwise(shown)
    assert all(str(a.line_._unscaled_dash_pattern) != str(b.line_._unscaled_dash_pattern) for a, b in neighbours)
    names = [text.get_text() for text in shown.ax_.get_legend().get_texts()]
    assert sum(name.split(" ")[0] in MODELS for name in names) == 12
    plt.close("all")


def test_a_forest_of_many_models_shows_differences_to_the_best() -> None:
    compared = rs.evaluate(Y, MODELS, measures=["auc"]).compare()
    assert len(compared.pairs) == 66
    shown = compared.plot()
    best = max(compared.estimates, key=lambda model: compared.estimates[model].estimate)
    names = [text.get_text() for text in shown.ax_.get_yticklabels()]
    assert len(names) == 11
    assert all(best in name.split(" - ") for name in names)
    assert f"to {best}, the best" in shown.ax_.get_xlabel().replace("\n", " ")
    assert shown.figure_.get_size_inches()[1] < 6
    few = rs.evaluate(Y, {name: MODELS[name] for name in list(MODELS)[:4]}, measures=["auc"]).compare().plot()
    assert len(few.ax_.get_yticklabels()) == 6
    plt.close("all")


def test_calibration_of_many_models_is_drawn_without_limits() -> None:
    shown = rs.evaluate(Y, MODELS, measures=["auc"]).plot("calibration")
    assert not any(each.limits_.get_visible() for each in shown)
    few = rs.evaluate(Y, {name: MODELS[name] for name in list(MODELS)[:2]}, measures=["auc"]).plot("calibration")
    assert all(each.limits_.get_visible() for each in few)
    plt.close("all")
