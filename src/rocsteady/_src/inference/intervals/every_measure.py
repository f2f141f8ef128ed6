"""An interval for every measure of a table: by formula where there is one, else by bootstrap."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import Undefined
from rocsteady._src.inference.intervals.areas import FORMULAS, area_interval
from rocsteady._src.inference.intervals.chosen_threshold import depends_on_threshold, intervals_when_chosen
from rocsteady._src.inference.intervals.proportions import interval_of, proportion_interval
from rocsteady._src.inference.intervals.undercoverage import short_of_measure
from rocsteady._src.inference.operating.rate_intervals import MEASURES as RATE_MEASURES
from rocsteady._src.inference.operating.rate_intervals import interval_of_rate, no_shorter
from rocsteady._src.inference.resampling.draws import RowDraws, draws_of_groups, fewest_units, units_called
from rocsteady._src.inference.resampling.replicates import intervals_by_resampling
from rocsteady._src.inference.units.components import Area, delong_variance
from rocsteady._src.inference.units.influence import area_covariance
from rocsteady._src.inference.units.row_formulas import METHODS, ROW_FORMULAS, row_ends, row_mean
from rocsteady._src.inference.units.subjects import subject_cells
from rocsteady._src.inputs.weights import reading_remarks
from rocsteady._src.measures.confusion import Confusion, confusion_at
from rocsteady._src.measures.ranking import auc, gini, partial_auc, precision_at_k
from rocsteady._src.measures.registry import WITHIN_CLASSES
from rocsteady._src.measures.two_level import auc_acc
from rocsteady._src.results import Interval
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from rocsteady._src.inference.resampling.draws import Draws
    from rocsteady._src.measures.registry import FactSheet
    from rocsteady._src.measures.rule import Rule
    from rocsteady._src.ranked import RankedScores, Rows

    Asked = tuple[FactSheet, dict[str, Any]]
    AreaOptions = tuple[float, str]

MOST_BOOTSTRAPPED = 100_000
AUC_METHODS = (*FORMULAS, "bootstrap")


def intervals_of_measures(
    ranked: RankedScores,
    asked: Sequence[Asked],
    *,
    level: float,
    seed: int,
    n_resamples: int | None = None,
    rows: Rows | None = None,
    auc_method: str = "auto",
    chosen: Chosen | None = None,
) -> list[Interval | None]:
    """Intervals of one model's measures; None where the value is undefined or nothing was resampled.

    ``rows`` of the model are needed for sampling weights and clusters. All measures without a formula share their
    resamples, of rows or of rows within classes as their fact sheets say: 2000, or none above 100,000 distinct scores
    unless ``n_resamples`` says so. ``auc_method`` is that of areas, as in :func:`rocsteady.auc_interval`. ``chosen``
    tells which measures are at a threshold that these rows chose.
    """
    made = [_by_formula(ranked, sheet, params, (level, auc_method), rows) for sheet, params in asked]
    if not (ranked.n_pos and ranked.n_neg):
        return _named(made, asked)
    if n_resamples is None:
        n_resamples = 2000 if ranked.scores.size <= MOST_BOOTSTRAPPED else 0
    known = [place for place, wanted in enumerate(asked) if _defined(ranked, *wanted)]
    places = {place for place in known if chosen is not None and place in chosen.at_it(asked)}
    work = _Work(ranked, rows, level, seed, n_resamples)
    if chosen is not None and places:
        _fill(made, places, work.when_chosen([asked[place] for place in sorted(places)], chosen, made, places))
    for kind in ("rows", WITHIN_CLASSES):
        left = [place for place in known if made[place] is None and asked[place][0].resampling == kind]
        if left and n_resamples:
            found = work.resampled([asked[place] for place in left], kind)
            own = None if rows is None else rows.by_row()
            wider = [no_shorter(*asked[place], ranked, own, each) for place, each in zip(left, found, strict=True)]
            _fill(made, left, wider)
    return _named(made, asked)


def _named(made: list[Interval | None], asked: Sequence[Asked]) -> list[Interval | None]:
    """Intervals that know their measure."""
    return [each and replace(each, measure=sheet.name) for each, (sheet, _) in zip(made, asked, strict=True)]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The rule that chose a threshold on the rows, and the places of the measures at it."""

    rule: Rule
    places: frozenset[int]

    def at_it(self, asked: Sequence[Asked]) -> set[int]:
        """Places of those that the choice can flatter."""
        return {place for place in self.places if depends_on_threshold(*asked[place])}


