"""Many small cases in one test: what pytest does around a test takes longer than most of them."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any

import pytest

WITH_A_NAME = type(pytest.param())
Decorator = Callable[[Callable[..., None]], Callable[..., None]]
FAILURES = (Exception, pytest.fail.Exception)


def each_case(names: str | Sequence[str], values: Iterable[Any], ids: Any = None) -> Decorator:
    """``pytest.mark.parametrize`` in one test, which runs all cases and names every one that fails.

    For cases that take milliseconds and share no fixture that one of them changes.
    """
    wanted = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    held = list(values)
    named = [ids] * len(held) if ids is None or callable(ids) else list(ids)
    cases = [_case(wanted, value, name) for value, name in zip(held, named, strict=True)]
    if not cases:
        raise ValueError(f"there is no case of {wanted}: such a test could not fail")

    def one_test(test: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(test)

        @wraps(test)
        def all_cases(*args: Any, **fixtures: Any) -> None:
            told = [(name, _outcome(test, args, fixtures | given)) for name, given in cases]
            failed = [f"[{name}] {outcome}" for name, outcome in told if isinstance(outcome, str)]
            if failed:
                pytest.fail(f"{len(failed)} of {len(cases)} cases failed\n" + "\n".join(failed), pytrace=False)
            if all(isinstance(outcome, pytest.skip.Exception) for _, outcome in told):
                raise told[0][1]

        left = [each for each in signature.parameters.values() if each.name not in wanted]
        all_cases.__signature__ = signature.replace(parameters=left)  # the fixtures that pytest is to bring
        return all_cases

    return one_test


def _case(wanted: list[str], value: Any, ids: str | Callable[[Any], Any] | None) -> tuple[str, dict[str, Any]]:
    name: Any = ids if isinstance(ids, str) else None
    if isinstance(value, WITH_A_NAME):
        if value.marks:
            raise ValueError(f"a case of one test has no marks of its own: {value}")
        name, held = value.id or name, value.values
    else:
        held = (value,) if len(wanted) == 1 else tuple(value)
    return str(name or "-".join(_word(each, ids) for each in held)), dict(zip(wanted, held, strict=True))


def _word(value: Any, ids: Any) -> str:
    own = ids(value) if callable(ids) else getattr(value, "__name__", None)
    return str(own) if own is not None else repr(value)[:60]


def _outcome(test: Callable[..., None], args: tuple[Any, ...], given: dict[str, Any]) -> Any:
    """None, a skip, or what went wrong and in which line of the test."""
    try:
        test(*args, **given)
    except pytest.skip.Exception as skipped:
        return skipped
    except FAILURES as error:
        file = inspect.unwrap(test).__code__.co_filename
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
        kind = "" if isinstance(error, AssertionError | pytest.fail.Exception) else f"{type(error).__name__}: "
        return f"line {lines[-1] if lines else '?'}: {kind}{error}"
    return None
