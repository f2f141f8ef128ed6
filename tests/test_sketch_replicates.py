"""Replicates that a sketch carries: Poisson's law, the same counts in any order, ends that contain those of rows."""

from __future__ import annotations

import base64
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import rocsteady as rs
from cases import each_case
from rocsteady._src.scale.replicates import times_counted, unit_numbers
from rocsteady.errors import ArgumentError, InputError
from rocsteady.scale import Sketch, Sketches, sketch_table

VECTORS = Path(__file__).parent / "fixtures" / "sketch_replicates.json"
RNG = np.random.default_rng(7)
N, K = 600, 60
Y = RNG.integers(0, 2, N)
A = (Y + RNG.normal(size=N)).round(3)
B = A + RNG.normal(size=N)
IDS = np.arange(N) // 3
MEASURES = {"auc": rs.auc, "average_precision": rs.average_precision, "ks_statistic": rs.ks_statistic}


def counted(rows: Any = slice(None), scores: Any = A, **options: Any) -> Sketch:
    how = {"bits": 7, "range": (-5.0, 6.0), "capacity": 0, "replicates": K, **options}
    return Sketch(**how).update(Y[rows], scores[rows], id=IDS[rows])


def test_a_subject_counts_as_poisson_has_it() -> None:
    times = times_counted(np.arange(40_000, dtype=np.uint64), 10, 3)
    expected = np.array([math.exp(-1) / math.factorial(count) for count in range(8)])
    shares = np.bincount(times.ravel(), minlength=8)[:8] / times.size
    assert np.allclose(shares, expected, atol=4 * np.sqrt(expected / times.size))
    together = np.corrcoef(times, rowvar=False)  # replicates do not know of each other
    assert abs(together[np.triu_indices(10, 1)]).max() < 4 / math.sqrt(len(times))
    assert (times != times_counted(np.arange(40_000, dtype=np.uint64), 10, 4)).mean() > 0.5


def test_parts_in_any_order_and_engine_give_the_same_bytes() -> None:
    whole = counted(capacity=100)
    order = np.random.default_rng(0).permutation(N)
    parts = [counted(order[part::3], capacity=100) for part in range(3)]
    assert parts[2].merge(parts[0]).merge(parts[1]).to_bytes() == whole.to_bytes()
    assert Sketch.from_bytes(whole.to_bytes()).to_bytes() == whole.to_bytes()
    few = counted(slice(0, 50), capacity=100)
    assert few.exact  # counted by score, and by bucket as soon as it is merged
    assert few.merge(counted(slice(50, N), capacity=100)).to_bytes() == whole.to_bytes()
    table = pl.LazyFrame({"y": Y, "a": A, "id": IDS}).collect().sample(N, shuffle=True, seed=1)
    how: dict[str, Any] = {"bits": 7, "range": (-5.0, 6.0), "capacity": 100, "id": "id", "replicates": K}
    assert sketch_table(table.lazy(), label="y", score="a", **how).to_bytes() == whole.to_bytes()


def replicate_values(function: Any, scores: Any) -> list[float]:
    """The same bootstrap of the rows themselves, one replicate after another."""
    times = times_counted(unit_numbers(IDS)[0], K, 0).astype(int)
    return [float(function(Y, scores, sample_weight=times[:, place])) for place in range(K)]


@each_case("name", list(MEASURES))
def test_ends_contain_those_of_the_rows(name: str) -> None:
    exact = sorted(replicate_values(MEASURES[name], A))
    place = math.floor((K + 1) * 0.05)  # at level 0.9
    wide, narrow = counted().measure_interval(name, level=0.9), counted(capacity=N).measure_interval(name, level=0.9)
    assert wide.low <= exact[place - 1] < exact[-place] <= wide.high
    assert wide.high - wide.low < 1.5 * (exact[-place] - exact[place - 1])
    assert (narrow.low, narrow.high) == pytest.approx((exact[place - 1], exact[-place]), abs=1e-12)


def test_draws_of_counts_agree_with_formulas() -> None:
    plain = Sketch(10, (-5.0, 6.0), capacity=0).update(Y, A)
    found, known = plain.measure_interval("gini"), rs.auc_interval(Y, A)
    assert found.low == pytest.approx(2 * known.low - 1, abs=0.03)
    assert found.high == pytest.approx(2 * known.high - 1, abs=0.03)
    assert plain.measure_interval("auc").method == plain.auc_interval().method


def test_files_of_this_version_are_read_by_every_later_one() -> None:
    for vector in json.loads(VECTORS.read_text(encoding="utf-8")):
        found = Sketches.from_bytes(base64.b64decode(vector["data"]))
        for model, ends in vector["ends"].items():
            low, high = found[model].measure_interval("average_precision", level=0.9)
            assert [low, high] == pytest.approx(ends, abs=1e-12)
        assert base64.b64encode(found.to_bytes()).decode() == vector["data"]


def test_what_cannot_be_is_refused() -> None:
    refusals: list[tuple[Any, type[Exception], str]] = [
        (lambda: Sketch(replicates=20).update(Y, A), ArgumentError, "needs id"),
        (lambda: Sketch().update(Y, A, id=IDS), ArgumentError, "leave it out"),
        (lambda: Sketch(replicates=20).update(Y, A, id=IDS[:5]), InputError, "5 names in id and 600"),
        (lambda: Sketch(replicates=20).update(Y, A, id=[None, *IDS[1:]]), InputError, "id: 1 missing"),
        (lambda: Sketch(replicates=-1), ArgumentError, "from 0 to 1000"),
        (lambda: counted().update(Y, A, id=IDS.astype(str)), InputError, "convert id to one type"),
        (lambda: counted().merge(counted(replicates=20)), ArgumentError, "differ in replicates"),
        (lambda: counted().merge(Sketch(7, (-5.0, 6.0), capacity=0)), ArgumentError, "differ in replicates"),
        (lambda: counted().coarsen(5), ArgumentError, "without replicates"),
        (lambda: counted().without(counted()), ArgumentError, "without replicates"),
        (lambda: counted().measure_interval("auc", level=0.99), ArgumentError, "carry 200"),
    ]
    for call, kind, words in refusals:
        with pytest.raises(kind, match=words):
            call()
    refused, before = counted(), counted().to_bytes()
    with pytest.raises(InputError, match="one type"):
        refused.update(Y, A, id=IDS.astype(str))
    assert refused.to_bytes() == before  # all rows or none


def test_bytes_that_changed_are_refused() -> None:
    data = counted(slice(0, 40), replicates=3).to_bytes()
    for place in range(0, len(data), 7):
        with pytest.raises(InputError):
            Sketch.from_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
    with pytest.raises(InputError):
        Sketch.from_bytes(data[:-20])
