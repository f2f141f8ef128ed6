"""The tables that are asked about: small, drawn from fixed seeds, each a dict of columns."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

Table = dict[str, Any]
TABLES: dict[str, Callable[[], Table]] = {}


def table(make: Callable[[], Table]) -> Callable[[], Table]:
    """Register a table under the name of the function that makes it."""
    TABLES[make.__name__] = make
    return make


@cache
def _made(name: str) -> Table:
    return TABLES[name]()


def columns(name: str) -> Table:
    """The columns of a table, which may be changed."""
    return {column: np.array(values) for column, values in _made(name).items()}


def _probability(x: Any) -> Any:
    """Shares by the logistic function, of so few digits that no processor computes others."""
    return np.round(1 / (1 + np.exp(-np.asarray(x))), 6)


def _numbers(x: Any) -> Any:
    return np.round(x, 6)


def _binary(seed: int, n: int, lift: float = 1.2) -> Table:
    """Labels, three models, and a column for every design: weights, clusters, sites, folds, a covariate."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(int)
    y[:4] = [1, 0, 1, 0]
    shared = rng.normal(size=n)
    a = _numbers(lift * y + 0.7 * shared + 0.7 * rng.normal(size=n) - 0.8)
    b = _numbers(0.8 * y + 0.7 * shared + 0.7 * rng.normal(size=n) - 0.6)
    d = rng.normal(size=n) + 0.4 * y
    site = np.array(["north", "south", "east"])[rng.integers(0, 3, n)]
    cluster = rng.integers(0, max(4, n // 3), n)
    return {
        "y": y,
        "a": _probability(a),
        "b": _probability(b),
        "d": _probability(d),
        "s": a,
        "t": b,
        "w": 0.25 + 2 * rng.random(n),
        "k": rng.integers(1, 4, n),
        "cluster": cluster,
        "other": rng.integers(0, max(4, n // 2), n),
        "nested": [f"{place}{each % 7}" for place, each in zip(site, cluster, strict=True)],
        "site": site,
        "half": np.array(["first", "second"])[rng.integers(0, 2, n)],
        "fold": rng.permutation(np.arange(n) % 4),
        "id": np.arange(n),
        "z": np.round(rng.normal(size=n) + 0.3 * y, 3),
        "stratum": rng.integers(0, 2, n),
        "low": np.round(_probability(a), 1) - 0.1,
        "high": np.round(_probability(a), 1) + 0.1,
        "called_a": (a > 0).astype(int),
        "called_b": (b > 0.1).astype(int),
        "called_d": (d > 0.2).astype(int),
    }


@table
def binary() -> Table:
    return _binary(1, 120)


@table
def ties() -> Table:
    made = _binary(2, 100)
    return made | {name: np.round(made[name], 1) for name in ("a", "b", "d", "s", "t")}


@table
def few() -> Table:
    return _binary(3, 14)


@table
def large() -> Table:
    """Rows enough for tests of calibration and guarantees."""
    return _binary(4, 400)


@table
def perfect() -> Table:
    made = _binary(5, 40)
    return made | {"a": _numbers(0.5 * made["a"] + 0.5 * made["y"]), "s": made["y"] * 3.0 + _probability(made["s"])}


@table
def reversed_order() -> Table:
    made = _binary(5, 40)
    return made | {"a": _numbers(0.5 * made["a"] + 0.5 * (1 - made["y"]))}


@table
def constant() -> Table:
    made = _binary(6, 30)
    return made | {name: np.full(30, 0.5) for name in ("a", "b")}


@table
def one_class() -> Table:
    made = _binary(7, 20)
    return made | {"y": np.zeros(20, int)}


@table
def one_positive() -> Table:
    made = _binary(8, 25)
    return made | {"y": (np.arange(25) == 3).astype(int)}


@table
def infinite() -> Table:
    made = _binary(9, 40)
    made["s"] = np.where(np.arange(40) == 4, np.inf, np.where(np.arange(40) == 9, -np.inf, made["s"]))
    made["a"] = made["s"]
    return made


@table
def certain() -> Table:
    """Probabilities that reach 0 and 1."""
    made = _binary(10, 50)
    return made | {"a": np.clip(np.round(made["a"] * 1.4 - 0.2, 2), 0, 1)}


@table
def missing() -> Table:
    made = _binary(11, 60)
    made["a"][[3, 17]] = np.nan
    made["b"][[5]] = np.nan
    return made


@table
def identical() -> Table:
    made = _binary(12, 60)
    return made | {"b": made["a"].copy(), "called_b": made["called_a"].copy()}


@table
def texts() -> Table:
    made = _binary(13, 50)
    return made | {"y": np.where(made["y"] == 1, "ill", "well")}


@table
def repeats() -> Table:
    """Fifty subjects in each of two cross-validations of five folds."""
    rng = np.random.default_rng(14)
    n = 50
    y = (rng.random(n) < 0.45).astype(int)
    parts = []
    for repeat in range(2):
        fold = rng.permutation(np.arange(n) % 5)
        a, b = (_numbers(strength * y + rng.normal(size=n) + 0.15 * fold - 0.5) for strength in (1.3, 0.8))
        rows = {"y": y, "a": _probability(a), "b": _probability(b), "s": a, "fold": fold, "id": np.arange(n)}
        parts.append(rows | {"repeat": np.full(n, repeat), "w": 0.5 + rng.random(n), "cluster": np.arange(n) // 2})
    return {name: np.concatenate([each[name] for each in parts]) for name in parts[0]}


@table
def classes() -> Table:
    """Three classes, scores of two models, and what each predicts."""
    rng = np.random.default_rng(15)
    n, names = 150, ("cat", "dog", "emu")
    y = rng.choice(3, n, p=[0.5, 0.3, 0.2])
    made: Table = {"y": np.array(names)[y]}
    for model, strength in (("a", 1.4), ("b", 0.8)):
        raw = rng.normal(size=(n, 3)) + strength * np.eye(3)[y]
        shares = np.exp(raw) / np.exp(raw).sum(axis=1, keepdims=True)
        made |= {f"{model}_{name}": _numbers(shares)[:, place] for place, name in enumerate(names)}
        made[f"called_{model}"] = np.array(names)[shares.argmax(axis=1)]
    made |= {"w": 0.25 + rng.random(n), "k": rng.integers(1, 4, n), "cluster": rng.integers(0, 50, n)}
    made |= {"site": np.array(["north", "south"])[rng.integers(0, 2, n)], "fold": rng.permutation(np.arange(n) % 3)}
    return made | {"id": np.arange(n)}


@table
def absent_class() -> Table:
    made = columns("classes")
    kept = made["y"] != "emu"
    return {name: values[kept] for name, values in made.items()}


@table
def ordered() -> Table:
    rng = np.random.default_rng(16)
    n = 90
    y = rng.choice(3, n, p=[0.4, 0.35, 0.25])
    made = {"y": np.array(["low", "mid", "high"])[y], "s": np.round(0.7 * y + rng.normal(size=n), 1)}
    return made | {"w": 0.25 + rng.random(n), "k": rng.integers(1, 4, n), "t": _numbers(0.4 * y + rng.normal(size=n))}


@table
def labels() -> Table:
    """Three labels of each row, and scores of two models for each."""
    rng = np.random.default_rng(17)
    n = 110
    made: Table = {}
    for place, name in enumerate(("red", "round", "big")):
        made[name] = (rng.random(n) < 0.3 + 0.1 * place).astype(int)
        for model, strength in (("a", 1.3), ("b", 0.7)):
            made[f"{model}_{name}"] = _probability(strength * made[name] + rng.normal(size=n) - 0.5)
    made |= {"w": 0.25 + rng.random(n), "k": rng.integers(1, 4, n), "cluster": rng.integers(0, 40, n)}
    made |= {"site": np.array(["north", "south"])[rng.integers(0, 2, n)], "fold": rng.permutation(np.arange(n) % 3)}
    return made | {"id": np.arange(n)}


@table
def times() -> Table:
    """Censored times, a competing event in ``cause``, and risks of two models by three times."""
    rng = np.random.default_rng(18)
    n = 140
    x, noise = rng.normal(size=n), rng.normal(size=n)
    death = rng.exponential(4 * np.exp(-0.8 * x))
    rival = rng.exponential(9.0, n)
    lost = rng.uniform(0.5, 9, n)
    made: Table = {"time": np.round(np.minimum(death, lost), 2) + 0.01, "event": (death <= lost).astype(int)}
    first = np.minimum(np.minimum(death, rival), lost)
    made["rival_time"] = np.round(first, 2) + 0.01
    made["cause"] = np.where(first == lost, 0, np.where(first == death, 1, 2))
    for model, seen in (("a", x), ("b", 0.5 * x + 0.6 * noise)):
        made[f"{model}_score"], made[f"{model}_tied"] = _numbers(seen), np.round(seen)
        rate = np.exp(0.8 * seen) / 4
        made |= {f"{model}_{at}": _numbers(1 - np.exp(-rate * at)) for at in (1, 2, 4)}
    made |= {"w": 0.25 + rng.random(n), "k": rng.integers(1, 4, n), "cluster": rng.integers(0, 50, n)}
    return made | {"site": np.array(["north", "south"])[rng.integers(0, 2, n)], "known": 1 + rng.random(n)}


@table
def answers() -> Table:
    """What three models got right, by task."""
    rng = np.random.default_rng(19)
    n = 90
    ease = rng.normal(size=n)
    made: Table = {
        name: (ease + rng.normal(size=n) < skill).astype(int)
        for name, skill in zip("abd", (0.9, 0.5, 0.1), strict=True)
    }
    made |= {"task": np.array(["sums", "words", "maps"])[rng.integers(0, 3, n)], "cluster": rng.integers(0, 30, n)}
    return made | {"id": np.arange(n)}


@table
def readings() -> Table:
    """Five readers, two modalities, forty cases, ratings from 1 to 5."""
    rng = np.random.default_rng(20)
    rows = []
    hard = rng.normal(size=40)
    for case in range(40):
        ill = int(case < 18)
        for reader in range(5):
            for modality, shift in (("new", 1.5), ("old", 1.0)):
                raw = shift * ill + 0.6 * hard[case] + 0.15 * reader + rng.normal()
                rows.append((f"r{reader}", modality, case, ill, int(np.clip(np.round(raw + 2.5), 1, 5))))
    names = ("reader", "modality", "case", "y", "score")
    return {name: np.array(values) for name, values in zip(names, zip(*rows, strict=True), strict=True)}


@table
def partly_read() -> Table:
    """The same, where each reader saw three quarters of the cases."""
    made = columns("readings")
    seen = (made["case"] + np.char.replace(made["reader"].astype(str), "r", "").astype(int)) % 4 != 0
    return {name: values[seen] for name, values in made.items()}


@table
def verified() -> Table:
    """A disease that only some rows were checked for."""
    rng = np.random.default_rng(21)
    made = _binary(21, 300)
    chance = _numbers(0.3 + 0.6 * made["a"])
    checked = rng.random(300) < chance
    return made | {"chance": chance, "checked": checked, "y": np.where(checked, made["y"], np.nan)}


@table
def days() -> Table:
    """Sixty days of thirty rows; from day 40 on the scores of one segment mean less."""
    rng = np.random.default_rng(22)
    day = np.repeat(np.arange(60), 30)
    n = day.size
    y = (rng.random(n) < 0.3).astype(int)
    segment = np.array(["new", "old"])[rng.integers(0, 2, n)]
    strength = np.where((day >= 40) & (segment == "new"), 0.1, 1.6)
    a = strength * y + rng.normal(size=n) - 1.2
    made = {"day": day, "y": y, "a": _probability(a), "b": _probability(0.7 * a + 0.7 * rng.normal(size=n))}
    return made | {"segment": segment, "arrived": day + rng.integers(0, 8, n), "w": 0.5 + rng.random(n)}


@table
def fits() -> Table:
    """Features of a small regression."""
    rng = np.random.default_rng(23)
    n = 80
    x = _numbers(rng.normal(size=(n, 3)))
    y = (rng.random(n) < _probability(x[:, 0] + 0.5 * x[:, 1])).astype(int)
    return {"y": y, "x1": x[:, 0], "x2": x[:, 1], "x3": x[:, 2], "cluster": np.arange(n) // 2}


@table
def counted() -> Table:
    """Scores on a grid, for engines and sketches."""
    made = _binary(24, 500)
    grid = {name: np.round(made[name] * 512) / 512 for name in ("a", "b", "d")}
    return made | grid


@table
def no_rows() -> Table:
    """For questions about no table."""
    return {}
