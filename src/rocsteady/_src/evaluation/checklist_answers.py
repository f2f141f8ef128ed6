"""What each kind of result can say about the items of a reporting checklist; nothing where it knows nothing."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import (
    format_count,
    format_interval,
    format_number,
    format_setting,
    format_share,
    p_words,
)
from rocsteady._src.evaluation.evaluation import Evaluation
from rocsteady._src.evaluation.intervals import describe_intervals
from rocsteady._src.evaluation.timed import TimedEvaluation
from rocsteady._src.measures.confusion import confusion_at
from rocsteady._src.results.absent_rows import AbsentRows
from rocsteady._src.results.base import DIRECTION
from rocsteady._src.results.readers import POPULATIONS, ReaderStudy
from rocsteady._src.results.validation import OptimismCorrected
from rocsteady._version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Answers = dict[str, Callable[[Any], str]]

MOST_MEASURES = 12


def _named(names: Iterable[Any]) -> str:
    return ", ".join(printable(str(name), most=40) for name in names)


def _label(result: Any) -> str:
    return f"positive label {printable(repr(result.origin.pos_label), most=40)}; how it was assessed is yours to write"


def _score(result: Evaluation) -> str:
    return f"scores of {_named(result.models)}; {DIRECTION}"


def _threshold(result: Evaluation) -> str:
    if not result.thresholds:
        return ""
    shown = ", ".join(f"{printable(name, most=40)} {format_setting(at)}" for name, at in result.thresholds.items())
    rule = result.threshold_rule
    fixed = "as the call gave it" if rule is None else f"chosen on these rows by {printable(str(rule), most=60)}"
    return f"positive from the threshold on: {shown}; {fixed}"


def _methods(result: Evaluation) -> str:
    return "; ".join([_measures(result.columns), *describe_intervals(result.intervals)[:1]])


def _measures(columns: Iterable[str]) -> str:
    return f"measures: {', '.join(list(columns)[:MOST_MEASURES])}"


def _missing(result: Any, rows: str = "row", values: str = "a label or score") -> str:
    if not result.origin.n_dropped:
        return f"no {rows} lacked {values}"
    return f"{format_count(result.origin.n_dropped)} {rows}s without {values} were left out"


def _subjects(result: Evaluation) -> str:
    return "" if result.cluster is None else _together(result.cluster)


def _together(subject: str) -> str:
    return f"rows of one subject vary together: {printable(subject, most=40)}"


def _flow(result: Any) -> str:
    share = float(result.n_pos / (result.n_pos + result.n_neg))
    return f"{result.origin.sizes(result.n_pos, result.n_neg)} ({format_share(share)}){result.origin.dropped}"


def _counts(result: Evaluation) -> str:
    told = []
    for model, threshold in result.thresholds.items():
        counts = confusion_at(result.ranked[model], threshold)
        cells = ", ".join(f"{name} {format_count(getattr(counts, name))}" for name in ("tp", "fp", "fn", "tn"))
        told.append(f"{printable(model, most=40)}: {cells}")
    return "; ".join(told)


def _values(result: Evaluation) -> str:
    told = []
    for model, row in result.values.items():
        known = result.intervals.get(model, {})
        for column in result.columns[:MOST_MEASURES]:
            value, found = row.get(column, math.nan), known.get(column)
            ends = format_number(float(value)) if found is None else _ends(found, float(value))
            told.append(f"{printable(model, most=40)} {column} {ends}")
    return "; ".join(told)


def _ends(found: Any, value: float | None = None, *, signed: bool = False) -> str:
    return format_interval(found.estimate if value is None else value, found.low, found.high, signed=signed)


def _remarks(result: Evaluation | TimedEvaluation) -> str:
    return "; ".join(map(str, result.remarks))


def _software(_result: Any) -> str:
    return f"numbers by rocsteady {__version__}"


def _event(result: TimedEvaluation) -> str:
    event = f"event {printable(repr(result.origin.pos_label), most=40)}"
    times = ", ".join(map(format_setting, result.at))
    return "; ".join([event, *([f"judged at {times}"] if times else []), "how it was assessed is yours to write"])


def _risk(result: TimedEvaluation) -> str:
    return f"scores of {_named(result.models)}; a higher score means an earlier event"


def _timed_methods(result: TimedEvaluation) -> str:
    given = ["weights for the censoring were given"] if result.given_weights else []
    ends = f"intervals at level {format_setting(result.level)}, by the influence function"
    return "; ".join([_measures(result.columns), ends, *given])


def _timed_missing(result: TimedEvaluation) -> str:
    return _missing(result, values="a label, time or score")


def _timed_subjects(result: TimedEvaluation) -> str:
    found: Any = result.found
    if isinstance(found, AbsentRows):  # read from a file
        return ""
    rows = next(iter(found[result.models[0]].values())).rows.rows
    return "" if rows.clusters is None else _together(str(rows.id))


def _timed_flow(result: TimedEvaluation) -> str:
    rows = f"{format_count(result.origin.n_rows)} rows: {format_count(result.n_pos)} with the event"
    told = [rows + (" (weighted)" if result.origin.weighted else "") + result.origin.dropped]
    for place, at in enumerate(result.at):
        counted = ", ".join(f"{format_count(each[place])} {name}" for name, each in result.counts.items())
        told.append(f"at {format_setting(at)}: {counted}")
    return "; ".join(told)


def _timed_values(result: TimedEvaluation) -> str:
    columns = result.columns[:MOST_MEASURES]
    lines = [(model, column, result.values[model][column]) for model in result.models for column in columns]
    return "; ".join(f"{printable(model, most=40)} {column} {_ends(found)}" for model, column, found in lines)


def _resampling(result: OptimismCorrected) -> str:
    done = f"{format_count(result.n_resamples)} resamples of {result.scheme}, seed {result.seed}"
    failed = f", {format_count(result.n_failed)} failed" if result.n_failed else ""
    return f"corrected for optimism by {result.method}, {done}{failed}"


def _validation(result: OptimismCorrected) -> str:
    return (
        f"internal validation of the whole procedure: {_resampling(result)}; the model and its steps are yours to write"
    )


def _corrected_methods(result: OptimismCorrected) -> str:
    ends = f"intervals at level {format_setting(result.level)}, {result.intervals[0].method}"
    return "; ".join([_measures(result.measures), _resampling(result), ends])


def _drawn_subjects(result: OptimismCorrected) -> str:
    return "whole subjects were drawn and left out" if result.scheme == "subjects" else ""


def _labelled(_result: OptimismCorrected) -> str:
    return "no row lacked a label; what was done with missing predictors is yours to write"


def _corrected_values(result: OptimismCorrected) -> str:
    lines = list(zip(result.measures, result.intervals, result.apparent, strict=True))[:MOST_MEASURES]
    return "; ".join(
        f"{name} {_ends(each)} corrected, {format_number(float(seen))} apparent" for name, each, seen in lines
    )


def _corrected_remarks(result: OptimismCorrected) -> str:
    return _once([*result.warnings, *(remark for each in result.intervals for remark in each.warnings)])


def _once(remarks: Iterable[Any]) -> str:
    return "; ".join(dict.fromkeys(map(str, remarks)))


def _ratings(result: ReaderStudy) -> str:
    readers = f"{format_count(len(result.readers))} readers"
    return f"ratings with the modalities {_named(result.modalities)} by {readers}; {DIRECTION}"


def _reader_methods(result: ReaderStudy) -> str:
    what = f"measure: {result.label} of each reader with each modality; {result.analysis}, {result.method} covariances"
    return f"{what}; intervals at level {format_setting(result.level)}, for {POPULATIONS['random']}"


def _ratings_missing(result: ReaderStudy) -> str:
    return _missing(result, "rating")


def _readers(result: ReaderStudy) -> str:
    names = {"reader": "readers", "interaction": "readers with modalities", "error": "error"}
    known = {name: result.components.get(key, math.nan) for key, name in names.items()}
    told = [f"{name} {format_number(value)}" for name, value in known.items() if not math.isnan(value)]
    same = "ratings of one case, and of one reader, vary together"
    return "; ".join([same, *([f"estimated variances: {', '.join(told)}"] if told else [])])


def _reader_flow(result: ReaderStudy) -> str:
    count = f"{format_count(len(result.readers))} readers, {format_count(len(result.modalities))} modalities"
    return f"{count}; {format_count(result.n_pos)} positive and {format_count(result.n_neg)} negative cases"


def _reader_values(result: ReaderStudy) -> str:
    means = [f"{_named([name])} {result.label} {_ends(each)}" for name, each in result.random.means.items()]
    gaps = [
        f"{_named([first])} - {_named([second])} {_ends(each, signed=True)}, {p_words(each.pvalue)}"
        for (first, second), each in result.random.differences.items()
    ]
    return "; ".join([*means, *gaps])


def _reader_remarks(result: ReaderStudy) -> str:
    every: list[Any] = [*result.random.differences.values(), *result.random.means.values()]
    return _once([*result.warnings, *(remark for each in every for remark in each.warnings)])


ANSWERS: dict[type, Answers] = {
    Evaluation: {
        "label": _label,
        "score": _score,
        "threshold": _threshold,
        "methods": _methods,
        "missing": _missing,
        "subjects": _subjects,
        "flow": _flow,
        "counts": _counts,
        "values": _values,
        "remarks": _remarks,
        "software": _software,
    },
    TimedEvaluation: {
        "label": _event,
        "score": _risk,
        "methods": _timed_methods,
        "missing": _timed_missing,
        "subjects": _timed_subjects,
        "flow": _timed_flow,
        "values": _timed_values,
        "remarks": _remarks,
        "software": _software,
    },
    OptimismCorrected: {
        "label": _label,
        "methods": _corrected_methods,
        "missing": _labelled,
        "subjects": _drawn_subjects,
        "validation": _validation,
        "flow": _flow,
        "values": _corrected_values,
        "remarks": _corrected_remarks,
        "software": _software,
    },
    ReaderStudy: {
        "label": _label,
        "score": _ratings,
        "methods": _reader_methods,
        "missing": _ratings_missing,
        "subjects": _readers,
        "flow": _reader_flow,
        "values": _reader_values,
        "remarks": _reader_remarks,
        "software": _software,
    },
}
