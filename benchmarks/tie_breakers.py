"""Does a score-aware measure, alone or as a tie-breaker of AUC, choose better models? Rewrites docs/laboratory.md.

``python -m benchmarks.tie_breakers [FOLDER of CSV files] [--repeats 100] [--splits 20] [--models 30]``. The question,
the rules, the outcomes and the tests stand on the page, written before the first run.
"""

from __future__ import annotations

import argparse
import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.coverage import with_table
from benchmarks.selection import MEASURES, classifier, read_set
from rocsteady._src.extras.lab.selection_batch import areas, judge
from rocsteady._src.extras.lab.selection_split import bootstrap_sample, divide
from rocsteady._src.extras.lab.selection_stats import picks_of, spearman_rows
from rocsteady._src.inference.comparison.multiplicity import adjust_pvalues
from rocsteady._src.measures.requests import parse_requests
from rocsteady.lab import corrected_test

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

PAGE = Path(__file__).parent.parent / "docs" / "laboratory.md"
REQUESTS = tuple(parse_requests(list(MEASURES)))
OTHERS = MEASURES[1:]
RULES = ("alone", "ties", "near ties")
CLASSIFIERS = ("tree", "bayes", "logistic")
NOISE = (0.0, 0.1, 0.2)
VALIDATION_ROWS = (20, 50, 200)
SIZES = (0.6, 0.2, 0.2)
NEAR = 0.01
TEST_ROWS = 2000
FEATURES, TELLING, SHIFT = 10, 5, 0.6
SEED = 20111109
LEVEL = 0.95
SAME = 1e-12


@dataclass(frozen=True)
class Chosen:
    """One choice among trained models: what each rule's pick has in test AUC over AUC's pick, and rank correlations."""

    difference: Array
    """(rules, measures)"""
    correlation: Array
    """(measure alone or AUC with ties broken by it, measures), minus the correlation of AUC."""
    tied: float
    """Whether several models share the best AUC, and nearly so; a share where choices were averaged."""
    near: float
    gain: float
    """What the best of the tied models has over their mean."""


def chosen_by_rules(validation: Array, test_auc: Array) -> Chosen:
    """Judge all rules on one set of models; ``validation`` has AUC in its first row, higher is better in all."""
    auc, others = validation[0], validation[1:]
    base = picks_of(auc[None], test_auc)[2][0]
    best = auc >= auc.max() - SAME
    near = auc >= auc.max() - NEAR - SAME
    pools = (np.ones_like(best), best, near)
    difference = np.array([picks_of(np.where(pool, others, np.nan), test_auc)[2] - base for pool in pools])
    orders = (others, np.array([broken_by(auc, row) for row in others]))
    correlation = np.array([spearman_rows(order, test_auc) for order in orders]) - spearman_rows(auc[None], test_auc)
    return Chosen(
        difference, correlation, float(best.sum() > 1), float(near.sum() > 1), float(test_auc[best].max() - base)
    )


def broken_by(auc: Array, other: Array) -> Array:
    """Ranks by AUC, those of equal AUC by the other measure; undefined is last among its equals."""
    first = np.unique(np.round(auc, 12), return_inverse=True)[1].astype(float)
    second = np.unique(np.round(np.where(np.isnan(other), -np.inf, other), 12), return_inverse=True)[1]
    return np.asarray(first + second / (second.max() + 1.0))


