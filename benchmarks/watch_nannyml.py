"""What nannyml says of simulated years, for benchmarks/watch_peers.py: run by a Python that has it.

Reads an .npz with ``y``, ``p`` and ``day`` by year (the first ``n_reference`` days are the reference) and prints, as
JSON, for each of its ways the first day with an alert of every year, or null.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np


def first_alerts(y: Any, p: Any, day: Any, n_reference: int, rows: int) -> dict[str, int | None]:
    """One year: the first chunk with an alert, as the first day after the reference that it could be known on."""
    import nannyml as nml
    import pandas as pd

    table = pd.DataFrame({"y": y.astype(int), "p": p, "called": (p >= 0.5).astype(int)})
    reference, watched = table[day < n_reference], table[day >= n_reference]
    found: dict[str, int | None] = {}
    for name, days in (("daily", 1), ("weekly", 7)):
        how = {"y_pred_proba": "p", "y_pred": "called", "y_true": "y", "problem_type": "classification_binary"}
        how |= {"metrics": ["roc_auc"], "chunk_size": rows * days}
        for kind, maker in (("realised", nml.PerformanceCalculator), ("CBPE", nml.CBPE)):
            fitted = maker(**how).fit(reference)
            told = fitted.calculate(watched) if kind == "realised" else fitted.estimate(watched)
            frame = told.filter(period="analysis").to_df()
            value, low = frame[("roc_auc", "value")], frame[("roc_auc", "lower_threshold")]
            alerts = np.flatnonzero((value < low).to_numpy())  # falls alone; its own alert counts rises too
            found[f"nannyml {kind}, {name}"] = int((alerts[0] + 1) * days - 1) if alerts.size else None
    return found


def main() -> None:
    """Read the years of a file and print the first alerts of each."""
    held = np.load(sys.argv[1])
    n_reference, rows = int(held["n_reference"]), int(held["rows"])
    years = []
    for y, p in zip(held["y"], held["p"], strict=True):
        years.append(first_alerts(y, p, held["day"], n_reference, rows))
        print(len(years), "years done", file=sys.stderr, flush=True)
    import nannyml

    print(json.dumps({"version": nannyml.__version__, "years": years}))


if __name__ == "__main__":
    main()
