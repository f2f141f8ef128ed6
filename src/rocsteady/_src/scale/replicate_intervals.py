"""Intervals of any measure from draws of the counts of a sketch: a Poisson bootstrap of the rows.

Rows that fall into one cell are alike to a sketch, and a sum of Poisson counts is one: a bootstrap of the rows draws
from each cell as Poisson's law of its count has it, and where in the cell the drawn rows stand is open. So every
replicate of the rows has its value between the bounds of a replicate of the cells, and so have the quantiles of all.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, refuse_one_class
from rocsteady._src.base.text import format_count
from rocsteady._src.inference.intervals.normal import check_level
from rocsteady._src.results import Interval
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.remarks import Remark
from rocsteady._src.scale.brackets import requested_bracket
from rocsteady._src.scale.sketch_reading import FixedReading, Reading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from rocsteady._src.measures.requests import Request

    Array = NDArray[np.float64]

DRAWN = 200  # replicates
ENOUGH = 0.95  # of the replicates: fewer with a value, and the ends are not those of all


def _replicates(sketch: Reading) -> Iterator[FixedReading]:
    cells, rng = sketch.cells, np.random.default_rng(0)
    for _ in np.arange(DRAWN):
        pos, neg = rng.poisson(cells.pos), rng.poisson(cells.neg)
        there = np.flatnonzero(pos + neg)
        columns: dict[str, Any] = {"first": cells.first[there], "last": cells.last[there]}
        columns |= {"pos": pos[there], "neg": neg[there]}
        yield FixedReading(replace(cells, **columns), sketch.origin)


def _known(bounds: Array, level: float) -> Array:
    """Those with a value, if they are nearly all, and enough for the level."""
    known = bounds[~np.isnan(bounds).any(axis=1)]
    if known.shape[0] < ENOUGH * bounds.shape[0]:
        failed, drawn = format_count(len(bounds) - len(known)), format_count(len(bounds))
        text = f"the measure has no value in {failed} of {drawn} replicates"
        raise InputError("few_rows", f"{text}: rows of a class are too few; count more of them")
    if (len(known) + 1) * (1 - level) / 2 < 1:
        most = math.floor(100 * (1 - 2 / (len(known) + 1))) / 100
        text = f"{format_count(len(known))} replicates of the counts do not tell ends at level {level}"
        raise ArgumentError("level", f"{text}; ask for {most} or less")
    return known


def replicated_interval(sketch: Reading, request: Request, params: dict[str, Any], level: float) -> Interval:
    """Percentiles of the replicates: from the least that the lower may be to the most that the upper may be."""
    check_level(level)
    refuse_one_class(sketch.n_pos, sketch.n_neg, "an interval needs")
    if sketch.origin.weighted:
        text = "a sketch of weighted rows does not tell how many rows there were, so that it has no interval"
        raise InputError("weights_summed", f"{text}; count rows without weights")
    found = [requested_bracket(each, request, params) for each in _replicates(sketch)]
    bounds = _known(np.array([(each.low, each.high) for each in found], dtype=np.float64), level)
    place = math.floor((len(bounds) + 1) * (1 - level) / 2)  # counted from either end
    lows, highs = (sorted(bounds[:, side].tolist()) for side in (0, 1))
    value = requested_bracket(sketch, request, params)
    told = [Remark("replicate_percentiles")] if request.sheet.ends.startswith("corrected") else []
    told += [] if sketch.exact else [Remark("interval_bracket")]
    return Interval(
        estimate=value.estimate,
        low=lows[place - 1],
        high=highs[-place],
        level=level,
        method="poisson bootstrap of rows" + ("" if sketch.exact else ", sketch bracket"),
        **facts_of(sketch),
        warnings=tuple(told),
    )
