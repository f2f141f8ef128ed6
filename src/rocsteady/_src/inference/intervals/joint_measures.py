"""Threshold measures that several shares of rows make together: which shares, and the limits of the measure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.inference.intervals.joint_limits import joint_limits
from rocsteady._src.inference.intervals.share_limits import mid_p_limits, wilson_limits
from rocsteady._src.inference.units.subjects import CELLS
from rocsteady._src.measures.confusion import Confusion

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from rocsteady._src.inference.units.subjects import SubjectCells
    from rocsteady._src.measures.registry import FactSheet

    Array = NDArray[np.float64]
    Part = tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Parts:
    """Shares that vary independently, as cells among cells, and the table of counts that they make.

    ``limits`` are those of a share that held the level for these measures: benchmarks/results/measures_of_rates.csv.
    """

    shares: tuple[Part, ...]
    table: Callable[..., tuple[Any, ...]]
    limits: Callable[[Array, Array, Array], Array] = mid_p_limits
    method: str = "mid-p"

    def counted(self, cells: Array) -> tuple[Array, Array]:
        """Hits and rows of each share; ``cells`` has a line for each of the four."""
        named = dict(zip(CELLS, cells, strict=True))
        hits, totals = (np.array([sum(named[cell] for cell in part[side]) for part in self.shares]) for side in (0, 1))
        return hits, totals

    def worth(self, subjects: SubjectCells) -> tuple[Array, Array]:
        """The same of independent rows that tell each share as surely; no rows of a share that one subject has."""
        found = np.nan_to_num([subjects.share(*part) for part in self.shares], nan=0.0)
        return found[:, :1], found[:, 1:]

    def seen(self, subjects: SubjectCells) -> bool:
        """Whether two subjects or more have rows of every share that has any."""
        return not any(np.isnan(subjects.share(*part)[1]) and sum(subjects.totals(part[1])) for part in self.shares)


def _of_classes(recall: Array, specificity: Array) -> tuple[Array, ...]:
    return recall, 1 - specificity, 1 - recall, specificity


def _of_calls(precision: Array, npv: Array) -> tuple[Array, ...]:
    return precision, 1 - precision, 1 - npv, npv


def _of_errors(wrong: Array, missed: Array) -> tuple[Array, ...]:
    return 1 - wrong, wrong * (1 - missed), wrong * missed, np.ones_like(wrong)


def _of_rows(recall: Array, specificity: Array, positive: Array) -> tuple[Array, ...]:
    negative = 1 - positive
    return positive * recall, negative * (1 - specificity), positive * (1 - recall), negative * specificity


RECALL, SPECIFICITY = (("tp",), ("tp", "fn")), (("tn",), ("tn", "fp"))
CLASSES = Parts((RECALL, SPECIFICITY), _of_classes)
CALLS = Parts(((("tp",), ("tp", "fp")), (("tn",), ("tn", "fn"))), _of_calls)
ERRORS = Parts(
    ((("fp", "fn"), ("tp", "fp", "fn")), (("fn",), ("fp", "fn"))), _of_errors, limits=wilson_limits, method="wilson"
)
ROWS = Parts((RECALL, SPECIFICITY, (("tp", "fn"), CELLS)), _of_rows)

PARTS = {
    "balanced_accuracy": CLASSES,
    "youden_j": CLASSES,
    "g_mean": CLASSES,
    "positive_likelihood_ratio": CLASSES,
    "negative_likelihood_ratio": CLASSES,
    "diagnostic_odds_ratio": CLASSES,
    "markedness": CALLS,
    "f_beta": ERRORS,
    "fowlkes_mallows": ERRORS,
    "matthews_correlation": ROWS,
    "cohen_kappa": ROWS,
}


def joint_bounds(
    sheet: FactSheet,
    cells: Array,
    reach: float,
    params: Mapping[str, Any],
    subjects: SubjectCells | None = None,
) -> tuple[Array, Array]:
    """Limits of a measure for every column of counts, whose lines are TP, FP, FN, TN.

    Examples
    --------
    >>> from rocsteady._src.measures.registry import get_measure
    >>> low, high = joint_bounds(get_measure("youden_j").sheet, np.array([[3.0], [1.0], [0.0], [200.0]]), 1.96, {})
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.363], [1.0])
    """
    parts = PARTS[sheet.name]

    def measure(shares: Array) -> Array:
        return np.asarray(sheet.formula(Confusion(*parts.table(*shares)), **params), dtype=np.float64)

    hits, totals = parts.counted(cells) if subjects is None else parts.worth(subjects)
    together = 0.0 if subjects is None else subjects.together(*parts.shares[:2])
    return joint_limits(measure, hits, totals, reach, together=together, limits=parts.limits)
