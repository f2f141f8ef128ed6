"""Which interval of results that hold several is pooled: of evaluations, of values at several times, of classes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, is_number, some_values
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_setting
from rocsteady._src.designs.classes.names import class_measure
from rocsteady._src.designs.validation.resampled import SLOPE
from rocsteady._src.measures.requests import one_request
from rocsteady._src.results import Estimate, Interval, TestResult
from rocsteady._src.results.base import Result
from rocsteady._src.results.multiclass import MulticlassEvaluation
from rocsteady._src.results.times import TimedValues
from rocsteady._src.results.validation import OptimismCorrected

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Bounds = tuple[float, float]
    Found = tuple[Any, Any, Bounds | None]


LEVEL = 0.95  # of pairs, which have none
GIVEN = "given"  # the method of a pair


def listed(results: Any) -> list[Any]:
    """Results as a list, whatever holds them: a list, a generator, a dict; a pair of numbers is an interval."""
    if isinstance(results, (Result, str)) or not isinstance(results, Iterable):
        return []
    if isinstance(results, Mapping):  # of names, whose lists may as well be columns: no pairs
        return [_of_pair(each) if isinstance(each, tuple) else each for each in results.values()]
    return [_of_pair(each) for each in results]


def _of_pair(each: Any) -> Any:
    """An estimate with its standard error, of two numbers."""
    if not is_row(each) or len(each) != 2 or not all(map(is_number, each)):
        return each
    value, se = map(float, each)
    return Interval(value, np.nan, np.nan, LEVEL, GIVEN, se=se)


def is_row(each: Any) -> bool:
    """Whether this is a plain sequence, and no result of ours, which may be one as well."""
    return isinstance(each, (tuple, list)) or (isinstance(each, np.ndarray) and each.ndim == 1)


def line_for(result: Any, path: str = "each", depth: int = 3) -> str:
    """Where a result holds a number that can be pooled, as somebody would write it; empty where it holds none."""
    if isinstance(result, (Interval, TestResult, Estimate)):
        numbers = (result.estimate, math.nan if result.se is None else result.se)
        return path if all(map(math.isfinite, numbers)) else ""
    parts: Iterable[tuple[str, Any]] = ()
    if is_dataclass(result):
        parts = ((f".{each.name}", getattr(result, each.name)) for each in fields(result))
    elif isinstance(result, Mapping):
        parts = ((f"[{key!r}]", value) for key, value in list(result.items())[:1])
    elif isinstance(result, (tuple, list)):
        parts = ((f"[{place}]", value) for place, value in enumerate(result[:1]))
    found = (line_for(value, path + name, depth - 1) for name, value in parts) if depth else ()
    return next(filter(None, found), "")


def parts_of(results: Any, measure: Any, model: str | None, at: float | None) -> Found:
    """Results to pool, one of each that holds several; and measure or bounds, where these tell the scale."""
    given = listed(results)
    for holds, pick, kind in KINDS:
        if given and all(map(holds, given)):
            if at is not None and kind != "times":
                raise ArgumentError("at", Sentence("{at=} names a time: it goes with values at several times"))
            return pick(given, measure, model, at)
    if at is not None or model is not None:
        name = "at" if at is not None else "model"
        raise ArgumentError(name, f"{name} picks from results that hold several; these hold one value each")
    return given, measure, None


def _of_corrected(given: Sequence[Any], measure: Any, model: str | None, at: float | None) -> Found:
    """Of measures corrected for optimism."""
    if model is not None:
        raise ArgumentError("model", Sentence("corrected measures are of one model each: leave {model=} out"))
    if measure is None:
        words = "the results hold {told}: name the one to pool, with {measure=}"
        raise ArgumentError("measure", Sentence(words, told=some_values(given[0].measures)))
    sheet = SLOPE if measure in (SLOPE.name, "slope") else one_request(measure).sheet
    name = measure if measure in given[0].measures else sheet.name
    found = [_one(dict(zip(each.measures, each.intervals, strict=True)), name, k) for k, each in enumerate(given)]
    return found, None, sheet.bounds


def _of_binary(given: Sequence[Any], measure: Any, model: str | None, at: float | None) -> Found:
    column = one_request(_named(measure, "auc")).column
    return [_one(each.intervals.get(_model(each, model), {}), column, k) for k, each in enumerate(given)], measure, None


def _of_times(given: Sequence[Any], measure: Any, model: str | None, at: float | None) -> Found:
    """Of a table with censored times: a column by its name, or a measure and a time."""
    name = _named(measure, "harrell")
    column = name if at is None else f"{name}({format_setting(at)})"
    return [_one(each.values[_model(each, model)], column, k) for k, each in enumerate(given)], None, None


def _at_times(given: Sequence[TimedValues], measure: Any, model: str | None, at: float | None) -> Found:
    """Of one measure at several times."""
    if measure is not None or model is not None:
        words = "values at several times are of one measure and one model: name the time alone, with {at=}"
        raise ArgumentError("measure" if measure is not None else "model", Sentence(words))
    if at is None:
        told = some_values([format_setting(each) for each in given[0].at])
        words = "the results hold values at several times, {told}: name the one to pool, with {at=}"
        raise ArgumentError("at", Sentence(words, told=told))
    names = dict.fromkeys(each.name for each in given)
    if len(names) > 1:
        raise InputError("results_differ", f"the results are of different measures: {some_values(names)}")
    by_time = [dict(zip(map(format_setting, each.at), each.intervals, strict=True)) for each in given]
    return [_one(each, format_setting(at), k) for k, each in enumerate(by_time)], None, None


def _of_classes(given: Sequence[Any], measure: Any, model: str | None, at: float | None) -> Found:
    """Of more than two classes: one of the numbers about all of them."""
    asked = class_measure(_named(measure, "macro_auc"))
    several = [each if isinstance(each, MulticlassEvaluation) else each.models[_model(each, model)] for each in given]
    if model is not None and several == list(given):
        raise ArgumentError("model", Sentence("the evaluations are of one model each: leave {model=} out"))
    return [_one(each.values, asked.name, k) for k, each in enumerate(several)], None, asked.bounds


def _named(measure: Any, example: str) -> Any:
    if measure is None:
        raise ArgumentError("measure", f"evaluations hold several measures: name the one to pool, such as {example!r}")
    return measure


def _model(evaluation: Any, model: str | None) -> str:
    models = list(evaluation.models)
    named = model if model is not None or len(models) > 1 else models[0]
    if named not in models:
        raise ArgumentError("model", f"name the model to pool, of {some_values(models)}")
    return str(named)


def _one(intervals: Any, name: Any, number: int) -> Interval:
    if name not in intervals:
        text = f"evaluation {number} has no interval of {name}"
        there = f"; it has {some_values(list(intervals))}" if intervals else ": ask for intervals when evaluating"
        raise InputError("no_interval", text + there)
    found: Interval = intervals[name]
    return found


def _several_classes(each: Any) -> bool:
    models = getattr(each, "models", None)
    inside = list(models.values()) if isinstance(models, dict) else [each]
    return bool(inside) and all(isinstance(one, MulticlassEvaluation) for one in inside)


KINDS: tuple[tuple[Callable[[Any], bool], Callable[..., Found], str], ...] = (
    (lambda each: hasattr(each, "with_intervals"), _of_binary, "evaluations"),
    (lambda each: isinstance(each, TimedValues), _at_times, "times"),
    (lambda each: isinstance(each, OptimismCorrected), _of_corrected, "corrected"),
    (lambda each: hasattr(each, "columns") and hasattr(each, "at") and hasattr(each, "models"), _of_times, "times"),
    (_several_classes, _of_classes, "classes"),
)
