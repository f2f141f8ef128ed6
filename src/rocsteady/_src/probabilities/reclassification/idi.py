"""Integrated discrimination improvement."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

from rocsteady._src.base.typed import typed
from rocsteady._src.inference.comparison.rounding import rounding
from rocsteady._src.inference.intervals.normal import check_choice, check_level
from rocsteady._src.inputs.weights import reading_remarks
from rocsteady._src.probabilities.reclassification.few_events import chosen, nested, short_remarks, welch
from rocsteady._src.probabilities.reclassification.moments import class_moments
from rocsteady._src.probabilities.reclassification.resample import bootstrapped
from rocsteady._src.probabilities.reclassification.two_models import (
    few_units,
    in_drawn_order,
    named,
    read_two_models,
    to_draw_from,
    wald,
)
from rocsteady._src.results import Estimate, IntegratedDiscrimination
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.probabilities.reclassification.moments import BothClasses
    from rocsteady._src.probabilities.reclassification.two_models import AnyPair

LEAST_SLOPE = 1e-100  # squares of it, and ratios to it, are numbers


@typed
def integrated_discrimination(
    y_true: object,
    old: object,
    new: object,
    *,
    level: float = 0.95,
    method: Literal["auto", "wald", "welch", "bootstrap"] = "auto",
    n_resamples: int = 2000,
    random_state: int | None = None,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    label: str | None = None,
) -> IntegratedDiscrimination:
    """Integrated discrimination improvement of a new model over an old one.

    IDI = [mean(new | event) - mean(old | event)] - [mean(new | nonevent) - mean(old | nonevent)]: the gain in
    discrimination slope, mean(p | event) - mean(p | nonevent). SE from the variances of new - old within classes.
    The relative IDI is slope_new / slope_old, a ratio: 1 means no change; its interval comes from the bootstrap, or
    from the delta method with "wald". O(n).

    Parameters
    ----------
    y_true, old, new, level, n_resamples, random_state, sample_weight, weight_type, pos_label, missing, label
        As in :func:`rocsteady.net_reclassification`.
    method : {"auto", "wald", "welch", "bootstrap"}
        How the interval is made; se, z and p are the same. "wald" is estimate +- z se, "welch" takes Student's t in
        place of z, with Satterthwaite's degrees of freedom. "auto" takes it below 50 rows in the smaller class.
    cluster : array-like, optional
        Subject of each row, where subjects have several: variances are those of sums over subjects, times
        n / (n - 1) of the subjects, and events and nonevents of a subject vary together. "bootstrap" draws subjects.

    Returns
    -------
    IntegratedDiscrimination
        ``idi, events, nonevents, relative``, each with estimate, se, statistic, pvalue, low and high.

    Examples
    --------
    >>> import rocsteady as rs
    >>> result = rs.integrated_discrimination([1, 1, 0, 0], [0.6, 0.4, 0.5, 0.3], [0.8, 0.5, 0.4, 0.3])
    >>> round(result.idi.estimate, 4), round(result.relative.estimate, 4), round(result.relative_change, 4)
    (0.2, 3.0, 2.0)
    """
    check_level(level)
    check_choice("method", method, ("auto", "wald", "welch", "bootstrap"))
    rows = read_two_models(
        y_true,
        old,
        new,
        sample_weight=sample_weight,
        weight_type=weight_type,
        cluster=cluster,
        pos_label=pos_label,
        missing=missing,
        label=label,
    )
    return named(idi_of_rows(rows, level, method, n_resamples, random_state), old, new, label)


def idi_of_rows(
    rows: AnyPair,
    level: float = 0.95,
    method: str = "auto",
    n_resamples: int = 2000,
    random_state: int | None = None,
) -> IntegratedDiscrimination:
    """IDI of rows that were read."""
    rows = in_drawn_order(rows, method)
    found = class_moments(rows)
    idi, of_events, of_nonevents, ratio = _values(found)
    events, nonevents, _ = found
    old, new = events.old - nonevents.old, events.new - nonevents.new
    bound = rounding(rows.origin.n_rows, events.old, events.new, nonevents.old, nonevents.new)
    parts = [
        wald(idi, found.variance(1, -1), level, bound=bound),
        wald(of_events, events.variance(1, -1), level, bound=bound),
        wald(of_nonevents, nonevents.variance(1, -1), level, bound=bound),
        _relative(found, ratio, old, level, bound),
    ]
    sizes = rows.n_rows
    used = chosen(method, rows, sizes, "welch")
    if used == "welch":
        parts = _welch(parts, found, ratio, sizes)
    elif used == "bootstrap":
        draw = lambda drawn: _values(class_moments(drawn))  # noqa: E731 - what is drawn again
        parts = bootstrapped(parts, to_draw_from(rows), draw, n_resamples, random_state)
    total, gain, loss, relative = parts
    return IntegratedDiscrimination(
        idi=total,
        events=gain,
        nonevents=loss,
        relative=relative,
        relative_change=ratio - 1,
        slope_old=old,
        slope_new=new,
        n_pos=events.total,
        n_neg=nonevents.total,
        origin=rows.origin,
        warnings=reading_remarks(rows.origin)
        + _warnings(found, old)
        + short_remarks(used, rows, sizes, "auto")
        + few_units(total, rows)
        + _no_width(total)
        + nested(rows),
    )


def _welch(parts: list[Estimate], found: BothClasses, ratio: float, sizes: tuple[Any, Any]) -> list[Estimate]:
    """Student's t for the four estimates; the relative IDI has the degrees of freedom of its own combination."""
    events, nonevents, _ = found
    both = events.variance(1, -1), nonevents.variance(1, -1)
    of_ratio = (events.variance(1, -ratio), nonevents.variance(1, -ratio)) if not math.isnan(ratio) else both
    return [
        welch(parts[0], both, sizes),
        welch(parts[1], both[:1], sizes[:1]),
        welch(parts[2], both[1:], sizes[1:]),
        welch(parts[3], of_ratio, sizes),
    ]


def _no_width(total: Estimate) -> tuple[Remark, ...]:
    return (Remark("changed_alike"),) if total.se == 0 else ()


def _values(found: BothClasses) -> list[float]:
    """IDI, its two parts, and the ratio of slopes."""
    events, nonevents, _ = found
    gain, loss = events.new - events.old, nonevents.new - nonevents.old
    old, new = events.old - nonevents.old, events.new - nonevents.new
    return [gain - loss, gain, -loss, new / old if abs(old) > LEAST_SLOPE else math.nan]


def _relative(found: BothClasses, ratio: float, old: float, level: float, bound: float) -> Estimate:
    """Delta method: new/old varies like the mean of (new - ratio * old) / slope_old in each class."""
    if math.isnan(ratio):
        nan = math.nan
        return Estimate(nan, nan, nan, nan, nan, nan, level, null=1.0)
    variance = found.variance(1, -ratio) / old**2
    return wald(ratio, variance, level, null=1.0, bound=bound / abs(old))


def _warnings(found: BothClasses, old: float) -> tuple[Remark, ...]:
    se = math.sqrt(found.variance(0, 1))
    if abs(old) <= LEAST_SLOPE:
        return Remark("idi_misleads"), Remark("slope_zero", slope=old)
    if abs(old) < 3 * se or old == 0:
        return Remark("idi_misleads"), Remark("slope_small", slope=old, se=se)
    return (Remark("idi_misleads"),)
