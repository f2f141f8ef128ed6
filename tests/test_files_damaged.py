"""A file that does not verify is refused, in words: checksums of gzip and of Parquet pages are compared."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import rocsteady as rs
from rocsteady._src.inputs.files import Wanted, read_file, scan_files
from rocsteady._src.inputs.files.page_checksums import Compact, chunks_of, verify_pages
from rocsteady._src.inputs.files.sql import connect
from rocsteady._src.inputs.files.verify import Verification, verify_gzip
from rocsteady._src.views.cli import load
from rocsteady._src.views.cli.app import app
from rocsteady.errors import InputError

WANTED = Wanted(("a",), ("y",))
WAYS = ("memory", "disk", "sketch")


def table(n: int = 2000) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, n)
    return {"y": y, "a": np.round(rng.random(n) + 0.2 * y, 6), "b": rng.random(n)}


def text(kind: str) -> bytes:
    rows = zip(*(column.tolist() for column in table().values()), strict=True)
    if kind == "jsonl":
        return "".join(json.dumps({"y": y, "a": a}) + "\n" for y, a, _ in rows).encode()
    return ("y,a\n" + "".join(f"{y},{a}\n" for y, a, _ in rows)).encode()


def invoke(path: Path, way: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    words = ["evaluate", str(path), "--label", "y", "--score", "a", "--measure", "auc", "--format", "json"]
    words += ["--sketch", "20"] if way == "sketch" else ["--no-intervals"]
    with monkeypatch.context() as patched:
        if way == "disk":
            patched.setattr(load, "ROW_BYTES", 10**9)
        return CliRunner().invoke(app, words)


def refused(path: Path, way: str, monkeypatch: pytest.MonkeyPatch) -> InputError:
    error = invoke(path, way, monkeypatch).exception
    assert isinstance(error, InputError), error
    return error


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_a_flipped_bit_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, way: str) -> None:
    """7 of 12 such files gave another AUC and exit code 0."""
    sound = gzip.compress(text(kind), mtime=0)
    path = tmp_path / f"x.{kind}.gz"
    rng = np.random.default_rng(1)
    n = 12 if (kind, way) == ("csv", "memory") else 4
    for place, bit in zip(rng.integers(10, len(sound), n), rng.integers(0, 8, n), strict=True):
        data = bytearray(sound)
        data[place] ^= 1 << int(bit)
        path.write_bytes(data)
        assert refused(path, way, monkeypatch).code == "file_damaged"


ENDS = {
    "its checksum differs": lambda data: data[:-8] + b"1234" + data[-4:],
    "its length differs": lambda data: data[:-4] + b"1234",
    "it ends too early": lambda data: data[:-9],
    "it ends too early ": lambda data: data[: len(data) // 2],
    "something follows its end": lambda data: data + b"more",
    "something follows its end ": lambda data: data + bytes(100),
    "it ends too early  ": lambda data: data + data[:100],
    "its contents cannot be expanded": lambda data: data[:2000] + bytes(100) + data[2000:],
    "it is not gzip": lambda data: b"y,a\n" + data,
}


@pytest.mark.parametrize("told", ENDS)
def test_what_is_wrong_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: str) -> None:
    path = tmp_path / "x.csv.gz"
    path.write_bytes(ENDS[told](gzip.compress(text("csv"))))
    for way in WAYS:
        error = refused(path, way, monkeypatch)
        assert error.code == "file_damaged"
        assert f"x.csv.gz is damaged: {told.strip()}" in str(error)


@pytest.mark.parametrize("way", WAYS)
def test_members_one_after_another_are_one_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    data, columns = text("csv"), table()
    path = tmp_path / "x.csv.gz"
    for cuts in ([5], [1000, 1000], [1, 20_000, 20_001]):
        parts = [data[start:end] for start, end in zip([0, *cuts], [*cuts, None], strict=True)]
        path.write_bytes(b"".join(map(gzip.compress, parts)))
        done = invoke(path, way, monkeypatch)
        found = json.loads(done.output)["models"]
        value = found["a"]["auc"]["estimate"] if way == "sketch" else found[0]["measures"]["auc"]
        assert value == rs.auc(columns["y"], columns["a"])


def test_members_may_end_where_a_read_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    member = gzip.compress(b"y,a\n1,2\n", mtime=0)
    path = tmp_path / "x.csv.gz"
    path.write_bytes(member * 3)
    for size in range(1, 2 * len(member) + 2):
        monkeypatch.setattr("rocsteady._src.inputs.files.verify.READ_AT_ONCE", size)
        verify_gzip(path)
    path.write_bytes(member * 3 + b"\x1f")
    for size in range(1, 2 * len(member) + 2):
        monkeypatch.setattr("rocsteady._src.inputs.files.verify.READ_AT_ONCE", size)
        with pytest.raises(InputError, match="damaged"):
            verify_gzip(path)


def test_the_command_ends_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "x.csv.gz"
    path.write_bytes(gzip.compress(text("csv"))[:40] + bytes(1000))
    call = [sys.executable, "-m", "rocsteady", "evaluate", str(path), "--label", "y", "--score", "a"]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert re.fullmatch(r"rocsteady: .*x\.csv\.gz is damaged: .*\n", done.stderr)


def parquet(path: Path, *, checksums: bool = True, version: str = "1.0", **more: Any) -> Path:
    columns = table(30_000)
    how = {"compression": "none", "data_page_size": 20_000, "row_group_size": 10_000, "use_dictionary": ["y"], **more}
    pq.write_table(pa.table(columns), path, write_page_checksum=checksums, data_page_version=version, **how)
    return path


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_pages_of_parquet_are_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, way: str) -> None:
    path = parquet(tmp_path / "x.parquet", version=version)
    sound = path.read_bytes()
    assert invoke(path, way, monkeypatch).exit_code == 0
    group = pq.ParquetFile(path).metadata.row_group(1)
    chunk = next(group.column(i) for i in range(3) if group.column(i).path_in_schema == "a")
    path.write_bytes(_flipped(sound, chunk.data_page_offset + 5000))
    error = refused(path, way, monkeypatch)
    assert error.code == "file_damaged"
    assert "the checksum of a page differs, in column 'a'" in str(error)


def _flipped(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :]


def test_columns_that_are_not_read_may_be_damaged(tmp_path: Path) -> None:
    path = parquet(tmp_path / "x.parquet")
    offset = pq.ParquetFile(path).metadata.row_group(0).column(2).data_page_offset
    path.write_bytes(_flipped(path.read_bytes(), offset + 3000))
    assert read_file(path, WANTED)["y"].size == 30_000
    with pytest.raises(InputError, match="in column 'b'"):
        read_file(path, Wanted(("b",), ("y",)))


@pytest.mark.parametrize("compression", ["none", "snappy", "zstd"])
@pytest.mark.parametrize("checksums", [True, False])
def test_sound_files_pass(tmp_path: Path, compression: str, checksums: bool) -> None:
    path = parquet(tmp_path / "x.parquet", checksums=checksums, compression=compression, write_statistics=True)
    assert read_file(path, WANTED)["a"].tolist() == table(30_000)["a"].tolist()


def test_every_page_with_a_checksum_is_compared(tmp_path: Path) -> None:
    """A second witness: pyarrow notices the same damage, wherever in the column it is."""
    path = parquet(tmp_path / "x.parquet")
    sound = path.read_bytes()
    chunks = [each for each in chunks_of(connect([path]), [path], WANTED) if each.column == "a"]
    assert len(chunks) == 3
    rng = np.random.default_rng(1)
    for place in np.concatenate([rng.integers(chunk.start, chunk.start + chunk.size, 40) for chunk in chunks]):
        path.write_bytes(_flipped(sound, int(place)))
        try:
            pq.ParquetFile(path, page_checksum_verification=True).read(["a"])
        except OSError as error:
            if "CRC" in str(error):
                with pytest.raises(InputError, match="damaged"):
                    verify_pages(chunks, lambda: True)


@pytest.mark.parametrize("way", WAYS)
def test_what_duckdb_cannot_read_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    path = parquet(tmp_path / "x.parquet", checksums=False, compression="zstd")
    chunk = pq.ParquetFile(path).metadata.row_group(1).column(1)
    data = bytearray(path.read_bytes())
    data[chunk.data_page_offset + 40 : chunk.data_page_offset + 4000] = bytes(3960)
    path.write_bytes(data)
    assert refused(path, way, monkeypatch).code in ("file_unreadable", "engine_failed")


def test_headers_of_pages_are_passed_over_in_bounds() -> None:
    for data in (b"", b"\x15", b"\x1c" * 50, b"\x19\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", b"\x18\xff\xff\x03"):
        with pytest.raises((IndexError, ValueError)):
            Compact(data).skip(12)


def test_the_reader_of_a_damaged_file_that_fails_hears_the_cause(tmp_path: Path) -> None:
    path = tmp_path / "x.csv.gz"
    path.write_bytes(gzip.compress(b"y,a\n1,x\n")[:-8] + bytes(8))
    with pytest.raises(InputError, match="checksum differs"):
        read_file(path, WANTED)
    with pytest.raises(InputError, match="checksum differs"), scan_files([path], WANTED, memory=10**9):
        pass


def test_a_verification_can_be_stopped() -> None:
    seen = []

    def work(goes_on: Any) -> None:
        while goes_on():
            seen.append(1)

    checks = Verification(work)
    checks.stop()
    checks.finish()
