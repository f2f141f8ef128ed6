"""decide from a shell, of groups and of folds, and where there is none."""

from __future__ import annotations

import csv
import io
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from command import rocsteady
from rocsteady._src.evaluation.decision_tests import beside_the_best
from rocsteady._src.inference.comparison.multiplicity import adjust_pvalues

LOANS = rs.examples.loans(400) | {"site": ["north", "south", "east", "east"] * 100, "fold": [1, 2, 3, 4] * 100}
MODELS = ["logistic", "boosted"]
COLUMNS = ("--label", "defaulted", "--score", "logistic", "--score", "boosted")
COSTS = ("--cost-fp", "50", "--cost-fn", "400")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("decide") / "loans.csv"
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(list(LOANS))
    writer.writerows(zip(*LOANS.values(), strict=True))
    path.write_text(out.getvalue())
    return str(path)


@cache
def by_site() -> Any:
    return rs.evaluate(LOANS, label="defaulted", scores=MODELS, by="site")


def _shell(*words: str) -> str:
    done = rocsteady("decide", *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_shell_says_what_python_says(file: str) -> None:
    result = rs.evaluate(LOANS, label="defaulted", scores=MODELS, measures=["auc"], intervals=True)
    expected = result.decide(cost_fp=50, cost_fn=400, prevalence=0.1, baseline="logistic", level=0.9)
    how = (file, *COLUMNS, *COSTS, "--prevalence", "0.1", "--baseline", "logistic")
    said = [line for line in _shell(*how, "--level", "0.9").splitlines() if line]
    checks = [line for line in said if line.startswith("Enough data?")]
    assert [line for line in said if line not in checks] == [
        line for line in str(expected).splitlines() if line and not line.startswith("Enough data?")
    ]
    assert said[0].startswith(("Only", "Use"))
    assert len(checks) == 1


def test_json_and_csv_hold_the_same_numbers(file: str, tmp_path: Path) -> None:
    expected = rs.evaluate(LOANS, label="defaulted", scores=MODELS).decide(cost_fn=8)
    found = json.loads(_shell(file, *COLUMNS, "--cost-fn", "8", "--format", "json"))
    assert found["model"] == expected.model
    assert found["threshold"] == expected.threshold
    assert [each["cost"] for each in found["courses"]] == [each.cost for each in expected.courses]
    assert list(found["checks"]) == ["enough", "agree", "probabilities"]
    _shell(file, *COLUMNS, "--cost-fn", "8", "-o", str(tmp_path / "d.csv"))
    lines = list(csv.DictReader((tmp_path / "d.csv").read_text().splitlines()))
    assert [line["course"] for line in lines] == [each.name for each in expected.courses]
    assert [float(line["cost"]) for line in lines] == [each.cost for each in expected.courses]


def test_markdown_leads_with_the_sentence(file: str) -> None:
    text = _shell(file, *COLUMNS, *COSTS, "--format", "markdown")
    assert text.startswith("Use")
    assert "| flag nobody |" in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--baseline", "nope"), "there is no model 'nope'"),
        (("--cost-fn", "-1"), "costs must be finite"),
        (("--prevalence", "1.5"), "1.5"),
        (("--weight-type", "frequency"), "--weight-type"),
    ],
)
def test_what_cannot_be_is_refused(file: str, words: tuple[str, ...], said: str) -> None:
    done = rocsteady("decide", file, *COLUMNS, *words)
    assert done.returncode == 2
    assert said in done.stderr


