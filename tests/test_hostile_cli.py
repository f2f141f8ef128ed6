"""Whatever is typed or read, a command ends with a sentence and exit code 2; a fault of ours says that it is one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from rocsteady._src.views.cli import app as commands
from rocsteady._src.views.cli.ending import OUR_FAULT

ROWS = "y,a,b\n1,0.9,0.5\n0,0.1,0.4\n1,0.7,0.3\n0,0.3,0.2\n1,0.2,0.9\n0,0.6,0.1\n"
ESCAPE = "\x1b[31m\u202e"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.csv").write_text(ROWS)
    return tmp_path


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Run a command in this process: its exit code, what it printed, and what it said on the side."""

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["rocsteady", *arguments])
        with pytest.raises(SystemExit) as ended:
            commands.run()
        told = capsys.readouterr()
        return int(ended.value.code or 0), told.out, told.err

    return run


def of_scores(*more: str, file: str = "s.csv") -> tuple[str, ...]:
    return ("evaluate", file, "--label", "y", "--score", "a", "--measure", "auc", "--no-intervals", *more)


@pytest.mark.parametrize(
    "arguments",
    [
        of_scores("--memory", "infGB"),
        of_scores("--memory", "1e999GB"),
        of_scores("--measure", "f_beta(beta='a')", "--threshold", "0.5"),
        of_scores("--measure", "f_beta(beta=1j)", "--threshold", "0.5"),
        of_scores("--measure", "f_beta(beta=" + "(" * 5000 + ")" * 5001),
        of_scores("--measure", "f_beta(beta=" + "-" * 400 + "1)"),
        of_scores("--measure", "partial_auc(fpr_range={1: 2})"),
        of_scores("--measure", "lambda_auc(delta=[1])"),
        of_scores("--threshold", "\udcff"),
        of_scores("--output", "no/such/folder.txt"),
        of_scores("--output", "."),
        of_scores(file="n\udcff.csv"),
        of_scores(file="**/*.csv"),
        of_scores(file="x" * 5000),
        of_scores(file="tiny.csv"),
        of_scores(file="tiny.jsonl"),
        of_scores(file="huge.jsonl"),
        of_scores(file="half.csv.gz"),
        ("evaluate", "s.csv", "--label", "y", "--score", "a", "--seed", "-1"),
        ("evaluate", "s.csv", "--label", "\udcff", "--score", "a"),
        ("evaluate", "s.csv", "--label", "y", "--score", "a", "--resamples", "-5"),
        ("evaluate", "s.csv", "--label", "y", "--score", "a", "--level", "nan"),
        ("compare", "s.csv", "--label", "y", "--score", "a", "--score", "b", "--cutoffs", "nan"),
        ("thresholds", "s.csv", "--label", "y", "--score", "a", "--beta", "nan"),
        ("report", "s.csv", "--label", "y", "--score", "a", "--output", "/proc/none.html"),
        ("lab", "no\udcff", "--measure", "auc"),
    ],
    ids=lambda arguments: " ".join(arguments)[:60].encode("ascii", "replace").decode(),
)
def test_what_is_typed_or_read_ends_with_a_sentence_and_2(here: Path, command: Any, arguments: tuple[str, ...]) -> None:
    (here / os.fsdecode(b"n\xff.csv")).write_text(ROWS)
    (here / "tiny.csv").write_text("y,a\n1,1e-999\n0,0\n1,-1e999\n")
    (here / "tiny.jsonl").write_text('{"y": 1, "a": 1e-999}\n{"y": 0, "a": 0.0}\n')
    (here / "huge.jsonl").write_text('{"y": 1, "a": 1e999}\n{"y": 0, "a": 0.0}\n')
    (here / "half.csv.gz").write_bytes(b"\x1f\x8b\x08\x00half")
    code, _, told = command(*arguments)
    assert (code, "Traceback" in told) == (2, False), told
    assert "rocsteady" in told or "Usage" in told


def test_numbers_that_doubles_cannot_hold_are_not_read_as_zero(here: Path, command: Any) -> None:
    (here / "tiny.csv").write_text("y,a\n1,1e-999\n0,0e-999\n1,-1e999\n0,inf\n")
    told = command(*of_scores(file="tiny.csv"))[2]
    assert "'1e-999' in row 1, '-1e999' in row 3 (row 1 follows the header)" in told
    (here / "tiny.jsonl").write_text('{"y": 1, "a": 0.0}\n{"y": 0, "a": 1e-999}\n')
    assert "1 too near to 0 for a double, row 2: 1e-999" in command(*of_scores(file="tiny.jsonl"))[2]


def test_labels_that_doubles_cannot_hold_stay_apart(here: Path, command: Any) -> None:
    (here / "l.csv").write_text("y,a\n1e-999,2\n0,1\n")
    code, told, _ = command(*of_scores("--pos-label", "1e-999", file="l.csv"))
    assert (code, "1 positive, 1 negative" in told) == (0, True)


