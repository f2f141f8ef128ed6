"""``json.dumps(result.to_dict(), allow_nan=False)`` works for every result."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

import rocsteady as rs
from cases import each_case
from rocsteady import lab
from rocsteady._src.evaluation.evaluate import evaluate
from rocsteady._src.results.base import Result
from rocsteady._src.results.plain_values import plain
from rocsteady.results import MeasureSelection, ModelSelection, Origin
from rocsteady.scale import Sketch
from test_plots_records import SHARED, below, examples, result_classes

HOSTILE = [
    math.nan,
    math.inf,
    -math.inf,
    np.float32("nan"),
    np.int64(3),
    np.ones(1, dtype=bool)[0],
    Fraction(1, 3),
    Decimal("0.1"),
    Decimal("sNaN"),
    10**400,
    dt.datetime(2024, 5, 1, tzinfo=dt.UTC),
    dt.date(2024, 5, 1),
    pd.Timestamp("2024-05-01"),
    np.datetime64("2024-05-01"),
    np.array([np.inf, np.nan, 1.0]),
    np.array([Decimal(1), None], dtype=object),
    {("a", "b"): math.inf, 3: [np.nan], None: {"x": np.inf}},
    {1, 2},
    rs.Undefined("single_class"),
    object(),
]
CLASSES = sorted((found for found in result_classes() if issubclass(found, Result)), key=lambda found: found.__name__)
OWN = [
    found
    for found in CLASSES
    if any("to_dict" in each.__dict__ for each in found.__mro__[: found.__mro__.index(Result)])
]


def dumped(values: Any) -> Any:
    return json.loads(json.dumps(values, allow_nan=False))


@each_case("kind", [found for found in CLASSES if found not in OWN], ids=lambda kind: kind.__name__)
def test_whatever_a_result_holds(kind: type) -> None:
    """Fields of every class with everything that is hard to write, in turn."""
    names = [field.name for field in dataclasses.fields(kind)]
    for shift in range(0, len(HOSTILE), max(1, len(names))):
        made: Any = object.__new__(kind)
        for place, name in enumerate(names):
            object.__setattr__(made, name, HOSTILE[(place + shift) % len(HOSTILE)])
        told = dumped(made.to_dict())
        assert set(names) <= set(told)


def test_the_convention() -> None:
    assert plain(math.nan) is None
    assert [plain(math.inf), plain(-np.float32("inf"))] == ["inf", "-inf"]
    assert plain({("a", "b"): 1, 2: Decimal("0.5")}) == {"a - b": 1, "2": 0.5}
    assert plain(Fraction(1, 3)) == "1/3"
    assert plain(dt.date(2024, 5, 1)) == "2024-05-01"
    assert rs.roc_curve([1, 0], [2, 1]).to_dict()["thresholds"][0] == "inf"


def test_reasons_stand_beside_what_is_undefined() -> None:
    choice = dataclasses.replace(rs.best_threshold([1, 0, 1, 0], [4, 3, 2, 1]), precision=rs.Undefined("zero_division"))
    told = choice.to_dict()
    assert told["precision"] is None
    assert told["undefined"] == {"precision": "zero_division"}


def made_results() -> list[Any]:
    rng = np.random.default_rng(2)
    y = np.tile([0, 1], 60)
    table = {"y": y, "a": y + rng.normal(size=120), "g": np.repeat([1, 2], 60), "f": np.tile([1, 1, 2, 2], 30)}
    sets = lab.parse_sets("0.9p 0.8p 0.2n\n0.9n 0.8p 0.2n")
    errors = lab.count_errors(sets, ["auc", "mm7_auc"])
    return [
        evaluate({"y": [1, 1], "s": [1.0, 2.0]}, label="y", scores="s", measures=["auc"]),
        evaluate(table, label="y", scores="a", by="g", measures=["auc"]),
        evaluate(table, label="y", scores="a", fold="f", measures=["auc"]),
        *of_many_models(table),
        *of_called_classes(table["g"]),
        *of_times(),
        *of_readers(),
        *of_validation(),
        *of_days(),
        rs.multiclass.ordinal_auc(np.arange(120) % 3, table["a"]),
        Sketch().update(y, table["a"]).auc(),
        rs.curves.crossing_test(y, table["a"], table["a"] + rng.normal(size=120)),
        errors,
        rs.scale.evaluate_sketches({"s": Sketch().update(y, table["a"])})
        if hasattr(rs.scale, "evaluate_sketches")
        else errors,
        *examples().values(),
        model_selection(),
    ]


def of_called_classes(groups: Any) -> list[Any]:
    """Predicted classes of one model: all rows, by groups and by folds."""
    y, called = np.arange(120) % 3, np.random.default_rng(4).integers(0, 3, 120)
    return [
        rs.evaluate(y, called),
        rs.evaluate(y, called, by=groups),
        rs.evaluate(y, called, fold=np.arange(120) // 3 % 2),
    ]


def of_times() -> list[Any]:
    """Answers of censored outcomes that have several numbers."""
    rng = np.random.default_rng(5)
    given: Any = (rng.exponential(size=120) + 0.01, rng.integers(0, 2, 120), rng.random(120))
    table = dict(zip(("time", "event", "risk"), given, strict=True))
    return [
        rs.times.auc_at(*given, at=[0.5, 1.0]),
        rs.times.calibration_at(*given, at=0.5),
        rs.times.net_benefit_at(*given, at=0.5, thresholds=[0.2, 0.4]),
        rs.evaluate(table, label="event", scores=["risk"], time="time", at=[0.5]),
    ]


def of_readers() -> list[Any]:
    """A reader study, and its analyses."""
    rng = np.random.default_rng(6)
    by, who, patient = (each.ravel() for each in np.indices((3, 3, 20)))
    table = {"by": by, "who": who, "patient": patient, "ill": patient % 2, "rating": patient % 2 + rng.normal(size=180)}
    study = rs.readers.analyze(table, reader="who", modality="by", case="patient", label="ill", score="rating")
    return [study, *study.analyses]


def of_validation() -> list[Any]:
    """Corrected measures of a procedure, and pooled answers."""
    y, x = np.tile([0, 1], 20), np.random.default_rng(6).normal(size=(40, 2))
    fit = lambda rows, labels: lambda new: new @ (rows[labels == 1].mean(0) - rows[labels == 0].mean(0))  # noqa: E731
    return [
        rs.validation.optimism(fit, x, y, n_resamples=5, random_state=1),
        rs.validation.pool([rs.auc_interval(y, x[:, k]) for k in (0, 1)], measure="auc"),
    ]


def of_days() -> list[Any]:
    """A watch of some days, and what it remembers of a measure."""
    rng = np.random.default_rng(7)
    y, day = rng.integers(0, 2, 300), np.repeat(np.arange(10), 30)
    return [rs.monitor({"y": y, "a": y + rng.normal(size=300), "day": day}, "a", label="y", day="day", reference=5)]


def of_many_models(table: dict[str, Any]) -> list[Any]:
    """Comparisons by several measures, within groups, gaps between groups, and models of three classes."""
    rng = np.random.default_rng(3)
    scores = {"a": table["a"], "b": table["a"] + rng.normal(size=120)}
    grouped = rs.evaluate(table["y"], scores, by=table["g"], intervals=False, measures=["auc"])
    of_classes = {name: rng.dirichlet(np.ones(3), 120) for name in ("a", "b")}
    of_labels, labels = rng.random((120, 2)), rng.integers(0, 2, (120, 2))
    return [
        rs.evaluate(table["y"], scores).compare(),
        rs.evaluate(table["y"], scores).compare(measures=["auc", "gini"]),
        rs.evaluate(table["y"], scores).compare(threshold=0.5),
        rs.compare_outcomes(table["a"] > 0, scores["b"] > 0),
        rs.evaluate(table["y"], scores).decide(cost_fn=3),
        rs.gate(table["y"], scores["a"], scores["b"], margin=0.05, by=table["g"]),
        grouped.compare(),
        grouped.gaps(measure="recall", threshold=0.5),
        rs.evaluate(np.arange(120) % 3, {"a": rng.integers(0, 3, 120), "b": rng.integers(0, 3, 120)}),
        *(rs.evaluate(np.arange(120) % 3, rng.integers(0, 3, 120), **of) for of in ({}, {"by": table["g"]})),
        rs.evaluate(np.arange(120) % 3, rng.integers(0, 3, 120), fold=np.arange(120) // 3 % 2),
        rs.evaluate(rng.integers(0, 3, 120), of_classes),
        rs.evaluate(np.arange(120) % 3, of_classes["a"], by=table["g"]),
        rs.evaluate(np.arange(120) % 3, of_classes["a"], fold=np.arange(120) // 3 % 2),
        rs.evaluate(labels, {"a": of_labels, "b": of_labels**2}),
        rs.evaluate(labels, of_labels, by=table["g"]),
        rs.evaluate(labels, of_labels, fold=np.arange(120) // 3 % 2),
    ]


def model_selection() -> ModelSelection:
    """A split without a pick has no test AUC."""
    counts = {"n_ties": 0, "n_splits": 1}
    row = MeasureSelection("auc", *[math.nan] * 11, **counts)
    one = np.array([[math.nan]])
    return ModelSelection(
        (row,), ("auc",), "auc", {"tree": "Tree()"}, "rows", 1, 1, {"train": (2, 2)}, math.nan, math.inf, 0.95,
        Origin(1, 8), {"numpy": "2"}, (), one[None], one, np.array([[-1]]), one, np.array([[0]]),
    )  # fmt: skip


def test_results_with_a_way_of_their_own() -> None:
    found = [each for each in made_results() if isinstance(each, Result)]
    for each in found:
        assert dumped(each.to_dict())
    made = {type(each) for each in found}
    assert set(OWN) <= made, "a result with a to_dict of its own is written nowhere in the tests"


def test_every_result_class_is_looked_at() -> None:
    """Those of the package, wherever they stand, are written above: with hostile fields, or made as users make them."""
    everywhere = {found.__name__ for found in below(Result) if found.__module__.startswith("rocsteady.")}
    shared = {found.__name__ for found in SHARED}
    assert everywhere - shared == {found.__name__ for found in CLASSES}
