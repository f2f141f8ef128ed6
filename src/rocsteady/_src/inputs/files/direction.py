"""Scores of which a lower value means more positive: negated when asked for, never silently, under another name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.inputs.files.sql import identifier

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.inputs.files.formats import Columns
    from rocsteady._src.inputs.files.scan import ScannedFiles


def negated_name(name: str) -> str:
    """What negated scores are called: thresholds are theirs, and negative where values are positive.

    Examples
    --------
    >>> negated_name("platelets")
    '-platelets'
    """
    return f"-{name}"


def negated_columns(table: Columns, names: Sequence[str]) -> Columns:
    """The table with these columns negated; no number wraps around or is rounded.

    Examples
    --------
    >>> negated_columns({"a": np.array([1, -3]), "b": np.array([True, False])}, ["a", "b"])
    {'-a': array([-1,  3]), '-b': array([-1,  0])}
    """
    return {
        negated_name(name) if name in names else name: _negated(values) if name in names else values
        for name, values in table.items()
    }


def _negated(values: Any) -> Any:
    kind = values.dtype.kind
    if kind == "b" or (kind in "iu" and values.dtype.itemsize < 8):
        values = values.astype(np.int64)
    elif kind == "u" or (kind == "i" and bool((values == np.iinfo(values.dtype).min).any())):
        values = values.astype(object)  # the negative has no place in the type
    return -values


def negated_files(files: ScannedFiles, names: Sequence[str]) -> ScannedFiles:
    """The same of files that stay where they are."""
    types = dict(zip(files.relation.columns, map(str, files.relation.types), strict=True))
    picked = ", ".join(
        f"{_negative(name, kind)} AS {identifier(negated_name(name))}" if name in names else identifier(name)
        for name, kind in types.items()
    )
    return replace(files, relation=files.relation.project(picked))


def _negative(name: str, kind: str) -> str:
    whole = kind.endswith(("INT", "INTEGER")) or kind == "BOOLEAN"
    return f"-CAST({identifier(name)} AS HUGEINT)" if whole else f"-{identifier(name)}"
