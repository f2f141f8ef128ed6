"""Bias and coverage of corrected measures, coverage of pooled AUCs: ``python -m benchmarks.validation 200``.

A second word, ``optimism``, limits it to the former.

The word ``share`` asks how much of the time is spent in fits, with how many resamples after it (200 when absent).

Two of several normal features matter, a logistic regression without penalty is fitted to all, and the truth is what the
very model shows on 10,000 new rows. For pooling, four of ten values of a feature are missing where the other is high,
and are imputed ten times from a normal regression whose parameters are drawn too; censored times, classes and tests at
a margin likewise.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np
from scipy.special import ndtr

import rocsteady as rs

SETTINGS = (  # rows, features, how much two of these matter, rows of a subject
    (100, 10, 0.7, 1),
    (200, 10, 0.7, 1),
    (400, 10, 0.7, 1),
    (100, 5, 1.5, 1),
    (150, 5, 1.0, 3),
    (300, 5, 1.0, 3),
    (600, 5, 1.0, 3),
)
NEW, RESAMPLES, IMPUTED = 10_000, 100, 10


def logistic(features: Any, labels: Any) -> Any:
    """Maximum likelihood by Newton's method."""
    rows = np.column_stack([np.ones(len(features)), features])
    at = np.zeros(rows.shape[1])
    for _ in range(20):
        risk = 1 / (1 + np.exp(-np.clip(rows @ at, -30, 30)))
        information = (rows * (risk * (1 - risk))[:, None]).T @ rows + 1e-8 * np.eye(at.size)
        step = np.linalg.solve(information, rows.T @ (labels - risk))
        at = at + step
        if np.abs(step).max() < 1e-8:
            break
    return lambda new: 1 / (1 + np.exp(-np.clip(at[0] + new @ at[1:], -25, 25)))


def drawn(n: int, p: int, beta: float, rng: np.random.Generator, per: int = 1) -> tuple[Any, Any]:
    """Features and outcomes; of ``per`` rows of a subject both share a half of their variance."""
    features, luck = alike(n, p, per, rng), ndtr(alike(n, 1, per, rng)[:, 0]) if per > 1 else rng.random(n)
    return features, (luck < 1 / (1 + np.exp(-beta * features[:, :2].sum(1)))).astype(int)


