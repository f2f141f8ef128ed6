"""AUC of more rows than one looks at: rocsteady's sketch beside Spark MLlib, torchmetrics, datasketches and nannyml.

``python -m benchmarks.side_by_side PYTHON_WITH_TORCHMETRICS_AND_DATASKETCHES PYTHON_WITH_NANNYML [rows]``. Every way is
a few lines that a user would write, run by itself on the same Parquet file: its lines are counted, its AUC is held
against the exact one, and rows are divided by the processor seconds of all its processes, the best of three turns,
without the start of Python and of a Spark session. It prints the table of docs/comparison.md.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import rocsteady as rs

ROWS, SEED, TURNS = 1_000_000, 26, 3

OURS = """
import polars as pl
import rocsteady as rs
sketch = rs.scale.sketch_table(pl.scan_parquet(path), label="y", score="p")
area = sketch.auc()
found, ends = area.estimate, (area.low, area.high)
"""
EXACT = """
import polars as pl
import rocsteady as rs
table = pl.read_parquet(path)
found = rs.auc(table["y"], table["p"])
"""
SPARK = """
from pyspark.ml.evaluation import BinaryClassificationEvaluator
table = spark.read.parquet(path)
judge = BinaryClassificationEvaluator(rawPredictionCol="p", labelCol="y", metricName="areaUnderROC", numBins=1000)
found = judge.evaluate(table)
"""
TORCH = """
import pyarrow.parquet as pq
import torch
from torchmetrics.classification import BinaryAUROC
metric = BinaryAUROC(thresholds=200)
for batch in pq.ParquetFile(path).iter_batches(batch_size=100_000):
    metric.update(torch.from_numpy(batch["p"].to_numpy()), torch.from_numpy(batch["y"].to_numpy()))
found = float(metric.compute())
"""
KLL = """
import numpy as np
import pyarrow.parquet as pq
from datasketches import kll_doubles_sketch
pos, neg = kll_doubles_sketch(200), kll_doubles_sketch(200)
for batch in pq.ParquetFile(path).iter_batches(batch_size=100_000):
    y, p = batch["y"].to_numpy(), batch["p"].to_numpy()
    pos.update(p[y == 1])
    neg.update(p[y == 0])
ranks = (np.arange(1000) + 0.5) / 1000
points = pos.get_quantiles(ranks)
found = float(np.mean([neg.get_rank(point) for point in points]))
"""
NANNY = """
import nannyml as nml
import pandas as pd
table = pd.read_parquet(path)
table["called"] = (table["p"] > 0.5).astype(int)
calc = nml.PerformanceCalculator(y_true="y", y_pred="called", y_pred_proba="p", problem_type="classification_binary",
                                 metrics=["roc_auc"], chunk_number=1)
calc.fit(table)
found = float(calc.calculate(table).to_df()[("roc_auc", "value")].iloc[-1])
"""
START_SPARK = """
from pyspark.sql import SparkSession
spark = (SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
         .config("spark.sql.shuffle.partitions", "4").getOrCreate())
spark.sparkContext.setLogLevel("ERROR")
"""
DRIVER = """
import json, os, sys, time

def cpu():
    "Seconds of this process and of all that it started."
    own, found, tick = os.getpid(), {}, os.sysconf("SC_CLK_TCK")
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                part = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        found[int(name)] = int(part[1]), sum(map(int, part[11:15])) / tick
    inside, total = {own}, 0.0
    for _ in range(4):
        inside |= {pid for pid, (parent, _) in found.items() if parent in inside}
    return sum(found[pid][1] for pid in inside if pid in found)

path, start, lines, turns = json.loads(sys.stdin.read())
space = {"path": path}
exec(start, space)
spent = []
for _ in range(turns):
    before = cpu()
    exec(lines, space)
    spent.append(cpu() - before)
print(json.dumps([space["found"], space.get("ends"), min(spent)]))
"""
WAYS = {  # lines, lines before the clock starts, which Python, what bounds the error
    "rocsteady, exact": (EXACT, "", 0, "exact"),
    "rocsteady, sketch": (OURS, "", 0, "a bracket that contains the exact value, for certain"),
    "Spark MLlib, 1,000 bins": (SPARK, START_SPARK, 0, "none"),
    "torchmetrics, 200 thresholds": (TORCH, "", 1, "none"),
    "datasketches, KLL of 200": (KLL, "", 1, "of ranks, 1.3% with 99% confidence; none of the AUC"),
    "nannyml": (NANNY, "", 2, "exact; all rows in memory"),
}


def tables(folder: Path, rows: int) -> dict[str, tuple[str, float]]:
    """Files of scores that fill [0, 1], and of a rare event whose scores crowd near 0; with their exact AUC."""
    import polars as pl

    rng, found = np.random.default_rng(SEED), {}
    for name, share, shift in (("even", 0.3, 0.0), ("rare", 0.01, -5.0)):
        y = (rng.random(rows) < share).astype(np.int64)
        p = 1 / (1 + np.exp(-(shift + 1.2 * y + rng.standard_normal(rows))))
        path = folder / f"{name}.parquet"
        pl.DataFrame({"y": y, "p": p}).write_parquet(path)
        found[name] = str(path), float(rs.auc(y, p))
    return found


def asked(python: str, path: str, start: str, lines: str) -> Any:
    """The answer of one way: AUC, ends if it has any, and processor seconds."""
    quiet = os.environ | {"NML_DISABLE_USAGE_LOGGING": "1"}  # nannyml would tell its makers of every call
    told = subprocess.run(
        [python, "-c", DRIVER],
        input=json.dumps([path, start, lines, TURNS]),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env=quiet,
    )
    return json.loads(told.stdout.splitlines()[-1])


def versions(pythons: tuple[str, str, str]) -> str:
    """Names and versions of what was run."""
    names = (("rocsteady", "pyspark"), ("torchmetrics", "torch", "datasketches"), ("nannyml",))
    found = []
    for python, part in zip(pythons, names, strict=True):
        line = f"from importlib.metadata import version; print(*(f'{{n}} {{version(n)}}' for n in {part}), sep=', ')"
        found.append(subprocess.run([python, "-c", line], stdout=subprocess.PIPE, text=True, check=True).stdout.strip())
    return ", ".join(found)


def main() -> None:
    """Print the table."""
    pythons = sys.executable, sys.argv[1], sys.argv[2]
    rows = int(sys.argv[3]) if len(sys.argv) > 3 else ROWS
    print("| way | error, even scores | error, rare event | its bound | rows per CPU second, even, rare | lines |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        files = tables(Path(folder), rows)
        for name, (lines, start, which, promised) in WAYS.items():
            told = [asked(pythons[which], path, start, lines) for path, _ in files.values()]
            errors = [f"{abs(each[0] - exact):.1e}" for each, (_, exact) in zip(told, files.values(), strict=True)]
            bound, wide = promised, [each[1] for each in told if each[1]]
            if wide:
                bound += f" ({', '.join(f'{(high - low) / 2:.1e}' for low, high in wide)} to each side)"
                if not all(low <= exact <= high for (low, high), (_, exact) in zip(wide, files.values(), strict=True)):
                    raise AssertionError("a bracket does not hold the exact value")
            speed = ", ".join(f"{rows / each[2]:,.0f}" for each in told)
            n = len(lines.strip().splitlines())
            print(f"| {name} | {' | '.join(errors)} | {bound} | {speed} | {n} |", flush=True)
        print(f"\n{rows:,} rows; AUC {', '.join(f'{exact:.6f}' for _, exact in files.values())}; {versions(pythons)}")


if __name__ == "__main__":
    main()
