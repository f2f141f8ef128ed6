"""Measures of scores that claim to be probabilities: how far they are from what happened, in O(distinct scores)."""

from __future__ import annotations

import math
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady._src.base.errors import ArgumentError, is_number, refuse_outside, short
from rocsteady._src.base.text import format_count
from rocsteady._src.measures.registry import WITHIN_CLASSES, measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores

    Array = NDArray[Any]

Strategy = Literal["quantile", "uniform"]
UNBOUNDED = float("inf")
CHUNK = 1 << 13
MOST_BINS = 1_000_000
NEARLY = 1e-9  # of the total weight: sums of fractions that should meet an edge miss it by rounding

of_probabilities = partial(
    measure, family="probability", needs_finite=True, invariances=("order", "merge", "weights=repeats")
)


@of_probabilities(
    label="Brier score",
    better="lower",
    bounds=(0, 1),
    undefined_when=("empty",),
    reference="Brier 1950",
)
def brier_score(ranked: RankedScores) -> float:
    """Mean squared difference between the score and what happened, 1 or 0.

    It is small when scores are both calibrated and discriminating; :func:`rocsteady.calibration.brier_decomposition`
    tells the two
    apart. A rare event makes it small for any model: compare with the base rate, as ``scaled_brier`` does.

    Examples
    --------
    >>> import rocsteady as rs
    >>> round(rs.brier_score([1, 1, 0, 0], [0.9, 0.6, 0.4, 0.1]), 6)
    0.085
    """
    probabilities_of(ranked, "brier_score")
    squares = math.fsum(pos @ (1 - s) ** 2 + neg @ s.astype(np.float64) ** 2 for s, pos, neg in ranked.chunks())
    return squares / float(ranked.n_rows_counted)


@of_probabilities(
    label="Scaled Brier score",
    better="higher",
    bounds=(-UNBOUNDED, 1),
    chance=0.0,
    undefined_when=("single_class",),
    reference="Brier skill score; index of prediction accuracy, Kattan and Gerds 2018",
)
def scaled_brier(ranked: RankedScores) -> float:
    """One minus the Brier score over that of the base rate: 1 is perfect, 0 no better than the share of positives.

    Examples
    --------
    >>> import rocsteady as rs
    >>> round(rs.measures.scaled_brier([1, 1, 0, 0], [0.9, 0.6, 0.4, 0.1]), 6)
    0.66
    """
    total = ranked.n_rows_counted
    share = ranked.n_pos / total
    if ranked.scores.size == 1:  # as below by algebra, and exactly 0 for the base rate
        apart = float(ranked.doubles[0]) - share
        return float(0.0 - apart * apart / (share * (ranked.n_neg / total)))
    return float(1 - brier_score.sheet.formula(ranked) / (share * (ranked.n_neg / total)))


@of_probabilities(
    label="Log loss",
    better="lower",
    bounds=(0, UNBOUNDED),
    undefined_when=("empty",),
    reference="Good 1952",
)
def log_loss(ranked: RankedScores) -> float:
    """Mean of minus the natural logarithm of the probability given to what happened.

    A score of exactly 0 for a positive or 1 for a negative makes it infinite; nothing is clipped.

    Examples
    --------
    >>> import rocsteady as rs
    >>> round(rs.log_loss([1, 1, 0, 0], [0.9, 0.6, 0.4, 0.1]), 6)
    0.308093
    >>> rs.log_loss([1, 0], [0.9, 1.0])
    inf
    """
    probabilities_of(ranked, "log_loss")
    if ranked.row_labels is not None and ranked.scores[-1] < 1 and ranked.scores[0] > 0:
        total = math.fsum(np.log(np.where(pos, s, 1 - s)).sum() for s, pos, _ in ranked.chunks())
    else:
        total = math.fsum(_log_chunk(s.astype(np.float64), pos, neg) for s, pos, neg in ranked.chunks())
    return -total / float(ranked.n_rows_counted) + 0.0


def _log_chunk(scores: NDArray[np.float64], pos: NDArray[np.float64], neg: NDArray[np.float64]) -> float:
    """Sum of the logarithms; at 0 and 1 a class that is absent must not turn 0 times infinity into NaN."""
    with np.errstate(divide="ignore"):
        of_pos, of_neg = np.log(scores), np.log1p(-scores)
    if scores[0] == 0 and not pos[0]:
        of_pos[0] = 0
    if scores[-1] == 1 and not neg[-1]:
        of_neg[-1] = 0
    return float(pos @ of_pos + neg @ of_neg)


