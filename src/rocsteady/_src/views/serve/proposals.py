"""Which column may be what, each with the reason: proposed, never taken without the reader's word."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rocsteady._src.base.text import format_count

if TYPE_CHECKING:
    from rocsteady._src.inputs.files.preview import Preview, SeenColumn

LABELS = re.compile(
    r"(?i)^(y|y_?true|labels?|outcomes?|class|target|truth|event|status|disease|died|death|default(ed)?)$"
)
WEIGHTS = re.compile(r"(?i)(^|_)(w|weights?|wt|freq(uency)?)$")
FOLDS = re.compile(r"(?i)(^|_)(fold|split|cv)s?(_?id)?$")
SUBJECTS = re.compile(r"(?i)(^|_)(subject|patient|person|participant|user|customer)s?(_?(id|no|nr))?$")
IDS = re.compile(r"(?i)(^|_)(id|row|index|nr|no|key|case)$")
POSITIVE = ("1", "1.0", "true", "yes", "y", "positive", "pos", "p", "case", "event", "poor", "bad", "dead", "died")
MOST_CLASSES = 12
FEW_SCORES = 12  # proposed at once


@dataclass(slots=True)
class Proposal:
    """Roles of columns, and a reason for each column that has one."""

    label: str = ""
    pos: str = ""
    scores: list[str] = field(default_factory=list)
    weight: str = ""
    cluster: str = ""
    fold: str = ""
    by: list[str] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)
    reasons: dict[str, str] = field(default_factory=dict)


def propose(seen: Preview) -> Proposal:
    """Go by names that people give, and by what columns hold."""
    made = Proposal()
    made.label = _label(seen)
    for column in seen.columns:
        made.reasons[column.name] = _reason(column, seen.n_rows, is_label=column.name == made.label)
    left = [column for column in seen.columns if column.name != made.label]
    made.weight = next((each.name for each in left if WEIGHTS.search(each.name) and _is_number(each)), "")
    made.fold = next((each.name for each in left if FOLDS.search(each.name) and each.counts), "")
    made.cluster = next((each.name for each in left if SUBJECTS.search(each.name) and _repeats(each, seen.n_rows)), "")
    taken = {made.label, made.weight, made.fold, made.cluster}
    made.scores = [each.name for each in left if each.name not in taken and _is_score(each, seen.n_rows)][:FEW_SCORES]
    counts = next((each.counts for each in seen.columns if each.name == made.label), {})
    if len(counts) > 2:
        made.classes, made.scores = _classes(list(counts), made.scores)
    else:
        made.pos = _positive(counts)
    return made


def _is_number(column: SeenColumn) -> bool:
    return column.kind in ("whole numbers", "numbers")


def _label(seen: Preview) -> str:
    """A column of two values, best of a name that labels have; else one of few classes."""
    two = [each for each in seen.columns if len(each.counts) == 2 and each.n_values == 2]
    few = [each for each in seen.columns if 2 < len(each.counts) <= MOST_CLASSES and each.kind != "numbers"]
    few = [each for each in few if not FOLDS.search(each.name)]
    named = [each for each in (*two, *few) if LABELS.search(each.name)]
    zero_one = [each for each in two if set(each.counts) <= {"0", "1", "true", "false"}]
    return next((each.name for each in (*named, *zero_one, *two, *few)), "")


def _positive(counts: dict[str, int]) -> str:
    """The value that a positive class is often called, or the rarer of two."""
    named = [value for value in counts if value.lower() in POSITIVE]
    if len(named) == 1:
        return named[0]
    return min(counts, key=lambda value: counts[value]) if len(counts) == 2 else ""


def _is_score(column: SeenColumn, n_rows: int) -> bool:
    if not _is_number(column) or column.n_values < 3 or IDS.search(column.name):
        return False
    return not (column.kind == "whole numbers" and column.n_values == n_rows and n_rows > 20)


def _repeats(column: SeenColumn, n_rows: int) -> bool:
    return 1 < column.n_values < n_rows - column.n_missing


def _classes(values: list[str], scores: list[str]) -> tuple[list[str], list[str]]:
    """Classes with a column of scores each, by their names; without such columns none are chosen."""
    found = []
    for value in values:
        ends = [name for name in scores if _words(name)[-len(_words(value)) :] == _words(value) and _words(value)]
        if len(ends) != 1:
            return values, scores
        found.append(ends[0])
    return values, found


def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[\W_]+", text.lower()) if word]


def _reason(column: SeenColumn, n_rows: int, *, is_label: bool) -> str:
    """Why a column may be what it may be: by its values, where these leave no choice, then by its name."""
    if column.n_values < 2:
        return "the same value everywhere" if column.n_values else "no values"
    if column.n_values == 2 and is_label:
        return "2 values: label?"
    return _by_name(column, n_rows) or _by_values(column, n_rows)


def _by_name(column: SeenColumn, n_rows: int) -> str:
    if WEIGHTS.search(column.name) and _is_number(column):
        return "its name: weight?"
    if FOLDS.search(column.name) and column.counts:
        return f"{format_count(len(column.counts))} values, and its name: fold?"
    if SUBJECTS.search(column.name) and _repeats(column, n_rows):
        return f"{format_count(column.n_values)} values that repeat: subject?"
    return ""


def _by_values(column: SeenColumn, n_rows: int) -> str:
    if column.n_values == 2:
        return "2 values: group, or label?"
    if column.kind == "numbers" and column.low is not None and column.high is not None:
        return "between 0 and 1: probability?" if column.low >= 0 and column.high <= 1 else "numbers: score?"
    if column.n_values == n_rows - column.n_missing:
        return "another value in every row: id?"
    if column.counts and (column.kind == "text" or len(column.counts) <= MOST_CLASSES):
        return f"{format_count(len(column.counts))} values: group, or label of several classes?"
    return "whole numbers: score?" if _is_number(column) else f"{format_count(column.n_values)} different texts"
