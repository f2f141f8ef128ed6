"""So many of 1,000 cases: of how many a table is, and how many digits its counts need to add up."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rocsteady._src.base.text import MISSING, format_count, format_digits

if TYPE_CHECKING:
    from collections.abc import Iterable

LEAST, MOST = 1_000, 10**9
FEWEST = 10  # cases of the rarer class, below which counts would be fractions of a case
TRACE = 1e-9  # of rounding, in a half
NEAR = 0.002  # of a cost: as far as counts with their digits may be from making it up
MOST_DECIMALS = 2
WHOLE, FINE = 999.5, 1e6  # costs from here on are whole; from there on without cents
CENT = 1e-6  # noise of a cost that has no more than cents
VERY_FEW, FEW = 20, 100  # rows of the smaller class: below the first every number is rough, from the second few are
NARROW = 0.05  # half the width of an AUC's interval


def unit_of(prevalence: float) -> int:
    """Of how many cases to speak: 1,000, or ten times as many until the rarer class has ten.

    Examples
    --------
    >>> [unit_of(share) for share in (0.5, 0.01, 0.004, 0.0001, 0.999)]
    [1000, 1000, 10000, 100000, 10000]
    """
    rarer, unit = min(prevalence, 1 - prevalence), LEAST
    while unit * rarer < FEWEST - TRACE and unit < MOST:
        unit *= 10
    return unit


def of_cases(unit: int) -> str:
    """Name the unit.

    Examples
    --------
    >>> of_cases(10_000)
    '10,000 cases'
    """
    return f"{format_count(unit)} cases"


def rounded(count: float, decimals: int) -> float:
    """Halves go up, whatever noise their last bits have."""
    return count if math.isnan(count) else math.floor(count * 10**decimals + 0.5 + TRACE) / 10**decimals


def counts_shown(found: float, missed: float, false_alarms: float, decimals: int) -> tuple[float, float, float]:
    """The three counts as they are shown: found and missed make up all positives.

    Examples
    --------
    >>> counts_shown(152.5, 10.5, 262.5, 0), counts_shown(152.5, 10.5, 262.5, 1)
    ((152.0, 11.0, 263.0), (152.5, 10.5, 262.5))
    """
    positives, lost = rounded(found + missed, decimals), rounded(missed, decimals)
    return rounded(positives - lost, decimals), lost, rounded(false_alarms, decimals)


def decimals_of(courses: Iterable[tuple[float, float, float, float]], cost_fp: float, cost_fn: float) -> int:
    """The fewest decimals with which shown counts make up the cost, in every course of (found, missed, alarms, cost).

    Examples
    --------
    >>> decimals_of([(150, 10, 260, 17_000)], 50, 400), decimals_of([(152.5, 10.5, 262.5, 17_325)], 50, 400)
    (0, 1)
    """
    known = [course for course in courses if not any(map(math.isnan, course))]
    tried = (d for d in range(MOST_DECIMALS) if all(_adds_up(course, d, cost_fp, cost_fn) for course in known))
    return next(tried, MOST_DECIMALS)


def _adds_up(course: tuple[float, float, float, float], decimals: int, cost_fp: float, cost_fn: float) -> bool:
    exact, cost = course[:3], course[3]
    shown = counts_shown(exact[0], exact[1], exact[2], decimals)
    told = shown[1] * cost_fn + shown[2] * cost_fp
    seen = all(each > 0 or count < TRACE for each, count in zip(shown, exact, strict=True))
    return seen and abs(told - cost) <= NEAR * cost + TRACE * (cost_fp + cost_fn)


def makes_up(course: tuple[float, float, float, float], decimals: int, cost_fp: float, cost_fn: float) -> bool:
    """Whether the counts of (found, missed, alarms, cost) give, as they are shown, the cost as it is shown.

    Examples
    --------
    >>> makes_up((55, 56.25, 2.5, 2300), 1, 20, 40), makes_up((55, 56.25, 2.5, 2300), 2, 20, 40)
    (False, True)
    """
    _, missed, alarms = counts_shown(*course[:3], decimals)
    return money(missed * cost_fn + alarms * cost_fp) == money(course[3])


def count_text(count: float) -> str:
    """A count that was rounded already.

    Examples
    --------
    >>> count_text(1234.5), count_text(12.0)
    ('1,234.5', '12')
    """
    return MISSING if math.isnan(count) else format_count(int(count) if count == int(count) else count)


def money(cost: float, *, signed: bool = False) -> str:
    """A cost in the unit that costs were given in: exact where it has no more than cents, else rounded.

    Rounded costs are whole from 1,000 on, halves up as in counts, and have four digits below.

    Examples
    --------
    >>> money(4837.5), money(7.2), money(0.03784), money(0), money(12.25, signed=True), money(1234 + 2 / 3)
    ('4,837.5', '7.2', '0.03784', '0', '+12.25', '1,235')
    """
    if math.isnan(cost):
        return MISSING
    size = abs(cost)
    sign = "-" if cost < 0 else "+" if signed and cost else ""
    cents = rounded(size, 2)
    if size < FINE and abs(size - cents) <= CENT and (cents or not size):
        units, hundredths = divmod(round(100 * cents), 100)
        rest = str(hundredths).zfill(2).rstrip("0")
        return sign + format_count(units) + (f".{rest}" if rest else "")
    return sign + (format_count(int(rounded(size, 0))) if size >= WHOLE else format_digits(size, 4))
