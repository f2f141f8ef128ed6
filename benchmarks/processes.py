"""What ``n_jobs=2`` is worth in a cross-validation of a real estimator: a forest on 20,000 rows, and 569 rows too.

``python -m benchmarks.processes``. Times are wall-clock, best of several turns; what counts are their ratios in one
run. On 569 rows no process is started (see :mod:`rocsteady._src.designs.folds.processes`), so the ratio is 1.
"""

from __future__ import annotations

import os
import time
from typing import Any

from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rocsteady as rs

TURNS = 3


def seconds(models: dict[str, Any], features: Any, labels: Any, n_jobs: int) -> float:
    """Wall-clock seconds of one cross-validation, the AUC of every fold included."""
    begun = time.perf_counter()
    how: dict[str, Any] = {"cv": 5, "n_jobs": n_jobs, "measures": ["auc"], "intervals": False}
    rs.crossval_evaluate_estimators(models, features, labels, **how)
    return time.perf_counter() - begun


def main() -> None:
    """Print one line per data set."""
    forest = {"forest": RandomForestClassifier(30, random_state=0)}
    linear = {"logistic": make_pipeline(StandardScaler(), LogisticRegression())}
    large = make_classification(20_000, 20, n_informative=8, random_state=0)
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for name, models, (features, labels) in (
        ("forest of 30 trees, 20,000 rows, 5 folds", forest, large),
        ("logistic regression, 569 rows, 5 folds", linear, load_breast_cancer(return_X_y=True)),
    ):
        best = {jobs: min(seconds(models, features, labels, jobs) for _ in range(TURNS)) for jobs in (1, 2)}
        print(f"{name}: 1 process {best[1]:.2f} s, 2 processes {best[2]:.2f} s, ratio {best[1] / best[2]:.2f}")


if __name__ == "__main__":
    main()
