"""Tables of measured coverage and size, as read from a page: series of settings, each with a share of samples."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

BLOCK = re.compile(r"<!-- table:? ?([^>]*?) -->\n(.*?)<!-- end[^>]*-->", re.DOTALL)
SHARE = re.compile(r"^\**(\d+(?:\.\d+)?)%\**(?: \(\**(\d+(?:\.\d+)?)%\**\))?(?:, none in \d+%)?\**$")
NAMES_SERIES = ("", "measure", "method", "test", "interval", "interval of", "taken by")
SUMS_UP = ("mean", "lowest", "no interval", "warned", "by chi-square")  # of the same line, or of something else
COVERED_AT_LEAST = 30.0  # shares of a column of coverage lie mostly above, those of a column of sizes below


@dataclass
class Series:
    """Shares of one method: in percent, and those of the table's brackets."""

    name: str
    shares: list[float] = field(default_factory=list)
    others: list[float] = field(default_factory=list)


@dataclass
class Panel:
    """Series that belong on one axis: of intervals, which should hold 95%, or of tests, which should reject 5%."""

    covers: bool
    series: list[Series]


def cells_of(text: str) -> list[list[str]]:
    """Cells of a Markdown table, its header first; empty where the text is none."""
    lines = [line.strip().strip("|").split("|") for line in text.strip().splitlines() if line.startswith("|")]
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
    for covers in (True, False):
        kept = [place for place in shares if (covers_all or _middle(rows, place) > COVERED_AT_LEAST) is covers]
        if kept:
            made.append(Panel(covers, _series(header, rows, kept)))
    return made


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