@dataclass(frozen=True, slots=True)
class _Work:
    """What all intervals by resampling share."""

    ranked: RankedScores
    rows: Rows | None
    level: float
    seed: int
    n_resamples: int

    def resampled(self, asked: list[Asked], kind: str) -> list[Interval]:
        joins = all(sheet.joins_negatives for sheet, _ in asked)
        draws = self.draws(stratified=kind == WITHIN_CLASSES, joins=joins)
        return intervals_by_resampling(draws, asked, self.level, self.seed, self.n_resamples)

    def when_chosen(
        self, asked: list[Asked], chosen: Chosen, made: list[Interval | None], places: set[int]
    ) -> list[Interval | None]:
        if not self.n_resamples:
            plain = [made[place] for place in sorted(places)]
            return [each and replace(each, warnings=(Remark("threshold_as_given"), *each.warnings)) for each in plain]
        how: dict[str, Any] = {"level": self.level, "seed": self.seed, "n_resamples": self.n_resamples}
        rows = None if self.rows is None else self.rows.by_row()
        draws = self.draws(stratified=False, joins=chosen.rule.joins_negatives)
        return [*intervals_when_chosen(draws, asked, chosen.rule, rows=rows, **how)]

    def draws(self, *, stratified: bool, joins: bool = False) -> Draws:
        if self.rows is None:
            return draws_of_groups(self.ranked, stratified=stratified, joins=joins)
        return RowDraws(self.rows, stratified=stratified, frequency=self.ranked.counts_rows)


def _fill(made: list[Interval | None], places: Collection[int], found: Sequence[Interval | None]) -> None:
    for place, interval in zip(sorted(places), found, strict=True):
        made[place] = interval


def _defined(ranked: RankedScores, sheet: FactSheet, params: dict[str, Any]) -> bool:
    return not isinstance(_value(ranked, sheet, params), Undefined)


def _value(ranked: RankedScores, sheet: FactSheet, params: dict[str, Any]) -> float:
    return sheet.compute(ranked, **params)


def _by_formula(
    ranked: RankedScores, sheet: FactSheet, params: dict[str, Any], options: AreaOptions, rows: Rows | None
) -> Interval | None:
    if not (ranked.n_pos and ranked.n_neg):
        return None
    if sheet in (auc.sheet, gini.sheet, partial_auc.sheet) and options[1] != "bootstrap":
        return _of_area(ranked, sheet, params, options, rows)
    if sheet is auc_acc.sheet and options[1] != "bootstrap":
        return _tie_broken(_of_area(ranked, auc.sheet, {}, options, rows), _value(ranked, sheet, params), ranked)
    if sheet.name in ROW_FORMULAS:
        return _of_rows(ranked, sheet, params, options[0], rows)
    if sheet is precision_at_k.sheet and rows is None:
        return _of_first_rows(ranked, params, options[0])
    if sheet.name in RATE_MEASURES:
        return _at_rate(ranked, sheet, params, options[0], rows)
    if Confusion in sheet.ready:
        return _at_threshold(ranked, sheet, dict(params), options[0], None if rows is None else rows.by_row())
    return None


def _of_first_rows(ranked: RankedScores, params: dict[str, Any], level: float) -> Interval | None:
    """Precision at k is a share of k rows, few of which are drawn in resamples: Wilson's interval held its level."""
    k = params.get("k", precision_at_k.sheet.params["k"])
    estimate = _value(ranked, precision_at_k.sheet, params)
    if isinstance(estimate, Undefined):
        return None
    found = proportion_interval(min(estimate * k, k), k, level=level)
    facts: dict[str, Any] = facts_of(ranked)
    return replace(found, estimate=float(estimate), **facts)


