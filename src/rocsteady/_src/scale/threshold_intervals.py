"""Intervals of threshold measures from counts: whichever rows of the threshold's own cell are called positive.

Wilson's ends of a share rise with every hit and fall with every miss, so that they are extreme where all or none of the
open rows of a class are called. Of other measures every number of open rows is looked at, where these are few enough.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.text import format_count
from rocsteady._src.inference.intervals.joint_measures import PARTS, joint_bounds
from rocsteady._src.inference.intervals.normal import quantile_of
from rocsteady._src.inference.intervals.proportions import interval_of
from rocsteady._src.inference.intervals.shares import PROPORTIONS
from rocsteady._src.measures.confusion import Confusion, confusion_at
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.remarks import Remark
from rocsteady._src.scale.brackets import check_threshold, outermost

if TYPE_CHECKING:
    from rocsteady._src.measures.registry import FactSheet
    from rocsteady._src.results import Interval
    from rocsteady._src.scale.sketch_reading import Reading

MOST_LOOKED_AT = 4096


def threshold_interval(sketch: Reading, sheet: FactSheet, level: float, params: dict[str, Any]) -> Interval:
    """The interval of the rows where their counts are known, else one that contains it."""
    check_threshold(sheet, params)
    params = dict(params)
    best, worst = (confusion_at(ranked, params["threshold"]) for ranked in (sketch.best(), sketch.worst()))
    if (best.tp, best.fp) == (worst.tp, worst.fp):
        rest = {name: value for name, value in params.items() if name != "threshold"}
        return interval_of(sheet, best, level=level, **rest)
    found = [
        _interval(sketch, sheet, level, counts, params) for counts in _possible(sheet, best, worst, (level, params))
    ]
    defined = [each for each in found if not math.isnan(each.low)]
    told = [Remark("counts_bracket"), *([Remark("may_be_undefined")] if len(defined) < len(found) else [])]
    if not defined:
        return replace(found[0], **facts_of(sketch), warnings=(*found[0].warnings, *told))
    low, high = min(each.low for each in defined), max(each.high for each in defined)
    ends = min(each.estimate for each in defined), max(each.estimate for each in defined)
    told = [*dict.fromkeys(remark for each in defined[:4] for remark in each.warnings), *told]
    middle = ends[0] if ends[0] == ends[1] else (ends[0] + ends[1]) / 2
    how = f"{defined[0].method}, sketch bracket"
    return replace(defined[0], estimate=middle, low=low, high=high, se=None, method=how, warnings=tuple(told))


def _interval(
    sketch: Reading, sheet: FactSheet, level: float, called: tuple[int, int], params: dict[str, Any]
) -> Interval:
    tp, fp = called
    counts = Confusion(tp, fp, sketch.n_pos - tp, sketch.n_neg - fp, params["threshold"], sketch.origin)
    rest = {name: value for name, value in params.items() if name != "threshold"}
    return interval_of(sheet, counts, level=level, **rest)


def _possible(
    sheet: FactSheet, best: Confusion, worst: Confusion, options: tuple[float, dict[str, Any]]
) -> list[tuple[int, int]]:
    """Numbers of positives and negatives that may be called, as many as the ends of the interval depend on."""
    if sheet.name in PROPORTIONS:
        return [(tp, fp) for tp in outermost(worst.tp, best.tp) for fp in outermost(best.fp, worst.fp)]
    wide, tall = int(best.tp - worst.tp) + 1, int(worst.fp - best.fp) + 1
    if wide * tall > MOST_LOOKED_AT:
        text = f"{format_count(wide + tall - 2)} rows share the cell of the threshold, too many to bound {sheet.name}"
        raise ArgumentError("threshold", f"{text}; take a threshold between two cells, more cells, or a share of rows")
    first = int(worst.tp), int(best.fp)
    every = [(first[0] + more, first[1] + other) for more in range(wide) for other in range(tall)]
    return every if sheet.name not in PARTS else _outermost(sheet, every, best, options)


def _outermost(
    sheet: FactSheet, every: list[tuple[int, int]], best: Confusion, options: tuple[float, dict[str, Any]]
) -> list[tuple[int, int]]:
    """Those whose limits or values reach furthest, and one where the measure is undefined, in their order."""
    level, params = options
    rest = {name: value for name, value in params.items() if name != "threshold"}
    tp, fp = np.array(every, dtype=np.float64).T
    cells = np.array([tp, fp, best.tp + best.fn - tp, best.fp + best.tn - fp])
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.asarray(sheet.formula(Confusion(*cells), **rest), dtype=np.float64)
    known, none = np.flatnonzero(~np.isnan(values)), np.flatnonzero(np.isnan(values))
    if not known.size:
        return every[:1]
    low, high = joint_bounds(sheet, cells[:, known], quantile_of(level), rest)
    ends = (low.argmin(), high.argmax(), values[known].argmin(), values[known].argmax())
    return [every[place] for place in sorted({*known[list(ends)].tolist(), *none[:1].tolist()})]
