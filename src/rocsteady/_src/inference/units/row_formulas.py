"""Intervals without resampling for measures that are means over rows, or smooth functions of such means.

Every row adds a value to such a measure: what the measure would be if all rows were like it, to first order. Their
mean is the measure, their spread its standard error, whether rows, repeated rows, weighted rows or subjects are drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady._src.inference.intervals.normal import quantile_of
from rocsteady._src.inference.intervals.replicate_ends import moved, within
from rocsteady._src.inference.units.row_means import mean_of_groups, mean_of_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocsteady._src.inference.units.row_means import RowMean
    from rocsteady._src.ranked import RankedScores, Rows

    Array = NDArray[Any]
    Values = Callable[[Array, Array], tuple[Array, Array]]

Scale = Literal["logit", "log", "skewed"]


@dataclass(frozen=True, slots=True)
class RowFormula:
    """``values`` of a positive and of a negative at some scores, told the ranked scores first; ``scale`` of the ends.

    With ``student`` the quantile is that of Student's t with the rows of the smaller class but one as its degrees of
    freedom.
    """

    values: Callable[[RankedScores], Callable[[Array], tuple[Array, Array]]]
    scale: Scale
    student: bool = False


def _squares(ranked: RankedScores) -> Callable[[Array], tuple[Array, Array]]:
    return lambda scores: ((1 - scores) ** 2, scores**2)


def _logarithms(ranked: RankedScores) -> Callable[[Array], tuple[Array, Array]]:
    def values(scores: Array) -> tuple[Array, Array]:
        with np.errstate(divide="ignore"):
            return -np.log(np.maximum(scores, 5e-324)), -np.log1p(-np.minimum(scores, 1 - 2**-53))

    return values


def _scaled_squares(ranked: RankedScores) -> Callable[[Array], tuple[Array, Array]]:
    """1 - B / (p (1 - p)): rows move both the Brier score B and the share p of positives."""
    share, rest = (float(count / ranked.n_rows_counted) for count in (ranked.n_pos, ranked.n_neg))
    base = share * rest
    brier = mean_of_groups(ranked, _squares(ranked)).mean
    pulls = [brier * (rest - share) * part / base**2 for part in (rest, -share)]

    def values(scores: Array) -> tuple[Array, Array]:
        up, down = _squares(ranked)(scores)
        return 1 - up / base + pulls[0], 1 - down / base + pulls[1]

    return values


def _class_means(scale: float, shift: float) -> Callable[[RankedScores], Callable[[Array], tuple[Array, Array]]]:
    """Mean score of positives less that of negatives, times ``scale`` plus ``shift``."""

    def told(ranked: RankedScores) -> Callable[[Array], tuple[Array, Array]]:
        points = ranked.scores.astype(np.float64)
        means = [float(points @ side / total) for side, total in zip(*_sides(ranked), strict=True)]
        shares = [float(total / ranked.n_rows_counted) for total in _sides(ranked)[1]]
        value = scale * (means[0] - means[1]) + shift
        return lambda scores: (
            value + scale * (scores - means[0]) / shares[0],
            value - scale * (scores - means[1]) / shares[1],
        )

    return told


def _sides(ranked: RankedScores) -> tuple[tuple[Array, Array], tuple[Any, Any]]:
    return (ranked.pos, ranked.neg), (ranked.n_pos, ranked.n_neg)


def _defective(ranked: RankedScores) -> Callable[[Array], tuple[Array, Array]]:
    """Twice the share of rows with which a row makes a pair in the wrong order, less the measure itself."""
    total = float(ranked.n_rows_counted)
    wrong_pos = ranked.n_neg - ranked.neg_through + ranked.neg / 2
    wrong_neg = ranked.pos_through - ranked.pos / 2
    measure = 2 * float(ranked.pos @ wrong_pos) / (total * max(total - 1, 1))

    def values(scores: Array) -> tuple[Array, Array]:
        at = ranked.scores.searchsorted(scores)
        up, down = (2 * wrong[at] / max(total - 1, 1) - measure for wrong in (wrong_pos, wrong_neg))
        return up, down

    return values


ROW_FORMULAS = {
    "brier_score": RowFormula(_squares, "logit"),
    "log_loss": RowFormula(_logarithms, "log"),
    "scaled_brier": RowFormula(_scaled_squares, "skewed", student=True),
    "discrimination_slope": RowFormula(_class_means(1.0, 0.0), "skewed", student=True),
    "mm11_auc": RowFormula(_class_means(1.0, 0.0), "skewed", student=True),
    "mm12_auc": RowFormula(_class_means(0.5, 0.5), "skewed", student=True),
    "prob_auc": RowFormula(_class_means(0.5, 0.5), "skewed", student=True),
    "defective_pairs": RowFormula(_defective, "logit", student=True),
}
METHODS: dict[Scale, str] = {"logit": "wald on log-odds", "log": "wald on logs", "skewed": "wald, skewness corrected"}


def row_mean(formula: RowFormula, ranked: RankedScores, rows: Rows | None) -> RowMean:
    """Mean and standard error of what rows add; ``rows`` are needed for sampling weights and subjects."""
    values = formula.values(ranked)
    if rows is None:
        return mean_of_groups(ranked, values)
    up, down = values(ranked.scores.astype(np.float64))
    return mean_of_rows(np.where(rows.positive, up[rows.places[0]], down[rows.places[0]]), rows)


def row_ends(
    formula: RowFormula, found: RowMean, estimate: float, fewest: float, level: float, bounds: tuple[float, float]
) -> tuple[float, float]:
    """Ends on the scale of the formula; plain ones where the estimate lies on a bound."""
    z = quantile_of(level, df=max(fewest - 1, 1)) if formula.student else quantile_of(level)
    reach = z * found.se
    if formula.scale != "skewed":
        low, high = moved(estimate, -reach, bounds), moved(estimate, reach, bounds)
    elif found.se > 0:
        low, high = (estimate - found.se * unskewed(side * z, found.skew) for side in (1, -1))
    else:
        low = high = estimate
    return within(bounds, low, high)


def unskewed(quantile: float, skew: float) -> float:
    """The studentised value whose cubic transformation by Hall (1992), which has no skewness, is this quantile.

    Examples
    --------
    >>> unskewed(1.96, 0.0), unskewed(1.96, 0.3) < 1.96 < -unskewed(-1.96, 0.3)
    (1.96, True)
    """
    if abs(skew) < 1e-9:
        return quantile
    return float(3 / skew * (np.cbrt(1 + skew * (quantile - skew / 6)) - 1))
