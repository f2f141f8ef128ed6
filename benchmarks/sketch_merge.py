"""Merge many daily files of sketches by the command: ``python -m benchmarks.sketch_merge [10000]``.

A hundred days of 20,000 rows with as many different scores, in 2^16 cells of [0, 1], each written under a hundred names
of parts: merging does not know that rows repeat. Printed: bytes of a file, processor and wall time, and peak memory.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from rocsteady.scale import Sketch, Sketches, load_sketches

ROWS, DIFFERENT = 20_000, 100


def main(n_files: int = 10_000) -> None:
    """Write the files, merge them in a process of its own, and check the rows."""
    rng = np.random.default_rng(1)
    with TemporaryDirectory() as name:
        folder = Path(name)
        for day in range(min(DIFFERENT, n_files)):
            y = rng.random(ROWS) < 0.2
            sketch = Sketch(16, (0, 1), capacity=4096).update(y, 1 / (1 + np.exp(-1.0 * y - rng.normal(size=ROWS))))
            for copy in range(day, n_files, DIFFERENT):
                Sketches(sketch, part=f"day {copy}").save(folder / f"{copy}.rks")
        size = (folder / "0.rks").stat().st_size
        words = [sys.executable, "-m", "rocsteady", "sketch", "merge", f"{folder}/*.rks", "-o", f"{folder}/all.sum"]
        start = time.perf_counter()
        subprocess.run(words, check=True)
        wall, used = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        found = load_sketches(folder / "all.sum")
        if (found.n_rows, len(found.parts)) != (n_files * ROWS, n_files):
            raise SystemExit(f"rows were lost: {found!r}")
        print(f"{n_files:,} files of {size:,} bytes: {used.ru_utime + used.ru_stime:.1f} s of processor time, "
              f"{wall:.1f} s, {used.ru_maxrss / 1024:.0f} MB")  # fmt: skip


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
