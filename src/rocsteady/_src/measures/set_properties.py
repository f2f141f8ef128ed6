"""Properties of a set of scores that order alone does not tell."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError, refuse_one_class
from rocsteady._src.base.exact import exact_dot
from rocsteady._src.measures.pairwise.engine import points_of
from rocsteady._src.measures.registry import has_no_range
from rocsteady._src.measures.scored import ends_of_classes, score_margin, score_range
from rocsteady._src.ranked.takes_ranked import takes_ranked
from rocsteady._src.results import SetProperties
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from rocsteady._src.ranked import RankedScores

ENDS = (("max", 1), ("min", 0))


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
    if ranked.exact:
        wrong = pairs - (ranked.wins_twice - ranked.tied_pairs) // 2
    else:
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
    sides = dict(zip(("pos", "neg"), ends_of_classes(ranked), strict=True))
    return {f"{side}_{end}": float(scores[places[at]]) for side, places in sides.items() for end, at in ENDS}


def _median(ranked: RankedScores) -> float:
    """Mean of the lower and the upper median of all rows."""
    half = ranked.n_rows_counted / 2
    if ranked.row_labels is not None:  # a row in each group
        lower, upper = math.ceil(half) - 1, math.floor(half)
    else:
        through: Any = ranked.pos_through + ranked.neg_through
        lower, upper = (int(through.searchsorted(half, side=side)) for side in ("left", "right"))
    base = 0.0 if ranked.scores.dtype == np.float64 else float(ranked.doubles[0])
    low, high = (float(each) + base for each in points_of(ranked)[[lower, min(upper, ranked.scores.size - 1)]])
    return low + (high - low) / 2
