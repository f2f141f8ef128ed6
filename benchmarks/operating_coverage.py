"""Coverage of rates where another is held: ``python -m benchmarks.operating_coverage tpr 500``.

Scores of known ROC curves are drawn, and the truth at the rate that is held is known. An interval holds it if the
confidence at the truth is within the tails, so most samples need no ends. Tables are those of docs/operating_point.md.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import betainc
from scipy.stats import binom, gaussian_kde, norm

import rocsteady as rs
from rocsteady._src.inference.operating.rate_intervals import Known
from rocsteady._src.inference.operating.worth import People, worth_by_class
from rocsteady._src.inference.units.subjects import read_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

TAIL, Z = 0.025, float(norm.ppf(0.975))
SPREADS = {"alike": 1.0, "wide": 2.0, "narrow": 0.5}
CELLS = ((30, 0.1), (300, 0.1), (300, 0.01), (3000, 0.01), (3000, 0.001))
SIZES, TRUTHS = (20, 100, 1000), (0.5, 0.8, 0.97)
METHODS = ("mid-p", "exact", "kernel", "bootstrap", "BTII")
PEOPLE = ((40, 0.0, False), (40, 0.3, False), (40, 0.5, False), (80, 0.5, False), (80, 0.5, True))
BESIDE = tuple(
    (n_neg, fpr, 100, tpr, shape)
    for n_neg, fpr in ((300, 0.01), (300, 0.1), (2000, 0.01))
    for tpr, shape in ((0.8, "alike"), (0.97, "wide"))
)
N_RESAMPLES, N_WIDTHS, FEW, TRACE = 300, 10, 5, 1e-9


@dataclass(frozen=True, slots=True)
class Scores:
    """Normal negatives, and positives of another mean and spread, with this TPR at this FPR."""

    shape: str
    fpr: float
    tpr: float

    @property
    def spread(self) -> float:
        """Standard deviation of the positives."""
        return SPREADS[self.shape]

    @property
    def mean(self) -> float:
        """Mean of the positives."""
        return float(norm.isf(self.fpr) - self.spread * norm.isf(self.tpr))

    def tpr_at(self, fpr: Any) -> Any:
        """The true curve."""
        return norm.sf((norm.isf(fpr) - self.mean) / self.spread)

    def draw(self, n_pos: int, n_neg: int, rng: np.random.Generator) -> tuple[Array, Array]:
        """Positives and negatives."""
        return self.mean + self.spread * rng.normal(size=n_pos), rng.normal(size=n_neg)


def ranked_of(pos: Array, neg: Array) -> rs.RankedScores:
    """Both classes together."""
    return rs.rank(np.repeat([1, 0], [pos.size, neg.size]), np.concatenate([pos, neg]))


def within(confidence: Callable[[Any], float]) -> bool:
    """Whether the confidence at the truth is in neither tail."""
    return confidence("low") >= TAIL and confidence("high") <= 1 - TAIL


def held(known: Known, rate: float, truth: float, kind: Any) -> bool:
    """Whether the interval of the TPR where the FPR is held has the truth in it."""
    trade = known.negatives
    return (
        trade.confidence(rate, truth, "low", kind) >= TAIL and trade.confidence(rate, truth, "high", kind) <= 1 - TAIL
    )


def kernel_ends(pos: Array, neg: Array, fpr: float) -> tuple[float, float]:
    """Normal on the log-odds scale, with the ratio of densities from kernels."""
    cut = np.sort(neg)[::-1][int(fpr * neg.size + 1e-9)]
    share = min(max(float(np.mean(pos > cut)), 0.5 / pos.size), 1 - 0.5 / pos.size)
    slope = float(gaussian_kde(pos)(cut)[0]) / max(float(gaussian_kde(neg)(cut)[0]), 1e-300)
    variance = share * (1 - share) / pos.size + slope**2 * fpr * (1 - fpr) / neg.size
    centre, half = np.log(share / (1 - share)), Z * np.sqrt(variance) / (share * (1 - share))
    return float(1 / (1 + np.exp(half - centre))), float(1 / (1 + np.exp(-half - centre)))


def bootstrap_ends(pos: Array, neg: Array, fpr: float, rng: np.random.Generator) -> list[tuple[float, float]]:
    """Percentiles of resamples, and Zhou and Qin's BTII: Agresti and Coull's centre with the spread of resamples."""
    place = int(fpr * neg.size + 1e-9)
    cuts = np.partition(rng.choice(neg, (N_RESAMPLES, neg.size)), neg.size - 1 - place, axis=1)[:, neg.size - 1 - place]
    shares = np.array([np.mean(rng.choice(pos, pos.size) > cut) for cut in cuts])
    hits = np.count_nonzero(pos > np.sort(neg)[::-1][place])
    centre, half = (hits + Z * Z / 2) / (pos.size + Z * Z), Z * shares.std()
    low, high = np.quantile(shares, [TAIL, 1 - TAIL])
    return [(float(low), float(high)), (float(centre - half), float(centre + half))]


def coverage_of_tpr(scores: Scores, n_pos: int, n_neg: int, samples: int) -> dict[str, float]:
    """Share of samples whose interval holds the truth, by both kinds of tails.

    Only the highest negatives matter: their false positive rates are uniform order statistics, and the positives above
    each are counted where the true curve puts them. Confidence at the truth comes from a table of all counts of hits.
    """
    rng, places = np.random.default_rng(0), np.arange(n_neg + 1)
    chances = binom.pmf(places, n_neg, scores.fpr)
    last = int(np.flatnonzero(chances > TRACE)[-1])
    places, chances = places[: last + 1], chances[: last + 1]
    halves = np.arange(2 * n_pos + 1) / 2
    lower = np.where(halves > 0, betainc(np.maximum(halves, TRACE), n_pos - halves + 1, scores.tpr), 1.0)
    upper = np.where(halves < n_pos, betainc(halves + 1, np.maximum(n_pos - halves, TRACE), scores.tpr), 0.0)
    middle, inside = (lower + upper) / 2, np.zeros(2)
    for _ in range(samples):
        above = np.cumsum(rng.exponential(size=last + 1))
        rates = above / (above[-1] + (rng.gamma(n_neg - last) if n_neg > last else 0.0))
        hits = np.sort(rng.random(n_pos)).searchsorted(scores.tpr_at(rates), side="right")
        hits = np.append(hits[:n_neg], n_pos)[places] if last == n_neg else hits[places]
        before = np.append(0, hits[:-1])
        half = np.where(places > 0, 2 * hits, hits)
        inside[0] += chances @ middle[half] >= TAIL and chances @ middle[2 * hits] <= 1 - TAIL
        inside[1] += chances @ lower[2 * before] >= TAIL and chances @ upper[2 * hits] <= 1 - TAIL
    return dict(zip(METHODS, (inside / samples).tolist(), strict=False))


def coverage_of_others(scores: Scores, n_pos: int, n_neg: int, samples: int) -> dict[str, float]:
    """The same for intervals with kernels and by resampling."""
    rng, found = np.random.default_rng(0), []
    for _ in range(samples):
        pos, neg = scores.draw(n_pos, n_neg, rng)
        ends = [kernel_ends(pos, neg, scores.fpr), *bootstrap_ends(pos, neg, scores.fpr, rng)]
        found.append([low <= scores.tpr <= high for low, high in ends])
    return dict(zip(METHODS[2:], np.mean(found, axis=0).tolist(), strict=True))


def widths_of_tpr(scores: Scores, n_pos: int, n_neg: int) -> dict[str, float]:
    """Mean width of the intervals."""
    rng, found = np.random.default_rng(1), {name: [] for name in METHODS}
    for _ in range(N_WIDTHS):
        pos, neg = scores.draw(n_pos, n_neg, rng)
        known = Known(ranked_of(pos, neg), (float(n_neg), float(n_pos)), 0.95)
        ends = [known.negatives.ends(scores.fpr, 0.95, kind) for kind in ("mid-p", "exact")]
        ends += [kernel_ends(pos, neg, scores.fpr), *bootstrap_ends(pos, neg, scores.fpr, rng)]
        for name, (low, high) in zip(METHODS, ends, strict=True):
            found[name].append(high - low)
    return {name: float(np.mean(each)) for name, each in found.items()}


def table_of_tpr(samples: int) -> Iterator[str]:
    """Lowest and mean coverage over shapes and true rates, by sizes."""
    yield "| negatives | FPR | positives | mid-p, lowest | mean | exact, lowest | mean |"
    yield "|--:" * 7 + "|"
    for n_neg, fpr in CELLS:
        for n_pos in SIZES:
            found = [
                coverage_of_tpr(Scores(shape, fpr, truth), n_pos, n_neg, samples)
                for shape in SPREADS
                for truth in TRUTHS
            ]
            cells = [
                f"{min(each[name] for each in found):.1%} | {np.mean([each[name] for each in found]):.1%}"
                for name in METHODS[:2]
            ]
            yield f"| {n_neg} | {fpr} | {n_pos} | " + " | ".join(cells) + " |"


def table_of_methods(samples: int) -> Iterator[str]:
    """Coverage and mean width beside what others do."""
    yield "| negatives | FPR | positives | TPR | spread | " + " | ".join(f"{name} | width" for name in METHODS) + " |"
    yield "|--:|--:|--:|--:|--|" + "--:|--:|" * len(METHODS)
    for n_neg, fpr, n_pos, tpr, shape in BESIDE:
        scores = Scores(shape, fpr, tpr)
        found = coverage_of_tpr(scores, n_pos, n_neg, 1000) | coverage_of_others(scores, n_pos, n_neg, samples)
        widths = widths_of_tpr(scores, n_pos, n_neg)
        cells = " | ".join(f"{found[name]:.1%} | {widths[name]:.3f}" for name in METHODS)
        yield f"| {n_neg} | {fpr} | {n_pos} | {tpr} | {shape} | {cells} |"


def truth_of_eer(scores: Scores) -> float:
    """Where the true curve has TPR = 1 - FPR."""
    return float(brentq(lambda rate: scores.tpr_at(rate) - 1 + rate, 1e-9, 1 - 1e-9))


def others(scores: Scores, n_pos: int, n_neg: int, samples: int) -> dict[str, float]:
    """Coverage of FPR at TPR, equal error rate, precision at recall and recall at precision; class sizes are drawn."""
    rng, share = np.random.default_rng(2), n_pos / (n_pos + n_neg)
    fpr, recall = float(brentq(lambda rate: scores.tpr_at(rate) - 0.9, 1e-9, 1 - 1e-9)), 0.9
    precision = share * recall / (share * recall + (1 - share) * fpr)
    asked = share * scores.tpr / (share * scores.tpr + (1 - share) * scores.fpr)
    truths = {"FPR at TPR 0.9": fpr, "equal error rate": truth_of_eer(scores), "precision at recall 0.9": precision}
    truths[RECALL] = scores.tpr
    found: dict[str, list[bool]] = {name: [] for name in truths}
    for sample in range(samples):
        drawn = max(5, rng.binomial(n_pos + n_neg, share))
        pos, neg = scores.draw(drawn, n_pos + n_neg - drawn, rng)
        known = Known(ranked_of(pos, neg), (float(neg.size), float(pos.size)), 0.95)
        equal = truths["equal error rate"]
        found["FPR at TPR 0.9"].append(within(lambda end: known.positives.confidence(0.1, 1 - fpr, end)))  # noqa: B023
        found["equal error rate"].append(within(lambda end: known.negatives.confidence(equal, 1 - equal, end)))  # noqa: B023
        found[RECALL].append(within(lambda end: known.recall_at_most(scores.tpr, asked, end)))  # noqa: B023
        if sample % FEW == 0:
            made = known.precision(0.9)
            found["precision at recall 0.9"].append(made.low <= precision <= made.high)
    return {name: float(np.mean(each)) for name, each in found.items()}


RECALL = "recall at the precision of that FPR"


def table_of_others(samples: int) -> Iterator[str]:
    """The same for the other rates."""
    names = ("FPR at TPR 0.9", "equal error rate", "precision at recall 0.9", RECALL)
    yield "| positives | negatives | TPR | FPR | spread | " + " | ".join(names) + " |"
    yield "|--:|--:|--:|--:|--|" + "--:|" * len(names)
    for n_pos, n_neg in ((50, 50), (50, 500), (300, 300)):
        for tpr, fpr, shape in ((0.8, 0.1, "alike"), (0.8, 0.1, "wide"), (0.6, 0.02, "alike")):
            found = others(Scores(shape, fpr, tpr), n_pos, n_neg, samples)
            cells = " | ".join(f"{found[name]:.1%}" for name in names)
            yield f"| {n_pos} | {n_neg} | {tpr} | {fpr} | {shape} | {cells} |"


def faces(n_people: int, effect: float, same: bool, rng: np.random.Generator) -> tuple[Any, ...]:
    """All pairs of people as impostors and two genuine rows each; how common a face is moves all rows of a person.

    Genuine rows have another such effect, unless it is the ``same``.
    """
    one, two = np.triu_indices(n_people, 1)
    looks = effect * rng.normal(size=n_people)
    impostors = looks[one] + looks[two] + np.sqrt(1 - 2 * effect**2) * rng.normal(size=one.size)
    who = np.repeat(np.arange(n_people), 2)
    own = looks if same else effect * rng.normal(size=n_people)
    genuine = 2.2 + own[who] * np.sqrt(2) + np.sqrt(1 - 2 * effect**2) * rng.normal(size=who.size)
    labels = np.repeat([0, 1], [one.size, who.size])
    return labels, np.concatenate([impostors, genuine]), np.concatenate([one, who]), np.concatenate([two, who])


def of_people(n_people: int, effect: float, same: bool, samples: int) -> tuple[float, float]:
    """Coverage of the TPR at FPR 5% with the two ids of each row, and without them."""
    rng, truth, found = np.random.default_rng(3), float(norm.sf(norm.isf(0.05) - 2.2)), []
    for _ in range(samples):
        labels, scores, one, two = faces(n_people, effect, same, rng)
        people = People.of(one, two)
        rows = read_rows(labels, scores, people.pair)
        ranked = rows.ranked[0]
        worth = worth_by_class(rows, rs.best_threshold(ranked, rule="fpr=0.05").threshold, people)
        plain = (float(ranked.n_neg), float(ranked.n_pos))
        found.append([held(Known(ranked, each, 0.95), 0.05, truth, "mid-p") for each in (worth, plain)])
    return tuple(np.mean(found, axis=0).tolist())


def of_subjects(n_subjects: int, samples: int) -> tuple[float, float]:
    """The same with one subject per row: five rows of each class for each, which share half of their variance."""
    rng, truth, found = np.random.default_rng(4), float(norm.sf(norm.isf(0.1) - 1.5)), []
    labels, who = np.tile(np.repeat([0, 1], 5), n_subjects), np.repeat(np.arange(n_subjects), 10)
    for _ in range(samples):
        scores = 1.5 * labels + np.sqrt(0.5) * (rng.normal(size=n_subjects)[who] + rng.normal(size=who.size))
        rows = read_rows(labels, scores, who)
        ranked = rows.ranked[0]
        worth = worth_by_class(rows, rs.best_threshold(ranked, rule="fpr=0.1").threshold, None)
        plain = (float(ranked.n_neg), float(ranked.n_pos))
        found.append([held(Known(ranked, each, 0.95), 0.1, truth, "mid-p") for each in (worth, plain)])
    return tuple(np.mean(found, axis=0).tolist())


def table_of_designs(samples: int) -> Iterator[str]:
    """Rows that are not independent."""
    yield "| rows | with their ids | without |"
    yield "|--|--:|--:|"
    for n_people, effect, same in PEOPLE:
        kept, left = of_people(n_people, effect, same, samples)
        told = f"all pairs of {n_people} people, {2 * effect**2:.0%} of the variance theirs"
        told += ", the same for both kinds of rows" if same else ""
        yield f"| {told} | {kept:.1%} | {left:.1%} |"
    for n_subjects in (30, 100):
        kept, left = of_subjects(n_subjects, samples)
        yield f"| {n_subjects} subjects with five rows of each class | {kept:.1%} | {left:.1%} |"


TABLES: dict[str, Callable[[int], Iterator[str]]] = {
    "tpr": table_of_tpr,
    "methods": table_of_methods,
    "others": table_of_others,
    "designs": table_of_designs,
}


if __name__ == "__main__":
    wanted, number = sys.argv[1], int(sys.argv[2])
    for line in TABLES[wanted](number):
        print(line, flush=True)
