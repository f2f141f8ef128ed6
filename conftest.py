"""For tests and examples alike."""

from __future__ import annotations

import contextlib
import gc
import os
import re
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

README = Path(__file__).with_name("README.md").resolve()
INSTALLS = re.compile(r"(?:apt-get|pip) install (?:'[^']+'|\"[^\"]+\"|[\w.\[\]-]+)")
OTHER_REMEDIES = {  # reasons that name no command, by how they begin
    "Spark needs Java": "apt-get install openjdk-17-jre-headless",
    "Postgres does not run as root": "apt-get install postgresql",
    "could not import 'benchmarks": "run the tests in a clone",
    "could not import 'fuzz": "run the tests in a clone",
    "could not import 'reproductions": "run the tests in a clone",
    "could not import 'tools": "run the tests in a clone",
    "the tools are not part of this copy": "run the tests in a clone",
    "could not import 'evidently": "pip install evidently",
    "could not import 'hatchling": "pip install hatchling",
    "could not import 'readme_renderer": "pip install 'readme-renderer[md]'",
    "could not import 'skore": "pip install -e '.[skore]'",
    "could not import": "make setup",
    "its query is that of another case": "nothing is left out",
}

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


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line per reason for which tests were skipped: how many, why, and the command that enables them."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(str(report.longrepr[-1]).removeprefix("Skipped: ") for report in skipped)
    for reason, count in sorted(reasons.items(), key=lambda found: (-found[1], found[0])):
        terminalreporter.write_line(skipped_line(reason, count), yellow=True)


def skipped_line(reason: str, count: int) -> str:
    """What is said of tests that were skipped for a reason."""
    found = INSTALLS.search(reason)
    named = (remedy for start, remedy in OTHER_REMEDIES.items() if reason.startswith(start))
    remedy = found[0] if found else next(named, "no command; it depends on this machine")
    return f"{count} skipped: {reason.partition(': ')[0]} -> {remedy}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """An example that registers a measure does so for itself alone, and the README writes into a folder of its own."""
    if not isinstance(item, pytest.DoctestItem):
        return (yield)
    with _own_registry(), _own_folder() if item.path == README else contextlib.nullcontext():
        return (yield)


@contextlib.contextmanager
def _own_registry() -> Iterator[None]:
    from rocsteady._src.measures.registry import DECLARED, REGISTRY

    before = [(kept, dict(kept)) for kept in (REGISTRY, DECLARED)]
    try:
        yield
    finally:
        for kept, held in before:
            kept.clear()
            kept.update(held)


@contextlib.contextmanager
def _own_folder() -> Iterator[None]:
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        yield
