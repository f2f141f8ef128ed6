"""Tables of benchmarks/results, as lines by column."""

from __future__ import annotations

import csv
from pathlib import Path

RESULTS = Path(__file__).parent.parent / "benchmarks" / "results"


def measured(subject: str) -> list[dict[str, str]]:
    """Lines of the table of a subject."""
    with (RESULTS / f"{subject}.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))
