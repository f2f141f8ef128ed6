"""Does learning by AUC help? Repeated cross-validation on imbalanced data; rewrites the tables of docs/learning.md.

``python -m benchmarks.learning_experiment [--quick] [--only NAME ...]``; about four minutes on one core.
"""

from __future__ import annotations

import argparse
import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import stats
from sklearn.datasets import load_breast_cancer, load_digits, make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import rocsteady as rs
from benchmarks.coverage import with_table
from rocsteady._src.inference.comparison.learners import corrected_t
from rocsteady.learning import AUCClassifier, xgboost_objective

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Data = tuple[np.ndarray, np.ndarray]

PAGE = Path(__file__).parent.parent / "docs" / "learning.md"
FOLDS = 5
PENALTIES = (1e-3, 1e-2, 1e-1)
BASE = "logistic regression"


@dataclass(frozen=True, slots=True)
class Effort:
    """How much to do."""

    repeats: int = 3
    seeds: int = 20


# Data


def gaussians(seed: int = 0) -> Data:
    """Two normal classes with one covariance: the log odds are linear, so logistic regression is right."""
    rng = np.random.default_rng(seed)
    y = (np.arange(1500) < 75).astype(int)
    return rng.normal(size=(1500, 15)) + 0.35 * y[:, None] * (np.arange(15) < 8), y


def clusters(seed: int = 0) -> Data:
    """Several clusters per class, noise features, wrong labels: no linear model is right."""
    return make_classification(
        1500, 20, n_informative=6, n_clusters_per_class=3, weights=[0.93], flip_y=0.04, random_state=seed
    )


def far_out(seed: int = 0) -> Data:
    """As the normal classes, but of fifty negatives one is spread out threefold and one lies far on the wrong side."""
    X, y = gaussians(seed)  # noqa: N806
    rng = np.random.default_rng(seed + 1)
    X[(rng.random(y.size) < 0.02) & (y == 0)] *= 3
    X[(rng.random(y.size) < 0.02) & (y == 0)] += 4 * (np.arange(15) < 8)
    return X, y


