"""Printed numbers of the lecture on ROC curves; most of its numbers are measured points, which are given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import rocsteady as rs
from reproductions.printed import Number, same

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = "lecture"
TABLE_5_3 = ([1, 1, 1, 0, 1, 0, 1, 0, 0, 0], [0.89, 0.8, 0.8, 0.8, 0.63, 0.33, 0.33, 0.1, 0.1, 0.1])


def numbers() -> Iterator[Number]:
    """All that follow from others."""
    y, s = TABLE_5_3
    for words, threshold, printed in (("T < 0.10", 0.05, "1.0"), ("T > 0.89", 0.95, "0")):
        found = rs.confusion(y, s, threshold=threshold)
        yield same(SOURCE, f"Table 5.3, {words}, TPR", printed, found.recall)
        yield same(SOURCE, f"Table 5.3, {words}, FPR", printed, found.false_positive_rate)
    curve = rs.roc_curve(y, s)
    inner = [point for point in zip(curve.fpr, curve.tpr, strict=True) if point not in ((0, 0), (1, 1))]
    yield same(SOURCE, "Table 5.3, thresholds between", "4", len(inner))
    alike = rs.auc([1, 0] * 5, [0.5] * 10)
    yield same(SOURCE, "Section 5.1.1, AUC along the diagonal", "0.5", alike)
