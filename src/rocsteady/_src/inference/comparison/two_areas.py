"""Two areas, on the same rows or on independent samples, and the ways to test their difference."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rocsteady._src.inference.comparison.advice import class_sizes, default_remarks, delong_remarks, joined_remarks
from rocsteady._src.inference.comparison.automatic import SEED, chosen_method, few_on_the_wrong_side
from rocsteady._src.inference.comparison.bounded import BoundedDifference, bounds_of_pair, bounds_of_samples
from rocsteady._src.inference.comparison.hypotheses import PLAIN, NormalDifference, judged_difference, result_of
from rocsteady._src.inference.comparison.measure import resampled_test
from rocsteady._src.inference.comparison.nested import nested_remarks
from rocsteady._src.inference.comparison.newcombe import JoinedDifference
from rocsteady._src.inference.comparison.score import ScoreDifference
from rocsteady._src.inference.units.components import Area
from rocsteady._src.inference.units.spread import units_of
from rocsteady._src.inference.units.units import satterthwaite, welch_degrees
from rocsteady._src.ranked import Rows
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.inference.comparison.hypotheses import Difference
    from rocsteady._src.inference.intervals.bounded_area import BoundedValue
    from rocsteady._src.inference.units.spread import Areas, Models
    from rocsteady._src.ranked import Rows
    from rocsteady._src.results import TestResult

    Sizes = tuple[float, float]

WHOLE = Area()
BOUNDED = " with gaffke"  # what "auto" is called where bounds for any distribution count
ENOUGH_WRONG = 20.0  # misranked rows of the smaller class beyond which bounds of few are not needed


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of two areas, and how."""

    area: Area = WHOLE
    method: str = "auto"
    alternative: str = "two-sided"
    margin: float | None = None
    level: float = 0.95
    weight_type: str | None = None
    n_resamples: int = 2000
    seed: int = SEED


@dataclass(frozen=True, slots=True)
class Pair:
    """What is known of two areas; ``told_apart`` is False where no row is placed differently by the two models.

    ``bounds`` are those for any distribution and how far they count; None where they do not, or both rank rows alike.
    """

    areas: tuple[float, float]
    estimate: float
    se: float
    df: float
    welch: float | None
    correlation: float
    sizes: tuple[Sizes, Sizes]
    told_apart: bool
    bounds: tuple[BoundedValue, float] | None = None

    def no_closer(self, difference: Difference) -> Difference:
        """The difference with bounds no closer than hold for any distribution, as far as few rows tell of it."""
        return difference if self.bounds is None else BoundedDifference(difference, *self.bounds)

    def chosen(self, asked: Asked, method: str) -> Difference:
        """The difference by a method, with these bounds where "auto" chose it."""
        made = self.difference(method)
        return self.no_closer(made) if asked.method == "auto" else made

    def difference(self, method: str) -> Difference:
        """The difference as a method sees it."""
        if not self.told_apart:
            return NormalDifference(0.0, 0.0)
        if method == "newcombe":
            return JoinedDifference(self._settled(), self.sizes, self.correlation, self.se)
        if method == "score":
            return self.under_hypothesis()
        return NormalDifference(self.estimate, self.se, self.welch if method == "delong" else self.df)

    def under_hypothesis(self, *, unlike: bool = False) -> ScoreDifference:
        """The difference with its variance under the hypothesis, of classes that spread alike or not."""
        return ScoreDifference(self._settled(), self.sizes, self.correlation, self.se, self.df, unlike)

    def _settled(self) -> tuple[float, float]:
        """Both areas, equal where only rounding tells them apart."""
        return (self.areas[0], self.areas[0]) if self.estimate == 0 else self.areas


def paired_test(areas: Areas, which: tuple[int, int], asked: Asked) -> TestResult:
    """Test two models on the same rows."""
    found = _tested([areas.models], which, pair_of(areas, which), asked, "paired")
    return replace(found, warnings=(*found.warnings, *nested_remarks(areas.models, which)))


def pair_of(areas: Areas, which: tuple[int, int]) -> Pair:
    """Two models on the same rows."""
    i, j = which
    found, models = areas.contrast(i, j), areas.models
    sizes = _sizes(models, areas.kind)
    varies = float(areas.covariance[i, i]) > 0 or float(areas.covariance[j, j]) > 0
    alike = models.alike(i, j) or (found.estimate == 0 and found.variance == 0 and varies)
    return Pair(
        areas=(float(areas.values[i]), float(areas.values[j])),
        estimate=found.estimate,
        se=found.se,
        df=found.df,
        welch=None,
        correlation=areas.correlation(i, j),
        sizes=(sizes, sizes),
        told_apart=not alike,
        bounds=None if models.alike(i, j) else bounds_of_pair(areas, which, sizes),
    )


def unpaired_test(samples: list[Areas], asked: Asked) -> TestResult:
    """Test two models on independent samples."""
    return _tested([sample.models for sample in samples], (0, 0), pair_of_samples(samples), asked, "unpaired")


def pair_of_samples(samples: list[Areas]) -> Pair:
    """Two models on independent samples."""
    variances = [float(sample.covariance[0, 0]) for sample in samples]
    parts = [part for sample in samples for part in sample.own_parts()]
    units = [n for sample in samples for n in sample.units]
    one, two = (float(sample.values[0]) for sample in samples)
    sizes = [_sizes(sample.models, sample.kind) for sample in samples]
    bound = max(sample.rounding for sample in samples)
    return Pair(
        areas=(one, two),
        estimate=0.0 if abs(one - two) <= bound else one - two,
        se=math.sqrt(max(sum(variances), 0.0)),
        df=min(satterthwaite(parts, units), sum(sample.subjects - 1 for sample in samples)),
        welch=_welch(variances, [_n_units(sample) for sample in samples]),
        correlation=0.0,
        sizes=(sizes[0], sizes[1]),
        told_apart=True,
        bounds=bounds_of_samples(samples, sizes),
    )


