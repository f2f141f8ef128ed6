"""How often do cross-validated intervals hold the truth, and tests find what is not there? Writes docs/crossval.md.

``python -m benchmarks.crossval_coverage [--repeats N] [--quick] [--only NAME ...]``; about half an hour on one core.

Rows are normal with unit variance in each feature; positives lie ``gap`` away from negatives. The learner is the linear
discriminant, so that the true AUC of every trained model is known: Phi(w.d / (|w| sqrt 2)), d the shift of the means.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtr, ndtri, stdtr

import rocsteady as rs
from benchmarks.coverage import with_table
from benchmarks.coverage_kit import LEVEL, Z, coverage, holds, size, stream, table
from benchmarks.crossval_batches import batches
from rocsteady._src.designs.folds.auc import mean_interval, pooled_interval
from rocsteady._src.designs.folds.rows_by_fold import read_folds
from rocsteady._src.inference.comparison.learners import corrected_t, correlated_posterior
from rocsteady._src.inference.intervals.formulas import logit_ends

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from rocsteady.results import Interval

    Array = NDArray[Any]

PAGE = Path(__file__).parent.parent / "docs" / "crossval.md"
FEATURES = 5
SIZES, FOLDS, AUCS, PREVALENCES = (100, 300, 1000), (5, 10), (0.6, 0.8, 0.95), (0.5, 0.2)
RATES = np.array([0.1, 0.3, 0.5])
CUTS = np.array([-1.0, 0.0, 1.0])
ROPE, SURE = 0.01, 0.95
INTERVALS, TESTED, QUICK = 4000, 1000, 100


@dataclass(frozen=True)
class Design:
    """``n`` subjects of ``rows`` rows each, k folds, repeated; the best linear score has ``auc``."""

    n: int
    k: int
    auc: float
    prevalence: float = 0.5
    repeats: int = 1
    rows: int = 1

    @property
    def shift(self) -> Array:
        """The means of positives lie apart in all features alike."""
        return np.full(FEATURES, math.sqrt(2 / FEATURES) * float(ndtri(self.auc)))


@dataclass(frozen=True)
class Sample:
    """Scores of all rows in all repeats, and what the trained models are worth."""

    y: Array
    scores: Array
    fold: Array
    repeat: Array
    row: Array
    subject: Array
    weights: Array
    intercepts: Array

    @property
    def folds(self) -> dict[str, Any]:
        repeated = bool(self.repeat.any())
        return {"fold": self.fold} | ({"repeat": self.repeat, "id": self.row} if repeated else {})


def discriminant(x: Array, y: Array) -> tuple[Array, float]:
    """Fisher's linear discriminant, scaled so that scores have unit variance inside the classes of its own rows."""
    pos, neg = x[y == 1], x[y == 0]
    means = pos.mean(axis=0), neg.mean(axis=0)
    inside = np.concatenate([pos - means[0], neg - means[1]])
    w = np.linalg.solve(inside.T @ inside / (len(x) - 2), means[0] - means[1])
    w /= math.sqrt(float(w @ w)) or 1.0
    return w, -float(w @ (means[0] + means[1])) / 2


def true_auc(w: Array, shift: Array) -> Array:
    return np.asarray(ndtr(w @ shift / np.linalg.norm(w, axis=-1) / math.sqrt(2)))


