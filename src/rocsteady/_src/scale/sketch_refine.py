"""The second pass: the same rows again, in finer cells, until the bracket of the AUC is narrow enough."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, is_number
from rocsteady._src.base.progress import progress_bar
from rocsteady._src.base.text import format_count
from rocsteady._src.scale.sketch_plan import make_plan, rows_differ

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.scale.sketch import Sketch
    from rocsteady._src.scale.sketch_cells import Cells
    from rocsteady._src.scale.sketch_counts import Counts
    from rocsteady._src.scale.sketch_plan import Plan

CELLS = 1 << 24
WIDTH = 1e-9
WORTH_IT = 0.9  # of the undecided pairs: a pass that would leave more open is not made


def planned(cells: Cells, *, width: float, cells_held: int) -> Plan:
    """Finer cells for a bracket of the AUC no wider than ``width``, as far as ``cells_held`` of them can do it."""
    if not (is_number(width) and 0 <= width < float("inf")):
        raise ArgumentError("width", f"width must be a number >= 0, got {width!r}")
    if not cells_held > cells.first.size:
        text = f"cells must be above the {format_count(cells.first.size)} cells there are, got {cells_held!r}"
        raise ArgumentError("cells", text)
    pairs = float(cells.pos.sum()) * float(cells.neg.sum())
    return make_plan(cells, spare=width * pairs / 2, budget=cells_held)


def refined(sketch: Sketch, batches: Any, *, width: float, cells: int, passes: int) -> Sketch:
    """Pass after pass until the bracket is narrow enough, or cannot narrow much, or no rows are left to read."""
    again = _rereader(batches)
    for done in range(passes):
        finer = next_pass(sketch, done, width=width, cells=cells)
        rows = None if finer is None else again()
        if finer is None or rows is None:
            break
        sketch = sketch.accept(_filled(finer, rows, sketch, f"refine, pass {done + 1}"))
    sketch.width_asked = width
    return sketch


def next_pass(sketch: Sketch, done: int, *, width: float, cells: int) -> Sketch | None:
    """A blank sketch for the next pass, or None: the bracket is narrow enough, or would not narrow much."""
    area = sketch.auc()
    if not area.high - area.low > width or (done and sketch.cells.first.size >= cells):
        return None
    finer = sketch.finer(width=width, cells=cells)
    return finer if finer.plan is not None and finer.plan.left_open(sketch.cells) < WORTH_IT else None


def _rereader(batches: Any) -> Callable[[], Any]:
    """A function that gives the rows again, or None when they can be read no more."""
    if callable(batches):
        return lambda: iter(batches())
    if iter(batches) is not batches:
        return lambda: iter(batches)
    once = [batches]
    return lambda: once.pop() if once else None


def _filled(finer: Sketch, rows: Any, sketch: Sketch, what: str) -> Sketch:
    label = sketch.origin.pos_label
    named = {} if label is None or sketch.neg_label is not None else {"pos_label": label}
    missing: Missing = "drop" if sketch.origin.n_dropped else "raise"
    with progress_bar(what) as report:
        for batch in rows:
            y_true, y_score, *weight = batch
            found = {"sample_weight": weight[0]} if weight else {}
            finer.update(y_true, y_score, missing=missing, **found, **named)
            report(min(1.0, finer.n_rows / max(sketch.n_rows, 1)))
    return finer


def same_rows(cells: Cells, counts: Counts) -> None:
    """Refuse a second pass whose counts differ from those of the first."""
    if counts.plan is None or not np.array_equal(counts.plan.first, cells.first):
        raise ArgumentError("plan", "this sketch was not made by finer() of the other")
    pos, neg = counts.plan.totals(*counts.groups())
    wrong = np.flatnonzero((pos != cells.pos) | (neg != cells.neg))
    if wrong.size:
        first = wrong[0]
        before, after = (int(cells.pos[first]), int(cells.neg[first])), (int(pos[first]), int(neg[first]))
        raise rows_differ(
            f"the counts of {format_count(wrong.size)} cells differ, first (positives, "
            f"negatives) {before} then {after}; in all "
            f"{int(cells.pos.sum() + cells.neg.sum())} then {int(pos.sum() + neg.sum())}"
        )
