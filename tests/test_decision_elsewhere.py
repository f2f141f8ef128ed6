"""What a page decides again with: rows that two models flag, and what resamples choose, at any price."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from rocsteady._src.evaluation import choices_elsewhere, decision
from rocsteady._src.evaluation.choices_elsewhere import _ends, _Walk, cheapest_steps
from rocsteady._src.evaluation.decision_elsewhere import elsewhere
from rocsteady.examples import loans

MODELS = ["boosted", "logistic", "grade"]
UNLIKE: dict[str, dict[str, Any]] = {
    "weights": {"sample_weight": "weight", "weight_type": "sampling"},
    "both": {"sample_weight": "weight", "weight_type": "sampling", "cluster": "who"},
}


def unlike() -> dict[str, Any]:
    """Rows that are no units alike."""
    return {**loans(240), "weight": np.array([0.5, 1.5, 2.0])[np.arange(240) % 3], "who": np.arange(240) // 2}


@pytest.fixture(scope="module")
def result() -> rs.Evaluation:
    return rs.evaluate(loans(230), label="defaulted", scores=MODELS, measures=["auc"])


@pytest.fixture
def _thresholds_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what a choice flatters, which is not compared here, a few resamples; of thresholds all that are drawn."""
    monkeypatch.setattr(decision, "RESAMPLES", 20)
    monkeypatch.setattr(choices_elsewhere, "FLATTERY", 20)


@pytest.mark.usefixtures("_thresholds_alone")
@pytest.mark.parametrize("prevalence", [None, 0.04, 0.4])
def test_choices_are_those_of_the_library_at_every_price(result: rs.Evaluation, prevalence: float | None) -> None:
    found = elsewhere(result, 0.95, {"boosted"})
    assert found is not None
    choices = found.choices["boosted"]
    assert choices is not None
    low, high = choices.by_count if prevalence is None else choices.by_rate
    for ends in (low, high):
        assert (ends.values[1:] < ends.values[:-1]).all()  # a dearer miss never raises a threshold
    seen = 0
    rng = np.random.default_rng(2)
    for price in [0.5, 1, 2, 3, 8, 10, *low.prices[3:-1:9], *rng.lognormal(1, 1.5, size=12)]:
        decided = result.decide(cost_fp=1, cost_fn=price, prevalence=prevalence)
        odds = 1 if prevalence is None else prevalence / (1 - prevalence)
        interval = decided.threshold_interval
        if decided.model != "boosted" or interval is None or np.isnan(interval.low):
            continue
        seen += 1
        assert (low.at(price * odds), high.at(price * odds)) == pytest.approx((interval.low, interval.high), rel=1e-12)
    assert seen > 12


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("level", [0.95, 0.5, 497 / 499])
def test_ends_are_quantiles_of_what_resamples_choose(seed: int, level: float) -> None:
    """At every price, by looking at all of them there; the last level falls on whole ranks."""
    rng = np.random.default_rng(seed)
    walks = []
    for _ in range(40):
        cuts = np.sort(rng.choice(np.append(np.arange(12.0), [np.inf, -np.inf][: seed % 3]), size=4, replace=False))
        worth = np.sort(rng.choice([0, 0.25, 0.5, 1 / 3, 1, 1 + 1e-15, 2, 4, np.inf], size=3))
        walks.append(_Walk(worth, cuts[::-1].copy(), 1.0))
    low, high = _ends(walks, level)
    for price in (0.1, 0.3, 0.4, 0.7, 1.5, 3, 5, 100):
        chosen = np.array([walk.cuts[np.searchsorted(walk.worth, price)] for walk in walks])
        ways: tuple[Any, Any] = ("linear", "linear") if np.isfinite(chosen).all() else ("lower", "higher")
        for ends, tail, way in zip((low, high), ((1 - level) / 2, (1 + level) / 2), ways, strict=True):
            assert ends.at(price) == np.quantile(chosen, tail, method=way)


@pytest.mark.parametrize("seed", range(20))
def test_pairs_hold_every_price(seed: int) -> None:
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(40) % 3 == 0)
    scores = {name: (rng.normal(size=40) + y).round(seed % 2) for name in ("a", "b")}
    result = rs.evaluate(y.astype(int), scores, measures=["auc"])
    found = elsewhere(result, 0.95, set())
    assert found is not None
    (pair,) = found.pairs
    for price in [0, np.inf, *rng.lognormal(0.7, 2, size=60), 0.5, 1, 2, 3]:
        vertices, flagged = [], []
        for name in "ab":
            ranked = result.ranked[name]
            tp, fp = ranked.called_positive
            step = int(cheapest_steps(tp, fp, np.array([price]))[0])
            costs = (tp[-1] - tp) * price + fp if np.isfinite(price) else tp[-1] - tp
            assert costs[step] == pytest.approx(costs.min())
            vertices.append(found.hulls[name].index((tp[step], fp[step])))
            flagged.append(scores[name] >= ranked.thresholds[step])
        both = flagged[0] & flagged[1]
        place = pair.at.index((vertices[0], vertices[1]))
        assert (pair.positives[place], pair.negatives[place]) == ((both & y).sum(), (both & ~y).sum())


@pytest.mark.usefixtures("_thresholds_alone")
@pytest.mark.parametrize("how", ["weights", "both"])
def test_choices_of_weighted_rows_and_subjects_are_those_of_the_library(how: str) -> None:
    found = rs.evaluate(unlike(), label="defaulted", scores=["boosted"], measures=["auc"], **UNLIKE[how])
    there = elsewhere(found, 0.95, {"boosted"})
    assert there is not None
    assert there.moments is not None
    choices = there.choices["boosted"]
    assert choices is not None
    for price, prevalence in ((2, None), (7.3, None), (8, 0.05)):
        interval = found.decide(cost_fp=1, cost_fn=price, prevalence=prevalence).threshold_interval
        assert interval is not None
        low, high = choices.by_count if prevalence is None else choices.by_rate
        at = price * (1 if prevalence is None else prevalence / (1 - prevalence))
        assert (low.at(at), high.at(at)) == pytest.approx((interval.low, interval.high), rel=1e-12)


def test_frequencies_are_rows_that_were_counted() -> None:
    table, times = loans(120), np.arange(120) % 3 + 1
    names = ["defaulted", "boosted", "logistic"]
    weighted = rs.evaluate(
        {**table, "times": times},
        label="defaulted",
        scores=names[1:],
        sample_weight="times",
        weight_type="frequency",
        measures=["auc"],
    )
    repeated = {name: np.repeat(np.asarray(table[name]), times) for name in names}
    plain = rs.evaluate(repeated, label="defaulted", scores=names[1:], measures=["auc"])
    one, two = (elsewhere(each, 0.95, {"boosted"}) for each in (weighted, plain))
    assert one is not None
    assert two is not None
    assert one.hulls == two.hulls
    for pair, other in zip(one.pairs, two.pairs, strict=True):
        assert (pair.at, pair.positives, pair.negatives) == (other.at, other.positives, other.negatives)
    sampled = rs.evaluate(
        {**table, "times": times},
        label="defaulted",
        scores=names[1:],
        sample_weight="times",
        weight_type="sampling",
        measures=["auc"],
    )
    there = elsewhere(sampled, 0.95, {"boosted"})
    assert there is not None
    assert there.moments is not None
