"""Intervals for proportions, and through them for every threshold measure."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.intervals.binomial import bounds_of
from rocsteady._src.inference.intervals.joint_measures import PARTS, joint_bounds
from rocsteady._src.inference.intervals.normal import check_choice, check_level, quantile_of
from rocsteady._src.inference.intervals.shares import PROPORTIONS, Share
from rocsteady._src.inference.units.subjects import CELLS, ranked_and_rows, read_rows, subject_cells
from rocsteady._src.inputs.weights import reading_remarks, summed, weight_type_of
from rocsteady._src.measures.confusion import Confusion, confusion_at
from rocsteady._src.ranked import refuse_more_than_one
from rocsteady._src.results import Interval
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from rocsteady._src.inference.units.subjects import SubjectCells
    from rocsteady._src.measures.registry import FactSheet

Method = Literal["wilson", "clopper-pearson", "jeffreys", "agresti-coull", "wald"]
METHODS = ("wilson", "clopper-pearson", "jeffreys", "agresti-coull", "wald")
DELTA = "delta"
FEW = 5
NO_SPREAD = 1e-11  # rounding leaves about 1e-14


@typed
def proportion_interval(successes: float, n: float, *, level: float = 0.95, method: Method = "wilson") -> Interval:
    """Confidence interval of a share of rows.

    Parameters
    ----------
    successes, n : int
        How many of how many. "wilson" also takes sums of weights that are not whole numbers.
    level : float
        Confidence level.
    method : {"wilson", "clopper-pearson", "jeffreys", "agresti-coull", "wald"}
        Wilson's coverage is close to the level on average; Clopper-Pearson's is never below it, so its intervals are
        wider. Wald's is far too low for small counts and shares near 0 or 1, and is here to check what others print.

    Returns
    -------
    Interval
        NaN when ``n`` is 0. Without successes ``low`` is 0, without failures ``high`` is 1, exactly.

    References
    ----------
    Brown, Cai and DasGupta (2001), Interval estimation for a binomial proportion, Statistical Science 16:101-133.

    Examples
    --------
    >>> print(proportion_interval(26, 41))
    0.6341 [0.4812, 0.7641] (0.95 level, wilson)
    >>> print(proportion_interval(0, 10, method="clopper-pearson"))
    0.0000 [0.0000, 0.3085] (0.95 level, clopper-pearson)
    """
    low, high = (float(end) for end in proportion_bounds(successes, n, level, method))
    share = successes / n if n else math.nan
    se = math.sqrt(share * (1 - share) / n) if n else math.nan
    return Interval(float(share), low, high, level, method, se=se, warnings=_remarks(successes, n, method))


def proportion_bounds(
    successes: object, n: object, level: float = 0.95, method: Method = "wilson"
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return lower and upper bounds for arrays of counts, as for a band over all thresholds.

    Examples
    --------
    >>> low, high = proportion_bounds([0, 5, 10], 10)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.0, 0.237, 0.722], [0.278, 0.763, 1.0])
    """
    check_choice("method", method, METHODS)
    return bounds_of(*_checked(successes, n, method), check_level(level), method)


