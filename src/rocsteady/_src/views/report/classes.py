"""The report of more than two classes: curves of each class and who is taken for whom, first of all."""

from __future__ import annotations

import math
import platform
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.geometry import thin
from rocsteady._src.base.sentences import Option, Sentence, joined
from rocsteady._src.base.text import (
    format_count,
    format_interval,
    format_level,
    format_number,
    format_setting,
    format_share,
)
from rocsteady._src.views.report.class_curves import class_pr, class_roc
from rocsteady._src.views.report.class_decision import ClassDecision
from rocsteady._src.views.report.class_tables import class_tables
from rocsteady._src.views.report.document import Document, Section, chart_of
from rocsteady._src.views.report.forests import forest
from rocsteady._src.views.report.matrix import FITS, HALF, NUMBERED, matrix
from rocsteady._src.views.report.names import Style, short_names, styles
from rocsteady._src.views.report.plain import for_readers, told_once
from rocsteady._src.views.report.provenance import made_on, of_matrices, python_calls
from rocsteady._src.views.report.records import DEVIATION, as_records, interval_record, interval_text, safe
from rocsteady._version import __version__

if TYPE_CHECKING:
    from typing import Protocol

    from rocsteady._src.results.multiclass import MulticlassCurves, MulticlassEvaluation
    from rocsteady._src.results.remarks import Remark
    from rocsteady._src.views.report.document import Chart, Records

    class HasLevel(Protocol):
        """What was judged at one level."""

        @property
        def level(self) -> float: ...


FIRST, LISTED, MOST = 12, 40, 100  # classes whose curves are shown when the page opens, with areas drawn, with curves
TITLE = "How well are the classes told apart?"
AVERAGES = {"macro": "macro average", "micro": "micro average"}
CURVES = {
    "roc": (
        class_roc,
        "ROC curve of each class",
        "Each class against all others. Macro: mean height of the curves; micro: all predictions pooled.",
    ),
    "pr": (
        class_pr,
        "Precision and recall of each class",
        "Each class against all others; precision is easier for a class with more rows.",
    ),
}
GREY, DASHED = "#7A7A7A", {"macro": [7, 3], "micro": [2, 2]}


def build_multiclass(result: MulticlassEvaluation, *, title: str = TITLE, level: float | None = None) -> Document:
    """Put the evaluation in order; all its numbers are known already."""
    checked_level(result, level)
    parts = Classes(result)
    names = list(parts.names.values())
    decided = ClassDecision({"model": result}, names, result.level)
    return Document(
        title=title,
        verdict=(*decided.verdict()[:1], *told_of(result, parts.names), *decided.verdict()[1:]),
        alarms=tuple(decided.alarms()),
        checks=decided.checks(),
        decision=replace(decided.table(), rows=_unnamed(decided.table().rows)),
        models=parts.look,
        sections=class_sections(result, parts),
        assumptions=_assumptions(result),
        command=python_calls(result.level),
        supplied=of_matrices(result.origin, "class"),
        notes=told_once([*result.warnings, *_interval_notes(result, parts.names)]),
    )


def _unnamed(rows: list[list[str]]) -> list[list[str]]:
    return [["the model", *rows[0][1:]], *rows[1:]]


def class_sections(result: MulticlassEvaluation, parts: Classes) -> list[Section]:
    """How well classes are told apart, who is taken for whom, and the rest for statisticians."""
    tables = {table.id: table for table in class_tables(result, list(parts.names.values()))}
    made = {chart.id.removesuffix(parts.suffix): chart for chart in parts.charts()}
    apart = [made[name] for name in ("roc", "areas", "pr") if name in made]
    called = [tables[name] for name in ("class-measures", "confusion-counts") if name in tables]
    folded = [tables[name] for name in ("averages", "measure-averages", "whole")]
    return [
        Section("compare", "How well are the classes told apart?", [], [tables["class-areas"]], apart),
        Section("confusion", "Who is taken for whom?", [], called, [made["confusion"]]),
        Section("statisticians", "For statisticians", [], folded, [], folded=True),
    ]


def checked_level(result: HasLevel, level: float | None) -> None:
    """Areas were judged at one level: a report does not mix two."""
    if level is not None and level != result.level:
        text = Sentence(
            "this evaluation has level {level:setting}: evaluate again with {asked}",
            level=result.level,
            asked=Option("level", (float(level),)),
        )
        raise ArgumentError("level", text)


def _interval_notes(result: MulticlassEvaluation, names: dict[Any, str]) -> list[str]:
    """What to beware of in intervals: of averages, then of classes, whose names stand before it."""
    concerned: dict[Remark, list[str]] = {}
    for label, found in result.class_auc.items():
        for remark in found.warnings:
            concerned.setdefault(remark, []).append(names[label])
    of_averages = [remark for found in result.averages.values() for remark in found.warnings]
    return [*of_averages, *(joined(": ", [_few(who), remark]) for remark, who in concerned.items())]


def _few(names: list[str]) -> str:
    """Names in a line, the first of many."""
    more = f" and {len(names) - FIRST} more" if len(names) > FIRST else ""
    return ", ".join(names[:FIRST]) + more


