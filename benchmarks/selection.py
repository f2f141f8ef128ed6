"""Do score-aware measures pick better models? Runs the experiment on a folder of CSV files; rewrites docs/selection.md.

``python -m benchmarks.selection FOLDER [--splits 40] [--bootstraps 100] [--classifier tree ...]``.
As part of ``python -m benchmarks`` it measures which share of its time ``select_models`` spends inside the classifiers.
"""

from __future__ import annotations

import argparse
import math
import time
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.coverage import with_table
from benchmarks.stopwatch import Scoreboard
from rocsteady._src.extras.lab.selection_stats import detectable_difference
from rocsteady._src.inference.comparison.multiplicity import adjust_pvalues
from rocsteady.lab import select_models

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rocsteady.results import ModelSelection

PAGE = Path(__file__).parent.parent / "docs" / "selection.md"
MEASURES = (
    "auc",
    "lambda_auc(delta=0.02)",
    "lambda_auc(delta=0.1)",
    "rho_auc",
    "scored_auc",
    "softened_auc",
    "soft_auc",
    "prob_auc",
    "mm1_auc",
    "mm4_auc",
    "mm6_auc",
    "mm7_auc",
    "brier_score",
)
LABELS = {"vowel": "y_hed10"}
LEFT_OUT = {"vowel": ("y_hEd2", "tt", "spk")}
CLASSIFIERS = ("tree", "bayes", "logistic")
SEED = 20130401
LEVEL = 0.95


def classifier(name: str, *, gaps: bool) -> Any:
    """Missing values, where there are gaps, are filled with the median of train, except for trees, which take them."""
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    if name == "tree":
        return DecisionTreeClassifier(min_samples_leaf=5)
    fill = [SimpleImputer(strategy="median")] if gaps else []
    if name == "bayes":
        return make_pipeline(*fill, GaussianNB()) if gaps else GaussianNB()
    return make_pipeline(*fill, StandardScaler(), LogisticRegression(max_iter=1000))


def read_set(path: Path) -> tuple[dict[str, list[Any]], str]:
    import csv

    with path.open(newline="") as lines:
        header, *rows = csv.reader(lines)
    label = LABELS.get(path.stem, "y")
    kept = [place for place, name in enumerate(header) if name not in LEFT_OUT.get(path.stem, ())]
    return {header[place]: [_number(row[place]) for row in rows] for place in kept}, label


def _number(text: str) -> Any:
    try:
        return float(text) if text else None
    except ValueError:
        return text


@dataclass(frozen=True)
class Pooled:
    """One measure over all data sets: independent sets, each with a corrected standard error."""

    measure: str
    test_auc: float
    difference: float
    se: float
    pvalue: float
    spearman: float
    df: int

    @property
    def detectable(self) -> float:
        return detectable_difference(self.se, self.df, LEVEL)


def pooled(found: Sequence[ModelSelection]) -> list[Pooled]:
    """Mean over the sets; the variance of a mean of independent estimates is the mean variance over their number."""
    from scipy.special import stdtr, stdtrit

    rows, df = [], found[0].n_splits - 1
    for place, measure in enumerate(found[0].measures):
        each = [result.rows[place] for result in found]
        reach = float(stdtrit(df, (1 + LEVEL) / 2))
        ses = [(row.high - row.low) / 2 / reach for row in each]
        difference = float(np.mean([row.difference for row in each]))
        se = math.sqrt(sum(se**2 for se in ses)) / len(ses)
        pvalue = float(2 * stdtr(df, -abs(difference) / se)) if se else math.nan
        means = (float(np.mean([getattr(row, name) for row in each])) for name in ("test_auc", "spearman"))
        test_auc, spearman = means
        rows.append(Pooled(measure, test_auc, difference, se, pvalue, spearman, df))
    return rows


def pooled_table(found: Sequence[ModelSelection]) -> str:
    from scipy.special import stdtrit

    rows = pooled(found)
    holm = adjust_pvalues([row.pvalue for row in rows])
    lines = [
        "| picked by | mean test AUC | difference | 95% interval | p | p (Holm) | found 80% of the time | Spearman |",
        "|:---|---:|---:|:---:|---:|---:|---:|---:|",
    ]
    for row, adjusted in zip(rows, holm, strict=True):
        if math.isnan(row.pvalue):
            lines.append(f"| {row.measure} | {row.test_auc:.4f} | | | | | | {row.spearman:+.3f} |")
            continue
        reach = float(stdtrit(row.df, (1 + LEVEL) / 2)) * row.se
        ends = f"[{row.difference - reach:+.4f}, {row.difference + reach:+.4f}]"
        tested = f"{row.difference:+.4f} | {ends} | {row.pvalue:.3f} | {adjusted:.3f} | {row.detectable:.4f}"
        lines.append(f"| {row.measure} | {row.test_auc:.4f} | {tested} | {row.spearman:+.3f} |")
    chance, best = (np.mean([getattr(result, name) for result in found]) for name in ("random_auc", "best_auc"))
    lines += [f"| at random | {chance:.4f} | | | | | | |", f"| best on the test rows | {best:.4f} | | | | | | |"]
    done = f"{found[0].n_splits} splits of each set, {found[0].n_bootstraps} bootstrap samples in each, seed {SEED}."
    return "\n".join([*lines, "", done])


