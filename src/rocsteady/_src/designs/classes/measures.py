"""Confusion matrix and measures of called classes."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from rocsteady._src.base.errors import ArgumentError, Undefined
from rocsteady._src.base.exact import summed_by
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.typed import typed
from rocsteady._src.designs.classes.averaged import averaging, averaging_remarks
from rocsteady._src.designs.classes.class_bounds import class_bounds
from rocsteady._src.designs.classes.influence import Influence, variance_of
from rocsteady._src.designs.classes.intervals import interval_of
from rocsteady._src.designs.classes.predictions import CalledRows, of_one_class, read_called, top_k_credit
from rocsteady._src.designs.classes.scores_by_class import read_classes
from rocsteady._src.inference.intervals.automatic import Evidence
from rocsteady._src.inference.intervals.normal import check_choice, check_level
from rocsteady._src.inference.intervals.proportions import proportion_interval
from rocsteady._src.inputs.weights import reading_remarks
from rocsteady._src.measures import Confusion
from rocsteady._src.measures.requests import one_request
from rocsteady._src.measures.threshold import ratio, within_one
from rocsteady._src.results import Interval
from rocsteady._src.results.multiclass import MulticlassConfusion, MulticlassMeasures
from rocsteady._src.results.remarks import Remark, undefined_because

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.designs.classes.averaged import Absent
    from rocsteady._src.designs.classes.scores_by_class import ClassRows
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.weights import WeightType

    Array = NDArray[Any]

Normalize = Literal["true", "pred", "all"]
MEASURES = ("precision", "recall", "specificity", "f1", "jaccard", "matthews_correlation")


@typed
def multiclass_confusion(
    y_true: object,
    y_pred: object,
    *,
    labels: object = None,
    normalize: Normalize | None = None,
    sample_weight: object = None,
    missing: Missing = "raise",
) -> MulticlassConfusion:
    """Count the rows of each class by the class they were called.

    Parameters
    ----------
    y_true : array-like
        Labels.
    y_pred : array-like, DataFrame or dict
        Predicted labels, or one column of scores per class: then the class of the highest score is called, the first
        where several are highest, which ``warnings`` count.
    labels : list, optional
        The classes in order; without it the sorted labels, or the names of the columns.
    normalize : {"true", "pred", "all"}, optional
        Also give ``shares``: of the rows of a true class, of the rows called a class, or of all rows. 0/0 is NaN.
    sample_weight, missing
        As in :func:`rocsteady.multiclass_auc`.

    Returns
    -------
    MulticlassConfusion
        ``matrix[i, j]`` counts rows of class ``labels[i]`` called ``labels[j]``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> print(rs.multiclass.multiclass_confusion(["ant", "ant", "bee", "cat"], ["ant", "bee", "bee", "cat"]))
    true / called  ant  bee  cat
    ant              1    1    0
    bee              0    1    0
    cat              0    0    1
    """
    if normalize is not None:
        check_choice("normalize", normalize, get_args(Normalize))
    called = read_called(y_true, y_pred, labels=labels, sample_weight=sample_weight, missing=missing)
    return confusion_of(called, normalize)


def confusion_of(called: CalledRows, normalize: str | None = None) -> MulticlassConfusion:
    """The matrix of rows that were read."""
    rows, k = called.rows, called.rows.n_classes
    cells = summed_by(rows.codes.astype(np.intp) * k + called.called, rows.weights, k * k).reshape(k, k)
    shares = None
    if normalize is not None:
        axis = {"true": 1, "pred": 0, "all": None}[normalize]
        with np.errstate(invalid="ignore", divide="ignore"):
            shares = cells / cells.sum(axis=axis, keepdims=True)
    return MulticlassConfusion(rows.labels, cells, normalize, shares, rows.origin(), called.warnings)


@typed
def multiclass_measures(
    y_true: object,
    y_pred: object,
    *,
    labels: object = None,
    measures: Sequence[str] = MEASURES,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    level: float = 0.95,
    missing: Missing = "raise",
    classes_averaged: Sequence[Any] | None = None,
    absent: Absent = "undefined",
) -> MulticlassMeasures:
    """Measures of called classes: each class against the rest, averages, and of all rows together.

    Every class is a binary problem with its own TP, FP, FN, TN. "macro" is the mean of the measure over classes,
    "weighted" the mean weighted by the rows of each class, "micro" the measure of the added counts and
    "micro_mean" that of the averaged counts, which is the same for every measure that is a ratio.

    Parameters
    ----------
    y_true, y_pred, labels, sample_weight, missing
        As in :func:`rocsteady.multiclass.multiclass_confusion`.
    measures : list of str
        Threshold measures, as ``rs.list_measures("threshold")`` lists them, or with a parameter, as
        ``"f_beta(beta=2)"``.
    weight_type : {"frequency", "sampling"}, optional
        As in :func:`rocsteady.auc_interval`.
    cluster : array-like, optional
        The subject of each row, when subjects have several rows: for the intervals.
    level : float
        Confidence level.
    classes_averaged : list, optional
        The classes that averages are over, as ``labels`` of scikit-learn's measures; all when absent. Each class
        keeps its own values.
    absent : {"undefined", "skip"}
        What becomes of averages where a class has no rows: NaN where its measure is; or they are over the other
        classes, which ``warnings`` say.

    Returns
    -------
    MulticlassMeasures
        0/0 is NaN, and so is a macro average over it: never 0 or 1.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, called = ["ant", "ant", "bee", "cat"], ["ant", "bee", "bee", "cat"]
    >>> found = rs.multiclass.multiclass_measures(y, called, measures=["precision", "recall"])
    >>> found.per_class["recall"].tolist(), round(found.averages["macro"]["recall"], 4)
    ([0.5, 1.0, 1.0], 0.8333)
    >>> print(found.accuracy, round(found.kappa, 4))
    0.7500 [0.3006, 0.9544] (0.95 level, wilson) 0.6364
    """
    check_level(level)
    if not isinstance(measures, (list, tuple)):
        raise ArgumentError("measures", f"measures must be a list of names, such as ['recall'], got {measures!r}")
    how: dict[str, Any] = {"sample_weight": sample_weight, "weight_type": weight_type, "cluster": cluster}
    called = read_called(y_true, y_pred, labels=labels, missing=missing, **how)
    called = replace(called, rows=averaging(called.rows, classes_averaged, absent))
    found = measures_of(called, measures, level)
    return replace(found, warnings=(*found.warnings, *averaging_remarks(called.rows)))


def measures_of(called: CalledRows, measures: Sequence[str] = MEASURES, level: float = 0.95) -> MulticlassMeasures:
    """Measures of rows that were read."""
    rows, names = called.rows, _threshold_measures(measures)
    hit = (rows.codes == called.called).astype(np.float64)
    right, true, pred = class_counts(called, hit)
    total = true.sum()
    counts = Confusion(right, pred - right, true - right, _elsewhere(called, hit, total - true - pred + right))
    per_class = {name: np.asarray(_of_counts(name, counts), dtype=np.float64) for name in names}
    bounds = class_bounds(called, names, counts, level)
    balanced = balanced_accuracy_interval(rows, hit, level)
    return MulticlassMeasures(
        labels=rows.labels,
        support=true,
        per_class=per_class,
        low={name: low for name, (low, _) in bounds.items()},
        high={name: high for name, (_, high) in bounds.items()},
        averages=_averages(counts, per_class, true, rows.averaged),
        accuracy=share_interval(rows, hit, level),
        balanced_accuracy=balanced,
        base_rate=ratio(true.max(initial=0), total),
        **agreement(called, right, true, pred),
        level=level,
        origin=rows.origin(),
        warnings=reading_remarks(rows.origin()) + called.warnings,
        counts={cell: np.asarray(getattr(counts, cell)) for cell in ("tp", "fp", "fn", "tn")},
    )


def _threshold_measures(measures: Sequence[str]) -> list[str]:
    """Names of threshold measures, with their parameters as they were written."""
    found = []
    for name in measures:
        request = one_request(name)
        if Confusion not in request.sheet.ready or "threshold" in request.params:
            told = "{name!r} is no threshold measure; {rs.list_measures('threshold')} lists them"
            raise ArgumentError("measures", Sentence(told, name=name))
        found.append(request.column)
    return found


def _of_counts(name: str, counts: Confusion) -> Any:
    request = one_request(name)
    return request.sheet.of(counts, **request.params)


def _elsewhere(called: CalledRows, hit: Array, weight: Array) -> Array:
    """Weight of the rows that neither are of a class nor are called so: of no row it is 0, not what rounding left."""
    if weight.dtype.kind == "i":
        return weight
    k, right = called.rows.n_classes, np.flatnonzero(hit)
    counted = [
        np.bincount(codes, minlength=k) for codes in (called.rows.codes, called.called, called.rows.codes[right])
    ]
    n_rows = called.rows.codes.size - counted[0] - counted[1] + counted[2]
    return np.where(n_rows > 0, np.maximum(weight, 0.0), 0.0)


def class_counts(called: CalledRows, hit: Array) -> tuple[Array, Array, Array]:
    """Rows called right, rows, and rows called so, of each class; whole numbers unless weights are not."""
    rows, k = called.rows, called.rows.n_classes
    right = np.flatnonzero(hit)
    of_right = None if rows.weights is None else rows.weights[right]
    return (
        summed_by(rows.codes[right], of_right, k),
        summed_by(rows.codes, rows.weights, k),
        summed_by(called.called, rows.weights, k),
    )


def _averages(
    counts: Confusion, per_class: dict[str, Array], true: Array, chosen: Array
) -> dict[str, dict[str, float]]:
    if not chosen.any():
        kinds, reason = ("macro", "weighted", "micro", "micro_mean"), "class_absent" if chosen.size else "empty"
        return {kind: {name: Undefined(reason) for name in per_class} for kind in kinds}
    cells = [np.asarray(cell)[chosen].sum().item() for cell in (counts.tp, counts.fp, counts.fn, counts.tn)]
    pooled, mean = Confusion(*cells), Confusion(*(cell / np.count_nonzero(chosen) for cell in cells))
    kept, sizes = {name: values[chosen] for name, values in per_class.items()}, true[chosen]
    return {
        "macro": {name: _plain(_within(name, values.mean())) for name, values in kept.items()},
        "weighted": {
            name: _plain(_within(name, ratio(_weighted_sum(values, sizes), sizes.sum())))
            for name, values in kept.items()
        },
        "micro": {name: _plain(_of_counts(name, pooled)) for name in kept},
        "micro_mean": {name: _plain(_of_counts(name, mean)) for name in kept},
    }


def _within(name: str, value: Any) -> Any:
    """A mean of a measure, back within the measure's bounds where rounding has carried it beyond."""
    return one_request(name).sheet.settled(value)


