"""Optimism of a modelling procedure against the definition written out, laws, and what is refused."""

from __future__ import annotations

import math
import statistics
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from cases import each_case
from rocsteady._src.designs.validation import resampled
from rocsteady._src.designs.validation.corrections import OUTSIDE, shifted_ends
from rocsteady._src.designs.validation.resampled import SLOPE, Sample
from rocsteady._src.designs.validation.together import Together
from rocsteady._src.measures.requests import Request, parse_requests
from rocsteady._src.results.base import Origin

RNG = np.random.default_rng(5)
X = RNG.normal(size=(40, 4))
Y = (X[:, 0] + RNG.normal(size=40) > 0).astype(int)
SUBJECT = np.arange(40) // 2


def difference(features: Any, labels: Any) -> Any:
    """A model of two means, as probabilities."""
    weights = features[labels == 1].mean(0) - features[labels == 0].mean(0)
    return lambda rows: 1 / (1 + np.exp(-(rows @ weights)))


def all_pairs(positive: Any, scores: Any) -> float:
    first, second = scores[positive == 1], scores[positive == 0]
    return float(np.mean([(a > b) + (a == b) / 2 for a in first for b in second]))


def squares(positive: Any, scores: Any) -> float:
    return float(np.mean([(p - s) ** 2 for p, s in zip(positive, scores, strict=True)]))


DEFINED = {"auc": all_pairs, "brier_score": squares}


def by_hand(seed: int, n_resamples: int, method: str, subject: Any = None) -> dict[str, float]:
    """The definitions, row by row; only the order of the random numbers is that of the library."""
    final, found = difference(X, Y)(X), {}
    drawn = []
    for stream in np.random.SeedSequence(seed).spawn(n_resamples + 1)[1:]:
        units = np.arange(40) if subject is None else subject
        n_units = len(set(units))
        chosen = np.random.default_rng(stream).integers(n_units, size=n_units)
        drawn.append([row for unit in chosen for row in range(40) if units[row] == unit])
    for name, measure in DEFINED.items():
        apparent, gaps, outside = measure(Y, final), [], []
        for rows in drawn:
            scores = difference(X[rows], Y[rows])(X)
            left = [row for row in range(40) if row not in rows]
            gaps.append(measure(Y[rows], scores[rows]) - measure(Y, scores))
            outside.append(measure(Y[left], scores[left]))
        out, weight = float(np.mean(outside)), 0.632
        if method == ".632+":
            nothing = 0.5 if name == "auc" else float(np.mean([(a - b) ** 2 for a in Y for b in final]))
            weight = 0.632 / (1 - 0.368 * min(max((apparent - out) / (apparent - nothing), 0), 1))
        mixed = (1 - weight) * apparent + weight * out
        found[name] = apparent - float(np.mean(gaps)) if method == "harrell" else mixed
    return found


@each_case("method", ["harrell", ".632", ".632+"])
def test_the_definition_written_out(method: Any) -> None:
    for subject in (None, SUBJECT):
        given = {"measures": ["auc", "brier_score"], "n_resamples": 25, "random_state": 3, "cluster": subject}
        found = rs.validation.optimism(difference, X, Y, method=method, **given)
        expected = by_hand(3, 25, method, subject)
        assert dict(zip(found.measures, found.corrected.tolist(), strict=True)) == pytest.approx(expected, abs=1e-12)
        assert found.optimism == pytest.approx(found.apparent - found.corrected)
        assert all(each.low <= each.estimate <= each.high for each in found)


def test_the_slope_is_that_of_the_summary_and_gives_the_shrinkage() -> None:
    found = rs.validation.optimism(difference, X, Y, n_resamples=20, random_state=1)
    assert found.measures == ("auc", "brier_score", "calibration_slope")
    summary = rs.calibration.calibration_summary(Y, difference(X, Y)(X))
    assert found.apparent[2] == pytest.approx(summary.slope.estimate, abs=1e-9)
    assert found.shrinkage == pytest.approx(found.replicates[:, 1, 2].mean())


