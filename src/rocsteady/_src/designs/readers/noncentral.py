"""The t distribution of a test whose hypothesis is wrong, to the last digits: scipy 1.13 gives six of them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

FAR = 1e3  # beyond it the sums are long, and scipy's own digits are enough


def noncentral_t_sf(t: float, df: float, away: float) -> float:
    """Probability of a value above ``t``: sums of Poisson's weights times incomplete betas (Lenth 1989, AS 243).

    Examples
    --------
    >>> from scipy.special import stdtr
    >>> bool(abs(noncentral_t_sf(1.5, 7.0, 0.0) - (1 - stdtr(7.0, 1.5))) < 1e-15)
    True
    """
    from scipy.special import betainc, gammaln, nctdtr, ndtr, xlogy

    if abs(away) > FAR:
        return float(1 - nctdtr(df, away, t))
    if t < 0:
        return 1 - noncentral_t_sf(-t, df, -away)
    terms, half, x = _terms(away), away * away / 2, t * t / (t * t + df)
    logs = xlogy(terms, half)
    even = np.exp(logs - half - gammaln(terms + 1)) * betainc(terms + 0.5, df / 2, x)
    odd = away / math.sqrt(2) * np.exp(logs - half - gammaln(terms + 1.5)) * betainc(terms + 1, df / 2, x)
    return float(ndtr(away) - (even.sum() + odd.sum()) / 2)


def noncentral_t_beyond(t: float, df: float, away: float) -> float:
    """Probability of a value above ``t`` or below ``-t``."""
    return noncentral_t_sf(t, df, away) + noncentral_t_sf(t, df, -away)


def _terms(away: float) -> NDArray[np.float64]:
    """Those of Poisson's weights that count in a double."""
    middle = away * away / 2
    reach = 12 * math.sqrt(middle) + 60
    return np.arange(max(0.0, math.floor(middle - reach)), math.ceil(middle + reach) + 1)