class Classes:
    """Charts of an evaluation, its classes in the colours of their curves."""

    def __init__(self, result: MulticlassEvaluation, suffix: str = "", worst: list[Any] | None = None) -> None:
        self.result, self.suffix = result, suffix
        self.names = dict(zip(result.labels, short_names([*AVERAGES.values(), *result.labels])[2:], strict=True))
        self.worst = worst_first(result) if worst is None else worst
        among = set(self.worst[:MOST])
        self.kept = [label for label in result.labels if label in among]
        self.averages = {name: Style(AVERAGES[name], GREY, DASHED[name]) for name in result.roc.averages}
        self.classes = self._class_styles()
        self.look = [*self.averages.values(), *self.classes.values()]

    def _class_styles(self) -> dict[Any, Style]:
        """Classes that have a curve; of many, the worst come first and are shown."""
        curves = self.result.roc.per_class
        drawn = [label for label in self.kept if label in curves]
        first = drawn if len(drawn) <= FIRST else [label for label in self.worst if label in curves][:FIRST]
        shown = set(first)
        order = [*first, *(label for label in drawn if label not in shown)]
        return {
            label: replace(style, name=self.names[label], shown=label in shown)
            for label, style in styles(tuple(order)).items()
        }

    def charts(self) -> list[Chart]:
        """Curves and confusion matrix before all else; beside the ROC stands what fits there."""
        if not self.classes:
            return [self._matrix()]
        roc, pr, confusion, areas = self._curves("roc"), self._curves("pr"), self._matrix(), self._areas()
        return [roc, pr, confusion, areas] if confusion.wide else [roc, confusion, areas, pr]

    def _curves(self, kind: str) -> Chart:
        curves: MulticlassCurves = getattr(self.result, kind)
        drawn = [(style, curves.averages.get(name)) for name, style in self.averages.items()]
        drawn += [(style, curves.per_class.get(label)) for label, style in self.classes.items()]
        records = [point for style, curve in drawn if curve is not None for point in _points(style.name, curve)]
        spec, title, text = CURVES[kind]
        chance = [{"x": 0, "y": 0}, {"x": 1, "y": 1}]
        return chart_of(
            f"{kind}{self.suffix}", title, text, spec(self.look), {"curves": records, "chance": chance}, self._said()
        )

    def _said(self) -> str:
        """What was left out of the curves."""
        curves: list[Any] = list(self.result.roc.per_class.values())
        bound = DEVIATION + max(curve.max_deviation for curve in curves)
        said = [f"Points were dropped for display; none moves by more than {format_setting(bound)}."]
        hidden = sum(not style.shown for style in self.look)
        if hidden:
            said.append(f"Shown first: the {FIRST} classes with the lowest AUC; tick the other {hidden} above.")
        if len(self.result.roc.per_class) > MOST:
            said.append(
                f"Of {format_count(len(self.result.labels))} classes, the {MOST} with the lowest AUC have curves here."
            )
        return " ".join(said)

    def _matrix(self) -> Chart:
        found, kept = self.result.confusion, set(self.kept)
        places = [place for place, label in enumerate(found.labels) if label in kept]
        names = [self.names[found.labels[place]] for place in places]
        records = _cells(np.asarray(found.matrix, dtype=np.float64), places, names)
        text = "Blue: called what they are; orange: taken for another class. Deeper where there are more."
        more: dict[str, Any] = {"wide": len(names) > HALF, "broad": len(names) > FITS}
        switch = ("counts", "shares of the true class")
        spec = matrix(self.look, names)
        said = _matrix_note(len(names), len(found.labels))
        return chart_of(
            f"confusion{self.suffix}",
            "Confusion matrix",
            text,
            spec,
            {"confusion": records},
            said,
            switch=switch,
            **more,
        )

    def _areas(self) -> Chart:
        order = self.worst if len(self.classes) > FIRST else self.kept
        found = {label: self.result.class_auc[label] for label in order if label in self.classes}
        found = dict(list(found.items())[:LISTED])
        records = [
            {
                **interval_record(self.names[label], self.names[label], interval),
                "positives": safe(float(interval.n_pos)),
                "negatives": safe(float(interval.n_neg)),
            }
            for label, interval in found.items()
        ]
        macro = self.result.averages["macro"]
        reference = [] if math.isnan(macro.estimate) else [interval_record("", AVERAGES["macro"], macro)]
        look = [self.classes[label] for label in found]
        spec = forest(look, [self.names[label] for label in found], "class", by_row=True, dashed=bool(reference))
        text = f"Dots with {format_level(self.result.level)} intervals; dashed: the macro average."
        left_out = len(self.names) - len(found)
        note = (
            f"The {format_count(len(found))} lowest; the table below has the other {format_count(left_out)}."
            if left_out
            else ""
        )
        data = {"forest": records, "reference": reference}
        return chart_of(f"areas{self.suffix}", "AUC of each class", text, spec, data, note, wide=len(self.names) > HALF)


