"""The threshold slider: intervals at a threshold that the rows chose count the choice, others say that they do not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import rocsteady as rs
from rocsteady._src.inference.intervals.every_measure import Chosen, intervals_of_measures
from rocsteady._src.measures.registry import get_measure
from rocsteady._src.measures.threshold_rules import read_rule
from rocsteady._src.views.report import charts, operating
from rocsteady._src.views.report.operating import MEASURES, operating_points

if TYPE_CHECKING:
    from pathlib import Path

COSTS = {"cost_fp": 1.0, "cost_fn": 4.0}


def drawn(n_pos: int = 40, n_neg: int = 160) -> tuple[np.ndarray, np.ndarray]:
    y = np.repeat([1, 0], [n_pos, n_neg])
    return y, np.random.default_rng(n_pos).normal(size=y.size) + 1.2 * y


def ends_at(table: dict[str, Any], place: int) -> dict[str, list[float]]:
    return {name: [table[f"{name}_low"][place], table[f"{name}_high"][place]] for name in MEASURES}


@pytest.mark.parametrize("rule", ["cost", "youden"])
def test_intervals_at_a_chosen_threshold_count_the_choice(rule: str) -> None:
    ranked, options = rs.rank(*drawn()), COSTS if rule == "cost" else {}
    asked = None if rule == "cost" else rule
    table = operating_points(ranked, **COSTS, level=0.95, rule=asked)
    cut = rs.best_threshold(ranked, rule=rule, **options).threshold
    (place,) = np.flatnonzero(table["threshold"] == cut)
    sheets = [(get_measure(name).sheet, {"threshold": cut}) for name in MEASURES.values()]
    chosen = Chosen(read_rule(rule, options), frozenset(range(4)))
    how: dict[str, Any] = {"level": 0.95, "seed": 0, "n_resamples": operating.RESAMPLES}
    found: list[Any] = intervals_of_measures(ranked, sheets, chosen=chosen, **how)
    for name, interval in zip(MEASURES, found, strict=True):
        assert ends_at(table, place)[name] == pytest.approx([*interval], abs=1e-6)
        plain = rs.measure_interval(MEASURES[name], ranked, threshold=cut)
        assert ends_at(table, place)[name] != pytest.approx([*plain], abs=1e-3)
    named = "Least cost" if rule == "cost" else "The rule youden"
    told = f"{named} chose this threshold on these rows; the intervals count that choice. 40 rows in the smaller class"
    assert table["chosen"][place].startswith(told)
    assert table["start"] == place or rule != "cost"


def test_intervals_elsewhere_are_those_of_a_threshold_that_was_given() -> None:
    ranked = rs.rank(*drawn())
    table = operating_points(ranked, **COSTS, level=0.9)
    others = [place for place, said in enumerate(table["chosen"]) if said is None]
    assert len(others) == table["tp"].size - 1
    for place in others[5::40]:
        for name, ends in ends_at(table, place).items():
            plain = rs.measure_interval(MEASURES[name], ranked, threshold=table["threshold"][place], level=0.9)
            assert ends == pytest.approx([*plain], abs=1e-6)


def test_few_rows_and_rows_too_many_to_resample_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    few = operating_points(rs.rank(*drawn(8, 30)), **COSTS, level=0.95)
    assert "8 rows in the smaller class: 95% intervals at a threshold chosen on" in few["chosen"][few["start"]]
    monkeypatch.setattr(operating, "MOST_BOOTSTRAPPED", 10)
    many = operating_points(rs.rank(*drawn()), **COSTS, level=0.95)
    said = many["chosen"][many["start"]]
    assert "takes it as given: new rows will do worse" in said
    assert "count that choice" not in said


@pytest.mark.parametrize("more", [{"cluster": "subject"}, {"weight": "w"}])
def test_subjects_and_weights_count_the_choice_too(more: dict[str, str], tmp_path: Path) -> None:
    y, scores = drawn(24, 60)
    table = {"y": y, "s": scores, "subject": np.arange(y.size) // 2, "w": np.linspace(1, 2, y.size)}
    judged = rs.evaluate(table, label="y", scores="s", threshold="youden", **more)
    data = json.loads(judged.report(tmp_path / "r.json").read_text())
    said = [each["chosen"] for each in data["operating"]["s"] if each["chosen"]]
    assert [text.split(" chose")[0] for text in said] in (["The rule youden"], *([a, b] for a, b in PAIRS))


PAIRS = (("Least cost", "The rule youden"), ("The rule youden", "Least cost"))


@pytest.mark.parametrize("chart", [charts.roc, charts.pr])
def test_whoever_tells_an_interval_tells_whether_it_counts_the_choice(chart: Any) -> None:
    layers = [layer for layer in chart([])["layer"] if isinstance(layer["encoding"].get("tooltip"), list)]
    with_ends = [layer for layer in layers if "tpr_low" in {tip["field"] for tip in layer["encoding"]["tooltip"]}]
    assert with_ends
    for layer in with_ends:
        (said,) = [each for each in layer["transform"] if "calculate" in each]
        assert said["calculate"] == f"datum.chosen || {json.dumps(operating.GIVEN)}"
        assert {"field": said["as"], "title": "intervals", "type": "nominal"} in layer["encoding"]["tooltip"]
