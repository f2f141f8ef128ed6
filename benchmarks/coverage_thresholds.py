"""Coverage of intervals of shares, of measures at a threshold, and of chosen thresholds: tables of docs/coverage.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtr
from scipy.stats import binom

import rocsteady as rs
from benchmarks.coverage_kit import (
    AUCS,
    CELLS,
    LEVEL,
    Effort,
    Setting,
    column_of,
    coverage,
    ends_of_range,
    grid,
    holds,
    pivot,
    rank_scores,
    stream,
)
from benchmarks.group_replicates import Untied, draw_groups
from benchmarks.replicates import draw_rows
from benchmarks.shared_draws import Draws
from rocsteady._src.inference.intervals.proportions import interval_of, proportion_bounds
from rocsteady._src.inference.intervals.replicate_ends import quantiles_of
from rocsteady._src.inference.intervals.shares import PROPORTIONS
from rocsteady._src.inference.resampling.resample import MOST_FAILED
from rocsteady._src.measures.best_threshold import best_threshold
from rocsteady._src.measures.confusion import confusion_at
from rocsteady._src.measures.registry import get_measure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocsteady._src.ranked import RankedScores
    from rocsteady.measures import FactSheet

    Found = dict[tuple[Any, ...], float]

TAILS = ((1 - LEVEL) / 2, (1 + LEVEL) / 2)
AT_CHOSEN = ("recall", "specificity", "precision", "accuracy", "f1", "mcc", "youden_j")
EVERY_CELLS = tuple((n, share) for n in (50, 200, 1000) for share in (0.05, 0.2, 0.5))
MEASURES = ("f1",)  # others: measures_of_rates


def proportion_table(effort: Effort) -> str:
    """No simulation: every count of successes, weighted by its probability."""
    chances = np.linspace(0, 1, 2001)[1:-1]
    found: Found = {}
    for n in (10, 20, 50, 200, 1000):
        for method in ("wilson", "clopper-pearson", "jeffreys", "agresti-coull", "wald"):
            low, high = proportion_bounds(np.arange(n + 1), n, LEVEL, method)  # type: ignore[arg-type]
            inside = (low <= chances[:, None]) & (chances[:, None] <= high)
            covered = (binom.pmf(np.arange(n + 1), n, chances[:, None]) * inside).sum(axis=1)
            found[n, method, "mean"] = float(covered.mean())
            found[n, method, "lowest"] = float(covered.min())
            found[n, method, "lowest, share 10% to 90%"] = float(covered[np.abs(chances - 0.5) <= 0.4].min())
    return pivot(found, ("rows", "method"), coverage)


def cell_shares(setting: Setting) -> tuple[float, float]:
    """Recall and specificity at the threshold halfway between the classes."""
    share = float(ndtr(setting.gap / 2))
    return share, share


def threshold_measure_table(effort: Effort) -> str:
    found: Found = {}
    for setting in grid(AUCS, ties=(False,)):
        for cohort in (True, False):
            hits = _measure_hits(setting, effort.analytic, cohort=cohort)
            design = "drawn" if cohort else "fixed"
            for measure, share in zip(MEASURES, hits, strict=True):
                found[setting.n, setting.n_pos, setting.auc, f"{measure}, {design}"] = share
    return pivot(found, ("n", "positives", "true AUC"), coverage)


def draw_counts(setting: Setting, repeats: int, *, cohort: bool) -> np.ndarray:
    """TP, FP, FN, TN of each sample: class sizes drawn with the rows, or fixed."""
    rng = stream("metrics", setting, cohort)
    recall, specificity = cell_shares(setting)
    n_pos = rng.binomial(setting.n, setting.prevalence, repeats) if cohort else np.full(repeats, setting.n_pos)
    tp, tn = rng.binomial(n_pos, recall), rng.binomial(setting.n - n_pos, specificity)
    return np.stack([tp, setting.n - n_pos - tn, n_pos - tp, tn], axis=1)


def _measure_hits(setting: Setting, repeats: int, *, cohort: bool) -> np.ndarray:
    recall, specificity = cell_shares(setting)
    truth = rs.Confusion(
        tp=setting.n_pos * recall,
        fp=setting.n_neg * (1 - specificity),
        fn=setting.n_pos * (1 - recall),
        tn=setting.n_neg * specificity,
    )
    truths = {measure: float(get_measure(measure).sheet.formula(truth)) for measure in MEASURES}
    different, times = np.unique(draw_counts(setting, repeats, cohort=cohort), axis=0, return_counts=True)
    hits = np.zeros(len(MEASURES))
    for cells, count in zip(different.tolist(), times.tolist(), strict=True):
        counts = rs.Confusion(*cells)
        hits += [count * holds(rs.measure_interval(measure, counts), truths[measure]) for measure in MEASURES]
    return hits / repeats


def youden_table(effort: Effort) -> str:
    """Over samples that have an interval; none for a setting where most have too many resamples without a class."""
    names = ("threshold",)
    found: Found = {}
    for setting in ends_of_range(AUCS[1:]):
        truths, hits, made = best_cut(setting)[:1], np.zeros(len(names)), 0
        draws = Draws(stream("youden, resamples", setting), effort.resamples)
        for scores in setting.samples(stream("youden", setting), effort.resampled):
            ranked = rank_scores(scores, setting.n_pos)
            chosen = cuts_drawn(ranked, draws.next_sample())
            if len(chosen) < (1 - MOST_FAILED) * effort.resamples:
                continue
            made += 1
            hits += [holds(quantiles_of(chosen[:, i], TAILS), truth) for i, truth in enumerate(truths)]
        if made < effort.resampled / 2:
            continue
        for name, count in zip(names, hits, strict=True):
            found[setting.n, setting.n_pos, name, column_of(setting)] = count / made
    return pivot(dict(sorted(found.items(), key=lambda item: item[0][:2])), ("n", "positives", "interval of"), coverage)


def cuts_drawn(ranked: RankedScores, draws: Draws) -> np.ndarray:
    """What ``chosen_cuts`` finds in resamples of these rows."""
    if ranked.scores.size < ranked.origin.n_rows:
        return chosen_cuts(ranked.scores, *draw_groups(ranked, draws, within_classes=False))
    return Untied(ranked, draws, within_classes=False).chosen_cuts()


def chosen_cuts(scores: np.ndarray, pos: np.ndarray, neg: np.ndarray) -> np.ndarray:
    """Threshold by Youden's rule, TPR and FPR of each resample that has both classes: as ``best_threshold`` chooses."""
    known = (pos.sum(axis=1) > 0) & (neg.sum(axis=1) > 0)
    tpr, fpr = (
        np.pad(side[known, ::-1].cumsum(axis=1), ((0, 0), (1, 0))) / side[known].sum(axis=1)[:, None]
        for side in (pos, neg)
    )
    gained = tpr - fpr
    best = (gained >= gained.max(axis=1)[:, None] - 4 * np.finfo(float).eps).argmax(axis=1)
    lines = np.arange(best.size)
    return np.stack([np.append(np.inf, scores[::-1])[best], tpr[lines, best], fpr[lines, best]], axis=1)


