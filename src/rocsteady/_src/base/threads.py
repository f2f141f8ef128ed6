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
