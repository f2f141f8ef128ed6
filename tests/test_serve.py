"""The local page's server: who may come in, what is bounded, and that nothing is left behind."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cases import each_case
from rocsteady._src.inputs.files import scratch_folders
from rocsteady._src.inputs.files.workbook import write_sheet
from rocsteady._src.views.serve.doors import Refusal
from rocsteady._src.views.serve.questions import job_of
from rocsteady._src.views.serve.server import Server
from rocsteady._src.views.serve.store import Store, called, ending_of
from rocsteady.errors import InputError
from serve_kit import asked, dropped, home, request, risks, served


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with served(most_bytes=20_000_000) as made:
        yield made


def test_its_own_page_comes_in(server: Server) -> None:
    status, headers, body = request(server, "GET", home(server), Origin="")
    assert status == 200
    assert b"<title>rocsteady</title>" in body
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "no-store"
    assert server.server_address[0] == "127.0.0.1"


@each_case(
    ("method", "headers"),
    [
        ("GET", {"Host": "evil.example"}),
        ("GET", {"Host": "evil.example:80"}),
        ("GET", {"Host": "127.0.0.1"}),
        ("GET", {"Host": ""}),
        ("GET", {"Origin": "https://evil.example"}),
        ("GET", {"Origin": "null"}),
        ("POST", {"Origin": "https://evil.example"}),
        ("POST", {"Origin": "null"}),
        ("POST", {"Origin": ""}),
        ("POST", {"Sec_Fetch_Site": "cross-site"}),
        ("POST", {"Sec_Fetch_Site": "same-site"}),
        ("GET", {"Origin": "", "Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "no-cors"}),
    ],
)
def test_others_are_refused(server: Server, method: str, headers: dict[str, str]) -> None:
    """Names that lead here, other pages, and requests that do not say where they come from; with the right token."""
    body = b"{}" if method == "POST" else None
    status, _, told = request(server, method, home(server, "ask" if body else "start"), body, **headers)
    assert status == 403
    assert json.loads(told)["kind"] == "refused"


@each_case("path", ["/", "/wrong/", "/start", "//", "/%2e%2e/", "/wrong/start", "/../../etc/passwd"])
def test_without_the_token_there_is_nothing(server: Server, path: str) -> None:
    status, _, told = request(server, "GET", path)
    assert status == 403
    assert server.door.token.encode() not in told


def test_a_token_is_long_and_new() -> None:
    from rocsteady._src.views.serve.doors import Door

    tokens = {Door.made(1).token for _ in range(20)}
    assert len(tokens) == 20
    assert min(map(len, tokens)) >= 32


@each_case(
    "rest",
    [
        "page/../../etc/passwd",
        "page/%2e%2e%2fetc%2fpasswd",
        "file//etc/passwd",
        "../app.js",
        "assets/app.js",
        "page/",
        "x",
    ],
)
def test_paths_of_clients_find_nothing(server: Server, rest: str) -> None:
    assert request(server, "GET", home(server, rest))[0] == 404


@each_case("file", ["/etc/passwd", "../x.csv", "", None, 5, ["a"], {"a": 1}])
def test_files_are_ids_of_this_run(server: Server, file: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Said at once, too: a question was read to its end, and there is no more to wait for."""
    monkeypatch.setattr("rocsteady._src.views.serve.server.PATIENCE", 60)  # longer than the request waits
    status, _, told = request(server, "POST", home(server, "ask"), json.dumps({"do": "look", "file": file}).encode())
    assert status == 404
    assert "no longer here" in json.loads(told)["text"]


@each_case(
    ("body", "headers", "status"),
    [
        (b"not json", {}, 400),
        (b"[1]", {}, 400),
        (b"[" * 100_000, {}, 400),
        (b'{"do": "rm"}', {}, 400),
        (b"{}" + b" " * 300_000, {}, 413),
        (b"{}", {"Content_Length": "x"}, 411),
        (b"{}", {"Content_Length": "-1"}, 411),
        (b"{}", {"Transfer_Encoding": "chunked", "Content_Length": ""}, 411),
    ],
)
def test_bodies_are_bounded_and_read_as_json(server: Server, body: bytes, headers: dict[str, str], status: int) -> None:
    assert request(server, "POST", home(server, "ask"), body, **headers)[0] == status


