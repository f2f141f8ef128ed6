"""Values of results as JSON that is read back as it was: numbers, arrays, labels, sentences, records of results.

Nothing in a file is executed: a record names a class of results of this library, and its fields are such values.
"""

from __future__ import annotations

import dataclasses
import importlib
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError, Undefined, printable
from rocsteady._src.base.sentences import Option, Sentence
from rocsteady._src.results.base import Bounded, Result
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Callable

HOUSE = "rocsteady._src."
OTHER_RECORDS = ("evaluation.fold_measures:FoldMeasures",)  # no results, and not in their room
OWN_READERS = {"evaluation.evaluation:Evaluation": ("evaluation.saved", "read_evaluation")}
ARRAYS = "biufU"  # kinds of cells that are written


def to_json(value: Any) -> Any:
    """Values and sentences that JSON can hold, and :func:`from_json` reads back as they were.

    Examples
    --------
    >>> from_json(to_json({("a", 1): (float("nan"), np.array([1.5, 2.0]))}))
    {('a', 1): (nan, array([1.5, 2. ]))}
    """
    if isinstance(value, np.generic):
        value = value.item()
    if is_record(type(value)):
        return _record(value)
    if isinstance(value, Undefined):
        return {"undefined": value.reason}
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": str(value)}
    for kind, write in WRITERS.items():
        if isinstance(value, kind):
            return write(value)
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    raise InputError("unsaved", f"a value of type {type(value).__name__} cannot be saved: {printable(value)}")


def is_record(kind: type) -> bool:
    """Whether files may name a class: results of this library, and what stands in them beside numbers."""
    if not dataclasses.is_dataclass(kind) or not kind.__module__.startswith(HOUSE):
        return False
    in_room = kind.__module__.startswith(f"{HOUSE}results.")
    return in_room or issubclass(kind, Result) or name_of(kind) in OTHER_RECORDS


def name_of(kind: type) -> str:
    """What a file calls a class."""
    return f"{kind.__module__.removeprefix(HOUSE)}:{kind.__name__}"


def _record(value: Any) -> dict[str, Any]:
    """The fields of a record; an object may say itself what stands for it in a file."""
    name = name_of(type(value))
    if hasattr(value, "_saved"):
        return {"record": name, "own": value._saved()}  # noqa: SLF001 - what it is to write
    return {"record": name, "fields": fields_of(value)}


def fields_of(value: Any) -> dict[str, Any]:
    """Fields of a record, but for those that hold rows: they stay at their defaults when it is read."""
    left = getattr(type(value), "_held_rows", ())
    kept = [each.name for each in dataclasses.fields(value) if each.name not in left]
    return {name: to_json(getattr(value, name)) for name in kept}


def class_of(name: str) -> Any:
    """A class that files may name; whatever else they name is refused."""
    module, _, called = name.partition(":")
    if not all(part.isidentifier() for part in [*module.split("."), called]):
        raise ValueError(f"a record of {printable(name)}")
    try:
        kind = getattr(importlib.import_module(f"{HOUSE}{module}"), called)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"a record of {printable(name)}") from error
    if not isinstance(kind, type) or name_of(kind) != name or not is_record(kind):
        raise ValueError(f"a record of {printable(name)}")
    return kind


def _made(told: dict[str, Any]) -> Any:
    kind = class_of(told["record"])
    if told["record"] in OWN_READERS:
        module, name = OWN_READERS[told["record"]]
        return getattr(importlib.import_module(f"{HOUSE}{module}"), name)(told["own"])
    if "own" in told:
        return kind._from_saved(told["own"])  # noqa: SLF001 - what it wrote
    return kind(**{name: from_json(each) for name, each in told["fields"].items()})


def _array(value: np.ndarray[Any, Any]) -> dict[str, Any]:
    if value.dtype.kind not in ARRAYS:
        raise InputError("unsaved", f"an array of {value.dtype} cannot be saved; results of numbers and texts can")
    return {"array": value.dtype.str, "shape": list(value.shape), "cells": to_json(value.ravel().tolist())}


def _array_of(told: dict[str, Any]) -> np.ndarray[Any, Any]:
    kind = np.dtype(told["array"])
    if kind.kind not in ARRAYS:
        raise ValueError(f"cells of kind {told['array']}")
    return np.array(from_json(told["cells"]), dtype=kind).reshape(told["shape"])


WRITERS: dict[Any, Callable[[Any], Any]] = {
    np.ndarray: _array,
    Bounded: lambda value: {"bounded": float(value), "error_bound": value.error_bound, "method": value.method},
    Remark: lambda value: {"remark": value.code, "model": value.model, "params": to_json(dict(value.params))},
    Sentence: lambda value: {"sentence": value.template, "params": to_json(dict(value.params))},
    Option: lambda value: {
        "option": value.name,
        "values": [to_json(each) for each in value.values],
        "call": value.call,
        "written": value.written,
    },
    dict: lambda value: {"dict": [[to_json(key), to_json(each)] for key, each in value.items()]},
    tuple: lambda value: {"tuple": [to_json(each) for each in value]},
    list: lambda value: [to_json(each) for each in value],
}


def from_json(value: Any) -> Any:
    """What :func:`to_json` wrote."""
    if isinstance(value, list):
        return [from_json(each) for each in value]
    if not isinstance(value, dict):
        return value
    kind = next(iter(value))
    return READERS[kind](value)


READERS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "record": _made,
    "array": _array_of,
    "bounded": lambda told: Bounded(told["bounded"], error_bound=told["error_bound"], method=told["method"]),
    "undefined": lambda told: Undefined(told["undefined"]),
    "float": lambda told: float(told["float"]),
    "remark": lambda told: Remark(told["remark"], told["model"], **from_json(told["params"])),
    "sentence": lambda told: Sentence(told["sentence"], **from_json(told["params"])),
    "option": lambda told: Option(told["option"], tuple(from_json(told["values"])), told["call"], told["written"]),
    "dict": lambda told: {from_json(key): from_json(each) for key, each in told["dict"]},
    "tuple": lambda told: tuple(from_json(told["tuple"])),
}
