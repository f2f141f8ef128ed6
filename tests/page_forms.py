"""Every form that a page can take, each on a few rows: for tests that must hold on all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import rocsteady as rs
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
}


def write_form(name: str, folder: Path) -> Path:
    """The page of a form."""
    made, options = FORMS[name]
    path: Path = made().report(folder / f"{name}.html", **options)
    return path
