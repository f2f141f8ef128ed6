"""The whole picture of a cross-validation: folds, mean, pooled, and why the last two differ."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, get_args

from rocsteady._src.base.errors import Undefined
from rocsteady._src.base.text import format_interval, format_number
from rocsteady._src.base.typed import typed
from rocsteady._src.designs.folds.auc import (
    UndefinedFolds,
    check_units,
    mean_interval,
    pooled_interval,
    refuse_folds_of_one_class,
    unit_sizes,
)
from rocsteady._src.designs.folds.influence import (
    Pairs,
    influence_of_mean,
    influence_of_pooled,
    pairs_of,
    sampled_variance,
    variance_of,
)
from rocsteady._src.designs.folds.rows_by_fold import FoldedRows, read_folds
from rocsteady._src.inference.intervals.areas import with_bounds
from rocsteady._src.inference.intervals.automatic import whole_area
from rocsteady._src.inference.intervals.normal import check_choice, check_level, quantile_of
from rocsteady._src.inference.units.components import Area, area_spread
from rocsteady._src.results.crossval import CrossValidation, FoldAuc

if TYPE_CHECKING:
    from rocsteady._src.designs.folds.rows_by_fold import Fold
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.results import Interval

MeanMethod = Literal["auto", "wilson", "influence", "delong", "logit", "corrected-t"]
SAME = 5e-5  # what four decimals do not show


@typed
def crossval_evaluate(
    y_true: object,
    y_score: object = None,
    *,
    fold: object = None,
    repeat: object = None,
    id: object = None,  # noqa: A002 - as evaluate calls it
    cluster: object = None,
    method: MeanMethod = "auto",
    level: float = 0.95,
    undefined: UndefinedFolds = "nan",
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> CrossValidation:
    """AUC of each fold, their mean, the AUC of all scores pooled, and their difference explained.

    Pooling compares rows of different folds, which different models have scored. pooled - mean = by_size + by_scale:
    the first since folds with more pairs count for more, the second since pairs across folds are ranked right more or
    less often than those inside. O(n log n).

    Parameters
    ----------
    y_true, y_score, fold, repeat, id, cluster, sample_weight, weight_type, pos_label, missing
        As in :func:`rocsteady.crossval_auc`.
    method : {"auto", "wilson", "influence", "delong", "logit", "corrected-t"}
        How the interval of the mean is made.
    level : float
        Of all intervals; those of single folds are as :func:`rocsteady.auc_interval` makes them.
    undefined : {"nan", "drop"}
        Whether the mean is undefined, or leaves folds with one class out.

    Returns
    -------
    CrossValidation

    Examples
    --------
    >>> import rocsteady as rs
    >>> y = [1, 1, 0, 0, 1, 1, 0, 0]
    >>> scores = [0.9, 0.7, 0.6, 0.1, 3.0, 5.0, 2.0, 2.5]
    >>> found = rs.crossval.crossval_evaluate(y, scores, fold=list("aaaabbbb"))
    >>> found.mean.estimate, found.pooled.estimate, found.within_auc, found.between_auc
    (1.0, 0.75, 1.0, 0.5)
    >>> found.explanation[0]
    'pooled minus mean: -0.2500 [-0.5965, +0.0965]; -0.2500 from comparing scores of different folds'
    """
    check_choice("method", method, get_args(MeanMethod))
    check_choice("undefined", undefined, get_args(UndefinedFolds))
    check_level(level)
    rows = read_folds(
        y_true,
        {"y_score": y_score},
        fold=fold,
        repeat=repeat,
        row=id,
        cluster=cluster,
        sample_weight=sample_weight,
        weight_type=weight_type,
        pos_label=pos_label,
        missing=missing,
    )
    return crossval_of_rows(rows, level, undefined=undefined, method=method)


def crossval_of_rows(
    rows: FoldedRows, level: float, *, undefined: str = "nan", method: str = "auto"
) -> CrossValidation:
    """Evaluate the first model of rows that were read."""
    refuse_folds_of_one_class(rows)
    check_units(rows)
    mean, pooled = mean_interval(rows, level, method=method, undefined=undefined), pooled_interval(rows, level)
    pairs = pairs_of(rows)
    difference = pooled.estimate - mean.estimate
    reach = _reach(rows, difference, level)
    return CrossValidation(
        folds=tuple(_fold(rows, fold, level) for fold in rows.folds),
        mean=mean,
        pooled=pooled,
        difference=difference,
        difference_low=difference - reach,
        difference_high=difference + reach,
        by_size=pairs.within - mean.estimate,
        by_scale=pooled.estimate - pairs.within,
        within_auc=pairs.within,
        between_auc=pairs.between,
        explanation=_explained(mean, pooled, pairs, reach),
        n_repeats=rows.n_repeats,
        level=level,
        origin=rows.origin,
        warnings=mean.warnings,
    )


def _fold(rows: FoldedRows, fold: Fold, level: float) -> FoldAuc:
    ranked = fold.ranked[0]
    if fold.one_class:
        only = "negatives" if not ranked.n_pos else "positives"
        reason = f"{fold.counts} has {only} only: stratify the folds, or make fewer"
        value: float = Undefined("single_class")
        return FoldAuc(fold.label, fold.repeat, value, math.nan, math.nan, ranked.n_pos, ranked.n_neg, reason)
    value = float(Area().value(ranked))
    counted = ranked.counts_rows
    variance = area_spread(Area(), ranked) if counted else sampled_variance(rows, fold)
    sizes = unit_sizes(rows, fold.rows)
    low, high = with_bounds(Area(), ranked, whole_area(value, variance, sizes), sizes, None).ends(level)
    return FoldAuc(fold.label, fold.repeat, value, low, high, ranked.n_pos, ranked.n_neg)


def _reach(rows: FoldedRows, difference: float, level: float) -> float:
    """Half width of the interval of pooled minus mean: the same rows are in both."""
    if math.isnan(difference) or any(fold.one_class for fold in rows.folds):
        return math.nan
    added = influence_of_pooled(rows) - influence_of_mean(rows)
    return quantile_of(level) * math.sqrt(variance_of(rows, added))


def _explained(mean: Interval, pooled: Interval, pairs: Pairs, reach: float) -> tuple[str, ...]:
    difference = pooled.estimate - mean.estimate
    if math.isnan(difference):
        return ("the mean is undefined, so nothing can be said of its difference to the pooled AUC",)
    by_size, by_scale = pairs.within - mean.estimate, pooled.estimate - pairs.within
    sources = {"comparing scores of different folds": by_scale, "folds with more pairs counting for more": by_size}
    parts = [
        f"{format_number(part, signed=True)} from {source}" for source, part in sources.items() if abs(part) > SAME
    ]
    found = format_interval(difference, difference - reach, difference + reach, signed=True)
    first = "; ".join([f"pooled minus mean: {found}", *([", ".join(parts)] if parts else [])])
    shares = f"({format_number(pairs.between)}) than inside a fold ({format_number(pairs.within)})"
    if math.isnan(reach) or abs(difference) <= reach or abs(by_scale) <= SAME:
        return (first, "this may be chance: the folds' scores may be on one scale")
    if by_scale < 0:
        verdict = f"pairs across folds are ranked right less often {shares}: the folds' scores are not on one scale"
        return (first, f"{verdict}, so the pooled AUC is too low for what each model does; use the mean")
    verdict = (
        f"pairs across folds are ranked right more often {shares}: the level of a fold's scores tells about its rows"
    )
    return (first, f"{verdict}, as when folds differ in prevalence; the mean does not count that")
