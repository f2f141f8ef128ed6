"""Terms of the five sources, in their own languages, and the line to type for each; they stand in ``terms.tsv``.

Lines are run by the test-suite with the variables of ``foreign_names``. Where a line calls a measure, its terms are
names of that measure in every door; other terms answer with their line. A remark that starts with "not offered" says
that the line is the nearest there is.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from rocsteady._src.base.word_forms import letters_shared, same_word

FILE = Path(__file__).with_name("terms.tsv")
ALIKE, SHORTEST = 0.8, 4
HALF, MOST = 0.5, 0.75  # of the letters of two phrases that their common words hold
NOT_OFFERED = "not offered"
IN_BRACKETS = re.compile(r"\([^()]*\)|\N{FULLWIDTH LEFT PARENTHESIS}[^()]*\N{FULLWIDTH RIGHT PARENTHESIS}")
WORDS = re.compile(r"[^\W_]+")
GENERIC = ("vrednost", "wartosc", "значение", "величина")
HAN = re.compile(r"[\u4e00-\u9fff]")
LANGUAGES = {"thesis": "Slovene", "seminar": "Russian", "survey": "Polish", "lecture": "Slovene", "paper": "Chinese"}
ON_ROWS = re.compile(r"rs\.(?:measures\.)?(\w+)\(y, s(?:, (?!t\b)[^()]*)?\)")
SPELLED = {
    "\N{LATIN SMALL LETTER L WITH STROKE}": "l",
    "\N{GREEK SMALL LETTER LAMDA}": "lambda",
    "\N{GREEK SMALL LETTER RHO}": "rho",
    "\N{GREEK SMALL LETTER BETA}": "beta",
    "\N{GREEK SMALL LETTER DELTA}": "delta",
    "\N{UPWARDS ARROW}": " up",
    "\N{DOWNWARDS ARROW}": " down",
}
STARRED = {"_*": " lower", "^*": " upper"}  # as the paper marks its two approximations

ALTERNATING = {"\N{LATIN SMALL LETTER E WITH OGONEK}": "a"}  # Polish: one stem, with either of its nasal vowels


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a source, its language, what it is called in English, and the line to type."""

    source: str
    language: str
    word: str
    english: str
    line: str
    remark: str = ""

    @property
    def called(self) -> str:
        """The function that the line calls on labels and scores, and on nothing else; empty for other lines."""
        found = ON_ROWS.fullmatch(self.line)
        return found[1] if found else ""

    @property
    def answer(self) -> str:
        """Where the term is, or what is nearest to it."""
        if not self.remark.startswith(NOT_OFFERED):
            after = f"; {self.remark}" if self.remark else ""
            return f"{self.word} ({self.language}: {self.english}) is here: {self.line}{after}"
        return f"{self.word} ({self.language}: {self.english}) is {self.remark}; nearest is: {self.line}"


def plain(word: str) -> str:
    """A word without case, marks above letters, spaces and hyphens.

    Examples
    --------
    >>> plain("Občutljivost"), plain("R-точность"), plain("siła dyskryminacyjna"), plain("λAUC"), plain("S-")
    ('obcutljivost', 'rточность', 'siladyskryminacyjna', 'lambdaauc', 's-')
    """
    spelled = "".join(SPELLED.get(letter, letter) for letter in _star_told(word.strip().casefold()))
    bare = unicodedata.normalize("NFKD", spelled)
    ending = "-" if spelled.endswith("-") else ""
    return "".join(letter for letter in bare if letter.isalnum() or letter in "+@") + ending


def _star_told(word: str) -> str:
    for star, side in STARRED.items():
        word = word.replace(star, side)
    return word


