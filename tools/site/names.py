"""One page for each public name, and one for each public module that lists its names."""

from __future__ import annotations

import csv
import inspect
from collections import Counter
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from tools.site.tables import RESULTS, markdown_of, panels, read_rows

import rocsteady
from rocsteady._names import all_names, public_modules

DOCS = Path(__file__).parent.parent.parent / "docs"
KINDS = {True: "autoclass", False: "autofunction"}


@dataclass(frozen=True)
class Name:
    """A public name: where it is written, the page it has, and what it is."""

    path: str
    held: Any

    @property
    def short(self) -> str:
        """As people write it."""
        return self.path.replace("rocsteady.", "rs.", 1)

    @property
    def page(self) -> str:
        """Its page; on disks that do not tell a from A, a class needs another one than a function of that name."""
        return f"{self.path}-class" if inspect.isclass(self.held) else self.path

    @property
    def summary(self) -> str:
        """The first sentence of its docstring."""
        return (inspect.getdoc(self.held) or "").split("\n\n", 1)[0].replace("\n", " ")


def modules() -> dict[str, list[Name]]:
    """Names of each public module, and under "rocsteady" the flat ones; a flat name has its page there."""
    flat = {name: getattr(rocsteady, name) for name in all_names() if name not in public_modules()}
    made = {"rocsteady": [Name(f"rocsteady.{name}", held) for name, held in flat.items() if name != "__version__"]}
    for module in public_modules():
        opened = import_module(f"rocsteady.{module}")
        held = {name: getattr(opened, name) for name in opened.__all__}
        made[f"rocsteady.{module}"] = [
            Name(f"rocsteady.{name}" if flat.get(name) is each else f"rocsteady.{module}.{name}", each)
            for name, each in held.items()
        ]
    return made


def pages() -> dict[str, Name]:
    """Every page of a name, each once."""
    return {name.page: name for names in modules().values() for name in names}


def measured() -> dict[str, list[tuple[str, str]]]:
    """Where the coverage or size of a name was measured: page with anchor, and words."""
    found: dict[str, list[tuple[str, str]]] = {}
    with (DOCS / "measured.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            found.setdefault(row["name"], []).append((row["where"], row["what"]))
    for path, told in of_every_measure().items():
        found.setdefault(path, []).append(("coverage#every-measure", told))
    return found


def of_every_measure() -> dict[str, str]:
    """How often the default interval of each measure held, from the table of all measures."""
    (panel,) = panels(markdown_of(read_rows(RESULTS / "tables" / "coverage-every.csv")))
    shares = {each.name: each.shares for each in panel.series if len(each.shares) > 1}
    paths = {name.held.sheet.name: name.path for name in pages().values() if hasattr(name.held, "sheet")}
    return {
        paths[
            name
        ]: f"the default 95% interval held in {min(held):g}% to {max(held):g}% of samples, {len(held)} settings"
        for name, held in shares.items()
        if name in paths
    }


def write_reference(folder: Path) -> None:
    """Write them all as reStructuredText."""
    folder.mkdir(parents=True, exist_ok=True)
    tables = measured()
    for page, name in pages().items():
        (folder / f"{page}.rst").write_text(of_name(name, tables.get(name.path, [])), encoding="utf-8")
    for module, names in modules().items():
        (folder / f"{module}.rst" if module != "rocsteady" else folder / "flat.rst").write_text(
            of_module(module, names), encoding="utf-8"
        )


def heading(text: str) -> str:
    """A title of a page."""
    return f"{text}\n{'=' * len(text)}\n\n"


def of_name(name: Name, tables: list[tuple[str, str]]) -> str:
    """Signature, docstring, members of a class, and where it was measured."""
    is_class = inspect.isclass(name.held)
    lines = [heading(name.short), f".. {KINDS[is_class]}:: {name.path}\n"]
    if is_class:
        own = [each for each in vars(name.held) if not each.startswith("_") and inspect.getdoc(vars(name.held)[each])]
        members = [each for each in own if is_told(vars(name.held)[each])]
        if members:
            lines.append(f"   :members: {', '.join(members)}\n")
    if tables:
        lines.append("\n.. rubric:: Measured\n\n")
        lines += [f"- `{what} <../{where.replace('#', '.html#')}>`__\n" for where, what in tables]
    elsewhere = [module for module, names in modules().items() if name in names and module != "rocsteady"]
    others = [f"``{module}``" for module in elsewhere if not name.path.startswith(f"{module}.")]
    if others:
        lines.append(f"\nAlso in {', '.join(others)}.\n")
    return "".join(lines)


def is_told(member: Any) -> bool:
    """Whether a member of a class is told on its page: methods and properties."""
    return inspect.isfunction(member) or isinstance(member, property | classmethod | staticmethod)


def of_module(module: str, names: list[Name]) -> str:
    """What a module is for, and its names with a line each."""
    title = "rs: flat names" if module == "rocsteady" else module.replace("rocsteady", "rs")
    about = (
        "The names that most work needs, straight from the package: ``import rocsteady as rs``."
        if module == "rocsteady"
        else (import_module(module).__doc__ or "").strip()
    )
    kinds = Counter(inspect.isclass(each.held) for each in names)
    lines = [heading(title), about, "\n\n"]
    for is_class, words in ((False, "Functions"), (True, "Classes")):
        if not kinds[is_class]:
            continue
        if len(kinds) > 1:
            lines.append(f"{words}\n{'-' * len(words)}\n\n")
        lines.append(".. list-table::\n   :widths: 35 65\n   :class: names\n\n")
        kept = sorted((each for each in names if inspect.isclass(each.held) is is_class), key=lambda n: n.path)
        lines += [f"   * - :doc:`{each.short} </names/{each.page}>`\n     - {each.summary}\n" for each in kept]
        lines.append("\n")
    own = [each for each in names if each.path.rpartition(".")[0] == module]
    called_first = sorted(own, key=lambda n: (inspect.isclass(n.held), n.path))
    listed = "".join(f"   /names/{each.page}\n" for each in called_first)
    return "".join(lines) + (f".. toctree::\n   :hidden:\n\n{listed}" if listed else "")
