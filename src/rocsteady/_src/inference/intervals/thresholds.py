"""How sure is a chosen threshold? The choice is made again in every resample."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.intervals.chosen_threshold import intervals_when_chosen, thresholds_in_batches
from rocsteady._src.inference.intervals.normal import check_level
from rocsteady._src.inference.intervals.replicate_ends import quantiles_of, spread_of
from rocsteady._src.inference.resampling.batches import MOST_GROUPS
from rocsteady._src.inference.resampling.draws import RowDraws, draws_of_groups
from rocsteady._src.inference.resampling.resample import (
    MOST_FAILED,
    SOME_FAILED,
    fresh_seed,
    replicate,
    replicate_many,
    sampler,
)
from rocsteady._src.inference.units.subjects import ranked_and_rows
from rocsteady._src.inputs.weights import reading_remarks
from rocsteady._src.measures.best_threshold import chosen_by, chosen_if_any
from rocsteady._src.measures.registry import get_measure
from rocsteady._src.measures.threshold_rules import read_rule
from rocsteady._src.results import Interval, Resampling
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocsteady._src.inference.resampling.draws import Draws
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.measures.rule import Rule
    from rocsteady._src.ranked import RankedScores, Rows

RATES = {"tpr": "recall", "fpr": "false_positive_rate", "precision": "precision", "accuracy": "accuracy"}
# Measured by benchmarks/coverage.py, table youden.
ENOUGH = 100


@typed
def threshold_interval(
    y_true: object,
    y_score: object = None,
    *,
    rule: str | Callable[..., Any] = "youden",
    level: float = 0.95,
    n_resamples: int = 2000,
    random_state: int | None = None,
    n_jobs: int | None = None,
    options: dict[str, Any] | None = None,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    label: str | None = None,
) -> dict[str, Interval]:
    """Intervals of a threshold chosen by a rule, and of the rates that new rows will have at it.

    Each resample of rows chooses its own threshold, which gives the threshold's bootstrap interval. The rates are those
    of the population at the threshold that these rows chose. Their estimates are those of the data, and optimistic: a
    threshold is best on the rows that chose it. The resamples tell by how much, and the intervals are Wilson's of the
    rates less that optimism: the same as of :func:`rocsteady.evaluate` with ``threshold=rule`` and ``intervals=True``.

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`; ranked scores go alone.
    weight_type : {"frequency", "sampling"}, optional
        As in :func:`rocsteady.auc_interval`; rows are drawn, each with its sampling weight.
    rule : str or callable
        As in :func:`rocsteady.best_threshold`, such as ``"f1"`` or ``"precision(value=0.9)"``.
    level : float
        Confidence level.
    n_resamples, random_state, n_jobs
        Number of resamples, seed, threads.
    options : dict, optional
        Options of the rule, such as ``{"value": 0.9}``.
    cluster : array-like, optional
        The subject of each row, when subjects have several rows: subjects are drawn instead of rows.
    label : str, optional
        Column of labels, when a table comes first, as in :func:`rocsteady.auc_interval`.

    Returns
    -------
    dict of Interval
        For "threshold", "tpr", "fpr", "precision" and "accuracy". A threshold of inf calls nothing positive: it counts
        as the highest, an end may be inf, and there is no standard error then. Where a rate is undefined in more than a
        tenth of the resamples, its interval is that of a threshold known before, and ``warnings`` say so.

    Examples
    --------
    >>> import rocsteady as rs
    >>> table = rs.examples.loans(300)
    >>> found = rs.inference.threshold_interval(table["defaulted"], table["logistic"], random_state=1)
    >>> found["tpr"].method
    'wilson less optimism of the chosen threshold'
    """
    check_level(level)
    how: dict[str, Any] = {"sample_weight": sample_weight, "pos_label": pos_label, "missing": missing}
    ranked, rows = ranked_and_rows(y_true, y_score, cluster, label, weight_type=weight_type, **how)
    wanted, seed = read_rule(rule, options), fresh_seed(random_state)
    return _intervals(
        (draws_for(ranked, rows, wanted), rows), wanted, level=level, seed=seed, n_resamples=n_resamples, n_jobs=n_jobs
    )


def chosen_interval(
    ranked: RankedScores, rows: Rows | None, rule: Rule, *, level: float, seed: int, n_resamples: int
) -> Interval | None:
    """The interval of the threshold alone, of scores that were ranked; None where too few rows can be resampled."""
    try:
        draws = draws_for(ranked, rows, rule)
        if rows is not None or draws.ranked[0].scores.size > MOST_GROUPS:
            return _of_threshold(draws, rule, level=level, seed=seed, n_resamples=n_resamples)
        values = replicate_many(thresholds_in_batches(draws, rule), n_resamples=n_resamples, seed=seed)
        _refuse_one_class(values)
        return _interval(values[:, 0], float(chosen_by(rule, ranked).threshold), level, draws, seed)
    except InputError as error:
        if error.code != "resamples_failed":
            raise
        return None


def _intervals(
    drawn: tuple[Draws, Rows | None],
    wanted: Rule,
    *,
    level: float,
    seed: int,
    n_resamples: int,
    n_jobs: int | None = None,
) -> dict[str, Interval]:
    draws, rows = drawn
    threshold = _of_threshold(draws, wanted, level=level, seed=seed, n_resamples=n_resamples, n_jobs=n_jobs)
    asked: list[Any] = [(get_measure(measure).sheet, {}) for measure in RATES.values()]
    how: dict[str, Any] = {"level": level, "seed": seed, "n_resamples": n_resamples}
    found = intervals_when_chosen(draws, asked, wanted, rows=None if rows is None else rows.by_row(), **how)
    facts: dict[str, Any] = facts_of(draws.ranked[0])
    return {"threshold": threshold} | {name: replace(each, **facts) for name, each in zip(RATES, found, strict=True)}


def draws_for(ranked: RankedScores, rows: Rows | None, rule: Rule) -> Draws:
    """Resamples in which a rule chooses again: of rows, or of subjects and weighted rows where ``rows`` has them."""
    if rows is None:
        return draws_of_groups(ranked, stratified=False, joins=rule.joins_negatives)
    return RowDraws(rows, stratified=False, frequency=ranked.counts_rows)


def _of_threshold(
    draws: Draws, wanted: Rule, *, level: float, seed: int, n_resamples: int, n_jobs: int | None = None
) -> Interval:
    def chosen(made: list[RankedScores]) -> list[float]:
        choice = chosen_if_any(wanted, made[0])
        return [math.nan if choice is None else float(choice.threshold)]

    values = replicate(sampler(draws, chosen), n_resamples=n_resamples, seed=seed, n_jobs=n_jobs)
    _refuse_one_class(values)
    return _interval(values[:, 0], float(chosen_by(wanted, draws.ranked[0]).threshold), level, draws, seed)


def _refuse_one_class(values: Any) -> None:
    failed = int(np.isnan(values).all(axis=1).sum())
    if failed > MOST_FAILED * len(values):
        text = (
            f"{format_count(failed)} of {format_count(len(values))} resamples "
            "drew one class only, or rows without a threshold that the rule allows: too few rows to resample"
        )
        elsewhere = "; choose the threshold on other rows and take rs.inference.measure_interval"
        raise InputError("resamples_failed", text + elsewhere)


def _interval(values: Any, estimate: float, level: float, draws: Draws, seed: int) -> Interval:
    known = values[~np.isnan(values)]
    n_failed = values.size - known.size
    enough = n_failed <= MOST_FAILED * values.size
    tails = ((1 - level) / 2, (1 + level) / 2)
    low, high = quantiles_of(known, tails) if enough else (math.nan, math.nan)
    ranked = draws.ranked[0]
    fewest = draws.fewest
    return Interval(
        estimate,
        low,
        high,
        level,
        "bootstrap percentile",
        se=spread_of(known) if enough else math.nan,
        **facts_of(ranked),
        warnings=(
            *reading_remarks(ranked.origin),
            *_remarks(values),
            *([Remark("choice_unstable", enough=ENOUGH)] if fewest < ENOUGH else []),
        ),
        resampling=Resampling(draws.scheme, values.size, n_failed, seed, values),
    )


def _remarks(values: Any) -> list[Remark]:
    failed, endless = int(np.isnan(values).sum()), int(np.isinf(values).sum())
    found = []
    if failed > MOST_FAILED * values.size:
        found.append(Remark("choice_undefined", failed=failed, total=values.size))
    elif failed > SOME_FAILED * values.size:
        found.append(Remark("resamples_left_out", failed=failed, total=values.size))
    if endless:
        found.append(Remark("choice_infinite", failed=endless, total=values.size))
    return found
