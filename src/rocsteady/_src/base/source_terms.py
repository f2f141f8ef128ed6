"""Terms of the five sources, in their own languages, and the line to type for each; they stand in ``terms.tsv``.

Lines are run by the test-suite with the variables of ``foreign_names``. Where a line calls a measure, its terms are
names of that measure in every door; other terms answer with their line.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("terms.tsv")
ALIKE, SHORTEST = 0.7, 4
LANGUAGES = {"thesis": "Slovene", "seminar": "Russian", "survey": "Polish", "lecture": "Slovene", "paper": "Chinese"}
ON_ROWS = re.compile(r"rs\.(?:measures\.)?(\w+)\(y, s(?:, (?!t\b)[^()]*)?\)")
SPELLED = {
    "\N{LATIN SMALL LETTER L WITH STROKE}": "l",
    "\N{GREEK SMALL LETTER LAMDA}": "lambda",
    "\N{GREEK SMALL LETTER RHO}": "rho",
    "\N{GREEK SMALL LETTER BETA}": "beta",
    "\N{GREEK SMALL LETTER DELTA}": "delta",
}


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a source, its language, what it is called in English, and the line to type."""

    source: str
    language: str
    word: str
    english: str
    line: str

    @property
    def called(self) -> str:
        """The function that the line calls on labels and scores, and on nothing else; empty for other lines."""
        found = ON_ROWS.fullmatch(self.line)
        return found[1] if found else ""


def plain(word: str) -> str:
    """A word without case, marks above letters, spaces and hyphens.

    Examples
    --------
    >>> plain("Občutljivost"), plain("R-точность"), plain("siła dyskryminacyjna"), plain("λAUC"), plain("S-")
    ('obcutljivost', 'rточность', 'siladyskryminacyjna', 'lambdaauc', 's-')
    """
    spelled = "".join(SPELLED.get(letter, letter) for letter in word.strip().casefold())
    bare = unicodedata.normalize("NFKD", spelled)
    ending = "-" if spelled.endswith("-") else ""
    return "".join(letter for letter in bare if letter.isalnum() or letter in "+@") + ending


@cache
def every_term() -> tuple[Term, ...]:
    """All words, source by source; variants of a term are words of their own."""
    _, *lines = FILE.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    return tuple(
        Term(source, LANGUAGES[source], word.strip(), english, line)
        for source, words, english, line in rows
        for word in words.split(";")
    )


@cache
def _by_word() -> dict[str, Term]:
    found: dict[str, Term] = {}
    for term in every_term():
        found.setdefault(plain(term.word), term)
    return found


def near_term(word: str) -> Term | None:
    """The term that is spelled most like a word of another alphabet, or like several words; other cases end otherwise.

    Examples
    --------
    >>> [term.word for term in map(near_term, ("базовую долю", "punktem odcięcia", "funkcije razlike")) if term]
    ['базовая доля', 'punkt odcięcia', 'funkcija razlike']
    >>> near_term("roc_curves") is None
    True
    """
    key = plain(word)
    if word.startswith("_") or (word.isascii() and " " not in word.strip()) or len(key) < SHORTEST:
        return None
    close = get_close_matches(key, list(_by_word()), n=1, cutoff=ALIKE)
    return _by_word()[close[0]] if close else None


def find_term(word: str) -> Term | None:
    """A term by its word, however case and marks are spelled; None where no source has it."""
    return None if word.startswith("_") else _by_word().get(plain(word))
