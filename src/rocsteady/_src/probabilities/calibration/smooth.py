"""Distance of the scores from a smooth calibration curve: Cleveland's local lines, as R's lowess draws them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.base.errors import InputError, short
from rocsteady._src.base.repeat_counts import repeat_by
from rocsteady._src.base.text import format_count
from rocsteady._src.measures.probability import probabilities_of
from rocsteady._src.ranked.takes_ranked import takes_ranked
from rocsteady._src.results import SmoothCalibrationError
from rocsteady._src.results.base import facts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores

    Array = NDArray[np.float64]

SHARE, SKIPPED = 2 / 3, 0.01
NEAR, FAR = 0.001, 0.999

MOST_ROWS = 100_000_000


@takes_ranked
def smooth_calibration_error(ranked: RankedScores) -> SmoothCalibrationError:
    """Mean, 90% quantile and largest distance between the scores and a smooth curve of what happened.

    The curve is a local line through two thirds of the rows (lowess without robustness steps), the distances those that
    ``rms::val.prob`` calls Eavg, E90 and Emax. No bins, but the width of the smoother decides: sharp bends go unseen,
    and the ends are uncertain. O(100 n).

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`; scores are probabilities, weights whole numbers of rows.

    Returns
    -------
    SmoothCalibrationError

    References
    ----------
    Cleveland (1979), Journal of the American Statistical Association 74:829-836.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, p = [0, 0, 0, 1, 0, 1, 0, 1, 1, 1], [0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.95]
    >>> print(rs.calibration.smooth_calibration_error(y, p))
    distance from the smooth curve: mean 0.0748, 90% below 0.1529, largest 0.1713
    """
    rows, outcomes = one_by_one(ranked, "smooth_calibration_error")
    distances = np.abs(rows - lowess(rows, outcomes))
    return SmoothCalibrationError(
        mean=float(distances.mean()),
        p90=float(np.quantile(distances, 0.9)),
        largest=float(distances.max()),
        **facts_of(ranked),
    )


def one_by_one(ranked: RankedScores, name: str) -> tuple[Array, Array]:
    """Score and outcome of every row, by rising score."""
    scores = probabilities_of(ranked, name)
    if not ranked.exact or not scores.size:
        raise InputError("weights", "the smoother counts rows: there must be some, and weights must be whole numbers")
    counts = ranked.pos + ranked.neg
    if float(ranked.n_rows_counted) > MOST_ROWS:
        text = (
            f"the smoother takes row by row, {format_count(MOST_ROWS)} at most; these weights count "
            f"{short(counts.sum())}"
        )
        raise InputError("too_many_rows", f"{text}: rescale them")
    outcomes = repeat_by(np.tile([1.0, 0.0], scores.size), np.stack([ranked.pos, ranked.neg], axis=1).ravel())
    return repeat_by(scores, counts), outcomes


def lowess(x: Array, y: Array) -> Array:
    """Local lines at points of increasing x at least a hundredth of the range apart; straight lines in between."""
    fitted, known = np.empty(x.size), -1
    for at, first, weights in local_lines(x):
        fitted[at] = float(weights @ y[first : first + weights.size])
        if known < at - 1:
            between = slice(known + 1, at)
            share = (x[between] - x[known]) / (x[at] - x[known])
            fitted[between] = share * fitted[at] + (1 - share) * fitted[known]
        known = int(x.searchsorted(x[at], side="right")) - 1
        fitted[at : known + 1] = fitted[at]
    return fitted


def local_lines(x: Array) -> Iterator[tuple[int, int, Array]]:
    """Where lowess fits a line: the place, the first of its neighbours, and what each neighbour's outcome counts."""
    n = x.size
    n_near = min(max(int(SHARE * n + 1e-7), 2), n)
    step = SKIPPED * (x[-1] - x[0])
    known, left, at = -1, 0, 0
    while known < n - 1:
        while left + n_near < n and x[at] - x[left] > x[left + n_near] - x[at]:
            left += 1
        yield at, left, _local_weights(x, at, left, left + n_near - 1)
        known = int(x.searchsorted(x[at], side="right")) - 1
        beyond = int(x.searchsorted(x[at] + step, side="right"))
        at = max(known + 1, beyond - 1)


def _local_weights(x: Array, at: int, left: int, right: int) -> Array:
    """Of the line through neighbours, weighted by tricubes of their distance, at one of them."""
    reach = max(x[at] - x[left], x[right] - x[at])
    stop = int(x.searchsorted(x[at] + FAR * reach, side="right"))
    gaps = np.abs(x[left:stop] - x[at])
    weights = np.where(gaps <= NEAR * reach, 1.0, (1 - (gaps / reach) ** 3) ** 3) if reach > 0 else np.ones(gaps.size)
    weights[gaps > FAR * reach] = 0.0
    weights /= weights.sum()
    if reach > 0:
        centre = weights @ x[left:stop]
        spread = weights @ (x[left:stop] - centre) ** 2
        if np.sqrt(spread) > NEAR * (x[-1] - x[0]):
            weights *= (x[at] - centre) / spread * (x[left:stop] - centre) + 1
    found: Array = weights
    return found
