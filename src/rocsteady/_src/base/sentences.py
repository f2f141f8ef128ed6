"""Sentences that know their parts, so that the library, the command line and a page each say them in their own words.

A sentence is text as the library says it, made of a template and parameters. In a template,

- ``{n:count}`` is a parameter, written by the formatter of that name; ``{n!r}`` its ``repr``, ``{n}`` its text;
- ``{missing='drop'}``, ``{pos_label=...}`` or ``{fold=}`` is an argument, ``{method='a' or 'b'}`` one of two choices;
- ``{@pos_label}`` is the name of an argument;
- ``{rs.list_measures()}`` or ``{rs.compare_auc(method='auto')}`` is a call;
- ``{ (docs/crossval.md)}`` is where to read on.

What stands in parameters is data and stays as it is, whatever it looks like.
"""

from __future__ import annotations

import string
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import (
    format_count,
    format_digits,
    format_level,
    format_number,
    format_p,
    format_setting,
    format_share,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

FORMS: dict[str, Callable[[Any], str]] = {
    "count": format_count,
    "number": format_number,
    "setting": format_setting,
    "level": format_level,
    "p": format_p,
    "share": format_share,
    "list": ", ".join,
    "number3": partial(format_number, decimals=3),
    "short": partial(printable, most=48),
    **{f"digits{digits}": partial(format_digits, digits=digits) for digits in (2, 3, 6)},
}


VERB = "pass"


@dataclass(frozen=True, slots=True)
class Option:
    """An argument of the library, of a function ``call`` where that matters, with the values to choose from, if any.

    Examples
    --------
    >>> Option("cluster", ("who",)).python, Option("method", ("wilson", "logit")).python, Option("fold").python
    ("cluster='who'", "method='wilson' or 'logit'", 'fold=')
    """

    name: str
    values: tuple[object, ...] = ()
    call: str = ""
    written: str = field(default="", compare=False)

    @property
    def python(self) -> str:
        """As the library writes it."""
        if self.written:
            return self.written
        plain = f"{self.name}={' or '.join(map(repr, self.values))}"
        return f"rs.{self.call}({plain})" if self.call else plain


def argument(name: str) -> Sentence:
    """The name of an argument, which a door may call otherwise."""
    return Sentence(f"{{@{name}}}")


@dataclass(frozen=True, slots=True)
class Door:
    """Where sentences are read: how it spells arguments, whether its readers can follow paths of documents.

    An argument is passed, in the words of the library; ``verb`` is what its readers do with it.
    """

    name: str
    spelled: Callable[[Option], str]
    has_documents: bool = True
    verb: str = VERB


PYTHON = Door("python", lambda option: option.python)


class Sentence(str):
    """Text that a door can say in its own words; ``params`` are what it is about.

    Examples
    --------
    >>> told = Sentence("{n:count} missing; pass {missing='drop'} to leave them out", n=1200)
    >>> told
    "1,200 missing; pass missing='drop' to leave them out"
    >>> told.said(Door("shell", lambda option: f"--{option.name} {option.values[0]}")), told.params
    ('1,200 missing; pass --missing drop to leave them out', {'n': 1200})
    """

    __slots__ = ("params", "template")
    template: str
    params: dict[str, Any]

    def __new__(cls, template: str, /, **params: Any) -> Sentence:
        """Make one from a template and its parameters."""
        made = super().__new__(cls, rendered(template, params, PYTHON))
        made.template, made.params = template, params
        return made

    def said(self, door: Door) -> str:
        """The sentence in the words of a door."""
        return rendered(self.template, self.params, door)

    @property
    def options(self) -> tuple[Option, ...]:
        """The arguments that it names, also those of sentences within."""
        fields = [name for _, name, _, _ in _parsed(self.template) if name]
        own = [option for name in fields if (option := _written(name)) is not None]
        given = [part for value in self.params.values() for part in _within(value)]
        return (*own, *given)

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), (self.template,), self.params)


def _again(kind: type[Sentence], given: tuple[Any, ...], params: dict[str, Any]) -> Sentence:
    return kind(*given, **params)


def said(text: str, door: Door) -> str:
    """Text in the words of a door: a sentence knows them, other text is the same everywhere."""
    return text.said(door) if isinstance(text, Sentence) else text


def safe(line: str) -> str:
    """A line that cannot steer a terminal; a sentence keeps its parts."""
    return line if isinstance(line, Sentence) else printable(line)


def joined(between: str, parts: Iterable[str]) -> Sentence:
    """Several sentences as one.

    Examples
    --------
    >>> joined("; ", ["few rows", Sentence("pass {id=}")]).options[0].name
    'id'
    """
    numbered = {f"part{place}": part for place, part in enumerate(parts)}
    return Sentence(between.replace("{", "{{").replace("}", "}}").join(f"{{{name}}}" for name in numbered), **numbered)


@lru_cache(maxsize=512)
def _parsed(template: str) -> tuple[tuple[str, str | None, str, str | None], ...]:
    return tuple((text, name, form or "", turned) for text, name, form, turned in string.Formatter().parse(template))


def rendered(template: str, params: Mapping[str, Any], door: Door) -> str:
    """A template with its parameters, in the words of a door, safe on a terminal."""
    parts = []
    for text, name, form, turned in _parsed(template):
        parts.append(text)
        if name is not None:
            if door.verb != VERB and text.endswith(f"{VERB} "):
                parts[-1] = f"{text.removesuffix(f'{VERB} ')}{door.verb} "
            parts.append(_field(name, form, turned, params, door))
    return printable("".join(parts))


def _field(name: str, form: str, turned: str | None, params: Mapping[str, Any], door: Door) -> str:
    if name.startswith(" (docs/"):
        return name if door.has_documents else ""
    option = _written(name)
    if option is not None:
        return door.spelled(option)
    value = params[name]
    if isinstance(value, Option):
        return door.spelled(value)
    if turned == "r":
        return repr(value)
    return FORMS[form](value) if form else said(value, door) if isinstance(value, str) else str(value)


@lru_cache(maxsize=512)
def _written(name: str) -> Option | None:
    """The argument or call that a field of a template writes out; None where it names a parameter."""
    if name.startswith("@"):
        return Option(name[1:], (), written=name[1:])
    call, inner = "", name
    if name.startswith("rs."):
        call, _, inner = name.removeprefix("rs.").partition("(")
        inner = inner.removesuffix(")")
    elif "=" not in name:
        return None
    argument, _, values = inner.rpartition("=")
    return Option(argument, tuple(map(_value, values.split(" or "))) if values else (), call, name)


def _value(written: str) -> object:
    return written[1:-1] if written[:1] in ("'", '"') else written


def _within(value: object) -> tuple[Option, ...]:
    if isinstance(value, Option):
        return (value,)
    return value.options if isinstance(value, Sentence) else ()
