"""The page of censored outcomes: which model orders the events best, at which times, and how sure that is."""

from __future__ import annotations

import math
import platform
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import format_count, format_level, format_p, format_setting, format_share
from rocsteady._src.inference.comparison.verdict import verdict
from rocsteady._src.results.cases import FEW, VERY_FEW
from rocsteady._src.results.decision import Check
from rocsteady._src.views.report.document import Document, Section, TableBlock, chart_of
from rocsteady._src.views.report.forests import forest
from rocsteady._src.views.report.names import short_names, styles
from rocsteady._src.views.report.options import Options
from rocsteady._src.views.report.plain import told_once
from rocsteady._src.views.report.provenance import made_on
from rocsteady._src.views.report.records import ends_of, interval_record, interval_text, safe
from rocsteady._version import __version__

if TYPE_CHECKING:
    from rocsteady._src.evaluation.timed import TimedEvaluation
    from rocsteady._src.results import Comparison
    from rocsteady._src.views.report.document import Chart

TITLE = "Which model tells best who comes first?"
OTHER_SCALES = ("brier", "observed/expected")
TERMS = (
    ("concordance", "Of two rows, the one whose event came first had the higher score: how often; 0.5 is chance."),
    ("censored", "Watched for a while only: whether the event came later is not known."),
    ("Harrell's concordance", "Concordance of the pairs of which it is known whose event came first."),
    ("Uno's concordance", "The same, with pairs that censoring hides weighed in: it depends less on who was watched."),
    ("AUC at a time", "How well scores tell those with the event by that time from those without it."),
    ("Brier score at a time", "Mean squared distance between the risk by that time and what came; 0 is perfect."),
    ("observed over expected", "Events that came by a time for each that the risks expect; 1 is right."),
)
WORDS = {
    "harrell": "Harrell's concordance",
    "uno": "Uno's concordance",
    "auc": "AUC",
    "brier": "Brier score",
    "observed/expected": "observed over expected events",
}


def in_words(column: str) -> str:
    """What a column is called on the page.

    Examples
    --------
    >>> in_words("harrell"), in_words("brier(365)")
    ("Harrell's concordance", 'Brier score at 365')
    """
    kind, _, at = column.removesuffix(")").partition("(")
    return WORDS[kind] + (f" at {at}" if at else "")


def build_times(result: TimedEvaluation, *, title: str = TITLE, level: float | None = None) -> Document:
    """Put the evaluation in order; tests between models are made here, by the column that leads."""
    from rocsteady._src.views.report.classes import checked_level

    checked_level(result, level)
    page = TimesPage(result)
    return Document(
        title=title,
        verdict=tuple(page.verdict()),
        checks=page.checks(),
        decision=page.table(),
        assumptions=page.assumptions(),
        notes=told_once([str(remark) for remark in result.remarks]),
        sections=[Section("compare", "Models side by side", [], page.differences(), page.charts())],
        terms=TERMS,
        command=page.command(),
        supplied=page.supplied(),
    )


