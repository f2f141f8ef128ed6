"""An interval for every measure of a table: by formula where there is one, else by bootstrap."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocsteady.errors import Undefined
from rocsteady.inputs.weights import reading_remarks
from rocsteady.measures.confusion import Confusion, confusion_at
from rocsteady.measures.ranking import auc, gini, partial_auc
from rocsteady.results import Interval, Resampling
from rocsteady.uncertainty.areas import FORMULAS, area_interval
from rocsteady.uncertainty.bootstrap import short_remarks
from rocsteady.uncertainty.components import Area, delong_variance
from rocsteady.uncertainty.draws import GroupDraws, RowDraws
from rocsteady.uncertainty.influence import area_covariance
from rocsteady.uncertainty.proportions import interval_of
from rocsteady.uncertainty.resample import check_failures, ends, replicate, sampler, spread_of
from rocsteady.uncertainty.subjects import subject_cells

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady.measures.registry import FactSheet
    from rocsteady.ranked import ModelRows, RankedScores
    from rocsteady.uncertainty.draws import Draws

    Asked = tuple[FactSheet, dict[str, Any]]
    AreaOptions = tuple[float, str]

MOST_BOOTSTRAPPED = 100_000
AUC_METHODS = (*FORMULAS, "bootstrap")
STILL = "all resamples agree: a width of zero is not certainty"


def intervals_of_measures(
    ranked: RankedScores,
    asked: Sequence[Asked],
    *,
    level: float,
    seed: int,
    n_resamples: int | None = None,
    rows: ModelRows | None = None,
    auc_method: str = "auto",
) -> list[Interval | None]:
    """Intervals of one model's measures; None where the value is undefined or nothing was resampled.

    ``rows`` of the model are needed for sampling weights and clusters. All measures without a formula share their
    resamples: 2000, or none above 100,000 distinct scores unless ``n_resamples`` says so. ``auc_method`` is that of
    areas, as in :func:`rocsteady.auc_interval`.
    """
    made = [_by_formula(ranked, sheet, params, (level, auc_method), rows) for sheet, params in asked]
    if n_resamples is None:
        n_resamples = 2000 if ranked.scores.size <= MOST_BOOTSTRAPPED else 0
    left = [place for place, interval in enumerate(made) if interval is None and _defined(ranked, *asked[place])]
    if left and n_resamples and ranked.n_pos and ranked.n_neg:
        draws: Draws = GroupDraws(ranked) if rows is None else RowDraws(rows, frequency=ranked.counts_rows)
        found = _by_bootstrap(draws, [asked[place] for place in left], level, seed, n_resamples)
        for place, interval in zip(left, found, strict=True):
            made[place] = interval
    return made


def _defined(ranked: RankedScores, sheet: FactSheet, params: dict[str, Any]) -> bool:
    return not isinstance(_value(ranked, sheet, params), Undefined)


def _value(ranked: RankedScores, sheet: FactSheet, params: dict[str, Any]) -> float:
    return sheet.compute(ranked, **params)


def _by_formula(
    ranked: RankedScores, sheet: FactSheet, params: dict[str, Any], options: AreaOptions, rows: ModelRows | None
) -> Interval | None:
    if not (ranked.n_pos and ranked.n_neg):
        return None
    if sheet in (auc.sheet, gini.sheet, partial_auc.sheet) and options[1] != "bootstrap":
        return _of_area(ranked, sheet, params, options, rows)
    if Confusion in sheet.ready:
        return _at_threshold(ranked, sheet, dict(params), options[0], None if rows is None else rows.by_row())
    return None


def _at_threshold(
    ranked: RankedScores, sheet: FactSheet, params: dict[str, Any], level: float, rows: ModelRows | None
) -> Interval:
    threshold = params.pop("threshold", None)
    if rows is None:
        return interval_of(sheet, confusion_at(ranked, threshold), level=level, **params)
    counts, subjects = subject_cells(rows, threshold)
    return interval_of(sheet, counts, level=level, subjects=subjects, **params)


def _of_area(
    ranked: RankedScores, sheet: FactSheet, params: dict[str, Any], options: AreaOptions, rows: ModelRows | None
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


def _by_bootstrap(
    draws: Draws, asked: Sequence[Asked], level: float, seed: int, n_resamples: int
) -> list[Interval | None]:
    sample = sampler(draws, lambda made: [_value(made[0], sheet, params) for sheet, params in asked])
    values = replicate(sample, n_resamples=n_resamples, seed=seed)
    ranked, short = draws.ranked[0], short_remarks(draws, 0, "percentile")
    made: list[Interval | None] = []
    for column, (sheet, params) in enumerate(asked):
        estimate = float(_value(ranked, sheet, params))
        n_failed, remarks = check_failures(values[:, column])
        low, high = ends("percentile", values[:, column], estimate, level)
        made.append(
            Interval(
                estimate,
                low,
                high,
                level,
                "bootstrap percentile",
                se=spread_of(values[:, column]),
                n_pos=ranked.n_pos,
                n_neg=ranked.n_neg,
                origin=ranked.origin,
                warnings=(*reading_remarks(ranked.origin), *remarks, *short, *([STILL] if low == high else [])),
                resampling=Resampling(draws.scheme, n_resamples, n_failed, seed, values[:, column]),
            )
        )
    return made
