"""What a rule for a threshold is, and the one way in which the best threshold is found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, is_number

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocsteady._src.measures.confusion import Confusion

EXACT_ULPS = 4


def _no_size(counts: Confusion) -> float:
    del counts
    return 0.0


def _undefined(counts: Confusion) -> str:
    del counts
    return "the rule is undefined at every threshold of these scores"


@dataclass(frozen=True, slots=True)
class Rule:
    """What is sought: ``objective`` of the counts at all thresholds, larger is better, NaN where one is not allowed.

    ``criterion`` says it in words. ``size`` is that of terms whose difference the objective is, and ``ulps`` what its
    rounding may be; ``offset`` is added to what is reported; ``unmet`` says why no threshold will do.
    ``joins_negatives`` tells that no threshold at a score of negatives alone is ever better than the next one above,
    and ``on_hull`` that a vertex of the hull of the counts is always among the best, and the highest of them;
    ``of_lines`` that objective and size take counts of many resamples too, a line of thresholds each, and never fail.
    """

    name: str
    criterion: str
    objective: Callable[[Confusion], NDArray[Any]]
    minimised: bool = False
    size: Callable[[Confusion], float] = _no_size
    ulps: int = EXACT_ULPS
    offset: Callable[[Confusion], float] = _no_size
    unmet: Callable[[Confusion], str] = _undefined
    joins_negatives: bool = False
    on_hull: bool = False
    of_lines: bool = False

    def best(self, counts: Confusion) -> tuple[int, float]:
        """Place of the best of all thresholds, and its value."""
        place, found = self._best_of_all(counts)
        value = -float(found[place]) if self.minimised else float(found[place])
        return place, value + self.offset(counts)

    def place(self, counts: Confusion) -> int:
        """Place of the best of all thresholds alone."""
        return self._best_of_all(counts)[0]

    def places(self, counts: Confusion) -> NDArray[np.intp]:
        """Those of many resamples at once, of a rule that takes them: bit for bit what ``place`` finds in each."""
        found = self.objective(counts)
        most = np.max(found, axis=-1, keepdims=True)
        slack = self.ulps * np.finfo(np.float64).eps * np.maximum(self.size(counts), np.abs(most))
        first: NDArray[np.intp] = np.argmax(found >= most - slack, axis=-1)
        return first

    def _best_of_all(self, counts: Confusion) -> tuple[int, NDArray[Any]]:
        """The highest of the best thresholds that differ by rounding only, and the objective at all of them."""
        found = self.objective(counts)
        if np.isnan(found).all():
            raise InputError("rule_unmet", self.unmet(counts))
        most = float(np.nanmax(found))
        slack = 0.0 if np.isinf(most) else self.ulps * np.finfo(np.float64).eps * max(self.size(counts), abs(most))
        return int(np.argmax(found >= most - slack)), found


def check_share(value: Any) -> None:
    """Refuse what is no rate."""
    if not (is_number(value) and 0 <= value <= 1):
        raise ArgumentError("share", f"a rate or prevalence lies in [0, 1], got {value!r}")
