"""The page of several models of more than two classes: which to use, their differences, and each by itself."""

from __future__ import annotations

import platform
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.base.errors import ArgumentError, printable
from rocsteady._src.base.text import (
    format_count,
    format_interval,
    format_level,
    format_number,
    format_p,
    format_setting,
)
from rocsteady._src.views.report.class_decision import ClassDecision
from rocsteady._src.views.report.classes import Classes, checked_level, class_sections, told_of, worst_first
from rocsteady._src.views.report.document import Document, Section, TableBlock, chart_of
from rocsteady._src.views.report.forests import forest
from rocsteady._src.views.report.names import short_names, styles
from rocsteady._src.views.report.plain import for_readers, told_once
from rocsteady._src.views.report.provenance import made_on, of_matrices, python_calls
from rocsteady._src.views.report.records import ends_of, interval_record, safe
from rocsteady._version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocsteady._src.evaluation.classes.models import MulticlassModels
    from rocsteady._src.results import Comparison
    from rocsteady._src.results.multiclass import MulticlassEvaluation
    from rocsteady._src.views.report.document import Chart

TITLE = "Models of more than two classes"
MOST_DRAWN = 4  # models with charts of their own; the others have tables
ACCURACY = "accuracy"
OF_SCORES = [
    ("Direction", "a higher score means more of that class"),
    ("Called class", "the one with the highest score"),
]


def build_models(result: MulticlassModels, *, title: str = TITLE, level: float | None = None) -> Document:
    """Put the evaluation in order; the models are compared by the rows they call right, and by the first number."""
    checked_level(result, level)
    names = dict(zip(result.models, short_names(result.models), strict=True))
    classes = short_names(result.labels)
    found = {names[model]: each for model, each in result.models.items()}
    decided = ClassDecision(found, classes, result.level, tested(result, ACCURACY), names)
    compared = tested(result, None)
    worst = worst_first(found[decided.leader])
    first = Classes(found[decided.leader], "-0", worst)
    sections = [compared_section(result, compared, names)]
    for place, model in enumerate(decided.order):
        parts = first if not place else Classes(found[model], f"-{place}", worst)
        sections.append(_own(model, parts, place))
    lines = [] if compared is None else [for_readers(line) for line in compared.verdict]
    verdict = (
        *decided.verdict(),
        *lines,
        *(f"{decided.leader}: {line}" for line in told_of(first.result, first.names)),
    )
    return Document(
        title=title,
        verdict=verdict,
        alarms=tuple(decided.alarms()),
        checks=decided.checks(),
        decision=decided.table(),
        models=first.look,
        assumptions=facts_of(result, classes, OF_SCORES),
        command=python_calls(result.level),
        supplied=of_matrices(result.origin, "class"),
        notes=told_once(list(result.warnings)),
        sections=sections,
    )


def tested(result: MulticlassModels, measure: str | None) -> Comparison | None:
    """Differences by a number; none of one model, or where it is undefined."""
    if len(result) < 2:
        return None
    try:
        return result.compare(measure)
    except ArgumentError:  # undefined for a model: its table says so
        return None


def compared_section(result: MulticlassModels, compared: Comparison | None, names: dict[str, str]) -> Section:
    """All numbers of each model, and tests of their differences."""
    tables = [models_table(result), *([] if compared is None else [differences_table(compared)])]
    charts = [models_chart(result, name, names, place) for place, name in enumerate(_drawn(result))]
    return Section("compare", "Compare", [], tables, charts)


def _drawn(result: MulticlassModels) -> list[str]:
    return list(dict.fromkeys([result.columns[0], *(name for name in (ACCURACY,) if name in result.columns)]))


def models_chart(result: MulticlassModels, measure: str, names: dict[str, str], place: int) -> Chart:
    """One number of every model with its interval."""
    look = list(styles(tuple(names.values())).values())
    lines = [interval_record(name, name, result.value(model, measure)) for model, name in names.items()]
    label = result.measure(measure).label
    spec = forest(look, list(names.values()), "model", by_row=True, title=label, dashed=False)
    text = f"Dots with {format_level(result.level)} intervals{base_rate_words(result, [measure])}."
    return chart_of(f"models-{place}", f"{label[0].upper()}{label[1:]} of each model", text, spec, {"forest": lines})


def base_rate_words(result: MulticlassModels, measures: Iterable[str]) -> str:
    """What always answering the largest class reaches, where accuracies are shown."""
    if ACCURACY not in measures:
        return ""
    first: MulticlassEvaluation = next(iter(result.models.values()))
    return f"; always answering the largest class has an accuracy of {format_number(float(first.measures.base_rate))}"


def _own(model: str, parts: Classes, place: int) -> Section:
    """All about one model: its charts where there are few models, and its tables."""
    made = class_sections(parts.result, parts)
    tables = [
        replace(table, id=f"{table.id}-{place}", title=f"{table.title}: {model}")
        for section in made
        for table in section.tables
    ]
    charts = [replace(chart, title=f"{chart.title}: {model}") for section in made for chart in section.charts]
    lines = [] if place < MOST_DRAWN else [f"Charts are drawn of the {MOST_DRAWN} models that call most rows right"]
    return Section(f"model-{place}", model, lines, tables, charts if place < MOST_DRAWN else [], folded=place > 0)


def models_table(result: MulticlassModels) -> TableBlock:
    """All numbers of each model that were asked for."""
    header, rows = result.cells()
    values = [[model, *(ends_of(result.value(model, name)) for name in result.columns)] for model in result]
    keys = [[cell["estimate"] if isinstance(cell, dict) else cell for cell in line] for line in values]
    text = f"With {format_level(result.level)} intervals{base_rate_words(result, result.columns)}."
    return TableBlock("models", "Models", header, rows, keys, text=text, values=values)


def differences_table(compared: Comparison) -> TableBlock:
    """Every pair of models with its test."""
    return pairs_table("differences", f"Differences of {compared.measure}", compared)


def pairs_table(name: str, title: str, compared: Comparison) -> TableBlock:
    """Tests of pairs for people: an interval beside its difference, p-values in their own form."""
    rows, values = [], []
    for pair in compared.pairs:
        test, start = pair.test, [printable(pair.first, most=48), printable(pair.second, most=48)]
        adjusted = [float(p) for p in (test.pvalue, pair.p_holm, pair.p_bh)]
        told = format_interval(test.estimate, test.low, test.high, signed=True)
        rows.append([*start, told, *map(format_p, adjusted)])
        values.append([*start, ends_of(test), *map(safe, adjusted)])
    header = ["first", "second", "first - second", "p", "p by Holm", "p by Benjamini-Hochberg"]
    text = f"With {format_level(compared.level)} intervals."
    return TableBlock(name, title, header, rows, text=text, values=values)


def facts_of(result: MulticlassModels, classes: list[str], given: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """What was assumed; ``given`` says what of scores."""
    more = f" and {len(classes) - 20} more" if len(classes) > 20 else ""
    return [
        ("Made on", made_on()),
        ("Classes", f"{format_count(len(result.labels))}: {', '.join(classes[:20])}{more}"),
        ("Rows", format_count(result.origin.n_rows)),
        ("Incomplete rows dropped", format_count(result.origin.n_dropped)),
        ("Row weights", "used" if result.origin.weighted else "none"),
        *given,
        ("Confidence level", format_setting(result.level)),
        ("rocsteady", __version__),
        ("Python, NumPy", f"{platform.python_version()}, {np.__version__}"),
    ]
