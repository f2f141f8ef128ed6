"""The page for users of other tools: both sides of their tables are run where they can be, and equal."""

from __future__ import annotations

import csv
import doctest
import json
import re
import shlex
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from command import rocsteady
from rocsteady.examples import loans

DOCS = Path(__file__).parent.parent / "docs"
FIXTURE = Path(__file__).parent / "fixtures" / "r_from_proc.json"
TOOLS = ("scikit-learn", "pROC", "yardstick", "MedCalc")
CELL = re.compile(r"(?<!\\)\|")

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")


def part(tool: str) -> str:
    """The part of the page about one tool."""
    text = (DOCS / "equivalents.md").read_text(encoding="utf-8")
    return text.split(f"\n## From {tool}\n")[1].split("\n## From ")[0]


@cache
def names(tool: str) -> dict[str, Any]:
    """What the examples of a part define before its tables."""
    pytest.importorskip("sklearn")
    held: dict[str, Any] = {}
    for example in doctest.DocTestParser().get_examples(part(tool)):
        if not example.exc_msg:
            exec(compile(example.source, tool, "single"), held)  # noqa: S102 - lines of our own page
    return held


def lines(tool: str) -> list[tuple[str, ...]]:
    """Cells of all lines of the tables of a part, headers left out."""
    text = part(tool).splitlines()
    rows = [[cell.strip() for cell in CELL.split(line.strip())[1:-1]] for line in text if line.startswith("|")]
    told = [row for row in rows if row[-1].startswith("`")]
    return [tuple(cell.replace("\\|", "|").strip("`") for cell in row) for row in told]


EVERY = [(tool, line) for tool in TOOLS for line in lines(tool)]


@pytest.mark.parametrize(("tool", "line"), EVERY, ids=[f"{tool} {line[0]}" for tool, line in EVERY])
def test_lines_answer(tool: str, line: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ours = eval(line[-1], dict(names(tool)))  # noqa: S307 - a line of our own page
    assert ours is not None
    if tool == "scikit-learn" and line[0].startswith("metrics."):
        theirs = eval(line[0], dict(names(tool)))  # noqa: S307
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)
    if len(line) == 3:
        run_by_r = json.loads(FIXTURE.read_text(encoding="utf-8"))[line[0]]
        assert float(line[1]) == pytest.approx(run_by_r, rel=1e-5)
        assert ours == pytest.approx(run_by_r, rel=1e-9)


def test_tables_are_read() -> None:
    assert {tool: len(lines(tool)) > 15 for tool in TOOLS} == dict.fromkeys(TOOLS, True)
    assert sum(len(line) == 3 for line in lines("pROC")) >= 15


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the file that the commands of two pages are about, as ``rocsteady demo`` writes it."""
    folder, table = tmp_path_factory.mktemp("shell"), loans()
    with (folder / "loans.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([table, *zip(*table.values(), strict=True)])
    return folder


COMMANDS = [
    line
    for text in ((DOCS / "tutorial_shell.md").read_text(encoding="utf-8"), part("MedCalc"))
    for line in re.findall(r"^rocsteady (?!demo).*$", text, re.MULTILINE)
]


@pytest.mark.parametrize("line", sorted(set(COMMANDS)))
def test_commands_answer(line: str, demo: Path) -> None:
    done = rocsteady(*shlex.split(line)[1:], "--force" if " -o " in line else "--missing=raise", cwd=demo)
    assert done.returncode == 0, done.stderr
