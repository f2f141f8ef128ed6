"""The same rows from files of every format."""

from __future__ import annotations

from ..case import Case, cases, each

CASES: list[Case] = [
    *cases(
        "file",
        each("binary", "ties"),
        "commands/evaluate",
        "errors/MissingDependencyError",
        kind="exact",
        ending=each("csv", "tsv", "csv.gz", "jsonl", "parquet", "xlsx"),
    ),
    *cases("file", "binary", "commands/evaluate", ending=each("csv", "parquet"), weight="k"),
    *cases("file", "binary", "commands/evaluate", ending=each("csv", "parquet"), by="site"),
    *cases("file", "missing", "commands/evaluate", ending=each("csv", "parquet"), missing="drop"),
]
