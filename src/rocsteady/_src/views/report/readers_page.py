"""The page of a reader study: do the modalities differ, for whom does that hold, and who read how well?"""

from __future__ import annotations

import math
import platform
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import (
    format_count,
    format_digits,
    format_level,
    format_number,
    format_p,
    format_setting,
    p_words,
)
from rocsteady._src.results.cases import FEW, VERY_FEW
from rocsteady._src.results.decision import Check
from rocsteady._src.results.readers import POPULATIONS
from rocsteady._src.views.report.document import Document, Section, TableBlock, chart_of
from rocsteady._src.views.report.forests import forest
from rocsteady._src.views.report.names import short_names, styles
from rocsteady._src.views.report.plain import told_once
from rocsteady._src.views.report.provenance import made_on
from rocsteady._src.views.report.records import ends_of, interval_record, interval_text, safe
from rocsteady._version import __version__

if TYPE_CHECKING:
    from rocsteady._src.results import TestResult
    from rocsteady._src.results.readers import ReaderStudy
    from rocsteady._src.views.report.document import Chart

TITLE = "Do the modalities differ, whoever reads?"
ENOUGH_READERS, TOO_FEW_READERS = 6, 4
TERMS = (
    ("reader", "Who rates the cases, such as a radiologist."),
    ("modality", "What is compared: a technique, a display, with or without a second opinion."),
    ("other readers, other cases", "The finding is about all readers and cases like these, not about these alone."),
    ("Obuchowski-Rockette", "Analysis of variance of the readers' values, whose errors go together by the cases."),
    ("U-statistics", "Variances without bias of any design, after Gallas."),
)


def build_readers(result: ReaderStudy, *, title: str = TITLE, level: float | None = None) -> Document:
    """Put the study in order: what holds for other readers and cases leads."""
    from rocsteady._src.views.report.classes import checked_level

    checked_level(result, level)
    page = ReadersPage(result)
    return Document(
        title=title,
        verdict=tuple(page.verdict()),
        checks=page.checks(),
        decision=page.differences(),
        assumptions=page.assumptions(),
        notes=told_once([str(remark) for remark in page.remarks()]),
        sections=[
            Section("means", "Modalities, each by itself", [], [page.means()], [page.chart()]),
            Section("readers", "Reader by reader", [], [page.by_reader()], []),
            Section("variance", "Where it varies", [], page.variances(), [], folded=True),
        ],
        terms=TERMS,
        command=page.command(),
        supplied="You supply table, a row for each rating, and the names of its columns in place of these.",
    )


