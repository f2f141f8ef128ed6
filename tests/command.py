"""The command line, run inside the process of the tests (a start of Python costs most of a second), or for real."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tempfile
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import pytest

from rocsteady.__main__ import main

ONE_BY_ONE = """
import json, os, runpy, sys
import rocsteady._src.views.cli.app
folder, calls = sys.argv[1], json.loads(sys.argv[2])
codes = []
for place, arguments in enumerate(calls):
    if (child := os.fork()) == 0:
        for stream, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(os.path.join(folder, f"{place}.{name}"), os.O_WRONLY | os.O_CREAT), stream)
        sys.argv = ["rocsteady", *arguments]
        runpy.run_module("rocsteady", run_name="__main__", alter_sys=True)
        sys.exit(0)
    codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(json.dumps(codes))
"""
"""Starts a process for each command, which has what the first of them has loaded: to load it takes a second."""


@dataclass(frozen=True)
class Ended:
    """How a command ended, with the names that subprocess gives."""

    returncode: int
    stdout: str
    stderr: str


def rocsteady(*arguments: str, stdin: str | bytes = b"", cwd: Path | None = None) -> Ended:
    """Run a command as its entry point does, with streams of its own that are no terminal."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    streams = {name: io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for name in ("stdout", "stderr")}
    given = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
    argv = ["rocsteady", *arguments]
    with chdir(cwd or Path.cwd()), patch.multiple(sys, argv=argv, stdin=given, **streams):
        with pytest.raises(SystemExit) as ended:
            main()
        for stream in streams.values():
            stream.flush()
    out, err = (stream.buffer.getvalue().decode() for stream in streams.values())
    return Ended(int(ended.value.code or 0), out, err)


def started(*arguments: str, stdin: str | bytes = b"", cwd: Path | None = None) -> Ended:
    """Run a command in a process of its own, as a shell does."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    call = [sys.executable, "-m", "rocsteady", *arguments]
    done = subprocess.run(call, input=data, capture_output=True, cwd=cwd, check=False)
    return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())


def started_together(*calls: tuple[str, ...]) -> list[Ended]:
    """Run each command in a process of its own, one after another, where what is loaded is loaded once."""
    if not hasattr(os, "fork"):
        return [started(*arguments) for arguments in calls]
    with tempfile.TemporaryDirectory() as folder:
        call = [sys.executable, "-c", ONE_BY_ONE, folder, json.dumps(calls)]
        done = subprocess.run(call, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
        codes = json.loads(done.stdout)
        told = [
            [(Path(folder) / f"{place}.{name}").read_text() for name in ("out", "err")] for place in range(len(calls))
        ]
    return [Ended(code, *streams) for code, streams in zip(codes, told, strict=True)]
