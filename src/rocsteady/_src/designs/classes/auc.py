"""AUC of more than two classes: value, interval, and test between two models."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from rocsteady._src.base.errors import InputError, RocsteadyWarning, Undefined, UndefinedWarning, warn
from rocsteady._src.base.typed import typed
from rocsteady._src.designs.classes.areas import average_of, averaged_area, class_areas, undefined_reason
from rocsteady._src.designs.classes.averaged import absence_text, absent_classes, averaging, averaging_remarks
from rocsteady._src.designs.classes.averages import check_average, name_of
from rocsteady._src.designs.classes.influence import (
    free_degrees,
    influence_on,
    influence_on_pool,
    of_fixed_sizes,
    variance_of,
)
from rocsteady._src.designs.classes.intervals import average_interval, class_intervals
from rocsteady._src.designs.classes.scores_by_class import read_classes, read_models_of_classes, sum_to_one
from rocsteady._src.inference.comparison.hypotheses import NormalDifference, check_alternative, result_of
from rocsteady._src.inference.comparison.rounding import rounding, settled
from rocsteady._src.inference.intervals.normal import check_choice, check_level
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.designs.classes.averaged import Absent
    from rocsteady._src.designs.classes.averages import AverageName, Scheme
    from rocsteady._src.designs.classes.influence import Influence
    from rocsteady._src.designs.classes.scores_by_class import ClassRows
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.results import Interval, TestResult

Method = Literal["auto", "wilson", "logit", "delong"]
TestMethod = Literal["auto", "delong-t", "delong"]
ClassSizes = Literal["random", "fixed"]
FEW = 10
NOT_PROBABILITIES = (
    "the scores of a row do not sum to 1: the micro average compares scores of different classes with each other, "
    "which then need a common scale"
)


@typed
def multiclass_auc(
    y_true: object,
    y_score: object,
    *,
    average: AverageName | None = "macro",
    scheme: Scheme = "ovr",
    labels: object = None,
    sample_weight: object = None,
    missing: Missing = "raise",
    classes_averaged: Sequence[Any] | None = None,
    absent: Absent = "undefined",
) -> float | NDArray[np.float64]:
    """AUC of more than two classes.

    One-vs-rest takes each class against all others by its own scores; one-vs-one takes each class against each
    other, the mean of the areas by the scores of either. "macro" is their plain mean, "weighted" weighs by class
    size, "micro" pools all predictions of all rows: is this the row's class? One-vs-one with "macro" is the M of
    Hand and Till (2001). Ties count one half. O(classes x n log n).

    Parameters
    ----------
    y_true : array-like
        Labels: text, numbers or booleans.
    y_score : array-like, DataFrame or dict
        One column of scores per class, higher meaning more of that class. They need not be probabilities: areas
        compare rows within a column. For "micro", which compares columns too, a warning says if they do not sum to 1.
        Nothing is normalised.
    average : {"macro", "weighted", "micro"} or None
        None gives one value per class; of one-vs-rest only, as "micro" is.
    scheme : {"ovr", "ovo", "hand-till"}
        One-vs-rest, one-vs-one; the last is another name for one-vs-one, macro.
    labels : list, optional
        The class of each column, in order. Without it the names of the columns of a table; for an array the
        sorted distinct values of ``y_true``. Of a table they may also pick columns.
    sample_weight : array-like, optional
        Weights >= 0.
    missing : {"raise", "drop"}
        What to do with rows that lack a value.
    classes_averaged : list, optional
        The classes that an average is over: the mean of their areas against the rest, or of the areas of pairs of
        them; all when absent.
    absent : {"undefined", "skip"}
        What becomes of averages over a class without rows: NaN, or they are over the other classes. Either is said
        in a warning that names the class.

    Returns
    -------
    float, or array of one value per class, in the order of ``labels``
        NaN, and a warning that says why, for a class without rows and for averages over it.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y = ["ant", "ant", "bee", "bee", "cat", "cat"]
    >>> scores = {"ant": [0.8, 0.4, 0.5, 0.1, 0.2, 0.3], "bee": [0.1, 0.5, 0.4, 0.6, 0.3, 0.1],
    ...           "cat": [0.1, 0.1, 0.1, 0.3, 0.5, 0.6]}
    >>> rs.multiclass_auc(y, scores, average=None)
    array([0.875, 0.875, 1.   ])
    >>> round(rs.multiclass_auc(y, scores), 4), round(rs.multiclass_auc(y, scores, scheme="hand-till"), 4)
    (0.9167, 0.9167)
    """
    check_average(average, scheme)
    rows = read_classes(y_true, y_score, labels=labels, sample_weight=sample_weight, missing=missing)
    rows = averaging(rows, classes_averaged, absent)
    if average is None:
        areas = class_areas(rows)
        _announce_classes(areas)
        return np.array(list(areas.values()), dtype=np.float64)
    _warn_of_scale(rows, average)
    value = averaged_area(rows, average, scheme)
    _announce(rows, value)
    return value


@typed
def multiclass_auc_interval(
    y_true: object,
    y_score: object,
    *,
    average: AverageName | None = "macro",
    scheme: Scheme = "ovr",
    labels: object = None,
    method: Method = "auto",
    level: float = 0.95,
    class_sizes: ClassSizes = "random",
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    missing: Missing = "raise",
    classes_averaged: Sequence[Any] | None = None,
    absent: Absent = "undefined",
) -> Interval | dict[Any, Interval]:
    """Confidence interval of an AUC of more than two classes, without resampling.

    Averages of areas are sums of U-statistics. What each row adds to all areas it takes part in is added up, and the
    spread of these sums within the classes is the variance; with random class sizes comes what the sizes add.
    For two classes this is DeLong's variance. Measured coverage is in docs/multiclass.md.

    Parameters
    ----------
    y_true, y_score, average, scheme, labels, missing, classes_averaged, absent
        As in :func:`rocsteady.multiclass_auc`.
    method : {"auto", "wilson", "logit", "delong"}
        "auto", the default, takes "logit", the log-odds scale, where ten or more rows stand on the wrong side, and
        "wilson" below, Wilson's interval of as many rows as the average is worth, as in
        :func:`rocsteady.auc_interval`; an average rests on fewer rows the smaller its classes are. "delong": estimate
        +- z se, cut to [0, 1].
    level : float
        Confidence level.
    class_sizes : {"random", "fixed"}
        Whether rows were drawn as they came, or so many of each class by design: then only what varies within the
        classes counts. Of one class against the rest "random" is DeLong's.
    sample_weight, weight_type, cluster
        As in :func:`rocsteady.auc_interval`.

    Returns
    -------
    Interval, or dict of class to Interval
        Of each class that of :func:`rocsteady.auc_interval` against the rest, when ``average`` is None. Ends are NaN
        where undefined, and ``warnings`` say why.

    Examples
    --------
    >>> import numpy as np, rocsteady as rs
    >>> rng = np.random.default_rng(1)
    >>> y = rng.integers(0, 3, 200)
    >>> scores = rng.normal(size=(200, 3)) + 1.5 * np.eye(3)[y]
    >>> print(rs.multiclass.multiclass_auc_interval(y, scores))
    0.8560 [0.8190, 0.8865] (0.95 level, logit, chosen by auto)
    >>> print(rs.multiclass.multiclass_auc_interval(y, scores, average=None)[2])
    0.8492 [0.7852, 0.8966] (0.95 level, logit, chosen by auto)
    """
    check_average(average, scheme)
    check_choice("method", method, get_args(Method))
    check_choice("class_sizes", class_sizes, get_args(ClassSizes))
    check_level(level)
    how: dict[str, Any] = {"sample_weight": sample_weight, "weight_type": weight_type, "cluster": cluster}
    rows = averaging(read_classes(y_true, y_score, labels=labels, missing=missing, **how), classes_averaged, absent)
    options: dict[str, Any] = {"method": method, "level": level}
    if average is None:
        found = class_intervals(rows, fixed_sizes=class_sizes == "fixed", **options)
        _announce_classes({label: interval.estimate for label, interval in found.items()})
        return found
    _warn_of_scale(rows, average)
    interval = average_interval(rows, average, scheme, fixed_sizes=class_sizes == "fixed", **options)
    _announce(rows, interval.estimate)
    return interval


@typed
def compare_multiclass_auc(
    y_true: object,
    first: object,
    second: object,
    *,
    average: AverageName = "macro",
    scheme: Scheme = "ovr",
    labels: object = None,
    method: TestMethod = "auto",
    alternative: str = "two-sided",
    margin: float | None = None,
    level: float = 0.95,
    class_sizes: ClassSizes = "random",
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    missing: Missing = "raise",
    classes_averaged: Sequence[Any] | None = None,
    absent: Absent = "undefined",
) -> TestResult:
    """Test whether two models differ in an AUC of more than two classes, on the same rows.

    t = (first - second) / se; the variance of the difference comes from what each row adds to one minus what it adds
    to the other. For two classes this is DeLong's paired test. O(classes x n log n).

    Parameters
    ----------
    y_true : array-like
        Labels.
    first, second : array-like, DataFrame or dict
        Scores of both models, one column per class.
    average, scheme, labels, missing, classes_averaged, absent
        As in :func:`rocsteady.multiclass_auc`; rows incomplete in either model are dropped for both.
    method : {"auto", "delong-t", "delong"}
        Student's t with Satterthwaite's degrees of freedom, which "auto" takes, or the normal distribution.
    alternative, margin, level
        As in :func:`rocsteady.compare_auc`.
    class_sizes, sample_weight, weight_type, cluster
        As in :func:`rocsteady.multiclass.multiclass_auc_interval`.

    Returns
    -------
    TestResult
        ``statistic, pvalue``, and ``estimate, low, high`` of first minus second. Identical models give 0 and p = 1.

    Examples
    --------
    >>> import numpy as np, rocsteady as rs
    >>> rng = np.random.default_rng(1)
    >>> y = rng.integers(0, 3, 200)
    >>> first, second = (rng.normal(size=(200, 3)) + gap * np.eye(3)[y] for gap in (1.5, 1.0))
    >>> print(rs.multiclass.compare_multiclass_auc(y, first, second))
    +0.1374 [+0.0798, +0.1951] (0.95 level), p < 0.001 (macro one-vs-rest AUC, delong-t, paired, chosen by auto);
    alternative: first and second differ
    """
    check_average(average, scheme)
    check_choice("average", average, ("macro", "weighted", "micro"))
    check_choice("class_sizes", class_sizes, get_args(ClassSizes))
    check_choice("method", method, get_args(TestMethod))
    check_alternative(alternative, margin)
    check_level(level)
    how: dict[str, Any] = {"sample_weight": sample_weight, "weight_type": weight_type, "cluster": cluster}
    models = read_models_of_classes(y_true, {"first": first, "second": second}, labels=labels, missing=missing, **how)
    models = [averaging(rows, classes_averaged, absent) for rows in models]
    for rows in models:
        _warn_of_scale(rows, average)
    reason = undefined_reason(models[0], average, scheme)
    if reason is not None:
        lacking = reason.reason == "class_absent"
        raise InputError(reason.reason, absence_text(models[0]) if lacking else f"{reason.explanation}: no AUC")
    fixed = class_sizes == "fixed"
    difference, rows = _difference(models, average, scheme, fixed_sizes=fixed)
    variance = variance_of(difference, rows, fixed_sizes=fixed)
    bound = rounding(rows.n_rows, 1.0)
    se = settled(math.sqrt(variance) if not variance < 0 else 0.0, bound)
    by = "delong" if method == "delong" else "delong-t"
    known = by == "delong" or not se > 0
    df = None if known else free_degrees(difference, rows, fixed_sizes=fixed)
    return result_of(
        NormalDifference(settled(difference.theta, bound), se, df),
        alternative,
        margin,
        level,
        f"{name_of(average, scheme)}, {by}, paired",
        remarks=(*averaging_remarks(models[0]), *_few_rows(models[0])),
        origin=models[0].origin(),
        auto=method == "auto",
    )


def _difference(
    models: list[ClassRows], average: str, scheme: str, *, fixed_sizes: bool
) -> tuple[Influence, ClassRows]:
    if average == "micro":
        (one, rows), (two, _) = (influence_on_pool(rows) for rows in models)
        return (of_fixed_sizes(one.minus(two), models[0]), models[0]) if fixed_sizes else (one.minus(two), rows)
    one, two = (influence_on(rows, average_of(rows, average, scheme)) for rows in models)
    return one.minus(two), models[0]


def _few_rows(rows: ClassRows) -> tuple[Remark, ...]:
    fewest = int(rows.row_counts[rows.averaged].min())
    return () if fewest >= FEW else (Remark("few_for_p", rows=fewest),)


def _warn_of_scale(rows: ClassRows, average: str) -> None:
    if average == "micro" and not sum_to_one(rows):
        warn(RocsteadyWarning("scores_not_probabilities", NOT_PROBABILITIES))


def _announce(rows: ClassRows, value: float) -> None:
    """Warn of an average that is undefined, or that is over fewer classes than there are columns."""
    if isinstance(value, Undefined):
        text = absence_text(rows) if value.reason == "class_absent" else f"{value.explanation}, so there is no AUC"
        warn(UndefinedWarning(value.reason, text))
    elif rows.skips_absent and absent_classes(rows):
        warn(RocsteadyWarning("absent_skipped", absence_text(rows)))


def _announce_classes(areas: dict[Any, float]) -> None:
    for label, area in areas.items():
        if isinstance(area, Undefined):
            text = f"the AUC of class {label!r} is undefined: {area.explanation}"
            warn(UndefinedWarning(area.reason, text))
