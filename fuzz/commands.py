"""Command lines of random words: an answer, or a sentence and exit code 2; never a trace."""

from __future__ import annotations

import contextlib
import io
import random
import sys
import tempfile
from functools import cache
from pathlib import Path

from fuzz.values import LABELS, SCORES

COMMANDS = ("evaluate", "compare", "thresholds", "measures", "lab", "select", "nonsense", "")
OPTIONS = (
    "--label", "--score", "--weight", "--id", "--measure", "--threshold", "--no-intervals", "--level", "--seed",
    "--cluster", "--by", "--fold", "--classes", "--pos-label", "--missing", "--delimiter", "--memory", "--sketch",
    "--range", "--width", "--format", "--baseline", "--cutoffs", "--rule", "--value", "--beta", "--prevalence",
    "--family", "--sweep", "--nonsense",
)  # fmt: skip
WORDS = (
    "y", "a", "b", "g", "", " ", "-", "--", "0", "1", "-1", "nan", "inf", "-inf", "1e999", "1e-999", "0.5", "1j",
    "True", "None", "\x00", "\x1b[31m", "\u202e", "\udcff", "ä", "a,b", "0,1", "nan,inf", "raise", "drop", "json",
    "csv", "text", "auc", "family:threshold", "f_beta(beta='a')", "f_beta(beta=1j)", "auc()", "auc(", ")",
    "partial_auc(fpr_range=(0,))",
    "lambda_auc(delta=-1)", "__import__('os')", "youden", "sensitivity(value=2)", "0.1GB", "infGB", "GB", "99999999TB",
    "'; DROP TABLE rows; --", '"', "*", "**", "~", "/", "/dev/null", "../..", "x" * 300,
)  # fmt: skip


@cache
def _file() -> str:
    """A score file that stays until the process ends."""
    folder = tempfile.mkdtemp(prefix="rocsteady-fuzz-")
    path = Path(folder) / "scores.csv"
    lines = [f"{y},{s},{1 - s},{row % 3}" for row, (y, s) in enumerate(zip(LABELS, SCORES, strict=True))]
    path.write_text("\n".join(["y,a,b,g", *lines, ""]))
    return str(path)


def check(number: int) -> str | None:
    """What is wrong with one command line."""
    arguments = _drawn(random.Random(number))
    code, told = run(arguments)
    if code in (0, 1, 2) and "Traceback" not in told:
        return None
    return f"rocsteady {arguments!r}: exit code {code}: {told.strip().splitlines()[-2:]}"


def _drawn(rng: random.Random) -> list[str]:
    command = rng.choice(COMMANDS)
    if command == "select":
        return [command, rng.choice(WORDS), "--splits", rng.choice(("0", "-1", "a"))]
    sound = [_file(), "--label", "y", "--score", "a"] if command in COMMANDS[:3] and rng.random() < 0.8 else []
    sound += ["--no-intervals"] if sound and command == "evaluate" and rng.random() < 0.9 else []
    odd = [rng.choice(OPTIONS if rng.random() < 0.5 else WORDS) for _ in range(rng.randint(0, 5))]
    return [command, *sound, *odd]


def run(arguments: list[str]) -> tuple[int, str]:
    """Run a command in this process; its exit code and what it said on the side."""
    from rocsteady._src.views.cli.app import run as command

    before, told = sys.argv, io.StringIO()
    sys.argv = ["rocsteady", *arguments]
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(told):
            command()
    except SystemExit as ended:
        return int(ended.code or 0) if not isinstance(ended.code, str) else 1, told.getvalue()
    finally:
        sys.argv = before
    return 0, told.getvalue()