def test_only_our_fault_shows_a_trace_and_says_where_to_send_it(
    here: Path, command: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError(ESCAPE)

    monkeypatch.setattr(commands, "judge", fail)
    code, _, told = command(*of_scores())
    assert code == OUR_FAULT == 70
    assert "Traceback" in told
    assert "a fault of rocsteady" in told.splitlines()[-1]
    assert "issue tracker" in told
    assert "\x1b" not in told


@pytest.mark.parametrize("form", ["text", "json", "csv", "markdown"])
def test_output_cannot_steer_a_terminal(here: Path, command: Any, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    name = f"m{ESCAPE}"
    (here / "e.csv").write_text(ROWS.replace("a,b", f"{name},b"))
    arguments = ("evaluate", "e.csv", "--label", "y", "--score", name, "--measure", "auc", "--no-intervals")
    code, told, _ = command(*arguments, "--format", form)
    assert code == 0
    if form == "csv":  # data stay as they are in a file or pipe
        assert name in told
        monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True)
        told = command(*arguments, "--format", form)[1]
    assert "\x1b" not in told
    assert "\u202e" not in told
    if form == "json":
        assert name in _texts(json.loads(told))


def _texts(value: object) -> set[object]:
    """Every text in a JSON value, keys too."""
    if isinstance(value, dict):
        return set(value).union(*map(_texts, value.values()))
    return set().union(*map(_texts, value)) if isinstance(value, list) else {value}


def test_a_suggested_command_is_safe_to_paste(here: Path, command: Any) -> None:
    (here / "x; $(touch ran).csv").write_bytes("y,ä\n1,2\n".encode("latin-1"))
    told = command(*of_scores(file="x; $(touch ran).csv"))[2]
    assert "iconv -f LATIN1 -t UTF-8 'x; $(touch ran).csv' > 'utf8-x; $(touch ran).csv'" in told


def test_a_pipe_is_written_through_and_stays_a_pipe(here: Path, command: Any) -> None:
    os.mkfifo(here / "pipe.csv")
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append((here / "pipe.csv").read_text()))
    reader.start()
    code, _, told = command(*of_scores("--format", "csv", "--output", "pipe.csv"))
    reader.join()
    assert (code, told) == (0, "")
    assert read[0].startswith("model,")
    assert (here / "pipe.csv").is_fifo()


SHELL = [
    (">&-", "", 74, "standard output is closed"),
    (">/dev/full", "", 74, "No space left"),
    ("<&-", "-", 2, "standard input is closed"),
]


@pytest.mark.skipif(os.name != "posix", reason="redirections of a shell")
@pytest.mark.parametrize(("redirection", "file", "code", "words"), SHELL)
def test_closed_and_full_streams(here: Path, redirection: str, file: str, code: int, words: str) -> None:
    call = f"{sys.executable} -m rocsteady {' '.join(of_scores(file=file or 's.csv'))} {redirection}"
    ended = subprocess.run(["sh", "-c", call], capture_output=True, text=True, check=False)
    assert ended.returncode == code
    assert words in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.skipif(os.name != "posix", reason="a pipe of a shell")
@pytest.mark.parametrize("words", ["measures", "--help", "--version", " ".join(of_scores())])
def test_a_reader_that_has_gone_is_no_decision(here: Path, words: str) -> None:
    read, write = os.pipe()
    os.close(read)
    call = [sys.executable, "-m", "rocsteady", *words.split()]
    ended = subprocess.run(call, stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    assert (ended.returncode, ended.stderr) == (74, "")


def test_a_terminal_without_the_characters_gets_escapes(here: Path) -> None:
    (here / "ä.csv").write_text(ROWS.replace("a,b", "ä,b"))
    call = [sys.executable, "-m", "rocsteady", "evaluate", "ä.csv", "--label", "y", "--score", "ä", "--measure", "auc"]
    plain = {**os.environ, "PYTHONIOENCODING": "ascii", "LANG": "C", "LC_ALL": "C"}
    ended = subprocess.run(call, capture_output=True, check=False, env=plain)
    assert ended.returncode == 0, ended.stderr
    assert b"\\xe4" in ended.stdout


@pytest.mark.parametrize("ending", ["html", "md", "json"])
def test_a_title_that_is_no_text(here: Path, command: Any, ending: str) -> None:
    arguments = ("report", "s.csv", "--label", "y", "--score", "a", "--title", "\udcff\x1b", "-o", f"t.{ending}")
    assert command(*arguments)[0] == 0
    told = (here / f"t.{ending}").read_text()
    assert ("\N{REPLACEMENT CHARACTER}" if ending == "md" else "\\udcff") in told
