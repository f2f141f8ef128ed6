"""Scores of probabilities that are means over rows: log loss, Brier scores, ranked probability score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.base.errors import first_rows, not_probabilities
from rocsteady._src.base.text import format_count
from rocsteady._src.designs.classes.scores_by_class import MOST_ROUNDED, ROUNDED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.designs.classes.scores_by_class import ClassRows

    Array = NDArray[np.float64]


def log_losses(rows: ClassRows) -> Array:
    """Minus the natural logarithm of the probability of the row's class; infinite where that is 0."""
    found = np.empty(rows.n_rows)
    for block, part in rows.blocks():
        own = np.take_along_axis(part, rows.codes[block][:, None].astype(np.intp), axis=1)[:, 0]
        with np.errstate(divide="ignore"):
            found[block] = -np.log(own.astype(np.float64)) + 0.0
    return found


def squared_errors(rows: ClassRows) -> Array:
    """Sum over classes of (probability - whether it is the row's class) squared: Brier's score of 1950, at most 2."""
    found = np.empty(rows.n_rows)
    for block, part in rows.blocks():
        own = rows.codes[block][:, None] == np.arange(rows.n_classes)
        found[block] = ((part.astype(np.float64) - own) ** 2).sum(axis=1)
    return found


def ranked_errors(rows: ClassRows) -> Array:
    """The same of probabilities added up in the order of the classes, over one less than their number: at most 1."""
    found = np.empty(rows.n_rows)
    for block, part in rows.blocks():
        through = part.astype(np.float64).cumsum(axis=1)[:, :-1]
        reached = rows.codes[block][:, None] <= np.arange(rows.n_classes - 1)
        found[block] = ((through - reached) ** 2).sum(axis=1) / max(rows.n_classes - 1, 1)
    return found


def refuse_scores(rows: ClassRows, what: str) -> None:
    """Refuse rows that are no probabilities: negative, or of another sum than 1, but for rounding."""
    near = min(ROUNDED * rows.n_classes, MOST_ROUNDED) + 1e-9
    odd: list[int] = []
    for block, part in rows.blocks():
        with np.errstate(invalid="ignore"):
            sums = part.sum(axis=1, dtype=np.float64)
            bad = ~(np.abs(sums - 1) <= near) | (part < 0).any(axis=1)
        odd += (np.flatnonzero(bad) + block.start).tolist()
    if odd:
        text = f"{what} needs probabilities: {format_count(len(odd))} rows have a negative one or do not add up to 1"
        raise not_probabilities(f"{text}, {first_rows(odd, total=len(odd))}", "pass those of predict_proba")
