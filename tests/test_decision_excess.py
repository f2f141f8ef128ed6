"""What a choice of model and threshold costs on new rows beyond the best choice: expected value and upper limit."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks import decision_excess as benchmark

import rocsteady as rs
from rocsteady._src.evaluation import decision_excess
from rocsteady._src.evaluation.decision import situation_of
from rocsteady._src.evaluation.decision_tests import Situation, called_by, cost_difference

RNG = np.random.default_rng(41)
Y = RNG.integers(0, 2, 150)
MODELS = {name: np.round(RNG.normal(size=150) + Y, 1) for name in "ab"}
WAYS: dict[str, dict[str, Any]] = {
    "rows": {},
    "frequencies": {"sample_weight": RNG.integers(1, 4, 150), "weight_type": "frequency"},
    "weights": {"sample_weight": RNG.uniform(0.5, 2, 150), "weight_type": "sampling"},
    "clusters": {"cluster": RNG.integers(0, 40, 150)},
}


def evaluated(*given: Any, **how: Any) -> Any:
    """The evaluation of several models."""
    return rs.evaluate(*given, **how)


def loaded(path: Path) -> Any:
    """An evaluation without its rows."""
    return rs.load(path)


@pytest.mark.parametrize("prevalence", [None, 0.2])
@pytest.mark.parametrize("how", ["rows", "frequencies"])
def test_counts_at_all_thresholds_are_those_of_the_rows(how: str, prevalence: float | None) -> None:
    result = evaluated(Y, MODELS, **WAYS[how])
    at = situation_of(result, 1, 5, prevalence)
    rows = result.rows.of_models(*result.models)
    assert rows is not None
    first = called_by(rows, result.decide(cost_fp=1, cost_fn=5, prevalence=prevalence).courses[0])
    for name in MODELS:
        gaps, errors = decision_excess._counted(rows, name, first, at)
        for step, (gap, error) in enumerate(zip(gaps, errors, strict=True)):
            plain = cost_difference(rows, rows.places_of(name) >= gaps.size - 1 - step, first, at)
            assert gap == pytest.approx(plain.estimate, abs=1e-12)
            if plain.se:  # of thresholds that treat all cases alike, as the choice does, nothing is unseen
                assert error == pytest.approx(plain.se, rel=1e-9)


@pytest.mark.parametrize("how", WAYS)
def test_every_kind_of_rows_has_a_limit_above_the_expected_value(how: str) -> None:
    found = evaluated(Y, MODELS, **WAYS[how]).decide(cost_fn=5)
    assert 0 <= found.excess < found.excess_limit
    assert found.to_dict()["excess"] == {"expected": found.excess, "limit": found.excess_limit}
    assert found.verdict[-1].startswith("Cost on new rows beyond the best choice of model and threshold: about ")


def test_a_repeated_row_is_a_frequency_of_two() -> None:
    times = WAYS["frequencies"]["sample_weight"]
    weighted = evaluated(Y, MODELS, **WAYS["frequencies"]).decide(cost_fn=5)
    repeated = evaluated(np.repeat(Y, times), {name: s.repeat(times) for name, s in MODELS.items()}).decide(cost_fn=5)
    assert weighted.excess_limit == pytest.approx(repeated.excess_limit, rel=1e-12)


def test_more_models_to_choose_from_raise_the_limit() -> None:
    worse = {name: -MODELS["a"] + shift for name, shift in (("reversed", 0), ("reversed too", 1))}
    alone, beside = {"a": MODELS["a"]}, {"a": MODELS["a"], **worse}
    found = [evaluated(Y, models).decide(cost_fn=5) for models in (alone, beside)]
    assert [each.model for each in found] == ["a", "a"]
    assert found[0].excess_limit < found[1].excess_limit


def test_without_rows_it_is_unknown(tmp_path: Path) -> None:
    path = tmp_path / "saved.json"
    evaluated(Y, MODELS).save(path)
    found = loaded(path).decide(cost_fn=5)
    assert np.isnan([found.excess, found.excess_limit]).all()
    assert found.verdict[-1].endswith("is unknown: the rows are not at hand, or are too many")


class TestBenchmark:
    """The limit was measured as the library computes it, and holds."""

    @pytest.mark.parametrize("costs", benchmark.COSTS)
    def test_it_is_the_limit_of_the_library(self, costs: tuple[float, float]) -> None:
        positive, scores = benchmark.drawn(np.random.default_rng(3), 120, 0.3, *benchmark.gaps_of("apart", 5))
        models = {str(place): line for place, line in enumerate(scores)}
        found = evaluated(positive, models).decide(cost_fp=costs[0], cost_fn=costs[1])
        at = decision_excess_situation(costs, float(positive.mean()))
        model, threshold, limit, *_ = benchmark.limits_of(positive, scores, at)
        assert (found.model, found.threshold) == (str(model), threshold)
        assert found.excess_limit == pytest.approx(limit, rel=1e-12)

    def test_it_holds_in_every_cell(self) -> None:
        with benchmark.RESULT.open() as file:
            cells = list(csv.DictReader(file))
        assert len(cells) == 192
        assert min(float(cell["coverage"]) for cell in cells) >= 0.95
        for cell in cells:  # the expected value is of the right order
            assert 0.3 < float(cell["expected"]) / float(cell["excess"]) < 6


def decision_excess_situation(costs: tuple[float, float], share: float) -> Any:
    """Costs at the prevalence of the rows."""
    return Situation(*costs, share, None, "given")
