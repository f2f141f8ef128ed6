"""Replicates that a sketch carries: a Poisson bootstrap of rows or subjects, counted while the rows stream by.

In each replicate a subject counts 0, 1, 2, ... times, as Poisson's law of mean 1 has it. How often is no draw but a
hash of its name, so that all machines, parts and models agree on it and nothing but sums need travel: a part that is
counted again gives the same counts, and rows of one subject weigh alike wherever they stand.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, first_rows
from rocsteady._src.base.text import format_count
from rocsteady._src.inputs.arrays import read_column
from rocsteady._src.ranked.grouping import ascending_order, sorted_distinct
from rocsteady._src.ranked.numbering import numbered
from rocsteady._src.scale.sketch_groups import group_text
from rocsteady._src.scale.sketch_keys import keys_of, scores_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import CleanRows
    from rocsteady._src.scale.sketch_counts import Counts
    from rocsteady._src.scale.sketch_keys import Keys

MOST = 1000
WIDTHS = (1, 2, 4, 8)  # bytes of a count in a file: as few as do
LANES = 4  # replicates that one hash of 64 bits serves
CHUNK = 1 << 14  # rows whose weights in all replicates are held at once
STEP, FIRST, SECOND = (np.uint64(each) for each in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


def _poisson_table() -> NDArray[np.uint8]:
    """How often a subject counts, by 16 bits of a hash: the quantiles of Poisson's law of mean 1."""
    limits: list[float] = []
    term = math.exp(-1)
    for times in range(1, 12):
        limits.append((limits[-1] if limits else 0.0) + term)
        term /= times
    return np.searchsorted(limits, (np.arange(1 << 16) + 0.5) / (1 << 16), side="right").astype(np.uint8)


