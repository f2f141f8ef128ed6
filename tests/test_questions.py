"""docs/questions.md: every line of it runs, and every page that it names is there."""

from __future__ import annotations

import csv
import doctest
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import rocsteady as rs
from command import rocsteady

PAGE = Path(__file__).parent.parent / "docs" / "questions.md"
TEXT = PAGE.read_text(encoding="utf-8")
QUESTIONS = re.findall(r"^- \*\*(.+?)\*\* \[[^\]]+\]\(\S+\)\n((?:  - `.+`\n)+)", TEXT, re.MULTILINE)
LINES = [(question, line) for question, lines in QUESTIONS for line in re.findall(r"`(.+)`", lines)]
CALLS = [line for _, line in LINES if not line.startswith("rocsteady ")]
COMMANDS = [line for _, line in LINES if line.startswith("rocsteady ")]

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")


@pytest.fixture(scope="module")
def rows() -> dict[str, Any]:
    """The rows that the page ends with, and what stands for a reader's own: a model, a lazy table."""
    for needed in ("polars", "sklearn"):
        pytest.importorskip(needed)
    names: dict[str, Any] = {}
    for example in doctest.DocTestParser().get_examples(TEXT):
        exec(compile(example.source, str(PAGE), "single"), names)  # noqa: S102 - lines of our own page
    return names


@pytest.fixture(scope="module")
def folder(rows: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where cases.csv and ratings.csv are."""
    made = tmp_path_factory.mktemp("questions")
    for name, table in (("cases", rows["table"]), ("ratings", rows["ratings"])):
        with (made / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(table)
            writer.writerows(zip(*table.values(), strict=True))
    (made / "days").mkdir()
    rows["lazy"].sink_parquet(made / "days" / "monday.parquet")
    return made


def test_there_are_many_questions_each_with_a_line_and_a_page() -> None:
    assert len(QUESTIONS) == len(re.findall(r"^- ", TEXT, re.MULTILINE)) >= 40
    assert len({question for question, _ in QUESTIONS}) == len(QUESTIONS)


@pytest.mark.parametrize("line", CALLS)
def test_calls_answer(line: str, rows: dict[str, Any], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert eval(line, dict(rows)) is not None  # noqa: S307 - a line of our own page


@pytest.mark.parametrize("line", COMMANDS)
def test_commands_answer(line: str, folder: Path) -> None:
    done = rocsteady(*shlex.split(line)[1:], cwd=folder)
    assert done.returncode == 0, done.stderr


def test_names_are_written_where_they_live() -> None:
    named = {name for line in CALLS for name in re.findall(r"\brs\.([a-z_]+)", line)}
    assert named <= set(dir(rs))
