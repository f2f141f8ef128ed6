"""Vintages: of the rows of each period, how many were known to be positive after so many days."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, first_rows
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.evaluation.monitor.days import day_numbers, one_day, shown_day
from rocsteady._src.inference.intervals.normal import check_level
from rocsteady._src.inference.intervals.proportions import proportion_bounds
from rocsteady._src.inputs.arrays import read_column
from rocsteady._src.inputs.clean import Names, check_lengths, checked_labels
from rocsteady._src.inputs.tables import pick_columns
from rocsteady._src.ranked import numbered
from rocsteady._src.ranked.lazy.by_values import COUNT, counted_by
from rocsteady._src.ranked.lazy.columns import is_lazy
from rocsteady._src.results import Origin
from rocsteady._src.results.credit import VintageTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]


@typed
def vintage_table(
    table: Any,
    *,
    label: str,
    day: str,
    arrived: str,
    every: int = 30,
    today: Any = None,
    level: float = 0.95,
    pos_label: Any = None,
) -> VintageTable:
    """Share of rows known to be positive, by the period in which they began and by age: the curves of vintages.

    Parameters
    ----------
    table : table
        One row per case, such as a loan; a lazy one is counted by its engine.
    label, day, arrived : str
        Columns of labels (missing where not known yet), of the day on which a row began, and of the day on which its
        label was known; that of rows that are not positive may be missing.
    every : int
        Days of a period, and steps of age.
    today : day, optional
        Up to when labels are known; the last day that occurs unless given. Ages that not all rows of a period have
        reached have no line.
    level : float
        Of the intervals of shares.
    pos_label
        As in :func:`rocsteady.rank`.

    Returns
    -------
    VintageTable
        ``to_frame()`` has a line for each period and age.

    Examples
    --------
    >>> import rocsteady as rs
    >>> loans = {"bad": [1, 0, 1, 0, 0, 1], "granted": [1, 2, 5, 32, 40, 45], "known": [50, None, 20, None, None, 70]}
    >>> found = rs.monitoring.vintage_table(loans, label="bad", day="granted", arrived="known", every=30, today=120)
    >>> found.period, found.age.tolist(), found.positives.tolist()
    (('1', '1', '1', '31', '31'), [30, 60, 90, 30, 60], [1, 2, 2, 1, 1])
    """
    check_level(level)
    if every < 1:
        raise ArgumentError("every", f"every is 1 or more days, got {every}")
    picked = (counted_by if is_lazy(table) else pick_columns)(table, [label, day, arrived])
    columns = {name: read_column(values, name) for name, values in picked.items()}
    often = columns.pop(COUNT, (None, None))[0]
    check_lengths({name: values for name, (values, _) in columns.items()})
    positive, known_label = _positives(*columns[label], pos_label, label)
    begun, came, dates = _days(columns, positive, day, arrived)
    last = _last(begun, came[positive]) if today is None else one_day(today, "today")
    seen = begun <= last
    rows = np.ones(begun.size, dtype=np.int64)[seen] if often is None else often.astype(np.int64)[seen]
    first = int(begun.min())
    starts, place = numbered((begun[seen] - first) // every * every + first)
    age = np.where(positive[seen] & (came[seen] <= last), came[seen] - begun[seen], np.iinfo(np.int64).max)
    lines = [
        (at, step, int(rows[place == at].sum()), int(rows[(place == at) & (age <= step)].sum()))
        for at, start in enumerate(starts)
        for step in range(every, last - (int(start) + every - 1) + 1, every)
    ]
    if not lines:
        raise InputError("empty", f"no period of {format_count(every)} days is {format_count(every)} days old yet")
    where, ages, n, ups = (np.array(column) for column in zip(*lines, strict=True))
    low, high = proportion_bounds(ups, n, level=level, method="wilson")
    n_pos, n_rows = int(rows[age < np.iinfo(np.int64).max].sum()), int(rows.sum())
    return VintageTable(
        period=tuple(shown_day(int(starts[at]), dates=dates) for at in where),
        age=ages,
        n=n,
        positives=ups,
        rate=ups / n,
        low=low,
        high=high,
        every=every,
        today=shown_day(last, dates=dates),
        level=level,
        n_pos=n_pos,
        n_neg=n_rows - n_pos,
        origin=Origin(known_label, n_rows),
    )


def _last(begun: Numbers, came: Numbers) -> int:
    """The last day that occurs."""
    return max(int(begun.max()), int(came.max(initial=int(begun.min()))))


def _positives(labels: Any, gap: Any, pos_label: Any, name: str) -> tuple[Any, Any]:
    """Which rows are known to be positive; those without a label are not."""
    if not labels.size:
        raise InputError("empty", "there are no rows")
    known = np.ones(labels.size, dtype=bool) if gap is None else ~gap
    positive = np.zeros(labels.size, dtype=bool)
    kept = labels[known]
    if kept.dtype.kind == "f" and np.isin(kept, (0.0, 1.0)).all():
        kept = kept.astype(np.int64)  # a column with gaps turned 0 and 1 into floats
    positive[known], found, *_ = checked_labels(kept, kept, pos_label, Names(label=name, score=name))
    return positive, found


def _days(columns: dict[str, Any], positive: Any, day: str, arrived: str) -> tuple[Numbers, Numbers, bool]:
    """The day on which each row began, and that on which its label was known, where it is told."""
    (days, gap), (told, lacking) = columns[day], columns[arrived]
    _refuse(gap, f"{day}: {{n}} missing, {{rows}}; every row begins on a day")
    lacking = np.zeros(told.size, dtype=bool) if lacking is None else lacking
    _refuse(positive & lacking, f"{arrived}: {{n}} positive rows do not tell when that was known, {{rows}}")
    begun, dates = day_numbers(days, day)
    came = begun.copy()
    if not lacking.all():
        came[~lacking], same = day_numbers(told[~lacking], arrived)
        if same != dates:
            raise InputError("day", f"{day} and {arrived} must both be dates, or both numbers")
    _refuse(came < begun, f"{arrived}: {{n}} labels were known before their rows began, {{rows}}; compare with {day}")
    return begun, came, dates


def _refuse(wrong: Any, words: str) -> None:
    rows = np.zeros(0, dtype=np.int64) if wrong is None else np.flatnonzero(wrong)
    if rows.size:
        raise InputError("day", words.format(n=format_count(rows.size), rows=first_rows(rows, total=rows.size)))
