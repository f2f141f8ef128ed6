"""Time to import, and to show the help of the command line, against ``import numpy``."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.stopwatch import Scoreboard, best_times

NUMPY_SHARE, FIXED_MS, ROUNDS = 1.5, 60, 12


def main() -> list[str]:
    print("\nstart-up")
    board = Scoreboard()
    bare, numpy, ours, help_text = best_times(
        lambda: _python("-c", "pass"),
        lambda: _python("-c", "import numpy"),
        lambda: _python("-c", "import rocsteady"),
        lambda: _python("-m", "rocsteady", "--help"),
        rounds=ROUNDS,
    )
    allowed = NUMPY_SHARE * (numpy - bare) + FIXED_MS / 1000
    print(f"import numpy: {1000 * (numpy - bare):.0f} ms beyond starting Python")
    board.at_most("import rocsteady, ms", 1000 * (ours - bare), round(1000 * allowed), " ms")
    board.at_most("rocsteady --help, ms", 1000 * (help_text - bare), round(2000 * allowed), " ms")
    return board.missed


def _python(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
