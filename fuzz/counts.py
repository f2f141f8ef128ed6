"""Counts in results are of distinct units: rows of several repeats once, a frequency weight as so many rows."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any

import numpy as np

import rocsteady as rs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Record = dict[str, Any]
SIZES = re.compile(r"([\d,]+) rows: ([\d,.]+) positive, ([\d,.]+) negative")
CASES = re.compile(r"([\d,]+) (positive|negative) cases?\b(?: of ([\d,]+) subjects?)?")


def records(number: int, draw: random.Random, n_repeats: int) -> list[Record]:
    """Rows of the data, each of them once in every repeat, or in nearly every one."""
    rng = np.random.default_rng(number)
    n, made = int(rng.integers(40, 120)), []
    fixed: list[Record] = [
        {"id": row, "y": int(row % 3 == 0), "person": row // 3, "site": "uvw"[row % 2], "times": row % 3 + 1}
        for row in range(n)
    ]
    for repeat in range(n_repeats):
        order = rng.permutation(n)
        for row, place in zip(fixed, order.tolist(), strict=True):
            scores = {name: float(rng.normal() + row["y"]) for name in "ab"}
            made.append({**row, **scores, "fold": place % 3, "repeat": repeat, "weight": 0.5 + row["id"] % 4})
    draw.shuffle(made)
    return made


def counted(rows: Iterable[Record], weight: str | None) -> tuple[int, int, int]:
    """Distinct rows, positives and negatives, one by one."""
    seen: dict[int, Record] = {}
    for row in rows:
        seen.setdefault(row["id"], row)
    sizes = [0, 0]
    for row in seen.values():
        sizes[row["y"]] += row["times"] if weight == "times" else 1
    return sum(sizes), sizes[1], sizes[0]


def persons(rows: Iterable[Record], label: int) -> int:
    """How many persons have a row with the label."""
    return len({row["person"] for row in rows if row["y"] == label})


def design(draw: random.Random) -> dict[str, Any]:
    """Options of an evaluation: groups or folds, repeats, weights, subjects."""
    split: dict[str, Any] = draw.choice([{}, {"by": "site"}, {"fold": "fold"}, {"fold": "fold", "repeat": "repeat"}])
    repeated = "repeat" in split
    units: dict[str, Any] = draw.choice([{"cluster": "person"}, {"id": "id"} if repeated else {}])
    weight: dict[str, Any] = draw.choice(
        [{}, {"weight": "times", "weight_type": "frequency"}, {"weight": "weight", "weight_type": "sampling"}]
    )
    return {**split, **units, **weight}


def wrong_texts(
    text: str, allowed: set[tuple[int, int, int]], rows: list[Record], how: dict[str, Any]
) -> Iterator[str]:
    """Sentences whose counts are not among those that were counted."""
    weighted = how.get("weight_type") == "sampling"  # class sizes are then sums of weights
    for match in SIZES.finditer(text):
        found = [float(each.replace(",", "")) for each in match.groups()]
        if not any(
            found[: 1 if weighted else 3] == [float(n) for n in each[: 1 if weighted else 3]] for each in allowed
        ):
            yield match.group()
    for match in CASES.finditer(text):
        n, which, subjects = int(match[1].replace(",", "")), match[2], match[3]
        label = int(which == "positive")
        unweighted = {counted(rows, None if weighted else how.get("weight"))}
        if n not in {each[2 - label] for each in allowed | unweighted}:
            yield match.group()
        if subjects is not None and int(subjects.replace(",", "")) != persons(rows, label):
            yield match.group()


def parts_of(result: Any, how: dict[str, Any]) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """The evaluations in a result, and which rows each is about."""
    if "by" in how:
        yield "all", result.overall, {}
        yield from ((name, each, {"site": name}) for name, each in result.groups.items())
    else:
        yield "all", getattr(result, "overall", result), {}


def check(number: int) -> str | None:
    """One design: numbers and sentences beside a count row by row."""
    draw = random.Random(number)
    how = design(draw)
    rows = records(number, draw, draw.randint(2, 4) if "repeat" in how else 1)
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    result: Any = rs.evaluate(columns, label="y", scores=["a", "b"], **how, n_resamples=20)
    weight, allowed = how.get("weight"), set()
    for name, part, where in parts_of(result, how):
        wanted = counted((row for row in rows if all(row[key] == value for key, value in where.items())), weight)
        allowed.add(wanted)
        sizes = (part.origin.n_rows, part.n_pos, part.n_neg)
        kept = 1 if how.get("weight_type") == "sampling" else 3
        if sizes[:kept] != wanted[:kept] or part.to_dict()["n_rows"] != wanted[0]:
            return f"{how}: {name} has {sizes}, counted {wanted}"
    text = "\n".join([str(result), str(result.decide(cost_fn=3))] if "by" not in how else [str(result)])
    for told in wrong_texts(text, allowed, rows, how):
        return f"{how}: {told!r}, counted {sorted(allowed)}"
    return None