def test_an_estimator_is_cloned_and_its_seeds_are_set() -> None:
    ensemble = pytest.importorskip("sklearn.ensemble")
    linear = pytest.importorskip("sklearn.linear_model")
    forest = ensemble.RandomForestClassifier(5)
    once, again = (
        rs.validation.optimism(forest, X, Y, n_resamples=4, random_state=2, method=".632+") for _ in range(2)
    )
    assert once.corrected.tolist() == pytest.approx(again.corrected.tolist(), nan_ok=True)
    assert not hasattr(forest, "classes_")
    assert forest.random_state is None
    words = np.where(Y == 1, "ill", "well")
    model = linear.LogisticRegression()
    told = rs.validation.optimism(model, X, words, pos_label="ill", n_resamples=5, random_state=1)
    plain = rs.validation.optimism(model, X, Y, n_resamples=5, random_state=1)
    assert told.corrected.tolist() == pytest.approx(plain.corrected.tolist())
    assert told.origin.pos_label == "ill"


def test_tables_and_lists_of_rows_give_the_same() -> None:
    pandas, sparse = pytest.importorskip("pandas"), pytest.importorskip("scipy.sparse")

    def fit(features: Any, labels: Any) -> Any:
        made = difference(dense(features), labels)
        return lambda rows: made(dense(rows))

    def dense(features: Any) -> Any:
        return features.toarray() if hasattr(features, "toarray") else np.asarray(features)

    forms = (X, pandas.DataFrame(X), sparse.csr_array(X), X.tolist())
    found = [rs.validation.optimism(fit, each, Y, n_resamples=5, random_state=1).corrected for each in forms]
    assert np.ptp(np.array(found), axis=0).max() < 1e-14  # the order of numbers in memory changes sums of the fit


def test_fits_that_fail_are_counted_and_told() -> None:
    calls = iter(range(100))

    def sometimes(features: Any, labels: Any) -> Any:
        if next(calls) % 3 == 1:
            raise RuntimeError("singular")
        return difference(features, labels)

    found = rs.validation.optimism(sometimes, X, Y, n_resamples=9, random_state=1, measures=["auc"])
    assert found.n_failed == 3
    assert [remark.code for remark in found.warnings] == ["whole_procedure", "few_rows_of_procedure", "fits_failed"]
    assert "RuntimeError: singular" in str(found)
    assert np.isnan(found["auc"].low)
    once = iter([difference])

    def first_only(features: Any, labels: Any) -> Any:
        return next(once)(features, labels)

    with pytest.raises(rs.InputError, match="no resample has a model; the first says: StopIteration"):
        rs.validation.optimism(first_only, X, Y, n_resamples=3, random_state=1)


def test_a_perfect_fit_is_told_and_plus_weighs_it() -> None:
    def nearest(features: Any, labels: Any) -> Any:
        return lambda rows: np.array([labels[((features - row) ** 2).sum(1).argmin()] for row in rows])

    given = {"n_resamples": 10, "random_state": 1, "measures": ["auc"]}
    found = rs.validation.optimism(nearest, X, Y, **given)
    assert found.apparent[0] == 1
    assert "perfect_in_training" in [remark.code for remark in found.warnings]
    plus = rs.validation.optimism(nearest, X, Y, method=".632+", **given)
    mixed = rs.validation.optimism(nearest, X, Y, method=".632", **given)
    assert plus.corrected[0] < mixed.corrected[0] == pytest.approx(1 - OUTSIDE + OUTSIDE * mixed.test[0])


