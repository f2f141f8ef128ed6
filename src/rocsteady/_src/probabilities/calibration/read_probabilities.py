"""Rows of one or more models' probabilities: what a mean over rows needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import InputError, refuse_outside
from rocsteady._src.ranked import Rows, read_models

if TYPE_CHECKING:
    from collections.abc import Mapping


def read_probabilities(y_true: object, columns: Mapping[str, object], **options: Any) -> Rows:
    """Check and align columns; rows that lack a value are refused, or dropped for all models alike. O(n)."""
    return of_probabilities(read_models(y_true, columns, **options))


def of_probabilities(rows: Rows) -> Rows:
    """The rows, whose scores are probabilities."""
    if not rows.n_rows:
        raise InputError("empty", "there are no rows")
    for name in rows.names:
        scores = rows.scores_of(name)
        refuse_outside(scores.min(), scores.max(), f"{name} needs probabilities")
        rows.doubles_of(name)
    return rows
