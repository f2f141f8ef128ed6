"""Sorted keys, their groups and what is summed in blocks, against plain code on rows in order."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from cases import each_case
from rocsteady._src.base import exact
from rocsteady._src.measures import ties
from rocsteady._src.ranked import counted, keyed, pairs, running, sortkeys, walks
from rocsteady._src.ranked.keyed import SortedKeys
from rocsteady._src.ranked.scores import RankedScores

SIZE = 700
KINDS = {
    "continuous": lambda rng: rng.normal(size=SIZE),
    "single": lambda rng: rng.normal(size=SIZE).round(2).astype(np.float32),
    "rounded": lambda rng: rng.normal(size=SIZE).round(2),
    "shares": lambda rng: rng.random(SIZE).round(3),
    "few": lambda rng: rng.integers(-3, 3, SIZE) / 4,
    "one": lambda rng: np.full(SIZE, -0.5),
    "whole": lambda rng: rng.integers(-400, 400, SIZE),
    "zeros": lambda rng: rng.choice([-0.0, 0.0, 1.0, -1.0], SIZE),
    "infinite": lambda rng: rng.choice([-np.inf, -1.0, 0.5, np.inf], SIZE),
    "neighbours": lambda rng: 1.0 + rng.integers(0, 900, SIZE) * np.finfo(float).eps,
    "below zero": lambda rng: -1.0 - rng.integers(0, 900, SIZE) * np.finfo(float).eps,
    "around zero": lambda rng: rng.integers(-300, 300, SIZE) * 5e-324,
}
CASES = list(itertools.product(KINDS, (0.03, 0.4)))


def rows_of(kind: str, share: float) -> tuple[Any, Any]:
    rng = np.random.default_rng([len(kind), int(100 * share)])
    scores = KINDS[kind](rng)
    return rng.random(SIZE) < share, scores


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (keyed, running, walks, ties, exact):
        monkeypatch.setattr(module, "BLOCK", 7)
    monkeypatch.setattr(pairs, "BLOCK", 128)
    monkeypatch.setattr(pairs, "LONGEST_STEP", 5)
    monkeypatch.setattr(sortkeys, "LARGE_BLOCK", 7)
    monkeypatch.setattr(sortkeys, "MANY_KEYS", 100)
    monkeypatch.setattr(running, "FEW_PLACES", 50)


def plain(positive: Any, scores: Any) -> RankedScores:
    distinct, place = np.unique(scores.astype(np.float64) + 0.0, return_inverse=True)
    pos = np.bincount(place[positive], minlength=distinct.size)
    return RankedScores.from_counts(distinct, pos, np.bincount(place, minlength=distinct.size) - pos)


def keyed_scores(positive: Any, scores: Any) -> RankedScores:
    made = RankedScores.__new__(RankedScores)
    vars(made).update(_sorted=SortedKeys.of(positive, scores), origin=rs.rank([1, 0], [1, 0]).origin)
    return made


@each_case(("kind", "share"), CASES)
def test_groups_of_keys(kind: str, share: float) -> None:
    positive, scores = rows_of(kind, share)
    made, wanted = keyed_scores(positive, scores), plain(positive, scores)
    np.testing.assert_array_equal(made.scores, wanted.scores)
    for name in ("pos", "neg", "pos_through", "neg_through", "pos_below", "neg_below"):
        np.testing.assert_array_equal(getattr(made, name), getattr(wanted, name), err_msg=name)
        assert getattr(made, name).dtype == np.int64
    for found, known in zip(made.called_positive, wanted.called_positive, strict=True):
        np.testing.assert_array_equal(found, known)


@each_case(("kind", "share"), CASES)
def test_sums_in_blocks(kind: str, share: float) -> None:
    positive, scores = rows_of(kind, share)
    made, wanted = keyed_scores(positive, scores), plain(positive, scores)
    assert keyed_scores(positive, scores).wins_twice == made.wins_twice == wanted.wins_twice
    assert made.tied_pairs == wanted.tied_pairs == int(wanted.pos @ wanted.neg)
    for found, known in zip(made.at_positives, wanted.at_positives, strict=True):
        np.testing.assert_array_equal(np.broadcast_to(found, np.shape(known)), known)
    for places in (np.arange(wanted.scores.size + 1), np.arange(wanted.scores.size + 1)[::31]):
        for found, known in zip(made.called_from(places), wanted.called_positive, strict=True):
            np.testing.assert_array_equal(found, known[wanted.scores.size - places])


@each_case(("kind", "share"), CASES)
def test_measures_of_keys(kind: str, share: float) -> None:
    positive, scores = rows_of(kind, share)
    made, wanted = keyed_scores(positive, scores), plain(positive, scores)
    for name in ("auc", "ks_statistic", "h_measure", "average_precision", "auch"):
        assert getattr(rs, name)(made) == pytest.approx(getattr(rs, name)(wanted), rel=1e-13, abs=1e-15), name


@each_case(("kind", "share"), CASES)
def test_near_ties(kind: str, share: float) -> None:
    positive, scores = rows_of(kind, share)
    made, wanted = keyed_scores(positive, scores), plain(positive, scores)
    numbers = neighbour_numbers(wanted.scores)
    placed = (numbers + 2**63).astype(np.uint64)  # whose differences are exact
    higher, lower = (side.outer(placed, placed) for side in (np.maximum, np.minimum))
    apart = np.minimum(higher - lower, 2**40).astype(np.int64)
    pos, neg = (held.astype(np.int64) for held in (wanted.pos, wanted.neg))
    for ulps in (0, 1, 4, 16, 17, 1000):
        close = (apart <= ulps).astype(np.int64)
        won, lost = (int(pos @ side(close) @ neg) for side in (below, above))
        assert ties._near_pairs(made, ulps) == (won, lost), ulps


def below(pairs: Any) -> Any:
    return np.tril(pairs, -1)


def above(pairs: Any) -> Any:
    return np.triu(pairs, 1)


def neighbour_numbers(scores: Any) -> Any:
    """The place of each float among all floats, of single precision where all scores are."""
    with np.errstate(over="ignore"):
        single = scores.astype(np.float32)
    if (single == scores).all():
        bits = single.view(np.int32).astype(object)
        return np.where(bits < 0, -(bits + 2**31), bits)
    bits = scores.view(np.int64).astype(object)
    return np.where(bits < 0, -(bits + 2**63), bits)


@each_case("n_values", [1, 2, 20, 300, 2000, 10**6])
@each_case("size", [1, 63, 64, 65, 128, 600, 1000])
@pytest.mark.parametrize("way", [{}, {"FEW_GROUPS": 0}, {"FEW_GROUPS": 2}, {"FEW_GROUPS": 0, "LONGEST_STEP": 3}])
def test_pairs_by_steps_and_by_groups(
    n_values: int, size: int, way: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in way.items():
        monkeypatch.setattr(pairs, name, value)
    rng = np.random.default_rng([n_values, size])
    scores, labels = rng.integers(0, n_values, size), rng.integers(0, 2, size)
    pos, neg = (np.array(scores[labels == flag], dtype=int) for flag in (1, 0))
    expected = int(2 * (pos[:, None] > neg).sum() + (pos[:, None] == neg).sum())
    for kind in (np.int32, np.int64):
        keys = np.sort(2 * scores + labels).astype(kind)
        assert pairs.wins_twice(keys) == expected


@each_case("lowest", [-(2**63), -(2**31), -7, 2**31 - 5, 2**62, 2**63 - 2**31, 2**64 - 2**31])
@each_case("width", [3, 900, 2**31 - 1])
def test_whole_numbers_close_together_are_sorted_on_32_bits(lowest: int, width: int) -> None:
    rng = np.random.default_rng(width)
    exact = [lowest, lowest + width] + [lowest + int(step) for step in rng.integers(0, width + 1, 400)]
    scores = np.array(exact, dtype=np.uint64 if lowest > 2**62 else np.int64)
    positive = rng.random(scores.size) < 0.4
    found = SortedKeys.of(positive, scores)
    assert found.keys.itemsize == 4
    twice = sum(
        2 * (a > b) + (a == b)
        for a, flag in zip(exact, positive, strict=True)
        if flag
        for b, other in zip(exact, positive, strict=True)
        if not other
    )
    assert found.wins_twice() == twice
    groups = found.groups()
    assert groups.scores.dtype == scores.dtype
    assert groups.scores.tolist() == sorted(set(exact))


@pytest.mark.filterwarnings("ignore:some scores are infinite")
@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("kind", ["f2", "f4", "f8", "i1", "u1", "i2", "u4", "i8", "u8"])
def test_auc_of_every_type_is_that_of_all_pairs(kind: str, wide: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted, "MANY_ROWS", 10**9)  # sorted, not counted
    rng = np.random.default_rng([ord(kind[0]), wide])
    drawn = rng.normal(size=SIZE) * (1000 if wide else 3)
    if np.dtype(kind).kind == "f":
        scores = drawn.astype(kind)
        scores[rng.integers(0, SIZE, 60)] = rng.choice([0.0, -0.0, np.inf, -np.inf], 60)
    else:
        scores = (abs(drawn) if kind[0] == "u" else drawn).astype(np.int64).astype(kind)
    positive = rng.random(SIZE) < 0.3
    pos, neg = (scores[flags].astype(object) for flags in (positive, ~positive))
    twice = sum(2 * int((a > neg).sum()) + int((a == neg).sum()) for a in pos)
    assert rs.auc(positive, scores) == twice / (2 * pos.size * neg.size)
    if np.dtype(kind).kind == "f":
        scores[7] = np.nan
        with pytest.raises(rs.InputError, match="1 missing, row 7"):
            rs.auc(positive, scores)
