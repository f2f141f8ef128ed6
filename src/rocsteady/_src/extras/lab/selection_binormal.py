"""The binormal simulation: one sample with its granular curves, and what redraws of it look like."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, quietly
from rocsteady._src.base.typed import typed
from rocsteady._src.measures.granular import Definition, areas_of
from rocsteady._src.measures.granular_curves import granular_roc
from rocsteady._src.measures.granularity.consistent import Shifter
from rocsteady._src.ranked import rank
from rocsteady._src.results import BinormalSimulation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores

GRID = 201


@typed
def simulate_binormal(
    n_pos: int = 2000,
    n_neg: int = 2000,
    *,
    means: tuple[float, float] = (0.65, 0.45),
    sds: tuple[float, float] = (0.2, 0.2),
    delta: float = 0.02,
    definition: Definition = "consistent",
    n_redraws: int = 100,
    random_state: int = 0,
) -> BinormalSimulation:
    """Draw normal scores of both classes again and again, and compare the granular band with what redraws do.

    Parameters
    ----------
    n_pos, n_neg : int
        Rows of each class; 2000 each as in the granular ROC paper.
    means, sds : pair of float
        Of positives and negatives: N(0.65, 0.2^2) and N(0.45, 0.2^2), whose true AUC is 0.7602.
    delta : float
        Granularity of the low and up curves.
    definition : {"consistent", "dong2013"}
        As in :func:`rocsteady.granular_roc`. The paper's polygons may go back; to say whether they hold a curve they
        are made to rise.
    n_redraws : int
        Samples besides the first.
    random_state : int
        Seed.

    Returns
    -------
    BinormalSimulation
        ``plot()`` draws the true curve, and the first sample with its band, over the curves of the redraws.

    Examples
    --------
    >>> from rocsteady.lab import simulate_binormal
    >>> found = simulate_binormal(n_redraws=20)
    >>> round(found.true_auc, 4), found.auc.size, bool(abs(found.auc.mean() - found.true_auc) < 0.01)
    (0.7602, 20, True)
    """
    if min(n_pos, n_neg, n_redraws) < 1 or not min(sds) > 0:
        text = (
            f"n_pos, n_neg and n_redraws must be at least 1 and sds above 0; got {n_pos}, {n_neg}, {n_redraws}, {sds}"
        )
        raise ArgumentError("simulate_binormal", text)
    rng = np.random.default_rng(random_state)
    labels = np.repeat([1, 0], [n_pos, n_neg])

    def draw() -> RankedScores:
        positives, negatives = rng.normal(means[0], sds[0], n_pos), rng.normal(means[1], sds[1], n_neg)
        return rank(labels, np.concatenate([positives, negatives]))

    with quietly():  # of the paper's definition the result says it once
        sample = granular_roc(draw(), delta=delta, definition=definition)
    grid = np.linspace(0, 1, GRID)
    found, curves = np.empty((3, n_redraws)), np.empty((n_redraws, GRID))
    true_curve, inside = _true_curve(means, sds, grid), np.empty(n_redraws, dtype=bool)
    for place in range(n_redraws):
        ranked = draw()
        areas = areas_of(ranked, definition, "exact")
        found[:, place] = areas.auc, areas.low(delta), areas.up(delta)
        curves[place] = _heights(ranked, grid)
        sides = _shifted(ranked, delta, grid) if isinstance(areas, Shifter) else _windows(areas, delta, grid)
        inside[place] = bool(((sides[0] <= true_curve) & (true_curve <= sides[1]))[1:-1].all())
    truth = _true_auc(means, sds)
    holds = (found[1] <= truth) & (truth <= found[2])
    return BinormalSimulation(
        sample=sample,
        delta=delta,
        true_auc=truth,
        auc=found[0],
        low_auc=found[1],
        up_auc=found[2],
        fpr=grid,
        tpr=curves,
        coverage=float(holds.mean()),
        curve_coverage=float(inside.mean()),
        seed=random_state,
        true_tpr=true_curve,
    )


def _true_auc(means: tuple[float, float], sds: tuple[float, float]) -> float:
    """Phi((mu+ - mu-) / sqrt(sd+^2 + sd-^2))."""
    return 0.5 * math.erfc(-(means[0] - means[1]) / math.hypot(*sds) / math.sqrt(2))


def _true_curve(means: tuple[float, float], sds: tuple[float, float], grid: NDArray[np.float64]) -> Any:
    """The ROC curve of the model: Phi((mu+ - mu- + sd- Phi^-1(FPR)) / sd+)."""
    from scipy.special import ndtr, ndtri

    return ndtr((means[0] - means[1] + sds[1] * ndtri(grid)) / sds[0])


def _shifted(ranked: RankedScores, delta: float, grid: NDArray[np.float64]) -> list[Any]:
    """The curves after lowering and after raising all positives by delta."""
    labels = np.repeat([1, 0], ranked.scores.size)
    weights = np.concatenate([ranked.pos, ranked.neg])
    return [
        _heights(rank(labels, np.concatenate([ranked.scores + shift, ranked.scores]), sample_weight=weights), grid)
        for shift in (-delta, delta)
    ]


def _windows(areas: Any, delta: float, grid: NDArray[np.float64]) -> list[Any]:
    """The paper's low and up polygons, made to rise."""
    rising = [[np.maximum.accumulate(axis) for axis in polygon] for polygon in areas.curves(delta)]
    return [np.interp(grid, x, y) for x, y in rising]


def _heights(ranked: RankedScores, grid: NDArray[np.float64]) -> Any:
    """The empirical curve over a grid of false positive rates; the upper end of a jump."""
    tp, fp = ranked.called_positive
    return tp[np.searchsorted(fp, np.floor(grid * ranked.n_neg + 1e-9), side="right") - 1] / ranked.n_pos
