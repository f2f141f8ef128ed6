"""Power and sample size of a test against a goal: exact for shares of rows, by the binormal model for an AUC."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, is_number
from rocsteady._src.base.text import format_count, format_setting
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.comparison.goal import goal_of, goal_sheet
from rocsteady._src.inference.intervals.automatic import KNOWN_BEFORE, whole_area
from rocsteady._src.inference.power.expected_width import MOST_ROWS, auc_variance, fewest
from rocsteady._src.inference.power.predictor import check_share
from rocsteady._src.inference.power.width import OF_CALLS, OF_CLASS
from rocsteady._src.results.planning import GoalPower

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

BLOCK = 4096


@typed
def power_goal(
    measure: str,
    value: float,
    *,
    above: float | None = None,
    below: float | None = None,
    n: int | None = None,
    n_pos: int | None = None,
    ratio: float | None = None,
    power: float | None = None,
    alpha: float = 0.05,
    spread: float = 1.0,
) -> GoalPower:
    """Power of :func:`rocsteady.inference.goal_test`, or the rows that it needs: leave one open.

    Of a share power is exact, and since it goes up and down with single rows the number of rows is the smallest from
    which on it stays as high as asked. Of an AUC it follows from the exact variance for binormal scores and the normal
    approximation of the test that is taken.

    Parameters
    ----------
    measure : str
        "auc", or a share of rows such as "sensitivity" or "specificity".
    value : float
        What it truly is, beyond the goal.
    above, below : float
        The goal: one of them.
    n : int, optional
        Of a share: the rows it is counted among, such as positives for the sensitivity.
    n_pos : int, optional
        Of an AUC: positives.
    ratio : float, optional
        Of an AUC: negatives per positive; 1 unless given.
    power : float, optional
        Probability of success; then rows are asked for.
    alpha : float
        Level of the test, which is one-sided.
    spread : float
        Of an AUC: standard deviation of negatives over that of positives.

    Returns
    -------
    GoalPower

    Examples
    --------
    >>> import rocsteady as rs
    >>> print(rs.power.power_goal("sensitivity", 0.96, above=0.9, power=0.8))
    sensitivity above 0.9 if it is 0.96: power 0.8828 with 142 positives, one-sided at 0.05
    (solved for sample size, exact binomial test)
    >>> print(rs.power.power_goal("auc", 0.87, above=0.8, power=0.9, ratio=4))
    AUC above 0.8 if it is 0.87: power 0.9011 with 96 positives and 384 negatives, one-sided at 0.05
    (solved for sample size, logit test)
    """
    side, goal = goal_of(above, below)
    sheet, value = goal_sheet(measure), check_share("value", value)
    check_share("alpha", alpha)
    if power is not None:
        check_share("power", power)
    beyond = value > goal if side == "above" else value < goal
    if not beyond and power is not None:
        raise ArgumentError(
            "value",
            f"no number of rows shows what is not so: {format_setting(value)} is not {side} {format_setting(goal)}",
        )
    if power is not None and power <= alpha:
        raise ArgumentError("power", "power must lie above alpha: any sample size reaches less")
    if sheet.name == "auc":
        return _of_area(value, side, goal, (n, n_pos, ratio), power, alpha, spread)
    if n_pos is not None or ratio is not None or spread != 1.0:
        raise ArgumentError("n", "n_pos, ratio and spread are about the AUC: give n, the rows that the share counts")
    return _of_share(sheet.name, value, side, goal, n, power, alpha)


def _one_open(rows: int | None, power: float | None) -> None:
    if (rows is None) == (power is None):
        raise ArgumentError("power_unknowns", "give power to learn the rows, or rows to learn the power: one of them")
    if rows is not None and not 1 <= rows <= MOST_ROWS:
        raise ArgumentError("n", f"a number of rows is 1 or more, got {rows!r}")


def critical_counts(rows: Array, goal: float, side: str, alpha: float) -> Array:
    """By number of rows: the smallest count that shows a share above the goal, or the largest that shows it below.

    Beyond all counts, or -1, where none does.

    Examples
    --------
    >>> critical_counts(np.array([28, 29, 100]), 0.9, "above", 0.05).tolist()
    [29, 29, 96]
    >>> critical_counts(np.array([58, 59]), 0.05, "below", 0.05).tolist()
    [-1, 0]
    """
    from scipy.stats import binom

    if side == "below":  # so many others above the rest of the goal
        rest: Array = rows - critical_counts(rows, 1 - goal, "above", alpha)
        return rest
    found = np.asarray(binom.isf(alpha, rows, goal), dtype=np.int64) + 1
    tail = binom.sf(found - 2, rows, goal)  # rounding of the quantile is made good by the tail itself
    found = np.where(tail <= alpha, found - 1, found)
    return np.where(binom.sf(found - 1, rows, goal) > alpha, found + 1, found)


def share_power(rows: Array, value: float, goal: float, side: str, alpha: float) -> Array:
    """Probability of success of the exact test by number of rows, if the share is ``value``."""
    from scipy.stats import binom

    critical = critical_counts(rows, goal, side, alpha)
    found: Array = binom.sf(critical - 1, rows, value) if side == "above" else binom.cdf(critical, rows, value)
    return found


def _of_share(
    name: str, value: float, side: str, goal: float, n: int | None, power: float | None, alpha: float
) -> GoalPower:
    _one_open(n, power)
    rows = n if n is not None else _fewest_for_good(value, goal, side, power or 0.0, alpha)
    at = np.array([rows])
    counts = {"positives": (float(rows), None), "negatives": (None, float(rows))}
    among = OF_CLASS.get(name) or OF_CALLS.get(name) or "rows"
    n_pos, n_neg = counts.get(among, (None, None))
    return GoalPower(
        measure=name,
        value=value,
        goal=goal,
        side=side,
        power=float(share_power(at, value, goal, side, alpha)[0]),
        size=float(share_power(at, goal, goal, side, alpha)[0]),
        n=rows,
        n_pos=n_pos,
        n_neg=n_neg,
        among=among,
        critical=int(critical_counts(at, goal, side, alpha)[0]),
        alpha=alpha,
        solved_for="power" if power is None else "sample size",
        method="exact binomial test",
    )


def _fewest_for_good(value: float, goal: float, side: str, power: float, alpha: float) -> int:
    """The fewest rows from which on the power is never below.

    By the normal approximation power is above what is asked for beyond some number of rows, and single rows move it by
    less than the probability of one count: twice that number is far enough to look.
    """
    from scipy.special import ndtri

    spreads = [math.sqrt(share * (1 - share)) for share in (goal, value)]
    guess = ((-float(ndtri(alpha)) * spreads[0] + float(ndtri(power)) * spreads[1]) / (value - goal)) ** 2
    last = 2 * math.ceil(guess) + math.ceil(20 / abs(value - goal))
    if last > MOST_ROWS / 100:
        told = f"value and goal lie so close that more than {format_count(MOST_ROWS // 200)} rows are needed"
        raise ArgumentError("value", told)
    for stop in range(last, 0, -BLOCK):
        rows = np.arange(max(1, stop - BLOCK + 1), stop + 1)
        short = np.flatnonzero(share_power(rows, value, goal, side, alpha) < power)
        if short.size:
            return int(rows[short[-1]]) + 1
    return 1


def area_power(
    value: float, goal: float, side: str, sizes: tuple[float, float], alpha: float, spread: float
) -> tuple[float, str]:
    """Power of the test of an AUC by the normal approximation, and which test it is."""
    from scipy.special import ndtr, ndtri, stdtrit

    variance = auc_variance(value, spread, *sizes)
    known, se = whole_area(value, variance, sizes), math.sqrt(variance)
    sign = 1 if side == "above" else -1
    if known.method == "wilson":
        q = -float(stdtrit(max(known.fewest, 1.0) - 1 + KNOWN_BEFORE, alpha))
        null = math.sqrt(goal * (1 - goal) / known.worth)
        return float(ndtr((sign * (value - goal) - q * null) / se)), "score test"
    apart = math.log(value / (1 - value)) - math.log(goal / (1 - goal))
    return float(ndtr(sign * apart * value * (1 - value) / se + float(ndtri(alpha)))), "logit test"


def _of_area(
    value: float,
    side: str,
    goal: float,
    sizes: tuple[int | None, int | None, float | None],
    power: float | None,
    alpha: float,
    spread: float,
) -> GoalPower:
    n, n_pos, ratio = sizes[0], sizes[1], 1.0 if sizes[2] is None else sizes[2]
    if n is not None:
        raise ArgumentError("n", "the power about an AUC depends on both classes: give n_pos, and ratio of negatives")
    for name, number in (("ratio", ratio), ("spread", spread)):
        if not (is_number(number) and 0 < number < math.inf):
            raise ArgumentError(name, f"{name} must be a finite number above 0, got {number!r}")
    _one_open(n_pos, power)

    def reached(positives: float) -> tuple[float, str]:
        return area_power(value, goal, side, (positives, max(1.0, positives * ratio)), alpha, spread)

    rows = n_pos if n_pos is not None else fewest(lambda size: reached(size)[0] >= (power or 0.0), start=2)
    if rows is None:
        raise ArgumentError("value", "value and goal lie so close that a thousand million rows do not suffice")
    found, method = reached(rows)
    n_neg = max(1.0, rows * ratio)
    how = {"solved_for": "power" if power is None else "sample size", "method": method}
    return GoalPower("auc", value, goal, side, found, alpha, rows + n_neg, rows, n_neg, "rows", None, alpha, **how)
