"""What the arguments of measures mean, written once: ``help`` shows it below every measure that takes them."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

WORDS = {
    "y_true": (
        "array-like or RankedScores",
        "Labels: {0, 1}, {-1, 1}, booleans, or anything together with ``pos_label``; or ranked scores.",
    ),
    "y_score": ("array-like", "Scores; higher means more positive."),
    "sample_weight": ("array-like, optional", "Row weights >= 0."),
    "pos_label": ("optional", "The label of the positive class."),
    "missing": ('{"raise", "drop"}', "Rows that lack a value are refused, or left out and counted."),
    "threshold": ("float", "Rows are called positive where their score reaches it."),
    "definition": (
        '{"consistent", "dong2013"}',
        "Positives moved by delta, or the windows of the 2013 paper, which warn of their faults.",
    ),
    "exact": ("bool", "Take every pair, in O(P * N): slower, to check the sum that is used otherwise."),
    "float_ties": (
        '{"exact", "ieee"}',
        '"exact": differences that rounding puts next to delta are equal to it; "ieee": they are taken as they are.',
    ),
    "floor": ("float", "What a won pair is worth at least, in [0, 1]."),
}


def documented(text: str | None, parameters: Iterable[str]) -> str:
    """A docstring with these parameters in its section on them, unless it explains them itself.

    Examples
    --------
    >>> documented("Share of pairs.", ["y_score", "other"]).splitlines()[2:]
    ['Parameters', '----------', 'y_score : array-like', '    Scores; higher means more positive.']
    """
    plain = inspect.cleandoc(text or "")
    own = "Parameters\n----------"
    explained = _explained(plain.partition(own)[2].partition("\n\n")[0])
    left = [name for name in parameters if name in WORDS and name not in explained]
    told = [f"{name} : {WORDS[name][0]}\n    {WORDS[name][1]}" for name in left]
    section = "\n".join(["Parameters", "----------", *told])
    if own in plain:
        return plain.replace(own, section, 1)
    before, heading, after = plain.partition("Examples\n---")
    return f"{before.rstrip()}\n\n{section}" + (f"\n\n{heading}{after}" if heading else "")


def _explained(section: str) -> set[str]:
    """Names that a section on parameters begins its lines with: ``y_true, y_score : array-like``."""
    heads = [line.partition(" :")[0] for line in section.splitlines() if not line.startswith(" ")]
    return {name.strip() for head in heads for name in head.split(",")}
