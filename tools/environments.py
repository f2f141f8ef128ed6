"""Fresh environments for the checks of the package: made, filled from a wheel, and asked."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
BIN = "Scripts" if os.name == "nt" else "bin"


class CheckError(Exception):
    """A check did not hold; the message says which, and what the command said."""


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment in a folder of its own."""

    folder: Path

    @classmethod
    def fresh(cls, folder: Path, python: str = sys.executable) -> Environment:
        """Make an empty one with an interpreter; its commands are found from every folder."""
        folder = folder.absolute()
        run([python, "-m", "venv", "--clear", str(folder)])
        return cls(folder)

    def install(self, *what: str, wheels: Path | None = None) -> None:
        """Install with pip; ``wheels`` is a folder that holds ours."""
        found = ["--find-links", str(wheels)] if wheels else []
        self.run("python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *found, *what)

    def run(self, command: str, *words: str, cwd: Path | None = None) -> str:
        """What a command of this environment prints; one that fails ends the check."""
        return run([str(self.folder / BIN / command), *words], cwd=cwd, path=self.folder / BIN)


def run(words: list[str], *, cwd: Path | None = None, path: Path | None = None) -> str:
    """What a command prints; Python is told nothing of this copy, so that what is installed is what is used."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    kept["PATH"] = os.pathsep.join(filter(None, [str(path) if path else "", kept.get("PATH", "")]))
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=cwd, env=kept)
    if done.returncode:
        told = f"{done.stdout[-4000:]}{done.stderr[-4000:]}"
        raise CheckError(f"{' '.join(words)} ended with {done.returncode}:\n{told}")
    return done.stdout


def wheel_in(folder: Path) -> Path:
    """The one wheel of a folder."""
    (found,) = folder.glob("*.whl")
    return found.resolve()


def listed(path: Path) -> list[str]:
    """The lines of a file, without remarks."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]
