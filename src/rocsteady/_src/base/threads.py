"""The same work on several columns at once: NumPy sorts and adds without holding the interpreter."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Item = TypeVar("Item")
    Result = TypeVar("Result")

MANY_ROWS = 50_000  # below, starting threads costs more than they save
MOST = 4
BLOCK = 1 << 15


def workers(n_jobs: int) -> int:
    """How many threads or processes a number of jobs means: below 0 the cores that we have, -2 all but one of them.

    Examples
    --------
    >>> workers(3), workers(-1) >= 1, workers(-1000)
    (3, True, 1)
    """
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return n_jobs if n_jobs > 0 else max(cores + 1 + n_jobs, 1)


def for_each(work: Callable[[Item], Result], items: Sequence[Item], *, n_rows: int) -> list[Result]:
    """Results in the order of the items, each of which has so many rows; threads change nothing but the time.

    Examples
    --------
    >>> for_each(abs, [-1, 2], n_rows=10**6)
    [1, 2]
    """
    n_threads = min(len(items), MOST, os.cpu_count() or 1)
    if n_rows < MANY_ROWS or n_threads < 2:
        return [work(item) for item in items]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(n_threads) as pool:
        return list(pool.map(work, items))


def for_blocks(work: Callable[[slice], None], size: int) -> None:
    """Work on neighbouring places, a block at a time that stays in the processor's cache; halves side by side.

    Examples
    --------
    >>> squares = [0] * 5
    >>> for_blocks(lambda at: squares.__setitem__(at, [place**2 for place in range(at.start, at.stop)]), 5)
    >>> squares
    [0, 1, 4, 9, 16]
    """
    starts = range(0, size, BLOCK)
    halves = [starts[: len(starts) // 2], starts[len(starts) // 2 :]]

    def work_on(some: Sequence[int]) -> None:
        for start in some:
            work(slice(start, min(start + BLOCK, size)))

    for_each(work_on, [half for half in halves if half], n_rows=size)