REFUSED = {
    "one number per row": lambda: rs.validation.optimism(lambda a, b: lambda rows: rows, X, Y),
    "which has no predict_proba": lambda: rs.validation.optimism(lambda a, b: 3, X, Y),
    "an estimator of scikit-learn, or a function": lambda: rs.validation.optimism(3, X, Y),
    "y holds 3 classes": lambda: rs.validation.optimism(difference, X, np.arange(40) % 3),
    "X has 40 rows and y 39": lambda: rs.validation.optimism(difference, X, Y[1:]),
    "one subject for each of 40 rows": lambda: rs.validation.optimism(difference, X, Y, cluster=[1, 2]),
    "n_resamples must be 2 or more": lambda: rs.validation.optimism(difference, X, Y, n_resamples=1),
    "method must be one of": lambda: rs.validation.optimism(difference, X, Y, method="boot"),
    "needs probabilities": lambda: rs.validation.optimism(
        lambda a, b: lambda rows: 9 * rows[:, 0], X, Y, measures=["calibration_slope"]
    ),
}


@each_case("told, call", REFUSED.items())
def test_what_is_refused(told: str, call: Any) -> None:
    with pytest.raises(rs.RocsteadyError, match=told):
        call()


KINDS_OF_ROWS = ("all apart", "tied", "few rows", "many rows", "one class")


@each_case(("kind", "n_lines"), [(kind, n) for kind in KINDS_OF_ROWS for n in (1, 7)])
def test_many_resamples_at_once_are_those_one_by_one(kind: str, n_lines: int) -> None:
    """The same measures by their own functions, of groups, for each line and place."""
    rng = np.random.default_rng(n_lines)
    n = {"few rows": 12, "many rows": 1000}.get(kind, 90)
    positive = np.arange(n) < n // 3 if kind != "one class" else np.ones(n, dtype=bool)
    scores = 1 / (1 + np.exp(-rng.normal(size=(n_lines, n)) - positive))
    scores = scores.round(1).clip(0.05, 0.95) if kind == "tied" else scores
    times = rng.integers(0, 3, (3, n_lines, n)).astype(float)
    times[0, 0] = positive  # one class alone is counted
    wanted = [*parse_requests(["brier_score", "auc"]), Request(SLOPE.name, SLOPE, {})]
    found = Together.of(wanted, SLOPE).values(scores, positive, times)
    sample = Sample(None, positive * 1, positive, None, Origin(1, n))
    for line in range(n_lines):
        expected = sample.ranked(scores[line]).values(wanted, times[:, line])
        assert found[:, line, 1] == pytest.approx(expected[:, 1], rel=0, abs=0, nan_ok=True)
        assert found[:, line] == pytest.approx(expected, rel=1e-12, nan_ok=True)


def test_draws_that_are_not_kept_are_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: Any = {"n_resamples": 20, "random_state": 3, "cluster": SUBJECT}
    kept = rs.validation.optimism(difference, X, Y, **asked)
    monkeypatch.setattr(resampled, "MOST_KEPT", 0)
    again = rs.validation.optimism(difference, X, Y, **asked)
    assert [(each.low, each.high) for each in kept] == [(each.low, each.high) for each in again]


def test_ends_are_those_of_the_draws_moved_and_widened_by_how_models_differ() -> None:
    """By hand: quantiles about their mean, times the root of both variances over that of the draws."""
    spread, models = np.array([0.70, 0.74, 0.76, 0.80, math.nan]), np.array([0.71, 0.73, 0.75, 0.77, 0.79])
    low, high, se = shifted_ends(0.6, spread, models, 0.5, (0.0, 1.0))
    known = spread[:4]
    both = math.sqrt(statistics.variance(known.tolist()) + statistics.variance(models.tolist()))
    wider = both / statistics.stdev(known.tolist())
    assert se == pytest.approx(both, rel=1e-12)
    assert low == pytest.approx(0.6 + wider * (np.quantile(known, 0.25) - known.mean()), rel=1e-12)
    assert high == pytest.approx(0.6 + wider * (np.quantile(known, 0.75) - known.mean()), rel=1e-12)
    assert shifted_ends(0.99, spread, models, 0.95, (0.0, 1.0))[1] == 1.0  # within the bounds of the measure
    alone = shifted_ends(0.6, spread, np.full(5, 0.7), 0.5, (0.0, 1.0))
    assert alone[1] - alone[0] == pytest.approx(np.quantile(known, 0.75) - np.quantile(known, 0.25), rel=1e-12)
