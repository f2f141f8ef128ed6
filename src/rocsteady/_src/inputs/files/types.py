"""One type for a column that several files store differently: it holds every value exactly, or there is none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

NOTHING = '"NULL"'  # DuckDB's name for the type of a column without values
_BITS = {"TINYINT": 8, "SMALLINT": 16, "INTEGER": 32, "BIGINT": 64, "HUGEINT": 128}
WHOLE = {name: (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for name, bits in _BITS.items()}
WHOLE |= {f"U{name}": (0, 2**bits - 1) for name, bits in _BITS.items()}
FLOATS = {"FLOAT", "DOUBLE"}
DOUBLE_HOLDS = 2**53
MOST_DIGITS = 38  # of a decimal


def common_type(kinds: Collection[str]) -> str | None:
    """The type that holds whatever these types of DuckDB hold; None where there is none.

    Whole numbers of 64 bits meet floats as doubles: :func:`needs_a_look` says that each value must be checked.

    Examples
    --------
    >>> common_type(["INTEGER", "BIGINT"]), common_type(["UBIGINT", "BIGINT"]), common_type(["FLOAT", "SMALLINT"])
    ('BIGINT', 'HUGEINT', 'DOUBLE')
    >>> common_type(["DECIMAL(6,2)", "DECIMAL(10,4)", "INTEGER"]), common_type(["DECIMAL(6,2)", "DOUBLE"])
    ('DECIMAL(14,4)', None)
    >>> common_type(["BOOLEAN", "BIGINT"]) is common_type(["VARCHAR", "BIGINT"]) is None
    True
    """
    found = set(kinds) - {NOTHING}
    if len(found) <= 1:
        return next(iter(found), NOTHING)
    decimals = {kind: _digits(kind) for kind in found if kind.startswith("DECIMAL")}
    others = found - set(decimals)
    if not decimals and others <= WHOLE.keys() | FLOATS:
        return "DOUBLE" if others & FLOATS else _whole(others)
    return _decimal(list(decimals.values()), others) if decimals and others <= WHOLE.keys() else None


def needs_a_look(kind: str, common: str) -> bool:
    """Whether some values of a type are not exact in the common one."""
    return common == "DOUBLE" and kind in WHOLE and max(map(abs, WHOLE[kind])) > DOUBLE_HOLDS


def _whole(kinds: Collection[str]) -> str | None:
    least, most = min(WHOLE[kind][0] for kind in kinds), max(WHOLE[kind][1] for kind in kinds)
    fits = (kind for kind in ("BIGINT", "UBIGINT", "HUGEINT") if WHOLE[kind][0] <= least and most <= WHOLE[kind][1])
    return next(fits, None)


def _digits(kind: str) -> tuple[int, int]:
    """Digits before and after the point."""
    width, scale = (int(number) for number in re.findall(r"\d+", kind))
    return width - scale, scale


def _decimal(decimals: list[tuple[int, int]], whole: Collection[str]) -> str | None:
    before = [each[0] for each in decimals] + [len(str(WHOLE[kind][1])) for kind in whole]
    scale = max(each[1] for each in decimals)
    width = max(before) + scale
    return f"DECIMAL({width},{scale})" if width <= MOST_DIGITS else None