def _cells(counts: Any, places: list[int], names: list[str]) -> Records:
    """Counts and shares of the true class; of many classes, those pairs that occur."""
    totals, most = counts.sum(axis=1), counts.max(initial=0.0) or 1.0
    whole = bool((counts == counts.round()).all())
    records: Records = []
    for place, true in zip(places, names, strict=True):
        for other, called in zip(places, names, strict=True):
            count = float(counts[place, other])
            if count or len(names) <= NUMBERED:
                share = round(count / totals[place], 6) if totals[place] else None
                shown = {"count": int(count) if whole else round(count, 6), "share": share}
                drawn = {"_of_most": round(count / most, 4), "_form": ",d" if whole else ",.10~g"}
                records.append({"true": true, "called": called, **shown, **drawn})
    return records


def _points(name: str, curve: Any) -> Records:
    """A curve, thinned once more for the page."""
    x_name, y_name = curve.axes
    x, y = curve.xy
    kept = thin(x, y, DEVIATION)
    columns = {x_name: x[kept].round(5), y_name: y[kept].round(5), "threshold": curve.thresholds[kept]}
    return as_records(name, columns)


def _matrix_note(shown: int, known: int) -> str:
    said = []
    if shown > NUMBERED:
        said.append("Scroll to see it all; pairs that do not occur are left empty, and hovering tells counts.")
    if shown < known:
        said.append(f"Of {known} classes, the {shown} with the lowest AUC are shown.")
    return " ".join(said)


def worst_first(result: MulticlassEvaluation) -> list[Any]:
    """Classes from the lowest AUC to the highest; undefined ones last."""
    areas = {label: found.estimate for label, found in result.class_auc.items()}
    return sorted(areas, key=lambda label: math.inf if math.isnan(areas[label]) else areas[label])


def told_of(result: MulticlassEvaluation, names: dict[Any, str]) -> list[str]:
    """How well classes are told apart, and who is taken for whom."""
    return [_first_line(result), *_best_and_worst(result, names), *confused(result, names)]


def _first_line(result: MulticlassEvaluation) -> str:
    macro, k = result.averages["macro"], len(result.labels)
    if math.isnan(macro.estimate):
        why = f": {for_readers(macro.warnings[0])}" if macro.warnings else ""
        return f"The macro AUC of {k} classes is undefined{why}"
    if math.isnan(macro.low):
        return f"The {k} classes have macro AUC {format_number(macro.estimate, 3)}, without an interval: see the notes"
    sure = "are told apart better than by chance" if macro.low > 0.5 else "cannot be told from chance"
    sure = "are ranked worse than by chance" if macro.high < 0.5 else sure
    return f"The {k} classes {sure}: macro AUC {format_interval(macro.estimate, macro.low, macro.high, 3)}"


def _best_and_worst(result: MulticlassEvaluation, names: dict[Any, str]) -> list[str]:
    known = [label for label in worst_first(result) if not math.isnan(result.class_auc[label].estimate)]
    if len(known) < 2:
        return []
    told = [f"{names[label]}, AUC {interval_text(result.class_auc[label])}" for label in (known[-1], known[0])]
    return [f"Told best: {told[0]}; told worst: {told[1]}"]


def confused(result: MulticlassEvaluation, names: dict[Any, str], most: int = 3) -> list[str]:
    """The pairs of a true and a wrong called class with the most rows."""
    counts = np.asarray(result.confusion.matrix, dtype=np.float64)
    totals, labels = counts.sum(axis=1), result.confusion.labels
    wrong = counts * ~np.eye(len(labels), dtype=bool)
    cells = np.flatnonzero(wrong)
    chosen = sorted(cells.tolist(), key=lambda cell: (-wrong.flat[cell], cell))[:most]
    if not chosen:
        return ["No row was called a wrong class"]
    told = []
    for cell in chosen:
        true, called = divmod(cell, len(labels))
        count = (
            f"{format_count(wrong.flat[cell])} of {format_count(totals[true])} "
            f"({format_share(wrong.flat[cell] / totals[true], 0)})"
        )
        told.append(f"{names[labels[true]]} called {names[labels[called]]}, {count}")
    return ["Confused most: " + "; ".join(told)]


def _assumptions(result: MulticlassEvaluation) -> list[tuple[str, str]]:
    origin = result.origin
    facts = [
        ("Made on", made_on()),
        ("Classes", f"{format_count(len(result.labels))}: {_few(short_names(result.labels))}"),
    ]
    if origin is not None:
        facts += [
            ("Rows", format_count(origin.n_rows)),
            ("Incomplete rows dropped", format_count(origin.n_dropped)),
            ("Row weights", "used" if origin.weighted else "none"),
        ]
    return [
        *facts,
        ("Direction", "a higher score means more of that class"),
        ("Called class", "the one with the highest score"),
        ("Confidence level", format_setting(result.level)),
        ("Intervals of areas", next(iter(result.averages.values())).method),
        ("rocsteady", __version__),
        ("Python, NumPy", f"{platform.python_version()}, {np.__version__}"),
    ]
