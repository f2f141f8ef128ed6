"""Reports of skore show measures with their intervals; skipped where it is not installed, as ``make extras`` does.

It is not among the packages of developers: it needs a newer rich than the oldest that is tested.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsteady as rs

skore = pytest.importorskip("skore")


def parts() -> tuple[Any, Any]:
    rng = np.random.default_rng(3)
    y = np.arange(120) % 3 == 0
    return (rng.standard_normal((120, 2)) + y[:, None]), y.astype(int)


def report_of(columns: slice) -> Any:
    from sklearn.linear_model import LogisticRegression

    rows, y = parts()
    model = LogisticRegression().fit(rows[:60, columns], y[:60])
    return skore.EstimatorReport(model, X_test=rows[60:, columns], y_test=y[60:], pos_label=1)


def shown(report: Any) -> dict[str, float]:
    frame = report.metrics.summarize().frame()
    return {str(name): float(np.ravel(value)[0]) for name, value in zip(frame.index, frame.to_numpy(), strict=True)}


def test_a_report_shows_value_and_ends() -> None:
    report, (rows, y) = report_of(slice(None)), parts()
    named = rs.trackers.add_to_skore(report, ["auc", "f1"], threshold=0.5, level=0.9)
    assert named == ["auc", "auc_low", "auc_high", "f1", "f1_low", "f1_high"]
    scores = report.estimator_.predict_proba(rows[60:])[:, 1]
    own = rs.evaluate(y[60:], scores, measures=["auc", "f1"], threshold=0.5, level=0.9, intervals=True)
    found, told = shown(report), rs.trackers.scalars(own)
    assert {name: found[name] for name in named} == pytest.approx({name: told[name] for name in named})
    assert found["auc"] == pytest.approx(found["roc_auc"])  # as skore itself has it


def test_folds_and_several_models() -> None:
    from sklearn.linear_model import LogisticRegression

    rows, y = parts()
    folds = skore.CrossValidationReport(LogisticRegression(), rows, y, splitter=3, pos_label=1)
    rs.trackers.add_to_skore(folds, ["auc"])
    found = shown(folds)
    assert found["auc"] == pytest.approx(found["roc_auc"])
    assert found["auc_low"] < found["auc"] < found["auc_high"]
    both = skore.ComparisonReport({"two": report_of(slice(None)), "one": report_of(slice(1))})
    rs.trackers.add_to_skore(both, ["average_precision"])
    frame = both.metrics.summarize().frame()
    low, high = (frame.loc[f"average_precision_{end}"].to_numpy(dtype=float) for end in ("low", "high"))
    assert ((low > 0) & (low < frame.loc["average_precision"].to_numpy(dtype=float)) & (high < 1)).all()
