"""Quantiles and p-values of the distributions that intervals and tests use, and the words for alternatives."""

from __future__ import annotations

import math
from typing import Literal

from rocsteady._src.base.errors import ArgumentError, is_number
from rocsteady._src.base.sentences import Sentence, argument

Alternative = Literal["two-sided", "greater", "less"]
ALTERNATIVES = ("two-sided", "greater", "less")


def quantile_of(level: float, *, df: float | None = None) -> float:
    """Half-width of a two-sided interval in standard errors: normal, or Student's t with ``df``.

    Examples
    --------
    >>> round(quantile_of(0.95), 4), round(quantile_of(0.95, df=10), 4)
    (1.96, 2.2281)
    """
    from scipy.special import ndtri, stdtrit

    tail = (1 - level) / 2
    return float(-ndtri(tail) if df is None else -stdtrit(df, tail))


def p_value(statistic: float, alternative: str = "two-sided", *, df: float | None = None) -> float:
    """Return p of a standard normal (or t) statistic; ``alternative`` is about its sign.

    Examples
    --------
    >>> round(p_value(1.96), 4), p_value(0.0), round(p_value(1.96, "greater"), 4)
    (0.05, 1.0, 0.025)
    """
    from scipy.special import ndtr, stdtr

    if alternative not in ALTERNATIVES:
        raise ArgumentError("alternative", f"alternative must be one of {', '.join(ALTERNATIVES)}, got {alternative!r}")
    if math.isnan(statistic):
        return math.nan
    below = ndtr if df is None else lambda z: stdtr(df, z)
    if alternative == "two-sided":
        return float(min(1.0, 2 * below(-abs(statistic))))
    return float(below(-statistic if alternative == "greater" else statistic))


def check_level(level: float) -> float:
    """A confidence level lies strictly between 0 and 1."""
    if not (is_number(level) and 0 < level < 1):
        raise ArgumentError(
            "level", Sentence("{@level} must lie between 0 and 1, got {level!r}; 0.95 means 95%", level=level)
        )
    return level


def check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    """Refuse a word that is none of the choices."""
    if not isinstance(value, str) or value not in choices:
        told = "{name} must be one of {choices:list}, got {value!r}{meant}"
        asked = str(value).lower().replace("_", "-").replace(" ", "-")
        near = next((each for each in choices if each.replace("_", "-") == asked), None)
        meant = "" if near is None else f"; did you mean {near!r}?"
        raise ArgumentError(name, Sentence(told, name=argument(name), choices=choices, value=value, meant=meant))
