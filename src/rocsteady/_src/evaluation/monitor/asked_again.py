"""The arguments of a watch as they are typed, for the line that makes its page again."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PLAIN = (str, int, float, bool)


def asked_again(called: Callable[..., Any], given: Mapping[str, Any]) -> tuple[str, ...]:
    """Arguments that are not the usual ones, in their order; what is no plain value stands for itself by its name.

    Examples
    --------
    >>> def watch(table, score, *, day, reference=None, alpha=0.05, state=None): ...
    >>> asked_again(watch, {"table": {}, "score": "s", "day": "d", "reference": [1, 9], "alpha": 0.05, "state": {}})
    ('table', "'s'", "day='d'", 'reference=[1, 9]', 'state=state')
    """
    found = []
    for name, parameter in inspect.signature(called).parameters.items():
        value = given[name]
        if parameter.kind is parameter.KEYWORD_ONLY:
            if value is not parameter.default and not (_is_plain(value) and value == parameter.default):
                found.append(f"{name}={repr(value) if _is_plain(value) else name}")
        else:
            found.append(repr(value) if _is_plain(value) else name)
    return tuple(found)


def _is_plain(value: Any) -> bool:
    return type(value) in PLAIN or (type(value) in (list, tuple) and all(type(each) in PLAIN for each in value))
