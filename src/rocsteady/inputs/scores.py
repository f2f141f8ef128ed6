"""Scores are compared, never rounded: every numeric type keeps its own exact order."""

from __future__ import annotations

import numbers
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.errors import InputError, first_rows, some_values
from rocsteady.inputs.arrays import exactly_converted

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
    plain = np.array(scores.tolist())
    if exactly_converted(plain, scores):
        return ordered_scores(plain, labels, pos_label, name)
    return _python_numbers(scores)


def _python_numbers(scores: NDArray[Any]) -> NDArray[Any]:
    """NumPy's scalars round what they are compared with to their own precision; Python's compare exactly."""
    exact = np.empty(scores.size, dtype=object)
    exact[:] = [value.item() if isinstance(value, np.generic) else value for value in scores]
    return exact


def is_real(value: object) -> bool:
    """Whether a value is a real number of Python or NumPy."""
    return isinstance(value, (numbers.Real, Decimal, np.bool_))


def _from_predicted_labels(scores: NDArray[Any], labels: NDArray[Any], pos_label: Any, name: str) -> NDArray[np.uint8]:
    """A discrete classifier: text is accepted only where it is one of the labels."""
    known = set(labels.tolist()) | {pos_label}
    strange = [row for row, value in enumerate(scores.tolist()) if value not in known]
    if strange:
        raise InputError(
            "score_text",
            f"{name} holds text that is no label, {first_rows(strange, total=len(strange))}: "
            f"{some_values(scores[strange[:5]].tolist())}; scores must be numbers, so convert them",
        )
    predicted: NDArray[np.uint8] = np.asarray(scores == pos_label).astype(np.uint8)
    return predicted
