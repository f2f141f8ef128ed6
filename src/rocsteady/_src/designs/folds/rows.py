"""The checking door of cross-validation: labels, scores and folds in, the ranked rows of each fold out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, some_values
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count
from rocsteady._src.designs.folds.labels import folds_of_splitter, is_splitter, numbered_folds
from rocsteady._src.inputs import CleanRows
from rocsteady._src.inputs.arrays import read_column
from rocsteady._src.inputs.clean import check_lengths, check_row_labels, counted_rows, rows_to_keep
from rocsteady._src.inputs.labels import positive_rows
from rocsteady._src.inputs.scores import ordered_scores
from rocsteady._src.inputs.weights import checked_weights, reading_remarks, settled_weights, weight_type_of
from rocsteady._src.ranked import RankedScores, descending_order, numbered, sorted_distinct
from rocsteady._src.results import Origin
from rocsteady._src.results.crossval import CrossvalScores
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import Missing

    Column = NDArray[Any]
    Read = dict[str, tuple[Column, NDArray[np.bool_] | None]]

LABEL, FOLD, REPEAT, ROW, CLUSTER, WEIGHT = "y_true", "fold", "repeat", "row", "cluster", "sample_weight"


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """The rows of one fold of one repeat, ranked by each model; ``rows`` are places among all rows."""

    label: Any
    repeat: Any
    repeat_number: int
    rows: NDArray[np.intp]
    ranked: tuple[RankedScores, ...]

    @property
    def name(self) -> str:
        """What to call it."""
        return f"fold {self.label!r}" + ("" if self.repeat is None else f" of repeat {self.repeat!r}")

    @property
    def one_class(self) -> bool:
        """Whether its AUC is undefined."""
        return not (self.ranked[0].n_pos and self.ranked[0].n_neg)

    @property
    def counts(self) -> str:
        """Its rows in words."""
        return (
            f"{self.name} ({format_count(self.ranked[0].n_pos)} positive, "
            f"{format_count(self.ranked[0].n_neg)} negative)"
        )


@dataclass(frozen=True, slots=True, eq=False)
class FoldedRows:
    """All rows, and the folds they make. ``row`` numbers the same row in several repeats, ``cluster`` the subjects."""

    positive: NDArray[np.bool_]
    scores: tuple[Column, ...]
    weights: Column | None
    weight_type: str | None
    row: NDArray[np.int64] | None
    cluster: NDArray[np.int64] | None
    folds: tuple[Fold, ...]
    origin: Origin
    warnings: tuple[Remark, ...] = ()

    @property
    def n_repeats(self) -> int:
        """Number of repeats."""
        return len({fold.repeat_number for fold in self.folds})

    def defined(self) -> FoldedRows:
        """Without the folds that have one class."""
        return replace(self, folds=tuple(fold for fold in self.folds if not fold.one_class))

    def repeats(self) -> list[list[Fold]]:
        """Folds by repeat."""
        numbers = dict.fromkeys(fold.repeat_number for fold in self.folds)
        return [[fold for fold in self.folds if fold.repeat_number == number] for number in numbers]

    def ranked(self, rows: NDArray[np.intp], model: int = 0) -> RankedScores:
        """Some rows ranked together."""
        return _ranked(self, rows, model)


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
    """Check, align and rank the rows of each fold; which class is positive is settled once, for all folds."""
    if isinstance(y_true, CrossvalScores):
        _refuse_more(*models.values(), fold, repeat, row, pos_label)
        repeated = y_true.n_repeats > 1
        found = {name: np.asarray(getattr(y_true, name)) for name in ("y_true", "y_score", "fold", "repeat", "row")}
        models, fold, pos_label = {"y_score": found["y_score"]}, found["fold"], y_true.pos_label
        repeat, row = (found["repeat"], found["row"]) if repeated else (None, found["row"])
        y_true = found["y_true"]
    _check_given(models, fold)
    splitter = fold if is_splitter(fold) else None
    side = {LABEL: y_true, FOLD: None if splitter else fold, REPEAT: repeat, ROW: row, CLUSTER: cluster}
    columns = {name: values for name, values in {**side, WEIGHT: sample_weight, **models}.items() if values is not None}
    read: Read = {name: read_column(values, name) for name, values in columns.items()}
    check_lengths({name: values for name, (values, _) in read.items()})
    check_row_labels(columns)
    if splitter is not None:
        groups = read[CLUSTER][0] if CLUSTER in read else None
        read[FOLD] = folds_of_splitter(splitter, read[LABEL][0], groups), None
    kept, n_dropped = _complete(read, missing, weight_type)
    return _folded(kept, tuple(models), weight_type, pos_label, n_dropped)


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


def _complete(read: Read, missing: Missing, weight_type: str | None) -> tuple[dict[str, Column], int]:
    labels, no_label = read[LABEL]
    weight_type_of(None, weight_type)
    if WEIGHT in read and read[WEIGHT][1] is None:
        read[WEIGHT] = checked_weights(read[WEIGHT][0], WEIGHT, weight_type), None
    counted = counted_rows(*read[WEIGHT]) if WEIGHT in read else None
    gaps = {name: gap for name, (_, gap) in read.items()}
    keep, n_dropped = rows_to_keep(gaps, labels, no_label, missing, counted=counted)
    return {name: values if keep is None else values[keep] for name, (values, _) in read.items()}, n_dropped


def _folded(
    kept: dict[str, Column], names: tuple[str, ...], weight_type: str | None, pos_label: Any, n_dropped: int
) -> FoldedRows:
    positive, pos_label = positive_rows(kept[LABEL], pos_label, LABEL)
    if not positive.size:
        raise InputError("empty", "there are no rows: an AUC needs rows of both classes")
    scores = tuple(ordered_scores(kept[name], kept[LABEL], pos_label, name) for name in names)
    weights = settled_weights(kept[WEIGHT], WEIGHT, weight_type) if WEIGHT in kept else None
    asked = None if weights is None else weight_type
    origin = Origin(pos_label, positive.size, n_dropped, weights is not None, weight_type=asked)
    rows = FoldedRows(
        positive=positive,
        scores=scores,
        weights=weights,
        weight_type=origin.reading,
        row=numbered(kept[ROW])[1] if ROW in kept else None,
        cluster=numbered(kept[CLUSTER])[1] if CLUSTER in kept else None,
        folds=(),
        origin=origin,
    )
    places, parts = _parts(kept)
    _check_rows(rows, places, parts, kept)
    by_fold = np.split(descending_order(-places), np.bincount(places).cumsum()[:-1])
    folds = tuple(
        Fold(label, repeat, number, chosen, tuple(_ranked(rows, chosen, model) for model in range(len(scores))))
        for (number, repeat, label), chosen in zip(parts, by_fold, strict=True)
    )
    return replace(rows, folds=folds, warnings=reading_remarks(origin) + _on_clusters(rows.cluster, places, parts))


Part = tuple[int, Any, Any]


def _parts(kept: dict[str, Column]) -> tuple[NDArray[np.int64], list[Part]]:
    """The number of each row's fold of its repeat; and repeat number, repeat and fold of each."""
    labels, of_fold = numbered_folds(kept[FOLD], FOLD)
    repeats, of_repeat = numbered_folds(kept[REPEAT], REPEAT) if REPEAT in kept else ((None,), np.zeros_like(of_fold))
    pairs, places = sorted_distinct(of_repeat * len(labels) + of_fold)
    parts = [(pair // len(labels), repeats[pair // len(labels)], labels[pair % len(labels)]) for pair in pairs.tolist()]
    if len(parts) < 2:
        text = f"fold has a single value, {some_values(labels)}, for all {format_count(places.size)} rows"
        raise InputError("single_fold", f"{text}; cross-validation needs two or more: use rs.auc_interval for one")
    return places, parts


def _check_rows(rows: FoldedRows, places: NDArray[np.int64], parts: list[Part], kept: dict[str, Column]) -> None:
    """A row is tested once in a repeat, and has the same label in all of them."""
    if rows.row is None:
        return
    repeat = np.array([number for number, _, _ in parts])[places]
    n_rows = int(rows.row.max(initial=-1)) + 1
    at = sorted_distinct(repeat * n_rows + rows.row)[1]
    twice = np.flatnonzero(np.bincount(at) > 1)
    if twice.size:
        example = np.flatnonzero(at == twice[0])
        folds = some_values(dict.fromkeys(np.asarray(kept[FOLD])[example].tolist()))
        where = "" if REPEAT not in kept else f" of repeat {parts[places[example[0]]][1]!r}"
        raise InputError(
            "row_twice",
            Sentence(
                "{size:count} rows are tested more than once{where}, first row {row!r} in fold "
                "{folds}; a row is in one fold of each repeat: pass {repeat=} for repeats, {cluster=} "
                "for several rows of a subject",
                size=twice.size,
                where=where,
                row=kept[ROW].tolist()[example[0]],
                folds=folds,
            ),
        )
    share = np.bincount(rows.row, rows.positive) / np.bincount(rows.row)
    mixed = np.flatnonzero((share > 0) & (share < 1))
    if mixed.size:
        example = np.flatnonzero(rows.row == mixed[0])
        named = kept[ROW].tolist()[example[0]]
        text = f"{format_count(mixed.size)} rows have different labels in different repeats, first row {named!r}"
        raise InputError("row_labels_disagree", f"{text}; row must name the same row of the data in all repeats")


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


def _ranked(rows: FoldedRows, chosen: NDArray[np.intp], model: int) -> RankedScores:
    weights = None if rows.weights is None else rows.weights[chosen]
    facts = {"pos_label": rows.origin.pos_label, "n_dropped": 0, "weight_type": rows.origin.weight_type}
    return RankedScores.from_clean(CleanRows(rows.positive[chosen], rows.scores[model][chosen], weights, **facts))
