"""Files that people drop, and a server to drop them on."""

from __future__ import annotations

import csv
import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from rocsteady._src.views.serve.run import running
from rocsteady._src.views.serve.server import Server

HOSTILE = "</script><script>alert(1)</script>"


def write_csv(path: Path, header: list[str], rows: Any, delimiter: str = ",") -> Path:
    with path.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out, delimiter=delimiter)
        writer.writerow(header)
        writer.writerows(rows)
    return path


def clinic(path: Path, n: int = 120, delimiter: str = ",") -> Path:
    """Like aSAH: an outcome in words, three markers, one of which is lower in the ill."""
    draw = np.random.default_rng(5)
    poor = draw.random(n) < 0.35
    columns = [
        np.where(poor, "Poor", "Good"),
        np.round(draw.normal(size=n) + 1.2 * poor, 3),
        np.round(np.exp(draw.normal(size=n) + 0.8 * poor), 3),
        np.round(250 + 40 * draw.normal(size=n) - 35 * poor).astype(int),
        np.where(draw.random(n) < 0.5, "Male", "Female"),
    ]
    rows = np.column_stack([np.arange(1, n + 1).astype(str), *(column.astype(str) for column in columns)])
    return write_csv(path, ["patient_id", "outcome", "s100b", "ndka", "platelets", "gender"], rows, delimiter)


def risks(path: Path, n: int = 200) -> Path:
    """Two models of risk."""
    draw = np.random.default_rng(7)
    y = (draw.random(n) < 0.3).astype(int)
    old, new = (np.round(1 / (1 + np.exp(1 - draw.normal(size=n) - shift * y)), 4) for shift in (1.0, 1.5))
    return write_csv(path, ["id", "y", "old", "new"], np.column_stack([np.arange(n), y, old, new]).tolist())


def flowers(path: Path, n: int = 150) -> Path:
    """Three classes with a column of probabilities each."""
    draw = np.random.default_rng(9)
    names = np.array(["setosa", "versicolor", "virginica"])
    truth = draw.integers(0, 3, n)
    raw = np.exp(draw.normal(size=(n, 3)) + 1.5 * np.eye(3)[truth])
    shares = np.round(raw / raw.sum(axis=1, keepdims=True), 4)
    return write_csv(path, ["species", *(f"p_{name}" for name in names)], np.column_stack([names[truth], shares]))


@contextmanager
def served(file: Path | None = None, *, most_bytes: int = 10**8) -> Iterator[Server]:
    """A server that answers from a thread of this process; its workers are processes."""
    with running(None if file is None else str(file), port=0, memory="1GB", most_bytes=most_bytes) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def request(
    server: Server, method: str, path: str, body: bytes | None = None, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    """One request as a page would send it, but for the headers given; "" leaves one out."""
    own = f"127.0.0.1:{server.server_port}"
    said = {"Host": own, "Origin": f"http://{own}"} | {name.replace("_", "-"): value for name, value in headers.items()}
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=30)
    try:
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        if body is not None and "Content-Length" not in said:
            said["Content-Length"] = str(len(body))
        for name, value in said.items():
            if value:
                connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


def home(server: Server, rest: str = "") -> str:
    return f"/{server.door.token}/{rest}"


def dropped(server: Server, path: Path, name: str | None = None) -> str:
    status, _, body = request(server, "POST", home(server, "upload"), path.read_bytes(), X_Name=name or path.name)
    assert status == 200, body
    return str(json.loads(body)["file"])


def asked(server: Server, question: dict[str, Any]) -> list[dict[str, Any]]:
    """All events of a question."""
    status, _, body = request(server, "POST", home(server, "ask"), json.dumps(question).encode())
    assert status == 200, body
    return [json.loads(line) for line in body.splitlines()]
