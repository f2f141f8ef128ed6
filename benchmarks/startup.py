"""Time to import, to show the help of the command line, and to a first answer of a thousand rows in a new process.

Against ``import numpy``; the first answer against ``import numpy, scipy.special``, without which it has no intervals.
"""

from __future__ import annotations

import subprocess
import sys

from benchmarks.stopwatch import Scoreboard, best_times

NUMPY_SHARE, FIXED_MS, ROUNDS = 1.5, 60, 12
ANSWER_RATIO, ANSWER_MS = 3.0, 1000
ANSWER = """
import numpy as np
rng = np.random.default_rng(0)
y = rng.integers(0, 2, 1000)
s = rng.normal(size=1000) + y
import rocsteady as rs
print(rs.evaluate(y, s, intervals={intervals}))
"""


def main() -> list[str]:
    print("\nstart-up")
    board = Scoreboard()
    bare, numpy, ours, help_text, special, answer, surer = best_times(
        lambda: _python("-c", "pass"),
        lambda: _python("-c", "import numpy"),
        lambda: _python("-c", "import rocsteady"),
        lambda: _python("-m", "rocsteady", "--help"),
        lambda: _python("-c", "import numpy, scipy.special"),
        lambda: _python("-c", ANSWER.format(intervals=False)),
        lambda: _python("-c", ANSWER.format(intervals=True)),
        rounds=ROUNDS,
    )
    allowed = NUMPY_SHARE * (numpy - bare) + FIXED_MS / 1000
    print(f"import numpy: {1000 * (numpy - bare):.0f} ms beyond starting Python")
    board.at_most("import rocsteady, ms", 1000 * (ours - bare), round(1000 * allowed), " ms")
    board.at_most("rocsteady --help, ms", 1000 * (help_text - bare), round(2000 * allowed), " ms")
    print(f"import numpy, scipy.special: {1000 * special:.0f} ms; first answer {1000 * answer:.0f} ms")
    board.at_most("first answer with intervals / import of numpy and scipy.special", surer / special, ANSWER_RATIO)
    board.at_most("first answer with intervals, ms", 1000 * surer, ANSWER_MS, " ms")
    return board.missed


def _python(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
