"""Every number of a result with the words that tell it from the others: what all trackers are given."""

from __future__ import annotations

import numbers
from collections import Counter
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocsteady._src.base.errors import ArgumentError, printable, some_values
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.results.base import Result
from rocsteady._src.results.inference import Interval

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

# Columns that say whose numbers stand in a row of a result's table; other text, such as a method, is no name.
NAMING = (
    "measure",
    "group",
    "model",
    "class",
    "label",
    "fold",
    "repeat",
    "course",
    "task",
    "average",
    "true",
    "called",
    "condition",
)
PAIR = ("first", "second")
CONDITION = "condition"
BARE = ("measure", "model", "course", "task")  # whose values need no word before them
HEADS = ("difference", "estimate", "auc")  # whose interval a table has in columns that are just called low and high


class Reading(NamedTuple):
    """One number: what it is called, whose it is, and its value."""

    name: str
    labels: tuple[tuple[str, str], ...]
    value: float

    @property
    def path(self) -> str:
        """Labels and name in one key, as ``model/auc``: trackers group by what stands before a stroke."""
        told = dict(self.labels)
        if CONDITION in told:  # whose name says all that the others do
            return f"{told[CONDITION]}/{self.name}"
        parts = [value if name in BARE else f"{name} {value}" for name, value in self.labels if name not in PAIR]
        pair = [" - ".join(told[name] for name in PAIR)] if set(PAIR) <= told.keys() else []
        return "/".join([*parts, *pair, self.name])


@typed
def scalars(result: object, *, prefix: str = "") -> dict[str, float]:
    """All numbers of a result in one flat dict, ready for ``log_metrics``, ``run.log`` and their like.

    Parameters
    ----------
    result : Result
        What a function of rocsteady gave back: an evaluation, a comparison, a test, an interval.
    prefix : str
        What every key begins with, such as ``"val/"``.

    Returns
    -------
    dict of float
        A value under its name, the ends of its interval under ``name_low`` and ``name_high``; before it the model,
        where there are several, and the group, fold or pair. What is undefined is NaN.

    Examples
    --------
    >>> import rocsteady as rs
    >>> loans = rs.examples.loans(400)
    >>> result = rs.evaluate(loans, label="defaulted", scores="boosted", measures=["auc"], intervals=True)
    >>> {name: round(value, 3) for name, value in rs.trackers.scalars(result).items()}
    {'auc': 0.92, 'auc_low': 0.877, 'auc_high': 0.949, 'n_pos': 49.0, 'n_neg': 351.0}
    """
    found = readings(result)
    models = {value for each in found for name, value in each.labels if name == "model"}
    if len(models) == 1:
        found = [each._replace(labels=tuple(pair for pair in each.labels if pair[0] != "model")) for each in found]
    return keyed(found, lambda each: prefix + each.path, lambda each: each.value)


def keyed(found: Iterable[Reading], key: Callable[[Reading], str], value: Callable[[Reading], Any]) -> dict[str, Any]:
    """Readings by a key; two that would share one are refused, since one of them would be lost."""
    listed = [(key(each), value(each)) for each in found]
    twice = [name for name, count in Counter(name for name, _ in listed).items() if count > 1]
    if twice:
        text = f"more than one number would be called {some_values(twice, most=3)}; rename models, groups or measures"
        raise ArgumentError("names_collide", text)
    return dict(listed)


def readings(result: object) -> list[Reading]:
    """Numbers of a result's table, then those that stand beside it; a curve, which is no number, is refused."""
    if not isinstance(result, Result):
        text = f"trackers take what rocsteady gives back, such as an evaluation; got {type(result).__name__}"
        raise ArgumentError("result", text)
    table = _table(result)
    named = [name for name in table if name in (*NAMING, *PAIR)]
    n_rows = len(next(iter(table.values()), []))
    if n_rows > 1 and not named:
        kind = type(result).__name__
        text = f"a {kind} is a table of {format_count(n_rows)} points and no number; log its picture, plot().figure_"
        raise ArgumentError("result", text)
    measure = getattr(result, "measure", None)
    of = (("measure", printable(measure)),) if isinstance(measure, str) and "measure" not in named else ()
    found = [each for row in range(n_rows) for each in _of_row(table, named, row, of)]
    held = {each.name for each in found if each.labels == of}
    return found + [each for each in _beside(result) if each.name not in held]


def _table(result: Result) -> dict[str, list[Any]]:
    """The columns of a result; ends of an interval under the name of what they are ends of."""
    columns = getattr(result, "_tracked", result._columns)()  # noqa: SLF001 - every result has them
    table = {str(name): list(values) for name, values in columns.items()}
    head = next((name for name in HEADS if name in table), None)
    ends = {} if head is None else {end: f"{head}_{end}" for end in ("low", "high")}
    return {ends.get(name, name): values for name, values in table.items()}


def _of_row(table: dict[str, list[Any]], named: list[str], row: int, of: tuple[tuple[str, str], ...]) -> list[Reading]:
    told = [name for name in named if CONDITION not in named or table[name][row] is not None]
    labels = of + tuple((name, printable(table[name][row])) for name in told)
    values = {name: _number(column[row]) for name, column in table.items() if name not in named}
    return [Reading(printable(name), labels, value) for name, value in values.items() if value is not None]


def _beside(result: Result) -> Iterator[Reading]:
    """Numbers and intervals that a result holds besides its table: counts of classes, averages of them."""
    names: list[str] = [each.name for each in fields(result)] if is_dataclass(result) else []
    more: dict[str, float] = getattr(result, "_tracked_beside", dict)()
    for field in (*more, *names):
        held = more[field] if field in more else getattr(result, field)
        several = held if field == "values" and isinstance(held, dict) else {field: held}
        for name, value in several.items():
            if isinstance(value, Interval):
                ends = {"": value.estimate, "_low": value.low, "_high": value.high}
                yield from (Reading(f"{printable(name)}{end}", (), float(at)) for end, at in ends.items())
            elif name not in ("low", "high") and (number := _number(value)) is not None:
                yield Reading(printable(name), (), number)


def _number(value: Any) -> float | None:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        return None
    return float(value)
