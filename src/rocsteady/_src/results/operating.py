"""An operating point: the threshold where one rate is held, and the other rate there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.text import (
    format_interval,
    format_setting,
    format_threshold,
    number_words,
)
from rocsteady._src.results.as_threshold import AsThreshold
from rocsteady._src.results.base import Result
from rocsteady._src.results.pictures import Spot, source

if TYPE_CHECKING:
    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.base import Origin
    from rocsteady._src.results.inference import Interval
    from rocsteady._src.results.remarks import Remark

NAMES = {"fpr": "FPR", "tpr": "TPR", "precision": "precision", "equal": "equal error rate"}
HELD = {"fpr": "at most", "tpr": "at least", "precision": "at least"}


@dataclass(frozen=True, slots=True, eq=False)
class OperatingPoint(AsThreshold, Result):
    """The observed threshold that holds one rate, and the others there.

    ``held`` is the rate that was asked for, ``asked`` its value. ``interval`` is that of the rate in return, named by
    ``answer``: where the first rate is truly as asked, with the uncertainty of the threshold in it. ``intervals`` has
    it by name, and that of the precision where the recall was asked for.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = (rs.examples.loans(400)[name] for name in ("defaulted", "boosted"))
    >>> rs.operating_point(y, s, fpr=0.1)
    OperatingPoint(FPR at most 0.1: positive when score >= 0.406613)
    """

    threshold: Any
    held: str
    asked: float
    answer: str
    tpr: float
    fpr: float
    precision: float
    interval: Interval
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None
    next_lower: Any = None
    intervals: dict[str, Interval] | None = None
    warnings: tuple[Remark, ...] = ()

    @property
    def low(self) -> float:
        """Lower end of the interval of the rate in return."""
        return self.interval.low

    @property
    def high(self) -> float:
        """Upper end of the interval of the rate in return."""
        return self.interval.high

    @property
    def fnr(self) -> float:
        """Share of positives missed at the threshold."""
        return 1 - self.tpr

    def _columns(self) -> Table:
        names = ("held", "asked", "threshold", "tpr", "fpr", "precision", "answer", "low", "high")
        return {name: [getattr(self, name)] for name in names}

    @property
    def _rule(self) -> str:
        at = f"positive when score >= {format_threshold(self.threshold, self.next_lower)}"
        if self.held == "equal":
            return f"FPR and FNR alike: {at}"
        return f"{NAMES[self.held]} {HELD[self.held]} {format_setting(self.asked)}: {at}"

    def _picture(self) -> Spot:
        names = ("tpr", "fpr", "precision")
        note = tuple(f"{name} {number_words(getattr(self, name))}" for name in names)
        ends = f"{self.answer} from {number_words(self.low)} to {number_words(self.high)}"
        title = (self._rule, *source(self.origin, self.n_pos, self.n_neg))
        return Spot(
            title, "False positive rate", "True positive rate", self.fpr, self.tpr, (*note, ends), diagonal=True
        )

    def __str__(self) -> str:
        found = self.interval
        ends = format_interval(found.estimate, found.low, found.high)
        how = f"({format_setting(found.level)} level, {found.method})"
        rest = [name for name in ("tpr", "fpr", "precision") if name != self.answer]
        here = ", ".join(f"{NAMES[name]} {number_words(getattr(self, name))}" for name in rest)
        lines = [self._rule, f"{NAMES[self.answer]} {ends} {how}; on these rows {here}"]
        return "\n".join([*lines, *self._notes()])
