"""The registry of verbs, and words that stand in other ones in today's calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

Verb = Callable[..., Any]
VERBS: dict[str, Verb] = {}

# Names of measures that today's calls spell otherwise.
MEASURES = {
    "sensitivity_at_specificity": "sensitivity_at",
    "specificity_at_sensitivity": "specificity_at",
    "tpr_at_fpr": "tpr_at",
    "fpr_at_tpr": "fpr_at",
    "pr_gain_auc": "prg_auc",
    "youden": "youden_j",
    "no_information_rate": "base_rate",
    "auc_accuracy": "auc_acc",
}
OWN_NAMES = {today: name for name, today in MEASURES.items()}
SPELLED = re.compile(r"^(\w+)(.*)$", re.DOTALL)


def verb(name: str) -> Callable[[Verb], Verb]:
    """Register the function that asks a question."""

    def keep(asks: Verb) -> Verb:
        if name in VERBS:
            raise ValueError(f"two verbs {name!r}")
        VERBS[name] = asks
        return asks

    return keep


def measure(name: str) -> str:
    """A measure, or a measure with options in brackets, as today's calls spell it."""
    found = SPELLED.match(name)
    return name if found is None else MEASURES.get(found[1], found[1]) + found[2]


def measures(names: str | Iterable[str]) -> Any:
    return measure(names) if isinstance(names, str) else [measure(each) for each in names]


def named(path: str) -> str:
    """A key of an answer, with the measures in it by their own names."""
    return "/".join(_own(part) for part in path.split("/"))


def _own(part: str) -> str:
    found = SPELLED.match(part)
    return part if found is None else OWN_NAMES.get(found[1], found[1]) + found[2]


# Words whose column stands in the call under another name.
COLUMNS = {"weight": "sample_weight", "cluster": "cluster", "fold": "fold", "repeat": "repeat", "row": "id"}
RENAMED = {"resamples": "n_resamples", "seed": "random_state"}


def options(table: dict[str, Any], words: dict[str, Any]) -> dict[str, Any]:
    """Words of a question as options of a function of arrays: names of columns become the columns."""
    read = {COLUMNS[name]: table[column] for name, column in words.items() if name in COLUMNS}
    rest = {RENAMED.get(name, name): value for name, value in words.items() if name not in COLUMNS}
    return read | rest


def matrix(table: dict[str, Any], names: Iterable[str]) -> Any:
    import numpy as np

    return np.column_stack([table[name] for name in names])
