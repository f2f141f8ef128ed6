"""Sketch: counts of scores in bounded memory that merge in any order, and brackets that hold the exact value."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.atomic import named_file
from rocsteady._src.base.errors import ArgumentError, InputError, printable
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.inputs import clean_rows
from rocsteady._src.results import Origin
from rocsteady._src.scale.sketch_agree import (
    agreed_label,
    agreed_negative,
    alone,
    both_alone,
    check_alike,
    check_kind,
    check_total,
)
from rocsteady._src.scale.sketch_bytes import MOST_EXPANDED
from rocsteady._src.scale.sketch_cells import Cells
from rocsteady._src.scale.sketch_check import whole
from rocsteady._src.scale.sketch_counts import Counts
from rocsteady._src.scale.sketch_keys import Grid, kind_of
from rocsteady._src.scale.sketch_moves import Moves
from rocsteady._src.scale.sketch_reading import Reading
from rocsteady._src.scale.sketch_refine import CELLS, WIDTH, planned, refined, same_rows
from rocsteady._src.scale.sketch_stored import Stored

if TYPE_CHECKING:
    from os import PathLike

    from rocsteady._src.inputs.clean import CleanRows, Missing
    from rocsteady._src.scale.sketch_keys import Kind
    from rocsteady._src.scale.sketch_plan import Plan

CAPACITY = 1 << 16


class Sketch(Moves, Stored, Reading):
    """Counts of positives and negatives by score, in memory that does not grow with the rows.

    Up to ``capacity`` distinct scores are counted one by one, and every answer is exact. Beyond that, scores are
    counted in buckets of neighbours, and every answer is a bracket that contains the exact value. Parts of the data
    may be counted anywhere and merged in any order or grouping: the result is the same, to the byte.

    Parameters
    ----------
    bits : int
        There are 2**bits buckets, 4 <= bits <= 24; they take 16 bytes each.
    range : (float, float), optional
        Where the scores lie, such as (0, 1) for probabilities: the buckets are equal steps of it. Scores outside go
        to two outer buckets and are counted in ``n_outside``. Without it a bucket is a sign, an exponent and the
        leading digits of a float.
    capacity : int
        How many distinct scores are counted one by one.
    dtype : {"float64", "int64"}, optional
        What the scores are; by default that of the first rows. With "float64" integers up to 2**53 are taken too.

    Examples
    --------
    >>> import numpy as np
    >>> from rocsteady.scale import Sketch
    >>> few = Sketch().update([1, 1, 0, 0], [0.9, 0.4, 0.4, 0.1])
    >>> print(few.auc())
    0.875 (exact)
    >>> rng = np.random.default_rng(1)
    >>> y = rng.random(200_000) < 0.3
    >>> parts = [Sketch().update(y[part::2], (y + rng.normal(size=y.size))[part::2]) for part in (0, 1)]
    >>> area = parts[0].merge(parts[1]).auc()
    >>> area.exact, area.half_width < 1e-3
    (False, True)
    """

    def __init__(
        self,
        bits: int = 20,
        range: tuple[float, float] | None = None,  # noqa: A002 - as in numpy.histogram
        *,
        capacity: int = CAPACITY,
        dtype: Kind | None = None,
    ) -> None:
        if not whole(capacity, 0, 2**31):
            raise ArgumentError("capacity", f"capacity must be a whole number from 0 to 2**31, got {capacity!r}")
        if dtype not in (None, "float64", "int64"):
            raise ArgumentError("dtype", f"dtype is 'float64' or 'int64', got {dtype!r}")
        self._grid = Grid(bits, None if range is None else (float(range[0]), float(range[1])))
        self._capacity, self._dtype = capacity, dtype
        self._counts: Counts | None = None
        self._lock = threading.RLock()
        self._pos_label: Any = None
        self._neg_label: int | None = None
        self._n_rows = self._n_dropped = self._total = 0
        self._weighted = False
        self._cells: Cells | None = None
        self.width_asked: float | None = None

    def update(
        self,
        y_true: object,
        y_score: object,
        *,
        sample_weight: object = None,
        pos_label: Any = None,
        missing: Missing = "raise",
    ) -> Sketch:
        """Count more rows, all or none of them; returns the sketch itself.

        Parameters
        ----------
        y_true, y_score, pos_label, missing
            As in :func:`rocsteady.rank`.
        sample_weight : array-like, optional
            Whole numbers: how often each row counts. Others are refused, since their sums would depend on the order.

        Examples
        --------
        >>> from rocsteady.scale import Sketch
        >>> Sketch().update([1, 0], [2, 1]).update([0], [3])
        Sketch(3 rows: 1 positive, 2 negative; 3 cells, exact=True)
        """
        rows = clean_rows(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label, missing=missing)
        self.take(rows)
        return self

    @alone
    def take(self, rows: CleanRows) -> None:
        """Count rows that were checked; other threads that update this sketch wait."""
        if rows.weights is not None and rows.weights.dtype.kind != "i":
            text = "a sketch takes whole-number weights: sums of others depend on the order; multiply and round them"
            raise InputError("weights_not_whole", text)
        if rows.scores.size:
            label = agreed_label(self._pos_label, rows.pos_label)
            negative = agreed_negative(self._neg_label, rows.neg_label)
            self._count(rows)
            self._pos_label, self._neg_label = label, negative
        self._n_rows += rows.scores.size
        self._n_dropped += rows.n_dropped

    def _count(self, rows: CleanRows) -> None:
        scores, kind = kind_of(rows.scores, self._dtype)
        check_kind(kind if self._dtype is None else self._dtype, kind)
        counts = Counts(self._grid, self._capacity, kind) if self._counts is None else self._counts
        check_kind(counts.kind, kind)
        total = self._total + (rows.scores.size if rows.weights is None else int(rows.weights.sum()))
        check_total(total)
        counts.add_rows(scores, rows.positive, rows.weights)
        self._counts, self._cells, self._total = counts, None, total
        self._weighted |= rows.weights is not None

    def merge(self, *others: Sketch) -> Sketch:
        """A new sketch of the rows of all; the same whatever the order and the grouping.

        Examples
        --------
        >>> from rocsteady.scale import Sketch
        >>> Sketch().update([1], [2.5]).merge(Sketch(), Sketch().update([0], [1.5])).auc().estimate
        1.0
        """
        made = self.blank()
        for part in (self, *others):
            made.absorb(part)
        return made

    @alone
    def name_negative(self, label: int | None) -> None:
        """Say what the negatives of rows were called that came as codes."""
        self._neg_label = agreed_negative(self._neg_label, label)

    @alone
    def blank(self) -> Sketch:
        """A sketch of the same cells without rows."""
        made = Sketch(**self._settings())
        if self._counts is not None and self._counts.plan is not None:
            made._counts = self._counts.blank()
        return made

    def absorb(self, part: Sketch) -> None:
        """Count the rows of another sketch here too."""
        if not isinstance(part, Sketch):
            raise ArgumentError("merge_type", f"only sketches can be merged, got {type(part).__name__}")
        with both_alone(self, part):
            self._absorb(part)

    def refuse_unlike(self, part: Sketch) -> None:
        """Refuse a sketch that could not be counted here, before anything is."""
        with both_alone(self, part):
            self._agreed(part)

    def _agreed(self, part: Sketch) -> tuple[Any, int | None]:
        """The labels of both, which agree in all that makes them mergeable."""
        check_alike(self._settings(), part._settings())
        check_total(self._total + part._total)
        if self._counts is not None and part._counts is not None:
            self._counts.refuse_unlike(part._counts)
        label = agreed_label(self._pos_label, part._pos_label)
        return label, agreed_negative(self._neg_label, part._neg_label)

    def _absorb(self, part: Sketch) -> None:
        self._pos_label, self._neg_label = self._agreed(part)
        if part._counts is not None:
            self._add_counts(part._counts)
        self._total += part._total
        self._n_rows += part._n_rows
        self._n_dropped += part._n_dropped
        self._weighted |= part._weighted

    def _add_counts(self, counts: Counts) -> None:
        if self._counts is None:
            self._counts = counts.blank()
        self._counts.add(counts)
        self._cells = None

    def _settings(self) -> dict[str, Any]:
        return {"bits": self.bits, "range": self.range, "capacity": self._capacity, "dtype": self._dtype}

    @property
    def bits(self) -> int:
        """There are 2**bits buckets."""
        return self._grid.bits

    @property
    def range(self) -> tuple[float, float] | None:
        """Where the buckets lie, if it was given."""
        return self._grid.range

    @property
    def plan(self) -> Plan | None:
        """The finer cells of a refined sketch."""
        return None if self._counts is None else self._counts.plan

    @property
    def neg_label(self) -> int | None:
        """0 or -1, where labels spoke for themselves; None where the positive one was named."""
        return self._neg_label

    @property
    @alone
    def n_bytes(self) -> int:
        """About how much memory the counts take."""
        return 0 if self._counts is None else self._counts.n_bytes

    @property
    def n_rows(self) -> int:
        """Rows counted."""
        return self._n_rows

    @property
    @alone
    def n_outside(self) -> int:
        """Rows outside the range, while they are counted by bucket; 0 where all is exact or no range was given."""
        if self.range is None or self._counts is None or self._counts.plan is not None or not self._counts.collapsed:
            return 0
        buckets, pos, neg = self._counts.groups()
        return int((pos + neg)[(buckets == 0) | (buckets == self._grid.size - 1)].sum())

    @property
    @alone
    def cells(self) -> Cells:
        """Intervals of scores with their counts."""
        if self._cells is None:
            nothing = np.zeros(0, dtype=np.int64)
            empty = Cells(nothing, nothing, nothing, nothing, "float64")
            self._cells = empty if self._counts is None else self._counts.cells()
        return self._cells

    @property
    @alone
    def origin(self) -> Origin:
        """Positive label, rows counted and dropped."""
        return Origin(self._pos_label, self._n_rows, self._n_dropped, self._weighted)

    @alone
    def finer(self, *, width: float = WIDTH, cells: int = CELLS) -> Sketch:
        """A blank sketch of finer cells where they matter most, to count the same rows again, anywhere, and merge.

        See :meth:`refine`, which does all of it, for the parameters; :meth:`accept` closes the second pass.
        """
        made = Sketch(**self._settings())
        if self._counts is not None:
            plan = planned(self.cells, width=width, cells_held=cells)
            made._counts = Counts(self._grid, self._capacity, self._counts.kind, plan)
        return made

    def accept(self, finer: Sketch) -> Sketch:
        """Return ``finer``, filled by the second pass, if it saw the same rows; refuse it if not."""
        with both_alone(self, finer):
            if self._counts is not None and finer._counts is not None:
                same_rows(self.cells, finer._counts)
            agreed_negative(self._neg_label, finer._neg_label)
        return finer

    def refine(self, batches: Any, *, width: float = WIDTH, cells: int = CELLS, passes: int = 8) -> Sketch:
        """Narrow the bracket of the AUC by counting the same rows again, in finer cells where they matter.

        Parameters
        ----------
        batches : iterable, or function that returns one
            The rows again, as (y_true, y_score) or (y_true, y_score, sample_weight), in any order and batches of any
            size. An iterator serves one pass, a list or a function as many as are needed.
        width : float
            Stop when high - low of the AUC is at most this.
        cells : int
            Most cells to hold; each takes 24 bytes, and about as much again while they are counted.
        passes : int
            Most passes over the rows.

        Returns
        -------
        Sketch
            A new one, refined; other rows than before are refused.

        Examples
        --------
        >>> import numpy as np
        >>> from rocsteady.scale import Sketch
        >>> rng = np.random.default_rng(1)
        >>> y, s = rng.random(100_000) < 0.3, rng.normal(size=100_000)
        >>> first = Sketch(capacity=1000).update(y, s)
        >>> first.exact, first.refine([(y, s)]).auc().half_width < 1e-9
        (False, True)
        """
        return refined(self, batches, width=width, cells=cells, passes=passes)

    def __repr__(self) -> str:
        rows = (
            f"{format_count(self.n_rows)} rows: {format_count(self.n_pos)} "
            f"positive, {format_count(self.n_neg)} negative"
        )
        return f"Sketch({rows}; {format_count(self.cells.first.size)} cells, exact={self.exact})"


@typed
def load_sketches(path: str | PathLike[str], *, most_bytes: int = MOST_EXPANDED) -> Sketch:
    """Read a file that :meth:`Sketch.save` wrote.

    Parameters
    ----------
    path : str or path
        The file.
    most_bytes : int
        Most memory that the sketch may take; one that would take more is refused before any is taken.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from rocsteady.scale import Sketch, load_sketches
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Sketch().update([1, 0], [2.5, 1.5]).save(Path(folder) / "one.rks")
    ...     load_sketches(path).n_rows
    2
    """
    target = named_file(path)
    try:
        return Sketch.from_bytes(target.read_bytes(), most_bytes=most_bytes)
    except OSError as error:
        raise InputError("file_unreadable", f"{printable(target)} cannot be read: {error.strerror}") from error
    except InputError as error:
        raise InputError(error.code, f"{printable(target)}: {error}") from error
