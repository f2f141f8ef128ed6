"""Numbers about all classes in parts of the rows, groups or folds, and how these vary together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocsteady._src.base.errors import Undefined, printable, some_values
from rocsteady._src.designs.classes.averaged import absent_classes
from rocsteady._src.designs.classes.scores_by_class import part_of_rows
from rocsteady._src.evaluation.classes.models import evaluate_models
from rocsteady._src.inference.comparison.rounding import rounding
from rocsteady._src.inference.units.units import freedom_of_squares, unbiased
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from rocsteady._src.designs.classes.estimates import ClassEstimate
    from rocsteady._src.evaluation.classes.models import MulticlassModels

    Array = NDArray[np.float64]

ALONE = "model"


@dataclass(frozen=True, slots=True, eq=False)
class ClassParts:
    """Parts of the rows of several models; ``units`` number what varies by itself and may stand in several parts."""

    few: ClassVar[str] = "few_of_class_in_fold"
    judged: list[MulticlassModels]
    places: list[NDArray[np.intp]]
    units: NDArray[np.int64] | None

    def estimates(self, model: str, measure: str) -> list[ClassEstimate | Undefined]:
        """One number of a model in every part, or why there is none."""
        return [each.judged[model].estimate(measure) for each in self.judged]

    def apart(
        self, first: Sequence[ClassEstimate | Undefined], second: Sequence[ClassEstimate | Undefined]
    ) -> list[ClassEstimate | Undefined]:
        """The difference of two models in every part."""
        return [
            one if isinstance(one, Undefined) else two if isinstance(two, Undefined) else one.minus(two)
            for one, two in zip(first, second, strict=True)
        ]

    def spread(self, found: Sequence[ClassEstimate | Undefined]) -> Array:
        """Covariance matrix of a number over the parts; NaN in lines of parts that have none."""
        spread = np.zeros((len(found), len(found)))
        if self.units is not None:
            sums = np.array([self._sums(each, place) for each, place in zip(found, self.places, strict=True)])
            spread = unbiased(float(sums.shape[1])) * sums @ sums.T
        for place, each in enumerate(found):
            if isinstance(each, Undefined):
                spread[place, :] = spread[:, place] = np.nan
            else:
                spread[place, place] = settled_variance(each)
        return spread

    def free(self, found: Sequence[ClassEstimate | Undefined]) -> Array:
        """Degrees of freedom of the variance of a number in each part; NaN where there is none."""
        return np.array([np.nan if isinstance(each, Undefined) else free_of_variance(each) for each in found])

    def _sums(self, found: ClassEstimate | Undefined, place: NDArray[np.intp]) -> Array:
        """What each unit adds in a part; a frequency weight stands for so many rows of their own."""
        units: NDArray[np.int64] = self.units  # type: ignore[assignment]  # asked for with units only
        n_units = int(units.max()) + 1
        if isinstance(found, Undefined):
            return np.zeros(n_units)
        added, rows = found.pulls(), found.rows
        if rows.clusters is None and rows.weights is not None and rows.reading == "frequency":
            added = added / np.sqrt(rows.weights)
        return np.asarray(np.bincount(units[place], added, n_units), dtype=np.float64)

    def fewest(self) -> list[int]:
        """Rows of the smallest class of each part."""
        parts = [next(iter(each.judged.values())).rows for each in self.judged]
        return [int(rows.row_counts[rows.averaged].min(initial=rows.row_counts.sum())) for rows in parts]

    def absences(self, names: Sequence[str]) -> list[Remark]:
        """Which classes have no row in which part."""
        found = []
        for name, each in zip(names, self.judged, strict=True):
            rows = next(iter(each.judged.values())).rows
            absent = absent_classes(rows)
            if absent:
                code = "absent_skipped_in_part" if rows.skips_absent else "class_absent_in_part"
                found.append(Remark(code, part=printable(name), classes=some_values(absent)))
        return found


def settled_variance(found: ClassEstimate) -> float:
    """Variance of a number, 0 where it is rounding: of an area of 1 all rows agree."""
    variance = found.variance()
    bound = rounding(found.rows.n_rows, 1.0, found.value)
    return 0.0 if variance <= bound**2 else variance


def free_of_variance(found: ClassEstimate) -> float:
    """Degrees of freedom of the variance of a number, by how unequally its units add to it."""
    added, rows = found.pulls(), found.rows
    if rows.clusters is not None:
        sums = np.bincount(rows.clusters, added).astype(np.float64)
        return min(freedom_of_squares(sums), sums.size - 1)
    if rows.weights is None or rows.reading != "frequency":
        return freedom_of_squares(added)
    times = rows.weights.astype(np.float64)
    return freedom_of_squares(added / times, times)


@dataclass(frozen=True, slots=True)
class Design:
    """What differs between rows of classes and rows of labels: how models are judged, and some of the rows taken."""

    evaluate: Callable[..., MulticlassModels]
    some_rows: Callable[[Any, NDArray[Any]], Any]
    parts: type[ClassParts]


CLASSES = Design(evaluate_models, part_of_rows, ClassParts)


def judge_parts(
    rows: dict[str, Any], part_of: NDArray[np.int64], n_parts: int, units: Any, how: dict[str, Any], design: Design
) -> ClassParts:
    """Evaluate every part by itself; ``part_of`` numbers the part of each row."""
    places = [np.flatnonzero(part_of == part) for part in range(n_parts)]
    judged = [
        design.evaluate({name: design.some_rows(each, place) for name, each in rows.items()}, **how) for place in places
    ]
    return design.parts(judged, places, units)
