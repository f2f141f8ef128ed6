"""Intervals and unpaired tests of the AUC from counts of sketches; their ends reach as far as those of the rows may.

Let V be the share of negatives below a positive, and likewise for negatives: DeLong's standard error is the length of
these placements about their means, scaled. In a cell each placement lies within half of the cell's share from its
middle, so by the triangle inequality the standard error of the rows lies within the length of these halves from that
of the middles. The area itself is bracketed by counts. An interval is then stretched over all areas and errors between.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, refuse_one_class
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.comparison.automatic import few_on_the_wrong_side
from rocsteady._src.inference.comparison.hypotheses import NormalDifference, check_alternative, result_of
from rocsteady._src.inference.intervals.areas import BOUNDED
from rocsteady._src.inference.intervals.auc import auc_interval
from rocsteady._src.inference.intervals.automatic import Evidence, chosen_method, whole_area
from rocsteady._src.inference.intervals.formulas import newcombe_ends, newcombe_rows
from rocsteady._src.inference.intervals.normal import check_level, quantile_of
from rocsteady._src.inference.units.units import satterthwaite
from rocsteady._src.results import Interval
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.remarks import Remark
from rocsteady._src.scale.few_misranked import few_misranked_ends
from rocsteady._src.scale.sketch_reading import Reading

if TYPE_CHECKING:
    from rocsteady._src.measures.requests import Request
    from rocsteady._src.results import TestResult

METHODS = ("auto", "logit", "wilson", "delong", "newcombe")
ROUNDING = 1e-12  # of sums of squares of as many cells as there can be, and more


@dataclass(frozen=True, slots=True)
class KnownArea:
    """Between which ends the AUC of the rows and its standard error lie; ``sizes`` are those of the classes."""

    low: float
    middle: float
    high: float
    least_error: float
    most_error: float
    sizes: tuple[float, float]
    parts: tuple[float, float]  # of the squared error, in the middle: of positives, of negatives


def known_area(sketch: Reading) -> KnownArea:
    """The AUC of a sketch and DeLong's standard error of it, both between ends that hold. O(cells)."""
    area, cells, sizes = sketch.auc(), sketch.cells, (float(sketch.n_pos), float(sketch.n_neg))
    pos, neg = cells.pos.astype(np.float64), cells.neg.astype(np.float64)
    open_, squares, halves = ~cells.known, list[float](), 0.0
    for own, other, n_own, n_other in ((pos, neg, *sizes), (neg, pos, *sizes[::-1])):
        placed = (np.cumsum(other) - other / 2) / n_other
        mean = float(own @ placed) / n_own
        scale = n_own * max(n_own - 1, 1.0)
        squares.append(float(own @ (placed - mean) ** 2) / scale)
        halves += float(own[open_] @ (other[open_] / (2 * n_other)) ** 2) / scale
    error = math.sqrt(sum(squares))
    off = 0.0 if sketch.exact else math.sqrt(halves) + ROUNDING * (1 + error)
    ends = (area.low, area.estimate, area.high)
    return KnownArea(*ends, max(error - off, 0.0), error + off, sizes, (squares[0], squares[1]))


def sketched_interval(sketch: Reading, method: str, level: float) -> Interval:
    """The interval of the AUC; of an exact sketch that of the rows, else one that contains it."""
    if method not in METHODS:
        raise ArgumentError("method", f"method must be one of {', '.join(METHODS)}, got {method!r}")
    refuse_one_class(sketch.n_pos, sketch.n_neg, "an interval needs")
    _refuse_weighted(sketch)
    if sketch.exact:
        return auc_interval(sketch.best(), method=method, level=level)  # type: ignore[arg-type]
    check_level(level)
    known = known_area(sketch)
    if min(known.sizes) < 2 and method in ("logit", "delong"):
        raise InputError("few_rows", f"{method} needs two rows of each class; use 'wilson' or 'newcombe'")
    used = _methods(known) if method == "auto" else [method]
    ends = [ENDS[each](known, level) for each in used]
    few = few_misranked_ends(sketch, level) if method == "auto" else None
    if few is not None:
        used, ends = [*used, BOUNDED], [*ends, few]
    return Interval(
        estimate=known.middle,
        low=max(min(low for low, _ in ends), 0.0),
        high=min(max(high for _, high in ends), 1.0),
        level=level,
        method=f"{' or '.join(used)}, sketch bracket",
        se=known.most_error,
        **facts_of(sketch),
        warnings=(Remark("interval_bracket"),),
        auto=method == "auto",
    )


