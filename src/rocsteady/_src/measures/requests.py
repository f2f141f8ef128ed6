"""Measures asked for by name: ``"auc"``, ``"family:ranking"``, ``"partial_auc(fpr_range=(0, 0.2))"``."""

from __future__ import annotations

import ast
import inspect
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, some_values
from rocsteady._src.base.sentences import Option, Sentence
from rocsteady._src.base.typed import options_checked, rules_of
from rocsteady._src.measures.names import PAIRS, fold
from rocsteady._src.measures.plain_functions import as_measure, name_of
from rocsteady._src.measures.registry import FactSheet, get_measure, list_measures

if TYPE_CHECKING:
    from collections.abc import Callable


MOST_CHARACTERS = 500  # of a call: the parser of a longer one, deeply nested, may exhaust the stack


@dataclass(frozen=True, slots=True)
class Request:
    """One measure with its parameters; ``column`` is what the user wrote.

    A member of a family is not ``named``: where the scores do not suit it, it is left out with a reason.
    """

    column: str
    sheet: FactSheet
    params: dict[str, Any]
    named: bool = True


def at_a_threshold(requests: Iterable[Request]) -> bool:
    """Whether a measure among them is one of calls."""
    return any("threshold" in request.sheet.params for request in requests)


def parse_requests(wanted: Iterable[Any]) -> list[Request]:
    """Resolve names, families, calls and measure functions, each once; base rate follows accuracy, always."""
    if not isinstance(wanted, Iterable) or getattr(wanted, "ndim", 1) == 0:
        raise ArgumentError("measures", f"measures must be a list, such as ['auc'], got {some_values([wanted])}")
    items = wanted.items() if isinstance(wanted, Mapping) else ((None, item) for item in wanted)
    requests = [request for name, item in items for request in _resolve(item, name)]
    if any(request.sheet.name == "accuracy" for request in requests):
        requests = [request for request in requests if request.sheet.name != "base_rate"]
        place = max(i for i, request in enumerate(requests) if request.sheet.name == "accuracy")
        requests.insert(place + 1, Request("base_rate", get_measure("base_rate").sheet, {}))
    return list({request.column: request for request in requests}.values())


def one_request(measure: Any) -> Request:
    """The measure that was named; base rate, which follows accuracy elsewhere, is left out."""
    return parse_requests(measure if isinstance(measure, Mapping) else [measure])[0]


def _resolve(item: Any, called: str | None = None) -> list[Request]:
    """What one item asks for; ``called`` is the column it is to have."""
    if called is not None:
        return [replace(request, column=called) for request in _resolve(_named(item, called))]
    sheet = getattr(item, "sheet", None)
    if isinstance(sheet, FactSheet):
        return [Request(sheet.name, sheet, {})]
    if callable(item):
        return [Request(name_of(item), _plain_sheet(item), {})]
    text = str(item).strip()
    if fold(text) in PAIRS:
        return [request for name in PAIRS[fold(text)] for request in _resolve(name)]
    if fold(text) == "all":
        return [Request(sheet.name, sheet, {}, named=False) for sheet in list_measures()]
    _refuse_at(text)
    if text.startswith("family:"):
        return [Request(sheet.name, sheet, {}, named=False) for sheet in _family(text.removeprefix("family:"))]
    name, params = parse_call(text)
    sheet = get_measure(name).sheet
    params = params and options_checked(params, rules_of(inspect.signature(sheet.formula).parameters))
    unknown = [param for param in params if param not in sheet.params]
    if unknown:
        known = ", ".join(sheet.params) or "none"
        raise ArgumentError("measure_params", f"{name} has no parameter {', '.join(unknown)}; it has: {known}")
    return [Request(text if params else sheet.name, sheet, params)]


def _refuse_at(text: str) -> None:
    """Refuse ``precision@10`` with the name that is meant."""
    base, at, value = text.partition("@")
    if at:
        such = f"{base}_at_k(k={value})" if value.strip().isdecimal() else f"{base}(threshold={value})"
        raise ArgumentError("measures", f"there is no measure {text!r}; parameters stand in brackets, such as {such!r}")


def _named(item: Any, called: str) -> Any:
    """A function under a name of its own."""
    if not callable(item) or hasattr(item, "sheet"):
        return item
    named = as_measure(item)
    named.__name__ = str(called)
    return named


def _plain_sheet(function: Callable[..., Any]) -> FactSheet:
    """Facts of a function that nobody registered: nothing is known of it but its name."""
    name = name_of(function)
    if name == "<lambda>":
        named = Option("measures", written="measures={'name': lambda y_true, y_score: ...}")
        text = Sentence("a lambda has no name for its column: pass {named}", named=named)
        raise ArgumentError("measure_name", text)
    bounds = (float("-inf"), float("inf"))
    return FactSheet(name, name, "own", "neither", bounds, as_measure(function), invariances=())


def _family(family: str) -> list[FactSheet]:
    sheets = list_measures(family)
    if not sheets:
        families = ", ".join(dict.fromkeys(sheet.family for sheet in list_measures()))
        raise ArgumentError("family", f"there is no family {family!r}; families: {families}")
    return sheets


def parse_call(text: str) -> tuple[str, dict[str, Any]]:
    """Read ``name`` or ``name(param=literal, ...)``; nothing is executed."""
    if "(" not in text:
        return text, {}
    try:
        call: ast.expr = ast.parse(text if len(text) <= MOST_CHARACTERS else "", mode="eval").body
        params = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in getattr(call, "keywords", ())}
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        call, params = ast.Constant(text), {}
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.args:
        raise ArgumentError("measure_syntax", f"cannot read {some_values([text])}; write it as name(param=value, ...)")
    for name, value in params.items():
        if isinstance(value, float) and math.isinf(value):  # no literal is infinite but by its size
            raise ArgumentError(name, f"{name} of {some_values([text])} is beyond the range of doubles, 1.8e308")
    return call.func.id, params
