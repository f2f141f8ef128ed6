"""Progress of long work, on standard error and only for people: nothing is shown when it is not a terminal.

Who has a page instead of a terminal listens to it.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


_listeners: list[Callable[[str, float], object]] = []


@contextmanager
def heard_by(listener: Callable[[str, float], object]) -> Iterator[None]:
    """Tell progress to a function, what is done and its share, instead of a terminal.

    Examples
    --------
    >>> with heard_by(print), progress_bar("pairs") as report:
    ...     report(0.5)
    pairs 0.5
    """
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[float], object]]:
    """Give a function to call with the share done, from 0 to 1.

    Examples
    --------
    >>> with progress_bar("pairs") as report:
    ...     report(0.5)
    """
    if _listeners:
        yield partial(_listeners[-1], what)
    elif not sys.stderr.isatty():
        yield lambda _: None
    elif find_spec("rich"):
        with _rich_bar(what) as report:
            yield report
    else:
        yield (
            lambda share: sys.stderr.write(f"\r{what}: {int(100 * share):3d}%" + ("\n" if share >= 1 else "")) and None
        )
        sys.stderr.flush()


@contextmanager
def _rich_bar(what: str) -> Iterator[Callable[[float], object]]:
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=1.0)
        yield lambda share: bar.update(task, completed=share)
