"""Constraints that pin every package of pyproject.toml to the oldest version that it allows, one per line.

``make oldest`` builds one environment with all of them and runs the tests in it: a lower bound is a version that was
tested, beside the others. Only those for this platform are pinned.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parent.parent / "pyproject.toml"
REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9_-]+)(\[[^]]*\])?>=(?P<oldest>[0-9][0-9.]*)(; *(?P<only>.*))?")
LINTERS = ("mypy", "ruff")  # which judge the code and are no part of what runs


def constraints(project: dict[str, object]) -> list[str]:
    """``name==oldest`` of each requirement; one without a lower bound is refused."""
    about: dict[str, object] = project["project"]  # type: ignore[assignment]
    extras: dict[str, list[str]] = about["optional-dependencies"]  # type: ignore[assignment]
    listed: list[str] = [*about["dependencies"], *(each for group in extras.values() for each in group)]  # type: ignore[misc]
    pinned = {}
    for requirement in listed:
        if requirement.startswith("rocsteady["):
            continue
        found = REQUIREMENT.fullmatch(requirement)
        if found is None:
            raise ValueError(f"{requirement!r} has no lower bound of the form name>=version")
        if _is_for_here(found["only"]) and found["name"] not in LINTERS:
            pinned[found["name"]] = found["oldest"]
    return [f"{name}=={oldest}" for name, oldest in sorted(pinned.items())]


def _is_for_here(only: str | None) -> bool:
    """Whether a requirement holds on this platform; only those that name it by sys_platform are known."""
    if only is None:
        return True
    relation, platform = re.fullmatch(r"sys_platform (==|!=) '(\w+)'", only).groups()  # type: ignore[union-attr]
    return (sys.platform == platform) == (relation == "==")


if __name__ == "__main__":
    print("\n".join(constraints(tomllib.loads(PROJECT.read_text()))))
