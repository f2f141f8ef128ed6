"""Whole subjects change places between two independent samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.ranked import sorted_distinct
from rocsteady._src.ranked.grouping import ascending_order
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked import Rows


@dataclass(frozen=True, slots=True, eq=False)
class SubjectSwaps:
    """Two samples of subjects: which may change places, having as many positives and negatives as each other.

    ``rows[side]`` lists, subject by subject, where its rows of a class stand among those of both samples;
    ``groups`` number the subjects of each composition.
    """

    rows: tuple[list[NDArray[np.intp]], list[NDArray[np.intp]]]
    groups: list[NDArray[np.intp]]
    n_first: int

    @classmethod
    def of(cls, one: Rows, two: Rows) -> SubjectSwaps | None:
        """Gather the rows of each subject, and subjects of equal composition; None where each row is a subject."""
        if one.clusters is None or two.clusters is None:
            return None
        positive = np.concatenate([one.positive, two.positive])
        subjects = np.concatenate([one.clusters, two.clusters + one.n_clusters])
        n = one.n_clusters + two.n_clusters
        sides = [_rows_of_subjects(subjects[positive == flag], n) for flag in (1, 0)]
        made_of = [np.array([rows.size for rows in side]) for side in sides]
        kinds = sorted_distinct(made_of[0] * (made_of[1].max() + 1) + made_of[1])[1]
        return cls((sides[0], sides[1]), _rows_of_subjects(kinds, int(kinds.max()) + 1), one.n_clusters)

    def orders(self, rng: np.random.Generator, size: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """For each of ``size`` permutations, which row of a class stands at each place."""
        n_subjects = len(self.rows[0])
        lines: tuple[list[NDArray[np.intp]], list[NDArray[np.intp]]] = ([], [])
        for _ in range(size):
            moved = np.arange(n_subjects)
            for group in self.groups:
                moved[group] = rng.permutation(group)
            for side, rows in enumerate(self.rows):
                order = np.empty(sum(part.size for part in rows), dtype=np.intp)
                order[np.concatenate(rows)] = np.concatenate([rows[subject] for subject in moved])
                lines[side].append(order)
        return np.array(lines[0]), np.array(lines[1])

    def reorder(self, rng: np.random.Generator, sides: list[NDArray[np.intp]]) -> list[NDArray[np.intp]]:
        """Put the rows of both classes in the order of one permutation."""
        return [side[order[0]] for side, order in zip(sides, self.orders(rng, 1), strict=True)]

    def remarks(self) -> tuple[Remark, ...]:
        """Subjects that no permutation moves to the other sample."""
        first = [group < self.n_first for group in self.groups]
        alone = sum(group.size for group in first if group.all() or not group.any())
        if not alone:
            return ()
        return (Remark("subjects_stay", n=alone, total=len(self.rows[0])),)


def _rows_of_subjects(numbers: NDArray[np.int64], size: int) -> list[NDArray[np.intp]]:
    """Where each number from 0 to size - 1 stands."""
    counts = np.bincount(numbers, minlength=size)
    return np.split(ascending_order(numbers), counts.cumsum()[:-1])
