"""decide against exact sums over all thresholds, in fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from cases import each_case
from rocsteady._src.evaluation import choices_elsewhere, decision
from rocsteady._src.measures.cost_ranges import cheapest_by_price


def _cheapest(y: list[int], scores: list[float], fp: Fraction, fn: Fraction, prevalence: Fraction) -> Fraction:
    n_pos, n_neg = sum(y), len(y) - sum(y)
    found = []
    for cut in [*set(scores), max(scores) + 1]:
        missed = sum(label and score < cut for label, score in zip(y, scores, strict=True))
        alarms = sum(not label and score >= cut for label, score in zip(y, scores, strict=True))
        found.append(prevalence * fn * Fraction(missed, n_pos) + (1 - prevalence) * fp * Fraction(alarms, n_neg))
    return min(found)


def _rows(seed: int, n: int = 40) -> tuple[list[int], dict[str, list[float]]]:
    rng = np.random.default_rng(seed)
    y = [1, 0, *rng.integers(0, 2, n - 2).tolist()]
    return y, {name: (rng.integers(0, 9, n) + np.array(y) * rng.integers(0, 4)).tolist() for name in "abc"}


@pytest.fixture
def _few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Costs are sums over the rows as they are; resamples only tell how sure the threshold is."""
    for name in ("RESAMPLES", "CHOICES"):
        monkeypatch.setattr(decision, name, 20)
    monkeypatch.setattr(choices_elsewhere, "FLATTERY", 20)


@each_case("seed", range(15))
@each_case(("fp", "fn", "prevalence"), [(1, 1, None), (50, 400, None), (50, 400, 0.125), (9, 1, 0.125)])
@pytest.mark.usefixtures("_few_resamples")
def test_the_leader_is_the_cheapest_of_all_thresholds_of_all_models(
    seed: int, fp: int, fn: int, prevalence: float | None
) -> None:
    y, models = _rows(seed)
    share = Fraction(sum(y), len(y)) if prevalence is None else Fraction(prevalence)
    exact = {name: _cheapest(y, scores, Fraction(fp), Fraction(fn), share) for name, scores in models.items()}
    found = rs.evaluate(y, models).decide(cost_fp=fp, cost_fn=fn, prevalence=prevalence)
    assert found[found.model].cost == pytest.approx(1000 * float(min(exact.values())), rel=1e-12, abs=1e-12)
    for name, least in exact.items():
        assert found[name].cost == pytest.approx(1000 * float(least), rel=1e-12, abs=1e-12)
    nobody, everybody = found.courses[-2:]
    assert nobody.cost == pytest.approx(1000 * float(share) * fn)
    assert everybody.cost == pytest.approx(1000 * float(1 - share) * fp)


def _cost(y: Any, called: Any, fp: float, fn: float) -> Any:
    return np.where(y == 1, fn * ~called, fp * called)


def test_what_others_cost_more_is_a_mean_over_rows() -> None:
    table = rs.examples.loans(500)
    y = np.asarray(table["defaulted"])
    found = rs.evaluate(table, label="defaulted", scores=["logistic", "boosted"]).decide(cost_fp=50, cost_fn=400)
    first, second = found.courses[:2]
    lost = [_cost(y, np.asarray(table[each.model]) >= each.threshold, 50, 400) for each in (first, second)]
    apart = lost[1] - lost[0]
    assert second.more is not None
    assert second.more.estimate == pytest.approx(apart.mean(), rel=1e-12)
    unseen = [share * cost * 3**0.5 / (n + 2) for share, cost, n in _classes(y)]
    assert second.more.se == pytest.approx(np.hypot(apart.std(ddof=1) / y.size**0.5, np.hypot(*unseen)), rel=1e-12)


def _classes(y: Any) -> list[tuple[float, float, int]]:
    share = float(y.mean())
    return [(share, 400, int(y.sum())), (1 - share, 50, int((1 - y).sum()))]


def test_repeated_rows_of_frequency_weights_decide_alike() -> None:
    table = rs.examples.loans(200)
    y, models = table["defaulted"], {name: table[name] for name in ("logistic", "boosted")}
    weight = np.arange(200) % 3 + 1
    weighted = rs.evaluate(y, models, sample_weight=weight, weight_type="frequency").decide(cost_fn=8, cost_fp=1)
    repeated = {name: np.repeat(np.asarray(scores), weight) for name, scores in models.items()}
    plain = rs.evaluate(np.repeat(np.asarray(y), weight), repeated).decide(cost_fn=8, cost_fp=1)
    for one, two in zip(weighted.courses, plain.courses, strict=True):
        assert (one.name, one.threshold) == (two.name, two.threshold)
        assert one.cost == pytest.approx(two.cost, rel=1e-12)
        assert (one.more is None) == (two.more is None)
        if one.more is not None and two.more is not None:
            assert one.more.se == pytest.approx(two.more.se, rel=1e-9)


