"""Fits of many splits in several processes, where these are worth their start."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    Made = Generator[Any, None, None]

START = 2.0  # seconds that processes need to start and to import what the work needs


def in_order(work: Callable[..., Any], tasks: Sequence[tuple[Any, ...]], n_jobs: int | None) -> Made:
    """What ``work`` makes of each task; in other processes only what takes longer than their start.

    The first task runs in this process. As long as all that are left would be done before processes had started, they
    run here too; a first task that takes longer is not waited for, so that large work loses nothing.
    """
    if n_jobs in (None, 1) or len(tasks) < 2:
        yield from _by_joblib(work, tasks, n_jobs)
        return
    begun = time.perf_counter()
    with ThreadPoolExecutor(1) as here:
        first = here.submit(_configured(work), *tasks[0])
        wait([first], timeout=START / (len(tasks) - 1))
        quick = first.done() and (time.perf_counter() - begun) * (len(tasks) - 1) < START
        rest = (work(*task) for task in tasks[1:]) if quick else _by_joblib(work, tasks[1:], n_jobs)
        if first.exception() is not None and not quick:
            with suppress(Exception):  # joblib does not like to be left: most likely they fail as well
                list(rest)
        yield first.result()
        yield from rest


def _by_joblib(work: Callable[..., Any], tasks: Sequence[tuple[Any, ...]], n_jobs: int | None) -> Made:
    from sklearn.utils.parallel import Parallel, delayed

    made: Made = Parallel(n_jobs=n_jobs, return_as="generator")(delayed(work)(*task) for task in tasks)
    return made


def _configured(work: Callable[..., Any]) -> Callable[..., Any]:
    """The same with scikit-learn's settings of this thread, which another thread does not see."""
    from sklearn import config_context, get_config

    settings = get_config()

    def with_settings(*task: Any) -> Any:
        with config_context(**settings):
            return work(*task)

    return with_settings
