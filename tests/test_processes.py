"""Fits and scorers in processes of joblib give what they give here; in one file, since its processes are kept."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate

import rocsteady as rs
import test_estimators as estimators
import test_selection as selection
import test_sklearn as scorers
from rocsteady._src.designs.folds import processes
from rocsteady._src.measures.registry import REGISTRY
from rocsteady.lab import select_models


def test_fits_at_the_same_time_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    models = [LogisticRegression(), RandomForestClassifier(5, random_state=1)]
    alone = rs.crossval_evaluate_estimators(models, estimators.X, estimators.Y, cv=3)
    monkeypatch.setattr(processes, "START", 0.0)  # any work is worth a process
    found = rs.crossval_evaluate_estimators(models, estimators.X, estimators.Y, cv=3, n_jobs=2)
    assert found.to_dict() == alone.to_dict()


def test_cross_validation_in_two_processes_gives_the_same_bits() -> None:
    labels = scorers.LABELLINGS["text"]
    options = {"cv": scorers.FOLDS, "scoring": scorers.all_scorers(), "error_score": "raise"}
    runs = [cross_validate(LogisticRegression(), scorers.FEATURES, labels, n_jobs=jobs, **options) for jobs in (1, 2)]
    for name in REGISTRY:
        assert runs[0][f"test_{name}"].tolist() == runs[1][f"test_{name}"].tolist()


@pytest.mark.parametrize("kind", ["0/1", "text"])
def test_grid_search_in_two_processes(kind: str) -> None:
    scorers.search_as_they_do(kind, jobs=2)


def test_selection_in_two_processes_gives_the_same() -> None:
    rng = np.random.default_rng(8)
    y = np.repeat([1, 0], [40, 60])
    rows = rng.normal(size=(100, 3)) + 0.8 * y[:, None], y
    asked = rows, "tree", selection.MEASURES
    alone, found = (select_models(*asked, **selection.SMALL, n_jobs=jobs) for jobs in (1, 2))
    assert selection.same(found, alone)