@each_case("seed", range(20))
def test_every_price_names_its_cheapest_model(seed: int) -> None:
    y, models = _rows(seed, 30)
    ranked = {name: rs.rank(y, scores) for name, scores in models.items()}
    ranges = cheapest_by_price(ranked, 0.25)
    assert ranges[0].low == 0
    assert ranges[-1].high == float("inf")
    assert all(one.high == two.low for one, two in pairwise(ranges))
    for each in ranges:
        price = Fraction((each.low + min(each.high, 4 * each.low + 4)) / 2)
        costs = {name: _cheapest(y, scores, Fraction(1), price, Fraction(1, 4)) for name, scores in models.items()}
        alike = {False: price / 4, True: Fraction(3, 4)}
        least = min([*costs.values(), *alike.values()])
        mine = alike[each.flags_all] if each.model is None else costs[each.model]
        assert float(mine) == pytest.approx(float(least), rel=1e-12)


class TestCosts:
    def test_none_given_is_said(self) -> None:
        table = rs.examples.loans(1000)
        found = rs.evaluate(table["defaulted"], table["boosted"]).decide()
        assert found.costs == "1:1"
        assert any("No costs were given" in line for line in found.verdict)

    @pytest.mark.usefixtures("_few_resamples")
    def test_rare_events_are_seen_in_the_neutral_view(self) -> None:
        rng = np.random.default_rng(1)
        y = np.arange(100_000) < 10
        found = rs.evaluate(y, rng.normal(size=y.size) + y).decide()
        assert found.costs == "neutral"
        assert 0 < found[found.model].recall <= 1
        assert found.cost_fn == pytest.approx(99_990 / 10)
        assert any("10 positive cases" in line for line in found.alarms)

    def test_given_costs_that_no_model_pays_for_say_so(self) -> None:
        y, scores = [0, 1] * 20, list(range(40))
        found = rs.evaluate(y, scores[::-1]).decide(cost_fp=1000, cost_fn=1)
        assert found.verdict[0].startswith("Flag nobody: that costs")

    @pytest.mark.parametrize("option", [{"cost_fp": -1}, {"cost_fn": float("nan")}, {"prevalence": 1.5}])
    def test_bad_numbers_are_refused(self, option: dict[str, float]) -> None:
        with pytest.raises(rs.errors.ArgumentError):
            rs.evaluate([1, 0, 1, 0], [4, 3, 2, 1]).decide(**option)


def test_a_higher_auc_that_costs_more_is_said() -> None:
    """Curves that cross: b ranks better in all, a is cheaper where a false alarm is dear."""
    y = np.repeat([1, 0], 100)
    a = np.concatenate([np.full(50, 9.0), np.linspace(0, 1, 50), np.linspace(0, 2, 100)])
    b = np.concatenate([np.linspace(1.0, 3.0, 100), np.linspace(0, 2, 100)])
    found = rs.evaluate(y, {"a": a, "b": b}).decide(cost_fp=20, cost_fn=1)
    assert found.model == "a"
    assert rs.auc(y, b) > rs.auc(y, a)
    assert any("b has the highest AUC" in line for line in found.verdict)
    assert next(check for check in found.checks if check.name == "agree").answer == "no"


def test_every_door_opens() -> None:
    found = rs.evaluate([1, 0, 1, 0, 1, 0], {"a": [6, 5, 4, 3, 2, 1], "b": [1, 2, 3, 4, 5, 6]}).decide(cost_fn=2)
    assert found.to_dict()["model"] == "a"
    assert "flag nobody" in str(found)
    assert list(found.to_frame()["course"])[-2:] == ["flag nobody", "flag everybody"]
    assert found.to_markdown()
    assert repr(found).startswith("Decision(")


def test_ways_in_which_rows_differ_tell_what_the_rows_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 300)
    models = {"a": y + rng.normal(size=300), "b": y + 2 * rng.normal(size=300)}
    for weight in (None, rng.integers(1, 4, 300)):
        how = {} if weight is None else {"sample_weight": weight, "weight_type": "frequency"}
        made = [rs.evaluate(y, models, measures=["auc"], **how) for _ in range(2)]
        rows = made[0].decide(cost_fp=1, cost_fn=3)
        monkeypatch.setattr("rocsteady._src.evaluation.decision_tests.MANY_ROWS", 0)
        ways = made[1].decide(cost_fp=1, cost_fn=3)
        monkeypatch.undo()
        assert str(ways) == str(rows)
