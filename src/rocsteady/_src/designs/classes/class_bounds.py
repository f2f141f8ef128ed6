"""Limits of measures of each class that are shares of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.inference.intervals.binomial import bounds_of
from rocsteady._src.inference.intervals.proportions import proportion_bounds
from rocsteady._src.inference.intervals.shares import PROPORTIONS
from rocsteady._src.inference.units.subjects import CELLS, SubjectCells

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.designs.classes.predictions import CalledRows
    from rocsteady._src.inference.intervals.shares import Share
    from rocsteady._src.measures import Confusion

    Array = NDArray[Any]
    Bounds = tuple[Array, Array]


def class_bounds(called: CalledRows, names: Sequence[str], counts: Confusion, level: float) -> dict[str, Bounds]:
    """Wilson's limits of each class, where a measure is itself a share of rows; of as many as the units are worth."""
    shares = {name: PROPORTIONS[name] for name in names if name in PROPORTIONS and PROPORTIONS[name].ends is None}
    if called.rows.clusters is None and called.rows.reading != "sampling":
        return {name: _of_rows(share, counts, level) for name, share in shares.items()}
    units = [_cells_of_class(called, place) for place in range(called.rows.n_classes)]
    return {name: _of_units(share, units, level) for name, share in shares.items()}


def _of_rows(share: Share, counts: Confusion, level: float) -> Bounds:
    hits, among = (sum(getattr(counts, cell) for cell in cells) for cells in (share.hits, share.among))
    return proportion_bounds(hits, among, level)


def _of_units(share: Share, units: list[SubjectCells], level: float) -> Bounds:
    """Subjects, or rows of a sampling weight, are the independent units; NaN where only one has such rows."""
    hits, worth = np.array([each.share(share.hits, share.among) for each in units]).reshape(-1, 2).T
    known = np.isfinite(worth)
    low, high = bounds_of(np.where(known, hits, 0.0), np.where(known, worth, 0.0), level, "wilson")
    return low, high


def _cells_of_class(called: CalledRows, place: int) -> SubjectCells:
    rows = called.rows
    own, here = rows.codes == place, called.called == place
    cell = np.where(own, np.where(here, 0, 2), np.where(here, 1, 3))
    unit = np.arange(rows.n_rows) if rows.clusters is None else rows.clusters
    n_units = int(unit.max(initial=-1)) + 1
    weights = None if rows.weights is None else rows.weights.astype(np.float64)
    cells = np.bincount(len(CELLS) * unit + cell, weights, len(CELLS) * n_units).reshape(-1, len(CELLS))
    n_rows = cells.sum(axis=0) if rows.reading == "frequency" else np.bincount(cell, minlength=len(CELLS))
    return SubjectCells(cells.astype(np.float64), n_rows.astype(np.float64))
