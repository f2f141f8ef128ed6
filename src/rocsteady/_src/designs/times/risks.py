"""What risks at a time are worth: do they fit what came, and does treating by them do more good than harm?"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.typed import typed
from rocsteady._src.designs.times.areas import undefined_at
from rocsteady._src.designs.times.brier import read_risks, risk_of
from rocsteady._src.designs.times.influenced import Influenced
from rocsteady._src.designs.times.known_at import checked_times, known_at_each
from rocsteady._src.designs.times.rows_by_time import total_of
from rocsteady._src.designs.times.trust import at_a_time
from rocsteady._src.inference.comparison.hypotheses import check_alternative
from rocsteady._src.inference.intervals.normal import check_level
from rocsteady._src.inputs.reals import real_numbers
from rocsteady._src.ranked.rowsort import in_order
from rocsteady._src.results.times import TimedCalibration, TimedNetBenefit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.designs.times.known_at import KnownAt
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.results import Interval, TestResult

    Array = NDArray[np.float64]


@typed
def calibration_at(
    time: object,
    event: object,
    risk: object,
    *,
    at: float,
    n_groups: int = 10,
    ipcw: object = None,
    level: float = 0.95,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    censored: Any = 0,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> TimedCalibration:
    """Do predicted risks fit what came by a time? Observed over expected, and groups of like risk.

    The observed risk is the Kaplan-Meier incidence, with competing events that of Aalen and Johansen, of all rows and
    of each group by itself.

    Parameters
    ----------
    time, event, risk
        As in :func:`rocsteady.times.brier_at`.
    at : float
        The time.
    n_groups : int
        Groups of about as many rows, by quantiles of risk; tied risks stay together.
    ipcw, level, sample_weight, weight_type, cluster, censored, pos_label, missing
        As in :func:`rocsteady.times.brier_at`.

    Returns
    -------
    TimedCalibration
        With intervals of the ratio on the log scale, and of each group on that of log-odds.

    Examples
    --------
    >>> import rocsteady as rs
    >>> days, died = [5, 8, 12, 20, 21, 30, 31, 40], [1, 1, 0, 1, 1, 0, 1, 0]
    >>> print(rs.times.calibration_at(days, died, [0.8, 0.9, 0.4, 0.6, 0.2, 0.3, 0.5, 0.1], at=25, n_groups=2))
    predicted  observed     low    high  rows
    0.2500       0.3333  0.0188  0.9288     4
    0.7000       0.7500  0.1030  0.9874     4
    by 25: observed 0.5500, expected 0.4750, observed/expected 1.1579 [0.5784, 2.3179]
    intervals at level 0.95; groups of like risk, by Kaplan-Meier
    note: 3 cases or controls at 25: with so few, 95% intervals of Brier(t) held as little as 69% of true values,
    and tests at 5% rejected up to 27% of alike models, of NRI and IDI 59% (docs/censored.md)
    """
    check_level(level)
    times, _ = checked_times(at)
    asked: dict[str, Any] = {"sample_weight": sample_weight, "weight_type": weight_type, "cluster": cluster}
    asked |= {"censored": censored, "pos_label": pos_label, "missing": missing}
    rows, _ = read_risks(time, event, {"risk": risk}, times, asked)
    if n_groups < 1:
        raise ArgumentError("n_groups", Sentence("{n_groups=} must be 1 or more"))
    known, values = known_at_each(rows, times, ipcw)[0], risk_of(rows, "risk")
    observed, expected = incidence_of(known), mean_risk(known, values)
    method = "kaplan-meier" if ipcw is None else "ipcw"
    edges = _quantiles(values, n_groups, rows.repeats)
    number = np.searchsorted(np.unique(edges), values, side="right")
    parts = [known.part(number == group) for group in np.unique(number)]
    groups = tuple(incidence_of(part).interval(level, method) for part in parts)
    ended = [remark for group in groups for remark in group.warnings if remark.code == "not_followed"]
    return TimedCalibration(
        at=float(times[0]),
        observed=observed.interval(level, method),
        expected=expected.value,
        ratio=ratio_of(known, values).interval(level, "observed/expected", "log"),
        predicted=np.array([mean_risk(part, risk_of(part.rows, "risk")).value for part in parts]),
        groups=groups,
        rows=np.array([int(part.rows.counted()) for part in parts]),
        level=level,
        origin=rows.origin,
        warnings=(*rows.remarks, *dict.fromkeys([*observed.remarks, *ended[:1]])),
    )


@typed
def net_benefit_at(
    time: object,
    event: object,
    risk: object,
    *,
    at: float,
    thresholds: object,
    ipcw: object = None,
    level: float = 0.95,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    censored: Any = 0,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> TimedNetBenefit:
    """Net benefit at a time: true positives less false positives, these by the odds of the threshold, per row.

    The incidence among those whose risk reaches the threshold is that of Kaplan-Meier, with competing events of Aalen
    and Johansen (Vickers and others 2008).

    Parameters
    ----------
    time, event, risk
        As in :func:`rocsteady.times.brier_at`.
    at : float
        The time.
    thresholds : float or sequence of float
        Risks between 0 and 1 from which on one would treat.
    ipcw, level, sample_weight, weight_type, cluster, censored, pos_label, missing
        As in :func:`rocsteady.times.brier_at`.

    Returns
    -------
    TimedNetBenefit

    References
    ----------
    Vickers, Cronin, Elkin and Gonen (2008), BMC Medical Informatics and Decision Making 8:53.

    Examples
    --------
    >>> import rocsteady as rs
    >>> days, died = [5, 8, 12, 20, 21, 30, 31, 40], [1, 1, 0, 1, 1, 0, 1, 0]
    >>> risk = [0.8, 0.9, 0.4, 0.6, 0.2, 0.3, 0.5, 0.1]
    >>> print(rs.times.net_benefit_at(days, died, risk, at=25, thresholds=[0.2, 0.5]))
    threshold  net_benefit      low    high  treat_all
    0.2             0.4844  -0.0037  0.9724     0.4375
    0.5             0.2500  -0.2898  0.7898     0.1000
    at 25, intervals at level 0.95; treating none has 0
    note: 3 cases or controls at 25: with so few, 95% intervals of Brier(t) held as little as 69% of true values,
    and tests at 5% rejected up to 27% of alike models, of NRI and IDI 59% (docs/censored.md)
    """
    check_level(level)
    times, _ = checked_times(at)
    limits = real_numbers(thresholds, "thresholds")
    if not limits.size or not np.all((limits > 0) & (limits < 1)):
        raise ArgumentError("thresholds", Sentence("{thresholds=} must lie between 0 and 1"))
    asked: dict[str, Any] = {"sample_weight": sample_weight, "weight_type": weight_type, "cluster": cluster}
    asked |= {"censored": censored, "pos_label": pos_label, "missing": missing}
    rows, _ = read_risks(time, event, {"risk": risk}, times, asked)
    known, values = known_at_each(rows, times, ipcw)[0], risk_of(rows, "risk")

    def ends(found: list[Influenced]) -> tuple[Interval, ...]:
        return tuple(each.interval(level, "net benefit", "wald") for each in found)

    everyone = np.ones(rows.n_rows, dtype=bool)
    return TimedNetBenefit(
        at=float(times[0]),
        thresholds=limits,
        model=ends([benefit_of(known, values >= limit, float(limit)) for limit in limits]),
        treat_all=ends([benefit_of(known, everyone, float(limit)) for limit in limits]),
        level=level,
        origin=rows.origin,
        warnings=(*rows.remarks, *incidence_of(known).remarks),
    )


@typed
def compare_net_benefit_at(
    time: object,
    event: object,
    first: object,
    second: object,
    *,
    at: float,
    threshold: float,
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
    """Test whether treating by the risks of one model is worth as much at a time as by those of another.

    Parameters
    ----------
    time, event
        As in :func:`net_benefit_at`.
    first, second : array-like
        Risks of two models by the time, in [0, 1].
    at : float
        The time.
    threshold : float
        Risk between 0 and 1 from which on one would treat.
    alternative, margin
        As in :func:`rocsteady.compare_auc`.
    ipcw, level, sample_weight, weight_type, cluster, censored, pos_label, missing
        As in :func:`rocsteady.times.brier_at`.

    Returns
    -------
    TestResult
        ``estimate`` is the net benefit of the first less that of the second.

    Examples
    --------
    >>> import rocsteady as rs
    >>> days, died = [5, 8, 12, 20, 21, 30, 31, 40], [1, 1, 0, 1, 1, 0, 1, 0]
    >>> one, two = [0.8, 0.9, 0.4, 0.6, 0.2, 0.3, 0.5, 0.1], [0.5, 0.4, 0.4, 0.5, 0.6, 0.2, 0.3, 0.2]
    >>> round(rs.times.compare_net_benefit_at(days, died, one, two, at=25, threshold=0.45).estimate, 4)
    -0.1023
    """
    check_alternative(alternative, margin)
    check_level(level)
    times, _ = checked_times(at)
    if not 0 < threshold < 1:
        raise ArgumentError("threshold", Sentence("{threshold=} must lie between 0 and 1"))
    asked: dict[str, Any] = {"sample_weight": sample_weight, "weight_type": weight_type, "cluster": cluster}
    asked |= {"censored": censored, "pos_label": pos_label, "missing": missing}
    rows, _ = read_risks(time, event, {"first": first, "second": second}, times, asked)
    known = known_at_each(rows, times, ipcw)[0]
    one, two = (benefit_of(known, risk_of(rows, model) >= threshold, threshold) for model in ("first", "second"))
    found = (one - two).test(alternative, margin, level, "net benefit, paired")
    return replace(found, warnings=tuple(dict.fromkeys((*found.warnings, *at_a_time(known, math.nan)))))


def _quantiles(values: Array, n_groups: int, times: Array | None) -> Array:
    """Inner quantiles (R's type 7) of values, each of which counts so many times.

    Their places are divided as whole numbers, so that no rounding moves a value to the other side of its quantile.
    """
    ordered, order = in_order(values)
    ends = np.arange(1, values.size + 1) if times is None else times[order].cumsum().astype(np.int64)
    place, rest = np.divmod(np.arange(1, n_groups) * (int(ends[-1]) - 1), n_groups)
    low, high = (ordered[ends.searchsorted(each, side="right")] for each in (place, place + (rest > 0)))
    found: Array = low + rest / n_groups * (high - low)
    return found


def incidence_of(known: KnownAt) -> Influenced:
    """Share of rows with the event by then: Kaplan-Meier, with competing events Aalen and Johansen."""
    if not known.followed:
        return undefined_at(known, "not_followed")
    return known.mean(known.case.astype(np.float64), remarks=at_a_time(known, math.nan))


def mean_risk(known: KnownAt, risk: Array) -> Influenced:
    """The mean of predicted risks, which all rows have."""
    held = known.rows.held
    total = total_of(held)
    value = total_of(held * risk) / total
    return Influenced(known.rows, value, (risk - value) / total)


def ratio_of(known: KnownAt, risk: Array) -> Influenced:
    """Observed over expected; NaN where nobody is expected."""
    observed, expected = incidence_of(known), mean_risk(known, risk)
    if not expected.value > 0:
        return Influenced(known.rows, math.nan, np.full(risk.size, math.nan), observed.remarks)
    ratio = observed.value / expected.value
    return Influenced(known.rows, ratio, (observed.pulls - ratio * expected.pulls) / expected.value, observed.remarks)


def benefit_of(known: KnownAt, treated: NDArray[np.bool_], threshold: float) -> Influenced:
    """Net benefit of treating some rows, by the incidence among them."""
    rows, odds = known.rows, threshold / (1 - threshold)
    total = total_of(rows.held)
    if not treated.any():
        return Influenced(rows, 0.0, np.zeros(rows.n_rows))
    share = total_of(rows.held[treated]) / total
    among = incidence_of(known.part(treated))
    each = among.value * (1 + odds) - odds
    pulls: Array = (treated.astype(np.float64) - share) / total * each
    pulls[treated] += share * (1 + odds) * among.pulls
    return Influenced(rows, share * each, pulls, () if among.value == among.value else among.remarks)
