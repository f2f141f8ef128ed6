"""What an extra brings works, and what another brings is asked for with its command: ``python smoke.py EXTRA``.

Run by ``make extras`` in an environment that holds the wheel with one extra and nothing else.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING

import rocsteady as rs

if TYPE_CHECKING:
    from collections.abc import Callable

Y, S, T = [1, 0, 1, 0], [0.9, 0.4, 0.3, 0.1], [0.8, 0.5, 0.6, 0.2]
AREA = 0.75
MANY = [place % 2 for place in range(60)]
RISING = [[value, value % 7] for value in range(60)]


def command() -> None:
    """A command reads a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.csv"
        path.write_text("y,s\n" + "\n".join(f"{y},{s}" for y, s in zip(Y, S, strict=True)))
        words = [sys.executable, "-m", "rocsteady", "evaluate", str(path), "--label", "y", "--score", "s"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise rs.errors.MissingDependencyError(done.stderr)
    assert "0.7500" in done.stdout, done.stdout


def files() -> None:
    """The library reads a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.csv"
        path.write_text("y,s\n" + "\n".join(f"{y},{s}" for y, s in zip(Y, S, strict=True)))
        assert rs.evaluate(path, label="y", scores="s")["auc"] == AREA


def workbooks() -> None:
    """A spreadsheet's file becomes rows."""
    from rocsteady._src.inputs.files.workbook import write_sheet

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.xlsx"
        if find_spec("openpyxl"):
            import openpyxl

            book = openpyxl.Workbook()
            book.active.append(["y", "s"])
            book.save(path)
        else:
            with zipfile.ZipFile(path, "w"):
                pass
        assert write_sheet(path, Path(folder) / "x.csv") == ["Sheet"]


def plots() -> None:
    """A picture is drawn."""
    if find_spec("matplotlib"):
        import matplotlib as mpl

        mpl.use("Agg")
    assert rs.roc_curve(Y, S).plot().ax_.lines


def charts() -> None:
    """A picture of the report is drawn."""
    assert "<svg" in rs.evaluate(Y, S)._repr_html_()


def scorers() -> None:
    """A model is fitted and judged."""
    scorer = rs.scorer("auc")
    model = rs.learning.AUCClassifier().fit(RISING, MANY)
    assert 0 <= scorer(model, RISING, MANY) <= 1


def frames() -> None:
    """A result becomes a table."""
    assert len(rs.roc_curve(Y, S).to_frame()) == len(rs.roc_curve(Y, S).fpr)


def polars() -> None:
    """A lazy table of Polars."""
    import polars as pl

    table = pl.LazyFrame({"y": Y, "s": S})
    assert rs.evaluate(table, label="y", scores="s")["auc"] == AREA


def arrow() -> None:
    """A table of Arrow."""
    import pyarrow as pa

    assert rs.evaluate(pa.table({"y": Y, "s": S}), label="y", scores="s")["auc"] == AREA


def dask() -> None:
    """A table of Dask, in two parts."""
    import dask.dataframe as dd
    import pandas as pd

    table = dd.from_pandas(pd.DataFrame({"y": Y, "s": S}), npartitions=2)
    assert rs.auc(rs.scale.rank_table(table, label="y", score="s")) == AREA


def spark() -> None:
    """A table of Spark, where there is Java."""
    from pyspark.sql import SparkSession

    if which("java") is None:
        print("no Java here: Spark was imported only")
        return
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    table = session.createDataFrame(list(zip(Y, S, strict=True)), "y int, s double")
    assert rs.auc(rs.scale.rank_table(table, label="y", score="s")) == AREA
    session.stop()


def boosting() -> None:
    """XGBoost and LightGBM train by our objectives."""
    import lightgbm
    import numpy as np
    import xgboost

    features, labels = np.array(RISING, dtype=float), np.array(MANY)
    trained = xgboost.train(
        {"max_depth": 2},
        xgboost.DMatrix(features, label=labels),
        num_boost_round=2,
        obj=rs.learning.xgboost_objective(),
    )
    assert trained.num_boosted_rounds() == 2
    by = {"objective": rs.learning.lightgbm_objective(), "verbose": -1}
    assert lightgbm.train(by, lightgbm.Dataset(features, labels), 2).num_trees() == 2


def mlflow() -> None:
    """MLflow finds the evaluator of the wheel, by its entry point; a store to log to needs more."""
    from importlib.metadata import entry_points

    if not find_spec("mlflow"):
        rs.trackers.log_mlflow(rs.proportion_interval(1, 2))
    from mlflow.models import list_evaluators

    assert "rocsteady" in list_evaluators(), list_evaluators()
    (entry,) = entry_points(group="mlflow.model_evaluator", name="rocsteady")
    assert entry.load().can_evaluate(model_type="classifier", evaluator_config={})


def inspect() -> None:
    """An archive that is compressed as inspect does it."""
    import struct
    import zlib

    header, answers = b'{"eval": {"task": "t", "model": "m"}}', b'[{"id": 1, "scores": {"g": {"value": "C"}}}]'
    with tempfile.TemporaryDirectory() as folder:
        path, body, ends = Path(folder) / "x.eval", b"", b""
        for name, data in ((b"header.json", header), (b"summaries.json", answers)):
            packed = _zstandard(data)
            facts = struct.pack("<HHHHIIIHH", 0, 93, 0, 0, zlib.crc32(data), len(packed), len(data), len(name), 0)
            ends += b"PK\1\2\x3f\0\x3f\0" + facts + struct.pack("<HHHII", 0, 0, 0, 0, len(body)) + name
            body += b"PK\3\4\x3f\0" + facts + name + packed
        last = struct.pack("<HHHHIIH", 0, 0, 2, 2, len(ends), len(body), 0)
        path.write_bytes(body + ends + b"PK\5\6" + last)
        assert rs.trackers.read_inspect(path).right["m"].tolist() == [True]


def _zstandard(data: bytes) -> bytes:
    """Packed, or as it is where the package is absent."""
    if not find_spec("zstandard"):
        return data
    import zstandard

    return bytes(zstandard.compress(data))


# what is tried: the packages behind it, the extra that brings them, and whether the library asks for it by itself
TRIED: dict[Callable[[], None], tuple[tuple[str, ...], str, bool]] = {
    command: (("typer", "rich", "duckdb"), "cli", True),
    files: (("duckdb",), "cli", True),
    workbooks: (("openpyxl",), "serve", True),
    plots: (("matplotlib",), "plots", True),
    charts: (("vl_convert",), "report", False),
    scorers: (("sklearn",), "sklearn", True),
    frames: (("polars", "pandas", "pyarrow"), "polars", True),
    polars: (("polars",), "polars", False),
    arrow: (("pyarrow",), "arrow", False),
    dask: (("dask", "distributed"), "dask", False),
    spark: (("pyspark",), "spark", False),
    boosting: (("xgboost", "lightgbm"), "boosting", False),
    mlflow: (("mlflow", "pandas", "sklearn", "matplotlib"), "mlflow", True),
    inspect: (("zstandard",), "inspect", True),
}
ANY_OF = {frames}
PARTS = {
    "all": {"cli", "plots", "report", "serve", "sklearn", "polars", "arrow"},
    "mlflow": {"mlflow", "plots", "sklearn"},
    "serve": {"cli", "plots", "serve"},
    "none": set(),
}


def check(extra: str) -> list[str]:
    """Try everything; what the extra brings must work, what is absent must be asked for."""
    assert rs.auc(Y, S) == AREA
    told = []
    for tried, (packages, brought_by, asks) in TRIED.items():
        present = [find_spec(package) is not None for package in packages]
        if any(present) if tried in ANY_OF else all(present):
            tried()
            told.append(f"{tried.__name__} works")
        elif brought_by in PARTS.get(extra, {extra}):
            raise AssertionError(f"{extra} does not bring {packages}")
        elif asks:
            told.append(_asked(tried, brought_by))
    return told


def _asked(tried: Callable[[], None], extra: str) -> str:
    try:
        tried()
    except rs.errors.MissingDependencyError as error:
        assert f'pip install "rocsteady[{extra}]"' in str(error), error
        return f"{tried.__name__} asks for {extra}"
    raise AssertionError(f"{tried.__name__} worked without {extra}")


if __name__ == "__main__":
    print(f"{sys.argv[1]}: {', '.join(check(sys.argv[1]))}")
