"""Measures as people ask for them: names, calls with parameters, or any function of labels and scores."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, printable, quietly, some_values
from rocsteady._src.extras.lab.batch import Batch, formula_of
from rocsteady._src.measures.registry import FactSheet, find_measure
from rocsteady._src.measures.requests import Request, parse_call, parse_requests
from rocsteady._src.ranked import rank

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

DEFAULT = ("auc", "family:score-aware")


@dataclass(frozen=True, slots=True)
class Asked:
    """One measure: ``value(labels, scores)`` of a set, and for some a way to whole batches."""

    name: str
    value: Callable[..., float]
    better: str = "higher"
    named: bool = True
    registered: str = ""
    params: dict[str, Any] = field(default_factory=dict)

    @property
    def sign(self) -> float:
        """-1 where lower is better."""
        return -1.0 if self.better == "lower" else 1.0

    def values(self, batch: Batch) -> Array:
        """Values of all sets of a batch, signed so that higher is better; NaN where undefined."""
        formula = formula_of(self.registered, self.params, batch.block.size)
        if formula is not None:
            found = formula(batch)
        else:
            found = np.fromiter((self.value(*row) for row in batch.block.rows()), np.float64, batch.block.n_sets)
        return found if self.sign > 0 else -found


def read_measures(measures: Any) -> list[Asked]:
    """Resolve what was asked for, each once."""
    wanted = DEFAULT if measures is None else measures
    if isinstance(wanted, Mapping):
        found = [Asked(str(name), _of_rows(function)) for name, function in wanted.items()]
    else:
        single = isinstance(wanted, str) or not isinstance(wanted, Iterable) or getattr(wanted, "ndim", 1) == 0
        items = [wanted] if single else list(wanted)
        found = [asked for item in items for asked in _resolve(item)]
    if not found:
        raise ArgumentError("measures", "name at least one measure")
    names = [asked.name for asked in found]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        text = f"{', '.join(sorted(twice))} is asked for more than once; give functions of equal name as a dict"
        raise ArgumentError("measures", text)
    return found


def _resolve(item: Any) -> list[Asked]:
    if isinstance(getattr(item, "sheet", None), FactSheet):
        return [_registered(request) for request in parse_requests([item])]
    if callable(item):
        return [Asked(getattr(item, "__name__", type(item).__name__), _of_rows(item))]
    text = str(item).strip()
    return [_registered(request) for request in parse_requests([text]) if _judgeable(request, text)]


def _asked_sheet(text: str) -> FactSheet | None:
    found = find_measure(parse_call(text)[0])
    return None if found is None else found.sheet


def _judgeable(request: Request, text: str) -> bool:
    return request.sheet.better != "neither" or request.sheet is _asked_sheet(text)


def _registered(request: Request) -> Asked:
    sheet, params = request.sheet, request.params
    if sheet.better == "neither":
        text = f"{sheet.name} tells nothing about the order of scores, so it makes no errors to be counted"
        raise ArgumentError("measures", text)
    sheet.compute(rank([1, 0], [1.0, 0.0]), **params)  # refuses parameters outside their bounds, before long work
    return Asked(request.column, _of_sheet(sheet, params), sheet.better, request.named, sheet.name, params)


def _of_sheet(sheet: FactSheet, params: dict[str, Any]) -> Callable[..., float]:
    return lambda labels, scores: float(sheet.compute(sheet.ranker(labels, scores), **params))


def _of_rows(function: Callable[..., Any]) -> Callable[..., float]:
    """Call a function of (y_true, y_score) with labels 1 and 0; our own warnings are counted instead of shown."""
    _refuse_other_arguments(function)

    @functools.wraps(function)
    def value(labels: Any, scores: Any) -> float:
        with quietly():
            return float(function(labels.astype(np.int64), scores))

    return value


def _refuse_other_arguments(function: Callable[..., Any]) -> None:
    """Refuse what cannot be called with labels and scores, before the work."""
    if not callable(function):
        raise ArgumentError("measures", f"a measure is a name or a function, got {some_values([function])}")
    try:
        inspect.signature(function).bind(None, None)
    except TypeError:
        name = printable(getattr(function, "__name__", type(function).__name__), most=60)
        text = f"{name} cannot be called with two arguments: a measure is a function of labels and scores"
        raise ArgumentError("measures", text) from None
    except ValueError:  # of some compiled functions nobody knows the arguments
        return
