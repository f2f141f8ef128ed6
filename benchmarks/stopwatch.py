"""Ratios measured in one run: the best of several alternating tries, so that both sides see the same machine."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def best_times(*tasks: Callable[[], object], rounds: int) -> list[float]:
    """Least time of each task; the tasks take turns."""
    best = [float("inf")] * len(tasks)
    for _ in range(rounds):
        for place, task in enumerate(tasks):
            start = time.perf_counter()
            task()
            best[place] = min(best[place], time.perf_counter() - start)
    return best


@dataclass
class Scoreboard:
    """Prints each ratio beside its bar and remembers which bars were not reached."""

    missed: list[str] = field(default_factory=list)

    def at_most(self, what: str, value: float, bar: float, unit: str = "x") -> None:
        """Print a cost that should stay below a bar."""
        self._print(what, value, f"at most {bar:g}{unit}", unit, reached=value <= bar)

    def at_least(self, what: str, value: float, bar: float, unit: str = "x") -> None:
        """Print a gain that should be above a bar."""
        self._print(what, value, f"at least {bar:g}{unit}", unit, reached=value >= bar)

    def _print(self, what: str, value: float, bar: str, unit: str, *, reached: bool) -> None:
        line = f"{what:<66} {value:8.2f}{unit}  ({bar})"
        print(line if reached else line + "  <-- not reached", flush=True)
        if not reached:
            self.missed.append(line)
