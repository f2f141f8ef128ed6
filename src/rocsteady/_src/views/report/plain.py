"""Sentences of the library in words for those who read a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsteady._src.base.errors import printable
from rocsteady._src.base.sentences import Door, said
from rocsteady._src.results.remarks import remark_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocsteady._src.base.sentences import Option
    from rocsteady._src.results.remarks import Remark

    Told = tuple[tuple[str, ...], Remark]

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
    """Notes as sentences, without a remark that another note says too, of a model or value that it names.

    Examples
    --------
    >>> from rocsteady._src.results.remarks import Remark, noted
    >>> told_once([noted(Remark("hooked", "a")), Remark("hooked"), "a hook", "a hook"])
    ['a: the fitted curve dips below the chance line at one end (a hook)', 'a hook']
    """
    given = list(notes)
    remarks = [found for note in given if (found := remark_in(note)) is not None]
    kept = (note for note in given if not _is_named_elsewhere(remark_in(note), remarks))
    return list(dict.fromkeys(for_readers(note).removeprefix("note: ") for note in kept))


def _is_named_elsewhere(found: Told | None, others: list[Told]) -> bool:
    if found is None:
        return False
    whom, remark = found
    return any(
        len(names) > len(whom)
        and names[len(names) - len(whom) :] == whom
        and (other.code, other.params) == (remark.code, remark.params)
        for names, other in others
    )
