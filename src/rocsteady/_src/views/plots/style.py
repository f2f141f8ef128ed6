"""How models look, in pictures and on the page: each its own colour and dash."""

from __future__ import annotations

from typing import Any

# Okabe and Ito's palette, which colour-blind readers can tell apart; brown in place of black, which a dark page hides.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C6D31")
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3])  # ink and gaps, in points
# What belongs to no model: scores of negatives and of positives, and what curves are compared with.
NEGATIVES, POSITIVES, REFERENCE = "#A9B0B7", "#4A525A", "#767676"
LINE_WIDTH = 1.8


def look(place: int) -> tuple[str, list[int]]:
    """Colour and dash of a model by its place; both together differ among 28 models, and each from its neighbour's.

    Examples
    --------
    >>> look(0), look(7)
    (('#0072B2', [1, 0]), ('#0072B2', [8, 3, 2, 3]))
    """
    return COLOURS[place % len(COLOURS)], DASHES[place % len(DASHES)]


def line_style(place: int) -> dict[str, Any]:
    """The same for matplotlib, whose dashes are counted in widths of the line."""
    colour, dash = look(place)
    return {"color": colour, "linestyle": (0, tuple(each / LINE_WIDTH for each in dash)) if dash[1] else "solid"}
