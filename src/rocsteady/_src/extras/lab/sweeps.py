"""Errors of one measure on a grid of its parameters."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.typed import typed
from rocsteady._src.extras.lab.counting import count_errors
from rocsteady._src.extras.lab.measure_requests import read_measures
from rocsteady._src.extras.lab.sets import as_sets
from rocsteady._src.measures.registry import get_measure
from rocsteady._src.results.lab import Sweep

if TYPE_CHECKING:
    from rocsteady._src.extras.lab.counting import Progress

MOST_POINTS = 10_000


@typed
def sweep(sets: Any, measure: Any, *, tolerance: float = 0.0, progress: Progress = False, **grid: Any) -> Sweep:
    """Count the errors of one measure for all combinations of parameter values.

    Parameters
    ----------
    sets : ScoreSets or list of (labels, scores)
        As in ``count_errors``.
    measure : str or measure function
        A registered measure; parameters given with the name, ``"mm7_auc(m=1)"``, stay fixed.
    tolerance, progress
        As in ``count_errors``.
    **grid : array-like
        Values of its parameters, such as ``n=[0.01, 0.0625]``; one axis each, in this order.

    Returns
    -------
    Sweep

    Examples
    --------
    >>> import rocsteady as rs
    >>> source = rs.lab.parse_sets("1.0p 0.9p 0.8p 0.2n 0.1n 0.0n")
    >>> sets = rs.lab.generate(source, margin_steps=30, range_steps=30, distribution=True)
    >>> found = rs.lab.sweep(sets, "mm7_auc", n=[0, 1 / 100, 1 / 16, 1 / 4])
    >>> found.errors.tolist()
    [0, 1, 1827, 4415]
    """
    (asked,) = _one(measure)
    if not grid:
        raise ArgumentError(
            "grid", f"name at least one parameter with its values, such as n=[0.01, 0.1], for {asked.name}"
        )
    axes = {name: _axis(name, values) for name, values in grid.items()}
    shape = tuple(len(axis) for axis in axes.values())
    if int(np.prod(shape)) > MOST_POINTS:
        raise ArgumentError("grid", f"the grid has {int(np.prod(shape))} points; at most {MOST_POINTS} are taken")
    _check_names(asked.registered, asked.params, axes)
    points = [dict(zip(axes, map(float, point), strict=True)) for point in product(*axes.values())]
    calls = [_call(asked.registered, asked.params | point) for point in points]
    found = count_errors(as_sets(sets), calls, tolerance, progress=progress)
    return Sweep(
        measure=asked.name,
        grid=axes,
        errors=np.array([row.errors for row in found]).reshape(shape),
        min_correct=np.array([row.min_correct for row in found]).reshape(shape),
        max_incorrect=np.array([row.max_incorrect for row in found]).reshape(shape),
        n_sets=found.n_sets,
        n_correct=found.n_correct,
        notes=found.notes,
    )


def _one(measure: Any) -> list[Any]:
    found = read_measures(measure)
    if len(found) != 1 or not found[0].registered:
        raise ArgumentError("measure", "a sweep takes one registered measure; register your own with rs.measure")
    return found


def _axis(name: str, values: Any) -> Any:
    axis = np.unique(np.atleast_1d(np.asarray(values, dtype=np.float64)))
    if not axis.size or not np.isfinite(axis).all():
        raise ArgumentError("grid", f"values of {name} must be finite numbers, at least one")
    return axis


def _check_names(name: str, fixed: dict[str, Any], axes: dict[str, Any]) -> None:
    known = get_measure(name).sheet.params
    for param in axes:
        if param not in known or param in fixed:
            free = ", ".join(free for free in known if free not in fixed and free != "exact") or "none"
            raise ArgumentError("grid", f"{name} has no free parameter {param!r}; it has: {free}")


def _call(name: str, params: dict[str, Any]) -> str:
    return f"{name}({', '.join(f'{key}={value!r}' for key, value in params.items())})"
