"""Models of several labels on the same rows, by themselves and in parts of the rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocsteady._src.base.errors import printable, some_values
from rocsteady._src.designs.labels.evaluation import judge_labels
from rocsteady._src.designs.labels.names import asked_of_labels, label_measure
from rocsteady._src.designs.labels.rows_by_label import LabelRows
from rocsteady._src.evaluation.classes.classes_by_fold import MulticlassFolds
from rocsteady._src.evaluation.classes.grouped import MulticlassGroups
from rocsteady._src.evaluation.classes.models import MulticlassModels, shared_remarks
from rocsteady._src.evaluation.classes.parts import ClassParts, Design
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocsteady._src.designs.classes.names import ClassMeasure


@dataclass(frozen=True, slots=True, eq=False)
class MultilabelModels(MulticlassModels):
    """Several models of the same labels on the same rows: ``result["name"]`` is all about one of them.

    ``columns`` are averages over labels, or numbers of one label such as ``auc(label='dog')``; :meth:`compare` takes
    any of these.

    Examples
    --------
    >>> import rocsteady as rs
    >>> labels = [[1, 0], [0, 1], [1, 1], [0, 0]] * 5
    >>> scores = [[0.9, 0.2], [0.3, 0.7], [0.6, 0.8], [0.4, 0.3]] * 4 + [[0.5, 0.5]] * 4
    >>> rs.evaluate(labels, {"first": scores, "second": scores[::-1]})
    MultilabelModels(2 labels; first macro_auc 0.9800; second macro_auc 0.5000)
    """

    noun: ClassVar[tuple[str, str]] = ("label", "labels")

    def measure(self, name: Any) -> ClassMeasure:
        """What is known of a number that models have."""
        return label_measure(name, self.labels)

    def asked(self, measures: Any) -> tuple[str, ...]:
        """Names of numbers that were asked for."""
        return asked_of_labels(measures, self.labels)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MultilabelGroups(MulticlassGroups):
    """Models of several labels in every group beside all rows, as :class:`MulticlassGroups` of classes.

    Examples
    --------
    >>> import rocsteady as rs
    >>> labels = [[1, 0], [0, 1], [1, 1], [0, 0]] * 5
    >>> scores = [[0.9, 0.2], [0.3, 0.7], [0.6, 0.8], [0.4, 0.3]] * 4 + [[0.5, 0.5]] * 4
    >>> rs.evaluate(labels, scores, by=[row // 10 for row in range(20)])
    MultilabelGroups(2 groups by 'group'; 2 labels; macro AUC 0.9800 [0.7821, 0.9985] (0.95 level, wilson, chosen by
    ...)
    """


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MultilabelFolds(MulticlassFolds):
    """Models of several labels in every fold, as :class:`MulticlassFolds` of classes.

    Examples
    --------
    >>> import rocsteady as rs
    >>> labels = [[1, 0], [0, 1], [1, 1], [0, 0]] * 5
    >>> scores = [[0.9, 0.2], [0.3, 0.7], [0.6, 0.8], [0.4, 0.3]] * 4 + [[0.5, 0.5]] * 4
    >>> rs.evaluate(labels, scores, fold=[row // 10 for row in range(20)])
    MultilabelFolds(2 folds by 'fold'; model mean macro_auc 0.9600)
    """


class LabelParts(ClassParts):
    """Parts of the rows of several labels."""

    few = "few_of_label_in_fold"

    def fewest(self) -> list[int]:
        """Rows with the rarest label, or without the most frequent one, in each part."""
        return [_fewest(next(iter(each.judged.values())).of_labels) for each in self.judged]

    def absences(self, names: Sequence[str]) -> list[Remark]:
        """Which labels every row of a part has, or none."""
        found = []
        for name, each in zip(names, self.judged, strict=True):
            rows = next(iter(each.judged.values())).of_labels
            if lacking := rows.lacking():
                code = "label_skipped_in_part" if rows.skips_absent else "label_of_one_class_in_part"
                found.append(Remark(code, part=printable(name), labels=some_values(lacking)))
        return found


def _fewest(rows: LabelRows) -> int:
    present = rows.present[:, rows.averaged]
    counts = np.minimum(present.sum(axis=0), (~present).sum(axis=0))
    return int(counts.min(initial=len(present)))


def evaluate_label_models(
    rows: Mapping[str, LabelRows], *, measures: Sequence[str] | None = None, level: float, auc_method: str
) -> MultilabelModels:
    """Evaluate rows that were read; the scores of each label are sorted once per model."""
    labels = next(iter(rows.values())).labels
    columns = asked_of_labels(measures, labels)
    made = {name: judge_labels(each, level=level, auc_method=auc_method) for name, each in rows.items()}
    models = {
        name: replace(found, values={column: judged.interval(column) for column in columns})
        for name, (found, judged) in made.items()
    }
    return MultilabelModels(
        models=models,  # type: ignore[arg-type]  # each is all about one model
        columns=columns,
        labels=labels,
        level=level,
        origin=next(iter(rows.values())).rows.origin(),
        warnings=shared_remarks(models),
        judged={name: judged for name, (_, judged) in made.items()},
    )


LABELS = Design(evaluate_label_models, LabelRows.part, LabelParts)