def _checked(successes: object, n: object, method: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    hits, total = np.broadcast_arrays(np.asarray(successes, dtype=np.float64), np.asarray(n, dtype=np.float64))
    if not (np.all(hits >= 0) and np.all(hits <= total) and np.all(np.isfinite(total))):
        raise InputError("counts", "counts must be finite, with 0 <= successes <= n")
    if method != "wilson" and not (np.all(hits == np.floor(hits)) and np.all(total == np.floor(total))):
        raise InputError("counts_not_whole", f"{method} needs whole counts; wilson also takes sums of weights")
    return hits, total


def _remarks(successes: float, n: float, method: str) -> tuple[Remark, ...]:
    if not n:
        return (Remark("no_share"),)
    fewest = min(successes, n - successes)
    if method == "wald" and fewest < 2 * FEW:
        return (Remark("wald_too_short", rows=fewest),)
    if method != "clopper-pearson" and fewest < FEW:
        return (Remark("few_of_share", rows=fewest, method=method),)
    return ()


def counted_at(
    y_true: object, y_score: object, threshold: Any, rows: dict[str, Any]
) -> tuple[Confusion, SubjectCells | None]:
    """Counts at a threshold, and those of each subject where rows are not drawn by themselves."""
    cluster, label = rows["cluster"], rows.get("label")
    plain = {name: value for name, value in rows.items() if name not in ("cluster", "label")}
    subjects = None
    if cluster is not None and label is None:
        counts, subjects = subject_cells(read_rows(y_true, y_score, cluster, **plain), threshold)
    elif isinstance(y_true, Confusion):
        refuse_more_than_one(y_score, threshold, rows["sample_weight"], rows["pos_label"])
        counts = y_true
        _refuse_sums(counts, rows["weight_type"])
    else:
        ranked, weighted = ranked_and_rows(y_true, y_score, cluster, label, **plain)
        counts, subjects = subject_cells(weighted, threshold) if weighted else (confusion_at(ranked, threshold), None)
    if np.ndim(counts.tp):
        raise ArgumentError("one_threshold", "pass one threshold; proportion_bounds takes the counts of many")
    return counts, subjects


def interval_of(
    sheet: FactSheet,
    counts: Confusion,
    *,
    level: float = 0.95,
    method: str | None = None,
    subjects: SubjectCells | None = None,
    optimism: float = 0.0,
    **params: Any,
) -> Interval:
    """Interval of a measure, given by its fact sheet, on counts at one threshold, with those of each subject if any.

    ``optimism`` is taken off first, on the scale of :func:`on_scale`: how much too good a threshold makes the measure
    look on the rows that chose it.
    """
    share = PROPORTIONS.get(sheet.name)
    own = default_method(sheet)
    chosen = method or own
    check_choice("method", chosen, (*dict.fromkeys((own, DELTA)),) if share is None else (*METHODS, DELTA))
    if chosen == DELTA:
        found = _delta_interval(sheet, counts, check_level(level), params, subjects, optimism)
    elif share is None:
        found = _joint_interval(sheet, counts, check_level(level), params, subjects, optimism)
    else:
        found = _share_interval(share, counts, check_level(level), chosen, subjects, optimism)
    estimate = float(sheet.of(counts, **params))
    sizes = {"n_pos": counts.tp + counts.fn, "n_neg": counts.fp + counts.tn, "origin": counts.origin}
    remarks = () if counts.origin is None else reading_remarks(counts.origin)
    how = found.method if subjects is None else f"{found.method}, {subjects.how}"
    told = (*remarks, *found.warnings)
    return replace(found, estimate=estimate, method=how, warnings=told, measure=sheet.name, **sizes)


def default_method(sheet: FactSheet) -> str:
    """How a threshold measure gets its interval unless something else is asked for."""
    if sheet.name in PROPORTIONS:
        return "wilson"
    return PARTS[sheet.name].method if sheet.name in PARTS else DELTA


def on_scale(sheet: FactSheet, counts: Confusion, params: Mapping[str, Any]) -> Any:
    """A measure where its interval is made: the share behind it, the log of a ratio, or itself; NaN if infinite.

    Of counts at many thresholds an array.
    """
    share = PROPORTIONS.get(sheet.name)
    if share is not None:
        hits, total = (np.asarray(each, dtype=np.float64) for each in share.counted(counts))
        return np.divide(hits, total, out=np.full(np.broadcast(hits, total).shape, np.nan), where=total != 0)[()]
    values = np.asarray(sheet.of(counts, **params), dtype=np.float64)
    if not _is_ratio(sheet):
        return values[()]
    inside = (values > 0) & (values < math.inf)
    return np.log(values, out=np.full(values.shape, np.nan), where=inside)[()]


def _share_interval(
    share: Share, counts: Confusion, level: float, method: Any, subjects: SubjectCells | None, optimism: float
) -> Interval:
    hits, total = share.counted(counts)
    if subjects is None or not total:
        found = proportion_interval(_less(hits, total, optimism), total, level=level, method=method)
    else:
        worth = subjects.share(share.hits, share.among)
        found = _worth_interval((_less(*worth, optimism), worth[1]), (hits, total), level, method)
    if share.ends is None or share.slope is None or not total:
        return found
    low, high = share.ends(*found)
    return replace(found, low=low, high=high, se=share.slope(found.estimate) * (found.se or 0.0))


def _less(hits: float, total: float, optimism: float) -> float:
    return min(max(hits - optimism * total, 0.0), total) if optimism else hits


def _worth_interval(worth: tuple[float, float], counted: tuple[float, float], level: float, method: str) -> Interval:
    """Interval of as many independent rows as the subjects are worth, which need not be a whole number."""
    hits, total = (np.asarray(value) for value in worth)
    share = counted[0] / counted[1]
    if math.isnan(total):
        why = Remark("one_subject_of_share")
        return Interval(share, math.nan, math.nan, level, method, se=math.nan, warnings=(why,))
    low, high = (float(end) for end in bounds_of(hits, total, level, method))
    se = math.sqrt(share * (1 - share) / total)
    return Interval(share, low, high, level, method, se=se, warnings=_remarks(*counted, method))


def _joint_interval(
    sheet: FactSheet,
    counts: Confusion,
    level: float,
    params: dict[str, Any],
    subjects: SubjectCells | None,
    optimism: float,
) -> Interval:
    """Limits of the shares behind a measure, put together; the standard error is that of the delta method."""
    cells = np.array([float(getattr(counts, cell)) for cell in CELLS])
    method, estimate = PARTS[sheet.name].method, float(sheet.of(counts, **params))
    if math.isnan(estimate):
        return _undefined(level, method)
    ends = joint_bounds(sheet, cells[:, None], quantile_of(level), params, subjects)
    low, high = (float(end[0]) for end in ends)
    if optimism:
        low, high = (_moved(sheet, end, optimism) for end in (low, high))
    else:
        low, high = min(low, estimate), max(high, estimate)
    se = _delta(sheet, cells, params, subjects)[1]
    se = se * estimate if _is_ratio(sheet) else se
    remarks = _few_in_a_cell(cells, "few_behind_measure")
    if subjects is not None and not PARTS[sheet.name].seen(subjects):
        remarks.append(Remark("one_subject_of_share"))
    return Interval(
        estimate, low, high, level, method, se=se if math.isfinite(se) else math.nan, warnings=tuple(remarks)
    )


def _moved(sheet: FactSheet, end: float, optimism: float) -> float:
    """An end less the optimism of a chosen threshold, within the measure's bounds."""
    moved = end * math.exp(-optimism) if _is_ratio(sheet) else end - optimism
    return min(max(moved, sheet.bounds[0]), sheet.bounds[1])


def _undefined(level: float, method: str) -> Interval:
    why = Remark("undefined_on_counts")
    return Interval(math.nan, math.nan, math.nan, level, method, se=math.nan, warnings=(why,))


def _delta_interval(
    sheet: FactSheet,
    counts: Confusion,
    level: float,
    params: dict[str, Any],
    subjects: SubjectCells | None,
    optimism: float,
) -> Interval:
    cells = np.array([float(getattr(counts, cell)) for cell in CELLS])
    estimate = float(sheet.of(counts, **params))
    if math.isnan(estimate):
        return _undefined(level, DELTA)
    remarks = _few_in_a_cell(cells, "few_in_a_cell")
    centre, se = _delta(sheet, cells, params, subjects)
    if not (NO_SPREAD < se < math.inf and math.isfinite(centre)):
        remarks.append(Remark("half_a_row_more"))
        centre, se = _delta(sheet, (cells if subjects is None else subjects.one_row_each()) + 0.5, params)
    centre = centre * math.exp(-optimism) if _is_ratio(sheet) else centre - optimism
    half = quantile_of(level) * se
    ends = (centre * math.exp(-half), centre * math.exp(half)) if _is_ratio(sheet) else (centre - half, centre + half)
    low, high = (min(max(end, sheet.bounds[0]), sheet.bounds[1]) for end in ends)
    se = se * centre if _is_ratio(sheet) else se
    if not optimism:
        low, high = min(low, estimate), max(high, estimate)
    return Interval(estimate, low, high, level, DELTA, se=se, warnings=tuple(remarks))


def _delta(
    sheet: FactSheet, cells: NDArray[np.float64], params: dict[str, Any], subjects: SubjectCells | None = None
) -> tuple[float, float]:
    """Value and standard error, of the logarithm for ratios.

    A measure does not change when all counts double, so its slopes, weighted by the counts, add up to 0, and the
    multinomial variance is the sum of count times slope squared.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(sheet.formula(Confusion(*cells), **params))
    slopes = cell_slopes(sheet, cells, params, logarithm=_is_ratio(sheet))
    if subjects is not None:
        return value, subjects.spread(slopes)
    return value, math.sqrt(float(np.sum(cells * slopes**2)))


def cell_slopes(
    sheet: FactSheet, cells: NDArray[np.float64], params: dict[str, Any], *, logarithm: bool = False
) -> NDArray[np.float64]:
    """What one more row in each of the four cells adds to a measure, or to its logarithm; 0 where a cell is empty.

    Slopes come from steps of a thousandth of a count, extrapolated to 0: exact to about 12 digits, and defined where
    leaving out a whole row is not.
    """
    steps = np.array([-2e-3, -1e-3, 1e-3, 2e-3])
    moved = cells[:, None, None] * (1 + np.eye(4)[:, :, None] * steps)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.asarray(sheet.formula(Confusion(*moved), **params), dtype=np.float64)
        values = np.log(values) if logarithm else values
        slopes = (8 * (values[:, 2] - values[:, 1]) - (values[:, 3] - values[:, 0])) / (12e-3 * cells)
    return np.where(cells > 0, slopes, 0.0)


def _is_ratio(sheet: FactSheet) -> bool:
    return sheet.bounds == (0.0, math.inf)


def _refuse_sums(counts: Confusion, weight_type: str | None) -> None:
    """Counts that were made of weights are rows only where somebody says so."""
    weight_type_of(None, weight_type)
    if counts.origin is None or not counts.origin.weighted:
        return
    if (weight_type or counts.origin.reading) == "sampling":
        words = "{why}; for counts at another prevalence see {there}"
        there = "rs.predictive_values(..., prevalence=...)"
        raise InputError("weights_summed", Sentence(words, why=summed("an interval"), there=there))
    weight_type_of(np.array([counts.tp, counts.fp, counts.fn, counts.tn]), weight_type, "the sums of weights")


def _few_in_a_cell(cells: NDArray[np.float64], code: str) -> list[Remark]:
    name, fewest = CELLS[int(cells.argmin())], float(cells.min())
    return [Remark(code, rows=fewest, cell=name.upper(), enough=FEW)] if fewest < FEW else []
