"""validation.pool: one answer from the answers of multiply imputed data, by Rubin's rules."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import fmean
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, is_number, some_values
from rocsteady._src.base.typed import typed
from rocsteady._src.designs.times.concordance import METHODS
from rocsteady._src.designs.validation.pooled_curves import CURVES, pooled_chi_square
from rocsteady._src.designs.validation.pooled_parts import is_row, line_for, parts_of
from rocsteady._src.designs.validation.rules import rubins_rules
from rocsteady._src.inference.comparison.hypotheses import WITH_MARGIN, judge
from rocsteady._src.inference.intervals.normal import check_choice, check_level, p_value, quantile_of
from rocsteady._src.measures.requests import one_request
from rocsteady._src.results import Estimate, Interval, TestResult
from rocsteady._src.results.remarks import Remark
from rocsteady._src.results.validation import Pooled

if TYPE_CHECKING:
    from collections.abc import Sequence

Scale = Literal["plain", "log", "logit"]
ENOUGH = 100  # imputations for each whole of missing information (White, Royston and Wood 2011)
PAIRS = "rs.validation.pool(list(zip(estimates, standard_errors)))"
OF_CORRECTED = ("location-shifted", "two-stage")  # intervals of values corrected for optimism
SAME = ("level", "alternative", "hypothesis", "null")


@typed
def pool(
    results: Any,
    *,
    measure: Any = None,
    model: str | None = None,
    at: float | None = None,
    scale: Scale | None = None,
    complete_df: float | None = None,
    level: float | None = None,
) -> Pooled:
    """Pool estimates, differences or tests over multiply imputed data by Rubin's rules.

    Make the same call on each completed data set, and hand over what it gave. With m results, the estimate is their
    mean on the scale; its variance the mean of theirs plus (1 + 1/m) times the variance between them; the degrees of
    freedom are Rubin's, or those of Barnard and Rubin where ``complete_df`` is known. Chi-square tests, which have no
    estimate, are pooled by Li, Meng, Raghunathan and Rubin's D2. Limits stay in the range of the measure; where values
    lie at its end, whose standard error is 0, they are no closer than those pooled. Curves:
    :func:`rocsteady.validation.pool_curves`.

    Parameters
    ----------
    results : list
        One of each imputed data set, all of one kind: intervals, tests (with a margin too), estimates of
        reclassification, values at several times, measures corrected for optimism, or evaluations: of two classes with
        intervals, of more classes, of censored times; of the same measure, level, rows and hypothesis. Results of
        different measures are refused. Or pairs of numbers, an estimate with its standard error. A generator or the
        values of a dict do as well.
    measure : str, optional
        The measure of intervals, such as "auc", which tells the scale: logit for measures from 0 to 1, log for those
        above 0, else plain. Needed for evaluations, by the name that it has there ("macro_auc", "harrell"); intervals
        mostly know theirs.
    model : str, optional
        Which model of evaluations, when there are several.
    at : float, optional
        Which time, of values at several times and of evaluations of censored times (``measure="auc", at=365``).
    scale : {"plain", "log", "logit"}, optional
        Where estimates are about normal. When absent, that of the measure; without one, the one on which the intervals
        were made, logit or log, else plain. Differences and other tests: plain; so are pairs without a measure.
    complete_df : float, optional
        Degrees of freedom that the complete data would have, such as rows less parameters; infinite when absent,
        unless the tests have their own, of which the smallest counts.
    level : float, optional
        Confidence level; that of the results when absent, of pairs 0.95.

    Returns
    -------
    Pooled
        Estimate, interval, standard error, degrees of freedom, fraction of missing information; statistic and p of
        tests.

    References
    ----------
    Rubin (1987), Multiple Imputation for Nonresponse in Surveys. Barnard and Rubin (1999), Biometrika 86:948-955. Li,
    Meng, Raghunathan and Rubin (1991), Statistica Sinica 1:65-92.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y = [1, 1, 1, 0, 1, 0, 0, 0]
    >>> imputed = [[8, 7, 6, 5, 4, 3, 2, 1], [8, 7, 3, 5, 4, 6, 2, 1], [8, 7, 6, 5, 3, 4, 2, 1]]
    >>> found = rs.validation.pool([rs.auc_interval(y, score, method="delong") for score in imputed], measure="auc")
    >>> found.scale, found.n_imputations, round(found.estimate, 3)
    ('logit', 3, 0.872)
    """
    parts, measure, bounds = parts_of(results, measure, model, at)
    given = _checked(parts)
    if isinstance(given[0], TestResult) and math.isnan(given[0].estimate):
        return pooled_chi_square(given)
    level = given[0].level if level is None else check_level(level)
    measure = _known_measure(given, measure)
    found = _scale(given[0], measure, bounds, scale)
    moved = [_moved(each.estimate, each.se, found, number) for number, each in enumerate(given)]
    if complete_df is None and isinstance(given[0], TestResult):
        complete_df = min((each.df for each in given if each.df is not None), default=None)
    if complete_df is not None and not (is_number(complete_df) and complete_df > 0):
        raise ArgumentError("complete_df", f"complete_df must be above 0, got {complete_df!r}")
    rubin = rubins_rules([q for q, _ in moved], [se**2 for _, se in moved], complete_df)
    made = _answer(given[0], found, rubin, level, len(given))
    return _within(made, given, _range(given[0], measure, bounds))


def _checked(given: list[Any]) -> list[Any]:
    """Results that can be pooled: two or more of one kind, each with a standard error."""
    if len(given) < 2:
        raise ArgumentError("results", "pass a list of two or more results, one of each imputed data set")
    kinds = {type(each) for each in given}
    if len(kinds) > 1 or not kinds <= {Interval, TestResult, Estimate}:
        raise ArgumentError("results", _other_kinds(given))
    for name in SAME:
        values = [getattr(each, name, None) for each in given]
        if any(value != values[0] for value in values):
            raise InputError("results_differ", f"the results differ in {name}: {some_values(dict.fromkeys(values))}")
    _refuse_other_rows(given)
    if isinstance(given[0], TestResult) and all(math.isnan(each.estimate) for each in given):
        return given
    for number, each in enumerate(given):
        if each.se is None or not (math.isfinite(each.estimate) and math.isfinite(each.se)) or each.se < 0:
            text = f"result {number} has the estimate {each.estimate!r} and the standard error {each.se!r}"
            raise InputError("no_standard_error", f"{text}; pooling needs both: take a method that gives them")
    return given


def _range(first: Any, measure: Any, bounds: tuple[float, float] | None) -> tuple[float, float]:
    """Between what the values lie, where it is known."""
    if not isinstance(first, Interval) or measure is None or measure == "partial_auc":
        return bounds or (-math.inf, math.inf)
    return bounds or one_request(measure).sheet.bounds


def _within(made: Pooled, given: Sequence[Any], limits: tuple[float, float]) -> Pooled:
    """Limits in the range of the measure; where values lie at its ends they are no shorter than those pooled.

    A standard error says nothing there: several AUCs of 1 have one of 0, while each has an interval with a width.
    """
    low, high = made.low, made.high
    if any(each.estimate in limits for each in given):
        own = [(each.low, each.high) for each in given]
        if not np.isfinite(own).all() or all(low == high for low, high in own):
            if made.se > 0:
                return replace(made, low=max(low, limits[0]), high=min(high, limits[1]))
            return replace(made, low=math.nan, high=math.nan, warnings=(*made.warnings, Remark("nothing_varies")))
        low, high = min(low, fmean(end for end, _ in own)), max(high, fmean(end for _, end in own))
    return replace(made, low=max(low, limits[0]), high=min(high, limits[1]))


def _other_kinds(given: Sequence[Any]) -> str:
    """What cannot be pooled, and, of results that hold what can, the line that does it."""
    named = ", ".join(dict.fromkeys(type(each).__name__ for each in given))
    if is_number(given[0]) or is_row(given[0]):
        return f"numbers are pooled as pairs, an estimate with its standard error for each imputed data set: {PAIRS}"
    line = "" if isinstance(given[0], CURVES) or len({type(each) for each in given}) > 1 else line_for(given[0])
    if line:
        return f"{named} holds more than one number: name the one to pool, such as pool([{line} for each in results])"
    return f"pass results of one kind, {KINDS}; got {named} (curves: pool_curves)"


KINDS = "all intervals, all tests, all estimates of reclassification, all values at times or all evaluations"


def _known_measure(given: Sequence[Any], measure: Any) -> Any:
    """What the results measure; those of two measures are refused."""
    known = dict.fromkeys(each for one in given if (each := getattr(one, "measure", None)) is not None)
    asked = None if measure is None else one_request(measure)
    named = set(known) | ({asked.sheet.name} if asked is not None and known else set())
    if len(named) > 1:
        raise InputError("results_differ", f"the results are of different measures: {some_values(sorted(named))}")
    return measure if measure is not None else next(iter(known), None)


def _refuse_other_rows(given: Sequence[Any]) -> None:
    known = [getattr(each, "origin", None) for each in given]
    facts = [(origin.pos_label, origin.n_rows) for origin in known if origin is not None]
    for name, values in (("positive label", [pos for pos, _ in facts]), ("number of rows", [n for _, n in facts])):
        if any(value != values[0] for value in values):
            text = f"the results differ in their {name}: {some_values(dict.fromkeys(values))}"
            raise InputError("results_differ", f"{text}; imputed data sets have the same rows")


def _scale(first: Any, measure: Any, bounds: tuple[float, float] | None, scale: Scale | None) -> Scale:
    if scale is not None:
        check_choice("scale", scale, get_args(Scale))
        return scale
    if isinstance(first, (TestResult, Estimate)):
        return "plain"
    if bounds is None and measure is None:
        if first.method.endswith("log"):
            return "log"
        return "logit" if "logit" in first.method else "plain"
    known = bounds or ((0.0, 1.0) if measure == "partial_auc" else one_request(measure).sheet.bounds)
    low, high = known
    return "plain" if low != 0 else "logit" if high == 1 else "log" if math.isinf(high) else "plain"


def _moved(value: float, se: float, scale: Scale, number: int) -> tuple[float, float]:
    """Estimate and standard error on the scale."""
    if scale == "plain":
        return float(value), float(se)
    if not 0 < value < (1 if scale == "logit" else math.inf):
        text = f"result {number} is {value!r}, which has no place on the {scale} scale"
        raise InputError("no_place_on_scale", f"{text}; pass scale='plain'")
    if scale == "log":
        return math.log(value), float(se / value)
    return math.log(value / (1 - value)), float(se / (value * (1 - value)))


def _back(value: float, scale: Scale) -> float:
    if scale == "plain":
        return value
    with np.errstate(over="ignore"):
        return float(np.exp(value)) if scale == "log" else float(1 / (1 + np.exp(-value)))


def _answer(first: Any, scale: Scale, rubin: dict[str, float], level: float, m: int) -> Pooled:
    estimate, spread, df = rubin["estimate"], math.sqrt(rubin["total"]), rubin["df"]
    finite = df if math.isfinite(df) else None
    reach = quantile_of(level, df=finite) * spread
    value = _back(estimate, scale)
    slope = {"plain": 1.0, "log": value, "logit": value * (1 - value)}[scale]
    short = ENOUGH * rubin["missing_information"] > m
    told = [Remark("few_imputations", m=m, missing=rubin["missing_information"])] if short else []
    of_times = isinstance(first, Interval) and first.method.startswith(METHODS)
    told += [Remark("imputed_for_times")] if of_times else []
    corrected = isinstance(first, Interval) and first.method in OF_CORRECTED
    told += [Remark("optimism_pooled")] if corrected else []
    return Pooled(
        estimate=value,
        low=_back(estimate - reach, scale),
        high=_back(estimate + reach, scale),
        level=level,
        se=spread * slope,
        df=df,
        missing_information=rubin["missing_information"],
        within=rubin["within"],
        between=rubin["between"],
        scale=scale,
        n_imputations=m,
        origin=getattr(first, "origin", None),
        n_pos=getattr(first, "n_pos", None),
        n_neg=getattr(first, "n_neg", None),
        warnings=tuple(told),
        **({} if isinstance(first, Interval) else _tested(first, estimate, spread, finite)),
    )


def _tested(first: Any, estimate: float, spread: float, df: float | None) -> dict[str, Any]:
    """Statistic and p against the hypothesis of the tests; equivalence has two values, and both must be rejected."""
    alternative = getattr(first, "alternative", "two-sided")
    words = {"null": first.null, "alternative": alternative, "hypothesis": getattr(first, "hypothesis", "")}
    if alternative in WITH_MARGIN:
        margin = abs(first.null[1] if isinstance(first.null, tuple) else first.null)
        found = judge(estimate, spread, alternative, margin, df=df)
        return {"statistic": found.statistic, "pvalue": found.pvalue, **words}
    if not isinstance(first.null, (int, float)) or alternative not in ("two-sided", "greater", "less"):
        text = f"a test of {alternative} against {first.null!r} is not pooled"
        raise InputError("hypothesis", f"{text}: pool tests of one value, or of a margin")
    statistic = (estimate - first.null) / spread if spread else math.nan
    return {"statistic": statistic, "pvalue": p_value(statistic, alternative, df=df), **words}
