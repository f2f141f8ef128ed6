"""Weights are finite and not negative; whole numbers stay whole, so that counts stay exact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.errors import InputError, first_rows, some_values
from rocsteady.inputs.scores import is_real

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_EXACT_WEIGHT = 2**62
LEAST_WEIGHT, MOST_WEIGHT = 1e-150, 1e150


def checked_weights(weights: NDArray[Any], name: str) -> NDArray[Any]:
    """Return int64 for whole-number types and float64 for the others, or refuse."""
    weights = _numeric(weights, name)
    _refuse(weights < 0, "weights_negative", name, "negative")
    _refuse(~np.isfinite(weights), "weights_not_finite", name, "infinite")
    if weights.size and not (weights > 0).any():
        raise InputError(
            "weights_all_zero", f"{name}: all {weights.size} weights are zero, so no row counts; pass some above 0"
        )
    if weights.dtype.kind == "f":
        _refuse_extremes(weights, name)
    return weights


def _refuse_extremes(weights: NDArray[Any], name: str) -> None:
    """Products of two weights must be numbers above zero: pairs are counted with them."""
    wrong = (weights > MOST_WEIGHT / weights.size) | ((weights < LEAST_WEIGHT) & (weights > 0))
    rows = np.flatnonzero(wrong)
    if rows.size:
        raise InputError(
            "weights_extreme",
            f"{name}: {rows.size} too large or too small to be multiplied, {first_rows(rows, total=rows.size)}; "
            "only ratios matter, so rescale them",
        )


def _numeric(weights: NDArray[Any], name: str) -> NDArray[Any]:
    if weights.dtype.kind == "O":
        weights = _from_objects(weights, name)
    if weights.dtype.kind in "biu":
        return _whole_or_float(weights)
    if weights.dtype.kind == "f":
        return weights.astype(np.float64, copy=False)
    raise InputError("weight_type", f"{name} must hold numbers, got the type {weights.dtype}; convert them")


def _from_objects(weights: NDArray[Any], name: str) -> NDArray[Any]:
    odd = [row for row, value in enumerate(weights) if not is_real(value)]
    if odd:
        raise InputError(
            "weight_type",
            f"{name} must hold numbers, not as in {first_rows(odd, total=len(odd))}: "
            f"{some_values(weights[odd[:5]])}; convert or drop them",
        )
    plain = np.array(weights.tolist())
    return plain if plain.dtype.kind != "O" else weights.astype(np.float64)


def _whole_or_float(weights: NDArray[Any]) -> NDArray[Any]:
    """Sums of int64 are exact until they overflow; beyond that floats are the honest type."""
    total = weights.sum(dtype=np.float64)
    return weights.astype(np.int64 if total < MOST_EXACT_WEIGHT else np.float64)


def _refuse(wrong: NDArray[np.bool_], code: str, name: str, word: str) -> None:
    rows = np.flatnonzero(wrong)
    if rows.size:
        raise InputError(
            code,
            f"{name}: {rows.size} {word}, {first_rows(rows, total=rows.size)}; "
            "weights count rows, so use finite ones >= 0",
        )
