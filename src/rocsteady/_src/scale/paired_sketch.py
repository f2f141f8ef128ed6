"""Two models on the same rows, counted together: the paired test from counts, between ends that hold.

Both models have a sketch of their own, which brackets its AUC. What ties them together is counted in joint cells, a row
and a column of coarse buckets: DeLong's standard error of the difference is the length of the differences of placements
about their means, scaled. In a joint cell each difference lies within half of both cells' shares from its middle, and
centring makes nothing longer. So, by the triangle inequality, the error of the rows lies no farther from that of the
middles than the length of these halves.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, refuse_one_class
from rocsteady._src.base.text import format_count
from rocsteady._src.inference.comparison.hypotheses import check_alternative
from rocsteady._src.inference.intervals.normal import check_level
from rocsteady._src.inputs import clean_rows
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.remarks import Remark
from rocsteady._src.scale.sketch import Sketch
from rocsteady._src.scale.sketch_intervals import judged_ends
from rocsteady._src.scale.sketch_keys import Grid, checked_bits, kind_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.results import TestResult

    Counts = NDArray[np.int64]

MOST_JOINT_BITS = 12
ROUNDING = 1e-12


class PairedSketch:
    """Counts of two models on the same rows, in memory that does not grow with them; parts merge in any order.

    Parameters
    ----------
    bits, range : as in :class:`Sketch`
        Buckets of either model by itself. A range makes the joint cells equal steps too, which tells far more.
    joint_bits : int
        Joint cells are 2**joint_bits by 2**joint_bits for each class, of 8 bytes.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(1)
    >>> y = rng.random(4000) < 0.3
    >>> a = y + rng.normal(size=4000)
    >>> b = a + 0.5 * rng.normal(size=4000)
    >>> found = rs.scale.PairedSketch(range=(-6, 7), joint_bits=9).update(y, a, b).compare()
    >>> rows = rs.compare_auc(y, a, b, method="delong-t")
    >>> found.low <= rows.low < rows.high <= found.high, found.high - found.low < 1.1 * (rows.high - rows.low)
    (True, True)
    """

    def __init__(
        self,
        bits: int = 20,
        range: tuple[float, float] | None = None,  # noqa: A002 - as Sketch calls it
        *,
        joint_bits: int = 8,
    ) -> None:
        if checked_bits(joint_bits) > min(MOST_JOINT_BITS, bits):
            text = f"joint_bits must be at most {MOST_JOINT_BITS} and no more than bits, got {joint_bits}"
            raise ArgumentError("joint_bits", text)
        self.first, self.second = (Sketch(bits, range, dtype="float64") for _ in "ab")
        self._grid = Grid(joint_bits, self.first.range)
        self._joint: Counts = np.zeros((2, self._grid.size, self._grid.size), dtype=np.int64)

    def update(self, y_true: object, first: object, second: object, *, pos_label: Any = None) -> PairedSketch:
        """Count rows of both models, all or none; returns the sketch itself. Missing values are refused."""
        rows = [clean_rows(y_true, scores, pos_label=pos_label) for scores in (first, second)]
        if rows[0].scores.size != rows[1].scores.size:
            sizes = " and ".join(format_count(each.scores.size) for each in rows)
            raise InputError("length", f"both models score the same rows, got {sizes} scores")
        places = [self._grid.buckets(kind_of(each.scores, "float64")[0]) for each in rows]
        for sketch, each in zip((self.first, self.second), rows, strict=True):
            sketch.take(each)
        np.add.at(self._joint, (rows[0].positive.astype(np.int64), *places), 1)
        return self

    def merge(self, *others: PairedSketch) -> PairedSketch:
        """A new sketch of the rows of all."""
        made = PairedSketch(self.first.bits, self.first.range, joint_bits=self._grid.bits)
        for part in (self, *others):
            if part._grid != self._grid:  # noqa: SLF001 - its own
                raise ArgumentError("merge_settings", "the parts differ in their joint cells; make all of them alike")
            made.first.absorb(part.first)
            made.second.absorb(part.second)
            made._joint += part._joint  # noqa: SLF001 - its own
        return made

    def compare(
        self, *, alternative: Literal["two-sided", "greater", "less"] = "two-sided", level: float = 0.95
    ) -> TestResult:
        """Test the difference of the AUCs, first minus second, as ``compare_auc(..., method="delong-t")`` of the rows.

        The interval contains that of the rows, and ``pvalue`` is the largest that they may have.
        """
        check_alternative(alternative, None)
        check_level(level)
        sizes = float(self.first.n_pos), float(self.first.n_neg)
        refuse_one_class(*sizes, "a comparison needs")
        if min(sizes) < 2:
            raise InputError("few_rows", "a comparison needs two rows of each class")
        one, two = self.first.auc(), self.second.auc()
        error, off = self._error(sizes)
        facts: dict[str, Any] = {"method": "delong-t, paired", "remarks": (Remark("interval_bracket"),)}
        return judged_ends(
            (one.low - two.high, one.estimate - two.estimate, one.high - two.low),
            (max(error - off, 0.0), error + off),
            min(sizes) - 1,
            alternative,
            level,
            exact=False,
            **facts,
            **facts_of(self.first),
        )

    def _error(self, sizes: tuple[float, float]) -> tuple[float, float]:
        """The standard error of the middles, and how far that of the rows may lie from it."""
        squares = halves = 0.0
        for own, n_own, n_other in ((1, *sizes), (0, *sizes[::-1])):
            counts, other = self._joint[own].astype(np.float64), self._joint[1 - own].astype(np.float64)
            shares = [other.sum(axis=axis) / n_other for axis in (1, 0)]
            middles = [np.cumsum(share) - share / 2 for share in shares]
            gaps = middles[0][:, None] - middles[1][None, :]
            mean = float((counts * gaps).sum()) / n_own
            scale = n_own * (n_own - 1)
            squares += float((counts * (gaps - mean) ** 2).sum()) / scale
            halves += float((counts * ((shares[0][:, None] + shares[1][None, :]) / 2) ** 2).sum()) / scale
        error = math.sqrt(squares)
        return error, math.sqrt(halves) + ROUNDING * (1 + error)

    def __repr__(self) -> str:
        return f"PairedSketch({format_count(self.first.n_rows)} rows of two models)"
