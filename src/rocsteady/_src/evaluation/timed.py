"""Models judged on censored times, side by side: concordance, and what holds at the times that are asked for."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocsteady._src.base.errors import ArgumentError, printable
from rocsteady._src.base.near_names import part_of
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count, format_interval, format_setting
from rocsteady._src.designs.times.areas import cumulative_area
from rocsteady._src.designs.times.brier import brier_of
from rocsteady._src.designs.times.concordance import concordance_of
from rocsteady._src.designs.times.known_at import checked_times, known_at_each
from rocsteady._src.designs.times.risks import ratio_of
from rocsteady._src.designs.times.rows_by_time import timed_rows
from rocsteady._src.inference.comparison.compared import chosen_pairs, compared
from rocsteady._src.inference.intervals.normal import check_level
from rocsteady._src.inputs.reals import doubles_of
from rocsteady._src.ranked import count_rows, read_rows
from rocsteady._src.results.absent_rows import absent_rows
from rocsteady._src.results.base import Result
from rocsteady._src.results.by_model import ByModel
from rocsteady._src.results.pictures import Forest, Line, source
from rocsteady._src.results.remarks import Remark, noted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from pathlib import Path
    from typing import Unpack

    from rocsteady._src.base.frames import Table
    from rocsteady._src.designs.times.influenced import Influenced
    from rocsteady._src.designs.times.rows_by_time import TimedRows
    from rocsteady._src.inputs.given import Given
    from rocsteady._src.results import Comparison, Interval, Origin
    from rocsteady._src.results.displays import ReportOptions

LOWER_IS_BETTER = ("brier",)
NO_DIRECTION = ("observed/expected",)


@dataclass(frozen=True)
class Asked:
    """One column: a measure, at a time unless it is over all of them; ``scale`` is that of its interval."""

    measure: str
    at: float | None = None
    scale: str = "logit"

    @property
    def column(self) -> str:
        """What it is called."""
        return self.measure if self.at is None else f"{self.measure}({format_setting(self.at)})"


@dataclass(frozen=True, eq=False)
class TimedEvaluation(ByModel, Result):
    """Models on the same censored rows; ``values[model][column]`` is an interval.

    Columns are "harrell" and, unless weights are given, "uno", concordance over all times and up to the last that was
    asked for, then "auc(t)" at each time and, of one time and scores in [0, 1], "brier(t)" and "observed/expected(t)".

    Examples
    --------
    >>> import rocsteady as rs
    >>> table = {"days": [5, 8, 12, 20, 21, 30, 31, 40], "died": [1, 1, 0, 1, 1, 0, 1, 0]}
    >>> table["score"] = [7, 9, 4, 6, 2, 3, 5, 1]
    >>> found = rs.evaluate(table, label="died", time="days", scores="score", at=[10, 25])
    >>> found.columns, round(found.values["score"]["auc(25)"].estimate, 4)
    (('harrell', 'uno', 'auc(10)', 'auc(25)'), 0.8182)
    """

    models: tuple[str, ...]
    columns: tuple[str, ...]
    values: dict[str, dict[str, Interval]]
    at: tuple[float, ...]
    counts: dict[str, tuple[int, ...]]
    level: float
    n_pos: Any
    n_neg: Any
    origin: Origin
    remarks: tuple[Remark, ...] = ()
    censored: Any = 0
    given_weights: bool = False
    found: dict[str, dict[str, Influenced]] = field(default_factory=absent_rows, repr=False)

    _held_rows: ClassVar[tuple[str, ...]] = ("found",)

    def __getitem__(self, model: str) -> dict[str, Interval]:
        """The intervals of a model, by column."""
        return part_of(self.values, model)

    @property
    def fingerprints(self) -> dict[str, str]:
        """By which a page knows that it is about the same models and rows."""
        return {model: repr([repr(each.estimate) for each in self.values[model].values()]) for model in self.models}

    def compare(self, measure: str | None = None, *, baseline: str | None = None) -> Comparison:
        """Test all pairs of models, or each against the baseline, by one of the columns.

        Parameters
        ----------
        measure : str, optional
            One of ``columns``, the first when absent; "auc" is that of the one time, where one was asked for.
        baseline : str, optional
            Compare each model to this one.
        """
        at_times = [column for column in self.columns if column.startswith(f"{measure}(")]
        measure = self.columns[0] if measure is None else at_times[0] if len(at_times) == 1 else measure
        if measure not in self.columns:
            words = "{measure!r} was not computed; compare by one of {columns}"
            raise ArgumentError("measure", Sentence(words, measure=measure, columns=", ".join(self.columns)))
        kind = measure.split("(", maxsplit=1)[0]
        pairs = chosen_pairs(self.models, baseline)
        each = [self.found[model][measure] for model in self.models]
        how = ("two-sided", None, self.level, "influence function, paired")
        tests = [(each[i] - each[j]).test(*how) for i, j in pairs]
        return compared(
            self.models,
            tests,
            {model: self.values[model][measure] for model in self.models},
            what=measure,
            baseline=baseline,
            level=self.level,
            facts={"n_pos": self.n_pos, "n_neg": self.n_neg, "origin": self.origin},
            higher=None if kind in NO_DIRECTION else kind not in LOWER_IS_BETTER,
            widest=1.0 if kind not in NO_DIRECTION else math.inf,
            clustered=each[0].rows.rows.clusters is not None,
        )

    def report(self, path: str | PathLike[str], **options: Unpack[ReportOptions]) -> Path:
        """Write one self-contained page and return its path; it takes title, level and force."""
        from rocsteady._src.views.report.write import write_report

        return write_report(self, path, **options)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, by model and column."""
        names = ("models", "columns", "values", "at", "counts", "level", "n_pos", "n_neg", "origin")
        return {name: getattr(self, name) for name in names} | {"remarks": list(self.remarks)}

    def _lines(self) -> list[tuple[str, str, Interval]]:
        return [(model, column, self.values[model][column]) for model in self.models for column in self.columns]

    def _columns(self) -> Table:
        lines = self._lines()
        ends = {name: [getattr(each, name) for *_, each in lines] for name in ("estimate", "low", "high", "se")}
        return {"model": [model for model, *_ in lines], "measure": [column for _, column, _ in lines], **ends}

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Header and rows for reading: a line for each measure, a column for each model."""
        found = [
            [format_interval(each.estimate, each.low, each.high) for each in map(self._at(column), self.models)]
            for column in self.columns
        ]
        lines = [[column, *cells] for column, cells in zip(self.columns, found, strict=True)]
        return ["measure", *map(printable, self.models)], lines

    def _at(self, column: str) -> Any:
        return lambda model: self.values[model][column]

    def notes(self) -> list[str]:
        """What was assumed, and what to beware of."""
        rows = f"{format_count(self.origin.n_rows)} rows: {format_count(self.n_pos)} with the event"
        rows += " (weighted)" if self.origin.weighted else ""
        event = f"event {printable(repr(self.origin.pos_label), most=40)}"
        told = [f"{rows}; {event}; a higher score means an earlier event{self.origin.dropped}"]
        for place, at in enumerate(self.at):
            counted = ", ".join(f"{format_count(each[place])} {name}" for name, each in self.counts.items())
            told.append(f"at {format_setting(at)}: {counted}")
        told += [f"uno counts events up to {format_setting(self.at[-1])}"] if "uno" in self.columns and self.at else []
        given = "; weights for the censoring were given" if self.given_weights else ""
        told.append(f"intervals at level {format_setting(self.level)}, by the influence function{given}")
        return [*told, *map(noted, self.remarks)]

    def _brief(self) -> str:
        return f"{format_count(len(self.models))} models, {', '.join(self.columns)}"

    def _picture(self) -> Forest:
        lines = tuple(
            Line(f"{model}, {column}" if len(self.models) > 1 else column, each.estimate, each.low, each.high)
            for model, column, each in self._lines()
            if column.split("(")[0] not in (*LOWER_IS_BETTER, *NO_DIRECTION)
        )
        title = ("Concordance and AUC with censored times", *source(self.origin, self.n_pos, self.n_neg))
        return Forest(title, f"Intervals at level {format_setting(self.level)}; 0.5 is chance", lines)


def evaluate_times(
    given: Given,
    at: object,
    censored: Any,
    level: float,
    *,
    ipcw: object = None,
    read: dict[str, Any],
    unfit: dict[str, Any],
) -> TimedEvaluation:
    """Judge the models of a table with a column of times."""
    check_level(level)
    for name, value in unfit.items():
        if value is not None:
            words = "{name}= does not go with {time=}: rs.times has the functions for censored rows"
            raise ArgumentError(name, Sentence(words, name=name))
    columns = _columns_of_weights(ipcw, at)
    where = {name: given.options[name] for name in ("weight", "time")}
    subject = given.options["cluster"] if given.options["cluster"] is not None else given.options["id"]
    rows = read_rows(
        given.table,
        label=given.label,
        scores=given.scores,
        weight=where["weight"],
        id=subject,
        also=[where["time"], *columns],
        **read,
    )
    timed = timed_rows(rows, where["time"], censored=censored, competes=True)
    if columns:
        ipcw = np.column_stack([doubles_of(rows.columns[name], name) for name in columns])
    found = evaluate_timed(timed, np.zeros(0) if at is None else checked_times(at)[0], level, ipcw)
    return replace(found, censored=censored, given_weights=ipcw is not None)


def _columns_of_weights(ipcw: object, at: object) -> list[str]:
    """Names of columns of weights; none where there are no weights, or where they are given themselves."""
    if ipcw is not None and at is None:
        raise ArgumentError("ipcw", Sentence("{ipcw=} are weights for times: say at which, with {at=}"))
    if isinstance(ipcw, str):
        return [ipcw]
    named = isinstance(ipcw, (list, tuple)) and all(isinstance(name, str) for name in ipcw)
    return list(ipcw) if named else []  # type: ignore[call-overload]


def evaluate_timed(rows: TimedRows, times: Any, level: float, ipcw: object = None) -> TimedEvaluation:
    """Every column of every model."""
    models, asked, remarks = rows.rows.names, _asked(rows, times, given=ipcw is not None), []
    if rows.competing.any():
        remarks.append(Remark("competing_no_concordance", n=count_rows(rows.rows, rows.competing)))
    remarks += _beyond_risks(rows, times)
    if not asked:
        words = "with competing events there is no concordance: say at which times to judge, with {at=}"
        raise ArgumentError("at", Sentence(words))
    knowns = known_at_each(rows, times, ipcw)
    found = {model: {each.column: _found(rows, model, each, knowns, times) for each in asked} for model in models}
    scales = {each.column: each.scale for each in asked}
    values = {
        model: {column: one.interval(level, "", scales[column]) for column, one in columns.items()}
        for model, columns in found.items()
    }
    told = [remark for columns in values.values() for each in columns.values() for remark in each.warnings]
    counts = {
        "cases": tuple(int(rows.counted(known.case)) for known in knowns),
        "controls": tuple(int(rows.counted(known.control)) for known in knowns),
        "unknown": tuple(int(rows.counted(~(known.case | known.control))) for known in knowns),
    }
    columns, shown = tuple(scales), tuple(dict.fromkeys([*remarks, *told]))
    facts: dict[str, Any] = {"at": tuple(times.tolist()), "counts": counts, "level": level, **rows.facts}
    return TimedEvaluation(models, columns, values, **facts, remarks=shown, found=found)


def _beyond_risks(rows: TimedRows, times: Any) -> list[Remark]:
    """That some scores are no risks, where others are: then no model has a Brier score beside the others."""
    beyond = [name for name in rows.rows.names if not _are_risks(rows, name)]
    if times.size != 1 or len(beyond) in (0, len(rows.rows.names)):
        return []
    return [Remark("scores_beyond_risks", models=", ".join(printable(name) for name in beyond))]


def _are_risks(rows: TimedRows, model: str) -> bool:
    scores = rows.rows.doubles_of(model)
    return bool(scores.min() >= 0 and scores.max() <= 1)


def _asked(rows: TimedRows, times: Any, *, given: bool) -> list[Asked]:
    """Which columns can be had of these rows; weights that are given for times are not those of Uno's C."""
    over_all = [] if rows.competing.any() else [Asked("harrell"), *([] if given else [Asked("uno")])]
    areas = [Asked("auc", float(at)) for at in times]
    risks = times.size == 1 and all(_are_risks(rows, model) for model in rows.rows.names)
    at = float(times[0]) if risks else None
    of_risks = [Asked("brier", at, "log"), Asked("observed/expected", at, "log")] if risks else []
    return [*over_all, *areas, *of_risks]


def _found(rows: TimedRows, model: str, asked: Asked, knowns: Sequence[Any], times: Any) -> Influenced:
    if asked.at is None:
        last = float(np.nextafter(times[-1], np.inf)) if times.size and asked.measure == "uno" else None
        return concordance_of(rows, model, asked.measure, last)
    known = knowns[int(np.searchsorted(times, asked.at))]
    if asked.measure == "auc":
        return cumulative_area(known, model)
    return brier_of(known, model) if asked.measure == "brier" else ratio_of(known, rows.rows.doubles_of(model))
