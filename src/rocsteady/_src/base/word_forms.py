"""Whether two words are one word in two of its cases, in Slovene, Polish and Russian, by stem and ending.

Endings are written as ``plain`` leaves them: without marks above letters. An ending with k is that of a word whose last
vowel comes and goes: zadetek, zadetka.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

SHORTEST_STEM = 3
LATIN = """
a e i o u y ah am ami ama ach cie ego eh ej ek em ema emi emu ev ga ia iach iam iami ie iego iej iem iemu ih ii ij ija
ijo im ima imi io iom ich ja je jem jev jih ji jo ju k ka ke kega kem kemu kih ki kiem kim kom kov ku kow ma mi mu
n na ne nega nem nemu ni nih nim nimi no nu ny nych nym nymi nej nego om oma ow owi ov ove ovi ui
vah ve vi vijo ych ym ymi z ze
"""
CYRILLIC = """
а я о е ы и у ю ь ам ами ах ая ев его ее еи ей ем ему ею ие ией ием ии иям иями иях им ими их ию ия ка кам ками ках ке
ки кои ку ого ое ои ок ом ому ою ов ую ые ыи ым ыми ых ью юю ям ями ях яя н на но ны ен ена ено ены
"""  # noqa: RUF001 - Russian
ENDINGS = frozenset(["", *LATIN.split(), *CYRILLIC.split()])


@cache
def same_word(one: str, other: str) -> bool:
    """Whether two words have a stem in common, and endings of Slavic words after it.

    Examples
    --------
    >>> same_word("praga", "prag"), same_word("zadetka", "zadetek"), same_word("порогом", "порог")
    (True, True, True)
    >>> same_word("robust", "rob"), same_word("mere", "merge"), same_word("prag", "prauc")
    (False, False, False)
    """
    if one == other:
        return True
    for at in range(SHORTEST_STEM, min(len(one), len(other)) + 1):
        if one[:at] == other[:at] and one[at:] in ENDINGS and other[at:] in ENDINGS:
            return True
    return False


def letters_shared(asked: tuple[str, ...], term: tuple[str, ...]) -> tuple[int, int]:
    """Letters of a term's words that stand among those asked for, in any order and case, and letters that do not.

    Examples
    --------
    >>> letters_shared(("среднее", "гармоническое"), ("гармоническое", "среднее"))
    (20, 0)
    >>> letters_shared(("mreza", "za", "izris"), ("izris", "krivulje"))
    (5, 8)
    """
    left = Counter(asked)
    shared = missing = 0
    for word in term:
        held = next((each for each in left if left[each] and same_word(each, word)), None)
        if held is None:
            missing += len(word)
        else:
            left[held] -= 1
            shared += len(word)
    return shared, missing
