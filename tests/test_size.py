"""The project does not grow: lines and files of src, lines of tests and words of docs stay within tests/size.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SIZE = ROOT / "tests" / "size.toml"


def lines_of(paths: list[Path]) -> int:
    return sum(path.read_text(encoding="utf-8").count("\n") for path in paths)


def measured() -> dict[str, int]:
    src = sorted((ROOT / "src").rglob("*.py"))
    tests = [path for path in sorted((ROOT / "tests").rglob("*.py")) if "net" not in path.parts[len(ROOT.parts) :]]
    docs = [*sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "sources").glob("*.md"))]
    words = sum(len(path.read_text(encoding="utf-8").split()) for path in docs)
    return {"src_lines": lines_of(src), "src_files": len(src), "test_lines": lines_of(tests), "doc_words": words}


@pytest.mark.parametrize("figure", ["src_lines", "src_files", "test_lines", "doc_words"])
def test_the_project_does_not_grow(figure: str) -> None:
    most, found = tomllib.loads(SIZE.read_text(encoding="utf-8"))[figure], measured()[figure]
    assert found <= most, f"{figure} rose from {most:,} to {found:,}: delete what the change replaces"
