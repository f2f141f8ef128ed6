"""Sketches of a lazy table, in bounded memory however many distinct scores it has."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.progress import progress_bar
from rocsteady._src.base.typed import typed
from rocsteady._src.ranked.lazy.columns import find_columns
from rocsteady._src.ranked.lazy.labels import MINUS_ONE, NEGATIVE, label_code, positive_codes, taken_as_positive
from rocsteady._src.ranked.lazy.refusals import refuse_gaps
from rocsteady._src.scale.sketch import CAPACITY, Sketch
from rocsteady._src.scale.sketch_refine import CELLS, next_pass
from rocsteady._src.scale.streams import pour
from rocsteady._src.scale.tally import CODE, WEIGHT, BatchForm, Tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.ranked.lazy.columns import LazyColumns


@typed
def sketch_table(
    table: object,
    *,
    label: str,
    score: str | Sequence[str],
    weight: str | None = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    bits: int = 20,
    range: tuple[float, float] | None = None,  # noqa: A002 - as Sketch calls it
    capacity: int = CAPACITY,
    width: float | None = None,
    cells: int = CELLS,
    passes: int = 8,
    n_rows: int | None = None,
    by: str | Sequence[str] | None = None,
) -> Sketch | dict[Any, Any]:
    """Count the rows of a table in sketches, one per model, whose memory does not grow with the rows.

    Rows of DuckDB, Polars and Ibis stream by in batches; partitions of Dask and Spark are counted where they lie, and
    only their sketches travel. One pass, and more where ``width`` asks for a narrower bracket.

    Parameters
    ----------
    table, label, score, weight, pos_label, missing
        As in :func:`rocsteady.scale.rank_table`; weights must be whole numbers.
    bits, range, capacity
        As in :class:`Sketch`.
    width : float, optional
        Pass over the table again until high - low of every AUC is at most this, as :meth:`Sketch.refine` does.
    cells, passes
        Most cells of a refined sketch, and most passes after the first.
    n_rows : int, optional
        How many rows to expect, for the progress bar alone.
    by : str or list of str, optional
        Columns that split the rows, such as a day and a segment: each group has sketches of its own, 16 * 2**bits
        bytes each once it has more than ``capacity`` distinct scores.

    Returns
    -------
    Sketch or dict
        By model where ``score`` is a list; by value of ``by``, where given, outside of that: text, or a tuple of text
        where ``by`` is a list. A date is written as 2026-11-17, so that all engines name a group alike.

    Examples
    --------
    >>> import polars as pl
    >>> import rocsteady as rs
    >>> table = pl.LazyFrame({"y": [1, 0, 1, 0], "a": [0.8, 0.3, 0.3, 0.1]})
    >>> print(rs.scale.sketch_table(table, label="y", score="a").auc())
    0.875 (exact)
    """
    models = (score,) if isinstance(score, str) else tuple(score)
    if not models:
        raise ArgumentError("no_scores", "name at least one score column")
    if missing not in ("raise", "drop"):
        raise ArgumentError("missing_policy", f"missing must be 'raise' or 'drop', got {missing!r}")
    if not passes >= 0 or not cells >= 1:
        raise ArgumentError("passes", f"passes must be 0 or more and cells 1 or more, got {passes!r} and {cells!r}")
    grouped = () if by is None else (by,) if isinstance(by, str) else tuple(by)
    if grouped and width is not None:
        raise ArgumentError("width", "groups are counted in one pass, and width asks for more; leave out width or by")
    columns = find_columns(table, label=label, scores=models, weight=weight, by=grouped).counted()
    rows = TableRows(columns, pos_label, missing, n_rows)
    tally = rows.count({model: Sketch(bits, range, capacity=capacity) for model in models}, "counting")
    if by is not None:
        return {
            group[0] if isinstance(by, str) else group: found[score] if isinstance(score, str) else found
            for group, found in sorted(tally.groups.items())
        }
    found = tally.groups[()]
    if width is not None:
        found = _narrowed(rows, found, width=width, cells=cells, passes=passes)
    return found[score] if isinstance(score, str) else found


@dataclass(frozen=True, slots=True)
class TableRows:
    """Rows that can be counted as often as needed."""

    columns: LazyColumns
    pos_label: Any
    missing: Missing
    n_rows: int | None

    def count(self, blanks: dict[str, Any], what: str) -> Tally:
        """Fill sketches with all rows; what cannot be read is refused with the counts of the engine."""
        columns = self.columns
        form = BatchForm(columns.scores, columns.weight, taken_as_positive(columns, self.pos_label), columns.by)
        tally = Tally(form, blanks)
        with progress_bar(what) as report:

            def goes_on() -> bool:
                if self.n_rows:
                    report(min(1.0, tally.n_rows / self.n_rows))
                return not (tally.n_incomplete and self.missing == "raise")

            pour(self._selected(form), tally, goes_on)
        if tally.n_incomplete and self.missing == "raise":
            refuse_gaps(columns, self.pos_label)
        if tally.n_ungrouped:
            refuse_gaps(columns, self.pos_label, only=columns.by)
        positive_codes(columns, np.array(sorted(tally.codes), dtype=np.int64), self.pos_label)
        if self.pos_label is None:
            negative = next((code for code in (NEGATIVE, MINUS_ONE) if code in tally.codes), None)
            for sketch in chain.from_iterable(found.values() for found in tally.groups.values()):
                sketch.name_negative(negative)
        return tally

    def _selected(self, form: BatchForm) -> Any:
        import narwhals as nw

        wanted = {CODE: label_code(self.columns, self.pos_label)}
        wanted |= {form.column(model): nw.col(model) for model in form.models}
        if self.columns.weight is not None:
            wanted[WEIGHT] = nw.col(self.columns.weight)
        wanted |= {column: nw.col(name) for column, name in form.group_columns.items()}
        return self.columns.frame.select(**wanted)


def _narrowed(rows: TableRows, found: dict[str, Sketch], *, width: float, cells: int, passes: int) -> dict[str, Sketch]:
    """Pass after pass, each for all models whose bracket is still too wide and can narrow."""
    for done in np.arange(passes):
        planned = {model: next_pass(sketch, int(done), width=width, cells=cells) for model, sketch in found.items()}
        finer = {model: sketch for model, sketch in planned.items() if sketch is not None}
        if not finer:
            break
        filled = rows.count(finer, f"refining, pass {done + 1}").groups[()]
        found = found | {model: found[model].accept(sketch) for model, sketch in filled.items()}
    for sketch in found.values():
        sketch.width_asked = width
    return found