class TestGroups:
    def test_each_has_its_rates_at_the_one_threshold(self) -> None:
        found = by_site().decide(cost_fp=50, cost_fn=400)
        y, scores, site = (np.asarray(LOANS[name]) for name in ("defaulted", found.model, "site"))
        called = scores >= found.threshold
        assert [part.group for part in found.groups] == sorted(set(site.tolist()))
        for part in found.groups:
            inside = site == part.group
            missed = (inside & (y == 1) & ~called).sum() / inside.sum()
            alarms = (inside & (y == 0) & called).sum() / inside.sum()
            assert part.course.missed == pytest.approx(1000 * missed)
            assert part.course.false_alarms == pytest.approx(1000 * alarms)
            assert part.course.cost == pytest.approx(1000 * (400 * missed + 50 * alarms))
            plain = rs.confusion(y[inside], scores[inside], threshold=found.threshold)
            assert part.rates["recall"].estimate == plain.recall
            assert part.rates["recall"].low < plain.recall <= part.rates["recall"].high
        whole = sum(part.course.cost * (part.n_pos + part.n_neg) for part in found.groups) / y.size
        assert whole == pytest.approx(found[found.model].cost)

    def test_are_in_text_frame_and_dict(self) -> None:
        found = by_site().decide(cost_fp=50, cost_fn=400)
        assert "of 1,000 cases by site" in str(found)
        assert any(line.startswith("By site it finds between") for line in found.verdict)
        assert list(found.to_frame()["group"])[-3:] == ["east", "north", "south"]
        assert [part["group"] for part in found.to_dict()["groups"]] == ["east", "north", "south"]

    def test_a_prevalence_that_is_given_holds_for_all(self) -> None:
        found = by_site().decide(cost_fn=9, prevalence=0.2)
        assert all(part.course.found + part.course.missed == pytest.approx(200) for part in found.groups)

    def test_a_group_of_one_class_is_undefined_not_zero(self) -> None:
        table = {"y": [1, 0, 1, 0, 0, 0], "s": [6, 5, 4, 3, 2, 1], "g": list("aaaabb")}
        found = rs.evaluate(table, label="y", scores=["s"], by="g").decide()
        alone = found.groups[1]
        assert np.isnan(alone.course.recall)
        assert "-" in found.group_cells()[1][1]
        assert str(found)

    def test_from_a_shell(self, file: str) -> None:
        assert "of 1,000 cases by site: boosted at" in _shell(file, *COLUMNS, *COSTS, "--by", "site")


def test_folds_decide_on_all_rows_and_say_what_that_means() -> None:
    folded = rs.evaluate(LOANS, label="defaulted", scores=MODELS, fold="fold")
    found = folded.decide(cost_fp=50, cost_fn=400)
    plain = folded.overall.decide(cost_fp=50, cost_fn=400)
    assert (found.model, found.threshold, found.verdict) == (plain.model, plain.threshold, plain.verdict)
    assert [remark.code for remark in found.warnings] == ["threshold_of_folds"]


def test_more_than_two_classes_and_sketches_have_no_decision() -> None:
    rng = np.random.default_rng(1)
    result = rs.evaluate(rng.integers(0, 3, 60), rng.dirichlet([1, 1, 1], 60), classes=[0, 1, 2])
    with pytest.raises(AttributeError, match="has no attribute 'decide'"):
        result.decide()
    sketched = rs.scale.evaluate_sketches({"a": rs.scale.Sketch(bits=4, range=(0, 1)).update([1, 0], [0.9, 0.2])})
    with pytest.raises(AttributeError, match="has no attribute 'decide'"):
        sketched.decide()


class TestChosenLeader:
    """The rows choose the leader too: p and intervals allow for it."""

    def test_two_models_are_tested_once(self) -> None:
        assert beside_the_best([0.03]) == [0.03]

    @pytest.mark.parametrize("pvalues", [[0.001, 0.02, 0.2], [0.04, 0.5, 0.01, 0.01], [1.0, 1.0]])
    def test_never_below_holm_and_never_falling(self, pvalues: list[float]) -> None:
        found, holm = beside_the_best(pvalues), adjust_pvalues(pvalues)
        assert all(one >= two for one, two in zip(found, holm, strict=True))
        assert [p for _, p in sorted(zip(pvalues, found, strict=True))] == sorted(found)

    def test_undefined_ones_are_not_counted(self) -> None:
        assert beside_the_best([0.01, float("nan")])[0] == 0.01
        assert np.isnan(beside_the_best([0.01, float("nan")])[1])

    def test_intervals_widen_with_models_that_are_alike(self) -> None:
        rng = np.random.default_rng(3)
        y = np.arange(300) % 2
        scores = {f"m{k}": rng.normal(size=300) + y for k in range(5)}
        two = rs.evaluate(y, dict(list(scores.items())[:2])).decide(cost_fn=2).courses[1].more
        five = rs.evaluate(y, scores).decide(cost_fn=2).courses[1].more
        assert two is not None
        assert five is not None
        assert (two.high - two.low) / two.se == pytest.approx(2 * 1.95996, rel=1e-4)
        assert (five.high - five.low) / five.se == pytest.approx(2 * 2.32635, rel=1e-4)
        assert "the first of 5 alike" in five.method

    def test_what_no_model_costs_counts_that_the_threshold_was_chosen(self) -> None:
        y, scores = LOANS["defaulted"], LOANS["boosted"]
        found = rs.evaluate(y, scores).decide(cost_fp=50, cost_fn=400)
        for course in found.courses[1:]:
            assert course.more is not None
            assert course.more.low < 2 * course.more.estimate - course.more.high
