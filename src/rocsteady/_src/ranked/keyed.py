"""Rows in the order of their scores, as one column of keys that hold score and label, until somebody asks for more."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from rocsteady._src.base.threads import for_each
from rocsteady._src.ranked.grouping import group_sorted
from rocsteady._src.ranked.sortkeys import BLOCK, key_code, labels_of, list_code, pack, scores_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocsteady._src.ranked.grouping import Groups
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
        packed.view(code.key_dtype).sort()
        return cls(packed, code)

    def labels(self, out: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """Which rows are positive, in order."""
        return labels_of(self.keys, self.code, out)

    def ask(self, question: Callable[[SortedKeys], Answer]) -> Answer | None:
        """The answer to a question about the keys; None if they were made into groups before."""
        with self.lock:
            return question(self) if self.made is None else None

    def groups(self) -> Groups:
        """Groups of equal score; the keys are used up."""
        with self.lock:
            if self.made is None:
                labels = self.labels()
                self.made = group_sorted(scores_of(self.keys, self.code), labels)
                self.keys = self.keys[:0]
            return self.made

    def ends(self) -> tuple[Any, Any]:
        """The lowest and the highest score."""
        lowest, highest = scores_of(self.keys[[0, -1]], self.code).tolist()
        return lowest, highest

    def are_two(self) -> bool:
        """Whether there are exactly two different scores; O(log n)."""
        ordered: NDArray[Any] = self.keys.view(self.code.key_dtype)
        lowest = self.keys[:1] | 1, self.keys[:1] & ~1
        second = max(int(ordered.searchsorted(key.view(self.code.key_dtype), side="right")[0]) for key in lowest)
        if second == ordered.size:
            return False
        first, last = scores_of(self.keys[[second, -1]], self.code).tolist()
        return bool(first == last)

    def wins_twice(self) -> int:
        """Twice the pairs won by the positives, ties counted once.

        The positive in place i, counted from 0, beats the i rows before it, less the positives among them; a tied
        negative stands before it and was counted twice, not once.
        """
        parts = for_each(self._wins_of, self._stretches(), n_rows=self.keys.size)
        n_pos = sum(found for found, _, _ in parts)
        places, tied = (sum(part[of] for part in parts) for of in (1, 2))
        return 2 * places - n_pos * (n_pos - 1) - tied

    def _stretches(self) -> list[tuple[int, int]]:
        """Where to cut the work in two without tearing tied rows apart."""
        middle = self._end_of_tie(self.keys.size // 2)
        return [(0, middle), (middle, self.keys.size)]

    def _end_of_tie(self, place: int) -> int:
        """The first place from here on before which a group of tied rows ends."""
        if not 0 < place < self.keys.size:
            return min(place, self.keys.size)
        ordered: NDArray[Any] = self.keys.view(self.code.key_dtype)
        before = self.keys[place - 1 : place]
        twins: NDArray[Any] = np.concatenate([before | 1, before & ~1]).view(self.code.key_dtype)
        return int(ordered.searchsorted(twins, side="right").max())

    def _wins_of(self, stretch: tuple[int, int]) -> tuple[int, int, int]:
        """Positives of a stretch, the sum of their places, and tied pairs."""
        start, last = stretch
        places, n_pos, tied = 0, 0, 0
        while start < last:
            stop = self._end_of_tie(min(start + BLOCK, last))
            part = self.keys[start:stop]
            labels = labels_of(part, self.code)
            found = np.flatnonzero(labels)
            places += int(found.sum()) + start * found.size
            n_pos += found.size
            tied += _tied_pairs(part, labels)
            start = stop
        return n_pos, places, tied


def _tied_pairs(keys: Keys, labels: NDArray[np.bool_]) -> int:
    """Pairs of opposite class with the same score."""
    tied = (keys[1:] ^ keys[:-1]) <= 1
    tied &= (keys[1:] ^ keys[:-1]) >= 0
    n_tied = int(np.count_nonzero(tied))
    if not n_tied:
        return 0
    ends = np.append(np.flatnonzero(~tied), keys.size - 1)
    pos = np.diff(labels.cumsum(dtype=np.int64)[ends], prepend=0)
    neg = np.diff(ends, prepend=-1) - pos
    return int(pos @ neg)


def _part(room: Keys | None, code: KeyCode, size: int) -> Keys | None:
    return None if room is None else room.view(code.bits)[:size]
