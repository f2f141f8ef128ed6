"""The study of choosers and tie-breakers follows its rules, and its page is filled."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from tools.site.tables import RESULTS

pytest.importorskip("sklearn")
pytest.importorskip("benchmarks.tie_breakers")

from benchmarks import tie_breakers

PAGE = Path(__file__).parent.parent / "docs" / "laboratory.md"
NAMES = [f"{kind} {table}" for kind in ("simulated", "files") for table in ("ties", "picks", "order")]


def test_rules_pick_as_the_page_says() -> None:
    test_auc = np.array([0.6, 0.7, 0.8, 0.9])
    validation = np.array([[0.95, 0.95, 0.945, 0.5], [0.1, 0.3, 0.2, 0.9]])  # AUC, then another measure
    found = tie_breakers.chosen_by_rules(validation, test_auc)
    base = (0.6 + 0.7) / 2  # the two that share the best AUC
    assert found.difference[:, 0] == pytest.approx([0.9 - base, 0.7 - base, 0.7 - base])
    assert (found.tied, found.near) == (1.0, 1.0)
    assert found.gain == pytest.approx(0.7 - base)
    near = np.array([[0.95, 0.95, 0.945, 0.5], [0.1, 0.3, 0.8, 0.9]])
    assert tie_breakers.chosen_by_rules(near, test_auc).difference[2, 0] == pytest.approx(0.8 - base)


def test_ties_are_broken_within_equal_auc_only() -> None:
    order = tie_breakers.broken_by(np.array([0.9, 0.8, 0.9, 0.7]), np.array([0.1, 0.9, 0.2, np.nan]))
    assert order.argsort().tolist() == [3, 1, 0, 2]


def test_splits_are_tested_with_the_correction() -> None:
    values = np.array([0.01, 0.03, 0.02, 0.05])
    plain, corrected = tie_breakers.of_independent(values), tie_breakers.of_splits(values, 60, 20)
    assert corrected.mean == pytest.approx(plain.mean)
    assert corrected.se == pytest.approx(plain.se * np.sqrt(1 + 4 * 20 / 60))
    both = tie_breakers.over([plain, corrected])
    assert both.se == pytest.approx(np.hypot(plain.se, corrected.se) / 2)


def test_labels_are_flipped_and_both_classes_stay() -> None:
    rng = np.random.default_rng(0)
    labels = np.arange(1000) % 2 == 1
    found = tie_breakers.flipped(labels, 0.2, rng)
    assert np.mean(found != labels) == pytest.approx(0.2, abs=0.04)
    assert (tie_breakers.flipped(labels, 0.0, rng) == labels).all()


def test_the_study_runs_and_writes_its_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    rows = [f"{rng.normal() + flag},{rng.normal()},{flag}" for _ in range(40) for flag in (0, 1)]
    (tmp_path / "one.csv").write_text("\n".join(["a,b,y", *rows]) + "\n")
    monkeypatch.setattr(tie_breakers, "VALIDATION_ROWS", (20,))
    monkeypatch.setattr(tie_breakers, "CLASSIFIERS", ("bayes",))
    monkeypatch.setattr(tie_breakers, "NOISE", (0.0, 0.1))
    page = tmp_path / "page.md"
    page.write_text("\n".join(f"<!-- table: {name} -->\n<!-- end -->" for name in NAMES))
    tie_breakers.main([str(tmp_path), "--repeats", "3", "--splits", "3", "--models", "4"], page)
    text = page.read_text()
    assert text.count("| alone | rho_auc |") == 4
    assert "Simulated: 6 repeats in 2 cells" in text
    assert "Files: 3 repeats in 1 cells" in text


def table_of(kind: str) -> list[dict[str, str]]:
    """Lines of the table of what was picked."""
    with (RESULTS / "tables" / f"tie-breakers-{kind}-picks.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_the_page_is_filled_and_its_verdict_is_in_the_tables() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name in NAMES:
        assert f"<!-- table: {name} -->\n<!-- end -->" not in text, name
    significant = {
        kind: [line["by"] for line in table_of(kind) if float(line["p (Holm)"]) < 0.05]
        for kind in ("simulated", "files")
    }
    assert significant == {"simulated": ["rho_auc", "softened_auc"], "files": []}
