"""Where public names live: read from ``__init__.pyi``, the one list, when the first of them is used."""

from __future__ import annotations

import ast
import sys
from functools import cache
from importlib import import_module
from opcode import opmap
from pathlib import Path
from typing import Any, NoReturn


@cache
def homes() -> dict[str, str]:
    """The module of every flat name; a public module is at home in the package itself."""
    stub = ast.parse(Path(__file__).with_name("__init__.pyi").read_text(encoding="utf-8"))
    lines = [line for line in stub.body if isinstance(line, ast.ImportFrom)]
    return {alias.name: str(line.module) for line in lines for alias in line.names}


@cache
def public_modules() -> tuple[str, ...]:
    """Modules of the package that are promised to stay."""
    return tuple(name for name, home in homes().items() if home == "rocsteady")


def all_names() -> list[str]:
    """What ``dir(rocsteady)`` shows."""
    return sorted(homes())


def found(name: str) -> Any:
    """A flat name, a public module, a name of one of these, one that was renamed, or another name of a measure."""
    home = homes().get(name)
    if home == "rocsteady":
        return import_module(f"rocsteady.{name}")
    if home is not None:
        return getattr(import_module(home), name)
    if not name.startswith("_"):
        if (held := _module_with(name)) is not None:
            return getattr(held, name)
        if (new := _renamed(name)) is not None:
            return found(new)
    try:
        return import_module("rocsteady._src.measures.registry").attribute_of_package(name)
    except AttributeError as error:
        _refuse(name, str(error), "from 'rocsteady'", 3)


@cache
def _module_with(name: str) -> Any:
    """The first public module that has a name; None if none has."""
    modules = (import_module(f"rocsteady.{module}") for module in public_modules())
    return next((module for module in modules if name in module.__all__), None)


def _renamed(name: str) -> str | None:
    """What is another name of it by now, with a warning."""
    gone = import_module("rocsteady._src.base.deprecation").RENAMED
    if name not in gone:
        return None
    new, leaving = gone[name]
    leaving.warn()
    return str(new)


def not_there(name: str) -> Any:
    """A name that a public module had; any other is refused with where it is, or what is meant."""
    new = _renamed(name)
    if new is None:
        _refuse(name, f"there is no {name!r} in this module of rocsteady", "from this module of rocsteady", 2)
    return found(new)


def _refuse(name: str, told: str, place: str, depth: int) -> NoReturn:
    """Raise what fits the line that asked, ``depth`` calls up, with the line to type.

    Python swallows an AttributeError of ``from rocsteady import name``, and the hint with it; an ImportError stays.
    """
    from rocsteady._src.base.foreign_names import line_instead

    elsewhere = _near(name) if name in homes() else ""  # of another module: its own name comes before any term
    hint = "" if name.startswith("_") else elsewhere or line_instead(name) or _near(name)
    if _imports(sys._getframe(depth)):  # noqa: SLF001 - nothing else tells the two apart
        raise ImportError(f"cannot import name {name!r} {place}{hint}", name="rocsteady") from None
    raise AttributeError(f"{told}{hint}", name=name) from None


def _imports(frame: Any) -> bool:
    """Whether a frame stands at a ``from ... import``."""
    return bool(frame.f_code.co_code[frame.f_lasti] == opmap["IMPORT_FROM"])


def _near(name: str) -> str:
    """Public names that are spelled much like it, with the module where each is at home."""
    from rocsteady._src.base.near_names import near_names

    places = {each: f"rs.{each}" for each in homes()}
    for module in public_modules():
        places |= {
            each: f"rs.{module}.{each}" for each in import_module(f"rocsteady.{module}").__all__ if each not in places
        }
    near = [places[each] for each in near_names(name, places)]
    return f"; did you mean {' or '.join(near)}?" if near else ""
