"""Decisions on many samples at once: models of known cost, the thresholds that rows choose, and what follows.

Positives N(gap, 1), negatives N(0, 1) by model; scores of a row share part of their spread. What a threshold
costs on new cases is then known by normal distribution functions.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.special import ndtr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Array = NDArray[Any]

ROOM = 2_000_000  # scores of a model at once
UNSEEN = 3.0  # rows called otherwise that were not seen, of each class
LEAST = 2  # rows of a class that an interval needs


@dataclass(frozen=True)
class Design:
    """How rows come: so many, positive with a probability, models so far apart, alike by a correlation.

    ``used`` is the prevalence of the new cases where it is given, else that of the rows.
    """

    n: int
    prevalence: float
    gaps: tuple[float, ...]
    correlation: float
    used: float | None = None

    @property
    def share(self) -> float:
        return self.prevalence if self.used is None else self.used


class Sample(NamedTuple):
    """Batches by rows: who is positive, and the scores of every model."""

    positive: Array
    scores: list[Array]


@dataclass
class Compared:
    """What courses cost beyond the leader, by sample and course: estimate, standard error, truth; and who leads."""

    estimate: list[Array] = field(default_factory=list)
    se: list[Array] = field(default_factory=list)
    truth: list[Array] = field(default_factory=list)
    leader: list[Array] = field(default_factory=list)
    flattered: list[Array] = field(default_factory=list)

    def parts(self) -> list[Array]:
        """Estimate, standard error, truth, leader, and what the choice of its threshold flatters."""
        kept = (self.estimate, self.se, self.truth, self.leader, self.flattered)
        return [np.concatenate(part) for part in kept]


def samples(design: Design, n_samples: int, rng: np.random.Generator) -> Iterator[Sample]:
    """Samples that hold two rows of each class, in batches."""
    left = n_samples
    while left:
        size = min(left, max(1, ROOM // design.n))
        n_pos = rng.binomial(design.n, design.prevalence, size)
        while (bad := (n_pos < LEAST) | (n_pos > design.n - LEAST)).any():
            n_pos[bad] = rng.binomial(design.n, design.prevalence, int(bad.sum()))
        positive = np.arange(design.n) < n_pos[:, None]
        shared = np.sqrt(design.correlation) * rng.standard_normal((size, design.n), dtype=np.float32)
        own = np.sqrt(1 - design.correlation)
        drawn = (rng.standard_normal((size, design.n), dtype=np.float32) for _ in design.gaps)
        scores = [shared + own * each + gap * positive for gap, each in zip(design.gaps, drawn, strict=True)]
        yield Sample(positive, scores)
        left -= size


class Chosen(NamedTuple):
    """The threshold of a model in every sample, what it costs there, who is flagged, and what new cases cost."""

    cost: Array
    called: Array
    truth: Array


class Curve(NamedTuple):
    """A model's scores from the highest, and how many of each class stand above each."""

    scores: Array
    ordered: Array
    tp: Array
    fp: Array


def curve(positive: Array, scores: Array) -> Curve:
    order = np.argsort(-scores, axis=1)
    up = np.take_along_axis(positive, order, axis=1)
    tp = np.cumsum(up, axis=1, dtype=np.int32)
    return Curve(scores, np.take_along_axis(scores, order, axis=1), tp, np.arange(1, up.shape[1] + 1) - tp)


def chosen(design: Design, found: Curve, gap: float, cost_fp: float, cost_fn: float) -> Chosen:
    """The threshold of least cost on the rows; among equals the highest."""
    n_pos, n_neg = (counts[:, -1:].astype(float) for counts in (found.tp, found.fp))
    share = n_pos / design.n if design.used is None else design.used
    miss, alarm = share * cost_fn / n_pos, (1 - share) * cost_fp / n_neg
    cost = np.concatenate([miss * n_pos, miss * (n_pos - found.tp) + alarm * found.fp], axis=1)
    cost = np.round(cost, 12)
    place = cost.argmin(axis=1)
    highest = np.full((len(cost), 1), np.inf, dtype=found.ordered.dtype)
    cut = np.take_along_axis(np.concatenate([highest, found.ordered], axis=1), place[:, None], axis=1)
    least = np.take_along_axis(cost, place[:, None], axis=1)[:, 0]
    return Chosen(least, found.scores >= cut, _expected(design, cut[:, 0].astype(float), gap, cost_fp, cost_fn))


def _expected(design: Design, cut: Array, gap: float, cost_fp: float, cost_fn: float) -> Array:
    share = design.share
    return share * cost_fn * ndtr(cut - gap) + (1 - share) * cost_fp * ndtr(-cut)


def alike(design: Design, positive: Array, flagged: bool, cost_fp: float, cost_fn: float) -> Chosen:
    """Everybody or nobody."""
    n_pos = positive.sum(axis=1)
    share = n_pos / design.n if design.used is None else np.full(len(positive), design.used)
    of_rows = (1 - share) * cost_fp if flagged else share * cost_fn
    truth = (1 - design.share) * cost_fp if flagged else design.share * cost_fn
    return Chosen(of_rows, np.full(positive.shape, flagged), np.full(len(positive), truth))