@of_probabilities(
    label="Information score",
    better="higher",
    bounds=(-UNBOUNDED, UNBOUNDED),
    chance=0.0,
    undefined_when=("single_class",),
    reference="Kononenko and Bratko 1991",
)
def information_score(ranked: RankedScores, *, prevalence: float | None = None) -> float:
    """Bits of information per row that the scores add to the share of positives; misleading ones are taken off.

    A probability s of the class that happened, whose share is r, adds log2(s / r) where s is at least r, and takes off
    log2((1 - s) / (1 - r)) where it is below. The share itself as a score gives 0, certainty that is always right the
    entropy of the classes. The score is finite even where a sure score is wrong, and not proper: with probability p
    of a positive the best score is 0 or 1, not p, so that it rewards scores that are too sure. Choose probabilities by
    ``log_loss``.

    Parameters
    ----------
    prevalence : float, optional
        Share of positives before the scores were known, as in the rows that a model learned from; of these rows by
        default.

    Examples
    --------
    >>> import rocsteady as rs
    >>> round(rs.measures.information_score([1, 1, 0, 0], [0.9, 0.6, 0.4, 0.1]), 6)
    0.555516
    >>> rs.measures.information_score([1, 1, 0, 0], [1, 1, 0, 0]), rs.measures.information_score([1, 0], [0.5, 0.5])
    (1.0, 0.0)
    """
    probabilities_of(ranked, "information_score")
    prior = _prior(ranked, prevalence)
    bits = math.fsum(_bits(s.astype(np.float64), pos, neg, prior) for s, pos, neg in ranked.chunks())
    return bits / float(ranked.n_rows_counted) + 0.0


@of_probabilities(
    label="Relative information score",
    better="higher",
    bounds=(-UNBOUNDED, UNBOUNDED),
    chance=0.0,
    undefined_when=("single_class",),
    reference="Kononenko and Bratko 1991",
)
def relative_information_score(ranked: RankedScores, *, prevalence: float | None = None) -> float:
    """Information score over the entropy of the classes: 1 when certain and right, 0 for the share of positives.

    Parameters
    ----------
    prevalence : float, optional
        As in ``information_score``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> round(rs.measures.relative_information_score([1, 0, 0, 0], [0.7, 0.4, 0.2, 0.1]), 6)
    0.358539
    """
    entropy = -sum(share * math.log2(share) for share in _prior(ranked, prevalence))
    return float(information_score.sheet.formula(ranked, prevalence=prevalence) / entropy)


def _prior(ranked: RankedScores, prevalence: float | None) -> tuple[float, float]:
    """Shares of both classes, each from its own weight: 1 - share would lose a class of very small weight."""
    if prevalence is None:
        return float(ranked.n_pos / ranked.n_rows_counted), float(ranked.n_neg / ranked.n_rows_counted)
    if not (is_number(prevalence) and 0 < prevalence < 1):
        raise ArgumentError("prevalence", f"prevalence must lie between 0 and 1, got {prevalence!r}")
    return float(prevalence), 1 - float(prevalence)


def _bits(s: NDArray[np.float64], pos: NDArray[Any], neg: NDArray[Any], prior: tuple[float, float]) -> float:
    added = _added(s, *prior)
    return float(pos @ added - neg @ added)


def _added(scores: NDArray[np.float64], share: float, rest: float) -> NDArray[np.float64]:
    """Bits that a score adds when the row is positive; when it is negative it takes off as many."""
    above = scores >= share
    part = np.where(above, scores / share, (1 - scores) / rest)
    return np.where(above, np.log2(part), -np.log2(part))


@of_probabilities(
    label="Expected calibration error",
    better="lower",
    bounds=(0, 1),
    undefined_when=("empty",),
    ends="corrected",
    reference="Naeini, Cooper and Hauskrecht 2015",
)
def expected_calibration_error(ranked: RankedScores, *, n_bins: int = 10, strategy: Strategy = "quantile") -> float:
    """Mean over bins of the distance between mean score and share of positives, bins weighted by their rows.

    It is biased upwards: chance moves every bin away from its mean score, so that a perfectly calibrated model does not
    get 0, and the fewer the rows per bin, the more. :func:`rocsteady.calibration.calibration_summary` puts beside it
    the value to
    expect under perfect calibration. It also depends on the bins: errors that cancel within a bin are not seen. Rows
    of equal score are never split.

    Parameters
    ----------
    n_bins : int
        Number of bins; fewer remain where ties or empty stretches leave no rows to a bin.
    strategy : {"quantile", "uniform"}
        Bins of about equally many rows, or of equal width.

    Examples
    --------
    >>> import rocsteady as rs
    >>> round(rs.measures.expected_calibration_error([1, 1, 0, 0], [0.9, 0.6, 0.4, 0.1], n_bins=2), 6)
    0.25
    """
    probabilities_of(ranked, "expected_calibration_error")
    pos, _, scores, _ = bin_sums(ranked, bin_starts(ranked, n_bins, strategy))
    return float(np.abs(pos - scores).sum() / ranked.n_rows_counted)


@of_probabilities(
    label="Discrimination slope",
    better="higher",
    bounds=(-1, 1),
    chance=0.0,
    label_swap="-x",
    undefined_when=("single_class",),
    resampling=WITHIN_CLASSES,
    reference="Yates 1982; Tjur 2009",
)
def discrimination_slope(ranked: RankedScores) -> float:
    """Mean score of the positives minus mean score of the negatives, for probabilities.

    Examples
    --------
    >>> import rocsteady as rs
    >>> round(rs.measures.discrimination_slope([1, 1, 0, 0], [0.9, 0.6, 0.4, 0.1]), 6)
    0.5
    """
    scores = probabilities_of(ranked, "discrimination_slope")
    return float(ranked.pos @ scores / ranked.n_pos - ranked.neg @ scores / ranked.n_neg)