def _welch(variances: list[float], sizes: list[float]) -> float | None:
    """Degrees of freedom that forget which class varies, as other software has them."""
    degrees = welch_degrees(variances, sizes)
    return None if math.isnan(degrees) else degrees


def _n_units(sample: Areas) -> float:
    """Subjects, else rows: a frequency weight stands for so many of them, a sampling weight for one."""
    models = sample.models
    if models.clusters is not None:
        return float(models.n_clusters)
    if sample.kind == "sampling":
        return float(models.origin.n_rows)
    return float(models.ranked[0].n_rows_counted)


def _sizes(models: Models, kind: str | None) -> Sizes:
    """Independent rows of both classes, or subjects that have some."""
    if models.clusters is not None:
        return units_of(models, kind)
    return class_sizes(models, kind)


def _tested(samples: list[Models], which: tuple[int, int], pair: Pair, asked: Asked, design: str) -> TestResult:
    method = automatic_method(pair, asked.area, asked.alternative) if asked.method == "auto" else asked.method
    if method == "bootstrap":
        return _resampled(samples, which, asked, method)
    by = "delong-t" if method == "permutation" else method
    made = pair.chosen(asked, by)
    found = result_of(
        made,
        asked.alternative,
        asked.margin,
        asked.level,
        f"{by}{BOUNDED if isinstance(made, BoundedDifference) else ''}, {design}",
        remarks=(*remarks_on_areas(samples, pair, asked, by, design), *_without_bounds(samples, pair, asked)),
        auto=asked.method == "auto",
        **facts_of(samples[0].ranked[0], samples[0].origin),
    )
    if method != "permutation":
        return found
    swapped = _resampled(samples, which, asked, method)
    notes = tuple(dict.fromkeys([Remark("permuted_with_delong"), *found.warnings, *swapped.warnings]))
    return replace(swapped, low=found.low, high=found.high, se=found.se, auto=found.auto, warnings=notes)


def automatic_method(pair: Pair, area: Area, alternative: str) -> str:
    """The method that "auto" takes for two areas."""
    inside = None if area.whole else _inside(area, pair.sizes)
    return chosen_method(pair.areas, pair.sizes, alternative, inside=inside) if pair.told_apart else "delong-t"


def _inside(area: Area, sizes: tuple[Sizes, Sizes]) -> float:
    """Rows expected in the range of a partial area, of the class that it is a share of."""
    limits = area.fpr_range or area.tpr_range or (0, 1)
    return (limits[1] - limits[0]) * min(size[0 if area.tpr_range else 1] for size in sizes)


def remarks_on_areas(
    samples: Sequence[Models], pair: Pair, asked: Asked, method: str, design: str
) -> tuple[Remark, ...]:
    """What the methods that do not know about few rows should say."""
    if method == "newcombe" and design == "paired":
        return joined_remarks(pair.sizes[0], pair.areas)
    if method != "delong":
        return (
            (*default_remarks(pair.sizes, asked.area), *_margin_remarks(pair, asked, method)) if pair.told_apart else ()
        )
    told = [delong_remarks(each, pair.areas, asked.area, asked.alternative, asked.weight_type) for each in samples]
    return tuple(dict.fromkeys(text for each in told for text in each))


def _without_bounds(samples: Sequence[Models], pair: Pair, asked: Asked) -> tuple[Remark, ...]:
    """Where the bounds for few misranked rows may be needed, and need rows that are elsewhere."""
    known = (each.in_memory() is not None or getattr(each, "bounds", None) is not None for each in samples)
    if asked.method != "auto" or not asked.area.whole or all(known):
        return ()
    wrong = min(min(size) * min(area, 1 - area) for size, area in zip(pair.sizes, pair.areas, strict=True))
    return (Remark("bound_needs_rows", n=wrong),) if wrong < ENOUGH_WRONG else ()


def _margin_remarks(pair: Pair, asked: Asked, method: str) -> tuple[Remark, ...]:
    """Where a rejection with a margin would not stand if the smaller class spread more than the other."""
    few = few_on_the_wrong_side(pair.areas, pair.sizes, asked.alternative)
    if asked.alternative in PLAIN or not asked.area.whole or not few:
        return ()
    said, unlike = (
        judged_difference(each, asked.alternative, asked.margin).pvalue
        for each in (pair.chosen(asked, method), pair.under_hypothesis(unlike=True))
    )
    if not said <= 1 - asked.level < unlike:
        return ()
    rows = round(min(min(size) for size in pair.sizes))
    return (Remark("margin_rejects", rows=rows, auc=max(pair.areas), pvalue=unlike),)


def _resampled(samples: list[Any], which: tuple[int, int], asked: Asked, method: str) -> TestResult:
    """Test by permutation or bootstrap; without a seed of the user's always by the same."""
    return resampled_test(
        [_two_of(samples[0], which)] if len(samples) == 1 else samples,
        "auc" if asked.area.whole else asked.area.value,
        method=method,
        alternative=asked.alternative,
        margin=asked.margin,
        level=asked.level,
        n_resamples=asked.n_resamples,
        seed=asked.seed,
        weight_type=asked.weight_type,
    )


def _two_of(models: Rows, which: tuple[int, int]) -> Rows:
    return models.of_models(*(models.names[model] for model in which))
