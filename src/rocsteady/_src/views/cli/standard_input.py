"""Standard input, piece by piece, so that a signal ends the wait for the next one.

Python runs the handler of a signal that comes just before a read only after it, and a pipe may say nothing more for
ever. So a wait is for the pipe or for a signal, whichever comes first.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterator

PIECE = 1 << 16


def pieces(stream: BinaryIO) -> Iterator[bytes]:
    """What comes through a stream, in the order and sizes it comes."""
    number = _number(stream)
    if number is None:
        yield from iter(lambda: stream.read(PIECE), b"")
        return
    with _woken_by_signals() as woken:
        while True:
            ready, _, _ = select.select([number, woken], [], [])
            if woken in ready:
                os.read(woken, PIECE)  # its handler has run by now, and did not end the command
            if number in ready:
                piece = os.read(number, PIECE)
                if not piece:
                    return
                yield piece


def _number(stream: BinaryIO) -> int | None:
    """The descriptor to wait for; None where there is none, or a wait for it and for signals is not to be had."""
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        return None
    try:
        return stream.fileno()
    except OSError:  # what stands in for a stream has none
        return None


@contextmanager
def _woken_by_signals() -> Iterator[int]:
    """A descriptor that has something to read once a signal has come."""
    woken, waker = os.pipe()
    os.set_blocking(waker, False)
    before = signal.set_wakeup_fd(waker)
    try:
        yield woken
    finally:
        signal.set_wakeup_fd(before)
        os.close(woken)
        os.close(waker)
