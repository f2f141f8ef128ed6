"""Promises about subjects of several rows: tails gone through whole, thresholds by brute force, promises kept."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from benchmarks.guarantee_simulation import Subjects, by_subject

import rocsteady as rs
from cases import each_case
from rocsteady._src.inference.operating.subject_promise import largest_mean, mean_tail
from rocsteady.errors import ArgumentError, InputError

HALF = Fraction(1, 2)


def rows(n: int = 120) -> tuple[Any, Any, Any]:
    """Labels, tied scores and subjects of one to eight rows."""
    rng = np.random.default_rng(1)
    who = np.repeat(np.arange(n), rng.integers(1, 9, n))
    y = rng.integers(0, 2, who.size)
    return y, np.round(1.5 * y + 0.8 * rng.normal(size=n)[who] + 0.6 * rng.normal(size=who.size), 1), who


Y, S, WHO = rows()


def mean_share(hit: Any, among: Any) -> float:
    """The mean over subjects of the share of hits among some of their rows."""
    shares = [
        Fraction(int((hit & among & (each == WHO)).sum()), int((among & (each == WHO)).sum()))
        for each in np.unique(WHO[among])
    ]
    return float(sum(shares, Fraction(0)) / len(shares))


@each_case("n", [1, 3, 6])
@each_case(
    "chances",
    [
        {Fraction(0): HALF, Fraction(1): HALF},
        {Fraction(0): Fraction(8, 10), HALF: Fraction(1, 10), Fraction(1): Fraction(1, 10)},
        {Fraction(0): Fraction(1, 10), Fraction(1, 3): Fraction(9, 10)},
    ],
)
def test_no_shares_have_a_heavier_tail(n: int, chances: dict[Fraction, Fraction]) -> None:
    rate = sum(value * chance for value, chance in chances.items())
    sums = {Fraction(0): Fraction(1)}
    for _ in range(n):
        drawn = [(total + value, p * chance) for total, p in sums.items() for value, chance in chances.items()]
        sums = {total: sum((p for each, p in drawn if each == total), Fraction(0)) for total, _ in drawn}
    for limit in sums:
        exact = sum(p for total, p in sums.items() if total <= limit)
        assert mean_tail(float(limit / n), n, float(rate)) >= float(exact) - 1e-12


def test_the_largest_mean_is_where_the_tail_passes_the_risk() -> None:
    for n, rate in ((60, 0.1), (300, 0.1), (300, 0.02), (1000, 0.5)):
        most = largest_mean(n, rate, 0.05)
        assert mean_tail(most, n, rate) <= 0.05 + 1e-6 < mean_tail(most + 1.01 / n, n, rate)
    assert largest_mean(28, 0.1, 0.05) == -1  # 0.9^28 is above 0.05, 0.9^29 below
    assert largest_mean(29, 0.1, 0.05) >= 0


@each_case(
    ("rate", "bound"), [("fpr", {"at_most": 0.2}), ("specificity", {"at_least": 0.8}), ("recall", {"at_least": 0.7})]
)
def test_thresholds_are_the_furthest_that_the_tail_allows(rate: str, bound: dict[str, float]) -> None:
    found = rs.threshold_guarantee(Y, S, rate, cluster=WHO, **bound)
    among = Y == 1 if rate == "recall" else Y == 0
    limit = next(iter(bound.values()))
    allowed = limit if rate == "fpr" else 1 - limit
    n = np.unique(WHO[among]).size
    errors = {
        cut: mean_share(cut > S if rate == "recall" else cut <= S, among) for cut in [*np.unique(S).tolist(), np.inf]
    }
    kept = [cut for cut, share in errors.items() if mean_tail(share, n, allowed) <= 0.05]
    best = max(kept) if rate == "recall" else min(kept)
    assert np.array_equal(best <= S, found.threshold <= S)
    assert found.observed == pytest.approx(1 - errors[best] if "at_least" in bound else errors[best])
    assert (found.n_subjects, found.method) == (n, "Hoeffding and Bentkus, by cluster")
    assert f"mean of {n} subjects" in str(found)


def test_repeated_rows_are_frequencies() -> None:
    times = np.arange(Y.size) % 3 + 1
    y, s, who = (np.repeat(each, times) for each in (Y, S, WHO))
    whole = rs.threshold_guarantee(y, s, "fpr", at_most=0.2, cluster=who)
    counted = {"sample_weight": times, "weight_type": "frequency"}
    found = rs.threshold_guarantee(Y, S, "fpr", at_most=0.2, cluster=WHO, **counted)
    assert (found.threshold, found.observed) == (whole.threshold, pytest.approx(whole.observed))


def test_one_row_each_is_the_promise_of_rows() -> None:
    alone = rs.threshold_guarantee(Y, S, "fpr", at_most=0.1, cluster=np.arange(Y.size))
    plain = rs.threshold_guarantee(Y, S, "fpr", at_most=0.1)
    assert (alone.threshold, alone.errors, alone.method) == (
        plain.threshold,
        plain.errors,
        "order statistic, by cluster",
    )


def test_what_cannot_be_promised_is_refused() -> None:
    with pytest.raises(InputError, match=r"needs at least 299 subjects with negatives .* there are 1\d\d"):
        rs.threshold_guarantee(Y, S, "fpr", at_most=0.01, cluster=WHO)
    with pytest.raises(ArgumentError, match="keep one row of each"):
        rs.threshold_guarantee(Y, S, "precision", at_least=0.6, cluster=WHO)
    with pytest.raises(InputError, match="keep one row of each person"):
        rs.threshold_guarantee(Y, S, "fpr", at_most=0.2, cluster=(WHO, WHO))
    with pytest.raises(InputError, match="whose errors are not binomial; keep each row with the probability"):
        rs.threshold_guarantee(Y, S, "fpr", at_most=0.2, cluster=WHO, sample_weight=np.linspace(1, 2, Y.size))


def test_promises_are_kept_where_those_of_rows_are_not() -> None:
    found = by_subject(Subjects(60, 1.0, busy=False), "false_positive_rate", 0.1, 100)
    assert found["broken"] <= 0.05 < found["rows"]
