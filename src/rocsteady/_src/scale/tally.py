"""Batches of a lazy table counted into sketches: on this machine as they stream by, or where each partition lies."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.inputs.arrays import read_column
from rocsteady._src.inputs.clean import CleanRows
from rocsteady._src.inputs.scores import ordered_scores
from rocsteady._src.inputs.tables import all_columns
from rocsteady._src.inputs.weights import checked_weights
from rocsteady._src.ranked.lazy.labels import POSITIVE
from rocsteady._src.scale.sketch import Sketch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

CODE, WEIGHT = "code", "weight"


@dataclass(frozen=True, slots=True)
class BatchForm:
    """What a batch holds: ``code`` of the label, ``score0``, ``score1``, ... by model, and ``weight`` if any."""

    models: tuple[str, ...]
    weight: str | None
    pos_label: Any

    def column(self, model: str) -> str:
        """Name of a model's scores in a batch."""
        return f"score{self.models.index(model)}"


@dataclass(slots=True)
class Tally:
    """Sketches that are being filled, the kinds of labels seen, and how many rows lacked a value."""

    form: BatchForm
    sketches: dict[str, Sketch]
    codes: set[int] = field(default_factory=set)
    n_incomplete: int = 0

    @property
    def n_rows(self) -> int:
        """Complete rows counted so far."""
        return next(iter(self.sketches.values())).n_rows

    def add(self, batch: object) -> None:
        """Count the rows of a batch that lack nothing; the same rows for every model."""
        read = {name: read_column(values, name) for name, values in all_columns(batch).items()}
        gaps = [gap for _, gap in read.values() if gap is not None]
        kept: Any = ~np.logical_or.reduce(gaps) if gaps else slice(None)
        columns = {name: values[kept] for name, (values, _) in read.items()}
        codes = columns[CODE]
        n_dropped = len(read[CODE][0]) - codes.size
        self.n_incomplete += n_dropped
        self.codes.update(np.unique(codes).astype(np.int64).tolist())
        for model, sketch in self.sketches.items():
            sketch.take(self._rows(model, columns, n_dropped))

    def _rows(self, model: str, columns: Mapping[str, NDArray[Any]], n_dropped: int) -> CleanRows:
        form = self.form
        values = columns[form.column(model)]
        weights = None if form.weight is None else checked_weights(columns[WEIGHT], form.weight)
        scores = ordered_scores(values, values[:0], form.pos_label, model)
        return CleanRows(columns[CODE] == POSITIVE, scores, weights, form.pos_label, n_dropped)

    def absorb(self, part: Part) -> None:
        """Add what another machine counted."""
        for sketch, data in zip(self.sketches.values(), part.sketches, strict=True):
            sketch.absorb(Sketch.from_bytes(data))
        self.codes.update(part.codes)
        self.n_incomplete += part.n_incomplete

    def packed(self) -> Part:
        """What travels between machines."""
        return Part([sketch.to_bytes() for sketch in self.sketches.values()], sorted(self.codes), self.n_incomplete)


@dataclass(frozen=True, slots=True)
class Part:
    """A partition, counted: bytes of its sketches, kinds of labels, rows that lacked a value."""

    sketches: list[bytes]
    codes: list[int]
    n_incomplete: int


@dataclass(frozen=True, slots=True)
class PartCounter:
    """Counts a partition where it lies; all it needs travels as bytes."""

    form: BatchForm
    blanks: dict[str, bytes]

    @classmethod
    def of(cls, tally: Tally) -> PartCounter:
        """Counter into sketches of the same cells."""
        return cls(tally.form, {model: sketch.to_bytes() for model, sketch in tally.sketches.items()})

    def __call__(self, *batches: object) -> Part:
        """Count all batches of a partition."""
        tally = Tally(self.form, {model: Sketch.from_bytes(data) for model, data in self.blanks.items()})
        for batch in batches:
            tally.add(batch)
        return tally.packed()