@cache
def words_of(phrase: str) -> tuple[str, ...]:
    """The words of a phrase as ``plain`` leaves them; an underscore is a space.

    Examples
    --------
    >>> words_of("tabele_napak"), words_of("площадь под ROC-кривой"), words_of("reklasyfikowanych ↓")
    (('tabele', 'napak'), ('площадь', 'под', 'roc', 'кривои'), ('reklasyfikowanych', 'down'))
    """
    whole = unicodedata.normalize("NFC", _star_told(phrase.casefold()))
    spelled = "".join((SPELLED | ALTERNATING).get(letter, letter) for letter in whole)
    return tuple(plain(word) for word in WORDS.findall(spelled))


@cache
def every_term() -> tuple[Term, ...]:
    """All words, source by source; variants of a term are words of their own."""
    _, *lines = FILE.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    return tuple(
        Term(source, LANGUAGES[source], word.strip(), english, line, *remark)
        for source, words, english, line, *remark in rows
        for word in words.split(";")
    )


@cache
def _by_word() -> dict[str, Term]:
    found: dict[str, Term] = {}
    for term in every_term():
        found.setdefault(plain(term.word), term)
    return found


def near_term(word: str) -> Term | None:
    """The term that is meant by a phrase in another case or order, with additions, or in much the same letters.

    Examples
    --------
    >>> [term.word for term in map(near_term, ("базовую долю", "punktem_odcięcia", "tabele_napak", "praga")) if term]
    ['базовая доля', 'punkt odcięcia', 'tabela napak', 'prag']
    >>> near_term("roc_curves") is near_term("robust") is None
    True
    """
    if word.startswith("_"):
        return None
    whole = IN_BRACKETS.sub(" ", word).strip() or word
    exact = _by_word().get(plain(whole)) or _by_english().get(plain(whole))
    return exact or _of_same_words(whole) or _holding(whole) or _spelled_alike(whole)


@cache
def _by_english() -> dict[str, Term]:
    """Terms by what they are in English, which the sources print beside them."""
    found: dict[str, Term] = {}
    for term in every_term():
        for part in (term.english, *term.english.split(",")):
            found.setdefault(plain(part), term)
    return found


def _of_same_words(phrase: str) -> Term | None:
    """The term whose words, whatever their endings and order, are the phrase's, or most of them."""
    asked = words_of(phrase)
    asked = tuple(word for word in asked if not any(same_word(word, each) for each in GENERIC)) or asked
    foreign = not phrase.isascii()
    best: tuple[float, Term] | None = None
    for term in _by_word().values():
        words = words_of(term.word)
        words = tuple(word for word in words if word not in GENERIC) or words
        shared, missing = letters_shared(asked, words)
        extra = letters_shared(words, asked)[1] if shared else 0
        part = 2 * shared / (2 * shared + missing + extra) if shared else 0.0
        some = (foreign or min(len(asked), len(words)) > 1) and part > (MOST if missing and extra else HALF)
        if (some or part == 1) and (best is None or part > best[0]):
            best = part, term
    return best and best[1]


def _holding(phrase: str) -> Term | None:
    """The term at the end of a Chinese phrase, or the longest within it, or the shortest around it."""
    key = plain(phrase)
    if not HAN.search(key):
        return None
    within = [each for each in _by_word() if each in key and HAN.search(each)]
    around = [each for each in _by_word() if key in each]
    found = max(within, key=lambda each: (key.endswith(each), len(each)), default="") or min(
        around, key=len, default=""
    )
    return _by_word()[found] if len(found) > 1 else None


def _spelled_alike(phrase: str) -> Term | None:
    """The term that is spelled most like words of another alphabet, or like several words."""
    key = plain(phrase)
    if (phrase.isascii() and " " not in phrase) or len(key) < SHORTEST:
        return None
    close = get_close_matches(key, list(_by_word()), n=1, cutoff=ALIKE)
    return _by_word()[close[0]] if close else None


def find_term(word: str) -> Term | None:
    """A term by its word, however case and marks are spelled; None where no source has it."""
    return None if word.startswith("_") else _by_word().get(plain(word))
