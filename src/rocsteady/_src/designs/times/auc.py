"""AUC at a time, of those who have the event by then or at it, and its mean over times."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.typed import typed
from rocsteady._src.designs.times.areas import cumulative_area, incident_area, integrated_area
from rocsteady._src.designs.times.concordance import concordance_of
from rocsteady._src.designs.times.known_at import KnownAt, checked_times, known_at_each
from rocsteady._src.designs.times.rows_by_time import read_times
from rocsteady._src.designs.times.trust import of_small_gaps
from rocsteady._src.inference.comparison.hypotheses import check_alternative
from rocsteady._src.inference.intervals.normal import check_choice, check_level
from rocsteady._src.results.times import TimedValues

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.designs.times.influenced import Influenced
    from rocsteady._src.designs.times.rows_by_time import TimedRows
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.results import Interval, TestResult

Kind = Literal["cumulative", "incident"]
KINDS = ("cumulative", "incident")


@typed
def auc_at(
    time: object,
    event: object,
    score: object,
    *,
    at: object,
    kind: Kind = "cumulative",
    span: float | None = None,
    ipcw: object = None,
    level: float = 0.95,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    censored: Any = 0,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> Interval | TimedValues:
    """AUC at a time: does the score tell those who have the event by then from those who have not?

    Rows that were censored before are neither. Those that are known stand for them, by the inverse probability of being
    watched until their own event, or until the time that is asked for; ties of scores count one half. O(n log n).

    Parameters
    ----------
    time, event, score
        As in :func:`rocsteady.times.concordance`. Labels of ``event`` that are neither the event nor ``censored`` are
        competing events: such rows never have the event, and are controls.
    at : float or sequence of float
        The time, or increasing times.
    kind : {"cumulative", "incident"}
        "cumulative": cases had the event by the time, controls had not (cumulative/dynamic). "incident": cases have it
        at the time, and controls later (incident/dynamic), by the mean over the events nearest in time of the share of
        rows at risk that score lower.
    span : float, optional
        Of "incident": which share of the events is near; the number of events to the power -0.2 when absent.
    ipcw : array-like, optional
        Weights in place of those by Kaplan-Meier: a column for each time, the inverse probability that a row is
        watched until its event or the time. They are taken as known.
    level : float
        Confidence level.
    sample_weight, weight_type, cluster, pos_label, missing
        As in :func:`rocsteady.times.concordance`.
    censored : optional
        The label of rows without any event, where there are competing ones; None where every row has an event.

    Returns
    -------
    Interval or TimedValues
        On the log-odds scale, by the influence function, which counts that the censoring is estimated; of several times
        a :class:`TimedValues`.

    References
    ----------
    Heagerty, Lumley and Pepe (2000), Biometrics 56:337-344. Uno, Cai, Tian and Wei (2007), JASA 102:527-537. Blanche,
    Dartigues and Jacqmin-Gadda (2013), Statistics in Medicine 32:5381-5397. Saha and Heagerty (2013), Biometrics
    69:95-104.

    Examples
    --------
    >>> import rocsteady as rs
    >>> days, died = [5, 8, 12, 20, 21, 30, 31, 40], [1, 1, 0, 1, 1, 0, 1, 0]
    >>> round(rs.times.auc_at(days, died, [7, 9, 4, 6, 2, 3, 5, 1], at=25).estimate, 4)
    0.8182
    """
    check_choice("kind", kind, KINDS)
    check_level(level)
    times, alone = checked_times(at)
    asked: dict[str, Any] = {"sample_weight": sample_weight, "weight_type": weight_type, "cluster": cluster}
    asked |= {"censored": censored, "competes": kind == "cumulative", "pos_label": pos_label, "missing": missing}
    rows = read_times(time, event, {"score": score}, **asked)
    _refuse_options(kind, span, ipcw)
    found = areas_at(rows, "score", times, kind, span=span, ipcw=ipcw)
    name = f"{kind} AUC(t)"
    intervals = [each.interval(level, kind) for each in found]
    return intervals[0] if alone else values_at(rows, times, intervals, name)


@typed
def integrated_auc(
    time: object,
    event: object,
    score: object,
    *,
    at: object,
    kind: Kind = "cumulative",
    ipcw: object = None,
    level: float = 0.95,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    censored: Any = 0,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> Interval:
    """Mean of AUC(t) over times, each time weighing by the cases that come there.

    Parameters
    ----------
    time, event, score
        As in :func:`auc_at`.
    at : sequence of float
        Increasing times. Of "cumulative" the mean is over these, each with the share of cases that come between it and
        the time before. Of "incident" only the last counts: the integral over all events before it, which is the
        concordance that Uno's C estimates, and is computed as that.
    kind : {"cumulative", "incident"}
        As in :func:`auc_at`.
    ipcw : array-like, optional
        As in :func:`auc_at`; of "incident" as in :func:`rocsteady.times.concordance`.
    level : float
        Confidence level.
    sample_weight, weight_type, cluster, censored, pos_label, missing
        As in :func:`auc_at`.

    Returns
    -------
    Interval
        It counts that the weights of the times are estimated.

    Examples
    --------
    >>> import rocsteady as rs
    >>> days, died = [5, 8, 12, 20, 21, 30, 31, 40], [1, 1, 0, 1, 1, 0, 1, 0]
    >>> round(rs.times.integrated_auc(days, died, [7, 9, 4, 6, 2, 3, 5, 1], at=[10, 20, 25]).estimate, 4)
    0.9504
    """
    check_choice("kind", kind, KINDS)
    check_level(level)
    times, _ = checked_times(at)
    asked: dict[str, Any] = {"sample_weight": sample_weight, "weight_type": weight_type, "cluster": cluster}
    asked |= {"censored": censored, "competes": kind == "cumulative", "pos_label": pos_label, "missing": missing}
    rows = read_times(time, event, {"score": score}, **asked)
    return integral_of(rows, "score", times, kind, ipcw).interval(level, f"integrated {kind} AUC(t)")


@typed
def compare_auc_at(
    time: object,
    event: object,
    first: object,
    second: object,
    *,
    at: object,
    kind: Kind = "cumulative",
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
    """Test whether two scores of the same rows have the same AUC at a time, or the same mean of it over times.

    Parameters
    ----------
    time, event
        As in :func:`auc_at`.
    first, second : array-like
        Scores of two models; a higher score means more risk.
    at : float or sequence of float
        One time; of several the integrals of :func:`integrated_auc` are compared.
    kind, ipcw
        As in :func:`auc_at`, of several times as in :func:`integrated_auc`.
    alternative, margin
        As in :func:`rocsteady.compare_auc`.
    level : float
        Confidence level of the two-sided interval.
    sample_weight, weight_type, cluster, censored, pos_label, missing
        As in :func:`auc_at`.

    Returns
    -------
    TestResult
        ``estimate`` is the area of the first less that of the second.

    Examples
    --------
    >>> import rocsteady as rs
    >>> days, died = [5, 8, 12, 20, 21, 30, 31, 40], [1, 1, 0, 1, 1, 0, 1, 0]
    >>> test = rs.times.compare_auc_at(days, died, [7, 9, 4, 6, 2, 3, 5, 1], [1, 9, 4, 2, 6, 3, 5, 7], at=25)
    >>> round(test.estimate, 4)
    0.4091
    """
    check_choice("kind", kind, KINDS)
    check_alternative(alternative, margin)
    check_level(level)
    times, alone = checked_times(at)
    asked: dict[str, Any] = {"sample_weight": sample_weight, "weight_type": weight_type, "cluster": cluster}
    asked |= {"censored": censored, "competes": kind == "cumulative", "pos_label": pos_label, "missing": missing}
    rows = read_times(time, event, {"first": first, "second": second}, **asked)
    if alone:
        _refuse_options(kind, None, ipcw)
    one, two = (
        areas_at(rows, model, times, kind, ipcw=ipcw)[0] if alone else integral_of(rows, model, times, kind, ipcw)
        for model in ("first", "second")
    )
    what = f"{kind} AUC(t), paired" if alone else f"integrated {kind} AUC(t), paired"
    gap = one - two
    if not alone and kind == "cumulative":
        gap = replace(gap, remarks=(*gap.remarks, *of_small_gaps(known_at_each(rows, times, ipcw))))
    return gap.test(alternative, margin, level, what)


def areas_at(
    rows: TimedRows, model: str, times: Any, kind: str, *, span: float | None = None, ipcw: object = None
) -> list[Influenced]:
    """The area of a model at each of some times."""
    if kind == "incident":
        return [incident_area(rows, model, float(at), span) for at in times]
    return [cumulative_area(known, model) for known in known_at_each(rows, times, ipcw)]


def integral_of(rows: TimedRows, model: str, times: Any, kind: str, ipcw: object = None) -> Influenced:
    """The mean of the areas of a model over times."""
    if kind == "incident":
        return concordance_of(rows, model, "uno", float(np.nextafter(times[-1], np.inf)), ipcw)
    knowns = known_at_each(rows, times, ipcw)
    return integrated_area(knowns, [cumulative_area(known, model) for known in knowns])


def values_at(rows: TimedRows, times: Any, intervals: Sequence[Interval], name: str) -> TimedValues:
    """Intervals at times, with how many rows are cases, controls and unknown at each."""
    knowns = [KnownAt(rows, float(at), None) for at in times]
    cases, controls = (
        [int(rows.counted(mask)) for mask in masks]
        for masks in zip(*((known.case, known.control) for known in knowns), strict=True)
    )
    unknown = [int(rows.counted()) - one - two for one, two in zip(cases, controls, strict=True)]
    remarks = tuple(dict.fromkeys(remark for each in intervals for remark in each.warnings))
    counts: dict[str, Any] = {"cases": np.array(cases), "controls": np.array(controls), "unknown": np.array(unknown)}
    facts: dict[str, Any] = {"level": intervals[0].level, "origin": rows.origin, "warnings": remarks}
    return TimedValues(name, times, tuple(intervals), **counts, **facts)


def _refuse_options(kind: str, span: float | None, ipcw: object) -> None:
    if span is not None and not (kind == "incident" and 0 < span <= 1):
        raise ArgumentError("span", Sentence("{span=} is a share in (0, 1] of the events, of {kind='incident'} only"))
    if ipcw is not None and kind == "incident":
        raise ArgumentError("ipcw", Sentence("{kind='incident'} compares rows at risk, and needs no {ipcw=}"))
