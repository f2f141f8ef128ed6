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
from rocsteady._src.ranked.grouping import sorted_distinct
from rocsteady._src.ranked.lazy.labels import POSITIVE
from rocsteady._src.scale.sketch_groups import groups_of_rows, text_codes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from rocsteady._src.scale.sketch_groups import Group

    Read = dict[str, tuple[NDArray[Any], NDArray[np.bool_] | None]]

CODE, WEIGHT = "code", "weight"


@dataclass(frozen=True, slots=True)
class BatchForm:
    """What a batch holds: ``code`` of the label, ``score0``, ... by model, ``weight`` and ``group0``, ... if any."""

    models: tuple[str, ...]
    weight: str | None
    pos_label: Any
    by: tuple[str, ...] = ()

    def column(self, model: str) -> str:
        """Name of a model's scores in a batch."""
        return f"score{self.models.index(model)}"

    @property
    def group_columns(self) -> dict[str, str]:
        """Names in a batch of the columns that make groups, and their own."""
        return {f"group{place}": name for place, name in enumerate(self.by)}


@dataclass(slots=True)
class Tally:
    """Sketches that are being filled, like the ``blanks``; the kinds of labels seen; how many rows lacked a value."""

    form: BatchForm
    blanks: dict[str, Any]
    groups: dict[Group, dict[str, Any]] = field(default_factory=dict)
    codes: set[int] = field(default_factory=set)
    n_incomplete: int = 0
    n_ungrouped: int = 0

    def __post_init__(self) -> None:
        """All rows are one group where nothing makes others."""
        if not self.form.by:
            self._of(())

    @property
    def n_rows(self) -> int:
        """Complete rows counted so far."""
        return sum(next(iter(found.values())).n_rows for found in self.groups.values() if found)

    def add(self, batch: object) -> None:
        """Count the rows of a batch that lack nothing; the same rows for every model."""
        coded = {name: text_codes(batch, name) for name in self.form.group_columns}
        texts = {name: each for name, each in coded.items() if each is not None}
        rest: Any = batch.drop_columns(list(texts)) if texts else batch  # type: ignore[attr-defined]
        read: Read = {name: read_column(values, name) for name, values in all_columns(rest).items()}
        if not self.form.by:
            self._see_codes(read)
            self._add((), read)
            return
        columns = [texts[name][0] if name in texts else read.pop(name) for name in self.form.group_columns]
        found = groups_of_rows(columns, [texts[name][1] if name in texts else None for name in self.form.group_columns])
        self.n_ungrouped += found.n_without
        self.n_incomplete += found.n_without
        order = found.order  # all columns once, so that each group is a view of them
        read = {name: (values[order], None if gap is None else gap[order]) for name, (values, gap) in read.items()}
        self._see_codes(read)
        for group, rows in found.spans:
            self._add(
                group, {name: (values[rows], gap if gap is None else gap[rows]) for name, (values, gap) in read.items()}
            )

    def _of(self, group: Group) -> dict[str, Any]:
        if group not in self.groups:
            self.groups[group] = {model: sketch.blank() for model, sketch in self.blanks.items()}
        return self.groups[group]

    def _see_codes(self, read: Read) -> None:
        """Which labels complete rows have, of all groups at once."""
        codes = read[CODE][0][_complete(read)]
        self.codes.update(sorted_distinct(codes.astype(np.int64))[0].tolist())

    def _add(self, group: Group, read: Read) -> None:
        kept = _complete(read)
        columns = {name: values[kept] for name, (values, _) in read.items()}
        n_dropped = len(read[CODE][0]) - columns[CODE].size
        self.n_incomplete += n_dropped
        self._take(group, columns, n_dropped)

    def _take(self, group: Group, columns: Mapping[str, NDArray[Any]], n_dropped: int) -> None:
        for model, sketch in self._of(group).items():
            sketch.take(self._rows(model, columns, n_dropped))

    def _rows(self, model: str, columns: Mapping[str, NDArray[Any]], n_dropped: int) -> CleanRows:
        form = self.form
        values = columns[form.column(model)]
        weights = None if form.weight is None else checked_weights(columns[WEIGHT], form.weight)
        scores = ordered_scores(values, values[:0], form.pos_label, model)
        return CleanRows(columns[CODE] == POSITIVE, scores, weights, form.pos_label, n_dropped)

    def absorb(self, part: Part) -> None:
        """Add what another machine counted."""
        for group, model, data in part.sketches:
            sketch = self._of(tuple(group))[model]
            sketch.absorb(type(sketch).from_bytes(data))
        self.codes.update(part.codes)
        self.n_incomplete += part.n_incomplete
        self.n_ungrouped += part.n_ungrouped

    def packed(self) -> Part:
        """What travels between machines."""
        sketches = [
            (list(group), model, sketch.to_bytes())
            for group, found in self.groups.items()
            for model, sketch in found.items()
        ]
        return Part(sketches, sorted(self.codes), self.n_incomplete, self.n_ungrouped)


def _complete(read: Read) -> Any:
    """Which rows lack nothing: a mask, or all of them."""
    gaps = [gap for _, gap in read.values() if gap is not None]
    return ~np.logical_or.reduce(gaps) if gaps else slice(None)


@dataclass(frozen=True, slots=True)
class Part:
    """A partition, counted: bytes of its sketches by group and model, kinds of labels, rows that lacked a value."""

    sketches: list[tuple[list[str], str, bytes]]
    codes: list[int]
    n_incomplete: int
    n_ungrouped: int = 0


@dataclass(frozen=True, slots=True)
class PartCounter:
    """Counts a partition where it lies; all it needs travels with it, sketches as bytes."""

    form: BatchForm
    blanks: dict[str, Any]

    def __call__(self, *batches: object) -> Part:
        """Count all batches of a partition."""
        tally = Tally(self.form, self.blanks)
        for batch in batches:
            tally.add(batch)
        return tally.packed()
