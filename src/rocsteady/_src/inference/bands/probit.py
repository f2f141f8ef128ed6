"""The likelihood of the binormal ROC model over ordered categories, and its maximum.

The latent scores are N(0, 1) for negatives and N(a/b, 1/b) for positives; category k lies between the cuts
z[k-1] and z[k]. For given a and b the likelihood is concave in the cuts, each of which meets only its two
neighbours, so a Newton step costs O(number of categories).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

MOST_STEPS = 200
# Half the squared Newton decrement is the likelihood still to be gained: here 1e-6 standard errors.
NEARLY_THERE = 1e-12


@dataclass(frozen=True, slots=True)
class Maximum:
    """Where the iterations ended; ``information`` is that of (a, b) after the cuts were maximised out."""

    a: float
    b: float
    log_likelihood: float
    information: NDArray[np.float64]
    converged: bool
    n_iterations: int


@dataclass(frozen=True, slots=True)
class _ClassTerms:
    """Log-likelihood of one class with gradient and (tridiagonal) Hessian by its own cuts."""

    value: float
    slope: Array
    diagonal: Array
    beside: Array

    def times(self, vector: Array) -> Array:
        """Hessian times a vector."""
        product = self.diagonal * vector
        product[:-1] += self.beside * vector[1:]
        product[1:] += self.beside * vector[:-1]
        return product


@dataclass(frozen=True, slots=True)
class _Newton:
    """Direction of ascent, the likelihood it promises (twice), and the information of (a, b)."""

    cuts: Array
    pair: Array
    decrement: float
    information: Array
    definite: bool


def maximise(pos: Array, neg: Array) -> Maximum:
    """Climb by damped Newton steps from the fit of normal scores."""
    cuts, a, b = _start(pos, neg)
    value, step = -np.inf, None
    for iteration in range(1, MOST_STEPS + 1):
        positive, negative = _terms(pos, b * cuts - a), _terms(neg, cuts)
        value, step = positive.value + negative.value, _newton_step(positive, negative, cuts, b)
        if step.definite and step.decrement < NEARLY_THERE:
            return Maximum(a, b, value, step.information, converged=True, n_iterations=iteration)
        length = _step_length(pos, neg, (cuts, a, b), value, step)
        if not length:
            break
        cuts, a, b = cuts + length * step.cuts, a + length * step.pair[0], b + length * step.pair[1]
    assert step is not None  # noqa: S101  the loop runs at least once
    return Maximum(a, b, value, step.information, converged=False, n_iterations=iteration)


def log_likelihood(pos: Array, neg: Array, cuts: Array, a: float, b: float) -> float:
    """Log-likelihood without the multinomial constant."""
    return _terms(pos, b * cuts - a).value + _terms(neg, cuts).value


def _start(pos: Array, neg: Array) -> tuple[Array, float, float]:
    """Cuts at the normal scores of all rows together, moments of each class on that scale."""
    from scipy.special import ndtri

    both = pos + neg
    through = both.cumsum()
    middle = ndtri(np.clip((through - both / 2) / through[-1], 1e-12, 1 - 1e-12))
    (mean_pos, sd_pos), (mean_neg, sd_neg) = (_moments(weights, middle) for weights in (pos, neg))
    cuts = (ndtri(through[:-1] / through[-1]) - mean_neg) / sd_neg
    return cuts, (mean_pos - mean_neg) / sd_pos, sd_neg / sd_pos


def _moments(weights: Array, values: Array) -> tuple[float, float]:
    mean = float(weights @ values / weights.sum())
    spread = float(np.sqrt(weights @ (values - mean) ** 2 / weights.sum()))
    return mean, max(spread, 0.1)


def _terms(counts: Array, cuts: Array) -> _ClassTerms:
    low, high = np.concatenate([[-np.inf], cuts]), np.concatenate([cuts, [np.inf]])
    log_share = _log_share(low, high)
    density = -(cuts**2) / 2 - np.log(2 * np.pi) / 2
    from_below, from_above = np.exp(density - log_share[:-1]), np.exp(density - log_share[1:])
    below, above = counts[:-1], counts[1:]
    return _ClassTerms(
        value=float(counts @ log_share),
        slope=below * from_below - above * from_above,
        diagonal=-below * from_below * (cuts + from_below) + above * from_above * (cuts - from_above),
        beside=counts[1:-1] * from_below[1:] * from_above[:-1],
    )


def _log_share(low: Array, high: Array) -> Array:
    """log(Phi(high) - Phi(low)), from the side where the tail is small."""
    from scipy.special import log_ndtr

    flip = low > 0
    low, high = np.where(flip, -high, low), np.where(flip, -low, high)
    top = log_ndtr(high)
    with np.errstate(divide="ignore"):
        share: Array = top + np.log(-np.expm1(log_ndtr(low) - top))
    return share


def _newton_step(positive: _ClassTerms, negative: _ClassTerms, cuts: Array, b: float) -> _Newton:
    """Solve the tridiagonal block of the cuts, then the two equations that are left for a and b."""
    from scipy.linalg import solveh_banded

    by_a, by_b = positive.times(np.ones_like(cuts)), positive.times(cuts)
    gradient = b * positive.slope + negative.slope
    pair_gradient = np.array([-positive.slope.sum(), positive.slope @ cuts])
    border = np.stack([-b * by_a, b * by_b + positive.slope], axis=1)
    corner = np.array([[by_a.sum(), -by_b.sum()], [-by_b.sum(), cuts @ by_b]])
    banded = np.zeros((2, cuts.size))
    banded[1] = -(b**2 * positive.diagonal + negative.diagonal)
    banded[0, 1:] = -(b**2 * positive.beside + negative.beside)
    solved = solveh_banded(banded, np.column_stack([gradient, border]))
    information = -corner - border.T @ solved[:, 1:]
    ascent = pair_gradient + border.T @ solved[:, 0]
    pair, definite = _solve_pair(information, ascent)
    moves = solved[:, 0] + solved[:, 1:] @ pair
    return _Newton(moves, pair, float(gradient @ solved[:, 0] + ascent @ pair), information, definite)


def _solve_pair(information: Array, ascent: Array) -> tuple[Array, bool]:
    """Where the surface is not concave, climb by the size of its curvature."""
    values, vectors = np.linalg.eigh(information)
    sizes = np.maximum(np.abs(values), 1e-10 * max(np.abs(values).max(), 1e-300))
    return vectors @ ((vectors.T @ ascent) / sizes), bool(values[0] > 0)


def _step_length(pos: Array, neg: Array, place: tuple[Array, float, float], value: float, step: _Newton) -> float:
    """Halve until the cuts stay in order, b stays positive and the likelihood rises as promised."""
    cuts, a, b = place
    length = 1.0
    for _ in range(50):
        new_cuts, new_b = cuts + length * step.cuts, b + length * step.pair[1]
        if new_b > 0 and (np.diff(new_cuts) > 0).all():
            new = log_likelihood(pos, neg, new_cuts, a + length * step.pair[0], new_b)
            # Near the top the rise is smaller than the rounding of the likelihood itself.
            if new >= value + 1e-4 * length * step.decrement - 1e-13 * abs(value):
                return length
        length /= 2
    return 0.0


def collapse(pos: NDArray[Any], neg: NDArray[Any]) -> tuple[Array, Array]:
    """Categories between which the truth changes: neighbours that hold one and the same class only are one.

    Inside such a run the best cuts share its probability as the counts are shared, whatever a and b, so that
    the likelihood changes by a constant and neither the estimates nor their information change.

    Examples
    --------
    >>> [part.tolist() for part in collapse(np.array([0, 0, 1, 2, 3]), np.array([2, 1, 1, 0, 0]))]
    [[0.0, 1.0, 5.0], [3.0, 1.0, 0.0]]
    """
    kind = (pos > 0) + 2 * (neg > 0)
    new = np.concatenate([[True], (kind[1:] != kind[:-1]) | (kind[1:] == 3)])
    starts = np.flatnonzero(new)
    return np.add.reduceat(pos, starts).astype(np.float64), np.add.reduceat(neg, starts).astype(np.float64)
