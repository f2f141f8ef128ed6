"""Every form that a page can take, each on a few rows: for tests that must hold on all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import rocsteady as rs
from rocsteady import lab
from rocsteady._src.scale.evaluate_sketches import evaluate_sketches
from rocsteady._src.scale.sketch import Sketch
from rocsteady.examples import loans

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

COSTS: dict[str, Any] = {"cost_fp": 50, "cost_fn": 400}
N = 240


def _loans(models: list[str], **more: Any) -> Any:
    table = loans(N)
    named = {name: np.arange(N) % 4 for name in more.values()}
    return rs.evaluate({**table, **named}, label="defaulted", scores=models, measures=["auc"], intervals=True, **more)


def _twelve() -> Any:
    y, rng = (np.arange(N) % 4 == 0).astype(int), np.random.default_rng(1)
    scores = {f"model {place}": rng.normal(size=N) + y * (0.4 + place / 8) for place in range(12)}
    return rs.evaluate(y, scores, measures=["auc"], intervals=True)


def _tiny() -> Any:
    return rs.evaluate([1, 0, 0, 1] * 3, {"a": np.arange(12) / 12, "b": np.arange(12)[::-1] % 5 / 7}, intervals=True)


def _rare() -> Any:
    y, rng = (np.arange(100_000) % 10_000 == 0).astype(int), np.random.default_rng(2)
    scores = {name: (rng.normal(size=y.size) + far * y).round(2) for name, far in (("a", 3), ("b", 2))}
    return rs.evaluate(y, scores, measures=["auc"], intervals=True)


def _classes(n_models: int = 1, **more: Any) -> Any:
    rng = np.random.default_rng(3)
    y = np.arange(N) % 3
    models = {}
    for place in range(n_models):
        raw = np.exp(rng.normal(size=(N, 3)) + (1.5 - place / 2) * np.eye(3)[y])
        models[f"model {place}"] = raw / raw.sum(axis=1, keepdims=True)
    names = np.array(["cat", "dog", "owl"])[y]
    given: Any = models["model 0"] if n_models == 1 else models
    return rs.evaluate(names, given, **more)


def _parts() -> Any:
    return np.repeat(np.arange(4), N // 4)


def _sketch() -> Any:
    table = loans(N)
    names = {"boosted": {"capacity": 0, "bits": 6}, "logistic": {}}
    sketches = {
        name: Sketch(range=(0, 1), **how).update(table["defaulted"], table[name]) for name, how in names.items()
    }
    return evaluate_sketches(sketches)


def _labels(models: int = 1) -> Any:
    rng = np.random.default_rng(4)
    present = rng.random((N, 3)) < (0.5, 0.3, 0.1)
    scores = [rng.normal(size=(N, 3)) + present / place for place in range(1, models + 1)]
    named = {f"model {place}": each for place, each in enumerate(scores)}
    return rs.evaluate(present.astype(int), named if models > 1 else scores[0])


def _watch() -> Any:
    rng = np.random.default_rng(5)
    day = np.repeat(np.arange(30), 60)
    p = rng.random(day.size)
    positive = rng.random(day.size) < np.where(day < 20, p, 0.5)
    labels = [None if t > 27 else int(y) for y, t in zip(positive, day, strict=True)]
    table = {"y": labels, "p": p, "day": day, "site": np.where(day % 2 == np.arange(day.size) % 2, "north", "south")}
    how: dict[str, Any] = {"label": "y", "day": "day", "segment": "site", "reference": 12}
    return rs.monitor(table, "p", **how, measures=["auc", "recall"], threshold=0.5, probabilities=True)


def _times() -> Any:
    rng = np.random.default_rng(6)
    risk = rng.random((2, N))
    time, ends = rng.exponential(9 - 7 * risk[0]), rng.uniform(1, 12, N)
    rows = {"time": np.minimum(time, ends), "event": (time <= ends).astype(int), "risk": risk[0], "coin": risk[1]}
    return rs.evaluate(rows, label="event", time="time", scores=["risk", "coin"], at=6)


def _laboratory() -> Any:
    sets = lab.generate("1.0p 0.9p 0.8p 0.2n 0.1n 0.0n", range_steps=5, margin_steps=3, distribution=True)
    return lab.count_errors(sets, ["auc", "scored_auc"])


def _readers() -> Any:
    rng = np.random.default_rng(7)
    readers, modalities, cases = (each.ravel() for each in np.indices((4, 2, 40)))
    ill = cases % 2
    rating = rng.normal(size=40)[cases] + rng.normal(size=ill.size) + ill * (1 + modalities / 2)
    table = {"reader": readers, "modality": np.array(["film", "screen"])[modalities], "case": cases, "ill": ill}
    names = {"reader": "reader", "modality": "modality", "case": "case", "label": "ill", "score": "rating"}
    return rs.readers.analyze(table | {"rating": rating.round(1)}, **names)


def _called(n_models: int = 1) -> Any:
    rng, names = np.random.default_rng(8), np.array(["cat", "dog", "owl"])
    y = np.arange(N) % 3
    calls = [names[np.where(rng.random(N) < share, y, rng.integers(0, 3, N))] for share in (0.7, 0.5)]
    given: Any = {"model 0": calls[0], "model 1": calls[1]} if n_models > 1 else calls[0]
    return rs.evaluate(names[y], given)


FORMS: dict[str, tuple[Callable[[], Any], dict[str, Any]]] = {
    "one": (lambda: _loans(["boosted"]), COSTS),
    "two": (lambda: _loans(["boosted", "logistic"]), COSTS | {"cutoffs": [0.1, 0.4]}),
    "twelve": (_twelve, {}),
    "tiny": (_tiny, {}),
    "rare": (_rare, {}),
    "groups": (lambda: _loans(["boosted", "logistic"], by="site"), COSTS),
    "folds": (lambda: _loans(["boosted", "logistic"], fold="fold"), COSTS),
    "classes": (_classes, {}),
    "class models": (lambda: _classes(2), {}),
    "class groups": (lambda: _classes(2, by=_parts()), {}),
    "class folds": (lambda: _classes(2, fold=_parts()), {}),
    "sketch": (_sketch, {}),
    "labels": (_labels, {}),
    "label models": (lambda: _labels(2), {}),
    "watch": (_watch, {}),
    "times": (_times, {}),
    "laboratory": (_laboratory, {}),
    "readers": (_readers, {}),
    "called": (_called, {}),
    "called models": (lambda: _called(2), {}),
}


def write_form(name: str, folder: Path) -> Path:
    """The page of a form."""
    made, options = FORMS[name]
    path: Path = made().report(folder / f"{name}.html", **options)
    return path
