"""Hostile arguments to every public function: a result, or a refusal in the library's own words."""

from __future__ import annotations

import random
import warnings
from typing import Any

import numpy as np

import rocsteady as rs
from fuzz.calls import Argument, Call, public_calls
from fuzz.values import OPTIONS, SCORES, hostile_column

COUNT_VALUES: tuple[Any, ...] = (None, -1, 0, 1, 2, 2.5, "a", 1j, True, [], float("nan"), float("inf"), -(10**400))
SEEDS: tuple[Any, ...] = (None, -1, 2.5, "a", 1j, float("nan"), 10**400, [], object())
OURS = (rs.RocsteadyWarning, DeprecationWarning)
NUMPYS = "converting a masked element"  # said of a list that holds np.ma.masked, which becomes missing
COLUMNS = ("labels", "scores", "weights", "keys")


def check(number: int) -> str | None:
    """What is wrong with one case; None when it ends well."""
    rng = random.Random(number)
    call = rng.choice(public_calls())
    chosen = _chosen(call, rng)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        changed = {each.name: _hostile(each, rng) for each in chosen}
    return trial(call, changed)


def trial(call: Call, changed: dict[str, Any]) -> str | None:
    """Call it, and tell of an error that is not the library's own."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            call.run(**changed)
        except (rs.RocsteadyError, rs.MissingDependencyError):
            pass
        except Exception as error:  # that is what is looked for
            return f"{call.name}({_told(changed)}): {type(error).__name__}: {str(error)[:200]}"
    stray = [each for each in caught if not issubclass(each.category, OURS) and NUMPYS not in str(each.message)]
    return f"{call.name}({_told(changed)}): leaks {stray[0].message!r}" if stray else None


def _chosen(call: Call, rng: random.Random) -> list[Argument]:
    """Mostly columns, which come from other people; one argument, rarely two."""
    columns = [each for each in call.arguments if each.part in COLUMNS or each.part in ("matrix", "models")]
    pool = columns if columns and rng.random() < 0.7 else list(call.arguments)
    return rng.sample(pool, min(len(pool), 1 if rng.random() < 0.85 else 2))


def _hostile(each: Argument, rng: random.Random) -> Any:
    if each.part in COLUMNS:
        base = each.good if isinstance(each.good, list) and len(each.good) == len(SCORES) else SCORES
        return hostile_column(rng, base)
    if each.part == "matrix":
        return _hostile_matrix(each.good, rng)
    if each.part == "models":
        return rng.choice(OPTIONS) if rng.random() < 0.3 else {"a": hostile_column(rng, SCORES), "b": SCORES}
    return rng.choice({"count": COUNT_VALUES, "seed": SEEDS}.get(each.part, OPTIONS))


def _hostile_matrix(good: list[list[float]], rng: random.Random) -> Any:
    if rng.random() < 0.3:
        return hostile_column(rng, SCORES)
    columns = [
        hostile_column(rng, [line[k] for line in good]) if k == 0 else [line[k] for line in good] for k in range(3)
    ]
    try:
        return (
            [list(line) for line in zip(*columns, strict=True)]
            if rng.random() < 0.5
            else np.array(columns, dtype=object).T
        )
    except (TypeError, ValueError):
        return columns


def _told(changed: dict[str, Any]) -> str:
    return ", ".join(f"{name}={type(value).__name__} {_shown(value)}" for name, value in changed.items())


def _shown(value: Any) -> str:
    try:
        return " ".join(repr(value).split())[:90]
    except Exception as error:  # pandas cannot show a signalling NaN
        return f"<{type(error).__name__}>"
