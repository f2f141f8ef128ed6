"""Weights are finite and not negative; whole numbers of any type stay whole, so that counts stay exact.

What a weight means is said by ``weight_type``, never by the type of the numbers.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, first_rows, some_values
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count, format_setting
from rocsteady._src.inputs.arrays import natural_array
from rocsteady._src.inputs.scores import is_far, is_real, to_doubles
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.results import Origin

WeightType = Literal["frequency", "sampling"]
ASSUMED = Remark("weights_assumed")
MOST_EXACT_WEIGHT = 2**62
LEAST_WEIGHT, MOST_WEIGHT, MOST_RATIO = 1e-150, 1e150, 1e50


def weight_type_of(weights: NDArray[Any] | None, asked: str | None, name: str = "sample_weight") -> str | None:
    """How weights that were checked are read: as sampling weights, unless they are said to count repeated rows."""
    if asked not in (None, "frequency", "sampling"):
        raise ArgumentError("weight_type", f"weight_type must be 'frequency' or 'sampling', got {asked!r}")
    if weights is None:
        return None
    if asked == "frequency":
        refuse_fractions(weights, name)
    return asked or "sampling"


def rows_counted(n_rows: int, weights: NDArray[Any] | None, weight_type: str | None) -> int:
    """How many rows there are: a frequency weight stands for so many, any other weight for one.

    Examples
    --------
    >>> rows_counted(2, np.array([3, 1]), "frequency"), rows_counted(2, np.array([3, 1]), "sampling")
    (4, 2)
    """
    return n_rows if weights is None or weight_type != "frequency" else int(weights.sum())


def reading_remarks(origin: Origin) -> tuple[Remark, ...]:
    """One line where nobody said how weights are to be read."""
    return (ASSUMED,) if origin.weighted and origin.weight_type is None else ()


def sampled(what: str) -> str:
    """Why something cannot be had of weights that are read as sampling weights, and the way out."""
    way_out = Sentence("pass {weight_type='frequency'} if these weights count repeated rows")
    return Sentence("{what} counts rows, which sampling weights do not; {way_out}", what=what, way_out=way_out)


def summed(what: str) -> str:
    """Why groups of equal score are not enough where weights are sampling weights."""
    text = f"these groups hold sums of sampling weights, which do not tell how the rows vary: {what} needs the rows"
    return Sentence(
        "{text} in memory, or whole-number weights that count repeated rows, {weight_type='frequency'}", text=text
    )


def refuse_fractions(weights: NDArray[Any], name: str) -> None:
    """Frequencies are whole by value, of whatever type, and few enough to be added up exactly."""
    if weights.dtype.kind != "f":
        return
    rows = np.flatnonzero(weights != np.floor(weights))
    text = f"{name}: the sum of the weights is 2**62 or more, too large to count rows; rescale them"
    if rows.size:
        shown = some_values(weights[rows[:3]].tolist())
        text = Sentence(
            "{name}: {size:count} not whole, {rows} ({shown}): frequency weights are whole numbers; "
            "leave {weight_type='frequency'} out to take them as sampling weights",
            name=name,
            size=rows.size,
            rows=first_rows(rows, total=rows.size),
            shown=shown,
        )
    raise ArgumentError("weight_type", text)


def checked_weights(weights: NDArray[Any], name: str, weight_type: str | None = None) -> NDArray[Any]:
    """Return int64 for whole numbers, whatever their type, and float64 for others, or refuse."""
    weights = _checked(weights, name)
    weight_type_of(weights, weight_type, name)
    return weights


def settled_weights(weights: NDArray[Any], name: str, weight_type: str | None = None) -> NDArray[Any] | None:
    """Checked weights; None where every row weighs 1, which is the same as no weights in either reading."""
    return unless_ones(checked_weights(weights, name, weight_type))


def unless_ones(weights: NDArray[Any]) -> NDArray[Any] | None:
    """Weights that were checked; None where every row weighs 1."""
    return None if weights.dtype.kind == "i" and bool((weights == 1).all()) else weights


def weights_of_part(weights: NDArray[Any]) -> NDArray[Any] | None:
    """Weights of some of the rows that were checked: whole ones are counts, though others were not."""
    if weights.dtype.kind == "f" and bool((weights == np.floor(weights)).all()):
        weights = _whole_or_float(weights)
    return unless_ones(weights)


def _checked(weights: NDArray[Any], name: str) -> NDArray[Any]:
    weights = _numeric(weights, name)
    _refuse(weights < 0, "weights_negative", name, "negative")
    _refuse(~np.isfinite(weights), "weights_not_finite", name, "infinite")
    if weights.size and not (weights > 0).any():
        raise InputError(
            "weights_all_zero",
            f"{name}: all {format_count(weights.size)} weights are zero, so no row counts; pass some above 0",
        )
    if weights.dtype.kind == "f":
        _refuse_extremes(weights, name)
        return _whole_or_float(weights) if bool((weights == np.floor(weights)).all()) else weights
    return weights


def _refuse_extremes(weights: NDArray[Any], name: str) -> None:
    """Products of two weights must be numbers above zero: pairs are counted with them."""
    wrong = (weights > MOST_WEIGHT / weights.size) | ((weights < LEAST_WEIGHT) & (weights > 0))
    _refuse_rows(np.flatnonzero(wrong), name)
    light = np.flatnonzero((weights > 0) & (weights < float(weights.max(initial=0)) / MOST_RATIO))
    if light.size:
        raise InputError(
            "weights_extreme",
            f"{name}: {format_count(light.size)} more than {format_setting(MOST_RATIO)} "
            "times smaller than the largest, "
            f"{first_rows(light, total=light.size)}; beside it they count for nothing: drop these rows, or weigh anew",
        )


def _refuse_rows(rows: NDArray[Any], name: str) -> None:
    if rows.size:
        raise InputError(
            "weights_extreme",
            f"{name}: {format_count(rows.size)} too large or too small to be "
            f"multiplied, {first_rows(rows, total=rows.size)}; "
            "only ratios matter, so rescale them",
        )


def _numeric(weights: NDArray[Any], name: str) -> NDArray[Any]:
    if weights.dtype.kind == "O":
        weights = _from_objects(weights, name)
    if weights.dtype.kind in "biu":
        return _whole_or_float(weights)
    if weights.dtype.kind == "f":
        return _in_range(weights, name)
    raise InputError("weight_type", f"{name} must hold numbers, got the type {weights.dtype}; convert them")


def _from_objects(weights: NDArray[Any], name: str) -> NDArray[Any]:
    odd = [row for row, value in enumerate(weights) if not is_real(value)]
    if odd:
        raise InputError(
            "weight_type",
            f"{name} must hold numbers, not as in {first_rows(odd, total=len(odd))}: "
            f"{some_values(weights[odd[:5]])}; convert or drop them",
        )
    values = weights.tolist()
    if all(_is_whole(value) for value in values):
        values = [int(value) for value in values]
    plain = natural_array(values)
    return plain if plain.dtype.kind != "O" else _in_range(weights, name)


def _is_whole(value: Any) -> bool:
    if is_far(value):
        return False
    try:
        return isinstance(value, int) or (math.isfinite(value) and value == int(value))
    except OverflowError:
        return False


def _in_range(weights: NDArray[Any], name: str) -> NDArray[np.float64]:
    """Doubles; a weight that would become infinite, or vanish, is refused."""
    doubles, beyond = to_doubles(weights)
    _refuse_rows(beyond, name)
    return doubles


def _whole_or_float(weights: NDArray[Any]) -> NDArray[Any]:
    """Sums of int64 are exact until they overflow; beyond that floats are the honest type."""
    total = weights.sum(dtype=np.float64)
    return weights.astype(np.int64 if total < MOST_EXACT_WEIGHT else np.float64)


def _refuse(wrong: NDArray[np.bool_], code: str, name: str, word: str) -> None:
    rows = np.flatnonzero(wrong)
    if rows.size:
        raise InputError(
            code,
            f"{name}: {format_count(rows.size)} {word}, {first_rows(rows, total=rows.size)}; "
            "weights count rows, so use finite ones >= 0",
        )
