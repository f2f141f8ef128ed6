"""What a reader should know about the rows of an evaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsteady._src.base.errors import RocsteadyWarning, warn
from rocsteady._src.measures.ranking import partial_auc
from rocsteady._src.measures.registry import has_no_range, remarks_on_scores
from rocsteady._src.measures.ties import tie_diagnostics
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from rocsteady._src.measures.requests import Request
    from rocsteady._src.ranked import AnyRows, RankedScores

    Limits = tuple[float, float]

ONLY_NOTED = {"below_chance", "emerging", "grouped_by_engine", "partial_area"}


def remarks_on_evaluation(
    ranked: dict[str, RankedScores], rows: AnyRows, requests: list[Request], *, clustered: bool
) -> list[Remark]:
    """Collect what a reader should know."""
    remarks = [remark.about(model) for model, groups in ranked.items() for remark in _oddities(groups)]
    if all(request.sheet.family == "threshold" for request in requests):  # calls, yes or no, are what these judge
        remarks = [remark for remark in remarks if remark.code != "two_distinct_scores"]
    if (route := rows.route(ranked)) is not None:
        remarks.append(route)
    if (repeats := rows.n_repeated_ids) and not clustered:
        remarks.append(Remark("repeated_ids", n=repeats, column=rows.id))
    if any(request.sheet.by_range for request in requests):
        remarks += [Remark("no_range").about(model) for model, groups in ranked.items() if has_no_range(groups)]
    emerging = [request.column for request in requests if request.sheet.emerging]
    if emerging:
        remarks.append(Remark("emerging", measures=emerging))
    return [*remarks, *_partial_areas(requests)]


def _partial_areas(requests: list[Request]) -> list[Remark]:
    """How large an area over a range can be, which the area itself does not tell."""
    found = []
    for request in requests:
        if request.sheet.name == partial_auc.sheet.name and not request.params.get("standardize", False):
            most, chance = _largest_and_chance(request.params.get("fpr_range"), request.params.get("tpr_range"))
            found.append(Remark("partial_area", measure=request.column, most=most, chance=chance))
    return found


def _largest_and_chance(fpr_range: Limits | None, tpr_range: Limits | None) -> Limits:
    """The partial AUC of a perfect ranking, and that of the diagonal, in the digits that limits are given in."""
    start, stop = tpr_range or fpr_range or (0.0, 0.1)
    height = (start + stop) / 2
    most, share = stop - start, height if tpr_range is None else 1 - height
    return round(float(most), 12), round(float(most * share), 12)


def warn_of(remarks: list[Remark]) -> None:
    """Warn of what may mislead; the rest is only noted."""
    for remark in remarks:
        if remark.code not in ONLY_NOTED:
            warn(RocsteadyWarning(remark.code, remark))


def _oddities(ranked: RankedScores) -> list[Remark]:
    remarks = remarks_on_scores(ranked)
    if not (ranked.n_pos and ranked.n_neg):
        return remarks
    ties = tie_diagnostics(ranked)
    if ties.near_tied_pairs:
        tied = ties.auc_if_near_ties_tied
        remarks.append(Remark("near_ties", pairs=ties.near_tied_pairs, ulps=ties.near_ulps, auc=ties.auc, tied=tied))
    if ties.auc < 0.5:
        remarks.append(Remark("below_chance", auc=ties.auc, negated=1 - ties.auc))
    return remarks