def probabilities_of(ranked: RankedScores, name: str) -> NDArray[np.float64]:
    """The scores as float64; those that cannot be probabilities are refused, never squeezed into [0, 1]."""
    scores = ranked.scores
    if scores.size:
        refuse_outside(scores[0], scores[-1], f"{name} needs probabilities")
    return ranked.doubles


def check_bins(n_bins: int) -> None:
    """Refuse what is no number of bins."""
    if not (isinstance(n_bins, (int, np.integer)) and n_bins >= 1):
        raise ArgumentError("n_bins", f"n_bins must be a whole number of at least 1, got {n_bins!r}")
    if n_bins > MOST_BINS:
        raise ArgumentError("n_bins", f"n_bins must be at most {format_count(MOST_BINS)}, got {short(n_bins)}")


def bin_starts(ranked: RankedScores, n_bins: int, strategy: str) -> NDArray[np.int64]:
    """Index of the first group of every bin that holds rows; a bin includes its upper edge."""
    check_bins(n_bins)
    if strategy not in ("quantile", "uniform"):
        raise ArgumentError("strategy", f"strategy must be 'quantile' or 'uniform', got {strategy!r}")
    if strategy == "uniform":
        edges = np.linspace(0, 1, n_bins + 1)[1:-1]
        starts = ranked.doubles.searchsorted(edges, side="right")
    else:
        starts = quantile_groups(ranked, n_bins)[0] + 1
    starts = np.concatenate([[0], starts])
    # Edges rise, so that repeated starts stand side by side.
    return starts[(np.diff(starts, prepend=-1) > 0) & (starts < ranked.scores.size)]


def quantile_groups(ranked: RankedScores, n_bins: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Groups of the order statistics around each inner quantile: the last at or below it, the first at or above it.

    For whole weights these are the quantiles that R (type 7) and NumPy take by default, in whole numbers, so that no
    rounding can move a row across an edge. For other weights: the lowest score that reaches the share of the weight.
    """
    distinct = ranked.row_labels is not None  # a row in each group, so that the place is the number of rows before it
    through = None if distinct else ranked.pos_through + ranked.neg_through
    if distinct or _whole(ranked):
        steps = np.array([divmod(k * (int(ranked.n_rows_counted) - 1), n_bins) for k in range(1, n_bins)], dtype=object)
        lower = steps[:, 0].astype(np.int64) if n_bins > 1 else np.zeros(0, dtype=np.int64)
        upper = lower + (steps[:, 1] > 0) if n_bins > 1 else lower
        if through is None:
            return lower, upper
        return through.searchsorted(lower, side="right"), through.searchsorted(upper, side="right")
    wanted = (np.arange(1, n_bins) / n_bins - NEARLY) * ranked.n_rows_counted
    groups = (ranked.pos_through + ranked.neg_through if through is None else through).searchsorted(wanted)
    return groups, groups


def _sums_of_rows(ranked: RankedScores, low: int, high: int) -> tuple[float, float, float, float]:
    """Sums over one bin of rows that all differ in score."""
    pieces = [slice(start, min(start + CHUNK, high)) for start in range(low, high, CHUNK)]
    labels = ranked.row_labels if ranked.row_labels is not None else ranked.pos
    scores = [ranked.doubles[piece] for piece in pieces]
    pos = sum(int(np.count_nonzero(labels[piece])) for piece in pieces)
    return float(pos), float(high - low), math.fsum(s.sum() for s in scores), math.fsum(s @ s for s in scores)


def bin_sums(ranked: RankedScores, starts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Sums over bins of neighbouring groups: positives, rows, rows times score, rows times score squared; in chunks."""
    edges = np.append(starts, ranked.scores.size)
    if ranked.row_labels is not None:
        bins = (_sums_of_rows(ranked, int(low), int(high)) for low, high in pairwise(edges.tolist()))
        return np.array(list(bins)).T.reshape(4, starts.size)
    sums = np.zeros((4, starts.size))
    first = 0
    for piece, pos, neg in ranked.chunks():
        scores, rows = piece.astype(np.float64, copy=False), pos + neg
        lines = np.stack([pos, rows, rows * scores, rows * scores**2])
        low, high = edges.searchsorted([first, first + scores.size - 1], side="right") - 1
        cuts = np.maximum(edges[low : high + 1] - first, 0)
        sums[:, low : high + 1] += np.add.reduceat(lines, cuts, axis=1)
        first += scores.size
    return sums


def _whole(ranked: RankedScores) -> bool:
    if ranked.exact:
        return True
    small = ranked.n_rows_counted < 2**53
    return small and not (np.mod(ranked.pos, 1).any() or np.mod(ranked.neg, 1).any())
