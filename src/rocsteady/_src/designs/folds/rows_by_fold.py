"""Rows divided into the folds of a cross-validation: ranked as a whole once, and so in every fold."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, some_values
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count
from rocsteady._src.designs.folds.labels import folds_of_splitter, is_splitter, numbered_folds
from rocsteady._src.designs.folds.repeats import cycles_remark, refuse_repeats
from rocsteady._src.inputs.arrays import read_column
from rocsteady._src.inputs.clean import check_lengths
from rocsteady._src.inputs.weights import reading_remarks
from rocsteady._src.ranked import numbered, read_rows, sorted_distinct
from rocsteady._src.results.crossval import CrossvalScores
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.ranked import RankedScores, Rows
    from rocsteady._src.results import Origin

    Column = NDArray[Any]

LABEL, FOLD, REPEAT, ROW, CLUSTER, WEIGHT = "y_true", "fold", "repeat", "row", "cluster", "sample_weight"


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """One fold of one repeat, for ``models``; ``part`` are its rows, ``rows`` their places among all."""

    label: Any
    repeat: Any
    repeat_number: int
    rows: NDArray[np.int64]
    part: Rows
    models: tuple[str, ...]

    @property
    def ranked(self) -> tuple[RankedScores, ...]:
        """Its groups by each model."""
        return tuple(self.part.rank(*self.models).values())

    @property
    def name(self) -> str:
        """What to call it."""
        return f"fold {self.label!r}" + ("" if self.repeat is None else f" of repeat {self.repeat!r}")

    @property
    def one_class(self) -> bool:
        """Whether its AUC is undefined."""
        return not 0 < np.count_nonzero(self.part.positive) < self.part.n_rows

    @property
    def counts(self) -> str:
        """Its rows in words."""
        return (
            f"{self.name} ({format_count(self.ranked[0].n_pos)} positive, "
            f"{format_count(self.ranked[0].n_neg)} negative)"
        )


@dataclass(frozen=True, slots=True, eq=False)
class FoldedRows:
    """``whole`` are all rows. ``row`` numbers the same row in several repeats, ``cluster`` the subjects."""

    whole: Rows
    row: NDArray[np.int64] | None
    cluster: NDArray[np.int64] | None
    folds: tuple[Fold, ...]
    warnings: tuple[Remark, ...] = ()
    _together: dict[tuple[str, ...], Rows] = field(default_factory=dict, repr=False)

    @property
    def positive(self) -> NDArray[np.bool_]:
        """Whether each row is positive."""
        return self.whole.positive

    @property
    def weights(self) -> Column | None:
        """The weight of each row; None when every row counts once."""
        return self.whole.weights

    @property
    def weight_type(self) -> str | None:
        """How the weights are read, "frequency" or "sampling"; None without any."""
        return self.whole.reading

    @property
    def origin(self) -> Origin:
        """Where the numbers come from; a row of several repeats counts once."""
        return replace(self.whole.origin, n_rows=self.distinct.origin.n_rows)

    @property
    def n_pos(self) -> Any:
        """Number of different positives, or their weight."""
        return self.distinct.class_weights[0]

    @property
    def n_neg(self) -> Any:
        """Number of different negatives, or their weight."""
        return self.distinct.class_weights[1]

    @property
    def distinct(self) -> Rows:
        """Each row once; where rows have no numbers, those of the repeat that has the most."""
        if self.n_repeats < 2:
            return self.whole
        once = np.zeros(self.whole.n_rows, dtype=bool)
        if self.row is not None:
            first = np.zeros(int(self.row.max(initial=-1)) + 1, dtype=np.intp)
            first[self.row[::-1]] = np.arange(self.row.size)[::-1]
            once[first] = True
        else:
            repeats = [np.concatenate([fold.rows for fold in folds]) for folds in self.repeats()]
            once[max(repeats, key=len)] = True
        return self.whole.where(once)

    @property
    def n_repeats(self) -> int:
        """Number of repeats."""
        return len({fold.repeat_number for fold in self.folds})

    def of_models(self, *models: str) -> FoldedRows:
        """The same folds with some of the models, read and ranked together with these."""
        folds = tuple(replace(fold, models=models) for fold in self.folds)
        return replace(self, whole=self.whole.of_models(*models), folds=folds)

    def scores(self, model: int) -> Column:
        """The score of each row."""
        return self.whole.scores_of(self.whole.names[model])

    def defined(self) -> FoldedRows:
        """Without the folds that have one class."""
        return replace(self, folds=tuple(fold for fold in self.folds if not fold.one_class))

    def repeats(self) -> list[list[Fold]]:
        """Folds by repeat."""
        numbers = dict.fromkeys(fold.repeat_number for fold in self.folds)
        return [[fold for fold in self.folds if fold.repeat_number == number] for number in numbers]

    def ranked(self, folds: Sequence[Fold], model: int = 0) -> RankedScores:
        """The rows of some folds ranked together; made once."""
        name = self.whole.names[model]
        if sum(fold.rows.size for fold in folds) == self.whole.n_rows:
            return self.whole.ranked_of(name)
        key = tuple(fold.name for fold in folds)
        if key not in self._together:
            kept = np.zeros(self.whole.n_rows, dtype=bool)
            kept[np.concatenate([fold.rows for fold in folds])] = True
            self._together[key] = self.whole.where(kept)
        return self._together[key].ranked_of(name)


def read_folds(
    y_true: object,
    models: Mapping[str, object],
    *,
    fold: object = None,
    repeat: object = None,
    row: object = None,
    cluster: object = None,
    sample_weight: object = None,
    weight_type: str | None = None,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> FoldedRows:
    """Check, align and rank columns, fold by fold; which class is positive is settled once, for all folds."""
    if isinstance(y_true, CrossvalScores):
        _refuse_more(*models.values(), fold, repeat, row, pos_label)
        repeated = y_true.n_repeats > 1
        found = {name: np.asarray(getattr(y_true, name)) for name in ("y_true", "y_score", "fold", "repeat", "row")}
        models, fold, pos_label = {"y_score": found["y_score"]}, found["fold"], y_true.pos_label
        repeat, row = (found["repeat"], found["row"]) if repeated else (None, found["row"])
        y_true = found["y_true"]
    _check_given(models, fold)
    if is_splitter(fold):
        fold = _splitter_folds(fold, y_true, cluster)
    side = {LABEL: y_true, FOLD: fold, REPEAT: repeat, ROW: row, CLUSTER: cluster, WEIGHT: sample_weight}
    given = {name: values for name, values in side.items() if values is not None or name == LABEL}
    named = {name: name if name in given else None for name in (REPEAT, ROW, CLUSTER)}
    rows = read_rows(
        {**given, **models},
        label=LABEL,
        scores=list(models),
        weight=WEIGHT if WEIGHT in given else None,
        id=named[CLUSTER],
        also=[FOLD, *(name for name in (REPEAT, ROW) if name in given)],
        pos_label=pos_label,
        missing=missing,
        weight_type=weight_type,
    )
    if not rows.n_rows:
        raise InputError("empty", "there are no rows: an AUC needs rows of both classes")
    return fold_rows(rows, FOLD, repeat=named[REPEAT], row=named[ROW], cluster=named[CLUSTER], called=ROW)


def _splitter_folds(splitter: object, y_true: object, cluster: object) -> NDArray[np.int64]:
    """The fold of each row, of those with gaps too: a splitter divides all of them."""
    labels = read_column(y_true, LABEL)[0]
    groups = None if cluster is None else read_column(cluster, CLUSTER)[0]
    check_lengths({LABEL: labels, CLUSTER: groups})
    return folds_of_splitter(splitter, labels, groups)


def fold_rows(
    rows: Rows, fold: str, *, repeat: str | None, row: str | None, cluster: str | None, called: str = "id"
) -> FoldedRows:
    """Divide rows that were read by the folds of a column; models are sorted on all rows, and so in every part.

    ``called`` is the option that names a row of the data.
    """
    rows.rank()
    made = FoldedRows(
        whole=rows,
        row=None if row is None else numbered(rows.columns[row])[1],
        cluster=None if cluster is None else _numbered(rows, cluster),
        folds=(),
    )
    places, parts = _parts(rows, fold, repeat)
    if row is not None:
        _check_rows(made, places, parts, (fold, repeat, row))
    folds = tuple(
        Fold(label, repeated, number, part.within_whole, part, rows.names)
        for (number, repeated, label), part in zip(parts, rows.split(places, len(parts)), strict=True)
    )
    warnings = reading_remarks(rows.origin) + _on_clusters(made.cluster, places, parts)
    if repeat is None and row is None:
        refuse_repeats(rows.positive, places, rows.scores_of(rows.names[0]), called)
        warnings += cycles_remark(rows.positive, places)
    return replace(made, folds=folds, warnings=warnings)


def _numbered(rows: Rows, cluster: str) -> NDArray[np.int64]:
    known = rows.clusters if cluster == rows.id else None
    return numbered(rows.columns[cluster])[1] if known is None else known


def _refuse_more(*others: object) -> None:
    if any(other is not None for other in others):
        text = "these scores carry their labels, folds and positive label already: pass them alone"
        raise ArgumentError("already_folded", text)


def _check_given(models: Mapping[str, object], fold: object) -> None:
    if any(scores is None for scores in models.values()):
        raise ArgumentError("scores_absent", "y_score is missing: pass labels first, then scores")
    if fold is None:
        raise ArgumentError("fold", "fold is missing: pass the fold in which each row was tested, or the splitter")
    if isinstance(fold, str):
        raise ArgumentError("fold", f"fold must be a column with the fold of each row, got the text {fold!r}")


Part = tuple[int, Any, Any]


def _parts(rows: Rows, fold: str, repeat: str | None) -> tuple[NDArray[np.int64], list[Part]]:
    """The number of each row's fold of its repeat; and repeat number, repeat and fold of each."""
    labels, of_fold = numbered_folds(rows.columns[fold], fold)
    repeats: tuple[Any, ...] = (None,)
    of_repeat = np.zeros_like(of_fold)
    if repeat is not None:
        repeats, of_repeat = numbered_folds(rows.columns[repeat], repeat)
    pairs, places = sorted_distinct(of_repeat * len(labels) + of_fold)
    parts = [(pair // len(labels), repeats[pair // len(labels)], labels[pair % len(labels)]) for pair in pairs.tolist()]
    if len(parts) < 2:
        text = f"{fold} has a single value, {some_values(labels)}, for all {format_count(places.size)} rows"
        raise InputError("single_fold", f"{text}; cross-validation needs two or more: use rs.auc_interval for one")
    return places, parts


def _check_rows(
    folded: FoldedRows, places: NDArray[np.int64], parts: list[Part], names: tuple[str, str | None, str]
) -> None:
    """A row is tested once in a repeat, and has the same label in all of them."""
    row, columns, (fold, repeat, of_row) = folded.row, folded.whole.columns, names
    assert row is not None  # noqa: S101 - for the reader of types
    of_repeat = np.array([number for number, _, _ in parts])[places]
    n_rows = int(row.max(initial=-1)) + 1
    at = sorted_distinct(of_repeat * n_rows + row)[1]
    twice = np.flatnonzero(np.bincount(at) > 1)
    if twice.size:
        example = np.flatnonzero(at == twice[0])
        folds = some_values(dict.fromkeys(columns[fold][example].tolist()))
        where = "" if repeat is None else f" of repeat {parts[places[example[0]]][1]!r}"
        raise InputError(
            "row_twice",
            Sentence(
                "{size:count} rows are tested more than once{where}, first row {row!r} in fold "
                "{folds}; a row is in one fold of each repeat: pass {repeat=} for repeats, {cluster=} "
                "for several rows of a subject",
                size=twice.size,
                where=where,
                row=columns[of_row].tolist()[example[0]],
                folds=folds,
            ),
        )
    share = np.bincount(row, folded.positive) / np.bincount(row)
    mixed = np.flatnonzero((share > 0) & (share < 1))
    if mixed.size:
        example = np.flatnonzero(row == mixed[0])
        named = columns[of_row].tolist()[example[0]]
        text = f"{format_count(mixed.size)} rows have different labels in different repeats, first row {named!r}"
        raise InputError("row_labels_disagree", f"{text}; id must name the same row of the data in all repeats")


def _on_clusters(cluster: NDArray[np.int64] | None, places: NDArray[np.int64], parts: list[Part]) -> tuple[Remark, ...]:
    if cluster is None:
        return ()
    size = int(cluster.max(initial=-1)) + 1
    in_folds = sorted_distinct(places * size + cluster)[0]
    repeat = np.array([number for number, _, _ in parts])[in_folds // size]
    in_repeats = sorted_distinct(repeat * size + in_folds % size)[1]
    split = int(np.count_nonzero(np.bincount(in_repeats) > 1))
    if not split:
        return ()
    return (Remark("subjects_in_folds", n=split),)
