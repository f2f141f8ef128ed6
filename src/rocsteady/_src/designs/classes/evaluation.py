"""Everything about one model of more than two classes, in one call."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import InputError, some_values
from rocsteady._src.base.sentences import joined
from rocsteady._src.base.typed import typed
from rocsteady._src.designs.classes.areas import average_of, class_rows, pooled_rows, undefined_reason
from rocsteady._src.designs.classes.averaged import averaging, averaging_remarks
from rocsteady._src.designs.classes.curves import CurvesOfClasses
from rocsteady._src.designs.classes.estimates import ClassEstimate, JudgedClasses, intervals_of
from rocsteady._src.designs.classes.influence import InfluencesOnAverages, influence_on_pool, pooled_column
from rocsteady._src.designs.classes.intervals import class_interval, intervals_of_averages, ranked_averages
from rocsteady._src.designs.classes.measures import MEASURES, confusion_of, measures_of, share_interval
from rocsteady._src.designs.classes.names import AREA_OF, asked_measures, class_measure
from rocsteady._src.designs.classes.predictions import top_k_credit
from rocsteady._src.designs.classes.row_scores import refuse_scores
from rocsteady._src.designs.classes.scores_by_class import read_classes
from rocsteady._src.inference.intervals.normal import check_choice, check_level
from rocsteady._src.inputs.weights import reading_remarks
from rocsteady._src.ranked.columns import SortedColumn
from rocsteady._src.ranked.numbering import in_value_order
from rocsteady._src.results.multiclass import MulticlassCurves, MulticlassEvaluation
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocsteady._src.designs.classes.averaged import Absent
    from rocsteady._src.designs.classes.scores_by_class import ClassRows
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.results import Interval

AVERAGES = {
    "macro": ("macro", "ovr"),
    "weighted": ("weighted", "ovr"),
    "hand-till": ("macro", "hand-till"),
    "micro": ("micro", "ovr"),
}
METHODS = ("auto", "wilson", "logit", "delong")
DRAWN = 5e-4
TOP = (2, 3, 5)
MOST_TOLD = 3
ORDERED = ("kappa_linear", "kappa_quadratic", "ranked_probability_score")


@typed
def evaluate_multiclass(
    y_true: object,
    y_score: object,
    *,
    labels: object = None,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    level: float = 0.95,
    auc_method: str = "auto",
    cluster: object = None,
    missing: Missing = "raise",
    measures: Sequence[str] | None = None,
    classes_averaged: Sequence[Any] | None = None,
    absent: Absent = "undefined",
) -> MulticlassEvaluation:
    """Evaluate one model of more than two classes.

    Areas of each class and their averages with intervals, curves, confusion matrix, measures and top-k accuracy.

    Parameters
    ----------
    y_true, y_score, labels, sample_weight, missing
        As in :func:`rocsteady.multiclass_auc`.
    level : float
        Confidence level of all intervals.
    auc_method : {"auto", "wilson", "logit", "delong"}
        How intervals of areas are made, as in :func:`rocsteady.multiclass.multiclass_auc_interval`.
    weight_type : {"frequency", "sampling"}, optional
        As in :func:`rocsteady.auc_interval`.
    cluster : array-like, optional
        The subject of each row, when subjects have several rows.
    measures : list of str, optional
        Numbers about all classes to give under ``values``, with intervals, by name: areas such as ``"macro_auc"``,
        ``"accuracy"``, ``"top_k_accuracy(k=3)"``, ``"macro_f_beta(beta=2)"``, ``"kappa_quadratic"``, ``"log_loss"``,
        ``"brier_score"``, ``"ranked_probability_score"``; docs/multiclass.md lists them.
    classes_averaged, absent
        Which classes averages are over, as in :func:`rocsteady.multiclass_auc`.

    Returns
    -------
    MulticlassEvaluation
        ``warnings`` hold what is odd about the data; nothing is normalised or left out silently.

    Examples
    --------
    >>> import numpy as np, rocsteady as rs
    >>> rng = np.random.default_rng(1)
    >>> y = rng.integers(0, 3, 200)
    >>> scores = np.exp(rng.normal(size=(200, 3)) + 1.5 * np.eye(3)[y])
    >>> print(rs.evaluate_multiclass(y, scores / scores.sum(axis=1, keepdims=True)))
    AUC                estimate     low    high
    0                    0.8992  0.8406  0.9378
    1                    0.9247  0.8747  0.9558
    2                    0.9097  0.8587  0.9435
    macro average        0.9112  0.8728  0.9388
    weighted average     0.9113  0.8728  0.9389
    hand-till average    0.9115  0.8731  0.9390
    micro average        0.9081  0.8691  0.9363
    intervals of areas at level 0.95, by wilson or logit, chosen by auto
    accuracy 0.7850 [0.7230, 0.8363] (0.95 level, wilson) (base rate 0.3750)
    top 2 accuracy 0.9400 [0.8981, 0.9653] (0.95 level, wilson)
    kappa 0.6771, Matthews correlation 0.6785
    macro f1 0.7841 [0.7214, 0.8359] (0.95 level, wald on log-odds)
    log loss 0.6097 [0.5360, 0.6936] (0.95 level, wald on logs)
    brier score 0.3443 [0.2950, 0.3998] (0.95 level, wald on log-odds)
    """
    how: dict[str, Any] = {"sample_weight": sample_weight, "weight_type": weight_type, "cluster": cluster}
    _check_choices(level, auc_method)
    asked_measures(measures)
    rows = read_classes(y_true, y_score, labels=labels, missing=missing, **how)
    rows = averaging(rows, classes_averaged, absent)
    return evaluate_classes(rows, level=level, auc_method=auc_method, measures=measures)


def _check_choices(level: float, auc_method: str) -> None:
    check_level(level)
    check_choice("auc_method", auc_method, METHODS)


def evaluate_classes(
    rows: ClassRows, *, level: float, auc_method: str, measures: Sequence[str] | None = None
) -> MulticlassEvaluation:
    """Evaluate rows that were read; the scores of each class are sorted once, and once all of them together."""
    return judge_classes(rows, level=level, auc_method=auc_method, measures=measures)[0]


def judge_classes(
    rows: ClassRows,
    *,
    level: float,
    auc_method: str,
    measures: Sequence[str] | None = None,
    kept: bool = False,
    scored: bool = True,
) -> tuple[MulticlassEvaluation, JudgedClasses]:
    """The same, with what rows add to each number, ``kept`` for comparisons, so that nothing is sorted again.

    Where rows are not ``scored`` but called, there are neither areas and curves nor remarks on scores.
    """
    _check_choices(level, auc_method)
    if not rows.n_rows:
        raise InputError("empty", "there are no rows to evaluate")
    judged = JudgedClasses(rows)
    asked = _asked(judged, measures)
    called = judged.called
    tops = [k for k in TOP if k < rows.n_classes and scored]
    choice = auc_method, level, False
    class_auc, averages, curves = _areas_and_curves(judged, choice, kept=kept) if scored else ({}, {}, _no_curves())
    known = {AREA_OF[name]: found for name, found in averages.items()}
    evaluation = MulticlassEvaluation(
        labels=rows.labels,
        support=rows.counts if rows.weights is None else rows.sizes,
        class_auc=class_auc,
        averages=averages,
        **curves,
        confusion=confusion_of(called, "true"),
        measures=measures_of(called, (*MEASURES, *_of_each_class(asked)), level=level),
        top_k={k: share_interval(rows, top_k_credit(rows, k), level) for k in tops},
        level=level,
        origin=rows.origin(),
        warnings=(
            *reading_remarks(rows.origin()),
            *(_remarks(judged) if scored else averaging_remarks(rows)),
            *_order_remarks(rows, asked),
            *_position_remarks(rows, class_auc),
            *called.warnings,
            *_without_ends("AUC of {}", class_auc),
            *_without_ends("{} AUC", averages),
        ),
        values=intervals_of(judged, asked, level, auc_method, known),
    )
    return evaluation, judged


def _order_remarks(rows: ClassRows, asked: Sequence[str]) -> list[Remark]:
    """Say in which order measures of ordered classes take names: grades are seldom in that of the alphabet."""
    ordered = [name for name in asked if class_measure(name).base in ORDERED]
    names = [str(label) for label in rows.labels]
    if not ordered or not all(isinstance(label, str) for label in rows.labels) or names != in_value_order(names):
        return []
    return [Remark("order_of_classes", measure=ordered[0], classes=some_values(names, most=6))]


def _position_remarks(rows: ClassRows, class_auc: Mapping[Any, Interval]) -> list[Remark]:
    """Say that columns were taken by position where this shows in areas that are surely below one half."""
    worst = [label for label, area in class_auc.items() if area.high < 0.5]
    if not rows.by_position or not worst:
        return []
    return [Remark("columns_by_position", classes=some_values(rows.labels, most=6), worst=repr(worst[0]))]


def _no_curves() -> dict[str, MulticlassCurves]:
    return {kind: MulticlassCurves(kind, {}, None, None) for kind in ("roc", "pr")}


def _asked(judged: JudgedClasses, measures: Sequence[str] | None) -> list[str]:
    """The measures that were asked for; of the usual ones those of probabilities only where there are any."""
    names = asked_measures(measures)
    if judged.probabilities:
        return list(names)
    of_probabilities = [name for name in names if class_measure(name).probabilities]
    if measures is not None and of_probabilities:
        refuse_scores(judged.rows, of_probabilities[0])
    return [name for name in names if name not in of_probabilities]


def _of_each_class(asked: Sequence[str]) -> list[str]:
    """Measures of each class whose averages were asked for with a parameter: F-beta of a chosen beta."""
    found = [class_measure(name) for name in asked]
    betas = [each.param("beta", None) for each in found if each.base.endswith("_f_beta")]
    return list(dict.fromkeys("f_beta" if beta is None else f"f_beta(beta={beta!r})" for beta in betas))


def _areas_and_curves(
    judged: JudgedClasses, choice: tuple[str, float, bool], *, kept: bool
) -> tuple[dict[Any, Interval], dict[str, Interval], dict[str, MulticlassCurves]]:
    """Class by class, so that no more than one is held in order: areas, what rows add to the averages, curves."""
    rows = judged.rows
    notes = reading_remarks(rows.origin())
    names = ranked_averages(rows, AVERAGES)
    sums = InfluencesOnAverages(rows, [average_of(rows, *AVERAGES[name]) for name in names])
    curves, areas = CurvesOfClasses(("roc", "pr"), thinned=DRAWN), {}
    for place, (label, scores) in enumerate(zip(rows.labels, rows.columns(), strict=True)):
        column = SortedColumn.of(scores)
        ranked = column.groups(class_rows(rows, place, scores))
        areas[label] = class_interval(rows, place, ranked, choice, notes, column)
        sums.add(place, column)
        curves.add(label, ranked)
    influences = dict(zip(names, sums.all(), strict=True))
    judged.influences |= {AREA_OF[name]: found for name, found in influences.items()}
    if undefined_reason(rows, *AVERAGES["micro"]) is not None:
        return areas, intervals_of_averages(rows, AVERAGES, influences, choice), curves.all(rows, None)
    pool = pooled_column(rows)
    if kept:
        judged.pooled = ClassEstimate(*influence_on_pool(rows, pool))
    averages = intervals_of_averages(rows, AVERAGES, influences, choice, pool)
    return areas, averages, curves.all(rows, pool.groups(pooled_rows(rows, pool.scores)))


def _without_ends(what: str, intervals: Mapping[Any, Interval]) -> list[Remark]:
    """Why areas that are defined have no interval."""
    told = [
        Remark("no_interval_of", what=what.format(name), why=joined("; ", found.warnings))
        for name, found in intervals.items()
        if math.isnan(found.low) and not math.isnan(found.estimate)
    ]
    more = len(told) - MOST_TOLD
    return told if more < 1 else [*told[:MOST_TOLD], Remark("no_interval_of_more", n=more)]


def _remarks(judged: JudgedClasses) -> tuple[Remark, ...]:
    of_scores = () if judged.probabilities else (Remark("scores_not_probabilities"),)
    return (*averaging_remarks(judged.rows), *of_scores)
