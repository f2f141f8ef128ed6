"""What functions take in place of ranked scores: rows, where subjects or weights that are no counts tell more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady.ranked import rank_models
from rocsteady.scale.rows import LazyRows

if TYPE_CHECKING:
    from rocsteady.evaluation import Evaluation
    from rocsteady.ranked import ModelRows


def rows_of(result: Evaluation, model: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments and options: ranked scores, or labels and scores with their subjects and weights."""
    rows, cluster = result.rows, result.cluster
    if isinstance(rows, LazyRows) or (cluster is None and result.ranked[model].exact):
        return (result.ranked[model],), {}
    weights = {} if rows.weight is None else {"sample_weight": rows.columns[rows.weight]}
    subjects = {} if cluster is None else {"cluster": rows.columns[cluster]}
    options = {"pos_label": result.origin.pos_label, **subjects, **weights}
    return (rows.columns[rows.label], rows.columns[model]), options


def subjects_of(result: Evaluation, model: str) -> ModelRows | None:
    """Rows of a model with their subjects, where rows have any."""
    if result.cluster is None or isinstance(result.rows, LazyRows):
        return None
    return rank_models(result.rows, (model,), result.origin.pos_label)
