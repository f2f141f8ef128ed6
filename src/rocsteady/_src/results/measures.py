"""Results that are not curves."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.text import (
    format_count,
    format_digits,
    format_number,
    format_setting,
    format_share,
    format_threshold,
    number_words,
)
from rocsteady._src.results.as_threshold import AsThreshold
from rocsteady._src.results.base import Origin, Result
from rocsteady._src.results.pictures import Bar, Bars, Forest, Line, Spot, source

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.curves import RocCurve
    from rocsteady._src.results.displays import CurveDisplay
    from rocsteady._src.results.remarks import Remark

    Array = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class GranularRoc(Result):
    """ROC curve with its granular band: scores closer than ``delta`` are not told apart.

    ``low`` and ``up`` are the curves when they all count against, or all for, the positives; ``low_auc`` and ``up_auc``
    their areas. No confidence band.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1]
    >>> print(rs.granular_roc(y, s, delta=0.15))
    AUC 0.888889 [0.777778, 1] when gaps below 0.15 are not told apart
    """

    low: RocCurve
    up: RocCurve
    roc: RocCurve
    low_auc: float
    up_auc: float
    auc: float
    delta: float
    definition: str
    lambda_auc: float
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None
    warnings: tuple[Remark, ...] = ()

    def plot(
        self, ax: Axes | None = None, *, name: str | None = None, zoom: bool = False, publication: bool = False
    ) -> CurveDisplay:
        """Draw the curve and its band with matplotlib; ``zoom`` shows only where the band is open."""
        from rocsteady._src.views.plots import draw_granular

        return draw_granular(self, ax, name=name, zoom=zoom, publication=publication)

    def _columns(self) -> Table:
        names = ("low_auc", "auc", "up_auc", "lambda_auc", "delta", "definition")
        return {name: [getattr(self, name)] for name in names}

    def __str__(self) -> str:
        area, low, up = (format_digits(each, 6) for each in (self.auc, self.low_auc, self.up_auc))
        return f"AUC {area} [{low}, {up}] when gaps below {format_setting(self.delta)} are not told apart"


@dataclass(frozen=True, slots=True, eq=False)
class GranularityProfile(Result):
    """low/AUC and AUC/up as functions of delta; both fall from 1. Exact at every delta listed.

    ``exact`` says that every step is listed; otherwise values in between lie between their neighbours. The definition
    "dong2013" need not fall, and is known at the listed values only.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1]
    >>> rs.curves.granularity_profile(y, s).to_frame("pandas").columns.tolist()
    ['delta', 'low_over_auc', 'auc_over_up']
    """

    delta: Array
    low_over_auc: Array
    auc_over_up: Array
    exact: bool
    auc: float
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None
    definition: str = "consistent"
    warnings: tuple[Remark, ...] = ()

    def plot(self, ax: Axes | None = None, *, publication: bool = False) -> CurveDisplay:
        """Draw both ratios against delta with matplotlib."""
        from rocsteady._src.views.plots import draw_profile

        return draw_profile(self, ax, publication=publication)

    def _columns(self) -> Table:
        return {"delta": self.delta, "low_over_auc": self.low_over_auc, "auc_over_up": self.auc_over_up}


@dataclass(frozen=True, slots=True)
class IntervalAuc(Result):
    """AUC of interval-valued predictions: what is certain, and what the widths of the intervals leave open.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.interval_auc([1, 0, 1, 0], [0.6, 0.1, 0.3, 0.2], [0.9, 0.4, 0.5, 0.3])
    IntervalAuc(AUC between 0.5 and 1: 50.00% of the pairs certainly right, 0.00% certainly wrong, 50.00% undecided)
    """

    auc_low: float
    auc_up: float
    certain_right: float
    certain_wrong: float
    undecided: float
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None

    def plot(self, ax: Axes | None = None, *, publication: bool = False) -> CurveDisplay:
        """Draw the three shares as one bar with matplotlib."""
        from rocsteady._src.views.plots import draw_regions

        return draw_regions(self, ax, publication=publication)

    def __str__(self) -> str:
        return (
            f"AUC between {format_digits(self.auc_low, 6)} and {format_digits(self.auc_up, 6)}: "
            f"{format_share(self.certain_right, 2)} of the pairs certainly "
            f"right, {format_share(self.certain_wrong, 2)} certainly wrong, {format_share(self.undecided, 2)} undecided"
        )


@dataclass(frozen=True, slots=True)
class SetProperties(Result):
    """What the score values of a set look like, beyond their order.

    ``abs_margin`` is the lowest positive minus the highest negative score; ``abs_error_size`` counts the pairs in
    which the positive is not above the negative. Extremes and ranges of each class stand behind.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1]
    >>> rs.set_properties(y, s)
    SetProperties(range 0.8000, abs_margin -0.1000, rel_margin -0.1250, median 0.6500, abs_error_size 1, rel_error ...)
    """

    range: float
    abs_margin: float
    rel_margin: float
    median: float
    abs_error_size: Any
    rel_error_size: float
    correctly_ranked: bool
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None
    pos_max: float = math.nan
    pos_min: float = math.nan
    neg_max: float = math.nan
    neg_min: float = math.nan
    warnings: tuple[Remark, ...] = ()

    @property
    def pos_range(self) -> float:
        """Highest minus lowest positive score."""
        return self.pos_max - self.pos_min

    @property
    def neg_range(self) -> float:
        """Highest minus lowest negative score."""
        return self.neg_max - self.neg_min

    def _picture(self) -> Bars:
        title = (
            f"Score values; margin over range: {number_words(self.rel_margin)}",
            f"{format_count(self.abs_error_size)} pairs ({format_share(self.rel_error_size, 2)}) are not ranked right",
            *source(self.origin, self.n_pos, self.n_neg),
        )
        numbers = {"range": self.range, "margin": self.abs_margin, "median": self.median}
        numbers |= {"range of positives": self.pos_range, "range of negatives": self.neg_range}
        bars = tuple(Bar(name, 0.0, value, value) for name, value in numbers.items())
        return Bars(title, "In units of the score", bars)


@dataclass(frozen=True, slots=True)
class ThresholdChoice(AsThreshold, Result):
    """A threshold, the rule that chose it, the value the rule reached, and the rates there.

    Any threshold above ``next_lower``, the next lower score, calls the same rows positive. ``float(choice)`` is the
    threshold, and ``scores >= choice`` compares with it.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1]
    >>> choice = rs.best_threshold(y, s, rule="youden")
    >>> choice.threshold, choice.predict([0.85, 0.5]).tolist()
    (0.8, [1, 0])
    """

    threshold: float
    rule: str
    objective: float
    tpr: float
    fpr: float
    precision: float
    accuracy: float
    base_rate: float
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None
    next_lower: Any = None
    criterion: str = ""

    def _picture(self) -> Spot:
        title = (
            f"{self.rule}: positive when score >= {format_threshold(self.threshold, self.next_lower)}",
            *source(self.origin, self.n_pos, self.n_neg),
        )
        names = ("tpr", "fpr", "precision", "accuracy", "base_rate", "objective")
        note = tuple(f"{name.replace('_', ' ')} {number_words(getattr(self, name))}" for name in names)
        labels = ("False positive rate", "True positive rate")
        return Spot(title, labels[0], labels[1], self.fpr, self.tpr, note, diagonal=True)

    def __str__(self) -> str:
        return (
            f"{self.rule}: positive when score >= {format_threshold(self.threshold, self.next_lower)} "
            f"(TPR {format_number(self.tpr)}, FPR {format_number(self.fpr)}, precision {number_words(self.precision)})"
            + (f"\n{self.criterion}: {number_words(self.objective)}" if self.criterion else "")
        )


@dataclass(frozen=True, slots=True)
class TieDiagnostics(Result):
    """How much of the AUC rests on ties: between equal scores, and between scores a few ulp apart.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.tie_diagnostics([1, 0, 1, 0], [2, 2, 1, 0])
    TieDiagnostics(25.00% of the opposite-class pairs are tied: AUC 0.625, between 0.5 and 0.75 if ties were broken)
    """

    tied_pairs: float
    auc: float
    auc_worst: float
    auc_best: float
    n_distinct: int
    near_tied_pairs: float
    near_ulps: int
    auc_if_near_ties_tied: float
    origin: Origin | None = None

    def _picture(self) -> Forest:
        tied = f"{format_share(self.tied_pairs, 2)} of the opposite-class pairs are tied"
        near = (
            f"{format_share(self.near_tied_pairs, 2)} within {self.near_ulps} ulp; "
            f"{format_count(self.n_distinct)} distinct scores"
        )
        title = (tied, near, *source(self.origin))
        lines = (
            Line("AUC, ties count half", self.auc, self.auc_worst, self.auc_best, certain=True),
            Line("near ties count half too", self.auc_if_near_ties_tied),
        )
        return Forest(title, "AUC; ends: all ties lost and all ties won, no confidence interval", lines)

    def __str__(self) -> str:
        few = f"; {format_share(self.near_tied_pairs, 2)} differ by {self.near_ulps} ulp or less"
        near = few if self.near_tied_pairs else ""
        return (
            f"{format_share(self.tied_pairs, 2)} of the opposite-class pairs are tied: AUC "
            f"{format_digits(self.auc, 6)}, between "
            f"{format_digits(self.auc_worst, 6)} and {format_digits(self.auc_best, 6)} if ties were broken"
            f"{near}"
        )