def alike(n: int, p: int, per: int, rng: np.random.Generator) -> Any:
    """Normal columns."""
    own = rng.normal(size=(n, p))
    return own if per == 1 else np.sqrt(0.5) * (own + np.repeat(rng.normal(size=(n // per, p)), per, axis=0))


def optimism(n: int, p: int, beta: float, per: int, n_sets: int) -> str:
    """A line of the table."""
    rng = np.random.default_rng([n, p])
    new, found = drawn(NEW, p, beta, rng), []
    how: dict[str, Any] = {"n_resamples": RESAMPLES, "cluster": np.arange(n) // per if per > 1 else None}
    for number in range(n_sets):
        features, labels = drawn(n, p, beta, rng, per)
        said = rs.validation.optimism(logistic, features, labels, **how, random_state=number)
        risk = logistic(features, labels)(new[0])
        slope = rs.calibration.calibration_summary(new[1], risk).slope.estimate
        truth = np.array([rs.auc(new[1], risk), rs.brier_score(new[1], risk), slope])
        held = [each.low <= value <= each.high for each, value in zip(said, truth, strict=True)]
        found.append(np.concatenate([said.apparent, said.corrected, truth, held]))
    mean = np.mean(found, axis=0)
    numbers = " | ".join(f"{value:.3f}" for k in range(3) for value in mean[[k, 3 + k, 6 + k]])
    rows = f"{n} of {n // per} subjects" if per > 1 else n
    return f"| {rows} | {p} | {numbers} | " + " | ".join(f"{100 * value:.1f}" for value in mean[9:]) + " |"


def pooled(n: int, n_sets: int) -> str:
    """How often the pooled interval of an AUC holds the truth, beside the rows that are complete."""
    rng = np.random.default_rng(n)
    x, y = drawn(400_000, 2, 1.0, rng)
    truth, held = rs.auc(y, x.sum(1)), []
    for _ in range(n_sets):
        x, y = drawn(n, 2, 1.0, rng)
        gone = rng.random(n) < np.where(x[:, 0] > 0, 0.6, 0.2)
        known = [rs.auc_interval(y, score, method="logit") for score in _completed(x, y, gone, rng)]
        answers = [rs.validation.pool(known, measure="auc", complete_df=n - 1)]
        answers += [rs.auc_interval(y[~gone], x[~gone].sum(1), method="logit")]
        held.append([each.low <= truth <= each.high for each in answers])
    return f"| {n} | {truth:.3f} | " + " | ".join(f"{100 * value:.1f}" for value in np.mean(held, axis=0)) + " |"


def pooled_others(n: int, n_sets: int) -> str:
    """The same of concordance with censored times and of three classes; and 5% tests at the margin that rejected."""
    rng = np.random.default_rng([n, 1])
    x, y = drawn(400_000, 2, 1.0, rng)
    gap = rs.auc(y, x.sum(1)) - rs.auc(y, x[:, 0])
    times, seen, stage = _others(x[:100_000], rng)
    truth = (
        rs.times.concordance(times, seen, x[:100_000].sum(1)).estimate,
        rs.multiclass_auc(stage, _of_classes(x[:100_000].sum(1))),
    )
    held = []
    for _ in range(n_sets):
        x, y = drawn(n, 2, 1.0, rng)
        times, seen, stage = _others(x, rng)
        fate = np.column_stack([seen, np.log(times)])
        gone = rng.random(n) < np.where(x[:, 0] > 0, 0.6, 0.2)
        found = [
            rs.validation.pool([rs.times.concordance(times, seen, score) for score in _completed(x, fate, gone, rng)]),
            rs.validation.pool(
                [rs.multiclass_auc_interval(stage, _of_classes(score)) for score in _completed(x, stage, gone, rng)],
                scale="logit",
            ),
        ]
        margin: Any = {"alternative": "non-inferiority", "margin": gap, "method": "delong"}
        tests = [rs.compare_auc(y, x[:, 0], score, **margin) for score in _completed(x, y, gone, rng)]
        rejected = (rs.validation.pool(tests).pvalue or 0.0) < 0.05
        held.append([*(each.low <= value <= each.high for each, value in zip(found, truth, strict=True)), rejected])
    return f"| {n} | " + " | ".join(f"{100 * value:.1f}" for value in np.mean(held, axis=0)) + " |"


def pooled_as_made(n: int, n_sets: int) -> str:
    """Concordance with censored times, imputed from the very law that made the rows: what is left to the pooling."""
    rng = np.random.default_rng([n, 2])
    x = drawn(100_000, 2, 1.0, rng)[0]
    times, seen, _ = _others(x, rng)
    truth, found = rs.times.concordance(times, seen, x.sum(1)).estimate, []
    for _ in range(n_sets):
        x = drawn(n, 2, 1.0, rng)[0]
        times, seen, _ = _others(x, rng)
        gone = rng.random(n) < np.where(x[:, 0] > 0, 0.6, 0.2)
        fate = np.column_stack([seen, np.log(times)])
        lines = (_completed(x, fate, gone, rng), _as_made(x, times, seen, gone, rng))
        for scores in lines:
            said = rs.validation.pool([rs.times.concordance(times, seen, score) for score in scores])
            found.append([said.low <= truth <= said.high, (said.estimate - truth) / said.se])
    held, off = np.array(found).reshape(-1, 2, 2).mean(axis=0).T
    return f"| {n} | " + " | ".join(f"{100 * held[k]:.1f} | {off[k]:+.2f}" for k in range(2)) + " |"


def _as_made(x: Any, times: Any, seen: Any, gone: Any, rng: np.random.Generator) -> list[Any]:
    """Scores with the missing feature drawn given the other, time and event, on a fine grid."""
    grid = np.linspace(-5, 5, 1001)
    risk = x[gone, :1] + grid
    density = np.exp(-(grid**2) / 2 + seen[gone, None] * risk - times[gone, None] * np.exp(risk)).cumsum(axis=1)
    made = []
    for _ in range(IMPUTED):
        score, at = x.sum(1), rng.random((int(gone.sum()), 1)) * density[:, -1:]
        score[gone] = x[gone, 0] + grid[(density < at).sum(axis=1)]
        made.append(score)
    return made


def _others(x: Any, rng: np.random.Generator) -> tuple[Any, Any, Any]:
    """Censored times of the same features, and three ordered classes."""
    fate, stop = rng.exponential(np.exp(-x.sum(1))), rng.exponential(2.0, len(x))
    stage = np.digitize(x.sum(1) + rng.logistic(size=len(x)), (-1.0, 1.0))
    return np.minimum(fate, stop), (fate <= stop).astype(int), stage


def _of_classes(score: Any) -> Any:
    """Probabilities of three ordered classes."""
    low, high = 1 / (1 + np.exp(1 + score)), 1 / (1 + np.exp(1 - score))
    return np.column_stack([low, 1 - low - high, high])


def _completed(x: Any, y: Any, gone: Any, rng: np.random.Generator) -> list[Any]:
    """Scores with the missing feature drawn from what the complete rows say of it."""
    rows = np.column_stack([np.ones(len(x)), x[:, 0], y])
    known = rows[~gone]
    inverse = np.linalg.inv(known.T @ known)
    at = inverse @ known.T @ x[~gone, 1]
    left, df = x[~gone, 1] - known @ at, len(known) - rows.shape[1]
    made = []
    for _ in range(IMPUTED):
        spread = np.sqrt(left @ left / rng.chisquare(df))
        line = rng.multivariate_normal(at, spread**2 * inverse)
        made.append(x[:, 0] + np.where(gone, rows @ line + spread * rng.normal(size=len(x)), x[:, 1]))
    return made


def share_of_fits(name: str, model: Any, n: int, measures: Any, n_resamples: int = 200) -> str:
    """How much of the processor's time of an optimism bootstrap is spent in fits, and in scoring all rows."""
    spent = [0.0, 0.0]

    def watched(task: Any, kind: int, *given: Any) -> Any:
        start = time.process_time()
        made = task(*given)
        spent[kind] += time.process_time() - start
        return made

    def fitted(features: Any, labels: Any) -> Any:
        made = watched(model().fit, 0, features, labels)
        return lambda rows: watched(made.predict_proba, 1, rows)[:, 1]

    features, labels = drawn(n, 10, 0.7, np.random.default_rng(n))
    start = time.process_time()
    rs.validation.optimism(fitted, features, labels, measures=measures, n_resamples=n_resamples, random_state=1)
    whole = time.process_time() - start
    shares = [100 * each / whole for each in spent]
    a_fit, rest = 1000 * spent[0] / (n_resamples + 1), 1000 * (whole - sum(spent)) / n_resamples
    asked = "AUC" if measures else "all three"
    told = " | ".join(f"{each:.0f}" for each in (*shares, sum(shares)))
    return f"| {name} | {n} | {asked} | {a_fit:.1f} | {told} | {rest:.2f} |"


def models() -> dict[str, Any]:
    """Models as people fit them, in one thread."""
    from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV

    penalties = {"C": [0.01, 0.1, 1.0, 10.0]}
    return {
        "logistic regression": LogisticRegression,
        "gradient boosting, 10 trees": lambda: GradientBoostingClassifier(n_estimators=10, random_state=0),
        "gradient boosting, 100 trees": lambda: GradientBoostingClassifier(random_state=0),
        "random forest, 100 trees": lambda: RandomForestClassifier(random_state=0),
        "logistic regression, penalty by five folds": lambda: GridSearchCV(LogisticRegression(), penalties, cv=5),
    }


if __name__ == "__main__":
    if sys.argv[1:2] == ["share"]:
        from threadpoolctl import threadpool_limits

        share_of_fits("loaded before the clock runs", models()["logistic regression"], 200, None, 2)
        with threadpool_limits(1):  # threads that wait for each other would count as time of the fit
            for name, model in models().items():
                for rows, asked in ((200, ["auc"]), (200, None), (1000, ["auc"]), (1000, None)):
                    print(share_of_fits(name, model, rows, asked, *map(int, sys.argv[2:])), flush=True)
        sys.exit()
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    for size in (100, 300) if sys.argv[2:] != ["optimism"] else ():
        print(pooled(size, 5 * count), flush=True)
        print(pooled_others(size, 5 * count), flush=True)
        print(pooled_as_made(size, 2 * count), flush=True)
    for setting in SETTINGS:
        print(optimism(*setting, count), flush=True)
