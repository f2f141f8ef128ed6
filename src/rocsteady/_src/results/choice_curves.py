"""Curves of choice: what each share of costs, and each weight of recall, makes of a ranking."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.text import format_count, format_number, number_words
from rocsteady._src.results.base import Result
from rocsteady._src.results.curves import Curve
from rocsteady._src.results.pictures import Forest, Line

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.base import Origin
    from rocsteady._src.results.remarks import Remark

    Array = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class CostCurve(Curve):
    """Least normalised expected cost against the probability cost: the lower envelope over all thresholds.

    ``thresholds`` are best from their point on to the next. ``low`` and ``high`` are ends of intervals at ``level``,
    NaN without one.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1]
    >>> rs.curves.cost_curve(y, s)
    CostCurve(Cost curve: 3 points, area 0.0833)
    """

    probability_cost: Array
    cost: Array
    low: Array
    high: Array
    thresholds: Array
    area: float
    level: float | None
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None
    max_deviation: float = 0.0
    warnings: tuple[Remark, ...] = ()

    axes = ("probability_cost", "cost")
    labels = ("Probability cost of a positive", "Normalised expected cost")
    title = "Cost curve"

    def cost_at(self, probability_cost: ArrayLike) -> NDArray[np.float64]:
        """The least cost at a probability cost, or at several; the lines between points are exact."""
        return np.asarray(np.interp(np.asarray(probability_cost, np.float64), self.probability_cost, self.cost))

    def __str__(self) -> str:
        return "\n".join([super(CostCurve, self).__str__(), *self._notes()])


@dataclass(frozen=True, slots=True, eq=False)
class BrierCurve(Curve):
    """Expected loss against the cost share of a false positive, scores as thresholds; the area is the Brier score.

    Each distinct score has two points, before and after the jump there.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.curves.brier_curve([1, 0, 1], [0.9, 0.6, 0.2])
    BrierCurve(Brier curve: 8 points, area 0.3367)
    """

    cost_share: Array
    loss: Array
    area: float
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None
    max_deviation: float = 0.0

    axes = ("cost_share", "loss")
    labels = ("Cost share of a false positive, as threshold", "Expected loss")
    title = "Brier curve"
    in_unit_square = False


@dataclass(frozen=True, slots=True, eq=False)
class PrgCurve(Curve):
    """Precision gain against recall gain, from recall gain 0 on; straight lines join the points.

    The first point lies between two thresholds, and has none (NaN). ``best_for_f`` lists the thresholds that are best
    for some F-beta: ``threshold`` from ``beta`` on, up to that of the next line.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1]
    >>> rs.curves.pr_gain_curve(y, s)
    PrgCurve(Precision-recall-gain curve: 6 points, area 0.7917)
    """

    recall_gain: Array
    precision_gain: Array
    thresholds: Array
    area: float
    best_for_f: dict[str, list[float]]
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None
    max_deviation: float = 0.0

    axes = ("recall_gain", "precision_gain")
    labels = ("Recall gain", "Precision gain")
    title = "Precision-recall-gain curve"
    in_unit_square = False

    def threshold_for_f(self, beta: float = 1.0) -> float:
        """The threshold with the highest F-beta on these rows."""
        place = int(np.searchsorted(self.best_for_f["beta"], beta, side="right")) - 1
        return self.best_for_f["threshold"][max(place, 0)]


@dataclass(frozen=True, slots=True, eq=False)
class Crossings(Result):
    """Points where one ROC curve passes another, and which lies above before the first of them.

    ``first_above`` tells so of each stretch between crossings, from FPR 0 to 1; stretches where both are alike join
    their neighbours.

    Examples
    --------
    >>> import rocsteady as rs
    >>> a, b = rs.curves.roc_from_points([0.1], [0.6]), rs.curves.roc_from_points([0.4], [0.9])
    >>> rs.curves.crossings(a, b)
    Crossings(1 crossing of two ROC curves: FPR 0.3077, TPR 0.6923)
    """

    fpr: Array
    tpr: Array
    first_above: tuple[bool, ...]

    def __len__(self) -> int:
        return len(self.fpr)

    def _columns(self) -> Table:
        return {"fpr": self.fpr, "tpr": self.tpr}

    def _picture(self) -> Forest:
        points = zip(self.fpr.tolist(), self.tpr.tolist(), strict=True)
        lines = tuple(Line(f"TPR {number_words(height)}", place) for place, height in points)
        title = ("Where two ROC curves cross",) if lines else (str(self),)
        return Forest(title, "False positive rate", lines or (Line("no crossing", math.nan),))

    def __str__(self) -> str:
        if not self.first_above:
            return "The two ROC curves are the same"
        if not len(self):
            return (
                f"No crossing: the {'first' if self.first_above[0] else 'second'} ROC curve is nowhere below the other"
            )
        points = ", ".join(
            f"FPR {format_number(float(x))}, TPR {format_number(float(y))}"
            for x, y in zip(self.fpr, self.tpr, strict=True)
        )
        return f"{format_count(len(self))} crossing{'s' * (len(self) > 1)} of two ROC curves: {points}"
