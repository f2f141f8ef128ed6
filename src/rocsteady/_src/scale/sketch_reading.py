"""What can be read from the cells of a sketch: every answer is a bracket that holds the exact value."""

from __future__ import annotations

import math
import threading
from typing import TYPE_CHECKING, Any, Literal

from rocsteady._src.base.errors import Undefined
from rocsteady._src.ranked import descending_order
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.remarks import Remark, undefined_because
from rocsteady._src.results.scale import Bracket
from rocsteady._src.scale.sketch_agree import alone, rounded

if TYPE_CHECKING:
    from rocsteady._src.ranked import RankedScores
    from rocsteady._src.results import Interval, Origin
    from rocsteady._src.results.guarantee import ThresholdGuarantee
    from rocsteady._src.results.operating import OperatingPoint
    from rocsteady._src.results.predictive import PredictiveValues
    from rocsteady._src.results.scale import BracketedEvaluation, BracketedPr, BracketedRoc
    from rocsteady._src.scale.sketch_cells import Cells


WIDE = 2e-3  # of a bracket of the AUC that is worth a word
FEW_CELLS = 30


class Reading:
    """Answers from counted cells. The cells, and where they come from, are those of the class below this one."""

    width_asked: float | None

    @property
    def cells(self) -> Cells:
        """Intervals of scores with their counts."""
        raise NotImplementedError

    @property
    def origin(self) -> Origin:
        """Positive label, rows counted and dropped."""
        raise NotImplementedError

    @property
    def n_outside(self) -> int:
        """Rows outside the range, as far as they were counted by bucket."""
        raise NotImplementedError

    @property
    def n_pos(self) -> int:
        """Positives counted, with their weights."""
        return int(self.cells.pos.sum())

    @property
    def n_neg(self) -> int:
        """Negatives counted, with their weights."""
        return int(self.cells.neg.sum())

    @property
    def exact(self) -> bool:
        """Whether every score is known, so that every answer is exact."""
        return bool(self.cells.known.all())

    def pairs_twice(self) -> tuple[Any, Any, Any]:
        """Twice the pairs won at the least, twice those won at the most, and twice all pairs."""
        return self.cells.pairs_twice()

    def average_precision_bounds(self) -> tuple[float, float]:
        """Least and greatest average precision of the cells."""
        from rocsteady._src.scale.brackets import average_precision_bounds

        return average_precision_bounds(self.cells)

    @alone
    def auc(self) -> Bracket:
        """AUC between two bounds that hold; they differ by the share of pairs that stand in the same cell.

        The half-width is half the sum of p_b n_b over P N, for p_b positives and n_b negatives in cell b. The
        estimate counts these pairs one half.

        Examples
        --------
        >>> from rocsteady.scale import Sketch
        >>> low, high = Sketch(bits=4, range=(0, 1), capacity=0).update([1, 0, 0], [0.72, 0.71, 0.1]).auc()
        >>> round(low, 9), round(high, 9)
        (0.5, 1.0)
        """
        least, most, pairs = self.pairs_twice()
        if not pairs:
            return self.bracket("auc", *[Undefined("single_class" if self.origin.n_rows else "empty")] * 3)
        low, high = rounded(least, pairs, -math.inf), rounded(most, pairs, math.inf)
        if least == most:
            low = high = least / pairs
        return self.bracket("auc", low, (least + most) / (2 * pairs), high)

    @alone
    def auc_interval(
        self, *, method: Literal["auto", "logit", "wilson", "delong", "newcombe"] = "auto", level: float = 0.95
    ) -> Interval:
        """How sure the AUC is about other rows, as :func:`rocsteady.auc_interval` of the rows.

        While the sketch is exact it is that interval. Else it contains it: its ends reach as far as those of the rows
        may, wherever in their cells the rows stand.

        Examples
        --------
        >>> import numpy as np
        >>> import rocsteady as rs
        >>> rng = np.random.default_rng(1)
        >>> y = rng.random(5000) < 0.3
        >>> s = y + rng.normal(size=5000)
        >>> outer = rs.scale.Sketch(range=(-6, 7), capacity=0).update(y, s).auc_interval()
        >>> inner = rs.auc_interval(y, s)
        >>> outer.low <= inner.low < inner.high <= outer.high, outer.high - outer.low < inner.high - inner.low + 1e-4
        (True, True)
        """
        from rocsteady._src.scale.sketch_intervals import sketched_interval

        return sketched_interval(self, method, level)

    @alone
    def measure_interval(self, name: str, *, level: float = 0.95, **params: Any) -> Interval:
        """How sure a measure is about other rows.

        At a threshold, as :func:`rocsteady.inference.measure_interval` of the rows: while the sketch is exact, or the
        threshold parts two cells, it is that interval. Else it contains it: its ends reach as far as those of the rows
        may, whichever rows of the threshold's own cell are called positive. Other measures have percentiles of a
        Poisson bootstrap of the counts, whose ends reach as far as those of the rows may.

        Examples
        --------
        >>> import numpy as np
        >>> from rocsteady.scale import Sketch
        >>> y, s = np.repeat([0, 1], [900, 100]), np.linspace(0, 1, 1000)
        >>> coarse = Sketch(bits=6, range=(0, 1), capacity=0).update(y, s)
        >>> print(coarse.measure_interval("precision", threshold=0.5))
        0.2000 [0.1673, 0.2373] (0.95 level, wilson)
        >>> print(coarse.measure_interval("precision", threshold=0.51))
        0.2033 [0.1673, 0.2449] (0.95 level, wilson, sketch bracket)
        """
        from rocsteady._src.scale.sketch_intervals import sketched_measure_interval

        return sketched_measure_interval(self, name, level, params)

    def bracket(self, measure: str, low: float, estimate: float, high: float) -> Bracket:
        """A result of this sketch."""
        exact = bool(self.exact or low == high)
        outside = self.n_outside
        told = (Remark("outside_range", n=outside, total=self.origin.n_rows),) if outside else ()
        undefined = (undefined_because(low),) if isinstance(low, Undefined) else ()
        return Bracket(
            estimate=estimate,
            low=low,
            high=high,
            level=1.0,
            method="exact counts" if exact else "sketch bracket",
            **facts_of(self),
            warnings=undefined + told + self._unmet() + (self._crowded(low, high) if measure == "auc" else ()),
            measure=measure,
            exact=exact,
        )

    def _crowded(self, low: float, high: float) -> tuple[Remark, ...]:
        """Equal steps of a range leave many pairs open where half of the rows stand in few of them."""
        span = None if getattr(self, "plan", None) is not None else getattr(self, "range", None)
        if span is None or not high - low > WIDE:
            return ()
        rows = self.cells.pos + self.cells.neg
        fullest = rows[descending_order(rows)].cumsum()
        most = int(fullest.searchsorted(fullest[-1] / 2)) + 1
        return (Remark("crowded_cells", width=high - low, cells=most),) if most <= FEW_CELLS else ()

    def _unmet(self) -> tuple[Remark, ...]:
        """Passes were asked to narrow the AUC, and did not get as far."""
        least, most, pairs = self.pairs_twice()
        wide = (most - least) / pairs if pairs else 0.0
        if self.width_asked is None or not wide > self.width_asked:
            return ()
        return (Remark("width_not_met", width=wide, asked=self.width_asked),)

    @alone
    def best(self) -> RankedScores:
        """Groups as good as the counts allow: in each cell positives at its highest score, negatives at its lowest."""
        return self.cells.ordered(self.origin, best=True)

    @alone
    def worst(self) -> RankedScores:
        """Groups as bad as the counts allow: in each cell negatives at its highest score, positives at its lowest."""
        return self.cells.ordered(self.origin, best=False)

    @alone
    def measure(self, name: str, **params: Any) -> Bracket:
        """Any rank or threshold measure, by its registered name, between two bounds that hold.

        Examples
        --------
        >>> from rocsteady.scale import Sketch
        >>> print(Sketch().update([1, 1, 0, 0], [0.9, 0.4, 0.4, 0.1]).measure("ks_statistic"))
        0.5 (exact)
        """
        from rocsteady._src.scale.brackets import bracketed_measure

        return bracketed_measure(self, name, **params)

    @alone
    def threshold_guarantee(
        self, rate: str, *, at_most: float | None = None, at_least: float | None = None, confidence: float = 0.95
    ) -> ThresholdGuarantee:
        """A threshold that keeps a promise on new rows, as :func:`rocsteady.threshold_guarantee` of the rows.

        While the sketch is exact it is that of the rows. Else ``threshold`` is the safe end of ``bracket``, between
        whose ends that of the rows lies; for precision and FDR, whose tests go by cells, there is no other end.

        Examples
        --------
        >>> import numpy as np
        >>> from rocsteady.scale import Sketch
        >>> y, s = np.repeat([0, 1], [900, 100]), np.linspace(0, 1, 1000)
        >>> coarse = Sketch(bits=6, range=(0, 1), capacity=0).update(y, s)
        >>> found = coarse.threshold_guarantee("fpr", at_most=0.05)
        >>> found.bracket[0] <= found.threshold == found.bracket[1]
        True
        """
        from rocsteady._src.scale.sketch_operating import sketched_guarantee

        return sketched_guarantee(self, rate, at_most, at_least, confidence)

    @alone
    def operating_point(
        self,
        *,
        fpr: float | None = None,
        tpr: float | None = None,
        precision: float | None = None,
        equal_error: bool = False,
        level: float = 0.95,
        method: Literal["auto", "mid-p", "exact"] = "auto",
    ) -> OperatingPoint:
        """The threshold that holds one rate and the other rate there, as :func:`rocsteady.operating_point`.

        While the sketch is exact it is that of the rows. Else the threshold holds the rate whatever the rows in its
        cell are, and the ends of the interval reach as far as those of the rows may.
        """
        from rocsteady._src.inference.operating.point import asked_rate
        from rocsteady._src.scale.sketch_operating import sketched_point

        return sketched_point(self, asked_rate(fpr, tpr, precision, equal_error), level, method)

    @alone
    def predictive_values(
        self,
        *,
        prevalence: float,
        threshold: float,
        cost_fp: float | None = None,
        cost_fn: float | None = None,
        level: float = 0.95,
    ) -> PredictiveValues:
        """Predictive values where another share is positive, as :func:`rocsteady.predictive_values` of the rows.

        While the sketch is exact, or the threshold parts two cells, they are those of the rows. Else the ends reach
        as far as those of the rows may, and an estimate is the middle of the two that its cell allows.

        Examples
        --------
        >>> from rocsteady.scale import Sketch
        >>> found = Sketch().update([1, 1, 0, 0, 0], [0.9, 0.4, 0.4, 0.2, 0.1]).predictive_values(
        ...     prevalence=0.5, threshold=0.4
        ... )
        >>> round(found.ppv.estimate, 3)
        0.75
        """
        from rocsteady._src.scale.sketch_operating import sketched_values

        return sketched_values(self, threshold, prevalence=prevalence, cost_fp=cost_fp, cost_fn=cost_fn, level=level)

    @alone
    def roc_curve(self) -> BracketedRoc:
        """The ROC curve between two curves."""
        from rocsteady._src.scale.brackets import bracketed_roc

        return bracketed_roc(self)

    @alone
    def pr_curve(self) -> BracketedPr:
        """Limits of the precision at every recall."""
        from rocsteady._src.scale.brackets import bracketed_pr

        return bracketed_pr(self)

    @alone
    def evaluate(self, measures: Any = None, *, name: str = "model") -> BracketedEvaluation:
        """Several measures, each with its bracket; see :func:`rocsteady.scale.evaluate_sketches`."""
        from rocsteady._src.scale.evaluate_sketches import evaluate_sketches

        return evaluate_sketches({name: self}, measures=measures)


class FixedReading(Reading):
    """Cells as they are handed over, such as those of a sketch at one time, or with other counts."""

    def __init__(self, cells: Cells, origin: Origin, n_outside: int = 0, *, width_asked: float | None = None) -> None:
        self._lock = threading.RLock()
        self._cells, self._origin, self.width_asked, self._outside = cells, origin, width_asked, n_outside

    @property
    def cells(self) -> Cells:
        return self._cells

    @property
    def origin(self) -> Origin:
        return self._origin

    @property
    def n_outside(self) -> int:
        return self._outside