def _at_rate(
    ranked: RankedScores, sheet: FactSheet, params: dict[str, Any], level: float, rows: Rows | None
) -> Interval | None:
    if isinstance(_value(ranked, sheet, params), Undefined):
        return None
    found = interval_of_rate(sheet, params, ranked, None if rows is None else rows.by_row(), level)
    return replace(found, warnings=(*reading_remarks(ranked.origin), *found.warnings))


def _at_threshold(
    ranked: RankedScores, sheet: FactSheet, params: dict[str, Any], level: float, rows: Rows | None
) -> Interval:
    threshold = params.pop("threshold", None)
    if rows is None:
        return interval_of(sheet, confusion_at(ranked, threshold), level=level, **params)
    counts, subjects = subject_cells(rows, threshold)
    return interval_of(sheet, counts, level=level, subjects=subjects, **params)


def _of_area(
    ranked: RankedScores, sheet: FactSheet, params: dict[str, Any], options: AreaOptions, rows: Rows | None
) -> Interval:
    level, method = options
    if sheet is partial_auc.sheet and not ({"fpr_range", "tpr_range"} & params.keys()):
        params = {**params, "fpr_range": (0.0, 0.1)}
    area = Area(**params) if sheet is partial_auc.sheet else Area()
    parts = area.components(ranked)
    kind = None if rows is None else rows.reading
    variance = delong_variance(ranked, parts) if rows is None else float(area_covariance(rows, [parts])[0, 0])
    found = area_interval(area, ranked, variance, method, level, rows=rows, kind=kind)
    found = replace(found, warnings=(*reading_remarks(ranked.origin), *found.warnings))
    return _doubled(found, _value(ranked, sheet, params)) if sheet is gini.sheet else found


def _doubled(area: Interval, estimate: float) -> Interval:
    """The interval of 2 AUC - 1."""
    low, high = min(2 * area.low - 1, estimate), max(2 * area.high - 1, estimate)
    return replace(area, estimate=estimate, low=low, high=high, se=None if area.se is None else 2 * area.se)


def _tie_broken(area: Interval, estimate: float, ranked: RankedScores) -> Interval:
    """The interval of AUC:acc is that of AUC, widened by all that accuracy can move."""
    weight = 4 * float(ranked.n_pos * ranked.n_neg)
    low, high = weight * area.low / (weight + 1), (weight * area.high + 1) / (weight + 1)
    se = None if area.se is None else area.se * weight / (weight + 1)
    return replace(area, estimate=estimate, low=min(low, estimate), high=max(high, estimate), se=se)


def _units(rows: Rows | None) -> str:
    """What the independent units are called."""
    return "rows" if rows is None else units_called(rows)


def _of_rows(
    ranked: RankedScores, sheet: FactSheet, params: dict[str, Any], level: float, rows: Rows | None
) -> Interval | None:
    """Interval of a measure that is a mean over rows, or a smooth function of such means."""
    estimate, formula = _value(ranked, sheet, params), ROW_FORMULAS[sheet.name]
    if isinstance(estimate, Undefined):
        return None
    facts: dict[str, Any] = facts_of(ranked)
    if not math.isfinite(estimate):
        return Interval(
            estimate, math.nan, math.nan, level, METHODS[formula.scale], warnings=(Remark("infinite_value"),), **facts
        )
    found = row_mean(formula, ranked, rows)
    fewest = min(ranked.n_pos, ranked.n_neg) if rows is None else fewest_units(rows, frequency=ranked.counts_rows)
    low, high = row_ends(formula, found, estimate, fewest, level, sheet.bounds)
    remarks = [*reading_remarks(ranked.origin), *short_of_measure(sheet, ranked, fewest, _units(rows))]
    remarks += [Remark("rows_agree")] if low == high else []
    return Interval(estimate, low, high, level, METHODS[formula.scale], se=found.se, warnings=tuple(remarks), **facts)
