"""The page of several labels of a row: which labels' scores to rely on, and each with its intervals."""

from __future__ import annotations

import math
import platform
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.text import format_count, format_level, format_setting
from rocsteady._src.results.cases import FEW, VERY_FEW
from rocsteady._src.results.decision import Check
from rocsteady._src.views.report.class_tables import AREA_NAMES
from rocsteady._src.views.report.document import Document, Section, TableBlock, chart_of
from rocsteady._src.views.report.forests import forest
from rocsteady._src.views.report.names import short_names, styles
from rocsteady._src.views.report.plain import told_once
from rocsteady._src.views.report.provenance import made_on, of_matrices, python_calls
from rocsteady._src.views.report.records import ends_of, interval_record, interval_text, safe
from rocsteady._version import __version__

if TYPE_CHECKING:
    from rocsteady._src.results.inference import Interval
    from rocsteady._src.results.multilabel import MultilabelEvaluation
    from rocsteady._src.views.report.document import Chart

TITLE = "How well is each label found?"
LISTED, NAMED = 40, 6


def build_labels(result: MultilabelEvaluation, *, title: str = TITLE, level: float | None = None) -> Document:
    """Put the evaluation in order; all its numbers are known already."""
    from rocsteady._src.views.report.classes import checked_level

    checked_level(result, level)
    page = Labels(result)
    return Document(
        title=title,
        verdict=tuple(page.verdict()),
        alarms=tuple(page.alarms()),
        checks=page.checks(),
        decision=page.table(),
        assumptions=page.assumptions(),
        command=python_calls(result.level),
        supplied=of_matrices(result.origin, "label"),
        notes=told_once([*result.warnings, *page.remarks()]),
        sections=[Section("compare", "Labels side by side", [], [page.averages()], page.charts())],
    )


