"""Size of the default tests where rows are not plain: subjects, sampling weights, and other measures than the AUC."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

import rocsteady as rs
from benchmarks.coverage_every import probability
from benchmarks.coverage_intervals import kept_scores
from benchmarks.coverage_kit import Setting, pivot, size, stream
from benchmarks.coverage_tests import ALPHA
from benchmarks.replicates import Replicates, draw_rows, values_of
from rocsteady._src.inference.comparison.advice import few_rows
from rocsteady._src.inference.comparison.hypotheses import judge
from rocsteady._src.inference.intervals.measure_facts import draws_within_classes
from rocsteady._src.inference.intervals.replicate_ends import spread_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from benchmarks.coverage_kit import Effort

    Array = NDArray[Any]
    Found = dict[tuple[Any, ...], float]

BOTH = ("delong", "auto")
SUBJECTS, AUCS = (10, 20, 50, 200), (0.7, 0.9, 0.97)
WEIGHTED = ((10, 10), (10, 40), (25, 25), (10, 190), (40, 160), (100, 100))
CELLS = ((5, 45), (25, 25), (10, 190), (100, 100), (50, 950))
MEASURES = ("average_precision", "brier_score", "recall")


def two_of_subjects(rng: np.random.Generator, subjects: int, gap: float, *, mixed: bool) -> tuple[Array, Array, Array]:
    """Equal models on three rows per subject.

    A score is a sum of four equal parts: of the subject, of the row, of the subject in this model, of the row in this
    model. So rows of a subject have correlation 1/2, and so have models.
    """
    subject = np.repeat(np.arange(subjects), 3)
    y = np.arange(subject.size) % 2 if mixed else (subject < subjects // 2).astype(int)
    of_subject, of_row = rng.standard_normal((3, subjects))[:, subject], rng.standard_normal((3, subject.size))
    scores = gap * y + (of_subject[:1] + of_row[:1] + of_subject[1:] + of_row[1:]) / 2
    return y, scores, subject


def cluster_size_table(effort: Effort) -> str:
    """Equal models whose rows belong to subjects."""
    found: Found = {}
    for mixed in (False, True):
        for subjects in SUBJECTS:
            for area in AUCS:
                rng, gap = stream("auto clusters", mixed, subjects, area), Setting(1, 1, area).gap
                line = (subjects, "mixed" if mixed else "one per subject", area)
                drawn = (two_of_subjects(rng, subjects, gap, mixed=mixed) for _ in range(effort.resampled))
                made = ((y, scores, {"cluster": subject}) for y, scores, subject in drawn)
                found |= _shares(line, made, effort.resampled)
    return pivot(found, ("subjects", "classes", "AUC"), size)


def two_of_kept(rng: np.random.Generator, setting: Setting) -> tuple[Array, Array]:
    """Equal models with correlation 1/2 on rows that are kept by what both have in common, and the weights."""
    parts = [kept_scores(rng, n, gap) for n, gap in ((setting.n_pos, setting.gap), (setting.n_neg, 0.0))]
    shared, weights = (np.concatenate(both) for both in zip(*parts, strict=True))
    middle = setting.gap * setting.y
    own = rng.standard_normal((2, setting.n))
    return middle + math.sqrt(0.5) * (shared - middle + own), weights


def weight_size_table(effort: Effort) -> str:
    """Equal models on rows with sampling weights between 1 and 5."""
    found: Found = {}
    for n_pos, n_neg in WEIGHTED:
        for area in AUCS:
            setting = Setting(n_pos, n_neg, area)
            rng = stream("auto weights", setting)
            drawn = (two_of_kept(rng, setting) for _ in range(effort.resampled))
            given = {"weight_type": "sampling"}
            made = ((setting.y, scores, given | {"sample_weight": weights}) for scores, weights in drawn)
            found |= _shares((setting.n, n_pos, area), made, effort.resampled)
    return pivot(found, ("n", "positives", "AUC"), size)


def _shares(line: tuple[Any, ...], made: Iterator[tuple[Array, Array, dict[str, Any]]], repeats: int) -> Found:
    """How often each method tells two models apart, with what is known of the rows, and the default without it."""
    hits = np.zeros(3)
    for y, scores, given in made:
        tests = [rs.compare_auc(y, *scores, method=method, **given) for method in BOTH]
        hits += [test.pvalue <= ALPHA for test in (*tests, rs.compare_auc(y, *scores))]
    names = (*BOTH, "auto, as plain rows")
    return {(*line, name): count / repeats for name, count in zip(names, hits, strict=True)}


def measure_size_table(effort: Effort) -> str:
    """Equal models by ``compare_measure``; AUC 0.8, probabilities that are too sure of themselves."""
    found: Found = {}
    for n_pos, n_neg in CELLS:
        setting, hits = Setting(n_pos, n_neg, 0.8), dict.fromkeys(MEASURES, 0)
        rng = stream("auto measures", setting)
        for seed, scores in enumerate(setting.models(stream("measures", setting), effort.resampled), start=1):
            chances = probability(scores, setting.prevalence)
            for measure in MEASURES:
                hits[measure] += rejects(measure, setting, chances, seed, effort.resamples, rng)
        found |= {(setting.n, n_pos, f"`{name}`"): count / effort.resampled for name, count in hits.items()}
    return pivot(found, ("n", "positives"), size)


def cut_of(setting: Setting) -> float:
    """The threshold halfway between the classes."""
    return float(probability(np.array(setting.gap / 2), setting.prevalence))


def rejects(
    measure: str, setting: Setting, scores: Array, seed: int, n_resamples: int, rng: np.random.Generator
) -> bool:
    """Whether "auto" tells the models apart: by permutation as it does it, by the bootstrap all resamples at once."""
    if measure == "average_precision" and few_rows((setting.n_pos, setting.n_neg)):
        options: dict[str, Any] = {"n_resamples": n_resamples // 2, "random_state": seed, "n_jobs": 1}
        return bool(rs.compare_measure(measure, setting.y, *scores, method="permutation", **options).pvalue <= ALPHA)
    drawn = draw_rows(setting.y == 1, rng, n_resamples, within_classes=draws_within_classes(measure))
    return bootstrap_pvalue(measure, setting, scores, drawn) <= ALPHA


def bootstrap_pvalue(measure: str, setting: Setting, scores: Array, drawn: Array) -> float:
    """p from resamples: how often each row was drawn, a line for each."""
    here = np.ones((1, setting.n), dtype=int)
    observed, differences = (
        np.subtract(*(values(measure, setting, line, d) for line in scores)) for d in (here, drawn)
    )
    return judge(float(observed[0]), spread_of(differences), "two-sided", None).pvalue


def values(measure: str, setting: Setting, scores: Array, drawn: Array) -> Array:
    """Values of a model on resamples."""
    positive = setting.y == 1
    if measure == "recall":
        found: Array = drawn[:, positive & (scores >= cut_of(setting))].sum(axis=1) / drawn[:, positive].sum(axis=1)
        return found
    order = scores.argsort()
    return values_of(measure, Replicates(scores[order], positive[order], drawn[:, order]))
