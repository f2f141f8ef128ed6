"""Models compared by the share of rows that each has right: every pair, all at once, a verdict."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.inference.comparison.compared import chosen_pairs, compared
from rocsteady._src.inference.intervals.binomial import bounds_of
from rocsteady._src.inference.paired.cochran import cochran_test
from rocsteady._src.inference.paired.counts import PairedCounts
from rocsteady._src.inference.paired.mcnemar import outcome_test
from rocsteady._src.inference.units.subjects import rows_worth
from rocsteady._src.results import Interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inference.paired.mcnemar import Asked
    from rocsteady._src.results import Comparison
    from rocsteady._src.results.paired import OutcomeTest
    from rocsteady._src.results.remarks import Remark


@dataclass(frozen=True, slots=True, eq=False)
class RightAnswers:
    """Which rows each model has right, how often a row counts, and the number of its subject."""

    right: dict[str, NDArray[np.bool_]]
    weights: NDArray[Any] | None
    clusters: NDArray[np.int64] | None
    facts: dict[str, Any]

    def where(self, kept: NDArray[np.bool_]) -> RightAnswers:
        """Some of the rows; subjects are numbered anew."""
        weights, clusters = (None if each is None else each[kept] for each in (self.weights, self.clusters))
        if clusters is not None:
            clusters = ((np.bincount(clusters) > 0).cumsum() - 1)[clusters]
        return RightAnswers({name: mask[kept] for name, mask in self.right.items()}, weights, clusters, self.facts)

    @property
    def n_rows(self) -> int:
        """How many rows there are, as often as they count."""
        size = next(iter(self.right.values())).size
        return size if self.weights is None else int(self.weights.sum())

    def test(self, first: str, second: str, asked: Asked) -> OutcomeTest:
        """The test of two of the models."""
        counts = PairedCounts.of(self.right[first], self.right[second], self.weights, self.clusters)
        return outcome_test(counts, asked, **self.facts)

    def share(self, model: str, level: float) -> Interval:
        """The share that a model has right, with Wilson's interval of as many rows as are worth the same."""
        right = self.right[model]
        held = np.ones(right.size) if self.weights is None else self.weights.astype(np.float64)
        hits, total = float(held @ right), float(held.sum())
        worth, method = total, "wilson"
        if self.clusters is not None:
            counted = [np.bincount(self.clusters, each).astype(np.float64) for each in (held * right, held)]
            worth, method = float(rows_worth(counted[0], counted[1], total)), "wilson, by cluster"
        share = hits / total if total else math.nan
        low, high = (float(end) for end in bounds_of(np.asarray(share * worth), np.asarray(worth), level, "wilson"))
        se = math.sqrt(share * (1 - share) / worth) if total else math.nan
        return Interval(share, low, high, level, method, se=se, **self.facts)

    def compare(self, what: str, baseline: str | None, asked: Asked, remarks: tuple[Remark, ...] = ()) -> Comparison:
        """All pairs, or each model and the baseline; of three models or more Cochran's Q says whether all are alike."""
        names = tuple(self.right)
        tests = [self.test(names[i], names[j], asked) for i, j in chosen_pairs(names, baseline)]
        all_alike = None
        if len(names) > 2:
            all_alike = cochran_test(list(self.right.values()), self.weights, self.clusters, **self.facts)
        return compared(
            names,
            tests,
            {name: self.share(name, asked.level) for name in names},
            what=what,
            baseline=baseline,
            level=asked.level,
            facts={"n_pos": None, "n_neg": None, **self.facts},
            omnibus=all_alike,
            clustered=self.clusters is not None,
            remarks=remarks,
            n_rows=self.n_rows,
            widest=1.0,
        )
