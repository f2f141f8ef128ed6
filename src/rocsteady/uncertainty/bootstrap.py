"""Bootstrap and jackknife intervals of any measure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from rocsteady.errors import ArgumentError, InputError
from rocsteady.inputs.weights import reading_remarks, summed, weight_type_of
from rocsteady.measures.plain import of_ranked
from rocsteady.measures.specs import parse_requests
from rocsteady.ranked import RankedScores, rank, read_models
from rocsteady.results import Interval, Resampling
from rocsteady.typed import typed
from rocsteady.uncertainty.advice import resampling_warnings
from rocsteady.uncertainty.auc_draws import auc_draws
from rocsteady.uncertainty.components import Area
from rocsteady.uncertainty.draws import GroupDraws, RowDraws
from rocsteady.uncertainty.normal import check_choice, check_level, quantile_of
from rocsteady.uncertainty.resample import (
    acceleration,
    check_failures,
    ends,
    fresh_seed,
    jackknife_variance,
    left_out_values,
    replicate,
    sampler,
    spread_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocsteady.inputs.clean import Missing
    from rocsteady.inputs.weights import WeightType
    from rocsteady.uncertainty.draws import Draws

Kind = Literal["percentile", "basic", "bca"]

FEW_UNITS = 20
BETTER = "for areas take rs.auc_interval(method='logit'), for other measures only more rows help"


@typed
def bootstrap_interval(
    measure: Any,
    y_true: object,
    y_score: object = None,
    *,
    n_resamples: int = 2000,
    level: float = 0.95,
    random_state: int | None = None,
    method: Kind = "percentile",
    stratified: bool = True,
    cluster: object = None,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    n_jobs: int | None = None,
    params: Mapping[str, Any] | None = None,
) -> Any:
    """Bootstrap interval of any measure.

    Rows are drawn with replacement within each class, whole subjects when ``cluster`` is given. Each resample
    re-weights the sorted groups; nothing is sorted again: O(distinct scores) per resample.

    Parameters
    ----------
    measure : str, measure or callable
        A name such as ``"average_precision"`` or ``"partial_auc(fpr_range=(0, 0.2))"``, a registered measure, or any
        function of ranked scores.
    y_true, y_score, sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`. A dict of score columns gives a dict of intervals, all from the same resamples.
    n_resamples : int
        Number of resamples.
    level : float
        Confidence level.
    random_state : int, optional
        Seed; drawn and recorded when absent. The same seed gives the same interval whatever ``n_jobs``.
    method : {"percentile", "basic", "bca"}
        How replicates become an interval. BCa's acceleration comes from the jackknife, above 4,000 units from a
        random part of it.
    stratified : bool
        Draw positives and negatives apart, so that every resample has both.
    cluster : array-like, optional
        The subject of each row.
    weight_type : {"frequency", "sampling"}, optional
        As in :func:`rocsteady.auc_interval`.
    n_jobs : int, optional
        Threads.
    params : mapping, optional
        Parameters of the measure.

    Returns
    -------
    Interval, or dict of Interval
        With ``resampling``: scheme, seed, failures and replicates.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, score = [1, 1, 1, 0, 1, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1]
    >>> interval = rs.bootstrap_interval("average_precision", y, score, random_state=1)
    >>> round(interval.estimate, 4), round(interval.low, 4), interval.resampling.seed
    (0.95, 0.8, 1)
    """
    check_choice("method", method, ("percentile", "basic", "bca"))
    check_level(level)
    draws, names = _draws(
        y_true, y_score, stratified, cluster, weight_type, _row_options(sample_weight, pos_label, missing)
    )
    compute = measure_function(measure, params)
    seed = fresh_seed(random_state)
    sample = auc_draws(measure, params, draws) or sampler(draws, lambda made: [compute(each) for each in made])
    values = replicate(sample, n_resamples=n_resamples, seed=seed, n_jobs=n_jobs)
    intervals = [
        _interval(draws, model, values[:, model], compute, method, level, seed) for model in range(len(draws.ranked))
    ]
    return intervals[0] if names is None else dict(zip(names, intervals, strict=True))


@typed
def jackknife_interval(
    measure: Any,
    y_true: object,
    y_score: object = None,
    *,
    level: float = 0.95,
    stratified: bool = True,
    cluster: object = None,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    params: Mapping[str, Any] | None = None,
) -> Interval:
    """Interval of a smooth measure from leaving out one row, or one subject, at a time.

    Estimate +- z se; se^2 sums (n - 1)/n times the squared deviations of the left-out values over the classes.
    Not for measures that jump, such as KS or R-precision. Above 4,000 units a random part of them is left out.

    Parameters
    ----------
    measure, y_true, y_score, stratified, cluster, sample_weight, weight_type, pos_label, missing, params
        As in :func:`rocsteady.bootstrap_interval`.
    level : float
        Confidence level.

    Returns
    -------
    Interval

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, score = [1, 1, 1, 0, 1, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1]
    >>> round(rs.jackknife_interval("auc", y, score).se, 6) == round(rs.auc_interval(y, score).se, 6)
    True
    """
    check_level(level)
    options = _row_options(sample_weight, pos_label, missing)
    draws, names = _draws(y_true, y_score, stratified, cluster, weight_type, options)
    if names is not None:
        raise ArgumentError("one_model", "jackknife_interval takes one model at a time")
    compute = measure_function(measure, params)
    estimate = float(compute(draws.ranked[0]))
    left_out = left_out_values(draws, lambda made: [compute(made[0])], seed=0)
    se = math.sqrt(jackknife_variance(left_out))
    reach = quantile_of(level) * se
    ends_found = estimate - reach, estimate + reach
    warnings = (*reading_remarks(draws.ranked[0].origin), *short_remarks(draws, 0, "jackknife"))
    return Interval(estimate, *ends_found, level, "jackknife", se=se, warnings=warnings, **_facts(draws.ranked[0]))


def measure_function(measure: Any, params: Mapping[str, Any] | None = None) -> Callable[[RankedScores], float]:
    """The formula of a measure: a name, a function of the registry, or any of ranked scores or labels and scores."""
    if callable(measure) and not hasattr(measure, "sheet"):
        formula = of_ranked(measure)
        return lambda ranked: formula(ranked, **(params or {}))
    request, *_ = parse_requests([measure])
    options = {**request.params, **(params or {})}
    return lambda ranked: request.sheet.compute(ranked, **options)


def ranks_only(measure: Any) -> bool:
    """Whether a measure is known to depend on the order of scores alone."""
    if callable(measure) and not hasattr(measure, "sheet"):
        return isinstance(getattr(measure, "__self__", None), Area)
    return "monotone" in parse_requests([measure])[0].sheet.invariances


def _row_options(sample_weight: object, pos_label: Any, missing: Missing) -> dict[str, Any]:
    return {"sample_weight": sample_weight, "pos_label": pos_label, "missing": missing}


def _draws(
    y_true: object,
    y_score: object,
    stratified: bool,
    cluster: object,
    weight_type: str | None,
    options: dict[str, Any],
) -> tuple[Draws, list[str] | None]:
    """Groups suffice for one model whose rows count; else rows are kept."""
    weight_type_of(None, weight_type)
    many = isinstance(y_score, Mapping)
    if not many and cluster is None:
        ranked = rank(y_true, y_score, weight_type=weight_type, **options)
        if ranked.counts_rows:
            return GroupDraws(_with_both_classes(ranked, stratified), stratified=stratified), None
        if isinstance(y_true, RankedScores):
            raise InputError("weights_summed", summed("resampling"))
    scores: Mapping[str, object] = y_score if isinstance(y_score, Mapping) else {"y_score": y_score}
    rows = read_models(y_true, scores, cluster=cluster, weight_type=weight_type, **options)
    _with_both_classes(rows.ranked[0], stratified)
    return RowDraws(rows, stratified=stratified, frequency=rows.reading == "frequency"), list(
        rows.names
    ) if many else None


def _with_both_classes(ranked: RankedScores, stratified: bool) -> RankedScores:
    if stratified and not (ranked.n_pos and ranked.n_neg):
        raise InputError("single_class", "only one class is present: drawing within classes needs both")
    return ranked


def _interval(
    draws: Draws,
    model: int,
    values: Any,
    compute: Callable[[RankedScores], float],
    method: str,
    level: float,
    seed: int,
) -> Interval:
    estimate = float(compute(draws.ranked[model]))
    n_failed, remarks = check_failures(values)
    skew = 0.0
    if method == "bca":
        skew = acceleration(left_out_values(draws, lambda made: [compute(made[model])], seed=seed))
    low, high = ends(method, values, estimate, level, skew=skew)
    return Interval(
        estimate,
        low,
        high,
        level,
        f"bootstrap {method}",
        se=spread_of(values),
        resampling=Resampling(draws.scheme, values.size, n_failed, seed, values),
        warnings=(
            *reading_remarks(draws.ranked[model].origin),
            *remarks,
            *_few_remarks(draws, values.size),
            *short_remarks(draws, model, method),
        ),
        **_facts(draws.ranked[model]),
    )


def _few_remarks(draws: Draws, n_resamples: int) -> list[str]:
    remarks = []
    if n_resamples < 1000:
        remarks.append(f"{n_resamples} resamples: the ends are uncertain themselves; use 2000 or more")
    return remarks


def short_remarks(draws: Draws, model: int, method: str) -> list[str]:
    """Where intervals by resampling were measured below 92%, of the AUC and of other measures: docs/coverage.md."""
    if min(draws.strata) < FEW_UNITS:
        few = f"only {min(draws.strata)} units to draw from in a stratum"
        return [f"{few}: {method} intervals are too short; {BETTER}"]
    return resampling_warnings(draws.ranked[model], method, BETTER)


def _facts(ranked: RankedScores) -> dict[str, Any]:
    return {"n_pos": ranked.n_pos, "n_neg": ranked.n_neg, "origin": ranked.origin}
