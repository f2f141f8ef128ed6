"""Names as a page can show them: printable, short, each different; a model has a colour and a dash of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable
from rocsteady._src.views.plots.style import look

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST = 48
# What every object of JavaScript has: charts, whose tables are such objects, cannot hold these as names of models.
RESERVED: tuple[str, ...] = ("__proto__", "constructor", "toString", "toLocaleString", "valueOf", "hasOwnProperty")
RESERVED += ("isPrototypeOf", "propertyIsEnumerable", "__defineGetter__", "__defineSetter__", "__lookupGetter__")
RESERVED += ("__lookupSetter__",)


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
        text = printable(each, most=LONGEST)
        name = base = f"({text})" if text in RESERVED else text or "(no name)"
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
        model: Style(name, *look(place))
        for place, (model, name) in enumerate(zip(models, short_names(models), strict=True))
    }
