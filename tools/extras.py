"""Each extra by itself: a fresh environment, the wheel with that extra, and ``smoke.py`` in it. ``make extras``.

``python -m tools.extras DIST FOLDER [EXTRA ...]`` tries all of them, or those named; ``none`` is the wheel alone,
with which the tests of ``tests/without_extras.txt`` run too: none of these needs an extra.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tools.about import project
from tools.environments import ROOT, Environment, listed, wheel_in

SMOKE = Path(__file__).parent / "smoke.py"
WITHOUT_EXTRAS = ROOT / "tests" / "without_extras.txt"
RUNNERS = ("pytest>=8.3", "pytest-xdist>=3.6.1", "hypothesis>=6.140", "mpmath>=1.3")
OF_DEVELOPERS = ("dev", "docs", "release")


def names() -> list[str]:
    """The wheel alone, and every extra that users may ask for."""
    extras = project()["project"]["optional-dependencies"]
    return ["none", *(name for name in extras if name not in OF_DEVELOPERS)]


def main(dist: Path, folder: Path, chosen: list[str]) -> None:
    """Try them one after another."""
    wheel = wheel_in(dist)
    for name in chosen or names():
        environment = Environment.fresh(folder / name)
        environment.install(str(wheel) if name == "none" else f"{wheel}[{name}]")
        print(environment.run("python", "-I", str(SMOKE), name, cwd=folder).strip(), flush=True)
        if name == "none":
            print(tests_alone(environment), flush=True)


def tests_alone(environment: Environment) -> str:
    """What needs no extra is tested with none of them there."""
    environment.install(*RUNNERS)
    return (
        environment.run("python", "-m", "pytest", "-n", "auto", *listed(WITHOUT_EXTRAS), cwd=ROOT)
        .strip()
        .splitlines()[-1]
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
