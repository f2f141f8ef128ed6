"""Printed numbers of the seminar on measures of classification."""

from __future__ import annotations

import math
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

import rocsteady as rs
from reproductions.printed import Number, same

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = "seminar"
TASK_3_2 = ([-1, 1, -1, 1, 1], [0.2, 0.4, 0.1, 0.7, 0.05])


def numbers() -> Iterator[Number]:
    """All of them, section by section."""
    yield from _shares()
    yield from _means()
    yield from _imbalance()
    yield from _areas()


def _shares() -> Iterator[Number]:
    y = np.repeat([0, 1], [950, 50])
    s = np.arange(1000.0)
    above_all = np.nextafter(s.max(), np.inf)
    remark = "its rule is score > t, so that t = max leaves nothing positive; ours is score >= t, so t is just above"
    yield same(SOURCE, "Section 2.1, accuracy at t = max", "0.95", rs.accuracy(y, s, threshold=above_all), remark)
    for before, after, printed in ((0.2, 0.1, "50%"), (0.5, 0.25, "50%"), (0.001, 0.0001, "90%")):
        value = rs.measures.relative_error_reduction(1 - before, 1 - after)
        yield same(SOURCE, f"Section 2.1, error from {100 * before:g}% to {100 * after:g}%", printed, value)


def _means() -> Iterator[Number]:
    # Precision 0.9 and recall 0.1 of whole rows: 9 of 10 called positive are, and 81 positives are missed.
    found = rs.Confusion(tp=9, fp=1, fn=81, tn=9)
    yield same(SOURCE, "Section 2.2, precision", "0.9", found.precision)
    yield same(SOURCE, "Section 2.2, recall", "0.1", found.recall)
    yield same(SOURCE, "Section 2.2, harmonic mean", "0.18", found.f1)
    yield same(SOURCE, "Section 2.2, geometric mean", "0.3", found.fowlkes_mallows)


def _imbalance() -> Iterator[Number]:
    found = rs.Confusion(tp=9_000, fp=1_000, fn=1_000, tn=989_000)
    yield same(SOURCE, "Section 2.2, precision demanded", "90%", found.precision)
    yield same(SOURCE, "Section 2.2, recall demanded", "90%", found.recall)
    yield same(SOURCE, "Section 2.2, accuracy implied", "99.8%", found.accuracy)
    y = np.zeros(1_000_000, dtype=np.int64)
    y[50_000:50_100] = 1
    remark = "the printed places 50001 to 50101 are 101, for 100 documents"
    value = rs.average_precision(y, -np.arange(y.size, dtype=np.float64))
    yield same(SOURCE, "Section 2.3, AUC-PR of 100 documents from place 50001 on", "0.001", value, remark)


def _areas() -> Iterator[Number]:
    for area, printed in ((0.8, "0.6"), (0.9, "0.8")):
        y, s = _with_area(area)
        yield same(SOURCE, f"Section 2.3, Gini at AUC {area}", printed, rs.gini(y, s))
    ginis = [rs.gini(*_with_area(area)) for area in (0.8, 0.9)]
    yield same(SOURCE, "Section 2.3, AUC from 0.8 to 0.9", "12.5%", 0.9 / 0.8 - 1)
    yield same(SOURCE, "Section 2.3, the same in Gini", "33.3%", ginis[1] / ginis[0] - 1)
    y, s = TASK_3_2
    yield same(SOURCE, "Task 3.2, AUC-ROC", "2/3", rs.auc(y, s))
    mean = math.fsum(rs.auc(y, order) for order in permutations(s)) / math.factorial(len(s))
    yield same(SOURCE, "Task 3.3, mean AUC over all orders", "1/2", mean)


def _with_area(area: float) -> tuple[list[int], list[float]]:
    """One positive above a share of ten negatives."""
    above = round(10 * area)
    return [1, *[0] * 10], [0.5, *[0.1] * above, *[0.9] * (10 - above)]
