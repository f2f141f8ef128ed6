"""Messages of the library in the words of the command line: its options, and rows as people count them."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from rocsteady._src.base.errors import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

FLAGS = {
    "auc_method": "--auc-method",
    "baseline": "--baseline",
    "by": "--by",
    "classes": "--classes",
    "cluster": "--cluster",
    "cutoffs": "--cutoffs",
    "delimiter": "--delimiter",
    "fold": "--fold",
    "force": "--force",
    "id": "--id",
    "label": "--label",
    "level": "--level",
    "measures": "--measure",
    "missing": "--missing",
    "n_resamples": "--resamples",
    "pos_label": "--pos-label",
    "random_state": "--seed",
    "repeat": "--repeat",
    "sample_weight": "--weight",
    "scores": "--score",
    "threshold": "--threshold",
    "weight": "--weight",
    "weight_type": "--weight-type",
}
VALUE = r"""(?P<value>'[^']*'|"[^"]*"|\.\.\.|[\w.+-]*\w)?"""
OPTION = re.compile(rf"(?<![\w('\"-])(?P<name>{'|'.join(FLAGS)})={VALUE}")
BARE = re.compile(r"(?<![\w('\"-])(?P<name>pos_label|sample_weight|n_resamples|random_state)(?![\w'\"(=])")
METHOD = re.compile(r"""(?<![\w(])method=(?:'[\w-]+'|"[\w-]+")(?: or '[\w-]+')*""")
COMPARED = re.compile(r"""rs\.compare_(?:auc|models)\(method='([\w-]+)'\)""")
LENGTHS = (None, 40, 48, 60)  # to which names are cut where they are shown
LISTS = re.compile(r"rs\.list_measures\((?:'(\w+)')?\)")
ROW = re.compile(r"\brows? \d")
COUNTED = "(rows are counted from 1, without the header)"


def for_shell(message: str, names: Iterable[object] = ()) -> str:
    """Options of Python become those of the command line; the ones that it lacks are called Python's.

    What was typed, and other ``names`` that may stand in a message, are never taken for an option.

    Examples
    --------
    >>> for_shell("pass missing='drop' to leave incomplete rows out")
    'pass --missing drop to leave incomplete rows out'
    >>> for_shell("few rows; use method='newcombe' or 'logit'")
    "few rows; use method='newcombe' or 'logit' (in Python)"
    >>> for_shell("there is no measure 'x'; rs.list_measures() lists them all")
    "there is no measure 'x'; 'rocsteady measures' lists them all"
    >>> for_shell("weight=2 ranks better than missing='drop'", ["weight=2", "missing='drop'"])
    "weight=2 ranks better than missing='drop'"
    """
    hidden = list(_like_options([*names, *_typed()]))
    for place, name in enumerate(hidden):
        message = message.replace(name, f"\0{place}\0")
    text = OPTION.sub(_flag, message)
    text = BARE.sub(lambda found: FLAGS[found["name"]], text)
    text = COMPARED.sub(lambda found: f"--method {found[1]}", text)
    text = LISTS.sub(lambda found: f"'rocsteady measures{f' --family {found[1]}' if found[1] else ''}'", text)
    text = METHOD.sub(lambda found: f"{found[0]} (in Python)", text)
    for place, name in enumerate(hidden):
        text = text.replace(f"\0{place}\0", name)
    return text


def _typed() -> Iterator[str]:
    """The words of this command, and what stands behind the = of an option."""
    for word in sys.argv[1:]:
        yield word
        if word.startswith("--"):
            yield word.partition("=")[2]


def _like_options(names: Iterable[object]) -> list[str]:
    """Those that could be taken for an option, as they may be shown, the longest first."""
    texts = {name for name in names if isinstance(name, str) and name and not name.startswith("--")}
    shown = {form for name in texts for form in (name, *(_cut(name, most) for most in LENGTHS))}
    odd = [form for form in shown if any(rule.search(form) for rule in (OPTION, BARE, METHOD, COMPARED, LISTS))]
    return sorted(odd, key=lambda form: (-len(form), form))


def _cut(name: str, most: int | None) -> str:
    return printable(name) if most is None else printable(name, most=most)


def about_rows(message: str) -> str:
    """Say how rows are counted where a message names some."""
    return f"{message} {COUNTED}" if ROW.search(message) and "(row 1 " not in message else message


def _flag(found: re.Match[str]) -> str:
    flag, value = FLAGS[found["name"]], (found["value"] or "").strip("'\"")
    if value in ("", "True"):
        return flag
    return f"{flag} {value}" if re.fullmatch(r"[\w.,+-]+", value) else f"{flag} '{value}'"
