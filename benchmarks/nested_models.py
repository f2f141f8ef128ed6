"""Nested models judged on the rows of their fit: ``python -m benchmarks.nested_models`` prints the table.

A marker is added to a logistic model and both are fitted and judged on the same rows. DeLong's test takes the scores
as given, and knows nothing of the fit that made them nearly the same.
"""

from __future__ import annotations

import sys

import numpy as np
from scipy.special import chdtrc, expit

import rocsteady as rs
from rocsteady._src.inference.comparison.nested import ALIKE

EFFECTS = {"no effect": 0.0, "an effect": 2.0}  # of the marker, in its standard errors
SIZES = (100, 500)
STEPS = 12


def fit(y: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, float]:
    """Log-odds of every row by maximum likelihood, and twice the log-likelihood."""
    terms = np.column_stack([np.ones(y.size), x])
    beta = np.zeros(terms.shape[1])
    for _ in range(STEPS):
        risk = expit(terms @ beta)
        beta += np.linalg.solve((terms * (risk * (1 - risk))[:, None]).T @ terms, terms.T @ (y - risk))
    odds = terms @ beta
    return odds, 2 * float(y @ odds - np.logaddexp(0, odds).sum())


def one(rng: np.random.Generator, n: int, effect: float, *, new_rows: bool) -> tuple[bool, bool, float]:
    """Whether DeLong's and the likelihood-ratio test reject at 5%, and how the log-odds of both models correlate."""
    x = rng.normal(size=(2 * n, 2))
    true = -1 + x[:, 0] + effect * 2.6 / np.sqrt(n) * x[:, 1]  # 2.6 / sqrt(n) is about one standard error
    y = (rng.random(2 * n) < expit(true)).astype(int)
    here, there = slice(n), slice(n, 2 * n)
    (old, small), (new, large) = (fit(y[here], x[here, :k]) for k in (1, 2))
    judged = here
    if new_rows:
        beta = [
            np.linalg.lstsq(np.column_stack([np.ones(n), x[here, :k]]), odds, rcond=None)[0]
            for k, odds in ((1, old), (2, new))
        ]
        old, new = (np.column_stack([np.ones(n), x[there, :k]]) @ b for k, b in zip((1, 2), beta, strict=True))
        judged = there
    test = rs.compare_auc(y[judged], new, old, method="delong")
    alike = float(np.corrcoef(old, new)[0, 1])
    return test.pvalue < 0.05, float(chdtrc(1, max(large - small, 0.0))) < 0.05, alike


def main(repeats: int = 2000) -> str:
    """Shares of samples in which a test rejects, and correlations of log-odds, as a Markdown table."""
    header = ["marker", "rows", "judged on", "DeLong's test", "likelihood ratio", "log-odds correlate above 0.95"]
    lines = [f"| {' | '.join(header)} |", "| --- " * len(header) + "|"]
    for name, effect in EFFECTS.items():
        for n in SIZES:
            for new_rows in (False, True):
                rng = np.random.default_rng([11, n, int(effect), new_rows])
                found = np.array([one(rng, n, effect, new_rows=new_rows) for _ in range(repeats)], dtype=float)
                shares = [f"{share:.1%}" for share in found[:, :2].mean(axis=0)]
                shares.append(f"{np.mean(found[:, 2] > ALIKE):.1%}")
                where = "new rows" if new_rows else "rows of the fit"
                lines.append(f"| {' | '.join([name, str(n), where, *shares])} |")
                print(lines[-1], flush=True)
    return "\n".join(lines)


if __name__ == "__main__":
    print(main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000))
