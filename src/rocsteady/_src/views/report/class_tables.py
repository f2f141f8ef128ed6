"""Tables of more than two classes: areas, averages, measures, one number for all."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.text import format_count, format_interval, format_level, format_number
from rocsteady._src.results.multiclass import MOST_SHOWN
from rocsteady._src.views.report.document import TableBlock
from rocsteady._src.views.report.records import ends_of, interval_text, safe

if TYPE_CHECKING:
    from rocsteady._src.results.multiclass import MulticlassEvaluation

AREA_NAMES = {
    "macro": "macro: mean of the classes",
    "weighted": "weighted: mean by size of the classes",
    "hand-till": "Hand and Till: mean of all pairs of classes",
    "micro": "micro: all predictions pooled",
}
MEASURE_NAMES = {
    "macro": "macro: mean of the classes",
    "weighted": "weighted: mean by size of the classes",
    "micro": "micro: from pooled counts",
    "micro_mean": "micro: from mean counts",
}


def class_tables(result: MulticlassEvaluation, names: list[str]) -> list[TableBlock]:
    """All tables, ``names`` being those of the classes."""
    few, measures, averages, whole = _of_calls(result, names)
    return [*few, _areas(result, names), _averages(result), measures, averages, whole]


def called_tables(result: MulticlassEvaluation, names: list[str]) -> list[TableBlock]:
    """All tables that rest on called classes alone."""
    few, measures, averages, whole = _of_calls(result, names)
    return [measures, *few, averages, whole]


def _of_calls(
    result: MulticlassEvaluation, names: list[str]
) -> tuple[list[TableBlock], TableBlock, TableBlock, TableBlock]:
    few = [_confusion(result, names)] if len(names) <= MOST_SHOWN else []
    return few, _measures(result, names), _measure_averages(result), _whole(result)


def _confusion(result: MulticlassEvaluation, names: list[str]) -> TableBlock:
    cells = result.confusion.matrix.tolist()
    rows = [[name, *(format_count(count) for count in row)] for name, row in zip(names, cells, strict=True)]
    values = [[name, *row] for name, row in zip(names, cells, strict=True)]
    text = "Counts. Rows: what they are; columns: what they were called."
    header = ["really \\ called", *names]
    return TableBlock("confusion-counts", "Confusion matrix as a table", header, rows, text=text, values=values)


def _areas(result: MulticlassEvaluation, names: list[str]) -> TableBlock:
    found = list(result.class_auc.values())
    sizes = result.support.tolist()
    return TableBlock(
        "class-areas",
        "AUC of each class against the rest",
        ["class", "rows" if not _weighted(result) else "weight", "AUC"],
        [
            [name, format_number(size), interval_text(each)]
            for name, size, each in zip(names, sizes, found, strict=True)
        ],
        [
            [name, safe(float(size)), safe(float(each.estimate))]
            for name, size, each in zip(names, sizes, found, strict=True)
        ],
        f"With {format_level(result.level)} intervals.",
        [[name, safe(float(size)), ends_of(each)] for name, size, each in zip(names, sizes, found, strict=True)],
    )


def _weighted(result: MulticlassEvaluation) -> bool:
    return result.origin is not None and result.origin.weighted


def _averages(result: MulticlassEvaluation) -> TableBlock:
    rows = [[AREA_NAMES.get(name, name), interval_text(found)] for name, found in result.averages.items()]
    text = f"With {format_level(result.level)} intervals. Averages answer different questions: name the one you quote."
    values = [[AREA_NAMES.get(name, name), ends_of(found)] for name, found in result.averages.items()]
    return TableBlock("averages", "AUC, averaged", ["average", "AUC"], rows, text=text, values=values)


def _measures(result: MulticlassEvaluation, names: list[str]) -> TableBlock:
    found = result.measures
    rows = [
        [name, format_number(size), *(_value(result, measure, place) for measure in found.per_class)]
        for place, (name, size) in enumerate(zip(names, found.support.tolist(), strict=True))
    ]
    keys: list[list[Any]] = [
        [name, safe(float(size)), *(safe(float(values[place])) for values in found.per_class.values())]
        for place, (name, size) in enumerate(zip(names, found.support.tolist(), strict=True))
    ]
    header = ["class", "rows" if not _weighted(result) else "weight", *map(_spoken, found.per_class)]
    text = f"Of the called classes. Shares of rows have Wilson's {format_level(found.level)} interval."
    values = [
        [*key[:2], *(_number(result, measure, place) for measure in found.per_class)] for place, key in enumerate(keys)
    ]
    return TableBlock("class-measures", "Measures of each class", header, rows, keys, text, values)


def _value(result: MulticlassEvaluation, measure: str, place: int) -> str:
    value = float(result.measures.per_class[measure][place])
    if measure not in result.measures.low:
        return format_number(value)
    low, high = (float(ends[measure][place]) for ends in (result.measures.low, result.measures.high))
    return format_number(value) if math.isnan(low) else format_interval(value, low, high)


def _number(result: MulticlassEvaluation, measure: str, place: int) -> dict[str, Any]:
    columns = {"estimate": result.measures.per_class, "low": result.measures.low, "high": result.measures.high}
    return {name: safe(float(values[measure][place])) for name, values in columns.items() if measure in values}


def _spoken(measure: str) -> str:
    return {"matthews_correlation": "MCC"}.get(measure, measure)


def _measure_averages(result: MulticlassEvaluation) -> TableBlock:
    found = result.measures
    rows = [
        [MEASURE_NAMES.get(name, name), *(format_number(values[measure]) for measure in found.per_class)]
        for name, values in found.averages.items()
    ]
    values = [
        [MEASURE_NAMES.get(name, name), *(safe(float(each[measure])) for measure in found.per_class)]
        for name, each in found.averages.items()
    ]
    header = ["average", *map(_spoken, found.per_class)]
    return TableBlock("measure-averages", "Measures, averaged", header, rows, values=values)


def _whole(result: MulticlassEvaluation) -> TableBlock:
    found = result.measures
    with_ends = {
        "accuracy": found.accuracy,
        **{f"top {k} accuracy": interval for k, interval in result.top_k.items()},
        "balanced accuracy": found.balanced_accuracy,
    }
    alone = {
        "accuracy of always answering the largest class": found.base_rate,
        "Cohen's kappa": found.kappa,
        "kappa, linear weights": found.kappa_linear,
        "kappa, quadratic weights": found.kappa_quadratic,
        "Matthews correlation": found.matthews_correlation,
    }
    rows = [[name, interval_text(each)] for name, each in with_ends.items()]
    rows += [[name, format_number(value)] for name, value in alone.items()]
    values: list[list[Any]] = [[name, ends_of(each)] for name, each in with_ends.items()]
    values += [[name, safe(float(value))] for name, value in alone.items()]
    top = "Top k: the class is among the k highest scores. " if result.top_k else ""
    ends = f"With {format_level(result.level)} intervals where there are any."
    text = f"{ends} {top}Weighted kappas take the classes to be in order."
    return TableBlock("whole", "All classes together", ["measure", "value"], rows, text=text, values=values)
