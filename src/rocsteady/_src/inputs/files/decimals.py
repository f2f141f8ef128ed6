"""Decimals of text files: commas that stand for points, and decimals of more digits than a double tells apart."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import InputError, printable, some_values
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.inputs.files.sql import identifier, text, texts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rocsteady._src.inputs.files.formats import Wanted
    from rocsteady._src.inputs.files.text_form import TextForm

MISSING_WORDS = ("", "na", "n/a", "nan", "null", "none", ".")
WITH_COMMA = r"[+-]?([0-9]+,?[0-9]*|,[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(?i:inf|infinity)"
GROUPED = r"[+-]?[1-9][0-9]{0,2},[0-9]{3}"  # 1,234: one and a bit, or more than a thousand
FEWEST_CHARACTERS = 17  # decimals of fewer characters stay apart as doubles


def missing(column: str) -> str:
    """Whether a cell of text holds no value."""
    return f"({column} IS NULL OR lower({column}) IN {texts(MISSING_WORDS)})"


def turned_to_points(connection: Any, path: Path, wanted: Wanted, form: TextForm) -> bool:
    """Make decimal commas of the table ``rows`` points, where they were asked for or can be nothing else."""
    if form.decimal == "." or (form.decimal is None and form.delimiter == ","):
        return False
    numbers = [name for name in wanted.names if name in wanted.numbers]
    fitting = {name: counts for name, counts in _counted(connection, wanted.names).items() if _fits(counts)}
    if form.decimal is None and set(numbers) - set(fitting):
        return False  # whatever is wrong with them is told as of any file
    turned = [name for name in fitting if fitting[name][1]]
    if form.decimal is None and not any(fitting[name][1] > fitting[name][2] for name in turned):
        if any(name in numbers for name in turned):
            raise _ambiguous(connection, path, turned[0])
        return False
    for name in turned:
        column = identifier(name)
        connection.execute(f"UPDATE rows SET {column} = replace({column}, ',', '.')")
    return bool(turned)


def _fits(counts: tuple[int, int, int]) -> bool:
    return not counts[0]


def _counted(connection: Any, names: Sequence[str]) -> dict[str, tuple[int, int, int]]:
    """Of each column: values that are no numbers with commas, those that have one, and those that may be thousands."""
    asked = []
    for name in names:
        column = identifier(name)
        there = f"NOT {missing(column)}"
        fits, grouped = (f"regexp_full_match({column}, {text(each)})" for each in (WITH_COMMA, GROUPED))
        asked += [
            f"count(*) FILTER ({there} AND NOT {fits})",
            f"count(*) FILTER ({there} AND contains({column}, ','))",
            f"count(*) FILTER ({there} AND {grouped})",
        ]
    found = connection.execute(f"SELECT {', '.join(asked)} FROM rows").fetchall()[0]
    return {name: tuple(found[3 * place : 3 * place + 3]) for place, name in enumerate(names)}


def _ambiguous(connection: Any, path: Path, name: str) -> InputError:
    column = identifier(name)
    query = f"SELECT {column} FROM rows WHERE contains({column}, ',') LIMIT 3"
    shown = some_values([row[0] for row in connection.execute(query).fetchall()])
    words = "{told}: pass {decimal=','} where decimals stand after the comma, or write thousands without one"
    told = f"{printable(path)}, column {name!r}: {shown} may be decimals or thousands"
    return InputError("decimal_comma", Sentence(words, told=told))


def merged_decimals(connection: Any, column: str) -> list[tuple[int, str]]:
    """Rows with numbers that a double makes equal though they are not; none where all stay apart."""
    doubles = f"SELECT TRY_CAST({column} AS DOUBLE) AS d, {column} AS t, rowid AS r FROM rows"
    twice = f"SELECT d FROM (SELECT TRY_CAST({column} AS DOUBLE) AS d FROM rows) GROUP BY d HAVING count(d) > 1"
    several = f"SELECT d FROM ({doubles}) WHERE isfinite(d) GROUP BY d HAVING min(hash(t)) <> max(hash(t))"
    if any(connection.execute(f"{each} LIMIT 1").fetchone() is None for each in (twice, several)):
        return []
    query = f"SELECT list(DISTINCT t), min(r) AS r FROM ({doubles}) WHERE d IN ({several}) GROUP BY d ORDER BY r"
    found = connection.execute(query)
    while batch := found.fetchmany(1000):
        for written, _ in batch:
            if len(odd := apart(written)) > 1:
                return _rows_of(connection, column, odd)
    return []


def apart(written: Sequence[str]) -> list[str]:
    """Texts that are different numbers, one for each.

    Examples
    --------
    >>> apart(["0.50", "0.5", "5e-1"]), apart(["0.1", "0.10000000000000001"])
    (['0.50'], ['0.1', '0.10000000000000001'])
    """
    return list({Decimal(each): each for each in reversed(written)}.values())[::-1]


def _rows_of(connection: Any, column: str, written: Sequence[str]) -> list[tuple[int, str]]:
    query = f"SELECT rowid, {column} FROM rows WHERE {column} IN {texts(written[:5])} ORDER BY rowid LIMIT 5"
    found: list[tuple[int, str]] = connection.execute(query).fetchall()
    return found