def best_cut(setting: Setting) -> tuple[float, float, float]:
    """Threshold that is best in the population by Youden's rule, and its rates; the highest of equally good ones."""
    if not setting.tied:
        rate = float(ndtr(setting.gap / 2))
        return setting.gap / 2, rate, 1 - rate
    tpr, fpr = (share[::-1].cumsum() for share in setting.shares)
    at = int(np.argmax((tpr - fpr).round(12)))
    return float(CELLS[::-1][at]), float(tpr[at]), float(fpr[at])


def chosen_table(effort: Effort) -> str:
    """Measures of new rows at the threshold that Youden's rule chose on these: as ``evaluate`` shows them, and given.

    The mean over resamples is all that is needed of them, so that a quarter of the usual number is enough.
    """
    found: Found = {}
    for n, share in EVERY_CELLS:
        held: dict[str, list[list[bool]]] = {"less optimism": [], "as if given": []}
        rng = stream("chosen, resamples", n, share)
        for ranked, gap in _cohorts(n, share, effort.resampled):
            cut = best_threshold(ranked, rule="youden").threshold
            truths, counts = _population_measures(cut, gap, share), confusion_at(ranked, cut)
            drawn = draw_rows(ranked.pos > 0, rng, effort.resamples // 4, within_classes=False)
            for kind, optimism in (("less optimism", optimism_of(ranked, drawn)), ("as if given", [0.0] * len(truths))):
                made = [
                    interval_of(*both, level=LEVEL, optimism=o)
                    for both, o in zip(_asked(counts), optimism, strict=True)
                ]
                held[kind].append([holds(each, truth) for each, truth in zip(made, truths, strict=True)])
        for kind, samples in held.items():
            for measure, covered in zip(AT_CHOSEN, np.mean(samples, axis=0), strict=True):
                found[n, f"{share:.0%}", kind, measure] = float(covered)
    return pivot(found, ("n", "positives", "interval"), coverage)


def _asked(counts: rs.Confusion) -> list[tuple[FactSheet, rs.Confusion]]:
    return [(get_measure(measure).sheet, counts) for measure in AT_CHOSEN]


def optimism_of(ranked: RankedScores, drawn: np.ndarray) -> list[float]:
    """What resamples flatter their own threshold by, all at once; scores without ties, lines of ``drawn`` by score."""
    own, rows = _walked(ranked, drawn), _walked(ranked, np.ones_like(drawn[:1]))
    with np.errstate(divide="ignore", invalid="ignore"):
        gain = own[0] / own[0][:, -1:] - own[1] / own[1][:, -1:]
        best = (gain >= gain.max(axis=1, keepdims=True) - 1e-12).argmax(axis=1)
        counted = [_cells(*(side[np.arange(len(drawn)), best] for side in own), *(side[:, -1] for side in own))]
        counted.append(_cells(*(side[0, best] for side in rows), *(side[0, -1] for side in rows)))
        values = [[_scaled(sheet, cells) for sheet, cells in _asked(each)] for each in counted]
    return [float(np.nanmean(there - here)) for there, here in zip(*values, strict=True)]


def _walked(ranked: RankedScores, drawn: np.ndarray) -> list[np.ndarray]:
    """Positives and negatives called at each threshold, from none down."""
    sides = (drawn * ranked.pos, drawn * ranked.neg)
    return [np.pad(side[:, ::-1].cumsum(axis=1), ((0, 0), (1, 0))).astype(np.float64) for side in sides]


def _cells(tp: np.ndarray, fp: np.ndarray, n_pos: np.ndarray, n_neg: np.ndarray) -> rs.Confusion:
    lost = np.where((n_pos > 0) & (n_neg > 0), 0.0, np.nan)
    return rs.Confusion(tp + lost, fp, n_pos - tp, n_neg - fp)


def _scaled(sheet: FactSheet, cells: rs.Confusion) -> np.ndarray:
    share = PROPORTIONS.get(sheet.name)
    hits, total = (sheet.formula(cells), 1.0) if share is None else share.counted(cells)
    return np.asarray(hits / total)


def _cohorts(n: int, share: float, count: int) -> Iterator[tuple[RankedScores, float]]:
    """Samples whose class sizes vary, with rows of both classes, and the distance between the classes."""
    rng, gap = stream("chosen", n, share), Setting(1, 1, 0.8).gap
    for _ in range(count):
        positive = rng.random(n) < share
        scores = rng.standard_normal(n) + gap * positive
        if 0 < positive.sum() < n:
            yield rank_scores(scores[np.argsort(~positive, kind="stable")], int(positive.sum())), gap


def _population_measures(threshold: float, gap: float, share: float) -> list[float]:
    tpr, fpr = float(ndtr(gap - threshold)), float(ndtr(-threshold))
    cells = {"tp": share * tpr, "fp": (1 - share) * fpr, "fn": share * (1 - tpr), "tn": (1 - share) * (1 - fpr)}
    return [float(get_measure(measure).sheet.formula(rs.Confusion(**cells))) for measure in AT_CHOSEN]
