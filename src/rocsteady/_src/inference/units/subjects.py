"""Several rows per subject: what each subject adds, and how many independent rows that is worth."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count
from rocsteady._src.inference.intervals.advice import FEW_SUBJECTS
from rocsteady._src.inference.units.units import Units, as_for_rows
from rocsteady._src.inputs.weights import summed
from rocsteady._src.measures.confusion import Confusion, confusion_at
from rocsteady._src.measures.reaches_threshold import first_reached
from rocsteady._src.ranked import RankedScores, Rows, rank, read_models
from rocsteady._src.ranked.lazy.lazy_rows import rank_named
from rocsteady._src.ranked.reading import answers_itself, known_groups
from rocsteady._src.ranked.scores import OF_SKETCH
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

CELLS = ("tp", "fp", "fn", "tn")
BLOCK = 1_000_000


def read_rows(y_true: object, y_score: object, cluster: object, **options: Any) -> Rows:
    """Rows of one model with the subject of each; refused where there are no rows, or no two subjects."""
    if isinstance(y_true, (RankedScores, Confusion)):
        told = "ranked scores and counts have no rows to give subjects to; pass labels and scores with {cluster=}"
        raise InputError("cluster_rows", Sentence(told))
    return _of_two_subjects(read_models(y_true, {"y_score": y_score}, cluster=cluster, **options))


def _of_two_subjects(rows: Rows) -> Rows:
    if rows.n_clusters < 2:
        text = (
            f"cluster has {format_count(rows.n_clusters)} subject: how much subjects differ takes two of them or more"
        )
        raise InputError("one_subject", text)
    return rows


def by_units(rows: Rows) -> str:
    """What the name of a method says about subjects, or about weights."""
    return "by weight" if rows.one_row_each and rows.weights is not None else "by cluster"


def few_units(rows: Rows) -> tuple[Remark, ...]:
    """What to know about few subjects, or about few rows whose weights differ."""
    if rows.n_clusters >= FEW_SUBJECTS:
        return ()
    if by_units(rows) == "by weight":
        return (Remark("few_weighted_rows", n=rows.n_clusters),)
    return (Remark("few_subjects", n=rows.n_clusters, better=""),)


def ranked_and_rows(
    y_true: object, y_score: object, cluster: object, label: str | None, **options: Any
) -> tuple[RankedScores, Rows | None]:
    """Rank labels and scores, or named columns of a table; rows are kept for subjects and for sampling weights.

    A row of a sampling weight is a subject of its own.
    """
    if label is not None:
        if cluster is not None:
            text = Sentence("names of columns go without {cluster=}; pass labels, scores and subjects as columns")
            raise ArgumentError("label", text)
        return _counted(rank_named(y_true, y_score, label=label, **options)), None
    if y_score is None and (counted := known_groups(y_true)) is not None:
        y_true = counted
    if isinstance(y_true, RankedScores) and cluster is None:
        return _counted(rank(y_true, y_score, **options)), None
    if cluster is None:
        rows = y_true if isinstance(y_true, Rows) else _one_model(y_true, y_score, **options)
        ranked = rows.ranked[0]
        if rows.clusters is not None:
            return ranked, rows if rows.one_row_each else _of_two_subjects(rows)
        return ranked, None if ranked.counts_rows else rows.by_row()
    rows = read_rows(y_true, y_score, cluster, **options)
    return rows.ranked[0], rows


def _one_model(y_true: object, y_score: object, **options: Any) -> Rows:
    if y_score is None:
        of_sketch = OF_SKETCH if answers_itself(y_true, "measure") is not None else None
        raise ArgumentError("scores_absent", of_sketch or "y_score is missing: pass labels first, then scores")
    return read_models(y_true, {"y_score": y_score}, **options)


def _counted(ranked: RankedScores) -> RankedScores:
    if not ranked.counts_rows:
        raise InputError("weights_summed", summed("an interval"))
    return ranked


def rows_worth(hits: Array, among: Array, n_rows: float) -> Array:
    """How many independent rows tell a share as surely as these subjects do.

    ``hits`` and ``among`` hold a number for every subject, or a weight; lines of ``hits`` are shares of their own.
    Never more than there are rows: a design effect below 1 is mostly chance. Shares of 0 and 1 have no spread: there
    each subject counts as one row. NaN for one subject alone.
    """
    n_subjects, total = int(np.count_nonzero(among)), float(among.sum())
    if n_subjects < 2:
        return np.full(hits.shape[:-1], np.nan)
    off = above_share(hits, among) / total
    share = np.clip(hits.sum(axis=-1) / total, 0.0, 1.0)
    spread, variance = share * (1 - share), as_for_rows(n_subjects, n_rows) * (off * off).sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        worth = np.where(spread > 0, spread / variance, n_subjects)
    return np.minimum(worth, n_rows)


def above_share(hits: Array, among: Array) -> Array:
    """What each subject adds to a share above its mean."""
    share = hits.sum(axis=-1, keepdims=True) / max(float(among.sum()), 1e-300)
    off: Array = hits - share * among
    return off


def rank_design_effect(rows: Rows) -> float:
    """How much more the difference of mean ranks varies by subject than by row, where classes are alike.

    AUC - 1/2 is the mean rank of positives less that of negatives, over the number of rows.
    """
    ranked = rows.ranked[0]
    counts = ranked.pos + ranked.neg
    ranks = counts.cumsum() - counts / 2
    ranks -= float(ranks @ counts) / ranked.n_rows_counted
    signs = np.where(rows.positive, 1 / ranked.n_pos, -1 / ranked.n_neg)
    weights = Units.of(rows).held()
    off = ranks[rows.places[0]] * signs
    by_subject = np.bincount(np.asarray(rows.clusters), off * weights, rows.n_clusters)
    alone = float(off**2 @ weights)
    if not alone:
        return 1.0
    return as_for_rows(rows.n_clusters, ranked.n_rows_counted) * float(by_subject @ by_subject) / alone


@dataclass(frozen=True, slots=True, eq=False)
class SubjectCells:
    """Counts, or weights, of each subject in the four cells, a line per subject; and how many rows a cell has."""

    cells: Array
    n_rows: Array
    how: str = "by cluster"

    @property
    def n_subjects(self) -> int:
        """Number of subjects."""
        return int(self.cells.shape[0])

    def share(self, hits: tuple[str, ...], among: tuple[str, ...]) -> tuple[float, float]:
        """Hits and rows of independent rows that tell the share as surely."""
        of_hits, of_all = (self._columns(names) for names in (hits, among))
        counted, total = (self.cells[:, columns].sum(axis=1) for columns in (of_hits, of_all))
        worth = float(rows_worth(counted, total, float(self.n_rows[of_all].sum())))
        return worth * (float(counted.sum()) / max(float(total.sum()), 1e-300)), worth

    def totals(self, names: tuple[str, ...]) -> list[float]:
        """The sum of each of some cells."""
        sums: list[float] = self.cells[:, self._columns(names)].sum(axis=0).tolist()
        return sums

    def together(self, one: tuple[tuple[str, ...], ...], two: tuple[tuple[str, ...], ...]) -> float:
        """Correlation of two shares, each given as cells among cells, through subjects that have rows of both."""
        up, down = (
            above_share(*(self.cells[:, self._columns(names)].sum(axis=1) for names in part)) for part in (one, two)
        )
        size = math.sqrt(float(up @ up) * float(down @ down))
        return float(up @ down) / size if size > 0 else 0.0

    def spread(self, slopes: Array) -> float:
        """Standard error of a function of the totals with these slopes."""
        off = self.cells @ slopes
        return math.sqrt(as_for_rows(self.n_subjects, float(self.n_rows.sum())) * float(off @ off))

    def one_row_each(self) -> Array:
        """The four totals, scaled to one row per subject."""
        totals: Array = self.cells.sum(axis=0)
        totals *= self.n_subjects / totals.sum()
        return totals

    @staticmethod
    def _columns(names: tuple[str, ...]) -> list[int]:
        return [CELLS.index(name) for name in names]


def subject_cells(rows: Rows, threshold: Any) -> tuple[Confusion, SubjectCells | None]:
    """Counts at a threshold, in all and by subject; by subject only at one threshold."""
    ranked = rows.ranked[0]
    counts = confusion_at(ranked, threshold)
    if np.ndim(counts.tp) or rows.clusters is None:
        return counts, None
    called = rows.places[0] >= int(first_reached(ranked.scores, counts.threshold))
    cell = np.where(rows.positive, np.where(called, 0, 2), np.where(called, 1, 3))
    weights = None if rows.weights is None else rows.weights.astype(np.float64)
    by_subject = np.bincount(4 * rows.clusters + cell, weights, 4 * rows.n_clusters).reshape(-1, 4).astype(np.float64)
    n_rows = by_subject.sum(axis=0) if ranked.counts_rows else np.bincount(cell[rows.weights != 0], minlength=4)
    return counts, SubjectCells(by_subject, n_rows.astype(np.float64), by_units(rows))


@dataclass(frozen=True, slots=True, eq=False)
class CurveWorth:
    """At some steps of a ROC curve: independent rows each rate is worth, and how the two rates vary together."""

    steps: NDArray[np.intp]
    n_pos: Array
    n_neg: Array
    together: Array

    @classmethod
    def of(cls, rows: Rows, steps: NDArray[np.intp]) -> CurveWorth:
        """Count the rows of each subject again at each of these steps. O(rows + subjects x steps)."""
        sides = [_Side.of(rows, mask, steps) for mask in (rows.positive, ~rows.positive)]
        block, found = max(1, BLOCK // rows.n_clusters), []
        counted = [np.zeros(rows.n_clusters) for _ in sides]
        for start in range(0, steps.size, block):
            stop = min(start + block, steps.size)
            hits = [side.called(start, stop, before) for side, before in zip(sides, counted, strict=True)]
            counted = [each[-1] for each in hits]
            offs = [above_share(each, side.among) for each, side in zip(hits, sides, strict=True)]
            worth = [side.worth(each) for each, side in zip(hits, sides, strict=True)]
            found.append(np.array([*worth, _correlation(*offs)]))
        return cls(steps, *np.concatenate(found, axis=1))

    def at(self, step: NDArray[np.intp]) -> tuple[Array, Array, Array]:
        """The same at any steps: those of the last one counted."""
        known = self.steps.searchsorted(step, side="right") - 1
        return self.n_pos[known], self.n_neg[known], self.together[known]


def _correlation(one: Array, two: Array) -> Array:
    size = np.sqrt((one * one).sum(axis=1) * (two * two).sum(axis=1))
    found: Array = np.divide((one * two).sum(axis=1), size, out=np.zeros(size.size), where=size > 0)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """Rows of one class; ``first`` is the first step at which a row is called positive."""

    first: NDArray[np.intp]
    subjects: NDArray[np.int64]
    weights: Array | None
    among: Array
    n_rows: float

    @classmethod
    def of(cls, rows: Rows, mask: NDArray[np.bool_], steps: NDArray[np.intp]) -> _Side:
        subjects = np.asarray(rows.clusters)[mask]
        first = steps.searchsorted(rows.ranked[0].scores.size - rows.places[0][mask])
        weights = None if rows.weights is None else rows.weights[mask].astype(np.float64)
        among = np.bincount(subjects, weights, rows.n_clusters).astype(np.float64)
        n_rows = among.sum() if weights is None or rows.ranked[0].counts_rows else np.count_nonzero(weights)
        return cls(first, subjects, weights, among, float(n_rows))

    def called(self, start: int, stop: int, before: Array) -> Array:
        """Rows of each subject that are called positive, a line for each step; ``before`` at the step before."""
        here = np.flatnonzero((self.first >= start) & (self.first < stop))
        cells = (self.first[here] - start) * self.among.size + self.subjects[here]
        weights = None if self.weights is None else self.weights[here]
        new = np.bincount(cells, weights, (stop - start) * self.among.size).reshape(stop - start, -1)
        walked: Array = before + new.cumsum(axis=0)
        return walked

    def worth(self, hits: Array) -> Array:
        """Independent rows; one subject alone is one."""
        found = rows_worth(hits, self.among, self.n_rows)
        return np.where(np.isnan(found), 1.0, found)