def each_table(found: Sequence[ModelSelection]) -> str:
    """Difference of each measure on each set, with p as it is; bold where Holm's p within the set is below 0.05."""
    names = [Path(result.data).stem for result in found]
    lines = ["| picked by | " + " | ".join(names) + " |", "|:---|" + "---:|" * len(names)]
    first = [f"{result.rows[0].test_auc:.4f}" for result in found]
    lines.append(f"| auc: test AUC | {' | '.join(first)} |")
    for place in range(1, len(found[0].rows)):
        cells = [_cell(result.rows[place]) for result in found]
        lines.append(f"| {found[0].rows[place].measure} | {' | '.join(cells)} |")
    counts = [f"{result.counts['test'][0]}+{result.counts['test'][1]}" for result in found]
    return "\n".join([*lines, f"| test rows, pos+neg | {' | '.join(counts)} |"])


def _cell(row: Any) -> str:
    text = f"{row.difference:+.4f}"
    shown = f"**{text}**" if row.pvalue_holm < 1 - LEVEL else text
    return f"{shown} ({row.pvalue:.2f})"


def correlation_table(found: Sequence[ModelSelection]) -> str:
    names = [Path(result.data).stem for result in found]
    lines = ["| measure | " + " | ".join(names) + " |", "|:---|" + "---:|" * len(names)]
    for place, measure in enumerate(found[0].measures):
        rows = [result.rows[place] for result in found]
        cells = [f"{row.spearman:+.2f} [{row.spearman_low:+.2f}, {row.spearman_high:+.2f}]" for row in rows]
        lines.append(f"| {measure} | {' | '.join(cells)} |")
    return "\n".join(lines)


def run_sets(folder: Path, name: str, asked: argparse.Namespace) -> list[ModelSelection]:
    found = []
    for path in sorted(folder.glob("*.csv")):
        start = time.perf_counter()
        table, label = read_set(path)
        result = select_models(
            table,
            {name: classifier(name, gaps=any(None in column for column in table.values()))},
            MEASURES,
            label=label,
            n_splits=asked.splits,
            n_bootstraps=asked.bootstraps,
            random_state=SEED,
            n_jobs=asked.jobs,
        )
        found.append(_named(result, path.stem))
        print(f"{name}, {path.stem}: {time.perf_counter() - start:.0f} s", flush=True)
    if not found:
        raise SystemExit(f"there are no CSV files in {folder}")
    return found


def _named(result: ModelSelection, name: str) -> ModelSelection:
    from dataclasses import replace

    return replace(result, data=name)


def experiment(arguments: Sequence[str] | None = None, page: Path = PAGE) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="CSV files, labels 0 and 1 in column y")
    parser.add_argument("--splits", type=int, default=40)
    parser.add_argument("--bootstraps", type=int, default=100)
    parser.add_argument("--classifier", nargs="+", choices=CLASSIFIERS, default=list(CLASSIFIERS))
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args(arguments)
    for name in asked.classifier:
        found = run_sets(asked.folder, name, asked)
        text = page.read_text()
        for kind, table in (("pooled", pooled_table), ("sets", each_table), ("spearman", correlation_table)):
            text = with_table(text, f"{kind} {name}", table(found))
        page.write_text(text)


class Clock:
    """Processor seconds spent inside fit and predict of a classifier."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def timed(self, kind: type) -> type:
        """A subclass whose methods run on this clock."""
        methods = {name: self._timing(getattr(kind, name)) for name in ("fit", "predict_proba")}
        return type(kind.__name__, (kind,), methods)

    def _timing(self, method: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(method)
        def run(*arguments: Any, **options: Any) -> Any:
            start = time.process_time()
            try:
                return method(*arguments, **options)
            finally:
                self.seconds += time.process_time() - start

        return run


def share_inside(kind: type, n_splits: int, **parameters: Any) -> float:
    """Share of the processor time of select_models that the classifier takes, in one process."""
    clock = Clock()
    estimator = clock.timed(kind)(**parameters)
    start = time.process_time()
    select_models("breast_cancer", estimator, n_splits=n_splits, random_state=0, progress=False)
    return clock.seconds / (time.process_time() - start)


def main() -> list[str]:
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    board = Scoreboard()
    print("\nselect_models, breast_cancer, 100 bootstraps, default measures: time inside the classifier")
    for kind, n_splits, parameters in (
        (DecisionTreeClassifier, 40, {"min_samples_leaf": 5}),
        (GaussianNB, 40, {}),
    ):
        share = share_inside(kind, n_splits, **parameters)
        board.at_least(f"{kind.__name__}, {n_splits} splits", 100 * share, 80, "%")
    return board.missed


if __name__ == "__main__":
    experiment()
