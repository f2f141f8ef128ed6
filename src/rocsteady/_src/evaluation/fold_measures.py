"""The measures that were asked for, in every fold of a cross-validation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import format_number
from rocsteady._src.evaluation.evaluation import values_of_part
from rocsteady._src.results.plain_values import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.designs.folds.rows_by_fold import Fold
    from rocsteady._src.evaluation.evaluation import Evaluation


@dataclass(frozen=True, slots=True)
class FoldMeasures:
    """``values[model][column]`` lists the folds; ``pooled`` are values, and ``thresholds`` those, of all rows."""

    columns: tuple[str, ...] = ()
    folds: tuple[str, ...] = ()
    values: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    pooled: dict[str, dict[str, float]] = field(default_factory=dict)
    thresholds: dict[str, float] = field(default_factory=dict)

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
        return cls(whole.columns, listed, values, whole.values, whole.thresholds)

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
                    "pooled": plain(self.pooled[model][column]),
                }
                for column in self.columns
            }
            for model, found in self.values.items()
        }

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
                *map(format_number, values),
            ]
            for name, model, values in self.lines()
        ]
        return [printable(fold, most=40), "model", *at, *self.columns], rows
