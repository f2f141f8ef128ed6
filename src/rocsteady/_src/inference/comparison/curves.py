"""Do two ROC curves differ anywhere? Permutation tests of Venkatraman and Begg (1996) and Venkatraman (2000)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, is_number
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.comparison.advice import permutation_remarks
from rocsteady._src.inference.comparison.auc import areas_test
from rocsteady._src.inference.comparison.permute import permutation_p, pooled_prevalence, pooled_ranks
from rocsteady._src.inference.comparison.samples import read_samples
from rocsteady._src.inference.comparison.subject_swaps import SubjectSwaps
from rocsteady._src.inference.resampling.resample import fresh_seed
from rocsteady._src.ranked import canonical_models, canonical_samples, in_canonical_order, sorted_distinct
from rocsteady._src.ranked.grouping import merge_order
from rocsteady._src.results import Resampling, TestResult
from rocsteady._src.results.base import facts_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.ranked import Rows
    from rocsteady._src.results.remarks import Remark

    Array = NDArray[np.float64]
    Slots = NDArray[np.int64]

CELLS_AT_ONCE = 200_000


@typed
def compare_curves(
    y_true: object,
    first: object,
    second: object,
    *,
    paired: bool = True,
    level: float = 0.95,
    n_permutations: int = 2000,
    y_true_second: object = None,
    cluster: object = None,
    cluster_second: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    random_state: int | None = None,
) -> TestResult:
    """Test whether two ROC curves are the same at every operating point.

    Curves that cross may have equal AUCs and still differ; this test sees that, a test of AUCs does not. Where curves
    do not cross, :func:`rocsteady.compare_auc` is more powerful. The hypothesis is about the curves alone: scores may
    be on different scales. O(rows) per permutation.

    Parameters
    ----------
    y_true, first, second : array-like
        Labels, and the scores of both models on the same rows.
    paired : bool
        False for two independent samples, which may differ in size and prevalence.
    level : float
        Of the interval of the difference of AUCs, which is DeLong's.
    n_permutations : int
        How many random exchanges of the models.
    y_true_second : array-like, optional
        Labels of the second sample when ``paired=False``; those of the first unless given.
    cluster : array-like, optional
        The subject of each row, when subjects have several rows. Paired, the models are exchanged in all rows of a
        subject together. Unpaired, whole subjects change samples, each with one that has as many positives and as
        many negatives; ``warnings`` say how many have no such partner in the other sample and stay where they are.
    cluster_second : array-like, optional
        Subjects of the second sample when ``paired=False``; the samples share none.
    pos_label, missing
        As in :func:`rocsteady.rank`.
    random_state : int, optional
        Seed; recorded in ``resampling`` either way.

    Returns
    -------
    TestResult
        ``statistic`` is E: paired, the sum over all n cutoffs of how far the two models' numbers of errors are apart
        (Venkatraman and Begg); unpaired, the area between the error rates as functions of the share called negative,
        both at the pooled prevalence (Venkatraman). ``pvalue`` is (1 + permutations with E as large) /
        (1 + permutations). ``estimate`` is the difference of AUCs, for orientation only.

    Notes
    -----
    Rows with equal scores count as their average over all orders, so that the order of rows does not matter. pROC's
    ``roc.test(method="venkatraman")`` takes tied rows in the order of the file, which changes E; without ties E is
    the same. Its unpaired test divides by twice the first sample's size and exchanges plain ranks, which is right
    for samples of equal size and prevalence; here ranks are those at the pooled prevalence. A permuted model mixes
    ranks of both, and equal ranks of different origin are put in random order, as in the papers. With five distinct
    scores in each model the paired test is cautious: it rejects in 2.5% to 3.5% of samples at the 5% level, and in
    4% to 5% without ties (benchmarks/curve_test_size.py).

    References
    ----------
    Venkatraman and Begg (1996), Biometrika 83:835-848. Venkatraman (2000), Biometrics 56:1134-1138.

    Examples
    --------
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> found = compare_curves(y, [8, 7, 6, 3, 5, 4, 2, 1], [5, 8, 3, 2, 7, 4, 6, 1], random_state=1)
    >>> found.statistic, round(found.pvalue, 2)
    (12.0, 0.1)
    """
    if not is_number(n_permutations) or n_permutations < 1:
        raise ArgumentError("n_permutations", f"n_permutations must be 1 or more, got {n_permutations!r}")
    samples = read_samples(
        y_true,
        first,
        second,
        paired=paired,
        y_true_second=y_true_second,
        cluster=cluster,
        cluster_second=cluster_second,
        pos_label=pos_label,
        missing=missing,
    )
    areas = areas_test([in_canonical_order(sample) for sample in samples], level=level)
    test = PairedCurves.of(samples[0]) if paired else UnpairedCurves.of(*samples)
    found = _tested(test, areas, n_permutations, fresh_seed(random_state))
    told = (text for each in samples for text in permutation_remarks(each))
    return replace(found, warnings=(*found.warnings, *dict.fromkeys(told)))


def _tested(test: PairedCurves | UnpairedCurves, areas: TestResult, n_permutations: int, seed: int) -> TestResult:
    rng = np.random.default_rng(seed)
    block = max(1, CELLS_AT_ONCE // test.width)
    sizes = [min(block, n_permutations - start) for start in range(0, n_permutations, block)]
    values = np.concatenate([test.permuted(rng, size) for size in sizes])
    observed = test.observed()
    return TestResult(
        statistic=observed,
        pvalue=permutation_p(values, observed, "greater")[0],
        estimate=areas.estimate,
        low=areas.low,
        high=areas.high,
        alternative="two-sided",
        method=test.method,
        hypothesis="the ROC curves of first and second differ somewhere",
        level=areas.level,
        se=areas.se,
        **facts_of(areas),
        warnings=test.remarks,
        resampling=Resampling("permutation", n_permutations, 0, seed, values),
    )


@dataclass(frozen=True, slots=True, eq=False)
class PairedCurves:
    """Levels are the distinct mid-ranks of both models; ``levels[model][row]`` is where the row stands."""

    positive: NDArray[np.bool_]
    levels: NDArray[np.int64]
    n_levels: int
    clusters: NDArray[np.int64] | None = None
    n_clusters: int = 0
    remarks: tuple[Remark, ...] = ()
    method: str = "venkatraman-begg permutation, paired"

    @classmethod
    def of(cls, models: Rows) -> PairedCurves:
        models = in_canonical_order(models)
        ranks = np.concatenate([_twice_midranks(models.places[model]) for model in canonical_models(models)])
        distinct, levels = sorted_distinct(ranks)
        found = cls(models.positive, levels.reshape(2, -1), distinct.size, models.clusters, models.n_clusters)
        return found if models.clusters is None else replace(found, method=f"{found.method}, by cluster")

    @property
    def width(self) -> int:
        return 2 * self.n_levels + self.positive.size

    def observed(self) -> float:
        slots = 2 * self.levels[:, None, :]
        return float(self._statistics(slots[0], slots[1])[0])

    def permuted(self, rng: np.random.Generator, size: int) -> Array:
        flips = rng.integers(0, 2, (size, self.n_levels), dtype=np.int8)
        swaps = rng.random((size, self.n_clusters)) < 0.5
        swaps = swaps if self.clusters is None else swaps[:, self.clusters]
        one, two = (_slots(flips, self.levels[model], model) for model in (0, 1))
        return self._statistics(np.where(swaps, two, one), np.where(swaps, one, two))

    def _statistics(self, first: Slots, second: Slots) -> Array:
        """Sum over cutoffs of the difference in errors; a positive below a cutoff is one more, a negative one less."""
        gains = [2 * _positive_shares(slots, self.positive, 2 * self.n_levels) - 1 for slots in (first, second)]
        apart: Array = np.abs((gains[0] - gains[1]).cumsum(axis=1)).sum(axis=1)
        return apart


@dataclass(frozen=True, slots=True, eq=False)
class UnpairedCurves:
    """Two samples; within each positives come first. Levels are distinct ranks at the pooled prevalence.

    ``levels[side]`` lists positives or negatives of the first sample, then of the second; ``sizes[sample][side]``
    counts them. ``swaps`` moves subjects between the samples where they have several rows.
    """

    levels: tuple[NDArray[np.int64], NDArray[np.int64]]
    sizes: tuple[tuple[int, int], tuple[int, int]]
    n_levels: int
    prevalence: float
    swaps: SubjectSwaps | None = None
    method: str = "venkatraman permutation, unpaired"

    @property
    def remarks(self) -> tuple[Remark, ...]:
        return () if self.swaps is None else self.swaps.remarks()

    @classmethod
    def of(cls, *samples: Rows) -> UnpairedCurves:
        one, two = (in_canonical_order(samples[turn]) for turn in canonical_samples(samples))
        sizes = [(int(rows.positive.sum()), int((~rows.positive).sum())) for rows in (one, two)]
        ranks = pooled_ranks(one, two)
        sides = [[rank[rows.positive == flag] for rank, rows in zip(ranks, (one, two), strict=True)] for flag in (1, 0)]
        distinct, levels = sorted_distinct(np.concatenate([*sides[0], *sides[1]]))
        positives, negatives = np.split(levels, [sizes[0][0] + sizes[1][0]])
        swaps, apart = SubjectSwaps.of(one, two), (sizes[0], sizes[1])
        found = cls((positives, negatives), apart, distinct.size, pooled_prevalence(one, two), swaps)
        return found if swaps is None else replace(found, method=f"{found.method}, by cluster")

    @property
    def width(self) -> int:
        return 2 * self.n_levels + sum(map(sum, self.sizes))

    def observed(self) -> float:
        parts = [np.split(2 * side[None, :], [n], axis=1) for side, n in zip(self.levels, self.sizes[0], strict=True)]
        return float(self._statistics(*(np.concatenate([parts[0][i], parts[1][i]], axis=1) for i in (0, 1)))[0])

    def permuted(self, rng: np.random.Generator, size: int) -> Array:
        flips = rng.integers(0, 2, (size, self.n_levels), dtype=np.int8)
        samples: list[list[Slots]] = [[], []]
        orders = None if self.swaps is None else self.swaps.orders(rng, size)
        for side, (levels, n) in enumerate(zip(self.levels, self.sizes[0], strict=True)):
            slots = _slots(flips, levels, np.arange(levels.size) >= n)
            mixed = rng.permuted(slots, axis=1) if orders is None else np.take_along_axis(slots, orders[side], axis=1)
            samples[0].append(mixed[:, :n])
            samples[1].append(mixed[:, n:])
        return self._statistics(*(np.concatenate(sample, axis=1) for sample in samples))

    def _statistics(self, first: Slots, second: Slots) -> Array:
        curves = [
            _error_curves(slots, size, self.prevalence, 2 * self.n_levels)
            for slots, size in zip((first, second), self.sizes, strict=True)
        ]
        return np.array([_area_between(*lines) for lines in zip(*curves[0], *curves[1], strict=True)])


def _twice_midranks(places: NDArray[np.int64]) -> NDArray[np.int64]:
    counts = np.bincount(places)
    ranks: NDArray[np.int64] = (2 * counts.cumsum() - counts)[places]
    return ranks


def _slots(flips: NDArray[np.int8], levels: NDArray[np.int64], origin: Any) -> Slots:
    """Two slots per level, one for each model; ``flips`` says which comes first."""
    slots: Slots = 2 * levels + (flips[:, levels] ^ np.asarray(origin, dtype=np.int8))
    return slots


def _positive_shares(slots: Slots, positive: NDArray[np.bool_], n_slots: int) -> Array:
    """Walk up the rows of each permutation: the share of positives among those tied with each."""
    size, n = slots.shape
    shifted = slots + n_slots * np.arange(size)[:, None]
    both = np.bincount(shifted.ravel(), minlength=size * n_slots)
    pos = np.bincount(shifted[:, positive].ravel(), minlength=size * n_slots)
    filled = np.flatnonzero(both)
    return np.repeat(pos[filled] / both[filled], both[filled]).reshape(size, n)


def _error_curves(slots: Slots, sizes: tuple[int, int], prevalence: float, n_slots: int) -> tuple[Array, Array]:
    """Share called negative and error rate after each row, at this prevalence; less a constant."""
    share = _positive_shares(slots, np.arange(sum(sizes)) < sizes[0], n_slots)
    fnr = share.cumsum(axis=1) / sizes[0] * prevalence
    tnr = (1 - share).cumsum(axis=1) / sizes[1] * (1 - prevalence)
    return fnr + tnr, fnr - tnr


def _area_between(x: Array, y: Array, u: Array, v: Array) -> float:
    """Area between two lines by the trapezoid rule at the knots of both, from the later of the two first knots on."""
    knots = np.concatenate([x, u])[merge_order(x, u)]
    knots = knots[knots >= max(x[0], u[0])]
    return float(np.trapezoid(np.abs(np.interp(knots, x, y) - np.interp(knots, u, v)), knots))
