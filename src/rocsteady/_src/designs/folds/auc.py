"""AUC of a cross-validation with its interval: the mean of the folds, or all scores pooled."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, Undefined, refuse_one_class
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.designs.folds.influence import (
    delong_of_mean,
    fold_aucs,
    influence_of_mean,
    variance_of,
    variance_of_pooled,
)
from rocsteady._src.designs.folds.rows_by_fold import FoldedRows, read_folds
from rocsteady._src.inference.comparison.learners import corrected_t
from rocsteady._src.inference.intervals.automatic import equal_units, whole_area
from rocsteady._src.inference.intervals.formulas import logit_ends
from rocsteady._src.inference.intervals.normal import check_choice, check_level, quantile_of
from rocsteady._src.inference.units.components import Area
from rocsteady._src.results import Interval
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.designs.folds.rows_by_fold import Fold
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.weights import WeightType

Method = Literal["auto", "wilson", "influence", "delong", "logit", "corrected-t", "pooled"]
UndefinedFolds = Literal["nan", "drop"]
WEAK = 0.7
TRAINED = 0.5  # models trained on other rows would differ: so much more of the variance, up to so many rows
TRAINED_ROWS = 200
# Rows of the smaller class that suffice, from an AUC of 0.7 on and below it, as measured in docs/crossval.md.
ENOUGH = {"influence": (100, 200), "delong": (60, 200), "logit": (0, 200)}


@typed
def crossval_auc(
    y_true: object,
    y_score: object = None,
    *,
    fold: object = None,
    repeat: object = None,
    id: object = None,  # noqa: A002 - as evaluate calls it
    cluster: object = None,
    method: Method = "auto",
    level: float = 0.95,
    undefined: UndefinedFolds = "nan",
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> Interval:
    """Confidence interval of a cross-validated AUC.

    "auto", the default, is "wilson": Wilson's interval of as many rows as the mean of the fold AUCs is worth, with
    Student's t, as in :func:`rocsteady.auc_interval`. Its variance is that of "delong" below, enlarged by half, since
    other rows would have trained other models; beyond 200 rows in the smaller class by 100 / rows. It has a width
    also where all folds have AUC = 1.

    "influence": the mean of the fold AUCs +- z se, se by influence curves (LeDell, Petersen and van der Laan 2015),
    as R's cvAUC; ties count one half there too. "delong": the same with DeLong's variance of each fold, which does
    not shrink with few rows per fold. "logit": that on the log-odds scale. All these are about the models at hand:
    the mean of the true AUCs of the models trained without each fold. "corrected-t": the mean of the folds with
    Nadeau and Bengio's variance, about the learner on data sets of this size; wide. "pooled": the AUC of all scores
    in one heap, with the interval of "wilson"; right only where the folds' scores are on one scale. Measured coverage
    is in docs/crossval.md. O(n log n).

    Parameters
    ----------
    y_true : array-like or CrossvalScores
        Labels; or what :func:`rocsteady.crossval.crossval_scores` returned, alone.
    y_score : array-like
        Scores by models that had not seen the row; higher means more positive.
    fold : array-like or scikit-learn splitter
        The fold in which each row was tested, named by whole numbers or text; or the splitter that made the scores,
        if it makes the same folds again.
    repeat : array-like, optional
        The repeat each entry belongs to, when cross-validation was repeated; needs ``id``.
    id : array-like, optional
        Which row of the data each entry is; repeats of a row are not new rows.
    cluster : array-like, optional
        The subject of each row, when subjects have several rows, as cvAUC's ci.pooled.cvAUC has ids.
    method : {"auto", "wilson", "influence", "delong", "logit", "corrected-t", "pooled"}
        How the interval is made.
    level : float
        Confidence level.
    undefined : {"nan", "drop"}
        A fold with one class has no AUC, and then neither has the mean; "drop" takes the mean of the others.
    sample_weight, weight_type
        Row weights, as in :func:`rocsteady.auc_interval`.
    pos_label, missing
        As in :func:`rocsteady.rank`.

    Returns
    -------
    Interval
        ``estimate, low, high, level, method, auto, se``; NaN where undefined, and ``warnings`` say why. ``se`` of
        "wilson" and "pooled" is that before it is enlarged.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y = [1, 1, 0, 0, 1, 1, 0, 0]
    >>> scores = [0.9, 0.4, 0.6, 0.1, 3.0, 5.0, 2.0, 4.0]
    >>> fold = [1, 1, 1, 1, 2, 2, 2, 2]
    >>> print(rs.crossval_auc(y, scores, fold=fold))
    0.7500 [0.1893, 0.9747] (0.95 level, wilson, chosen by auto)
    >>> print(rs.crossval_auc(y, scores, fold=fold, method="pooled"))
    0.6250 [0.1569, 0.9372] (0.95 level, pooled)
    """
    check_choice("method", method, get_args(Method))
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
    refuse_folds_of_one_class(rows)
    if method != "corrected-t":
        check_units(rows)
    if method == "pooled":
        return pooled_interval(rows, level)
    return mean_interval(rows, level, method=method, undefined=undefined)


def refuse_folds_of_one_class(rows: FoldedRows) -> None:
    """Rows of one class have no AUC, however they are folded."""
    refuse_one_class(rows.positive.any(), not rows.positive.all(), "an AUC of all folds needs")


def check_units(rows: FoldedRows) -> None:
    """Repeats hold the same rows again: which ones must be known."""
    if rows.n_repeats > 1 and rows.row is None and rows.cluster is None:
        text = Sentence("repeats hold the same rows again: pass {id=} with the number of each row in the data")
        raise ArgumentError("row_required", text)


def mean_interval(rows: FoldedRows, level: float, *, method: str = "auto", undefined: str = "nan") -> Interval:
    """Interval of the mean of fold AUCs; NaN where a fold has none, unless such folds are dropped."""
    notes, lost = list(rows.warnings), [fold for fold in rows.folds if fold.one_class]
    if lost:
        notes.append(one_class_folds(lost, len(rows.folds), dropped=undefined == "drop"))
    used, auto = ("wilson", True) if method == "auto" else (method, False)
    if (lost and undefined == "nan") or len(lost) == len(rows.folds):
        ends = math.nan, math.nan
        return _interval(rows, Undefined("single_class"), math.nan, ends, level, used, notes, auto=auto)
    rows = rows.defined()
    values = fold_aucs(rows)
    estimate = float(values.mean())
    if used == "wilson":
        variance = variance_of(rows, delong_of_mean(rows))
        found = _wilson(rows, estimate, variance, level, used, [*notes, *_on_single_rows(variance)])
        return replace(found, auto=auto)
    if method == "corrected-t":
        test = corrected_t(values, share_tested(rows), level=level)
        reach = test.high - test.estimate
        se = float(test.se or 0.0) if reach > 0 else 0.0
    else:
        added = influence_of_mean(rows) if method == "influence" else delong_of_mean(rows)
        se = math.sqrt(variance_of(rows, added))
        reach = quantile_of(level) * se
    ends = (max(estimate - reach, 0.0), min(estimate + reach, 1.0)) if se >= 0 else (math.nan, math.nan)
    ends = logit_ends(estimate, se, quantile_of(level)) if method == "logit" else ends
    notes += _on_width(se, method) + _on_size(rows, estimate, method)
    return _interval(rows, estimate, se, ends, level, method, notes)


def pooled_interval(rows: FoldedRows, level: float) -> Interval:
    """AUC of the scores of all folds together, with DeLong's variance; the mean of them over repeats."""
    estimate = float(np.mean([Area().value(rows.ranked(folds)) for folds in rows.repeats()]))
    return _wilson(rows, estimate, variance_of_pooled(rows), level, "pooled", list(rows.warnings))


