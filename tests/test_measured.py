"""Every public answer with an interval, a band or a test says how often it holds, in the numbers of its page."""

from __future__ import annotations

import csv
import inspect
import pkgutil
import re
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module
from itertools import product

import pytest
from tools.site.names import DOCS, Name, measured, pages
from tools.site.tables import RESULTS, read_page, read_rows

import rocsteady as rs
from cases import each_case
from test_site import anchors

ENDS = {"low", "high", "pvalue", "pvalues"}
HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
CELL = re.compile(r"(\d+(?:\.\d+)?)%?")
QUOTED = re.compile(r"(\d+(?:\.\d+)?)%? to (\d+(?:\.\d+)?)(?:%| of)")
COUNTED = re.compile(r"(\d+) (?:settings|sizes)")
NOT_MEASURED = {
    "rocsteady.lab.count_errors": "low and high are ends of a range of values that is counted, not of an interval",
    "rocsteady.lab.simulate_binormal": "shows what redraws do; its band of small gaps is no confidence band",
    "rocsteady.power.detectable_difference": "arithmetic of a standard error that the caller brings",
    "rocsteady.power.power_auc_pilot": "takes a pilot at its word; what pilots lead to is not measured",
    "rocsteady.readers.plan": "takes a pilot at its word; agrees with RJafroc, what pilots lead to is not measured",
}
TYPES = {"rocsteady.Interval"}  # what others return