def beyond(
    design: Design, positive: Array, one: Chosen, first: Chosen, costs: tuple[float, float]
) -> tuple[Array, Array]:
    """Mean difference and standard error as ``Evaluation.decide`` has them, from counts of rows called otherwise."""
    cost_fp, cost_fn = costs
    n_pos = positive.sum(axis=1)
    n_neg = design.n - n_pos
    only, lost = one.called & ~first.called, first.called & ~one.called
    up_pos, down_pos = (((part & positive).sum(axis=1)) for part in (only, lost))
    up_neg, down_neg = (part.sum(axis=1) - inner for part, inner in ((only, up_pos), (lost, down_pos)))
    sums = -cost_fn * (up_pos - down_pos), cost_fp * (up_neg - down_neg)
    squares = cost_fn**2 * (up_pos + down_pos), cost_fp**2 * (up_neg + down_neg)
    if design.used is None:
        share, mean = n_pos / design.n, (sums[0] + sums[1]) / design.n
        variance = np.maximum(squares[0] + squares[1] - design.n * mean**2, 0) / (design.n - 1) / design.n
    else:
        share = np.full(len(positive), design.used)
        mean, variance = np.zeros(len(positive)), np.zeros(len(positive))
        for total, square, n, part in zip(sums, squares, (n_pos, n_neg), (share, 1 - share), strict=True):
            mean += part * total / n
            variance += part**2 * np.maximum(square - total**2 / n, 0) / (n - 1) / n
    unseen = UNSEEN * ((share * cost_fn / (n_pos + 2)) ** 2 + ((1 - share) * cost_fp / (n_neg + 2)) ** 2)
    same = (one.called == first.called).all(axis=1) & (one.called.all(axis=1) | ~one.called.any(axis=1))
    return mean, np.where(same, 0.0, np.sqrt(variance + unseen))


def flattered(design: Design, above: Array, costs: tuple[float, float], n_resamples: int, rng: Any) -> Array:
    """How much less the rows of a sample cost than new cases, by resamples; ``above`` are labels by falling score."""
    found = np.zeros(len(above))
    for place, up in enumerate(above if n_resamples else ()):
        drawn = rng.multinomial(design.n, np.full(design.n, 1 / design.n), size=n_resamples)
        tp, fp = (np.cumsum(drawn * side, axis=1) for side in (up, ~up))
        whole = (tp[:, -1] > 0) & (fp[:, -1] > 0)
        tp, fp = (np.pad(counts[whole], ((0, 0), (1, 0))) for counts in (tp, fp))
        n_pos, n_neg = tp[:, -1:], fp[:, -1:]
        share = n_pos / design.n if design.used is None else design.used
        lost = share * costs[1] * (1 - tp / n_pos) + (1 - share) * costs[0] * fp / n_neg
        best = np.round(lost, 12).argmin(axis=1)[:, None]
        there = [np.take_along_axis(counts, best, axis=1) / counts[:, -1:] for counts in (tp, fp)]
        here = [np.concatenate([[0], np.cumsum(side)])[best] / side.sum() for side in (up, ~up)]
        apart = [float((one - two).mean()) for one, two in zip(there, here, strict=True)]
        of_rows = up.mean() if design.used is None else design.used
        found[place] = max(of_rows * costs[1] * apart[0] - (1 - of_rows) * costs[0] * apart[1], 0)
    return found


def compared(
    design: Design,
    n_samples: int,
    costs: tuple[tuple[float, float], ...],
    rng: np.random.Generator,
    n_resamples: int = 0,
) -> dict[tuple[float, float], Compared]:
    """What all others cost beyond the leader at each pair of costs; nobody and everybody are the last two courses."""
    found = {pair: Compared() for pair in costs}
    for positive, scores in samples(design, n_samples, rng):
        curves = [curve(positive, each) for each in scores]
        rising = np.stack([np.diff(each.tp, axis=1, prepend=0) for each in curves], axis=1) > 0
        for pair in costs:
            models = [chosen(design, each, gap, *pair) for each, gap in zip(curves, design.gaps, strict=True)]
            leader = _add(found[pair], design, positive, models, pair)
            above = rising[np.arange(len(positive)), leader]
            found[pair].flattered.append(flattered(design, above, pair, n_resamples, rng))
    return found


def _add(found: Compared, design: Design, positive: Array, models: list[Chosen], pair: tuple[float, float]) -> Array:
    leader: Array = np.stack([each.cost for each in models], axis=1).argmin(axis=1)
    rows = np.arange(len(positive))
    first = Chosen(*(np.stack(part, axis=1)[rows, leader] for part in zip(*models, strict=True)))
    courses = [*models, *(alike(design, positive, flagged, *pair) for flagged in (False, True))]
    tests = [beyond(design, positive, each, first, pair) for each in courses]
    found.estimate.append(np.stack([test[0] for test in tests], axis=1))
    found.se.append(np.stack([test[1] for test in tests], axis=1))
    found.truth.append(np.stack([each.truth - first.truth for each in courses], axis=1))
    found.leader.append(leader)
    return leader