def flipped(labels: NDArray[np.bool_], share: float, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Labels of which some are wrong; both classes stay."""
    while True:
        found = labels ^ (rng.random(labels.size) < share)
        if 1 < found.sum() < found.size - 1:
            return np.asarray(found)


def choose(
    features: Array, labels: NDArray[np.bool_], parts: Sequence[Any], settings: tuple[str, float, int], rng: Any
) -> Chosen:
    """Train models on bootstrap samples of noisy train rows, judge them on noisy validation and clean test rows."""
    name, noise, n_models = settings
    train, validation, test = parts
    seen = labels.copy()
    for part in (train, validation):
        seen[part] = flipped(labels[part], noise, rng)
    model = classifier(name, gaps=bool(np.isnan(features).any()))
    scores = np.empty((n_models, validation.size + test.size))
    judged = features[np.concatenate([validation, test])]
    for place in range(n_models):
        rows = bootstrap_sample(seen, train, rng)
        if name == "tree":
            model.set_params(random_state=int(rng.integers(2**31 - 1)))
        scores[place] = model.fit(features[rows], seen[rows]).predict_proba(judged)[:, 1]
    values = judge(REQUESTS, seen[validation], scores[:, : validation.size])
    signs = np.array([-1.0 if each.sheet.better == "lower" else 1.0 for each in REQUESTS])
    return chosen_by_rules(values * signs[:, None], areas(labels[test], scores[:, validation.size :]))


def simulated(n_validation: int, rng: np.random.Generator) -> tuple[Array, NDArray[np.bool_], list[Any]]:
    """Normal features, half of them telling; three train rows to each of validation; many test rows."""
    sizes = (3 * n_validation, n_validation, TEST_ROWS)
    labels = np.arange(sum(sizes)) % 2 == 1
    features = rng.normal(size=(labels.size, FEATURES))
    features[labels, :TELLING] += SHIFT
    return features, labels, np.split(np.arange(labels.size), np.cumsum(sizes)[:2])


@dataclass(frozen=True)
class Estimate:
    """A mean with its standard error and degrees of freedom."""

    mean: float
    se: float
    df: float

    @property
    def pvalue(self) -> float:
        from scipy.special import stdtr

        return float(2 * stdtr(self.df, -abs(self.mean) / self.se)) if self.se > 0 else 1.0

    @property
    def reach(self) -> float:
        from scipy.special import stdtrit

        return float(stdtrit(self.df, (1 + LEVEL) / 2)) * self.se


def over(parts: Iterable[Estimate]) -> Estimate:
    """The mean of independent estimates; its degrees of freedom are the least of theirs."""
    found = list(parts)
    se = math.sqrt(sum(each.se**2 for each in found)) / len(found)
    return Estimate(float(np.mean([each.mean for each in found])), se, min(each.df for each in found))


def of_independent(values: Array) -> Estimate:
    """Of repeats that share no rows."""
    known = values[~np.isnan(values)]
    return Estimate(float(known.mean()), float(known.std(ddof=1)) / math.sqrt(known.size), known.size - 1)


def of_splits(values: Array, n_train: int, n_test: int) -> Estimate:
    """Of splits of the same rows: Nadeau and Bengio."""
    found = corrected_test(values, n_train=n_train, n_test=n_test)
    return Estimate(found.estimate, float(found.se), float(found.df))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Findings:
    """Everything of one kind of data: (cells, repeats, rules, measures) of differences, and how to sum cells up."""

    name: str
    cells: dict[str, list[Chosen]]
    sizes: dict[str, tuple[int, int] | None]

    def _of(self, values: Any) -> Estimate:
        parts = []
        for cell, found in self.cells.items():
            each = np.array([values(one) for one in found], dtype=float)
            sizes = self.sizes[cell]
            parts.append(of_independent(each) if sizes is None else of_splits(each, *sizes))
        return over(parts)

    def difference(self, rule: int, place: int) -> Estimate:
        return self._of(lambda one: one.difference[rule, place])

    def correlation(self, order: int, place: int) -> Estimate:
        return self._of(lambda one: one.correlation[order, place])

    def ties(self) -> str:
        every = [one for found in self.cells.values() for one in found]
        shares = [100 * np.mean([getattr(one, name) for one in every]) for name in ("tied", "near")]
        gain = np.mean([one.gain for one in every])
        repeats = f"{self.name}: {len(every):,} repeats in {len(self.cells)} cells."
        shared = f"The best AUC is shared in {shares[0]:.0f}% of the choices, nearly in {shares[1]:.0f}%"
        return f"{repeats} {shared}; who always knew the best of the tied would gain {gain:.4f} of test AUC."


def run_simulated(repeats: int, n_models: int) -> Findings:
    cells: dict[str, list[Chosen]] = {}
    for n_validation in VALIDATION_ROWS:
        for noise in NOISE:
            for name in CLASSIFIERS:
                start = time.perf_counter()
                key = [SEED, n_validation, int(100 * noise), CLASSIFIERS.index(name)]
                found = []
                for repeat in range(repeats):
                    rng = np.random.default_rng([*key, repeat])
                    features, labels, parts = simulated(n_validation, rng)
                    found.append(choose(features, labels, parts, (name, noise, n_models), rng))
                cells[f"{n_validation} {noise} {name}"] = found
                print(f"{n_validation} {noise} {name}: {time.perf_counter() - start:.0f} s", flush=True)
    return Findings("Simulated", cells, dict.fromkeys(cells))


def run_files(folder: Path, splits: int, n_models: int) -> Findings:
    cells: dict[str, list[Chosen]] = {}
    sizes: dict[str, tuple[int, int] | None] = {}
    for number, path in enumerate(sorted(folder.glob("*.csv"))):
        start = time.perf_counter()
        features, labels = numbers_of(path)
        for split in range(splits):
            each = []
            for noise in NOISE[:2]:
                for name in CLASSIFIERS:
                    rng = np.random.default_rng([SEED, 7, number, split, int(100 * noise), CLASSIFIERS.index(name)])
                    parts = divide(labels, SIZES, np.random.default_rng([SEED, 8, number, split]))
                    each.append(choose(features, labels, parts, (name, noise, n_models), rng))
            sizes[path.stem] = (parts[0].size, parts[2].size)
            cells.setdefault(path.stem, []).append(averaged(each))
        print(f"{path.stem}: {time.perf_counter() - start:.0f} s", flush=True)
    if not cells:
        raise SystemExit(f"there are no CSV files in {folder}")
    return Findings("Files", cells, sizes)


def averaged(each: Sequence[Chosen]) -> Chosen:
    """Classifiers and noise of one split share its rows: their mean is one observation."""
    with np.errstate(all="ignore"):
        difference, correlation = (
            np.nanmean([getattr(one, name) for one in each], axis=0) for name in ("difference", "correlation")
        )
    tied, near, gain = (float(np.mean([getattr(one, name) for one in each])) for name in ("tied", "near", "gain"))
    return Chosen(difference, correlation, tied, near, gain)


def numbers_of(path: Path) -> tuple[Array, NDArray[np.bool_]]:
    """Columns of numbers, text as 0/1 columns, gaps as NaN; and the labels."""
    table, label = read_set(path)
    columns: list[Array] = []
    for name, cells in table.items():
        if name == label:
            continue
        if any(isinstance(cell, str) for cell in cells):
            columns += [np.array([cell == value for cell in cells], dtype=float) for value in sorted(set(cells))[1:]]
        else:
            columns.append(np.array([math.nan if cell is None else cell for cell in cells], dtype=float))
    return np.column_stack(columns), np.array(table[label], dtype=float) == 1


def table_of(found: Sequence[Estimate], names: Sequence[tuple[str, ...]], head: str) -> str:
    """Rows of estimates with Holm's p over all of them; bold where it is below 5%."""
    holm = adjust_pvalues([each.pvalue for each in found])
    rows = []
    for name, each, adjusted in zip(names, found, holm, strict=True):
        shown = f"{each.mean:+.4f}"
        shown = f"**{shown}**" if adjusted < 1 - LEVEL else shown
        ends = f"[{each.mean - each.reach:+.4f}, {each.mean + each.reach:+.4f}]"
        rows.append(f"| {' | '.join(name)} | {shown} | {ends} | {each.pvalue:.3f} | {adjusted:.3f} |")
    return "\n".join([head, "|:---" * len(names[0]) + "|---:|:---:|---:|---:|", *rows])


def tables(found: Findings) -> dict[str, str]:
    """The tables of the page."""
    picks = [(rule, name) for rule in RULES for name in OTHERS]
    differences = [found.difference(rule, place) for rule in range(len(RULES)) for place in range(len(OTHERS))]
    orders = [(order, name) for order in RULES[:2] for name in OTHERS]
    correlations = [found.correlation(order, place) for order in range(2) for place in range(len(OTHERS))]
    key = found.name.lower()
    columns = "| 95% interval | p | p (Holm) |"
    return {
        f"{key} picks": table_of(
            differences, picks, f"| AUC's ties broken, or alone | by | test AUC minus AUC's pick {columns}"
        ),
        f"{key} order": table_of(correlations, orders, f"| ranked by it | measure | Spearman minus AUC's {columns}"),
        f"{key} ties": found.ties(),
    }


def main(arguments: Sequence[str] | None = None, page: Path = PAGE) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="CSV files, labels 0 and 1 in column y")
    parser.add_argument("--repeats", type=int, default=100)
    parser.add_argument("--splits", type=int, default=20)
    parser.add_argument("--models", type=int, default=30)
    asked = parser.parse_args(arguments)
    done = [run_simulated(asked.repeats, asked.models)]
    if asked.folder is not None:
        done.append(run_files(asked.folder, asked.splits, asked.models))
    for found in done:
        for name, content in tables(found).items():
            page.write_text(with_table(page.read_text(encoding="utf-8"), name, content), encoding="utf-8")


if __name__ == "__main__":
    main()
