"""Label shift: the classes look as they did, and another share of the rows is positive, known or to be estimated."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady._src.base.errors import InputError, first_rows, refuse_one_class, refuse_outside
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.intervals.normal import check_choice, check_level, quantile_of
from rocsteady._src.inputs.reals import real_numbers
from rocsteady._src.measures.confusion import confusion_at
from rocsteady._src.measures.rule import check_share
from rocsteady._src.ranked import rank
from rocsteady._src.results import Interval
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.ranked import RankedScores

    Array = NDArray[np.float64]

Method = Literal["confusion", "em"]
STEPS = 60
GRID = 400


@typed
def shift_prevalence(probabilities: object, *, here: float, there: float) -> NDArray[np.float64]:
    """Probabilities of a model where another share of the rows is positive, by Bayes' rule.

    The odds are multiplied by the odds of being positive there over those here. It is right where the classes look the
    same in both places (label shift) and the probabilities are calibrated here; ranks, and so the AUC, stay.

    Parameters
    ----------
    probabilities : array-like
        Of being positive, calibrated where ``here`` of the rows are.
    here, there : float
        Share of positives where the model was calibrated, and where it will be used; between 0 and 1.

    Returns
    -------
    ndarray

    References
    ----------
    Saerens, Latinne and Decaestecker (2002), Neural Computation 14:21-41.

    Examples
    --------
    >>> shift_prevalence([0.1, 0.5, 0.9], here=0.5, there=0.1).round(4).tolist()
    [0.0122, 0.1, 0.5]
    """
    given = _probabilities(probabilities, "probabilities")
    for name, share in (("here", here), ("there", there)):
        _inside(name, share)
    return _shifted(given, here, there)


def _shifted(given: Array, here: float, there: float) -> Array:
    up, down = there / here * given, (1 - there) / (1 - here) * (1 - given)
    found: Array = up / (up + down)
    return found


def _inside(name: str, share: float) -> None:
    check_share(share)
    if not 0 < share < 1:
        raise InputError(
            name, f"{name} must lie between 0 and 1, got {share!r}: with one class there is nothing to shift"
        )


def _probabilities(values: object, name: str) -> Array:
    found = _numbers(values, name)
    refuse_outside(found.min(), found.max(), f"{name} needs probabilities")
    return found


def _numbers(values: object, name: str) -> Array:
    found = real_numbers(values, name)
    gaps = np.flatnonzero(np.isnan(found))
    if gaps.size or not found.size:
        where = (
            f": {format_count(gaps.size)} missing, {first_rows(gaps, total=gaps.size)}" if gaps.size else " is empty"
        )
        raise InputError("missing_values", f"{name}{where}; pass one number per row")
    return found


@typed
def estimate_prevalence(
    y_true: object,
    y_score: object = None,
    unlabelled: object = None,
    *,
    method: Method = "confusion",
    threshold: float | None = None,
    level: float = 0.95,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> Interval:
    """Share of positives among rows without labels, from their scores and from labelled rows of elsewhere.

    The classes are taken to look the same in both places (label shift).

    Parameters
    ----------
    y_true, y_score, pos_label, missing
        Labelled rows, as in :func:`rocsteady.rank`; ranked scores go alone, and ``unlabelled`` by name.
    unlabelled : array-like
        Scores of the same model where the share is sought.
    method : {"confusion", "em"}
        "confusion": (share called there - FPR) / (TPR - FPR) at ``threshold`` (Rogan and Gladen 1978), with the
        interval of Fieller, in which all three rates are uncertain. "em": the share of greatest likelihood
        (Saerens and others 2002), for probabilities that are calibrated on the labelled rows, with the interval of the
        likelihood ratio: it counts the unlabelled rows and how well the labelled ones tell their own share, and takes
        the probabilities as right otherwise.
    threshold : float, optional
        For "confusion", as in :func:`rocsteady.confusion`; it should not come from these rows.
    level : float
        Confidence level.

    Returns
    -------
    Interval
        Pass its ``estimate`` to :func:`rocsteady.calibration.shift_prevalence` or ``prevalence=``.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> labels = np.repeat([1, 1, 0, 0], [80, 20, 10, 90])           # recall 0.8, specificity 0.9
    >>> called, there = np.repeat([1, 0, 1, 0], [80, 20, 10, 90]), np.repeat([1, 0], [240, 760])
    >>> print(rs.calibration.estimate_prevalence(labels, called, there, threshold=1))
    0.2000 [0.0954, 0.2705] (0.95 level, confusion, fieller)
    """
    check_choice("method", method, ("confusion", "em"))
    check_level(level)
    ranked = rank(y_true, y_score, pos_label=pos_label, missing=missing)
    refuse_one_class(ranked.n_pos, ranked.n_neg, "a prevalence is estimated from")
    if method == "em":
        return _by_likelihood(ranked, _probabilities(unlabelled, "unlabelled"), level)
    return _by_confusion(ranked, _numbers(unlabelled, "unlabelled"), threshold, level)


def _by_confusion(ranked: RankedScores, scores: Array, threshold: Any, level: float) -> Interval:
    counts = confusion_at(ranked, threshold)
    called = float(np.count_nonzero(scores >= counts.threshold))
    rates = ((called, scores.size), (counts.tp, counts.tp + counts.fn), (counts.fp, counts.fp + counts.tn))
    reach = quantile_of(level)
    share, tpr, fpr = (hits / n for hits, n in rates)
    value = (share - fpr) / (tpr - fpr) if tpr != fpr else math.nan
    low, high = accepted(lambda prevalence: fieller(rates, prevalence, reach))
    remarks = []
    if not 0 <= value <= 1:
        remarks.append(Remark("prevalence_outside", share=share, tpr=tpr, fpr=fpr))
        value = math.nan if math.isnan(value) else min(max(value, 0.0), 1.0)
    if (low, high) == (0.0, 1.0):
        remarks.append(Remark("prevalence_unknown"))
    if math.isnan(low):
        low = high = value
    return Interval(
        value,
        min(low, value),
        max(high, value),
        level,
        "confusion, fieller",
        warnings=tuple(remarks),
        **facts_of(ranked),
    )


def fieller(rates: Any, prevalence: Any, reach: float) -> Any:
    """How far a prevalence is beyond what the three rates allow; 0 or less where it is among them.

    Each rate and its variance are those of Wilson's centre, so that none is certain; ``rates`` are hits and rows of
    the unlabelled rows called, the positives called and the negatives called.
    """
    square = reach * reach
    (share, a), (tpr, b), (fpr, c) = (_centred(hits, n, square) for hits, n in rates)
    off = share - prevalence * tpr - (1 - prevalence) * fpr
    spread = a + prevalence**2 * b + (1 - prevalence) ** 2 * c
    return np.abs(off) - reach * np.sqrt(spread)


def _centred(hits: Any, n: Any, square: float) -> tuple[Any, Any]:
    more = n + square
    centre = (hits + square / 2) / more
    return centre, centre * (1 - centre) / more


def accepted(beyond: Callable[[Any], Any]) -> tuple[float, float]:
    """First and last prevalence that is not beyond; NaN where none is."""
    grid = np.linspace(0.0, 1.0, GRID + 1)
    inside = np.flatnonzero(np.asarray(beyond(grid)) <= 0)
    if not inside.size:
        return math.nan, math.nan

    def edge(place: int, outward: int) -> float:
        outer = place + outward
        if not 0 <= outer <= GRID:
            return float(grid[place])
        inner, out = float(grid[place]), float(grid[outer])
        for _ in range(STEPS):
            middle = (inner + out) / 2
            inner, out = (middle, out) if float(beyond(middle)) <= 0 else (inner, middle)
        return inner

    return edge(int(inside[0]), -1), edge(int(inside[-1]), 1)


def _by_likelihood(ranked: RankedScores, given: Array, level: float) -> Interval:
    refuse_outside(ranked.scores[0], ranked.scores[-1], "y_score needs probabilities")
    here = float(ranked.n_pos / (ranked.n_pos + ranked.n_neg))
    value = most_likely(given, here)
    best, half = log_likelihood(given, here, value), quantile_of(level) ** 2 / 2

    def beyond(prevalence: Any) -> Any:
        return np.array([best - log_likelihood(given, here, float(each)) - half for each in np.atleast_1d(prevalence)])

    low, high = accepted(lambda share: beyond(share) if np.ndim(share) else float(beyond(share)[0]))
    low, high = (value, value) if math.isnan(low) else (low, high)
    low, high = _with_share_here(ranked, given, (min(low, value), value, max(high, value)), quantile_of(level))
    remarks = (Remark("prevalence_of_calibrated"),)
    return Interval(
        value,
        low,
        high,
        level,
        "em, likelihood ratio",
        warnings=remarks,
        **facts_of(ranked),
    )


def _with_share_here(
    ranked: RankedScores, given: Array, known: tuple[float, float, float], reach: float
) -> tuple[float, float]:
    """Ends that count too how well the labelled rows tell the share that probabilities are calibrated to.

    What the estimate moves by, when that share moves by its own reach, adds to the ends by the root of squares.
    """
    low, value, high = known
    rows = float(ranked.n_pos + ranked.n_neg)
    here = float(ranked.n_pos) / rows
    off = reach * math.sqrt(here * (1 - here) / rows)
    moved = [most_likely(given, share) for share in (here - off, here + off) if 0 < share < 1] + [value]
    down, up = math.hypot(value - low, value - min(moved)), math.hypot(high - value, max(moved) - value)
    return max(value - down, 0.0), min(value + up, 1.0)


def log_likelihood(given: Array, here: float, there: float) -> float:
    """Of the scores, up to a constant, if ``there`` of their rows are positive."""
    with np.errstate(divide="ignore"):
        return float(np.log(there / here * given + (1 - there) / (1 - here) * (1 - given)).sum())


def most_likely(given: Array, here: float) -> float:
    """The share of greatest likelihood, which EM climbs to: where the mean of the shifted probabilities is the share.

    The likelihood is concave, so that halving finds it as well, without waiting for EM.
    """

    def rises(share: float) -> bool:
        up, down = given / here, (1 - given) / (1 - here)
        with np.errstate(divide="ignore", invalid="ignore"):
            slopes = (up - down) / (share * up + (1 - share) * down)
        return float(slopes.sum()) > 0

    tiny = 1e-12
    if not rises(tiny):
        return 0.0
    if rises(1 - tiny):
        return 1.0
    low, high = tiny, 1 - tiny
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if rises(middle) else (low, middle)
    return (low + high) / 2
