"""Where intervals by resampling, and by formulas for means over rows, were measured below 92%: docs/coverage.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.base.sentences import Option, Sentence
from rocsteady._src.inference.intervals.advice import DEFAULT, resampling_warnings
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocsteady._src.measures.registry import FactSheet
    from rocsteady._src.ranked import RankedScores

FEW_UNITS = 20
SUBJECTS = "subjects"  # the first word of what such units are called
AREAS = ("auc", "gini", "partial_auc")
# Rows of the smaller class from which on the default interval held its level, 0 where it always did; measured by
# benchmarks/coverage_every.py, table every.
ENOUGH = {
    "auch": 60,
    "concordant_partial_auc": 16,
    "discrimination_slope": 20,
    "ks_statistic": 30,
    "lift": 6,
    "mm11_auc": 20,
    "mm12_auc": 20,
    "partial_pr_auc": 40,
    "prob_auc": 20,
    "r_precision": 6,
    "recall_at_k": 6,
    "rho_auc": 20,
    "scaled_brier": 20,
    "scored_auc": 20,
    "sensitivity_at": 6,
    "soft_auc": 20,
    "softened_auc": 6,
    "specificity_at": 20,
    "two_way_partial_auc": 40,
}
FEW_OF_K = 2
ENOUGH_ROWS = {"expected_calibration_error": 250}
BY_RANGE = ("mm1_auc", "mm4_auc", "mm6_auc", "mm7_auc")


def short_of_measure(sheet: FactSheet, ranked: RankedScores, fewest: float, units: str = "rows") -> list[Remark]:
    """Say where the default interval of a measure was measured too short, or is about something else than it seems.

    ``fewest`` are the units of the smaller class, or all of them where they have rows of both; ``units`` names them.
    """
    enough, enough_rows = ENOUGH.get(sheet.name, 0), ENOUGH_ROWS.get(sheet.name, 0)
    if fewest < enough and units.startswith(SUBJECTS):
        facts: dict[str, Any] = {"n": round(fewest), "of_class": of_class(units), "measure": sheet.name}
        return [Remark("few_subjects_for_measure", **facts, enough=enough)]
    if fewest < enough:
        return [Remark("few_for_measure", rows=round(fewest), measure=sheet.name, enough=enough)]
    if ranked.n_rows_counted < enough_rows:
        rows = round(ranked.n_rows_counted)
        return [Remark("few_rows_for_measure", rows=rows, measure=sheet.name, enough=enough_rows)]
    return [Remark("grows_with_rows")] if sheet.name in BY_RANGE else []


def of_class(units: str) -> str:
    """Whether so many subjects are those of one class."""
    return " in the smaller class" if units != SUBJECTS else ""


def short_of_first_rows(
    sheet: FactSheet, params: Mapping[str, Any], ranked: RankedScores, estimate: float
) -> list[Remark]:
    """Say that the k highest rows are all of one class, or nearly so: what resamples do not know can be otherwise."""
    if sheet.name != "recall_at_k":
        return []
    k = params.get("k", sheet.params["k"])
    hits = estimate * ranked.n_pos
    fewest = min(hits, k - hits)
    return [Remark("few_of_first_rows", rows=fewest, k=k)] if fewest < FEW_OF_K else []


def short_of_kind(ranked: RankedScores, fewest: int, kind: str, sheet: FactSheet | None) -> list[Remark]:
    """Say that percentiles and their kin, or the jackknife, are too short for any measure of these rows."""
    better = _better(sheet, kind)
    if fewest < FEW_UNITS:
        return [Remark("few_units_drawn", n=fewest, method=kind, better=better)]
    return resampling_warnings(ranked, kind, better)


def _better(sheet: FactSheet | None, kind: str) -> str:
    if sheet is not None and sheet.name in AREAS:
        return DEFAULT
    if sheet is not None and sheet.ends not in ("percentile", kind):
        return Sentence("use {option}", option=Option("method", (sheet.ends,), call="bootstrap_interval"))
    return "more rows of the smaller class help"
