"""RankedScores: one entry per distinct score with its weight of positives and negatives.

Sorting costs O(n log n) once; everything that reads the groups costs O(number of distinct scores).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.inputs import CleanRows, Names, clean_rows
from rocsteady._src.inputs.scores import beyond_doubles, not_doubles, to_doubles
from rocsteady._src.ranked.counted import count_few
from rocsteady._src.ranked.fingerprint import fingerprint
from rocsteady._src.ranked.grouping import group_sorted, group_weighted_rows, sort_few
from rocsteady._src.ranked.keyed import SortedKeys
from rocsteady._src.ranked.reading import answers_itself, known_groups, origin_of, read_as
from rocsteady._src.ranked.running import frozen
from rocsteady._src.ranked.walks import Walks
from rocsteady._src.results import Origin
from rocsteady._src.results.base import Pictured
from rocsteady._src.results.pictures import Histogram, source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.ranked.grouping import Groups

FEW_ROWS = 1000
OF_SKETCH = (
    "a sketch that is not exact holds counts of cells: ask it, as in sketch.auc(), sketch.auc_interval(), "
    "sketch.measure('ks_statistic') or sketch.roc_curve()"
)


@dataclass(frozen=True, eq=False)
class RankedScores(Walks, Pictured):
    """Distinct scores in increasing order, each with its weight of positives and of negatives.

    Attributes
    ----------
    scores : ndarray
        Distinct scores, increasing.
    pos, neg : ndarray
        Weight of positive and of negative rows at each score: exact int64 counts without weights or with
        whole-number weights, float64 otherwise.
    origin : Origin
        Positive label, rows used and dropped; carried into every result.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.rank([1, 0, 1, 0], [0.8, 0.3, 0.3, 0.1])
    RankedScores(3 distinct scores, 2 positives, 2 negatives)
    """

    scores: NDArray[Any]
    pos: NDArray[Any]
    neg: NDArray[Any]
    origin: Origin
    no_doubles: ClassVar[str] = ""

    @classmethod
    def from_arrays(
        cls,
        y_true: object,
        y_score: object,
        *,
        sample_weight: object = None,
        pos_label: Any = None,
        missing: Missing = "raise",
        names: Names | None = None,
        weight_type: str | None = None,
    ) -> RankedScores:
        """Check, align and rank rows: the door for data from outside."""
        rows = clean_rows(
            y_true,
            y_score,
            sample_weight=sample_weight,
            pos_label=pos_label,
            missing=missing,
            names=names or Names(),
            weight_type=weight_type,
        )
        return cls.from_clean(rows)

    @classmethod
    def from_clean(cls, rows: CleanRows) -> RankedScores:
        """Rank rows that ``clean_rows`` has checked."""
        origin = origin_of(rows)
        if rows.weights is not None and rows.scores.size:
            return cls.trusted(*group_weighted_rows(rows, rows.weights), origin).told(rows)
        groups = cls._counting(rows, origin)
        n_pos = int(np.count_nonzero(rows.positive))
        vars(groups).update(n_pos=n_pos, n_neg=rows.positive.size - n_pos)
        return groups.told(rows)

    def told(self, rows: CleanRows) -> RankedScores:
        """Remember which rows have scores that only rank, to name them where their size is asked for."""
        if rows.no_doubles:
            vars(self).update(no_doubles=rows.no_doubles)
        return self

    @classmethod
    def _counting(cls, rows: CleanRows, origin: Origin) -> RankedScores:
        """Every row counts once: few rows are sorted by index, few different scores counted, all else sorted by key."""
        if not rows.scores.size:
            nothing = np.zeros(0, dtype=np.int64)
            return cls.trusted(rows.scores.copy(), nothing, nothing, origin)
        if rows.scores.size <= FEW_ROWS:
            return cls.of_groups(group_sorted(*sort_few(rows.positive, rows.scores)), origin)
        counted = count_few(rows.positive, rows.scores)
        if counted is not None:
            return cls.trusted(*counted, origin)
        groups = cls.__new__(cls)
        vars(groups).update(_sorted=SortedKeys.of(rows.positive, rows.scores), origin=origin)
        return groups

    @classmethod
    def of_groups(cls, groups: Groups, origin: Origin) -> RankedScores:
        """Groups as ``group_sorted`` gives them."""
        made = cls.__new__(cls)
        vars(made).update(origin=origin)
        made._take(groups)  # noqa: SLF001 - its own
        return made

    @classmethod
    def from_counts(cls, scores: object, pos: object, neg: object, *, pos_label: Any = 1) -> RankedScores:
        """Check and merge a table of counts: scores in any order, repeated or not.

        Examples
        --------
        >>> RankedScores.from_counts([0.2, 0.7, 0.2], pos=[1, 3, 0], neg=[4, 1, 2]).neg.tolist()
        [6, 1]
        """
        columns = ((np.asarray(pos), 1, "pos"), (np.asarray(neg), 0, "neg"))
        if columns[0][0].shape != columns[1][0].shape:
            raise InputError("lengths_differ", "pos and neg differ in length: pass one count of each per score")
        rows = [
            clean_rows(np.full(counts.shape, flag), scores, sample_weight=counts, names=Names(weight=name))
            for counts, flag, name in columns
            if np.any(counts != 0)
        ]
        if not rows:
            raise InputError("empty_counts", "pos and neg hold no count above zero")
        parts = [cls.from_clean(part) for part in rows]
        merged = parts[0].merge(*parts[1:])
        n_rows = int(merged.n_rows_counted)
        return cls.trusted(merged.scores, merged.pos, merged.neg, Origin(pos_label, n_rows))

    @classmethod
    def trusted(cls, scores: NDArray[Any], pos: NDArray[Any], neg: NDArray[Any], origin: Origin) -> RankedScores:
        """Trust the groups: increasing distinct scores, no empty group. For resampling, merging and engines."""
        return cls(frozen(scores), frozen(pos), frozen(neg), origin)

    @cached_property
    def doubles(self) -> NDArray[np.float64]:
        """The scores as float64, for what needs their size; decimals are rounded, what doubles cannot hold refused."""
        values, beyond = to_doubles(self.scores)
        if beyond.size:
            raise not_doubles(self.no_doubles or beyond_doubles(self.scores, "the scores", rows=False))
        return frozen(values)

    def _picture(self) -> Histogram:
        scores = self.doubles
        left_out = ("infinite scores are not drawn",) if self.has_infinite_scores else ()
        title = ("Scores of each class", *source(self.origin, self.n_pos, self.n_neg), *left_out)
        return Histogram(title, "Score", {"negatives": (scores, self.neg), "positives": (scores, self.pos)}, {})

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of the groups: the same for the same data in any row order, container or engine."""
        return fingerprint(self.scores, *self.steps)

    def chunks(self, size: int = 1 << 13) -> Iterator[tuple[NDArray[Any], NDArray[np.float64], NDArray[np.float64]]]:
        """Scores, and positives and negatives as floats, in pieces that fit the cache and wake no BLAS threads."""
        scores = self.scores if self.scores.dtype.kind != "O" else self.doubles
        for start in range(0, scores.size, size):
            piece = slice(start, start + size)
            if self.row_labels is None:
                yield scores[piece], self.pos[piece].astype(np.float64), self.neg[piece].astype(np.float64)
            else:
                pos = self.row_labels[piece].astype(np.float64)
                yield scores[piece], pos, 1 - pos

    def merge(self, *others: RankedScores) -> RankedScores:
        """Groups of the rows of all parts together; the same as ranking them in one go."""
        from rocsteady._src.ranked.merging import merge

        return merge(self, *others)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RankedScores):
            return NotImplemented
        return all(
            np.array_equal(mine, theirs)
            for mine, theirs in ((self.scores, other.scores), (self.pos, other.pos), (self.neg, other.neg))
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return RankedScores.trusted, (self.scores, self.pos, self.neg, self.origin)

    def __repr__(self) -> str:
        return (
            f"RankedScores({format_count(self.scores.size)} distinct scores, {format_count(self.n_pos)} positives, "
            f"{format_count(self.n_neg)} negatives)"
        )


@typed
def rank(
    y_true: object,
    y_score: object = None,
    *,
    sample_weight: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    weight_type: str | None = None,
) -> RankedScores:
    """Sort rows once into groups of equal score, which every measure and curve then reads.

    Parameters
    ----------
    y_true : array-like or RankedScores
        Labels: {0, 1}, {-1, 1} or booleans; any others together with ``pos_label``. What ``rank`` has
        returned before passes through.
    y_score : array-like
        Scores, higher means more positive. Ties are exact equality; scores are never rounded or flipped.
    sample_weight : array-like, optional
        Weights >= 0; a row of weight 0 is left out.
    pos_label : optional
        The label of the positive class.
    missing : {"raise", "drop"}
        What to do with rows that lack a label, score or weight.
    weight_type : {"frequency", "sampling"}, optional
        How intervals and tests of these rows read the weights: as the number of times that a row was seen, or as
        sampling weights, which they are unless said otherwise. Values do not depend on it.

    Returns
    -------
    RankedScores

    Examples
    --------
    >>> import rocsteady as rs
    >>> groups = rs.rank(["sick", "well", "sick"], [3.0, 1.0, 1.0], pos_label="sick")
    >>> groups.scores.tolist(), groups.pos.tolist(), groups.neg.tolist()
    ([1.0, 3.0], [1, 1], [1, 0])
    """
    if isinstance(y_true, RankedScores):
        refuse_more_than_one(y_score, sample_weight, pos_label)
        return read_as(y_true, weight_type)
    if y_score is None:
        if (counted := known_groups(y_true)) is not None:
            refuse_more_than_one(sample_weight, pos_label)
            return read_as(counted, weight_type)
        of_curve = "; the area of a curve is its .area" if hasattr(y_true, "area") else ""
        if answers_itself(y_true, "measure") is not None:
            raise ArgumentError("scores_absent", OF_SKETCH)
        raise ArgumentError("scores_absent", f"y_score is missing: pass labels first, then scores{of_curve}")
    how: dict[str, Any] = {"sample_weight": sample_weight, "pos_label": pos_label, "missing": missing}
    return RankedScores.from_arrays(y_true, y_score, weight_type=weight_type, **how)


def refuse_more_than_one(*others: object) -> None:
    """Counted data go alone: labels, scores and weights are in them already."""
    if any(other is not None for other in others):
        text = Sentence(
            "these rows are ranked or counted already: pass them alone, without scores, weights or {@pos_label}"
        )
        raise ArgumentError("already_ranked", text)
