"""Signals that end a process end this one as an error does: what it put on disk is removed on the way out."""

from __future__ import annotations

import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
_received: list[int] = []


@contextmanager
def ending_on_signals() -> Iterator[None]:
    """Leave by SystemExit with 128 and the number of the signal, as shells show it; ignored ones stay ignored.

    Afterwards signals are as they were before, for whoever runs a command within a process of their own. Only the
    main thread of a process can be told of signals; in another one nothing changes.
    """
    here = threading.current_thread() is threading.main_thread()
    taken = [number for number in ENDING if here and signal.getsignal(number) is signal.SIG_DFL]
    for number in taken:
        signal.signal(number, _leave)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)
        _received.clear()


def interruptible(command: Callable[[], object]) -> None:
    """Run a command that DuckDB may leave with an error of its own where a signal wanted to end it."""
    try:
        command()
    except RuntimeError as error:
        if _received:
            raise SystemExit(128 + _received[0]) from error
        if str(error) == "Query interrupted":
            sys.stderr.write("rocsteady: interrupted\n")
            raise SystemExit(128 + signal.SIGINT) from error
        raise


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    del frame
    _received.append(number)
    for each in ENDING:
        if signal.getsignal(each) is _leave:
            signal.signal(each, signal.SIG_IGN)  # a second one would cut the removal short
    raise SystemExit(128 + number)
