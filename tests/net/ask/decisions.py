"""Questions about use: may a candidate replace a baseline, and is a model still what it was?"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import rocsteady as rs

from .words import RENAMED, measure, measures, verb

Table = dict[str, Any]
OF_ROWS = {"weight": "sample_weight"}
OF_DAYS = {
    "date": "day",
    "label_date": "arrived",
    "label_delay": "matures",
    "period": "every",
    "as_of": "today",
    "average_run_length": "run_length",
    "by": "segment",
}


def _today(words: dict[str, Any], spelled: dict[str, str]) -> dict[str, Any]:
    return {spelled.get(name, RENAMED.get(name, name)): _list(each) for name, each in words.items()}


def _list(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


@verb("gate")
def gate(
    table: Table,
    baseline: str | None = "b",
    candidate: str = "a",
    of: Any = "auc",
    along: str | None = None,
    **words: Any,
) -> Any:
    """Whether a candidate may replace a baseline, on the same rows or (``along``) on a sample of its own."""
    how = _today(words, OF_ROWS)
    if how.get("margin") is not None or "config" not in how:
        how["measure"] = _list(measures(of))
    if "config" in how:
        how["conditions"] = [each | {"measure": measure(each["measure"])} for each in how.pop("config")]
    if along is not None:
        names = sorted(set(table[along]))
        one, other = ({name: each[table[along] == which] for name, each in table.items()} for which in names[:2])
        return rs.gate(one, candidate, candidate, label="y", paired=False, y_true_second=other, **how)
    given = (candidate,) if baseline is None else (baseline, candidate)
    if baseline is None:
        how.pop("measure", None)
        return rs.gate(table, candidate=given[0], label="y", **how)
    return rs.gate(table, *given, label="y", **how)


@verb("monitor")
def monitor(table: Table, scores: Any = "a", then: int | None = None, sketched: bool = False, **words: Any) -> Any:
    """Days against a reference; with ``then`` the days from there on are looked at later, after a saved state."""
    how = {"day": "day"} | _today(words, OF_DAYS)
    if "measures" in how:
        how["measures"] = measures(how["measures"])
    if sketched:
        given = rs.scale.sketch_table(_lazy(table), label="y", score=scores, by="day", bits=12, range=(0, 1))
        return rs.monitor(given, scores, label="y", **how)
    if then is None:
        return rs.monitor(table, _list(scores), label="y", **how)
    early, late = (
        {name: each[keep] for name, each in table.items()} for keep in (table["day"] < then, table["day"] >= then)
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state.json"
        rs.monitor(early, _list(scores), label="y", state=path, **how).save_state(path)
        how.pop("reference", None)
        return rs.monitor(late, _list(scores), label="y", state=path, **how)


def _lazy(table: Table) -> Any:
    import polars as pl

    return pl.LazyFrame(table)


@verb("metrics of a monitor")
def metrics(table: Table, **words: Any) -> Any:
    """The numbers of the text that monitoring systems read."""
    text = rs.monitor(table, "a", label="y", **({"day": "day"} | _today(words, OF_DAYS))).openmetrics()
    return _numbers(text)


@verb("metrics of an evaluation")
def metrics_of_evaluation(table: Table, how: str, **words: Any) -> Any:
    found = rs.evaluate(table, ["a", "b"], label="y", intervals=True, **_today(words, OF_ROWS))
    if how == "scalars":
        return rs.trackers.scalars(found)
    return _numbers(rs.trackers.openmetrics(found))


def _numbers(text: str) -> dict[str, float]:
    lines = (line.rsplit(" ", 1) for line in text.splitlines() if line and not line.startswith("#"))
    return {name.replace("/", "|"): float(value) for name, value in lines if "version" not in name}


@verb("stability of scores")
def stability(table: Table, split: int, score: str = "a", n_bins: int = 10, **words: Any) -> Any:
    old, new = ({name: each[rows] for name, each in table.items()} for rows in (np.s_[:split], np.s_[split:]))
    return rs.monitoring.stability_index(old, new, score=score, bins=n_bins, **words)
