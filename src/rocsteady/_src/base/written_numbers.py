"""Numbers as they are written: one that a double cannot hold is refused, not read as infinite or as 0."""

from __future__ import annotations

import math
import re

from rocsteady._src.base.errors import ArgumentError, printable

INFINITE = re.compile(r"\s*[+-]?inf(inity)?\s*", re.IGNORECASE)


def is_beyond(text: str, value: float) -> bool:
    """Whether a text is a number that has become infinite, or 0, on its way to a double.

    Examples
    --------
    >>> [is_beyond(text, float(text)) for text in ("1e400", "1e-400", "inf", "0.0", "1e300")]
    [True, True, False, False, False]
    """
    if math.isinf(value):
        return INFINITE.fullmatch(text) is None
    return value == 0 and re.search("[1-9]", re.split("[eE]", text)[0]) is not None


def number_of(text: str, name: str) -> float:
    """The number that a text is; a ValueError where it is none, a sentence where no double holds it, or it is NaN."""
    value = float(text)
    if math.isnan(value) or is_beyond(text, value):
        reach = "a double reaches from 5e-324 to 1.8e308"
        raise ArgumentError(name, f"{name}: {printable(text, most=40)!r} is no number that can be used; {reach}")
    return value
