"""Threads change the time that work takes, and nothing else."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import rocsteady as rs
from rocsteady._src.base import threads
from rocsteady._src.base.exact import dot
from rocsteady._src.base.threads import for_each


def test_results_keep_the_order_of_the_items(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads.os, "cpu_count", lambda: 4)
    seen: set[int] = set()
    barrier = threading.Barrier(2, timeout=20)

    def work(item: int) -> int:
        barrier.wait()  # passes only if two of them run at once
        seen.add(threading.get_ident())
        return item * 10

    assert for_each(work, [1, 2, 3, 4], n_rows=threads.MANY_ROWS) == [10, 20, 30, 40]
    assert len(seen) >= 2


@pytest.mark.parametrize(("n_rows", "n_cpus"), [(10, 4), (10**6, 1), (10**6, None)])
def test_few_rows_and_one_processor_need_no_threads(
    n_rows: int, n_cpus: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads.os, "cpu_count", lambda: n_cpus)
    found = for_each(lambda _: threading.get_ident(), [1, 2], n_rows=n_rows)
    assert found == [threading.get_ident()] * 2


def test_errors_come_back_to_the_caller() -> None:
    def work(item: int) -> int:
        raise ValueError(f"item {item}")

    with pytest.raises(ValueError, match="item 1"):
        for_each(work, [1, 2], n_rows=10**6)


def test_a_comparison_is_the_same_with_and_without(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    y = rng.random(60_000) < 0.2
    first, second = y + rng.normal(size=y.size), np.round(y + rng.normal(size=y.size), 1)
    with_threads = rs.compare_auc(y, first, second)
    monkeypatch.setattr(threads, "MOST", 1)
    assert rs.compare_auc(y, first, second).to_dict() == with_threads.to_dict()


def test_dot_products_are_the_same_for_any_number_of_threads() -> None:
    rng = np.random.default_rng(5)
    first, second = rng.normal(size=(2, 70_001))
    code = (
        "import numpy as np; from rocsteady._src.base.exact import dot; "
        "print(dot(*np.random.default_rng(5).normal(size=(2, 70_001))).hex())"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code], env=os.environ | {"OPENBLAS_NUM_THREADS": n}, capture_output=True, check=True
        ).stdout
        for n in ("1", "2", "4")
    }
    assert told == {f"{dot(first, second).hex()}\n".encode()}
    assert dot(first, second) == pytest.approx(math.fsum((first * second).tolist()), rel=1e-11)
