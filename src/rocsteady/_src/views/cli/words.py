"""Sentences of the library in the words of the command line: its options, and rows as people count them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsteady._src.base.errors import RocsteadyError, printable
from rocsteady._src.base.sentences import Door, said

if TYPE_CHECKING:
    from rocsteady._src.base.sentences import Option

FLAGS = {
    "absent": "--absent",
    "alpha": "--alpha",
    "arrived": "--arrived",
    "at": "--at",
    "auc_method": "--auc-method",
    "baseline": "--baseline",
    "by": "--by",
    "candidate": "--candidate",
    "censored": "--censored",
    "classes": "--classes",
    "classes_averaged": "--classes-averaged",
    "cluster": "--cluster",
    "conditions": "--conditions",
    "cutoffs": "--cutoffs",
    "day": "--day",
    "decimal": "--decimal",
    "delimiter": "--delimiter",
    "every": "--every",
    "fold": "--fold",
    "force": "--force",
    "goals": "--goal",
    "id": "--id",
    "intervals": "--intervals",
    "known": "--known",
    "label": "--label",
    "label_timeout": "--label-timeout",
    "level": "--level",
    "margin": "--margin",
    "matures": "--matures",
    "measure": "--measure",
    "measures": "--measure",
    "missing": "--missing",
    "n_resamples": "--resamples",
    "pos_label": "--pos-label",
    "random_state": "--seed",
    "reference": "--reference",
    "repeat": "--repeat",
    "rule": "--rule",
    "run_length": "--run-length",
    "sample_weight": "--weight",
    "scores": "--score",
    "segment": "--segment",
    "state": "--state",
    "threshold": "--threshold",
    "time": "--time",
    "today": "--today",
    "weight": "--weight",
    "weight_type": "--weight-type",
}
OF_CALLS = {"auc_interval": "--auc-method", "compare_auc": "--method", "compare_models": "--method"}
COUNTED = "(rows are counted from 1, without the header)"


def for_shell(text: str) -> str:
    """Arguments of Python become options of the command line; the ones that it lacks are called Python's.

    Examples
    --------
    >>> from rocsteady._src.base.sentences import Sentence
    >>> for_shell(Sentence("pass {missing='drop'} to leave incomplete rows out"))
    'pass --missing drop to leave incomplete rows out'
    >>> for_shell(Sentence("few rows; use {method='newcombe' or 'logit'}"))
    "few rows; use method='newcombe' or 'logit' (in Python)"
    >>> for_shell(Sentence("there is no measure {name!r}; {rs.list_measures()} lists them all", name="weight=2"))
    "there is no measure 'weight=2'; 'rocsteady measures' lists them all"
    """
    return printable(said(text, SHELL))


def ending_of(error: Exception) -> str:
    """What is said of an error, and how rows are counted where it names some."""
    if not isinstance(error, RocsteadyError):
        return printable(error)
    told = for_shell(error.sentence)
    return f"{told} {COUNTED}" if error.names_rows else told


def _spelled(option: Option) -> str:
    if option.call == "list_measures":
        return f"'rocsteady measures{''.join(f' --family {family}' for family in option.values)}'"
    flag = OF_CALLS.get(option.call) if option.name == "method" else None if option.call else FLAGS.get(option.name)
    if option.python == "method":  # by its name alone: what somebody has typed
        return "--method"
    if flag is not None:
        values = " or ".join(_quoted(printable(value)) for value in option.values if value != "True")
        return f"{flag} {values}" if values else flag
    return f"{option.python} (in Python)" if option.name == "method" and not option.call else option.python


def _quoted(value: str) -> str:
    return value if all(char.isalnum() or char in "_.,+-" for char in value) else f"'{value}'"


SHELL = Door("shell", _spelled)
