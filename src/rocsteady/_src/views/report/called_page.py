"""The page of predicted classes: which model calls most rows right, who is taken for whom, and nothing about scores."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from rocsteady._src.results.decision import Check
from rocsteady._src.views.report.class_decision import ClassDecision
from rocsteady._src.views.report.class_models import compared_section, facts_of, tested
from rocsteady._src.views.report.class_tables import called_tables
from rocsteady._src.views.report.classes import Classes, checked_level, confused
from rocsteady._src.views.report.document import Document, Section
from rocsteady._src.views.report.names import short_names, styles
from rocsteady._src.views.report.plain import for_readers, told_once
from rocsteady._src.views.report.provenance import python_calls

if TYPE_CHECKING:
    from rocsteady._src.evaluation.classes.called_models import CalledModels
    from rocsteady._src.results.multiclass import MulticlassEvaluation

TITLE = "Who is taken for whom?"


@dataclass(frozen=True, slots=True)
class CalledDecision(ClassDecision):
    """The same of models that give no scores."""

    number: ClassVar[str] = "balanced accuracy"
    assumed: ClassVar[str] = "All mistakes count alike here"
    agreeing: ClassVar[dict[str, str]] = {
        "balanced_accuracy": "the highest balanced accuracy",
        "macro_f1": "the highest macro F1",
        "kappa": "the highest kappa",
    }

    @staticmethod
    def numbered(found: MulticlassEvaluation) -> Any:
        """The number beside the rows called right, with its interval."""
        return found.measures.balanced_accuracy

    @property
    def chance(self) -> float:
        """Balanced accuracy of always answering one class."""
        return 1 / len(self.classes)

    def _worse(self, who: str, found: MulticlassEvaluation) -> list[str]:
        if not found.measures.balanced_accuracy.high < self.chance:
            return []
        return [f"{who} is right less often than by chance: do labels and predictions have the same names?"]

    def _probabilities(self) -> Check:
        text = "predicted classes were given, which have none; all columns of predict_proba have"
        return Check("probabilities", "Can the probabilities be trusted?", "unknown", text)


def build_called(result: CalledModels, *, title: str = TITLE, level: float | None = None) -> Document:
    """Put the evaluation in order; the models are compared by the rows they call right."""
    checked_level(result, level)
    alone = len(result.models) == 1
    names = dict(zip(result.models, short_names(result.models), strict=True))
    classes = short_names(result.labels)
    found = {names[model]: each for model, each in result.models.items()}
    compared = tested(result, None)
    decided = CalledDecision(found, classes, result.level, tested(result, "accuracy"), names)
    table = decided.table()
    leader = found[decided.leader]
    who = "" if alone else f"{decided.leader}: "
    lines = [] if compared is None else [for_readers(line) for line in compared.verdict]
    return Document(
        title=title,
        verdict=(
            *decided.verdict(),
            *lines,
            *(f"{who}{line}" for line in confused(leader, dict(zip(leader.labels, classes, strict=True)))),
        ),
        alarms=tuple(decided.alarms()),
        checks=decided.checks(),
        decision=replace(table, rows=[["the model", *table.rows[0][1:]], *table.rows[1:]]) if alone else table,
        models=[] if alone else list(styles(tuple(names.values())).values()),
        assumptions=facts_of(result, classes, [("Given as", "predicted classes, not scores")]),
        command=python_calls(result.level),
        notes=told_once(list(result.warnings)),
        sections=[
            compared_section(result, compared, names),
            *(_own(model, found[model], classes, place, alone=alone) for place, model in enumerate(decided.order)),
        ],
    )


def _own(model: str, found: MulticlassEvaluation, classes: list[str], place: int, *, alone: bool) -> Section:
    """Who is taken for whom by one model."""
    suffix, of_whom = f"-{place}", "" if alone else f": {model}"
    charts = Classes(found, suffix, list(found.labels)).charts()
    tables = [
        replace(table, id=f"{table.id}{suffix}", title=f"{table.title}{of_whom}")
        for table in called_tables(found, classes)
    ]
    drawn = [replace(chart, title=f"{chart.title}{of_whom}") for chart in charts]
    title = "Who is taken for whom?" if alone else model
    return Section(f"model-{place}", title, [], tables, drawn, folded=place > 0)
