"""What people do without us, written as they write it: a bootstrap loop, and DeLong with mid-ranks in plain loops."""

from __future__ import annotations

import shutil
import subprocess

import numpy as np
from sklearn.metrics import roc_auc_score


def bootstrap_loop(y: np.ndarray, score: np.ndarray, n_resamples: int, seed: int) -> tuple[float, float]:
    """Resample rows, call scikit-learn, take percentiles."""
    rng = np.random.default_rng(seed)
    values = []
    while len(values) < n_resamples:
        rows = rng.integers(0, y.size, y.size)
        if 0 < y[rows].sum() < y.size:
            values.append(roc_auc_score(y[rows], score[rows]))
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


def midranks(values: np.ndarray) -> np.ndarray:
    """Mid-ranks with a loop over runs of equal values, as the scripts that go around compute them."""
    order = np.argsort(values)
    ordered = values[order]
    ranks = np.zeros(values.size)
    start = 0
    while start < values.size:
        stop = start
        while stop < values.size and ordered[stop] == ordered[start]:
            stop += 1
        ranks[start:stop] = 0.5 * (start + stop - 1) + 1
        start = stop
    found = np.empty(values.size)
    found[order] = ranks
    return found


def delong_script(y: np.ndarray, first: np.ndarray, second: np.ndarray) -> float:
    """The z of the paired test from mid-ranks of each class and of both together."""
    order = np.argsort(-y, kind="stable")
    m = int(y.sum())
    n = y.size - m
    aucs, of_pos, of_neg = [], [], []
    for score in (first, second):
        row = score[order]
        together, pos, neg = midranks(row), midranks(row[:m]), midranks(row[m:])
        aucs.append(together[:m].sum() / m / n - (m + 1) / 2 / n)
        of_pos.append((together[:m] - pos) / n)
        of_neg.append(1 - (together[m:] - neg) / m)
    covariance = np.cov(of_pos) / m + np.cov(of_neg) / n
    contrast = np.array([1, -1])
    return float((aucs[0] - aucs[1]) / np.sqrt(contrast @ covariance @ contrast))


PROC = """
suppressMessages(library(pROC))
best <- function(f, k) min(replicate(k, system.time(f())[["elapsed"]]))
set.seed(1)
n <- 1e4; y <- rbinom(n, 1, .3); s <- rnorm(n) + y
r <- roc(y, s, direction = "<", levels = c(0, 1), quiet = TRUE)
boot <- best(function() ci.auc(r, method = "bootstrap", boot.n = 200, progress = "none"), 2) * 10
n <- 1e5; y <- rbinom(n, 1, .3); z <- rnorm(n); a <- z + rnorm(n) + y; b <- z + rnorm(n) + y
test <- best(function() {
  one <- roc(y, a, direction = "<", levels = c(0, 1), quiet = TRUE)
  two <- roc(y, b, direction = "<", levels = c(0, 1), quiet = TRUE)
  roc.test(one, two, method = "delong", paired = TRUE)
}, 3)
cat(boot, test, as.character(packageVersion("pROC")))
"""


def proc_seconds() -> tuple[float, float, str] | None:
    """Seconds of pROC for 2000 resamples at 10^4 rows and for the paired test at 10^5; None without R and pROC."""
    if shutil.which("Rscript") is None:
        return None
    done = subprocess.run(["Rscript", "-e", PROC], capture_output=True, text=True, check=False)  # noqa: S607
    if done.returncode:
        return None
    boot, test, version = done.stdout.split()
    return float(boot), float(test), version
