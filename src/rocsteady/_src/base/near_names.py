"""Names that somebody may have meant: spelled much alike, as a whole or in one of their words."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

WHOLE, WORD, SHORTEST = 0.7, 0.85, 5


def near_names(name: str, known: Iterable[str], *, most: int = 3) -> list[str]:
    """Known names that look like one, the likest first; case does not matter.

    Examples
    --------
    >>> near_names("mathews", ["matthews_correlation", "merge", "measure"])
    ['matthews_correlation']
    >>> near_names("mere_AUC", ["merge", "measure"]), near_names("aucc", ["auc", "auch", "rank"])
    ([], ['auc', 'auch'])
    """
    asked = name.casefold()
    likeness = {each: _likeness(asked, each.casefold()) for each in known}
    found = sorted((each for each in likeness if likeness[each]), key=lambda each: -likeness[each])
    return found[:most]


def meant_columns(absent: Iterable[Any], known: Iterable[Any]) -> str:
    """What columns may be meant by names that there are none of, to end a sentence with.

    Examples
    --------
    >>> meant_columns(["defualt", "x"], ["default", "score"])
    "; did you mean 'default'?"
    """
    named = [each for each in known if isinstance(each, str)]
    near = [found[0] for name in absent if isinstance(name, str) and (found := near_names(name, named, most=1))]
    return f"; did you mean {' and '.join(map(repr, near))}?" if near else ""


def is_text_of_number(text: str) -> bool:
    """Whether a text reads as a number.

    Examples
    --------
    >>> is_text_of_number(" 0.3"), is_text_of_number("f1")
    (True, False)
    """
    try:
        float(text)
    except ValueError:
        return False
    return True


def _likeness(asked: str, name: str) -> float:
    whole = _ratio(asked, name, WHOLE)
    if whole or len(asked) < SHORTEST:
        return whole
    return WHOLE * max((_ratio(asked, word, WORD) for word in name.split("_") if len(word) >= SHORTEST), default=0.0)


def _ratio(one: str, other: str, least: float) -> float:
    """How alike two texts are; 0 below the least."""
    matcher = SequenceMatcher(None, other, one)
    if matcher.real_quick_ratio() < least or matcher.quick_ratio() < least:
        return 0.0
    return found if (found := matcher.ratio()) >= least else 0.0
