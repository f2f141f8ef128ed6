"""Does the interval of a mean over folds hold? ``python -m benchmarks.fold_mean_levels`` prints the table.

Rows of five normal features, the first of which tell the classes apart; a learner is trained on all folds but one
(difference of class means) or scores are given. The truth is the mean over all samples.
"""

from __future__ import annotations

import numpy as np

import rocsteady as rs
from rocsteady._src.evaluation.fold_measures import mean_over_folds
from rocsteady._src.measures.requests import parse_requests

SAMPLES, SEED, FEATURES = 300, 19, 5
MEASURES = parse_requests(["average_precision", "ks_statistic", "h_measure", "recall(threshold=0.0)"])


def samples(n: int, k: int, trained: bool) -> np.ndarray:
    """Values of the measures in each fold of each sample."""
    rng, made = np.random.default_rng(SEED), []
    for _ in range(SAMPLES):
        y = np.arange(n) % 10 < 4
        x = rng.normal(size=(n, FEATURES)) + 0.5 * y[:, None] * (np.arange(FEATURES) < 2)
        fold = np.empty(n, dtype=np.int64)
        for side in (y, ~y):  # stratified, so that every fold has every measure
            fold[side] = rng.permutation(np.count_nonzero(side)) % k
        line = []
        for each in range(k):
            test = fold == each
            rest = ~test if trained else np.zeros(n, dtype=bool)
            up = x[rest & y].mean(0) - x[rest & ~y].mean(0) if trained else 1.0 * (np.arange(FEATURES) < 2)
            middle = (x[rest & y].mean(0) + x[rest & ~y].mean(0)) / 2 if trained else np.full(FEATURES, 0.25)
            ranked = rs.rank(y[test], (x[test] - middle) @ up)
            line.append([float(request.sheet.compute(ranked, **request.params)) for request in MEASURES])
        made.append(line)
    return np.array(made)


if __name__ == "__main__":
    print(f"| rows | folds | scores | {' | '.join(request.sheet.name for request in MEASURES)} |")
    print(f"|---|---|---|{'---|' * len(MEASURES)}")
    for n, k in ((200, 5), (200, 10), (1000, 5), (1000, 10)):
        for trained in (False, True):
            values = samples(n, k, trained)
            held = []
            for column, request in enumerate(MEASURES):
                truth = values[:, :, column].mean()
                found = [mean_over_folds(line, request, 1 / k, 0.95) for line in values[:, :, column]]
                held.append(np.mean([each.low <= truth <= each.high for each in found]))
            who = "trained" if trained else "given"
            print(f"| {n} | {k} | {who} | {' | '.join(f'{100 * each:.1f}%' for each in held)} |", flush=True)
