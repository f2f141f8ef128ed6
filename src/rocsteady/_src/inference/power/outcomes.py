"""Power and sample size of McNemar's tests of two models on the same rows, and the difference that rows find."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady._src.base.errors import ArgumentError, is_number
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.intervals.normal import ALTERNATIVES, Alternative, check_choice
from rocsteady._src.results.paired import OutcomePower

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

Method = Literal["mcnemar-exact", "mcnemar-mid-p", "mcnemar"]
METHODS = ("mcnemar-exact", "mcnemar-mid-p", "mcnemar")
REACH = 8.5  # standard deviations of the number of discordant rows
MOST_ROWS = 100_000_000
STEPS = 60


@typed
def power_outcomes(
    *,
    discordant: float,
    difference: float | None = None,
    n: int | None = None,
    power: float | None = None,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    method: Method = "mcnemar-exact",
    design_effect: float = 1.0,
) -> OutcomePower:
    """Solve for power, rows or difference of two models on the same rows: leave exactly one of them open.

    The number of rows on which the models disagree is binomial, and so is the share of them that speaks for the first:
    power is summed over both, without approximation. As elsewhere, that of a two-sided test counts rejections on the
    true side only.

    Parameters
    ----------
    discordant : float
        Share of rows that one model has right and the other wrong; not smaller than the difference.
    difference : float, optional
        True share of the first less that of the second, above 0.
    n : int, optional
        Rows.
    power : float, optional
        Probability of rejecting.
    alpha : float
        Level of the test.
    alternative : {"two-sided", "greater", "less"}
        "greater": the first is better. The difference is taken to be on the side of the alternative.
    method : {"mcnemar-exact", "mcnemar-mid-p", "mcnemar"}
        The test, as in :func:`rocsteady.compare_outcomes`.
    design_effect : float
        How many rows are worth one independent one, where rows belong to subjects or tasks:
        ``compare_outcomes(..., cluster=...).design_effect`` of a pilot. n / design_effect rows are then taken to be
        independent.

    Returns
    -------
    OutcomePower

    Examples
    --------
    >>> print(power_outcomes(difference=0.05, discordant=0.2, power=0.8))
    a difference of 0.05 with 0.2 of rows discordant: power 0.8006 with 658 rows, two-sided at 0.05
    (solved for n, mcnemar-exact)
    >>> round(power_outcomes(discordant=0.2, n=1000, power=0.8).difference, 4)
    0.0404
    """
    check_choice("method", method, METHODS)
    check_choice("alternative", alternative, ALTERNATIVES)
    open_ones = [name for name, value in (("difference", difference), ("n", n), ("power", power)) if value is None]
    if len(open_ones) != 1:
        what = ", ".join(open_ones) or "nothing"
        raise ArgumentError("power_unknowns", f"leave exactly one of difference, n and power open; open here: {what}")
    _check(discordant, difference, n, power, alpha, design_effect)
    tail = alpha / 2 if alternative == "two-sided" else alpha

    def found(rows: int, gap: float) -> float:
        return power_of(int(rows / design_effect), gap, discordant, tail, method)

    if n is None:
        n = _rows(lambda rows: found(rows, difference or 0.0), power or 0.0)
    elif difference is None:
        difference = _difference(lambda gap: found(n, gap), power or 0.0, discordant)
    reached = found(n, difference or 0.0)
    return OutcomePower(
        reached, n, float(difference or 0.0), discordant, alpha, alternative, method, open_ones[0], design_effect
    )


def _check(
    discordant: float, difference: float | None, n: int | None, power: float | None, alpha: float, effect: float
) -> None:
    shares: dict[str, Any] = {"discordant": discordant, "power": power, "alpha": alpha}
    for name, share in shares.items():
        if share is not None and not (is_number(share) and 0 < share < 1):
            raise ArgumentError(name, f"{name} must lie between 0 and 1, got {share!r}")
    if difference is not None and not 0 < difference <= discordant:
        text = f"difference must be above 0 and at most the discordant share {discordant!r}, got {difference!r}"
        raise ArgumentError("difference", f"{text}: rows that both have right or wrong make none")
    if n is not None and not 1 <= n <= MOST_ROWS:
        raise ArgumentError("n", f"n must be a number of rows, got {n!r}")
    if not 1 <= effect < math.inf:
        raise ArgumentError("design_effect", f"design_effect must be 1 or more, got {effect!r}")


def power_of(n: int, difference: float, discordant: float, tail: float, method: str) -> float:
    """Chance that one tail of the test rejects, over all numbers of discordant rows.

    Examples
    --------
    >>> round(power_of(10, 0.5, 0.5, 0.025, "mcnemar-exact"), 4)  # 6 or more of 10, all on one side
    0.377
    """
    from scipy.special import bdtrc

    spread = math.sqrt(n * discordant * (1 - discordant))
    low, high = (
        max(1, math.floor(n * discordant - REACH * spread - 1)),
        min(n, math.ceil(n * discordant + REACH * spread + 1)),
    )
    if high < low:
        return 0.0
    told = np.arange(low, high + 1)
    needed = critical_counts(told, tail, method)
    chances = _binomial(told, n, discordant)
    share = min((discordant + difference) / (2 * discordant), 1.0)
    reached = np.where(needed > told, 0.0, bdtrc(np.maximum(needed - 1, 0), told, share))
    reached = np.where((needed <= told) & (share == 1.0), 1.0, reached)
    return float(chances @ reached)


def critical_counts(told: NDArray[np.int64], tail: float, method: str) -> NDArray[np.int64]:
    """The fewest of so many discordant rows that, all speaking for one model, are rejected; one more if none are.

    Examples
    --------
    >>> critical_counts(np.array([5, 6, 10]), 0.025, "mcnemar-exact").tolist()
    [6, 6, 9]
    """
    from scipy.special import bdtr, ndtri

    if method == "mcnemar":
        # on the edge as p itself decides: p < level
        reach = -float(ndtri(tail))
        return np.floor((told + reach * np.sqrt(told)) / 2).astype(np.int64) + 1

    def p_at(least: NDArray[np.int64]) -> NDArray[np.float64]:
        above = np.where(least > told, 0.0, bdtr(np.maximum(told - least, 0), told, 0.5))
        here = np.where(least > told, 0.0, _binomial(np.minimum(least, told), told, 0.5))
        return above - here / 2 if method == "mcnemar-mid-p" else above

    low, high = told // 2, told + 1  # p falls from above the tail to 0
    for _ in range(int(told.max()).bit_length() + 1):
        middle = (low + high) // 2
        inside = p_at(middle) <= tail
        low, high = np.where(inside, low, middle), np.where(inside, middle, high)
    return np.asarray(high, dtype=np.int64)


def _binomial(hits: NDArray[np.int64], n: Any, share: float) -> NDArray[np.float64]:
    from scipy.special import betaln, xlog1py, xlogy

    logs = -np.log1p(n) - betaln(n - hits + 1, hits + 1) + xlogy(hits, share) + xlog1py(n - hits, -share)
    found: NDArray[np.float64] = np.exp(logs)
    return found


def _rows(found: Callable[[int], float], wanted: float) -> int:
    """The fewest rows that reach a power, as far as it rises with them."""
    high = 1
    while found(high) < wanted:
        high *= 2
        if high > MOST_ROWS:
            raise ArgumentError("n", f"more than {MOST_ROWS} rows would be needed; ask for a larger difference")
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if found(middle) >= wanted else (middle, high)
    return high


def _difference(found: Callable[[float], float], wanted: float, discordant: float) -> float:
    if found(discordant) < wanted:
        text = "no difference is found with this power in so few rows"
        raise ArgumentError("difference", f"{text}: take more, or a larger discordant share")
    low, high = 0.0, discordant
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if found(middle) >= wanted else (middle, high)
    return high


def detectable_share(discordant: float, n: float, power: float, alpha: float) -> float:
    """Smallest true difference that a two-sided test finds with this power, by Connor's formula (1987).

    The discordant share is as seen, or the difference itself where that must be larger. NaN where none is found.

    Examples
    --------
    >>> round(detectable_share(0.2, 1000, 0.8, 0.05), 4)
    0.0396
    """
    from scipy.special import ndtri

    if not (n > 0 and discordant >= 0):
        return math.nan
    reach, more = -float(ndtri(alpha / 2)), float(ndtri(power))

    def enough(gap: float) -> bool:
        share = max(discordant, gap)
        return gap * math.sqrt(n) >= reach * math.sqrt(share) + more * math.sqrt(max(share - gap * gap, 0.0))

    if not enough(1.0):
        return math.nan
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
