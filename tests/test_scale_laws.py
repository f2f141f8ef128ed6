"""One law of all counts: over engines, parts, orders, weights, groups and faults, brackets hold the exact value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.errors import InputError
from rocsteady.scale import Sketch, load_sketches, sketch_table
from scale_kit import make_table

ENGINES = ("duckdb", "polars", "dask")
MEASURES = ("auc", "ks_statistic", "average_precision", "partial_auc")
FUNCTIONS: dict[str, Any] = {name: getattr(rs, name) for name in MEASURES}


def drawn(seed: int, n: int, digits: int, groups: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 3 == 0)
    scores = (y * rng.normal() + rng.normal(size=n)).round(digits)
    scores[rng.random(n) < 0.02] = rng.choice([0.0, -0.0, np.inf, -np.inf])
    return {"y": y.astype(np.int64), "a": scores, "w": rng.integers(0, 4, n), "g": rng.integers(0, groups, n)}


def held(found: dict[str, Sketch], columns: dict[str, Any], rows: Any, *, weighted: bool) -> None:
    """Brackets of all groups together, and of each, contain the values of the rows in memory."""
    y, a, g = (columns[name][rows] for name in ("y", "a", "g"))
    w = columns["w"][rows] if weighted else np.ones(y.size, dtype=np.int64)
    first, *others = found.values()
    parts = [(first.merge(*others), np.ones(y.size, dtype=bool))]
    parts += [(sketch, g == int(group)) for group, sketch in found.items()]
    for sketch, own in parts:
        kept = own & (w > 0)
        if not 0 < y[kept].sum() < kept.sum():
            continue
        given_weight = {"sample_weight": w[kept]} if weighted else {}
        for name, function in FUNCTIONS.items():
            low, high = sketch.measure(name)
            assert low <= function(y[kept], a[kept], **given_weight) <= high
        t = float(np.median(a[kept]))
        low, high = sketch.measure("recall", threshold=t)
        assert low <= rs.recall(y[kept], a[kept], threshold=t, **given_weight) <= high
        if not weighted and min(y[kept].sum(), (~y[kept].astype(bool)).sum()) > 1:
            inner, outer = rs.auc_interval(y[kept], a[kept]), sketch.auc_interval()
            assert outer.low <= inner.low + 1e-12
            assert inner.high <= outer.high + 1e-12


@pytest.mark.filterwarnings("ignore::rocsteady.errors.RocsteadyWarning")  # of infinite scores
@settings(max_examples=settings().max_examples // 3)  # each is many
@given(
    seed=st.integers(0, 10_000),
    n=st.sampled_from([30, 200, 600]),
    digits=st.sampled_from([1, 9]),
    groups=st.integers(1, 3),
    bits=st.sampled_from([6, 9, 14]),
    spanned=st.booleans(),
    capacity=st.sampled_from([0, 20, 1000]),
    weighted=st.booleans(),
    engines=st.lists(st.sampled_from(ENGINES), min_size=1, max_size=3),
    fault=st.sampled_from(["none", "twice", "torn", "killed"]),
)
def test_brackets_hold_the_exact_value(
    seed: int,
    n: int,
    digits: int,
    groups: int,
    bits: int,
    spanned: bool,
    capacity: int,
    weighted: bool,
    engines: list[str],
    fault: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    columns, rng = drawn(seed, n, digits, groups), np.random.default_rng(seed)
    order = rng.permutation(n)
    how: dict[str, Any] = {"bits": bits, "range": (-4.0, 4.0) if spanned else None, "capacity": capacity, "by": "g"}
    how |= {"weight": "w" if weighted else None, "pos_label": 1}
    cuts = np.array_split(order, len(engines))
    parts: list[dict[str, Sketch]] = [
        sketch_table(make_table(engine, {name: values[rows] for name, values in columns.items()}), label="y", score="a",
                     **how)
        for engine, rows in zip(engines, cuts, strict=True)
    ]  # fmt: skip
    folder = tmp_path_factory.mktemp("laws")
    whole: dict[str, Sketch] = {}
    for place in rng.permutation(len(parts)):
        for group, sketch in parts[place].items():
            file = sketch.save(folder / f"{place} {group}.rks")
            _with_fault(fault, file, sketch, rng)
            read = load_sketches(file)
            whole[group] = whole[group].merge(read) if group in whole else read
    held(whole, columns, order, weighted=weighted)


def _with_fault(fault: str, file: Path, sketch: Sketch, rng: np.random.Generator) -> None:
    """What goes wrong between writing and reading, and leaves the file as it was."""
    before = file.read_bytes()
    if fault == "twice":
        with pytest.raises(InputError, match="exists"):
            sketch.save(file)
        sketch.save(file, force=True)
    elif fault == "torn":
        with pytest.raises(InputError):
            Sketch.from_bytes(before[: rng.integers(0, len(before))])
    elif fault == "killed":  # a writer that died has left its half of a file
        (file.parent / f".{file.name}.half").write_bytes(before[: len(before) // 2])
    assert file.read_bytes() == before
