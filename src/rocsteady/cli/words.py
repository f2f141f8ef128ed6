"""Messages of the library in the words of the command line: its options, and rows as people count them."""

from __future__ import annotations

import re

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
ROW = re.compile(r"\brows? \d")
COUNTED = "(rows are counted from 1, without the header)"


def for_shell(message: str) -> str:
    """Options of Python become those of the command line; the ones that it lacks are called Python's.

    Examples
    --------
    >>> for_shell("pass missing='drop' to leave incomplete rows out")
    'pass --missing drop to leave incomplete rows out'
    >>> for_shell("few rows; use method='newcombe' or 'logit'")
    "few rows; use method='newcombe' or 'logit' (in Python)"
    """
    text = OPTION.sub(_flag, message)
    text = BARE.sub(lambda found: FLAGS[found["name"]], text)
    return METHOD.sub(lambda found: f"{found[0]} (in Python)", text)


def about_rows(message: str) -> str:
    """Say how rows are counted where a message names some."""
    return f"{message} {COUNTED}" if ROW.search(message) and "(row 1 " not in message else message


def _flag(found: re.Match[str]) -> str:
    flag, value = FLAGS[found["name"]], (found["value"] or "").strip("'\"")
    if value in ("", "True"):
        return flag
    return f"{flag} {value}" if re.fullmatch(r"[\w.,+-]+", value) else f"{flag} '{value}'"