TIMES = _poisson_table()


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finalizer of SplitMix64: every bit depends on all."""
    mixed = (numbers ^ (numbers >> np.uint64(30))) * FIRST
    mixed = (mixed ^ (mixed >> np.uint64(27))) * SECOND
    return mixed ^ (mixed >> np.uint64(31))


def unit_numbers(names: NDArray[Any]) -> tuple[NDArray[np.uint64], str]:
    """A number of 64 bits for each name, the same on every machine, and what the names are: "int" or "text".

    Examples
    --------
    >>> unit_numbers(np.array([7, 7]))[1], unit_numbers(np.array(["7"]))[1]
    ('int', 'text')
    """
    if names.dtype.kind in "iu":
        return names.astype(np.int64).view(np.uint64), "int"
    if names.dtype.kind == "f" and (names == np.floor(names)).all() and (abs(names) < 2**53).all():
        return names.astype(np.int64).view(np.uint64), "int"
    found, place = numbered(names)
    hashes = [hashlib.blake2b(group_text(name).encode(), digest_size=8).digest() for name in found]
    return np.frombuffer(b"".join(hashes), dtype="<u8").astype(np.uint64)[place], "text"


def times_counted(units: NDArray[np.uint64], replicates: int, seed: int) -> NDArray[np.uint8]:
    """How often each unit counts in each replicate: a line per unit.

    Examples
    --------
    >>> times = times_counted(np.arange(100_000, dtype=np.uint64), 8, 0)
    >>> times.shape, bool(abs(times.mean() - 1) < 0.01), bool(abs(times.var() - 1) < 0.01)
    ((100000, 8), True, True)
    """
    with np.errstate(over="ignore"):
        own = _mixed(units + _mixed(np.full(1, seed, dtype=np.uint64) + STEP))
        made = np.empty((units.size, -(-replicates // LANES) * LANES), dtype=np.uint8)
        for block in range(made.shape[1] // LANES):
            hashed = _mixed(own + STEP * np.uint64(block + 1)).astype("<u8")
            made[:, block * LANES : (block + 1) * LANES] = TIMES[hashed.view("<u2").reshape(-1, LANES)]
    return made[:, :replicates]


@dataclass(frozen=True, slots=True)
class Drawing:
    """How many replicates, and the seed of their hash."""

    replicates: int
    seed: int

    def __post_init__(self) -> None:
        """Refuse what makes no replicates."""
        for name, value, most in (("replicates", self.replicates, MOST), ("random_state", self.seed, 2**32 - 1)):
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
                raise ArgumentError(name, f"{name} must be a whole number from 0 to {most}, got {value!r}")

    def settings(self) -> dict[str, int]:
        """What parts must agree on; nothing where there are no replicates."""
        return {"replicates": self.replicates, "random_state": self.seed} if self.replicates else {}


class Replicates:
    """Counts of every replicate by score, or by bucket as soon as the sketch itself counts so."""

    def __init__(self, drawing: Drawing) -> None:
        self.drawing, self.named_by, self.bucketed = drawing, "", False
        self.keys: Keys = np.zeros(0, dtype=np.int64)
        self.sides = tuple(np.zeros((0, drawing.replicates), dtype=np.int64) for _ in "np")  # negatives, positives

    def agreed(self, named_by: str) -> str:
        """What the names of both are; 7 and "7" would be two subjects."""
        if named_by and self.named_by and named_by != self.named_by:
            text = "subjects are named by whole numbers in one part and by text in another, which would be two of each"
            raise InputError("id_type", f"{text}; convert id to one type")
        return self.named_by or named_by

    def units(self, names: NDArray[Any]) -> NDArray[np.uint64]:
        """Numbers of the subjects of rows, whose names are of the type of all others."""
        units, kind = unit_numbers(names)
        self.named_by = self.agreed(kind)
        return units

    def add(self, rows: CleanRows, scores: NDArray[Any], units: NDArray[np.uint64], counts: Counts) -> None:
        """Count checked rows that ``counts`` has counted; ``units`` are the numbers of their subjects."""
        weights = rows.weights
        self.follow(counts)
        for start in range(0, scores.size, CHUNK):
            piece = slice(start, start + CHUNK)
            keys = counts.grid.buckets(scores[piece]) if self.bucketed else keys_of(scores[piece])
            keys, place = sorted_distinct(keys)
            code = 2 * place + rows.positive[piece]
            order = ascending_order(code)
            own = None if weights is None else weights[piece][order]
            self._add_chunk(keys, code[order], units[piece][order], own)

    def _add_chunk(self, keys: Keys, code: Keys, units: NDArray[np.uint64], weights: Keys | None) -> None:
        """Count rows in the order of their ``code``: twice the place of the key, and one more for positives."""
        times: NDArray[Any] = times_counted(units, self.drawing.replicates, self.drawing.seed)
        times = times if weights is None else times * weights[:, None]
        starts = np.flatnonzero(np.diff(code, prepend=-1))
        sums = np.zeros((2 * keys.size, self.drawing.replicates), dtype=np.int64)
        sums[code[starts]] = np.add.reduceat(times, starts, axis=0, dtype=np.int64)
        self._gather(keys, (sums[::2], sums[1::2]))

    def _gather(self, keys: Keys, sides: tuple[NDArray[np.int64], ...]) -> None:
        """Add sums at increasing keys of the same form."""
        new = keys[~np.isin(keys, self.keys, assume_unique=True)]
        if new.size:
            at = self.keys.searchsorted(new)
            self.keys = np.insert(self.keys, at, new)
            self.sides = tuple(np.insert(side, at, 0, axis=0) for side in self.sides)
        places = self.keys.searchsorted(keys)
        for mine, theirs in zip(self.sides, sides, strict=True):
            mine[places] += theirs

    def follow(self, counts: Counts) -> None:
        """Count by bucket where the sketch does."""
        if counts.collapsed and not self.bucketed:
            buckets = counts.grid.buckets(scores_of(self.keys, counts.kind))  # they never fall
            starts = np.flatnonzero(np.diff(buckets, prepend=-1))
            self.keys, self.bucketed = buckets[starts], True
            if starts.size:
                self.sides = tuple(np.add.reduceat(side, starts, axis=0) for side in self.sides)

    def absorb(self, other: Replicates, whole: Counts, theirs: Counts) -> None:
        """Add those of another sketch; ``whole`` are the counts of both, ``theirs`` those of the other."""
        self.named_by = self.agreed(other.named_by)
        added = Replicates(self.drawing)
        other.follow(theirs)
        added.keys, added.sides, added.bucketed = other.keys, other.sides, other.bucketed
        for each in (self, added):
            each.follow(whole)
        self._gather(added.keys, added.sides)

    def stored(self, keys: Keys) -> tuple[dict[str, Any], bytes]:
        """Words and bytes of a file: positives at all keys of the sketch by replicate, then negatives."""
        neg, pos = self.at(keys)
        width = next(each for each in WIDTHS if max(pos.max(initial=0), neg.max(initial=0)) < 2 ** (8 * each - 1))
        data = b"".join(side.astype(f"<i{width}").tobytes() for side in (pos, neg))
        return {**self.drawing.settings(), "named_by": self.named_by, "width": width}, data

    def hold(self, header: dict[str, Any], keys: Keys, data: bytes, *, bucketed: bool) -> None:
        """Take over what was stored."""
        both = np.frombuffer(data, dtype=f"<i{header['width']}").astype(np.int64)
        pos, neg = both.reshape(2, keys.size, self.drawing.replicates)
        self.keys, self.sides, self.bucketed = keys.copy(), (neg.copy(), pos.copy()), bucketed
        self.named_by = header["named_by"]

    def at(self, keys: Keys) -> tuple[NDArray[np.int64], ...]:
        """Negatives and positives of the replicates at all keys that the sketch counts; a column for each replicate."""
        made = tuple(np.zeros((keys.size, self.drawing.replicates), dtype=np.int64) for _ in self.sides)
        places = keys.searchsorted(self.keys)
        for whole, side in zip(made, self.sides, strict=True):
            whole[places] = side
        return made


def checked_names(given: object, rows: CleanRows, replicates: Replicates | None) -> NDArray[Any] | None:
    """The names of rows or their subjects, one for each row that is counted; None where nothing draws by them."""
    if (given is None) != (replicates is None):
        text = "a sketch with replicates needs id, the name of each row or of its subject, to draw by"
        other = "id is for replicates, which this sketch does not carry: leave it out, or make Sketch(replicates=200)"
        raise ArgumentError("id", text if given is None else other)
    if given is None:
        return None
    names, gap = read_column(given, "id")
    if gap is not None:
        text = f"id: {format_count(int(gap.sum()))} missing, {first_rows(np.flatnonzero(gap), total=int(gap.sum()))}"
        raise InputError("missing_values", f"{text}; name every row or its subject")
    if names.size != rows.scores.size:
        text = f"there are {format_count(names.size)} names in id and {format_count(rows.scores.size)} complete rows"
        raise InputError("lengths_differ", f"{text}; leave out incomplete rows and rows of weight zero, id as well")
    return names


def refuse_replicates(sketch: Any, what: str) -> None:
    """What changes cells cannot be done to a sketch that carries replicates."""
    if sketch.replicates is not None:
        text = f"a sketch that carries replicates cannot be {what}"
        raise ArgumentError("replicates", f"{text}; count the rows again without replicates")


def stored_size(header: dict[str, Any], n_counts: int) -> int:
    """Bytes of the replicates of a file."""
    return int(2 * n_counts * header["replicates"] * header["width"]) if "replicates" in header else 0
