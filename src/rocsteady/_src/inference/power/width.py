"""How many rows an interval of a given width needs, or how wide it will be."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, is_number
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.intervals.normal import check_choice, check_level, quantile_of
from rocsteady._src.inference.intervals.proportions import METHODS
from rocsteady._src.inference.power.expected_width import (
    MOST_ROWS,
    fewest,
    width_among_drawn,
    width_of_auc,
    width_of_share,
)
from rocsteady._src.inference.power.predictor import Predictor, check_share
from rocsteady._src.measures.registry import find_measure
from rocsteady._src.results.planning import WidthPlan

if TYPE_CHECKING:
    from collections.abc import Callable

SLOPE = "calibration_slope"
OF_CLASS = {
    "recall": "positives",
    "false_negative_rate": "positives",
    "specificity": "negatives",
    "false_positive_rate": "negatives",
}
OF_CALLS = {"precision": "rows called positive", "negative_predictive_value": "rows called negative"}
OF_ALL = ("accuracy", "error_rate", "prevalence")
OFFERED = "auc, sensitivity, specificity, ppv, npv, accuracy or calibration_slope"


@dataclass(frozen=True, slots=True)
class _Planned:
    """What is planned: the width by the number of rows, the share of rows that are positive and that count."""

    name: str
    value: float
    width: Callable[[int], float]
    among: str
    counted: float
    prevalence: float | None
    method: Callable[[int], str]


@typed
def plan_width(
    measure: str,
    value: float | None = None,
    *,
    width: float | None = None,
    n: int | None = None,
    prevalence: float | None = None,
    sensitivity: float | None = None,
    specificity: float | None = None,
    auc: float | None = None,
    scores: object = None,
    log_odds: tuple[float, float] | None = None,
    spread: float = 1.0,
    level: float = 0.95,
    method: str | None = None,
) -> WidthPlan:
    """Rows that an interval of a given width needs, or the width that so many rows give: leave one open.

    The width of a share is its mean over all samples, by the exact binomial distribution; that of an AUC is the width
    of the default interval at the AUC itself, with its exact variance for binormal scores; that of a calibration slope
    follows from Fisher's information on intercept and slope.

    Parameters
    ----------
    measure : str
        "auc", "sensitivity", "specificity", "ppv", "npv", "accuracy" or "calibration_slope", or another of their
        names.
    value : float, optional
        What it is expected to be; 1 for the slope. Predictive values follow from sensitivity, specificity and
        prevalence unless given.
    width : float, optional
        The width asked for, from end to end.
    n : int, optional
        Rows of all classes; of the class that counts where ``prevalence`` is left out.
    prevalence : float, optional
        Share of positives among the rows. With it the rows of a class are a random number, as in a study that takes
        whoever comes; without it sensitivity and specificity count rows of their class, which the study fixes.
    sensitivity, specificity : float, optional
        Of the calls, for predictive values.
    auc : float, optional
        For the slope: scores are true risks with this AUC, their log-odds normal with one variance in each class.
    scores : array-like, optional
        For the slope: probabilities of rows like those to come.
    log_odds : tuple of float, optional
        For the slope: mean and standard deviation of normal log-odds.
    spread : float
        For the AUC: standard deviation of negatives over that of positives, as in :func:`rocsteady.power_auc`.
    level : float
        Confidence level.
    method : str, optional
        For shares, one of :func:`rocsteady.proportion_interval`; "wilson" unless given.

    Returns
    -------
    WidthPlan
        ``n``, ``n_pos``, ``n_neg`` and the ``width`` expected with them. How well plans are met is measured on the page
        on planning.

    Examples
    --------
    >>> import rocsteady as rs
    >>> print(rs.power.plan_width("sensitivity", 0.9, width=0.1))
    sensitivity 0.9: an interval 0.1 wide needs 139 positives (95% level, wilson)
    >>> print(rs.power.plan_width("auc", 0.8, n=500, prevalence=0.2))
    AUC 0.8: 500 rows, 100 of them positive, give an interval 0.09535 wide (95% level, logit, chosen by auto)
    """
    check_level(level)
    if (width is None) == (n is None):
        raise ArgumentError("plan_unknowns", "give width to learn the rows, or n to learn the width: one of them")
    _check_asked(width, n)
    if prevalence is not None:
        check_share("prevalence", prevalence)
    how: dict[str, Any] = {"level": level, "method": method, "prevalence": prevalence, "spread": spread}
    if measure == SLOPE:
        planned = _of_slope(value, auc, scores, log_odds, **how)
    else:
        planned = _of_measure(measure, value, sensitivity, specificity, **how)
    return _answer(planned, width, n, level)


def _check_asked(width: float | None, n: int | None) -> None:
    if width is not None and not (is_number(width) and 0 < width < math.inf):
        raise ArgumentError("width", f"width must be a finite number above 0, got {width!r}")
    if n is not None and not 1 <= n <= MOST_ROWS:
        raise ArgumentError("n", f"n must be a number of rows, 1 or more, got {n!r}")


def _of_measure(measure: str, value: float | None, sensitivity: Any, specificity: Any, **how: Any) -> _Planned:
    found = find_measure(measure)
    name = "" if found is None else found.sheet.name
    if name == "auc":
        return _of_auc(value, **how)
    if name in OF_CALLS:
        return _of_calls(name, sensitivity, specificity, value, **how)
    if name not in OF_CLASS and name not in OF_ALL:
        raise ArgumentError("measure", f"widths are planned of {OFFERED}, not of {measure!r}")
    return _of_rows(name, value, **how)


def _of_auc(value: float | None, *, level: float, method: str | None, prevalence: Any, spread: float) -> _Planned:
    area = check_share("value", value)
    if prevalence is None:
        told = Sentence("the interval of an AUC depends on both classes: give {prevalence=}")
        raise ArgumentError("prevalence", told)
    if method is not None:
        raise ArgumentError("method", "the AUC is planned with its default interval: leave method out")
    if not (is_number(spread) and 0 < spread < math.inf):
        raise ArgumentError("spread", f"spread must be finite and above 0, got {spread!r}")

    def planned(rows: int) -> tuple[float, str]:
        n_pos = max(1.0, rows * prevalence)
        return width_of_auc(area, spread, n_pos, max(1.0, rows - n_pos), level)

    def how(rows: int) -> str:
        return f"{planned(rows)[1]}, chosen by auto"

    return _Planned("auc", area, lambda rows: planned(rows)[0], "rows", 1.0, prevalence, how)


def _of_rows(
    name: str, value: float | None, *, level: float, method: str | None, prevalence: Any, spread: float
) -> _Planned:
    """Shares among a class, whose rows are drawn with the others where a prevalence is given, or among all rows."""
    share, used = check_share("value", value), _share_method(method, spread)
    among = OF_CLASS.get(name, "rows")
    if prevalence is None or among == "rows":
        return _Planned(
            name, share, lambda rows: width_of_share(share, rows, level, used), among, 1.0, prevalence, lambda _: used
        )
    drawn = prevalence if among == "positives" else 1 - prevalence

    def planned(rows: int) -> float:
        return width_among_drawn(share, rows, drawn, level, used)

    return _Planned(name, share, planned, among, drawn, prevalence, lambda _: used)


def _of_calls(
    name: str,
    sensitivity: Any,
    specificity: Any,
    value: float | None,
    *,
    level: float,
    method: str | None,
    prevalence: Any,
    spread: float,
) -> _Planned:
    """Predictive values: shares among the rows that are called so, which are a random number."""
    used = _share_method(method, spread)
    if value is not None or prevalence is None or sensitivity is None or specificity is None:
        told = "a predictive value follows from the calls: give {sensitivity=}, {specificity=} and {prevalence=} alone"
        raise ArgumentError("predictive_value", Sentence(told))
    found, missed = check_share("sensitivity", sensitivity), 1 - sensitivity
    kept, alarms = check_share("specificity", specificity), 1 - specificity
    right, wrong = (found, alarms) if name == "precision" else (kept, missed)
    of_right = prevalence if name == "precision" else 1 - prevalence
    called = right * of_right + wrong * (1 - of_right)
    share = right * of_right / called

    def planned(rows: int) -> float:
        return width_among_drawn(share, rows, called, level, used)

    return _Planned(name, share, planned, OF_CALLS[name], called, prevalence, lambda _: used)


def _share_method(method: str | None, spread: float) -> str:
    used = "wilson" if method is None else method
    check_choice("method", used, METHODS)
    if spread != 1.0:
        raise ArgumentError("spread", "spread is about the AUC: leave it out here")
    return used


def _of_slope(
    value: float | None,
    auc: Any,
    scores: Any,
    log_odds: Any,
    *,
    level: float,
    method: Any,
    prevalence: Any,
    spread: Any,
) -> _Planned:
    slope = 1.0 if value is None else value
    given = [name for name, each in (("auc", auc), ("scores", scores), ("log_odds", log_odds)) if each is not None]
    if len(given) != 1:
        told = "the slope depends on how scores are spread: give {auc=} with {prevalence=}, {scores=}, or {log_odds=}"
        raise ArgumentError("scores", Sentence(told))
    if method is not None or spread != 1.0:
        raise ArgumentError("method", "the slope is planned with its likelihood interval: leave method and spread out")
    predictor = _predictor(auc, scores, log_odds, prevalence)
    each = predictor.slope_variance(slope=slope)
    reach = 2 * quantile_of(level)
    return _Planned(
        SLOPE, slope, lambda rows: reach * math.sqrt(each / rows), "rows", 1.0, prevalence, lambda _: predictor.told
    )


def _predictor(auc: Any, scores: Any, log_odds: Any, prevalence: Any) -> Predictor:
    if scores is not None:
        return Predictor.of_scores(scores)
    if log_odds is not None:
        return Predictor.of_normal(*log_odds)
    if prevalence is None:
        told = Sentence("with {auc=} the scores follow from AUC and prevalence: give {prevalence=} too")
        raise ArgumentError("prevalence", told)
    return Predictor.of_auc(check_share("auc", auc), prevalence)


def _answer(planned: _Planned, width: float | None, n: int | None, level: float) -> WidthPlan:
    rows = n
    if rows is None:
        rows = fewest(lambda size: planned.width(size) <= (width or 0.0), start=2)
        if rows is None:
            raise ArgumentError("width", f"a thousand million rows give no interval as short as {width!r}")
    n_pos, n_neg = _classes(planned, rows)
    return WidthPlan(
        measure=planned.name,
        value=planned.value,
        width=planned.width(rows),
        asked=width,
        n=rows,
        n_pos=n_pos,
        n_neg=n_neg,
        among=planned.among,
        n_counted=rows * planned.counted,
        level=level,
        method=planned.method(rows),
    )


def _classes(planned: _Planned, rows: int) -> tuple[float | None, float | None]:
    """Rows of each class to be expected; None where the plan does not know them."""
    if planned.prevalence is not None:
        return rows * planned.prevalence, rows * (1 - planned.prevalence)
    of_class = {"positives": (float(rows), None), "negatives": (None, float(rows))}
    return of_class.get(planned.among, (None, None))
