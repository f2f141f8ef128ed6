"""Everything about one model of several labels: areas of each label, and their averages."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import InputError, Undefined, some_values
from rocsteady._src.designs.classes.areas import class_rows
from rocsteady._src.designs.classes.evaluation import METHODS
from rocsteady._src.designs.classes.intervals import (
    class_interval,
    interval_of,
    settled_area,
    spread_remarks,
    undefined_interval,
)
from rocsteady._src.designs.labels.intervals import MacroArea, estimate_of_micro, evidence_on_micro
from rocsteady._src.designs.labels.names import label_measure
from rocsteady._src.designs.labels.precision import (
    METHOD,
    Precisions,
    precision_interval,
    precision_of_label,
    precision_of_pool,
)
from rocsteady._src.designs.labels.rows_by_label import POSITIVE
from rocsteady._src.inference.intervals.normal import check_choice, check_level
from rocsteady._src.inputs.weights import reading_remarks
from rocsteady._src.ranked.columns import SortedColumn
from rocsteady._src.results import Interval
from rocsteady._src.results.multilabel import MultilabelEvaluation
from rocsteady._src.results.remarks import Remark, undefined_because

if TYPE_CHECKING:
    from rocsteady._src.designs.classes.scores_by_class import ClassRows
    from rocsteady._src.designs.labels.estimates import LabelEstimate
    from rocsteady._src.designs.labels.rows_by_label import LabelRows
    from rocsteady._src.inference.intervals.automatic import Evidence

LOST = Undefined("label_of_one_class")


def judge_labels(rows: LabelRows, *, level: float, auc_method: str) -> tuple[MultilabelEvaluation, JudgedLabels]:
    """Evaluate rows that were read, and keep what rows add to the averages."""
    check_level(level)
    check_choice("auc_method", auc_method, METHODS)
    if not rows.rows.n_rows:
        raise InputError("empty", "there are no rows to evaluate")
    judged = JudgedLabels(rows, level, auc_method)
    return judged.evaluation(), judged


class JudgedLabels:
    """Labels one after another, each sorted once, and then all scores together."""

    def __init__(self, rows: LabelRows, level: float, method: str) -> None:
        self.of_labels, self.level, self.method = rows, level, method
        self.notes = reading_remarks(rows.origin)
        self.kept: dict[str, LabelEstimate | Undefined] = {}
        self.evidence: dict[str, Evidence] = {}

    @property
    def rows(self) -> ClassRows:
        """What labels share: weights and subjects."""
        return self.of_labels.rows

    def evaluation(self) -> MultilabelEvaluation:
        """All of it."""
        areas, precisions, support = self._each_label()
        self._pooled()
        rows = self.of_labels
        return MultilabelEvaluation(
            labels=rows.labels,
            support=tuple(support),
            auc=areas,
            average_precision=precisions,
            averages={name: self.interval(f"{name}_auc") for name in ("macro", "micro")},
            average_precisions={name: self.interval(f"{name}_average_precision") for name in ("macro", "micro")},
            level=self.level,
            origin=rows.origin,
            warnings=(*self.notes, *self._remarks()),
        )

    def _each_label(self) -> tuple[dict[Any, Interval], dict[Any, Interval], list[float]]:
        rows, choice = self.of_labels, (self.method, self.level, False)
        macro, mean, averaged = MacroArea(rows), Precisions(rows), rows.averaged
        areas, precisions, support = {}, {}, []
        lost = bool(rows.lacking()) and not rows.skips_absent
        no_mean = False
        for place, (label, two) in enumerate(zip(rows.labels, rows.each(), strict=True)):
            column = SortedColumn.of(two.column(POSITIVE))
            ranked = column.groups(class_rows(two, POSITIVE, column.scores))
            areas[label] = class_interval(two, POSITIVE, ranked, choice, self.notes, column)
            found = precision_of_label(rows, two, column) if ranked.n_pos else Undefined("no_positives")
            precisions[label] = self._interval_of_precision(found, self.level)
            support.append(float(ranked.n_pos))
            if averaged[place]:
                if ranked.n_pos and ranked.n_neg:
                    macro.add(two, column)
                no_mean |= isinstance(found, Undefined)
                if not isinstance(found, Undefined):
                    mean.add(found)
        none = not averaged.any()
        self.kept["macro_auc"] = LOST if lost or none else macro.estimate(rows)
        if not (lost or none):
            self.evidence["macro_auc"] = macro.evidence()
        self.kept["macro_average_precision"] = LOST if no_mean or none else mean.macro()
        return areas, precisions, support

    def _pooled(self) -> None:
        rows = self.of_labels
        names = "micro_auc", "micro_average_precision"
        if not rows.averaged.any():
            self.kept |= dict.fromkeys(names, LOST)
            return
        pool = rows.pooled()
        column = SortedColumn.of(pool.column(POSITIVE))
        ranked = column.groups(class_rows(pool, POSITIVE, column.scores))
        if not ranked.n_pos:
            self.kept |= dict.fromkeys(names, Undefined("no_positives"))
            return
        self.kept[names[1]] = precision_of_pool(rows, pool, column)
        if not ranked.n_neg:
            self.kept[names[0]] = Undefined("no_negatives")
            return
        found = estimate_of_micro(rows, pool, column)
        self.kept[names[0]], self.evidence[names[0]] = found, evidence_on_micro(found)

    def estimate(self, name: str) -> LabelEstimate | Undefined:
        """One number by name, with what rows add to it, or why there is none."""
        if name not in self.kept:
            measure = label_measure(name, self.of_labels.labels)
            self._add_label(self.of_labels.labels.index(measure.param("label", None)))
        return self.kept[name]

    def _add_label(self, place: int) -> None:
        """Sort the scores of one label again, which few ask for."""
        rows, two = self.of_labels, self.of_labels.two(place)
        column = SortedColumn.of(two.column(POSITIVE))
        label = rows.labels[place]
        n_pos, n_neg = (bool((two.codes == side).any()) for side in (POSITIVE, 1 - POSITIVE))
        area: LabelEstimate | Undefined = Undefined("no_negatives" if n_pos else "no_positives")
        if n_pos and n_neg:
            alone = MacroArea(rows)
            alone.add(two, column)
            area = alone.estimate(rows)
        self.kept[f"auc(label={label!r})"] = area
        found = precision_of_label(rows, two, column) if n_pos else Undefined("no_positives")
        self.kept[f"average_precision(label={label!r})"] = found

    def interval(self, name: str, level: float | None = None, auc_method: str | None = None) -> Interval:
        """One number with its interval."""
        level, method = self.level if level is None else level, auc_method or self.method
        measure, rows = label_measure(name, self.of_labels.labels), self.of_labels
        found = self.estimate(name)
        if measure.kind == "mean":
            return self._interval_of_precision(found, level)
        if isinstance(found, Undefined):
            told = self._told_one_class() if found is LOST else undefined_because(found)
            return undefined_interval(found, level, method, rows.origin, told)
        if measure.base == "auc":
            place = rows.labels.index(measure.param("label", None))
            two = rows.two(place)
            column = SortedColumn.of(two.column(POSITIVE))
            ranked = column.groups(class_rows(two, POSITIVE, column.scores))
            return class_interval(two, POSITIVE, ranked, (method, level, False), self.notes, column)
        known = replace(self.evidence[name], share=settled_area(found.value))
        told_of = spread_remarks(known, method, measure.label)
        return interval_of(known, method, level, rows.origin, (*self.notes, *told_of))

    def _interval_of_precision(self, found: LabelEstimate | Undefined, level: float) -> Interval:
        if not isinstance(found, Undefined):
            return precision_interval(found, level, self.of_labels.origin, self.notes)
        ends, told = (math.nan, math.nan), (undefined_because(found),)
        return Interval(found, *ends, level, METHOD, se=math.nan, origin=self.of_labels.origin, warnings=told)

    def _told_one_class(self) -> Remark:
        code = "label_skipped" if self.of_labels.skips_absent else "label_of_one_class"
        return Remark(code, labels=some_values(self.of_labels.lacking()))

    def _remarks(self) -> tuple[Remark, ...]:
        rows, found = self.of_labels, list[Remark]()
        if rows.chosen is not None:
            named = some_values([rows.labels[place] for place in rows.chosen], most=10)
            found.append(Remark("labels_chosen", labels=named, n=len(rows.labels)))
        return (*found, self._told_one_class()) if rows.lacking() else tuple(found)
