"""Measures asked for by name: ``"auc"``, ``"family:ranking"``, ``"partial_auc(fpr_range=(0, 0.2))"``."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rocsteady.errors import ArgumentError, some_values
from rocsteady.measures.registry import FactSheet, get_measure, list_measures
from rocsteady.typed import options_checked, rules_of

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


def parse_requests(wanted: Iterable[Any]) -> list[Request]:
    """Resolve names, families, calls and measure functions, each once; base rate follows accuracy, always."""
    if not isinstance(wanted, Iterable) or getattr(wanted, "ndim", 1) == 0:
        raise ArgumentError("measures", f"measures must be a list, such as ['auc'], got {some_values([wanted])}")
    requests = [request for item in wanted for request in _resolve(item)]
    if any(request.sheet.name == "accuracy" for request in requests):
        requests = [request for request in requests if request.sheet.name != "base_rate"]
        place = max(i for i, request in enumerate(requests) if request.sheet.name == "accuracy")
        requests.insert(place + 1, Request("base_rate", get_measure("base_rate").sheet, {}))
    return list({request.column: request for request in requests}.values())


def _resolve(item: Any) -> list[Request]:
    sheet = getattr(item, "sheet", None)
    if isinstance(sheet, FactSheet):
        return [Request(sheet.name, sheet, {})]
    text = str(item).strip()
    if text.startswith("family:"):
        return [Request(sheet.name, sheet, {}, named=False) for sheet in _family(text.removeprefix("family:"))]
    name, params = parse_call(text)
    params = options_checked(params, rules_of(inspect.signature(get_measure(name).sheet.formula).parameters))
    sheet = get_measure(name).sheet
    unknown = [param for param in params if param not in sheet.params]
    if unknown:
        known = ", ".join(sheet.params) or "none"
        raise ArgumentError("measure_params", f"{name} has no parameter {', '.join(unknown)}; it has: {known}")
    return [Request(text if params else sheet.name, sheet, params)]


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
    return call.func.id, params
