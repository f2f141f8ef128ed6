"""Limits that a command is given: it keeps within them, or says what it takes; and what it leaves behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import rocsteady as rs
from rocsteady._src.inputs.files.scratch_folders import OWNER, private_folder, remove_abandoned
from rocsteady._src.views.cli import memory as room
from rocsteady._src.views.cli import signals
from rocsteady._src.views.cli.app import app, run
from rocsteady._src.views.cli.memory import MB, Room
from rocsteady._src.views.cli.sketching import UNMET
from rocsteady.errors import ArgumentError, InputError
from rocsteady.scale import Sketch, sketch_table

MODELS = ("--label", "y", "--score", "a")


@pytest.fixture
def file(tmp_path: Path) -> str:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 5000)
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"y": y, "a": y + rng.normal(size=5000)}), path)
    return str(path)


def call(*words: str) -> Any:
    return CliRunner().invoke(app, list(words))


class TestWidth:
    """A width that could not be met ended with exit code 0, without a word."""

    def wide(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("rocsteady._src.scale.sketch.CAPACITY", 10)
        monkeypatch.setattr("rocsteady._src.scale.sketch_table.CAPACITY", 10)
        monkeypatch.setattr(Room, "cells", lambda *_args, **_options: 70)

    def asked(self, file: str) -> tuple[str, ...]:
        return (file, *MODELS, "--sketch", "4", "--range", "-4,5", "--width", "1e-6")

    def test_it_is_said_and_has_an_exit_code(self, file: str, monkeypatch: pytest.MonkeyPatch) -> None:
        asked = ["evaluate", *self.asked(file), "--measure", "ks_statistic"]
        done = call(*asked)
        assert done.exit_code == 0
        narrow = [*asked, "--format", "json"]
        monkeypatch.setattr("rocsteady._src.views.cli.sketching.UNMET", UNMET)
        self.wide(monkeypatch)
        monkeypatch.setattr(
            "rocsteady.scale.sketch_table",
            lambda *args, **options: sketch_table(*args, **{**options, "capacity": 10}),
        )
        done = call(*narrow)
        assert done.exit_code == UNMET == 3
        assert "--width 1e-06 is not met: a is known to 0." in done.stderr
        assert "raise --memory" in done.stderr
        assert "1e-06 was asked for" in done.stdout

    def test_a_report_says_it_too(self, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wide(monkeypatch)
        monkeypatch.setattr(
            "rocsteady.scale.sketch_table",
            lambda *args, **options: sketch_table(*args, **{**options, "capacity": 10}),
        )
        target = tmp_path / "page.md"
        done = call("report", *self.asked(file), "-o", str(target))
        assert done.exit_code == UNMET
        assert "1e-06 was asked for" in target.read_text()

    def test_the_library_warns_in_the_result(self) -> None:
        rng = np.random.default_rng(3)
        y = rng.integers(0, 2, 3000)
        s = y + rng.normal(size=3000)
        coarse = Sketch(bits=4, capacity=10).update(y, s)
        assert not coarse.auc().warnings
        unmet = coarse.refine([(y, s)], width=1e-9, cells=50)
        assert any("1e-09 was asked for" in text for text in unmet.auc().warnings)
        assert any("was asked for" in text for text in unmet.measure("ks_statistic").warnings)
        assert not coarse.refine([(y, s)], width=1e-9).auc().warnings


class TestMemory:
    """Below 700 MB the limit was passed by the report and by sketches."""

    @pytest.mark.parametrize(
        ("words", "least"),
        [
            (("evaluate", "--memory", "100MB"), "400MB"),
            (("thresholds", "--memory", "399MB"), "400MB"),
            (("report", "--memory", "440MB"), "450MB"),
        ],
    )
    def test_too_little_is_refused_with_the_least_that_works(
        self, file: str, tmp_path: Path, words: tuple[str, ...], least: str
    ) -> None:
        more = ("-o", str(tmp_path / "x.html")) if words[0] == "report" else ()
        error = call(words[0], file, *MODELS, *words[1:], *more).exception
        assert isinstance(error, ArgumentError)
        assert f"--memory must be at least {least} here" in str(error)

    @pytest.mark.parametrize("more", [(), ("--width", "1e-6")])
    def test_what_a_sketch_takes_is_known_before(self, file: str, monkeypatch: pytest.MonkeyPatch, more: Any) -> None:
        monkeypatch.setattr("rocsteady._src.inputs.files.estimate_rows", lambda paths: 10**9)
        words = ("evaluate", file, *MODELS, "--sketch", "20", *more)
        error = call(*words, "--memory", "450MB").exception
        assert isinstance(error, ArgumentError)
        least = str(error).partition("at least ")[2].partition(" here")[0]
        assert "--sketch 20 of 1 models" in str(error)
        assert call(*words, "--memory", least).exit_code == 0
        assert call(*words, "--memory", f"{int(least[:-2]) - 10}MB").exception is not None

    def test_cells_fit_what_is_left(self) -> None:
        work = Room.of(2000 * MB, "evaluate").work
        for models in (1, 5):
            cells = Room.of(2000 * MB, "evaluate").cells(16, models, 10**9, refined=True)
            held = cells * (room.CELL_BYTES + models * room.HELD_BYTES) + models * room.BUCKET_BYTES * 2**16
            assert 0.9 * work < held + room.SKETCHING <= work


def test_the_library_names_its_own_options_only(file: str) -> None:
    import duckdb

    with pytest.raises(InputError, match="most_groups") as error:
        rs.scale.rank_table(duckdb.connect().read_parquet(file), label="y", score="a", most_groups=10)
    assert "--" not in str(error.value)


def test_a_query_that_a_signal_interrupts_is_no_fault(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """DuckDB answers a signal with a RuntimeError of its own, in place of the one that should end the process."""

    def query() -> None:
        raise RuntimeError("Query interrupted")

    def fault() -> None:
        raise RuntimeError("ours")

    with pytest.raises(SystemExit) as ended:
        signals.interruptible(query)
    assert ended.value.code == 130
    assert capsys.readouterr().err == "rocsteady: interrupted\n"
    with pytest.raises(RuntimeError, match="ours"):
        signals.interruptible(fault)
    monkeypatch.setattr(signals, "_received", [15])
    with pytest.raises(SystemExit) as ended:
        signals.interruptible(query)
    assert ended.value.code == 143


def test_a_command_within_a_process_leaves_its_signals_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The handlers are those of before, also after a signal has ended the command, and in another thread."""
    before = [signal.getsignal(each) for each in signals.ENDING]

    def command() -> None:
        assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
        signal.raise_signal(signal.SIGTERM)

    with pytest.raises(SystemExit) as ended, signals.ending_on_signals():
        command()
    assert ended.value.code == 143
    assert [signal.getsignal(each) for each in signals.ENDING] == before
    monkeypatch.setattr(sys, "argv", ["rocsteady", "--version"])
    codes = []

    def run_in_thread() -> None:
        with pytest.raises(SystemExit) as ended:
            run()
        codes.append(ended.value.code or 0)

    run_in_thread()
    thread = threading.Thread(target=run_in_thread)
    thread.start()
    thread.join()
    assert codes == [0, 0]
    assert [signal.getsignal(each) for each in signals.ENDING] == before
    assert signals._received == []


