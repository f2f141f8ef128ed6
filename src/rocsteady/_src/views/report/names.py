"""Names as a page can show them: printable, short, each different; a model has a colour and a dash of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

# Okabe and Ito's palette, which colour-blind readers can tell apart; dashes tell further models apart.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C6D31")
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3])
LONGEST = 48


@dataclass(frozen=True, slots=True)
class Style:
    """How a model, or a class, appears; ``shown`` when the page opens."""

    name: str
    colour: str
    dash: list[int]
    shown: bool = True


def short_names(names: Iterable[object]) -> list[str]:
    """Names of a bounded length; those that collide are numbered.

    Examples
    --------
    >>> short_names(["a", "1", 1])
    ['a', '1', '1 (2)']
    """
    made: list[str] = []
    taken: set[str] = set()
    for each in names:
        name = base = printable(each, most=LONGEST) or "(no name)"
        number = 2
        while name in taken:
            name, number = f"{base} ({number})", number + 1
        taken.add(name)
        made.append(name)
    return made


def styles(models: tuple[Any, ...]) -> dict[Any, Style]:
    """One style per model; shortened names that collide are numbered.

    Examples
    --------
    >>> [style.name for style in styles(("a" * 60 + "1", "a" * 60 + "2")).values()][1][-4:]
    ' (2)'
    """
    return {
        model: Style(name, COLOURS[place % len(COLOURS)], DASHES[(place // len(COLOURS)) % len(DASHES)])
        for place, (model, name) in enumerate(zip(models, short_names(models), strict=True))
    }
