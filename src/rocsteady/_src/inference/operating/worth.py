"""How many independent rows a class is worth at a threshold, where rows share subjects, people, or weigh unlike.

A row may belong to one subject, or to two people, as a comparison of two faces does. Rows that share a person, on
either side, vary together: the variance of a share sums the products over all pairs of rows that share one. That is the
sum of squares over people, less that over pairs of people, whose rows were added up under both. A share is then worth
as many independent rows as would give it this variance: never more than there are rows, and where it is 0 or 1 and has
none, as many as have no subject in common.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError
from rocsteady._src.base.text import format_count
from rocsteady._src.inference.units.subjects import rows_worth, subject_cells
from rocsteady._src.inference.units.units import as_for_rows
from rocsteady._src.measures.reaches_threshold import first_reached
from rocsteady._src.ranked import numbered

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked import Rows

    Ids = NDArray[np.int64]

CELLS = {"tp": 0, "fp": 1, "fn": 2, "tn": 3}


@dataclass(frozen=True, slots=True, eq=False)
class People:
    """The two people of each row, numbered alike on both sides, and the number of each pair whatever its order."""

    first: Ids
    second: Ids
    pair: Ids
    n: int

    @classmethod
    def of(cls, first: Any, second: Any) -> People:
        """Number the people of two columns."""
        columns = [np.asarray(each) for each in (first, second)]
        names, numbers = numbered(np.concatenate(columns))
        one, two = numbers[: columns[0].size], numbers[columns[0].size :]
        _, pair = numbered(np.minimum(one, two) * len(names) + np.maximum(one, two))
        return cls(one, two, pair, len(names))

    def worth(self, hits: NDArray[np.bool_], among: NDArray[np.bool_]) -> float:
        """Independent rows that would tell the share of hits among some rows as surely."""
        n_rows = int(np.count_nonzero(among))
        share = np.count_nonzero(hits & among) / n_rows
        held = np.bincount(np.concatenate([self.first[among], self.second[among]]), minlength=self.n) > 0
        n_people, alone = int(held.sum()), self.first == self.second
        if share in (0, 1):
            each = 1 if (alone | ~among).all() else 2
            return min(float(n_rows), n_people / each)
        off = np.where(among, hits - share, 0.0) / n_rows
        squares = self._squares(off, alone)
        variance = as_for_rows(n_people, n_rows) * squares
        return float(n_rows) if variance <= 0 else min(float(n_rows), share * (1 - share) / variance)

    def _squares(self, off: NDArray[np.float64], alone: NDArray[np.bool_]) -> float:
        """Products of all rows that share a person: by person, less by pair, where both of a pair counted them."""
        by_person = np.bincount(self.first, off, self.n) + np.bincount(self.second, np.where(alone, 0.0, off), self.n)
        by_pair = np.bincount(self.pair, np.where(alone, 0.0, off))
        return float(by_person @ by_person - by_pair @ by_pair)


def worth_by_class(rows: Rows, threshold: Any, people: People | None) -> tuple[float, float]:
    """Independent rows that the negatives and the positives are worth at a threshold."""
    if people is not None:
        called = rows.places[0] >= int(first_reached(rows.ranked[0].scores, threshold))
        return people.worth(called, ~rows.positive), people.worth(called, rows.positive)
    _, subjects = subject_cells(rows.by_row(), threshold)
    assert subjects is not None  # noqa: S101 - rows by row have subjects
    found = []
    for hits, missed in (("fp", "tn"), ("tp", "fn")):
        columns = [CELLS[hits], CELLS[missed]]
        counted, total = subjects.cells[:, columns[0]], subjects.cells[:, columns].sum(axis=1)
        worth = float(rows_worth(counted, total, float(subjects.n_rows[columns].sum())))
        found.append(1.0 if np.isnan(worth) else worth)
    return found[0], found[1]


def two_ids(cluster: object) -> tuple[Any, Any] | None:
    """Two columns of ids, where a pair of columns or a table of two was given; None for one column."""
    if hasattr(cluster, "columns"):
        cluster = np.asarray(cluster)
    if isinstance(cluster, np.ndarray) and cluster.ndim == 2 and cluster.shape[1] == 2:
        cluster = cluster[:, 0], cluster[:, 1]
    if not (isinstance(cluster, (tuple, list)) and len(cluster) == 2 and all(map(_is_column, cluster))):
        return None
    first, second = cluster
    if len(first) != len(second):
        told = f"cluster has {format_count(len(first))} first ids and {format_count(len(second))} second ones"
        raise InputError("lengths_differ", f"{told}: pass two ids per row")
    return first, second


def _is_column(values: object) -> bool:
    return isinstance(values, (list, tuple)) or getattr(values, "ndim", 0) == 1
