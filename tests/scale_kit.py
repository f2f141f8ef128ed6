"""The same rows as a table of each engine, in as many partitions as asked for."""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

ENGINES = ("duckdb", "polars", "dask", "ibis")
QUICK_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
"""A Java that does not optimise what runs once, nor collect garbage on all cores, nor prove Spark's classes sound."""


def make_table(engine: str, columns: dict[str, Any], partitions: int = 3) -> Any:
    """A lazy table of this engine; an absent one is skipped with the command that installs it."""
    table = columns if isinstance(columns, pa.Table) else pa.table(columns)
    return MAKERS[engine](table, partitions)


def _duckdb(table: pa.Table, partitions: int) -> Any:
    import duckdb

    del partitions
    return duckdb.connect().from_arrow(table)


def _polars(table: pa.Table, partitions: int) -> Any:
    import polars as pl

    size = -(-table.num_rows // partitions)
    parts = [pl.from_arrow(table.slice(start, size)).lazy() for start in range(0, size * partitions, max(size, 1))]
    return pl.concat(parts) if parts else pl.from_arrow(table).lazy()


def _dask(table: pa.Table, partitions: int) -> Any:
    dd = pytest.importorskip("dask.dataframe", reason="Dask is absent: pip install 'rocsteady[dask]'")
    return dd.from_pandas(table.to_pandas(), npartitions=partitions)


def _spark(table: pa.Table, partitions: int) -> Any:
    return spark_session().createDataFrame(table).repartition(partitions)


def _ibis(table: pa.Table, partitions: int) -> Any:
    """A table that exists, made by SQL: create_table of Ibis 12 fails with the newest sqlglot."""
    ibis = pytest.importorskip("ibis", reason="Ibis is absent: pip install 'ibis-framework[duckdb]'")
    del partitions
    backend = ibis.duckdb.connect()
    backend.con.register("given", table)
    backend.con.execute("CREATE TABLE rows AS SELECT * FROM given").fetchall()
    return backend.table("rows")


MAKERS = {"duckdb": _duckdb, "polars": _polars, "dask": _dask, "spark": _spark, "ibis": _ibis}


@cache
def spark_session() -> Any:
    """One small local Spark for all tests, where pyspark and Java are installed."""
    sql = pytest.importorskip("pyspark.sql", reason="Spark is absent: pip install 'rocsteady[spark]' (needs Java 17)")
    import shutil

    if shutil.which("java") is None:
        pytest.skip("Spark needs Java 17 on the PATH")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    options = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.memory": "1g",
        "spark.driver.extraJavaOptions": QUICK_JAVA,
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.codegen.wholeStage": "false",  # classes that are compiled for a few hundred rows
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.adaptive.enabled": "false",  # which plans anew after every stage, and would join partitions
    }
    builder = sql.SparkSession.builder.master("local[1]")
    for name, value in options.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def awkward_columns(n: int = 600, seed: int = 0) -> dict[str, Any]:
    """Ties, -0.0 beside 0.0, infinities, whole numbers beyond 2**53, single precision, whole weights with zeros."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    tied = np.round(rng.random(n) + 0.3 * y, 1)
    tied[:8] = [-0.0, 0.0, -0.0, 0.0, np.inf, -np.inf, np.inf, -0.0]
    return {
        "y": y,
        "tied": tied,
        "big": 2**60 + rng.integers(0, 40, n) + 20 * y,
        "single": (rng.random(n) + 0.2 * y).astype(np.float32),
        "p": np.round(0.7 * rng.random(n) + 0.3 * y, 3),
        "q": np.round(0.8 * rng.random(n) + 0.2 * y, 2),
        "w": rng.integers(0, 4, n),
        "g": rng.choice(["north", "south"], n),
    }
