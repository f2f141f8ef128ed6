"""AUCs of all groups and models, and how they vary together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.inference.units.components import Area
from rocsteady._src.inference.units.influence import area_freedom, subject_sums
from rocsteady._src.inference.units.spread import areas_of
from rocsteady._src.inference.units.units import unbiased

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked import Rows

    Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class GroupAreas:
    """``areas[group, model]``; ``covariance[model, other]`` is a matrix over groups; ``pairs`` counts opposite rows.

    ``free[model, other]`` are the degrees of freedom of the variances of the difference of two models in each group, or
    of one; ``sizes[group]`` the independent units of both classes.
    """

    areas: Array
    covariance: Array
    pairs: Array
    free: Array
    sizes: Array

    def sum_of(self, weights: Array) -> tuple[Array, Array]:
        """A weighted sum of the models' AUCs in each group, and its covariance matrix over groups."""
        spread: Array = np.einsum("m,n,mngh->gh", weights, weights, self.covariance)
        return self.areas @ weights, spread

    def free_of(self, weights: Array) -> Array:
        """Degrees of freedom of the variance in each group, of one model or of the difference of two."""
        some = np.flatnonzero(weights)
        found: Array = self.free[some[0], some[-1]]
        return found


def usable(spread: Array) -> NDArray[np.bool_]:
    """Groups with a variance above 0: both classes, two rows of each, and not all pairs alike."""
    found: NDArray[np.bool_] = np.diagonal(spread) > 0
    return found


def group_areas(rows: Rows, parts: list[Rows], group_of: NDArray[np.int64]) -> GroupAreas:
    """Areas of each part, the group of whose rows is known; subjects in several groups make these vary together."""
    n_groups, n_models = len(parts), len(rows.names)
    areas, pairs = np.full((n_groups, n_models), math.nan), np.zeros(n_groups)
    free, sizes = np.full((n_models, n_models, n_groups), math.nan), np.zeros((n_groups, 2))
    covariance = np.zeros((n_models, n_models, n_groups, n_groups))
    sums: list[tuple[Array, NDArray[np.int64]] | None] = []
    subjects = rows.clusters
    for group, ranked in enumerate(parts):
        first = ranked.ranked[0]
        pairs[group] = float(first.n_pos) * float(first.n_neg)
        if not pairs[group]:
            covariance[:, :, group, group] = math.nan
            sums.append(None)
            continue
        known = areas_of(ranked, Area(), ranked.origin.weight_type)
        areas[group], covariance[:, :, group, group], sizes[group] = known.values, known.covariance, known.units
        found = known.components or tuple(Area().components(each) for each in ranked.ranked)
        free[:, :, group] = area_freedom(ranked, found)
        shared = None if subjects is None else _numbers_of_all(ranked, subjects[group_of == group])
        sums.append(None if shared is None else (subject_sums(ranked, found), shared))
    if subjects is not None:
        _fill_between(covariance, sums, int(subjects.max()) + 1)
    return GroupAreas(areas, covariance, pairs, free, sizes)


def _numbers_of_all(ranked: Rows, subjects: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number that each subject of a group has among the subjects of all rows."""
    numbers = np.empty(ranked.n_clusters, dtype=np.int64)
    numbers[ranked.clusters] = subjects
    return numbers


def _fill_between(covariance: Array, sums: list[tuple[Array, NDArray[np.int64]] | None], n_subjects: int) -> None:
    correction = unbiased(n_subjects)
    spread = [_spread_out(found, covariance.shape[0], n_subjects) for found in sums]
    for g, one in enumerate(spread):
        for h, other in enumerate(spread):
            if g != h:
                covariance[:, :, g, h] = correction * one @ other.T


def _spread_out(found: tuple[Array, NDArray[np.int64]] | None, n_models: int, n_subjects: int) -> Array:
    lines = np.zeros((n_models, n_subjects))
    if found is not None:
        lines[:, found[1]] = found[0]
    return lines
