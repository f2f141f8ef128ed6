"""Where a page comes from: rows, columns, settings, date, versions, and the line that makes it again."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import format_count, format_digits, format_setting
from rocsteady._src.results import DIRECTION
from rocsteady._src.views.report.options import Options
from rocsteady._src.views.report.records import safe
from rocsteady._version import __version__

if TYPE_CHECKING:
    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.results.base import Origin
    from rocsteady._src.results.decision import Decision

LONGEST, MOST_LISTED = 48, 12
PLACEHOLDERS = ("y_true", "label")
SAME_DATA = "Fingerprints above, each of a model's scores and labels in any order, tell whether they are the same data."


def assumptions(result: Evaluation, decision: Decision, options: Options) -> list[tuple[str, str]]:
    """What the numbers rest on, by name."""
    origin = result.origin
    seeds = {f.resampling.seed for found in result.intervals.values() for f in found.values() if f.resampling}
    return [
        ("Made on", made_on()),
        ("Rows", format_count(origin.n_rows)),
        (
            "Positives and negatives",
            f"{format_count(result.n_pos)} and {format_count(result.n_neg)}"
            + (" (weighted)" if origin.weighted else ""),
        ),
        *_columns(result),
        ("Positive label", printable(origin.pos_label, most=80)),
        ("Direction", DIRECTION),
        ("Incomplete rows dropped", format_count(origin.n_dropped)),
        ("Subjects", "one per row" if result.cluster is None else f"by column {printable(result.cluster, most=60)}"),
        ("Confidence level", format_setting(options.level)),
        ("Cost of a false positive, of a missed positive", _costs(decision)),
        (
            "Prevalence",
            _share(decision.prevalence) + ("" if decision.prevalence_given else ", as in these rows"),
        ),
        ("Seed of resamples", ", ".join(map(str, sorted(seeds))) or "none drawn"),
        *((f"Fingerprint of {printable(model, most=40)}", mark) for model, mark in result.fingerprints.items()),
        ("rocsteady", __version__),
        ("Python, NumPy", f"{platform.python_version()}, {np.__version__}"),
    ]


def made_on() -> str:
    """The day, or that of SOURCE_DATE_EPOCH, for builds that must not depend on it."""
    stamp = os.environ.get("SOURCE_DATE_EPOCH", "")
    day = datetime.fromtimestamp(int(stamp), UTC) if stamp.isdigit() else datetime.now(UTC)
    return day.date().isoformat()


def _share(value: float) -> str:
    """In both ways that people write it: the page asks for percent, the command for a share."""
    return f"{format_digits(100 * value, 4)}% of cases (a share of {format_digits(value, 4)})"


def _costs(decision: Decision) -> str:
    how = {"given": "", "1:1": " (assumed)", "neutral": " (both classes weigh the same)"}[decision.costs]
    return f"{format_setting(decision.cost_fp)}, {format_digits(decision.cost_fn, 6)}{how}"


def _columns(result: Evaluation) -> list[tuple[str, str]]:
    label = getattr(result.rows, "label", None)
    scores = ", ".join(printable(model, most=40) for model in result.models)
    named = [] if label is None or label in PLACEHOLDERS else [("Column of labels", printable(label, most=60))]
    return [*named, ("Columns of scores", scores)]


def python_calls(level: float, *parts: str) -> str:
    """The calls that make a page of classes again; ``parts`` are arguments by which rows are divided.

    Examples
    --------
    >>> python_calls(0.9, "by=groups")
    "import rocsteady as rs; rs.evaluate(y_true, scores, by=groups, level=0.9).report('report.html')"
    """
    told = [*parts, *([] if level == Options().level else [f"level={level!r}"])]
    return f"import rocsteady as rs; rs.evaluate({', '.join(['y_true', 'scores', *told])}).report('report.html')"


def of_matrices(origin: Origin | None, what: str) -> str:
    """What the reader of a page of classes or labels supplies.

    Examples
    --------
    >>> of_matrices(None, "class")
    'You supply y_true and scores, which have a column for each class.'
    """
    rows = "" if origin is None else f", of {format_count(origin.n_rows)} rows,"
    return f"You supply y_true{rows} and scores, which have a column for each {what}."


def command(result: Evaluation, options: Options, **parts: str) -> tuple[str, str]:
    """The line that makes the page again, as typed or in Python, and what to supply; ``parts`` divide the rows."""
    if options.command is not None:
        return printable(options.command, most=2000), SAME_DATA
    usual = Options()
    names = [name for name in Options.__dataclass_fields__ if name != "command"]
    asked: dict[str, Any] = {name: getattr(options, name) for name in names}
    told = [f"{name}={value!r}" for name, value in asked.items() if value != getattr(usual, name)]
    given, supplied = _given(result, parts)
    called = f"rs.evaluate({', '.join(given)}).report({', '.join([repr('report.html'), *told])})"
    return printable(f"import rocsteady as rs; {called}", most=2000), supplied


def _given(result: Evaluation, parts: dict[str, str]) -> tuple[list[str], str]:
    """Arguments of the evaluation, and in words those that no page holds."""
    rows, origin = result.rows, result.origin
    label = getattr(rows, "label", None)
    long = any(len(str(name)) > LONGEST for name in (label, *result.models))
    named = not (label is None or label in PLACEHOLDERS or long)
    columns = {"sample_weight": getattr(rows, "weight", None), "cluster": result.cluster, **parts}
    columns = {name: str(column) for name, column in columns.items() if column is not None}
    held = rows.of_models(*result.models)  # lines of the table: a frequency weight, or a repeat, is one of them
    size = f"{format_count((origin if held is None else held).n_rows + origin.n_dropped)} rows"
    if named:
        first = ["table", f"label={label!r}", f"scores={list(result.models)!r}"]
        first += [f"{name}={column!r}" for name, column in columns.items()]
        what = f"table, with these columns and {size}"
    else:
        first = ["y_true", "scores", *(f"{name}={name}" for name in columns)]
        known = ", ".join(printable(model, most=LONGEST) for model in result.models[:MOST_LISTED])
        more = f" and {len(result.models) - MOST_LISTED} more" if len(result.models) > MOST_LISTED else ""
        what = f"y_true, the labels of {size}; scores, by model: {known}{more}"
        what += "".join(f"; {name}, one for each row" for name in columns)
    return [*first, *_options(result)], f"You supply {what}. {SAME_DATA}"


def _options(result: Evaluation) -> list[str]:
    """What was asked for beside the rows, where it is not usual."""
    origin = result.origin
    told = [] if origin.pos_label in (1, True) else [f"pos_label={safe(origin.pos_label)!r}"]
    told += [f"weight_type={origin.weight_type!r}"] if origin.weighted and origin.weight_type is not None else []
    told += ["missing='drop'"] if origin.n_dropped else []
    told.append(f"measures={list(result.columns)!r}")
    cuts = result.threshold_rule if result.threshold_rule is not None else safe(dict(result.thresholds))
    if isinstance(cuts, dict):
        cuts = next(iter(cuts.values())) if len({str(each) for each in cuts.values()}) == 1 else cuts
    told += [f"threshold={cuts!r}"] if cuts and isinstance(cuts, str | float | int | dict) else []
    return [*told, "intervals=True", *([] if result.auc_method == "auto" else [f"auc_method={result.auc_method!r}"])]
