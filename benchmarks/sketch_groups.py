"""Sketches by day and segment beside one plain group-by of the engine: ``python -m benchmarks.sketch_groups [1e7]``.

20 days x 50 segments with their names as text, scores of [0, 1] that nearly all differ, in a Parquet file. The group-by
counts by day, segment, label and score to 2^-16, which is what the sketches count. The better of two runs of each.
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import duckdb

from rocsteady.scale import sketch_table

if TYPE_CHECKING:
    from collections.abc import Callable

ROWS = """
COPY (SELECT y, random() * 0.7 + y * 0.3 AS p, 'day ' || (1 + floor(random() * 20))::INT AS day,
  'segment ' || floor(random() * 50)::INT AS segment
  FROM (SELECT (random() < 0.2)::INT AS y FROM range({n}))) TO '{path}' (FORMAT parquet)
"""
COUNTED = """
SELECT count(*), sum(n) FROM (
  SELECT day, segment, floor(p * 65536) AS cell, y, count(*) AS n FROM '{path}' GROUP BY ALL)
"""


def _seconds(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def main(n: float = 1e7) -> None:
    """Print processor times and their ratio."""
    with TemporaryDirectory() as folder:
        path, connection = Path(folder) / "rows.parquet", duckdb.connect()
        connection.execute(ROWS.format(n=int(n), path=path))
        how: dict[str, Any] = {"label": "y", "score": "p", "by": ["day", "segment"], "bits": 16, "range": (0, 1)}
        sketched = min(_seconds(lambda: sketch_table(connection.read_parquet(str(path)), **how)) for _ in range(2))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        plain = min(_seconds(connection.sql(COUNTED.format(path=path)).fetchall) for _ in range(2))
    told = f"group-by {plain:.2f} s, sketches {sketched:.2f} s, {sketched / plain:.2f} times; {peak:.0f} MB"
    print(f"{int(n):,} rows: {told}")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
