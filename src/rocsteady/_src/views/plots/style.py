"""How models look, in pictures and on the page: each its own colour and dash."""

from __future__ import annotations

from typing import Any

# Okabe and Ito's palette, which colour-blind readers can tell apart; brown in place of black, which a dark page hides.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C6D31")
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3])  # ink and gaps, in points
# What belongs to no model: scores of negatives and of positives, and what curves are compared with.
NEGATIVES, POSITIVES, NEUTRAL, REFERENCE = "#A9B0B7", "#4A525A", "#7F8890", "#767676"
LINE_WIDTH = 1.8
ENOUGH_CONTRAST, MIDDLE_LIGHT = 4.5, 0.18


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


def readable(colour: Any, ground: Any) -> tuple[float, ...]:
    """The colour, as much darker or lighter as letters need to be read on a ground.

    Examples
    --------
    >>> [round(part, 2) for part in readable("#E69F00", "white")]
    [0.6, 0.41, 0.0]
    """
    from matplotlib.colors import to_rgb

    ink: tuple[float, ...] = to_rgb(colour)
    paper = to_rgb(ground)
    end = 0.0 if _light(paper) > MIDDLE_LIGHT else 1.0
    while _contrast(ink, paper) < ENOUGH_CONTRAST:
        ink = tuple(0.95 * part + 0.05 * end for part in ink)
    return ink


def _contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """How much lighter the lighter one is, as WCAG 2 counts it: from 1 to 21."""
    low, high = sorted((_light(one), _light(other)))
    return (high + 0.05) / (low + 0.05)


def _light(colour: tuple[float, ...]) -> float:
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
