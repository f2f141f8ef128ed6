"""What every command makes of its options: numbers that a double holds, and how text files write theirs."""

from __future__ import annotations

import functools
import inspect
import math
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady._src.base.errors import ArgumentError, printable
from rocsteady._src.base.written_numbers import is_beyond
from rocsteady._src.inputs.files.text_form import TextForm

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Decimal = Annotated[
    str | None,
    typer.Option(
        "--decimal", help="Of text files: the sign before decimals; a comma is seen where it can be nothing else."
    ),
]


class Commands(typer.Typer):
    """Commands; those that read text files have --decimal beside --delimiter."""

    def command(self, *names: Any, **options: Any) -> Callable[[Any], Any]:
        """Make a function a command."""
        made = super().command(*names, **options)

        def taken(function: Any) -> Any:
            made(with_decimal(function))
            return function

        return taken


def with_decimal(function: Any) -> Any:
    """A command that divides text files, with an option for how they write decimals; other functions as they are."""
    signature = inspect.signature(function, eval_str=True)
    if "delimiter" not in signature.parameters:
        return function

    @functools.wraps(function)
    def command(*args: Any, decimal: str | None = None, **options: Any) -> Any:
        if decimal is not None:
            options["delimiter"] = TextForm(options.get("delimiter"), decimal)
        return function(*args, **options)

    listed = list(signature.parameters.values())
    after = [each.name for each in listed].index("delimiter") + 1
    sign = inspect.Parameter("decimal", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=Decimal)
    listed.insert(after, sign)
    command.__signature__ = signature.replace(parameters=listed)  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in listed}
    return command


def refuse_beyond(params: Sequence[Any], values: dict[str, Any], typed: Sequence[str]) -> None:
    """Refuse numbers that became infinite or 0 when they were read, and NaN."""
    for param in params:
        value = values.get(str(param.name))
        held = value if isinstance(value, (list, tuple)) else [value]
        if not any(isinstance(each, float) and not _is_plain(each) for each in held):
            continue
        for text in _typed_for(param.opts, typed):
            number = float(text)
            if math.isnan(number) or is_beyond(text, number):
                told = f"{param.opts[0]} takes a number that a double holds, 5e-324 to 1.8e308"
                raise ArgumentError("option", f"{told}, not {printable(text, most=40)!r}")


def _is_plain(number: float) -> bool:
    return math.isfinite(number) and number != 0


def _typed_for(names: Sequence[str], typed: Sequence[str]) -> list[str]:
    """All values that were typed for an option."""
    found = [after for word, after in pairwise(typed) if word in names]
    return found + [word.partition("=")[2] for word in typed if "=" in word and word.partition("=")[0] in names]
