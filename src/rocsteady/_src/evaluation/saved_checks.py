"""Whether an evaluation that was read from a file agrees with itself: counts with groups, values with both."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import Undefined
from rocsteady._src.evaluation.evaluate_rows import values_of_groups
from rocsteady._src.results.base import Bounded

if TYPE_CHECKING:
    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.results import Interval

NEAR = 1e-9


def refuse_contradictions(found: Evaluation) -> Evaluation:
    """The same evaluation; an error where its parts cannot be of the same rows."""
    for model, groups in found.ranked.items():
        if not (_same(groups.n_pos, found.n_pos) and _same(groups.n_neg, found.n_neg)):
            raise ValueError(f"groups of {model!r} have other counts than those of the first model")
        if groups.counts_rows and not found.origin.weighted and groups.n_pos + groups.n_neg != found.origin.n_rows:
            raise ValueError(f"groups of {model!r} do not add up to the number of rows")
    if set(found.values) != set(found.models) or any(set(row) != set(found.columns) for row in found.values.values()):
        raise ValueError("values are not those of the models and columns")
    for model in found.models:
        _refuse_other_values(found, model)
        for column, interval in found.intervals.get(model, {}).items():
            _refuse_interval(interval, found.values[model].get(column), f"{column} of {model!r}")
            counts = ((interval.n_pos, found.n_pos), (interval.n_neg, found.n_neg))
            if any(part is not None and not 0 <= part <= whole * (1 + NEAR) for part, whole in counts):
                raise ValueError(f"the interval of {column} of {model!r} counts other rows")
    return found


def _refuse_other_values(found: Evaluation, model: str) -> None:
    """Values that follow from the groups are computed anew."""
    again = values_of_groups(found.ranked[model], found.requests, found.thresholds.get(model))
    for column, value in again.items():
        if not _agrees(found.values[model][column], value):
            raise ValueError(f"{column} of {model!r} is not that of its groups")


def _refuse_interval(interval: Interval, value: Any, where: str) -> None:
    if value is not None and not _agrees(interval.estimate, value):
        raise ValueError(f"the interval of {where} is of another value")
    if interval.low > interval.high:
        raise ValueError(f"the interval of {where} ends before it begins")


def _agrees(held: Any, value: Any) -> bool:
    """Whether two values are the same but for rounding, or within the bounds that are known of the first."""
    if isinstance(held, Undefined) or isinstance(value, Undefined) or value is None:
        return True
    bound = held.error_bound if isinstance(held, Bounded) else 0.0
    return _same(held, value, bound)


def _same(first: Any, second: Any, bound: float = 0.0) -> bool:
    one, two = float(first), float(second)
    if math.isnan(one) or math.isnan(two) or math.isinf(one) or math.isinf(two):
        return one == two or (math.isnan(one) and math.isnan(two))
    return abs(one - two) <= bound + NEAR * max(1.0, abs(one), abs(two))
