"""Ratings of a study, put side by side by case: those of every reader under every modality, or those that there are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, first_rows, some_values
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count
from rocsteady._src.inputs.arrays import is_one
from rocsteady._src.ranked import Rows, read_rows
from rocsteady._src.ranked.numbering import numbered

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import Missing

    Numbers = NDArray[np.int64]

FEWEST = 2


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """Rows of ratings: ``row_of`` has a column per case, and a line for each modality and, within it, each reader.

    It is -1 where there is no rating. ``positive`` is by case. ``left_out`` are modalities that were not asked for.
    """

    read: Rows
    readers: tuple[Any, ...]
    modalities: tuple[Any, ...]
    cases: tuple[Any, ...]
    positive: NDArray[np.bool_]
    row_of: Numbers
    left_out: tuple[Any, ...] = ()
    n_dropped: int = 0

    def scores(self, column: str) -> NDArray[np.float64]:
        """Ratings in the same places, NaN where there is none."""
        return np.where(self.row_of >= 0, self.read.doubles_of(column)[self.row_of], np.nan)


@dataclass(frozen=True, slots=True, eq=False)
class Crossed:
    """One row per case; ``rows`` hold a column for each modality and, within it, for each reader."""

    rows: Rows
    readers: tuple[Any, ...]
    modalities: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Columns:
    """What the columns of a study are called."""

    reader: str
    modality: str
    case: str
    label: str
    score: str


def read_ratings(
    table: object, columns: Columns, pos_label: Any, order: Iterable[Any] | None, missing: Missing = "raise"
) -> Ratings:
    """Read ratings, one per row, of any design; repeated ones are refused.

    ``order`` is that of the modalities; those that it does not name are left out.
    """
    named: Any = {"also": [columns.reader, columns.modality, columns.case], "pos_label": pos_label, "missing": missing}
    every = read_rows(table, label=columns.label, scores=[columns.score], **named).checked()
    if not every.n_rows:
        raise InputError("empty", f"there are no rows{every.origin.dropped or '; pass at least one'}")
    held, of_modality = numbered(every.columns[columns.modality], every.orders.get(columns.modality, ()))
    places = list(range(len(held))) if order is None else _places(columns.modality, order, held)
    modalities, left_out = [held[place] for place in places], [each for k, each in enumerate(held) if k not in places]
    _check_several("modality", f"column {columns.modality!r} holds" if not left_out else "the order names", modalities)
    number = np.full(len(held), -1)
    number[places] = np.arange(len(places))
    kept = number[of_modality] >= 0
    read, of_modality = every.where(kept) if left_out else every, number[of_modality][kept]
    readers, of_reader = numbered(read.columns[columns.reader], read.orders.get(columns.reader, ()))
    cases, of_case = numbered(read.columns[columns.case])
    _check_several("reader", f"column {columns.reader!r} holds", readers)
    _check_labels(read, columns, cases, of_case)
    cell = of_modality * len(readers) + of_reader
    _check_once(columns, cell * len(cases) + of_case, cases, whole=not (left_out or every.n_dropped))
    row_of = np.full((len(modalities) * len(readers), len(cases)), -1, dtype=np.int64)
    row_of[cell, of_case] = np.arange(read.n_rows)
    positive = np.zeros(len(cases), dtype=bool)
    positive[of_case] = read.positive
    names = tuple(readers), tuple(modalities), tuple(cases)
    return Ratings(read, *names, positive, row_of, tuple(left_out), every.n_dropped)


def crossed_of(ratings: Ratings, columns: Columns) -> Crossed:
    """The same of a study in which every reader judged every case under every modality; any other is refused."""
    _check_complete(ratings, columns)
    read, row_of = ratings.read, ratings.row_of
    scores, labels = read.scores_of(columns.score), read.columns[columns.label]
    wide: dict[str, Any] = {str(place): scores[line] for place, line in enumerate(row_of)}
    by_case = {columns.label + "\0": labels[row_of[0]], **wide}  # a name that no place has
    made = read_rows(by_case, label=columns.label + "\0", scores=list(wide), pos_label=read.origin.pos_label)
    return Crossed(made.checked(), ratings.readers, ratings.modalities)


def _check_several(what: str, where: str, found: list[Any]) -> None:
    if len(found) >= FEWEST:
        return
    remedy = {
        "reader": "nothing is known of others from one; compare modalities of one reader with rs.compare_auc",
        "modality": "there is nothing to compare; take rs.auc_interval of the ratings of each reader",
    }
    raise InputError(f"one_{what}", f"{where} one {what}, {some_values(found)}: {remedy[what]}")


def _places(column: str, order: Iterable[Any], found: list[Any]) -> list[int]:
    """Where the modalities stand that an order names, each once; the others are left out."""
    named = list(order) if isinstance(order, Iterable) and not isinstance(order, str) else [order]
    known = {value: place for place, value in enumerate(found)}
    places = [known.get(value, -1) if is_one(value) else -1 for value in named]
    if -1 in places or len(set(places)) < len(places) or not places:
        told = f"column {column!r} holds {some_values(found)}, and the order names {some_values(named)}"
        raise ArgumentError("modalities", f"{told}: name those to compare, each of them once")
    return places


def _check_labels(read: Rows, columns: Columns, cases: list[Any], of_case: Numbers) -> None:
    """A case is positive or not, whoever reads it."""
    times, positives = (np.bincount(of_case, weights=each, minlength=len(cases)) for each in (None, read.positive))
    odd = np.flatnonzero((positives > 0) & (positives < times))
    if odd.size:
        which = some_values([cases[place] for place in odd[:3]])
        text = f"{format_count(odd.size)} values of column {columns.case!r} have both labels, such as {which}"
        remedy = f"the truth in {columns.label!r} belongs to the case: correct it, or number the cases anew"
        raise InputError("case_labels", f"{text}; {remedy}")


def _check_once(columns: Columns, key: Numbers, cases: list[Any], *, whole: bool) -> None:
    """One rating of each case by each reader under each modality; rows are numbered where all of them are here."""
    again = np.ones(key.size, dtype=bool)
    again[np.unique(key, return_index=True)[1]] = False
    odd = np.flatnonzero(again)
    if odd.size:
        names = f"{columns.reader!r}, {columns.modality!r} and {columns.case!r}"
        which = [cases[place] for place in (key[odd[:3]] % len(cases)).tolist()]
        where = first_rows(odd, total=odd.size) if whole else f"such as of {columns.case} {some_values(which)}"
        text = f"{format_count(odd.size)} rows repeat {names} of a row before, {where}"
        raise InputError("ratings_repeated", f"{text}; keep one rating of each")


def _check_complete(ratings: Ratings, columns: Columns) -> None:
    """Every reader judged every case under every modality."""
    lacking = ratings.row_of < 0
    if not lacking.any():
        return
    short = int(np.flatnonzero(lacking.any(axis=1))[0])
    which = [ratings.cases[place] for place in np.flatnonzero(lacking[short])[:3]]
    n_readers = len(ratings.readers)
    who, how = ratings.readers[short % n_readers], ratings.modalities[short // n_readers]
    found = (
        f"{format_count(np.count_nonzero(lacking))} ratings are missing: {columns.reader} {some_values([who])} with "
        f"{columns.modality} {some_values([how])} lacks {columns.case} {some_values(which)}"
    )
    words = "{found}; keep the cases that all of them judged, or take {method='u-statistics'}, which needs no crossing"
    raise InputError("not_crossed", Sentence(words, found=found))
