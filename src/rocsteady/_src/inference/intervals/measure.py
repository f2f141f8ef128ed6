"""The interval of one measure by name: at a threshold from counts, any other by its formula or by resampling."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

from rocsteady._src.base.errors import ArgumentError, Undefined
from rocsteady._src.base.near_names import refuse_unknown
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.intervals.every_measure import AUC_METHODS, intervals_of_measures
from rocsteady._src.inference.intervals.normal import check_choice, check_level
from rocsteady._src.inference.intervals.proportions import counted_at, interval_of
from rocsteady._src.inference.resampling.resample import fresh_seed
from rocsteady._src.inference.units.subjects import ranked_and_rows
from rocsteady._src.measures.confusion import Confusion
from rocsteady._src.measures.registry import list_measures
from rocsteady._src.measures.requests import one_request
from rocsteady._src.results import Interval
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.remarks import undefined_because

if TYPE_CHECKING:
    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.measures.registry import FactSheet

AREAS = ("auc", "gini", "partial_auc")
OPTIONS = ("threshold", "level", "method", "sample_weight", "cluster", "pos_label", "missing", "random_state")


@typed
def measure_interval(
    measure: str,
    y_true: object,
    y_score: object = None,
    *,
    threshold: float | None = None,
    level: float = 0.95,
    method: str | None = None,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Literal["raise", "drop"] = "raise",
    n_resamples: int | None = None,
    random_state: int = 0,
    **params: Any,
) -> Interval:
    """Confidence interval of a measure, the one that :func:`rocsteady.evaluate` gives it.

    At a threshold shares of rows (recall, precision, accuracy, ...) are binomial given their denominator and get
    Wilson's interval, and so do functions of one share (F1, which is 2J / (1 + J) of the Jaccard index J, and the base
    rate). Measures of several shares (balanced accuracy, MCC, kappa, likelihood ratios, ...) put together the limits of
    shares that vary independently, such as recall and specificity: the ends are the least and the largest value of the
    measure where the normal scores of the shares, squared and added up, make that of the level (Newcombe's PropImp).
    The shares have mid-p limits; those behind F-beta and Fowlkes-Mallows have Wilson's. Measures without a threshold
    have the interval of their formula, or else one by resampling.

    Parameters
    ----------
    measure : str
        Name or alias of a measure.
    y_true, y_score : array-like
        Labels and scores; or ranked scores, or a :class:`rocsteady.measures.Confusion`, alone.
    threshold : float, optional
        As in :func:`rocsteady.confusion`. It should not come from the same rows: intervals at a threshold that was
        chosen on them are too optimistic.
    level : float
        Confidence level.
    method : str, optional
        For shares a method of :func:`rocsteady.proportion_interval`. "delta" works for every measure at a threshold:
        the textbook's standard error, of the logarithm for ratios from 0 to infinity. It is too short with few errors
        in a class.
        For areas a method of :func:`rocsteady.auc_interval`.
    sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`.
    weight_type : {"frequency", "sampling"}, optional
        As in :func:`rocsteady.auc_interval`. A row of a sampling weight is handled as a subject of its own.
    cluster : array-like, optional
        The subject of each row, when subjects have several rows. A share gets the interval of as many independent
        rows as would tell it as surely: its rows over the design effect, no more than there are rows, and one for each
        subject where the share is 0 or 1. The delta method sums over subjects.
    n_resamples, random_state : int
        Resamples of a measure that has no formula, 2000 of them when absent, and their seed.
    **params
        Parameters of the measure, such as ``beta``.

    Returns
    -------
    Interval
        Cut to the measure's bounds. ``warnings`` say when counts are small.

    References
    ----------
    Newcombe (2011), Propagating imprecision: combining confidence intervals from independent sources, Communications in
    Statistics - Theory and Methods 40:3154-3180.

    Examples
    --------
    >>> import rocsteady as rs
    >>> counts = rs.measures.Confusion(tp=26, fp=14, fn=15, tn=58)
    >>> print(measure_interval("sensitivity", counts))
    0.6341 [0.4812, 0.7641] (0.95 level, wilson)
    >>> print(measure_interval("mcc", counts))
    0.4421 [0.2580, 0.6013] (0.95 level, mid-p)
    >>> loans = rs.examples.loans(300)
    >>> print(measure_interval("average_precision", loans["defaulted"], loans["logistic"]))
    0.5613 [0.4123, 0.7000] (0.95 level, bootstrap student)
    """
    request = one_request(measure)
    sheet = request.sheet
    refuse_unknown("measure_interval", params, (*sheet.params, *OPTIONS))
    params = {**request.params, **params}
    rows = {"sample_weight": sample_weight, "cluster": cluster, "pos_label": pos_label, "missing": missing}
    rows["weight_type"] = weight_type
    if sheet.family == "threshold":
        threshold = params.pop("threshold", None) if threshold is None else threshold
        counts, subjects = counted_at(y_true, y_score, threshold, rows)
        return interval_of(sheet, counts, level=level, method=method, subjects=subjects, **params)
    _refuse_counts(sheet, y_true, threshold)
    drawn = {"seed": fresh_seed(random_state), "n_resamples": n_resamples}
    return _without_threshold((sheet, params), (y_true, y_score), rows, _method(sheet, method), level=level, **drawn)


def _refuse_counts(sheet: FactSheet, y_true: object, threshold: float | None) -> None:
    if isinstance(y_true, Confusion):
        text = f"{sheet.name} goes by the order of all scores, which counts at one threshold do not tell"
        raise ArgumentError("measure", f"{text}; pass labels and scores")
    if threshold is not None:
        raise ArgumentError("threshold", f"{sheet.name} has no threshold: it goes by all of them; leave it out")


def _method(sheet: FactSheet, method: str | None) -> str:
    if method is None or sheet.name in AREAS:
        check_choice("method", method or "auto", AUC_METHODS)
        return method or "auto"
    words = (
        "{@method} is one of shares at a threshold or of areas, and {name} is neither: leave it out, or use "
        "{rs.bootstrap_interval()}, which has others"
    )
    raise ArgumentError("method", Sentence(words, name=sheet.name))


def _without_threshold(
    asked: tuple[FactSheet, dict[str, Any]],
    given: tuple[object, object],
    options: dict[str, Any],
    auc_method: str,
    *,
    level: float,
    **drawn: Any,
) -> Interval:
    check_level(level)
    cluster, plain = options["cluster"], {name: value for name, value in options.items() if name != "cluster"}
    ranked, rows = ranked_and_rows(*given, cluster, None, **plain)
    found = intervals_of_measures(ranked, [asked], level=level, rows=rows, auc_method=auc_method, **drawn)[0]
    if found is not None:
        return found
    value, facts = asked[0].compute(ranked, **asked[1]), facts_of(ranked)
    told = (undefined_because(value),) if isinstance(value, Undefined) else ()
    return Interval(value, math.nan, math.nan, level, "none", warnings=told, **facts)


@typed
def measure_intervals(
    y_true: object,
    y_score: object = None,
    *,
    threshold: float | None = None,
    level: float = 0.95,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Literal["raise", "drop"] = "raise",
) -> dict[str, Interval]:
    """Confidence interval of every threshold measure, by name.

    Parameters
    ----------
    y_true, y_score, threshold, level, sample_weight, weight_type, cluster, pos_label, missing
        As in :func:`rocsteady.inference.measure_interval`.

    Returns
    -------
    dict of str to Interval

    Examples
    --------
    >>> import rocsteady as rs
    >>> found = measure_intervals(rs.measures.Confusion(tp=26, fp=14, fn=15, tn=58))
    >>> print(found["diagnostic_odds_ratio"])
    7.1810 [3.0437, 17.3820] (0.95 level, mid-p)
    """
    rows = {"sample_weight": sample_weight, "cluster": cluster, "pos_label": pos_label, "missing": missing}
    counts, subjects = counted_at(y_true, y_score, threshold, rows | {"weight_type": weight_type})
    sheets = list_measures("threshold")
    return {sheet.name: interval_of(sheet, counts, level=level, subjects=subjects) for sheet in sheets}
