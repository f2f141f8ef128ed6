"""Example data, made by seeded code: nobody's rows, the same everywhere."""

from rocsteady._src.base.examples import (
    binormal,
    credit,
    loans,
    score_sets,
)

__all__ = [
    "binormal",
    "credit",
    "loans",
    "score_sets",
]
