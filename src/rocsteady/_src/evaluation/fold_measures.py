"""The measures that were asked for, in every fold of a cross-validation."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import format_interval, format_number
from rocsteady._src.evaluation.evaluate_rows import values_of_part
from rocsteady._src.inference.comparison.learners import CORRECTED, corrected_t
from rocsteady._src.inference.intervals.replicate_ends import within
from rocsteady._src.measures.ranking import auc
from rocsteady._src.results import Interval
from rocsteady._src.results.plain_values import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.designs.folds.rows_by_fold import Fold
    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.measures.requests import Request


@dataclass(frozen=True, slots=True)
class FoldMeasures:
    """``values[model][column]`` lists the folds; ``pooled`` are values, and ``thresholds`` those, of all rows.

    ``means[model][column]`` is the interval of their mean: that of the AUC is its own, others are of the corrected
    resampled t (Nadeau and Bengio 2003) over folds, cut to the bounds of the measure. Measured in docs/crossval.md.
    """

    columns: tuple[str, ...] = ()
    folds: tuple[str, ...] = ()
    values: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    pooled: dict[str, dict[str, float]] = field(default_factory=dict)
    thresholds: dict[str, float] = field(default_factory=dict)
    means: dict[str, dict[str, Interval]] = field(default_factory=dict)
    pooled_intervals: dict[str, dict[str, Interval]] = field(default_factory=dict)

    @classmethod
    def of(cls, whole: Evaluation, folds: Sequence[Fold]) -> FoldMeasures:
        """Measure the rows of every fold, at the thresholds of all rows."""
        values: dict[str, dict[str, list[float]]] = {
            model: {column: [] for column in whole.columns} for model in whole.models
        }
        for each in folds:
            for model, row in values_of_part(whole, each.part).items():
                for column, value in row.items():
                    values[model][column].append(value)
        listed = tuple(str(each.label) if each.repeat is None else f"{each.repeat}: {each.label}" for each in folds)
        pooled = {"pooled_intervals": whole.intervals}
        return cls(whole.columns, listed, values, whole.values, whole.thresholds, **pooled)

    def with_means(self, whole: Evaluation, areas: dict[str, Interval], share: float, level: float) -> FoldMeasures:
        """The same with an interval of each mean; ``share`` of the rows is tested in a fold, ``areas`` are known."""
        made: dict[str, dict[str, Interval]] = {}
        for model, found in self.values.items():
            made[model] = {}
            for request in whole.requests:
                area = areas[model] if request.sheet is auc.sheet else None
                made[model][request.column] = area or mean_over_folds(found[request.column], request, share, level)
        return replace(self, means=made)

    def without(self, column: str) -> FoldMeasures:
        """The other measures."""
        return replace(self, columns=tuple(each for each in self.columns if each != column))

    def mean(self, model: str, column: str) -> float:
        """Mean over folds; NaN where a fold has no value."""
        return float(np.mean(self.values[model][column]))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values by model and measure: each fold, their mean, and all rows pooled."""
        return {
            model: {
                column: {
                    "folds": dict(zip(self.folds, map(plain, found[column]), strict=True)),
                    "mean": plain(self.mean(model, column)),
                    **self._ends(model, column),
                    "pooled": plain(self.pooled[model][column]),
                }
                for column in self.columns
            }
            for model, found in self.values.items()
        }

    def _ends(self, model: str, column: str) -> dict[str, Any]:
        found = self.means.get(model, {}).get(column)
        return {} if found is None else {"mean_low": plain(found.low), "mean_high": plain(found.high)}

    def _shown(self, name: str, model: str, values: list[float]) -> list[str]:
        """Values, with an interval where they have one: the mean and all rows pooled."""
        known = {"mean": self.means, "pooled": self.pooled_intervals}.get(name, {}).get(model, {})
        return [
            format_number(value)
            if column not in known or math.isnan(known[column].low)
            else format_interval(value, known[column].low, known[column].high)
            for column, value in zip(self.columns, values, strict=True)
        ]

    def lines(self) -> list[tuple[str, str, list[float]]]:
        """Fold, model and values; after the folds their mean, then all rows pooled."""
        made = [
            (fold, model, [float(found[column][place]) for column in self.columns])
            for place, fold in enumerate(self.folds)
            for model, found in self.values.items()
        ]
        made += [("mean", model, [self.mean(model, column) for column in self.columns]) for model in self.values]
        made += [
            ("pooled", model, [float(row[column]) for column in self.columns]) for model, row in self.pooled.items()
        ]
        return made

    def cells(self, fold: str) -> tuple[list[str], list[list[str]]]:
        """Header and rows for reading; the threshold of a model, where there is one, beside its values."""
        at = ["threshold"] if self.thresholds else []
        rows = [
            [
                printable(name, most=40),
                printable(model, most=48),
                *([format_number(self.thresholds[model])] if at else []),
                *self._shown(name, model, values),
            ]
            for name, model, values in self.lines()
        ]
        return [printable(fold, most=40), "model", *at, *self.columns], rows


def mean_over_folds(values: Sequence[float], request: Request, share: float, level: float) -> Interval:
    """Mean of a measure over folds with the corrected resampled t; without ends where a fold has no value."""
    listed = np.array([float(value) for value in values])
    if not np.isfinite(listed).all() or listed.size < 2:
        return Interval(float(listed.mean()), math.nan, math.nan, level, CORRECTED)
    test = corrected_t(listed, share, level=level)
    low, high = within(request.sheet.bounds, test.low, test.high)
    return Interval(test.estimate, low, high, level, CORRECTED, se=test.se)
