"""An end for measures of the ranking at their largest value, where all resamples agree: through the AUC's interval.

A perfect ranking resampled is perfect again: replicates of average precision, KS or the H-measure have no spread. The
AUC has an interval of positive width there, by a model of its variance. The other end of such a measure is its value on
the curve, of classes that spread alike, whose AUC is that interval's lower end.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.inference.intervals.areas import with_bounds
from rocsteady._src.inference.intervals.automatic import whole_area
from rocsteady._src.inference.intervals.measure_facts import bounds_with
from rocsteady._src.inference.units.components import Area
from rocsteady._src.measures.ranking import auc
from rocsteady._src.ranked import RankedScores
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocsteady._src.measures.registry import FactSheet

    Found = tuple[float, list[Remark]]

CELLS, FAR = 4000, 9.0
AGREE = 1e-12  # what rounding leaves between ends where all resamples are the same


def low_end_at_bound(
    sheet: FactSheet, params: Mapping[str, Any], ranked: RankedScores, estimate: float, fewest: float, level: float
) -> Found | None:
    """The lower end of a measure of ranks at its largest value, with why; None for what is elsewhere, or is no such.

    ``fewest`` are the independent units of the smaller class.
    """
    if "monotone" not in sheet.invariances or estimate != bounds_with(sheet, params)[1]:
        return None
    area = float(auc.sheet.compute(ranked))
    share = fewest / min(ranked.n_pos, ranked.n_neg)
    sizes = (ranked.n_pos * share, ranked.n_neg * share)
    low = with_bounds(Area(), ranked, whole_area(area, math.nan, sizes), sizes, None).ends(level)[0]
    there = float(sheet.compute(alike_curve(low, ranked.n_pos, ranked.n_neg), **params))
    if math.isnan(there) or there >= estimate:
        return None
    return there, [Remark("at_bound", value=estimate, auc=low)]


def alike_curve(area: float, n_pos: float, n_neg: float) -> RankedScores:
    """Normal scores of both classes with variance 1 and this AUC, in narrow cells: shares of the rows in each.

    Examples
    --------
    >>> round(float(auc.sheet.compute(alike_curve(0.9, 10, 90))), 6)
    0.9
    """
    from scipy.special import ndtr, ndtri

    gap = math.sqrt(2) * float(ndtri(area))
    edges = np.linspace(min(gap, 0.0) - FAR, max(gap, 0.0) + FAR, CELLS + 1)
    pos, neg = (total * np.diff(ndtr(edges - centre)) for total, centre in ((n_pos, gap), (n_neg, 0.0)))
    kept = pos + neg > 0
    return RankedScores.from_counts(edges[:-1][kept], pos[kept], neg[kept])
