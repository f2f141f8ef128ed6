"""Everything about one model of several labels: areas of each label, and their averages."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, InputError, Undefined, some_values
from rocsteady._src.base.sentences import Sentence, argument, joined
from rocsteady._src.designs.classes.areas import class_rows
from rocsteady._src.designs.classes.evaluation import METHODS
from rocsteady._src.designs.classes.intervals import (
    class_interval,
    interval_of,
    settled_area,
    spread_remarks,
    undefined_interval,
)
from rocsteady._src.designs.labels.intervals import MacroArea, evidence_on_micro
from rocsteady._src.designs.labels.precision import METHOD, Precisions
from rocsteady._src.designs.labels.rows_by_label import POSITIVE, read_labels
from rocsteady._src.inference.intervals.normal import check_choice, check_level
from rocsteady._src.inputs.weights import reading_remarks
from rocsteady._src.ranked.columns import SortedColumn
from rocsteady._src.results import Interval
from rocsteady._src.results.multilabel import MultilabelEvaluation
from rocsteady._src.results.remarks import Remark, undefined_because

if TYPE_CHECKING:
    from rocsteady._src.designs.classes.scores_by_class import ClassRows
    from rocsteady._src.designs.labels.rows_by_label import LabelRows
    from rocsteady._src.inference.intervals.automatic import Evidence
    from rocsteady._src.ranked import RankedScores


def evaluate_labels(
    y_true: object, y_score: object, *, level: float, auc_method: str, refused: dict[str, Any], **read: Any
) -> MultilabelEvaluation:
    """Judge labels by column; ``refused`` are options that have no meaning with them, ``read`` how rows are read."""
    _refuse(refused, read)
    check_level(level)
    check_choice("auc_method", auc_method, METHODS)
    rows = read_labels(y_true, y_score, **read)
    if not rows.rows.n_rows:
        raise InputError("empty", "there are no rows to evaluate")
    return JudgedLabels(rows, level, auc_method).evaluation()


def _refuse(refused: dict[str, Any], read: dict[str, Any]) -> None:
    named = [name for name, value in refused.items() if value is not None and value is not False]
    if named:
        words = "{named} has no meaning with several columns of labels: leave it out, or evaluate one label by itself"
        raise ArgumentError("labels", Sentence(words, named=joined(", ", map(argument, named))))
    for name in ("sample_weight", "cluster"):
        if isinstance(read[name], str):
            words = "{option} names a column, and labels and scores are no table: pass the values, one per row"
            raise ArgumentError(name, Sentence(words, option=argument(name)))


class JudgedLabels:
    """Labels one after another, each sorted once, and then all scores together."""

    def __init__(self, rows: LabelRows, level: float, method: str) -> None:
        self.rows, self.level, self.method = rows, level, method
        self.notes = reading_remarks(rows.origin)
        self.areas: dict[Any, Interval] = {}
        self.precisions: dict[Any, Interval] = {}
        self.judged = Precisions(rows, level, self.notes)
        self.support: list[float] = []

    def evaluation(self) -> MultilabelEvaluation:
        """All of it."""
        macro = self._each_label()
        micro, pooled_precision = self._pooled()
        return MultilabelEvaluation(
            labels=self.rows.labels,
            support=tuple(self.support),
            auc=self.areas,
            average_precision=self.precisions,
            averages={"macro": macro, "micro": micro},
            average_precisions={"macro": self._mean_precision(), "micro": pooled_precision},
            level=self.level,
            origin=self.rows.origin,
            warnings=(*self.notes, *self._remarks()),
        )

    def _each_label(self) -> Interval:
        macro, choice = MacroArea(self.rows), (self.method, self.level, False)
        for label, two in zip(self.rows.labels, self.rows.each(), strict=True):
            column = SortedColumn.of(two.column(POSITIVE))
            ranked = column.groups(class_rows(two, POSITIVE, column.scores))
            self.areas[label] = class_interval(two, POSITIVE, ranked, choice, self.notes, column)
            self.precisions[label] = self._precision(two, column, ranked)
            self.support.append(float(ranked.n_pos))
            if ranked.n_pos and ranked.n_neg:
                macro.add(two, column)
        lacking = self._one_class()
        return self._interval(macro.evidence(), "macro AUC") if lacking is None else self._without(lacking)

    def _pooled(self) -> tuple[Interval, Interval]:
        pool = self.rows.pooled()
        column = SortedColumn.of(pool.column(POSITIVE))
        ranked = column.groups(class_rows(pool, POSITIVE, column.scores))
        precision = self.judged.micro(pool, column) if ranked.n_pos else self._no_precision(Undefined("no_positives"))
        if ranked.n_pos and ranked.n_neg:
            return self._interval(evidence_on_micro(self.rows, pool, column), "micro AUC"), precision
        reason = Undefined("no_negatives" if ranked.n_pos else "no_positives")
        return self._without(reason, undefined_because(reason)), precision

    def _precision(self, two: ClassRows, column: SortedColumn, ranked: RankedScores) -> Interval:
        return self.judged.of_label(two, column) if ranked.n_pos else self._no_precision(Undefined("no_positives"))

    def _mean_precision(self) -> Interval:
        """The mean over labels; none where a label has no value."""
        lost = any(math.isnan(each.estimate) for each in self.precisions.values())
        return self._no_precision(Undefined("label_of_one_class")) if lost else self.judged.macro()

    def _no_precision(self, reason: Undefined) -> Interval:
        told = (undefined_because(reason),)
        ends = math.nan, math.nan
        return Interval(reason, *ends, self.level, METHOD, se=math.nan, origin=self.rows.origin, warnings=told)

    def _interval(self, known: Evidence, name: str) -> Interval:
        known = replace(known, share=settled_area(known.share))
        told = spread_remarks(known, self.method, name)
        return interval_of(known, self.method, self.level, self.rows.origin, (*self.notes, *told))

    def _without(self, reason: Undefined, told: Remark | None = None) -> Interval:
        told = told or self._told_one_class()
        return undefined_interval(reason, self.level, self.method, self.rows.origin, told)

    def _one_class(self) -> Undefined | None:
        return Undefined("label_of_one_class") if self._lacking() else None

    def _lacking(self) -> list[Any]:
        """Labels that every row has, or none."""
        return [label for label, found in self.areas.items() if math.isnan(found.estimate)]

    def _told_one_class(self) -> Remark:
        return Remark("label_of_one_class", labels=some_values(self._lacking()))

    def _remarks(self) -> tuple[Remark, ...]:
        return (self._told_one_class(),) if self._lacking() else ()
