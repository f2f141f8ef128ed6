"""Bootstrap and jackknife intervals of any measure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from rocsteady._src.base.errors import ArgumentError, InputError, Undefined, refuse_one_class
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.intervals.at_bound import AGREE, low_end_at_bound
from rocsteady._src.inference.intervals.measure_facts import (
    area_of,
    bounds_of_measure,
    draws_within_classes,
    ends_of_measure,
    sheet_of,
)
from rocsteady._src.inference.intervals.normal import check_choice, check_level, quantile_of
from rocsteady._src.inference.intervals.replicate_ends import KINDS, Shape, ends, remarks_on_ends, spread_of, within
from rocsteady._src.inference.intervals.undercoverage import AREAS, short_of_kind, short_of_measure
from rocsteady._src.inference.resampling.auc_draws import auc_draws
from rocsteady._src.inference.resampling.batches import in_batches
from rocsteady._src.inference.resampling.draws import GroupDraws, RowDraws
from rocsteady._src.inference.resampling.resample import (
    acceleration,
    check_failures,
    fresh_seed,
    jackknife_variance,
    left_out_values,
    one_by_one,
    replicate_many,
    sampler,
)
from rocsteady._src.inputs.weights import reading_remarks, weight_type_of
from rocsteady._src.measures.plain_functions import as_measure
from rocsteady._src.measures.ranking import auc
from rocsteady._src.measures.requests import parse_requests
from rocsteady._src.ranked import RankedScores, groups_or_rows, read_models
from rocsteady._src.results import Interval, Resampling
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy as np

    from rocsteady._src.inference.resampling.draws import Draws
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.measures.registry import FactSheet
    from rocsteady._src.ranked import Rows

Kind = Literal["percentile", "basic", "bca", "student", "corrected", "corrected log"]


@typed
def bootstrap_interval(
    measure: Any,
    y_true: object,
    y_score: object = None,
    *,
    n_resamples: int = 2000,
    level: float = 0.95,
    random_state: int | None = None,
    method: Kind | None = None,
    stratified: bool | None = None,
    cluster: object = None,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    n_jobs: int | None = None,
    params: Mapping[str, Any] | None = None,
) -> Interval | dict[str, Interval]:
    """Bootstrap interval of any measure.

    Rows are drawn with replacement, whole subjects when ``cluster`` is given: all together for measures that depend on
    the share of positives, such as average precision, Brier score or precision, and within each class for those that do
    not, such as the AUC. The fact sheet of a measure says which, ``resampling.scheme`` of the result what was done.
    Each resample re-weights the sorted groups; nothing is sorted again: O(distinct scores) per resample.

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
    method : {"percentile", "basic", "bca", "student", "corrected", "corrected log"}, optional
        How replicates become an interval; when absent, the way that held its level best for the measure, which its fact
        sheet names ("percentile" for other functions). BCa's acceleration comes from the jackknife, above 4,000 units
        from a random part of it. "student" goes t standard deviations to both sides of the estimate, with as many
        degrees of freedom as the smaller class has rows but one, on the log-odds scale for bounded measures and on the
        log scale for positive ones; what reaches past twice the distance to a bound is added plainly. "corrected" does
        so after taking off the bias that replicates show, and up to 2.41 times that at the end where more may be
        hidden, which lies on the plain scale; "corrected log" on the log scale of the distance to the largest value.
    stratified : bool, optional
        Draw positives and negatives apart, so that every resample has as many of both. When absent, as the fact sheet
        of the measure says; functions without one draw all rows together. For a study of fixed class sizes say True.
    cluster : array-like, optional
        The subject of each row.
    weight_type : {"frequency", "sampling"}, optional
        As in :func:`rocsteady.auc_interval`.
    n_jobs : int, optional
        Threads; -1 for one per core, -2 for one fewer.
    params : mapping, optional
        Parameters of the measure.

    Returns
    -------
    Interval, or dict of Interval
        With ``resampling``: scheme, seed, failures and replicates.

    Examples
    --------
    >>> import rocsteady as rs
    >>> table = rs.examples.loans(300)
    >>> interval = rs.bootstrap_interval("average_precision", table["defaulted"], table["logistic"], random_state=1)
    >>> print(interval)
    0.5613 [0.4141, 0.6985] (0.95 level, bootstrap student)
    >>> interval.resampling.scheme, interval.resampling.seed
    ('rows', 1)
    """
    kind = ends_of_measure(measure) if method is None else method
    check_choice("method", kind, KINDS)
    check_level(level)
    draws, names = _draws(
        y_true,
        y_score,
        _apart(measure, stratified),
        cluster,
        weight_type,
        _row_options(sample_weight, pos_label, missing),
    )
    compute = measure_function(measure, params)
    seed = fresh_seed(random_state)
    many = _many(measure, params, draws, compute)
    values = replicate_many(many, n_resamples=n_resamples, seed=seed, n_jobs=n_jobs)
    bounds, sheet = bounds_of_measure(measure, params), _sheet(measure)
    intervals = [
        _interval(draws, model, values[:, model], compute, kind, level, seed, bounds, sheet)
        for model in range(len(draws.ranked))
    ]
    if method is None:
        intervals = [_with_width(found, draws, model, measure, params) for model, found in enumerate(intervals)]
    return intervals[0] if names is None else dict(zip(names, intervals, strict=True))


@typed
def jackknife_interval(
    measure: Any,
    y_true: object,
    y_score: object = None,
    *,
    level: float = 0.95,
    stratified: bool | None = None,
    cluster: object = None,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    params: Mapping[str, Any] | None = None,
) -> Interval:
    """Interval of a smooth measure from leaving out one row, or one subject, at a time.

    Estimate +- z se, cut to the bounds of the measure; se^2 sums (n - 1)/n times the squared deviations of the left-out
    values, over the classes for measures whose rows are drawn within classes.
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
    >>> round(rs.inference.jackknife_interval("auc", y, score).se, 6) == round(rs.auc_interval(y, score).se, 6)
    True
    """
    check_level(level)
    options = _row_options(sample_weight, pos_label, missing)
    draws, names = _draws(y_true, y_score, _apart(measure, stratified), cluster, weight_type, options)
    if names is not None:
        raise ArgumentError("one_model", "jackknife_interval takes one model at a time")
    compute = measure_function(measure, params)
    estimate = float(compute(draws.ranked[0]))
    left_out = left_out_values(draws, lambda made: [compute(made[0])], seed=0)
    se = math.sqrt(jackknife_variance(left_out))
    reach = quantile_of(level) * se
    ends_found = within(bounds_of_measure(measure, params), estimate - reach, estimate + reach)
    short = short_of_kind(draws.ranked[0], draws.fewest, "jackknife", _sheet(measure))
    warnings = (
        *reading_remarks(draws.ranked[0].origin),
        *([Remark("undefined_without_a_unit")] if math.isnan(se) else []),
        *short,
    )
    return Interval(estimate, *ends_found, level, "jackknife", se=se, warnings=warnings, **facts_of(draws.ranked[0]))


def measure_function(measure: Any, params: Mapping[str, Any] | None = None) -> Callable[[RankedScores], float]:
    """The formula of a measure: a name, a function of the registry, or any of ranked scores or labels and scores."""
    if callable(measure) and not hasattr(measure, "sheet"):
        formula = as_measure(measure)
        return lambda ranked: formula(ranked, **(params or {}))
    request, *_ = parse_requests([measure])
    options = {**request.params, **(params or {})}
    return lambda ranked: request.sheet.compute(ranked, **options)


def _many(
    measure: Any, params: Mapping[str, Any] | None, draws: Draws, compute: Callable[[RankedScores], float]
) -> Callable[[np.random.Generator, int], Iterable[Sequence[float]]]:
    """Many resamples of a measure, the shortest way."""
    if sheet_of(measure) is not None:
        request, *_ = parse_requests([measure])
        batch = in_batches(draws, [(request.sheet, {**request.params, **(params or {})})])
        if batch is not None:
            return batch
    short = auc_draws(measure, params, draws)
    return one_by_one(short or sampler(draws, lambda made: [compute(each) for each in made]))


def ranks_only(measure: Any) -> bool:
    """Whether a measure is known to depend on the order of scores alone."""
    if callable(measure) and not hasattr(measure, "sheet"):
        return area_of(measure) is not None
    return "monotone" in parse_requests([measure])[0].sheet.invariances


def _apart(measure: Any, stratified: bool | None) -> bool:
    return draws_within_classes(measure) if stratified is None else stratified


def _sheet(measure: Any) -> FactSheet | None:
    return auc.sheet if area_of(measure) is not None else sheet_of(measure)


def _defined(value: float) -> float:
    if isinstance(value, Undefined):
        raise InputError(value.reason, f"the measure is undefined on these rows: {value.explanation}")
    return float(value)


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
    options = {"cluster": cluster, "weight_type": weight_type, **options}
    if isinstance(y_score, Mapping):
        models = read_models(y_true, y_score, **options)
        return _draws_of_rows(models, stratified), list(models.names)
    rows = groups_or_rows(y_true, y_score, "resampling", **options)
    if isinstance(rows, RankedScores):
        return GroupDraws(_with_both_classes(rows, stratified), stratified=stratified), None
    return _draws_of_rows(rows, stratified), None


def _draws_of_rows(rows: Rows, stratified: bool) -> RowDraws:
    _with_both_classes(rows.ranked[0], stratified)
    return RowDraws(rows, stratified=stratified, frequency=rows.reading == "frequency")


def _with_both_classes(ranked: RankedScores, stratified: bool) -> RankedScores:
    if stratified:
        refuse_one_class(ranked.n_pos, ranked.n_neg, "drawing within classes needs")
    return ranked


def _interval(
    draws: Draws,
    model: int,
    values: Any,
    compute: Callable[[RankedScores], float],
    method: str,
    level: float,
    seed: int,
    bounds: tuple[float, float],
    sheet: FactSheet | None,
) -> Interval:
    estimate = _defined(compute(draws.ranked[model]))
    n_failed, remarks = check_failures(values)
    skew = 0.0
    if method == "bca":
        skew = acceleration(left_out_values(draws, lambda made: [compute(made[model])], seed=seed))
    low, high = ends(method, values, estimate, level, Shape(bounds, draws.fewest, skew))
    remarks += remarks_on_ends(low, high, estimate, values)
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
            *_few_remarks(values.size),
            *_short(draws, model, method, sheet),
        ),
        **facts_of(draws.ranked[model]),
    )


def _with_width(found: Interval, draws: Draws, model: int, measure: Any, params: Mapping[str, Any] | None) -> Interval:
    """The default interval; with an end by the AUC's interval where a measure of ranks and all resamples are at 1."""
    if not found.high - found.low <= AGREE or sheet_of(measure) is None:
        return found
    request, *_ = parse_requests([measure])
    options = {**request.params, **(params or {})}
    bounded = low_end_at_bound(
        request.sheet, options, draws.ranked[model], float(found.estimate), draws.fewest, found.level
    )
    if bounded is None:
        return found
    others = tuple(text for text in found.warnings if getattr(text, "code", "") != "resamples_agree")
    return replace(found, low=bounded[0], warnings=(*bounded[1], *others))


def _few_remarks(n_resamples: int) -> list[Remark]:
    return [Remark("few_resamples", n=n_resamples)] if n_resamples < 1000 else []


def _short(draws: Draws, model: int, method: str, sheet: FactSheet | None) -> list[Remark]:
    if sheet is not None and method == sheet.ends and sheet.name not in AREAS:
        return short_of_measure(sheet, draws.ranked[model], draws.fewest, draws.units)
    return short_of_kind(draws.ranked[model], draws.fewest, method, sheet)
