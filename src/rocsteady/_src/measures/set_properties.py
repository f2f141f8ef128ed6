"""Properties of a set of scores that order alone does not tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError, refuse_one_class
from rocsteady._src.base.exact import exact_dot
from rocsteady._src.measures.pairwise.engine import points_of
from rocsteady._src.measures.registry import has_no_range
from rocsteady._src.measures.scored import score_margin, score_range
from rocsteady._src.ranked.takes_ranked import takes_ranked
from rocsteady._src.results import SetProperties
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from rocsteady._src.ranked import RankedScores


@takes_ranked
def set_properties(ranked: RankedScores) -> SetProperties:
    """Range, margin, median and error size of the scores. O(n) once ranked.

    The range R spans all scores; the margin W is the lowest positive minus the highest negative score, and W / R is NaN
    when R = 0, with a remark; the error size counts the pairs with d <= 0, ties included, so the relative one is
    1 - AUC only without ties; a set is correctly ranked when W > 0. Highest and lowest score of each class are
    ``pos_max``, ``pos_min``, ``neg_max`` and ``neg_min``, their differences ``pos_range`` and ``neg_range``.

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`. Scores must be finite and both classes present.

    Returns
    -------
    SetProperties

    Examples
    --------
    >>> import rocsteady as rs
    >>> about = rs.set_properties([1, 1, 0, 0], [0.75, 0.5, 0.5, 0.25])
    >>> about.range, about.abs_margin, about.median, about.abs_error_size, about.correctly_ranked
    (0.5, 0.0, 0.5, 1, False)
    """
    refuse_one_class(ranked.n_pos, ranked.n_neg, "margin and error size need")
    if ranked.has_infinite_scores:
        raise InputError("infinite_scores", "range and margin need finite scores; drop the rows with infinite ones")
    width, margin = score_range(ranked), score_margin(ranked)
    pairs = ranked.n_pos * ranked.n_neg
    wrong = exact_dot(ranked.neg, ranked.pos_through)
    return SetProperties(
        range=width,
        abs_margin=margin,
        rel_margin=margin / width if width else float("nan"),
        median=_median(ranked),
        abs_error_size=wrong,
        rel_error_size=wrong / pairs,
        correctly_ranked=margin > 0,
        **facts_of(ranked),
        **_extremes(ranked),
        warnings=(Remark("no_range"),) if has_no_range(ranked) else (),
    )


def _extremes(ranked: RankedScores) -> dict[str, Any]:
    """Highest and lowest score of each class."""
    scores = ranked.doubles
    sides = {"pos": scores[ranked.pos > 0], "neg": scores[ranked.neg > 0]}
    return {f"{side}_{end}": float(found[at]) for side, found in sides.items() for end, at in (("max", -1), ("min", 0))}


def _median(ranked: RankedScores) -> float:
    """Mean of the lower and the upper median of all rows."""
    points = points_of(ranked) + (0.0 if ranked.scores.dtype == np.float64 else float(ranked.doubles[0]))
    through: Any = ranked.pos_through + ranked.neg_through
    half = ranked.n_rows_counted / 2
    lower, upper = np.searchsorted(through, half, side="left"), np.searchsorted(through, half, side="right")
    return float(points[lower] + (points[min(upper, points.size - 1)] - points[lower]) / 2)
