"""Example data, made by seeded code: nobody's rows, the same everywhere."""

from __future__ import annotations

from typing import Any

import numpy as np

SEED = 20260103


def loans(n: int = 2000, seed: int = SEED) -> dict[str, Any]:
    """Loans with a default label and five models of differing quality, two of them with many ties.

    Examples
    --------
    >>> from rocsteady.examples import loans
    >>> table = loans()
    >>> len(table["defaulted"]), sorted(set(table["grade"]))
    (2000, [1, 2, 3, 4, 5, 6, 7])
    """
    rng = np.random.default_rng(seed)
    risk = rng.normal(size=n)
    shock = rng.normal(size=n)
    defaulted = (risk + shock > 1.35).astype(np.int64)
    seen = 0.9 * risk + 0.3 * rng.normal(size=n)
    logistic = _probability(1.3 * seen + 0.15 * rng.normal(size=n) - 1.8)
    boosted = _probability(1.6 * risk + 0.35 * shock + 0.35 * rng.normal(size=n) - 2.0)
    scorecard = np.round(50 + 12 * seen + 4 * rng.normal(size=n)).astype(np.int64)
    grade = np.clip(np.digitize(0.7 * risk + 0.8 * rng.normal(size=n), [-1.5, -0.7, 0.0, 0.6, 1.2, 1.8]) + 1, 1, 7)
    return {
        "loan": np.arange(1, n + 1).tolist(),
        "defaulted": defaulted.tolist(),
        "boosted": np.round(boosted, 6).tolist(),
        "logistic": np.round(logistic, 6).tolist(),
        "scorecard": scorecard.tolist(),
        "grade": grade.tolist(),
        "coin": np.round(rng.random(n), 6).tolist(),
    }


def _probability(logit: Any) -> Any:
    return 1 / (1 + np.exp(-logit))