def _wilson(
    rows: FoldedRows, estimate: float, variance: float, level: float, method: str, notes: list[Remark]
) -> Interval:
    """Wilson's interval of as many rows as the AUC is worth, the variance enlarged for what training adds."""
    sizes = unit_sizes(rows, np.concatenate([fold.rows for fold in rows.repeats()[0]]))
    ends = trained_ends(estimate, variance, sizes, level)
    return _interval(rows, estimate, math.sqrt(max(variance, 0.0)), ends, level, method, notes)


def trained_ends(estimate: float, variance: float, sizes: tuple[float, float], level: float) -> tuple[float, float]:
    """Ends of an AUC of models that these rows have trained, from DeLong's variance and the class sizes."""
    larger = 1 + TRAINED * min(1.0, TRAINED_ROWS / min(sizes))
    known = whole_area(estimate, variance * larger, sizes)
    return replace(known, model=known.model / larger).wilson_ends(level)


def unit_sizes(rows: FoldedRows, chosen: NDArray[np.intp]) -> tuple[float, float]:
    """Independent units of both classes: rows or subjects, unequal weights counting as fewer equal ones (Kish)."""
    sides = chosen[rows.positive[chosen]], chosen[~rows.positive[chosen]]
    weights = np.ones(rows.positive.size) if rows.weights is None else rows.weights.astype(np.float64)
    if rows.cluster is None and rows.weight_type == "frequency":
        return float(weights[sides[0]].sum()), float(weights[sides[1]].sum())
    one, two = (equal_units(weights[each], None if rows.cluster is None else rows.cluster[each]) for each in sides)
    return one, two


