"""How much of an AUC rests on ties, exact or within a few units in the last place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, is_number, refuse_one_class
from rocsteady._src.base.exact import compensated_cumsum, exact_dot
from rocsteady._src.ranked.takes_ranked import takes_ranked
from rocsteady._src.results import TieDiagnostics

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores

NEAR_ULPS = 4
BLOCK = 1 << 14
FEW_ULPS = 16
MOST_PAIRS = 2**62


@takes_ranked
def tie_diagnostics(ranked: RankedScores, *, near_ulps: int = NEAR_ULPS) -> TieDiagnostics:
    """Share of tied pairs, AUC under best and worst tie-breaking, and pairs tied but for rounding.

    Near-ties are opposite-class pairs whose scores differ, by at most ``near_ulps`` units in the last place: of single
    precision where every score fits in it, of double precision otherwise. They count as different in every measure;
    here they are named. Costs O(distinct scores log).

    Parameters
    ----------
    y_true, y_score : array-like
        Labels and scores, or ranked scores alone.
    near_ulps : int
        How many floating-point neighbours apart still is "near".
    sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`.

    Returns
    -------
    TieDiagnostics

    Examples
    --------
    >>> import rocsteady as rs
    >>> ties = rs.measures.tie_diagnostics([1, 0, 1, 0], [0.3, 0.1 + 0.2, 0.5, 0.5])
    >>> ties.tied_pairs, ties.auc_worst, ties.auc_best, ties.near_tied_pairs, ties.auc_if_near_ties_tied
    (0.25, 0.25, 0.5, 0.25, 0.5)
    """
    refuse_one_class(ranked.n_pos, ranked.n_neg, "ties between classes need")
    if not is_number(near_ulps) or not 0 <= near_ulps < 2**52:
        raise ArgumentError("near_ulps", f"near_ulps must be >= 0 and below 2**52, got {near_ulps!r}")
    pairs = ranked.n_pos * ranked.n_neg
    wins, tied = ranked.wins_twice, ranked.tied_pairs
    near_won, near_lost = _near_pairs(ranked, near_ulps)
    return TieDiagnostics(
        tied_pairs=tied / pairs,
        auc=wins / (2 * pairs),
        auc_worst=(wins - tied) / (2 * pairs),
        auc_best=(wins + tied) / (2 * pairs),
        n_distinct=ranked.scores.size,
        near_tied_pairs=(near_won + near_lost) / pairs,
        near_ulps=near_ulps,
        auc_if_near_ties_tied=(wins + near_lost - near_won) / (2 * pairs),
        origin=ranked.origin,
    )


def _near_pairs(ranked: RankedScores, ulps: int) -> tuple[Any, Any]:
    """Near-tied pairs that the positive wins, and that it loses."""
    if ranked.scores.dtype != np.float64:
        return 0, 0
    if ranked.exact and ulps <= FEW_ULPS and ranked.n_pos * ranked.n_neg < MOST_PAIRS:
        return _near_neighbours(ranked, ulps)
    keys, pos, neg = _near_groups(ranked, ulps)
    if not keys.size:
        return 0, 0
    neg_until = np.append(0, neg.cumsum()) if ranked.exact else np.append(0.0, compensated_cumsum(neg))
    here = np.arange(keys.size)
    nearest = keys.searchsorted(keys - np.minimum(ulps, keys - keys[0]), side="left")
    farthest = keys.searchsorted(keys + np.minimum(ulps, keys[-1] - keys), side="right")
    won = exact_dot(pos, neg_until[here] - neg_until[nearest])
    lost = exact_dot(pos, neg_until[farthest] - neg_until[here + 1])
    return won, lost


def _near_neighbours(ranked: RankedScores, ulps: int) -> tuple[int, int]:
    """The same for counts: scores within so few units are at most as many groups away."""
    scores, (pos, neg) = ranked.scores, ranked.steps
    single, won, lost = _fit_in_single(scores), 0, 0
    for start in range(0, scores.size, BLOCK):
        numbers = _numbers_in_a_block(scores[start : start + BLOCK + ulps], single=single)
        for away in range(1, min(ulps, numbers.size - 1) + 1):
            near = np.flatnonzero((numbers[away:] - numbers[:-away])[:BLOCK] <= ulps) + start
            if not near.size:
                break
            won += _products(pos, near + away, neg, near)
            lost += _products(pos, near, neg, near + away)
    return won, lost


def _products(first: NDArray[Any], at: NDArray[np.intp], second: NDArray[Any], beside: NDArray[np.intp]) -> int:
    if first.dtype.kind == "b":
        return int(np.count_nonzero(first[at] & second[beside]))
    return int(first[at].astype(np.int64) @ second[beside])


def _numbers_in_a_block(scores: NDArray[np.float64], *, single: bool) -> NDArray[Any]:
    """As ``_neighbour_numbers``; above zero the bits of a float are its number already."""
    if scores[0] > 0:
        return scores.astype(np.float32).view(np.int32) if single else scores.view(np.int64)
    return _neighbour_numbers(scores, single=single)


def _near_groups(ranked: RankedScores, ulps: int) -> tuple[NDArray[np.uint64], NDArray[Any], NDArray[Any]]:
    """Groups that have a neighbour within so many units, which few have; the others form no near pair."""
    scores = ranked.scores
    single = _fit_in_single(scores)
    near = np.zeros(scores.size, dtype=bool)
    for start in range(0, scores.size, BLOCK):  # fresh memory costs more than the loop
        stop = min(start + BLOCK + 1, scores.size)
        close = np.diff(_neighbour_numbers(scores[start:stop], single=single)) <= ulps
        near[start : stop - 1] |= close
        near[start + 1 : stop] |= close
    places = np.flatnonzero(near)
    numbers = _neighbour_numbers(scores[places], single=single)
    kind = np.int64 if ranked.exact else np.float64
    pos, neg = (steps[places].astype(kind) for steps in ranked.steps)
    return numbers, pos, neg


def _fit_in_single(scores: NDArray[np.float64]) -> bool:
    with np.errstate(over="ignore"):
        return all(
            bool((part.astype(np.float32) == part).all())
            for part in (scores[start : start + BLOCK] for start in range(0, scores.size, BLOCK))
        )


def _neighbour_numbers(scores: NDArray[np.float64], *, single: bool) -> NDArray[np.uint64]:
    """Number the floats in their order, so that neighbours differ by 1; infinities lie next to the largest."""
    if single:
        bits, sign = scores.astype(np.float32).view(np.uint32).astype(np.uint64), np.uint64(1) << np.uint64(31)
        return np.where(bits & sign, 2 * sign - bits, bits + sign)
    bits, sign = np.ascontiguousarray(scores).view(np.uint64), np.uint64(1) << np.uint64(63)
    return np.where(bits & sign, ~bits + np.uint64(1), bits | sign)
