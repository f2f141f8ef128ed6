"""Tables of two classes: measures, differences, ties, and who moves between risk categories."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import (
    format_count,
    format_digits,
    format_interval,
    format_number,
    format_p,
    format_share,
)
from rocsteady._src.evaluation.probability_checks import summary_of
from rocsteady._src.measures.set_properties import set_properties
from rocsteady._src.measures.ties import tie_diagnostics
from rocsteady._src.views.report.document import TableBlock
from rocsteady._src.views.report.records import ends_of, interval_text, safe

if TYPE_CHECKING:
    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.ranked import RankedScores
    from rocsteady._src.results import Comparison, PairReclassification
    from rocsteady._src.results.decision import Decision
    from rocsteady._src.views.report.names import Style

    Look = dict[str, Style]


def measures(result: Evaluation, look: Look) -> TableBlock:
    """Values of each model with their intervals."""
    header, rows = result.cells()
    for row, model in zip(rows, result.models, strict=True):
        row[0] = look[model].name
    starts = [
        [look[model].name, *([safe(float(result.thresholds[model]))] if result.thresholds else [])]
        for model in result.models
    ]
    found = measured(result)
    values = [[*start, *found[model].values()] for start, model in zip(starts, result.models, strict=True)]
    keys = [
        [*start, *(each["estimate"] for each in found[model].values())]
        for start, model in zip(starts, result.models, strict=True)
    ]
    order = sorted(range(len(rows)), key=lambda place: _rank_of(result, place))
    rows, keys, values = ([part[place] for place in order] for part in (rows, keys, values))
    return TableBlock("measures", "Models", header, rows, keys, f"Values with their intervals.{_base(result)}", values)


def _rank_of(result: Evaluation, place: int) -> float:
    """The highest AUC first, or the best of the first measure there is."""
    column = "auc" if "auc" in result.columns else result.columns[0]
    value = float(result.values[result.models[place]][column])
    return math.inf if math.isnan(value) else -value


def _base(result: Evaluation) -> str:
    """What accuracy is read beside."""
    if "accuracy" not in result.columns:
        return ""
    most = max(result.n_pos, result.n_neg) / (result.n_pos + result.n_neg)
    return f" Calling all cases alike has an accuracy of {format_number(float(most))} (base rate)."


def measured(result: Evaluation) -> dict[str, dict[str, dict[str, Any]]]:
    """Every value by model and measure as a number, with the ends of its interval where it has one."""
    return {model: {column: _measured(result, model, column) for column in result.columns} for model in result.models}


def _measured(result: Evaluation, model: str, column: str) -> dict[str, Any]:
    value = {"estimate": safe(float(result.values[model][column]))}
    found = result.intervals.get(model, {}).get(column)
    return value if found is None else {**ends_of(found), **value}


TIES = ["model", "distinct scores", "lowest", "median", "highest", "margin", "pairs not in order"]
TIES += ["tied pairs", "AUC if ties broke badly", "AUC if they broke well"]


def diagnostics(result: Evaluation, look: Look) -> TableBlock:
    """Set properties and ties of each model."""
    made = [_ties(look[model].name, ranked) for model, ranked in result.ranked.items()]
    rows, keys = ([each[part] for each in made] for part in (0, 1))
    text = "Margin: the lowest positive minus the highest negative score."
    return TableBlock("diagnostics", "Scores and ties", TIES, rows, keys, text)


def _ties(name: str, ranked: RankedScores) -> tuple[list[str], list[Any]]:
    ties = tie_diagnostics(ranked)
    about = None if ranked.has_infinite_scores else set_properties(ranked)
    middle = [math.nan] * 3 if about is None else [about.median, about.abs_margin, about.rel_error_size]
    lowest, highest = (ranked.scores[place] for place in (0, -1))
    broken = [ties.auc_worst, ties.auc_best]
    row = [
        name,
        format_count(ties.n_distinct),
        *map(_score, (lowest, middle[0], highest, middle[1])),
        _share(middle[2]),
    ]
    row += [_share(ties.tied_pairs), *map(format_number, broken)]
    numbers = [lowest, middle[0], highest, *middle[1:], ties.tied_pairs, *broken]
    return row, [name, ties.n_distinct, *(safe(_number(each)) for each in numbers)]


def _number(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else float(value)


def _score(value: Any) -> str:
    """A score in six digits; whole numbers as they are."""
    number = _number(value)
    if isinstance(number, float):
        return "-" if math.isnan(number) else format_digits(number, 6)
    return printable(number, most=24)


def _share(value: float) -> str:
    return "-" if math.isnan(value) else format_share(value, 2)


def probabilities(comparison: Comparison, look: Look) -> list[TableBlock]:
    """Calibration and net benefit of each model, which NRI and IDI are read beside."""
    found = comparison.probabilities
    if not found:
        return []
    cuts = list(found[0].net_benefit)
    header = ["model", "Brier score", "calibration in the large", "calibration slope"]
    rows = [[look[each.model].name, *each.cells()[1:]] for each in found]
    values = [
        [
            look[each.model].name,
            *(ends_of(part) for part in (each.brier, each.in_the_large, each.slope)),
            *(safe(each.net_benefit[cut]) for cut in cuts),
        ]
        for each in found
    ]
    keys = [[cell["estimate"] if isinstance(cell, dict) else cell for cell in line] for line in values]
    header += [f"net benefit at {cut}" for cut in cuts]
    text = "In the large: 0 is right. Slope: 1 is right, less is too extreme. Net benefit: more is better."
    return [TableBlock("probabilities", "Calibration and net benefit", header, rows, keys, text, values)]


def calibrations(result: Evaluation, models: list[str], level: float, look: Look) -> list[TableBlock]:
    """Calibration of each model whose scores are probabilities."""
    if not models:
        return []
    rows, keys, values = [], [], []
    for model in models:
        found = summary_of(result, model, level)
        parts = (found.brier, found.in_the_large, found.slope)
        texts = [interval_text(part) for part in parts]
        rows.append([look[model].name, *texts])
        keys.append([look[model].name, *(safe(float(part.estimate)) for part in parts)])
        values.append([look[model].name, *map(ends_of, parts)])
    header = ["model", "Brier score", "calibration in the large", "calibration slope"]
    text = "In the large: 0 is right. Slope: 1 is right, less is too extreme."
    return [TableBlock("probabilities", "Calibration of each model", header, rows, keys, text, values)]


NAMES = {"events": "positives", "nonevents": "negatives"}


def moves(pair: PairReclassification) -> list[TableBlock]:
    """Who moves where among positives and negatives, and what NRI and IDI make of it."""
    return [*(_moved(pair, name) for name in NAMES), _gains(pair)]


def moved_words(pairs: list[PairReclassification], decided: Decision, baseline: str | None) -> tuple[str, ...]:
    """One sentence on who moves, from the baseline, or else the runner-up, to the model that leads."""
    others = (course.model for course in decided.courses if course.model not in (None, decided.model))
    old = baseline or next(others, None)
    pair = next((each for each in pairs if (each.old, each.new) == (old, decided.model)), next(iter(pairs), None))
    if pair is None:
        return ()
    shares = {name: {way: format_share(share) for way, share in pair.table.moved[name].items()} for name in NAMES}
    told = [f"of {NAMES[name]} {found['up']} move up and {found['down']} down" for name, found in shares.items()]
    names = [printable(name, most=48) for name in (pair.old, pair.new)]
    return (f"Risk categories, from {names[0]} to {names[1]}: {told[0]}, {told[1]}; the tables are for statisticians",)


def _moved(pair: PairReclassification, name: str) -> TableBlock:
    table, moved = getattr(pair.table, name), pair.table.moved[name]
    rows = [[label, *(format_count(cell) for cell in row)] for label, row in zip(pair.table.labels, table, strict=True)]
    values = [[label, *map(float, row)] for label, row in zip(pair.table.labels, table, strict=True)]
    title = f"Really {NAMES[name][:-1]}: risk with the old model (rows) and the new one (columns)"
    text = f"{format_share(moved['up'])} up, {format_share(moved['down'])} down"
    header = ["old \\ new", *pair.table.labels]
    return TableBlock(f"moves-{name}", title, header, rows, text=text, values=values)


def _gains(pair: PairReclassification) -> TableBlock:
    parts = {
        "NRI": (pair.nri.nri, pair.nri.events, pair.nri.nonevents),
        "IDI": (pair.idi.idi, pair.idi.events, pair.idi.nonevents),
    }
    rows = [
        [
            name,
            *(format_interval(part.estimate, part.low, part.high, 3, signed=True) for part in found),
            format_p(found[0].pvalue),
        ]
        for name, found in parts.items()
    ]
    values: list[list[Any]] = [
        [name, *map(ends_of, found), safe(float(found[0].pvalue))] for name, found in parts.items()
    ]
    relative = pair.idi.relative
    ratio = format_interval(float(relative.estimate), float(relative.low), float(relative.high), 3)
    rows.append(["IDI, relative (slopes, new to old; 1 is no change)", ratio, "", "", ""])
    values.append([rows[-1][0], ends_of(relative), None, None, None])
    text = "Above 0, the new model moves people the right way, or tells the classes farther apart."
    title = "Net reclassification (NRI) and integrated discrimination (IDI) improvement"
    header = ["improvement", "all", "of positives", "of negatives", "p"]
    return TableBlock("moves-gains", title, header, rows, text=text, values=values)
