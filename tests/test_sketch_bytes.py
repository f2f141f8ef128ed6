"""Sketches as bytes: they come back, and whatever else is passed is refused in words."""

from __future__ import annotations

import hashlib
import json
import re
import struct
import subprocess
import sys
import tracemalloc
import zlib
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from cases import each_case
from rocsteady._src.scale.sketch import Sketch
from rocsteady._src.scale.sketch_bytes import DIGEST, FRONT, LENGTHS, MAGIC, VERSION, encode

if TYPE_CHECKING:
    from collections.abc import Callable

FORMS = ("empty", "scores", "buckets", "cells", "blank cells", "integers", "label")


@cache
def made(form: str) -> Sketch:
    rng = np.random.default_rng(2)
    y, s = rng.random(300) < 0.4, rng.normal(size=300).round(2)
    if form == "empty":
        return Sketch(bits=6, range=(0, 1))
    if form == "integers":
        return Sketch(bits=6, capacity=0).update(y, np.arange(300) - 2**60, sample_weight=np.arange(1, 301))
    if form == "label":
        return Sketch().update(["a", "b"], [-0.0, -np.inf], pos_label="a")
    sketch = Sketch(bits=6, capacity=300 if form == "scores" else 20).update(y, s)
    if form == "blank cells":
        return sketch.finer(cells=100)
    return sketch.refine([(y, s)], cells=100, passes=1) if form == "cells" else sketch


@each_case("form", FORMS)
def test_a_sketch_comes_back(form: str) -> None:
    sketch = made(form)
    again = Sketch.from_bytes(sketch.to_bytes())
    assert again.to_bytes() == sketch.to_bytes()
    assert again.origin == sketch.origin
    for name in ("first", "last", "pos", "neg", "kind"):
        assert np.array_equal(getattr(again.cells, name), getattr(sketch.cells, name))


@given(st.sampled_from(FORMS), st.data())
def test_changed_or_cut_bytes_are_refused(form: str, data: st.DataObject) -> None:
    good = made(form).to_bytes()
    place = data.draw(st.integers(0, len(good) - 1))
    changed = bytearray(good)
    changed[place] ^= data.draw(st.integers(1, 255))
    for bad in (bytes(changed), good[:place], good + b"x"):
        with pytest.raises(rs.InputError) as error:
            Sketch.from_bytes(bad)
        assert error.value.code in ("sketch_bytes", "sketch_version")


@given(st.binary(max_size=200), st.booleans())
def test_noise_is_refused(noise: bytes, begins_well: bool) -> None:
    with pytest.raises(rs.InputError):
        Sketch.from_bytes(signed(VERSION, len(noise), noise) if begins_well else noise)


@given(st.sampled_from(FORMS[1:]), st.data())
def test_changes_under_a_right_checksum_give_a_sound_sketch_or_a_refusal(form: str, data: st.DataObject) -> None:
    body = bytearray(unpacked(made(form).to_bytes()))
    place = data.draw(st.integers(0, len(body) - 1))
    body[place] ^= data.draw(st.integers(1, 255))
    try:
        sketch = Sketch.from_bytes(signed(VERSION, len(body), zlib.compress(bytes(body))))
    except rs.InputError:
        return
    cells = sketch.cells
    assert (cells.first <= cells.last).all()
    assert (cells.first[1:] > cells.last[:-1]).all()
    assert (cells.pos >= 0).all()
    assert (cells.neg >= 0).all()
    low, high = sketch.auc()
    assert low <= high or not (sketch.n_pos and sketch.n_neg)


def signed(version: int, expanded: int, packed: bytes) -> bytes:
    data = FRONT.pack(MAGIC, version, expanded) + packed
    return data + hashlib.blake2b(data, digest_size=DIGEST).digest()


def unpacked(data: bytes) -> bytes:
    return zlib.decompress(data[FRONT.size : -DIGEST])


def test_a_bomb_is_refused_before_it_expands() -> None:
    bomb = zlib.compress(bytes(50_000_000))
    for claimed in (100, 2**62):
        with pytest.raises(rs.InputError, match="expand"):
            Sketch.from_bytes(signed(VERSION, claimed, bomb))
    with pytest.raises(rs.InputError, match="most_bytes"):
        Sketch.from_bytes(made("scores").to_bytes(), most_bytes=100)


MEGA = 1 << 20
SIZE = 400_000


def large(form: str) -> bytes:
    """Sound bytes of many entries, or of few that ask for many buckets."""
    keys, ones = np.arange(SIZE, dtype=np.int64), np.ones(SIZE, dtype=np.int64)
    few = {"buckets": 5, "buckets of a range": 5}.get(form, SIZE)
    counts, plan = [keys[:few], ones[:few], ones[:few] - 1], NOTHING
    header = header_of(made("scores")) | {"form": form.partition(" ")[0], "kind": "int64", "dtype": None, "n_rows": few}
    header |= {"capacity": 0 if few == 5 else SIZE, "bits": 21}
    if form == "buckets of a range":
        header["range"] = [0.0, 1.0]
    if form == "cells":
        plan = [keys, keys, ones - 1]
    if form == "cells of one":
        plan = [keys[:1], keys[-1:], ones[:1] - 1]
    return encode(header, counts, plan)