class TimesPage:
    """Models by the names of the page; the first column leads."""

    def __init__(self, result: TimedEvaluation) -> None:
        self.result = result
        self.names = dict(zip(result.models, short_names(result.models), strict=True))
        self.lead = result.columns[0]

    def verdict(self) -> list[str]:
        """What may be said of the models, then the best with its interval."""
        known = [model for model in self.names if not math.isnan(self.result.values[model][self.lead].estimate)]
        if not known:
            return [f"{in_words(self.lead)} is undefined on these rows"]
        best = max(known, key=lambda model: self.result.values[model][self.lead].estimate)
        if len(self.names) == 1:
            sure = self.result.values[best][self.lead].low > 0.5
            chance = "better than chance" if sure else "not for sure better than chance"
            return [f"{self._own(best)}: {chance} ({format_level(self.result.level)})"]
        found, estimates = self._compared(self.lead), {model: self.result.values[model][self.lead] for model in known}
        how: dict[str, Any] = {"level": self.result.level, "n_rows": self.result.origin.n_rows}
        return [*verdict(found.pairs, estimates, what=in_words(self.lead), **how), self._own(best)]

    def _own(self, model: str) -> str:
        """What the leading number of a model means."""
        found, name = self.result.values[model][self.lead], self.names[model]
        if self.lead != "harrell":
            return f"{name} has {in_words(self.lead)} {interval_text(found)}, where 0.5 is chance"
        share, low, high = (format_share(each) for each in (found.estimate, found.low, found.high))
        pairs = f"{name} puts the row whose event comes first on top in {share} [{low}, {high}] of pairs"
        return f"{pairs}, where a coin has 50% (Harrell's concordance)"

    def command(self) -> str:
        """The line that makes the page again."""
        result = self.result
        times = result.at[0] if len(result.at) == 1 else list(result.at)
        told = ["y_true", "scores", "time=times", *([f"at={times!r}"] if result.at else [])]
        usual = result.origin.pos_label in (1, True) and result.censored == 0
        told += [] if usual else ["pos_label=" + repr(safe(result.origin.pos_label))]
        told += ["sample_weight=weights"] if result.origin.weighted else []
        told += ["cluster=subjects"] if self._clustered() else []
        told += ["missing='drop'"] if result.origin.n_dropped else []
        told += [] if result.censored == 0 else [f"censored={safe(result.censored)!r}"]
        told += ["ipcw=ipcw"] if result.given_weights else []
        told += [] if result.level == Options().level else [f"level={result.level!r}"]
        return f"import rocsteady as rs; rs.evaluate({', '.join(told)}).report('report.html')"

    def _clustered(self) -> bool:
        """Whether subjects were given; of a saved evaluation, whose rows are gone, nobody knows."""
        first = next((each for found in self.result.found.values() for each in found.values()), None)
        return first is not None and first.rows.rows.clusters is not None

    def supplied(self) -> str:
        """What the reader of the page must have for it."""
        origin, named = self.result.origin, ", ".join(printable(model, most=48) for model in self.names)
        more = ", sample_weight and cluster as they were" if origin.weighted or self._clustered() else ""
        more += ", ipcw as it was" if self.result.given_weights else ""
        size = format_count(origin.n_rows + origin.n_dropped)
        return f"You supply y_true, who had the event, and times, of {size} rows{more}; scores, by model: {named}."

    def _compared(self, column: str) -> Comparison:
        return self.result.compare(column)

    def checks(self) -> tuple[Check, ...]:
        """Is there enough data, was it watched long enough, can the risks be trusted?"""
        events = float(self.result.n_pos)
        answer = "no" if events < VERY_FEW else "partly" if events < FEW else "yes"
        found = [Check("enough", "Enough data?", answer, f"{format_count(events)} rows had the event")]
        if self.result.at:
            unknown = max(self.result.counts["unknown"]) / self.result.origin.n_rows
            told = f"up to {format_share(unknown, 0)} of the rows were censored before a time that is asked for"
            watched = "no" if unknown > 0.5 else "partly" if unknown > 0.2 else "yes"
            found.append(Check("watched", "Watched long enough?", watched, told))
        return (*found, self._trusted())

    def _trusted(self) -> Check:
        question = "Can the risks be trusted?"
        named = next((column for column in self.result.columns if column.startswith("observed/expected")), None)
        if named is None:
            told = "observed over expected needs risks in [0, 1] and one time"
            return Check("probabilities", question, "unknown", told)
        off = [
            self.names[model]
            for model in self.names
            if not self.result.values[model][named].low <= 1 <= self.result.values[model][named].high
        ]
        if off:
            return Check("probabilities", question, "no", f"observed and expected events differ for {', '.join(off)}")
        return Check("probabilities", question, "partly", "as many events came as were expected, over all rows")

    def table(self) -> TableBlock:
        """Every measure of every model."""
        found = [[self.result.values[model][column] for model in self.names] for column in self.result.columns]
        lines = list(zip(self.result.columns, found, strict=True))
        text = f"With {format_level(self.result.level)} intervals, by the influence function."
        return TableBlock(
            "decision",
            "Measures",
            ["measure", *self.names.values()],
            [[in_words(column), *map(interval_text, each)] for column, each in lines],
            [[in_words(column), *(safe(float(one.estimate)) for one in each)] for column, each in lines],
            text,
            [[in_words(column), *map(ends_of, each)] for column, each in lines],
        )

    def differences(self) -> list[TableBlock]:
        """Tests of all pairs, by every column."""
        if len(self.names) < 2:
            return []
        rows, values = [], []
        for column in self.result.columns:
            for pair in self._compared(column).pairs:
                first, second = self.names[pair.first], self.names[pair.second]
                told, start = format_p(pair.test.pvalue), [in_words(column), first, second]
                rows.append([*start, interval_text(pair.test), told, format_p(pair.p_holm)])
                values.append([*start, ends_of(pair.test), safe(pair.test.pvalue), safe(pair.p_holm)])
        header = ["measure", "first", "second", "first - second", "p", "p (Holm)"]
        text = "On the same rows; Holm's p counts how many pairs of models were compared by the measure."
        return [TableBlock("differences", "Differences", header, rows, [], text, values)]

    def charts(self) -> list[Chart]:
        """Concordance and areas of each model as a forest."""
        rows = [column for column in self.result.columns if column.split("(")[0] not in OTHER_SCALES]
        looks = list(styles(tuple(self.names.values())).values())
        lines = [
            interval_record(name, in_words(column), self.result.values[model][column])
            for column in rows
            for model, name in self.names.items()
            if not math.isnan(self.result.values[model][column].estimate)
        ]
        spec = forest(looks, [*map(in_words, rows)], "measure", title="Concordance, AUC", dashed=False)
        text = f"Dots with {format_level(self.result.level)} intervals; 0.5 is chance."
        return [chart_of("times", "Concordance and AUC at each time", text, spec, {"forest": lines})]

    def assumptions(self) -> list[tuple[str, str]]:
        """What the numbers rest on."""
        origin = self.result.origin
        return [
            ("Made on", made_on()),
            ("Rows", format_count(origin.n_rows)),
            ("Rows with the event", format_count(self.result.n_pos)),
            ("Incomplete rows dropped", format_count(origin.n_dropped)),
            ("Row weights", "used" if origin.weighted else "none"),
            ("Direction", "a higher score means an earlier event"),
            ("Times", ", ".join(format_setting(at) for at in self.result.at) or "none asked for"),
            ("Censoring", "independent of the event; its curve by Kaplan-Meier, the same for all rows"),
            ("Confidence level", format_setting(self.result.level)),
            ("rocsteady", __version__),
            ("Python, NumPy", f"{platform.python_version()}, {np.__version__}"),
        ]
