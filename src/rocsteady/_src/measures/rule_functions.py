"""A function of somebody's own as a rule: of the counts, at all thresholds at once or at one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.measures.confusion import Confusion
from rocsteady._src.measures.plain_functions import name_of, one_number
from rocsteady._src.measures.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

NO_ARRAYS = (TypeError, ValueError, AttributeError, IndexError, ZeroDivisionError)


def function_rule(function: Callable[..., Any], options: Mapping[str, Any]) -> Rule:
    """The threshold where a function of the counts, with options of its own, is largest."""
    name = name_of(function)
    called = "function" if name == "<lambda>" else name

    def objective(counts: Confusion) -> NDArray[Any]:
        return _values(function, counts, options)

    return Rule(called, f"largest {called}", objective)


def _values(function: Callable[..., Any], counts: Confusion, options: Mapping[str, Any]) -> NDArray[np.float64]:
    """Values at all thresholds: of arrays where the function takes them and agrees with single counts, else one by one.

    A function with ``max`` or ``if`` in it may take arrays and mean something else.
    """
    size = np.size(counts.threshold)
    try:
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.asarray(function(counts, **options), dtype=np.float64)
    except NO_ARRAYS:
        found = np.empty(0)
    if found.shape == (size,) and _agrees(function, counts, options, found):
        return found
    return np.array([_value(function, counts, place, options) for place in range(size)])


def _agrees(function: Callable[..., Any], counts: Confusion, options: Mapping[str, Any], found: Any) -> bool:
    best = 0 if np.isnan(found).all() else int(np.nanargmax(found))
    places = {0, found.size // 2, found.size - 1, best}
    return all(
        np.isclose(_value(function, counts, place, options), found[place], rtol=1e-9, atol=0, equal_nan=True)
        for place in places
    )


def _value(function: Callable[..., Any], counts: Confusion, place: int, options: Mapping[str, Any]) -> float:
    tp, fp, fn, tn = (cell[place].item() for cell in (counts.tp, counts.fp, counts.fn, counts.tn))
    one = Confusion(tp, fp, fn, tn, threshold=counts.threshold[place], origin=counts.origin)
    try:
        return float(one_number(function, function(one, **options)))
    except ZeroDivisionError:
        return float("nan")
    except TypeError as error:
        text = f"the rule {name_of(function)} must take the counts at a threshold, such as counts.tp - 5 * counts.fp"
        raise ArgumentError("rule", f"{text}, and return a number: {error}") from error
