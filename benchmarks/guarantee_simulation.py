"""Are promised thresholds kept on new rows, and how timid are they? ``python -m benchmarks.guarantee_simulation``.

Scores of known distributions are drawn, a threshold is promised, and the true rate at it is known. The table is that of
docs/operating_point.md.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import expon, norm

import rocsteady as rs
from rocsteady._src.inference.operating.binomial_tails import at_most_so_many, complement, errors_allowed
from rocsteady._src.inference.operating.guarantee import PROMISES
from rocsteady._src.inference.operating.promised import threshold_of

if TYPE_CHECKING:
    from collections.abc import Iterator

POSITIVES = 0.3
TOO_HIGH = (("precision", 0.8), ("precision", 0.9))  # which scores with a dip never have
SHARES = {"recall": "tpr", "false_positive_rate": "fpr", "precision": "precision"}


@dataclass(frozen=True, slots=True)
class Population:
    """Scores of both classes; ``grid`` rounds them; in a dip the purest rows stand in the middle of the scores."""

    kind: str

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Any, Any]:
        """Labels and scores of n rows."""
        y = rng.random(n) < POSITIVES
        if self.kind == "dip":
            s = np.where(
                y, rng.normal(1.5, 0.4, n), np.where(rng.random(n) < 0.02, rng.normal(3, 0.2, n), rng.normal(size=n))
            )
        elif self.kind == "heavy":
            s = np.where(y, rng.exponential(4, n), rng.exponential(1, n))
        else:
            s = 2 * y + rng.normal(size=n)
        return y.astype(int), np.round(s, 1) if self.kind == "grid" else s

    def rates(self, threshold: float) -> dict[str, float]:
        """True rates where the score is at least the threshold."""
        at = _edge(threshold) if self.kind == "grid" and np.isfinite(threshold) else threshold
        if self.kind == "dip":
            tpr, fpr = norm.sf(at, 1.5, 0.4), 0.02 * norm.sf(at, 3, 0.2) + 0.98 * norm.sf(at)
        elif self.kind == "heavy":
            tpr, fpr = expon.sf(at, scale=4), expon.sf(at)
        else:
            tpr, fpr = norm.sf(at, 2), norm.sf(at)
        called = POSITIVES * tpr + (1 - POSITIVES) * fpr
        return {"recall": tpr, "false_positive_rate": fpr, "precision": POSITIVES * tpr / called if called else 1.0}


def _edge(threshold: float) -> float:
    """Where scores begin that are rounded to a tenth which reaches the threshold."""
    tenth = np.ceil(threshold * 10 - 1e-9)
    return float((tenth if round(tenth / 10, 1) >= threshold else tenth + 1) / 10 - 0.05)


def simulated(kind: str, name: str, bound: float, n: int, samples: int) -> dict[str, float]:
    """How often the promise was broken, refused, and what the true rates were; without the promise, too."""
    population, promise, rng = Population(kind), PROMISES[name], np.random.default_rng(7)
    broken, plain, refused, rates, other, limit = [], [], 0, [], [], []
    for _ in range(samples):
        y, s = population.draw(n, rng)
        ranked = rs.rank(y, s)
        naive = population.rates(float(ranked.thresholds[promise.plain(ranked, bound)]))
        plain.append(naive[name] > bound if promise.side == "at_most" else naive[name] < bound)
        stop = promise.stop(ranked, promise.bound_on_errors(bound), complement(0.95))
        if stop is None:
            refused += 1
            broken.append(False)
            continue
        true = population.rates(float(threshold_of(ranked, stop)))
        broken.append(true[name] > bound if promise.side == "at_most" else true[name] < bound)
        rates.append(true[name])
        other.append(true[promise.in_return_of] - naive[promise.in_return_of])
        limit.append(_exact_limit(promise.among, ranked, promise.bound_on_errors(bound)))
    told = {"broken": np.mean(broken), "without": np.mean(plain), "refused": refused / samples}
    told |= {"rate": np.mean(rates) if rates else np.nan, "given up": np.mean(other) if other else np.nan}
    return {key: float(value) for key, value in told.items()} | {"limit": float(np.mean(limit)) if limit else np.nan}


def _exact_limit(among: tuple[str, str], ranked: rs.RankedScores, rate: float) -> float:
    """How often an order statistic would break the promise at the most, which no rule of ranks may pass; NaN else."""
    if among == ("tp", "fp"):
        return float("nan")
    n = ranked.n_neg if among == ("fp", "tn") else ranked.n_pos
    return float(at_most_so_many(errors_allowed(n, rate, complement(0.95)), n, rate))


def table(samples: int) -> Iterator[str]:
    """The table of docs/operating_point.md."""
    yield "| promise | rows | scores | broken | limit | broken without | mean true rate | other rate moved | refused |"
    yield "|--|--:|--|--:|--:|--:|--:|--:|--:|"
    cells = [("false_positive_rate", bound, n) for bound in (0.01, 0.1) for n in (500, 3000)]
    cells += [("recall", bound, n) for bound in (0.8, 0.95) for n in (500, 3000)]
    cells += [("precision", bound, n) for bound in (0.6, 0.8, 0.9) for n in (500, 3000)]
    for name, bound, n in cells:
        kinds = ("normal", "grid", "heavy" if name != "precision" else "dip")
        kinds = kinds if (name, bound) not in TOO_HIGH else kinds[:2]
        for kind in kinds:
            found = simulated(kind, name, bound, n, samples)
            side = "at most" if name == "false_positive_rate" else "at least"
            limit = "" if np.isnan(found["limit"]) else f"{found['limit']:.1%}"
            shown = f"{found['broken']:.1%} | {limit} | {found['without']:.0%} | {found['rate']:.4f}"
            told = f"{SHARES[name]} {side} {bound} | {n} | {kind}"
            yield f"| {told} | {shown} | {found['given up']:+.3f} | {found['refused']:.0%} |"


if __name__ == "__main__":
    for line in table(int(sys.argv[1]) if len(sys.argv) > 1 else 2000):
        print(line, flush=True)
