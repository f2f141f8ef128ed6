"""The steps that make many sets of one: margin, range, noise, labellings, always in this order.

Computed in plain float64 and in the order in which the thesis writes the operations, because some printed counts of its
Table 5.2 hang on the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError, short
from rocsteady._src.base.text import format_count, format_setting
from rocsteady._src.ranked.matrices import descending_rows, row_ranks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Labels = NDArray[np.bool_]
    Rows = Iterator[tuple[Array, Labels]]
    Made = Iterator[tuple[Array, Labels, bool]]

MOST_SCORES = 20
MOST_SAMPLED = 10**9  # labels of the labellings of one set, which are held at once


@dataclass(frozen=True, slots=True)
class Steps:
    """Numbers of steps, the noise, and which labellings: None keeps the own labels, 0 takes all, n > 0 samples n."""

    margin: int | None = None
    range: int | None = None
    noise: float = 0.0
    labellings: int | None = None
    seed: int = 0

    def __str__(self) -> str:
        parts = [f"margin {self.margin}" if self.margin else "", f"range {self.range}" if self.range else ""]
        parts += [f"noise {format_setting(self.noise)} (seed {self.seed})" if self.noise else ""]
        if self.labellings is not None:
            parts += [
                f"{format_count(self.labellings)} labellings (seed {self.seed})"
                if self.labellings
                else "all labellings"
            ]
        return ", ".join(part for part in parts if part)

    def notes(self) -> list[str]:
        """What was drawn by chance."""
        found = []
        if self.noise:
            found.append(
                f"normal noise with standard deviation {format_setting(self.noise)} was added, seed {self.seed}"
            )
        if self.labellings:
            found.append(
                f"{format_count(self.labellings)} labellings of each set of scores, seed "
                f"{self.seed}: all correct ones, the others "
                "drawn near them, so counts are those of a sample"
            )
        return found

    def count(self, scores: Array, labels: Labels) -> int:
        """How many sets the steps make of these."""
        rows = len(scores)
        if self.margin:
            rows = int(shrinkable(scores, labels).sum()) * (self.margin - 1) + rows
        size = scores.shape[1]
        return rows * (self.range or 1) * (1 if self.labellings is None else self.labellings or 2**size - 2)

    def not_shrunk(self, scores: Array, labels: Labels) -> int:
        """How many sets the margin step leaves alone."""
        return int((~shrinkable(scores, labels)).sum()) if self.margin else 0

    def run(self, scores: Array, labels: Labels, most: int, *, stream: int = 0) -> Made:
        """Make the sets in parts of about ``most``; the same parts every time."""
        rows = self._rows(scores, labels, most, np.random.default_rng((self.seed, stream)))
        if self.labellings is None:
            yield from ((part, its_labels, False) for part, its_labels in rows)
            return
        for part, _ in rows:
            for labellings in self._labellings(scores.shape[1], most):
                at_once = max(1, most // len(labellings))
                for start in range(0, len(part), at_once):
                    yield part[start : start + at_once], labellings, True

    def _rows(self, scores: Array, labels: Labels, most: int, rng: np.random.Generator) -> Rows:
        rows: Rows = _in_parts(scores, labels, most)
        if self.margin:
            rows = _margins(rows, self.margin, most)
        if self.range:
            rows = _ranges(rows, self.range, most)
        return _noisy(rows, self.noise, rng) if self.noise else rows

    def _labellings(self, size: int, most: int) -> Iterator[Labels]:
        if self.labellings:
            chosen = sampled_labellings(size, self.labellings, self.seed)
            yield from (chosen[start : start + most] for start in range(0, len(chosen), most))
            return
        for start in range(1, 2**size - 1, most):
            codes = np.arange(start, min(start + most, 2**size - 1))
            yield (codes[:, None] >> np.arange(size - 1, -1, -1)) & 1 > 0


def _in_parts(scores: Array, labels: Labels, most: int) -> Rows:
    for start in range(0, len(scores), max(1, most)):
        yield scores[start : start + most], labels[start : start + most]


def factors(steps: int) -> Array:
    """1 for the set itself, then f_h = 1 - (h + 1) * (1 / k) for h = 0 .. k - 2."""
    found: Array = 1 - np.arange(steps) * np.float64(1 / steps)
    return found


def _turns(steps: int, most: int) -> Iterator[Array]:
    whole = factors(steps)
    return (whole[start : start + most] for start in range(0, steps, most))


def shrinkable(scores: Array, labels: Labels) -> NDArray[np.bool_]:
    """Whether the highest score of a set is positive and its lowest negative, with nothing of the other class level."""
    low_p, high_p, low_n, high_n = _ends(scores, labels)
    return (high_p > high_n) & (low_n < low_p)


def _ends(scores: Array, labels: Labels) -> tuple[Array, Array, Array, Array]:
    """Lowest and highest positive, lowest and highest negative."""
    positive, negative = np.where(labels, scores, np.nan), np.where(labels, np.nan, scores)
    with np.errstate(invalid="ignore"):
        return np.nanmin(positive, 1), np.nanmax(positive, 1), np.nanmin(negative, 1), np.nanmax(negative, 1)


def _margins(rows: Rows, steps: int, most: int) -> Rows:
    for scores, labels in rows:
        for part, its_labels in _in_parts(scores, labels, max(1, most // steps)):
            for f in _turns(steps, most):
                yield shrink_margin(part, its_labels, f)


def shrink_margin(scores: Array, labels: Labels, f: Array) -> tuple[Array, Labels]:
    """Copies of each set with a narrower margin, one per factor: extremes stay, inner scores spread evenly.

    The lowest positive and the highest negative move towards their middle; a score that is both the lowest and the
    highest of its class moves. Sets that cannot be shrunk stay alone.
    """
    low_p, high_p, low_n, high_n = (end[:, None, None] for end in _ends(scores, labels))
    x, positive, by = scores[:, None, :], labels[:, None, :], f[None, :, None]
    middle = (low_p + high_n) / 2
    new_low, new_high = middle + (low_p - middle) * by, middle + (high_n - middle) * by
    with np.errstate(divide="ignore", invalid="ignore"):
        up = new_low + (x - low_p) * ((high_p - new_low) / (high_p - low_p))
        down = new_high - (high_n - x) * ((new_high - low_n) / (high_n - low_n))
    up = np.where(x == low_p, new_low, np.where(x == high_p, x, up))
    down = np.where(x == high_n, new_high, np.where(x == low_n, x, down))
    made = np.where(by == 1, x, np.where(positive, up, down))
    kept = shrinkable(scores, labels)[:, None] | (f == 1)
    return descending_rows(made[kept], np.broadcast_to(positive, made.shape)[kept])


def _ranges(rows: Rows, steps: int, most: int) -> Rows:
    for scores, labels in rows:
        for part, its_labels in _in_parts(scores, labels, max(1, most // steps)):
            for f in _turns(steps, most):
                yield narrow_range(part, f), np.repeat(its_labels, len(f), axis=0)


def narrow_range(scores: Array, f: Array) -> Array:
    """Copies of each set drawn together around the middle of its range, one per factor."""
    middle = ((scores[:, 0] + scores[:, -1]) / 2)[:, None, None]
    x, by = scores[:, None, :], f[None, :, None]
    made: Array = np.where(by == 1, x, middle + (x - middle) * by)  # the set itself stays as it is, to the last bit
    return made.reshape(-1, scores.shape[1])


def _noisy(rows: Rows, noise: float, rng: np.random.Generator) -> Rows:
    for scores, labels in rows:
        yield descending_rows(scores + rng.normal(0.0, noise, scores.shape), labels)


def check_all_labellings(size: int) -> None:
    """Refuse more labellings than anyone can wait for."""
    if size > MOST_SCORES:
        text = (
            f"a set of {format_count(size)} scores has 2^{size} - 2 labellings; all "
            f"of them are taken up to {MOST_SCORES} scores: "
            "sample them with distribution=1000 (--labellings 1000)"
        )
        raise InputError("too_many_labellings", text)


def sampled_labellings(size: int, n: int, seed: int) -> Any:
    """The size - 1 correct labellings, then n - size + 1 incorrect ones drawn near them.

    Each of these starts from a correct labelling, its number of positives drawn evenly; s positives and s negatives,
    drawn evenly, then exchange their labels, where s = 1, 2, 3, ... has the chances 1/2, 1/4, 1/8, ...
    """
    check_sampled_labellings(size, n)
    rng = np.random.default_rng((seed, size, n))
    correct = np.arange(size)[None, :] < np.arange(1, size)[:, None]
    drawn = n - (size - 1)
    positives = rng.integers(1, size, drawn)
    exchanged = np.minimum(rng.geometric(0.5, drawn), np.minimum(positives, size - positives))
    labels = np.arange(size)[None, :] < positives[:, None]
    # The s smallest of even draws inside each class are s members drawn evenly.
    keys = rng.random((drawn, size))
    return np.concatenate([correct, labels ^ (_lowest(keys, labels, exchanged) | _lowest(keys, ~labels, exchanged))])


def check_sampled_labellings(size: int, n: int) -> None:
    """Refuse too few to hold the correct ones, and more than memory holds."""
    if n < size:
        text = (
            f"{format_count(n)} labellings of {format_count(size)} scores cannot hold the {size - 1} "
            f"correct ones and another; take {format_count(size)} or more"
        )
        raise InputError("few_labellings", text)
    if n * size > MOST_SAMPLED:
        text = (
            f"{short(n)} labellings of {format_count(size)} scores do not fit in memory; "
            f"take {format_count(MOST_SAMPLED // size)} or fewer"
        )
        raise InputError("too_many_labellings", text)


def _lowest(keys: Array, members: Labels, how_many: NDArray[np.int64]) -> Labels:
    """Mark the members with the lowest keys, so many in each row."""
    chosen: Labels = row_ranks(np.where(members, keys, np.inf)) < how_many[:, None]
    return chosen
