"""Loss and gradient over all pairs in np.sorts; iterations of a fit in those of scikit-learn's logistic regression."""

from __future__ import annotations

import time
import warnings
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.ranking import scores_and_labels
from benchmarks.stopwatch import Scoreboard, best_times
from rocsteady._src.extras.learning.risk import LOSSES, PairRisk, make_loss

if TYPE_CHECKING:
    from rocsteady._src.measures.pairwise import PairLoss

BARS = {"squared_hinge": 25, "logistic": 150}
FIT_BARS = {"squared_hinge": 10, "logistic": 40}
SIZES = (10**4, 10**5, 10**6)
ALL_PAIRS_UP_TO = 10**4
JUDGED_AT = 10**6
FEATURES, ITERATIONS = 20, 6


def main() -> list[str]:
    board = Scoreboard()
    print("\nloss and gradient over all pairs, in np.sorts of the scores")
    for n in SIZES:
        y, s = scores_and_labels(n, kind="decision values")
        for name in LOSSES:
            risk = PairRisk.of(np.asarray(y) == 1, None, make_loss(name, 1.0))
            sort, ours = best_times(
                lambda s=s: np.sort(s), lambda r=risk, s=s: r.at(s), rounds=5 if n == JUDGED_AT else 3
            )
            what = f"{name}, n = {n:,}, {1000 * ours:,.1f} ms"
            if n == JUDGED_AT and name in BARS:
                board.at_most(what, ours / sort, BARS[name])
            else:
                print(f"{what:<66} {ours / sort:8.2f}x{_all_pairs(risk, s)}", flush=True)
    _fits(board)
    return board.missed


def _all_pairs(risk: PairRisk, s: np.ndarray) -> str:
    if s.size > ALL_PAIRS_UP_TO:
        return ""
    start = time.perf_counter()
    all_pairs_gradient(risk.loss, s[risk.pos], s[risk.neg])
    return f"  (all pairs: {1000 * (time.perf_counter() - start):,.0f} ms)"


def all_pairs_gradient(
    loss: PairLoss, p: np.ndarray, n: np.ndarray, block: int = 64
) -> tuple[float, np.ndarray, np.ndarray]:
    """Mean loss and its gradient by positives and negatives, from every pair, in blocks that stay in the cache."""
    total, of_pos, of_neg = 0.0, np.empty(p.size), np.zeros(n.size)
    for start in range(0, p.size, block):
        d = p[start : start + block, None] - n
        slopes = loss.slope(d)
        total += float(loss(d).sum())
        of_pos[start : start + block] = slopes.sum(axis=1)
        of_neg -= slopes.sum(axis=0)
    pairs = p.size * n.size
    return total / pairs, of_pos / pairs, of_neg / pairs


def _fits(board: Scoreboard) -> None:
    from sklearn.linear_model import LogisticRegression

    from rocsteady.learning import AUCClassifier

    rng = np.random.default_rng(0)
    X = rng.normal(size=(JUDGED_AT, FEATURES))  # noqa: N806
    y = (X @ rng.normal(size=FEATURES) / 4 + rng.logistic(size=JUDGED_AT) > 2).astype(int)
    print(f"\nan iteration of a fit of {JUDGED_AT:,} rows x {FEATURES}, in those of LogisticRegression(lbfgs)")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, bar in FIT_BARS.items():
            best = {"theirs": np.inf, "ours": np.inf}
            for _ in range(2):
                for side, make in (
                    ("theirs", lambda: LogisticRegression(tol=1e-12, max_iter=ITERATIONS)),
                    ("ours", lambda name=name: AUCClassifier(name, tol=1e-12, max_iter=ITERATIONS)),
                ):
                    start = time.perf_counter()
                    model = make().fit(X, y)
                    best[side] = min(best[side], (time.perf_counter() - start) / int(np.max(model.n_iter_)))
            board.at_most(f"{name}, {best['ours']:.2f} s an iteration", best["ours"] / best["theirs"], bar)


if __name__ == "__main__":
    main()
