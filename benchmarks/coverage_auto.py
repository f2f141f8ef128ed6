"""The test that "auto" takes, where nothing was used to choose it; its power; and intervals that hold together."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtri

from benchmarks.coverage_kit import Setting, coverage, model_rows, size, stream, table
from benchmarks.coverage_tests import ALPHA, MARGIN, holds_difference, rejects
from rocsteady.comparison.automatic import chosen_method
from rocsteady.comparison.pairs import pair_of
from rocsteady.comparison.simultaneous import each_level
from rocsteady.comparison.spread import areas_of
from rocsteady.uncertainty.components import Area
from rocsteady.uncertainty.normal import p_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.coverage_kit import Effort

    Scores = Any

OTHER_SIZES = ((6, 54), (8, 12), (15, 135), (20, 480), (30, 70), (300, 60))
OTHER_AUCS = (0.6, 0.8, 0.95)
OTHER_SHAPES = ((0.3, 1.0), (0.8, 1.0), (0.5, 2.0))
BOTH = ("delong", "auto")
POWER = (
    (10, 40, 0.7, 0.9),
    (25, 25, 0.7, 0.85),
    (40, 160, 0.7, 0.8),
    (40, 160, 0.9, 0.95),
    (100, 100, 0.8, 0.87),
    (100, 100, 0.95, 0.98),
    (50, 950, 0.7, 0.78),
    (50, 950, 0.95, 0.98),
)
TOGETHER = ((10, 190, 3), (25, 25, 3), (40, 160, 3), (40, 160, 6), (100, 100, 6))


def drawn(
    rng: np.random.Generator, repeats: int, sizes: tuple[int, int], aucs: tuple[float, ...], shape: tuple[float, float]
) -> Iterator[Scores]:
    """Models on the same rows with these AUCs: correlation of the scores, standard deviation of positives."""
    alike, sd = shape
    y = np.repeat([1.0, 0.0], sizes)
    spread = np.where(y == 1, sd, 1.0)
    gaps = np.array([math.sqrt(1 + sd**2) * float(ndtri(area)) for area in aucs])[:, None] * y
    for _ in range(repeats):
        shared, own = rng.standard_normal(y.size), rng.standard_normal((len(aucs), y.size))
        yield spread * (math.sqrt(alike) * shared + math.sqrt(1 - alike) * own) + gaps


def other_table(effort: Effort) -> str:
    """Size of the test of no difference and of non-inferiority, and coverage of a difference of 0.05."""
    rows = []
    for sizes in OTHER_SIZES:
        for area in OTHER_AUCS:
            for shape in OTHER_SHAPES:
                found = _measured(sizes, area, shape, effort.analytic)
                shown = [f(value) for f, both in zip((size, size, coverage), found, strict=True) for value in both]
                rows.append([sum(sizes), sizes[0], area, f"{shape[0]:g}", f"{shape[1]:g}", *shown])
    kinds = ("no difference", "non-inferiority", "difference held")
    head = ["n", "positives", "AUC", "correlation", "sd of positives"]
    return table([*head, *(f"{kind}, {method}" for kind in kinds for method in BOTH)], rows)


def _measured(sizes: tuple[int, int], area: float, shape: tuple[float, float], repeats: int) -> Any:
    hits = np.zeros((3, 2))
    rng = stream("other", sizes, area, shape)
    for equal in drawn(rng, repeats, sizes, (area, area), shape):
        pair = pair_of(areas_of(model_rows(equal, sizes[0]), Area()), (0, 1))
        hits[0] += [rejects(pair, method, "two-sided") for method in BOTH]
    for worse in drawn(rng, repeats, sizes, (area - MARGIN, area), shape):
        pair = pair_of(areas_of(model_rows(worse, sizes[0]), Area()), (0, 1))
        hits[1] += [rejects(pair, method, "non-inferiority", MARGIN) for method in BOTH]
        hits[2] += [holds_difference(pair, method, -MARGIN) for method in BOTH]
    return (hits / repeats).tolist()


def power_table(effort: Effort) -> str:
    """How often a real difference is found."""
    rows = []
    for n_pos, n_neg, one, two in POWER:
        hits = np.zeros(2)
        for scores in drawn(stream("power", n_pos, n_neg, one), effort.analytic, (n_pos, n_neg), (two, one), (0.5, 1)):
            pair = pair_of(areas_of(model_rows(scores, n_pos), Area()), (0, 1))
            hits += [rejects(pair, method, "two-sided") for method in BOTH]
        rows.append([n_pos + n_neg, n_pos, f"{one} and {two}", *(f"{hit / effort.analytic:.1%}" for hit in hits)])
    return table(["n", "positives", "AUCs", *BOTH], rows)


def together_table(effort: Effort) -> str:
    """How often the intervals of all pairs hold their differences, all of them."""
    rows, repeats = [], max(effort.analytic // 4, 10)
    for n_pos, n_neg, n_models in TOGETHER:
        for area in (0.7, 0.9):
            setting, hits = Setting(n_pos, n_neg, area), np.zeros(2)
            for scores in setting.models(stream("together", setting, n_models), repeats, n_models):
                found = areas_of(model_rows(scores, n_pos), Area())
                pairs = list(combinations(range(n_models), 2))
                levels = (1 - ALPHA, each_level(found.covariance, pairs, 1 - ALPHA))
                smallest = min(_pvalue(found, pair) for pair in pairs)
                hits += [smallest > 1 - level for level in levels]
            rows.append([n_pos + n_neg, n_pos, n_models, area, *(coverage(hit / repeats) for hit in hits)])
    return table(["n", "positives", "models", "AUC", "separate", "simultaneous"], rows)


def _pvalue(found: Any, which: tuple[int, int]) -> float:
    pair = pair_of(found, which)
    difference = pair.difference(chosen_method(pair.areas, pair.sizes, "two-sided"))
    return p_value(difference.statistic(0.0), df=difference.df)
