"""Settings of the whole suite: hypothesis profiles, and a matplotlib that needs no screen."""

import os
import sys

import pytest
from hypothesis import HealthCheck, settings

from browser import close_browser

os.environ["MPLBACKEND"] = "Agg"
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # with it every process that tests start compiles the whole package
sys.dont_write_bytecode = False

COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("default", max_examples=60, **COMMON)
settings.register_profile("nightly", max_examples=2000, **COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


WITH_STILLS = ("test_lab_page", "test_report_decides", "test_report_limits")


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Close the browser after the last test of a file."""
    if nextitem is None or nextitem.path != item.path:
        close_browser()


@pytest.fixture(autouse=True)
def _no_still_pictures(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of most tests need no still pictures, which take a second each; some files look at them."""
    if request.module.__name__.rpartition(".")[2] not in WITH_STILLS:
        monkeypatch.setattr("rocsteady._src.views.report.still_pictures.Drawer.__init__", _without_a_process)


def _without_a_process(drawer: object) -> None:
    drawer._process = None  # type: ignore[attr-defined]
