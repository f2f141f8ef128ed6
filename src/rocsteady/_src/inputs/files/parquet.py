"""Parquet files as one query. Each file's own names and types are read, so that none is cast to those of another.

DuckDB alone would give all files the types of the first, take names that differ in case for one, and let a folder
such as ``y=1`` overrule a column of that name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import InputError, printable
from rocsteady._src.inputs.files.sql import identifier, run, texts
from rocsteady._src.inputs.files.types import MOST_DIGITS, common_type, needs_a_look

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rocsteady._src.inputs.files.formats import Wanted

FACTS = "name, num_children, type, converted_type, logical_type, scale, precision"
Facts = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Alike:
    """Files of the same schema; for each wanted column that they hold, DuckDB's name and type of it."""

    paths: list[Path]
    names: dict[str, str]
    types: dict[str, str]


def parquet_query(connection: Any, paths: Sequence[Path], wanted: Wanted) -> str:
    """The wanted columns of all files in types that lose nothing, as one query."""
    groups = [_described(connection, schema, same, wanted) for schema, same in _by_schema(connection, paths).items()]
    types = {name: _agreed(connection, groups, name) for name in wanted.names}
    parts = []
    for group in groups:
        columns = {name: _cast(group.names[name], group.types[name], kind) for name, kind in types.items()}
        picked = ", ".join(f"{columns[name]} AS {identifier(name)}" for name in wanted.names)
        parts.append(f"SELECT {picked} FROM {_source(group.paths)}")
    return " UNION ALL ".join(parts)


def _source(paths: Sequence[Path]) -> str:
    return f"read_parquet({texts(paths, brackets='[]')}, hive_partitioning = false)"


def _cast(name: str, kind: str, common: str) -> str:
    return identifier(name) if kind == common else f"CAST({identifier(name)} AS {common})"


def _by_schema(connection: Any, paths: Sequence[Path]) -> dict[tuple[Facts, ...], list[Path]]:
    """Files by what they say of their columns, in order of appearance."""
    query = f"SELECT file_name, {FACTS} FROM parquet_schema({texts(paths, brackets='[]')})"
    found: dict[str, list[Facts]] = {str(path): [] for path in paths}
    for file, *facts in run(connection, query, *paths).fetchall():
        found[file].append(tuple(facts))
    groups: dict[tuple[Facts, ...], list[Path]] = {}
    for path in paths:
        groups.setdefault(tuple(found[str(path)]), []).append(path)
    return groups


def _described(connection: Any, schema: tuple[Facts, ...], paths: list[Path], wanted: Wanted) -> Alike:
    """Names as the file has them beside DuckDB's, which are told apart without their case."""
    columns = _top_level(schema)
    own = [facts[0] for facts in columns]
    wanted.check(own, paths[0])
    twice = sorted({name for name in wanted.names if own.count(name) > 1})
    if twice:
        raise InputError("column_repeated", f"{printable(paths[0])} has two columns of the name {twice[0]!r}")
    query = f"DESCRIBE SELECT * FROM {_source(paths[:1])}"
    known = [(row[0], str(row[1])) for row in run(connection, query, paths[0]).fetchall()]
    for name in wanted.names:
        _refuse_odd(name, known[own.index(name)][1], columns[own.index(name)], paths[0])
    names, types = ({name: known[own.index(name)][place] for name in wanted.names} for place in (0, 1))
    return Alike(paths, names, types)


def _top_level(schema: tuple[Facts, ...]) -> list[Facts]:
    """Columns without the parts of nested ones; the first entry is the schema itself."""
    found, inside = [], 0
    for facts in schema[1:]:
        if not inside:
            found.append(facts)
        inside += (facts[1] or 0) - bool(inside)
    return found


def _refuse_odd(name: str, kind: str, facts: Facts, path: Path) -> None:
    """Refuse columns of several values a row, and decimals that DuckDB would round to doubles."""
    where = f"{printable(path)}, column {name!r}"
    if facts[1]:
        text = f"{where} holds several values in a row ({printable(kind, most=60)}); write one value per row"
        raise InputError("column_nested", text)
    if (facts[-1] or 0) > MOST_DIGITS and not kind.startswith("DECIMAL"):
        text = f"{where} holds decimals of {facts[-1]} digits, and at most {MOST_DIGITS} are kept; write fewer"
        raise InputError("rounded_number", text)


def _agreed(connection: Any, groups: list[Alike], name: str) -> str:
    """The type of one column in all files, or a refusal that names two of them."""
    common = common_type([group.types[name] for group in groups])
    if common is None:
        raise _types_differ(groups, name)
    for group in groups:
        if needs_a_look(group.types[name], common):
            _refuse_rounded(
                connection, group, name, next(each for each in groups if each.types[name] in ("FLOAT", "DOUBLE"))
            )
    return common


def _types_differ(groups: list[Alike], name: str) -> InputError:
    pairs = ((one, two) for place, one in enumerate(groups) for two in groups[place + 1 :])
    apart = ((one, two) for one, two in pairs if common_type([one.types[name], two.types[name]]) is None)
    one, two = next(apart, (groups[0], groups[-1]))
    told = " and ".join(f"{group.types[name]} in {printable(group.paths[0])}" for group in (one, two))
    text = f"column {name!r} is {told}: no type holds the values of both exactly; write all files with one type"
    return InputError("types_differ", text)


def _refuse_rounded(connection: Any, group: Alike, name: str, other: Alike) -> None:
    """Refuse a whole number that is no double, where it meets doubles of another file."""
    column = identifier(group.names[name])
    query = f"SELECT {column} FROM {_source(group.paths)} WHERE CAST(CAST({column} AS DOUBLE) AS HUGEINT) <> {column}"
    found = run(connection, f"{query} LIMIT 1", *group.paths).fetchall()
    if found:
        told = ", and ".join(f"{each.types[name]} in {printable(each.paths[0])}" for each in (group, other))
        text = f"column {name!r} is {told}, which would round {found[0][0]}; write all files with one type"
        raise InputError("types_differ", text)
