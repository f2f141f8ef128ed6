"""The command that was typed, as it can be typed again."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer


def typed_command(context: typer.Context) -> str:
    """Name and options of the command, those that were given."""
    words = ["rocsteady", context.command.name or ""]
    options: list[str] = []
    for parameter in context.command.params:
        name = parameter.name or ""
        source = context.get_parameter_source(name)
        if source is None or source.name != "COMMANDLINE":
            continue
        value = context.params[name]
        if parameter.param_type_name == "argument":
            words += [str(each) for each in (value if isinstance(value, (list, tuple)) else [value])]
        elif value is True:
            options.append(parameter.opts[0])
        else:
            listed = value if isinstance(value, (list, tuple)) else [value]
            options += [word for each in listed for word in (parameter.opts[0], str(getattr(each, "value", each)))]
    return shlex.join([*words, *options])
