"""Scores are compared, never rounded: every numeric type keeps its own exact order."""

from __future__ import annotations

import math
import numbers
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError, first_rows, is_text_of_number, some_values
from rocsteady._src.base.text import format_count
from rocsteady._src.inputs.arrays import exactly_converted, natural_array

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_EXPONENT = 20_000  # of a decimal that is written out as a fraction


def ordered_scores(scores: NDArray[Any], labels: NDArray[Any], pos_label: Any, name: str) -> NDArray[Any]:
    """Return scores in a type that NumPy sorts exactly; predicted labels become 1 (positive) and 0."""
    if scores.dtype.kind in "iuf":
        return scores
    if scores.dtype.kind == "b":
        return scores.view(np.uint8)
    if scores.dtype.kind == "O":
        return _from_objects(scores, labels, pos_label, name)
    if scores.dtype.kind in "US":
        return _from_predicted_labels(scores, labels, pos_label, name)
    raise InputError("score_type", f"{name} must hold numbers, got the type {scores.dtype}; convert them")


def _from_objects(scores: NDArray[Any], labels: NDArray[Any], pos_label: Any, name: str) -> NDArray[Any]:
    if all(isinstance(value, str) for value in scores):
        return _from_predicted_labels(scores, labels, pos_label, name)
    odd = [row for row, value in enumerate(scores) if not is_real(value)]
    if odd:
        raise InputError(
            "score_type",
            f"{name} must hold numbers, not as in {first_rows(odd, total=len(odd))}: "
            f"{some_values(scores[odd[:5]])}; convert or drop them",
        )
    plain = natural_array(scores.tolist())
    if exactly_converted(plain, scores):
        return ordered_scores(plain, labels, pos_label, name)
    return _python_numbers(scores, name)


def _python_numbers(scores: NDArray[Any], name: str) -> NDArray[Any]:
    """NumPy's scalars round what they are compared with to their own precision; Python's compare exactly."""
    values = [_plain(value) for value in scores]
    if {Decimal, Fraction} <= {type(value) for value in values}:  # which Python does not compare
        far = [row for row, value in enumerate(values) if is_far(value)]
        if far:
            text = (
                f"{name} mixes decimals and fractions, and {format_count(len(far))} "
                "decimals have exponents too large for that"
            )
            raise InputError("score_type", f"{text}, {first_rows(far, total=len(far))}; use one type")
        values = [_fraction(value) if isinstance(value, Decimal) else value for value in values]
    exact = np.empty(scores.size, dtype=object)
    exact[:] = values
    return exact


def _plain(value: Any) -> Any:
    if not isinstance(value, np.generic):
        return value
    if isinstance(value, np.longdouble) and float(value) != value:
        return Fraction(*value.as_integer_ratio())
    return float(value) if isinstance(value, np.longdouble) else value.item()


def _fraction(value: Decimal) -> Any:
    return Fraction(value) if value.is_finite() else float(value)


def is_far(value: Any) -> bool:
    """Whether a decimal has so large an exponent that its digits, written out, would fill the memory."""
    return isinstance(value, Decimal) and value.is_finite() and abs(value.adjusted()) > MOST_EXPONENT


def to_doubles(values: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The nearest doubles, and the places of finite numbers beyond their range: too large, or so small as to be 0.

    Examples
    --------
    >>> doubles, beyond = to_doubles(np.array([Decimal("0.5"), 10**400, Decimal("1e-999")], dtype=object))
    >>> doubles.tolist(), beyond.tolist()
    ([0.5, inf, 0.0], [1, 2])
    """
    if _fit(values):
        return values.astype(np.float64, copy=False), np.zeros(0, dtype=np.int64)
    doubles = np.array([_nearest(value) for value in values], dtype=np.float64)
    odd = np.flatnonzero(np.isinf(doubles) | (doubles == 0)).tolist()
    beyond = [place for place in odd if values[place] != float(doubles[place])]
    return doubles, np.array(beyond, dtype=np.int64)


def _fit(values: NDArray[Any]) -> bool:
    """Whether doubles hold all values of this type, but for digits."""
    return values.dtype.kind != "O" and values.dtype.itemsize <= 8


def _nearest(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def beyond_doubles(scores: NDArray[Any], name: str, *, rows: bool = True) -> str:
    """What cannot be measured about these scores; empty where doubles hold them all. They rank in any case."""
    beyond = () if _fit(scores) else to_doubles(scores)[1]
    if not len(beyond):
        return ""
    where = first_rows(beyond, total=len(beyond)) if rows else "of the distinct ones"
    return (
        f"{name}: {format_count(len(beyond))} too large or too near to 0 for a double, {where}: "
        f"{some_values(scores[row] for row in beyond[:3])}"
    )


def as_doubles(scores: NDArray[Any], name: str) -> NDArray[np.float64]:
    """Scores as float64 for what needs their size; those beyond its range are refused."""
    doubles, beyond = to_doubles(scores)
    if beyond.size:
        raise not_doubles(beyond_doubles(scores, name))
    return doubles


def not_doubles(told: str) -> InputError:
    """The refusal of scores by what needs their size."""
    text = "ranks do not mind, but here their size counts: rescale the scores, or drop these rows"
    return InputError("beyond_doubles", f"{told}; {text}")


def is_real(value: object) -> bool:
    """Whether a value is a real number of Python or NumPy; a time span, which NumPy counts among integers, is none."""
    return isinstance(value, (numbers.Real, Decimal, np.bool_)) and not isinstance(value, np.timedelta64)


def _from_predicted_labels(scores: NDArray[Any], labels: NDArray[Any], pos_label: Any, name: str) -> NDArray[np.uint8]:
    """A discrete classifier: text is accepted only where it is one of the labels."""
    known = set(labels.tolist()) | {pos_label}
    strange = [row for row, value in enumerate(scores.tolist()) if value not in known]
    if strange:
        told = scores[strange[:5]].tolist()
        written = all(isinstance(each, str) and is_text_of_number(each) for each in told)
        what, how = ("numbers as text", ", such as by .astype(float)") if written else ("text that is no label", "")
        where = f"{first_rows(strange, total=len(strange))}: {some_values(told)}"
        raise InputError("score_text", f"{name} holds {what}, {where}; scores must be numbers, so convert them{how}")
    predicted: NDArray[np.uint8] = np.asarray(scores == pos_label).astype(np.uint8)
    return predicted