class TestFolders:
    @pytest.fixture(autouse=True)
    def _here(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def test_they_go_when_done_with(self, tmp_path: Path) -> None:
        with private_folder() as folder:
            (folder / "spill").mkdir()
            assert folder.parent == tmp_path
            assert folder.stat().st_mode & 0o077 == 0
            remove_abandoned()
            assert (folder / "spill").is_dir()
        assert not list(tmp_path.iterdir())

    @pytest.mark.skipif(sys.platform == "win32", reason="Windows has no flock")
    def test_those_of_the_dead_go_at_the_next_start(self, tmp_path: Path) -> None:
        code = (
            "import os, sys, tempfile\n"
            f"tempfile.tempdir = {str(tmp_path)!r}\n"
            "from rocsteady._src.inputs.files.scratch_folders import private_folder\n"
            "with private_folder() as folder:\n"
            "    (folder / 'spill').write_bytes(bytes(1000))\n"
            "    os.kill(os.getpid(), 9)\n"
        )
        subprocess.run([sys.executable, "-c", code], check=False)
        assert [each.name for each in tmp_path.glob("rocsteady-*/*")].count("spill") == 1
        others = tmp_path / "rocsteady-of-somebody"
        others.mkdir()
        (others / "notes").write_text("mine")
        linked = tmp_path / "rocsteady-link"
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        (elsewhere / OWNER).touch()
        linked.symlink_to(elsewhere)
        with private_folder():
            assert not list(tmp_path.glob("rocsteady-*/spill"))
        assert (others / "notes").exists()
        assert (elsewhere / OWNER).exists()

    @pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
    @pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
    def test_signals_leave_nothing_behind(self, tmp_path: Path, name: str) -> None:
        """SIGTERM left gigabytes of spill."""
        call = [sys.executable, "-m", "rocsteady", "evaluate", "-", "--label", "y", "--score", "a"]
        env = {**os.environ, "TMPDIR": str(tmp_path)}
        ignored = signal.signal(getattr(signal, name), signal.SIG_DFL)  # nohup hands down that SIGHUP is ignored
        try:
            started = subprocess.Popen(call, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
        finally:
            signal.signal(getattr(signal, name), ignored)
        with started as process:
            assert process.stdin is not None
            process.stdin.write(b"y,a\n" + b"1,0.5\n0,0.25\n" * 10_000)
            process.stdin.flush()
            for _ in range(600):
                if list(tmp_path.glob("rocsteady-*/standard-input*")):
                    break
                time.sleep(0.1)
            else:
                pytest.fail("the command did not begin")
            process.send_signal(getattr(signal, name))
            code = process.wait(60)
        assert code == 128 + getattr(signal, name)
        assert not list(tmp_path.iterdir())
