"""Brier score at a time, its mean over times, and the comparison of two models' risks."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_setting
from rocsteady._src.base.typed import typed
from rocsteady._src.designs.times.areas import undefined_at
from rocsteady._src.designs.times.auc import values_at
from rocsteady._src.designs.times.influenced import Influenced
from rocsteady._src.designs.times.known_at import checked_times, known_at_each
from rocsteady._src.designs.times.rows_by_time import read_times, total_of
from rocsteady._src.designs.times.trust import at_a_time
from rocsteady._src.inference.comparison.hypotheses import check_alternative
from rocsteady._src.inference.intervals.normal import check_level
from rocsteady._src.probabilities.reclassification.two_models import probabilities

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.designs.times.known_at import KnownAt
    from rocsteady._src.designs.times.rows_by_time import TimedRows
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.results import Interval, TestResult
    from rocsteady._src.results.times import TimedValues

    Array = NDArray[np.float64]


@typed
def brier_at(
    time: object,
    event: object,
    risk: object,
    *,
    at: object,
    scaled: bool = False,
    ipcw: object = None,
    level: float = 0.95,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    censored: Any = 0,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> Interval | TimedValues:
    """Brier score at a time: mean squared difference of the predicted risk and of what had come by then.

    Rows that were censored before are not known; the others stand for them by the inverse probability of being watched
    (Graf and others 1999). 0 is best; the risk of everybody being the mean has incidence * (1 - incidence). O(n log n).

    Parameters
    ----------
    time, event
        As in :func:`rocsteady.times.auc_at`, with competing events.
    risk : array-like
        Probability of the event by the time, in [0, 1]; of several times one column for each.
    at : float or sequence of float
        The time, or increasing times.
    scaled : bool
        Give 1 less the Brier score over that of the incidence as everybody's risk (index of prediction accuracy): 1 is
        best, 0 no better than that, below 0 worse.
    ipcw, level, sample_weight, weight_type, cluster, censored, pos_label, missing
        As in :func:`rocsteady.times.auc_at`.

    Returns
    -------
    Interval or TimedValues
        By the influence function, which counts that the censoring is estimated; on the log scale, as it is where
        ``scaled``.

    References
    ----------
    Graf, Schmoor, Sauerbrei and Schumacher (1999), Statistics in Medicine 18:2529-2545. Kattan and Gerds (2018),
    Diagnostic and Prognostic Research 2:7.

    Examples
    --------
    >>> import rocsteady as rs
    >>> days, died = [5, 8, 12, 20, 21, 30, 31, 40], [1, 1, 0, 1, 1, 0, 1, 0]
    >>> risk = [0.8, 0.9, 0.4, 0.6, 0.2, 0.3, 0.5, 0.1]
    >>> round(rs.times.brier_at(days, died, risk, at=25).estimate, 4)
    0.1788
    """
    check_level(level)
    times, alone = checked_times(at)
    asked: dict[str, Any] = {"sample_weight": sample_weight, "weight_type": weight_type, "cluster": cluster}
    asked |= {"censored": censored, "pos_label": pos_label, "missing": missing}
    rows, names = read_risks(time, event, {"risk": risk}, times, asked)
    knowns = known_at_each(rows, times, ipcw)
    found = [brier_of(known, name, scaled=scaled) for known, name in zip(knowns, names["risk"], strict=True)]
    what, scale = ("scaled Brier(t)", "wald") if scaled else ("Brier(t)", "log")
    intervals = [each.interval(level, "", scale) for each in found]
    return intervals[0] if alone else values_at(rows, times, intervals, what)


@typed
def integrated_brier(
    time: object,
    event: object,
    risk: object,
    *,
    at: object,
    ipcw: object = None,
    level: float = 0.95,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    censored: Any = 0,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> Interval:
    """Mean of the Brier score over time, from the first of some times to the last.

    Parameters
    ----------
    time, event
        As in :func:`brier_at`.
    risk : array-like
        One column of risks for each time.
    at : sequence of float
        Two increasing times or more; between them the score is taken as a straight line.
    ipcw, level, sample_weight, weight_type, cluster, censored, pos_label, missing
        As in :func:`brier_at`.

    Returns
    -------
    Interval
        On the log scale.

    Examples
    --------
    >>> import rocsteady as rs
    >>> days, died = [5, 8, 12, 20, 21, 30, 31, 40], [1, 1, 0, 1, 1, 0, 1, 0]
    >>> early, late = [0.4, 0.6, 0.1, 0.3, 0.1, 0.2, 0.2, 0.0], [0.8, 0.9, 0.4, 0.6, 0.2, 0.3, 0.5, 0.1]
    >>> both = list(zip(early, late, strict=True))
    >>> round(rs.times.integrated_brier(days, died, both, at=[10, 25]).estimate, 4)
    0.1338
    """
    check_level(level)
    times, _ = checked_times(at)
    asked: dict[str, Any] = {"sample_weight": sample_weight, "weight_type": weight_type, "cluster": cluster}
    asked |= {"censored": censored, "pos_label": pos_label, "missing": missing}
    rows, names = read_risks(time, event, {"risk": risk}, times, asked)
    return integrated_of(rows, names["risk"], times, ipcw).interval(level, "integrated Brier(t)", "log")


@typed
def compare_brier_at(
    time: object,
    event: object,
    first: object,
    second: object,
    *,
    at: object,
    ipcw: object = None,
    alternative: str = "two-sided",
    margin: float | None = None,
    level: float = 0.95,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    censored: Any = 0,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> TestResult:
    """Test whether the risks of two models have the same Brier score at a time, or the same mean of it over times.

    Parameters
    ----------
    time, event
        As in :func:`brier_at`.
    first, second : array-like
        Risks of two models, as in :func:`brier_at`; lower scores are better.
    at : float or sequence of float
        One time; of several the means of :func:`integrated_brier` are compared.
    ipcw
        As in :func:`brier_at`.
    alternative, margin
        As in :func:`rocsteady.compare_auc`; a first model below the second is the better one.
    level : float
        Confidence level of the two-sided interval.
    sample_weight, weight_type, cluster, censored, pos_label, missing
        As in :func:`brier_at`.

    Returns
    -------
    TestResult
        ``estimate`` is the score of the first less that of the second.

    Examples
    --------
    >>> import rocsteady as rs
    >>> days, died = [5, 8, 12, 20, 21, 30, 31, 40], [1, 1, 0, 1, 1, 0, 1, 0]
    >>> one, two = [0.8, 0.9, 0.4, 0.6, 0.2, 0.3, 0.5, 0.1], [0.5] * 8
    >>> round(rs.times.compare_brier_at(days, died, one, two, at=25).estimate, 4)
    -0.0712
    """
    check_alternative(alternative, margin)
    check_level(level)
    times, alone = checked_times(at)
    asked: dict[str, Any] = {"sample_weight": sample_weight, "weight_type": weight_type, "cluster": cluster}
    asked |= {"censored": censored, "pos_label": pos_label, "missing": missing}
    rows, names = read_risks(time, event, {"first": first, "second": second}, times, asked)
    if alone:
        known = known_at_each(rows, times, ipcw)[0]
        one, two = (brier_of(known, names[model][0]) for model in ("first", "second"))
    else:
        one, two = (integrated_of(rows, names[model], times, ipcw) for model in ("first", "second"))
    return (one - two).test(alternative, margin, level, f"{'' if alone else 'integrated '}Brier(t), paired")


def read_risks(
    time: object, event: object, risks: dict[str, object], times: Array, asked: dict[str, Any]
) -> tuple[TimedRows, dict[str, list[str]]]:
    """Rows with one column of risks for each time and model, and the names of these columns."""
    columns: dict[str, object] = {}
    names: dict[str, list[str]] = {}
    for model, given in risks.items():
        try:
            table = np.asarray(given)
        except ValueError:  # entries of several lengths
            words = "{model} must hold a number for each row, or for each row and time; some entries are lists"
            raise ArgumentError("risk", Sentence(words, model=model)) from None
        if times.size == 1 and table.ndim < 2:
            columns[model], names[model] = given, [model]
            continue
        if table.ndim != 2 or table.shape[1] != times.size:
            words = "{model} must hold one column of risks for each of the {n} times, got the shape {shape}"
            raise ArgumentError("risk", Sentence(words, model=model, n=times.size, shape=str(table.shape)))
        names[model] = [f"{model} at {format_setting(at)}" for at in times.tolist()]
        columns |= {name: table[:, place] for place, name in enumerate(names[model])}
    rows = read_times(time, event, columns, competes=True, **asked)
    for name in columns:
        risk_of(rows, name)
    return rows, names


def risk_of(rows: TimedRows, name: str) -> Array:
    """Risks of a model, which lie in [0, 1]."""
    return probabilities(rows.rows.scores_of(name), name)


def brier_of(known: KnownAt, model: str, *, scaled: bool = False) -> Influenced:
    """The score of a model at a time, with what each row adds to it."""
    if not known.stood_for or not (known.case | known.control).any():
        return undefined_at(known)
    came = known.case.astype(np.float64)
    score = known.mean((came - risk_of(known.rows, model)) ** 2, remarks=at_a_time(known, math.nan))
    if not scaled:
        return score
    incidence = known.mean(came)
    plain = known.mean((came - incidence.value) ** 2)
    if not plain.value > 0:
        return undefined_at(known)
    slope = -2 * total_of(known.mass * (came - incidence.value)) / total_of(known.rows.held)
    of_plain = plain.pulls + slope * incidence.pulls
    ratio = score.value / plain.value
    return Influenced(known.rows, 1 - ratio, -(score.pulls - ratio * of_plain) / plain.value, score.remarks)


def integrated_of(rows: TimedRows, names: list[str], times: Array, ipcw: object = None) -> Influenced:
    """The mean over time of the score of a model."""
    if times.size < 2:
        raise ArgumentError("at", Sentence("a mean over time needs two times or more in {at=}"))
    scores = [brier_of(known, name) for known, name in zip(known_at_each(rows, times, ipcw), names, strict=True)]
    widths = np.zeros(times.size)
    for place, (before, now) in enumerate(pairwise(times.tolist())):
        widths[place : place + 2] += (now - before) / 2
    shares = widths / (times[-1] - times[0])
    value = math.fsum(share * score.value for share, score in zip(shares, scores, strict=True))
    pulls = np.sum([share * score.pulls for share, score in zip(shares, scores, strict=True)], axis=0)
    return Influenced(rows, value, pulls, tuple(dict.fromkeys(each for score in scores for each in score.remarks)))
