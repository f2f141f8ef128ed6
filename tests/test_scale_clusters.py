"""Spark and a Dask cluster: the same groups from workers, also when one of them dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rocsteady as rs
from rocsteady._src.ranked.lazy.lazy_rows import lazy_rows
from rocsteady._src.ranked.lazy.paired import pair_models
from rocsteady._src.scale.streams import pour
from rocsteady._src.scale.tally import BatchForm, Tally
from rocsteady.errors import InputError
from rocsteady.scale import Sketch, load_sketches
from scale_kit import QUICK_JAVA, awkward_columns, make_table

pytestmark = pytest.mark.filterwarnings("default")  # of the engines' own making, which differ by version


@pytest.fixture(scope="module")
def spark_table() -> Any:
    return make_table("spark", awkward_columns(), 5)


def test_spark_groups_as_memory_does(spark_table: Any) -> None:
    columns = awkward_columns()
    found = rs.scale.rank_table(spark_table, label="y", score=["tied", "big", "single"])
    for name, groups in found.items():
        want = rs.rank(columns["y"], columns[name])
        assert groups == want
        assert groups.fingerprint == want.fingerprint
        assert groups.origin == want.origin
    weighted = rs.scale.rank_table(spark_table.repartition(16), label="y", score="tied", weight="w")
    assert weighted == rs.rank(columns["y"], columns["tied"], sample_weight=columns["w"])


def test_spark_pairs_rows_exactly(spark_table: Any) -> None:
    def products(table: Any) -> Any:
        rows = lazy_rows(table, label="y", scores=["tied", "big"])
        return pair_models(rows, rows.rank()).products

    assert products(spark_table) == products(make_table("polars", awkward_columns()))


def test_spark_sketches_its_partitions(spark_table: Any) -> None:
    columns = awkward_columns()
    found = rs.scale.sketch_table(spark_table, label="y", score=["single", "big"], bits=8, capacity=10, width=0)
    for name, sketch in found.items():
        first = Sketch(bits=8, capacity=10).update(columns["y"], columns[name])
        assert sketch == first.refine([(columns["y"], columns[name])], width=0)
        assert sketch.auc().estimate == rs.auc(columns["y"], columns[name])


def test_spark_refuses_missing_scores_with_their_number() -> None:
    columns = awkward_columns(40)
    columns["tied"][[7, 9]] = np.nan
    with pytest.raises(InputError, match="tied: 2 missing"):
        rs.scale.rank_table(make_table("spark", columns, 2), label="y", score="tied")


def die_once(part: Any, flag: str) -> Any:
    """Kill the worker that holds the third part, the first time it comes by."""
    if len(part) and part.index[0] == 200 and not Path(flag).exists():
        Path(flag).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return part


def test_a_worker_killed_midway_changes_nothing(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="Dask is absent: pip install 'rocsteady[dask]'")
    columns = awkward_columns(500)
    want = rs.rank(columns["y"], columns["tied"])
    flag = tmp_path / "killed"
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "local_directory": str(tmp_path)}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster):
        table = make_table("dask", columns, 5)
        table = table.map_partitions(die_once, str(flag), meta=table._meta)
        found = rs.scale.rank_table(table, label="y", score="tied")
    assert flag.exists()
    assert found == want
    assert found.fingerprint == want.fingerprint


def test_ibis_takes_tables_that_are_in_memory_too() -> None:
    """Those of a database are among the engines of all other tests."""
    ibis = pytest.importorskip("ibis", reason="Ibis is absent: pip install 'ibis-framework[duckdb]'")
    columns = awkward_columns()
    table = ibis.memtable(pa.table(columns))
    found = rs.scale.rank_table(table, label="y", score=["tied", "big", "single"])
    assert all(groups == rs.rank(columns["y"], columns[name]) for name, groups in found.items())
    sketch = rs.scale.sketch_table(table, label="y", score="single", capacity=0)
    assert sketch == rs.scale.Sketch(capacity=0).update(columns["y"], columns["single"])


def test_a_refusal_inside_a_worker_is_one_sentence(spark_table: Any) -> None:
    """It came as 6,000 characters of Py4J."""
    with pytest.raises(rs.InputError) as error:
        rs.scale.sketch_table(spark_table, label="y", score="q", weight="p")
    assert error.value.code == "weights_not_whole"
    assert str(error.value).startswith("a sketch takes whole-number weights")


def test_what_spark_cannot_do_is_one_sentence(spark_table: Any) -> None:
    from pyspark.sql import functions as f

    failing = spark_table.withColumn("q", f.raise_error(f.lit("no such shop")).cast("double"))
    for ask in (rs.scale.rank_table, rs.scale.sketch_table):
        with pytest.raises(rs.InputError, match="no such shop") as error:
            ask(failing, label="y", score="q")
        assert error.value.code == "engine_failed"
        assert len(str(error.value)) < 400


class ConnectFrame:
    """A frame of Spark Connect as narwhals shows it, around one of Spark; all rows at once must not be asked for."""

    def __init__(self, native: Any) -> None:
        self._native = native
        self.implementation = nw.Implementation.PYSPARK_CONNECT

    def to_native(self) -> Any:
        return self._native

    def collect(self) -> Any:
        raise AssertionError("all rows would travel to the client")


def test_spark_connect_counts_in_its_partitions(spark_table: Any) -> None:
    columns = awkward_columns()
    renamed = spark_table.selectExpr("y as code", "tied as score0")
    tally = Tally(BatchForm(("tied",), None, 1), {"tied": Sketch(bits=8)})
    pour(ConnectFrame(renamed), tally, lambda: True)
    tally.groups[()]["tied"].name_negative(0)
    assert tally.groups[()]["tied"].to_bytes() == Sketch(bits=8).update(columns["y"], columns["tied"]).to_bytes()


CONNECT = """
import os, sys
os.environ["PYSPARK_PYTHON"] = sys.executable
import warnings; warnings.simplefilter("ignore")
from pyspark.sql import SparkSession
from pyspark.sql.connect.dataframe import DataFrame
import rocsteady as rs
from rocsteady.scale import Sketch, sketch_table
from scale_kit import awkward_columns
columns = {name: awkward_columns()[name].tolist() for name in ("y", "tied", "p")}
spark = SparkSession.builder.remote("local[2]").getOrCreate()
table = spark.createDataFrame(list(zip(*columns.values())), list(columns)).repartition(3)
asked = DataFrame.toArrow, DataFrame.toPandas, DataFrame.collect
def refuse(*args, **kwargs):
    raise AssertionError("all rows would travel to the client")