def _weighted_sum(values: Array, true: Array) -> float:
    """A class without rows has no weight, whatever its value."""
    present = true > 0
    return float(values[present] @ true[present])


def _plain(value: Any) -> float:
    if isinstance(value, Undefined):
        return value
    return Undefined("zero_division") if math.isnan(value) else float(value)


def agreement(called: CalledRows, right: Array, true: Array, pred: Array) -> dict[str, float]:
    """Cohen's kappa, plain and weighted by the distance of classes in their order, and Gorodkin's correlation."""
    rows = called.rows
    weights = 1 if rows.weights is None else rows.weights
    gap = rows.codes.astype(np.float64) - called.called
    observed = {"kappa_linear": (np.abs(gap) * weights).sum(), "kappa_quadratic": (gap**2 * weights).sum()}
    t, p = [int(n) if true.dtype.kind == "i" else float(n) for n in true], [n.item() for n in pred]
    hits, total = right.sum().item(), sum(t)
    chance = sum(a * b for a, b in zip(t, p, strict=True))
    t_open, p_open = (total * total - sum(n * n for n in side) for side in (t, p))
    both = math.sqrt(t_open * p_open) if min(t_open, p_open) > 0 else 0
    expected = _expected_gaps(true, pred)
    return {
        "kappa": _kappa(total * total - total * hits, total * total - chance),
        **{name: _kappa(float(value) * total, expected[name]) for name, value in observed.items()},
        "matthews_correlation": within_one(_plain(ratio(total * hits - chance, both)))
        if both
        else Undefined("zero_division"),
    }