def sketched_measure_interval(sketch: Reading, name: str, level: float, params: dict[str, Any]) -> Interval:
    """The interval of a threshold measure, by name."""
    from rocsteady._src.measures.requests import parse_requests
    from rocsteady._src.scale.threshold_intervals import threshold_interval

    (request,) = parse_requests([name])[:1]
    if request.sheet.name == "auc":
        return sketched_interval(sketch, "auto", level)
    if request.sheet.family != "threshold":
        from rocsteady._src.scale.replicate_intervals import replicated_interval

        return replicated_interval(sketch, request, params, level)
    check_level(level)
    _refuse_weighted(sketch)
    return threshold_interval(sketch, request.sheet, level, {**request.params, **params})


def known_interval(
    sketch: Reading, request: Request, params: dict[str, Any], level: float, method: str
) -> Interval | None:
    """The interval of a measure in a table; None where counts give none."""
    sheet, params = request.sheet, {**request.params, **params}
    if not (sketch.n_pos and sketch.n_neg):
        return None
    if sketch.origin.weighted:
        return None
    if sheet.name == "auc":
        return sketched_interval(sketch, method, level)
    if sheet.family == "threshold" and params.get("threshold") is not None:
        from rocsteady._src.scale.threshold_intervals import threshold_interval

        return threshold_interval(sketch, sheet, level, params)
    return None


def _refuse_weighted(sketch: Reading) -> None:
    if sketch.origin.weighted:
        text = "a sketch of weighted rows does not tell how many rows there were, so that it has no interval"
        raise InputError("weights_summed", f"{text}; count rows without weights, or rank the table")


def _methods(known: KnownArea) -> list[str]:
    """What "auto" may take, wherever between its ends the AUC lies."""
    places = (known.low, known.high, min(max(0.5, known.low), known.high))
    return list(dict.fromkeys(chosen_method(place, min(known.sizes)) for place in places))


def _delong(known: KnownArea, level: float) -> tuple[float, float]:
    reach = quantile_of(level) * known.most_error
    return known.low - reach, known.high + reach


def _logit(known: KnownArea, level: float) -> tuple[float, float]:
    """The log-odds rise with the area, and its slope there is largest at one of the ends."""
    if not 0 < known.low <= known.high < 1:
        return 0.0, 1.0
    steepest = max(1 / (place * (1 - place)) for place in (known.low, known.high))
    reach = quantile_of(level) * known.most_error * steepest
    low, high = (math.log(place / (1 - place)) for place in (known.low, known.high))
    return 1 / (1 + math.exp(min(reach - low, 700.0))), 1 / (1 + math.exp(max(-reach - high, -700.0)))


def _wilson(known: KnownArea, level: float) -> tuple[float, float]:
    """Fewer rows make it wider: as few as areas and errors between the ends can be worth."""
    places = {known.low, known.high, min(max(0.5, known.low), known.high)}
    spread = min(place * (1 - place) for place in places)
    wrong = [min(known.sizes) * min(place, 1 - place) for place in places]
    model = min(newcombe_rows(place, *known.sizes) for place in places)
    ratio = sum(1 / max(size - 1, 1.0) for size in known.sizes)  # of variance and spread: none is larger
    if spread > 0:
        ratio = min(ratio, known.most_error**2 / spread)
    worth = (min(wrong) + 1) / (max(wrong) * ratio + 1 / model)
    low, high = (_fewer(place, worth, known).wilson_ends(level) for place in (known.low, known.high))
    return low[0], high[1]


def _fewer(place: float, worth: float, known: KnownArea) -> Evidence:
    """Evidence on an area that is worth so many rows."""
    return replace(whole_area(place, math.nan, known.sizes), model=worth)


def _newcombe(known: KnownArea, level: float) -> tuple[float, float]:
    z = quantile_of(level)
    return newcombe_ends(known.low, *known.sizes, z)[0], newcombe_ends(known.high, *known.sizes, z)[1]


ENDS = {"delong": _delong, "logit": _logit, "wilson": _wilson, "newcombe": _newcombe}


