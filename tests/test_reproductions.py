"""Tables of the sources, computed again: every cell stands where it is said to stand."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("reproductions.thesis")  # a copy without the repository has none

from reproductions import thesis
from reproductions.thesis_tables import ThesisTables

TOLD = json.loads(thesis.TOLD.read_text())


@pytest.fixture(scope="module")
def tables() -> ThesisTables:
    return thesis.reproduce()


def test_the_tables_of_the_thesis_stand_where_they_stand(tables: ThesisTables) -> None:
    standing: dict[str, list[Any]] = {}
    for cell in tables.cells:
        standing.setdefault(cell.standing, []).append((cell.table, cell.row, cell.column))
    rows = TOLD["table_5_2"]["rows"]
    noise = [(row["id"], name) for row in rows for name in row["errors_in_exact_arithmetic"]]
    assert sorted(standing["rounding noise"]) == sorted(("5.2", *cell) for cell in noise)
    assert len(noise) == 6
    assert standing["differs from the print"] == [("3.1", "15", "softened_auc")]
    assert set(standing) == {"rounding noise", "differs from the print", "agrees", "no print"}
    assert len(standing["agrees"]) == len(tables.cells) - 6 - 1 - 81 == 604
    assert not [cell for cell in standing["rounding noise"] if cell[1][0] in "DE"]


def test_what_has_no_print_is_not_said_to_agree_with_it(tables: ThesisTables) -> None:
    header, rows = tables.summary()
    place = header.index("no print")
    assert [(row[0], row[1], row[place]) for row in rows] == [
        ("Table 3.1", 115, 4),
        ("Table 4.1", 90, 15),
        ("Table 4.2", 60, 0),
        ("Table 5.1", 27, 0),
        ("Table 5.2", 400, 62),
    ]
    printed = json.loads(thesis.PRINTED.read_text(encoding="utf-8"))
    without = [cell for cell in tables.cells if cell.standing == "no print"]
    assert not [cell for cell in without if printed[cell.table][cell.row].get(cell.column)]


def test_every_printed_number_was_compared(tables: ThesisTables) -> None:
    printed = {(cell.table, cell.row, cell.column): cell.thesis for cell in tables.cells}
    for row in TOLD["table_5_2"]["rows"]:
        assert {name: printed["5.2", row["id"], name] for name in row["errors"]} == row["errors"]
    for row in TOLD["table_5_1"]["rows"]:
        assert printed["5.1", row["measure"], "errors"] == row["errors"]


def test_the_best_of_each_row_is_marked_as_the_thesis_marks_it(tables: ThesisTables) -> None:
    assert tables.best_counts() == {"": 12, "mm7_auc": 24, "softened_auc": 4}
    best = tables.best()
    assert [row for row, name in best.items() if name == "softened_auc"] == ["C4", "E2", "E3", "E4"]
    lasts = {"A": 4, "B": 4, "C": 3, "E": 1}
    tied = [f"{letter}{number}" for letter, last in lasts.items() for number in range(1, last + 1)]
    assert [row for row, name in best.items() if not name] == tied
    header, rows = tables.with_settings()
    assert header[1:4] == ["source set", "k1", "k2"]
    assert header[-2:] == ["n_sets", "n_correct"]
    a5 = next(row for row in rows if row[0] == "A5")
    assert a5[1:4] == ["1.00 0.80 0.60 0.40 0.20 0.00", "-", "30"]
    assert a5[-3:] == ["0*", "1860", "150"]


def test_the_text_tells_what_is_noise(tables: ThesisTables) -> None:
    text = str(tables)
    assert "Table 5.2, C2, prob_auc: rounding noise; 30 in float64, 27 when nothing is rounded" in text
    assert "Table 5.2, C8, mm4_auc: rounding noise; 1170 in float64, 1110 when nothing is rounded" in text
    assert "Table 3.1, 15, softened_auc: differs from the print; printed 0.001" in text
    assert "4250~" in text


def test_the_module_runs_and_draws(
    tables: ThesisTables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib").use("Agg")
    monkeypatch.setattr(thesis, "reproduce", lambda: tables)
    monkeypatch.setattr(sys, "argv", ["thesis", "--plot", str(tmp_path / "thesis.png")])
    thesis.main()
    assert "Table 4.2" in capsys.readouterr().out
    assert (tmp_path / "thesis.png").stat().st_size > 1000
