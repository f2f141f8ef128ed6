"""What is tested about first minus second, in words and in numbers; one place for every alternative."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.sentences import Option, Sentence
from rocsteady._src.base.text import format_setting
from rocsteady._src.inference.intervals.normal import check_choice, p_value, quantile_of
from rocsteady._src.inputs.weights import reading_remarks
from rocsteady._src.results import TestResult
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocsteady._src.results import Origin

CERTAIN = 1e-9
PLAIN = {
    "two-sided": "first and second differ",
    "greater": "first is above second",
    "less": "first is below second",
}
WITH_MARGIN = {
    "superiority": "first is above second by more than {margin}",
    "non-inferiority": "first is not below second by {margin} or more",
    "equivalence": "first and second differ by less than {margin}",
}


class Difference(Protocol):
    """First minus second, and how sure it is."""

    @property
    def estimate(self) -> float:
        """First minus second."""
        ...

    @property
    def se(self) -> float:
        """Standard error."""
        ...

    @property
    def df(self) -> float | None:
        """Degrees of freedom of Student's t; None for a normal one."""
        ...

    def ends(self, level: float) -> tuple[float, float]:
        """Give the interval of the difference."""
        ...

    def statistic(self, null: float) -> float:
        """Give the distance from ``null`` in standard errors."""
        ...


@dataclass(frozen=True, slots=True)
class NormalDifference:
    """A difference with a standard error, normal or, with ``df``, of Student's t."""

    estimate: float
    se: float
    df: float | None = None

    def ends(self, level: float) -> tuple[float, float]:
        """Give the interval of the difference."""
        reach = quantile_of(level, df=self.df) * self.se
        return self.estimate - reach, self.estimate + reach

    def statistic(self, null: float) -> float:
        """Give the distance from ``null`` in standard errors."""
        return _standardised(self.estimate - null, self.se)


@dataclass(frozen=True, slots=True)
class Judgement:
    """A statistic with its p and the alternative in words."""

    statistic: float
    pvalue: float
    hypothesis: str
    warnings: tuple[Remark, ...] = ()


def check_alternative(alternative: str, margin: float | None) -> None:
    """A margin goes with superiority, non-inferiority and equivalence, and with nothing else."""
    check_choice("alternative", alternative, (*PLAIN, *WITH_MARGIN))
    if alternative in PLAIN and margin is not None:
        text = Sentence(
            "{alternative} has no margin; choose one of {with_margin}",
            alternative=Option("alternative", (alternative,)),
            with_margin=", ".join(WITH_MARGIN),
        )
        raise ArgumentError("margin", text)
    if alternative in WITH_MARGIN and not (margin is not None and 0 < margin < math.inf):
        raise ArgumentError(
            "margin",
            Sentence(
                "{alternative} needs margin > 0: the difference that matters",
                alternative=Option("alternative", (alternative,)),
            ),
        )


def in_words(alternative: str, margin: float | None = None) -> str:
    """The alternative as a sentence."""
    return (
        PLAIN[alternative] if alternative in PLAIN else WITH_MARGIN[alternative].format(margin=format_setting(margin))
    )


def null_of(alternative: str, margin: float | None = None) -> float | tuple[float, float]:
    """The difference under the hypothesis; equivalence has two, and both must be rejected."""
    shift = float(margin or 0)
    if alternative == "equivalence":
        return -shift, shift
    return {"superiority": shift, "non-inferiority": -shift}.get(alternative, 0.0)


def judge(
    difference: float, se: float, alternative: str, margin: float | None = None, *, df: float | None = None
) -> Judgement:
    """Test first minus second, a normal (or t) estimate with standard error ``se``.

    Examples
    --------
    >>> judge(0.0, 0.0, "two-sided").pvalue
    1.0
    >>> round(judge(0.01, 0.02, "non-inferiority", 0.05).pvalue, 4)
    0.0013
    """
    return judged_difference(NormalDifference(difference, se, df), alternative, margin)


def judged_difference(difference: Difference, alternative: str, margin: float | None = None) -> Judgement:
    """Test any difference."""
    judged = judge_of(difference.statistic, alternative, margin, df=difference.df)
    if not isinstance(difference, NormalDifference):
        return judged
    if alternative in PLAIN and difference.se == 0 and difference.estimate == 0:
        judged = replace(judged, pvalue=1.0)
    return replace(judged, warnings=_remarks(difference.estimate, difference.se))


