"""Whether one ROC curve lies above another, each above the other somewhere, or neither is known."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady._src.base.text import format_level, format_number, p_words
from rocsteady._src.results.inference import TestResult
from rocsteady._src.results.pictures import Paths, source
from rocsteady._src.results.remarks import noted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.base.frames import Table

    Array = NDArray[np.float64]
    Found = Literal["crossing", "first above", "second above", "not told apart"]


def _none() -> Any:
    return np.zeros(0)


@dataclass(frozen=True, slots=True, eq=False)
class CrossingTest(TestResult):
    """A test of two ROC curves: ``pvalue`` is about a crossing, each curve above the other somewhere.

    ``p_first`` and ``p_second`` are about one of them lying above the other somewhere. ``lead`` is that of the first in
    TPR - FPR where FPR + TPR is ``along``, and ``lead_low`` and ``lead_high`` limits that hold at all places together.
    ``found`` is what is shown at ``level``. ``estimate`` is the difference of AUCs, for orientation only.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(600)[name] for name in ("defaulted", "boosted", "scorecard"))
    >>> rs.curves.crossing_test(y, s, t, random_state=1).found
    'first above'
    """

    p_first: float = 1.0
    p_second: float = 1.0
    along: Array = field(default_factory=_none)
    lead: Array = field(default_factory=_none)
    lead_low: Array = field(default_factory=_none)
    lead_high: Array = field(default_factory=_none)

    @property
    def found(self) -> Found:
        """What is shown at the level."""
        alpha = 1 - self.level
        if self.pvalue <= alpha:
            return "crossing"
        if min(self.p_first, self.p_second) > alpha / 2:
            return "not told apart"
        first = self.p_first < self.p_second
        apart = (self.lead_low > 0).any() if first else (self.lead_high < 0).any()
        return ("first above" if first else "second above") if apart else "not told apart"

    @property
    def first_short(self) -> float:
        """By how much the first curve may lie below the second at the most, in TPR - FPR, with this confidence."""
        return max(0.0, -float(self.lead_low.min()))

    @property
    def second_short(self) -> float:
        """The same for the second."""
        return max(0.0, float(self.lead_high.max()))

    @property
    def verdict(self) -> str:
        """What is shown, in a sentence."""
        level = format_level(self.level)
        leads = {"first": float(self.lead.max()), "second": -float(self.lead.min())}
        if self.found == "crossing":
            tops = {"first": int(self.lead.argmax()), "second": int(self.lead.argmin())}
            told = (f"{name} leads by {format_number(leads[name])} {self._where(tops[name])}" for name in tops)
            return f"the curves cross: {', '.join(told)}"
        if self.found == "not told apart":
            short = max(self.first_short, self.second_short)
            return f"neither curve is shown to lie above the other; apart by {format_number(short)} at most ({level})"
        name = self.found.removesuffix(" above")
        place = int(self.lead.argmax() if name == "first" else self.lead.argmin())
        lead = f"{name} leads by {format_number(leads[name])} {self._where(place)}"
        short = self.first_short if name == "first" else self.second_short
        nowhere = "is nowhere below" if not short else f"is below by {format_number(short)} at most"
        return f"{lead}, and {nowhere} ({level})"

    def _where(self, place: int) -> str:
        return f"where FPR + TPR is {format_number(float(self.along[place]), 2)}"

    def _columns(self) -> Table:
        return {name: getattr(self, name) for name in ("along", "lead", "lead_low", "lead_high")}

    def _picture(self) -> Paths:
        title = (f"Lead of the first ROC curve: {self.found}", *source(self.origin, self.n_pos, self.n_neg))
        paths, bands = {"lead": self.lead}, {"lead": (self.lead_low, self.lead_high)}
        return Paths(title, "FPR + TPR", "Lead in TPR - FPR", self.along, paths, bands)

    def __str__(self) -> str:
        sides = f"first above somewhere {p_words(self.p_first)}, second above somewhere {p_words(self.p_second)}"
        tests = f"crossing {p_words(self.pvalue)}, {sides} ({self.how})"
        return "\n".join([self.verdict, tests, *map(noted, self.warnings)])
