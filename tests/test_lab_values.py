"""Values set by set, errors in the order of sets, difference functions, and tests by exchanging labels."""

from __future__ import annotations

import json
import math
from itertools import combinations
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy.stats import mannwhitneyu

import rocsteady as rs
from cases import each_case
from command import rocsteady as run
from rocsteady import lab

mpl.use("Agg")
SETS = "(1.0p 0.9p 0.8p 0.2n 0.1n 0.0n)\n(1.0p 0.9p 0.8n 0.2p 0.1n 0.0n)\n(0.5p 0.5n 0.5p)"


@pytest.fixture(autouse=True)
def closed_figures() -> Any:
    yield
    plt.close("all")


def test_values_are_those_of_the_measures() -> None:
    found = lab.set_values(SETS)
    assert len(found) == 3
    assert found.correctly_ranked.tolist() == [True, False, False]
    assert found.wrong_pairs.tolist() == [0, 1, 2]
    for place, (y, s) in enumerate(lab.parse_sets(SETS)):
        for name, values in found.values.items():
            assert values[place] == pytest.approx(float(rs.get_measure(name)(y, s)), abs=1e-12)
    assert "sets with equal scores only: 1;" in str(found)
    assert found.to_frame("pandas").shape == (3, 3 + len(found.values))
    assert found.plot().figure_ is not None


def test_values_where_lower_is_better_keep_their_sign() -> None:
    found = lab.set_values(SETS, ["brier_score"])
    y, s = next(iter(lab.parse_sets(SETS)))
    assert found["brier_score"][0] == pytest.approx(rs.brier_score(y, s))


def test_a_table_too_long_to_read_is_refused() -> None:
    many = lab.generate("1p 0.9p 0.3n 0n", range_steps=10_000, distribution=True)
    with pytest.raises(rs.ArgumentError, match="at most 100,000; count_errors takes any number"):
        lab.set_values(many)


def slow_order_errors(sets: Any, measure: Any, tolerance: float = 0.0) -> tuple[int, int]:
    judged = []
    for y, s in sets:
        wrong = sum(p <= n for p in s[y == 1] for n in s[y == 0])
        judged.append((measure(y, s), wrong))
    worst = [max([w for v, w in judged if v > value + tolerance], default=-1) - wrong for value, wrong in judged]
    return sum(each > 0 for each in worst), sum(each for each in worst if each > 0)


