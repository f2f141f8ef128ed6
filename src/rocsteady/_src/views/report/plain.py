"""Sentences of the library in words for those who read a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsteady._src.base.errors import printable
from rocsteady._src.base.sentences import Door, said

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocsteady._src.base.sentences import Option

METHODS = {
    "auto": "the default method",
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


def for_readers(text: str) -> str:
    """A note without arguments of functions and without paths of documents.

    Examples
    --------
    >>> from rocsteady._src.base.sentences import Sentence
    >>> for_readers(Sentence("held it in few samples{ (docs/crossval.md)}; {method='logit'} did better"))
    'held it in few samples; the logit interval did better'
    >>> for_readers(Sentence("make fewer folds, or use {method='influence' or 'corrected-t'}"))
    'make fewer folds, or use the interval by influence curves or the corrected t interval'
    """
    return printable(said(text, PAGE))


def _spoken(option: Option) -> str:
    if option.name != "method":
        return option.python
    return " or ".join(METHODS.get(str(name), str(name)) for name in option.values)


PAGE = Door("page", _spoken, has_documents=False)


def told_once(notes: Iterable[str]) -> list[str]:
    """Notes as sentences, without one that another ends with: what concerns one model is said with its name.

    Examples
    --------
    >>> told_once(["note: a: few rows", "few rows", "ties"])
    ['a: few rows', 'ties']
    """
    told = list(dict.fromkeys(for_readers(note).removeprefix("note: ") for note in notes))
    return [text for text in told if not any(other != text and other.endswith(f": {text}") for other in told)]
