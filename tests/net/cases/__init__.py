"""All cases by subject, each subject a module of this folder."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import import_module

from ..case import Case

SUBJECTS = (
    *("measures", "intervals", "differences", "designs", "folds", "curves", "thresholds", "probabilities"),
    *("classes", "labels", "times", "outcomes", "gate", "monitoring", "planning", "engines", "sketches"),
    *("laboratory", "files", "commands"),
)


@cache
def cases_of(subject: str) -> tuple[Case, ...]:
    """The cases of a subject; a question that is asked twice is one case of the lines of both."""
    made: dict[str, Case] = {}
    for case in import_module(f"{__name__}.{subject}").CASES:
        before = made.get(case.id, case)
        made[case.id] = replace(case, subject=subject, lines=tuple(dict.fromkeys(before.lines + case.lines)))
    return tuple(made.values())


def all_cases() -> tuple[Case, ...]:
    return tuple(case for subject in SUBJECTS for case in cases_of(subject))
