"""What threads share is left alone: the library warns through its doors, and touches no filter of the process."""

from __future__ import annotations

import ast
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from cases import each_case
from rocsteady.errors import RocsteadyWarning
from sources import nodes_of

PACKAGE = Path(rs.__file__).parent
TOUCHING = {"catch_warnings", "simplefilter", "filterwarnings", "resetwarnings", "seterr", "seterrcall"}


@each_case("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_code_touches_what_all_threads_share(path: Path) -> None:
    calls = [
        node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        for node in nodes_of(path)
        if isinstance(node, ast.Call)
    ]
    assert not TOUCHING & set(calls)


def table(n: int = 80) -> dict[str, Any]:
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, n)
    return {"y": y, "s": np.where(y, np.inf, rng.normal(size=n)), "site": np.arange(n) % 4}


def test_groups_from_many_threads_leave_the_filters_alone() -> None:
    columns = table()
    before = list(warnings.filters)

    def evaluated(_: int) -> tuple[str, ...]:
        found = rs.evaluate(columns, label="y", scores="s", by="site", measures=["auc"], intervals=False)
        return tuple(remark.code for remark in found[0].remarks)

    with pytest.warns(RocsteadyWarning, match="infinite"), ThreadPoolExecutor(8) as pool:
        codes = set(pool.map(evaluated, range(24)))
    assert warnings.filters == before
    assert len(codes) == 1
    assert "infinite_scores" in codes.pop()


def test_groups_warn_once_for_all_rows() -> None:
    with pytest.warns(RocsteadyWarning) as told:
        rs.evaluate(table(), label="y", scores="s", by="site", measures=["auc"], intervals=False)
    assert len(told) == 1


def test_a_measure_of_ones_own_is_quiet_in_the_laboratory_and_nowhere_else() -> None:
    sets = rs.lab.parse_sets("0.9p 0.8p 0.2n 0.1n\n0.9p 0.1p 0.8n 0.2n")
    counted = rs.lab.count_errors(sets, measures={"mine": lambda y, s: rs.auc(y, np.where(s > 0.85, np.inf, s))})
    assert counted.n_sets == 2
    with pytest.warns(RocsteadyWarning, match="infinite"):
        rs.auc([1, 0], [np.inf, 0.0])
