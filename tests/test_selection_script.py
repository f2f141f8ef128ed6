"""The scripts behind docs/laboratory.md run, and pool data sets as they say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sklearn")
pytest.importorskip("benchmarks.selection")

from benchmarks import selection, selection_size

from rocsteady.lab import corrected_test, select_models

KINDS = ("pooled", "sets", "spearman")
PAGE = Path(__file__).parent.parent / "docs" / "laboratory.md"


def write_set(path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = [f"{rng.normal() + flag},{'' if row == 5 else rng.normal()},{flag}" for row in range(60) for flag in (0, 1)]
    path.write_text("\n".join(["a,b,y", *rows]) + "\n")


def test_the_experiment_writes_its_tables(tmp_path: Path) -> None:
    for name, seed in (("one", 1), ("two", 2)):
        write_set(tmp_path / f"{name}.csv", seed)
    page = tmp_path / "page.md"
    page.write_text("\n".join(f"<!-- table: {kind} bayes -->\n<!-- end -->" for kind in KINDS))
    selection.experiment([str(tmp_path), "--splits", "3", "--bootstraps", "4", "--classifier", "bayes"], page)
    text = page.read_text()
    assert "| picked by | one | two |" in text
    assert "3 splits of each set, 4 bootstrap samples in each" in text
    assert text.count("| rho_auc |") == 3


def test_sets_are_pooled_as_independent_ones() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(80) % 2
    options = {"n_splits": 6, "n_bootstraps": 8, "random_state": 1, "progress": False}
    found = [
        select_models((rng.normal(size=(80, 3)) + y[:, None], y), "tree", ["rho_auc"], **options) for _ in range(3)
    ]
    tests = [corrected_test(each.pick_auc[:, 1] - each.pick_auc[:, 0], n_train=48, n_test=16) for each in found]
    row = selection.pooled([replace(each, data="set") for each in found])[1]
    assert row.difference == pytest.approx(np.mean([test.estimate for test in tests]))
    assert row.se == pytest.approx(np.sqrt(np.mean([test.se**2 for test in tests]) / 3))


def test_the_page_has_a_place_for_every_table_and_each_is_filled() -> None:
    text = PAGE.read_text()
    for name in ["size", *(f"{kind} {each}" for kind in KINDS for each in selection.CLASSIFIERS)]:
        assert f"<!-- table: {name} -->\n[selection-{name.replace(' ', '-')}.csv](" in text, name


def test_the_nulls_have_no_difference_on_average(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection_size, "N_SPLITS", 8)  # those of one data set share its luck: more of them add little
    for null in selection_size.NULLS.values():
        means = [np.mean(null(np.random.default_rng([1, repeat]))) for repeat in range(12)]
        assert abs(np.mean(means)) < 4 * np.std(means, ddof=1) / np.sqrt(12)
