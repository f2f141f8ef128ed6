"""Results as plain values that JSON can hold, by one convention for library, command line and report."""

from __future__ import annotations

import datetime as dt
import functools
import math
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import Undefined

if TYPE_CHECKING:
    from collections.abc import Callable


MOST_WHOLE = 2**53


def plain(value: Any, *, doubles: bool = False) -> Any:
    """Python's own values: NaN is None, an infinity is the word "inf" or "-inf", keys are text, dates are ISO texts.

    Fractions and decimals are floats where these hold them exactly, else text. For readers that know ``doubles`` only,
    as browsers do, whole numbers beyond 2^53 are text too.

    Examples
    --------
    >>> import numpy as np
    >>> plain({1: np.float64("inf"), "a": [float("nan"), np.int64(3)], "b": Decimal("0.5"), "c": Fraction(1, 3)})
    {'1': 'inf', 'a': [None, 3], 'b': 0.5, 'c': '1/3'}
    >>> plain([2**53, 2**53 + 1], doubles=True)
    [9007199254740992, '9007199254740993']
    """
    if isinstance(value, (np.ndarray, np.generic)):
        value = str(value) if value.dtype.kind in "mM" and not np.ndim(value) else value.tolist()
    if value is None or isinstance(value, (str, bool, int)):
        known = value if type(value) in (str, bool, int, type(None)) else _narrow(value)
        return str(known) if doubles and isinstance(known, int) and abs(known) > MOST_WHOLE else known
    if isinstance(value, (float, np.floating)):
        return _number(float(value))
    if isinstance(value, (Decimal, Fraction)):
        return _fraction(value)
    if isinstance(value, (dt.date, dt.time)):
        return value.isoformat()
    return _contents(value, doubles=doubles)


def _narrow(value: Any) -> Any:
    """A subclass of text, number or truth value as its base."""
    kind = next(each for each in (str, bool, int) if isinstance(value, each))
    return kind(value)


def _number(value: float) -> float | str | None:
    if math.isnan(value):
        return None
    return value if math.isfinite(value) else ("inf" if value > 0 else "-inf")


def _fraction(value: Decimal | Fraction) -> Any:
    try:
        held = float(value)
    except (OverflowError, ValueError):
        return str(value)
    return _number(held) if math.isnan(held) or held == value else str(value)


def _contents(value: Any, *, doubles: bool) -> Any:
    if hasattr(value, "to_dict"):
        return plain(value.to_dict(), doubles=doubles)
    if isinstance(value, Mapping):
        return {_key(key): plain(item, doubles=doubles) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item, doubles=doubles) for item in value]
    return str(value)


def _key(key: Any) -> str:
    return " - ".join(map(str, key)) if isinstance(key, tuple) else str(plain(key))


def as_plain(to_dict: Callable[[Any], dict[str, Any]]) -> Callable[[Any], dict[str, Any]]:
    """Make what a result's ``to_dict`` returns plain; reasons of undefined values stand beside them."""

    @functools.wraps(to_dict)
    def made(result: Any) -> dict[str, Any]:
        values = to_dict(result)
        reasons = {name: value.reason for name, value in values.items() if isinstance(value, Undefined)}
        found: dict[str, Any] = plain(values)
        return found if not reasons or "undefined" in found else {**found, "undefined": reasons}

    return made
