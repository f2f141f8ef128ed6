"""Models compared where the rows are: the same digits as in memory, and exact before the last rounding."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from rocsteady._src.ranked import placements, read_models
from rocsteady._src.ranked.lazy import paired
from rocsteady._src.ranked.lazy.lazy_rows import lazy_rows
from rocsteady._src.ranked.lazy.paired import Limbs, pair_models
from rocsteady._src.ranked.placements import placement_sums
from rocsteady.errors import ArgumentError, InputError
from scale_kit import ENGINES, awkward_columns, make_table

LAZY = ("duckdb", "polars")


def exact_covariance(y: Any, first: Any, second: Any) -> Fraction:
    """DeLong's covariance of two AUCs from all pairs of rows, in fractions."""

    def kernel(scores: Any) -> list[list[Fraction]]:
        x, z = scores[y == 1].tolist(), scores[y == 0].tolist()
        return [[Fraction((a > b) * 2 + (a == b), 2) for b in z] for a in x]

    def mean(values: Any) -> Fraction:
        return sum(values, Fraction(0)) / len(values)

    def sides(psi: list[list[Fraction]]) -> tuple[list[Fraction], list[Fraction]]:
        return [mean(row) for row in psi], [mean(column) for column in zip(*psi, strict=True)]

    total = Fraction(0)
    for u, v in zip(sides(kernel(first)), sides(kernel(second)), strict=True):
        n = len(u)
        mean_u, mean_v = mean(u), mean(v)
        total += sum(((a - mean_u) * (b - mean_v) for a, b in zip(u, v, strict=True)), Fraction(0)) / (n * (n - 1))
    return total


@pytest.mark.parametrize("engine", ENGINES)
def test_covariance_is_the_exact_one_rounded_once(engine: str) -> None:
    columns = awkward_columns(60)
    rows = lazy_rows(make_table(engine, columns), label="y", scores=["tied", "big"])
    found = pair_models(rows, rows.rank()).placement_sums().covariance()
    for i, first in enumerate(("tied", "big")):
        for j, second in enumerate(("tied", "big")):
            assert found[i, j] == float(exact_covariance(columns["y"], columns[first], columns[second]))


