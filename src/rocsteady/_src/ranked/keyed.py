"""Rows in the order of their scores, as one column of keys that hold score and label, until somebody asks for more."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from rocsteady._src.ranked.grouping import Groups, widened
from rocsteady._src.ranked.pairs import wins_twice
from rocsteady._src.ranked.sortkeys import BLOCK, key_code, labels_of, list_code, pack, scores_of, sort_keys

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from rocsteady._src.ranked.sortkeys import KeyCode, Keys

    Answer = TypeVar("Answer")


@dataclass(slots=True, eq=False)
class SortedKeys:
    """Sorted keys, see sortkeys; of tied rows the negatives come first."""

    keys: Keys
    code: KeyCode
    made: Groups | None = None
    lock: Lock = field(default_factory=Lock)

    @classmethod
    def of(cls, positive: NDArray[np.bool_], scores: NDArray[Any], room: Keys | None = None) -> SortedKeys:
        """Sort rows by one sort of plain numbers; ``room`` is memory that may be used."""
        scores, code = key_code(scores)
        try:
            packed = pack(scores, positive, code, _part(room, code, scores.size))
        except FloatingPointError:  # magnitudes from 1e-308 to far above 1 do not scale without loss
            scores, code = list_code(scores)
            packed = pack(scores, positive, code, _part(room, code, scores.size))
        sort_keys(packed)
        return cls(packed, code)

    def labels(self, out: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """Which rows are positive, in order."""
        return labels_of(self.keys, out)

    def ask(self, question: Callable[[SortedKeys], Answer]) -> Answer | None:
        """The answer to a question about the keys; None if they were made into groups before."""
        with self.lock:
            return question(self) if self.made is None else None

    def groups(self) -> Groups:
        """Groups of equal score; the keys are used up."""
        with self.lock:
            if self.made is None:
                self.made = self._grouped()
                self.keys = self.keys[:0]
            return self.made

    def _grouped(self) -> Groups:
        n_groups = sum(int(np.count_nonzero(last)) for _, last in self._last_of_groups())
        if n_groups == self.keys.size:
            labels = self.labels()
            return Groups(widened(scores_of(self.keys, self.code)), labels, None)
        kind: type[Any] = np.int32 if self.keys.size < 2**31 else np.int64
        pos: NDArray[Any] = np.empty(n_groups, dtype=kind)
        neg: NDArray[Any] = np.empty(n_groups, dtype=kind)
        filled, rows, passed = 0, 0, 0
        for start, last in self._last_of_groups():
            part = self.keys[start : start + last.size]
            ends, labels = np.flatnonzero(last), labels_of(part).cumsum()
            here = slice(filled, filled + ends.size)
            pos[here] = np.diff(labels[ends], prepend=-passed)
            neg[here] = np.diff(ends, prepend=-rows - 1)
            self.keys[here] = part[ends]
            if ends.size:
                filled, rows, passed = here.stop, -int(ends[-1]) - 1, -int(labels[ends[-1]])
            rows, passed = rows + last.size, passed + int(labels[-1])
        neg -= pos
        return Groups(widened(scores_of(self.keys[:n_groups], self.code)), pos, neg)

    def _last_of_groups(self) -> Iterator[tuple[int, NDArray[np.bool_]]]:
        """Blocks of rows: where each starts, and which of its rows is the last of its group."""
        unsigned = np.dtype(f"u{self.keys.itemsize}")
        for start in range(0, self.keys.size, BLOCK):
            part = self.keys[start : start + BLOCK + 1]
            last = np.ones(min(BLOCK, part.size), dtype=bool)
            np.greater((part[1:] ^ part[:-1]).view(unsigned), 1, out=last[: part.size - 1])
            yield start, last

    def ends(self) -> tuple[Any, Any]:
        """The lowest and the highest score."""
        lowest, highest = scores_of(self.keys[[0, -1]], self.code).tolist()
        return lowest, highest

    def are_two(self) -> bool:
        """Whether there are exactly two different scores; O(log n)."""
        second = int(self.keys.searchsorted(self.keys[:1] | 1, side="right")[0])
        if second == self.keys.size:
            return False
        first, last = scores_of(self.keys[[second, -1]], self.code).tolist()
        return bool(first == last)

    def wins_twice(self) -> int:
        """Twice the pairs won by the positives, ties counted once."""
        return wins_twice(self.keys)


def _part(room: Keys | None, code: KeyCode, size: int) -> Keys | None:
    return None if room is None else room.view(code.bits)[:size]
