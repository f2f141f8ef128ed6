"""Settings of the whole suite: hypothesis profiles, and a matplotlib that needs no screen."""

import os
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

import pytest
import typer.main
from hypothesis import HealthCheck, settings

from browser import close_browser

os.environ["MPLBACKEND"] = "Agg"
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # with it every process that tests start compiles the whole package
sys.dont_write_bytecode = False

COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("default", max_examples=25, derandomize=True, **COMMON)  # the same for everybody
settings.register_profile("nightly", max_examples=2000, **COMMON)  # new ones in every run
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

typer.main.get_command = cache(typer.main.get_command)  # which builds all commands anew for every call of one
WITH_STILLS = ("test_lab_page", "test_report_decides", "test_report_limits")
WITH_ALL_DRAWS = ("test_decide_everywhere", "test_decision_elsewhere", "test_report_decides")
FEW_DRAWS = 60


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Most tests write pages for other things than still pictures, a second each, and answers to costs typed there.

    Some files look at these. A hook and not a fixture: fixtures of every test take a third of the time of a small one.
    """
    drawer, elsewhere = _drawer(), _elsewhere()
    starts, draws = drawer.__init__, elsewhere.RESAMPLES
    if item.path.stem not in WITH_STILLS:
        drawer.__init__ = _without_a_process
    if item.path.stem not in WITH_ALL_DRAWS:
        elsewhere.RESAMPLES = FEW_DRAWS
    try:
        return (yield)
    finally:
        drawer.__init__, elsewhere.RESAMPLES = starts, draws


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Close the browser after the last test of a file, unless the next file uses it too."""
    if nextitem is None or (nextitem.path != item.path and not hasattr(getattr(nextitem, "module", None), "opened")):
        close_browser()


@cache
def _drawer() -> Any:
    return import_module("rocsteady._src.views.report.still_pictures").Drawer


@cache
def _elsewhere() -> Any:
    return import_module("rocsteady._src.evaluation.choices_elsewhere")


def _without_a_process(drawer: Any) -> None:
    drawer._process = None
