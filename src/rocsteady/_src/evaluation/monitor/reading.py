"""Tables and sketches by day become counts by segment and day: scores with positives, negatives, open labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, first_rows, some_values
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count
from rocsteady._src.designs.watch.day_counts import DayCounts
from rocsteady._src.evaluation.monitor.days import day_numbers, shown_day
from rocsteady._src.inputs.arrays import read_column
from rocsteady._src.inputs.clean import Names as LabelNames
from rocsteady._src.inputs.clean import check_lengths, checked_labels
from rocsteady._src.inputs.scores import as_doubles, ordered_scores
from rocsteady._src.inputs.tables import pick_columns
from rocsteady._src.inputs.weights import checked_weights
from rocsteady._src.ranked import numbered, sorted_distinct
from rocsteady._src.ranked.lazy.by_values import COUNT, counted_by
from rocsteady._src.ranked.lazy.columns import is_lazy
from rocsteady._src.ranked.parts import Split

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Ages = dict[int, dict[int, tuple[float, float]]]

ALL = ""  # the name of all segments together


@dataclass(frozen=True, slots=True)
class Columns:
    """Names of columns of a table, and what its labels and days are."""

    label: str
    score: str
    day: str | None
    segment: str | None = None
    arrived: str | None = None
    pos_label: Any = None
    every: int = 1
    missing: str = "raise"
    weight: str | None = None

    @property
    def names(self) -> list[str]:
        """All of them that are there."""
        found = (self.label, self.score, self.day, self.segment, self.arrived, self.weight)
        return [name for name in found if name is not None]


@dataclass(frozen=True, slots=True)
class DatedRows:
    """Rows that were read, or combinations of values with how often each ``occurs``; ``weight`` of sampling, if any."""

    scores: Array
    known: Any
    positive: Any
    occurs: Array
    weight: Array | None

    def some(self, at: Any) -> DatedRows:
        """Some of them."""
        weight = None if self.weight is None else self.weight[at]
        return DatedRows(self.scores[at], self.known[at], self.positive[at], self.occurs[at], weight)

    def counts(self) -> DayCounts:
        """Distinct scores with their counts, or weights."""
        scores, place = sorted_distinct(self.scores)
        weight = self.occurs if self.weight is None else self.occurs * self.weight
        squares = None if self.weight is None else weight * self.weight
        kinds = (self.positive, self.known & ~self.positive, ~self.known)

        def summed(part: Any, values: Array) -> Array:
            return np.bincount(place, part * values, minlength=scores.size).astype(np.float64)

        pos, neg, rest = (summed(part, weight) for part in kinds)
        more: dict[str, Any] = {}
        if squares is not None:
            more = {"pos_squared": summed(kinds[0], squares), "neg_squared": summed(kinds[1], squares)}
            more |= {"whole_squared": float(squares.sum()), "n_rows": float(self.occurs.sum())}
        return DayCounts(scores, pos, neg, rest, **more)


@dataclass(slots=True)
class Days:
    """Counts by segment and day, ALL among the segments; when a label was known, by day and age, where that is told."""

    counts: dict[str, dict[int, DayCounts]]
    dates: bool
    last: int
    pos_label: Any
    n_rows: int
    n_dropped: int = 0
    ages: Ages = field(default_factory=dict)
    weighted: bool = False

    def shown(self, day: int) -> str:
        """A day as it is read."""
        return shown_day(day, dates=self.dates)


def read_days(table: Any, columns: Columns, today: int | None = None) -> Days:
    """Count the rows of a table, or take those of a dict of sketches by day."""
    if are_sketches(table):
        return _of_sketches(table, columns)
    picked = counted_by(table, columns.names) if is_lazy(table) else pick_columns(table, columns.names)
    read = {name: read_column(values, name, numbers_follow=name == columns.score) for name, values in picked.items()}
    occurs = read.pop(COUNT)[0].astype(np.float64) if COUNT in read else None
    check_lengths({name: values for name, (values, _) in read.items()})
    keep, dropped = _complete(read, columns, occurs)
    rows = {name: values[keep] for name, (values, _) in read.items()}
    gaps = {name: _gap(read[name], keep) for name in columns.names}
    occurs = np.ones(int(keep.sum())) if occurs is None else occurs[keep]
    if columns.weight is not None and occurs.size:
        rows[columns.weight] = checked_weights(rows[columns.weight], columns.weight)
    return _counted(rows, gaps, occurs, columns, today, dropped)


def _gap(read: tuple[Any, Any], keep: Any) -> Any:
    values, gap = read
    return (np.zeros(values.size, dtype=bool) if gap is None else gap)[keep]


def _complete(read: dict[str, Any], columns: Columns, weight: Any) -> tuple[Any, int]:
    """Rows that have a score, a day, a segment and a weight; a label may come later."""
    if columns.missing not in ("raise", "drop"):
        raise ArgumentError("missing_policy", f"missing must be 'raise' or 'drop', got {columns.missing!r}")
    needed = [name for name in (columns.score, columns.day, columns.segment, columns.weight) if name is not None]
    gaps = {name: read[name][1] for name in needed if read[name][1] is not None}
    keep = np.ones(read[columns.label][0].size, dtype=bool)
    for name, gap in gaps.items():
        if columns.missing == "raise" and gap.any():
            rows = np.flatnonzero(gap)
            told = f"{name}: {format_count(rows.size)} missing, {first_rows(rows, total=rows.size)}"
            words = "{told}; pass {missing='drop'} to leave incomplete rows out"
            raise InputError("missing_values", Sentence(words, told=told))
        keep &= ~gap
    out = ~keep
    return keep, int(out.sum() if weight is None else weight[out].sum())


def _counted(rows: Any, gaps: Any, occurs: Array, columns: Columns, today: int | None, dropped: int) -> Days:
    n = occurs.size
    if not n:
        raise InputError("empty", "there are no rows to watch")
    if columns.day is None:
        day, dates = np.zeros(n, dtype=np.int64), False
    else:
        day, dates = day_numbers(rows[columns.day], columns.day, columns.every)
    known = ~gaps[columns.label]
    arrived = _arrivals(rows, gaps, columns, day)
    told = [int(day.max())] if arrived is None else [int(day.max()), int(arrived[known].max(initial=int(day.max())))]
    last = max(told) if today is None else today
    if arrived is not None:
        known &= arrived <= last
    seen = day <= last
    positive, pos_label = _labels(rows, known, columns)
    scores = _scores(rows[columns.score], rows[columns.label], pos_label, columns.score)
    weight = None if columns.weight is None else rows[columns.weight].astype(np.float64)
    read = DatedRows(scores, known, positive, occurs, weight).some(seen)
    day, arrived = day[seen], None if arrived is None else arrived[seen]
    counts = {ALL: _by_day(day, read)}
    if columns.segment is not None:
        segments, place = numbered(rows[columns.segment][seen])
        for number, name in enumerate(segments):
            counts[_segment(name)] = _by_day(day[place == number], read.some(place == number))
    ages = {} if arrived is None else _ages(day, arrived, read.known, read.positive, read.occurs)
    n_rows = int(read.occurs.sum())
    return Days(counts, dates, last, pos_label, n_rows, dropped, ages, weighted=weight is not None)


def _segment(value: Any) -> str:
    text = str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
    if text == ALL:
        raise InputError("segment", "a segment has no name: an empty text; give its rows one")
    return text


def _arrivals(rows: Any, gaps: Any, columns: Columns, day: Any) -> Any:
    """The day on which each label was known; of rows that do not tell it, the day they were scored."""
    if columns.arrived is None:
        return None
    told = ~gaps[columns.arrived]
    found = day.copy()
    if told.any():
        found[told] = day_numbers(rows[columns.arrived][told], columns.arrived)[0]
    early = np.flatnonzero(found < day)
    if early.size:
        text = f"{columns.arrived}: {format_count(early.size)} labels came before their rows were scored"
        raise InputError("arrived", f"{text}, {first_rows(early, total=early.size)}; compare with {columns.day}")
    return found


def _labels(rows: Any, known: Any, columns: Columns) -> tuple[Any, Any]:
    """Which rows are known to be positive, and the label that says so."""
    labels, scores = rows[columns.label], rows[columns.score]
    positive = np.zeros(labels.size, dtype=bool)
    if not known.any():
        return positive, columns.pos_label
    names = LabelNames(label=columns.label, score=columns.score)
    kept = labels[known]
    if kept.dtype.kind == "f" and np.isin(kept, (0.0, 1.0)).all():
        kept = kept.astype(np.int64)  # a column with gaps turned 0 and 1 into floats
    positive[known], pos_label, *_ = checked_labels(kept, scores[known], columns.pos_label, names)
    return positive, pos_label


def _scores(scores: Any, labels: Any, pos_label: Any, name: str) -> Array:
    found = as_doubles(ordered_scores(scores, labels, pos_label, name), name)
    odd = np.flatnonzero(~np.isfinite(found))
    if odd.size:
        text = f"{name}: {format_count(odd.size)} scores are infinite, {first_rows(odd, total=odd.size)}"
        raise InputError("infinite_scores", f"{text}; a watch needs numbers")
    return found


def _by_day(day: Any, rows: DatedRows) -> dict[int, DayCounts]:
    days, place = numbered(day)
    split = Split(place, len(days)) if days else None
    return {int(each): rows.some(split.rows[at]).counts() for at, each in enumerate(days)} if split is not None else {}


def _ages(
    day: Any, arrived: Any, known: Any, positive: Any, weight: Array
) -> dict[int, dict[int, tuple[float, float]]]:
    """By day and by age of the label: how many positives and negatives became known."""
    found: Ages = {}
    days, place = numbered(day[known])
    ages, old = numbered((arrived - day)[known])
    width = max(len(ages), 1)
    ups, downs = positive[known] * weight[known], (~positive[known]) * weight[known]
    cells = [np.bincount(place * width + old, each, minlength=len(days) * width) for each in (ups, downs)]
    for at, each in enumerate(days):
        line = [column[at * width : (at + 1) * width] for column in cells]
        found[int(each)] = {int(age): (float(line[0][k]), float(line[1][k])) for k, age in enumerate(ages)}
    return found


def are_sketches(table: Any) -> bool:
    """Whether this is a dict of sketches, or of such by model."""
    if not isinstance(table, Mapping) or not table:
        return False
    first = next(iter(table.values()))
    each = next(iter(first.values()), None) if isinstance(first, Mapping) else first
    return hasattr(each, "cells") and hasattr(each, "origin")


def refuse_shared(table: Any, models: tuple[str, ...]) -> None:
    """Refuse to watch several models by the same sketches."""
    if len(models) > 1 and are_sketches(table) and not isinstance(next(iter(table.values())), Mapping):
        told = "several models need sketches of each: pass a dict of sketches by model for every day"
        raise ArgumentError("score", told)


def _keys_of_sketches(table: Mapping[Any, Any], columns: Columns) -> list[tuple[Any, ...]]:
    """The days, or days and segments, that name sketches; options that sketches cannot answer are refused."""
    if columns.arrived is not None:
        raise ArgumentError("arrived", "sketches count labelled rows and do not tell when labels came")
    if columns.weight is not None:
        raise ArgumentError("weight", "sketches have counted rows with their weights, or without; leave weight out")
    if columns.every != 1:
        raise ArgumentError("every", "sketches were counted by the days they name; count them by week to watch weeks")
    keys = [key if isinstance(key, tuple) else (key,) for key in table]
    if len({len(key) for key in keys}) > 1 or len(keys[0]) not in (1, 2):
        raise ArgumentError("day", "sketches to watch are a dict by day, or by (day, segment)")
    if columns.segment is not None and len(keys[0]) == 1:
        told = "the sketches are by day alone: name them (day, segment), or leave {segment=} out"
        raise ArgumentError("segment", Sentence(told))
    return keys


def _of_sketches(table: Mapping[Any, Any], columns: Columns) -> Days:
    """Sketches by day, or by day and segment."""
    keys = _keys_of_sketches(table, columns)
    number, dates = day_numbers(np.array([key[0] for key in keys], dtype=object), columns.day or "day")
    parts: dict[str, dict[int, Any]] = {ALL: {}}
    for key, day, found in zip(keys, number.tolist(), table.values(), strict=True):
        sketch = _of_model(found, columns.score)
        parts[ALL][day] = parts[ALL][day].merge(sketch) if day in parts[ALL] else sketch
        if columns.segment is not None:
            parts.setdefault(_segment(key[1]), {})[day] = sketch
    whole = [sketch.origin for sketch in parts[ALL].values()]
    labels = {each.pos_label for each in whole if each.n_rows}
    if len(labels) > 1:
        raise InputError(
            "labels_differ", f"the days differ in their positive label: {some_values(sorted(labels, key=str))}"
        )
    n_rows, dropped = (sum(getattr(each, name) for each in whole) for name in ("n_rows", "n_dropped"))
    counts = {name: {day: of_sketch(each) for day, each in sorted(days.items())} for name, days in parts.items()}
    return Days(counts, dates, max(counts[ALL]), next(iter(labels), columns.pos_label), n_rows, dropped)


def _of_model(found: Any, model: str) -> Any:
    """The sketch of a model, where each day has one for several."""
    if not isinstance(found, Mapping):
        return found
    if model not in found:
        raise ArgumentError("score", f"there is no model {model!r}; models: {some_values(found)}")
    return found[model]


def of_sketch(sketch: Any) -> DayCounts:
    """The counts of a sketch; rows of a cell count as equal, at the middle of its ends."""
    if sketch.exact:
        ordered = sketch.best()
        scores, pos, neg = (np.asarray(each, dtype=np.float64) for each in (ordered.scores, ordered.pos, ordered.neg))
        return DayCounts(scores, pos, neg, np.zeros(scores.size))
    first, last = (sketch.cells.ordered(sketch.origin, best=best) for best in (True, False))
    ends = sorted_distinct(np.concatenate([first.scores, last.scores]))[0].astype(np.float64)
    cells, middle = sketch.cells, _middles(sketch.cells, ends)
    return DayCounts(middle, cells.pos.astype(np.float64), cells.neg.astype(np.float64), np.zeros(middle.size))


def _middles(cells: Any, ends: Array) -> Array:
    """The middle of each cell: of the ends, in order, a cell of one score has one and any other two."""
    wide = np.where(cells.known, 1, 2)
    start = np.cumsum(wide) - wide
    middle: Array = (ends[start] + ends[start + wide - 1]) / 2
    return middle
