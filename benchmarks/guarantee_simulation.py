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
from rocsteady._src.inference.operating.subject_promise import SubjectShares
from rocsteady._src.inference.units.subjects import read_rows

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


@dataclass(frozen=True, slots=True)
class Subjects:
    """Subjects whose rows share a part of their variance; ``busy`` ones, with high scores, have more rows.

    Each has a row of both classes, so that the mean over subjects is over all of them.
    """

    n: int
    shared: float
    busy: bool

    def draw(self, rng: np.random.Generator) -> tuple[Any, Any, Any]:
        """Labels, scores and subjects."""
        effect = rng.normal(size=self.n)
        sizes = 2 + rng.poisson(8 * norm.cdf(2 * effect) if self.busy else np.full(self.n, 4.0))
        who = np.repeat(np.arange(self.n), sizes)
        y = rng.random(who.size) < 0.5
        starts = sizes.cumsum() - sizes
        y[starts], y[starts + 1] = True, False
        noise = np.sqrt(self.shared) * effect[who] + np.sqrt(1 - self.shared) * rng.normal(size=who.size)
        return y.astype(int), 2 * y + noise, who


def by_subject(design: Subjects, name: str, bound: float, samples: int) -> dict[str, float]:
    """How often the promise about the mean of new subjects was broken, with subjects told and as if rows were all."""
    promise, rng, population = PROMISES[name], np.random.default_rng(8), Population("normal")
    found: dict[str, list[float]] = {"broken": [], "rows": [], "rate": [], "refused": []}
    for _ in range(samples):
        rows = read_rows(*design.draw(rng))
        ranked = rows.ranked[0]
        told = SubjectShares(rows, promise).stop(promise, promise.bound_on_errors(bound), complement(0.95))
        plain = promise.stop(ranked, promise.bound_on_errors(bound), complement(0.95))
        found["refused"].append(told is None)
        for key, stop in (("broken", told), ("rows", plain)):
            true = bound if stop is None else population.rates(float(threshold_of(ranked, stop)))[name]
            found[key].append(true > bound if promise.side == "at_most" else true < bound)
            if key == "broken" and stop is not None:
                found["rate"].append(true)
    return {key: float(np.mean(values)) if values else float("nan") for key, values in found.items()}


def table_by_subject(samples: int) -> Iterator[str]:
    """The table of subjects."""
    yield "| promise | subjects | variance that a subject shares | broken | rows only | mean true rate | refused |"
    yield "|--|--:|--|--:|--:|--:|--:|"
    for name, bound in (("false_positive_rate", 0.1), ("recall", 0.8)):
        for n, shared, busy in (
            (60, 0.5, False),
            (300, 0.0, False),
            (300, 0.5, False),
            (300, 1.0, False),
            (300, 0.5, True),
        ):
            found = by_subject(Subjects(n, shared, busy), name, bound, samples)
            side = "at most" if name == "false_positive_rate" else "at least"
            more = ", more rows where scores are high" if busy else ""
            rates = f"{found['broken']:.1%} | {found['rows']:.1%} | {found['rate']:.4f} | {found['refused']:.0%}"
            yield f"| {SHARES[name]} {side} {bound} | {n} | {shared:.0%}{more} | {rates} |"


TABLES = {"rows": table, "subjects": table_by_subject}


if __name__ == "__main__":
    wanted = [each for each in sys.argv[1:] if each in TABLES] or list(TABLES)
    numbers = [int(each) for each in sys.argv[1:] if each not in TABLES]
    for each in wanted:
        for line in TABLES[each](numbers[0] if numbers else 2000):
            print(line, flush=True)
