"""One run of the server, from its start to its end."""

from __future__ import annotations

import threading
import webbrowser
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rocsteady._src.base.errors import ArgumentError, InputError, printable
from rocsteady._src.inputs.files.formats import refuse_absent
from rocsteady._src.inputs.files.scan import memory_bytes
from rocsteady._src.views.serve.server import Server
from rocsteady._src.views.serve.store import kept_store
from rocsteady._src.views.serve.workers import Pool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MOST_BYTES = 4 * 10**9  # of all uploads of a run; a file that the command names is read where it is
BESIDE = 6 * 10**8  # what a worker may hold beside the rows: its code, a page, pictures


@contextmanager
def running(file: str | None, *, port: int, memory: str, most_bytes: int = MOST_BYTES) -> Iterator[Server]:
    """A server that is bound and has its first worker; nothing of it is left afterwards."""
    limit = memory_bytes(memory)
    if file is not None:
        refuse_absent([Path(file)])
    if not 0 <= port < 1 << 16:
        raise ArgumentError("port", f"a port is a number from 0, any free one, to 65535, got {port}")
    with kept_store(most_bytes) as store:
        pool = Pool(store.folder, limit + BESIDE)
        try:
            server = Server(port, store, pool, memory)
        except OSError as error:
            text = f"port {port} cannot be taken: {printable(error.strerror)}; leave --port out for a free one"
            raise InputError("port_taken", text) from error
        try:
            pool.start()
            if file is not None:
                server.first = store.add(Path(file).absolute(), file, own=False)
            yield server
        finally:
            server.server_close()
            pool.close()


def serve_forever(file: str | None, *, port: int, memory: str, browser: bool, say: Callable[[str], object]) -> None:
    """Serve until Ctrl+C or a signal."""
    with running(file, port=port, memory=memory) as server:
        try:
            say(f"Open {server.door.address}")
            say("The page is on this machine only, and so is your file. Ctrl+C ends it.")
            if browser:
                threading.Thread(target=webbrowser.open, args=(server.door.address,), daemon=True).start()
            server.serve_forever()
        except KeyboardInterrupt:
            say("Ended; nothing was kept.")
