"""Size and coverage of what diagnostic studies ask for: ``python -m benchmarks.diagnostic_coverage 400 [name]``.

Prints a line for each question and setting: how many rows, and in percent how often a test rejects where nothing is the
matter (5 is right), or how often a 95% interval held the truth. Truths are known, or found on 400,000 rows.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

import rocsteady as rs

if TYPE_CHECKING:
    from collections.abc import Callable

MANY = 400_000
Generator = np.random.Generator


def rank_sums(n: int, method: Any, *, ties: bool = False) -> Callable[[Generator], float]:
    """Rejections of AUC = 1/2, of as many positives as negatives."""

    def one(rng: Generator) -> float:
        y, s = np.tile([0, 1], n // 2), rng.normal(size=n)
        return rs.inference.auc_null_test(y, s.round() if ties else s, method=method).pvalue < 0.05

    return one


def contrasts(n_pos: int, n_neg: int) -> Callable[[Generator], float]:
    """Rejections of three like models' contrasts together."""

    def one(rng: Generator) -> float:
        y = np.repeat([1, 0], [n_pos, n_neg])
        shared = y + rng.normal(size=y.size)
        models = {name: shared + rng.normal(size=y.size) for name in "abc"}
        return rs.inference.auc_contrasts(y, models).pvalue < 0.05

    return one


def volumes(sizes: tuple[int, ...], gap: float, name: str) -> Callable[[Generator], float]:
    """Coverage of the volume, or of the ordinal C, of normal classes a step apart."""
    sample = np.random.default_rng(1).normal(size=(3, MANY)) + gap * np.arange(3)[:, None]
    pairs = [np.mean(sample[a] < sample[b]) for a, b in ((0, 1), (0, 2), (1, 2))]
    truth = np.mean((sample[0] < sample[1]) & (sample[1] < sample[2])) if name == "volume" else np.mean(pairs)

    def one(rng: Generator) -> float:
        y = np.repeat(np.arange(3), sizes)
        found = getattr(rs.multiclass.ordinal_auc(y, gap * y + rng.normal(size=y.size)), name)
        return found.low <= truth <= found.high

    return one


def verifications(n: int, rare: float, name: str) -> Callable[[Generator], float]:
    """Coverage where 90% of called rows and ``rare`` of the others are verified, 20% being positive."""
    from scipy.stats import norm

    truth = {"sensitivity": norm.sf(0.75 - 1.5), "specificity": norm.cdf(0.75), "auc": norm.cdf(1.5 / np.sqrt(2))}[name]

    def one(rng: Generator) -> float:
        y = (rng.random(n) < 0.2).astype(float)
        s = 1.5 * y + rng.normal(size=n)
        y[rng.random(n) > np.where(s >= 0.75, 0.9, rare)] = np.nan
        try:
            found = getattr(rs.inference.partial_verification(y, s, threshold=0.75), name)
        except rs.InputError:
            return float("nan")
        return found.low <= truth <= found.high

    return one


def adjusted(n: int, method: Any) -> Callable[[Generator], float]:
    """Coverage of the adjusted area: positives are older, and scores rise with age."""
    from scipy.stats import norm

    truth = norm.cdf(1 / np.sqrt(2))

    def one(rng: Generator) -> float:
        y = np.repeat([1, 0], [n // 4, n - n // 4])
        age = (
            np.floor(4 * rng.beta(*np.array([[2, 1], [1, 2]]).T[:, 1 - y]))
            if method == "stratified"
            else y + rng.normal(size=n)
        )
        s = y + age + rng.normal(size=n)
        found = rs.inference.adjusted_roc(y, s, age, method=method, n_resamples=2 if method == "stratified" else 100)
        return found.auc.low <= truth <= found.auc.high

    return one


def two_stages(n: int, features: int) -> Callable[[Generator], float]:
    """Coverage of the AUC of the very model by the two-stage interval, 30 times 30 fits."""
    from benchmarks.validation import drawn, logistic

    def one(rng: Generator) -> float:
        x, y = drawn(n, features, 0.7, rng)
        how: dict[str, Any] = {"measures": ["auc"], "n_resamples": 30, "random_state": int(rng.integers(2**31))}
        found = rs.validation.optimism(logistic, x, y, interval="two-stage", n_outer=30, **how)["auc"]
        new = drawn(10_000, features, 0.7, rng)
        truth = rs.auc(new[1], logistic(x, y)(new[0]))
        return found.low <= truth <= found.high

    return one


QUESTIONS: dict[str, Callable[[Generator], float]] = {
    "rank sum exact, 10 rows": rank_sums(10, "exact"),
    "rank sum normal, 10 rows": rank_sums(10, "normal"),
    "rank sum exact, 20 rows with ties": rank_sums(20, "exact", ties=True),
    "rank sum normal, 20 rows with ties": rank_sums(20, "normal", ties=True),
    "contrasts, 10 + 90 rows": contrasts(10, 90),
    "contrasts, 20 + 20 rows": contrasts(20, 20),
    "contrasts, 50 + 200 rows": contrasts(50, 200),
    "VUS, 10 rows each": volumes((10, 10, 10), 1.0, "volume"),
    "VUS, 30, 20, 10 rows": volumes((30, 20, 10), 1.0, "volume"),
    "VUS, 50 rows each, far apart": volumes((50, 50, 50), 2.5, "volume"),
    "VUS, 5 rows each": volumes((5, 5, 5), 1.0, "volume"),
    "ordinal C, 10 rows each": volumes((10, 10, 10), 1.0, "ordinal_c"),
    "ordinal C, 50 rows each, far apart": volumes((50, 50, 50), 2.5, "ordinal_c"),
    **{
        f"verification, {name}, {n} rows, {round(100 * rare)}% of the others": verifications(n, rare, name)
        for n in (200, 1000)
        for rare in (0.1, 0.4)
        for name in ("sensitivity", "specificity", "auc")
    },
    "adjusted AUC, strata, 100 rows": adjusted(100, "stratified"),
    "adjusted AUC, strata, 400 rows": adjusted(400, "stratified"),
    "adjusted AUC, line, 100 rows": adjusted(100, "linear"),
    "adjusted AUC, line, 400 rows": adjusted(400, "linear"),
    "two-stage, 100 rows, 5 features (a fifth of the samples)": two_stages(100, 5),
}


def main() -> None:
    """Print the table."""
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    print("| question | percent | samples without an answer |\n|---|--:|--:|")
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    for number, (name, one) in enumerate(QUESTIONS.items()):
        if wanted not in name:
            continue
        rng = np.random.default_rng([20, number])
        found = np.array([one(rng) for _ in range(repeats // (5 if "two-stage" in name else 1))], float)
        known = found[~np.isnan(found)]
        share = f"{100 * known.mean():.1f}" if known.size else "-"
        print(f"| {name} | {share} | {found.size - known.size} |", flush=True)


if __name__ == "__main__":
    main()