@each_case("seed", range(5))
@each_case("name", ["auc", "scored_auc", "soft_auc", "brier_score"])
def test_order_errors_are_those_of_all_pairs_of_sets(name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    sets = [(rng.permutation([1, 1, 0, 0, 0][: rng.integers(3, 6)]), rng.integers(0, 6, 5) / 5) for _ in range(25)]
    sets = [(y, s[: y.size]) for y, s in sets]
    sheet = rs.get_measure(name).sheet
    sign = -1 if sheet.better == "lower" else 1
    expected = slow_order_errors(sets, lambda y, s: sign * float(sheet.compute(rs.rank(y, s))), 1e-9)
    (row,) = lab.count_order_errors(sets, [name], tolerance=1e-9)
    assert (row.errors, row.excess) == expected


def test_correct_sets_that_err_err_in_the_order_too() -> None:
    sets = lab.generate("1.0p 0.9p 0.8p 0.2n 0.1n 0.0n", range_steps=10, distribution=True)
    plain, ordered = lab.count_errors(sets), lab.count_order_errors(sets)
    for row in plain:
        assert ordered[row.measure].errors >= row.errors
        assert ordered[row.measure].excess >= ordered[row.measure].errors
    assert "an error is a set valued below one with more of them" in str(ordered)
    assert ordered.plot().figure_ is not None
    with pytest.raises(rs.ArgumentError, match="tolerance must be 0 or more"):
        lab.count_order_errors(sets, tolerance=-1.0)
    with pytest.raises(KeyError):
        ordered["nothing"]


def test_measures_equal_by_algebra_err_alike() -> None:
    """prob_auc and mm12_auc are one number written twice: by default their rounding is no error."""
    for steps in ({}, {"margin_steps": 5}, {"range_steps": 10}):
        for source in ("1p 0.8p 0.6p 0.4n 0.2n 0n", "1p 0.9p 0.8p 0.2n 0.1n 0n"):
            sets = lab.generate(source, distribution=True, **steps)
            found = lab.count_order_errors(sets, ["prob_auc", "mm12_auc"])
            assert found.tolerance == 1e-12
            assert (found["prob_auc"].errors, found["prob_auc"].excess) == (
                found["mm12_auc"].errors,
                found["mm12_auc"].excess,
            )
    sets = lab.generate("1p 0.8p 0.6p 0.4n 0.2n 0n", distribution=True)
    assert [row.errors for row in lab.count_order_errors(sets, ["prob_auc", "mm12_auc"])] == [8, 8]
    assert lab.count_order_errors(sets, "prob_auc", tolerance=0.0)["prob_auc"].errors == 9  # rounding counted


def test_difference_functions_are_what_a_pair_adds() -> None:
    found = lab.difference_functions(q=0.5, beta=3, floor=0.25, n=21)
    for place, d in enumerate(found.d):
        for name, params in (("auc", {}), ("scored_auc", {}), ("softened_auc", {"q": 0.5}), ("soft_auc", {"beta": 3})):
            value = rs.get_measure(name)([1, 0], [d, 0.0], **params)
            assert found.values[name][place] == pytest.approx(float(value), abs=1e-12)
        assert found.values["prob_auc"][place] == pytest.approx(float(rs.mm12_auc([1, 0], [d, 0.0])))
        expected = max(d, 0.25) if d > 0 else 0.0
        assert found.values["mm4_auc"][place] == pytest.approx(expected)
    display = found.plot()
    assert len(display.ax_.lines) >= 6
    assert (
        lab.difference_functions(q=0).values["softened_auc"].tolist()
        == lab.difference_functions().values["auc"].tolist()
    )


@each_case("alternative", ["two-sided", "greater", "less"])
@each_case("seed", range(4))
def test_with_auc_it_is_the_exact_rank_sum_test(seed: int, alternative: str) -> None:
    rng = np.random.default_rng(seed)
    y, s = rng.permutation([1] * 4 + [0] * 5), rng.normal(size=9)
    found = rs.inference.measure_null_test("auc", y, s, alternative=alternative)
    exact = mannwhitneyu(s[y == 1], s[y == 0], alternative=alternative, method="exact")
    assert found.pvalue == pytest.approx(exact.pvalue)
    assert found.method == "permutation of labels, all 126"
    assert found.statistic == rs.auc(y, s)
    assert found.estimate == pytest.approx(rs.auc(y, s) - 0.5)


@pytest.mark.parametrize("measure", ["scored_auc", "softened_auc(q=0.5)", "scorAUC", np.abs])
def test_over_all_labellings_it_keeps_its_size_exactly(measure: Any) -> None:
    scores = [0.05, 0.2, 0.2, 0.5, 0.9, 1.3]
    for alternative in ("greater", "less", "two-sided"):
        pvalues = []
        for chosen in combinations(range(6), 3):
            y = [int(place in chosen) for place in range(6)]
            pvalues.append(rs.inference.measure_null_test(measure, y, scores, alternative=alternative).pvalue)
        for level in (0.05, 0.1, 0.2, 0.5):
            assert np.mean(np.array(pvalues) <= level + 1e-12) <= level + 1e-12


def test_random_labellings_come_near_all_of_them() -> None:
    rng = np.random.default_rng(1)
    y, s = np.arange(12) % 2, rng.normal(size=12) + 0.8 * (np.arange(12) % 2)
    exact = rs.inference.measure_null_test("scored_auc", y, s, alternative="greater")
    drawn = rs.inference.measure_null_test("scored_auc", y, s, alternative="greater", n_resamples=900, random_state=3)
    assert exact.method.endswith(f"all {math.comb(12, 6)}")
    assert drawn.method == "permutation of labels"
    assert drawn.pvalue == pytest.approx(exact.pvalue, abs=4 * math.sqrt(exact.pvalue / 900))
    again = rs.inference.measure_null_test("scored_auc", y, s, alternative="greater", n_resamples=900, random_state=3)
    assert again.pvalue == drawn.pvalue
    assert drawn.plot().figure_ is not None
    least = rs.inference.measure_null_test("auc", [1] * 20 + [0] * 20, range(40, 0, -1), n_resamples=50)
    assert least.pvalue == pytest.approx(2 / 51)  # never 0


def test_what_cannot_be_exchanged_is_refused() -> None:
    with pytest.raises(rs.InputError, match="exchanging labels needs"):
        rs.inference.measure_null_test("auc", [1, 1], [0.1, 0.2])
    with pytest.raises(rs.ArgumentError, match="needs a threshold"):
        rs.inference.measure_null_test("recall", [1, 0], [0.1, 0.2])
    with pytest.raises(rs.InputError, match="weights are not taken"):
        rs.inference.measure_null_test("auc", rs.rank([1, 0, 1], [0.1, 0.2, 0.3], sample_weight=[0.5, 1.0, 2.0]))
    with pytest.raises(rs.ArgumentError, match="n_resamples must be at least 1"):
        rs.inference.measure_null_test("auc", [1, 0], [0.1, 0.2], n_resamples=0)


def test_the_command_prints_values(tmp_path: Path) -> None:
    file = tmp_path / "sets.txt"
    file.write_text(SETS)
    shown = run("lab", str(file), "--values", "--measure", "mm7AUC", "--measure", "softAUC", "--format", "json")
    told = json.loads(shown.stdout)
    assert list(told["values"]) == ["mm7_auc", "soft_auc"]
    assert told["values"]["mm7_auc"][0] == pytest.approx(0.8139, abs=1e-4)
    text = run("lab", str(file), "--values", "--measure", "auc").stdout
    assert "0.8889" in text
    assert "3 sets, 1 of them correctly ranked" in text
    refused = run("lab", str(file), "--values", "--by", "range")
    assert refused.returncode == 2
