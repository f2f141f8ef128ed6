"""What evaluate refuses: columns and options that do not go together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.inputs.arrays import read_column
from rocsteady._src.inputs.tables import column_names, pick_columns


def groups_of(by: Any) -> Any:
    """Columns of groups; what cannot be one or several is refused."""
    empty = isinstance(by, (list, tuple)) and (not by or (len(by) == 1 and isinstance(by[0], (int, float))))
    single = isinstance(by, Mapping) and any(np.ndim(each) == 0 for each in by.values())
    if empty or single or isinstance(by, (int, float)):
        raise ArgumentError("by", f"by must be the name of a column of groups, or a list of such names, got {by!r}")
    return by


def check_repeats(table: object, fold: str | None, repeat: str | None, id_column: str | None) -> None:
    """Folds of several repeats must not be merged, and rows that stand in several of them must be known."""
    if repeat is not None and fold is None:
        raise ArgumentError("repeat", Sentence("{repeat=} names the repeats of a cross-validation: pass {fold=} too"))
    if repeat is not None and id_column is None:
        text = Sentence(
            "repeats hold the same rows again: name the column of row numbers with {id=}, or of "
            "subjects with {cluster=}"
        )
        raise ArgumentError("repeat", text)
    if fold is None or repeat is not None or "repeat" not in column_names(table):
        return
    values, _ = read_column(pick_columns(table, ["repeat"])["repeat"], "repeat")
    n_repeats = len(set(values.tolist()))
    if n_repeats > 1:
        text = Sentence(
            "the table has a column 'repeat' of {n_repeats} values, whose folds would be merged: "
            "pass {repeat='repeat'}",
            n_repeats=n_repeats,
        )
        raise ArgumentError(
            "repeat", Sentence("{text} and {id=} for the row of the data, or drop the column", text=text)
        )


def one_split(**given: Any) -> str | None:
    named = [name for name, value in given.items() if value is not None]
    if len(named) > 1:
        raise ArgumentError("splits", f"{' and '.join(named)} cannot be combined: call evaluate once for each")
    return named[0] if named else None


def one_id(id_column: str | None, cluster: str | None) -> str | None:
    if cluster is not None and id_column not in (None, cluster):
        raise ArgumentError("cluster", "id and cluster name the subject of a row: give one column, not two")
    return cluster if cluster is not None else id_column


def needed_time(time: object) -> object:
    """Times to judge at need the column of times."""
    if time is None:
        raise ArgumentError("time", Sentence("{at=} asks about censored times: name the column of times with {time=}"))
    return time
