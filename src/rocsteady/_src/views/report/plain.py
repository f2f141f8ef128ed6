"""Notes written for programmers, in words for those who read a page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

METHODS = {
    "bootstrap": "the bootstrap",
    "corrected-t": "the corrected t interval",
    "delong": "DeLong's interval",
    "influence": "the interval by influence curves",
    "ks": "a band by Kolmogorov and Smirnov",
    "logit": "the logit interval",
    "nadeau-bengio": "the corrected t-test of Nadeau and Bengio",
    "newcombe": "Newcombe's interval",
    "permutation": "a permutation test",
    "pooled": "the pooled value",
    "wilson": "Wilson's interval",
}
NAME = r"['\"]([\w-]+)['\"]"
CALL = re.compile(r"(?:rs\.\w+\(|rs\.\w+ with )?\bmethod=" + NAME + r"(?: or " + NAME + r")?\)?")
DROPPED = re.compile(r"\s*\(docs/[\w-]+\.md\)| with undefined=['\"]drop['\"]")


def for_readers(text: str) -> str:
    """A note without arguments of functions and without paths of documents.

    Examples
    --------
    >>> for_readers("held it in less than 92% of such samples (docs/crossval.md); method='logit' did better")
    'held it in less than 92% of such samples; the logit interval did better'
    >>> for_readers("make fewer folds, or use method='influence' or 'corrected-t'")
    'make fewer folds, or use the interval by influence curves or the corrected t interval'
    """
    return CALL.sub(_spoken, DROPPED.sub("", text))


def _spoken(call: re.Match[str]) -> str:
    return " or ".join(METHODS.get(name, name) for name in call.groups() if name)


def told_once(notes: Iterable[str]) -> list[str]:
    """Notes as sentences, without one that another ends with: what concerns one model is said with its name.

    Examples
    --------
    >>> told_once(["note: a: few rows", "few rows", "ties"])
    ['a: few rows', 'ties']
    """
    told = list(dict.fromkeys(for_readers(note.removeprefix("note: ")) for note in notes))
    return [text for text in told if not any(other != text and other.endswith(f": {text}") for other in told)]