def share_tested(rows: FoldedRows) -> float:
    """Mean share of the rows of a repeat that a fold tests: 1/k for k folds."""
    return float(np.mean([1 / len(folds) for folds in rows.repeats() for _ in folds]))


def one_class_folds(lost: Sequence[Fold], total: int, *, dropped: bool) -> Remark:
    """Which folds have one class, and what to do."""
    code = "one_class_folds_dropped" if dropped else "one_class_folds"
    return Remark(code, lost=len(lost), total=total, named=_named(lost))


def folds_of_both_classes(
    rows: FoldedRows, undefined: str, *, fewest: int = 1, what: str = "AUC"
) -> tuple[FoldedRows, tuple[Remark, ...]]:
    """The rows without folds of one class, and a remark on these; refused unless they are to be dropped."""
    lost = [fold for fold in rows.folds if fold.one_class]
    if not lost:
        return rows, rows.warnings
    kept, total, dropped = rows.defined(), len(rows.folds), undefined == "drop"
    if not dropped or len(kept.folds) < fewest:
        raise InputError("single_class_fold", _refused(lost, total, dropped=dropped, what=what))
    return kept, (*rows.warnings, one_class_folds(lost, total, dropped=dropped))


def _refused(lost: Sequence[Fold], total: int, *, dropped: bool, what: str) -> Sentence:
    way_out = "left out of the mean, as asked for"
    if not dropped:
        way_out = Sentence("stratify the folds or make fewer, or leave them out with {undefined='drop'}")
    told = "{lost:count} of {total:count} folds have one class and so no {what}: {named}; {way_out}"
    return Sentence(told, lost=len(lost), total=total, what=what, named=_named(lost), way_out=way_out)


def _named(lost: Sequence[Fold]) -> str:
    more = f" and {format_count(len(lost) - 5)} more" if len(lost) > 5 else ""
    return "; ".join(fold.counts for fold in lost[:5]) + more


def _interval(
    rows: FoldedRows,
    estimate: float,
    se: float,
    ends: tuple[float, float],
    level: float,
    method: str,
    notes: list[Remark],
    *,
    auto: bool = False,
) -> Interval:
    return Interval(
        estimate=estimate,
        low=ends[0],
        high=ends[1],
        level=level,
        method=method,
        se=se,
        **facts_of(rows),
        warnings=tuple(notes),
        auto=auto,
    )


def _on_single_rows(variance: float) -> list[Remark]:
    return [Remark("single_row_of_fold")] if math.isnan(variance) else []


def _on_width(se: float, method: str) -> list[Remark]:
    if math.isnan(se):
        return [Remark("fold_without_variance")]
    if se > 0:
        return []
    if method == "logit":
        return [Remark("no_log_odds")]
    return [Remark("folds_agree")]


def too_few(rows: FoldedRows, estimate: float, method: str) -> float | None:
    """Rows of the smaller class, where they are fewer than the method needs; else None."""
    smaller = float(min(rows.n_pos, rows.n_neg))
    if rows.weight_type == "sampling":
        positive = rows.distinct.positive
        smaller = float(min(np.count_nonzero(positive), np.count_nonzero(~positive)))
    return smaller if smaller < ENOUGH.get(method, (0, 0))[estimate < WEAK] else None


def _on_size(rows: FoldedRows, estimate: float, method: str) -> list[Remark]:
    smaller = too_few(rows, estimate, method)
    if smaller is None:
        return []
    return [Remark("short_over_folds", rows=round(smaller), auc=estimate, method=method)]
