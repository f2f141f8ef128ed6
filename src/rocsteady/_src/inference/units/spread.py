"""Areas of models on the same rows, and what is known of the difference of any two."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from rocsteady._src.base.errors import ArgumentError, refuse_one_class
from rocsteady._src.base.threads import for_each
from rocsteady._src.inference.comparison.rounding import rounding, settled
from rocsteady._src.inference.units.influence import area_covariance
from rocsteady._src.inference.units.units import Units, of_groups, satterthwaite
from rocsteady._src.inputs.weights import weight_type_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from rocsteady._src.inference.units.components import Area, Components
    from rocsteady._src.ranked import AnyModels
    from rocsteady._src.ranked.placements import PlacementSums

    Array = NDArray[np.float64]
    Models: TypeAlias = AnyModels


@dataclass(frozen=True, slots=True)
class Contrast:
    """The difference of two areas: its variance, the parts of it that come from either class, and their units."""

    estimate: float
    variance: float
    parts: tuple[float, float]
    units: tuple[float, float]
    subjects: float = math.inf

    @property
    def se(self) -> float:
        """Standard error."""
        return math.sqrt(max(self.variance, 0.0))

    @property
    def df(self) -> float:
        """Degrees of freedom of the variance (Satterthwaite 1946): few units of the class that varies are unsure."""
        return min(satterthwaite(self.parts, self.units), self.subjects - 1)


@dataclass(frozen=True, slots=True, eq=False)
class Areas:
    """Areas of all models with their covariance matrix, from which the difference of any two follows.

    Rows that count once, or as often as frequency weights say, give whole areas whose covariance is exact: ``sums``.
    """

    models: Models
    area: Area
    values: Array
    covariance: Array
    kind: str | None
    sums: PlacementSums | None
    components: tuple[Components, ...] = ()

    @property
    def rounding(self) -> float:
        """Differences up to here are none."""
        if self.sums is not None:
            return 0.0
        n_terms = max(ranked.scores.size for ranked in self.models.ranked)
        return rounding(n_terms, *self.values.tolist())

    @property
    def units(self) -> tuple[float, float]:
        """Independent units in each class: rows, subjects with such rows, or equal weights of the same worth."""
        if self.sums is not None:
            return float(self.sums.sizes[0]), float(self.sums.sizes[1])
        return units_of(self.models, self.kind)

    @property
    def subjects(self) -> float:
        """How many there are, where subjects have several rows: those with rows of both classes count in both."""
        return math.inf if self.models.clusters is None else float(self.models.n_clusters)

    def contrast(self, first: int, second: int) -> Contrast:
        """The difference of two of them; 0 where both group the rows alike, or rounding alone makes it."""
        if self.models.alike(first, second):
            return Contrast(0.0, 0.0, (0.0, 0.0), self.units, self.subjects)
        if self.sums is not None:
            parts = self.sums.contrast(first, second)
            variance = sum(parts)
        else:
            variance, parts = _contrast(self.models, self.components, (first, second), self.kind)
            if variance <= self.rounding**2:
                variance, parts = 0.0, (0.0, 0.0)
        difference = settled(float(self.values[first] - self.values[second]), self.rounding)
        return Contrast(difference, variance, parts, self.units, self.subjects)

    def own_parts(self) -> tuple[float, float]:
        """Variance of the first area that comes from positives, and from negatives."""
        groups = self.models.ranked[0]
        parts = self.components[0] if self.components else self.area.components(groups)
        if self.sums is None:
            return _own(self.models, parts, self.kind)
        of_pos, of_neg = (
            of_groups(values - parts.theta, counts, total)
            for values, counts, total in (
                (parts.of_pos, groups.pos, groups.n_pos),
                (parts.of_neg, groups.neg, groups.n_neg),
            )
        )
        return of_pos, of_neg

    def correlation(self, first: int, second: int) -> float:
        """Correlation of two areas; none is assumed where one does not vary, which errs towards width."""
        own = float(self.covariance[first, first]) * float(self.covariance[second, second])
        return min(max(float(self.covariance[first, second]) / math.sqrt(own), -1.0), 1.0) if own > 0 else 0.0


def areas_of(models: Models, area: Area, weight_type: str | None = None) -> Areas:
    """Areas of models whose rows were read and ranked."""
    refuse_one_class(models.ranked[0].n_pos, models.ranked[0].n_neg, "an AUC needs")
    rows = models.in_memory()
    if rows is None:
        return _areas_of_table(models, area)
    kind = weight_type_of(models.weights, weight_type)
    if area.whole and models.clusters is None and kind in (None, "frequency") and models.ranked[0].exact:
        values = for_each(area.value, models.ranked, n_rows=rows.n_rows)
        sums = models.placement_sums()
        return Areas(models, area, np.array(values), sums.covariance(), kind, sums)
    parts = tuple(for_each(area.components, models.ranked, n_rows=rows.n_rows))
    covariance = area_covariance(rows, parts, weight_type=kind)
    return Areas(models, area, np.array([part.theta for part in parts]), covariance, kind, None, parts)


def _areas_of_table(models: AnyModels, area: Area) -> Areas:
    if not area.whole:
        text = "rows of a lazy table are paired for the whole AUC; bring them into memory to compare partial areas"
        raise ArgumentError("partial_range", text)
    values = np.array([area.value(ranked) for ranked in models.ranked])
    sums = models.placement_sums()
    return Areas(models, area, values, sums.covariance(), None, sums)


def units_of(models: Any, kind: str | None) -> tuple[float, float]:
    """Independent units of positives and of negatives, as far as a variance is concerned."""
    units = _units(models, kind)
    return units.worth(models.positive), units.worth(~models.positive)


def _units(models: Any, kind: str | None) -> Units:
    return Units(models.positive.size, models.weights, kind, models.clusters)


def _contrast(
    rows: Any, components: Sequence[Components], pair: tuple[int, int], kind: str | None
) -> tuple[float, tuple[float, float]]:
    """Variance of a difference and its parts by class, from what each row adds to one area and not to the other."""
    first, second = (components[model] for model in pair)
    gap = first.theta - second.theta
    sides = (first.of_pos, second.of_pos), (first.of_neg, second.of_neg)

    def added(side: int, chosen: NDArray[np.intp]) -> Array:
        one, two = sides[side]
        line: Array = one[rows.places[pair[0]][chosen]] - two[rows.places[pair[1]][chosen]] - gap
        return line[None]

    return _variances(rows, added, kind)


def _own(rows: Any, parts: Components, kind: str | None) -> tuple[float, float]:
    sides = parts.of_pos, parts.of_neg
    return _variances(rows, lambda side, chosen: (sides[side][rows.places[0][chosen]] - parts.theta)[None], kind)[1]


def _variances(
    rows: Any, added: Callable[[int, NDArray[np.intp]], Array], kind: str | None
) -> tuple[float, tuple[float, float]]:
    """Variance of a sum over both classes, and the part of either."""
    found = _units(rows, kind).covariance(added, (rows.positive, ~rows.positive), exact=True)[:, :, 0, 0]
    of_pos, of_neg = float(found[0, 0]), float(found[1, 1])
    return of_pos + of_neg + 2 * float(found[0, 1]), (of_pos, of_neg)
