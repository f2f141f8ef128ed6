"""How far the AUC of a sketch may reach where few rows are misranked, wherever in their cells the rows stand.

There "auto" takes a bound that holds for any distribution, of what each row adds. In the worst order of a sketch every
row adds the least that it can, and in the best order the most, so that the bounds of these orders contain that of the
rows; so do the limits of what tells how many rows are misranked, and how far off they lie.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.inference.intervals.bounded_area import (
    FAR,
    FEW_APART,
    FEW_WRONG,
    GOOD,
    NEAR_PERFECT,
    bounded_area,
)
from rocsteady._src.inference.units.components import Area

if TYPE_CHECKING:
    from rocsteady._src.inference.intervals.bounded_area import BoundedValue, Contributions
    from rocsteady._src.scale.sketch_reading import Reading


def few_misranked_ends(sketch: Reading, level: float) -> tuple[float, float] | None:
    """Ends that contain those of the bound for any distribution; None where no order of the rows needs it."""
    from scipy.special import ndtri

    sizes = (float(sketch.n_pos), float(sketch.n_neg))
    worst, best = (
        bounded_area(Area(), ranked, Area().value(ranked), sizes, None) for ranked in (sketch.worst(), sketch.best())
    )
    if not (_may_need(worst, best, sizes) or _may_need(best.mirrored(), worst.mirrored(), sizes)):
        return None
    score = float(ndtri((1 - level) / 2))
    orders = [each.merged() for each in (worst, best)]
    lows, highs = ([each.low(score) for each in side] for side in (orders, [each.mirrored() for each in orders]))
    return max(min(lows), 0.0), min(1 - min(highs), 1.0)


def _may_need(worst: BoundedValue, best: BoundedValue, sizes: tuple[float, float]) -> bool:
    """Whether an area above one half, of any order between these two, may need the bound; see ``need_of_area``."""
    lost = max(1 - best.value, 0.0)
    if best.value <= 0.5 or lost >= GOOD[1]:
        return False
    if min(sizes) * lost < FEW_WRONG[1] and lost < NEAR_PERFECT[1]:
        return True
    pairs = zip(worst.classes, best.classes, strict=True)
    return any(_may_be_apart(*_lost_rows(low), *_lost_rows(high), lost) for low, high in pairs)


def _lost_rows(each: Contributions) -> tuple[float, float]:
    """Sums over rows of what they lack of 1, and of its square."""
    lacking = np.abs(each.values - 1.0)
    return float(each.rows @ lacking), float(each.rows @ lacking**2)


def _may_be_apart(most: float, most_squares: float, least: float, least_squares: float, lost: float) -> bool:
    """Whether misranked rows may be few, as if alike, and far off."""
    if least <= 0 or least_squares <= 0:
        return True
    return least**2 / most_squares < FEW_APART[1] and (most_squares / least - lost) / (1 - lost) > -FAR[1]
