"""Commands that answer what does not fit: an option by another name, a column that was not named, two in one word."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from typer.core import TyperCommand, TyperGroup

from rocsteady._src.base.errors import ArgumentError, RocsteadyError, printable, some_values
from rocsteady._src.base.near_names import near_names
from rocsteady._src.views.cli.misread import held_by, listed_words, one_too_many, wanted, wrong_value
from rocsteady._src.views.cli.options import between_commas
from rocsteady._src.views.cli.typed_options import refuse_beyond
from rocsteady._src.views.cli.words import FLAGS

if TYPE_CHECKING:
    from collections.abc import Sequence


class AnsweringGroup(TyperGroup):
    """Says which command is meant."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read what stands before a command; an option that is none is one sentence."""
        try:
            return list(super().parse_args(ctx, _asked_plainly(args) if ctx.parent is None else args))
        except Exception as error:
            if type(error).__name__ != "NoSuchOption":
                raise
            name = printable(error.option_name)  # type: ignore[attr-defined]
            if name.lstrip("-").lower() in ("v", "version"):
                raise ArgumentError("option", f"there is no option {name}; the version: rocsteady --version") from error
            words = [_typed_words(ctx), "COMMAND FILE ...", name]
            told = f"there is no option {name} before a command; options follow it: {' '.join(words)}"
            raise ArgumentError("option", told) from error

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command, or answer with the line to type."""
        try:
            return super().resolve_command(ctx, args)
        except Exception as error:
            if not hasattr(error, "message"):
                raise
            told = _file_first(args[0], args[1:]) or _near_command(ctx, args[0], list(self.commands))
            raise ArgumentError("command", told) from error


def _asked_plainly(args: list[str]) -> list[str]:
    """``help``, ``help evaluate`` and ``version`` as the options that they stand for."""
    if args[:1] == ["help"]:
        return [*args[1:], "--help"]
    return ["--version"] if args == ["version"] else args


def _typed_words(ctx: Any) -> str:
    """The command as it is typed: rocsteady, a group, its own name."""
    names: list[str] = []
    while ctx.parent is not None:
        names.insert(0, str(ctx.info_name))
        ctx = ctx.parent
    return " ".join(["rocsteady", *names])


def _file_first(name: str, others: Sequence[str]) -> str:
    if "." in name or name == "-":
        rest = " ".join(others) or "--label ... --score ..."
        return f"name a command first: rocsteady evaluate {printable(name)} {printable(rest)}"
    return ""


def _near_command(ctx: Any, name: str, known: Sequence[str]) -> str:
    near = near_names(name, known, most=2)
    hint = f"did you mean {' or '.join(near)}?" if near else f"the commands are {', '.join(known)}"
    return f"there is no command {' '.join([*_typed_words(ctx).split()[1:], printable(name)])}; {hint}"


class AnsweringCommand(TyperCommand):
    """Takes columns between commas, and says which option is meant, or which columns there are."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options; what is wrong with them is one sentence."""
        typed = list(args)
        try:
            rest = super().parse_args(ctx, args)
        except Exception as error:
            if isinstance(error, RocsteadyError) or not hasattr(error, "format_message"):
                raise
            raise ArgumentError("option", self._answer(ctx, typed, error)) from error
        refuse_beyond(self.params, ctx.params, typed)
        for option in ("score", "by"):
            _spread(ctx.params, option)
        for option in ("measure", "rule"):
            if isinstance(ctx.params.get(option), (list, tuple)):
                ctx.params[option] = between_commas(ctx.params[option])
        return list(rest)

    def _answer(self, ctx: Any, typed: list[str], error: Any) -> str:
        kind, called = type(error).__name__, _typed_words(ctx)
        if kind == "NoSuchOption":
            return self._option_meant(str(error.option_name))
        if kind == "BadOptionUsage":
            return f"{printable(error.option_name)} {'needs a' if 'requires' in error.message else 'takes no'} value"
        if kind == "BadParameter" and error.param is not None:
            return wrong_value(error.param, typed, error.message)
        try:
            ctx.resilient_parsing = True
            super().parse_args(ctx, list(typed))
        except Exception as other:
            if not hasattr(other, "format_message"):
                raise
        told = self._what_is_missing(ctx, called)
        if told or kind == "MissingParameter":
            return told or printable(error.format_message())
        return one_too_many(called, self.params, typed, ctx.args) or printable(error.format_message())

    def _option_meant(self, name: str) -> str:
        known = {flag for param in self.params for flag in param.opts}
        words = {flag.lstrip("-").replace("-", "_"): flag for flag in known}
        words |= {word: flag for word, flag in FLAGS.items() if flag in known}
        near = dict.fromkeys(words[each] for each in near_names(name.lstrip("-").replace("-", "_"), words, most=2))
        hint = f"did you mean {' or '.join(near)}?" if near else f"'rocsteady {self.name} --help' lists its options"
        return f"{self.name} has no option {printable(name)}; {hint}"

    def _what_is_missing(self, ctx: Any, called: str) -> str:
        given = ctx.params
        lacking = [each for each in self.params if each.required and not given.get(each.name or "")]
        if not lacking:
            return ""
        if any(each.name in ("file", "files") for each in lacking):
            return f"which file? Name it: {called} FILE ..., or - for standard input"
        file = given.get("file")
        columns = {str(each.name): what for each in lacking if (what := held_by(each))}
        if file is None or not columns:
            return f"name {' and '.join(wanted(each) for each in lacking)}: {called} ..."
        extra = ctx.args
        if list(columns) == ["label", "score"] and len(extra) > 1 and file != "-" and are_columns(file, given, extra):
            line = shlex.join([*called.split(), str(file), "--label", extra[0], "--score", ",".join(extra[1:])])
            return f"columns go by name: {printable(line)}"
        what = listed_words([f"{words} (--{name})" for name, words in columns.items()])
        told = f"which column of {printable(file)} holds {what}?"
        return f"{told} {columns_told(file, given, list(columns))}" if file != "-" else told


def are_columns(file: str, given: dict[str, Any], words: Sequence[str]) -> bool:
    """Whether all words are columns of a file."""
    from rocsteady._src.views.cli.load import columns_in

    return set(words) <= set(columns_in(file, given.get("delimiter")))


def columns_told(file: str, given: dict[str, Any], lacking: list[str]) -> str:
    """The columns of a file, and which of them may hold labels."""
    from rocsteady._src.views.cli.load import columns_in, columns_of_two_values

    columns = columns_in(file, given.get("delimiter"))
    told = f"The columns are {some_values(columns, most=20)}"
    two = columns_of_two_values(file, columns, given.get("delimiter")) if "label" in lacking else []
    has = "has" if len(two) == 1 else "have"
    return f"{told}; {some_values(two, most=20)} {has} two values" if two else told


def _spread(given: dict[str, Any], option: str) -> None:
    """Names between commas are several columns, where no column has such a name and each of them is one."""
    names: list[str] | None = given.get(option)
    if (
        not isinstance(names, (list, tuple))
        or not any("," in name for name in names)
        or given.get("file") in (None, "-")
    ):
        return
    from rocsteady._src.views.cli.load import columns_in

    columns = columns_in(given["file"], given.get("delimiter"))
    spread: list[str] = []
    for name in names or ():
        if option == "score" and name not in columns and "=" in name:  # a model with its columns, as lr=p,q,r
            spread.append(name)
            continue
        parts = [part.strip() for part in name.split(",")]
        spread += parts if name not in columns and all(part in columns for part in parts) else [name]
    given[option] = list(dict.fromkeys(spread))
