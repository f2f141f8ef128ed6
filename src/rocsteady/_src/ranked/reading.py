"""How the weights of ranked rows are read, which travels with their origin."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.inputs.weights import rows_counted, weight_type_of
from rocsteady._src.results import Origin

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inputs import CleanRows
    from rocsteady._src.ranked.rows import Rows
    from rocsteady._src.ranked.scores import RankedScores


def origin_of(rows: CleanRows) -> Origin:
    """Where the numbers of checked rows come from."""
    weighted = rows.weights is not None
    kind = rows.weight_type if weighted else None
    n_rows = rows_counted(rows.scores.size, rows.weights, kind)
    return Origin(rows.pos_label, n_rows, rows.n_dropped, weighted, weight_type=kind, neg_label=rows.other_label)


def count_rows(rows: Rows, chosen: NDArray[np.bool_]) -> int:
    """How many of the rows are chosen: a frequency weight stands for so many, any other row for one."""
    weights = None if rows.weights is None else rows.weights[chosen]
    return rows_counted(int(np.count_nonzero(chosen)), weights, rows.reading)


def read_as(ranked: RankedScores, weight_type: str | None) -> RankedScores:
    """The same groups, with their weights read as asked."""
    weight_type_of(None, weight_type)
    if weight_type in (None, ranked.origin.weight_type) or not ranked.origin.weighted:
        return ranked
    if weight_type == "frequency" and not ranked.exact:
        text = "frequency weights are whole numbers, and these groups hold sums of others"
        raise ArgumentError("weight_type", Sentence("{text}; leave {weight_type='frequency'} out", text=text))
    made = ranked.__class__.__new__(ranked.__class__)
    n_rows = int(ranked.n_rows_counted) if weight_type == "frequency" else ranked.origin.n_rows
    vars(made).update(vars(ranked), origin=replace(ranked.origin, weight_type=weight_type, n_rows=n_rows))
    return made


def answers_itself(data: object, question: str) -> Any:
    """The method of that name of data that were counted elsewhere, in a sketch; None of all others."""
    kind = type(data)
    return getattr(data, question) if hasattr(kind, "bracket") and hasattr(kind, question) else None


def known_groups(data: object) -> Any:
    """The groups of a sketch that knows every score, which stand for those of its rows; None of all else."""
    groups = answers_itself(data, "best")
    return groups() if groups is not None and getattr(data, "exact", False) else None


def one_weight_type(origins: list[Origin]) -> str | None:
    """Rows that are counted stay counted among frequencies; beside sampling weights they weigh as they are."""
    asked = {origin.weight_type for origin in origins if origin.weighted}
    return asked.pop() if len(asked) == 1 else "sampling" if asked else None
