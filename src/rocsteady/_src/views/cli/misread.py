"""What a command says of values that it cannot read, of words that are too many, and of columns that nobody named."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

OF_COLUMNS = "Column of "
HELD = {"label": "the labels", "score": "the scores", "by": "the groups"}
FILES = ("file", "files")


def held_by(param: Any) -> str:
    """What the column holds that an option names; nothing for options that name none.

    Its help says it: "Column of the day on which a row was scored."
    """
    told = str(getattr(param, "help", None) or "")
    if not told.startswith(OF_COLUMNS):
        return ""
    return HELD.get(param.name) or told.removeprefix(OF_COLUMNS).split(";")[0].split(". ")[0].rstrip(".")


def wanted(param: Any) -> str:
    """An option or argument that must be given, with its help."""
    name = param.opts[0] if param.param_type_name == "option" else str(param.name).upper()
    told = str(getattr(param, "help", None) or "").rstrip(".")
    return f"{name} ({told})" if told else name


def listed_words(words: Sequence[str]) -> str:
    """Words with commas, and "and" before the last.

    Examples
    --------
    >>> listed_words(["a"]), listed_words(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def wrong_value(param: Any, typed: Sequence[str], told: str) -> str:
    """What a value should have been: a number, one of some words.

    ``told`` are the words of the reader of options, which differ between its versions.
    """
    name = param.opts[0] if param.param_type_name == "option" else str(param.name).upper()
    got = _value_of(param, typed)
    found = f", not {printable(repr(got))}" if got is not None else ""
    if "one of" in told:
        return f"{name} takes {printable(told.partition('one of')[2].strip(' .:'))}{found}"
    if "integer" in told:
        return f"{name} takes a whole number{found}"
    if "number" in told or "float" in told:
        return f"{name} takes a number{found}"
    return f"{name}: {printable(told)}"


def _value_of(param: Any, typed: Sequence[str]) -> str | None:
    """The last value that was typed for an option."""
    found = None
    for at, word in enumerate(typed):
        option, equals, value = word.partition("=")
        if word in param.opts and at + 1 < len(typed):
            found = typed[at + 1]
        elif equals and option in param.opts:
            found = value
    return found


def one_too_many(called: str, params: Sequence[Any], typed: Sequence[str], extra: Sequence[str]) -> str:
    """What to do with words that belong to no option: more files, or more columns."""
    if not extra:
        return ""
    names = [str(each.name) for each in params if each.param_type_name == "argument"]
    word = printable(repr(extra[0]))
    if not names:
        return f"{word} is one too many: {called} takes options alone"
    if names[0] not in FILES:
        every = shlex.quote(" ".join(each for each in typed if not each.startswith("-")))
        return f"{word} is one too many; several words go between quotes: {called} {printable(every)}"
    if all(Path(each).exists() for each in extra):
        return f"{called} takes one FILE; several are one pattern between quotes, such as '*{Path(extra[0]).suffix}'"
    at = list(typed).index(extra[0])
    before = typed[at - 2] if at > 1 else ""
    if any(before in each.opts and each.multiple for each in params if each.param_type_name == "option"):
        both = shlex.quote(",".join([typed[at - 1], *extra]))
        return f"{word} is one too many; {before} stands before each, or once: {before} {printable(both)}"
    return f"{word} is one too many; columns and values go by name, such as --label {printable(shlex.quote(extra[0]))}"
