"""The server: the standard library's, on the loopback address, with five kinds of request and bounded bodies."""

from __future__ import annotations

import json
import queue
import select
import shutil
import socket
from contextlib import suppress
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from socketserver import TCPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from rocsteady._src.views.serve.doors import ALWAYS, APP_POLICY, LOOPBACK, PAGE_POLICY, Door, Refusal
from rocsteady._src.views.serve.questions import job_of

if TYPE_CHECKING:
    from io import BufferedIOBase

    from rocsteady._src.views.serve.store import Store
    from rocsteady._src.views.serve.workers import Event, Pool, Worker

ASSETS = {
    "": ("app.html", "text/html"),
    "app.js": ("app.js", "text/javascript"),
    "parts.js": ("parts.js", "text/javascript"),
    "laboratory.js": ("laboratory.js", "text/javascript"),
    "app.css": ("app.css", "text/css"),
}
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".zip": "application/zip",
    ".json": "application/json",
    ".csv": "text/csv; charset=utf-8",
    ".md": "text/markdown; charset=utf-8",
}
MOST_ASKED = 1 << 18  # bytes of a question
DRAINED = 1 << 24  # of a body that is refused: a browser reads the answer once it has sent this much
SILENCE = 60  # seconds without a byte, after which a connection ends
PATIENCE = 1  # the same for the rest of a body that is refused
LOOK_EVERY = 0.2
ENDS = ("done", "refused", "fault")
WAITING = {"kind": "progress", "what": "waiting for the work of other tabs", "share": 0}


class Server(ThreadingHTTPServer):
    """One run: its door, its files and its workers."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, port: int, store: Store, pool: Pool, memory: str) -> None:
        super().__init__((LOOPBACK, port), Handler)
        self.door = Door.made(self.server_port)
        self.store, self.pool, self.memory = store, pool, memory
        self.first = ""  # the file that the command named

    def server_bind(self) -> None:
        """Take the port for oneself, and ask nobody what this machine is called (slow on macOS, and a question out)."""
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # on Windows others could take the same port beside it
            self.allow_reuse_address = False
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        TCPServer.server_bind(self)
        self.server_name, self.server_port = LOOPBACK, self.socket.getsockname()[1]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is no fault."""


class Body:
    """What a request sends after its headers, and how much of it was read."""

    def __init__(self, stream: BufferedIOBase) -> None:
        self._stream, self.taken = stream, 0

    def read(self, size: int) -> bytes:
        """So many bytes, or fewer where it ends."""
        return self._counted(self._stream.read(size))

    def read1(self, size: int) -> bytes:
        """What has come of so many bytes."""
        return self._counted(self._stream.read1(size))

    def _counted(self, piece: bytes) -> bytes:
        self.taken += len(piece)
        return piece


