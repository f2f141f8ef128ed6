"""The calibration belt (GiViTI): a polynomial of the logit whose degree the rows choose, its test and its region."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocsteady._src.probabilities.calibration.logistic import LogisticFit
from rocsteady._src.probabilities.calibration.terms import (
    LogitCurve,
    fit_terms,
    log_likelihood,
    logits_of,
    power_terms,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores

    Array = NDArray[Any]

MOST_DEGREE, KEPT_AT = 4, 0.95  # a further power is kept where its likelihood ratio is beyond this quantile


class Belt(NamedTuple):
    """The curve, its degree, the statistic of the test against the scores as they are, and how it was begun."""

    curve: LogitCurve
    degree: int
    statistic: float
    external: bool

    @property
    def steps(self) -> int:
        """How many powers were kept because their likelihood ratio was large."""
        return self.degree - _first_degree(external=self.external)

    @property
    def pvalue(self) -> float:
        """Of the statistic, given the degree."""
        return beyond(self.statistic, self.steps, external=self.external)

    def reach(self, level: float) -> float:
        """Standard errors to the edge of the region of all curves that the test would not reject.

        So far as the likelihood is a parabola; givitiR follows the likelihood itself.
        """
        from scipy.optimize import brentq

        def missed(t: float) -> float:
            return beyond(t, self.steps, external=self.external) - (1 - level)

        return math.sqrt(float(brentq(missed, 0.0, 400.0, xtol=1e-10)))


def fit_belt(ranked: RankedScores, *, external: bool) -> Belt | None:
    """Powers are added while each improves the fit beyond chance; None where nothing finite fits.

    On rows that made the model, its line fits by construction: there the search begins with the square.
    """
    pos = ranked.pos.astype(np.float64)
    rows = pos + ranked.neg
    as_is = log_likelihood(logits_of(ranked.doubles), pos, rows)
    degree = _first_degree(external=external)
    kept = _fit(ranked, degree)
    if not kept.converged:
        return None
    while degree < MOST_DEGREE:
        wider = _fit(ranked, degree + 1)
        if not wider.converged or 2 * (wider.log_likelihood - kept.log_likelihood) <= _edge():
            break
        kept, degree = wider, degree + 1
    statistic = max(2 * (kept.log_likelihood - as_is), 0.0)
    return Belt(LogitCurve(power_terms(degree), kept), degree, statistic, external)


def _first_degree(*, external: bool) -> int:
    return 1 if external else 2


def fewest_scores(*, external: bool) -> int:
    """How many different scores the first curve needs: one more than would let it go through all shares."""
    return _first_degree(external=external) + 2


def _fit(ranked: RankedScores, degree: int) -> LogisticFit:
    enough = ranked.scores.size > degree + 1
    return fit_terms(ranked, power_terms(degree)) if enough else LogisticFit(np.empty(0), np.empty(0), converged=False)


def _edge() -> float:
    from scipy.special import chdtri

    return float(chdtri(1, 1 - KEPT_AT))


def beyond(t: float, steps: int, *, external: bool) -> float:
    """The chance that calibrated scores show a statistic above t, given that so many powers were kept.

    A chi-square of 2 degrees (1 on rows that made the model) plus, for each power that was kept, one of 1 degree that
    is known to lie beyond the edge.
    """
    from scipy.integrate import quad
    from scipy.special import chdtrc, ndtr

    if steps == 0:
        return float(chdtrc(2 if external else 1, max(t, 0.0)))
    edge = _edge()
    if t <= steps * edge:
        return 1.0
    most = t - (steps - 1) * edge  # of one such chi-square while the others can still stay below t

    def density(u: float) -> float:  # u is the root of the chi-square: twice a normal density
        return 2 * math.exp(-u * u / 2) / math.sqrt(2 * math.pi) * beyond(t - u * u, steps - 1, external=external)

    inner = quad(density, math.sqrt(edge), math.sqrt(most), epsabs=1e-10, epsrel=1e-9)[0]
    return float((inner + 2 * ndtr(-math.sqrt(most))) / (1 - KEPT_AT))
