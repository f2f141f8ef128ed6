"""Sketches as bytes and back: what a file, another machine and pickle hold of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from rocsteady._src.base.atomic import named_file, write_whole
from rocsteady._src.scale.sketch_agree import alone
from rocsteady._src.scale.sketch_bytes import MOST_EXPANDED, decode, encode
from rocsteady._src.scale.sketch_check import bytes_needed, checked_counts, checked_grid

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

    from rocsteady._src.scale.sketch import Sketch


class Stored:
    """What a sketch is outside of this process."""

    @alone
    def to_bytes(self: Sketch) -> bytes:  # type: ignore[misc]  # a part of that class
        """Compact bytes for a file or another machine: versioned and checksummed."""
        nothing = [np.zeros(0, dtype=np.int64)] * 3
        counts = self._counts
        header = {**self._settings(), "kind": None, "form": "empty", "pos_label": self._pos_label}
        header["neg_label"] = self._neg_label
        header |= {"n_rows": self._n_rows, "n_dropped": self._n_dropped, "weighted": self._weighted}
        header["range"] = None if self.range is None else list(self.range)
        if counts is None or (not self._n_rows and counts.plan is None):
            return encode(header, nothing, nothing)
        plan = nothing if counts.plan is None else counts.plan.columns()
        header["kind"] = counts.kind
        header["form"] = "cells" if counts.plan is not None else "buckets" if counts.collapsed else "scores"
        return encode(header, list(counts.groups()), plan)

    @classmethod
    def from_bytes(cls: type[Sketch], data: bytes, *, most_bytes: int = MOST_EXPANDED) -> Sketch:  # type: ignore[misc]
        """Read what :meth:`to_bytes` wrote; anything else is refused, and so is what would take more memory.

        ``most_bytes`` bounds the memory that is taken while it is read and after, beside ``data`` itself.

        Examples
        --------
        >>> from rocsteady.scale import Sketch
        >>> sketch = Sketch().update([1, 0], [0.75, 0.25])
        >>> Sketch.from_bytes(sketch.to_bytes()) == sketch
        True
        """
        header, arrays, plan = decode(data, most=most_bytes, needs=bytes_needed)
        grid = checked_grid(header)
        made = cls(grid.bits, grid.range, capacity=min(header["capacity"], 2**31), dtype=header["dtype"])
        made._counts = checked_counts(header, grid, arrays, plan)
        made._pos_label, made._neg_label = header["pos_label"], header["neg_label"]
        made._n_rows, made._n_dropped, made._weighted = (header[name] for name in ("n_rows", "n_dropped", "weighted"))
        made._total = int(arrays[1].sum()) + int(arrays[2].sum())
        return made

    def save(self: Sketch, path: str | PathLike[str], *, force: bool = False) -> Path:  # type: ignore[misc]
        """Write a file, whole or not at all, that :func:`rocsteady.scale.load_sketches` reads; usually named .rks."""
        target = named_file(path)
        write_whole(target, self.to_bytes(), force=force)
        return target

    def __reduce__(self) -> tuple[Any, ...]:
        own: Any = self
        return type(own).from_bytes, (own.to_bytes(),)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Stored):
            return NotImplemented
        mine, theirs = (cast("Sketch", each) for each in (self, other))
        return mine.to_bytes() == theirs.to_bytes()

    __hash__ = None  # type: ignore[assignment]