class Handler(BaseHTTPRequestHandler):
    """One request: refused at the door, or answered."""

    server: Server
    timeout = SILENCE
    server_version, sys_version = "rocsteady", ""

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name there
        """Say nothing: addresses hold the token."""

    def do_GET(self) -> None:
        """An asset, a page or a file."""
        self._answered(self._get)

    def do_POST(self) -> None:
        """An upload or a question."""
        self._answered(self._post)

    def _answered(self, act: Any) -> None:
        self.body = Body(self.rfile)
        try:
            act(self.server.door.admit(self.command, self.path, self.headers))
        except Refusal as refusal:
            with suppress(OSError):
                self._refuse(refusal)
        except OSError:
            pass  # the client has gone
        self.close_connection = True

    def _refuse(self, refusal: Refusal) -> None:
        body = json.dumps({"kind": "refused", "text": refusal.text}).encode()
        self._drain()
        self._send(refusal.status, body, "application/json")

    def _drain(self) -> None:
        """Take what the client still sends, up to a bound: else it sees a broken connection, and no sentence."""
        with suppress(OSError, ValueError):
            most = min(int(self.headers.get("Content-Length", "0")), self.body.taken + DRAINED)
            self.connection.settimeout(PATIENCE)
            while (left := most - self.body.taken) > 0 and self.body.read1(min(left, 1 << 16)):
                pass

    def _send(self, status: int, body: bytes, kind: str, **more: str) -> None:
        self._head(status, kind, **{"Content-Length": str(len(body)), **more})
        self.wfile.write(body)

    def _head(self, status: int, kind: str, **more: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Security-Policy": APP_POLICY, **ALWAYS, **more}.items():
            self.send_header(name, value)
        self.end_headers()

    def _get(self, rest: str) -> None:
        if rest in ASSETS:
            name, kind = ASSETS[rest]
            self._send(200, _asset(name), f"{kind}; charset=utf-8")
            return
        what, _, key = rest.partition("/")
        if what == "start":
            self._send(200, json.dumps(self._started()).encode(), "application/json")
        elif what == "page":
            held = self.server.store.page(key)
            self._file(held.path, TYPES[".html"], **{"Content-Security-Policy": PAGE_POLICY})
        elif what == "file":
            held = self.server.store.page(key)
            named = f"attachment; filename*=UTF-8''{quote(held.name)}"
            self._file(
                held.path, TYPES.get(held.path.suffix, "application/octet-stream"), **{"Content-Disposition": named}
            )
        else:
            raise Refusal(404, "there is nothing here; go back to the first page")

    def _started(self) -> dict[str, Any]:
        store = self.server.store
        named = {"file": self.server.first, "name": store.get(self.server.first).name} if self.server.first else {}
        return {"most_bytes": store.most_bytes, **named}

    def _file(self, path: Path, kind: str, **more: str) -> None:
        try:
            file = path.open("rb")
        except FileNotFoundError:
            raise Refusal(404, "this page is no longer here; make it again") from None
        with file:
            self._head(200, kind, **{"Content-Length": str(path.stat().st_size), **more})
            shutil.copyfileobj(file, self.wfile)

    def _length(self, most: int) -> int:
        """How long the body is: said beforehand, and within the bound."""
        told = self.headers.get_all("Content-Length") or []
        if self.headers.get("Transfer-Encoding") or len(told) != 1 or not told[0].isdigit():
            raise Refusal(411, "say how long the body is")
        if int(told[0]) > most:
            raise Refusal(413, "this is longer than a question can be")
        return int(told[0])

    def _post(self, rest: str) -> None:
        if rest == "upload":
            length = self._length(1 << 50)
            name = unquote(self.headers.get("X-Name", ""))[:1000]
            key = self.server.store.receive(self.body, length, name)
            self._send(
                200, json.dumps({"file": key, "name": self.server.store.get(key).name}).encode(), "application/json"
            )
        elif rest == "ask":
            self._ask(_read_question(self.body.read(self._length(MOST_ASKED))))
        else:
            raise Refusal(404, "there is nothing here; go back to the first page")

    def _ask(self, asked: dict[str, Any]) -> None:
        """Hand a question to a worker, and its events to the page, for as long as the page is there."""
        job = job_of(asked, self.server.store, self.server.memory)
        self._head(200, "application/x-ndjson")
        worker, done = self.server.pool.borrow(job["key"], lambda: self._tell(WAITING)), False
        try:
            worker.ask(job)
            done = self._passed_on(worker)
        except BrokenPipeError:  # of the worker or of the page
            pass
        finally:
            self.server.pool.give_back(worker, done=done)

    def _tell(self, event: Event) -> None:
        self.wfile.write(json.dumps(event).encode() + b"\n")

    def _passed_on(self, worker: Worker) -> bool:
        """Whether the worker came to an end; not when the page has gone before."""
        while True:
            try:
                event = worker.events.get(timeout=LOOK_EVERY)
            except queue.Empty:
                if _has_gone(self.connection):
                    return False
                continue
            ended = event is None
            told = self._with_ids(worker.ended() if event is None else event)
            self._tell(told)
            if ended or told["kind"] in ENDS:
                return not ended

    def _with_ids(self, event: Event) -> Event:
        """What was written becomes an id: paths stay here."""
        if "target" not in event:
            return event
        path = self.server.store.folder / Path(str(event["target"])).name
        told = {name: value for name, value in event.items() if name != "target"}
        return told | {"id": self.server.store.add_page(path, event["name"])}


def _read_question(body: bytes) -> dict[str, Any]:
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError):
        asked = None
    if not isinstance(asked, dict):
        raise Refusal(400, "the question cannot be read")
    return asked


def _has_gone(connection: socket.socket) -> bool:
    """Whether the other side has closed: its end can be read, though it has nothing more to say."""
    try:
        readable, _, _ = select.select([connection], [], [], 0)
        return bool(readable) and connection.recv(1, socket.MSG_PEEK) == b""
    except OSError:
        return True


@cache
def _asset(name: str) -> bytes:
    if name == "app.css":  # the look of the report, and what the steps before it need
        page = files("rocsteady._src.views.report").joinpath("assets", "page.css").read_bytes()
        return page + files("rocsteady._src.views.serve").joinpath("assets", name).read_bytes()
    return files("rocsteady._src.views.serve").joinpath("assets", name).read_bytes()
