"""Areas of each class against the rest, of pairs of classes, of all predictions pooled, and their averages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import Undefined
from rocsteady._src.designs.classes.averages import Average
from rocsteady._src.designs.classes.influence import averaged_scores, pair_areas
from rocsteady._src.inputs import CleanRows
from rocsteady._src.measures.ranking import auc
from rocsteady._src.ranked import RankedScores
from rocsteady._src.ranked.columns import ColumnRanker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from rocsteady._src.designs.classes.scores_by_class import ClassRows

OWN_CLASS = "the row's class"


def ranked_classes(rows: ClassRows, *, condense: bool = True) -> Iterator[RankedScores]:
    """Each class against the rest; condensed groups have the same area and variance, and hold no scores."""
    ranker = ColumnRanker(rows.n_rows)
    counts = rows.counts
    for place, column in enumerate(rows.columns()):
        if condense and rows.weights is None and 0 < counts[place] < rows.n_rows:
            yield ranker.condensed(column, rows.codes == place, rows.origin(rows.labels[place]))
        else:
            yield RankedScores.from_clean(class_rows(rows, place, column))


def class_rows(rows: ClassRows, place: int, scores: NDArray[Any]) -> CleanRows:
    """The rows of one class against the rest, by its scores."""
    facts = rows.labels[place], rows.n_dropped
    return CleanRows(rows.codes == place, scores, rows.weights, *facts, weight_type=rows.weight_type)


def pooled_rows(rows: ClassRows, scores: NDArray[Any]) -> CleanRows:
    """Every score of every row, of the classes that averages are over, as one prediction: is this its class?"""
    places = np.flatnonzero(rows.averaged)
    own = (rows.codes[:, None] == places).ravel()
    weights = None if rows.weights is None else rows.weights.repeat(places.size)
    return CleanRows(own, scores, weights, OWN_CLASS, rows.n_dropped, weight_type=rows.weight_type)


def pooled(rows: ClassRows) -> RankedScores:
    """The same, ranked."""
    return RankedScores.from_clean(pooled_rows(rows, averaged_scores(rows)))


def class_areas(rows: ClassRows) -> dict[Any, float]:
    """Area of each class against the rest; NaN with a reason where there is no such area."""
    return {label: class_area(ranked) for label, ranked in zip(rows.labels, ranked_classes(rows), strict=True)}


def class_area(ranked: RankedScores) -> float:
    """Area, or why there is none."""
    if not ranked.n_pos:
        return Undefined("no_positives")
    return float(auc.sheet.compute(ranked)) if ranked.n_neg else Undefined("no_negatives")


def averaged_area(rows: ClassRows, average: str, scheme: str) -> float:
    """One number for all classes; NaN with a reason where a class has no rows."""
    reason = undefined_reason(rows, average, scheme)
    if reason is not None:
        return reason
    if average == "micro":
        return float(auc.sheet.compute(pooled(rows)))
    sizes, chosen = rows.sizes, rows.averaged
    if scheme == "ovr":
        areas = np.array(list(class_areas(rows).values()))[chosen]
        return float(auc.sheet.settled(np.average(areas, weights=sizes[chosen] if average == "weighted" else None)))
    kind = average_of(rows, average, scheme)
    found = (
        pair_areas(rows, place, column, sizes) if chosen[place] else np.zeros(rows.n_classes)
        for place, column in enumerate(rows.columns())
    )
    return float(auc.sheet.settled(sum(kind.coefficients(place) @ areas for place, areas in enumerate(found))))


def average_of(rows: ClassRows, average: str, scheme: str) -> Average:
    """The coefficients of an average for these class sizes."""
    return Average(scheme != "ovr", average == "weighted", tuple(rows.sizes.tolist()), tuple(rows.averaged.tolist()))


def undefined_reason(rows: ClassRows, average: str, scheme: str) -> Undefined | None:
    """Why there is no average, or None."""
    if not rows.n_rows:
        return Undefined("empty")
    if rows.n_classes < 2:
        return Undefined("single_class")
    counts = rows.counts[rows.averaged]
    if not counts.any() or (average != "micro" and not counts.all()):
        return Undefined("class_absent")
    alone = counts.size == 1 and (scheme != "ovr" or counts[0] == rows.n_rows)
    return Undefined("single_class") if alone else None
