"""Pages of more than two classes by groups or folds: the page of all rows, and a section about its parts."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, printable
from rocsteady._src.base.text import format_count, format_level, format_share, p_words
from rocsteady._src.evaluation.classes.called_models import CalledModels
from rocsteady._src.evaluation.classes.classes_by_fold import MulticlassFolds
from rocsteady._src.evaluation.labels.models import MultilabelModels
from rocsteady._src.results import Comparison
from rocsteady._src.results.multiclass import MulticlassEvaluation
from rocsteady._src.results.multilabel import MultilabelEvaluation
from rocsteady._src.views.report.build import after_compare
from rocsteady._src.views.report.called_page import build_called
from rocsteady._src.views.report.class_models import base_rate_words, build_models, pairs_table
from rocsteady._src.views.report.classes import build_multiclass
from rocsteady._src.views.report.document import Section, TableBlock, chart_of
from rocsteady._src.views.report.folds import CAUTION
from rocsteady._src.views.report.forests import forest
from rocsteady._src.views.report.label_models import build_label_models
from rocsteady._src.views.report.label_page import build_labels
from rocsteady._src.views.report.names import short_names, styles
from rocsteady._src.views.report.plain import for_readers, told_once
from rocsteady._src.views.report.provenance import python_calls
from rocsteady._src.views.report.records import interval_record, interval_text, safe

if TYPE_CHECKING:
    from rocsteady._src.evaluation.classes.divided import DividedClasses
    from rocsteady._src.evaluation.classes.grouped import MulticlassGroups
    from rocsteady._src.results.inference import Interval
    from rocsteady._src.views.report.document import Chart, Document

ALL, MEAN, POOLED = "all rows", "mean of folds", "pooled"
ACCURACY = "accuracy"


def build_parts(result: MulticlassGroups | MulticlassFolds, **options: Any) -> Document:
    """The page of all rows; after the comparison of models, their parts."""
    page = _whole(result, **options)
    by = result.fold if isinstance(result, MulticlassFolds) else result.by
    name, word = printable(by, most=60), "Folds" if isinstance(result, MulticlassFolds) else "Groups"
    notes = [each for each in result.notes()[1:] if each.removeprefix("note: ") not in page.notes]
    section = Section(
        word.lower(),
        f"{word}: {name}",
        told_once(notes),
        [_table(result, name), *_comparisons(result)],
        [_chart(result, measure, place) for place, measure in enumerate(_drawn(result))],
    )
    first, *others = page.verdict
    told = _of_folds(result, first) if isinstance(result, MulticlassFolds) else [first, *_of_groups(result)]
    facts = (word, f"{format_count(len(result.parts))}, by column {name}")
    parted = "fold=folds" if word == "Folds" else "by=groups"
    return replace(
        page,
        verdict=(*told, *others),
        sections=after_compare(page, section),
        assumptions=[*page.assumptions, facts],
        command=python_calls(result.level, parted),
        supplied=f"{page.supplied.removesuffix('.')}, and {parted.partition('=')[2]}, one for each row.",
    )


def _whole(result: DividedClasses, **options: Any) -> Document:
    """The page of all rows, of one model or several, of classes or labels."""
    if isinstance(result.whole, CalledModels):
        return build_called(result.whole, **options)
    overall: Any = result.overall
    if isinstance(overall, MultilabelModels):
        return build_label_models(overall, **options)
    if isinstance(overall, MultilabelEvaluation):
        return build_labels(overall, **options)
    if isinstance(overall, MulticlassEvaluation):
        return build_multiclass(overall, **options)
    return build_models(overall, **options)


def _drawn(result: DividedClasses) -> list[str]:
    columns = result.whole.columns
    return list(dict.fromkeys([columns[0], *(name for name in (ACCURACY,) if name in columns)]))


def _of_folds(result: MulticlassFolds, first: str) -> list[str]:
    """The decision of all folds pooled, called so, then what their means say."""
    measure = result.whole.columns[0]
    label = result.whole.measure(measure).label
    listed = ", ".join(
        f"{printable(model, most=48) + ' ' if result.named else ''}{interval_text(found[measure])}"
        for model, found in result.means.items()
    )
    told = [f"Over {format_count(len(result.parts))} folds pooled: {first}", f"Mean {label} of the folds: {listed}"]
    compared = _learners(result)
    lines = [] if compared is None else [f"Over the folds, as learners trained anew: {compared.verdict[0]}"]
    return [*told, *map(for_readers, lines), *([CAUTION] if result.about_pool else [])]


def _learners(result: MulticlassFolds) -> Comparison | None:
    if len(result.whole) < 2:
        return None
    try:
        found = result.compare()
    except ArgumentError:  # undefined in a fold: the table says so
        return None
    return found if isinstance(found, Comparison) else None


def _of_groups(groups: MulticlassGroups) -> list[str]:
    """Whether groups differ, for which models."""
    told = []
    number, words = groups.tested
    for model, test in groups.tests.items():
        if test.pvalue <= 1 - groups.level:
            values = {
                name: float(part.value(model, number).estimate)
                for name, part in zip(_names(groups), groups.parts.values(), strict=True)
                if number in groups.whole.columns
            }
            known = {name: value for name, value in values.items() if not math.isnan(value)}
            low = f", least in {min(known, key=known.__getitem__)}" if known else ""
            who = f" of {printable(model, most=48)}" if groups.named else ""
            told.append(f"the {words}{who} differs between groups ({p_words(test.pvalue)}){low}")
    by = printable(groups.by, most=60)
    return [*_called_right(groups, by), *([f"Groups of {by} differ: {'; '.join(told)}"] if told else [])]


def _called_right(groups: MulticlassGroups, by: str) -> list[str]:
    """From what share of a group to what share of another the model that leads calls right."""
    whole = groups.whole
    if ACCURACY not in whole.columns:
        return []
    leader = max(whole, key=lambda model: float(whole.value(model, ACCURACY).estimate))
    parts = zip(_names(groups), groups.parts.values(), strict=True)
    shares = {name: float(part.value(leader, ACCURACY).estimate) for name, part in parts}
    known = {name: share for name, share in shares.items() if not math.isnan(share)}
    if len(known) < 2:
        return []
    low, high = min(known, key=known.__getitem__), max(known, key=known.__getitem__)
    who = f"{printable(leader, most=48)} calls" if groups.named else "it calls"
    worst = f"{format_share(known[low])} right in {low}, the worst of {format_count(len(shares))}"
    return [f"By {by}, {who} from {worst}, to {format_share(known[high])} in {high}"]


def _names(result: DividedClasses) -> list[str]:
    return short_names([ALL, MEAN, POOLED, *result.parts])[3:]


def _lines(result: DividedClasses) -> list[tuple[str, int, str, dict[str, Interval]]]:
    """Every part and model with its numbers: the whole first."""
    columns, n_rows = result.whole.columns, result.whole.origin.n_rows
    lines = []
    if isinstance(result, MulticlassFolds):
        lines += [
            (MEAN, n_rows, model, {name: found[name] for name in columns}) for model, found in result.means.items()
        ]
    whole = POOLED if isinstance(result, MulticlassFolds) else ALL
    parts = [(whole, result.whole), *zip(_names(result), result.parts.values(), strict=True)]
    for name, part in parts:
        lines += [
            (name, part.origin.n_rows, model, {each: part.value(model, each) for each in columns}) for model in part
        ]
    return lines


def _table(result: DividedClasses, by: str) -> TableBlock:
    columns = result.whole.columns
    model_names = dict(zip(result.whole, short_names(result.whole), strict=True))
    rows, keys = [], []
    for name, n_rows, model, found in _lines(result):
        who = [model_names[model]] if result.named else []
        rows.append([name, format_count(n_rows), *who, *(interval_text(found[each]) for each in columns)])
        keys.append([name, n_rows, *who, *(safe(float(found[each].estimate)) for each in columns)])
    header = [by, "rows", *(["model"] if result.named else []), *columns]
    text = f"With {format_level(result.level)} intervals{base_rate_words(result.whole, columns)}."
    return TableBlock("parts", f"By {by}", header, rows, keys, text)


def _comparisons(result: DividedClasses) -> list[TableBlock]:
    """Differences of models over folds, as learners; those within groups stand in the lines above."""
    compared = _learners(result) if isinstance(result, MulticlassFolds) else None
    if compared is None:
        return []
    return [pairs_table("part-differences", f"Differences of {compared.measure} over folds", compared)]


def _chart(result: DividedClasses, measure: str, place: int) -> Chart:
    """One number of every part and model with its interval; dashed: all rows."""
    look = styles(tuple(result.whole))
    whole = POOLED if isinstance(result, MulticlassFolds) else ALL
    lines = _lines(result)
    drawn = [
        interval_record(look[model].name, name, found[measure])
        for name, _, model, found in lines
        if name != whole and not math.isnan(found[measure].estimate)
    ]
    reference = [
        interval_record(look[model].name, name, found[measure]) for name, _, model, found in lines if name == whole
    ]
    label = result.whole.measure(measure).label
    rows = list(dict.fromkeys(record["row"] for record in drawn))
    spec = forest(list(look.values()), rows, "part", title=label)
    shown = [
        {**each, "value": [style.name for style in look.values()]} if each["name"] == "shown" else each
        for each in spec["params"]
    ]
    spec = _always_shown(spec | {"params": shown})
    text = (
        f"Dots with {format_level(result.level)} intervals; dashed: {whole}{base_rate_words(result.whole, [measure])}."
    )
    return chart_of(f"parts-{place}", label, text, spec, {"forest": drawn, "reference": reference}, wide=True)


def _always_shown(spec: dict[str, Any]) -> dict[str, Any]:
    """The page's list of what is shown is of classes: models are all drawn."""
    return spec | {"layer": [{**layer, "transform": []} for layer in spec["layer"]]}
