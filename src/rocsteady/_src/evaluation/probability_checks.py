"""What keeps NRI and IDI honest: calibration and net benefit of every model, put beside a comparison."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rocsteady._src.base.text import format_setting
from rocsteady._src.probabilities.calibration.summary import calibration_summary
from rocsteady._src.probabilities.decisions import decision_curve
from rocsteady._src.probabilities.reclassification.compared_pairs import with_reclassification
from rocsteady._src.ranked import rank, rows_by_unit
from rocsteady._src.results import ModelProbabilities

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.ranked import AnyRows, RankedScores, Rows
    from rocsteady._src.results import CalibrationSummary, Comparison


def summary_of(result: Evaluation, model: str, level: float) -> CalibrationSummary:
    """The calibration of a model, made once: checks and tables ask for the same one."""
    ranked, subjects, reading = result.ranked[model], result.cluster is not None, result.origin.reading

    def made() -> CalibrationSummary:
        rows = rows_by_unit(result.rows, model, subjects=subjects, sampled=reading == "sampling")
        return calibration_summary(ranked if rows is None else rows, level=level)

    return ranked.kept(("calibration", level, subjects, reading), made)


def with_probabilities(
    comparison: Comparison, table: AnyRows, ranked: Mapping[str, RankedScores], cutoffs: Sequence[float]
) -> Comparison:
    """The comparison with reclassification of each pair, and calibration and net benefit of each model."""
    compared = with_reclassification(comparison, table, cutoffs, ranked)
    models = tuple(
        _of_model(name, ranked[name], cutoffs, comparison.level, _units(table, name, comparison))
        for name in comparison.models
    )
    return replace(compared, probabilities=models)


def _units(table: AnyRows, name: str, comparison: Comparison) -> Rows | None:
    """The rows, where subjects have several or weights are sampling weights.

    A repeated id that was not named as cluster= has been refused before.
    """
    sampled = comparison.origin.reading == "sampling"
    return rows_by_unit(table, name, subjects=table.n_repeated_ids > 0, sampled=sampled)


def _of_model(
    name: str, ranked: RankedScores, cutoffs: Sequence[float], level: float, subjects: Rows | None
) -> ModelProbabilities:
    summary = calibration_summary(ranked if subjects is None else subjects, level=level)
    benefit: dict[str, float] = {}
    if ranked.exact:  # values alone, which do not depend on how weights are read
        found = decision_curve(rank(ranked, weight_type="frequency"), None, thresholds=list(cutoffs), level=level)
        (values,) = found.net_benefit.values()
        benefit = {format_setting(cut): float(value) for cut, value in zip(found.thresholds, values, strict=True)}
    return ModelProbabilities(name, summary.brier, summary.in_the_large, summary.slope, benefit)
