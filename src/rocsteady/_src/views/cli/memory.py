"""What --memory leaves for the work: the process takes its share before it has read a row.

All sizes were measured as the most that a process held (docs/scale.md).
"""

from __future__ import annotations

from typing import NamedTuple

from rocsteady._src.base.errors import ArgumentError

MB = 10**6
PROCESS = {"report": 180 * MB}
PROCESS_OF_OTHERS = 130 * MB
LEAST_WORK = 270 * MB
SKETCHING = 100 * MB  # Arrow, which hands out batches, and the batches
ENGINE_STILL, LEAST_CELLS = 150 * MB, 1 << 17
BUCKET_BYTES, CELL_BYTES, HELD_BYTES = 16, 500, 60  # of a bucket; of a cell while it is measured, and until then


class Room(NamedTuple):
    """A limit, of which a part is for the work."""

    limit: int
    work: int

    @classmethod
    def of(cls, limit: int, command: str) -> Room:
        """Refuse a limit that the process alone would pass."""
        process = PROCESS.get(command, PROCESS_OF_OTHERS)
        if limit < process + LEAST_WORK:
            raise too_little(limit, process + LEAST_WORK, f"{command or 'this command'} takes that by itself")
        return cls(limit, limit - process)

    def cells(self, bits: int, models: int, n_rows: int, *, refined: bool) -> int:
        """Most cells of a refined sketch; refuses where not even those of the first pass fit."""
        buckets = 1 << bits
        occupied = min(buckets + 2, max(n_rows, 1))
        fixed = SKETCHING + BUCKET_BYTES * buckets * models
        each = CELL_BYTES + HELD_BYTES * models
        need = fixed + max(each * occupied * (2 if refined else 1), LEAST_WORK - SKETCHING)
        if need > self.work:
            why = f"--sketch {bits} of {models} models takes that{' with --width' * refined}; or give fewer bits"
            raise too_little(self.limit, need + self.limit - self.work, why)
        return (self.work - fixed) // each

    def cells_beside(self, models: int) -> int:
        """Most cells of each model while an engine holds the files too."""
        left = self.work - SKETCHING - ENGINE_STILL
        return max(left // (CELL_BYTES + HELD_BYTES * models), LEAST_CELLS)


def too_little(limit: int, needed: int, why: str) -> ArgumentError:
    """The limit is too low, by so much."""
    least = -(-needed // (10 * MB)) * 10
    return ArgumentError("memory", f"--memory must be at least {least}MB here, got {limit // MB}MB: {why}")
