"""Gonen and Heller's C of many rows: sums over all pairs, and the fitted slope, beside their definitions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

import rocsteady as rs
from cases import each_case
from rocsteady._src.designs.times import kernel_sums
from rocsteady._src.designs.times.concordance import concordance_of
from rocsteady._src.designs.times.hazard import AtRisk
from rocsteady._src.designs.times.kernel_sums import pair_sums
from rocsteady._src.designs.times.rows_by_time import read_times

RNG = np.random.default_rng(27)
NORMAL = RNG.normal(size=700)
LINES = {
    "few": NORMAL[:60],
    "normal": NORMAL,
    "tiny slope": 1e-9 * NORMAL,
    "steep": 300 * NORMAL,
    "very steep": 2e4 * NORMAL,
    "outliers": np.append(NORMAL, [1e6, -1e6, 3e8]),
    "ties": RNG.integers(0, 5, 700) * 1.0,
    "two values far apart": RNG.integers(0, 2, 700) * 1e9,
    "clumps": np.concatenate([1e-6 * NORMAL, 50 + NORMAL, 1e3 * RNG.random(500)]),
    "all alike": np.ones(400),
}


def all_pairs(x: Any, held: Any) -> Any:
    """The share of each pair less one half, and its derivative times the distance, as they are defined."""
    apart = np.abs(x[:, None] - x[None, :])
    low = np.exp(-apart)
    return np.array([(-np.expm1(-apart) / (1 + low) / 2) @ held, (apart * low / (1 + low) ** 2) @ held])


@each_case(("name", "weighted"), [(name, weighted) for name in LINES for weighted in (False, True)])
def test_sums_over_pairs_are_those_of_all_pairs(name: str, weighted: bool) -> None:
    x = np.sort(LINES[name])
    held = RNG.exponential(size=x.size) if weighted else None
    given = np.ones(x.size) if held is None else held
    off = np.abs(pair_sums(x, held) - all_pairs(x, given)).max(axis=1)
    assert off.max() <= 5e-15 * given.sum() * min(np.ptp(x), 1.0)


def slope_of(rows: Any) -> float:
    """The slope that rows are fitted with, found again from the derivative of the likelihood."""
    score = rows.rows.doubles_of("score")
    middle, spread = float(np.median(score)), float(np.ptp(score))
    found = AtRisk.of(rows, (score - middle) / spread)
    slope = found.fitted(found.guessed())
    assert slope is not None
    return slope / spread


def gradient(time: Any, event: Any, score: Any, w: Any, slope: float) -> tuple[float, float]:
    """The derivative of Breslow's log likelihood, and the sum of its terms' magnitudes; risk set by risk set."""
    terms = []
    for t in np.unique(time[event == 1]):
        there = time >= t
        risk = slope * score[there]
        risk = w[there] * np.exp(risk - risk[w[there] > 0].max())
        who = (time == t) & (event == 1)
        terms += (w[who] * ((score[who][:, None] - score[there]) @ risk / risk.sum())).tolist()
    return sum(terms), float(np.abs(terms).sum())


def drawn(n: int, seed: int, *, ties: bool = False) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    score = rng.normal(size=n)
    fate, stop = rng.exponential(np.exp(-score)), rng.exponential(1.0, n)
    time, event = np.minimum(fate, stop), (fate <= stop).astype(int)
    return (np.ceil(8 * time), event, score.round(1)) if ties else (time, event, score)


def outlier(when: float, event: int, score: float) -> tuple[Any, Any, Any]:
    return tuple(np.append(a, b) for a, b in zip(drawn(300, 5), (when, event, score), strict=True))  # type: ignore[return-value]


def nearly_ordered(noise: float) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(3)
    score = rng.normal(size=300)
    late = noise * rng.normal(size=300) - score
    return late - late.min() + 0.1, np.ones(300, dtype=int), score


SLOPES = {
    "plain": drawn(300, 1),
    "ties": drawn(300, 2, ties=True),
    "large scores": (*drawn(300, 1)[:2], 1e9 * drawn(300, 1)[2]),
    "small scores": (*drawn(300, 1)[:2], 1e-9 * drawn(300, 1)[2]),
    "far from zero": (*drawn(300, 1)[:2], 1e6 + drawn(300, 1)[2].round(3)),
    "an outlier among events": outlier(0.5, 1, 1e6),
    "an outlier that is censored": outlier(3.0, 0, -1e6),
    "an outlier that comes first": outlier(0.0, 1, 1e6),
    "an outlier that comes last": outlier(99.0, 0, -1e6),
    "steep": nearly_ordered(0.1),
    "very steep": nearly_ordered(1e-3),
}


def test_cells_that_meet_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_sums, "MOST_CELLS", 200)
    x, held = np.sort(LINES["steep"]), RNG.exponential(size=700)
    assert np.abs(pair_sums(x, held) - all_pairs(x, held)).max() <= 5e-15 * held.sum()


@each_case(("name", "weighted"), [(name, weighted) for name in SLOPES for weighted in (False, True)])
def test_the_slope_is_where_the_likelihood_is_flat(name: str, weighted: bool) -> None:
    time, event, score = SLOPES[name]
    w = np.random.default_rng(4).integers(0 if name == "plain" else 1, 4, time.size) if weighted else None
    slope = slope_of(read_times(time, event, {"score": score}, sample_weight=w))
    held = np.ones(time.size) if w is None else w * 1.0
    below, above = (gradient(time, event, score, held, slope * (1 + turn)) for turn in (-1e-10, 1e-10))
    room = 1e-15 * time.size * max(below[1], above[1])  # what adding so many terms rounds away
    assert below[0] * np.sign(slope) >= -room
    assert above[0] * np.sign(slope) <= room


def test_an_outlier_that_comes_first_changes_no_slope() -> None:
    alone = slope_of(read_times(*drawn(300, 5)[:2], {"score": drawn(300, 5)[2]}))
    for score in (1e3, 1e6, 1e12):
        time, event, scores = outlier(0.0, 1, score)
        assert slope_of(read_times(time, event, {"score": scores})) == pytest.approx(alone, rel=1e-13)


@each_case(("ties", "weighted"), [(ties, weighted) for ties in (False, True) for weighted in (False, True)])
def test_value_and_pulls_of_many_rows(ties: bool, weighted: bool) -> None:
    """The mean over all pairs, and its derivative by the weight of a row, which moves the slope too."""
    time, event, score = drawn(300, 6, ties=ties)
    w = np.random.default_rng(4).integers(1, 4, time.size) if weighted else np.ones(time.size, dtype=int)
    rows = read_times(
        time,
        event,
        {"score": score},
        sample_weight=w if weighted else None,
        weight_type="frequency" if weighted else None,
    )
    found = concordance_of(rows, "score", "gonen-heller")

    def value(held: Any) -> float:
        slope = brentq(lambda at: gradient(time, event, score, held, at)[0], 0.0, 5.0, xtol=1e-15, rtol=1e-15)
        total = (all_pairs(slope * score, held)[0] + held.sum() / 2) @ held - held.sum() / 2
        return float(total / (held.sum() ** 2 - held.sum()))

    assert found.value == pytest.approx(value(w * 1.0), rel=1e-12)
    for row in (0, 77, 299):
        up, down = w * 1.0, w * 1.0
        up[rows.order[row]] += 1e-3
        down[rows.order[row]] -= 1e-3
        assert found.pulls[row] == pytest.approx((value(up) - value(down)) / 2e-3, rel=1e-5, abs=1e-9)


def test_weights_are_repetitions_of_many_rows() -> None:
    time, event, score = drawn(70_000, 7, ties=True)
    w = np.random.default_rng(8).integers(1, 4, time.size)
    again = tuple(np.repeat(each, w) for each in (time, event, score))
    asked: Any = {"method": "gonen-heller"}
    one = rs.times.concordance(time, event, score, sample_weight=w, weight_type="frequency", **asked)
    two = rs.times.concordance(*again, **asked)
    assert one.estimate == pytest.approx(two.estimate, rel=1e-12)
    assert one.se == pytest.approx(two.se, rel=1e-11)


def test_a_score_that_says_nothing_has_a_concordance_of_one_half() -> None:
    time, event, _ = drawn(400, 9)
    assert rs.times.concordance(time, event, np.ones(400), method="gonen-heller").estimate == 0.5
    for name in ("an outlier that comes first", "very steep"):
        assert rs.times.concordance(*SLOPES[name], method="gonen-heller").se > 0


def test_no_slope_where_scores_order_all_events() -> None:
    time, event, _ = drawn(400, 9)
    for sign in (1, -1):
        with pytest.raises(rs.InputError, match="scores order all events"):
            rs.times.concordance(time, event, sign * time, method="gonen-heller")
