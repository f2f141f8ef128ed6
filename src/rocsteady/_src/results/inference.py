"""Results that say how sure: intervals and tests."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.text import format_count, format_interval, format_level, format_setting, p_words
from rocsteady._src.results.base import Origin, Result
from rocsteady._src.results.pictures import Forest, Histogram, Picture, Tail, line_of, source
from rocsteady._src.results.reading import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.remarks import Remark

    Array = NDArray[Any]

SHOWN_QUANTILES = (0.025, 0.5, 0.975)
UNDER_HYPOTHESIS = "Statistic if the models are alike"


@dataclass(frozen=True, slots=True, eq=False)
class Resampling(Result):
    """How a resampling went; the same seed gives the same replicates, whatever the number of threads.

    ``distribution`` holds the replicates, NaN where the value was undefined, which ``n_failed`` counts.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> rs.bootstrap_interval("auc", y, s, n_resamples=200, random_state=1).resampling
    Resampling(scheme rows within each class, n_resamples 200, n_failed 0, seed 1)
    """

    scheme: str
    n_resamples: int
    n_failed: int
    seed: int
    distribution: Array = field(repr=False)

    def _picture(self) -> Histogram:
        drawn = self.distribution[np.isfinite(self.distribution)]
        ends = np.quantile(drawn, SHOWN_QUANTILES) if drawn.size else [math.nan] * len(SHOWN_QUANTILES)
        lost = self.distribution.size - drawn.size
        left_out = f"; {format_count(lost)} undefined or infinite, not drawn" if lost else ""
        title = (f"{format_count(self.n_resamples)} replicates ({self.scheme}, seed {self.seed}){left_out}",)
        marks = dict(zip(("2.5%", "median", "97.5%"), map(float, ends), strict=True))
        return Histogram(title, "Value in a replicate", {"replicates": (drawn, None)}, marks)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, without the replicates."""
        return {item.name: getattr(self, item.name) for item in fields(self) if item.name != "distribution"}


