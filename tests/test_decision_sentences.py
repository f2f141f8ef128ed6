"""What a decision says about odd rows: no more than they show, in words that can be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks import decision_coverage, decision_samples
from benchmarks.decision_coverage import adjusted
from benchmarks.decision_samples import Design, compared, samples

import rocsteady as rs
from rocsteady._src.evaluation import decision_tests
from rocsteady._src.evaluation.decision_tests import beside_the_best

RNG = np.random.default_rng(5)
Y = (np.arange(120) % 3 == 0).astype(int)
A, B = RNG.normal(size=120) + 1.2 * Y, RNG.normal(size=120) + Y


def test_without_rows_the_leader_is_for_now(tmp_path: Path) -> None:
    rs.evaluate(Y, {"a": A, "b": B}).save(tmp_path / "e.rs")
    found = rs.load(tmp_path / "e.rs").decide(cost_fn=3)
    assert found.verdict[0].startswith("Use, for now, a")
    assert any("cannot be told without the rows" in line for line in found.verdict)


def test_a_model_that_may_be_no_better_than_flagging_everybody_is_for_now() -> None:
    found = rs.evaluate(Y, A).decide(cost_fn=5)
    assert found.verdict[0].startswith("Use, for now, score")
    assert any(line.startswith("These rows cannot tell whether flagging everybody") for line in found.verdict)
    assert found.verdict[1].startswith("These rows cannot tell whether flagging everybody")
    assert found.checks[0].text.endswith("; too few to tell the cheapest course at these costs")
    strong = rs.evaluate(np.repeat([0, 1], 100), np.arange(200.0)).decide(cost_fn=5)
    assert strong.verdict[0].startswith("Use score")
    assert "too few" not in strong.checks[0].text


def test_that_none_is_missed_is_said_of_these_rows_and_other_samples_may_choose_lower() -> None:
    all_found = rs.evaluate(Y, A).decide(cost_fn=200)
    assert ", misses 0 on these rows and raises " in all_found.verdict[0]
    (told,) = (line for line in all_found.verdict if line.startswith("The threshold "))
    assert told.endswith(" or less (95%)")
    some = rs.evaluate(Y, A).decide(cost_fn=3)
    assert "on these rows" not in some.verdict[0]
    assert " or less" not in " ".join(some.verdict)


@pytest.mark.parametrize("scores", [np.zeros(120), -np.argsort(np.argsort(Y + 0.001 * np.arange(120)))])
def test_scores_that_tell_nothing_are_not_to_be_used(scores: Any) -> None:
    found = rs.evaluate(Y, scores).decide()
    assert found.verdict[0].startswith("Use no model: at no threshold does score flag a larger share")


def test_flagging_all_alike_is_said_with_its_cost() -> None:
    found = rs.evaluate(Y, {"a": A, "b": B}).decide(cost_fp=0, cost_fn=3)
    assert found.verdict[0] == "Flag everybody: that costs 0 per 1,000 cases, and at these costs no model costs less"
    assert not any("runner-up" in line for line in found.verdict)


def test_one_case_is_singular() -> None:
    found = rs.evaluate([1] + [0] * 40, np.arange(41.0)).decide(cost_fn=10)
    assert found.alarms[0].startswith("Only 1 positive case:")


def test_an_auc_below_a_half_by_chance_is_not_called_upside_down() -> None:
    noise = np.random.default_rng(3).permutation(120)
    noise = noise if rs.auc(Y, noise) < 0.5 else -noise
    assert any("ranks no better than chance" in line for line in rs.evaluate(Y, noise).decide(cost_fn=2).alarms)
    assert any("negate them" in line for line in rs.evaluate(Y, -A).decide(cost_fn=2).alarms)


def test_whole_numbers_beyond_doubles_have_no_range_of_doubles() -> None:
    found = rs.evaluate(Y, 2**60 + np.argsort(np.argsort(A))).decide(cost_fn=3)
    (line,) = (line for line in found.verdict if line.startswith("The threshold"))
    assert str(found.threshold) in line
    assert "e+18" not in line


def test_models_that_flag_nobody_have_no_threshold_of_infinity() -> None:
    found = rs.evaluate([1] + [0] * 40, {"a": np.arange(41.0), "b": -np.arange(41.0)}).decide(cost_fn=10)
    assert "inf" not in str(found)
    assert any(line.startswith("a, the runner-up, flags nobody") for line in found.verdict)


def test_intervals_beside_no_model_allow_for_what_the_choice_flatters() -> None:
    found = rs.evaluate(Y, A).decide(cost_fn=5)
    more = found.courses[-1].more
    assert more is not None
    allowed = more.high + more.low - 2 * more.estimate  # both ends are as far but for it
    assert found.optimism > 0
    assert -allowed == pytest.approx(decision_tests.TIMES * found.optimism)


def test_equals_are_called_so() -> None:
    found = rs.evaluate(Y, {"a": A, "b": A}).decide(cost_fn=3)
    assert any("the same cost here" in line for line in found.verdict)
    assert "a leads, level with b," in next(check.text for check in found.checks if check.name == "agree")


def test_a_model_named_like_a_course_keeps_its_numbers() -> None:
    plain = rs.evaluate(Y, {"a": A, "b": B}).decide(cost_fn=3)
    named = rs.evaluate(Y, {"a": A, "flag nobody": B}).decide(cost_fn=3)
    for one, two in zip(plain.courses[1:], named.courses[1:], strict=True):
        assert one.more is not None
        assert two.more is not None
        assert (one.cost, one.more.low) == (two.cost, two.more.low)
    assert named.courses[-2].name == "flag nobody (no model)"


def test_a_baseline_beside_a_leader_that_is_not_alone() -> None:
    noise = np.random.default_rng(1).normal(size=120)
    found = rs.evaluate(Y, {"a": A, "b": B, "c": noise}).decide(cost_fn=3, baseline="c")
    assert any(line.startswith("c, the baseline") for line in found.verdict)
    assert "These rows cannot tell a from b" in found.verdict


class TestBenchmark:
    """The measured method is the one that decide has."""

    def test_p(self) -> None:
        p = np.random.default_rng(2).uniform(size=(20, 4)) ** 3
        assert adjusted(p) == pytest.approx(np.array([beside_the_best(row.tolist()) for row in p]))

    @pytest.mark.parametrize("used", [None, 0.05])
    @pytest.mark.parametrize("costs", [(1.0, 1.0), (1.0, 10.0), (20.0, 1.0)])
    def test_differences(self, used: float | None, costs: tuple[float, float]) -> None:
        design, n_samples = Design(80, 0.4, (1.5, 1.0, 0.8), 0.5, used), 3
        ((positive, scores),) = samples(design, n_samples, np.random.default_rng(9))
        estimate, se, _, leader, _ = compared(design, n_samples, (costs,), np.random.default_rng(9))[costs].parts()
        for row in range(n_samples):
            models = {str(place): each[row].astype(float) for place, each in enumerate(scores)}
            found = rs.evaluate(positive[row], models).decide(cost_fp=costs[0], cost_fn=costs[1], prevalence=used)
            assert found.model == str(leader[row])
            for course in found.courses[1:]:
                assert course.more is not None
                at = int(course.model) if course.model is not None else -1 if course.recall else -2
                assert course.more.estimate == pytest.approx(estimate[row, at], abs=1e-12)
                assert course.more.se == pytest.approx(se[row, at], rel=1e-9, abs=1e-12)

    def test_constants(self) -> None:
        assert (decision_tests.UNSEEN, decision_tests.TIMES) == (decision_samples.UNSEEN, decision_coverage.TIMES)