def rows_of(design: Design, rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """Features, labels and subjects; half the variance belongs to the subject where it has several rows."""
    subject = np.repeat(np.arange(design.n), design.rows)
    y = (np.arange(design.n) < round(design.n * design.prevalence)).astype(int)[subject]
    x = rng.standard_normal((subject.size, FEATURES))
    if design.rows > 1:
        x = math.sqrt(0.5) * (x + rng.standard_normal((design.n, FEATURES))[subject])
    return x + y[:, None] * design.shift, y, subject


def stratified(design: Design, rng: np.random.Generator) -> Array:
    """The fold of each subject: classes dealt out evenly, in random order."""
    n_pos = round(design.n * design.prevalence)
    sides = (rng.permutation(np.arange(side) % design.k) for side in (n_pos, design.n - n_pos))
    return np.concatenate(list(sides))


def drawn(design: Design, rng: np.random.Generator, columns: slice | None = None) -> Sample:
    x, y, subject = rows_of(design, rng)
    return scored(design, x if columns is None else x[:, columns], y, subject, rng)


def scored(design: Design, x: Array, y: Array, subject: Array, rng: np.random.Generator) -> Sample:
    parts: list[Any] = []
    weights, intercepts = [], []
    for repeat in range(design.repeats):
        fold = stratified(design, rng)[subject]
        scores = np.empty(y.size)
        for number in range(design.k):
            test = fold == number
            w, b = discriminant(x[~test], y[~test])
            scores[test] = x[test] @ w + b
            weights.append(w)
            intercepts.append(b)
        parts.append((scores, fold, np.full(y.size, repeat), np.arange(y.size)))
    joined = [np.concatenate(column) for column in zip(*parts, strict=True)]
    again = design.repeats
    return Sample(np.tile(y, again), *joined, np.tile(subject, again), np.array(weights), np.array(intercepts))


def grid(sizes: Sequence[int] = SIZES) -> Iterator[Design]:
    for prevalence in PREVALENCES:
        for n in sizes:
            yield from (Design(n, k, auc, prevalence) for k in FOLDS for auc in AUCS)


def named(design: Design) -> list[object]:
    return [design.n, round(design.n * design.prevalence), design.k, f"{design.auc:g}"]


HEAD = ("rows", "positives", "folds", "AUC of the best score")
METHODS = ("auto", "influence", "delong", "logit", "corrected-t", "pooled")
SPECIAL = ("auto", "influence", "delong", "logit")
LEARNERS = ("auto", "delong", "corrected-t")


def interval_table(repeats: int) -> str:
    """Intervals against the mean of the true AUCs of the fold models, and against that of the learner."""
    lines = []
    for design in grid():
        n_pos = round(design.n * design.prevalence)
        rng, sizes = stream("crossval", design), (n_pos, design.n - n_pos)
        found = list(batches(design.shift, sizes, design.k, rng, repeats))
        ends = [batch.ends() for batch in found]
        expected = float(np.concatenate([batch.truth for batch in found]).mean())
        models = [_held(ends, name, [batch.truth for batch in found]) for name in METHODS]
        learner = [_held(ends, name, [np.full(batch.truth.size, expected) for batch in found]) for name in LEARNERS]
        widths = {name: np.concatenate([each[name][1] - each[name][0] for each in ends]) for name in ("auto", "logit")}
        wider = np.nanmean(widths["auto"]) / np.nanmean(widths["logit"])
        shares = [coverage(share) for share in (*models, *learner)]
        lines.append([*named(design), *shares[: len(METHODS)], f"{wider:.2f}", *shares[len(METHODS) :]])
        print(*lines[-1], flush=True)
    heads = [*(f"`{name}`" for name in METHODS), "width", *(f"learner: `{name}`" for name in LEARNERS)]
    return table([*HEAD, *heads], lines)


def _held(ends: Sequence[dict[str, tuple[Array, Array]]], name: str, truths: Sequence[Array]) -> float:
    held = [(each[name][0] <= truth) & (truth <= each[name][1]) for each, truth in zip(ends, truths, strict=True)]
    return float(np.concatenate(held).mean())


def intervals_of(sample: Sample, **options: Any) -> dict[str, Interval]:
    """Those of ``rs.crossval_auc`` for each method, from rows that are read once."""
    folds = {"row" if name == "id" else name: values for name, values in sample.folds.items()}
    rows = read_folds(sample.y, {"y_score": sample.scores}, **folds, **options)
    made = {name: mean_interval(rows, LEVEL, method=name) for name in ("auto", "influence", "delong", "corrected-t")}
    found = made["delong"]
    low, high = logit_ends(found.estimate, float(found.se or 0), Z)
    return made | {"logit": replace(found, low=low, high=high), "pooled": pooled_interval(rows, LEVEL)}


def special_table(repeats: int) -> str:
    """Repeats, subjects with several rows, and few positives."""
    designs = {
        "10 repeats of 5 folds": Design(300, 5, 0.8, repeats=10),
        "10 repeats of 5 folds, AUC 0.95": Design(100, 5, 0.95, repeats=10),
        "100 subjects of 4 rows, cluster=": Design(100, 5, 0.8, rows=4),
        "the same, without cluster=": Design(100, 5, 0.8, rows=4),
        "30 positives among 300": Design(300, 5, 0.8, prevalence=0.1),
    }
    lines = []
    for name, design in designs.items():
        rng, held = stream("crossval special", design), Counter()
        for _ in range(max(repeats // 2, 1)):
            sample = drawn(design, rng)
            truth = float(true_auc(sample.weights, design.shift).mean())
            made = intervals_of(sample, **({"cluster": sample.subject} if name.endswith(", cluster=") else {}))
            held.update({method: holds(each, truth) for method, each in made.items()})
        shares = [held[method] / max(repeats // 2, 1) for method in SPECIAL]
        lines.append([name, *(coverage(share) for share in shares)])
        print(*lines[-1], flush=True)
    return table(["", *(f"`{method}`" for method in SPECIAL)], lines)


def size_table(repeats: int) -> str:
    """Two learners that are alike: the same method on two blocks of features that carry the same signal."""
    lines = []
    designs = [Design(n, k, auc) for n in (100, 300) for k in FOLDS for auc in (0.6, 0.8)]
    designs += [Design(n, k, 0.8, repeats=10) for n in (100, 300) for k in FOLDS]
    for design in designs:
        rng, wrong = stream("crossval test", design), Counter()
        for _ in range(repeats):
            wrong.update(verdicts(design, rng))
        shares = [wrong[name] / repeats for name in ("plain", "auto", "bayesian", "influence")]
        lines.append([design.n, f"{design.k}", design.repeats, f"{design.auc:g}", *map(size, shares),
                      coverage(wrong["difference held"] / repeats)])  # fmt: skip
        print(*lines[-1], flush=True)
    heads = ["plain t", "`auto`: `nadeau-bengio`", "`bayesian`", "`influence`", "`influence`: models' difference held"]
    return table(["rows", "folds", "repeats", "AUC of the best score", *heads], lines)


def verdicts(design: Design, rng: np.random.Generator) -> dict[str, bool]:
    """What each method says of two learners that are alike."""
    first, second = two_learners(design, rng)
    values = [fold_values(each) for each in (first, second)]
    differences, share = values[0] - values[1], 1 / design.k
    n = differences.size
    statistic = differences.mean() / (differences.std(ddof=1) / math.sqrt(n))
    posterior = correlated_posterior(differences, share, rope=ROPE)
    test = rs.compare_crossval(first.y, first.scores, second.scores, **first.folds, method="influence")
    truth = float((true_auc(first.weights, design.shift) - true_auc(second.weights, design.shift)).mean())
    return {
        "plain": bool(2 * stdtr(n - 1, -abs(statistic)) < 0.05),
        "auto": corrected_t(differences, share).pvalue < 0.05,
        "bayesian": max(posterior.p_left, posterior.p_right) > SURE,
        "influence": test.pvalue < 0.05,
        "difference held": test.low <= truth <= test.high,
    }


def two_learners(design: Design, rng: np.random.Generator) -> tuple[Sample, Sample]:
    """Scores of both on the same rows and splits."""
    x, y, subject = rows_of(design, rng)
    other = rng.standard_normal(x.shape) + y[:, None] * design.shift
    seed = int(rng.integers(2**31))
    first, second = (scored(design, each, y, subject, np.random.default_rng(seed)) for each in (x, other))
    return first, second


def fold_values(sample: Sample) -> Array:
    """AUC of each fold; no two scores are alike."""
    found = []
    for repeat in np.unique(sample.repeat):
        for fold in np.unique(sample.fold):
            chosen = (sample.repeat == repeat) & (sample.fold == fold)
            y, scores = sample.y[chosen] == 1, sample.scores[chosen]
            found.append((scores[y][:, None] > scores[~y]).mean())
    return np.array(found)


def curve_table(repeats: int) -> str:
    """Limits of averaged curves against the mean of the true curves of the fold models."""
    lines = []
    for design in (Design(n, k, auc) for n in SIZES for k in FOLDS for auc in (0.8, 0.95)):
        rng, held = stream("crossval curves", design), []
        for _ in range(max(repeats // 2, 1)):
            sample = drawn(design, rng)
            held.append(places_held(design, sample))
        shares = np.mean(held, axis=0)
        lines.append([design.n, design.k, f"{design.auc:g}", *(coverage(float(share)) for share in shares)])
        print(*lines[-1], flush=True)
    heads = [f"FPR {rate:g}" for rate in RATES] + [f"threshold {cut:g}" for cut in CUTS]
    return table(["rows", "folds", "AUC of the best score", *heads], lines)


def places_held(design: Design, sample: Sample) -> Array:
    """At each rate, and at each threshold for both rates."""
    lengths = np.linalg.norm(sample.weights, axis=1)
    apart = sample.weights @ design.shift
    vertical = rs.averaged_roc(sample.y, sample.scores, **sample.folds, at=RATES)
    tpr = ndtr((apart / lengths)[:, None] + ndtri(RATES)).mean(axis=0)
    at_cut = rs.averaged_roc(sample.y, sample.scores, **sample.folds, how="threshold", at=CUTS)
    centre = sample.intercepts[:, None] - CUTS
    false, true = (ndtr((centre + moved) / lengths[:, None]).mean(axis=0) for moved in (0, apart[:, None]))
    both = ((at_cut.fpr_low <= false) & (false <= at_cut.fpr_high)).astype(float)
    both += (at_cut.low <= true) & (true <= at_cut.high)
    return np.concatenate([(vertical.low <= tpr) & (tpr <= vertical.high), both / 2])


def tested(repeats: int) -> int:
    return TESTED if repeats >= QUICK else repeats


def effort_text(repeats: int) -> str:
    counts = INTERVALS, tested(repeats), max(repeats // 2, 1)
    first, second, third = (f"{math.sqrt(0.95 * 0.05 / count):.2%}" for count in counts)
    return (
        f"{counts[0]} samples per setting for intervals, {counts[1]} for tests, {counts[2]} for special cases and "
        f"curves. The Monte Carlo standard error of a share near 95% is {first}, {second} and {third}."
    )


TABLES: dict[str, Callable[[int], str]] = {
    "intervals": lambda repeats: interval_table(INTERVALS if repeats >= QUICK else repeats),
    "special": special_table,
    "tests": lambda repeats: size_table(tested(repeats)),
    "curves": curve_table,
    "effort": effort_text,
}


def main(arguments: Sequence[str] | None = None, page: Path = PAGE) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=2000, help="samples per setting")
    parser.add_argument("--quick", action="store_true", help="a few samples, to see that all runs; writes nothing")
    parser.add_argument("--only", nargs="+", choices=list(TABLES), default=list(TABLES), help="tables to write")
    asked = parser.parse_args(arguments)
    for name in asked.only:
        start = time.process_time()
        content = TABLES[name](4 if asked.quick else asked.repeats)
        print(f"{name}: {time.process_time() - start:.0f} s", flush=True)
        if not asked.quick:
            page.write_text(with_table(page.read_text(), name, content))


if __name__ == "__main__":
    main()
