"""The command line, run inside the process of the tests (a start of Python costs most of a second), or for real."""

from __future__ import annotations

import io
import subprocess
import sys
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import pytest

from rocsteady.__main__ import main


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
