"""Confidence bands of the ROC curve."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, is_number, refuse_one_class
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.bands.band_methods import (
    MOST_PLACES,
    Limits,
    Steps,
    bootstrap_limits,
    clopper_pearson,
    evenly,
    fixed_width_limits,
    ks_limits,
    pointwise_limits,
    usual_places,
    widened,
    working_hotelling_limits,
)
from rocsteady._src.inference.intervals.normal import check_choice, check_level
from rocsteady._src.inference.resampling.draws import RowDraws
from rocsteady._src.inference.resampling.resample import fresh_seed
from rocsteady._src.inference.units.subjects import CurveWorth, ranked_and_rows
from rocsteady._src.inputs.reals import real_numbers
from rocsteady._src.inputs.weights import reading_remarks, sampled
from rocsteady._src.measures.ranking import auc
from rocsteady._src.ranked import in_canonical_order
from rocsteady._src.results.bands import RocBand
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.ranked import RankedScores, Rows

    Array = NDArray[np.float64]

BandMethod = Literal["pointwise", "threshold", "ks", "fixed-width", "working-hotelling", "bootstrap"]
METHODS = ("pointwise", "threshold", "ks", "fixed-width", "working-hotelling", "bootstrap")
POINTWISE = ("pointwise", "threshold")
# Limits of the warnings, and what they say, come from benchmarks/band_coverage.py.
FEW_FIXED, FEW_BOOTSTRAP, FEW_WRONG, FEW_BINORMAL, HEAVY = 20, 5, 1.5, 60, 0.1
RESAMPLED = ("fixed-width", "bootstrap")
OF_ROWS = ("ks", "working-hotelling")


@typed
def roc_band(
    y_true: object,
    y_score: object = None,
    *,
    method: BandMethod = "pointwise",
    level: float = 0.95,
    fpr: object = None,
    n_resamples: int = 2000,
    random_state: int | None = None,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    label: str | None = None,
) -> RocBand:
    """Confidence band of the ROC curve.

    Parameters
    ----------
    y_true, y_score : array-like
        Labels and scores, or ranked scores alone.
    method : str
        Limits that hold at each place by itself:

        - "pointwise": of the true positive rate at a false positive rate, the threshold being unsure as well.
        - "threshold": exact (Clopper-Pearson) limits of both rates at each threshold.

        Limits that hold for the whole curve at once:

        - "ks": boxes of Kolmogorov-Smirnov distances; sure to hold, wide, wider still with ties.
        - "fixed-width": the curve displaced both ways, by a distance from the bootstrap.
        - "working-hotelling": around the binormal curve, which has to fit.
        - "bootstrap": the pointwise limits, stretched until replicates are held as a whole.
    level : float
        Confidence level.
    fpr : array-like, optional
        False positive rates to report at, increasing; those of the curve and a hundred even ones when absent, 512 at
        most. Not for "threshold".
    n_resamples : int
        Replicates of "fixed-width" and "bootstrap", each O(min(distinct scores, 2000)).
    random_state : int, optional
        Seed of these; the one used is in ``seed`` of the result.
    sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`.
    weight_type : {"frequency", "sampling"}, optional
        As in :func:`rocsteady.auc_interval`. A row of a sampling weight is handled as a subject of its own.
    cluster : array-like, optional
        The subject of each row, when subjects have several rows. "pointwise" and "threshold" then count, at each
        place, as many independent rows of a class as would tell its rate as surely, no more than there are; limits
        are widened to fall nowhere, and to hold those of lower levels. "pointwise" also corrects for both rates varying
        together. "fixed-width" and "bootstrap" draw subjects. "ks" and "working-hotelling" are about independent rows
        and are refused. O(subjects) for each of 512 places.
    label : str, optional
        Column of labels, when a table comes first, as in :func:`rocsteady.auc_interval`.

    Returns
    -------
    RocBand
        ``fpr``, ``tpr``, ``low``, ``high``, ``coverage``, ``warnings``; has ``plot()`` and ``to_frame()``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> from rocsteady.examples import loans
    >>> table = loans()
    >>> band = roc_band(table["defaulted"], table["boosted"], fpr=[0.1, 0.2])
    >>> band.low.round(3).tolist(), band.tpr.round(3).tolist(), band.high.round(3).tolist()
    ([0.657, 0.808], [0.724, 0.853], [0.776, 0.889])
    """
    check_choice("method", method, METHODS)
    check_level(level)
    if cluster is not None and method in OF_ROWS:
        text = Sentence(
            '{method} is about independent rows; {method="bootstrap"} draws subjects, for the whole curve at once',
            method=method,
        )
        raise ArgumentError("method", text)
    how: dict[str, Any] = {"sample_weight": sample_weight, "pos_label": pos_label, "missing": missing}
    ranked, rows = ranked_and_rows(y_true, y_score, cluster, label, weight_type=weight_type, **how)
    if method in OF_ROWS and not ranked.counts_rows:
        raise ArgumentError("method", Sentence("{sampled}, or take {method='bootstrap'}", sampled=sampled(method)))
    return _band(ranked, rows, fpr, (method, level, n_resamples, random_state))


def _band(ranked: RankedScores, rows: Rows | None, fpr: object, choice: tuple[str, float, int, int | None]) -> RocBand:
    method, level, n_resamples, random_state = choice
    refuse_one_class(ranked.n_pos, ranked.n_neg, "a band needs")
    if method == "threshold":
        return _threshold_band(ranked, rows, level, fpr)
    rows = None if rows is None else in_canonical_order(rows)
    steps = _steps(ranked, rows)
    at, seed = _places(steps, fpr), _seed(method, n_resamples, random_state)
    limits = _limits(ranked, rows, steps, at, (method, level, n_resamples, seed))
    tpr = steps.top(at) if limits.centre is None else limits.centre
    low, high = _anchored(at, limits)
    return RocBand(
        at, low, high, tpr, level, method, _coverage(method), ranked.n_pos, ranked.n_neg, ranked.origin,
        (*_warnings(ranked, method), *limits.warnings), critical=limits.critical,
        n_resamples=None if seed is None else n_resamples, seed=seed,
    )  # fmt: skip


def _steps(ranked: RankedScores, rows: Rows | None) -> Steps:
    steps = Steps.of(ranked)
    if rows is None:
        return steps
    return replace(steps, worth=CurveWorth.of(rows, evenly(steps.fpr + steps.tpr, MOST_PLACES)))


def _limits(
    ranked: RankedScores,
    rows: Rows | None,
    steps: Steps,
    at: Array,
    choice: tuple[str, float, int, int | None],
) -> Limits:
    method, level, n_resamples, seed = choice
    if method == "pointwise":
        return pointwise_limits(steps, at, level)
    if method == "ks":
        return ks_limits(steps, at, level)
    if method == "working-hotelling":
        return working_hotelling_limits(ranked, at, level)
    resampled = fixed_width_limits if method == "fixed-width" else bootstrap_limits
    drawn = ranked if rows is None else RowDraws(rows)
    return resampled(drawn, steps, at, level, n_resamples, np.random.default_rng(seed))


def _threshold_band(ranked: RankedScores, rows: Rows | None, level: float, fpr: object) -> RocBand:
    if fpr is not None:
        raise ArgumentError(
            "fpr", Sentence('{method="threshold"} reports at thresholds: leave fpr out, or take "pointwise"')
        )
    steps = Steps.of(ranked)
    kept = evenly(steps.fpr + steps.tpr, MOST_PLACES)
    worth = steps if rows is None else CurveWorth.of(rows, kept)
    low, high = clopper_pearson(steps.tpr[kept], worth.n_pos, level)
    fpr_low, fpr_high = clopper_pearson(steps.fpr[kept], worth.n_neg, level)
    # Above every score, infinity calls nothing positive: there is nothing unsure about that.
    high[0] = fpr_high[0] = 0.0
    if rows is not None:  # what the rows are worth changes from place to place
        (low, high), (fpr_low, fpr_high) = widened(low, high), widened(fpr_low, fpr_high)
    return RocBand(
        steps.fpr[kept], low, high, steps.tpr[kept], level, "threshold", "pointwise", ranked.n_pos, ranked.n_neg,
        ranked.origin, _warnings(ranked, "threshold"), fpr_low, fpr_high, ranked.thresholds[kept],
    )  # fmt: skip


def _places(steps: Steps, fpr: object) -> Array:
    if fpr is None:
        return usual_places(steps)
    at = real_numbers(fpr, "fpr")
    if at.ndim != 1 or not at.size or not ((at >= 0) & (at <= 1)).all():
        raise InputError("rates_outside", "fpr must lie in [0, 1]; give shares, not percentages")
    if (np.diff(at) < 0).any():
        raise InputError("fpr_order", "fpr must not decrease")
    return at


def _seed(method: str, n_resamples: int, random_state: int | None) -> int | None:
    if method not in RESAMPLED:
        return None
    if not is_number(n_resamples) or n_resamples < 1:
        raise ArgumentError(
            "n_resamples", Sentence("{@n_resamples} must be at least 1, got {n_resamples!r}", n_resamples=n_resamples)
        )
    return fresh_seed(random_state)


def _anchored(at: Array, limits: Limits) -> tuple[Array, Array]:
    """Every ROC curve starts in (0, 0) and ends in (1, 1)."""
    low = np.where(at == 0, 0.0, np.where(at == 1, 1.0, np.clip(limits.low, 0, 1)))
    return low, np.where(at == 1, 1.0, np.clip(limits.high, 0, 1))


def _coverage(method: str) -> str:
    return "pointwise" if method in POINTWISE else "simultaneous"


def _warnings(ranked: RankedScores, method: str) -> tuple[Remark, ...]:
    few = min(ranked.n_pos, ranked.n_neg) if ranked.counts_rows else ranked.origin.n_rows * _smaller_share(ranked)
    told = {
        Remark("tied_ks"): method == "ks" and _tied(ranked),
        Remark("tied_bootstrap"): method == "bootstrap" and _tied(ranked, HEAVY),
        Remark("tied_binormal"): method == "working-hotelling" and _tied(ranked, HEAVY),
        Remark("few_for_fixed_width", enough=FEW_FIXED): method == "fixed-width" and few < FEW_FIXED,
        Remark("few_for_bootstrap"): (
            method == "bootstrap" and (few < FEW_BOOTSTRAP or few * (1 - auc(ranked)) < FEW_WRONG)
        ),
        Remark("few_for_binormal", enough=FEW_BINORMAL): (
            method == "working-hotelling" and ranked.n_pos + ranked.n_neg < FEW_BINORMAL
        ),
    }
    return (*reading_remarks(ranked.origin), *(remark for remark, holds in told.items() if holds))


def _smaller_share(ranked: RankedScores) -> float:
    return float(min(ranked.n_pos, ranked.n_neg) / ranked.n_rows_counted)


def _tied(ranked: RankedScores, most: float = 1.0) -> bool:
    n_rows = ranked.n_rows_counted if ranked.counts_rows else ranked.origin.n_rows
    return bool(ranked.scores.size < most * n_rows)
