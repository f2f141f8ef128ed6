"""``python -m fuzz [--seconds 60] [--seed 1]``, or ``python -m fuzz FAMILY NUMBER`` to repeat one case."""

from __future__ import annotations

import argparse
import itertools
import sys
import time
import warnings
from typing import TYPE_CHECKING

from fuzz import commands, counts, delong, exact, flips, hostile, orders
from rocsteady import RocsteadyWarning

if TYPE_CHECKING:
    from collections.abc import Callable

FAMILIES: dict[str, Callable[[int], str | None]] = {
    "exact": exact.check,
    "delong": delong.check,
    "hostile": hostile.check,
    "commands": commands.check,
    "orders": orders.check,
    "counts": counts.check,
    "flips": flips.check,
}
SPREAD = 10**9  # cases of one seed


def case(family: str, number: int) -> str | None:
    """One case, and how to see it again where it fails."""
    try:
        wrong = FAMILIES[family](number)
    except Exception as error:  # a check that breaks is a finding too
        wrong = f"{type(error).__name__}: {error}"
    return None if wrong is None else f"python -m fuzz {family} {number}  # {wrong[:400]}"


def main() -> int:
    """Run for the time given, family after family; the number of failures is limited to what one can read."""
    asked = argparse.ArgumentParser(prog="python -m fuzz")
    asked.add_argument("family", nargs="?", choices=FAMILIES)
    asked.add_argument("number", nargs="?", type=int)
    asked.add_argument("--seconds", type=float, default=60)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    if given.number is not None:
        wrong = case(given.family, given.number)
        print(wrong or "nothing wrong")
        return int(wrong is not None)
    chosen = [given.family] if given.family else list(FAMILIES)
    warnings.simplefilter("ignore", RocsteadyWarning)
    end, done, failed = time.monotonic() + given.seconds, 0, 0
    for number in itertools.count(given.seed * SPREAD):
        for family in chosen:
            done += 1
            if wrong := case(family, number):
                failed += 1
                print(wrong, flush=True)
        if time.monotonic() > end or failed >= 100:
            break
    print(f"{done} cases, {failed} failures (seed {given.seed})")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
