"""Tests that are skipped are told of: how many, why, and the command that enables them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SKIPS = """
import pytest
from pathlib import Path

@pytest.mark.parametrize("case", range(3))
def test_page(case):
    text = "no browser: 'apt-get install chromium-headless-shell' (Debian) or 'chromium' (Ubuntu too) installs one"
    pytest.skip(text)

@pytest.mark.skipif(True, reason="Dask is absent: pip install 'rocsteady[dask]'")
def test_dask():
    pass

def test_module():
    pytest.importorskip("no_such_module")

def test_clone():
    pytest.importorskip("benchmarks.no_such_script")

@pytest.mark.skipif(True, reason="signals of Unix")
def test_unix():
    pass

def test_that_runs():
    pass
"""
TOLD = [
    "3 skipped: no browser -> apt-get install chromium-headless-shell",
    "1 skipped: Dask is absent -> pip install 'rocsteady[dask]'",
    "1 skipped: could not import 'benchmarks.no_such_script' -> run the tests in a clone",
    "1 skipped: could not import 'no_such_module' -> make setup",
    "1 skipped: signals of Unix -> no command; it depends on this machine",
]


@pytest.mark.parametrize("processes", [(), ("-n", "2")], ids=["one", "xdist"])
def test_each_reason_is_told_with_its_command(processes: tuple[str, ...], tmp_path: Path) -> None:
    shutil.copy(ROOT / "conftest.py", tmp_path)
    (tmp_path / "test_some.py").write_text(SKIPS)
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), *processes]
    shown = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert shown.returncode == 0, shown.stdout + shown.stderr
    *_, last = lines = shown.stdout.strip().splitlines()
    assert last.startswith("1 passed, 7 skipped")
    assert sorted(lines[-6:-1]) == sorted(TOLD)
    assert lines[-6] == TOLD[0]  # the most frequent one first


def test_nothing_is_told_where_nothing_is_skipped(tmp_path: Path) -> None:
    shutil.copy(ROOT / "conftest.py", tmp_path)
    (tmp_path / "test_some.py").write_text("def test_that_runs():\n    pass\n")
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path)]
    shown = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert "skipped" not in shown.stdout
