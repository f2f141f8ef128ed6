"""Covariate-adjusted ROC: every positive is held against negatives like it (AROC), by strata or by a line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, refuse_one_class
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.intervals.normal import check_choice, check_level, quantile_of
from rocsteady._src.inference.resampling.resample import fresh_seed
from rocsteady._src.inputs.given import is_table
from rocsteady._src.inputs.tables import all_columns
from rocsteady._src.measures.ranking import auc
from rocsteady._src.ranked import canonical_order, numbered, read_rows, sorted_distinct
from rocsteady._src.results import Interval
from rocsteady._src.results.adjusted import AdjustedRoc
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.ranked import Rows

    Array = NDArray[np.float64]
    Mask = NDArray[np.bool_]

FEW_NEGATIVES = 20
GRID = 101


class Placed(NamedTuple):
    """Of each positive: the share of negatives like it that score higher, and with ties halved."""

    above: Array
    halved: Array


@typed
def adjusted_roc(
    y_true: object,
    y_score: object,
    covariates: Any,
    *,
    method: Literal["stratified", "linear"] = "stratified",
    level: float = 0.95,
    n_resamples: int = 500,
    random_state: int | None = None,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> AdjustedRoc:
    """ROC curve adjusted for covariates (AROC): how well does the score do among cases that are alike otherwise?

    The placement value of a positive is the share of negatives of the same covariates that score at least as high; the
    adjusted curve is the distribution of these values, its area one less their mean. A marker that rises with age looks
    better in a pooled ROC when positives are older, though it adds nothing to age.

    Parameters
    ----------
    y_true, y_score : array-like
        Labels and scores; higher means more positive.
    covariates : array-like, mapping or table
        One column, or several by name. Strata are their combinations; for "linear" they are numbers.
    method : {"stratified", "linear"}
        "stratified": negatives of the same stratum. "linear": a straight line through the negatives' scores on the
        covariates, placement by residuals (Janes and Pepe's semiparametric estimate).
    level : float
        Confidence level.
    n_resamples, random_state
        Rows are drawn anew within each class (and stratum), for limits of the curve, and of the area by "linear".
    pos_label : optional
        The label of the positive class; needed unless labels are {0, 1}, {-1, 1} or booleans.
    missing : {"raise", "drop"}
        Refuse rows that lack a label, a score or a covariate, or leave them out and count them.

    Returns
    -------
    AdjustedRoc
        ``fpr``, ``tpr`` with pointwise ``low`` and ``high``; ``auc`` with its interval, ``unadjusted`` beside it.
        The variance of the stratified area counts positives over all strata and negatives within them.

    References
    ----------
    Janes and Pepe (2009), Biometrika 96:371-382. Rodriguez-Alvarez, Roca-Pardinas and Cadarso-Suarez (2011), Statistics
    and Computing 21:483-499.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, old = [0, 0, 1, 1, 0, 1, 1, 1], [1, 2, 1.5, 2.5, 4, 3, 5, 6], [0, 0, 0, 0, 1, 1, 1, 1]
    >>> found = rs.inference.adjusted_roc(y, s, old, n_resamples=50, random_state=1)
    >>> round(found.auc.estimate, 4), round(found.unadjusted, 4)
    (0.7, 0.7333)
    """
    check_choice("method", method, ("stratified", "linear"))
    check_level(level)
    rows, columns = _read(y_true, y_score, covariates, pos_label=pos_label, missing=missing)
    refuse_one_class(rows.ranked[0].n_pos, rows.ranked[0].n_neg, "an ROC curve needs")
    scores, positive = np.asarray(rows.scores_of(rows.names[0]), np.float64), np.asarray(rows.positive)
    told: list[Remark] = []
    stratum = np.zeros(scores.size, np.int64)
    if method == "stratified":
        stratum, kept = _strata(columns, positive, told)
        scores, positive, stratum = scores[kept], positive[kept], stratum[kept]
        design = None
    else:
        design, told = _design(columns), [Remark("line_of_negatives")]
    seed = fresh_seed(random_state)
    fpr, found = np.linspace(0, 1, GRID), _placed(scores, positive, stratum, design)
    low, high, areas = _resampled(scores, positive, stratum, design, fpr, level, (n_resamples, seed))
    return AdjustedRoc(
        fpr=fpr,
        tpr=_heights(found, fpr),
        low=low,
        high=high,
        auc=_area(found, scores, positive, stratum, level, areas if method == "linear" else None),
        unadjusted=auc.sheet.compute(rows.ranked[0]),
        method=method,
        n_strata=int(stratum.max()) + 1 if method == "stratified" else None,
        level=level,
        n_resamples=n_resamples,
        seed=seed,
        warnings=tuple(told),
        **facts_of(rows.ranked[0]),
    )


def _read(y_true: object, y_score: object, covariates: Any, **how: Any) -> tuple[Rows, dict[str, Any]]:
    """Complete rows, and their covariates by name."""
    given = _columns(covariates)
    label, score = (_free(name, given) for name in ("y_true", "y_score"))
    table = {label: y_true, score: y_score, **given}
    rows = read_rows(table, label=label, scores=[score], also=list(given), **how).checked()
    return rows, {name: rows.columns[name] for name in given}


def _columns(covariates: Any) -> dict[str, Any]:
    """Columns by name."""
    given = {"covariates": covariates}
    if is_table(covariates):
        given = {str(name): column for name, column in all_columns(covariates).items()}
    elif getattr(covariates, "ndim", 1) == 2:
        given = {f"column {place}": covariates[:, place] for place in range(covariates.shape[1])}
    if not given:
        raise ArgumentError("covariates", "no covariates were given: take rs.roc_curve")
    return given


def _free(name: str, taken: dict[str, Any]) -> str:
    """The name, or one like it that no covariate has."""
    return _free(f"{name}_", taken) if name in taken else name


def _strata(columns: dict[str, Any], positive: Mask, told: list[Remark]) -> tuple[NDArray[np.int64], Mask]:
    """The stratum of each row, and which rows can be placed: those of strata that have negatives and positives."""
    code = np.zeros(positive.size, np.int64)
    for values in columns.values():
        names, place = numbered(values)
        code = numbered(code * len(names) + place)[1]
    n_neg, n_pos = np.bincount(code, ~positive), np.bincount(code, positive)
    kept = ((n_neg > 0) & (n_pos > 0))[code]
    lost = int((positive & ~kept).sum())
    if not (positive & kept).any():
        raise InputError(
            "no_strata", "no stratum has positives and negatives: take coarser strata, or the method linear"
        )
    told += [Remark("strata_left_out", n=lost)] if lost else []
    used = n_neg[(n_neg > 0) & (n_pos > 0)]
    few = int((used < FEW_NEGATIVES).sum())
    told += [Remark("few_in_strata", n=few, total=used.size, enough=FEW_NEGATIVES)] if few else []
    again = np.zeros_like(code)
    again[kept] = numbered(code[kept])[1]
    return again, kept


def _design(columns: dict[str, Any]) -> Array:
    for name, values in columns.items():
        if values.dtype.kind not in "biuf":
            raise ArgumentError("covariates", f"{name} is no number: take the method stratified, or columns of 0 and 1")
    return np.column_stack([np.ones(len(next(iter(columns.values())))), *(v.astype(float) for v in columns.values())])


def _placed(scores: Array, positive: Mask, stratum: NDArray[np.int64], design: Array | None) -> Placed:
    """Placement values of positives."""
    if design is not None:
        line = np.linalg.lstsq(design[~positive], scores[~positive], rcond=None)[0]
        scores = scores - design @ line
    distinct, place = sorted_distinct(scores)
    key = stratum * (distinct.size + 1) + place  # ranks within strata, one line after the other
    negatives = sorted_keys(key[~positive])
    ends = np.cumsum(np.bincount(stratum[~positive], minlength=int(stratum.max()) + 1))
    sizes = np.diff(ends, prepend=0)
    mine, home = key[positive], stratum[positive]
    last = ends[home]
    at_least = (last - negatives.searchsorted(mine, side="left")) / sizes[home]
    higher = (last - negatives.searchsorted(mine, side="right")) / sizes[home]
    return Placed(at_least, (at_least + higher) / 2)


def sorted_keys(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Whole numbers in increasing order, repeated as often as they occur."""
    distinct, place = sorted_distinct(keys)
    found: NDArray[np.int64] = np.repeat(distinct, np.bincount(place))
    return found


def _heights(found: Placed, fpr: Array) -> Array:
    """Share of positives whose placement value is at most so large."""
    ordered = np.repeat(*_runs(found.above))
    heights: Array = ordered.searchsorted(fpr + 1e-12, side="right") / ordered.size
    return heights


def _runs(values: Array) -> tuple[Array, NDArray[np.int64]]:
    distinct, place = sorted_distinct(values)
    return distinct, np.bincount(place)


def _resampled(
    scores: Array,
    positive: Mask,
    stratum: NDArray[np.int64],
    design: Array | None,
    fpr: Array,
    level: float,
    drawn: tuple[int, int],
) -> tuple[Array, Array, Array]:
    """Percentiles of the curve, and the areas, over rows drawn anew within class and stratum."""
    n_resamples, seed = drawn
    keys = [stratum, positive, scores, *([] if design is None else design.T)]
    order, _ = canonical_order(keys)  # what is drawn does not depend on the order of rows
    scores, positive, stratum = scores[order], positive[order], stratum[order]
    design = None if design is None else design[order]
    rng = np.random.default_rng(seed)
    cell = 2 * stratum + positive
    members = [np.flatnonzero(cell == each) for each in sorted_distinct(cell)[0].tolist()]
    curves, areas = np.empty((n_resamples, fpr.size)), np.empty(n_resamples)
    for number in range(n_resamples):
        rows = np.concatenate([each[rng.integers(each.size, size=each.size)] for each in members])
        found = _placed(scores[rows], positive[rows], stratum[rows], None if design is None else design[rows])
        curves[number], areas[number] = _heights(found, fpr), 1 - float(found.halved.mean())
    low, high = np.quantile(curves, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return low, high, areas


def _area(
    found: Placed, scores: Array, positive: Mask, stratum: NDArray[np.int64], level: float, areas: Array | None
) -> Interval:
    """One less the mean placement value; on the logit scale."""
    value = 1 - float(found.halved.mean())
    if areas is None:
        se, how = math.sqrt(_variance(found, scores, positive, stratum)), "stratified DeLong, logit"
    else:
        se, how = float(np.std(areas, ddof=1)), "bootstrap se, logit"
    facts: dict[str, Any] = {"level": level, "method": how, "se": se}
    if not (0 < value < 1 and se > 0):
        return Interval(value, math.nan, math.nan, **facts, warnings=(Remark("verified_at_bound"),))
    centre, reach = math.log(value / (1 - value)), quantile_of(level) * se / (value * (1 - value))
    low, high = (1 / (1 + math.exp(-end)) for end in (centre - reach, centre + reach))
    return Interval(value, low, high, **facts)


def _variance(found: Placed, scores: Array, positive: Mask, stratum: NDArray[np.int64]) -> float:
    """Positives vary over all strata, negatives within theirs, which count as they have positives."""
    of_pos = float(np.var(found.halved, ddof=1)) / found.halved.size if found.halved.size > 1 else math.nan
    turned = _placed(-scores, ~positive, stratum, None).halved  # of negatives among positives of their stratum
    homes, share = stratum[~positive], np.bincount(stratum[positive]) / positive.sum()
    of_neg = 0.0
    for each, weight in enumerate(share.tolist()):
        values = turned[homes == each]
        spread = float(np.var(values, ddof=1)) if values.size > 1 else 0.25  # one negative says nothing: the most
        of_neg += weight**2 * spread / values.size
    return of_pos + of_neg
