"""Output files are whole or absent: whatever fails, and whenever, the old file stays as it was."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rocsteady import atomic
from rocsteady.atomic import whole_file, write_whole
from rocsteady.errors import InputError


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def write_half(target: Path, trouble: type[BaseException]) -> None:
    with whole_file(target, force=True) as temporary:
        temporary.write_text("half")
        raise trouble


def test_writes_and_leaves_nothing_else(tmp_path: Path) -> None:
    write_whole(tmp_path / "a.txt", "new")
    assert (tmp_path / "a.txt").read_text() == "new"
    assert names(tmp_path) == ["a.txt"]


def test_respects_the_umask(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        write_whole(tmp_path / "a.txt", "new")
    finally:
        os.umask(old)
    assert (tmp_path / "a.txt").stat().st_mode & 0o777 == 0o640


def test_refuses_to_replace_and_absent_folders(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("old")
    with pytest.raises(InputError, match="--force") as told:
        write_whole(tmp_path / "a.txt", "new")
    assert told.value.code == "file_exists"
    with pytest.raises(InputError, match="no folder"):
        write_whole(tmp_path / "none" / "a.txt", "new")


@pytest.mark.parametrize("step", ["_flush", "_umask"])
def test_a_failure_at_any_step_keeps_the_old_file(tmp_path: Path, monkeypatch, step: str) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    target = tmp_path / "a.txt"
    target.write_text("old")
    monkeypatch.setattr(atomic, step, fail)
    with pytest.raises(OSError, match="No space"):
        write_whole(target, "new", force=True)
    assert target.read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


def test_an_error_or_interrupt_while_writing_keeps_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("old")
    for trouble in (KeyboardInterrupt, ValueError):
        with pytest.raises(trouble):
            write_half(target, trouble)
        assert target.read_text() == "old"
        assert names(tmp_path) == ["a.txt"]


def test_a_killed_process_keeps_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("old")
    code = (
        "import sys, time\nfrom pathlib import Path\nfrom rocsteady.atomic import whole_file\n"
        "with whole_file(Path(sys.argv[1]), force=True) as t:\n"
        "    t.write_text('half'); print('writing', flush=True); time.sleep(60)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", code, str(target)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.readline().strip() == b"writing"
    time.sleep(0.05)
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    assert target.read_text() == "old"
