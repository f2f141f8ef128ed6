"""Expected loss of a classifier whose threshold follows the costs, over a Beta distribution of their shares."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, is_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

N_NODES = 16
LEAST_CONSTANT = 1e-100
LEAST = 1e-6  # of alpha and beta: below, all costs are next to 0 or 1, and digits cancel


def check_beta(alpha: Any, beta: Any) -> None:
    """Refuse what is no Beta distribution, or one whose digits would be lost."""
    if not all(is_number(each) and LEAST <= each < np.inf for each in (alpha, beta)):
        text = f"alpha and beta must be above 0, {LEAST} or more, got {alpha!r} and {beta!r}"
        raise ArgumentError("beta_parameters", text)


def saved_share(gained: Array, paid: Array, alpha: float, beta: float) -> float:
    """Loss that a hull of these segments saves over calling all or nothing positive, as a share of what perfect saves.

    A segment is worth taking for cost shares below s = gained / (gained + paid). As a function of c the loss of
    the hull has its kinks at these s, the loss without scores at the prevalence; integrating twice by parts
    leaves, for each segment, its length times the integral of (s - c) u(c) dc from the prevalence to s. None of
    these is negative, so nothing cancels. The two segments of a perfect ranking are taken along as the last ones.
    """
    all_gained, all_paid = gained.sum(), paid.sum()
    gained, paid = np.append(gained, [all_gained, 0.0]), np.append(paid, [0.0, all_paid])
    length, total = gained + paid, all_gained + all_paid
    apart = (gained * all_paid - paid * all_gained) / (length * total)
    saved = length * _first_moments(all_gained / total, gained / length, apart, alpha, beta)
    most = saved[-2:].sum()
    if not 0 < most < np.inf:
        text = "alpha and beta leave no cost at which scores could save what a double can hold: take smaller ones"
        raise ArgumentError("beta_parameters", text)
    return float(saved[:-2].sum() / most)


def saved_shares(gained: Array, paid: Array, of: NDArray[np.int64], n_hulls: int) -> Array:
    """The same of many hulls with Beta(2, 2); ``of`` tells the hull of each segment."""
    gains, pays = (np.bincount(of, side, n_hulls) for side in (gained, paid))
    flip = gains > pays  # as for one, seen from the side on which no share is close to 1
    gains, pays = np.where(flip, pays, gains), np.where(flip, gains, pays)
    gained, paid = np.where(flip[of], paid, gained), np.where(flip[of], gained, paid)
    of = np.concatenate([of, np.arange(n_hulls), np.arange(n_hulls)])
    gained, paid = np.concatenate([gained, gains, 0 * gains]), np.concatenate([paid, 0 * pays, pays])
    length, total = gained + paid, (gains + pays)[of]
    apart = (gained * pays[of] - paid * gains[of]) / (length * total)
    saved = length * _first_moments((gains / (gains + pays))[of], gained / length, apart, 2.0, 2.0)
    perfect = saved[-2 * n_hulls : -n_hulls] + saved[-n_hulls:]
    shares: Array = np.bincount(of[: -2 * n_hulls], saved[: -2 * n_hulls], n_hulls) / perfect
    return shares


def _first_moments(start: Any, ends: Array, apart: Array, alpha: float, beta: float) -> Any:
    """Integral of (end - c) u(c) dc from start to each end, ``apart`` from it: a difference, or nodes if near."""

    def mass(a: float, b: float) -> Any:
        return _share_below(a, b, ends) - _share_below(a, b, start)

    far = ends * mass(alpha, beta) - alpha / (alpha + beta) * mass(alpha + 1, beta)
    near = np.abs(apart) < np.minimum(start, 1 - start) / 2
    nodes, weights = _nodes()
    costs = np.reshape(start, (-1, 1)) + np.outer(np.where(near, apart, 0.0), nodes)
    return np.where(near, apart**2 * (_density(costs, alpha, beta) @ weights), far)


def _share_below(a: float, b: float, costs: Any) -> Any:
    """Of the Beta distribution; by hand for the usual one, whose polynomials need no import."""
    if (a, b) == (2, 2):
        return costs**2 * (3 - 2 * costs)
    if (a, b) == (3, 2):
        return costs**3 * (4 - 3 * costs)
    from scipy.special import betainc

    return betainc(a, b, costs)


def _density(costs: Array, alpha: float, beta: float) -> Any:
    """Of the Beta distribution; by logarithms where its constant is no double."""
    if (alpha, beta) == (2, 2):
        return 6 * costs * (1 - costs)
    from scipy.special import beta as beta_function
    from scipy.special import betaln

    constant = beta_function(alpha, beta)
    if constant > LEAST_CONSTANT:
        return costs ** (alpha - 1) * (1 - costs) ** (beta - 1) / constant
    return np.exp((alpha - 1) * np.log(costs) + (beta - 1) * np.log1p(-costs) - betaln(alpha, beta))


@cache
def _nodes() -> tuple[Array, Array]:
    """Nodes t and weights of the integral of (1 - t) f(t) over 0 to 1, found once: that takes longer than all else."""
    nodes, weights = np.polynomial.legendre.leggauss(N_NODES)
    return (1 + nodes) / 2, weights * (1 - nodes) / 4
