"""Two models on the same rows, counted together: the paired test from counts, between ends that hold.

Both models have a sketch of their own, which brackets its AUC. What ties them together is counted in joint cells, a row
and a column of coarse buckets: DeLong's standard error of the difference is the length of the differences of placements
about their means, scaled. In a joint cell each difference lies within half of both cells' shares from its middle, and
centring makes nothing longer. So, by the triangle inequality, the error of the rows lies no farther from that of the
middles than the length of these halves.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady._src.base.atomic import named_file, write_whole
from rocsteady._src.base.errors import ArgumentError, InputError, printable, refuse_one_class, some_values
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.comparison.hypotheses import check_alternative
from rocsteady._src.inference.intervals.normal import check_level
from rocsteady._src.inputs import clean_rows
from rocsteady._src.results.base import DIRECTION, facts_of
from rocsteady._src.results.remarks import Remark
from rocsteady._src.scale.paired_bytes import decode_pair, encode_pair, joint_counts
from rocsteady._src.scale.sketch import Sketch
from rocsteady._src.scale.sketch_bytes import MOST_EXPANDED
from rocsteady._src.scale.sketch_intervals import judged_ends
from rocsteady._src.scale.sketch_keys import Grid, checked_bits, kind_of
from rocsteady._src.scale.sketches import checked_part, read_file
from rocsteady._src.scale.sketches_bytes import unsound

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike
    from pathlib import Path

    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import CleanRows
    from rocsteady._src.results import TestResult
    from rocsteady._src.results.scale import BracketedEvaluation

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
    part : str, optional
        What these rows are called, for a file that counts every part once; see :meth:`save`.
    names : (str, str)
        What the models are called.

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
        part: str | None = None,
        names: tuple[str, str] = ("first", "second"),
    ) -> None:
        if checked_bits(joint_bits) > min(MOST_JOINT_BITS, bits):
            text = f"joint_bits must be at most {MOST_JOINT_BITS} and no more than bits, got {joint_bits}"
            raise ArgumentError("joint_bits", text)
        self.first, self.second = (Sketch(bits, range, dtype="float64") for _ in "ab")
        self._grid = Grid(joint_bits, self.first.range)
        self.names = (str(names[0]), str(names[1]))
        self._part = None if part is None else checked_part(part)
        self._merged: dict[str, int] = {}
        self._joint: Counts = np.zeros((2, self._grid.size, self._grid.size), dtype=np.int64)

    def update(self, y_true: object, first: object, second: object, *, pos_label: Any = None) -> PairedSketch:
        """Count rows of both models, all or none; returns the sketch itself. Missing values are refused."""
        rows = [clean_rows(y_true, scores, pos_label=pos_label) for scores in (first, second)]
        if rows[0].scores.size != rows[1].scores.size:
            sizes = " and ".join(format_count(each.scores.size) for each in rows)
            raise InputError("length", f"both models score the same rows, got {sizes} scores")
        self.take(*rows)
        return self

    def take(self, *rows: CleanRows) -> None:
        """Count rows that were checked, of both models."""
        places = [self._grid.buckets(kind_of(each.scores, "float64")[0]) for each in rows]
        for sketch, each in zip((self.first, self.second), rows, strict=True):
            sketch.take(each)
        np.add.at(self._joint, (rows[0].positive.astype(np.int64), *places), 1)

    @property
    def parts(self) -> dict[str, int]:
        """Names of the parts that were counted, with their rows; empty where they have none."""
        own = {} if self._part is None else {self._part: self.first.n_rows - sum(self._merged.values())}
        return {**self._merged, **own}

    @property
    def n_rows(self) -> int:
        """Rows counted."""
        return self.first.n_rows

    def called(self, part: str) -> PairedSketch:
        """Name the rows that it counts, which had no name."""
        self._part = checked_part(part)
        return self

    def name_negative(self, label: int | None) -> None:
        """Say what the negatives of rows were called that came as codes."""
        for sketch in (self.first, self.second):
            sketch.name_negative(label)

    def blank(self) -> PairedSketch:
        """A sketch of the same cells and models without rows."""
        return PairedSketch(self.first.bits, self.first.range, joint_bits=self._grid.bits, names=self.names)

    def merge(self, *others: PairedSketch) -> PairedSketch:
        """A new sketch of the rows of all; a part that two of them count is refused."""
        made = self.blank()
        for part in (self, *others):
            made.absorb(part)
        return made

    def absorb(self, part: PairedSketch) -> None:
        """Count the rows of another here too, all or none of them."""
        if not isinstance(part, PairedSketch):
            raise ArgumentError("merge_type", f"only paired sketches can be merged, got {type(part).__name__}")
        if part._grid != self._grid:
            raise ArgumentError("merge_settings", "the parts differ in their joint cells; make all of them alike")
        if part.names != self.names:
            text = f"the parts differ in models: {some_values(self.names)} and {some_values(part.names)}"
            raise ArgumentError("merge_settings", f"{text}; make all of them alike")
        twice = [name for name in part.parts if name in self.parts]
        if twice:
            text = f"the part {some_values(twice, most=3)} was counted before, so its rows would count twice"
            raise InputError("part_twice", f"{text}; leave it out")
        for mine, theirs in ((self.first, part.first), (self.second, part.second)):
            mine.refuse_unlike(theirs)
        self._merged, self._part = {**self.parts, **part.parts}, None
        self.first.absorb(part.first)
        self.second.absorb(part.second)
        self._joint += part._joint

    def to_bytes(self) -> bytes:
        """The bytes of a file, the same whatever the order in which parts were merged."""
        header = {"by": [], "groups": [[]], "models": list(self.names), "parts": self.parts, "n_ungrouped": 0}
        both = [self.first.to_bytes(), self.second.to_bytes()]
        return encode_pair(header | {"joint_bits": self._grid.bits}, both, self._joint)

    @classmethod
    def from_bytes(cls, data: bytes, *, most_bytes: int = MOST_EXPANDED) -> PairedSketch:
        """Read what ``to_bytes`` wrote; anything else is refused, and so is what would take more memory."""
        header, packed, joint = decode_pair(data, most_bytes=most_bytes)
        one, two = (Sketch.from_bytes(bytes(each), most_bytes=most_bytes) for each in packed)
        sizes = {(each.bits, each.range, each.n_neg, each.n_pos) for each in (one, two)}
        if len(sizes) != 1 or one.bits < header["joint_bits"]:
            raise unsound("its two models were not counted on the same rows")
        made = cls(one.bits, one.range, joint_bits=header["joint_bits"], names=tuple(header["models"]))
        made.first, made.second, made._merged = one, two, header["parts"]
        made._joint = joint_counts(joint, made._grid.size, (one.n_neg, one.n_pos))
        return made

    def save(self, path: str | PathLike[str], *, force: bool = False) -> Path:
        """Write a file, whole or not at all, that :func:`rocsteady.scale.load_pair` reads; the usual ending is .rks."""
        if not self.parts:
            text = "a file counts every part once, so that its rows need a name: PairedSketch(part='2026-11-17/north')"
            raise ArgumentError("part", text)
        target = named_file(path)
        write_whole(target, self.to_bytes(), force=force)
        return target

    def evaluate(self, measures: Any = None, *, threshold: float | None = None) -> BracketedEvaluation:
        """Both models, every measure with its bracket, and in its remarks the paired test of their AUCs."""
        from rocsteady._src.scale.evaluate_sketches import evaluate_sketches

        both = dict(zip(self.names, (self.first, self.second), strict=True))
        made = evaluate_sketches(both, measures=measures, threshold=threshold)
        told = Remark("paired_in_sketch", first=self.names[0], second=self.names[1], test=str(self.compare()))
        return replace(made, remarks=(told,))

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

    def columns(self) -> dict[str, list[Any]]:
        """Columns of a table: the AUC of both models with its bracket."""
        areas = [self.first.auc(), self.second.auc()]
        made: dict[str, list[Any]] = {"model": list(self.names), "rows": [self.n_rows] * 2}
        made |= {"positives": [self.first.n_pos] * 2, "negatives": [self.first.n_neg] * 2}
        return made | {
            "auc": [area.estimate for area in areas],
            "low": [area.low for area in areas],
            "high": [area.high for area in areas],
            "exact": [area.exact for area in areas],
        }

    def notes(self, level: float = 0.95) -> list[str]:
        """What holds for both, and the paired test."""
        label = printable(self.first.origin.pos_label)
        return [
            f"{format_count(len(self.parts))} parts: {some_values(self.parts, most=5)}",
            f"positive label {label}; {DIRECTION}; the AUC of these rows lies between low and high, for certain",
            f"{printable(self.names[0])} minus {printable(self.names[1])}: {self.compare(level=level)}",
        ]

    def to_dict(self, level: float = 0.95) -> dict[str, Any]:
        """Return plain values: both models, and the paired test."""
        columns = self.columns()
        lines = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        test = self.compare(level=level).to_dict()
        return {"parts": self.parts, "models": lines, "difference": test, "notes": self.notes(level)}

    def __eq__(self, other: object) -> bool:
        return self.to_bytes() == other.to_bytes() if isinstance(other, PairedSketch) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return PairedSketch.from_bytes, (self.to_bytes(),)

    def __repr__(self) -> str:
        names = " and ".join(printable(name) for name in self.names)
        parts = f"{format_count(len(self.parts))} part{'s' * (len(self.parts) != 1)}, " if self.parts else ""
        return f"PairedSketch({parts}{format_count(self.first.n_rows)} rows of {names})"


@typed
def load_pair(path: str | PathLike[str], *, most_bytes: int = MOST_EXPANDED) -> PairedSketch:
    """Read a file that :meth:`PairedSketch.save` or ``rocsteady sketch make --paired`` wrote.

    Parameters
    ----------
    path : str or path
        The file.
    most_bytes : int
        Most memory that it may take; one that would take more is refused before any is taken.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from rocsteady.scale import PairedSketch, load_pair
    >>> pair = PairedSketch(range=(0, 1), part="monday")
    >>> pair = pair.update([1, 0, 1, 0], [0.9, 0.4, 0.7, 0.2], [0.8, 0.7, 0.9, 0.1])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     load_pair(pair.save(Path(folder) / "monday.rks")).parts
    {'monday': 4}
    """
    return read_file(path, lambda data: PairedSketch.from_bytes(data, most_bytes=most_bytes))


def merged_pairs(first: PairedSketch, others: Iterable[object], *, known: str) -> PairedSketch:
    """One of many, read one after another; ``known`` as in :meth:`Sketches.merge`."""
    made = first.blank()
    for part in chain([first], others):
        if not isinstance(part, PairedSketch):
            raise ArgumentError(
                "merge_type", "a file of two models counted together does not merge with other sketches"
            )
        if known == "skip" and part.parts and part.parts.keys() <= made.parts.keys():
            continue
        made.absorb(part)
    return made
