"""One number about all classes, by name: its value, what each row adds to it, its interval, and its difference.

Whatever is done with such a number, in folds, in groups and between models, is done with what the rows add to it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import Undefined
from rocsteady._src.base.exact import summed_by
from rocsteady._src.designs.classes.areas import average_of, undefined_reason
from rocsteady._src.designs.classes.averaged import absent_classes
from rocsteady._src.designs.classes.cell_gradients import averaged_ratio, correlation, f_shares, kappa, pooled_ratio
from rocsteady._src.designs.classes.influence import (
    Influence,
    free_degrees,
    influence_on_pool,
    influences_on,
    variance_of,
)
from rocsteady._src.designs.classes.intervals import intervals_of_averages, ranked_averages
from rocsteady._src.designs.classes.measures import balanced_accuracy_interval, share_interval
from rocsteady._src.designs.classes.names import AREAS, ClassMeasure, class_measure
from rocsteady._src.designs.classes.predictions import called_of_scores, of_one_class, top_k_credit
from rocsteady._src.designs.classes.row_scores import log_losses, ranked_errors, squared_errors
from rocsteady._src.designs.classes.scores_by_class import sum_to_one
from rocsteady._src.inference.comparison.hypotheses import NormalDifference, result_of
from rocsteady._src.inference.comparison.rounding import rounding, settled
from rocsteady._src.inference.intervals.normal import quantile_of
from rocsteady._src.inference.intervals.replicate_ends import moved, within
from rocsteady._src.inputs.weights import reading_remarks
from rocsteady._src.results import Interval
from rocsteady._src.results.remarks import Remark, undefined_because

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from rocsteady._src.designs.classes.predictions import CalledRows
    from rocsteady._src.designs.classes.scores_by_class import ClassRows
    from rocsteady._src.results import TestResult

    Array = NDArray[Any]

FEW = 10


@dataclass(frozen=True, slots=True, eq=False)
class ClassEstimate:
    """A number with what rows add to it; ``rows`` say which of them vary by themselves."""

    influence: Influence
    rows: ClassRows

    @property
    def value(self) -> float:
        """The number."""
        return self.influence.theta

    def pulls(self) -> Array:
        """What each row adds, with its weight and with what it changes by being of its class."""
        codes = self.rows.codes.astype(np.intp, copy=False)
        added: Array = self.influence.within + self.influence.drift.take(codes)
        return added if self.rows.weights is None else added * self.rows.weights

    def variance(self) -> float:
        """Variance of the number."""
        return variance_of(self.influence, self.rows)

    def minus(self, other: ClassEstimate) -> ClassEstimate:
        """The difference of two models on the same rows."""
        return replace(self, influence=self.influence.minus(other.influence))

    def free(self) -> float:
        """Degrees of freedom of the variance."""
        return free_degrees(self.influence, self.rows)

    @property
    def smallest(self) -> int | None:
        """Rows of the smallest class, where classes matter."""
        return int(self.rows.row_counts.min()) if self.rows.n_classes > 1 else None

    def on_p(self) -> tuple[Remark, ...]:
        """What to beware of in tests of it."""
        fewest = self.smallest
        return () if fewest is None or fewest >= FEW else (Remark("few_for_p", rows=fewest),)


@dataclass(eq=False)
class JudgedClasses:
    """Rows of a model with what its measures share: called classes, cells, what rows add to areas."""

    rows: ClassRows
    influences: dict[str, Influence] = field(default_factory=dict)
    pooled: ClassEstimate | None = None

    @cached_property
    def called(self) -> CalledRows:
        """The class of the highest score of each row."""
        return called_of_scores(self.rows)

    @cached_property
    def hit(self) -> Array:
        """Whether each row was called right."""
        return np.asarray(self.rows.codes == self.called.called, dtype=np.float64)

    @cached_property
    def shares(self) -> Array:
        """The confusion matrix as shares of all rows."""
        k = self.rows.n_classes
        cell = self.rows.codes.astype(np.intp) * k + self.called.called
        cells = summed_by(cell, self.rows.weights, k * k).reshape(k, k).astype(np.float64)
        return np.asarray(cells / cells.sum())

    @cached_property
    def probabilities(self) -> bool:
        """Whether the scores of each row add up to 1."""
        return sum_to_one(self.rows)

    def estimate(self, name: str) -> ClassEstimate | Undefined:
        """One measure by name, or why there is none."""
        measure = class_measure(name)
        if not self.rows.n_rows:
            return Undefined("empty")
        if measure.probabilities and not self.probabilities:
            return Undefined("not_probabilities")
        if measure.kind == "area":
            return self._area(measure)
        found = self._of_cells(measure) if measure.kind == "cells" else self._mean(self._values(measure))
        if math.isnan(found.value):
            absent = absent_classes(self.rows) and not (self.rows.skips_absent and self.rows.averaged.any())
            return Undefined("class_absent" if absent else "zero_division")
        return found

    def _area(self, measure: ClassMeasure) -> ClassEstimate | Undefined:
        average, scheme = AREAS[measure.name]
        reason = undefined_reason(self.rows, average, scheme)
        if reason is not None:
            return reason
        if average == "micro":
            return self.pooled or ClassEstimate(*influence_on_pool(self.rows))
        if measure.name not in self.influences:
            names = ranked_averages(self.rows, AREAS)
            found = influences_on(self.rows, [average_of(self.rows, *AREAS[name]) for name in names])
            self.influences |= dict(zip(names, found, strict=True))
        return ClassEstimate(self.influences[measure.name], self.rows)

    def _values(self, measure: ClassMeasure) -> Array:
        made: dict[str, Callable[[ClassRows], Array]] = {
            "log_loss": log_losses,
            "brier_score": squared_errors,
            "half_brier_score": lambda rows: squared_errors(rows) / 2,
            "ranked_probability_score": ranked_errors,
        }
        if measure.base == "accuracy":
            return self.hit
        if measure.base == "top_k_accuracy":
            return top_k_credit(self.rows, int(measure.param("k", 2)))
        return made[measure.base](self.rows)

    def _mean(self, values: Array) -> ClassEstimate:
        weights = np.ones(values.size) if self.rows.weights is None else self.rows.weights.astype(np.float64)
        total = float(weights.sum())
        if not np.isfinite(values).all():
            infinite = float(weights @ np.where(np.isfinite(values), 0.0, values)) if total else math.nan
            return ClassEstimate(Influence(infinite, np.zeros(values.size), np.zeros(1)), of_one_class(self.rows))
        mean = float(weights @ values) / total
        return ClassEstimate(Influence(mean, (values - mean) / total, np.zeros(1)), of_one_class(self.rows))

    def _of_cells(self, measure: ClassMeasure) -> ClassEstimate:
        value, slope = _cell_function(measure, self.rows.averaged)(self.shares)
        added = slope[self.rows.codes.astype(np.intp), self.called.called]
        found = self._mean(added)
        return replace(found, influence=replace(found.influence, theta=value))

    def interval(self, name: str, level: float, auc_method: str = "auto") -> Interval:
        """One measure with its interval."""
        measure, rows = class_measure(name), self.rows
        found = self.estimate(name)
        if isinstance(found, Undefined):
            method = "wilson" if measure.kind == "area" else "wald"
            told = (undefined_because(found),)
            return Interval(found, math.nan, math.nan, level, method, origin=rows.origin(), warnings=told)
        if measure.kind == "area":
            kinds = {measure.name: AREAS[measure.name]}
            return intervals_of_averages(rows, kinds, self.influences, (auc_method, level, False))[name]
        if measure.base in ("accuracy", "top_k_accuracy"):
            return share_interval(rows, self._values(measure), level)
        if measure.base == "balanced_accuracy":
            return balanced_accuracy_interval(rows, self.hit, level)
        return interval_of_estimate(found, measure, level)


def interval_of_estimate(found: ClassEstimate, measure: ClassMeasure, level: float) -> Interval:
    """Standard errors on the scale on which the bounds of the measure are infinitely far."""
    value, origin = found.value, found.rows.origin()
    variance = found.variance() if math.isfinite(value) else math.nan
    notes, low, high = reading_remarks(origin), math.nan, math.nan
    if variance > 0:
        reach = quantile_of(level) * math.sqrt(variance)
        low, high = within(measure.bounds, *(moved(value, side * reach, measure.bounds) for side in (-1, 1)))
    else:
        notes = (*notes, Remark("infinite_value" if math.isinf(value) else "no_spread_of_classes"))
    se = math.sqrt(variance) if variance >= 0 else math.nan
    return Interval(value, low, high, level, measure.scale, se=se, origin=origin, warnings=notes)


def _cell_function(measure: ClassMeasure, chosen: NDArray[np.bool_]) -> Callable[[Array], tuple[float, Array]]:
    base = measure.base
    if base == "matthews_correlation":
        return correlation
    if base.startswith("kappa"):
        return partial(kappa, power={"kappa": None, "kappa_linear": 1.0, "kappa_quadratic": 2.0}[base])
    if base == "balanced_accuracy":
        return averaged_ratio(1.0, 0.0, chosen, weighted=False)
    average, _, ratio = base.partition("_")
    ways = {"recall": (1.0, 0.0), "precision": (0.0, 1.0), "f1": f_shares(1.0)}
    way = f_shares(float(measure.param("beta", 1.0))) if ratio == "f_beta" else ways[ratio]
    if average == "micro":
        return pooled_ratio(*way, chosen)
    return averaged_ratio(*way, chosen, weighted=average == "weighted")


def difference_test(first: ClassEstimate, second: ClassEstimate, what: str, level: float) -> TestResult:
    """Paired test of two models on the same rows: Student's t by what each row adds to one less to the other."""
    both = first.minus(second)
    rows, scale = both.rows, max(1.0, abs(first.value))
    variance = both.variance() if math.isfinite(both.value) else math.nan
    bound = rounding(rows.n_rows, scale)
    se = settled(math.sqrt(variance) if not variance < 0 else 0.0, bound)
    df = both.free() if se > 0 else None
    return result_of(
        NormalDifference(settled(both.value, bound), se, df),
        "two-sided",
        None,
        level,
        f"{what}, delong-t, paired" if "AUC" in what else f"{what}, t, paired",
        remarks=both.on_p(),
        origin=rows.origin(),
    )


def intervals_of(
    judged: JudgedClasses, names: Any, level: float, auc_method: str, known: Mapping[str, Interval]
) -> dict[str, Interval]:
    """Intervals of measures by name; those that are ``known`` are taken over."""
    return {name: known[name] if name in known else judged.interval(name, level, auc_method) for name in names}
