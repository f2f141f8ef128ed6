"""For tests and examples alike."""

from __future__ import annotations

import gc
import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


collect_ignore_glob = [
    "docs/gallery/*.py",  # these draw when they are imported
    "docs/conf.py",  # which is Sphinx's
    "tests/fixtures/*.py",  # these asked other programs once, which need not be here
]

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):  # every core has a worker already, and waiting threads spin
    os.environ.setdefault(threads, "1")


def pytest_collection_finish() -> None:
    """Thousands of tests and modules stay until the end: without this every collection of garbage walks them again."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish() -> None:
    """What was set aside is let go of at the end; else some extensions tell of leaks."""
    gc.unfreeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """An example that registers a measure does so for itself alone."""
    if not isinstance(item, pytest.DoctestItem):
        return (yield)
    from rocsteady._src.measures.registry import DECLARED, REGISTRY

    before = [(kept, dict(kept)) for kept in (REGISTRY, DECLARED)]
    try:
        return (yield)
    finally:
        for kept, held in before:
            kept.clear()
            kept.update(held)
