"""Processes that do the work, so that it can be ended when nobody waits for it any more, and cannot take all memory."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

AT_ONCE = 4  # of several tabs; others wait
IDLE = 2  # kept after their work, with what they read, for changed options
OUT_OF_MEMORY = 77
WORK = ("-P", "-m", "rocsteady._src.views.serve.worker")  # what Python runs
KILLED = {OUT_OF_MEMORY, -9, 137}
Event = dict[str, Any]


class Worker:
    """One process, which answers a job by lines of JSON."""

    def __init__(self, folder: Path, memory: int) -> None:
        self.key = ""
        environment = {**os.environ, "TMPDIR": str(folder), "ROCSTEADY_WORKER_BYTES": str(memory)}
        environment["MPLBACKEND"] = "agg"  # files, and no window on systems that would open one
        self._process = subprocess.Popen(  # noqa: S603 - Python itself, and a constant
            [sys.executable, *WORK],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )
        self.events: queue.Queue[Event | None] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stdout is not None  # noqa: S101 - a pipe, above
        with self._process.stdout as lines:
            for line in lines:
                self.events.put(json.loads(line))
        self.events.put(None)

    def ask(self, job: dict[str, Any]) -> None:
        """Start a job; its events follow, the last of which is "done", "refused" or "fault"."""
        assert self._process.stdin is not None  # noqa: S101 - a pipe, above
        self._process.stdin.write(json.dumps(job).encode() + b"\n")
        self._process.stdin.flush()

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return self._process.poll() is None

    def ended(self) -> Event:
        """What is said of a process that ended during its work."""
        if self._process.wait() in KILLED:
            text = "the work took more memory than it may have; use fewer columns, or start rocsteady serve with a "
            return {"kind": "refused", "text": f"{text}larger --memory"}
        return {"kind": "fault", "text": "the work ended before it was done; the terminal may say why"}

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            with suppress(BrokenPipeError):  # a job that it never read
                self._process.stdin.close()


@dataclass(slots=True)
class Pool:
    """Workers that wait, always at least one: starting costs a second that nobody should wait for."""

    folder: Path
    memory: int
    _idle: list[Worker] = field(default_factory=list)
    _busy: set[Worker] = field(default_factory=set)
    _free: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(AT_ONCE))
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _closed: bool = False

    def start(self) -> None:
        """Have one ready."""
        with self._lock:
            self._idle = [each for each in self._idle if each.alive]
            if not self._closed and not self._idle:
                self._idle.append(Worker(self.folder, self.memory))

    def borrow(self, key: str, waits: Callable[[], object] = lambda: None) -> Worker:
        """One that worked on this key before, a fresh one, or the oldest; ``waits`` is called when all are at work."""
        if not self._free.acquire(blocking=False):
            waits()
            self._free.acquire()
        self.start()
        with self._lock:
            known = [each for each in self._idle if each.key == key] or [each for each in self._idle if not each.key]
            worker = (known or self._idle)[0] if self._idle else Worker(self.folder, self.memory)
            self._idle = [each for each in self._idle if each is not worker]
            worker.key = key
            self._busy.add(worker)
        self.start()
        return worker

    def give_back(self, worker: Worker, *, done: bool) -> None:
        """Keep a worker that has done its work; end one that has not."""
        with self._lock:
            self._busy.discard(worker)
            keep = done and not self._closed and worker.alive
            if keep:
                self._idle.append(worker)
            used = [each for each in self._idle if each.key]
            gone = ([] if keep else [worker]) + used[: max(len(used) - IDLE, 0)]
            self._idle = [each for each in self._idle if each not in gone]
        self._free.release()
        for each in gone:
            each.kill()
        self.start()

    def close(self) -> None:
        """End all."""
        with self._lock:
            self._closed = True
            gone = [*self._idle, *self._busy]
            self._idle = []
        for each in gone:
            each.kill()