def told() -> list[dict[str, str]]:
    """Lines of the table of measurements."""
    with (DOCS / "measured.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


@cache
def classes() -> dict[str, type]:
    """Every class of the package by its name."""
    found: dict[str, type] = {}
    for module in pkgutil.walk_packages(rs.__path__, "rocsteady."):
        try:
            opened = import_module(module.name)
        except ImportError:
            continue
        found |= {held.__name__: held for held in vars(opened).values() if inspect.isclass(held)}
    return found


def is_unsure(kind: type, seen: tuple[type, ...] = ()) -> bool:
    """Whether a result has ends of an interval or a p-value, or holds a result that has."""
    if kind in seen or not kind.__module__.startswith("rocsteady"):
        return False
    fields: dict[str, object] = {}
    for each in reversed(kind.__mro__):
        fields |= vars(each).get("__annotations__", {})
    properties = {name for name in dir(kind) if isinstance(inspect.getattr_static(kind, name), property)}
    if ENDS & (set(fields) | properties):
        return True
    held = re.findall(r"[A-Z]\w+", " ".join(map(str, fields.values())))
    return any(is_unsure(classes()[name], (*seen, kind)) for name in held if name in classes())


def answers(name: Name) -> bool:
    """Whether a name gives such a result, plans a study, or is a door to such results."""
    if inspect.isclass(name.held):
        return not name.path.startswith(("rocsteady.results.", "rocsteady.lab.")) and is_unsure(name.held)
    if hasattr(name.held, "sheet"):
        return False  # a measure: its line comes from the table of all measures
    if name.held.__module__.startswith("rocsteady._src.inference.power") or name.path == "rocsteady.readers.plan":
        return True
    words = re.findall(r"\w+", str(inspect.signature(name.held).return_annotation))
    return any(is_unsure(classes()[word]) for word in words if word in classes())


def section(page: str, anchor: str) -> str:
    """Text below a heading, up to the next one of its rank."""
    text = read_page(DOCS / f"{page}.md")
    bare = re.sub(r"```.*?```", lambda found: " " * len(found[0]), text, flags=re.DOTALL)
    heads = list(HEADING.finditer(bare))
    slugs = [re.sub(r"[^\w\- ]", "", head[2].lower()).strip().replace(" ", "-") for head in heads]
    head = heads[slugs.index(anchor)]
    after = [each.start() for each in heads if each.start() > head.start() and len(each[1]) <= len(head[1])]
    return text[head.end() : min(after, default=len(text))]


def shares(line: dict[str, str]) -> list[str]:
    """What the cells that a line is about say, in percent where their page says it in shares of 1."""
    found = []
    for name in line["files"].split(";"):
        header, *rows = read_rows(RESULTS / name)
        for row in rows:
            if _is_asked(dict(zip(header, row, strict=True)), line["rows"]):
                found += _numbers(header, row, line["columns"], whole=name in of_one(line["where"].split("#")[0]))
    return found


def _numbers(header: list[str], row: list[str], columns: str, *, whole: bool) -> list[str]:
    """The first number, or that of "/#2", of each cell whose column is among those of "AUC *;mean"."""
    found = []
    for (name, cell), asked in product(zip(header, row, strict=True), columns.split(";")):
        glob, _, place = asked.partition("/#")
        numbers = CELL.findall(cell) if CELL.match(cell) and fnmatchcase(name, glob) else []
        found += [f"{100 * float(number):.1f}" if whole else number for number in numbers[int(place or 1) - 1 :][:1]]
    return found


@cache
def of_one(page: str) -> set[str]:
    """Files in which a page says that shares are of 1."""
    return set(re.findall(r"of 1 -->\n\[.*/results/(.+)\)", (DOCS / f"{page}.md").read_text(encoding="utf-8")))


def _is_asked(row: dict[str, str], asked: str) -> bool:
    """Whether a row is among those of "method=auto;n=20", with | between values and * for anything."""
    wanted = [each.partition("=") for each in asked.split(";") if each]
    return all(
        name in row and any(fnmatchcase(row[name], value) for value in values.split("|")) for name, _, values in wanted
    )


@each_case("name", [name for name in pages().values() if answers(name)], ids=lambda name: name.path)
def test_every_answer_is_measured_or_says_why_not(name: Name) -> None:
    assert (name.path in measured()) != (name.path in NOT_MEASURED or name.path in TYPES)


def test_what_is_said_not_to_be_measured_is_public_and_has_a_reason() -> None:
    known = {name.path for name in pages().values() if answers(name)}
    assert set(NOT_MEASURED) <= known
    assert known >= TYPES
    assert all(NOT_MEASURED.values())


def test_names_of_one_function_say_the_same() -> None:
    lines: dict[object, set[tuple[tuple[str, str], ...]]] = {}
    for name in pages().values():
        if answers(name):
            lines.setdefault(name.held, set()).add(tuple(measured().get(name.path, [])))
    assert not [held for held, told in lines.items() if len(told) > 1]


@each_case("line", told(), ids=lambda line: f"{line['name']}, {line['where']}, {line['columns']}")
def test_numbers_are_those_of_the_page(line: dict[str, str]) -> None:
    page, anchor = line["where"].split("#")
    assert anchor in anchors(DOCS / f"{page}.md")
    quoted, counted = QUOTED.findall(line["what"]), COUNTED.search(line["what"])
    if not line["columns"]:
        text = section(page, anchor)
        assert all(number in text for number in re.findall(r"\d+\.\d+", line["what"]))
        assert not counted
        return
    told = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    assert not [name for name in line["files"].split(";") if f"/results/{name})" not in told]
    found = sorted(shares(line), key=float)
    ends = (found[0], found[-1])
    assert quoted == ([] if ends[0] == ends[1] or "widths" in line["what"] else [ends]), ends
    assert ends[0] in line["what"] or "widths" in line["what"]
    assert counted is None or int(counted[1]) == len(found), len(found)


def test_tables_are_read() -> None:
    files = "tables/calibration-size.csv"
    line = {"where": "calibration#how-often-do-the-tests-reject", "files": files, "columns": "slope", "rows": ""}
    found = shares(line)
    assert found[0] == "4.1"
    files = "tables/calibration-bins.csv"
    line |= {"files": files, "columns": "calibrated", "rows": "strategy=quantile"}
    assert shares(line) == ["95.1", "95.8", "95.3"]
    with pytest.raises(ValueError, match="nowhere"):
        section("calibration", "nowhere")
