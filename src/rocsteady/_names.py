"""Where public names live: read from ``__init__.pyi``, the one list, when the first of them is used."""

from __future__ import annotations

import ast
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any


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
    """A flat name, a public module, a name of one of these, or another name of a measure."""
    home = homes().get(name)
    if home == "rocsteady":
        return import_module(f"rocsteady.{name}")
    if home is not None:
        return getattr(import_module(home), name)
    if not name.startswith("_") and (held := _module_with(name)) is not None:
        return getattr(held, name)
    try:
        return import_module("rocsteady._src.measures.registry").attribute_of_package(name)
    except AttributeError as error:
        raise AttributeError(f"{error}{_near(name)}", name=name) from None


@cache
def _module_with(name: str) -> Any:
    """The first public module that has a name; None if none has."""
    modules = (import_module(f"rocsteady.{module}") for module in public_modules())
    return next((module for module in modules if name in module.__all__), None)


def _near(name: str) -> str:
    """Public names that are spelled much like it, or mean it, with the module where each is at home."""
    from rocsteady._src.base.near_names import near_names

    places = {each: f"rs.{each}" for each in homes()}
    for module in public_modules():
        names = import_module(f"rocsteady.{module}").__all__
        places = {each: f"rs.{module}.{each}" for each in names} | places
    near = [] if name.startswith("_") else [places[each] for each in near_names(name, places)]
    return f"; did you mean {' or '.join(near)}?" if near else ""
