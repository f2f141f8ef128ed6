"""Operating points and promised thresholds of a sketch: brackets that hold, and thresholds that stay safe.

In the worst order of a sketch all negatives of a cell stand at its highest score and all positives at its lowest. So
the negative that may not be called stands as high as it can, the positive that must be called as low as it can, and a
threshold there keeps the promise of the rows themselves. The best order gives the other end of the bracket. For
precision the counts are known at the edges of cells only: the tests go from edge to edge, which is a sequence of its
own and keeps its promise too.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import refuse_one_class
from rocsteady._src.inference.intervals.normal import check_choice, check_level
from rocsteady._src.inference.intervals.predictive import predictive_values
from rocsteady._src.inference.operating.guarantee import CALLED, asked_promise, promised
from rocsteady._src.inference.operating.point import point_of
from rocsteady._src.ranked import RankedScores
from rocsteady._src.results.remarks import Remark
from rocsteady._src.scale.sketch_keys import scores_of

if TYPE_CHECKING:
    from rocsteady._src.results import Interval
    from rocsteady._src.results.guarantee import ThresholdGuarantee
    from rocsteady._src.results.operating import OperatingPoint
    from rocsteady._src.results.predictive import PredictiveValues
    from rocsteady._src.scale.sketch_reading import Reading


def sketched_guarantee(
    sketch: Reading, rate: Any, at_most: float | None, at_least: float | None, confidence: float
) -> ThresholdGuarantee:
    """A threshold that keeps a promise, from the counts of a sketch."""
    promise, bound = asked_promise(rate, at_most, at_least)
    confidence = check_level(confidence)
    if sketch.exact:
        return promised(sketch.best(), promise, bound, confidence)
    if promise.among == CALLED:
        made = promised(_edges(sketch), promise, bound, confidence)
        return replace(made, warnings=(*made.warnings, Remark("promise_by_cells")))
    made, other = (promised(ranked, promise, bound, confidence) for ranked in (sketch.worst(), sketch.best()))
    ends = sorted((made.threshold, other.threshold))
    return replace(made, bracket=(ends[0], ends[1]), warnings=(*made.warnings, Remark("promise_bracket")))


def sketched_point(sketch: Reading, asked: tuple[str, float], level: float, method: str = "auto") -> OperatingPoint:
    """The operating point of a sketch: the worst order, and ends that reach to those of the best."""
    check_choice("method", method, ("auto", "mid-p", "exact"))
    options = check_level(level), "mid-p" if method == "auto" else method
    refuse_one_class(sketch.n_pos, sketch.n_neg, "an operating point needs")
    worst, best = (point_of(ranked, None, None, asked, options) for ranked in (sketch.worst(), sketch.best()))
    if sketch.exact:
        return best
    low, high = min(worst.low, best.low), max(worst.high, best.high)
    interval = replace(worst.interval, low=low, high=high, method=f"{worst.interval.method}, sketch bracket")
    intervals = {worst.answer: interval}
    return replace(worst, interval=interval, intervals=intervals, warnings=(*worst.warnings, Remark("point_bracket")))


def sketched_values(sketch: Reading, threshold: Any, **asked: Any) -> PredictiveValues:
    """Predictive values elsewhere: all of them grow with the recall and the specificity, so two orders hold them."""
    worst, best = (
        predictive_values(ranked, threshold=threshold, **asked) for ranked in (sketch.worst(), sketch.best())
    )
    if (worst.recall, worst.specificity) == (best.recall, best.specificity):
        return best
    made: dict[str, Any] = {name: _reaching(found, best.intervals[name]) for name, found in worst.intervals.items()}
    rates = {name: (getattr(worst, name) + getattr(best, name)) / 2 for name in ("recall", "specificity")}
    return replace(best, **made, **rates)


def _reaching(one: Interval, other: Interval) -> Interval:
    ends = [end for end in (*one, *other) if not math.isnan(end)]
    low, high = (min(ends), max(ends)) if ends else (math.nan, math.nan)
    told = (*dict.fromkeys([*one.warnings, *other.warnings]), Remark("counts_bracket"))
    middle, method = (one.estimate + other.estimate) / 2, f"{one.method}, sketch bracket"
    return replace(one, estimate=middle, low=low, high=high, se=None, method=method, warnings=told)


def _edges(sketch: Reading) -> RankedScores:
    """Cells as groups at their highest scores: above that, the counts are known."""
    cells = sketch.cells
    return RankedScores.trusted(scores_of(cells.last, cells.kind), cells.pos, cells.neg, sketch.origin)
