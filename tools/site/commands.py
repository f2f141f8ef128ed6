"""The page of commands, read from the command line itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

TOP = """# Commands

`rocsteady COMMAND --help` says the same in a terminal; `pip install "rocsteady[cli]"` brings what commands need.
They read CSV, TSV, Parquet and JSON lines, or standard input under the name `-`,
and write text, JSON, CSV, Markdown or a page.
Exit codes are in [what stays](promises.md); [questions](questions.md) says which command answers what.

"""


def write_commands(target: Path) -> None:
    """Write all commands with their arguments and options."""
    target.write_text(TOP + "\n".join(of_command(name, each) for name, each in commands().items()), encoding="utf-8")


def commands() -> dict[str, Any]:
    """Commands by name, as typer makes them."""
    from typer.main import get_command

    from rocsteady._src.views.cli.app import app

    group: Any = get_command(app)
    return {name: each for name, each in group.commands.items() if not each.hidden}


def of_command(name: str, command: Any) -> str:
    """What it is for, how it is typed, and what every option means, in the words of its help."""
    context = command.context_class(command, info_name=name)
    told = [each.get_help_record(context) for each in command.get_params(context)]
    known = [(shown(names), plain(words)) for names, words in (each for each in told if each) if names != "--help"]
    words = [each.name.upper() for each in of_kind(command, "argument")]
    usage = " ".join(["rocsteady", name, *words, "[OPTIONS]"])
    lines = [f"## {name}", "", plain(command.help or ""), "", f"```\n{usage}\n```", ""]
    return "\n".join([*lines, *[f"`{names}`\n: {words}\n" for names, words in known]]) + "\n"


def of_kind(command: Any, kind: str) -> list[Any]:
    """Its arguments, or its options."""
    return [each for each in command.params if each.param_type_name == kind]


def shown(names: str) -> str:
    """How an option is typed, with a word for what goes behind it."""
    return re.sub("<list\\[(.*)\\]>", "<\\1>", names).replace("<str>", "TEXT").replace("<float>", "NUMBER").replace(
        "<int>", "N").replace("<path>", "FILE")  # fmt: skip


def plain(text: str) -> str:
    """Help without the marks of its terminal; lines that were broken are joined."""
    paragraphs = [re.sub(r"\s+", " ", part).strip() for part in text.replace("\b", "").split("\n\n")]
    return "\n\n".join(paragraphs).replace("<", "&lt;").replace("*", r"\*")
