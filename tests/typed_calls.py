"""Calls as an editor sees them: ``make types`` holds every answer's type.

A call that must be refused carries an ignore; mypy's strict mode refuses ignores that are not needed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import rocsteady as rs
from rocsteady._src.results.scale import BracketedEvaluation
from rocsteady.multiclass import MulticlassFolds, MulticlassGroups, MulticlassModels

Y, S, T = [1, 0, 1, 0, 1, 0], [0.9, 0.4, 0.6, 0.6, 0.3, 0.1], [0.8, 0.5, 0.3, 0.4, 0.6, 0.2]
TABLE = {"y": Y, "s": S, "t": T, "g": [1, 1, 1, 2, 2, 2]}


def measures() -> None:
    assert_type(rs.auc(Y, S), float)
    assert_type(rs.auc(rs.rank(Y, S)), float)
    assert_type(rs.partial_auc(Y, S, fpr_range=(0, 0.5), standardize=True), float)
    assert_type(rs.measures.f_beta(Y, S, threshold=0.5, beta=2), float)
    assert_type(rs.measures.recall(Y, S, threshold="all"), NDArray[np.float64])
    assert_type(rs.mm7_auc(Y, S, m=0.5, n=0.25), float)
    assert_type(rs.low_auc(Y, S, delta=0.1, definition="consistent"), float)
    assert_type(rs.get_measure("auc").sheet.name, str)


def curves() -> None:
    assert_type(rs.roc_curve(Y, S), rs.results.RocCurve)
    assert_type(rs.pr_curve(Y, S, interpolation="step"), rs.results.PrCurve)
    assert_type(rs.confusion(Y, S, threshold=0.5), rs.measures.Confusion)
    assert_type(rs.best_threshold(Y, S, rule="youden").threshold, float)
    assert_type(rs.calibration_curve(Y, S, n_bins=2), rs.results.CalibrationCurve)


def inference() -> None:
    assert_type(rs.auc_interval(Y, S, method="delong"), rs.Interval)
    assert_type(rs.bootstrap_interval("auc", Y, S, n_resamples=20, random_state=1), rs.Interval)
    both = rs.bootstrap_interval("auc", Y, {"s": S, "t": T}, n_resamples=20, random_state=1)
    assert_type(both, dict[str, rs.Interval])
    assert_type(rs.compare_auc(Y, S, T), rs.results.TestResult)


def tables(folder: Path) -> None:
    evaluation = rs.evaluate(TABLE, label="y", scores=["s", "t"])
    assert_type(evaluation, rs.Evaluation)
    assert_type(evaluation.compare(), rs.results.Comparison)
    assert_type(evaluation.report(folder / "page.md", title="Two models"), Path)
    assert_type(rs.evaluate(TABLE, label="y", scores="s", by="g"), rs.GroupedEvaluation)
    assert_type(rs.evaluate(TABLE, label="y", scores="s", fold="g"), rs.FoldedEvaluation)
    assert_type(rs.evaluate(Y, {"s": S, "t": T}), rs.Evaluation)
    assert_type(evaluation.compare(measures=["auc", "brier_score"]), rs.results.Comparisons)


def several_classes(matrix: NDArray[np.float64]) -> None:
    """Never called: of an array nobody knows how many columns it has; classes tell."""
    of_classes = rs.evaluate(TABLE, label="c", scores=["s", "t", "u"], classes=[0, 1, 2])
    assert_type(of_classes, rs.results.MulticlassEvaluation | MulticlassModels)
    assert_type(rs.evaluate(Y, matrix, classes=[0, 1, 2], by=Y), MulticlassGroups)
    folds = rs.evaluate(Y, matrix, classes=[0, 1, 2], fold=Y, absent="skip")
    assert_type(folds, MulticlassFolds)
    assert_type(rs.evaluate(Y, {"a": matrix}, by=Y), rs.GroupedEvaluation | MulticlassGroups)
    assert_type(rs.evaluate(Y, {"a": matrix}, fold=Y), rs.FoldedEvaluation | MulticlassFolds)
    any_labels = rs.evaluate([[1, 0], [0, 1]], [[0.9, 0.1], [0.2, 0.8]])
    assert_type(
        any_labels,
        rs.Evaluation
        | BracketedEvaluation
        | rs.results.MulticlassEvaluation
        | MulticlassModels
        | rs.results.MultilabelEvaluation
        | rs.results.MulticlassMeasures,
    )


def engines(table: object) -> None:
    assert_type(rs.auc(table, "s", label="y"), float)
    assert_type(rs.measures.recall(table, "s", label="y", threshold=0.5), float)
    assert_type(rs.scale.rank_table(table, label="y", score="s"), rs.RankedScores)
    assert_type(rs.scale.rank_table(table, label="y", score=["s", "t"]), dict[str, rs.RankedScores])
    assert_type(rs.scale.rank_table(table, label="y", score="s", by="g"), dict[Any, rs.RankedScores])
    assert_type(rs.scale.sketch_table(table, label="y", score="s"), rs.scale.Sketch)
    assert_type(rs.scale.sketch_table(table, label="y", score="s", by="g"), dict[Any, rs.scale.Sketch])


def refused() -> None:
    """Never called: mypy must see what is wrong with each of them."""
    rs.auc(Y, S, threshold=0.5)  # type: ignore[call-arg]
    rs.measures.f_beta(Y, S, gamma=2)  # type: ignore[call-overload]
    rs.pr_curve(Y, S, interpolation="cubic")  # type: ignore[arg-type]
    rs.roc_curve(Y, S).precision  # type: ignore[attr-defined]  # noqa: B018 - asking is the point
    rs.evaluate(TABLE, label="y", scores="s").report("page.md", colour="red")  # type: ignore[call-arg]
