"""The fixture that pytest finds where rocsteady is installed."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

PLUGIN = "rocsteady._src.views.pytest_gate"
WITHOUT_OTHERS = ("-p", "no:rocsteady", "-p", PLUGIN, "-p", "no:cacheprovider")
TESTS = """
import numpy as np
import pytest
import rocsteady as rs

table = rs.examples.loans(400)
y, good, weak = (np.asarray(table[name]) for name in ("defaulted", "boosted", "logistic"))
near = good + np.random.default_rng(3).normal(0, 0.1, 400)


def test_better(rocsteady_gate):
    assert rocsteady_gate(y, weak, good, margin=0.01).passed


def test_worse(rocsteady_gate):
    rocsteady_gate(y, good, weak, margin=0.01, goals="auc >= 0.6")


def test_worse_whatever_the_policy(rocsteady_gate):
    rocsteady_gate(y, good, weak, margin=0.01, cannot_tell="pass")


def test_open(rocsteady_gate):
    rocsteady_gate(y, good, near, margin=0.01)


def test_open_skipped(rocsteady_gate):
    rocsteady_gate(y, good, near, margin=0.01, cannot_tell="skip")


def test_open_passed(rocsteady_gate):
    assert rocsteady_gate(y, good, near, margin=0.01, cannot_tell="pass").decision == "cannot tell"


def test_odd_policy(rocsteady_gate):
    with pytest.raises(rs.ArgumentError, match="one of fail, skip, pass"):
        rocsteady_gate(y, good, near, margin=0.01, cannot_tell="maybe")
"""


def test_a_test_fails_with_the_table_unless_the_candidate_passes(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TESTS)
    found = pytester.runpytest_inprocess(*WITHOUT_OTHERS, "-rs")
    found.assert_outcomes(passed=3, failed=3, skipped=1)
    found.stdout.fnmatch_lines(
        [
            "fail: candidate must not replace baseline: 1 of 2 conditions does not hold",
            "condition * decision * baseline * candidate * limit *",
            "auc > baseline - 0.01 * fail *",
            "auc >= 0.6 * pass *",
            "cannot tell whether candidate may replace baseline; about *",
            "SKIPPED *cannot tell whether candidate may replace baseline*",
        ]
    )
    assert "Traceback" not in found.stdout.str()


def test_it_is_listed_and_explained(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_nothing(): pass")
    told = pytester.runpytest_inprocess(*WITHOUT_OTHERS, "--fixtures").stdout.str()
    assert "rocsteady_gate" in told
    assert "Fail the test unless the candidate may replace the baseline" in told


def test_it_costs_nothing_where_nobody_asks_for_it() -> None:
    """pytest imports it at its start: neither numpy nor any room of the package but this one comes with it."""
    code = (
        f"import sys, {PLUGIN}; print(sorted(name for name in sys.modules if 'numpy' in name or 'rocsteady' in name))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(eval(shown.stdout))  # noqa: S307 - our own list
    assert loaded <= {
        "rocsteady", "rocsteady._names", "rocsteady._version", "rocsteady._src", "rocsteady._src.views", PLUGIN
    }  # fmt: skip


def test_the_entry_point_names_it() -> None:
    told = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))
    assert told["project"]["entry-points"]["pytest11"] == {"rocsteady": PLUGIN}
    assert hasattr(import_module(PLUGIN), "rocsteady_gate")
