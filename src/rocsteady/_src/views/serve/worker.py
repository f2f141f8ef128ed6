"""The process that does the work: jobs come in as lines of JSON, events go out the same way.

It ends when its server does, and when it holds more memory than it may.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
import time
import traceback
from typing import IO, Any

from rocsteady._src.base.errors import MissingDependencyError, RocsteadyError, printable, quietly, rows_counted_from
from rocsteady._src.base.progress import heard_by

OUT_OF_MEMORY = 77
LOOK_EVERY = 0.05
TELL_EVERY = 0.1
FAULT = (
    "this is a fault of rocsteady, not of your file. The terminal in which it runs shows the lines to report; a few "
    "rows that show it help most, without what is private"
)


def main() -> None:
    """Answer jobs until the server goes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends it
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever a library prints is no event
    jobs: queue.Queue[dict[str, Any]] = queue.Queue()
    threading.Thread(target=_read, args=(jobs,), daemon=True).start()
    threading.Thread(target=_watch, args=(int(os.environ["ROCSTEADY_WORKER_BYTES"]),), daemon=True).start()
    from rocsteady._src.views.serve.jobs import warm_up

    with quietly():
        warm_up()
    while True:
        _answer(jobs.get(), Teller(out))


def _read(jobs: queue.Queue[dict[str, Any]]) -> None:
    for line in sys.stdin.buffer:
        jobs.put(json.loads(line))
    os._exit(0)  # the server has gone, whatever is at work here


def _watch(most: int) -> None:
    """End the process when it holds more than it may; what it was doing is told by the server."""
    while held_bytes() <= most:
        time.sleep(LOOK_EVERY)
    os._exit(OUT_OF_MEMORY)


def held_bytes() -> int:
    """Memory of this process, now where the system tells, or at its highest; 0 where nothing does."""
    try:
        with open("/proc/self/statm", "rb") as told:  # noqa: PTH123 - often, and before anything is imported
            return int(told.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        pass
    try:
        import resource
    except ImportError:  # Windows
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


class Teller:
    """Writes events; progress at most ten times a second, and whenever something is done."""

    def __init__(self, out: IO[str]) -> None:
        self._out, self._told = out, 0.0
        self._lock = threading.Lock()  # progress comes from another thread

    def __call__(self, kind: str, **what: Any) -> None:
        """Write one event."""
        with self._lock:
            self._out.write(json.dumps({"kind": kind, **what}, allow_nan=False) + "\n")
            self._out.flush()

    def progress(self, what: str, share: float) -> None:
        """Say how far something is."""
        now = time.monotonic()
        if share >= 1 or now - self._told >= TELL_EVERY:
            self._told = now
            self("progress", what=what, share=round(min(max(float(share), 0.0), 1.0), 3))


def _answer(job: dict[str, Any], tell: Teller) -> None:
    """Do a job; whatever happens becomes a sentence, and a trace is for the terminal only."""
    from rocsteady._src.views.serve.jobs import JOBS
    from rocsteady._src.views.serve.words import for_page

    try:
        with quietly(), rows_counted_from(1), heard_by(tell.progress):
            JOBS[job["do"]](job, tell)
        tell("done")
    except (RocsteadyError, MissingDependencyError) as error:
        tell("refused", text=for_page(error, job))
    except OSError as error:
        tell("refused", text=printable(error))
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    except Exception:
        sys.stderr.write("\n".join(map(printable, traceback.format_exc().rstrip().splitlines())) + "\n")
        tell("fault", text=FAULT)


if __name__ == "__main__":
    main()
