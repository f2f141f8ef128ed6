"""Columns of text become numbers in the narrowest type that holds every value: whole numbers are never rounded."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import InputError, printable
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.inputs.files.decimals import FEWEST_CHARACTERS, merged_decimals, missing, turned_to_points
from rocsteady._src.inputs.files.sql import identifier, text
from rocsteady._src.inputs.files.text_form import TextForm

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from rocsteady._src.inputs.files.formats import Wanted

NUMBER = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(?i:inf|infinity)"
WHOLE = r"[+-]?[0-9]+"
MAYBE_ROUNDED = r"[+-]?[0-9]{16,}"  # every whole number of 15 digits is a double
SHORT_DIGITS = 15
TRUTH = "(?i:true|false)"
ZERO, INFINITE = r"[+-]?[0.]+([eE].*)?", "(?i)[+-]?inf(inity)?"
WHOLE_TYPES = ("BIGINT", "UBIGINT", "HUGEINT")
# Kinds of values, as bits of what a column holds.
SHORT, LONG = 1, 2  # whole numbers that every type holds, and those that need a look
DECIMAL, LOST = 4, 8  # other numbers, and those of them that a double makes 0 or infinite
TRUE_OR_FALSE, OTHER = 16, 32
MANY_DIGITS = 64  # decimals of so many that a double may not tell them apart
AS_USUAL = TextForm(",", ".")
NUMBERS = SHORT | LONG | DECIMAL | LOST | MANY_DIGITS


@dataclass(frozen=True, slots=True)
class TextRows:
    """Columns of files as text, in the table ``rows``, with the type that each can have."""

    connection: Any
    path: Path
    row_one: str = "follows the header"
    form: TextForm = AS_USUAL
    as_written: bool = False  # and not doubles that were written again, which all stay apart

    def typed(self, wanted: Wanted, *, known: Collection[str] = ()) -> str:
        """All columns in their types, as one query; those ``known`` have theirs already."""
        casts, kinds = {}, self._kinds_with_points(wanted, [name for name in wanted.names if name not in known])
        for name in wanted.names:
            if name in known:
                casts[name] = identifier(name)
            elif name in wanted.numbers:
                casts[name] = self.number(name, wanted, kinds[name])
            else:
                casts[name] = self.label(name, kinds[name])
        return f"SELECT {', '.join(f'{cast} AS {identifier(name)}' for name, cast in casts.items())} FROM rows"

    def _kinds_with_points(self, wanted: Wanted, names: list[str]) -> dict[str, int]:
        """The same once decimal commas are points."""
        if self.form.decimal == "," and turned_to_points(self.connection, self.path, wanted, self.form):
            return self._kinds(names)
        kinds = self._kinds(names)
        odd = any(kinds[name] & OTHER for name in names if name in wanted.numbers)
        turned = odd and self.form.decimal is None and turned_to_points(self.connection, self.path, wanted, self.form)
        return self._kinds(names) if turned else kinds

    def _kinds(self, names: list[str]) -> dict[str, int]:
        """Which kinds of values each column holds, in one pass: a query costs more than a column of a small file."""
        if not names:
            return {}
        asked = ", ".join(f"bit_or({_kind(identifier(name))})" for name in names)
        found = self.connection.execute(f"SELECT {asked} FROM rows").fetchall()[0]
        return {name: kinds or 0 for name, kinds in zip(names, found, strict=True)}

    def number(self, name: str, wanted: Wanted, kinds: int) -> str:
        """A column of numbers as an expression; refused with row and value where it holds anything else."""
        column = identifier(name)
        if kinds & (TRUE_OR_FALSE | OTHER):
            bad = self._first(column, f"NOT regexp_full_match({column}, ?)", NUMBER)
            raise self._refusal("not_a_number", name, "not a number", bad, _remedy(bad))
        kind = self._whole_type(column, kinds)
        if kind is None and (lost := self._beyond(column, kinds)):
            remedy = (
                "; a double reaches from 5e-324 to 1.8e308: rescale the column, or write 0 or inf where it is meant"
            )
            raise self._refusal("beyond_doubles", name, "a number beyond the range of doubles", lost, remedy)
        if name in wanted.weights:
            return _cast(column, kind if kind == WHOLE_TYPES[0] else "DOUBLE")
        return _cast(column, kind or self._double(name, kinds))

    def _double(self, name: str, kinds: int) -> str:
        """The type of decimal numbers, unless a whole number among them would be rounded."""
        if rounded := self._rounded(identifier(name), kinds):
            what = "whole numbers of more digits than are kept here"
            remedy = "; write whole numbers of at most 38 digits only, or fewer digits"
            raise self._refusal("rounded_number", name, what, rounded, remedy)
        if merged := self._merged(identifier(name), kinds):
            what = "different numbers that are one double"
            remedy = "; write decimals of at most 15 digits, or whole numbers, which are ranked exactly"
            raise self._refusal("merged_decimals", name, what, merged, remedy)
        return "DOUBLE"

    def label(self, name: str, kinds: int) -> str:
        """A label column: whole numbers, numbers or booleans when every value is one, text otherwise.

        Numbers that no type holds stay text, which tells them apart.
        """
        column = identifier(name)
        if _only(kinds, SHORT | LONG):
            return _cast(column, self._whole_type(column, kinds) or "VARCHAR")
        if _only(kinds, NUMBERS):
            unheld = self._rounded(column, kinds) or self._beyond(column, kinds)
            unheld = unheld or self._merged(column, kinds)
            return _cast(column, "VARCHAR" if unheld else "DOUBLE")
        return _cast(column, "BOOLEAN" if _only(kinds, TRUE_OR_FALSE) else "VARCHAR")

    def _whole_type(self, column: str, kinds: int) -> str | None:
        """The first type that holds every value of a column of whole numbers; None of other columns."""
        if not _only(kinds, SHORT | LONG):
            return None
        if kinds == SHORT:
            return WHOLE_TYPES[0]
        return next(
            (kind for kind in WHOLE_TYPES if self._all(column, f"TRY_CAST({column} AS {kind}) IS NOT NULL")), None
        )

    def _refusal(self, code: str, name: str, what: str, bad: list[tuple[int, str]], remedy: str) -> InputError:
        listed = ", ".join(f"{printable(value, most=30)!r} in row {row + 1}" for row, value in bad[:5])
        where = f"{printable(self.path)}, column {name!r}"
        told = f"{where}: {what}: {listed} (row 1 {self.row_one})"
        return InputError(code, Sentence("{told}" + remedy, told=told) if remedy == COMMA else f"{told}{remedy}")

    def _rounded(self, column: str, kinds: int) -> list[tuple[int, str]]:
        """Whole numbers, beside others that are not, which a double would round."""
        if not kinds & LONG:
            return []
        kept = f"(TRY_CAST(CAST({column} AS DOUBLE) AS HUGEINT) = TRY_CAST({column} AS HUGEINT))"
        return self._first(column, f"regexp_full_match({column}, ?) AND {kept} IS NOT TRUE", MAYBE_ROUNDED)

    def _beyond(self, column: str, kinds: int) -> list[tuple[int, str]]:
        """Numbers that would become 0 or infinite, and are neither."""
        return self._first(column, _lost(column)) if kinds & (LONG | LOST) else []

    def _merged(self, column: str, kinds: int) -> list[tuple[int, str]]:
        """Decimals that are different and become one double."""
        return merged_decimals(self.connection, column) if self.as_written and kinds & MANY_DIGITS else []

    def has_zero(self, name: str) -> bool:
        """Whether a number of a column is 0."""
        column = identifier(name)
        return bool(self._first(column, f"TRY_CAST({column} AS DOUBLE) = 0"))

    def _first(self, column: str, odd: str, *pattern: str) -> list[tuple[int, str]]:
        """The first few values, with their rows, of which something holds."""
        query = f"SELECT rowid, {column} FROM rows WHERE NOT {missing(column)} AND {odd} ORDER BY rowid LIMIT 6"
        found: list[tuple[int, str]] = self.connection.execute(query, list(pattern)).fetchall()
        return found

    def _all(self, column: str, condition: str) -> bool:
        query = f"SELECT bool_and({condition}) FROM rows WHERE NOT {missing(column)}"
        return bool(self.connection.execute(query).fetchall()[0][0])


def _only(kinds: int, these: int) -> bool:
    """Whether there are values, and all of them of these kinds."""
    return kinds != 0 and not kinds & ~these


def _kind(column: str) -> str:
    """Which bit a value has; none where it is missing."""

    def matches(pattern: str) -> str:
        return f"regexp_full_match({column}, {text(pattern)})"

    whole = f"CASE WHEN length({column}) > {SHORT_DIGITS} THEN {LONG} ELSE {SHORT} END"
    digits = f"CASE WHEN length({column}) >= {FEWEST_CHARACTERS} THEN {MANY_DIGITS} ELSE {DECIMAL} END"
    number = f"CASE WHEN {_lost(column)} THEN {LOST} ELSE {digits} END"
    other = f"CASE WHEN {matches(TRUTH)} THEN {TRUE_OR_FALSE} ELSE {OTHER} END"
    chosen = f"WHEN {matches(WHOLE)} THEN {whole} WHEN {matches(NUMBER)} THEN {number} ELSE {other}"
    return f"CASE WHEN {missing(column)} THEN NULL {chosen} END"


def _lost(column: str) -> str:
    """Whether a double makes a number 0 or infinite that is neither."""
    double = f"TRY_CAST({column} AS DOUBLE)"
    zero, infinite = (f"regexp_full_match({column}, {text(pattern)})" for pattern in (ZERO, INFINITE))
    return f"(({double} = 0 AND NOT {zero}) OR (isinf({double}) AND NOT {infinite}))"


COMMA = "; write decimals with a point, not a comma, or pass {decimal=','}"
FEW = 3  # cells that are words: typing errors rather than classes


def _remedy(bad: list[tuple[int, str]]) -> str:
    if any(re.fullmatch(r"[+-]?\d+,\d+", value) for _, value in bad):
        return COMMA
    if all(value.rstrip().endswith("%") for _, value in bad):
        return "; write shares without a sign, 0.9 for 90%"
    words = all(value[:1].isalpha() for _, value in bad)
    if words and len(bad) < FEW:
        return "; repair it, or leave the cell empty and leave such rows out as missing"
    return "; predicted classes are no scores: judge them in Python with rs.evaluate(y, predicted)" if words else ""


def _cast(column: str, kind: str) -> str:
    return f"CASE WHEN {missing(column)} THEN NULL ELSE CAST({column} AS {kind}) END"