def _kappa(observed: float, expected: float) -> float:
    return float(within_one(1 - observed / expected)) if expected > 0 else Undefined("zero_division")


def _expected_gaps(true: Array, pred: Array) -> dict[str, float]:
    """Sums over pairs of classes of t_i p_j |i - j| and t_i p_j (i - j)^2, without the pairs."""
    t, p, place = true.astype(np.float64), pred.astype(np.float64), np.arange(true.size, dtype=np.float64)
    t_through, p_through = t.cumsum(), p.cumsum()
    apart = t_through @ (p.sum() - p_through) + p_through @ (t.sum() - t_through)
    squares = (t @ place**2) * p.sum() + t.sum() * (p @ place**2) - 2 * (t @ place) * (p @ place)
    return {"kappa_linear": float(apart), "kappa_quadratic": float(squares)}


def share_interval(rows: ClassRows, hit: Array, level: float) -> Interval:
    """Interval of a share of all rows: Wilson's for counted rows, log-odds for subjects and sampling weights."""
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights.astype(np.float64)
    hits, total = float(hit @ weights), float(weights.sum())
    if rows.clusters is None and rows.reading != "sampling":
        return proportion_interval(min(hits, total), total, level=level)
    share = ratio(min(hits, total), total)
    influence = Influence(share, (hit - share) / total, np.zeros(1))
    return _wald(share, variance_of(influence, of_one_class(rows)), rows, level)


