"""Settings of the whole suite: hypothesis profiles, and a matplotlib that needs no screen."""

import os
import signal
import sys
from collections.abc import Iterator
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from browser import close_browser
from few_resamples import FEW_DRAWS, again_and_again

os.environ["MPLBACKEND"] = "Agg"
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as behind & of a shell: commands would ignore it too, and stay
    signal.signal(signal.SIGINT, signal.default_int_handler)
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # with it every process that tests start compiles the whole package
sys.dont_write_bytecode = False

COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("default", max_examples=15, derandomize=True, **COMMON)  # the same for everybody
settings.register_profile("nightly", max_examples=2000, **COMMON)  # new ones in every run
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

if find_spec("typer"):  # the tests of what needs no extra run without any
    typer = import_module("typer.main")
    typer.get_command = cache(typer.get_command)  # which builds all commands anew for every call of one
# Files, or the first words of tests of one.
WITH_STILLS = ("test_lab_page.py::", "test_report_decides.py::test_without_scripts", "test_report_limits.py::")
WITH_ALL_DRAWS = ("test_decide_everywhere", "test_decision_elsewhere", "test_net")
OF_FORMS = (  # files that ask whether and how it is said, not how many resamples an end rests on
    *("test_cli", "test_decision_sentences", "test_files", "test_first", "test_from_pages"),
    *("test_gate_command", "test_gate_recipes", "test_hostile", "test_line_names", "test_mlflow", "test_plots"),
    *("test_decision_cases", "test_what_was_asked"),
    *("test_questions", "test_reading", "test_report", "test_saving", "test_serve", "test_shell"),
    *("test_one_sort", "test_text", "test_trackers"),
)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Most tests write pages for other things than still pictures, a second each, and answers to costs typed there.

    Some files look at these. A hook and not a fixture: fixtures of every test take a third of the time of a small one.
    """
    drawer, elsewhere, resample = _drawer(), _elsewhere(), _resample()
    starts, draws, parts = drawer.__init__, elsewhere.RESAMPLES, resample._parts
    if not f"{item.path.name}::{item.name}".startswith(WITH_STILLS):
        drawer.__init__ = _without_a_process
    if item.path.stem not in WITH_ALL_DRAWS:
        elsewhere.RESAMPLES = FEW_DRAWS
    if item.path.stem.startswith(OF_FORMS) and item.path.stem not in WITH_ALL_DRAWS:
        resample._parts = partial(again_and_again, parts)
    try:
        return (yield)
    finally:
        drawer.__init__, elsewhere.RESAMPLES, resample._parts = starts, draws, parts


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Each test draws what it draws alone, in whatever order and on whichever worker it comes."""
    rng = getattr(getattr(item, "module", None), "RNG", None)
    if rng is not None:
        rng.bit_generator.state = _first_state(item.path, rng)


@cache
def _first_state(path: Path, rng: Any) -> Any:
    return rng.bit_generator.state


@pytest.fixture
def pyplot() -> Any:
    return import_module("matplotlib.pyplot")


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Close pictures, and the browser after the last test of a file, unless the next file uses it too."""
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
    if nextitem is None or (nextitem.path != item.path and not hasattr(getattr(nextitem, "module", None), "opened")):
        close_browser()


@cache
def _drawer() -> Any:
    return import_module("rocsteady._src.views.report.still_pictures").Drawer


@cache
def _elsewhere() -> Any:
    return import_module("rocsteady._src.evaluation.choices_elsewhere")


@cache
def _resample() -> Any:
    return import_module("rocsteady._src.inference.resampling.resample")


def _without_a_process(drawer: Any) -> None:
    drawer._process = None