DataFrame.toArrow = DataFrame.toPandas = DataFrame.collect = refuse
found = sketch_table(table, label="y", score="tied")
assert found.to_bytes() == Sketch().update(columns["y"], columns["tied"]).to_bytes()
try:
    sketch_table(table, label="y", score="tied", weight="p")
except rs.InputError as error:
    assert str(error).startswith("a sketch takes whole-number weights"), error
DataFrame.toArrow, DataFrame.toPandas, DataFrame.collect = asked
assert rs.scale.rank_table(table, label="y", score="tied") == rs.rank(columns["y"], columns["tied"])
print("counted")
spark.stop()
"""


def test_a_server_of_spark_connect_counts_in_its_partitions() -> None:
    pytest.importorskip("pyspark", reason="Spark is absent: pip install 'rocsteady[spark]' (needs Java 17)")
    for part in ("grpc", "grpc_status"):
        pytest.importorskip(part, reason="Spark Connect is absent: pip install 'pyspark[connect]'")
    paths = os.pathsep.join([str(Path(rs.__file__).parent.parent), str(Path(__file__).parent)])
    done = subprocess.run(
        [sys.executable, "-c", CONNECT],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": paths, "JAVA_TOOL_OPTIONS": QUICK_JAVA},
    )
    assert done.stdout.strip().endswith("counted"), done.stderr[-2000:]


def test_a_stream_of_spark_counts_every_batch_once_though_one_is_tried_again(spark_table: Any, tmp_path: Path) -> None:
    columns = awkward_columns(300)
    for place in range(3):
        part = {name: columns[name][100 * place : 100 * (place + 1)] for name in ("y", "single")}
        (tmp_path / "rows").mkdir(exist_ok=True)
        pq.write_table(pa.table(part), tmp_path / "rows" / f"{place}.parquet")
    seen: list[int] = []

    def count(batch: Any, number: int) -> None:
        counted = rs.scale.sketch_table(batch, label="y", score="single", bits=8, capacity=10)
        counted.save(tmp_path / f"{number}.rks", force=True)
        seen.append(number)
        if seen == [0, 1]:
            raise RuntimeError("dies after it has counted, and before Spark knows")

    def run() -> None:
        session = spark_table.sparkSession
        rows = session.readStream.schema("y bigint, single float").option("maxFilesPerTrigger", 1)
        stream = rows.parquet(str(tmp_path / "rows")).writeStream.option("checkpointLocation", str(tmp_path / "at"))
        stream.foreachBatch(count).trigger(availableNow=True).start().awaitTermination()

    with pytest.raises(Exception, match="dies after it has counted"):
        run()
    run()
    assert seen == [0, 1, 1, 2]
    first, *others = (load_sketches(tmp_path / f"{number}.rks") for number in range(3))
    assert first.merge(*others) == Sketch(bits=8, capacity=10).update(columns["y"], columns["single"])