def test_uploads_are_bounded_before_a_byte_is_read(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rocsteady._src.views.serve.server.PATIENCE", 0.05)  # for bytes that never come
    before = _uploads(server)
    status, _, told = request(
        server, "POST", home(server, "upload"), b"y,a\n", Content_Length="90000000000", X_Name="a.csv"
    )
    assert status == 413
    assert "rocsteady serve FILE" in json.loads(told)["text"]
    assert _uploads(server) == before


def _uploads(server: Server) -> set[Path]:
    return {each for each in server.store.folder.iterdir() if each.suffix == ".csv"}


def test_a_half_upload_leaves_nothing(server: Server) -> None:
    before = _uploads(server)
    with socket.create_connection(("127.0.0.1", server.server_port)) as line:
        own = f"127.0.0.1:{server.server_port}"
        line.sendall(
            f"POST {home(server, 'upload')} HTTP/1.1\r\nHost: {own}\r\nOrigin: http://{own}\r\n"
            "X-Name: a.csv\r\nContent-Length: 1000\r\n\r\ny,a\n1,0.5\n".encode()
        )
        line.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: line.recv(4096), b""))
    assert b"400" in answer.split(b"\r\n")[0]
    assert b"came in part" in answer
    assert _uploads(server) == before


def test_uploads_have_names_of_ours_and_a_private_folder(server: Server, tmp_path: Path) -> None:
    key = dropped(server, risks(tmp_path / "r.csv", 20), "..%2F..%2Fevil.csv")
    held = server.store.get(key)
    assert held.name == "evil.csv"
    assert held.path.parent == server.store.folder
    assert "evil" not in held.path.name
    assert stat.S_IMODE(server.store.folder.stat().st_mode) == 0o700


@each_case(
    ("name", "shown", "ending"),
    [
        ("/etc/passwd", "passwd", ""),
        ("C:\\data\\Scores.XLSX", "Scores.XLSX", ".xlsx"),
        ("a.csv.gz", "a.csv.gz", ".csv.gz"),
        ("a\x1b[31m.csv", "a[31m.csv", ".csv"),
        ("\u202ecsv.exe", "csv.exe", ""),
        ("", "file", ""),
        ("x" * 500 + ".csv", "x" * 196 + ".csv", ".csv"),
    ],
)
def test_names_are_shown_and_never_opened(name: str, shown: str, ending: str) -> None:
    assert called(name) == shown
    assert ending_of(name) == ending


@each_case(
    ("content", "told"),
    [
        (b"PK\x03\x04" + b"\0" * 50, "a zip file or a workbook"),
        (b"ARROW1\0\0", "an Arrow or Feather file"),
        (b"BZh9", "bzip2"),
    ],
)
def test_bytes_are_believed_before_names(server: Server, content: bytes, told: str) -> None:
    status, _, body = request(server, "POST", home(server, "upload"), content, X_Name="scores.csv")
    assert status == 415
    assert told in json.loads(body)["text"]


def bomb(path: Path, size: int = 40_000_000) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("xl/worksheets/sheet1.xml", b"0" * size)
    return path


def test_a_workbook_that_explodes_is_not_opened(tmp_path: Path) -> None:
    path = bomb(tmp_path / "bomb.xlsx")
    with pytest.raises(
        InputError, match=r"unpack to 40,000,000 in 1 parts, which is not opened; save the sheet as CSV"
    ):
        write_sheet(path, tmp_path / "out.csv")
    lying = bytearray(path.read_bytes())
    for place in (lying.find(b"PK\x01\x02") + 24, lying.find(b"PK\x03\x04") + 22):
        lying[place : place + 4] = (1000).to_bytes(4, "little")  # the list says less than there is
    path.write_bytes(lying)
    with pytest.raises(InputError, match="cannot be read as a workbook"):
        write_sheet(path, tmp_path / "out.csv")


def test_a_question_is_made_of_known_parts(tmp_path: Path) -> None:
    store = Store(tmp_path, 100)
    key = store.add(tmp_path / "a.csv", "a.csv")
    job = job_of({"do": "look", "file": key, "path": "/etc/passwd", "target": "/etc/x", "delimiter": "x"}, store, "1GB")
    assert job["path"] == str(tmp_path / "a.csv")
    assert "target" not in job
    assert job["delimiter"] == ""
    with pytest.raises(Refusal, match="not known"):
        job_of({"do": "__import__"}, store, "1GB")


