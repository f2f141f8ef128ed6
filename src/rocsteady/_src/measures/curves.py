"""Curves read off the ranked groups: every distinct score is a point, ties move both ways at once."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np

from rocsteady._src.base.binning import middle_bins
from rocsteady._src.base.errors import ArgumentError, InputError, Undefined, UndefinedWarning, refuse_one_class, warn
from rocsteady._src.base.geometry import davis_goadrich_area, thin, trapezoid_area, upper_hull
from rocsteady._src.base.threads import for_blocks
from rocsteady._src.base.typed import typed
from rocsteady._src.inputs.reals import real_numbers
from rocsteady._src.measures.probability import check_bins
from rocsteady._src.measures.ranking import auc, average_precision
from rocsteady._src.ranked import RankedScores, order_points
from rocsteady._src.ranked.takes_ranked import takes_ranked
from rocsteady._src.results import Curve, DetCurve, GainsCurve, HullCurve, PrCurve, RocCurve

if TYPE_CHECKING:
    from numpy.typing import NDArray

AnyCurve = TypeVar("AnyCurve", bound=Curve)
Interpolation = Literal["step", "davis-goadrich"]


@takes_ranked
def roc_curve(ranked: RankedScores) -> RocCurve:
    """ROC curve: true against false positive rate over all thresholds.

    The curve starts at (0, 0) with threshold inf and ends at (1, 1). A group of tied scores is one slanted step.
    No point is dropped; use :func:`thin_curve` for drawing. O(n log n).

    Parameters
    ----------
    y_true, y_score : array-like
        Labels and scores, or ranked scores alone.
    sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`.

    Returns
    -------
    RocCurve
        ``fpr``, ``tpr``, ``thresholds`` (decreasing, the first is inf), ``area`` (the AUC).

    Examples
    --------
    >>> import rocsteady as rs
    >>> roc = rs.roc_curve([1, 1, 0, 0], [0.9, 0.4, 0.4, 0.1])
    >>> roc.fpr.tolist(), roc.tpr.tolist(), roc.thresholds.tolist(), roc.area
    ([0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0], [inf, 0.9, 0.4, 0.1], 0.875)
    """
    fpr, tpr = _rates(ranked)
    area = _announced("roc_curve", auc.sheet.compute(ranked))
    return RocCurve(fpr, tpr, ranked.thresholds, area, ranked.n_pos, ranked.n_neg, ranked.origin)


@takes_ranked
def pr_curve(ranked: RankedScores, *, interpolation: Interpolation = "step") -> PrCurve:
    """Precision-recall curve, from recall 0 upwards.

    At recall 0 nothing is called positive; the point holds the precision of the highest score, its limit.

    Parameters
    ----------
    y_true, y_score : array-like
        Labels and scores, or ranked scores alone.
    interpolation : {"step", "davis-goadrich"}
        What ``area`` means: average precision (the default), or the area with false positives linear in true
        positives between thresholds.
    sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`.

    Returns
    -------
    PrCurve
        ``recall`` (increasing), ``precision``, ``thresholds`` (decreasing, the first is inf), ``area``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> pr = rs.pr_curve([1, 0, 1], [0.9, 0.6, 0.2])
    >>> pr.recall.tolist(), pr.precision.round(3).tolist(), round(pr.area, 3)
    ([0.0, 0.5, 0.5, 1.0], [1.0, 1.0, 0.5, 0.667], 0.833)
    """
    if interpolation not in ("step", "davis-goadrich"):
        raise ArgumentError("interpolation", f"interpolation is 'step' or 'davis-goadrich', got {interpolation!r}")
    tp, fp = ranked.called_positive
    area = _announced("pr_curve", average_precision.sheet.compute(ranked))
    if interpolation == "davis-goadrich" and not isinstance(area, Undefined):
        area = davis_goadrich_area(tp, fp)
    with np.errstate(invalid="ignore"):
        precision = tp / (tp + fp)
        recall = tp / np.float64(ranked.n_pos)
    if precision.size > 1:
        precision[0] = precision[1]
    return PrCurve(recall, precision, ranked.thresholds, area, interpolation, ranked.n_pos, ranked.n_neg, ranked.origin)


@takes_ranked
def gains_curve(ranked: RankedScores, *, n_bins: int | None = None) -> GainsCurve:
    """Cumulative gains and lift: what share of the positives is found in the rows scored highest.

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`.
    n_bins : int, optional
        Points at the ends of this many bands of rows, from the highest scores down, in place of every score: 10 are
        tenths of the rows. Rows of one score stay together, in the band where the middle of them falls, so bands
        differ in size where scores are tied, and one that holds no rows has no point.

    Returns
    -------
    GainsCurve
        ``fraction`` of rows, ``gain``, ``lift`` = gain / fraction, ``thresholds``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> gains = rs.gains_curve([1, 0, 0, 1], [0.9, 0.6, 0.4, 0.2])
    >>> gains.fraction.tolist(), gains.gain.tolist(), gains.lift.round(2).tolist()
    ([0.0, 0.25, 0.5, 0.75, 1.0], [0.0, 0.5, 0.5, 0.5, 1.0], [2.0, 2.0, 1.0, 0.67, 1.0])
    >>> rs.gains_curve([1, 0, 0, 1], [0.9, 0.6, 0.4, 0.2], n_bins=2).fraction.tolist()
    [0.0, 0.5, 1.0]
    """
    if n_bins is not None:
        check_bins(n_bins)
    if not ranked.n_pos:
        _announced("gains_curve", Undefined("no_positives"))
    tp, fp = ranked.called_positive
    with np.errstate(invalid="ignore"):
        gain = tp / np.float64(ranked.n_pos)
        fraction = (tp + fp) / np.float64(ranked.n_rows_counted)
        lift = gain / fraction
    at = slice(None) if n_bins is None else _ends_of_bands(ranked, n_bins)
    fraction, gain, lift, thresholds = (each[at] for each in (fraction, gain, lift, ranked.thresholds))
    if lift.size > 1:
        lift[0] = lift[1]
    return GainsCurve(fraction, gain, lift, thresholds, ranked.n_pos, ranked.n_neg, ranked.origin)


def _ends_of_bands(ranked: RankedScores, n_bins: int) -> NDArray[np.intp]:
    """The point at (0, 0), then those at the ends of the bands that hold rows."""
    band = middle_bins(np.asarray(ranked.pos + ranked.neg, dtype=np.float64)[::-1], n_bins)
    last = np.append(band[1:] != band[:-1], band.size > 0)
    return np.append(0, np.flatnonzero(last) + 1)


@takes_ranked
def det_curve(ranked: RankedScores) -> DetCurve:
    """Detection error tradeoff: false negative against false positive rate.

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`.

    Returns
    -------
    DetCurve
        ``fpr``, ``fnr``, ``thresholds`` (decreasing, the first is inf).

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.curves.det_curve([1, 0], [0.9, 0.6]).fnr.tolist()
    [1.0, 0.0, 0.0]
    """
    if not (ranked.n_pos and ranked.n_neg):
        _announced("det_curve", auc.sheet.compute(ranked))
    fpr, fnr = _rates(ranked)
    np.subtract(1, fnr, out=fnr)
    return DetCurve(fpr, fnr, ranked.thresholds, ranked.n_pos, ranked.n_neg, ranked.origin)


@partial(takes_ranked, ready=(RocCurve,))
def roc_hull(data: RankedScores | RocCurve) -> HullCurve:
    """Upper convex hull of a ROC curve: the thresholds that are best for some cost and prevalence.

    Parameters
    ----------
    y_true : array-like, RankedScores or RocCurve
        Labels (with ``y_score``), ranked scores, or a curve, also one made of measured points.
    y_score, sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`.

    Returns
    -------
    HullCurve
        Its vertices, from (0, 0) to (1, 1), and ``area`` (AUCH).

    Examples
    --------
    >>> import rocsteady as rs
    >>> hull = rs.roc_hull([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.2])
    >>> hull.fpr.tolist(), hull.tpr.tolist(), hull.area
    ([0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0], 0.875)
    """
    if isinstance(data, RocCurve):
        return _hull_of_points(data)
    ranked = data
    refuse_one_class(ranked.n_pos, ranked.n_neg, "a hull needs")
    vertices = ranked.hull_vertices
    tp, fp = (walk[vertices] for walk in ranked.walked)
    fpr, tpr = fp / ranked.n_neg, tp / ranked.n_pos
    area = trapezoid_area(fpr, tpr)
    return HullCurve(fpr, tpr, ranked.thresholds_at(vertices), area, ranked.n_pos, ranked.n_neg, ranked.origin)


@typed
def roc_from_points(fpr: object, tpr: object, *, thresholds: object = None) -> RocCurve:
    """ROC curve from measured points without scores: labels-only classifiers, operators, published tables.

    (0, 0) and (1, 1) are added where they are absent. One point gives the area (1 + TPR - FPR) / 2.

    Parameters
    ----------
    fpr, tpr : array-like
        Rates in [0, 1]; points in any order.
    thresholds : array-like, optional
        One per point; NaN where unknown.

    Returns
    -------
    RocCurve

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.curves.roc_from_points(fpr=[0.2], tpr=[0.7]).area
    0.75
    """
    x, y = real_numbers(fpr, "fpr"), real_numbers(tpr, "tpr")
    known = np.full(x.shape, np.nan) if thresholds is None else real_numbers(thresholds, "thresholds")
    if not x.shape == y.shape == known.shape or x.ndim != 1:
        lengths = f"{x.shape}, {y.shape}, {known.shape}"
        raise InputError("lengths_differ", f"fpr, tpr and thresholds differ in length: {lengths}")
    if not all(((rates >= 0) & (rates <= 1)).all() for rates in (x, y)):
        raise InputError("rates_outside", "fpr and tpr must lie in [0, 1]; give shares, not percentages")
    x, y, known = _along_curve(x, y, known)
    return RocCurve(x, y, known, trapezoid_area(x, y), None, None)


def dominates(first: RocCurve, second: RocCurve) -> bool:
    """Whether the hull of the first curve lies nowhere below that of the second.

    Then the first can match or beat the second at every cost and prevalence.

    Parameters
    ----------
    first, second : RocCurve
        From scores, measured points, or hulls.

    Returns
    -------
    bool

    Examples
    --------
    >>> import rocsteady as rs
    >>> a = rs.curves.roc_from_points([0.20, 0.25, 0.40, 0.70, 0.90], [0.20, 0.30, 0.60, 0.80, 0.85])
    >>> b = rs.curves.roc_from_points([0.10, 0.20, 0.50, 0.95], [0.15, 0.40, 0.80, 0.95])
    >>> rs.curves.dominates(b, a), rs.curves.dominates(a, b)
    (True, False)
    """
    curves: tuple[Any, ...] = (first, second)
    for curve in curves:
        if not isinstance(curve, RocCurve):
            text = (
                f"dominates compares ROC curves, got {type(curve).__name__}; make them by roc_curve or roc_from_points"
            )
            raise ArgumentError("curve", text)
    upper, lower = (_hull_of_points(curve) for curve in (first, second))
    at = np.union1d(upper.fpr, lower.fpr)
    return bool((_height(upper, at) >= _height(lower, at) - 4 * np.finfo(float).eps).all())


@typed
def thin_curve(curve: AnyCurve, max_deviation: float = 5e-4) -> AnyCurve:
    """Drop points for display; no dropped point is farther than ``max_deviation`` from the drawn line.

    Distance is the larger of the two coordinate differences. The numbers that are kept are untouched, and the
    bound is stored in ``max_deviation`` of the result. A curve from (0, 0) to (1, 1) keeps at most
    2 / max_deviation + 3 points. O(n).

    Parameters
    ----------
    curve : RocCurve, PrCurve or another
        What :func:`rocsteady.roc_curve` and the like returned.
    max_deviation : float
        How far the drawn line may pass from a dropped point, above 0, in units of the axes.

    Examples
    --------
    >>> import numpy as np, rocsteady as rs
    >>> rng = np.random.default_rng(7)
    >>> y = rng.random(100_000) < 0.3
    >>> curve = rs.roc_curve(y, rng.normal(size=y.size) + y)
    >>> thinned = rs.curves.thin_curve(curve, 0.01)
    >>> len(curve), len(thinned) <= 203, thinned.area == curve.area
    (100001, True, True)
    """
    if not max_deviation > 0:
        raise ArgumentError("max_deviation", f"max_deviation must be above 0, got {max_deviation!r}")
    if not hasattr(curve, "xy"):
        raise ArgumentError("curve", f"thin_curve takes a curve, such as roc_curve(...), got {type(curve).__name__}")
    kept = thin(*curve.xy, max_deviation)
    arrays = {f.name: getattr(curve, f.name) for f in fields(curve)}
    shorter = {name: value[kept] for name, value in arrays.items() if isinstance(value, np.ndarray)}
    changes: dict[str, Any] = {**shorter, "max_deviation": max_deviation}
    return replace(curve, **changes)


def _rates(ranked: RankedScores) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    fpr, tpr = (np.empty(ranked.scores.size + 1) for _ in range(2))
    n_pos, n_neg = np.float64(ranked.n_pos), np.float64(ranked.n_neg)

    def fill(steps: slice) -> None:
        with np.errstate(invalid="ignore"):
            tp, fp = ranked.walked_in(steps)
            np.divide(fp, n_neg, out=fpr[steps])
            np.divide(tp, n_pos, out=tpr[steps])

    for_blocks(fill, fpr.size)
    return fpr, tpr


def _announced(name: str, value: float) -> float:
    if isinstance(value, Undefined):
        warn(UndefinedWarning(value.reason, f"{name}: {value.explanation}, so rates are NaN"))
    return value


def _along_curve(x: Any, y: Any, known: Any) -> tuple[Any, Any, Any]:
    """Order measured points from the origin to (1, 1) and anchor them there."""
    x, y = np.concatenate([[0.0], x, [1.0]]), np.concatenate([[0.0], y, [1.0]])
    known = np.concatenate([[np.inf], known, [-np.inf]])
    order = order_points(x, y)
    x, y, known = x[order], y[order], known[order]
    new = np.concatenate([[True], (np.diff(x) != 0) | (np.diff(y) != 0)])
    return x[new], y[new], known[new]


def _hull_of_points(curve: RocCurve) -> HullCurve:
    if not (hasattr(curve, "fpr") and hasattr(curve, "tpr")):
        raise ArgumentError("curve", f"a ROC curve is needed, such as roc_curve(...), got {type(curve).__name__}")
    vertices = upper_hull(curve.fpr, curve.tpr)
    fpr, tpr = curve.fpr[vertices], curve.tpr[vertices]
    area = trapezoid_area(fpr, tpr)
    return HullCurve(fpr, tpr, curve.thresholds[vertices], area, curve.n_pos, curve.n_neg, curve.origin)


def _height(hull: RocCurve, at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Height at each abscissa, the upper end of a jump at 0."""
    return np.where(at == 0, hull.tpr[hull.fpr == 0].max(), np.interp(at, hull.fpr, hull.tpr))
