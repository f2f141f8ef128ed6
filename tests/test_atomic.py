"""Output files are whole or absent: whatever fails, and whenever, the old file stays as it was."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from rocsteady._src.base import atomic
from rocsteady._src.base.atomic import whole_file, write_whole
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
    with pytest.raises(InputError, match="force=True") as told:
        write_whole(tmp_path / "a.txt", "new")
    assert told.value.code == "file_exists"
    with pytest.raises(InputError, match="no folder"):
        write_whole(tmp_path / "none" / "a.txt", "new")


@pytest.mark.parametrize("step", ["_flush", "_mode"])
def test_a_failure_at_any_step_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
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
        "import sys, time\nfrom pathlib import Path\nfrom rocsteady._src.base.atomic import whole_file\n"
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


def test_a_replaced_file_keeps_its_mode(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("old")
    target.chmod(0o600)
    write_whole(target, "new", force=True)
    assert (target.read_text(), target.stat().st_mode & 0o777) == ("new", 0o600)


def test_a_link_stays_and_its_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    for name, old in (("there.txt", "old"), ("coming.txt", None)):
        target, link = tmp_path / "real" / name, tmp_path / name
        if old:
            target.write_text(old)
        link.symlink_to(target)
        write_whole(link, "new", force=True)
        assert link.is_symlink()
        assert target.read_text() == "new"
    assert names(tmp_path / "real") == ["coming.txt", "there.txt"]


def test_links_in_a_circle_and_folders_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(InputError, match="leads to itself"):
        write_whole(tmp_path / "a", "new", force=True)
    with pytest.raises(InputError, match="is a folder"):
        write_whole(tmp_path, "new", force=True)


def test_a_device_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    write_whole(Path("/dev/null"), "new")
    assert Path("/dev/null").is_char_device()
    code = "from rocsteady._src.base.atomic import *; write_whole(Path('/dev/stdout'), 'new')"
    shown = tmp_path / "shown.txt"
    with shown.open("wb") as out:
        out.write(b"old ")
        out.flush()
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True)
    assert "new" in shown.read_text()


def test_an_unwritable_folder_is_noticed_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)  # root may write almost anywhere
    with pytest.raises(InputError, match="nothing can be written into the folder") as told:
        atomic.refuse_existing(tmp_path / "a.txt", force=False)
    assert told.value.code == "folder_unwritable"


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no /proc")
def test_a_folder_that_takes_no_files_whatever_its_mode_is_noticed_too(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing can be written into the folder /proc;"):
        atomic.refuse_existing(Path("/proc/page.html"), force=False)
    atomic.refuse_existing(tmp_path / "page.html", force=False)
    assert not list(tmp_path.iterdir())
