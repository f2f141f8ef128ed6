"""One graded answer, and the answers of several models put side by side by question."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, printable, some_values
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

WORDS = {"yes": True, "true": True, "no": False, "false": False}
Key = tuple[str, str, int]


class Graded(NamedTuple):
    """One answer: to which question of which task, for the how many-th time, and whether it is right.

    ``right`` is None where it was not graded. ``text`` tells the question from another that has the same id.
    """

    task: str
    question: str
    epoch: int
    right: bool | None
    text: str | None = None

    @property
    def key(self) -> Key:
        """What answers of two models are joined by."""
        return self.task, self.question, self.epoch

    @property
    def words(self) -> str:
        """The question for a message."""
        again = f", epoch {self.epoch}" if self.epoch > 1 else ""
        return f"question {printable(self.question, most=60)!r} of task {printable(self.task, most=60)!r}{again}"


class SideBySide(NamedTuple):
    """Columns of the same length, and how many answers were left out."""

    question: NDArray[Any]
    task: NDArray[Any]
    epoch: NDArray[np.int64]
    right: dict[str, NDArray[np.bool_]]
    n_unmatched: int
    n_ungraded: int


def truth_of(value: Any, told: str) -> bool | None:
    """A grade as right or wrong: truth values, 0 and 1, yes and no; None where there is none, others are refused."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, str) and value.strip().lower() in WORDS:
        return WORDS[value.strip().lower()]
    if isinstance(value, (bool, int, float)) and value in (0, 1):
        return bool(value)
    text = f"{told} has the grade {printable(repr(value), most=60)}, which is neither right nor wrong"
    raise InputError("not_right_or_wrong", f"{text}; choose a metric of 0 and 1, such as accuracy or exact match")


def side_by_side(answers: dict[str, Iterable[Graded]], unmatched: str, missing: str) -> SideBySide:
    """Join the models' answers by task, question and epoch, in the order of the first model."""
    for name, value in (("unmatched", unmatched), ("missing", missing)):
        if value not in ("raise", "drop"):
            raise ArgumentError(name, f"{name} must be 'raise' or 'drop', got {value!r}")
    held = {model: _by_key(model, each) for model, each in answers.items()}
    if not held or not all(held.values()):
        empty = [model for model, found in held.items() if not found]
        raise InputError("no_rows", f"there are no graded answers of {some_values(empty) if empty else 'any model'}")
    first = next(iter(held.values()))
    shared = [key for key in first if all(key in found for found in held.values())]
    n_unmatched = sum(len(found) - len(shared) for found in held.values())
    if n_unmatched and unmatched == "raise":
        _refuse_unmatched(held, n_unmatched)
    _check_texts(held, shared)
    graded = [key for key in shared if all(found[key].right is not None for found in held.values())]
    if len(graded) < len(shared) and missing == "raise":
        _refuse_ungraded(held, shared, len(shared) - len(graded))
    if not graded:
        raise InputError("no_rows", "the models have no graded question in common")
    columns = {model: np.array([bool(found[key].right) for key in graded]) for model, found in held.items()}
    tasks, questions, epochs = zip(*graded, strict=True)
    where = np.array(questions, dtype=object), np.array(tasks, dtype=object), np.array(epochs, dtype=np.int64)
    return SideBySide(*where, columns, n_unmatched, len(shared) - len(graded))


def _by_key(model: str, answers: Iterable[Graded]) -> dict[Key, Graded]:
    found: dict[Key, Graded] = {}
    for each in answers:
        if each.key in found:
            text = f"{printable(model, most=60)!r} has more than one answer to {each.words}"
            raise InputError("repeated_ids", f"{text}; name the files of one run")
        found[each.key] = each
    return found


def _refuse_unmatched(held: dict[str, dict[Key, Graded]], count: int) -> None:
    model, odd = next(
        (model, found[key])
        for model, found in held.items()
        for key in found
        if not all(key in other for other in held.values())
    )
    raise InputError(
        "unmatched_ids",
        Sentence(
            "{count} answers are to questions that not all models have, such as {model}'s to {odd}; "
            "pass {unmatched='drop'} to drop them",
            count=format_count(count),
            model=printable(model, most=60),
            odd=odd.words,
        ),
    )


def _check_texts(held: dict[str, dict[Key, Graded]], shared: list[Key]) -> None:
    for key in shared:
        texts = {found[key].text for found in held.values()} - {None}
        if len(texts) > 1:
            words = next(iter(held.values()))[key].words
            text = f"{words} is not the same question for all models; the files come from other versions of the task"
            raise InputError("questions_differ", f"{text}: evaluate all models on one")


def _refuse_ungraded(held: dict[str, dict[Key, Graded]], shared: list[Key], count: int) -> None:
    lacking = ((model, found[key]) for key in shared for model, found in held.items() if found[key].right is None)
    model, odd = next(lacking)
    raise InputError(
        "missing_values",
        Sentence(
            "{count} questions lack a grade, such as {model}'s answer to {odd}; "
            "pass {missing='drop'} to drop them for all models",
            count=format_count(count),
            model=printable(model, most=60),
            odd=odd.words,
        ),
    )
