"""The report of folds: the page of the pooled scores, and a section about the folds of a cross-validation."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import format_interval, format_level, format_number, format_p
from rocsteady._src.inference.comparison.multiplicity import adjust_pvalues
from rocsteady._src.inference.comparison.verdict import verdict
from rocsteady._src.ranked import rows_by_unit
from rocsteady._src.results import PairComparison
from rocsteady._src.results.differences import told_apart
from rocsteady._src.views.report.build import HOLDS_PARTS, after_compare, build
from rocsteady._src.views.report.document import Section, TableBlock, chart_of
from rocsteady._src.views.report.forests import strip
from rocsteady._src.views.report.names import short_names, styles
from rocsteady._src.views.report.parts_at_threshold import Part, held_parts, leading_model, parts_at_threshold
from rocsteady._src.views.report.plain import told_once
from rocsteady._src.views.report.records import ends_of, interval_record, interval_text, safe
from rocsteady._src.views.report.rows_of_models import subjects_of

if TYPE_CHECKING:
    from rocsteady._src.evaluation.evaluation_by_fold import FoldedEvaluation
    from rocsteady._src.results import CrossValidation, TestResult
    from rocsteady._src.results.remarks import Remark
    from rocsteady._src.views.report.build import Options
    from rocsteady._src.views.report.document import Chart, Document, Records
    from rocsteady._src.views.report.names import Style

POOLED = "Scores of all folds pooled."
CAUTION = (
    "What the pooled scores say is about these rows; which model is better when trained anew is for the mean of the"
    " folds to say"
)
OPEN = "it does not tell the models apart here, so the choice above goes by cost on these rows, not by the better model"
AS_THEY_ARE = "These scores pooled, without how models vary when trained anew"
MEAN, TOGETHER = "mean of folds", "pooled"


def build_folded(result: FoldedEvaluation, options: Options) -> Document:
    """The usual document of the pooled scores, with the folds after the table of models."""
    page = build(result.overall, options, fold=result.fold)
    look = styles(result.overall.models)
    name = printable(result.fold, most=60)
    section = Section(
        "folds",
        f"Folds: {name}",
        told_once([*result.notes()[1:], *_warnings(result)]),
        [
            *_at_threshold(page, result, look),
            _table(result, look),
            *_measures(result, look),
            *_comparisons(result, look),
        ],
        [_chart(result, look)],
    )
    means = mean_verdict(result, options.baseline)[0]
    page = replace(page, sections=[_pooled(each, means, len(look)) for each in page.sections])
    facts = ("Folds", f"{_count(result)}, by column {name}; charts and thresholds pool their scores")
    return replace(
        page,
        verdict=_verdict(page, result, options.baseline),
        sections=after_compare(page, section),
        assumptions=[*page.assumptions, facts],
        numbers=_numbers(page, result, look),
        parts=_elsewhere(page, result, look),
        holds=HOLDS_PARTS,
    )


def _pooled(section: Section, means: str, n_models: int) -> Section:
    """A section whose tables of areas say that they pool the folds; of models compared, after what the folds say."""
    tables = [
        replace(table, text=f"{POOLED} {table.text}") if table.id in ("measures", "differences") else table
        for table in section.tables
    ]
    if section.id != "compare" or n_models < 2:
        return replace(section, tables=tables)
    return replace(section, lines=[means, *(f"{AS_THEY_ARE}: {line}" for line in section.lines)], tables=tables)


def _numbers(page: Document, result: FoldedEvaluation, look: dict[str, Style]) -> dict[str, Any]:
    """Numbers of the pooled scores, then those of the folds."""
    folds = {
        look[model].name: {"mean": ends_of(found.mean), "pooled": ends_of(found.pooled)}
        for model, found in result.models.items()
    }
    tests = [
        {"first": look[first].name, "second": look[second].name, **ends_of(test)}
        for (first, second), test in result.comparisons.items()
    ]
    return {**page.numbers, "folds": {"models": folds, "comparisons": tests}}


def _warnings(result: FoldedEvaluation) -> list[Remark]:
    """What to beware of in the comparisons, each once."""
    return list(dict.fromkeys(remark for test in result.comparisons.values() for remark in test.warnings))


def _first(result: FoldedEvaluation) -> CrossValidation:
    return next(iter(result.models.values()))


def _count(result: FoldedEvaluation) -> int:
    return len(_first(result).folds)


def mean_verdict(result: FoldedEvaluation, baseline: str | None = None) -> tuple[str, ...]:
    """What the means of folds say of the models, the best first."""
    means = {model: found.mean for model, found in result.models.items()}
    over = f"Over {_count(result)} folds"
    listed = ", ".join(f"{printable(model, most=48)} {interval_text(mean)}" for model, mean in means.items())
    listed = f"Mean AUC of the folds: {listed}"
    if len(means) == 1:
        return (_alone(over, result),)
    if not result.comparisons or any(math.isnan(mean.estimate) for mean in means.values()):
        return (f"{over}, the models could not be compared, as a fold has one class only", listed)
    n_rows = result.overall.origin.n_rows
    first, *others = verdict(_pairs(result, baseline), means, level=result.level, n_rows=n_rows, what="mean AUC")
    return (f"{over}, {first}", listed, *others)


def _pairs(result: FoldedEvaluation, baseline: str | None) -> list[PairComparison]:
    """Models compared over folds, with p-values that allow for their number."""
    tests = {pair: test for pair, test in result.comparisons.items() if baseline is None or baseline in pair}
    adjusted = adjust_pvalues([test.pvalue for test in tests.values()])
    return [
        PairComparison(*pair, _known(test), float(p), float(p))
        for (pair, test), p in zip(tests.items(), adjusted, strict=True)
    ]


def _caution(result: FoldedEvaluation, baseline: str | None) -> str:
    """What the pooled scores cannot say, and that the choice is one of cost where the folds tell no models apart."""
    pairs = _pairs(result, baseline)
    alike = pairs and not any(told_apart(pair.test, pair.p_holm, result.level) for pair in pairs)
    return f"{CAUTION}; {OPEN}" if alike else CAUTION


def _known(test: TestResult) -> TestResult:
    """A test whose unknown standard error is none, so that no difference is asked for."""
    return test if test.se is None or test.se >= 0 else replace(test, se=None)


def _alone(over: str, result: FoldedEvaluation) -> str:
    ((model, found),) = result.models.items()
    mean = found.mean
    sure = "ranks better than chance" if mean.low > 0.5 else "cannot be told from chance"
    sure = "ranks worse than chance" if mean.high < 0.5 else sure
    return f"{over}, {printable(model, most=48)} {sure}: mean AUC {interval_text(mean)}"


def _verdict(page: Document, result: FoldedEvaluation, baseline: str | None) -> tuple[str, ...]:
    """The decision of the pooled scores, named as such, whether the folds agree, and what else either says."""
    first, *others = page.verdict
    means, listed, *pairs = (*mean_verdict(result, baseline), "")
    folds = [line for line in (means, listed) if line]
    return (
        f"{pooled_words(result)}{first}",
        *_folds_disagree(page, result),
        *folds,
        _caution(result, baseline),
        *others,
        *(line for line in pairs if line),
    )


def pooled_words(result: FoldedEvaluation) -> str:
    """What a decision of all folds begins with."""
    return f"With the scores of all {_count(result)} folds pooled: "


def _folds_disagree(page: Document, result: FoldedEvaluation) -> list[str]:
    """Where the folds rank another model first than the costs do."""
    best, leader = _best(result), leading_model(page, styles(result.overall.models))
    if not best or leader in best:
        return []
    highest, cheapest = printable(best[0], most=48), printable(leader, most=48)
    return [f"The folds disagree: {highest} has the highest mean AUC, {cheapest} costs least"]


def _best(result: FoldedEvaluation) -> list[str]:
    """Models of the highest mean AUC; none where there is one model, or a mean is unknown."""
    means = {model: float(found.mean.estimate) for model, found in result.models.items()}
    if len(means) < 2 or any(math.isnan(mean) for mean in means.values()):
        return []
    return [model for model, mean in means.items() if mean == max(means.values())]


def _at_threshold(page: Document, result: FoldedEvaluation, look: dict[str, Style]) -> list[TableBlock]:
    """Recall, false alarms and cost of each fold at the threshold that leads; none where rows are in an engine."""
    if result.folded is None:
        return []
    return [parts_at_threshold(page, _parts(result, leading_model(page, look)), result.fold, "fold", result.level)]


def _parts(result: FoldedEvaluation, model: str) -> dict[str, Part]:
    """All rows, then each fold."""
    overall, folded = result.overall, result.folded
    assert folded is not None  # noqa: S101 - rows of an engine have no such table
    parts = {TOGETHER: Part(overall.ranked[model], subjects_of(overall, model))}
    units: dict[str, bool] = {"subjects": overall.cluster is not None, "sampled": overall.origin.reading == "sampling"}
    for name, fold in zip(_names(result), folded.of_models(model).folds, strict=True):
        parts[name] = Part(fold.ranked[0], rows_by_unit(fold.part, model, **units))
    return parts


def _elsewhere(page: Document, result: FoldedEvaluation, look: dict[str, Style]) -> dict[str, Any]:
    """What a page needs to tell of folds at a threshold that its reader types, and at other costs."""
    baseline = page.numbers["settings"]["baseline"]
    means, listed, *_ = (*mean_verdict(result, baseline), "")
    return {
        "kind": "fold",
        "by": printable(result.fold, most=60),
        "before": pooled_words(result),
        "best": [look[model].name for model in _best(result)],
        "said": [line for line in (means, listed, _caution(result, baseline)) if line],
        "models": None
        if result.folded is None
        else held_parts(page, {style.name: _parts(result, model) for model, style in look.items()}),
    }


def _table(result: FoldedEvaluation, look: dict[str, Style]) -> TableBlock:
    """Mean of folds and pooled value with intervals, then the AUC of each fold."""
    header = [printable(result.fold, most=40), "positives", "negatives", *(look[model].name for model in result.models)]
    rows, keys, values = [], [], []
    sizes = [result.overall.n_pos, result.overall.n_neg]
    for name, kind in ((MEAN, "mean"), (TOGETHER, "pooled")):
        found = [getattr(each, kind) for each in result.models.values()]
        rows.append([name, *map(format_number, sizes), *map(interval_text, found)])
        numbers = [name, *(safe(float(size)) for size in sizes)]
        keys.append([*numbers, *(safe(float(each.estimate)) for each in found)])
        values.append([*numbers, *map(ends_of, found)])
    places = zip(*(found.folds for found in result.models.values()), strict=True)
    for name, each in zip(_names(result), places, strict=True):
        sizes = [each[0].n_pos, each[0].n_neg]
        rows.append([name, *map(format_number, sizes), *(format_number(float(fold.auc)) for fold in each)])
        keys.append([name, *(safe(float(size)) for size in sizes), *(safe(float(fold.auc)) for fold in each)])
        values.append(keys[-1])
    text = f"AUC of each fold; mean and pooled value with their {format_level(result.level)} intervals."
    return TableBlock("fold-areas", "AUC of each fold", header, rows, keys, text, values)


def _measures(result: FoldedEvaluation, look: dict[str, Style]) -> list[TableBlock]:
    """The measures that were asked for, in every fold."""
    found = result.measures
    if not set(found.columns) - {"auc"}:  # which has a table of its own
        return []
    lines = [(name, model, values) for name, model, values in found.lines()]
    at = "at the threshold of all rows; " if found.thresholds else ""
    return [
        TableBlock(
            "fold-measures",
            "Measures of each fold",
            [printable(result.fold, most=40), "model", *found.columns],
            [[printable(name), look[model].name, *map(format_number, values)] for name, model, values in lines],
            [[printable(name), look[model].name, *map(safe, values)] for name, model, values in lines],
            f"Values of each fold, {at}mean: of the folds; pooled: all rows together.",
        )
    ]


def _names(result: FoldedEvaluation) -> list[str]:
    folds = _first(result).folds
    plain = [fold.fold if fold.repeat is None else fold.name for fold in folds]
    return short_names([MEAN, TOGETHER, *plain])[2:]


def _comparisons(result: FoldedEvaluation, look: dict[str, Style]) -> list[TableBlock]:
    """Differences between the means of two models on the same folds."""
    if not result.comparisons:
        return []
    rows, keys, values = [], [], []
    for (first, second), test in result.comparisons.items():
        pair = [look[first].name, look[second].name]
        ends = format_interval(test.estimate, test.low, test.high, 3, signed=True)
        rows.append([*pair, ends, format_p(test.pvalue)])
        keys.append([*pair, safe(float(test.estimate)), safe(float(test.pvalue))])
        values.append([*pair, ends_of(test), keys[-1][-1]])
    text = "Mean AUC of the first less that of the second, on the same folds. It is about the learners, trained anew on"
    text += f" rows like these ({next(iter(result.comparisons.values())).how})."
    header = ["first", "second", "difference", "p"]
    return [TableBlock("fold-comparisons", "Models compared over folds", header, rows, keys, text, values)]


def _chart(result: FoldedEvaluation, look: dict[str, Style]) -> Chart:
    data: dict[str, Records] = {"folds": [], "mean": [], "pooled": []}
    for model, found in result.models.items():
        name = look[model].name
        for row, fold in zip(_names(result), found.folds, strict=True):
            values: dict[str, Any] = {"estimate": fold.auc, "low": fold.low, "high": fold.high}
            sizes = {"positives": fold.n_pos, "negatives": fold.n_neg}
            numbers = {key: safe(float(value)) for key, value in (values | sizes).items()}
            data["folds"].append({"model": name, "row": row, **numbers})
        data["mean"].append(interval_record(name, MEAN, found.mean))
        data["pooled"].append(interval_record(name, TOGETHER, found.pooled))
    text = f"Dots: folds. Line: their mean with its {format_level(result.level)} interval. Diamond: all scores pooled."
    return chart_of("folds", "AUC over folds", text, strip(list(look.values())), data, wide=True)
