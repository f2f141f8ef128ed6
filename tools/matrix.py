"""The wheel under other interpreters: the README's commands after installing, then the quick tests.

``python -m tools.matrix DIST FOLDER PYTHON ...``; ``make matrix PYTHONS="python3.12 python3.13"``.
"""

from __future__ import annotations

import re
import shlex
import shutil
import sys
import tarfile
from pathlib import Path

from tools.environments import ROOT, Environment, listed, run, wheel_in

QUICK = ROOT / "tests" / "quick.txt"


def first_commands(readme: str) -> list[list[str]]:
    """The commands of the README's first block: a clone, the demo, the tests. Remarks behind them are left out."""
    return _block(readme, "git clone")


def install_commands(readme: str) -> list[list[str]]:
    """The commands of the block that installs, and what is tried after it."""
    return _block(readme, "pip install")


def _block(readme: str, begins: str) -> list[list[str]]:
    """The commands of the block that begins so, cut into words; ``&&`` divides two of a line."""
    block = re.search(rf"^```\n({begins}.*?)^```", readme, re.DOTALL | re.MULTILINE)[1]  # type: ignore[index]
    lines = [part for line in block.splitlines() for part in line.split(" && ")]
    return [shlex.split(line, comments=True) for line in lines]


def try_readme(environment: Environment, dist: Path, folder: Path) -> None:
    """Run those that install in an empty folder; ``pip install`` takes the wheel in place of the clone."""
    folder.mkdir(parents=True, exist_ok=True)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for command, *words in install_commands(readme):
        if command == "pip":
            environment.install(*(f"{wheel_in(dist)}{word.removeprefix('.')}" for word in words[1:]))
        else:
            print(environment.run(command, *words, cwd=folder), flush=True)


def try_tests(environment: Environment, dist: Path, folder: Path) -> None:
    """The quick tests of the unpacked sdist, against the wheel that is installed."""
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as packed:
        packed.extractall(folder, filter="data")
    source = folder / sdist.name.removesuffix(".tar.gz")
    environment.install(f"{wheel_in(dist)}[dev]")
    print(environment.run("python", "-m", "pytest", "-n", "auto", *quick_files(), cwd=source), flush=True)


def quick_files() -> list[str]:
    """The files of ``make quick``."""
    return listed(QUICK)


def main(dist: Path, folder: Path, pythons: list[str]) -> None:
    """Try every interpreter; one that is not there is an error."""
    for python in pythons:
        called = run([python, "-c", "import sys; print('%d.%d.%d' % sys.version_info[:3])"]).strip()
        environment = Environment.fresh(folder / called, python)
        for left in ("empty", "sdist"):  # by a run before
            shutil.rmtree(folder / f"{called}-{left}", ignore_errors=True)
        print(f"== Python {called}: the README's commands", flush=True)
        try_readme(environment, dist, folder / f"{called}-empty")
        print(f"== Python {called}: the quick tests in the sdist", flush=True)
        try_tests(environment, dist, folder / f"{called}-sdist")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), sys.argv[3:])
