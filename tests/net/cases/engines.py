"""Tables that stay in an engine answer as tables in memory do: DuckDB and Polars, in the slow set Spark and Dask."""

from __future__ import annotations

from typing import Any

from ..case import Case, cases, each

QUICK = each("duckdb", "polars")
SLOW = ("spark", "dask")
RANK = "scale/rank_table"
E = "flat/evaluate"


def in_engines(verb: str, *lines: str, slow: bool = True, **words: Any) -> list[Case]:
    also = [case for name in SLOW * slow for case in cases(verb, "counted", *lines, slow=name, engine=name, **words)]
    return [*cases(verb, "counted", *lines, engine=QUICK, **words), *also]


CASES: list[Case] = [
    *in_engines("ranked in an engine", RANK, kind="exact"),
    *in_engines("ranked in an engine", RANK, kind="exact", by="site"),
    *in_engines("ranked in an engine", RANK, slow=False, weight="w"),
    *in_engines("ranked in an engine", RANK, slow=False, weight="k", weight_type="frequency"),
    *in_engines("ranked in an engine", RANK, slow=False, resolution=each(0.01, 0.1)),
    *in_engines("in an engine", E, measures=("auc", "brier_score", "recall"), threshold=0.4, intervals=True),
    *in_engines("in an engine", E, slow=False, measures=("auc", "average_precision", "ks_statistic"), threshold=0.4),
    *in_engines("in an engine", E, slow=False, weight="w", measures=("auc", "brier_score"), intervals=True),
    *in_engines(
        "in an engine",
        E,
        slow=False,
        weight="k",
        weight_type="frequency",
        measures=("auc", "brier_score"),
        intervals=True,
    ),
    *in_engines("in an engine", E, slow=False, by="site", measures=("auc", "brier_score"), intervals=True),
    *in_engines("in an engine", E, slow=False, fold="fold", measures=("auc", "brier_score"), intervals=True),
    *in_engines("in an engine", E, slow=False, cluster="cluster", measures=("auc", "brier_score"), intervals=True),
    *in_engines("in an engine", "members/compare", asks="comparison", scores=("a", "b", "d")),
    *in_engines("in an engine", "members/compare", slow=False, asks="comparison", of="brier_score"),
    *in_engines("in an engine", "members/compare", slow=False, asks="comparison", weight="w"),
    *in_engines("in an engine", "members/compare", slow=False, asks="comparison", by="site"),
    *in_engines("in an engine", "results/Decision", slow=False, asks="decision", cost_fn=5.0),
    *in_engines("in an engine", "members/gaps", slow=False, asks="gaps", by="site", of="recall", threshold=0.4),
    *in_engines("gate in an engine", "flat/gate", margin=0.1),
    *in_engines("gate in an engine", "flat/gate", slow=False, measure="recall", threshold=0.4, margin=0.1, by="site"),
]
