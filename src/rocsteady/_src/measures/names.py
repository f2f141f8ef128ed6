"""One look-up of measures for all doors: names, and what people type for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, some_values
from rocsteady._src.base.near_names import near_names
from rocsteady._src.base.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

GREEK = {"\N{GREEK SMALL LETTER LAMDA}": "lambda", "\N{GREEK SMALL LETTER RHO}": "rho"}
PAIRS = {"gauc": ("low_auc", "up_auc")}  # gAUC of the paper is both ends at once
LISTED = Sentence("{rs.list_measures()} lists them all")
SHORTENED = ("score-aware", "granular")  # mm7 is mm7_auc


def fold(name: str) -> str:
    """What is left of a name when case, spelling of words and Greek letters do not count.

    Examples
    --------
    >>> fold("mm7AUC") == fold("mm7_auc"), fold("λAUC"), fold("ROC-AUC"), fold("LR+")
    (True, 'lambdaauc', 'rocauc', 'lr+')
    """
    spelled = "".join(GREEK.get(letter, letter) for letter in name.casefold())
    return "".join(letter for letter in spelled if letter.isalnum() or letter in "+*")


def keys_of(sheet: Any) -> list[str]:
    """The declared names of a measure, folded."""
    return [fold(each) for each in (sheet.name, *sheet.aliases)]


def find(name: str, declared: Mapping[str, Any], registered: Iterable[Any]) -> Any:
    """A registered measure by its name, a short form, its label, or its name without "_auc"."""
    key = fold(name)
    if key in declared:
        return declared[key]
    if name.strip() in GREEK:  # lambda of the paper is a factor, not the measure that is made of it
        return None
    for found in registered:
        sheet = found.sheet
        short = [sheet.name.removesuffix("_auc")] if sheet.family in SHORTENED else []
        if key and key in map(fold, (sheet.label, *short)):
            return found
    return None


def refuse_unknown(name: object, declared: Mapping[str, Any]) -> ArgumentError:
    """The error for a name that nobody has, with those that look like it."""
    if not isinstance(name, str):
        return ArgumentError("unknown_measure", f"a measure is asked for by its name, got {some_values([name])}")
    if fold(name) in PAIRS:
        text = f"{name} is two numbers: ask for {' and '.join(PAIRS[fold(name)])}, or for lambda_auc, which joins them"
        return ArgumentError("unknown_measure", text)
    alike = [*near_names(name, declared), *near_names(fold(name), declared)]  # synonyms are not folded
    names = list(dict.fromkeys(declared[key].sheet.name for key in alike))[:3]
    hint = f" (did you mean {' or '.join(names)}?)" if names else ""
    text = Sentence("there is no measure {name}{hint}; {listed}", name=some_values([name]), hint=hint, listed=LISTED)
    return ArgumentError("unknown_measure", text)
