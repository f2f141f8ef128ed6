"""One model's columns, read once: as groups where these tell all that an interval needs, else as rows."""

from __future__ import annotations

from typing import Any

from rocsteady._src.base.errors import InputError
from rocsteady._src.inputs.weights import summed, weight_type_of
from rocsteady._src.ranked.rows import Rows, read_models
from rocsteady._src.ranked.scores import RankedScores, rank


def groups_or_rows(
    y_true: object,
    y_score: object,
    what: str,
    *,
    sample_weight: object = None,
    cluster: object = None,
    weight_type: str | None = None,
    **options: Any,
) -> RankedScores | Rows:
    """Groups of rows that count one by one; rows where subjects or sampling weights tell more. ``what`` needs them."""
    weight_type_of(None, weight_type)
    how: dict[str, Any] = {"sample_weight": sample_weight, "weight_type": weight_type, **options}
    counted = sample_weight is None or weight_type == "frequency"
    if cluster is None and (counted or isinstance(y_true, RankedScores)):
        ranked = rank(y_true, y_score, **how)
        if not ranked.counts_rows:
            raise InputError("weights_summed", summed(what))
        return ranked
    rows = read_models(y_true, {"y_score": y_score}, cluster=cluster, **how)
    return rows.ranked[0] if cluster is None and rows.weights is None else rows  # weights of 1 are none
