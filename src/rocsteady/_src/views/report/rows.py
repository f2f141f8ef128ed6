"""What functions take in place of ranked scores: rows, where subjects or weights that are no counts tell more."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocsteady._src.ranked import rank_models
from rocsteady._src.ranked.lazy.rows import LazyRows

if TYPE_CHECKING:
    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.ranked import ModelRows


def rows_of(result: Evaluation, model: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments and options: ranked scores, or labels and scores with their subjects and weights."""
    rows, cluster = result.rows, result.cluster
    if isinstance(rows, LazyRows) or (cluster is None and result.ranked[model].counts_rows):
        return (result.ranked[model],), {}
    weights: dict[str, Any] = {}
    if rows.weight is not None:
        weights = {"sample_weight": rows.columns[rows.weight], "weight_type": rows.weight_type}
    subjects = {} if cluster is None else {"cluster": rows.columns[cluster]}
    options = {"pos_label": result.origin.pos_label, **subjects, **weights}
    return (rows.columns[rows.label], rows.columns[model]), options


def subjects_of(result: Evaluation, model: str) -> ModelRows | None:
    """Rows of a model with their subjects, where rows have any; each its own where weights are sampling weights."""
    weighted = result.origin.reading == "sampling"
    if isinstance(result.rows, LazyRows) or (result.cluster is None and not weighted):
        return None
    rows = rank_models(result.rows, (model,), result.origin.pos_label)
    return rows if result.cluster is not None else replace(rows, clusters=None).by_row()
