"""Two models of a lazy table counted together, in one pass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.typed import typed
from rocsteady._src.ranked.lazy.columns import find_columns
from rocsteady._src.scale.paired_sketch import PairedSketch
from rocsteady._src.scale.sketch_table import TableRows
from rocsteady._src.scale.tally import PAIR, PairTally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.inputs.clean import Missing


@typed
def pair_table(
    table: object,
    *,
    label: str,
    score: Sequence[str],
    part: str,
    pos_label: Any = None,
    missing: Missing = "raise",
    bits: int = 20,
    range: tuple[float, float] | None = None,  # noqa: A002 - as Sketch calls it
    joint_bits: int = 8,
    n_rows: int | None = None,
) -> PairedSketch:
    """Count the rows of a table for two models together: the paired test from counts, in one pass.

    Parameters
    ----------
    table, label, pos_label, missing
        As in :func:`rocsteady.scale.rank_table`.
    score : two str
        Columns of the scores of both models.
    part : str
        What these rows are called, for a file that counts every part once.
    bits, range, joint_bits
        As in :class:`PairedSketch`.
    n_rows : int, optional
        How many rows to expect, for the progress bar alone.

    Examples
    --------
    >>> import polars as pl
    >>> import rocsteady as rs
    >>> table = pl.LazyFrame(rs.examples.loans(300))
    >>> how = {"label": "defaulted", "score": ["boosted", "logistic"], "range": (0, 1)}
    >>> rs.scale.pair_table(table, part="loans", **how).compare().estimate > 0
    True
    """
    if isinstance(score, str) or len(score) != 2:
        raise ArgumentError("score", f"two models are counted together: name two columns of scores, got {score!r}")
    columns = find_columns(table, label=label, scores=tuple(score)).counted()
    blank = PairedSketch(bits, range, joint_bits=joint_bits, names=(score[0], score[1]), part=part)
    tally = TableRows(columns, pos_label, missing, n_rows).count({PAIR: blank}, "counting", PairTally)
    found: PairedSketch = tally.groups[()][PAIR]
    return found.called(part)
