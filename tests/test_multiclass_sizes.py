"""Class sizes by design, areas of 1, and probabilities written with few decimals."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest

import rocsteady as rs

N, K = 120, 3


def sample(seed: int = 5) -> tuple[Any, Any, Any]:
    """Labels and the probabilities of two models; micro averages of such classes differ much between classes."""
    rng = np.random.default_rng(seed)
    y = rng.choice(K, N, p=[0.6, 0.3, 0.1])
    raw = [rng.normal(size=(N, K)) + gap * np.eye(K)[y] + [2.0, 1.0, 0.0] for gap in (1.5, 1.0)]
    first, second = (np.exp(each) / np.exp(each).sum(axis=1, keepdims=True) for each in raw)
    return y, first, second


def beats(positives: Any, negatives: Any) -> Any:
    wins = np.sign(positives[:, None] - negatives[None, :])
    return (wins + 1) / 2


def micro_by_rows(y: Any, scores: Any) -> Any:
    """What each row adds to the micro average: all its scores as predictions, against all pairs."""
    own = np.eye(K, dtype=bool)[y]
    won = beats(scores[own], scores[~own])
    of_rows = won.mean(axis=1) / won.shape[0]
    others = (won.mean(axis=0) / won.shape[1]).reshape(y.size, K - 1).sum(axis=1)
    return of_rows + others


def class_by_rows(y: Any, scores: Any, label: int) -> Any:
    """What each row adds to the area of a class against the rest."""
    own = y == label
    won = beats(scores[own, label], scores[~own, label])
    added = np.zeros(y.size)
    added[own], added[~own] = won.mean(axis=1) / own.sum(), won.mean(axis=0) / (~own).sum()
    return added


def within(y: Any, added: Any) -> float:
    return math.sqrt(sum((y == c).sum() * np.var(added[y == c], ddof=1) for c in range(K)))


class TestFixedSizes:
    def test_micro_is_the_spread_within_classes(self) -> None:
        y, first, second = sample()
        found = rs.multiclass_auc_interval(y, first, average="micro", class_sizes="fixed")
        assert found.se == pytest.approx(within(y, micro_by_rows(y, first)), rel=1e-10)
        assert found.se < 0.9 * rs.multiclass_auc_interval(y, first, average="micro").se
        test = rs.compare_multiclass_auc(y, first, second, average="micro", class_sizes="fixed")
        by_rows = micro_by_rows(y, first) - micro_by_rows(y, second)
        assert test.se == pytest.approx(within(y, by_rows), rel=1e-10)

    def test_of_a_class_is_the_spread_within_all_classes(self) -> None:
        y, first, _ = sample()
        found = rs.multiclass_auc_interval(y, first, average=None, class_sizes="fixed")
        for label, interval in found.items():
            assert interval.se == pytest.approx(within(y, class_by_rows(y, first, label)), rel=1e-10)

    def test_two_classes_are_delongs(self) -> None:
        y, first, _ = sample()
        y, score = y[y < 2], first[y < 2, 1]
        found = rs.multiclass_auc_interval(y, np.stack([1 - score, score], axis=1), average=None, class_sizes="fixed")
        assert found[1].se == pytest.approx(rs.auc_interval(y, score).se, rel=1e-10)

    def test_micro_against_a_bootstrap_of_each_kind(self) -> None:
        y, first, _ = sample()
        rng, places = np.random.default_rng(1), [np.flatnonzero(sample()[0] == c) for c in range(K)]

        def area(chosen: Any) -> float:
            return float(rs.multiclass_auc(y[chosen], first[chosen], average="micro", labels=[0, 1, 2]))

        by_design = [area(np.concatenate([rng.choice(each, each.size) for each in places])) for _ in range(500)]
        as_they_come = [area(rng.integers(0, N, N)) for _ in range(500)]
        for values, sizes in ((by_design, "fixed"), (as_they_come, "random")):
            found = rs.multiclass_auc_interval(y, first, average="micro", class_sizes=sizes)
            assert found.se == pytest.approx(np.std(values), rel=0.07)

    @pytest.mark.parametrize("average", ["micro", None])
    def test_frequency_weights_are_repeated_rows(self, average: Any) -> None:
        y, first, _ = sample()
        weights = np.random.default_rng(2).integers(1, 4, N)
        how: dict[str, Any] = {"average": average, "class_sizes": "fixed"}
        ours = rs.multiclass_auc_interval(y, first, sample_weight=weights, weight_type="frequency", **how)
        theirs = rs.multiclass_auc_interval(y.repeat(weights), first.repeat(weights, axis=0), **how)
        pairs = [(ours, theirs)] if average else list(zip(ours.values(), theirs.values(), strict=True))
        for one, two in pairs:
            assert one.se == pytest.approx(two.se, rel=1e-10)

    def test_one_row_of_a_class_has_no_spread(self) -> None:
        y, first, _ = sample()
        few = np.concatenate([np.flatnonzero(y < 2), np.flatnonzero(y == 2)[:1]])
        for average in ("micro", None):
            found = rs.multiclass_auc_interval(y[few], first[few], average=average, class_sizes="fixed", method="logit")
            interval = found if average else found[0]
            assert math.isnan(interval.low)
            assert "fewer than two independent units" in interval.warnings[0]


class TestAreasOfOne:
    def rows(self) -> tuple[Any, Any]:
        y = np.repeat([0, 1, 2], 5)
        scores = np.eye(3)[y] * 0.8 + 0.1 * np.arange(15)[:, None] / 15
        return y, scores / scores.sum(axis=1, keepdims=True)

    @pytest.mark.parametrize("average", ["macro", "weighted", "micro"])
    def test_the_reason_is_told(self, average: Any) -> None:
        found = rs.multiclass_auc_interval(*self.rows(), average=average, method="logit")
        assert (found.estimate, found.se) == (1.0, 0.0)
        assert math.isnan(found.low)
        (told,) = found.warnings
        assert told.startswith("all rows agree")
        assert told.endswith("use method='auto'")

    def test_an_evaluation_says_so(self) -> None:
        found = rs.evaluate_multiclass(*self.rows())
        assert "note: no interval of" not in str(found)
        assert all(each.low < 1 for each in (*found.class_auc.values(), *found.averages.values()))
        shown = str(rs.evaluate_multiclass(*self.rows(), auc_method="logit"))
        assert "note: no interval of the AUC of 0: all components agree" in shown
        assert "note: no interval of the weighted AUC: all rows agree" in shown


class TestRoundedProbabilities:
    @pytest.mark.parametrize("decimals", [3, 4, 16])
    def test_rounding_is_not_remarked_on(self, decimals: int) -> None:
        y, first, _ = sample()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            rs.multiclass_auc(y, first.round(decimals), average="micro")
        told = rs.evaluate_multiclass(y, first.round(decimals)).warnings
        assert not any("sum to 1" in text for text in told)

    @pytest.mark.parametrize("spoil", [lambda p: p + 0.001, lambda p: p - 0.001, lambda p: 2 * p])
    def test_what_is_no_rounding_is(self, spoil: Any) -> None:
        y, first, _ = sample()
        assert any("do not sum to 1" in text for text in rs.evaluate_multiclass(y, spoil(first)).warnings)
