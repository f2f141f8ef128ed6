"""Tables of measured coverage and size: series of settings, each with a share of samples.

A page names the file of a table, below ``benchmarks/results``, in a line of its own: ``[name](../benchmarks/...)``.
:func:`read_page` has the table in place of the line. Tables of scripts stand between ``<!-- table: name -->`` and
``<!-- end -->``, and which of their columns are shares shows in their percent signs. Others say it in a line before
them: ``<!-- drawn: held 6-18, rejected 3+5, by 1 -->``, or that they are folded away alone: ``<!-- folded -->``.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, field
from pathlib import Path

RESULTS = Path(__file__).parent.parent.parent / "benchmarks" / "results"
NUMBERS = re.compile(r"^\[[^\]]*\]\((?:\.\./)+benchmarks/results/([\w./-]+\.csv)\)$", re.MULTILINE)
BLOCK = re.compile(r"<!-- table:? ?([^>]*?) -->\n(.*?)<!-- end[^>]*-->", re.DOTALL)
FOLDED = re.compile(r"<!-- folded -->\n((?:\|.*(?:\n|\Z))+)")
MARKED = re.compile(r"<!-- drawn: ([^>]+?) -->\n((?:\|.*(?:\n|\Z))+)")
SHARE = re.compile(r"^\**(\d+(?:\.\d+)?)%\**(?: \(\**(\d+(?:\.\d+)?)%\**\))?(?:, warned \d+%)?(?:, none in \d+%)?\**$")
NAMES_SERIES = ("", "measure", "method", "test", "interval", "interval of", "taken by")
SUMS_UP = ("mean", "lowest", "no interval", "warned", "by chi-square")  # of the same line, or of something else
HELD, REJECTED, BROKEN = "held", "rejected", "broken"  # 95% intervals, 5% tests, promises that may be broken in 5%
PLAIN_SHARE = re.compile(r"^\**(\d+(?:\.\d+)?)%?\**(?:\\\*)?(?: \((\d+(?:\.\d+)?)%\))?$")  # a star: the page says more
NO_SHARE = ("", "-")
COVERED_AT_LEAST = 30.0  # shares of a column of coverage lie mostly above, those of a column of sizes below


@dataclass
class Series:
    """Shares of one method: in percent, and those of the table's brackets."""

    name: str
    shares: list[float] = field(default_factory=list)
    others: list[float] = field(default_factory=list)


@dataclass
class Panel:
    """Series that belong on one axis: of intervals, which should hold 95%, of tests, which should reject 5%, ..."""

    kind: str
    series: list[Series]


def read_page(page: Path) -> str:
    """A page with the tables that it names."""
    return with_numbers(page.read_text(encoding="utf-8"))


def with_numbers(text: str) -> str:
    """Text in which each line that names a file of numbers is its table."""
    return NUMBERS.sub(lambda found: markdown_of(read_rows(RESULTS / found[1])), text)


def read_rows(path: Path) -> list[list[str]]:
    """Cells of a file of numbers, its header first."""
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.reader(lines))


def markdown_of(rows: list[list[str]]) -> str:
    """A table in Markdown; a star in a cell stays a star."""
    header, *others = ["| " + " | ".join(row).replace("*", "\\*") + " |" for row in rows]
    return "\n".join([header, "| --- " * len(rows[0]) + "|", *others])


def write_rows(path: Path, table: str) -> None:
    """Keep a table in Markdown as a file of numbers, without the marks of bold and of code."""
    with path.open("w", encoding="utf-8", newline="") as lines:
        csv.writer(lines, lineterminator="\n").writerows(
            [re.sub(r"\*\*|`|\\", "", cell) for cell in row] for row in cells_of(table)
        )


def cells_of(text: str) -> list[list[str]]:
    """Cells of a Markdown table, its header first; empty where the text is none."""
    lines = [line.strip()[1:-1].split("|") for line in text.strip().splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line] for place, line in enumerate(lines) if place != 1]


def panels(text: str, *, covers_all: bool = False) -> list[Panel]:
    """What there is to draw of a table; nothing where it holds no shares of samples.

    Whether a column is of intervals or of tests shows in its shares, unless all of them are known to be of intervals.
    """
    if not text.strip().startswith("|"):
        return []
    header, *rows = cells_of(text)
    shares = [place for place, name in enumerate(header) if _is_shares(rows, place) and name not in SUMS_UP]
    if not shares:
        shares = [place for place, name in enumerate(header) if _is_shares(rows, place)]
    made = []
    for kind in (HELD, REJECTED):
        held = [covers_all or _middle(rows, place) > COVERED_AT_LEAST for place in shares]
        kept = [place for place, is_held in zip(shares, held, strict=True) if is_held is (kind == HELD)]
        if kept:
            made.append(Panel(kind, _series(header, rows, kept)))
    return made


def marked_panels(mark: str, text: str) -> list[Panel]:
    """What the line before a table asks to draw; columns are counted from 1, and ``of 1`` says that 1 is all."""
    header, *rows = cells_of(text)
    asked = dict(each.split(" ") for each in mark.split(", "))
    by, whole = asked.pop("by", None), 100.0 if asked.pop("of", "") == "1" else 1.0
    made = []
    for kind, columns in asked.items():
        if kind not in (HELD, REJECTED, BROKEN):
            raise ValueError(f"{kind!r} of {mark!r} is none of {HELD}, {REJECTED}, {BROKEN}, by, of")
        made.append(Panel(kind, []))
        for place in _places(columns):
            found: dict[str, Series] = {}
            for row in rows:
                name = header[place] if by is None else f"{row[int(by) - 1]}, {header[place]}"
                series = found.setdefault(name, Series(name.replace("`", "")))
                _add(series, row[place], whole)
            made[-1].series += [series for series in found.values() if series.shares]
    return made


def _places(columns: str) -> list[int]:
    """Places of "3", "3-5" or "3+5", counted from 1 there and from 0 here."""
    ends = [[int(end) for end in part.split("-")] for part in columns.split("+")]
    return [place for each in ends for place in range(each[0] - 1, each[-1])]


def _add(series: Series, cell: str, whole: float) -> None:
    found = PLAIN_SHARE.match(cell)
    if found is None and cell not in NO_SHARE:
        raise ValueError(f"{cell!r} is no share of samples")
    if found is not None:
        series.shares.append(round(whole * float(found[1]), 6))
        series.others += [float(found[2])] if found[2] else []


def _series(header: list[str], rows: list[list[str]], kept: list[int]) -> list[Series]:
    """By the column that names a method where there is one, else each column by itself."""
    named = [header.index(name) for name in NAMES_SERIES if name in header]
    by = next((place for place in named if len({row[place] for row in rows}) > 1), None)
    found: dict[str, Series] = {}
    for row in rows:
        for place in kept:
            name = (header[place] if by is None else row[by]).replace("`", "")
            share = SHARE.match(row[place])
            if share:
                series = found.setdefault(name, Series(name))
                series.shares.append(float(share[1]))
                series.others += [float(share[2])] if share[2] else []
    return list(found.values())


def _is_shares(rows: list[list[str]], place: int) -> bool:
    """Whether most lines have a share there; the others say that there is none."""
    found = sum(SHARE.match(row[place]) is not None for row in rows if len(row) > place)
    return 2 * found >= len(rows)


def _middle(rows: list[list[str]], place: int) -> float:
    found = [SHARE.match(row[place]) for row in rows]
    shares = sorted(float(each[1]) for each in found if each)
    return shares[len(shares) // 2]