def test_work_ends_when_its_page_goes(server: Server, tmp_path: Path) -> None:
    """The connection of a question is closed while a worker is busy: the worker is killed, and another is there."""
    key = dropped(server, risks(tmp_path / "r.csv", 3000))
    question = {"do": "answer", "file": key, "asked": {"label": "y", "scores": ["old", "new"]}}
    body = json.dumps(question).encode()
    own = f"127.0.0.1:{server.server_port}"
    with socket.create_connection(("127.0.0.1", server.server_port)) as line:
        line.sendall(
            f"POST {home(server, 'ask')} HTTP/1.1\r\nHost: {own}\r\nOrigin: http://{own}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        got = b""
        while b'"verdict"' not in got:
            part = line.recv(4096)
            assert part, got  # it ended without
            got += part
        (busy,) = server.pool._busy
        assert busy.alive
    until(lambda: not busy.alive)
    until(lambda: not server.pool._busy)
    events = asked(server, {"do": "look", "file": key})
    assert [event["kind"] for event in events if event["kind"] != "progress"] == ["preview", "done"]


def until(holds: Any, seconds: float = 60.0) -> None:
    """Wait for what another process does, and fail if it does not."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_server_that_ends_leaves_no_file(tmp_path: Path, sent: signal.Signals) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    call = [sys.executable, "-m", "rocsteady", "serve", "--no-browser", "--memory", "500MB"]
    environment = {**os.environ, "TMPDIR": str(temporary)}
    with subprocess.Popen(call, env=environment, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        assert process.stdout is not None
        address = process.stdout.readline().split()[-1]
        assert address.startswith("http://127.0.0.1:")
        (folder,) = temporary.glob("rocsteady-*")
        (folder / "private.csv").write_text("y,a\n1,2\n")
        process.send_signal(sent)
        process.wait(60)
    until(lambda: not list(temporary.iterdir()))
    assert process.returncode == {signal.SIGKILL: -9, signal.SIGTERM: 143, signal.SIGINT: 0}[sent]


def test_a_keeper_that_was_killed_too_is_made_up_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a crash of the machine nobody removes the folder; the next start does."""
    from rocsteady._src.inputs.files.scratch_folders import remove_abandoned

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    left = tmp_path / "rocsteady-abc"
    left.mkdir()
    (left / "owner").touch()
    (left / "upload.csv").touch()
    remove_abandoned()
    assert not left.exists()


def test_a_worker_that_takes_too_much_memory_ends_with_a_sentence(tmp_path: Path) -> None:
    from rocsteady._src.views.serve.workers import Worker

    worker = Worker(tmp_path, 10_000_000)  # less than Python with NumPy
    assert worker.events.get(timeout=60) is None
    assert "more memory" in worker.ended()["text"]
    worker.kill()


def test_a_tab_that_must_wait_is_told(tmp_path: Path) -> None:
    from rocsteady._src.views.serve import workers

    pool, told = workers.Pool(tmp_path, 10**9), []
    try:
        busy = [pool.borrow(str(place), lambda: told.append("early")) for place in range(workers.AT_ONCE)]
        assert told == []
        waiting = threading.Thread(target=lambda: told.append(pool.borrow("more", lambda: told.append("waits"))))
        waiting.start()
        until(lambda: told == ["waits"])
        pool.give_back(busy[0], done=True)
        waiting.join(60)
        assert isinstance(told[1], workers.Worker)
    finally:
        pool.close()


def test_ports_are_checked() -> None:
    from rocsteady._src.views.serve.run import running

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with (
            pytest.raises(InputError, match="leave --port out"),
            running(None, port=taken.getsockname()[1], memory="1GB"),
        ):
            pass


def test_a_disk_that_is_full_is_said(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(server.store.folder)._replace(free=10)
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage)
    with pytest.raises(Refusal, match="nearly full"):
        server.store.refuse_large(100)


def test_folders_where_files_cannot_be_locked(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows: no lock, no user id, a folder that is there and then gone, and others' folders stay."""
    monkeypatch.setattr(scratch_folders, "find_spec", lambda name: None)
    monkeypatch.delattr(os, "getuid", raising=False)
    with scratch_folders.private_folder() as other, scratch_folders.private_folder() as folder:
        (folder / "a.csv").write_text("y,a\n", encoding="utf-8")
        assert other.exists()
    assert not folder.exists()
    assert not other.exists()


def test_nobody_is_asked_for_the_name_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getfqdn", lambda *_: pytest.fail("a question to a name server"))
    nothing: Any = None
    server = Server(0, nothing, nothing, "1GB")
    try:
        assert server.server_address[0] == server.server_name == "127.0.0.1"
        assert server.server_port == server.door.port > 0
    finally:
        server.server_close()


def test_a_page_that_somebody_reads_stays_where_it_cannot_be_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows, where a file that is open cannot be deleted: the next page is kept all the same."""
    store = Store(tmp_path, 10**6)
    monkeypatch.setattr("rocsteady._src.views.serve.store.MOST_PAGES", 1)
    old = store.add_page(tmp_path / "old.html", "old.html")

    def refused(*_: object, **__: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "unlink", refused)
    assert store.page(store.add_page(tmp_path / "new.html", "new.html")).name == "new.html"
    with pytest.raises(Refusal):
        store.page(old)
