"""What parts of one sketch must agree on, and a quotient rounded to the safe side."""

from __future__ import annotations

import math
from contextlib import ExitStack, contextmanager
from fractions import Fraction
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count
from rocsteady._src.inputs.weights import MOST_EXACT_WEIGHT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Method = TypeVar("Method", bound="Callable[..., Any]")


def alone(method: Method) -> Method:
    """A method that no other thread's call of such a method of the same object overlaps."""

    @wraps(method)
    def locked(self: Any, *args: Any, **kwargs: Any) -> Any:
        with self._lock:
            return method(self, *args, **kwargs)

    return cast("Method", locked)


@contextmanager
def both_alone(one: Any, two: Any) -> Iterator[None]:
    """The same for two objects; whoever comes first, locks are taken in one order."""
    with ExitStack() as held:
        for each in sorted((one, two), key=id):
            held.enter_context(each._lock)  # noqa: SLF001 - of sketches, for sketches
        yield


def agreed_label(mine: Any, theirs: Any) -> Any:
    """The positive label of both; True is 1, so that the order of parts leaves no trace."""
    theirs = theirs.item() if isinstance(theirs, np.generic) else theirs
    if isinstance(theirs, (bool, float)) and theirs == math.floor(theirs):
        theirs = int(theirs)
    if theirs is None or mine is None:
        return mine if theirs is None else theirs
    if mine != theirs:
        raise ArgumentError("merge_pos_label", f"the parts differ in their positive label: {mine!r}, {theirs!r}")
    return mine


def agreed_negative(mine: int | None, theirs: int | None) -> int | None:
    """The negative label of both, where labels spoke for themselves: {0, 1} or {-1, 1}, not both."""
    if mine is None or theirs is None or mine == theirs:
        return theirs if mine is None else mine
    text = f"the negatives are {mine} in one part and {theirs} in another, so that -1, 0 and 1 would be two classes"
    raise InputError(
        "positive_label_required", Sentence("{text}; say which one is positive with {pos_label=...}", text=text)
    )


def check_alike(mine: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Refuse to merge sketches of different settings."""
    for name in {**mine, **theirs}:
        if theirs.get(name) != mine.get(name):
            text = f"the parts differ in {name}: {mine.get(name)!r} and {theirs.get(name)!r}; make all of them alike"
            raise ArgumentError("merge_settings", text)


def check_kind(mine: str, theirs: str) -> None:
    """Refuse to count integers among floats: their keys do not compare."""
    if mine != theirs:
        text = f"this sketch counts {mine} scores and cannot take {theirs} ones; use Sketch(dtype='float64') for both"
        raise InputError("score_types_mixed", text)


def check_total(total: int) -> None:
    """Refuse more than 64-bit counts can hold."""
    if total >= MOST_EXACT_WEIGHT:
        raise InputError(
            "too_many_rows", f"the counts would reach {format_count(total)}, beyond 2**62; use smaller weights"
        )


def rounded(part: int, total: int, towards: float) -> float:
    """The quotient as a float that does not lie on the wrong side of it.

    Examples
    --------
    >>> rounded(1, 3, -math.inf) < rounded(1, 3, math.inf)
    True
    """
    value = part / total
    error = Fraction(value) - Fraction(part, total)
    wrong = error > 0 if towards < 0 else error < 0
    return math.nextafter(value, towards) if wrong else value