def balanced_accuracy_interval(rows: ClassRows, hit: Array, level: float) -> Interval:
    """The mean of the recalls of all classes; classes vary on their own, so their variances add."""
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights.astype(np.float64)
    sizes = rows.sizes
    chosen = rows.averaged
    if not rows.n_rows or not chosen.any() or not (sizes[chosen] > 0).all():
        value = Undefined("class_absent" if rows.n_rows else "empty")
        return Interval(
            value, math.nan, math.nan, level, "logit", origin=rows.origin(), warnings=(undefined_because(value),)
        )
    right = np.bincount(rows.codes, hit * weights, rows.n_classes)
    recalls = np.minimum(np.divide(right, sizes, out=np.zeros_like(right), where=sizes > 0), 1.0)
    codes = rows.codes.astype(np.intp)
    within = chosen[codes] * (hit - recalls[codes]) / (np.count_nonzero(chosen) * sizes[codes])
    influence = Influence(float(recalls[chosen].mean()), within, np.zeros(rows.n_classes))
    return _wald(influence.theta, variance_of(influence, rows), rows, level)


def _wald(share: float, variance: float, rows: ClassRows, level: float) -> Interval:
    notes = () if variance > 0 else (Remark("no_spread_of_classes"),)
    n = float(rows.n_rows)
    known = Evidence(share, variance, n, n, n)  # of which logit reads the share and its variance
    return interval_of(known, "logit", level, rows.origin(), reading_remarks(rows.origin()) + notes)


@typed
def top_k_accuracy(
    y_true: object,
    y_score: object,
    *,
    k: int = 2,
    labels: object = None,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    level: float = 0.95,
    missing: Missing = "raise",
) -> Interval:
    """Share of rows whose class is among the k highest scores, with its interval.

    Where equal scores leave open which classes are the highest, a row counts the chance under random order, so that
    the order of the classes leaves no trace.

    Parameters
    ----------
    y_true, y_score, labels, sample_weight, missing
        As in :func:`rocsteady.multiclass_auc`.
    k : int
        How many classes may be named.
    weight_type, cluster, level
        As in :func:`rocsteady.multiclass.multiclass_measures`.

    Returns
    -------
    Interval

    Examples
    --------
    >>> import rocsteady as rs
    >>> print(rs.multiclass.top_k_accuracy([0, 1, 2], [[0.5, 0.3, 0.2], [0.5, 0.3, 0.2], [0.5, 0.3, 0.2]], k=2))
    0.6667 [0.2077, 0.9385] (0.95 level, wilson)
    """
    check_level(level)
    how: dict[str, Any] = {"sample_weight": sample_weight, "weight_type": weight_type, "cluster": cluster}
    rows = read_classes(y_true, y_score, labels=labels, missing=missing, **how)
    return share_interval(rows, top_k_credit(rows, k), level)
