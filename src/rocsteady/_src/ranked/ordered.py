"""Ranked scores that keep their rows: for what depends on the order of tied rows, which groups do not know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.repeat_counts import repeat_by
from rocsteady._src.inputs import clean_rows
from rocsteady._src.ranked.grouping import descending_order
from rocsteady._src.ranked.scores import RankedScores, rank

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inputs import CleanRows
    from rocsteady._src.inputs.clean import Missing


class OrderedScores(RankedScores):
    """Groups as ever, and the rows they were made of."""

    rows: CleanRows

    @classmethod
    def keeping(cls, rows: CleanRows) -> OrderedScores:
        """Rank checked rows and keep them."""
        return cls.of(RankedScores.from_clean(rows), rows)

    @classmethod
    def of(cls, ranked: RankedScores, rows: CleanRows) -> OrderedScores:
        """The same groups with the rows that they were made of."""
        groups = cls.__new__(cls)
        vars(groups).update(vars(ranked), rows=rows)
        return groups

    def descending(self) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
        """Labels and groups of the rows from the highest score; tied rows as they came, whole weights as rows."""
        rows = np.arange(self.rows.positive.size)
        if self.rows.weights is not None:  # whole ones: others have been refused
            rows = repeat_by(rows, self.rows.weights)
        places = np.searchsorted(self.scores, self.rows.scores)[rows]
        order = descending_order(places)
        return self.rows.positive[rows[order]], places[order]


def rank_in_order(
    y_true: object,
    y_score: object = None,
    *,
    sample_weight: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> RankedScores:
    """Rank rows as :func:`rocsteady.rank` does, and keep them; what was ranked before stays as it is."""
    if isinstance(y_true, RankedScores) or y_score is None:
        return rank(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label, missing=missing)
    rows = clean_rows(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label, missing=missing)
    return OrderedScores.keeping(rows)
