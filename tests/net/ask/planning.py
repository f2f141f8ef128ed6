"""Questions before and beside an evaluation: sizes of studies, reader studies, optimism, imputed data."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

import rocsteady as rs

from .words import measure, verb

Table = dict[str, Any]
POWER = {
    "auc": rs.power.power_auc,
    "right and wrong": rs.power.power_outcomes,
    "width": rs.power.plan_width,
    "validation": rs.power.validation_size,
}
SPELLED = {"second": "second_auc", "sd_ratio": "spread", "second_sd_ratio": "second_spread", "variance": "method"}


@verb("size of a study")
def size(table: Table, of: str, **words: Any) -> Any:
    """Power, rows, or what can be detected; scores that normal distributions describe."""
    how = {SPELLED.get(name, name): each for name, each in words.items()}
    if "pilot_scores" in how:
        how["scores"] = table[how.pop("pilot_scores")]
    if "of_measure" in how:
        how["measure"] = how.pop("of_measure")
    return POWER[of](**how)


@verb("size for a goal")
def goal(table: Table, goal: str, value: float, **words: Any) -> Any:
    held = re.fullmatch(r"(\w+) (<=|>=) ([\d.]+)", goal)
    assert held is not None
    side = "below" if held[2] == "<=" else "above"
    how = {SPELLED.get(name, name): each for name, each in words.items()}
    return rs.power.power_goal(measure(held[1]), value, **{side: float(held[3])}, **how)


@verb("detectable difference")
def detectable(table: Table, se: float, size_factor: float = 1.0, **words: Any) -> Any:
    return rs.power.detectable_difference(se, n_times=size_factor, **words)


@verb("study after a pilot")
def pilot(table: Table, first: str = "a", second: str = "b", **words: Any) -> Any:
    if "cluster" in words:
        words["cluster"] = table[words["cluster"]]
    return rs.power.power_auc_pilot(table["y"], table[first], table[second], **words)


def _study(table: Table, words: dict[str, Any]) -> Any:
    how = {name: list(each) if isinstance(each, tuple) else each for name, each in words.items()}
    if "of" in how:
        how["measure"] = how.pop("of")
    return rs.readers.analyze(table, reader="reader", modality="modality", case="case", label="y", score="score", **how)


@verb("reader study")
def readers(table: Table, **words: Any) -> Any:
    return _study(table, words)


@verb("size of a reader study")
def reader_plan(table: Table, difference: float, of_study: dict[str, Any] | None = None, **words: Any) -> Any:
    if "population" in words:
        words["population"] = words["population"].replace("-", "_")
    return rs.readers.plan(_study(table, of_study or {}), difference=difference, **words)


@verb("optimism")
def optimism(table: Table, **words: Any) -> Any:
    """What a logistic regression is worth on new rows, by fitting it again to resamples."""
    from sklearn.linear_model import LogisticRegression

    renamed = {"interval_method": "interval", "resamples": "n_resamples", "seed": "random_state"}
    how = {renamed.get(name, name): each for name, each in words.items()}
    if "cluster" in how:
        how["cluster"] = table[how["cluster"]]
    if "measures" in how:
        how["measures"] = list(how["measures"])
    x = np.column_stack([table[name] for name in ("x1", "x2", "x3")])
    return rs.validation.optimism(LogisticRegression(), x, table["y"], n_jobs=1, **how)


def _imputed(table: Table, copies: int = 4) -> list[Table]:
    """The table with every eighth score drawn anew."""
    made = []
    for copy in range(copies):
        rng = np.random.default_rng(100 + copy)
        lost = np.arange(len(table["y"])) % 8 == 0
        drawn = {
            name: np.where(lost, np.clip(table[name] + rng.normal(0, 0.2, lost.size), 0.01, 0.99), table[name])
            for name in "ab"
        }
        made.append(table | drawn)
    return made


@verb("pooled")
def pooled(table: Table, of: str, **words: Any) -> Any:
    """One answer from several imputed copies of the table."""
    imputed = _imputed(table)
    scale = {"identity": "plain"}.get(words.get("scale", ""), words.get("scale"))
    how = {name: each for name, each in words.items() if name != "scale"} | ({"scale": scale} if scale else {})
    match of:
        case "intervals":
            given: list[Any] = [rs.auc_interval(each["y"], each["a"], method="delong") for each in imputed]
        case "brier_score":
            given = [rs.calibration.brier_interval(each["y"], each["a"]) for each in imputed]
        case "differences":
            given = [rs.compare_auc(each["y"], each["a"], each["b"], method="delong") for each in imputed]
        case "numbers":
            given = [(0.1 * place, 0.2 + 0.01 * place) for place in range(4)]
        case "idi":
            given = [rs.integrated_discrimination(each["y"], each["b"], each["a"]).idi for each in imputed]
        case "nri":
            given = [rs.net_reclassification(each["y"], each["b"], each["a"]).nri for each in imputed]
        case "evaluations":
            given = [
                rs.evaluate(each, ["a"], label="y", measures=["auc", "brier_score"], intervals=True) for each in imputed
            ]
        case _:
            raise ValueError(of)
    return rs.validation.pool(given, **how)


@verb("pooled curve")
def pooled_curve(table: Table, of: str, points: int = 9, **words: Any) -> Any:
    imputed = _imputed(table)
    if of == "calibration":
        given: list[Any] = [rs.calibration_curve(each["y"], each["a"], method="spline") for each in imputed]
    else:
        given = [rs.roc_band(each["y"], each["a"], fpr=np.linspace(0, 1, points)) for each in imputed]
    return rs.validation.pool_curves(given, **words)
