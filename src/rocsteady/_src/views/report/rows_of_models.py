"""What functions take in place of labels and scores: ranked scores, or rows where subjects or weights tell more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsteady._src.ranked import rows_by_unit

if TYPE_CHECKING:
    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.ranked import RankedScores, Rows


def rows_of(result: Evaluation, model: str) -> RankedScores | Rows:
    """Rows of a model with their subjects, where it matters whose they are, or how they were sampled; else groups."""
    return subjects_of(result, model) or result.ranked[model]


def subjects_of(result: Evaluation, model: str) -> Rows | None:
    """Rows of a model with their subjects, where rows have any; each its own where weights are sampling weights."""
    sampled = result.origin.reading == "sampling"
    return rows_by_unit(result.rows, model, subjects=result.cluster is not None, sampled=sampled)