@typed
def compare_sketches(
    first: Reading,
    second: Reading,
    *,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    level: float = 0.95,
) -> TestResult:
    """Compare the AUCs of two sketches of different rows: this week with last, one site with another.

    Parameters
    ----------
    first, second : Sketch
        Of independent rows. Two models on the same rows vary together, which separate sketches do not tell: the test
        would miss differences that are there.
    alternative : {"two-sided", "greater", "less"}
        About the first AUC minus the second.
    level : float
        Of the interval.

    Returns
    -------
    TestResult
        By DeLong's variances and Student's t. Where a sketch is not exact the interval contains that of the rows,
        and ``pvalue`` is the largest that the rows may have.

    Examples
    --------
    >>> import numpy as np
    >>> from rocsteady.scale import Sketch, compare_sketches
    >>> rng = np.random.default_rng(1)
    >>> y = rng.random(4000) < 0.3
    >>> last = Sketch(range=(-5, 6)).update(y, y + rng.normal(size=4000))
    >>> this = Sketch(range=(-5, 6)).update(y, 0.7 * y + rng.normal(size=4000))
    >>> compare_sketches(this, last).pvalue < 0.001
    True
    """
    check_alternative(alternative, None)
    check_level(level)
    _check_pair(first, second)
    one, two = known_area(first), known_area(second)
    fewest = min(*one.sizes, *two.sizes)
    if fewest < 2:
        raise InputError("few_rows", "a comparison needs two rows of each class in both sketches")
    return _compared(first, second, (one, two), alternative, level)


def _check_pair(first: object, second: object) -> None:
    for sketch in (first, second):
        if not isinstance(sketch, Reading):
            raise ArgumentError("sketches", f"pass two sketches, got a {type(sketch).__name__}")
        refuse_one_class(sketch.n_pos, sketch.n_neg, "a comparison needs")
        if sketch.origin.weighted:
            text = "sketches of weighted rows do not tell how many rows there were; count rows without weights"
            raise InputError("weights_summed", text)


def _compared(
    first: Reading, second: Reading, known: tuple[KnownArea, KnownArea], alternative: str, level: float
) -> TestResult:
    one, two = known
    exact, sizes = first.exact and second.exact, (*one.sizes, *two.sizes)
    error, df = math.hypot(one.most_error, two.most_error), min(sizes) - 1  # fewer degrees of freedom are not possible
    if exact:
        df = satterthwaite([*one.parts, *two.parts], list(sizes))
    facts: dict[str, Any] = facts_of(first) | {"n_pos": first.n_pos + second.n_pos, "n_neg": first.n_neg + second.n_neg}
    told = [] if exact else [Remark("interval_bracket")]
    if few_on_the_wrong_side((one.middle, two.middle), [one.sizes, two.sizes], alternative):
        told.append(Remark("few_wrong_in_sketch"))
    ends = one.low - two.high, one.middle - two.middle, one.high - two.low
    errors = math.hypot(one.least_error, two.least_error), error
    how = {"method": "delong-t, unpaired", "remarks": tuple(told), **facts}
    return _judged(ends, errors, df, alternative, level, exact=exact, **how)


def _judged(
    ends: tuple[float, float, float],
    errors: tuple[float, float],
    df: float,
    alternative: str,
    level: float,
    *,
    exact: bool,
    method: str,
    **facts: Any,
) -> TestResult:
    """Test of a difference that lies between two ends, as its error does; p is the largest that any of them gives.

    ``df`` are the fewest degrees of freedom that are possible, or the very ones if ``exact``.
    """
    least, middle, most = ends
    # the end from which the alternative looks least likely
    nearest = {"greater": least, "less": most, "two-sided": min(max(0.0, least), most)}[alternative]
    against = (alternative == "greater" and nearest < 0) or (alternative == "less" and nearest > 0)
    surest = NormalDifference(nearest, errors[0], df if exact else None)
    difference = surest if against else NormalDifference(nearest, errors[1], df)  # whichever has the larger p
    how = method + ("" if exact else ", sketch bracket")
    test = result_of(difference, alternative, None, level, how, **facts)
    reach = quantile_of(level, df=df) * errors[1]
    return replace(test, estimate=middle, low=least - reach, high=most + reach, se=errors[1], df=df)