def result_of(
    difference: Difference,
    alternative: str,
    margin: float | None,
    level: float,
    method: str,
    *,
    remarks: tuple[Remark, ...] = (),
    **facts: Any,
) -> TestResult:
    """The result of a test: of every way to compare two models the same fields, from the same place."""
    judged = judged_difference(difference, alternative, margin)
    low, high = difference.ends(level)
    return TestResult(
        statistic=judged.statistic,
        pvalue=judged.pvalue,
        estimate=difference.estimate,
        low=low,
        high=high,
        alternative=alternative,
        method=method,
        hypothesis=judged.hypothesis,
        level=level,
        se=difference.se,
        df=difference.df,
        warnings=(*_reading(facts.get("origin")), *judged.warnings, *remarks),
        null=null_of(alternative, margin),
        **facts,
    )


def judge_of(
    statistic: Callable[[float], float], alternative: str, margin: float | None = None, *, df: float | None = None
) -> Judgement:
    """Test first minus second by its distance from a null; equivalence takes the larger p of two one-sided tests."""
    words, null = in_words(alternative, margin), null_of(alternative, margin)
    if not isinstance(null, tuple):
        found = statistic(null)
        return Judgement(found, p_value(found, alternative if alternative in PLAIN else "greater", df=df), words)
    above, below = (statistic(limit) for limit in null)
    pvalue, other = p_value(above, "greater", df=df), p_value(below, "less", df=df)
    return Judgement(above, pvalue, words) if pvalue >= other else Judgement(below, other, words)


def _reading(origin: Origin | None) -> tuple[Remark, ...]:
    return () if origin is None else reading_remarks(origin)


def all_equal(
    values: NDArray[np.float64],
    covariance: NDArray[np.float64],
    rounding: float = 0.0,
    free: NDArray[np.float64] | None = None,
) -> tuple[float, float, int]:
    """Chi-square of the contrasts between estimates, its p-value and its degrees of freedom.

    Differences up to ``rounding`` are none. With the degrees of freedom ``free`` of each variance the p-value is that
    of Welch's F (1951), which is larger, the less is known of the variances.
    """
    from scipy.linalg import pinvh
    from scipy.special import chdtrc

    if not np.isfinite(covariance).all():
        return math.nan, math.nan, 0
    contrast = np.eye(values.size)[:-1] - np.eye(values.size)[1:]
    differences, spread = contrast @ values, contrast @ covariance @ contrast.T
    differences[np.abs(differences) <= rounding] = 0.0
    inverse, rank = pinvh(spread, return_rank=True, rtol=1e-10)
    along = inverse @ differences
    if np.abs(spread @ along - differences).max(initial=0.0) > CERTAIN * np.abs(differences).max(initial=0.0):
        return math.inf, 0.0, int(rank)  # a difference in a direction that does not vary
    statistic = float(differences @ along)
    if free is not None and rank == values.size - 1:
        return statistic, _welch(statistic, np.diagonal(covariance), free), int(rank)
    return statistic, float(chdtrc(rank, statistic)) if rank else 1.0, int(rank)


def _welch(statistic: float, variances: NDArray[np.float64], free: NDArray[np.float64]) -> float:
    """Welch's p of a chi-square between estimates whose variances have so many degrees of freedom.

    Examples
    --------
    >>> round(_welch(4.0, np.array([1.0, 2.0]), np.array([9.0, 9.0])), 4)  # Welch's t for two: t = 2 on 16.2 df
    0.0626
    """
    from scipy.special import chdtrc, fdtrc

    k, shares = variances.size, 1 / variances / (1 / variances).sum()
    unsure = float(((1 - shares) ** 2 / free).sum())
    ratio = statistic / (k - 1) / (1 + 2 * (k - 2) / (k * k - 1) * unsure)
    return float(fdtrc(k - 1, (k * k - 1) / (3 * unsure), ratio)) if unsure > 0 else float(chdtrc(k - 1, statistic))


def _standardised(value: float, se: float) -> float:
    if se > 0 or math.isnan(se):
        return value / se
    return math.copysign(math.inf, value) if value else 0.0


def _remarks(difference: float, se: float) -> tuple[Remark, ...]:
    if math.isnan(se):
        return (Remark("difference_no_variance"),)
    if se > 0:
        return ()
    if difference == 0:
        return (Remark("models_alike"),)
    return (Remark("difference_unvarying"),)
