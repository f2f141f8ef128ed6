"""Score sets: small labelled sets of scores, held as arrays and made in batches when they are needed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError, first_rows
from rocsteady._src.base.text import format_count, format_setting
from rocsteady._src.extras.lab.steps import Steps
from rocsteady._src.ranked.matrices import descending_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Labels = NDArray[np.bool_]

SETS_AT_ONCE = 1 << 16
SCORES_AT_ONCE = 1 << 22
LARGEST_SCORE = 1e300


@dataclass(frozen=True, slots=True)
class Block:
    """Sets of equal size: rows of scores, from the highest to the lowest, and rows of labels.

    ``crossed``: every labelling meets every row of scores, labellings outside. Else the two go row by row.
    """

    scores: Array
    labels: Labels
    crossed: bool = False

    @property
    def n_sets(self) -> int:
        """Number of sets."""
        return len(self.scores) * len(self.labels) if self.crossed else len(self.scores)

    @property
    def size(self) -> int:
        """Number of scores in each set."""
        return int(self.scores.shape[1])

    def rows(self) -> Iterator[tuple[Labels, Array]]:
        """One set after the other."""
        if self.crossed:
            return ((labels, scores) for labels in self.labels for scores in self.scores)
        return zip(self.labels, self.scores, strict=True)


@dataclass(frozen=True, slots=True)
class ScoreSets:
    """Score sets, and the steps that make more of them; ``len`` counts what the steps will make.

    Nothing is made before it is asked for: iteration gives (labels, scores) one by one, ``blocks`` gives arrays of some
    65,000 sets at a time.

    Examples
    --------
    >>> import rocsteady as rs
    >>> sets = rs.lab.parse_sets("0.9p 0.8p 0.3n 0.1n")
    >>> many = rs.lab.generate(sets, range_steps=100, distribution=True)
    >>> many
    ScoreSets(1 source, 1,400 sets: range 100, all labellings)
    >>> labels, scores = next(iter(sets))
    >>> labels.tolist(), scores.tolist()
    ([1, 1, 0, 0], [0.9, 0.8, 0.3, 0.1])
    """

    sources: tuple[Block, ...]
    steps: Steps = field(default_factory=Steps)

    @property
    def n_sources(self) -> int:
        """Number of sets that were given."""
        return sum(block.n_sets for block in self.sources)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of scores in a set that occur."""
        return tuple(block.size for block in self.sources)

    @property
    def n_sets(self) -> int:
        """Number of sets that the steps make, also where ``len`` cannot tell it."""
        return sum(self.steps.count(block.scores, block.labels) for block in self.sources)

    def __len__(self) -> int:
        return self.n_sets

    def __iter__(self) -> Iterator[tuple[NDArray[np.int64], Array]]:
        for block in self.blocks():
            for labels, scores in block.rows():
                yield labels.astype(np.int64), scores

    def __repr__(self) -> str:
        sources = f"{format_count(self.n_sources)} source{'s' if self.n_sources > 1 else ''}"
        made = str(self.steps)
        return f"ScoreSets({sources}, {format_count(len(self))} sets{': ' + made if made else ''})"

    def blocks(self, most: int = SETS_AT_ONCE) -> Iterator[Block]:
        """All sets, in blocks of about ``most``; every call makes the same sets again."""
        for place, source in enumerate(self.sources):
            at_once = max(1, min(most, SCORES_AT_ONCE // source.size))
            for scores, labels, crossed in self.steps.run(source.scores, source.labels, at_once, stream=place):
                yield Block(scores, labels, crossed)

    def with_steps(self, steps: Steps) -> ScoreSets:
        """The same sources with other steps."""
        return replace(self, steps=steps)

    def notes(self) -> list[str]:
        """What the steps could not do, and what was drawn."""
        found = self.steps.notes()
        kept = sum(self.steps.not_shrunk(block.scores, block.labels) for block in self.sources)
        if kept:
            found.append(
                f"margin shrinking does not apply to {format_count(kept)} of "
                f"{format_count(self.n_sources)} sets (the highest score must be "
                "positive, the lowest negative): each is kept as it is, and counted once"
            )
        return found


def as_sets(sets: Any) -> ScoreSets:
    """Score sets from what people have: ScoreSets, a list of (labels, scores), text or a file of sets."""
    if isinstance(sets, ScoreSets):
        return sets
    if isinstance(sets, (str, Path)):
        from rocsteady._src.extras.lab.parse import parse_sets

        return parse_sets(sets)
    if not isinstance(sets, Iterable) or getattr(sets, "ndim", 1) == 0:
        text = f"sets are pairs of labels and scores, text or a file, got {type(sets).__name__}"
        raise InputError("sets_type", f"{text}; a set looks like 0.9p 0.8p 0.3n 0.1n")
    pairs = [_read_pair(place, item) for place, item in enumerate(sets)]
    return collect(pairs, [f"set {place + 1}" for place in range(len(pairs))])


def _read_pair(place: int, item: Any) -> tuple[Labels, Array]:
    try:
        labels, scores = item
        found = np.asarray(labels), np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        text = f"set {place + 1} cannot be read; a set is a pair (labels, scores), labels 1 and 0"
        raise InputError("score_set", text) from None
    if found[0].shape != found[1].shape or found[1].ndim != 1:
        text = f"set {place + 1} has labels of shape {found[0].shape} and scores of shape {found[1].shape}"
        raise InputError("score_set", text)
    if not np.isin(found[0], (0, 1)).all():
        raise InputError("labels", f"set {place + 1} has labels other than 1 (positive) and 0 (negative)")
    return found[0].astype(bool), found[1]


def collect(pairs: Iterable[tuple[Labels, Array]], names: list[str]) -> ScoreSets:
    """Check sets, order each from the highest score, and put those of equal size into one array."""
    by_size: dict[int, list[tuple[Labels, Array]]] = {}
    for (labels, scores), name in zip(pairs, names, strict=True):
        _check(labels, scores, name)
        by_size.setdefault(scores.size, []).append((labels, scores))
    if not by_size:
        raise InputError("empty", "there are no score sets; write one per line, such as 0.9p 0.8p 0.3n 0.1n")
    return ScoreSets(tuple(_stack(group) for group in by_size.values()))


def _stack(group: list[tuple[Labels, Array]]) -> Block:
    labels, scores = (np.array(column) for column in zip(*group, strict=True))
    return Block(*descending_rows(scores + 0.0, labels))


def _check(labels: Labels, scores: Array, name: str) -> None:
    bad = np.flatnonzero(~np.isfinite(scores))
    if bad.size:
        text = (
            f"{name}: {format_count(bad.size)} scores are not finite numbers "
            f"({first_rows(bad, total=bad.size)}); drop the set"
        )
        raise InputError("not_finite", text)
    positives = int(labels.sum())
    if positives in (0, labels.size):
        text = (
            f"{name}: a set needs both classes, and this one has {format_count(positives)} "
            f"positives among {format_count(labels.size)} scores"
        )
        raise InputError("single_class", text)
    if np.abs(scores).max() > LARGEST_SCORE:
        text = (
            f"{name}: scores beyond {format_setting(LARGEST_SCORE)} leave no room for sums of differences; rescale them"
        )
        raise InputError("score_range", text)
