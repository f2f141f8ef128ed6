"""Why a measure without an alarm is not called quiet: few rows, labels that may come, intervals that say otherwise."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.designs.watch.measures import is_enough

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.designs.watch.day_counts import DaySums
    from rocsteady._src.designs.watch.measures import Reading, Watched
    from rocsteady._src.designs.watch.stream import Stream

FEW_IN_REFERENCE, FEW_LABELLED = "too few rows in the reference", "too few labelled rows yet"
CONSTANT = "the reference does not vary, so that only exact counts could judge a change"
OPEN = "rows without a label could turn the answer"
EXCLUDED = "its intervals exclude the reference"
ROUNDING = 1e-24  # a variance that is none
WHATEVER_ROWS = (OPEN, EXCLUDED)  # reasons by which also a segment leaves the whole answer open


def why_unfit(measure: Watched, known: Reading, days: Sequence[DaySums], *, exact: bool) -> str:
    """Why nothing can be compared with the reference; empty where it can."""
    if math.isnan(known.value) or not is_enough(measure, known, days, known):
        return FEW_IN_REFERENCE
    return CONSTANT if not exact and measure.kind != "rate" and known.variance < ROUNDING else ""


def why_unsure(measure: Watched, stream: Stream, margin: float | None) -> str:
    """The reason; empty where nothing speaks against calling it quiet."""
    if stream.open_could_turn:
        return OPEN
    if not (~np.isnan(stream.evidence)).any():
        return FEW_LABELLED
    return EXCLUDED if _excluded(measure, stream, margin or 0.0) else ""


def _excluded(measure: Watched, stream: Stream, margin: float) -> bool:
    """Whether the interval since the watch began, or that of a day, excludes the reference on the worse side."""
    known = np.flatnonzero(~np.isnan(stream.so_far))[-1:]
    low = np.concatenate([stream.so_far_low[known], stream.low])
    high = np.concatenate([stream.so_far_high[known], stream.high])
    below, above = high < stream.reference.value - margin, low > stream.reference.value + margin  # False where none
    return bool((measure.better >= 0 and below.any()) or (measure.better <= 0 and above.any()))
