"""Choosing a threshold by a named rule. Thresholds are observed scores; among equals the highest wins."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, is_number, refuse_one_class
from rocsteady._src.measures.confusion import Confusion, confusion_at, score_below
from rocsteady._src.measures.names import fold
from rocsteady._src.measures.registry import find_measure
from rocsteady._src.measures.threshold_scores import f_beta
from rocsteady._src.ranked.takes_ranked import takes_ranked
from rocsteady._src.results import ThresholdChoice
from rocsteady._src.results.base import facts_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores

    Objective = Callable[..., NDArray[Any]]


@takes_ranked
def best_threshold(ranked: RankedScores, *, rule: str = "youden", **options: Any) -> ThresholdChoice:
    """Choose the threshold that a named rule calls best.

    The rates at a chosen threshold are optimistic on the rows it was chosen on. Costs O(distinct scores).

    Parameters
    ----------
    y_true, y_score : array-like
        Labels and scores, or ranked scores alone.
    rule : str
        ``"youden"``: largest TPR - FPR. ``"closest_topleft"``: smallest distance to (0, 1).
        ``"sensitivity"``: largest TNR with TPR >= ``value``. ``"specificity"``: largest TPR with
        TNR >= ``value``. ``"f_beta"``: largest F-beta (option ``beta``, 1 by default).
        ``"cost"``: smallest expected cost (options ``cost_fp``, ``cost_fn``, both 1 by default, and ``prevalence``,
        by default that of the data): the point where an iso-performance line touches the curve.
    sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`.
    **options
        Options of the rule.

    Returns
    -------
    ThresholdChoice
        ``objective`` is the value of the rule's criterion there. A threshold of inf calls nothing positive.

    Examples
    --------
    >>> import rocsteady as rs
    >>> choice = rs.best_threshold([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1])
    >>> choice.threshold, round(choice.tpr, 3), round(choice.fpr, 3)
    (0.8, 0.667, 0.0)
    >>> ranked = rs.rank([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1])
    >>> rs.best_threshold(ranked, rule="sensitivity", value=0.95).threshold
    0.6
    """
    refuse_one_class(ranked.n_pos, ranked.n_neg, "choosing a threshold needs")
    rule, options = _known_rule(rule, options)
    objective = RULES[rule]
    counts = confusion_at(ranked, "all")
    try:
        criterion = objective(counts, **options)
    except TypeError as error:
        raise _refuse_options(rule, options) from error
    best = _first_best(criterion, 1.0 if rule in DIFFERENCES else 0.0)
    tp, fp, fn, tn = (cell[best].item() for cell in (counts.tp, counts.fp, counts.fn, counts.tn))
    chosen = Confusion(tp, fp, fn, tn, threshold=counts.threshold[best])
    return _choice(ranked, rule, float(criterion[best]), chosen)


def _known_rule(rule: str, options: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """A rule by its name, or by the measure that it holds or raises; the rate may be given under its own name."""
    found = next((name for name in RULES if fold(name) == fold(str(rule))), None)
    measure = find_measure(str(rule)) if found is None else None
    if measure is not None:
        found = RULE_OF.get(measure.sheet.name)
    if found is None:
        raise ArgumentError("rule", f"there is no rule {rule!r}; rules: {', '.join(RULES)}")
    given = [name for name in options if name != "value" and _means(name, found)]
    if len(given) == 1 and "value" not in options:
        options = {"value" if name == given[0] else name: value for name, value in options.items()}
    return found, options


def _means(name: str, rule: str) -> bool:
    measure = find_measure(name) if rule in HELD else None
    return measure is not None and RULE_OF.get(measure.sheet.name) == rule


def _refuse_options(rule: str, options: dict[str, Any]) -> ArgumentError:
    known = [name for name in inspect.signature(RULES[rule]).parameters if name != "counts"]
    wrong = [name for name in options if name not in known]
    if wrong:
        text = f"rule {rule!r} has no option {', '.join(wrong)}; it has: {', '.join(known) or 'none'}"
    else:
        text = f"rule {rule!r} needs the rate to be held: best_threshold(..., rule={rule!r}, value=0.9)"
    return ArgumentError("rule_options", text)


def _first_best(criterion: NDArray[Any], scale: float) -> int:
    """The highest threshold among those whose criteria differ by rounding only, of terms as large as ``scale``."""
    most = np.nanmax(criterion)
    return int(np.argmax(criterion >= most - 4 * np.finfo(np.float64).eps * max(scale, abs(most))))


def _choice(ranked: RankedScores, rule: str, objective: float, chosen: Confusion) -> ThresholdChoice:
    return ThresholdChoice(
        threshold=chosen.threshold.item() if isinstance(chosen.threshold, np.generic) else chosen.threshold,
        rule=rule,
        objective=-objective if rule in MINIMISED else objective,
        tpr=chosen.recall,
        fpr=chosen.false_positive_rate,
        precision=chosen.precision,
        accuracy=chosen.accuracy,
        base_rate=chosen.base_rate,
        **facts_of(ranked),
        next_lower=score_below(ranked, chosen.threshold),
    )


def _youden(counts: Confusion) -> NDArray[Any]:
    return np.asarray(counts.youden_j)


def _closest_topleft(counts: Confusion) -> NDArray[Any]:
    return np.asarray(-np.hypot(counts.false_positive_rate, counts.false_negative_rate))


def _sensitivity(counts: Confusion, *, value: float) -> NDArray[Any]:
    _check_share(value)
    return np.where(counts.recall >= value, counts.specificity, np.nan)


def _specificity(counts: Confusion, *, value: float) -> NDArray[Any]:
    _check_share(value)
    return np.where(counts.specificity >= value, counts.recall, np.nan)


def _largest_f_beta(counts: Confusion, *, beta: float = 1.0) -> NDArray[Any]:
    return np.asarray(f_beta(counts, beta=beta))


def _cost(
    counts: Confusion, *, cost_fp: float = 1.0, cost_fn: float = 1.0, prevalence: float | None = None
) -> NDArray[Any]:
    check_costs(cost_fp, cost_fn)
    share = float(counts.prevalence[0]) if prevalence is None else prevalence
    _check_share(share)
    missed = share * cost_fn * counts.false_negative_rate
    return np.asarray(-(missed + (1 - share) * cost_fp * counts.false_positive_rate))


def check_costs(cost_fp: float, cost_fn: float) -> None:
    """Refuse costs that no threshold can be chosen by."""
    numbers = is_number(cost_fp) and is_number(cost_fn)
    if not (numbers and cost_fp >= 0 and cost_fn >= 0 and 0 < cost_fp + cost_fn < float("inf")):
        text = f"costs must be finite, >= 0 and not both 0, got {cost_fp!r} and {cost_fn!r}"
        raise ArgumentError("costs", text)


def _check_share(value: float) -> None:
    if not (is_number(value) and 0 <= value <= 1):
        raise ArgumentError("share", f"a rate or prevalence lies in [0, 1], got {value!r}")


RULES: dict[str, Objective] = {
    "youden": _youden,
    "closest_topleft": _closest_topleft,
    "sensitivity": _sensitivity,
    "specificity": _specificity,
    "f_beta": _largest_f_beta,
    "cost": _cost,
}
RULE_OF = {"youden_j": "youden", "recall": "sensitivity", "specificity": "specificity", "f1": "f_beta"}
HELD = ("sensitivity", "specificity")
MINIMISED = {"closest_topleft", "cost"}
DIFFERENCES = {"youden"}
