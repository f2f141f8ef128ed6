"""From nothing to the verdict: a new environment, the wheel with its extra, the server, a browser that is driven.

``python -m benchmarks.serve_minute WHEEL`` prints how long each part took, and how long after the question the verdict
on 2,000 rows came.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from typing import Any

import numpy as np

TURNS = 5


def rows(path: Path, n: int = 2000) -> Path:
    """Two models of risk."""
    draw = np.random.default_rng(1)
    y = (draw.random(n) < 0.3).astype(int)
    old, new = (1 / (1 + np.exp(1 - draw.normal(size=n) - shift * y)) for shift in (1.0, 1.4))
    table = np.column_stack([y, old, new])
    np.savetxt(path, table, fmt=["%d", "%.6f", "%.6f"], delimiter=",", header="died,old,new", comments="")
    return path


def asked(page: Any, path: Path) -> float:
    """Seconds from the question to the verdict."""
    page.wait_for_selector("#choose")
    page.set_input_files("#choose", str(path))
    page.wait_for_selector("#confirm:enabled")
    page.click("#confirm")
    page.wait_for_selector("#decide")
    start = time.perf_counter()
    page.click("#decide")
    page.wait_for_selector("#verdict .verdict", state="attached")
    return time.perf_counter() - start


def main(wheel: str) -> None:
    """Install, serve, drive."""
    from playwright.sync_api import sync_playwright

    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        home, path = Path(folder) / "env", rows(Path(folder) / "mine.csv")
        venv.create(home, with_pip=True)
        start = time.perf_counter()
        package = f"rocsteady[serve] @ {Path(wheel).absolute().as_uri()}"
        subprocess.run([home / "bin" / "pip", "install", "-q", package], check=True, env=environment)
        installed = time.perf_counter() - start
        page = play.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"]).new_page()
        start = time.perf_counter()
        command = [home / "bin" / "rocsteady", "serve", "--no-browser"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
            assert server.stdout is not None  # noqa: S101 - a pipe
            address = re.search(r"http\S+", server.stdout.readline())
            assert address is not None  # noqa: S101 - its first line
            page.goto(address[0])
            first = asked(page, path)
            served = time.perf_counter() - start
            print(
                f"pip install {installed:.1f} s, verdict {served:.1f} s after the command: {installed + served:.1f} s"
            )
            print(f"verdict {first:.2f} s after the question")
            for _ in range(TURNS - 1):
                page.wait_for_selector("#main[data-done=yes]")
                page.goto("about:blank")
                page.goto(address[0])
                print(f"verdict {asked(page, path):.2f} s after the question")
            server.terminate()


if __name__ == "__main__":
    main(sys.argv[1])
