"""Options of public functions are what their annotations say: a number where a number belongs, a word where words do.

What a function then makes of them, it checks itself. Data, which have many types, are the matter of ``inputs``.
"""

from __future__ import annotations

import functools
import inspect
import math
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn, ParamSpec, TypeVar

import numpy as np

from rocsteady._src.base.errors import ArgumentError, is_number, printable
from rocsteady._src.base.near_names import refuse_more_arguments, refuse_unknown
from rocsteady._src.base.sentences import Sentence, argument

if TYPE_CHECKING:
    from collections.abc import Callable

    Rule = Callable[[str, Any], Any]

Given = ParamSpec("Given")
Answer = TypeVar("Answer")
WORDS = ("WeightType", "Literal[")
OWN = ("threshold",)  # which functions judge themselves: a number, several, a rule, or a choice
USUAL: dict[str, Any] = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}


def typed(function: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """Check the options of each call of ``function``; unusual numbers, such as fractions, become floats.

    The caller's ``np.seterr`` is set aside meanwhile: what underflows or divides by zero on purpose stays no error.

    Examples
    --------
    >>> @typed
    ... def half(level: float = 0.5, kind: str = "plain") -> float:
    ...     return level / 2
    >>> half(1)
    0.5
    >>> half(level="a")
    Traceback (most recent call last):
    rocsteady.errors.ArgumentError: level must be a number, got 'a'
    """
    parameters = inspect.signature(function).parameters
    rules = rules_of(parameters)
    known = None if any(each.kind is each.VAR_KEYWORD for each in parameters.values()) else set(parameters)
    placed = [each.name for each in parameters.values() if each.kind is each.POSITIONAL_OR_KEYWORD]
    any_number = any(each.kind is each.VAR_POSITIONAL for each in parameters.values())

    @functools.wraps(function)
    def checked(*args: Given.args, **kwargs: Given.kwargs) -> Answer:
        if known is not None and not known.issuperset(kwargs):
            refuse_unknown(function.__name__, kwargs, known)
        if len(args) > len(placed) and not any_number:
            refuse_more_arguments(function.__name__, args, placed)
        given = [
            rules[name](name, value) if name in rules else value for name, value in zip(placed, args, strict=False)
        ]
        with np.errstate(**USUAL):
            return function(*given, *args[len(given) :], **options_checked(kwargs, rules))  # type: ignore[arg-type]

    return checked


def options_checked(options: Mapping[str, Any], rules: Mapping[str, Rule]) -> dict[str, Any]:
    """The options that are given, each as its rule wants it."""
    return {name: rules[name](name, value) if name in rules else value for name, value in options.items()}


def rules_of(parameters: Mapping[str, inspect.Parameter]) -> dict[str, Rule]:
    """The rule of each parameter that has one."""
    found = {name: _rule(each) for name, each in parameters.items() if name not in OWN}
    return {name: rule for name, rule in found.items() if rule is not None}


def _rule(each: inspect.Parameter) -> Rule | None:
    kind = str(each.annotation).strip("'\"")
    optional = each.default is None or "None" in kind
    plain = kind.removesuffix(" | None")
    rule: Rule | None = (BY_NAME if plain == "int" else {}).get(each.name) or BY_KIND.get(plain)
    if rule is not None:
        pass
    elif "Callable[[float]" in kind or kind == "Progress":
        rule = _truth_or_function
    elif kind.startswith(("Mapping[", "dict[")) and optional:
        rule = _by_name
    elif _takes_words(kind, each.default):
        rule = _word
    return _unless_absent(rule) if rule is not None and optional else rule


def _takes_words(kind: str, default: object) -> bool:
    """Whether an option is one of several words; ``Any`` may be more than a word."""
    return (isinstance(default, str) and not re.search("float|Any|object", kind)) or kind.startswith(WORDS)


def _unless_absent(rule: Rule) -> Rule:
    return lambda name, value: None if value is None else rule(name, value)


def _number(name: str, value: Any) -> Any:
    if not is_number(value):
        _refuse(name, "a number", value)
    if isinstance(value, (int, float)):
        return value
    plain = value.item() if hasattr(value, "item") else value
    return plain if isinstance(plain, (int, float)) else float(plain)


def _whole(name: str, value: Any) -> Any:
    number = _number(name, value) if is_number(value) else _refuse(name, "a whole number", value)
    if not math.isfinite(number) or number != int(number):
        _refuse(name, "a whole number", value)
    return number if isinstance(number, int) else int(number)


def _two_numbers(name: str, value: Any) -> Any:
    several = isinstance(value, (tuple, list)) or (isinstance(value, np.ndarray) and value.ndim == 1)
    if not several or not all(is_number(each) for each in value):
        _refuse(name, "two numbers, such as (0, 0.2)", value)
    return tuple(_number(name, each) for each in value)


def _truth(name: str, value: Any) -> Any:
    if not (isinstance(value, bool) or (is_number(value) and value in (0, 1))):
        _refuse(name, "True or False", value)
    return bool(value)


def _truth_or_function(name: str, value: Any) -> Any:
    return value if callable(value) else _truth(name, value)


def _by_name(name: str, value: Any) -> Any:
    if not isinstance(value, Mapping):
        _refuse(name, "a dict of options by name", value)
    return value


def _word(name: str, value: Any) -> Any:
    if not isinstance(value, str):
        _refuse(name, "a word", value)
    return value


def _seed(name: str, value: Any) -> Any:
    number = _whole(name, value) if is_number(value) else -1
    return number if number >= 0 else _refuse(name, "a whole number >= 0", value)


def _jobs(name: str, value: Any) -> Any:
    number = _whole(name, value) if is_number(value) else 0
    return number if number else _refuse(name, "a whole number above 0, or -1 for all cores", value)


def _names(name: str, value: Any) -> Any:
    """One name as it is, several as a list of plain ones."""
    if isinstance(value, str):
        return value
    if not isinstance(value, Iterable) or isinstance(value, (bytes, bytearray)) or getattr(value, "ndim", 1) != 1:
        _refuse(name, "the name of a column, or a list of names", value)
    return [str(each) if isinstance(each, str) else each for each in value]


def _refuse(name: str, what: str, value: Any) -> NoReturn:
    got = printable(repr(value), most=60)
    raise ArgumentError(name, Sentence("{named} must be {what}, got {got}", named=argument(name), what=what, got=got))


BY_NAME: dict[str, Rule] = {"n_jobs": _jobs, "random_state": _seed, "seed": _seed}
BY_KIND: dict[str, Rule] = {
    "float": _number,
    "int": _whole,
    "tuple[float, float]": _two_numbers,
    "bool": _truth,
    "str | Sequence[str]": _names,
}
