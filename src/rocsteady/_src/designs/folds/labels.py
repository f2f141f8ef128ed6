"""Which fold a row was tested in: a column of names, or a splitter that makes them again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, first_rows, some_values
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count
from rocsteady._src.inputs.arrays import kind_of
from rocsteady._src.ranked import sorted_distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Column = NDArray[Any]


def is_splitter(fold: object) -> bool:
    """Whether this is a splitter in scikit-learn's sense."""
    return not isinstance(fold, type) and callable(getattr(fold, "split", None)) and hasattr(fold, "get_n_splits")


def folds_of_splitter(splitter: Any, labels: Column, groups: Column | None) -> NDArray[np.int64]:
    """The fold in which each row was tested, from 0 on; refused where that cannot be made again."""
    name = type(splitter).__name__
    if getattr(splitter, "shuffle", hasattr(splitter, "random_state")) and _is_random(splitter):
        raise ArgumentError(
            "splitter_random",
            Sentence(
                "{name} shuffles without a fixed {@random_state}, so these folds would not be those of "
                "the scores; pass {random_state=<a number>} to it, or the fold of each row as a column",
                name=name,
            ),
        )
    folds = np.full(labels.size, -1, dtype=np.int64)
    for number, (_, test) in enumerate(splitter.split(np.zeros((labels.size, 1)), labels, groups)):
        taken = np.asarray(test)[folds[test] >= 0]
        if taken.size:
            raise InputError(
                "rows_in_several_folds",
                f"{name} tests {first_rows(taken, total=taken.size)} more than once, and there is one score per row; "
                "use rs.crossval_scores, which keeps a score for each repeat",
            )
        folds[test] = number
    left = np.flatnonzero(folds < 0)
    if left.size:
        raise InputError(
            "rows_unscored",
            f"{name} never tests {format_count(left.size)} of {format_count(labels.size)} rows, "
            f"{first_rows(left, total=left.size)}, so they have "
            "no score by a model that had not seen them; use a splitter that tests every row, such as StratifiedKFold",
        )
    return folds


def _is_random(splitter: Any) -> bool:
    seed = getattr(splitter, "random_state", None)
    return not isinstance(seed, (int, np.integer))


def numbered_folds(column: Column, name: str) -> tuple[tuple[Any, ...], NDArray[np.int64]]:
    """Distinct names in order, and the number of each row's name among them."""
    distinct, places = sorted_distinct(_names(column, name))
    return tuple(distinct.tolist()), places


def _names(column: Column, name: str) -> Column:
    if column.dtype.kind == "f":
        return _whole(column, name)
    if column.dtype.kind != "O":
        return column
    kinds = {kind_of(value): value for value in column.tolist()}
    if len(kinds) > 1:
        raise InputError(
            "fold_mixed_types",
            f"{name} mixes {' and '.join(sorted(kinds))} values, as in {some_values(kinds.values())}; "
            "name all folds by whole numbers, or all by text",
        )
    plain = np.array(column.tolist())
    if plain.dtype.kind == "f":
        return _whole(plain, name)
    if plain.ndim != 1 or plain.dtype.kind not in "biuUmM":
        text = f"{name} holds values of type {next(iter(kinds))}; name folds by whole numbers or text"
        raise InputError("fold_type", text)
    return plain


def _whole(column: Column, name: str) -> Column:
    """Whole numbers that a missing value, or another program, has turned into floats."""
    column = column.astype(np.float64) if column.dtype.itemsize < 8 else column
    with np.errstate(invalid="ignore"):
        odd = np.flatnonzero((column != np.rint(column)) | (np.abs(column) >= 2**53))
    if odd.size:
        raise InputError(
            "fold_not_whole",
            f"{name} holds {format_count(odd.size)} numbers that are not whole, {first_rows(odd, total=odd.size)}: "
            f"{some_values(column[odd[:5]].tolist())}; folds are named by whole numbers or text: is this a score?",
        )
    return column.astype(np.int64)
