"""The SQL that a warehouse runs, on a real Postgres: its bucket counts are those of counting the rows here."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

import rocsteady as rs

Ask = Callable[[str], str]


def _program(name: str) -> str:
    places = [*Path("/usr/lib/postgresql").glob(f"*/bin/{name}")]
    found = shutil.which(name) or (str(places[-1]) if places else None)
    if found is None:
        pytest.skip(f"{name} is absent: apt-get install postgresql")
    return found


def _not_root() -> str | None:
    """Postgres does not run as root: somebody else has to."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam("postgres").pw_name
    except KeyError:
        pytest.skip("Postgres does not run as root, and there is no user postgres")


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    """A server of its own in a folder of its own, which nobody reaches from outside; it answers as CSV."""
    initdb, pg_ctl, psql = (_program(name) for name in ("initdb", "pg_ctl", "psql"))
    user = _not_root()
    with TemporaryDirectory(prefix="pg") as folder:
        if user is not None:
            shutil.chown(folder, user)
        data = f"{folder}/data"

        def run(*words: str, text: str | None = None) -> str:
            done = subprocess.run(words, input=text, user=user, capture_output=True, text=True, check=False, cwd=folder)
            assert done.returncode == 0, done.stderr
            return done.stdout

        run(initdb, "-D", data, "-U", "rows", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
        server = [pg_ctl, "-D", data, "-w", "-l", f"{folder}/log", "-o", f"-F -k {folder} -c listen_addresses=''"]
        run(*server, "start")
        try:
            yield lambda sql: run(psql, "-h", folder, "-U", "rows", "-qd", "postgres", "--csv", "-v", "ON_ERROR_STOP=1",
                                  text=sql)  # fmt: skip
        finally:
            run(*server, "-m", "immediate", "stop")


def test_the_bucket_sql_counts_as_rocsteady_does(ask: Ask) -> None:
    rng = np.random.default_rng(8)
    y, p = rng.integers(0, 2, 2000), rng.random(2000)
    p[:6] = [0.0, 1.0, -0.5, 1.5, 0.25, np.nextafter(0.25, 0)]
    values = ", ".join(f"({label}, {score!r})" for label, score in zip(y.tolist(), p.tolist(), strict=True))
    ask('CREATE TABLE "Loans" (y int, "p x" double precision);')
    ask(f'INSERT INTO "Loans" VALUES {values};')  # noqa: S608 - our own numbers
    sql = rs.scale.bucket_sql("Loans", label="y", score="p x", range=(0, 1), bits=10)
    lines = [line.split(",") for line in ask(sql + ";").splitlines()]
    assert lines[0] == ["bucket", "positives", "negatives", "others"]
    columns = np.array(lines[1:], dtype=np.int64).T
    made = rs.scale.sketch_buckets(*columns, range=(0, 1), bits=10)
    known = rs.scale.Sketch(10, (0, 1), capacity=0).update(y, p, pos_label=1)
    assert (made.auc().low, made.auc().high) == (known.auc().low, known.auc().high)
    assert made.cells.pos.tolist() == known.cells.pos.tolist()
    assert made.cells.first.tolist() == known.cells.first.tolist()
    ask("INSERT INTO \"Loans\" VALUES (1, NULL), (0, 'NaN'), (3, 0.5);")
    lines = [line.split(",") for line in ask(sql + ";").splitlines()[1:]]
    columns = np.array(lines, dtype=np.int64).T
    with pytest.raises(rs.errors.InputError):
        rs.scale.sketch_buckets(*columns, range=(0, 1), bits=10)
