"""Reading score sets: one per line, ``0.85p 0.80p 0.75n``, or a CSV table with a row per score."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError, printable
from rocsteady._src.base.text import format_count
from rocsteady._src.base.written_numbers import is_beyond
from rocsteady._src.extras.lab.sets import collect

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.extras.lab.sets import ScoreSets

    Numbered = list[tuple[int, str]]
    Pair = tuple[NDArray[np.bool_], NDArray[np.float64]]

SCORE = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)([pPnN])")
BETWEEN = re.compile(r"[\s,;]+")
BRACKETS = {"(": ")", "[": "]", "{": "}"}
POSITIVE, NEGATIVE = {"1", "1.0", "p", "true", "+1"}, {"0", "0.0", "n", "false", "-1"}
COLUMNS = ("label", "score")


def parse_sets(source: Any) -> ScoreSets:
    r"""Read score sets from text, a file, or lines.

    A set is scores with ``p`` for positive or ``n`` for negative behind each, in any order, with any number of
    decimals, between blanks or commas, perhaps in brackets: ``(0.85p 0.80p 0.75n)``. The end of the line or ``;`` ends
    a set; sets in brackets may share a line without it. Empty lines and what follows ``#`` are passed over. A CSV table
    has the columns ``label`` (1 or p, 0 or n) and ``score``, one row per score, and perhaps ``set``, which names the
    set of a row; other columns are passed over.

    Parameters
    ----------
    source : str, Path, open file or iterable of lines
        Text of sets, or the path of a file (UTF-8).

    Returns
    -------
    ScoreSets
        Errors name the line.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.lab.parse_sets("0.85p 0.80p 0.75n  # three scores\n1p 0n")
    ScoreSets(2 sources, 2 sets)
    >>> rs.lab.parse_sets("0.9p 0.1n; 0.2p 0.95n")
    ScoreSets(2 sources, 2 sets)
    >>> rs.lab.parse_sets("set,label,score\na,1,0.9\na,0,0.2\nb,1,0.4\nb,0,0.6")
    ScoreSets(2 sources, 2 sets)
    >>> rs.lab.parse_sets("0.9p 0.1n\n0.9p 0.1q")
    Traceback (most recent call last):
    rocsteady.errors.InputError: line 2: cannot read '0.1q'; a score is a number followed by p or n, such as 0.85p
    """
    lines = [(number, _bare(line)) for number, line in enumerate(_lines_of(source), 1)]
    told = [(number, line) for number, line in lines if line]
    if told and _is_header(told[0][1]):
        return _from_table(told)
    sets: list[Pair] = []
    names: list[str] = []
    for number, line in told:
        parts = _unwrapped(number, line)
        sets += [_read_line(number, part) for part in parts]
        names += (
            [f"line {number}, set {place}" for place in range(1, len(parts) + 1)] if parts[1:] else [f"line {number}"]
        )
    return collect(sets, names)


def _unwrapped(number: int, line: str) -> list[str]:
    """The sets of a line: each ends with ``;``, with its bracket, or with the line."""
    parts, rest = list[str](), line
    while rest:
        if rest[0] not in BRACKETS:
            inside, _, rest = rest.partition(";")
        else:
            inside, end, tail = rest[1:].partition(BRACKETS[rest[0]])
            rest = tail.strip(" \t,.")
            if not end or (rest and rest[0] not in (*BRACKETS, ";")):
                shown = printable(rest or line, most=40)
                raise InputError("score_token", f"line {number}: brackets do not match at {shown!r}; write (0.9p 0.3n)")
        parts += [part.strip() for part in inside.split(";") if part.strip()] or [inside]
        rest = rest.strip(" \t,;")
    return parts


def _lines_of(source: Any) -> Iterable[str]:
    if isinstance(source, Path):
        return _read(source)
    if not isinstance(source, Iterable) or getattr(source, "ndim", 1) == 0:
        text = f"sets come from text, a file or lines, got {type(source).__name__}"
        raise InputError("sets_type", f"{text}; a set looks like 0.9p 0.8p 0.3n 0.1n")
    if not isinstance(source, str):
        return (line.decode() if isinstance(line, bytes) else str(line) for line in source)
    first = BETWEEN.split(source.strip(" \t\n\r([{"), maxsplit=1)[0].rstrip(")]}")
    if "\n" in source or not source.strip() or SCORE.fullmatch(first):
        return source.splitlines()
    if Path(source).is_file():
        return _read(Path(source))
    text = f"{printable(source, most=60)!r} is neither a file nor a set; a set looks like 0.9p 0.8p 0.3n 0.1n"
    raise InputError("no_sets", text)


def _read(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        place = f"byte {error.start}"
        raise InputError("encoding", f"{printable(path)} is not UTF-8 text ({place}); save it as UTF-8") from None


def _bare(line: str) -> str:
    return line.removeprefix("\ufeff").partition("#")[0].strip()


def _read_line(number: int, line: str) -> Pair:
    scores, labels = [], []
    for token in BETWEEN.split(line.strip(" \t,;")):
        found = SCORE.fullmatch(token)
        if found is None:
            shown = printable(token, most=40)
            text = f"line {number}: cannot read {shown!r}; a score is a number followed by p or n, such as 0.85p"
            raise InputError("score_token", text)
        scores.append(found[1])
        labels.append(found[2] in "pP")
    return np.array(labels, dtype=bool), np.array(_told_apart(scores, f"line {number}"))


def _told_apart(written: list[str], where: str) -> list[float]:
    """Scores of a set as doubles; different ones that would be the same are refused, and those that would be 0."""
    seen: dict[float, str] = {}
    for text in written:
        value = float(text)
        if value == 0 and is_beyond(text, value):
            raise InputError("not_finite", f"{where}: {printable(text, most=40)!r} is beyond the range of doubles")
        other = seen.setdefault(value, text)
        if other != text and Decimal(other) != Decimal(text):
            both = f"{printable(other, most=40)!r} and {printable(text, most=40)!r}"
            raise InputError("score_token", f"{where}: {both} differ and are one double; write at most 15 digits")
    return [float(text) for text in written]


def _delimiter(header: str) -> str:
    return max(",;\t", key=header.count)


def _is_header(line: str) -> bool:
    names = {name.strip(' "').lower() for name in line.split(_delimiter(line))}
    return names >= set(COLUMNS)


def _from_table(lines: Numbered) -> ScoreSets:
    delimiter = _delimiter(lines[0][1])
    names = [name.strip().lower() for name in next(csv.reader([lines[0][1]], delimiter=delimiter))]
    sets: dict[str, list[tuple[bool, str]]] = {}
    for number, line in lines[1:]:
        cells = next(csv.reader([line], delimiter=delimiter))
        if len(cells) != len(names):
            raise InputError(
                "cells", f"line {number}: {format_count(len(cells))} cells below {format_count(len(names))} columns"
            )
        row = dict(zip(names, (cell.strip() for cell in cells), strict=True))
        sets.setdefault(row.get("set", ""), []).append((_label(number, row["label"]), _score(number, row["score"])))
    called = {name: f"set {printable(name, most=40)!r}" if name else "the table" for name in sets}
    pairs = [
        (np.array([label for label, _ in rows]), np.array(_told_apart([score for _, score in rows], called[name])))
        for name, rows in sets.items()
    ]
    return collect(pairs, list(called.values()))


def _label(number: int, cell: str) -> bool:
    if cell.lower() in POSITIVE | NEGATIVE:
        return cell.lower() in POSITIVE
    shown = printable(cell, most=40)
    raise InputError("labels", f"line {number}: label {shown!r} is neither 1 or p (positive) nor 0 or n (negative)")


def _score(number: int, cell: str) -> str:
    try:
        score = float(cell)
    except ValueError:
        shown = printable(cell, most=40)
        raise InputError("score_token", f"line {number}: score {shown!r} is not a number") from None
    if not np.isfinite(score):
        raise InputError("not_finite", f"line {number}: score {cell!r} is not a finite number; drop the row")
    return cell
