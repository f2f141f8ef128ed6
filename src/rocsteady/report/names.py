"""Names of models as a page can show them: printable, short, each different, with a colour and a dash of its own."""

from __future__ import annotations

from dataclasses import dataclass

from rocsteady.errors import printable

# Okabe and Ito's palette, which colour-blind readers can tell apart; dashes tell further models apart.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C6D31")
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3])
LONGEST = 48


@dataclass(frozen=True, slots=True)
class Style:
    """How a model appears."""

    name: str
    colour: str
    dash: list[int]


def styles(models: tuple[str, ...]) -> dict[str, Style]:
    """One style per model; shortened names that collide are numbered.

    Examples
    --------
    >>> [style.name for style in styles(("a" * 60 + "1", "a" * 60 + "2")).values()][1][-4:]
    ' (2)'
    """
    made: dict[str, Style] = {}
    taken: set[str] = set()
    for place, model in enumerate(models):
        name = base = printable(model, most=LONGEST) or "(no name)"
        number = 2
        while name in taken:
            name, number = f"{base} ({number})", number + 1
        taken.add(name)
        made[model] = Style(name, COLOURS[place % len(COLOURS)], DASHES[(place // len(COLOURS)) % len(DASHES)])
    return made
