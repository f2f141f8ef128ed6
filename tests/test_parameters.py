"""Every parameter of a public function stands in the section "Parameters" of its docstring, and nothing else does.

Of a measure the docstring is that of its page and of ``help``: its own options, and what the door that it shares with
the others takes, which ``parameter_words.py`` puts there.
"""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest
from tools.site.names import pages

from rocsteady._src.evaluation.options import OPTIONS

SECTION = re.compile(r"^Parameters\n-{10}\n(.*?)(?=^\w[\w ]*\n-{3,}$|\Z)", re.DOTALL | re.MULTILINE)
FUNCTIONS = {path: name.held for path, name in pages().items() if not inspect.isclass(name.held)}
PASSED_ON = {"Unpack[Options]": OPTIONS, "Unpack[OptionsOfFitted]": OPTIONS}  # options that may be told one by one


def described(docstring: str) -> list[str]:
    """Names in the section on parameters; one line may have several: ``first, second : array-like``."""
    section = SECTION.search(inspect.cleandoc(docstring))
    heads = [line for line in section[1].splitlines() if line and not line.startswith(" ")] if section else []
    return [name.strip().lstrip("*") for head in heads for name in head.partition(" :")[0].split(",")]


def faults(path: str, function: Any) -> list[str]:
    """What a function takes and does not describe, and what it describes and does not take, or describes twice."""
    taken, told = inspect.signature(function).parameters, described(function.__doc__ or "")
    passed_on = {name for each in taken.values() for name in PASSED_ON.get(str(each.annotation), ())}
    missing = [f"{path}: {name} is not described" for name in taken if name not in told]
    more = [f"{path}: {name} is described, and no parameter" for name in told if name not in {*taken, *passed_on}]
    return missing + more + [f"{path}: {name} is described twice" for name in {*told} if told.count(name) > 1]


def test_every_parameter_is_described_and_nothing_else() -> None:
    found = [fault for path, function in FUNCTIONS.items() for fault in faults(path, function)]
    assert not found, "\n".join(found)


def test_public_functions_and_measures_are_looked_at() -> None:
    assert {"rocsteady.evaluate", "rocsteady.partial_auc", "rocsteady.merge", "rocsteady.lab.generate"} <= {*FUNCTIONS}
    assert all(callable(function) for function in FUNCTIONS.values())


def test_a_missing_a_superfluous_and_a_repeated_parameter_are_found() -> None:
    def area(first: int, second: int, *parts: int, way: str = "") -> None:
        """An area.

        Parameters
        ----------
        first, other : int
            Sides: of the one, and of
            the other.
        *parts
            More of them.
        first
            Again.

        Returns
        -------
        second
        """

    assert sorted(faults("area", area)) == [
        "area: first is described twice",
        "area: other is described, and no parameter",
        "area: second is not described",
        "area: way is not described",
    ]


@pytest.mark.parametrize("docstring", ["", "An area.", "An area.\n\nParameters\n----------\n"])
def test_a_docstring_without_the_section_describes_nothing(docstring: str) -> None:
    assert described(docstring) == []
