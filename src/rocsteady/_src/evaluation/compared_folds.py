"""Learners compared over the folds of a cross-validation, by any measure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.text import format_count
from rocsteady._src.designs.folds.auc import share_tested
from rocsteady._src.evaluation.evaluate_rows import evaluate_rows
from rocsteady._src.evaluation.fold_measures import FoldMeasures
from rocsteady._src.inference.comparison.learners import compare_learners
from rocsteady._src.inference.comparison.models import (
    adjusted_pairs,
    chosen_pairs,
    methods_in_words,
    remarks_on_pairs,
)
from rocsteady._src.inference.comparison.rounding import rounding
from rocsteady._src.inference.comparison.verdict import verdict
from rocsteady._src.measures.ranking import auc
from rocsteady._src.measures.requests import one_request
from rocsteady._src.results import Comparison
from rocsteady._src.results.base import facts_of

if TYPE_CHECKING:
    from rocsteady._src.designs.folds.rows_by_fold import FoldedRows
    from rocsteady._src.evaluation.folded import FoldedEvaluation
    from rocsteady._src.results import TestResult


def compare_over_folds(whole: FoldedEvaluation, baseline: str | None, measure: Any, level: float) -> Comparison:
    """All pairs, or each model and a baseline: the corrected resampled t over folds, p adjusted."""
    folded, models = whole.folded, whole.overall.models
    if folded is None or len(models) < 2:
        raise ArgumentError("one_model", "a comparison needs at least two models: name another score column")
    request, share = one_request(measure), share_tested(folded)
    measured = _measured(whole, folded, measure, level)
    chosen = chosen_pairs(models, baseline)
    values = {model: np.array([float(each) for each in measured.values[model][request.column]]) for model in models}
    tests = [_test(values[models[i]], values[models[j]], folded, share, level) for i, j in chosen]
    pairs = adjusted_pairs(models, chosen, tests)
    estimates = {model: measured.means[model][request.column] for model in models}
    name = "AUC" if request.sheet is auc.sheet else request.column
    better = {"higher": True, "lower": False}.get(request.sheet.better)
    how: dict[str, Any] = {"level": level, "n_rows": folded.origin.n_rows, "higher_is_better": better}
    return Comparison(
        measure=name,
        models=models,
        estimates=estimates,
        pairs=pairs,
        omnibus=None,
        baseline=baseline,
        level=level,
        method=methods_in_words(pairs, clustered=folded.cluster is not None),
        verdict=verdict(pairs, estimates, what=name, **how),
        **facts_of(whole.overall),
        warnings=remarks_on_pairs(pairs, None, estimates),
    )


def _measured(whole: FoldedEvaluation, folded: FoldedRows, measure: Any, level: float) -> FoldMeasures:
    """The measure in every fold, at the thresholds of all rows."""
    at = dict(whole.overall.thresholds) or None
    overall = evaluate_rows(folded.whole, measures=[measure], threshold=at, aloud=False)
    areas = {model: found.mean for model, found in whole.models.items()}
    return FoldMeasures.of(overall, folded.folds).with_means(overall, areas, share_tested(folded), level)


def _test(one: Any, two: Any, folded: FoldedRows, share: float, level: float) -> TestResult:
    undefined = int(np.count_nonzero(~np.isfinite(one) | ~np.isfinite(two)))
    if undefined:
        folds = f"{format_count(undefined)} of {format_count(one.size)} folds"
        text = f"the measure has no value in {folds}: stratify them, or make fewer"
        raise ArgumentError("undefined_folds", text)
    longest = max(fold.rows.size for fold in folded.folds)
    bound = rounding(longest, float(np.abs(one).max()), float(np.abs(two).max()))
    two = np.where(np.abs(one - two) <= bound, one, two)
    return cast("TestResult", compare_learners(one, two, test_share=share, level=level))