def peak_of(work: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("form", ["scores", "cells", "cells of one", "buckets", "buckets of a range"])
def test_memory_is_bounded_and_what_is_allowed_is_enough(form: str) -> None:
    """200 MB were allowed, and 1.14 GB were taken."""
    data = large(form)
    with pytest.raises(rs.InputError, match=r"it would take \d+ bytes of memory.*most_bytes") as error:
        Sketch.from_bytes(data, most_bytes=len(unpacked(data)) + 100)
    needed = int(re.findall(r"take (\d+) bytes", str(error.value))[0])
    with pytest.raises(rs.InputError, match="most_bytes"):
        Sketch.from_bytes(data, most_bytes=needed - 1)
    assert peak_of(lambda: Sketch.from_bytes(data, most_bytes=needed)) <= needed
    assert needed < 5 * MEGA + 28 * (len(unpacked(data)) // 24) + 40 * MEGA * form.startswith("buckets")


@cache
def bombs() -> dict[str, bytes]:
    header = header_of(made("scores"))
    many = 2**21
    words = json.dumps(header | {"form": "cells"}).encode()
    return {
        "zeros": bomb(words, many, 0, many * 24),
        "plan": bomb(words, 0, many, many * 24),
        "claims less": bomb(words, 10, 0, many * 24),
        "claims more": bomb(words, many, many, 240),
        "counts": bomb(words, 2**32 - 1, 2**32 - 1, 240),
    }


def bomb(words: bytes, n_counts: int, n_plan: int, size: int) -> bytes:
    packer = zlib.compressobj(1)
    start = LENGTHS.pack(len(words), n_counts, n_plan) + words
    parts = [packer.compress(start), *(packer.compress(bytes(min(MEGA, size - at))) for at in range(0, size, MEGA))]
    return signed(VERSION, len(start) + 24 * (n_counts + n_plan), b"".join(parts) + packer.flush())


def test_a_bomb_takes_no_more_memory_than_allowed() -> None:
    for name, data in bombs().items():
        for allowed in (8 * MEGA, 40 * MEGA):

            def load(data: bytes = data, allowed: int = allowed) -> None:
                with pytest.raises(rs.InputError):
                    Sketch.from_bytes(data, most_bytes=allowed)

            assert peak_of(load) <= allowed, name


UNDER_A_LIMIT = """
import resource, sys
from rocsteady.scale import Sketch
import rocsteady as rs
Sketch.from_bytes(Sketch().update([1, 0], [1.0, 2.0]).to_bytes())
pages = int(open("/proc/self/statm").read().split()[0])
limit = pages * resource.getpagesize() + 60 * 2**20
data = sys.stdin.buffer.read()
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    print(Sketch.from_bytes(data, most_bytes=45 * 2**20).n_rows)
except rs.InputError as error:
    print(error.code)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="/proc and RLIMIT_AS are those of Linux")
def test_the_limit_holds_under_that_of_the_system() -> None:
    """Python's own count of memory might miss some: a process with 60 MB to spare reads what may take 45."""
    for data, said in ((large("scores"), SIZE), (large("buckets"), 5), (bombs()["zeros"], "sketch_bytes")):
        call = [sys.executable, "-c", UNDER_A_LIMIT]
        done = subprocess.run(call, input=data, capture_output=True, check=False)
        assert done.stdout.decode().strip() == str(said), done.stderr.decode()[-500:]


def test_other_versions_and_types_are_refused() -> None:
    body = unpacked(made("scores").to_bytes())
    with pytest.raises(rs.InputError, match="format 1; this version of rocsteady reads 2") as error:
        Sketch.from_bytes(signed(1, len(body), zlib.compress(body)))
    assert error.value.code == "sketch_version"
    with pytest.raises(rs.InputError, match="bytes are needed, not str"):
        Sketch.from_bytes("RSSKETCH")
    assert Sketch.from_bytes(bytearray(made("scores").to_bytes())) == made("scores")


def header_of(sketch: Sketch) -> dict[str, Any]:
    body = unpacked(sketch.to_bytes())
    length = LENGTHS.unpack_from(body)[0]
    return json.loads(body[LENGTHS.size : LENGTHS.size + length])


NOTHING = [np.zeros(0, dtype=np.int64)] * 3


def forged(change: Callable[[dict[str, Any], list[Any], list[Any]], object], form: str = "scores") -> bytes:
    sketch = made(form)
    counts = sketch._counts
    assert counts is not None
    arrays = [column.copy() for column in counts.groups()]
    plan = [column.copy() for column in (NOTHING if counts.plan is None else counts.plan.columns())]
    header = header_of(sketch)
    change(header, arrays, plan)
    return encode(header, arrays, plan)


def put(name: str, value: Any) -> Callable[..., object]:
    return lambda header, arrays, plan: header.update({name: value})


def set_count(column: int, place: int, value: int) -> Callable[..., object]:
    return lambda header, arrays, plan: arrays[column].__setitem__(place, value)


@each_case(
    ("change", "form", "message"),
    [
        (put("bits", 60), "scores", "bits"),
        (put("bits", "20"), "scores", "bits"),
        (put("range", [1.0, 0.0]), "scores", "range"),
        (put("range", [0, 1]), "scores", "range"),
        (put("capacity", -1), "scores", "capacity"),
        (put("capacity", 5), "scores", "capacity"),
        (put("capacity", 300), "buckets", "few rows"),
        (put("n_rows", 299), "scores", "claims 299 rows"),
        (put("n_rows", 10**6), "integers", "claims"),
        (put("n_dropped", 1.5), "scores", "n_dropped"),
        (put("kind", "float32"), "scores", "kind"),
        (put("kind", None), "scores", "form"),
        (put("dtype", "int64"), "scores", "contradicts"),
        (put("form", "empty"), "scores", "form"),
        (put("form", "cells"), "scores", "overlap"),
        (put("weighted", 1), "scores", "weighted"),
        (put("pos_label", [1]), "scores", "pos_label"),
        (put("neg_label", 1), "scores", "neg_label"),
        (put("neg_label", 0.0), "scores", "neg_label"),
        (put("more", 1), "scores", "fields"),
        (set_count(1, 0, -5), "scores", "negative"),
        (set_count(1, 0, 2**62), "scores", "too large"),
        (set_count(0, 3, -(2**63)), "scores", "rise"),
        (set_count(0, 0, -(2**63)), "scores", "no score"),
        (set_count(0, -1, 2**63 - 1), "scores", "no score"),
        (set_count(0, 0, -5), "buckets", "bucket"),
        (set_count(0, -1, 64), "buckets", "bucket"),
        (lambda header, arrays, plan: plan[2].__setitem__(0, 65), "cells", "split"),
        (lambda header, arrays, plan: plan[1].__setitem__(0, plan[1][-1]), "cells", "overlap"),
        (lambda header, arrays, plan: arrays[0].__setitem__(0, arrays[0][0] - 1), "cells", "outside|begins"),
    ],
)
def test_forged_contents_are_refused(change: Any, form: str, message: str) -> None:
    with pytest.raises(rs.InputError, match=message) as error:
        Sketch.from_bytes(forged(change, form))
    assert error.value.code == "sketch_bytes"


def test_an_unchanged_forgery_is_accepted() -> None:
    for form in FORMS[1:]:
        assert Sketch.from_bytes(forged(lambda *_: None, form)) == made(form)


def test_headers_that_are_no_records_are_refused() -> None:
    for words in (b"[1]", b"{", b"\xff", b"[" * 60000, b"NaN"):
        body = LENGTHS.pack(len(words), 0, 0) + words
        with pytest.raises(rs.InputError, match="header"):
            Sketch.from_bytes(signed(VERSION, len(body), zlib.compress(body)))
    huge = struct.pack("<III", 2**32 - 1, 2**32 - 1, 2**32 - 1)
    with pytest.raises(rs.InputError, match="add up"):
        Sketch.from_bytes(signed(VERSION, len(huge), zlib.compress(huge)))


def test_another_process_counts_its_part_and_sends_it_back() -> None:
    code = (
        "import sys\n"
        "from rocsteady.scale import Sketch\n"
        "received = Sketch.from_bytes(sys.stdin.buffer.read())\n"
        "mine = received.blank().update([1, 0, 1], [0.25, 0.5, 0.75])\n"
        "sys.stdout.buffer.write(received.merge(mine).to_bytes())\n"
    )
    sent = Sketch(bits=8).update([0, 1], [0.125, 0.625])
    done = subprocess.run([sys.executable, "-c", code], input=sent.to_bytes(), capture_output=True, check=True)
    assert Sketch.from_bytes(done.stdout) == Sketch(bits=8).update([0, 1, 1, 0, 1], [0.125, 0.625, 0.25, 0.5, 0.75])


def test_labels_that_cannot_be_stored_are_refused() -> None:
    for label, other in ((b"a", b"b"), ("x" * 70_000, "y")):
        sketch = Sketch().update(np.array([label, other], dtype=object), [1.0, 2.0], pos_label=label)
        with pytest.raises(rs.ArgumentError, match="label"):
            sketch.to_bytes()
