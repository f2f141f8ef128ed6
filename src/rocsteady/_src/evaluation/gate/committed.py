"""A file of conditions that can be committed: TOML, refused where it says what means nothing."""

from __future__ import annotations

import tomllib
from os import PathLike
from pathlib import Path
from typing import Any

from rocsteady._src.base.errors import ArgumentError, InputError, printable, some_values
from rocsteady._src.base.written_numbers import is_beyond
from rocsteady._src.evaluation.gate.terms import refuse_unknown

SETTINGS = ("label", "baseline", "candidate", "by", "threshold", "level", "pos_label", "weight", "cluster")
PYTHON = {"weight": "sample_weight"}
TEXTS = ("label", "baseline", "candidate", "weight", "cluster")


def read_committed(conditions: Any) -> tuple[dict[str, Any], list[Any]]:
    """Settings by the names of arguments, and conditions; of a list that was handed over there are no settings."""
    if conditions is None:
        return {}, []
    if not isinstance(conditions, (str, PathLike)):
        if isinstance(conditions, (list, tuple)):
            return {}, list(conditions)
        told = "conditions are a list of records, or the path of a TOML file"
        raise ArgumentError("conditions", f"{told}, got {some_values([conditions])}")
    path = Path(conditions)
    given = _parsed(path)
    where = f"{printable(path)}"
    refuse_unknown(given, (*SETTINGS, "condition"), where)
    found = given.pop("condition", [])
    if not isinstance(found, list) or not found:
        told = f"{where} has no conditions: each is a table [[condition]] with measure and margin, at_least or at_most"
        raise InputError("gate_file", told)
    for name in TEXTS:
        if name in given and not isinstance(given[name], str):
            raise InputError("gate_file", f"{where}: {name} names a column, got {some_values([given[name]])}")
    return {PYTHON.get(name, name): value for name, value in given.items()}, found


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"), parse_float=_held)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError("gate_file", f"{printable(path)} is no TOML file: {printable(error)}") from error
    except RecursionError:
        raise InputError("gate_file", f"{printable(path)} is nested too deeply") from None


def _held(text: str) -> float:
    """A number of the file; not one that is infinite, or 0, as a double alone."""
    value = float(text)
    if is_beyond(text.replace("_", ""), value):
        raise InputError("gate_file", f"conditions: {printable(text, most=40)!r} is beyond the range of doubles")
    return value
