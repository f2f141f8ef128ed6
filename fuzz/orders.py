"""A seed means the same bits whatever the order of rows, and whatever clusters are called."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np

import rocsteady as rs
from rocsteady.errors import RocsteadyError

if TYPE_CHECKING:
    from collections.abc import Callable

Columns = dict[str, Any]
FEW: dict[str, Any] = {"n_resamples": 30, "random_state": 3}
CALLS: dict[str, Callable[[Columns, Columns], Any]] = {
    "bootstrap": lambda t, how: rs.bootstrap_interval("average_precision", t["y"], t["a"], **FEW, **how),
    "bca": lambda t, how: rs.bootstrap_interval("auc", t["y"], t["a"], method="bca", **FEW, **how),
    "paired": lambda t, how: rs.compare_measure("gini", t["y"], t["a"], t["b"], method="bootstrap", **FEW, **how),
    "swapped": lambda t, how: rs.compare_measure("auc", t["y"], t["a"], t["b"], method="permutation", **FEW, **how),
    "net benefit": lambda t, how: rs.decision_curve(t["y"], t["a"], intervals="bootstrap", **FEW, **how),
    "band": lambda t, how: rs.roc_band(t["y"], t["a"], method="fixed-width", **FEW, **how),
    "threshold": lambda t, how: rs.inference.threshold_interval(t["y"], t["a"], **FEW, **how),
    "idi": lambda t, how: rs.calibration.integrated_discrimination(
        t["y"], t["a"], t["b"], method="bootstrap", **FEW, **how
    ),
}


def table(number: int) -> Columns:
    """Random rows, tied or not, with weights and clusters."""
    rng = np.random.default_rng(number)
    n, decimals = int(rng.integers(8, 60)), int(rng.integers(1, 5))
    y = rng.permutation(np.arange(n) % int(rng.integers(2, 5)) == 0).astype(int)
    made: Columns = {"y": y, "weight": rng.choice([0.1, 0.3, 0.7, 1.9], n), "times": rng.integers(1, 4, n)}
    made["person"] = rng.integers(0, int(rng.integers(3, n)), n)
    for name in "ab":
        made[name] = np.round(1 / (1 + np.exp(-rng.normal(size=n) - y)), decimals)
    return made


def asked(columns: Columns, kind: str) -> Columns:
    """The options of one way to weigh rows, or to put them together."""
    ways: dict[str, Columns] = {
        "rows": {},
        "frequencies": {"sample_weight": columns["times"], "weight_type": "frequency"},
        "weights": {"sample_weight": columns["weight"], "weight_type": "sampling"},
        "clusters": {"cluster": columns["person"]},
    }
    return ways[kind]


def shuffled(columns: Columns, number: int) -> Columns:
    """The same rows in another order, their persons under other names."""
    rng = np.random.default_rng([number, 1])
    order = rng.permutation(columns["y"].size)
    made = {name: column[order] for name, column in columns.items()}
    return made | {"person": rng.permutation(1000)[made["person"]]}


def answer(call: Callable[[Columns, Columns], Any], columns: Columns, kind: str) -> tuple[str, Any]:
    """All numbers of a result with every bit, or what was refused."""
    try:
        found = call(columns, asked(columns, kind))
    except RocsteadyError as error:
        return f"{type(error).__name__}", None
    resampling = getattr(found, "resampling", None)
    drawn = None if resampling is None else resampling.distribution.tobytes()
    return repr(found if isinstance(found, dict) else found.to_dict()), drawn


def check(number: int) -> str | None:
    """One table, one result, two orders of rows."""
    draw = random.Random(number)
    name, kind = draw.choice(list(CALLS)), draw.choice(["rows", "frequencies", "weights", "clusters"])
    columns = table(number)
    one, two = (answer(CALLS[name], each, kind) for each in (columns, shuffled(columns, number)))
    return None if one == two else f"{name} of {kind} depends on the order of rows"
