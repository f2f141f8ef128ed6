"""Reclassification tables by risk category, with Cook's calibration test of their cells."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.text import format_setting
from rocsteady._src.base.typed import typed
from rocsteady._src.inputs.weights import reading_remarks
from rocsteady._src.probabilities.calibration.subjects import block_covariances, rao_scott
from rocsteady._src.probabilities.reclassification.few_events import VERY_FEW, counts_rows
from rocsteady._src.probabilities.reclassification.nri import NRI_WARNING
from rocsteady._src.probabilities.reclassification.two_models import categories, checked_cutoffs, named, read_two_models
from rocsteady._src.results import Reclassification, TestResult
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.probabilities.reclassification.two_models import AnyPair

    Array = NDArray[np.float64]

LEAST_ROWS = 20


@typed
def reclassification(
    y_true: object,
    old: object,
    new: object,
    *,
    cutoffs: object,
    external: bool = False,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    label: str | None = None,
) -> Reclassification:
    """Cross-tabulate the risk categories of two models, for events, nonevents and all.

    Cook's test asks of each model whether its mean prediction fits the observed share in the cells of the table that
    have at least 20 rows: chi-square = sum of (O - n p)^2 / (n p (1 - p)) over K cells, df = K - 2. That df is for
    models fitted on these rows; on new rows nothing was fitted, and df = K keeps the size. Frequency weights count as
    so many rows, also for these 20; under sampling weights a row is one row. O(n).

    Parameters
    ----------
    y_true, old, new : array-like
        Labels and the probabilities of both models, row by row.
    cutoffs : sequence of float
        Limits of the risk categories; a probability at a limit belongs to the higher category.
    external : bool
        Whether the models were fitted on other rows than these.
    cluster : array-like, optional
        Subject of each row, where subjects have several: the chi-square of Cook's test and its df are divided by the
        design effects of Rao and Scott (second order). Without it rows must be independent.
    sample_weight, weight_type, pos_label, missing, label
        As in :func:`rocsteady.net_reclassification`.

    Returns
    -------
    Reclassification

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, old = [1, 1, 1, 0, 0, 0], [0.3, 0.6, 0.4, 0.4, 0.2, 0.6]
    >>> result = rs.reclassification(y, old, [0.6, 0.7, 0.3, 0.2, 0.1, 0.7], cutoffs=[0.5])
    >>> result.events.tolist(), result.moved["events"]["up"]
    ([[1.0, 1.0], [0.0, 1.0]], 0.3333333333333333)
    """
    limits = checked_cutoffs(cutoffs)
    rows = read_two_models(
        y_true,
        old,
        new,
        sample_weight=sample_weight,
        weight_type=weight_type,
        cluster=cluster,
        pos_label=pos_label,
        missing=missing,
        label=label,
    )
    return named(tables_of_rows(rows, limits, external=external), old, new, label)


def tables_of_rows(rows: AnyPair, cutoffs: tuple[float, ...], *, external: bool = False) -> Reclassification:
    """Tables of rows that were read."""
    n_rows, everybody, events, old, new = _cells(rows, cutoffs)
    with np.errstate(invalid="ignore", divide="ignore"):
        observed, mean_old, mean_new = events / everybody, old / everybody, new / everybody
    used = n_rows >= LEAST_ROWS
    n_fitted = 0 if external else 2
    effects = _subject_effects(rows, cutoffs, used)
    cook = [
        _cook(rows, events[used], everybody[used], mean[used], n_fitted, effect)
        for mean, effect in zip((mean_old, mean_new), effects, strict=True)
    ]
    small = int(((n_rows > 0) & (n_rows < LEAST_ROWS)).sum())
    left_out = (Remark("cells_left_out", enough=LEAST_ROWS, n=small),) if small else ()
    return Reclassification(
        cutoffs=cutoffs,
        labels=_labels(cutoffs),
        events=events,
        nonevents=everybody - events,
        all=everybody,
        observed=observed,
        mean_old=mean_old,
        mean_new=mean_new,
        cook_old=cook[0],
        cook_new=cook[1],
        n_pos=rows.sizes[0],
        n_neg=rows.sizes[1],
        origin=rows.origin,
        warnings=(*reading_remarks(rows.origin), *_few_rows(rows), *left_out, NRI_WARNING),
    )


def _few_rows(rows: AnyPair) -> tuple[Remark, ...]:
    fewest = min(rows.sizes)
    if counts_rows(rows) and 0 < fewest < VERY_FEW:
        return (Remark("few_in_table", rows=fewest, step=1 / float(fewest)),)
    return ()


def _cells(rows: AnyPair, cutoffs: tuple[float, ...]) -> NDArray[np.float64]:
    """Rows, weight, weight of events, and sums of old and new probabilities in each cell: whole weights are rows."""
    sums = rows.cells(cutoffs)
    if rows.weight_type != "sampling":
        sums[0] = sums[1]
    return sums


def _labels(cutoffs: tuple[float, ...]) -> tuple[str, ...]:
    edges = ["0", *(format_setting(cut) for cut in cutoffs), "1"]
    last = len(edges) - 2
    return tuple(f"[{low}, {high}{']' if i == last else ')'}" for i, (low, high) in enumerate(pairwise(edges)))


def _subject_effects(
    rows: AnyPair, cutoffs: tuple[float, ...], used: NDArray[np.bool_]
) -> list[tuple[Array, Array] | None]:
    """For each model, covariance of what the cells hold beyond its predictions: by subjects, and by rows."""
    known = rows.in_memory()
    if known is None or counts_rows(rows):
        return [None, None]
    clusters = np.arange(known.positive.size) if known.clusters is None else known.clusters
    cells = categories(known.old, cutoffs).astype(np.int64) * used.shape[0] + categories(known.new, cutoffs)
    weights = np.ones(known.positive.size) if known.weights is None else known.weights
    kept, shape = np.ix_(np.flatnonzero(used), np.flatnonzero(used)), (int(clusters.max()) + 1, used.size)
    made: list[tuple[Array, Array] | None] = []
    for scores in (known.old, known.new):
        found = block_covariances(known.positive - scores, weights, cells, clusters, shape)
        made.append((found[0][kept], found[1][kept]))
    return made


def _cook(
    rows: AnyPair, o: Array, n: Array, p: Array, n_fitted: int, effects: tuple[Array, Array] | None
) -> TestResult:
    from scipy.special import chdtrc

    df = float(o.size - n_fitted)
    with np.errstate(invalid="ignore", divide="ignore"):
        statistic = float(((o - n * p) ** 2 / (n * p * (1 - p))).sum())
    defined = df > 0 and math.isfinite(statistic)
    if defined and effects is not None:
        statistic, df = rao_scott(statistic, df, *effects)
    return TestResult(
        statistic=statistic if defined else math.nan,
        pvalue=float(chdtrc(df, statistic)) if defined else math.nan,
        estimate=math.nan,
        low=math.nan,
        high=math.nan,
        alternative="two-sided",
        method="Cook's reclassification calibration" + _by_units(rows),
        hypothesis="mean predictions do not fit the cells",
        df=df if defined else math.nan,
        null=None,
        n_pos=rows.sizes[0],
        n_neg=rows.sizes[1],
        origin=rows.origin,
        warnings=reading_remarks(rows.origin) + (() if defined else (_undefined(o.size, n_fitted),)),
    )


def _by_units(rows: AnyPair) -> str:
    if counts_rows(rows):
        return ""
    return ", by weight" if rows.clusters is None else ", by cluster"


def _undefined(n_cells: int, n_fitted: int) -> Remark:
    if n_cells <= n_fitted:
        return Remark("few_cells", needed=n_fitted + 1, enough=LEAST_ROWS, n=n_cells)
    return Remark("certain_cell")
