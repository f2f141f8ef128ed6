"""The page of several models of labels: which ranks labels best, on which labels they differ, and each by itself."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.text import format_count, format_level, p_words
from rocsteady._src.results.decision import Check
from rocsteady._src.results.differences import told_apart
from rocsteady._src.views.report.class_models import MOST_DRAWN, differences_table, models_chart, models_table, tested
from rocsteady._src.views.report.classes import checked_level
from rocsteady._src.views.report.document import Document, Section, TableBlock
from rocsteady._src.views.report.label_page import Labels
from rocsteady._src.views.report.names import short_names
from rocsteady._src.views.report.plain import for_readers, told_once
from rocsteady._src.views.report.provenance import of_matrices, python_calls
from rocsteady._src.views.report.records import ends_of, interval_text

if TYPE_CHECKING:
    from rocsteady._src.evaluation.labels.models import MultilabelModels
    from rocsteady._src.results import Comparison, PairComparison
    from rocsteady._src.results.inference import Interval
    from rocsteady._src.results.multilabel import MultilabelEvaluation

TITLE = "Models of several labels"
LEADING = ("macro", "micro")  # averages that models are put in order by: the first that every model has


def build_label_models(result: MultilabelModels, *, title: str = TITLE, level: float | None = None) -> Document:
    """Put the evaluation in order; models are compared by the mean AUC of labels, or by the pooled one."""
    checked_level(result, level)
    chosen = LabelModels.of(result)
    first = Labels(chosen.models[chosen.leader])
    return Document(
        title=title,
        verdict=(*chosen.verdict(), *(f"{chosen.leader}: {line}" for line in first.verdict())),
        alarms=tuple(f"{chosen.leader}: {line}" for line in first.alarms()),
        checks=(*first.checks()[:1], chosen.agree(), *first.checks()[2:]),
        decision=replace(models_table(result), id="decision"),
        assumptions=first.assumptions(),
        command=python_calls(result.level),
        supplied=of_matrices(result.origin, "label"),
        notes=told_once([*result.warnings, *chosen.remarks()]),
        sections=[chosen.side_by_side(result), *chosen.one_by_one()],
    )


@dataclass(frozen=True, slots=True)
class LabelModels:
    """Models by the names of the page, and the tests of their differences by ``average``."""

    models: dict[str, MultilabelEvaluation]
    names: dict[str, str]
    average: str
    compared: Comparison | None

    @classmethod
    def of(cls, result: MultilabelModels) -> LabelModels:
        names = dict(zip(result.models, short_names(result.models), strict=True))
        found: dict[str, Any] = {names[model]: each for model, each in result.models.items()}
        average = next((name for name in LEADING if all(_known(each.averages[name]) for each in found.values())), "")
        return cls(found, names, average or LEADING[0], tested(result, f"{average}_auc") if average else None)

    @property
    def order(self) -> list[str]:
        """The model with the highest area first; without an area last."""
        return sorted(self.models, key=lambda model: _last(-float(self._area(model).estimate)))

    @property
    def leader(self) -> str:
        """Whose labels are ranked best."""
        return self.order[0]

    def _area(self, model: str) -> Interval:
        return self.models[model].averages[self.average]

    def verdict(self) -> list[str]:
        """Which model to use, how sure that is, and what the tests say of each pair."""
        what = f"{self.average} AUC"
        if self.compared is None:
            return [] if len(self.models) == 1 else [f"The models cannot be compared: a {what} is undefined"]
        area, ahead = interval_text(self._area(self.leader)), all(map(self._apart, self._against().values()))
        better = self._area(self.leader).low > 0.5
        if not better:
            told = f"Use no model: {self.leader} has the highest {what}, {area}, which may be chance"
        elif ahead:
            told = f"Use {self.leader}: {what} {area}, ahead of {_others(len(self.models) - 1)}"
        else:
            told = f"Use, for now, {self.leader}: {what} {area}, the highest, but not for sure"
        return [told, *self._runner_up(), *map(for_readers, self.compared.verdict)]

    def _runner_up(self) -> list[str]:
        rival = self.order[1]
        pair = self._against()[rival]
        sure = "is behind" if self._apart(pair) else "cannot be told from it with these rows"
        return [f"{rival}, the runner-up, has {interval_text(self._area(rival))} and {sure} ({p_words(pair.p_holm)})"]

    def _against(self) -> dict[str, PairComparison]:
        """Tests of the leader against each other model."""
        found = {}
        for pair in () if self.compared is None else self.compared.pairs:
            both = self.names[pair.first], self.names[pair.second]
            if self.leader in both:
                found[both[1] if both[0] == self.leader else both[0]] = pair
        return found

    def _apart(self, pair: PairComparison) -> bool:
        return told_apart(pair.test, pair.p_holm, pair.test.level)

    def agree(self) -> Check:
        """Whether every average, of areas and of average precision, is highest for the same model."""
        question, best = "Do the measures agree?", {}
        for words, of_model in (("AUC", "averages"), ("average precision", "average_precisions")):
            for name in LEADING:
                values = {model: float(getattr(each, of_model)[name].estimate) for model, each in self.models.items()}
                if not any(map(math.isnan, values.values())):
                    best[f"{name} {words}"] = max(values, key=values.__getitem__)
        others = [f"{model} by {name}" for name, model in best.items() if model != self.leader]
        if len(self.models) < 2 or not best:
            return Check("agree", question, "unknown", "there are no two models with the same number")
        if others:
            return Check(
                "agree", question, "no", f"the best is {self.leader} by {self.average} AUC, {', '.join(others)}"
            )
        return Check("agree", question, "yes", f"{self.leader} is best by {', '.join(best)}")

    def side_by_side(self, result: MultilabelModels) -> Section:
        """Areas of each label by model, differences, and a chart of each average asked for."""
        tables = [self._labels(), *([] if self.compared is None else [differences_table(self.compared)])]
        charts = [models_chart(result, name, self.names, place) for place, name in enumerate(result.columns)]
        return Section("compare", "Compare", [], tables, charts)

    def _labels(self) -> TableBlock:
        """AUC of each label, a column for each model; labels in the order of the leader."""
        parts = Labels(self.models[self.leader])
        lines = [(parts.names[label], [self.models[model].auc[label] for model in self.order]) for label in parts.order]
        return TableBlock(
            "labels",
            "AUC of each label",
            ["label", *self.order],
            [[label, *map(interval_text, found)] for label, found in lines],
            text=f"With {format_level(self.models[self.leader].level)} intervals; best first by {self.leader}.",
            values=[[label, *map(ends_of, found)] for label, found in lines],
        )

    def one_by_one(self) -> list[Section]:
        """All about each model, the first opened."""
        return [self._own(model, place) for place, model in enumerate(self.order)]

    def _own(self, model: str, place: int) -> Section:
        parts = Labels(self.models[model])
        tables = [
            replace(table, id=f"{name}-{place}", title=f"{table.title}: {model}")
            for name, table in (("labels", parts.table()), ("averages", parts.averages()))
        ]
        charts = [replace(chart, id=f"{chart.id}-{place}", title=f"{chart.title}: {model}") for chart in parts.charts()]
        drawn = place < MOST_DRAWN
        lines = [] if drawn else [f"Charts are drawn of the {MOST_DRAWN} models with the highest {self.average} AUC"]
        return Section(f"model-{place}", model, lines, tables, charts if drawn else [], folded=place > 0)

    def remarks(self) -> list[str]:
        """What to beware of in intervals, once for all models."""
        return list(dict.fromkeys(line for each in self.models.values() for line in Labels(each).remarks()))


def _known(found: Interval) -> bool:
    return not math.isnan(found.estimate)


def _last(value: float) -> float:
    return math.inf if math.isnan(value) else value


def _others(count: int) -> str:
    return "the other model" if count == 1 else f"the {format_count(count)} others"
