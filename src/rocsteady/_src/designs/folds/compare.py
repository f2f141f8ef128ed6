"""Two models, or two learners, on the same folds."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.designs.folds.auc import (
    UndefinedFolds,
    check_units,
    folds_of_both_classes,
    refuse_folds_of_one_class,
    share_tested,
    too_few,
)
from rocsteady._src.designs.folds.influence import fold_aucs, influence_of_mean, variance_of
from rocsteady._src.designs.folds.rows_by_fold import FoldedRows, read_folds
from rocsteady._src.inference.comparison.hypotheses import NormalDifference, check_alternative, result_of
from rocsteady._src.inference.comparison.learners import compare_learners
from rocsteady._src.inference.comparison.rounding import rounding, settled
from rocsteady._src.inference.intervals.normal import check_choice, check_level
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.crossval import CrossvalScores
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.results import TestResult
    from rocsteady._src.results.crossval import BayesianComparison

Method = Literal["auto", "influence", "nadeau-bengio", "bayesian"]


@typed
def compare_crossval(
    y_true: object,
    first: object,
    second: object = None,
    *,
    fold: object = None,
    repeat: object = None,
    id: object = None,  # noqa: A002 - as evaluate calls it
    cluster: object = None,
    method: Method = "auto",
    rope: float | None = None,
    test_share: float | None = None,
    alternative: str = "two-sided",
    margin: float | None = None,
    level: float = 0.95,
    undefined: UndefinedFolds = "nan",
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> TestResult | BayesianComparison:
    """Compare the mean fold AUCs of two models scored on the same rows and folds.

    "nadeau-bengio" and "bayesian" ask about the learners: which is better on data sets of this size from this source?
    See :func:`rocsteady.inference.compare_learners`. "influence" asks about the models at hand: do their true AUCs,
    meaned over
    folds, differ? z with the influence curves of both on the same rows; it takes equal learners for different too
    often. "auto" is "nadeau-bengio", and "influence" for a single split, which tells nothing about learners. Measured
    sizes are in docs/crossval.md.

    Parameters
    ----------
    y_true : array-like or CrossvalScores
        Labels; or the scores of the first learner as :func:`rocsteady.crossval.crossval_scores` returned them.
    first, second : array-like
        Scores of both models; or, after a CrossvalScores, that of the second learner alone, made on the same splits.
    fold, repeat, id, cluster, sample_weight, weight_type, pos_label, missing
        As in :func:`rocsteady.crossval_auc`.
    method : {"auto", "nadeau-bengio", "bayesian", "influence"}
        What is asked, and how.
    rope : float, optional
        For "bayesian": the difference that does not matter, 0.01 unless given.
    test_share : float, optional
        Share of rows tested in a split; 1/k for k folds unless given. Not for "influence".
    alternative, margin
        As in :func:`rocsteady.compare_auc`; not for "bayesian".
    level : float
        Of the interval of the difference.
    undefined : {"nan", "drop"}
        Folds with one class are refused, or left out.

    Returns
    -------
    TestResult or BayesianComparison
        About first minus second.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, fold = [1, 1, 0, 0] * 3, [1] * 4 + [2] * 4 + [3] * 4
    >>> first = [4, 3, 2, 1, 4, 2, 3, 1, 3, 4, 1, 2]
    >>> second = [4, 1, 3, 2, 2, 4, 3, 1, 4, 2, 3, 1]
    >>> print(rs.crossval.compare_crossval(y, first, second, fold=fold))
    +0.2500 [-0.7319, +1.2319] (0.95 level), p = 0.388 (corrected resampled t, chosen by auto);
    alternative: first and second differ
    >>> print(rs.crossval.compare_crossval(y, first, second, fold=fold, method="influence"))
    +0.2500 [-0.1152, +0.6152] (0.95 level), p = 0.180 (influence, mean of 3 folds);
    alternative: first and second differ
    """
    check_choice("method", method, get_args(Method))
    check_choice("undefined", undefined, get_args(UndefinedFolds))
    check_level(level)
    _refuse_without_effect(method, rope, test_share)
    options: dict[str, Any] = {"fold": fold, "repeat": repeat, "row": id, "pos_label": pos_label}
    if isinstance(y_true, CrossvalScores):
        test_share = y_true.test_share if test_share is None else test_share
        y_true, first, second, options = _same_splits(y_true, first, second, options)
    if method != "bayesian":
        check_alternative(alternative, margin)
    rows = read_folds(
        y_true,
        {"first": first, "second": second},
        cluster=cluster,
        sample_weight=sample_weight,
        weight_type=weight_type,
        missing=missing,
        **options,
    )
    refuse_folds_of_one_class(rows)
    rows, notes = folds_of_both_classes(rows, undefined)
    if method == "influence" or (method == "auto" and len(rows.folds) == 1):
        check_units(rows)
        found = _by_influence(rows, alternative, margin, level, notes)
        return replace(found, auto=method == "auto")
    learners = compare_learners(
        *_fold_aucs(rows),
        test_share=share_tested(rows) if test_share is None else test_share,
        method=method,
        **({} if rope is None else {"rope": rope}),
        alternative=alternative,
        margin=margin,
        level=level,
    )
    return replace(learners, warnings=(*notes, *learners.warnings))


def compare_learners_of_rows(rows: FoldedRows, *, level: float) -> TestResult:
    """Whether the learners of two models differ, of rows that were read and whose folds have both classes."""
    test = compare_learners(*_fold_aucs(rows), test_share=share_tested(rows), level=level)
    tested = cast("TestResult", test)  # a Bayesian answer is asked for by name
    return replace(tested, warnings=(*rows.warnings, *tested.warnings))


def _refuse_without_effect(method: str, rope: float | None, test_share: float | None) -> None:
    if rope is not None and method != "bayesian":
        raise ArgumentError(
            "rope", Sentence("{rope=} is of {method='bayesian'}; for {method!r} there is {margin=}", method=method)
        )
    if test_share is not None and method == "influence":
        text = Sentence("{method='influence'} has no use for {test_share=}, which is of 'nadeau-bengio' and 'bayesian'")
        raise ArgumentError("test_share", text)


def _same_splits(
    one: CrossvalScores, two: object, more: object, options: dict[str, Any]
) -> tuple[object, object, object, dict[str, Any]]:
    if more is not None or any(value is not None for value in options.values()):
        raise ArgumentError("already_folded", "these scores carry their labels and folds: pass both learners' alone")
    if not isinstance(two, CrossvalScores):
        raise ArgumentError("first", "pass the scores of the second learner as rs.crossval_scores returned them")
    for name in ("y_true", "fold", "repeat", "row"):
        if not np.array_equal(getattr(one, name), getattr(two, name)):
            text = Sentence(
                "the two learners differ in {name}: score both with the same cv, which needs a fixed {@random_state}",
                name=name,
            )
            raise InputError("splits_differ", text)
    repeat = one.repeat if one.n_repeats > 1 else None
    options = {"fold": one.fold, "repeat": repeat, "row": one.row, "pos_label": one.pos_label}
    return one.y_true, one.y_score, two.y_score, options


def _fold_aucs(rows: FoldedRows) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """AUCs of both models in each fold, equal where only rounding of their weighted sums tells them apart."""
    one, two = fold_aucs(rows, 0), fold_aucs(rows, 1)
    longest = max(fold.rows.size for fold in rows.folds)
    return one, np.where(np.abs(one - two) <= rounding(longest, 1.0), one, two)


def _by_influence(
    rows: FoldedRows, alternative: str, margin: float | None, level: float, notes: tuple[Remark, ...]
) -> TestResult:
    both = _fold_aucs(rows)
    lower, bound = float(min(each.mean() for each in both)), rounding(rows.positive.size, 1.0)
    difference = settled(float((both[0] - both[1]).mean()), bound)
    se = settled(math.sqrt(variance_of(rows, influence_of_mean(rows, 0) - influence_of_mean(rows, 1))), bound)
    agree = se == 0 and difference != 0
    found = result_of(
        NormalDifference(difference, math.nan if agree else se),
        alternative,
        margin,
        level,
        f"influence, mean of {format_count(len(rows.folds))} folds",
        **facts_of(rows),
    )
    return replace(found, warnings=(*notes, *_on_width(se, agree=agree), *_on_size(rows, lower)))


def _on_width(se: float, *, agree: bool) -> list[Remark]:
    if se > 0:
        return []
    return [Remark("difference_same_by_row" if agree else "no_row_tells_apart")]


def _on_size(rows: FoldedRows, lower: float) -> list[Remark]:
    smaller = too_few(rows, lower, "influence")
    if smaller is None:
        return []
    return [Remark("short_difference_over_folds", rows=round(smaller), auc=lower)]
