"""AUC, Brier score and calibration slope of many resamples at once: of few rows, calls cost more than counting."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.measures.registry import REGISTRY
from rocsteady._src.probabilities.calibration.logistic import line_slopes
from rocsteady._src.ranked.rowsort import lines_in_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.measures.requests import Request

    Array = NDArray[Any]

NAMES = ("auc", "brier_score", "calibration_slope")


@dataclass(frozen=True, slots=True, eq=False)
class Together:
    """Which of the wanted measures can be had of many resamples at once, by their place among the wanted.

    ``apart`` are the others, which are asked one resample after the other.
    """

    names: tuple[str, ...]
    places: tuple[int, ...]
    apart: tuple[int, ...]

    @classmethod
    def of(cls, wanted: Sequence[Request], slope: Any) -> Together:
        """``slope`` is the sheet of the calibration slope."""
        known = {"auc": REGISTRY["auc"].sheet, "brier_score": REGISTRY["brier_score"].sheet, "calibration_slope": slope}
        places = [k for k, each in enumerate(wanted) if known.get(each.sheet.name) is each.sheet and not each.params]
        apart = (k for k in range(len(wanted)) if k not in places)
        return cls(tuple(wanted[k].sheet.name for k in places), tuple(places), tuple(apart))

    def take(self, scores: Array) -> bool:
        """Whether measures of these scores are plain: of probabilities only scores strictly between 0 and 1 are."""
        if not self.places:
            return False
        return self.names == ("auc",) or (0 < float(scores.min()) <= float(scores.max()) < 1)

    def values(self, scores: Array, positive: Array, times: Array) -> Array:
        """By line of scores, place and measure: rows count ``times``, which are by line, place and row."""
        merged, order = lines_in_order(scores)
        counts = np.take_along_axis(times, order[:, None], axis=2).astype(np.float64)
        is_pos = positive[order][:, None]
        pos = counts * is_pos
        neg = counts - pos
        totals = pos.sum(axis=2), neg.sum(axis=2)
        found = np.empty((*times.shape[:2], len(self.names)))
        for k, name in enumerate(self.names):
            with np.errstate(divide="ignore", invalid="ignore"):
                found[:, :, k] = BY_NAME[name](merged, pos, neg, totals)
        return found


def _areas(scores: Array, pos: Array, neg: Array, totals: tuple[Array, Array]) -> Array:
    """Sums of whole numbers in doubles: exact."""
    upto = neg.cumsum(axis=2)
    tied = scores[:, 1:] == scores[:, :-1]
    if not tied.any():
        wins_twice = 2 * np.multiply(pos, upto, out=upto).sum(axis=2)
    else:
        number, ends = np.arange(scores.shape[1]), np.ones((len(scores), 1), dtype=bool)
        first = np.maximum.accumulate(np.where(np.hstack([ends, ~tied]), number, 0), axis=1)
        last = np.where(np.hstack([~tied, ends]), number, number[-1])
        last = np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]
        below = np.take_along_axis(upto - neg, first[:, None], axis=2)
        wins_twice = (pos * (below + np.take_along_axis(upto, last[:, None], axis=2))).sum(axis=2)
    found: Array = wins_twice / (2 * totals[0] * totals[1])
    return found


def _brier(scores: Array, pos: Array, neg: Array, totals: tuple[Array, Array]) -> Array:
    squares = pos * ((1 - scores) ** 2)[:, None]
    squares += neg * (scores**2)[:, None]
    found: Array = squares.sum(axis=2) / (totals[0] + totals[1])
    return found


def _slopes(scores: Array, pos: Array, neg: Array, totals: tuple[Array, Array]) -> Array:
    """NaN where classes do not overlap, or all scores are equal."""
    found, lines = np.full(pos.shape[:2], math.nan), np.arange(len(scores))[:, None]
    there = pos > 0, neg > 0
    first_pos, first_neg = (scores[lines, side.argmax(axis=2)] for side in there)
    last_pos, last_neg = (scores[lines, -1 - side[..., ::-1].argmax(axis=2)] for side in there)
    both = (totals[0] > 0) & (totals[1] > 0)
    overlap = both & (last_neg > first_pos) & (last_pos > first_neg)
    if overlap.any():
        logits, whole = np.log(scores / (1 - scores)), (-1, scores.shape[1])
        given = logits if len(scores) == 1 else logits[np.nonzero(overlap)[0]]
        every = bool(overlap.all())  # as nearly always: then nothing is copied
        chosen = pos.reshape(whole) if every else pos[overlap]
        others = neg.reshape(whole) if every else neg[overlap]
        found[overlap] = line_slopes(given, chosen, chosen + others)
    return found


BY_NAME = dict(zip(NAMES, (_areas, _brier, _slopes), strict=True))
