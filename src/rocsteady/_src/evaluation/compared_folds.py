"""Learners compared over the folds of a cross-validation, by any measure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.text import format_count, format_setting
from rocsteady._src.designs.folds.auc import share_tested
from rocsteady._src.evaluation.evaluate_rows import evaluate_rows
from rocsteady._src.evaluation.fold_measures import FoldMeasures
from rocsteady._src.inference.comparison.compared import chosen_pairs, compared, widest_of
from rocsteady._src.inference.comparison.learners import compare_learners
from rocsteady._src.inference.comparison.rounding import rounding
from rocsteady._src.measures.ranking import auc
from rocsteady._src.measures.requests import one_request
from rocsteady._src.results.absent_rows import refuse_without_rows
from rocsteady._src.results.base import facts_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from rocsteady._src.evaluation.evaluation_by_fold import FoldedEvaluation
    from rocsteady._src.results import Comparison, Interval, TestResult


def compare_over_folds(
    whole: FoldedEvaluation, chosen: tuple[str | None, tuple[str, ...]], measure: Any, level: float
) -> Comparison:
    """All pairs of ``chosen`` models, or each and a baseline: the corrected resampled t over folds, p adjusted."""
    baseline, models = chosen
    chosen_pairs(models, baseline)
    request, (longest, share, clustered) = one_request(measure), whole.tested
    measured = _measured(whole, request.column, measure, level)
    return learners_compared(
        {model: measured.values[model][request.column] for model in models},
        {model: measured.means[model][request.column] for model in models},
        (longest, share),
        baseline=baseline,
        level=level,
        what="AUC" if request.sheet is auc.sheet else request.column,
        higher=request.sheet.higher_is_better,
        widest=widest_of(request.sheet.bounds),
        facts=facts_of(whole.overall),
        clustered=clustered,
    )


def learners_compared(
    values: Mapping[str, Sequence[float]],
    means: dict[str, Interval],
    folds: tuple[int, float],
    *,
    baseline: str | None,
    level: float,
    **shown: Any,
) -> Comparison:
    """Models by a value per fold; ``folds`` are the rows of the longest and the share of rows that one tests."""
    models, (longest, share) = tuple(values), folds
    listed = [np.array([float(value) for value in values[model]]) for model in models]
    chosen = chosen_pairs(models, baseline)
    tests = [_test(listed[i], listed[j], longest, share, level) for i, j in chosen]
    return compared(models, tests, means, baseline=baseline, level=level, **shown)


def _measured(whole: FoldedEvaluation, column: str, measure: Any, level: float) -> FoldMeasures:
    """The measure in every fold, at the thresholds of all rows; without rows one that was asked for before."""
    folded = whole.folded
    if folded is None:
        known = [column in of_model for of_model in whole.measures.means.values()]
        if known and all(known) and level == whole.level:
            return whole.measures
        refuse_without_rows(f"{column} at level {format_setting(level)}")
    at = dict(whole.overall.thresholds) or None
    overall = evaluate_rows(folded.whole, measures=[measure], threshold=at, aloud=False)
    areas = {model: found.mean for model, found in whole.models.items()}
    return FoldMeasures.of(overall, folded.folds).with_means(overall, areas, share_tested(folded), level)


def _test(one: NDArray[np.float64], two: NDArray[np.float64], longest: int, share: float, level: float) -> TestResult:
    undefined = int(np.count_nonzero(~np.isfinite(one) | ~np.isfinite(two)))
    if undefined:
        folds = f"{format_count(undefined)} of {format_count(one.size)} folds"
        infinite = bool(np.isinf(one).any() or np.isinf(two).any())
        why = "a probability of 0 or 1 was given to what did not happen: take another measure, such as brier_score"
        text = f"the measure is infinite in {folds}: {why}" if infinite else f"the measure has no value in {folds}"
        text = text if infinite else f"{text}: stratify them, or make fewer"
        raise ArgumentError("undefined_folds", text)
    bound = rounding(longest, float(np.abs(one).max()), float(np.abs(two).max()))
    two = np.where(np.abs(one - two) <= bound, one, two)
    return cast("TestResult", compare_learners(one, two, test_share=share, level=level))
