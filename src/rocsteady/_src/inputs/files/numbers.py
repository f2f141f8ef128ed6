"""Columns of text become numbers in the narrowest type that holds every value: whole numbers are never rounded."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import InputError, printable
from rocsteady._src.inputs.files.sql import identifier, texts

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from rocsteady._src.inputs.files.formats import Wanted

MISSING_WORDS = ("", "na", "n/a", "nan", "null", "none", ".")
NUMBER = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(?i:inf|infinity)"
WHOLE = r"[+-]?[0-9]+"
MAYBE_ROUNDED = r"[+-]?[0-9]{16,}"  # every whole number of 15 digits is a double
TRUTH = "(?i:true|false)"
ZERO, INFINITE = r"[+-]?[0.]+([eE].*)?", "(?i)[+-]?inf(inity)?"
WHOLE_TYPES = ("BIGINT", "UBIGINT", "HUGEINT")


@dataclass(frozen=True, slots=True)
class TextRows:
    """Columns of files as text, in the table ``rows``, with the type that each can have."""

    connection: Any
    path: Path
    row_one: str = "follows the header"

    def typed(self, wanted: Wanted, *, known: Collection[str] = ()) -> str:
        """All columns in their types, as one query; those ``known`` have theirs already."""
        casts = {}
        for name in wanted.names:
            if name in known:
                casts[name] = identifier(name)
            else:
                casts[name] = self.number(name, wanted) if name in wanted.numbers else self.label(name)
        return f"SELECT {', '.join(f'{cast} AS {identifier(name)}' for name, cast in casts.items())} FROM rows"

    def number(self, name: str, wanted: Wanted) -> str:
        """A column of numbers as an expression; refused with row and value where it holds anything else."""
        column = identifier(name)
        bad = self._first(column, f"NOT regexp_full_match({column}, ?)", NUMBER)
        if bad:
            raise self._refusal("not_a_number", name, "not a number", bad, _remedy(bad))
        kind = self._whole_type(column) if self._all_match(column, WHOLE) else None
        if kind is None and (lost := self._beyond(column)):
            remedy = (
                "; a double reaches from 5e-324 to 1.8e308: rescale the column, or write 0 or inf where it is meant"
            )
            raise self._refusal("beyond_doubles", name, "a number beyond the range of doubles", lost, remedy)
        if name in wanted.weights:
            return _cast(column, kind if kind == WHOLE_TYPES[0] else "DOUBLE")
        return _cast(column, kind or self._double(name))

    def _double(self, name: str) -> str:
        """The type of decimal numbers, unless a whole number among them would be rounded."""
        if rounded := self._rounded(identifier(name)):
            what = "whole numbers of more digits than are kept here"
            remedy = "; write whole numbers of at most 38 digits only, or fewer digits"
            raise self._refusal("rounded_number", name, what, rounded, remedy)
        return "DOUBLE"

    def label(self, name: str) -> str:
        """A label column: whole numbers, numbers or booleans when every value is one, text otherwise.

        Numbers that no type holds stay text, which tells them apart.
        """
        column = identifier(name)
        if self._all_match(column, WHOLE):
            return _cast(column, self._whole_type(column) or "VARCHAR")
        if self._all_match(column, NUMBER):
            return _cast(column, "VARCHAR" if self._rounded(column) or self._beyond(column) else "DOUBLE")
        return _cast(column, "BOOLEAN" if self._all_match(column, TRUTH) else "VARCHAR")

    def _whole_type(self, column: str) -> str | None:
        """The first type that holds every value of a column of whole numbers."""
        return next(
            (kind for kind in WHOLE_TYPES if self._all(column, f"TRY_CAST({column} AS {kind}) IS NOT NULL")), None
        )

    def _refusal(self, code: str, name: str, what: str, bad: list[tuple[int, str]], remedy: str) -> InputError:
        listed = ", ".join(f"{printable(value, most=30)!r} in row {row + 1}" for row, value in bad[:5])
        where = f"{printable(self.path)}, column {name!r}"
        return InputError(code, f"{where}: {what}: {listed} (row 1 {self.row_one}){remedy}")

    def _rounded(self, column: str) -> list[tuple[int, str]]:
        """Whole numbers, beside others that are not, which a double would round."""
        kept = f"(TRY_CAST(CAST({column} AS DOUBLE) AS HUGEINT) = TRY_CAST({column} AS HUGEINT))"
        return self._first(column, f"regexp_full_match({column}, ?) AND {kept} IS NOT TRUE", MAYBE_ROUNDED)

    def _beyond(self, column: str) -> list[tuple[int, str]]:
        """Numbers that would become 0 or infinite, and are neither."""
        double = f"CAST({column} AS DOUBLE)"
        lost = f"({double} = 0 AND NOT regexp_full_match({column}, ?))"
        return self._first(
            column, f"({lost} OR (isinf({double}) AND NOT regexp_full_match({column}, ?)))", ZERO, INFINITE
        )

    def has_zero(self, name: str) -> bool:
        """Whether a number of a column is 0."""
        column = identifier(name)
        return bool(self._first(column, f"TRY_CAST({column} AS DOUBLE) = 0"))

    def _first(self, column: str, odd: str, *pattern: str) -> list[tuple[int, str]]:
        """The first few values, with their rows, of which something holds."""
        query = f"SELECT rowid, {column} FROM rows WHERE NOT {_missing(column)} AND {odd} ORDER BY rowid LIMIT 6"
        found: list[tuple[int, str]] = self.connection.execute(query, list(pattern)).fetchall()
        return found

    def _all_match(self, column: str, pattern: str) -> bool:
        return self._all(column, f"regexp_full_match({column}, ?)", pattern)

    def _all(self, column: str, condition: str, *pattern: str) -> bool:
        query = f"SELECT bool_and({condition}) FROM rows WHERE NOT {_missing(column)}"
        return bool(self.connection.execute(query, list(pattern)).fetchall()[0][0])


FEW = 3  # cells that are words: typing errors rather than classes


def _remedy(bad: list[tuple[int, str]]) -> str:
    if any(re.fullmatch(r"[+-]?\d+,\d+", value) for _, value in bad):
        return "; write decimals with a point, not a comma"
    if all(value.rstrip().endswith("%") for _, value in bad):
        return "; write shares without a sign, 0.9 for 90%"
    words = all(value[:1].isalpha() for _, value in bad)
    if words and len(bad) < FEW:
        return "; repair it, or leave the cell empty and leave such rows out as missing"
    return "; predicted classes are no scores: judge them in Python with rs.evaluate(y, predicted)" if words else ""


def _missing(column: str) -> str:
    return f"({column} IS NULL OR lower({column}) IN {texts(MISSING_WORDS)})"


def _cast(column: str, kind: str) -> str:
    return f"CASE WHEN {_missing(column)} THEN NULL ELSE CAST({column} AS {kind}) END"
