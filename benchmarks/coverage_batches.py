"""AUC, DeLong's variance and all formulas of many samples at once; ties count one half."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.coverage_kit import LEVEL, Z, rank_scores
from rocsteady._src.inference.intervals.areas import area_interval
from rocsteady._src.inference.intervals.formulas import hanley_mcneil_variance, logit_ends, newcombe_ends
from rocsteady._src.inference.units.components import Area

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores

    Array = NDArray[np.float64]
    Ends = dict[str, tuple[float, float]]

BATCH = 1_000_000  # scores held at once
METHODS = ("auto", "delong", "logit", "newcombe", "hanley-mcneil")


def areas_and_variances(pos: Array, neg: Array) -> tuple[Array, Array]:
    """A sample in each line: its AUC, and DeLong's variance of it."""
    (m, n), count = (pos.shape[1], neg.shape[1]), len(pos)
    scores = np.concatenate([pos, neg], axis=1)
    order = scores.argsort(axis=1)
    ranked, is_pos = np.take_along_axis(scores, order, axis=1), order < m
    new = np.concatenate([np.ones((count, 1), dtype=bool), ranked[:, 1:] != ranked[:, :-1]], axis=1)
    places = np.arange(m + n)
    first = np.maximum.accumulate(np.where(new, places, 0), axis=1)
    ends = np.concatenate([new[:, 1:], np.ones((count, 1), dtype=bool)], axis=1)
    last = np.minimum.accumulate(np.where(ends, places, m + n)[:, ::-1], axis=1)[:, ::-1]
    walks = [np.concatenate([np.zeros((count, 1)), side.cumsum(axis=1)], axis=1) for side in (is_pos, ~is_pos)]
    pos_below, neg_below = (
        (np.take_along_axis(walk, first, axis=1) + np.take_along_axis(walk, last + 1, axis=1)) / 2 for walk in walks
    )
    below, above = neg_below / n, 1 - pos_below / m
    areas = (below * is_pos).sum(axis=1) / m
    squares = [
        ((value - areas[:, None]) ** 2 * side).sum(axis=1) for value, side in ((below, is_pos), (above, ~is_pos))
    ]
    return areas, squares[0] / (m - 1) / m + squares[1] / (n - 1) / n


def ends_of(area: float, variance: float, ranked: RankedScores) -> Ends:
    """Intervals by all formulas, as ``auc_interval`` makes them one by one."""
    sizes = int(ranked.n_pos), int(ranked.n_neg)
    se, rough = math.sqrt(variance), math.sqrt(hanley_mcneil_variance(area, *sizes))
    chosen = area_interval(Area(), ranked, variance, "auto", LEVEL)
    return {
        "auto": (chosen.low, chosen.high),
        "delong": (max(area - Z * se, 0.0), min(area + Z * se, 1.0)),
        "logit": logit_ends(area, se, Z),
        "newcombe": newcombe_ends(area, *sizes, Z),
        "hanley-mcneil": (max(area - Z * rough, 0.0), min(area + Z * rough, 1.0)),
    }


def measured(
    draw: Callable[[int], tuple[Array, Array]], truth: float, sizes: tuple[int, int], repeats: int
) -> tuple[dict[str, float], float]:
    """Share of samples held by each method, and the mean width of auto over that of logit where both have one."""
    held, widths = np.zeros(len(METHODS)), []
    step = max(1, BATCH // sum(sizes))
    for start in range(0, repeats, step):
        pos, neg = draw(min(step, repeats - start))
        samples = np.concatenate([pos, neg], axis=1)
        for area, variance, scores in zip(*areas_and_variances(pos, neg), samples, strict=True):
            ends = ends_of(float(area), float(variance), rank_scores(scores, sizes[0]))
            held += [low <= truth <= high for low, high in ends.values()]
            widths.append([ends[method][1] - ends[method][0] for method in ("auto", "logit")])
    both = np.array([pair for pair in widths if not math.isnan(pair[1])])
    wider = float(both[:, 0].mean() / both[:, 1].mean()) if len(both) > repeats / 2 else math.nan
    return dict(zip(METHODS, (held / repeats).tolist(), strict=True)), wider
