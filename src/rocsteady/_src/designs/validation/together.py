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
        """By place, line of scores and measure: rows count ``times``, doubles by place, line and row.

        One line of scores may stand for as many lines of times as there are places.
        """
        merged, order = lines_in_order(scores)
        size = scores.shape[1]
        spots = order + size * np.arange(len(scores))[:, None]
        counts = times.reshape(len(times), -1).take(spots, axis=1)
        pos = counts * positive[order]
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
        wins_twice = 2 * np.einsum("pln,pln->pl", pos, upto)
    else:
        number, ends = np.arange(scores.shape[1]), np.ones((len(scores), 1), dtype=bool)
        first = np.maximum.accumulate(np.where(np.hstack([ends, ~tied]), number, 0), axis=1)
        last = np.where(np.hstack([~tied, ends]), number, number[-1])
        last = np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]
        below = np.take_along_axis(upto - neg, first[None], axis=2)
        wins_twice = (pos * (below + np.take_along_axis(upto, last[None], axis=2))).sum(axis=2)
    found: Array = wins_twice / (2 * totals[0] * totals[1])
    return found


def _brier(scores: Array, pos: Array, neg: Array, totals: tuple[Array, Array]) -> Array:
    squares = np.einsum("pln,ln->pl", pos, (1 - scores) ** 2) + np.einsum("pln,ln->pl", neg, scores**2)
    found: Array = squares / (totals[0] + totals[1])
    return found


def _slopes(scores: Array, pos: Array, neg: Array, totals: tuple[Array, Array]) -> Array:
    """NaN where classes do not overlap, or all scores are equal."""
    overlap = (totals[0] > 0) & (totals[1] > 0) & _mixed(scores, pos, neg)
    found = np.full(pos.shape[:2], math.nan)
    if overlap.any():
        logits, size = np.log(scores / (1 - scores)), scores.shape[1]
        every = bool(overlap.all())  # as nearly always: then nothing is copied
        chosen, others = (each.reshape(-1, size) if every else each[overlap] for each in (pos, neg))
        given = np.broadcast_to(logits, pos.shape)
        given = given.reshape(-1, size) if every else given[overlap]
        found[overlap] = line_slopes(logits if len(scores) == 1 else given, chosen, chosen + others)
    return found


def _mixed(scores: Array, pos: Array, neg: Array) -> Array:
    """Whether a positive lies below a negative, and one above: else no line has a best slope."""
    lines, last = np.arange(len(scores)), scores.shape[1] - 1
    there = pos > 0, neg > 0
    lowest = [scores[lines, side.argmax(axis=2)] for side in there]
    highest = [scores[lines, last - side[..., ::-1].argmax(axis=2)] for side in there]
    mixed: Array = (highest[1] > lowest[0]) & (highest[0] > lowest[1])
    return mixed


BY_NAME = dict(zip(NAMES, (_areas, _brier, _slopes), strict=True))
