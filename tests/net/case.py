"""What a case is: a table, a question in words of the subject, and the lines of the map that it covers."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

KINDS: Final = ("exact", "formula", "resampled")


@dataclass(frozen=True)
class Case:
    """One question about one table.

    ``kind`` says how closely answers are compared: ``exact`` to the bit, ``formula`` to 1e-12, ``resampled`` likewise,
    and a changelog may change it. ``slow`` names the engine that takes seconds to start: Spark or Dask.
    """

    subject: str
    data: str
    verb: str
    words: dict[str, Any]
    lines: tuple[str, ...]
    kind: str = "formula"
    slow: str = ""

    @property
    def id(self) -> str:
        """What stays the same as long as the question does, and is another one when it changes."""
        asked = " ".join(f"{name}={_told(value)}" for name, value in self.words.items())
        return f"{self.verb} of {self.data}" + (f": {asked}" if asked else "")


class Each(tuple[Any, ...]):
    """Values of a word of which each makes cases of its own."""

    __slots__ = ()


def each(*values: Any) -> Each:
    return Each(values)


def cases(verb: str, data: str | Each, *lines: str, kind: str = "formula", slow: str = "", **words: Any) -> list[Case]:
    """Cases of one verb: the product of all words that have several values; None leaves a word out."""
    if kind not in KINDS:
        raise ValueError(f"kind {kind!r}")
    tables = data if isinstance(data, Each) else Each((data,))
    made = [(table, chosen) for table in tables for chosen in _products(words)]
    return [Case("", table, verb, chosen, lines, kind, slow) for table, chosen in made]


def _products(words: dict[str, Any]) -> Iterator[dict[str, Any]]:
    options = [value if isinstance(value, Each) else Each((value,)) for value in words.values()]
    for chosen in itertools.product(*options):
        yield {name: value for name, value in zip(words, chosen, strict=True) if value is not None}


def _told(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{name}:{_told(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_told, value)) + "]"
    return str(value)