def lookalikes(seed: int = 0, n: int = 3000) -> Data:
    """One negative in ten looks like a positive on the first feature, and only the second tells them apart.

    On the second feature the other negatives lie on the far side of the positives, so that AUC pulls the other way.
    """
    rng = np.random.default_rng(seed)
    y = (np.arange(n) < n // 10).astype(int)
    lookalike = (rng.random(n) < 0.1) & (y == 0)
    X = rng.normal(size=(n, 4))  # noqa: N806
    X[:, 0] += 4.0 * (y | lookalike)
    X[:, 1] += 1.5 * y + 3.0 * ((y == 0) & ~lookalike)
    return X, y


def tumours(seed: int = 0) -> Data:
    """Breast cancer data with one malignant tumour in five kept."""
    X, malignant = load_breast_cancer().data, 1 - load_breast_cancer().target  # noqa: N806
    keep = (malignant == 0) | (np.random.default_rng(seed).random(malignant.size) < 0.2)
    return X[keep], malignant[keep]


def eights(seed: int = 0) -> Data:
    """Handwritten digits, half of the rows: 8 against the rest."""
    digits = load_digits()
    rows = np.random.default_rng(seed).permutation(digits.target.size)[:900]
    return digits.data[rows], (digits.target[rows] == 8).astype(int)


DATA: dict[str, Callable[..., Data]] = {
    "gaussians": gaussians,
    "clusters": clusters,
    "far out": far_out,
    "lookalikes": lookalikes,
    "tumours": tumours,
    "eights": eights,
}


# Models


def tuned(model: Any, **grid: Sequence[float]) -> Any:
    """Scaled features, strength of the penalty chosen by AUC in two inner folds."""
    inner = StratifiedKFold(2, shuffle=True, random_state=0)
    return make_pipeline(StandardScaler(), GridSearchCV(model, grid, scoring="roc_auc", cv=inner))


def learner(loss: str) -> Any:
    return tuned(AUCClassifier(loss, max_iter=100), alpha=PENALTIES)


def boosted(objective: Any) -> Any:
    from xgboost import XGBClassifier

    return XGBClassifier(n_estimators=100, max_depth=3, learning_rate=0.1, n_jobs=1, objective=objective)


def strengths(n: int = 1200) -> list[float]:
    """The same penalties in the convention of scikit-learn's C: alpha = 1 / (C n)."""
    return [1 / (alpha * n) for alpha in PENALTIES]


MODELS: dict[str, Callable[[], Any]] = {
    BASE: lambda: tuned(LogisticRegression(max_iter=1000), C=strengths()),
    "balanced": lambda: tuned(LogisticRegression(max_iter=1000, class_weight="balanced"), C=strengths()),
    "linear SVM": lambda: tuned(LinearSVC(max_iter=5000), C=strengths()),
    "AUC logistic": lambda: learner("logistic"),
    "AUC squared hinge": lambda: learner("squared_hinge"),
    "soft AUC": lambda: learner("soft_auc"),
    "XGBoost": lambda: boosted("binary:logistic"),
    "XGBoost, pairs": lambda: boosted(xgboost_objective()),
}


def scores_of(model: Any, X: np.ndarray) -> np.ndarray:  # noqa: N803
    if hasattr(model, "get_booster"):
        return np.asarray(model.predict(X, output_margin=True))
    return np.asarray(model.decision_function(X))


def fold_areas(data: Data, effort: Effort, names: Sequence[str]) -> dict[str, np.ndarray]:
    """AUC of every model on every test fold, the same folds for all."""
    X, y = data  # noqa: N806
    folds = RepeatedStratifiedKFold(n_splits=FOLDS, n_repeats=effort.repeats, random_state=0)
    areas: dict[str, list[float]] = {name: [] for name in names}
    for train, test in folds.split(X, y):
        for name in names:
            model = MODELS[name]().fit(X[train], y[train])
            areas[name].append(rs.auc(y[test], scores_of(model, X[test])))
    return {name: np.array(values) for name, values in areas.items()}


def corrected_test(differences: np.ndarray) -> float:
    """Two-sided p-value of Nadeau and Bengio over the folds."""
    return corrected_t(differences, 1 / FOLDS).pvalue


# Tables


def area_tables(effort: Effort) -> str:
    """Mean AUC of every model, and what it gains on the baseline of its kind."""
    lines = ["| data | rows | positives | " + " | ".join(MODELS) + " |", "|---" * (len(MODELS) + 3) + "|"]
    for name, make in DATA.items():
        start = time.process_time()
        X, y = make()  # noqa: N806
        areas = fold_areas((X, y), effort, list(MODELS))
        cells = [_cell(model, areas) for model in MODELS]
        lines.append(f"| {name} | {len(X)} | {int(y.sum())} | " + " | ".join(cells) + " |")
        print(f"{lines[-1]}   {time.process_time() - start:.0f} s", flush=True)
    return "\n".join(lines)


def _cell(model: str, areas: dict[str, np.ndarray]) -> str:
    base = "XGBoost" if "XGBoost" in model else BASE
    mean = f"{areas[model].mean():.4f}"
    if model == base:
        return mean
    differences = areas[model] - areas[base]
    pvalue = corrected_test(differences)
    shown = f"{mean} ({differences.mean():+.4f}, p {pvalue:.2f})"
    return f"**{shown}**" if pvalue < 0.05 else shown


def focus_table(effort: Effort) -> str:
    """Partial AUC up to a false positive rate of 0.1 on fresh rows, with and without the focus."""
    losses = ("logistic", "squared_hinge", "soft_auc")
    lines = [
        "| loss | trained for AUC | trained for the left end | gain | seeds won | p | gain in whole AUC |",
        "|---|---|---|---|---|---|---|",
    ]
    for loss in losses:
        plain, focused, whole, after = np.array([_partial_areas(loss, seed) for seed in range(effort.seeds)]).T
        test = stats.ttest_rel(focused, plain)
        lines.append(
            f"| {loss} | {plain.mean():.4f} | {focused.mean():.4f} | {(focused - plain).mean():+.4f} | "
            f"{int((focused > plain).sum())} of {effort.seeds} | {test.pvalue:.1g} | {(after - whole).mean():+.4f} |"
        )
    return "\n".join(lines)


def _partial_areas(loss: str, seed: int) -> list[float]:
    (X, y), (new, truth) = lookalikes(2 * seed), lookalikes(2 * seed + 1, 20_000)  # noqa: N806
    models = [AUCClassifier(loss, fpr_range=focus).fit(X, y) for focus in (None, (0.0, 0.1))]
    ranked = [rs.rank(truth, model.decision_function(new)) for model in models]
    return [*(rs.partial_auc(scores, fpr_range=(0, 0.1)) * 10 for scores in ranked), *map(rs.auc, ranked)]


TABLES = {"areas": area_tables, "focus": focus_table}


def main(arguments: Sequence[str] | None = None, page: Path = PAGE) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="little of everything, to see that it runs; writes nothing"
    )
    parser.add_argument("--only", nargs="+", choices=list(TABLES), default=list(TABLES), help="tables to write")
    asked = parser.parse_args(arguments)
    effort = Effort(repeats=1, seeds=3) if asked.quick else Effort()
    warnings.simplefilter("ignore", ConvergenceWarning)
    warnings.simplefilter("ignore", rs.RocsteadyWarning)
    for name in asked.only:
        start = time.process_time()
        content = TABLES[name](effort)
        print(f"{name}: {time.process_time() - start:.0f} s", flush=True)
        if asked.quick:
            print(content, flush=True)
        else:
            page.write_text(with_table(page.read_text(), name, content))


if __name__ == "__main__":
    main()
