"""Rows become an evaluation: every measure of every model, without intervals."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import REASONS, InputError, Undefined
from rocsteady._src.evaluation.evaluation import Evaluation
from rocsteady._src.evaluation.remarks import remarks_on_evaluation, warn_of
from rocsteady._src.measures.model_thresholds import rules_of_models, threshold_of_each
from rocsteady._src.measures.requests import Request, parse_requests
from rocsteady._src.ranked import RankedScores, rank
from rocsteady._src.results.base import facts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.ranked import AnyRows, Rows

DEFAULT_MEASURES = ("auc", "average_precision", "ks_statistic", "h_measure")
THRESHOLD_MEASURES = ("accuracy", "recall", "specificity", "precision", "negative_predictive_value", "f1", "mcc")


def evaluate_rows(
    rows: AnyRows,
    *,
    measures: Sequence[Any] | None = None,
    threshold: Any = None,
    cluster: str | None = None,
    aloud: bool = True,
) -> Evaluation:
    """Values of complete rows, as :func:`rocsteady.evaluate` reads them from a table; without intervals.

    What may be a mistake is among the remarks, and warned about too if ``aloud``.
    """
    requests = _requests(measures, threshold)
    ranked = _ranked(rows, requests)
    thresholds = _thresholds(ranked, threshold)
    first = next(iter(ranked.values()))
    remarks = remarks_on_evaluation(ranked, rows, requests, clustered=cluster is not None)
    if aloud:
        warn_of(remarks)
    return Evaluation(
        models=tuple(ranked),
        columns=tuple(request.column for request in requests),
        values={model: _row(groups, requests, thresholds.get(model)) for model, groups in ranked.items()},
        thresholds=thresholds,
        **facts_of(first),
        remarks=tuple(remarks),
        ranked=ranked,
        rows=rows,
        cluster=cluster,
        requests=tuple(requests),
        threshold_rule=rules_of_models(threshold) if thresholds else None,
    )


def _ranked(rows: AnyRows, requests: list[Request]) -> dict[str, RankedScores]:
    """Groups of every model, together with the rows where a measure depends on the order of tied ones."""
    return rows.rank() if all(request.sheet.ranker is rank for request in requests) else rows.rank_in_order()


def values_of_part(whole: Evaluation, part: Rows) -> dict[str, dict[str, float]]:
    """Values of some rows of an evaluation, by model and column, at the thresholds of all of them."""
    requests = list(whole.requests) or parse_requests(whole.columns)
    return {
        model: _row(groups, requests, whole.thresholds.get(model)) for model, groups in _ranked(part, requests).items()
    }


def values_of_groups(groups: RankedScores, requests: Sequence[Request], threshold: float | None) -> dict[str, float]:
    """Values of one model that follow from its groups alone: of measures that need no order of tied rows."""
    found: dict[str, float] = {}
    for request in requests:
        if request.sheet.ranker is rank:
            with suppress(InputError):  # undefined of these scores
                found |= _row(groups, [request], threshold)
    return found


def _requests(measures: Sequence[Any] | None, threshold: Any) -> list[Request]:
    if measures is None:
        return parse_requests([*DEFAULT_MEASURES, *(THRESHOLD_MEASURES if threshold is not None else ())])
    return parse_requests([measures] if isinstance(measures, str) else measures)


def _thresholds(ranked: dict[str, RankedScores], threshold: Any) -> dict[str, float]:
    """The threshold of each model that was given or chosen, be it for a measure or for what is asked later."""
    return {} if threshold is None else threshold_of_each(ranked, threshold)


def _row(ranked: RankedScores, requests: list[Request], threshold: float | None) -> dict[str, float]:
    row = {}
    for request in requests:
        params = dict(request.params)
        if "threshold" in request.sheet.params:
            params.setdefault("threshold", threshold)
        row[request.column] = _value(request, ranked, params)
    return row


def _value(request: Request, ranked: RankedScores, params: dict[str, Any]) -> float:
    try:
        return request.sheet.compute(ranked, **params)
    except InputError as error:
        if request.named or error.code not in REASONS:
            raise
        return Undefined(error.code)
