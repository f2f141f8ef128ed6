"""A threshold that keeps a promise on new rows, and what is given up for it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.text import (
    format_count,
    format_interval,
    format_level,
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

SHORT = {"false_positive_rate": "FPR", "recall": "recall", "false_negative_rate": "FNR"}


def short_rate(name: str) -> str:
    """A rate as sentences call it."""
    return SHORT.get(name, name.replace("_", " "))


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdGuarantee(AsThreshold, Result):
    """A threshold at which a rate stays within a bound on new rows, with the confidence asked for.

    ``observed`` is the rate on these rows, ``errors`` of ``rows`` that counted against it. ``in_return`` is the other
    rate there, named ``in_return_of``, with its interval, and ``without`` what that would be at the threshold that
    meets the bound on these rows only. ``bracket`` holds the threshold of the rows themselves where they came as a
    sketch; ``threshold`` is then the safe end of it. With ``n_subjects`` that have such rows, ``observed`` and the
    promise are about the mean over subjects of the share of their rows.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = (rs.examples.loans(400)[name] for name in ("defaulted", "boosted"))
    >>> rs.threshold_guarantee(y, s, "fpr", at_most=0.1)
    ThresholdGuarantee(FPR at most 0.1 on new rows, with 95% confidence: positive when score > 0.425052)
    """

    threshold: Any
    rate: str
    side: str
    bound: float
    confidence: float
    observed: float
    errors: int
    rows: int
    in_return: Interval
    in_return_of: str
    without: float
    tpr: float
    fpr: float
    precision: float
    n_pos: Any
    n_neg: Any
    method: str
    origin: Origin | None = None
    next_lower: Any = None
    bracket: tuple[Any, Any] | None = None
    warnings: tuple[Remark, ...] = ()
    n_subjects: int | None = None

    @property
    def low(self) -> float:
        """Lower end of the interval of the rate in return."""
        return self.in_return.low

    @property
    def high(self) -> float:
        """Upper end of the interval of the rate in return."""
        return self.in_return.high

    @property
    def given_up(self) -> float:
        """How much worse the other rate is than where the bound is met on these rows only."""
        return abs(self.in_return.estimate - self.without)

    @property
    def promise(self) -> str:
        """What is promised, in words."""
        return f"{short_rate(self.rate)} {self.side.replace('_', ' ')} {format_setting(self.bound)}"

    def _columns(self) -> Table:
        names = ("rate", "side", "bound", "confidence", "threshold", "observed", "tpr", "fpr", "precision", "without")
        return {name: [getattr(self, name)] for name in names} | {"low": [self.low], "high": [self.high]}

    @property
    def call(self) -> str:
        """When a row is called positive: above a score, where the threshold is the next number above it."""
        lower = self.next_lower
        if isinstance(self.threshold, float) and isinstance(lower, float) and math.isfinite(lower):
            kinds = (np.float64, np.float32, np.float16)
            if any(float(np.nextafter(kind(lower), kind(np.inf))) == self.threshold for kind in kinds):
                return f"score > {format_setting(lower)}"
        return f"score >= {format_threshold(self.threshold, lower)}"

    def _picture(self) -> Spot:
        title = (f"{self.promise}: positive when {self.call}", *source(self.origin, self.n_pos, self.n_neg))
        names = ("tpr", "fpr", "precision")
        note = (*(f"{name} {number_words(getattr(self, name))}" for name in names), f"confidence {self.confidence}")
        return Spot(title, "False positive rate", "True positive rate", self.fpr, self.tpr, note, diagonal=True)

    def __str__(self) -> str:
        found, ends = self.in_return, self.bracket
        between = "" if ends is None else f" (that of the rows lies from {ends[0]} to {ends[1]})"
        level, rows = format_level(self.confidence), format_count(self.rows)
        errors = f"{format_count(self.errors)} error{'' if self.errors == 1 else 's'}"
        new = "new rows" if self.n_subjects is None else "new subjects, on average"
        first = f"{self.promise} on {new}, with {level} confidence: positive when {self.call}{between}"
        here = f"on these rows {short_rate(self.rate)} {number_words(self.observed)}, {errors} among {rows}"
        if self.n_subjects is not None:
            mean = f"{short_rate(self.rate)} {number_words(self.observed)} in the mean of"
            here = f"on these rows {mean} {format_count(self.n_subjects)} subjects, {errors} among {rows} rows"
        other = f"{short_rate(self.in_return_of)} {format_interval(found.estimate, found.low, found.high)}"
        return "\n".join(
            [
                first,
                f"{here}; in return {other}, where {number_words(self.without)} is had without the promise",
                *self._notes(),
            ]
        )
