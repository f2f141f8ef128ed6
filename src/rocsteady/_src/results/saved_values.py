"""Values of results as JSON that is read back as it was: numbers, arrays, labels, sentences, records of known classes.

Nothing in a file is executed: a record names a class of the table below, and its fields are values of these kinds.
"""

from __future__ import annotations

import dataclasses
import importlib
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError, Undefined, printable
from rocsteady._src.base.sentences import Option, Sentence
from rocsteady._src.results.base import Bounded
from rocsteady._src.results.remarks import Remark
from rocsteady._src.results.saved_kinds import HOME_OF
from rocsteady._src.results.saved_kinds import READERS as OWN_READERS

if TYPE_CHECKING:
    from collections.abc import Callable

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
    if type(value).__name__ in HOME_OF and dataclasses.is_dataclass(value):
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


def _record(value: Any) -> dict[str, Any]:
    """The fields of a record; an object may say itself what stands for it in a file."""
    name = type(value).__name__
    if hasattr(value, "_saved"):
        return {"record": name, "own": value._saved()}  # noqa: SLF001 - what it is to write
    return {"record": name, "fields": fields_of(value)}


def fields_of(value: Any) -> dict[str, Any]:
    """Fields of a record, but for those that hold rows: they stay at their defaults when it is read."""
    left = getattr(type(value), "held_rows", ())
    kept = [each.name for each in dataclasses.fields(value) if each.name not in left]
    return {name: to_json(getattr(value, name)) for name in kept}


def class_of(name: str) -> Any:
    """A class that files may name."""
    module = importlib.import_module(f"rocsteady._src.{HOME_OF[name]}")
    return getattr(module, name)


def _made(told: dict[str, Any]) -> Any:
    kind = class_of(told["record"])
    if told["record"] in OWN_READERS:
        module, name = OWN_READERS[told["record"]]
        return getattr(importlib.import_module(f"rocsteady._src.{module}"), name)(told["own"])
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