class Labels:
    """Areas and average precision of labels, by the names of the page."""

    def __init__(self, result: MultilabelEvaluation) -> None:
        self.result = result
        self.names = dict(zip(result.labels, short_names(result.labels), strict=True))
        self.order = sorted(result.labels, key=lambda label: _last(-float(result.auc[label].estimate)))

    def verdict(self) -> list[str]:
        """Which labels may be relied on, then best and worst, then averages."""
        k, level = len(self.names), format_level(self.result.level)
        unsure = [label for label in self.order if not self.result.auc[label].low > 0.5]
        if not unsure:
            first = f"Use the scores of all {format_count(k)} labels: each ranks better than chance ({level})"
        elif len(unsure) == k:
            first = f"Use no score: none of {format_count(k)} labels is ranked better than by chance for sure ({level})"
        else:
            kept = format_count(k - len(unsure))
            left = f"{self._few(unsure)} may be ranked no better than by chance ({level})"
            first = f"Use the scores of {kept} of {format_count(k)} labels: {left}"
        macro, micro = (interval_text(self.result.averages[name]) for name in ("macro", "micro"))
        each = "Each label is judged by its own interval; of very many, some pass by chance"
        return [first, *self._ends(), f"AUC {macro} in the mean of labels, {micro} with all scores pooled", each]

    def _few(self, labels: list[Any]) -> str:
        more = f" and {format_count(len(labels) - NAMED)} more" if len(labels) > NAMED else ""
        return ", ".join(self.names[label] for label in labels[:NAMED]) + more

    def _ends(self) -> list[str]:
        known = [label for label in self.order if not math.isnan(self.result.auc[label].estimate)]
        if len(known) < 2:
            return []
        told = [f"{self.names[label]}, AUC {interval_text(self.result.auc[label])}" for label in (known[0], known[-1])]
        return [f"Found best: {told[0]}; found worst: {told[1]}"]

    def alarms(self) -> list[str]:
        """What must be known first: labels of very few rows, scores upside down."""
        few = [label for label, size in self._sizes().items() if size < VERY_FEW]
        told = (
            [f"Fewer than {VERY_FEW} rows with, or without, {self._few(few)}: numbers about them are rough"]
            if few
            else []
        )
        below = [label for label in self.order if self.result.auc[label].high < 0.5]
        if below:
            told.append(f"Ranked worse than by chance: {self._few(below)}; if low scores mean the label, negate them")
        return told

    def _sizes(self) -> dict[Any, float]:
        """Rows with a label, or without it where these are fewer."""
        whole = math.inf if self.result.origin is None or self.result.origin.weighted else self.result.origin.n_rows
        return {
            label: min(size, whole - size) for label, size in zip(self.result.labels, self.result.support, strict=True)
        }

    def checks(self) -> tuple[Check, ...]:
        """Is there enough data, do the measures agree?"""
        sizes = self._sizes()
        fewest = min(sizes, key=sizes.__getitem__)
        size = sizes[fewest]
        answer = "no" if size < VERY_FEW else "partly" if size < FEW else "yes"
        text = f"{self.names[fewest]} has the fewest rows of one kind: {format_count(size)}"
        trusted = "whether probabilities are right is not judged here: rs.calibration_summary does so for one label"
        return (
            Check("enough", "Enough data?", answer, text),
            self._agree(),
            Check("probabilities", "Can the probabilities be trusted?", "unknown", trusted),
        )

    def _agree(self) -> Check:
        """Whether macro and micro averages tell the same of chance, and AUC and precision name the same worst label."""
        known = [label for label in self.order if self.result.average_precision[label].estimate >= 0]
        question = "Do the measures agree?"
        if len(known) < 2 or self.result.origin is None:
            return Check("agree", question, "unknown", "fewer than two labels can be compared")
        lift = {
            label: float(self.result.average_precision[label].estimate) * self._rows() / size
            for label, size in zip(self.result.labels, self.result.support, strict=True)
            if label in known
        }
        worst, least = known[-1], min(lift, key=lift.__getitem__)
        if worst == least:
            text = f"{self.names[worst]} is found worst by AUC and by what average precision gains over its share"
            return Check("agree", question, "yes", text)
        other = f"{self.names[least]} by what average precision gains over its share"
        text = f"{self.names[worst]} is found worst by AUC, {other}"
        return Check("agree", question, "no", text)

    def _rows(self) -> float:
        return float(self.result.origin.n_rows) if self.result.origin is not None else math.nan

    def table(self) -> TableBlock:
        """Every label, the best first, with both numbers and their intervals."""
        rows, keys, values = [], [], []
        sizes = dict(zip(self.result.labels, self.result.support, strict=True))
        for label in self.order:
            found = self.result.auc[label], self.result.average_precision[label]
            rows.append([self.names[label], format_count(sizes[label]), *map(interval_text, found), _sure(found[0])])
            keys.append(
                [self.names[label], sizes[label], *(safe(float(each.estimate)) for each in found), _sure(found[0])]
            )
            values.append([self.names[label], sizes[label], *map(ends_of, found), _sure(found[0])])
        text = f"With {format_level(self.result.level)} intervals. Average precision of a coin is the label's share."
        header = ["label", "rows with it", "AUC", "average precision", "better than chance?"]
        return TableBlock("decision", "Labels", header, rows, keys, text, values)

    def averages(self) -> TableBlock:
        """Over all labels."""
        both = zip(self.result.averages.items(), self.result.average_precisions.values(), strict=True)
        lines = [(AREA_NAMES[name].replace("classes", "labels"), area, value) for (name, area), value in both]
        return TableBlock(
            "averages",
            "Over all labels",
            ["average", "AUC", "average precision"],
            [[name, *map(interval_text, found)] for name, *found in lines],
            text=f"With {format_level(self.result.level)} intervals, which count that labels of a row vary together.",
            values=[[name, *map(ends_of, found)] for name, *found in lines],
        )

    def charts(self) -> list[Chart]:
        """Both numbers of each label as forests."""
        return [
            self._chart("areas", "AUC", self.result.auc, self.result.averages["macro"]),
            self._chart(
                "precisions",
                "Average precision",
                self.result.average_precision,
                self.result.average_precisions["macro"],
            ),
        ]

    def _chart(self, name: str, what: str, found: dict[Any, Interval], macro: Interval) -> Chart:
        known = [label for label in self.order if not math.isnan(found[label].estimate)]
        shown = known if len(known) <= LISTED else [*known[: LISTED // 2], *known[-LISTED // 2 :]]
        lines = [interval_record(self.names[label], self.names[label], found[label]) for label in shown]
        rows = [self.names[label] for label in shown]
        reference = [] if math.isnan(macro.estimate) else [interval_record("", "mean", macro)]
        spec = forest(
            list(styles(tuple(rows)).values()), rows, "label", by_row=True, title=what, dashed=bool(reference)
        )
        note = f"The {LISTED // 2} best and worst by AUC; the table above has all." if shown != known else ""
        text = f"Dots with {format_level(self.result.level)} intervals; dashed: the mean of the labels."
        return chart_of(name, f"{what} of each label", text, spec, {"forest": lines, "reference": reference}, note)

    def remarks(self) -> list[str]:
        """What to beware of in intervals, each once."""
        found = [*self.result.auc.values(), *self.result.averages.values(), *self.result.average_precision.values()]
        return list(dict.fromkeys(str(remark) for each in found for remark in each.warnings))

    def assumptions(self) -> list[tuple[str, str]]:
        """What the numbers rest on."""
        origin = self.result.origin
        facts = [("Made on", made_on()), ("Labels", format_count(len(self.names)))]
        if origin is not None:
            facts += [
                ("Rows", format_count(origin.n_rows)),
                ("Incomplete rows dropped", format_count(origin.n_dropped)),
                ("Row weights", "used" if origin.weighted else "none"),
            ]
        return [
            *facts,
            ("Direction", "a higher score means more of that label"),
            ("Confidence level", format_setting(self.result.level)),
            ("rocsteady", __version__),
            ("Python, NumPy", f"{platform.python_version()}, {np.__version__}"),
        ]


def _last(value: float) -> float:
    return math.inf if math.isnan(value) else value


def _sure(found: Interval) -> str:
    if math.isnan(found.low):
        return "unknown"
    return "yes" if found.low > 0.5 else "worse" if found.high < 0.5 else "not for sure"
