"""The lower bounds of pyproject.toml are what ``make oldest`` installs, all of them in one environment."""

from __future__ import annotations

import importlib.util
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / "tools" / "oldest.py"
if not SCRIPT.exists():
    pytest.skip("the tools are not part of this copy", allow_module_level=True)
SPEC = importlib.util.spec_from_file_location("oldest", SCRIPT)
oldest = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(oldest)


def test_every_requirement_is_pinned_to_its_lower_bound() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    listed = [*project["project"]["dependencies"], *(each for group in extras.values() for each in group)]
    pinned = dict(line.split("==") for line in oldest.constraints(project))
    for requirement in listed:
        name, bound, rest = requirement.partition(">=")
        if name.startswith("rocsteady[") or name in oldest.LINTERS or "darwin" in rest:
            continue
        assert bound, requirement
        assert pinned[name.partition("[")[0]] == rest.partition(";")[0].strip()
    assert "oldest.py" in (ROOT / "Makefile").read_text()


def test_a_requirement_without_a_lower_bound_is_refused() -> None:
    with pytest.raises(ValueError, match="'numpy' has no lower bound"):
        oldest.constraints({"project": {"dependencies": ["numpy"], "optional-dependencies": {}}})
