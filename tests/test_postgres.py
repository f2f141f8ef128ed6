"""A real Postgres: the plans that Ibis makes count as memory does."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Server:
    """Where it listens, and what asks it; it answers as CSV."""

    folder: str
    ask: Ask


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server of its own in a folder of its own, which nobody reaches from outside."""
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
        control = [pg_ctl, "-D", data, "-w", "-l", f"{folder}/log", "-o", f"-F -k {folder} -c listen_addresses=''"]
        run(*control, "start")
        try:
            words = [psql, "-h", folder, "-U", "rows", "-qd", "postgres", "--csv", "-v", "ON_ERROR_STOP=1"]
            yield Server(folder, lambda sql: run(*words, text=sql))
        finally:
            run(*control, "-m", "immediate", "stop")


def test_ibis_on_postgres_counts_as_memory_does(server: Server) -> None:
    """Groups, measures and a comparison, by the SQL that Ibis makes of one plan; only groups and sums come back."""
    ibis = pytest.importorskip("ibis", reason="Ibis is absent: pip install 'ibis-framework[postgres]'")
    pytest.importorskip("psycopg", reason="Ibis reaches Postgres by psycopg: pip install 'ibis-framework[postgres]'")
    rng = np.random.default_rng(9)
    y = rng.integers(0, 2, 300)
    columns = {"y": y, "a": np.round(rng.random(300) + 0.3 * y, 2), "b": np.round(rng.random(300) + 0.2 * y, 3)}
    values = ", ".join(map(str, zip(*(column.tolist() for column in columns.values()), strict=True)))
    server.ask("CREATE TABLE scored (y int, a double precision, b double precision);")
    server.ask(f"INSERT INTO scored VALUES {values};")  # noqa: S608 - our own numbers
    backend = ibis.postgres.connect(host=server.folder, user="rows", database="postgres")
    try:
        table = backend.table("scored")
        assert rs.scale.rank_table(table, label="y", score="a") == rs.rank(y, columns["a"])
        there = rs.evaluate(table, label="y", scores=["a", "b"])
        here = rs.evaluate(columns, label="y", scores=["a", "b"])
        assert there["a"]["auc"] == here["a"]["auc"]
        assert there.compare().pairs[0].test.pvalue == here.compare().pairs[0].test.pvalue
        counted = rs.scale.sketch_table(table, label="y", score="b", bits=8, capacity=10)
        assert counted == rs.scale.Sketch(bits=8, capacity=10).update(y, columns["b"])
    finally:
        backend.disconnect()
