"""Methods of results answer a call with options that they do not have by the word, or the line, that is meant."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Hashable
from os import PathLike, fspath
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TypeVar, cast

from rocsteady._src.base.errors import ArgumentError, printable, some_values
from rocsteady._src.base.unknown_options import CallError, refuse_unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Method = TypeVar("Method", bound="Callable[..., Any]")
PICTURES = (".eps", ".jpeg", ".jpg", ".pdf", ".pgf", ".png", ".ps", ".svg", ".tif", ".tiff", ".webp")
FILES = ("file", "filename", "filepath", "fname", "out", "outfile", "output", "path", "save", "save_path", "savefig")
EXAMPLES = {"path": "'result.json'"}
OF_AXES = ("title", "xlabel", "ylabel", "xlim", "ylim", "xscale", "yscale")
OF_PICTURES = {
    **{name: f"a picture's {name} is set afterwards: result.plot().ax_.set({name}=...)" for name in OF_AXES},
    "figsize": "axes of any size are drawn on: result.plot(ax=plt.subplots(figsize=(8, 6))[1])",
    "axes": "axes to draw on come first: result.plot(ax)",
    "show": "a notebook shows what plot() returns; elsewhere call matplotlib's plt.show() after it",
    "dpi": "dots are counted when a picture is written: result.plot().savefig('picture.png', dpi=300)",
}


def answer_methods(kind: type) -> None:
    """Let the public methods of a class answer; those that do already stay as they are."""
    for name, found in list(kind.__dict__.items()):
        if inspect.isfunction(found) and not name.startswith("_") and not hasattr(found, "answers"):
            setattr(kind, name, answered(found))
    found = kind.__dict__.get("__getitem__")
    if found is not None and not hasattr(found, "answers"):
        setattr(kind, "__getitem__", _answered_key(found))  # noqa: B010 - a class of any kind


class AbsentKeyError(ArgumentError, KeyError):
    """A name that a result does not have; Python's own answer would be a KeyError."""

    def __str__(self) -> str:
        return str(self.args[0])


def _answered_key(method: Callable[..., Any]) -> Any:
    """The same look-up, which says what there is where it finds nothing."""

    @functools.wraps(method)
    def find(self: Any, name: Any) -> Any:
        try:
            return method(self, name)
        except (KeyError, TypeError) as error:
            if isinstance(error, ArgumentError) or (isinstance(error, TypeError) and isinstance(name, Hashable)):
                raise
            raise AbsentKeyError("name", _known_keys(self, name)) from None

    find.answers = True  # type: ignore[attr-defined]
    return find


def _known_keys(result: Any, name: Any) -> str:
    held: Any = getattr(result, "models", None) or getattr(result, "values", ())
    known = list(result) if hasattr(type(result), "__iter__") else list(held)
    text = f"there is no {printable(repr(name), most=60)} in this result; it has: {some_values(known, most=20)}"
    text += _by_name(name, known)
    models = getattr(getattr(result, "overall", None), "models", ())
    return f"{text}; of all rows result.overall[{name!r}]" if name in models and name not in known else text


def no_such_part(name: Any, models: Sequence[str], measures: Sequence[str]) -> AbsentKeyError:
    """What an evaluation says of a part that it does not have.

    Examples
    --------
    >>> str(no_such_part(0, ("lr", "gb"), ("auc",))).partition("; models go")[2]
    " by name, not by place: result['lr']"
    """
    known = f"models: {some_values(models, most=20)}; measures: {some_values(measures, most=20)}"
    text = f"there is no model or measure {printable(repr(name), most=60)} in this evaluation; {known}"
    return AbsentKeyError("name", text + _by_name(name, models))


def _by_name(name: Any, known: Sequence[Any]) -> str:
    """How a part is asked for, where somebody gave its place, or several at once."""
    if isinstance(name, int) and -len(known) <= name < len(known):
        return f"; models go by name, not by place: result[{known[name]!r}]"
    if isinstance(name, tuple) and len(name) > 1:
        return f"; parts of parts are asked for one after the other: result{''.join(f'[{each!r}]' for each in name)}"
    return "; parts are asked for one by one, by name" if isinstance(name, (list, slice)) else ""


def answered(method: Method) -> Method:
    """The same method, which names the option that is meant where it has none of that name."""
    name, known = method.__name__, inspect.signature(method).parameters
    options_of_lines = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in known.values())

    @functools.wraps(method)
    def call(self: Any, *args: Any, **options: Any) -> Any:
        if name == "plot" and (args or options):
            refuse_for_pictures(args, options, known)
        try:
            return method(self, *args, **options)
        except TypeError as error:
            bound = error.__traceback__ is not None and error.__traceback__.tb_next is not None
            if bound or options_of_lines:  # it is the method's own
                raise
            refuse_unknown(name, options, [each for each in known if each != "self"])
            _refuse_lacking(name, args, options, known)
            raise

    call.answers = True  # type: ignore[attr-defined]
    return cast("Method", call)


def _refuse_lacking(method: str, args: tuple[Any, ...], options: dict[str, Any], known: Any) -> None:
    needed = [
        each.name for each in known.values() if each.default is each.empty and each.kind is each.POSITIONAL_OR_KEYWORD
    ]
    lacking = [each for each in needed[1 + len(args) :] if each not in options]
    if lacking:
        line = f"result.{method}({', '.join(EXAMPLES.get(each, each) for each in needed[1:])})"
        raise CallError("missing_argument", f"{method}() lacks {' and '.join(lacking)}: {line}")


def refuse_for_pictures(args: tuple[Any, ...], options: dict[str, Any], known: Any) -> None:
    """Refuse to write files, and to set what belongs to the axes, with the line that does it.

    Examples
    --------
    >>> refuse_for_pictures((), {"title": "My model"}, ("ax",))
    Traceback (most recent call last):
    ...
    rocsteady._src.base.unknown_options.CallError: a picture's title is set afterwards: result.plot().ax_.set(title=...)
    """
    files = [given for given in args[:1] if is_picture(given)]
    files += [options[each] for each in FILES if each in options and each not in known]
    if files:
        shown = fspath(files[0]) if isinstance(files[0], (str, PathLike)) else "picture.png"
        raise CallError("picture_file", f"a picture is written by result.plot().savefig({shown!r})")
    if args and isinstance(args[0], str) and "kind" not in known:
        raise CallError("picture_kind", f"there is one picture of this result: result.plot(), without {args[0]!r}")
    for name in options:
        if name in OF_PICTURES and name not in known:
            raise CallError("picture_option", OF_PICTURES[name])


def is_picture(given: Any) -> bool:
    """Whether this names a file for a picture, not a kind of picture."""
    if isinstance(given, PathLike):
        return True
    return isinstance(given, str) and PurePath(given).suffix.lower() in PICTURES