@dataclass(frozen=True, slots=True, eq=False)
class Interval(Result):
    """An estimate with its confidence interval; ``warnings`` say when to trust another method more.

    ``method`` is the one that was used, and ``auto`` whether method="auto" chose it; ``measure`` the measure, where the
    function that made it knows. Unpack as ``low, high``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> low, high = rs.proportion_interval(8, 10)
    >>> round(low, 4), round(high, 4)
    (0.4902, 0.9433)
    """

    estimate: float
    low: float
    high: float
    level: float
    method: str
    se: float | None = None
    n_pos: Any = None
    n_neg: Any = None
    origin: Origin | None = None
    warnings: tuple[Remark, ...] = ()
    resampling: Resampling | None = None
    auto: bool = False
    measure: str | None = field(default=None, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, without the name of the measure."""
        return {each.name: getattr(self, each.name) for each in fields(self) if each.name != "measure"}

    def _columns(self) -> Table:
        found = super(Interval, self)._columns()
        return {name: cell for name, cell in found.items() if name != "measure"}

    def __iter__(self) -> Iterator[float]:
        """Unpack as ``low, high``."""
        return iter((self.low, self.high))

    def __getitem__(self, place: int | slice) -> Any:
        """One of the two ends that it unpacks into."""
        return tuple(self)[place]

    def __float__(self) -> float:
        """The estimate."""
        return float(self.estimate)

    @property
    def how(self) -> str:
        """The method in words."""
        return f"{self.method}, chosen by auto" if self.auto else self.method

    def _picture(self) -> Forest:
        title = (f"{format_level(self.level)} confidence interval, {self.how}", *source(*_origin(self)))
        return Forest(title, "Estimate", (line_of("estimate", self),))

    def __str__(self) -> str:
        value, how = format_interval(self.estimate, self.low, self.high), f"{format_setting(self.level)} level"
        if math.isnan(self.low):
            how = f"no interval: {self.warnings[0]}" if self.warnings else "no interval"
        return f"{value} ({how}, {self.how})"


@dataclass(frozen=True, slots=True, eq=False)
class TestResult(Result):
    """A test; unpack as ``statistic, pvalue``.

    ``estimate`` is first minus second where two models meet, with its interval at ``level``; ``hypothesis`` is the
    alternative in words, ``null`` what it is tested against: the estimate if nothing were the matter, two values for
    equivalence, None for tests without an estimate. ``method`` is the one that was used, and ``auto`` whether
    method="auto" chose it.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> statistic, pvalue = rs.compare_auc(y, s, t)
    >>> round(statistic, 3), round(pvalue, 6)
    (4.077, 0.000174)
    """

    __test__ = False  # for pytest, which collects classes of such names

    statistic: float
    pvalue: float
    estimate: float
    low: float
    high: float
    alternative: str
    method: str
    hypothesis: str = ""
    level: float = 0.95
    se: float | None = None
    df: float | None = None
    n_pos: Any = None
    n_neg: Any = None
    origin: Origin | None = None
    warnings: tuple[Remark, ...] = ()
    resampling: Resampling | None = None
    null: float | tuple[float, float] | None = 0.0
    auto: bool = False

    def __iter__(self) -> Iterator[float]:
        """Unpack as ``statistic, pvalue``."""
        return iter((self.statistic, self.pvalue))

    def __getitem__(self, place: int | slice) -> Any:
        """One of the two numbers that it unpacks into: ``rs.compare_auc(y, s, t)[1]`` is the p value, as in scipy."""
        return tuple(self)[place]

    @property
    def how(self) -> str:
        """The method in words."""
        return f"{self.method}, chosen by auto" if self.auto else self.method

    @property
    def convention(self) -> str:
        """How a one-sided test goes together with the interval, which is two-sided; empty where both are."""
        if self.alternative == "two-sided" or math.isnan(self.low):
            return ""
        alpha = 1 - self.level
        level = format_setting(round(1 - 2 * alpha, 12))
        return f"two-sided interval: the one-sided test at {format_setting(round(alpha, 12))} goes with level {level}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, with how test and interval go together."""
        return {**super(TestResult, self).to_dict(), "convention": self.convention}

    def _picture(self) -> Picture:
        title = (f"{self.how}: {p_words(self.pvalue)}", *_in_words(self.hypothesis), *source(*_origin(self)))
        if self.resampling is not None and self.resampling.scheme == "permutation":
            drawn = self.resampling.distribution
            return Histogram(title, UNDER_HYPOTHESIS, {"replicates": (drawn, None)}, {"observed": self.statistic})
        if self.df and math.isnan(self.low) and math.isfinite(self.statistic) and " F " not in self.method:
            label = f"Chi-square with {format_count(self.df)} degrees of freedom; filled: p"
            return Tail(title, label, self.statistic, self.df)
        label = f"Estimate, {format_level(self.level)} interval; dashed: hypothesis"
        return Forest(title, label, (line_of("estimate", self),))

    def __str__(self) -> str:
        level = "" if math.isnan(self.low) else f" ({format_setting(self.level)} level)"
        why = self.warnings[:1] if math.isnan(self.pvalue) else ()
        told = "; ".join([f"{p_words(self.pvalue)} ({self.how})", *why, *_in_words(self.hypothesis)])
        told += f" ({self.convention})" if self.convention else ""
        return f"{self._value()}{level}, {told}"

    def _value(self) -> str:
        of_a_goal = self.alternative in ("greater", "less") and self.null not in (0.0, 1.0)  # no difference: no sign
        return format_interval(self.estimate, self.low, self.high, signed=not of_a_goal)

    def _brief(self) -> str:
        if self.alternative == "two-sided" or not self.hypothesis:
            return super(TestResult, self)._brief()
        return one_line(f"{self.hypothesis}: {p_words(self.pvalue)}; {self._value()} ({self.method.partition(',')[0]})")


def _origin(result: Interval | TestResult) -> tuple[Origin | None, Any, Any]:
    return result.origin, result.n_pos, result.n_neg


def _in_words(hypothesis: str) -> tuple[str, ...]:
    return (f"alternative: {hypothesis}",) if hypothesis else ()