@pytest.mark.parametrize("engine", LAZY)
def test_placements_in_many_limbs_give_the_same_sums(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = lazy_rows(make_table(engine, awkward_columns(200)), label="y", scores=["tied", "big", "single"])
    ranked = rows.rank()
    whole = pair_models(rows, ranked)
    monkeypatch.setattr(paired.Limbs, "of", classmethod(lambda cls, *_: cls(3, 3)))
    assert pair_models(rows, ranked).products == whole.products


@pytest.mark.parametrize("n", [1, 10, 10**4, 10**8, 10**10, 10**12])
def test_no_sum_of_products_of_limbs_can_overflow(n: int) -> None:
    limbs = Limbs.of(n, 3 * n)
    assert 2 * 3 * n < 1 << limbs.bits * limbs.count
    assert 4 * n * (1 << limbs.bits) ** 2 <= 2**63


@pytest.mark.parametrize("engine", LAZY)
@pytest.mark.parametrize("weight", [None, "w"])
def test_comparisons_of_a_lazy_table_have_the_digits_of_memory(engine: str, weight: str | None) -> None:
    columns = awkward_columns()
    options = {"label": "y", "scores": ["p", "q"], "weight": weight, "measures": ["auc"]}
    options |= {"weight_type": "frequency"} if weight else {}
    lazy = rs.evaluate(make_table(engine, columns), **options).compare(cutoffs=[0.25, 0.5])
    eager = rs.evaluate(columns, **options).compare(cutoffs=[0.25, 0.5])
    got, want = (dict(flattened(result.to_dict())) for result in (lazy, eager))
    assert got.keys() == want.keys()
    for place, value in want.items():
        assert got[place] == (pytest.approx(value, rel=1e-9, nan_ok=True) if isinstance(value, float) else value), place
    counts = [(each.table.all, each.table.events) for each in lazy.reclassified]
    for mine, theirs in zip(counts, [(each.table.all, each.table.events) for each in eager.reclassified], strict=True):
        np.testing.assert_array_equal(mine[0], theirs[0])
        np.testing.assert_array_equal(mine[1], theirs[1])


def flattened(value: Any, place: str = "") -> Any:
    if isinstance(value, (dict, list, tuple)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for name, each in items:
            yield from flattened(each, f"{place}/{name}")
    else:
        yield place, value


def test_a_model_beside_its_copy_cannot_be_told_apart() -> None:
    columns = awkward_columns()
    table = make_table("duckdb", columns | {"copy": 2 * columns["p"]})
    (pair,) = rs.evaluate(table, label="y", scores=["p", "copy"]).compare().pairs
    assert (pair.test.estimate, pair.test.se, pair.test.pvalue) == (0, 0, 1)


def test_evaluations_of_a_lazy_table_say_so_and_have_the_same_values() -> None:
    columns = awkward_columns()
    lazy = rs.evaluate(make_table("duckdb", columns), label="y", scores=["p", "q"], intervals=True, n_resamples=20)
    eager = rs.evaluate(columns, label="y", scores=["p", "q"], intervals=True, n_resamples=20)
    assert lazy.values == eager.values
    assert lazy.fingerprints == eager.fingerprints
    assert {m: {c: tuple(i) for c, i in found.items()} for m, found in lazy.intervals.items()} == {
        m: {c: tuple(i) for c, i in found.items()} for m, found in eager.intervals.items()
    }
    assert "rows were grouped by DuckDB" in str(lazy)


def test_what_needs_rows_in_memory_is_refused_with_the_way_out() -> None:
    columns = awkward_columns() | {"v": np.linspace(0.1, 2, 600)}
    table = make_table("polars", columns)
    weighted = rs.evaluate(table, label="y", scores=["p", "q"], weight="v")
    with pytest.raises(InputError, match="in memory"):
        weighted.with_intervals()
    with pytest.raises(InputError, match="whole-number weights"):
        weighted.compare()
    with pytest.raises(InputError, match="probabilities"):
        rs.evaluate(table, label="y", scores=["p", "big"]).compare(cutoffs=[0.5])


def test_a_table_that_changes_between_two_passes_is_noticed() -> None:
    rows = lazy_rows(make_table("duckdb", awkward_columns()), label="y", scores=["p", "q"])
    ranked = rows.rank()
    later = lazy_rows(make_table("duckdb", awkward_columns(seed=1)), label="y", scores=["p", "q"])
    with pytest.raises(InputError, match="changed") as error:
        _ = pair_models(replace(rows, columns=later.columns), ranked).products
    assert error.value.code == "table_changed"


def test_functions_take_a_table_and_names_of_its_columns() -> None:
    columns = awkward_columns()
    table, y, p, q = make_table("duckdb", columns), columns["y"], columns["p"], columns["q"]
    assert rs.auc(table, "p", label="y") == rs.auc(y, p)
    assert rs.auc(table, "p", label="y", sample_weight="w") == rs.auc(y, p, sample_weight=columns["w"])
    np.testing.assert_array_equal(rs.roc_curve(table, "p", label="y").tpr, rs.roc_curve(y, p).tpr)
    assert rs.auc_interval(table, "p", label="y").to_dict() == rs.auc_interval(y, p).to_dict()
    for function, options in (
        (rs.compare_auc, {"alternative": "greater"}),
        (rs.net_reclassification, {}),
        (rs.net_reclassification, {"cutoffs": [0.2, 0.5]}),
        (rs.integrated_discrimination, {}),
        (rs.reclassification, {"cutoffs": [0.2, 0.5]}),
    ):
        got = dict(flattened(function(table, "p", "q", label="y", **options).to_dict()))
        want = dict(flattened(function(y, p, q, **options).to_dict()))
        if function is not rs.compare_auc:
            want |= {"/old": "p", "/new": "q"}
        assert got == {
            place: pytest.approx(value, rel=1e-9, nan_ok=True) if isinstance(value, float) else value
            for place, value in want.items()
        }


def test_arrays_beside_a_table_are_refused() -> None:
    columns = awkward_columns()
    table = make_table("polars", columns)
    with pytest.raises(ArgumentError, match="name its columns"):
        rs.auc(table, columns["p"], label="y")
    with pytest.raises(ArgumentError, match="paired by formulas"):
        rs.compare_auc(table, "p", "q", label="y", method="permutation")
    with pytest.raises(ArgumentError, match="in memory"):
        rs.net_reclassification(table, "p", "q", label="y", method="bootstrap")


@pytest.mark.parametrize("engine", LAZY)
def test_paired_differences_have_the_same_bits_as_in_memory_in_any_order(engine: str) -> None:
    rng = np.random.default_rng(11)
    for trial in range(12):
        n = int(rng.integers(20, 400))
        y = (rng.random(n) < rng.uniform(0.2, 0.8)).astype(int)
        y[:4] = [0, 1, 0, 1]
        digits = int(rng.integers(0, 4))
        first, second = (np.round(y * rng.random() + rng.normal(size=n), digits) for _ in range(2))
        columns = {"y": y, "p": first, "q": second}
        asked: dict[str, Any] = {"method": ("auto", "delong", "newcombe", "score")[trial % 4]}
        here = rs.compare_auc(y, first, second, **asked)
        order = rng.permutation(n)
        moved = rs.compare_auc(y[order], first[order], second[order], **asked)
        there = rs.compare_auc(make_table(engine, columns), "p", "q", label="y", **asked)
        for name in ("estimate", "se", "df", "statistic", "pvalue", "low", "high", "method"):
            assert getattr(here, name) == getattr(there, name) == getattr(moved, name)


def test_sums_in_memory_are_those_of_the_pairs_of_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = awkward_columns(60)
    models = read_models(columns["y"], {name: columns[name] for name in ("tied", "big")})
    whole = placement_sums(models)
    for i, first in enumerate(("tied", "big")):
        for j, second in enumerate(("tied", "big")):
            exact = exact_covariance(columns["y"], columns[first], columns[second])
            assert whole.covariance()[i, j] == float(exact)
    monkeypatch.setattr(placements.Limbs, "of", classmethod(lambda cls, *_: cls(3, 3)))
    assert placement_sums(models).products == whole.products
