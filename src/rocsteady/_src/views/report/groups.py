"""The report of groups: the page of all rows, and a section that asks whether groups differ."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import (
    format_count,
    format_interval,
    format_level,
    format_number,
    format_p,
    format_share,
    p_words,
)
from rocsteady._src.evaluation.groups.compared import adjusted_interactions
from rocsteady._src.evaluation.groups.evaluation import FEW
from rocsteady._src.measures.ranking import auc
from rocsteady._src.results import Interval
from rocsteady._src.views.report.build import HOLDS_PARTS, after_compare, build
from rocsteady._src.views.report.document import Section, TableBlock, chart_of
from rocsteady._src.views.report.forests import forest
from rocsteady._src.views.report.names import short_names, styles
from rocsteady._src.views.report.parts_at_threshold import (
    Part,
    held_parts,
    leading_model,
    model_pays,
    parts_at_threshold,
)
from rocsteady._src.views.report.plain import for_readers
from rocsteady._src.views.report.records import ends_of, interval_record, interval_text, safe
from rocsteady._src.views.report.rows_of_models import subjects_of

if TYPE_CHECKING:
    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.evaluation.groups import GroupedEvaluation
    from rocsteady._src.views.report.build import Options
    from rocsteady._src.views.report.document import Chart, Document, Records
    from rocsteady._src.views.report.names import Style

ALL = "all rows"


def build_grouped(result: GroupedEvaluation, options: Options) -> Document:
    """The usual document of all rows, with its groups after the table of models."""
    page = build(result.overall, options, by=result.by)
    parts = _Groups(result)
    at_threshold = parts.at_threshold(page)
    section = Section(
        "groups",
        f"Groups: {printable(result.by, most=60)}",
        _told_together([for_readers(note).removeprefix("note: ") for note in result.notes()[1:]]),
        [at_threshold, parts.table(), *parts.measures(), *parts.differences()],
        [parts.chart()],
    )
    first, *others = page.verdict
    advised = page.decision is not None and model_pays(page)
    found = parts.found(at_threshold, page.decision.rows[0][1]) if advised and page.decision is not None else []
    return replace(
        page,
        verdict=(first, *found, *parts.sentence(), *others),
        sections=after_compare(page, section),
        parts=parts.elsewhere(page),
        holds=HOLDS_PARTS,
        assumptions=[
            *page.assumptions,
            ("Groups", f"{format_count(len(result))}, by column {printable(result.by, most=60)}"),
        ],
    )


def _told_together(lines: list[str]) -> list[str]:
    """The same words about several groups in one line.

    Examples
    --------
    >>> _told_together(["a", "group 1: few rows", "group 2: few rows"])
    ['a', 'groups 1, 2: few rows']
    """
    whose: dict[str, list[str]] = {}
    for line in lines:
        start, colon, words = line.partition(": ")
        of_group = bool(colon) and start.startswith("group ")
        whose.setdefault(words if of_group else line, []).extend([start.removeprefix("group ")] if of_group else [])
    ahead = {0: "", 1: "group "}
    return [f"{ahead.get(len(of), 'groups ')}{', '.join(of)}{': ' if of else ''}{words}" for words, of in whose.items()]


class _Groups:
    """AUC of each group and model: as a table, a chart, and one sentence."""

    def __init__(self, result: GroupedEvaluation) -> None:
        self.result = result
        self.look: dict[str, Style] = styles(result.overall.models)
        self.names = dict(zip(result.groups, short_names([ALL, *result.groups])[1:], strict=True))
        self.overall = _areas(result.overall, result.level)
        self.areas = {group: _areas(each, result.level) for group, each in result.groups.items()}

    def table(self) -> TableBlock:
        """Rows, positives and AUC of each group, all rows first; small groups are marked."""
        result = self.result
        models = [style.name for style in self.look.values()]
        lines = [(ALL, result.overall, self.overall)]
        lines += [(self.names[group], each, self.areas[group]) for group, each in result.groups.items()]
        some = any(_beware(each) for _, each, _ in lines)  # an empty column would look like a fault
        last = None if some else -1
        return TableBlock(
            "group-areas",
            f"AUC by {printable(result.by, most=60)}",
            [printable(result.by, most=40), "rows", "positives", *models, "beware"][:last],
            [_row(name, each, found)[:last] for name, each, found in lines],
            [_keys(name, each, found)[:last] for name, each, found in lines],
            f"AUC with its {format_level(result.level)} interval.",
            [_values(name, each, found)[:last] for name, each, found in lines],
        )

    def at_threshold(self, page: Document) -> TableBlock:
        """Recall, false alarms and cost of each group where all are called by the threshold that leads."""
        parts = self.parts(leading_model(page, self.look))
        return parts_at_threshold(page, parts, self.result.by, "group", self.result.level)

    def parts(self, model: str) -> dict[str, Part]:
        """All rows, then each group."""
        known = {ALL: self.result.overall, **{self.names[group]: each for group, each in self.result.groups.items()}}
        return {name: Part(each.ranked[model], subjects_of(each, model)) for name, each in known.items()}

    def elsewhere(self, page: Document) -> dict[str, Any]:
        """What a page needs to tell of groups at a threshold that its reader types, and at other costs."""
        large = [place for place, each in enumerate(self.result.groups.values(), 1) if not _beware(each)]
        return {
            "kind": "group",
            "by": printable(self.result.by, most=60),
            "large": large,
            "said": [for_readers(line) for line in self.sentence()],
            "models": held_parts(page, {style.name: self.parts(model) for model, style in self.look.items()}),
        }

    def found(self, at_threshold: TableBlock, shown: str) -> list[str]:
        """What the threshold that leads finds and alarms, from the group where it is least to that where it is most."""
        rates = [self._range(at_threshold, column) for column in (1, 2)]
        if not all(rates):
            return []
        by, cut = printable(self.result.by, most=60), shown
        told = f"By {by}, the threshold {cut} finds {rates[0]} of the positives, and alarms {rates[1]} of the negatives"
        return [f"{told} (rocsteady gaps tests whether that is more than chance)"]

    def _range(self, table: TableBlock, column: int) -> str:
        """Ends of a rate, of groups large enough to be named where there are two; the first line is of all rows."""
        known = [(line[column], line[0]) for line in table.keys[1:] if isinstance(line[column], float)]
        named = {self.names[group] for group, each in self.result.groups.items() if not _beware(each)}
        large = [each for each in known if each[1] in named]
        known = large if len(large) > 1 else known
        if len(known) < 2:
            return ""
        (low, where), (high, there) = min(known), max(known)
        return f"{format_share(low)} ({where}) to {format_share(high)} ({there})" if low < high else format_share(low)

    def measures(self) -> list[TableBlock]:
        """The other measures of each group and model, with intervals where there are any."""
        columns = [column for column in self.result.overall.columns if column != "auc"]
        if not columns:
            return []
        parts = [(ALL, self.result.overall), *((self.names[group], each) for group, each in self.result.groups.items())]
        lines = [(name, model, each) for name, each in parts for model in each.models]
        at = ["threshold"] if self.result.overall.thresholds else []
        return [
            TableBlock(
                "group-measures",
                f"Measures by {printable(self.result.by, most=60)}",
                [printable(self.result.by, most=40), "model", *at, *columns],
                [[name, self.look[model].name, *_measured(each, model, columns)] for name, model, each in lines],
                [[name, self.look[model].name, *_numbers(each, model, columns)] for name, model, each in lines],
                "A threshold that is chosen by a rule is chosen in each group by itself." if at else "",
            )
        ]

    def differences(self) -> list[TableBlock]:
        """Each group against the others, where there is something to test."""
        found = [each for each in self.result.differences if not math.isnan(each.pvalue_adjusted)]
        if not found:
            return []
        rows = [
            [
                self.names[each.group],
                self.look[each.model].name,
                format_interval(each.estimate, each.low, each.high, 3, signed=True),
                format_p(each.pvalue_adjusted),
            ]
            for each in found
        ]
        keys = [
            [self.names[each.group], self.look[each.model].name, safe(each.estimate), safe(each.pvalue_adjusted)]
            for each in found
        ]
        values = [
            [*key[:2], {**ends_of(each), "p": safe(float(each.pvalue_adjusted))}, key[3]]
            for key, each in zip(keys, found, strict=True)
        ]
        text = "AUC in the group less the mean of the other groups; p adjusted for the number of groups (Holm)."
        header = [printable(self.result.by, most=40), "model", "difference", "adjusted p"]
        return [TableBlock("group-differences", "Each group against the others", header, rows, keys, text, values)]

    def chart(self) -> Chart:
        """Forest of AUCs with the value of all rows as a line."""
        records: Records = [
            {
                **interval_record(self.look[model].name, self.names[group], interval),
                "positives": safe(float(each.n_pos)),
                "negatives": safe(float(each.n_neg)),
            }
            for group, each in self.result.groups.items()
            for model, interval in self.areas[group].items()
        ]
        reference = [interval_record(self.look[model].name, ALL, interval) for model, interval in self.overall.items()]
        text = f"Dots with {format_level(self.result.level)} intervals; dashed: all rows."
        spec = forest(list(self.look.values()), list(self.names.values()), printable(self.result.by, most=40))
        return chart_of(
            "groups", "AUC of each group", text, spec, {"forest": records, "reference": reference}, wide=True
        )

    def sentence(self) -> list[str]:
        """One sentence when groups differ: for which models, between which groups most, and for which pairs."""
        result = self.result
        told = [self._extremes(model) for model, test in result.tests.items() if test.pvalue <= 1 - result.level]
        told += [
            f"the difference between {self.look[first].name} and {self.look[second].name} depends on the group "
            f"({p_words(adjusted)})"
            for (first, second), adjusted in adjusted_interactions(result.interactions).items()
            if adjusted <= 1 - result.level
        ]
        return [f"Groups of {printable(result.by, most=60)} differ: {'; '.join(told)}"] if told else []

    def _extremes(self, model: str) -> str:
        """Ends of the range of AUCs, of groups large enough to be named where there are two."""
        known = {group: found[model].estimate for group, found in self.areas.items() if found[model].estimate >= 0}
        large = {group: known[group] for group in known if not _beware(self.result.groups[group])}
        among = large if len(large) > 1 else known
        low, high = min(among, key=among.__getitem__), max(among, key=among.__getitem__)
        between = (
            f"{format_number(among[low], 3)} in {self.names[low]} to {format_number(among[high], 3)} "
            f"in {self.names[high]}"
        )
        return f"AUC of {self.look[model].name} from {between} ({p_words(self.result.tests[model].pvalue)})"


def _numbers(each: Evaluation, model: str, columns: list[str]) -> list[Any]:
    at = [each.thresholds[model]] if model in each.thresholds else []
    return [safe(float(value)) for value in (*at, *(each.values[model][column] for column in columns))]


def _measured(each: Evaluation, model: str, columns: list[str]) -> list[str]:
    """Threshold and values as text, an interval beside each value that has one."""
    found = each.intervals.get(model, {})
    at = [format_number(each.thresholds[model])] if model in each.thresholds else []
    values = each.values[model]
    return [*at, *(interval_text(found[c]) if c in found else format_number(float(values[c])) for c in columns)]


def _areas(each: Evaluation, level: float) -> dict[str, Interval]:
    """AUC of each model with its interval, made here where the evaluation has none."""
    if all("auc" in each.intervals.get(model, {}) for model in each.models):
        return {model: each.intervals[model]["auc"] for model in each.models}
    if not (each.n_pos and each.n_neg):
        return {model: _unknown(level) for model in each.models}
    values = {model: {"auc": float(auc(ranked))} for model, ranked in each.ranked.items()}
    alone = replace(each, columns=("auc",), values=values, requests=())
    found = alone.with_intervals(level=level, auc_method=each.auc_method).intervals
    return {model: found[model]["auc"] for model in each.models}


def _unknown(level: float) -> Interval:
    return Interval(math.nan, math.nan, math.nan, level, "one class only")


def _row(name: str, each: Evaluation, found: dict[str, Interval]) -> list[str]:
    cells = [interval_text(interval) for interval in found.values()]
    return [name, format_count(each.origin.n_rows), format_number(each.n_pos), *cells, _beware(each)]


def _keys(name: str, each: Evaluation, found: dict[str, Interval]) -> list[Any]:
    values = [safe(float(interval.estimate)) for interval in found.values()]
    return [name, each.origin.n_rows, safe(float(each.n_pos)), *values, _beware(each)]


def _values(name: str, each: Evaluation, found: dict[str, Interval]) -> list[Any]:
    return [name, each.origin.n_rows, safe(float(each.n_pos)), *map(ends_of, found.values()), _beware(each)]


def _beware(each: Evaluation) -> str:
    fewest = min(each.n_pos, each.n_neg)
    return "one class only" if not fewest else f"fewer than {FEW} of a class" if fewest < FEW else ""
