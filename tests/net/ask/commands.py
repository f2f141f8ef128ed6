"""The command line: JSON of commands, asked in words of their options."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from rocsteady import RocsteadyError

from .words import verb

Table = dict[str, Any]


class CommandError(RocsteadyError):
    """A command that ended with an error."""


def answer_of(*arguments: str, cwd: Path | None = None) -> dict[str, Any]:
    """What a command prints as JSON, and its exit code; a usage error is a refusal."""
    from command import rocsteady

    ended = rocsteady(*arguments, cwd=cwd)
    if ended.returncode == 2 or not ended.stdout.strip():
        raise CommandError(f"exit {ended.returncode}", ended.stderr)
    found = json.loads(ended.stdout)
    told: dict[str, Any] = found if isinstance(found, dict) else {"rows": found}
    return {"exit": ended.returncode} | told


@verb("command")
def command(table: Table, name: str, files: str = "csv", **words: Any) -> Any:
    """A command on the table as a file; words are its options, lists repeat, True is a flag."""
    from .files import write

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        given = [write(table, place, files, tuple(table)).name] if table else []
        for option, value in words.items():
            given += _option(option, value, table, place)
        return answer_of(name, *given, "--format", "json", cwd=place)


def _option(option: str, value: Any, table: Table, folder: Path) -> list[str]:
    flag = f"--{option.replace('_', '-')}"
    if option == "argument":
        return [str(value)]
    if option == "text":  # of a second file, or of one instead of the table
        path = folder / "given.txt"
        path.write_text(value)
        return [path.name]
    if option == "rows_before":
        return ["--reference", _rows(table, value, folder)]
    if option == "config":
        (folder / "gate.toml").write_text(value)
        return ["--conditions", "gate.toml"]
    if value is True:
        return [flag]
    values = value if isinstance(value, tuple) else (value,)
    return [text for each in values for text in (flag, str(each))]


def _rows(table: Table, first: int, folder: Path) -> str:
    """The first rows of the table as a file of their own."""
    from .files import write

    (folder / "before").mkdir()
    return str(write({name: each[:first] for name, each in table.items()}, folder / "before", "csv", tuple(table)))
