"""Concordance of scores with censored times: Harrell's and Uno's C, and the comparison of two models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.typed import typed
from rocsteady._src.designs.times.censoring import censoring_of
from rocsteady._src.designs.times.gonen_heller import gonen_heller
from rocsteady._src.designs.times.influenced import Influenced, disjoint_pairs
from rocsteady._src.designs.times.known_at import given_weights
from rocsteady._src.designs.times.rows_by_time import read_times, total_of
from rocsteady._src.designs.times.trust import of_pairs
from rocsteady._src.inference.comparison.hypotheses import check_alternative
from rocsteady._src.inference.intervals.normal import check_choice, check_level
from rocsteady._src.inference.units.units import mean_known
from rocsteady._src.ranked.later_pairs import earlier_total, later_total

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.designs.times.rows_by_time import TimedRows
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.results import Interval, TestResult

    Array = NDArray[np.float64]

Method = Literal["harrell", "uno", "gonen-heller"]
METHODS = ("harrell", "uno", "gonen-heller")


@typed
def concordance(
    time: object,
    event: object,
    score: object,
    *,
    method: Method = "harrell",
    tau: float | None = None,
    ipcw: object = None,
    level: float = 0.95,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> Interval:
    """Probability that of two rows the one whose event came first had the higher score; ties of scores count one half.

    A pair counts where it is known who came first: an event, and a row that was still watched then, also one that was
    censored at the very time of the event. Two events at one time are no pair. O(n log n).

    Parameters
    ----------
    time : array-like
        When the event came, or until when the row was watched: finite, 0 or more.
    event : array-like
        Whether the event was seen: {0, 1}, booleans, or anything together with ``pos_label``.
    score : array-like
        A higher score means an earlier event; of times that a model predicts pass the negative.
    method : {"harrell", "uno", "gonen-heller"}
        "harrell" counts all such pairs; what it estimates depends on how long rows were watched. "uno" divides each
        event by the squared probability of being watched until then, and estimates the same whatever the censoring.
        "gonen-heller" takes it from the fitted proportional hazards model of the score alone, and needs no pairs, but
        is right only where hazards are proportional.
    tau : float, optional
        Count events before this time only; of "harrell" and "uno".
    ipcw : array-like, optional
        Of "uno", in place of the weights by Kaplan-Meier: for each row the inverse probability of being watched until
        its own time, from a model of the censoring. They are squared, and taken as known.
    level : float
        Confidence level.
    sample_weight : array-like, optional
        Row weights >= 0: a pair counts as often as the product of its weights.
    weight_type : {"frequency", "sampling"}, optional
        How the interval reads them: as how often a row was seen, or as sampling weights, which they are unless said
        otherwise.
    cluster : array-like, optional
        The subject of each row, when rows of one are not independent.
    pos_label : optional
        The value that means that the event was seen.
    missing : {"raise", "drop"}
        Refuse rows that lack a value, or drop them and count them.

    Returns
    -------
    Interval
        On the log-odds scale, by the influence function, which counts the estimated censoring; with Student's t.

    References
    ----------
    Harrell, Califf, Pryor, Lee and Rosati (1982), JAMA 247:2543-2546. Uno, Cai, Pencina, D'Agostino and Wei (2011),
    Statistics in Medicine 30:1105-1117. Gonen and Heller (2005), Biometrika 92:965-970. Therneau and Watson (2017),
    Mayo Clinic technical report 85.

    Examples
    --------
    >>> import rocsteady as rs
    >>> days, died = [5, 8, 12, 20, 21, 30, 31, 40], [1, 1, 0, 1, 1, 0, 1, 0]
    >>> found = rs.times.concordance(days, died, [7, 9, 4, 6, 2, 3, 5, 1])
    >>> round(found.estimate, 4)
    0.8571
    """
    asked: dict[str, Any] = {"sample_weight": sample_weight, "weight_type": weight_type, "cluster": cluster}
    rows = read_times(time, event, {"score": score}, **asked, pos_label=pos_label, missing=missing)
    check_level(level)
    return concordance_of(rows, "score", method, tau, ipcw).interval(level, method)


@typed
def compare_concordance(
    time: object,
    event: object,
    first: object,
    second: object,
    *,
    method: Method = "harrell",
    tau: float | None = None,
    ipcw: object = None,
    alternative: str = "two-sided",
    margin: float | None = None,
    level: float = 0.95,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> TestResult:
    """Test whether two scores of the same rows agree equally well with the times.

    Parameters
    ----------
    time, event
        As in :func:`concordance`.
    first, second : array-like
        Scores of two models; a higher score means an earlier event.
    method, tau, ipcw
        As in :func:`concordance`.
    alternative, margin
        As in :func:`rocsteady.compare_auc`.
    level : float
        Confidence level of the two-sided interval.
    sample_weight, weight_type, cluster, pos_label, missing
        As in :func:`concordance`.

    Returns
    -------
    TestResult
        ``estimate`` is the concordance of the first less that of the second.

    Examples
    --------
    >>> import rocsteady as rs
    >>> days, died = [5, 8, 12, 20, 21, 30, 31, 40], [1, 1, 0, 1, 1, 0, 1, 0]
    >>> test = rs.times.compare_concordance(days, died, [7, 9, 4, 6, 2, 3, 5, 1], [1, 9, 4, 2, 6, 3, 5, 7])
    >>> round(test.estimate, 4), round(test.pvalue, 3)
    (0.4762, 0.085)
    """
    check_alternative(alternative, margin)
    check_level(level)
    asked: dict[str, Any] = {"sample_weight": sample_weight, "weight_type": weight_type, "cluster": cluster}
    both = {"first": first, "second": second}
    rows = read_times(time, event, both, **asked, pos_label=pos_label, missing=missing)
    one, two = (concordance_of(rows, model, method, tau, ipcw) for model in both)
    return (one - two).test(alternative, margin, level, f"{method}, paired")


def concordance_of(
    rows: TimedRows, model: str, method: str = "harrell", tau: float | None = None, ipcw: object = None
) -> Influenced:
    """The concordance of a model, with what each row adds to it."""
    check_choice("method", method, METHODS)
    if ipcw is not None and method != "uno":
        raise ArgumentError("ipcw", Sentence("{ipcw=} goes with {method='uno'}: the others have no such weights"))
    if tau is not None and (method == "gonen-heller" or not tau > 0):
        words = "{tau=} must be a time above 0, for Harrell's or Uno's C; {method='gonen-heller'} has none"
        raise ArgumentError("tau", Sentence(words))
    if method == "gonen-heller":
        return gonen_heller(rows, model)
    counted = rows.event if tau is None else rows.event & (rows.time < tau)
    (given,) = given_weights(ipcw, rows, 1)
    return _of_pairs(rows, model, counted, given, censored=method == "uno")


def _of_pairs(
    rows: TimedRows, model: str, counted: NDArray[np.bool_], given: Array | None, *, censored: bool
) -> Influenced:
    """Pairs of counted events and later rows; with ``censored`` each event by the squared chance to be seen."""
    curve = censoring_of(rows) if censored and given is None else None
    times = counted.astype(np.float64)
    if curve is not None:
        watched = curve.left[rows.distinct[1]]
        watched *= watched
        times /= np.maximum(watched, np.finfo(np.float64).tiny, out=watched)
    elif given is not None:
        times *= np.square(given)
    held, place = rows.held, 2 * rows.distinct[1] + ~rows.event
    loads = times if rows.units.weights is None else held * times
    below, above = rows.pairs(model).sums(rows.units.weights if rows.units.weights is None else held, loads)
    later = later_total(place, held)
    earlier = earlier_total(place, loads)
    pairs = total_of(loads * later)
    if not pairs > 0:
        why = "no pair of rows tells who came first: no event has a row that was watched longer"
        raise InputError("no_pairs", f"{why}; concordance needs one event and a row after it")
    value = total_of(loads * below) / pairs
    later *= value  # in place from here on: each further array of many rows would be read and written once more
    apart = np.subtract(below, later, out=below)
    earlier *= value
    pulls = np.subtract(above, earlier, out=above)
    pulls += np.multiply(times, apart, out=later)
    if curve is not None:
        apart *= loads
        pulls -= curve.pulls(np.multiply(apart, 2, out=apart))
    pulls /= pairs
    disjoint = disjoint_pairs(rows, counted) if value in (0.0, 1.0) else 0.0
    return Influenced(rows, value, pulls, of_pairs(rows, counted, times, value), mean_known, disjoint)