def _lower(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


class ReadersPage:
    """Modalities by the names of the page."""

    def __init__(self, result: ReaderStudy) -> None:
        self.result = result
        told = [printable(str(name)) for name in result.modalities]
        self.names = dict(zip(result.modalities, short_names(tuple(told)), strict=True))

    def command(self) -> str:
        """The line that makes the page again."""
        result, told = self.result, [f"{name}={name!r}" for name in ("reader", "modality", "case", "label", "score")]
        test = next(iter(result.random.differences.values()))
        usual = {"measure": "auc", "method": "Obuchowski-Rockette", "alternative": "two-sided", "level": 0.95}
        asked: dict[str, object] = {"measure": result.measure, "method": result.analysis}
        asked |= {"alternative": test.alternative, "level": result.level}
        told += [f"{name}={_lower(value)!r}" for name, value in asked.items() if value != usual[name]]
        return f"import rocsteady as rs; rs.readers.analyze({', '.join(['table', *told])}).report('report.html')"

    def verdict(self) -> list[str]:
        """What may be said of each pair for other readers and cases, and whether less may be said."""
        found = [self._sentence(pair, test) for pair, test in self.result.random.differences.items()]
        only = [
            f"{self.names[first]} and {self.names[second]} differ for these readers only: of others nothing is shown"
            for first, second in self.result.random.differences
            if self.result.fixed_readers.shown((first, second)) and not self.result.random.shown((first, second))
        ]
        return [*found, *only]

    def _sentence(self, pair: tuple[object, object], test: TestResult) -> str:
        first, second = (self.names[name] for name in pair)
        ends, level = interval_text(test), format_level(self.result.level)
        if math.isnan(test.pvalue):
            return f"{first} and {second} cannot be compared for other readers and cases: there is no variance"
        if test.alternative != "two-sided":
            shown = "is shown" if self.result.random.shown(pair) else "is not shown"
            p = p_words(self.result.random.adjusted(pair), "adjusted p" if self._several() else "p")
            return f"that {test.hypothesis} {shown}: {first} - {second} = {ends} ({level}), {p}"
        apart = "differ" if self.result.random.shown(pair) else "cannot be told apart"
        told = f"{first} - {second} = {ends} in {self.result.label}"
        return f"{first} and {second} {apart} for other readers and other cases: {told} ({level})"

    def checks(self) -> tuple[Check, ...]:
        """Enough readers, enough cases, and do the readers agree?"""
        readers = min(len(line) for line in self.result.values.values())
        answer = "no" if readers < TOO_FEW_READERS else "partly" if readers < ENOUGH_READERS else "yes"
        found = [Check("readers", "Enough readers?", answer, f"{format_count(readers)} readers stand for all others")]
        fewest = min(float(self.result.n_pos), float(self.result.n_neg))
        answer = "no" if fewest < VERY_FEW else "partly" if fewest < FEW else "yes"
        found.append(Check("enough", "Enough cases?", answer, f"{format_count(fewest)} cases in the smaller class"))
        return (*found, self._agreed())

    def _agreed(self) -> Check:
        """Whether the readers' differences have one sign, of the first pair."""
        (first, second), *_ = self.result.random.differences
        one, two = self.result.values[first], self.result.values[second]
        gaps = [one[who] - two[who] for who in self.result.readers if who in one and who in two]
        if not gaps:
            return Check("agree", "Do readers agree?", "unknown", "no reader judged under both modalities")
        up, down = sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps)
        names = f"{self.names[first]} over {self.names[second]}"
        told = f"{format_count(up)} of {format_count(len(gaps))} do better with {names}, {format_count(down)} worse"
        return Check("agree", "Do readers agree?", "yes" if not (up and down) else "partly", told)

    def differences(self) -> TableBlock:
        """Every pair for every population."""
        lines = [(each, pair, test) for each in self.result.analyses for pair, test in each.differences.items()]
        header = ["holds for", "first", "second", "first - second", "degrees of freedom", "p"]
        header += ["p by Holm"] if self._several() else []
        rows, values = [], []
        for each, (first, second), test in lines:
            names = [POPULATIONS[each.population], self.names[first], self.names[second]]
            free = "" if test.df is None else format_digits(test.df, 3)
            ps = [test.pvalue, *([each.adjusted((first, second))] if self._several() else [])]
            rows.append([*names, interval_text(test), free, *map(format_p, ps)])
            values.append([*names, ends_of(test), safe(math.nan if test.df is None else test.df), *map(safe, ps)])
        text = f"Mean {self.result.label} of the readers, with {format_level(self.result.level)} intervals."
        text += " Each interval holds by itself; p by Holm is adjusted over pairs." if self._several() else ""
        return TableBlock("decision", "Differences", header, rows, [], text, values)

    def _several(self) -> bool:
        """Whether there is more than one pair of modalities."""
        return len(self.result.random.differences) > 1

    def means(self) -> TableBlock:
        """The mean of each modality for each population."""
        header = ["modality", *(POPULATIONS[each.population] for each in self.result.analyses)]
        found = [[each.means[name] for each in self.result.analyses] for name in self.names]
        lines = list(zip(self.names.values(), found, strict=True))
        return TableBlock(
            "means",
            f"Mean {self.result.label}",
            header,
            [[name, *map(interval_text, each)] for name, each in lines],
            [],
            "From the ratings of the modality alone.",
            [[name, *map(ends_of, each)] for name, each in lines],
        )

    def chart(self) -> Chart:
        """Means as a forest, with every reader's value."""
        looks = list(styles(tuple(self.names.values())).values())
        rows = ["mean", *(printable(str(who)) for who in self.result.readers)]
        lines = [interval_record(name, "mean", self.result.random.means[key]) for key, name in self.names.items()]
        lines += [
            {"model": name, "row": printable(str(who)), "estimate": value, "low": value, "high": value}
            for key, name in self.names.items()
            for who, value in self.result.values[key].items()
        ]
        known = [line for line in lines if not math.isnan(line["estimate"] or math.nan)]
        spec = forest(looks, rows, "reader", title=self.result.label, dashed=False)
        text = f"Dots of readers, and the mean with its {format_level(self.result.level)} interval for other readers "
        return chart_of("readers", f"{self.result.label} by reader", f"{text}and cases.", spec, {"forest": known})

    def by_reader(self) -> TableBlock:
        """Every value."""
        found = [[self.result.values[name].get(who, math.nan) for name in self.names] for who in self.result.readers]
        who = [printable(str(each)) for each in self.result.readers]
        rows = [[name, *map(format_number, line)] for name, line in zip(who, found, strict=True)]
        values = [[name, *map(safe, line)] for name, line in zip(who, found, strict=True)]
        return TableBlock("values", self.result.label, ["reader", *self.names.values()], rows, values, "", values)

    def variances(self) -> list[TableBlock]:
        """Mean squares and variance components, where the analysis has them."""
        parts = {**{f"mean square, {name}": value for name, value in self.result.mean_squares.items()}}
        parts |= {f"variance, {name}": value for name, value in self.result.components.items()}
        if not parts:
            return []
        text = "Of the analysis of variance; components may fall below 0. They are what a new study is sized by."
        rows = [[name, format_digits(value, 4)] for name, value in parts.items()]
        values = [[name, safe(value)] for name, value in parts.items()]
        return [TableBlock("components", "Variance components", ["part", "estimate"], rows, values, text, values)]

    def remarks(self) -> list[object]:
        """What is said of the study and of any of its numbers, once."""
        every = [found for each in self.result.analyses for found in each.differences.values()]
        means = [found for each in self.result.analyses for found in each.means.values()]
        own = [remark for found in every for remark in found.warnings]
        own += [remark for found in means for remark in found.warnings]
        return list(dict.fromkeys([*self.result.warnings, *own]))

    def assumptions(self) -> list[tuple[str, str]]:
        """What the numbers rest on."""
        result = self.result
        label = "" if result.origin is None else repr(result.origin.pos_label)
        return [
            ("Made on", made_on()),
            ("Readers", format_count(len(result.readers))),
            ("Modalities", ", ".join(self.names.values())),
            ("Cases", f"{format_count(result.n_pos)} positive, {format_count(result.n_neg)} negative"),
            ("Positive label", printable(label)),
            ("Measure", result.label),
            ("Direction", "a higher score means more positive"),
            ("Analysis", f"{result.analysis}, {result.method} covariances"),
            ("Confidence level", format_setting(result.level)),
            ("rocsteady", __version__),
            ("Python, NumPy", f"{platform.python_version()}, {np.__version__}"),
        ]
