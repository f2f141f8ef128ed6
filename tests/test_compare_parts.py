"""Folds and groups compared by several measures, of two classes and of more; the command line likewise."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import rocsteady as rs
from command import rocsteady
from rocsteady._src.designs.classes.estimates import JudgedClasses
from rocsteady._src.designs.classes.scores_by_class import part_of_rows, read_classes
from rocsteady._src.inference.comparison.hypotheses import all_equal

if TYPE_CHECKING:
    from pathlib import Path

RNG = np.random.default_rng(11)
N = 240
Y = RNG.integers(0, 2, N)
FOLD, GROUP = np.arange(N) % 4, np.array(["x", "y", "z"])[np.arange(N) % 3]
TRUE = 1 / (1 + np.exp(-2.5 * Y + 1.2 - RNG.normal(size=N)))
NOISE = {"a": 0.0, "b": 0.1, "c": 0.3}
SCORES = {name: np.clip(TRUE + noise * RNG.normal(size=N), 0.01, 0.99) for name, noise in NOISE.items()}
MEASURES = ["auc", "brier_score", "recall"]


def test_folds_compare_by_several_measures() -> None:
    folded = rs.evaluate(Y, SCORES, fold=FOLD, threshold=0.5, measures=["auc", "recall"])
    found = folded.compare(measures=MEASURES)
    assert list(found) == MEASURES
    for name in MEASURES:
        alone = folded.compare(measure=name)
        assert found[name].verdict == alone.verdict
        assert [pair.p_holm for pair in found[name].pairs] == [pair.p_holm for pair in alone.pairs]
    pvalues = [pair.test.pvalue for each in found.measures.values() for pair in each.pairs]
    assert found.p_holm_all == pytest.approx(rs.inference.adjust_pvalues(pvalues, "holm"))
    assert found.to_frame()["p_holm_all"].tolist() == list(found.p_holm_all)
    assert "over all 9 tests of 3 measures Holm's p is" in str(found)
    assert folded.compare().measure == "AUC"
    with pytest.raises(rs.ArgumentError, match="not both"):
        folded.compare(measure="auc", measures=["auc"])
    with pytest.raises(rs.ArgumentError, match="at least one measure"):
        folded.compare(measures=[])


def test_groups_compare_by_several_measures() -> None:
    grouped = rs.evaluate(Y, SCORES, by=GROUP, threshold=0.5, measures=["auc"], intervals=False)
    found = grouped.compare("a", measures=["auc", "brier_score"])
    alone = grouped.compare("a", measure="brier_score")
    assert found["brier_score"].verdict == alone.verdict
    assert len(found.to_frame()) == 2 * 3 * 2
    assert len(found.p_holm_all) == 12
    assert set(found.verdict) == {"auc", "brier_score"}
    adjusted = rs.inference.adjust_pvalues([each.pvalue for each in alone.interactions])
    assert [each.p_holm for each in alone.interactions] == pytest.approx(adjusted)
    assert "adjusted" in alone.verdict[-1]
    assert len(found._picture().lines) == 12
    assert found.to_dict()["p_holm_all"] == list(found.p_holm_all)


def test_groups_that_share_subjects_are_no_independent_groups() -> None:
    who = np.arange(N) // 3  # every subject has a row in each group
    grouped = rs.evaluate(Y, SCORES, by=GROUP, cluster=who, measures=["auc"], intervals=False)
    areas = grouped.compare("a")
    known = [grouped.interactions["a", "b"].pvalue, grouped.interactions["a", "c"].pvalue]
    assert [each.pvalue for each in areas.interactions] == pytest.approx(known)
    losses = grouped.compare("a", measure="brier_score")
    assert all(math.isnan(each.pvalue) for each in losses.interactions)
    assert "subjects have rows in several groups" in losses.verdict[-1]
    apart = rs.evaluate(Y, SCORES, by=GROUP, cluster=np.arange(N), measures=["auc"], intervals=False)
    assert not math.isnan(apart.compare("a", measure="brier_score").interactions[0].pvalue)


CLASSES = RNG.integers(0, 3, N)


def probabilities(gap: float) -> Any:
    odds = np.exp(RNG.normal(size=(N, 3)) + gap * np.eye(3)[CLASSES])
    return odds / odds.sum(axis=1, keepdims=True)


MODELS = {"p": probabilities(2.0), "q": probabilities(1.5), "r": probabilities(1.0)}


def test_folds_of_several_classes_are_compared_as_learners() -> None:
    folded = rs.evaluate(CLASSES, MODELS, fold=FOLD)
    found = folded.compare("accuracy")
    right = {name: each.argmax(axis=1) == CLASSES for name, each in MODELS.items()}
    hits = {name: [each[k == FOLD].mean() for k in range(4)] for name, each in right.items()}
    for pair in found.pairs:
        known = rs.inference.compare_learners(hits[pair.first], hits[pair.second], test_share=1 / 4)
        assert (pair.test.statistic, pair.test.pvalue) == pytest.approx((known.statistic, known.pvalue))
    assert found.pairs[1].p_holm == pytest.approx(rs.inference.adjust_pvalues([p.test.pvalue for p in found.pairs])[1])
    assert found.estimates["p"].low == folded["p"]["accuracy"].low
    both = folded.compare(measures=["macro_auc", "log_loss"], baseline="p")
    assert [(pair.first, pair.second) for pair in both["log_loss"].pairs] == [("q", "p"), ("r", "p")]
    assert "p is better than r: log loss -" in "\n".join(both["log_loss"].verdict)
    assert folded.compare().measure == "macro one-vs-rest AUC"


def test_repeats_of_several_classes_share_rows() -> None:
    twice, fold = np.tile(np.arange(N), 2), np.r_[FOLD, (np.arange(N) // 4) % 4]
    models = {name: each[twice] for name, each in MODELS.items()}
    found = rs.evaluate(CLASSES[twice], models, fold=fold, repeat=np.repeat([0, 1], N), id=twice)
    assert found.share == pytest.approx(1 / 4)
    values = {name: [each.value(name, "accuracy").estimate for each in found.parts.values()] for name in ("p", "q")}
    known = rs.inference.compare_learners(values["p"], values["q"], test_share=1 / 4)
    assert found.compare("accuracy").pairs[0].test.pvalue == pytest.approx(known.pvalue)


def test_groups_of_several_classes_are_compared_within_and_between() -> None:
    grouped = rs.evaluate(CLASSES, MODELS, by=GROUP)
    found = grouped.compare("log_loss", baseline="p")
    losses = {name: -np.log(each[np.arange(N), CLASSES]) for name, each in MODELS.items()}
    means, squares = [], []
    for group in "xyz":
        apart = (losses["q"] - losses["p"])[group == GROUP]
        test = found[group].pairs[0].test
        assert (test.estimate, test.se) == pytest.approx((apart.mean(), apart.std(ddof=1) / math.sqrt(apart.size)))
        means.append(test.estimate)
        squares.append(test.se**2)
    known = all_equal(np.array(means), np.diag(squares))
    assert found.interactions[0].statistic == pytest.approx(known[0])
    assert known[1] < found.interactions[0].pvalue < known[1] + 0.05  # Welch's, of variances that are not certain
    both = grouped.compare(measures=["macro_auc", "accuracy"])
    assert len(both.p_holm_all) == 2 * 3 * 3
    assert both["macro_auc"].interactions[0].pvalue == pytest.approx(grouped.interactions["p", "q"].pvalue)


def test_subjects_in_several_groups_of_several_classes_are_counted() -> None:
    who = np.arange(N) // 3
    grouped = rs.evaluate(CLASSES, MODELS, by=GROUP, cluster=who)
    found = grouped.compare("macro_auc").interactions[0]
    assert found.pvalue == pytest.approx(grouped.interactions["p", "q"].pvalue)
    apart = rs.evaluate(CLASSES, MODELS, by=GROUP).compare("macro_auc").interactions[0]
    assert found.pvalue != pytest.approx(apart.pvalue, rel=1e-3)


def test_groups_without_a_value_are_left_out_of_the_comparison() -> None:
    lacking = np.where((GROUP == "z") & (CLASSES == 2), "y", GROUP)
    grouped = rs.evaluate(CLASSES, MODELS, by=lacking)
    assert list(grouped.compare("macro_auc")) == ["x", "y"]
    assert list(grouped.compare("accuracy")) == ["x", "y", "z"]
    alone = rs.evaluate(CLASSES, MODELS["p"], by=GROUP)
    with pytest.raises(rs.ArgumentError, match="at least two models"):
        alone.compare()
    rows = part_of_rows(read_classes(CLASSES, MODELS["p"]), np.flatnonzero(GROUP == "x"))
    assert alone["x"].averages["macro"].estimate == pytest.approx(JudgedClasses(rows).estimate("macro_auc").value)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rows") / "rows.csv"
    columns = {"y": Y, **SCORES, "fold": FOLD, "group": GROUP}
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    path.write_text("\n".join(lines))
    return path


def words(file: Path, command: str, *more: str) -> list[str]:
    scores = [part for name in SCORES for part in ("--score", name)]
    return [command, str(file), "--label", "y", *scores, *more]


def test_the_command_compares_by_several_measures(file: Path) -> None:
    call = words(file, "compare", "--measure", "auc", "--measure", "brier_score", "--baseline", "a")
    known = rs.evaluate(Y, SCORES).compare("a", measures=["auc", "brier_score"])
    told = rocsteady(*call).stdout
    for name in ("auc", "brier_score"):
        assert f"{name}: {known[name].verdict[0]}" in told
    assert known.over_all() in told
    data = json.loads(rocsteady(*call, "--format", "json").stdout)
    assert data["p_holm_all"] == pytest.approx(list(known.p_holm_all))
    one = rocsteady(*words(file, "compare", "--measure", "brier_score"))
    assert rs.evaluate(Y, SCORES).compare(measure="brier_score").verdict[0] in one.stdout
    assert "there is no measure 'nope'" in rocsteady(*call, "--measure", "nope").stderr
    cutoffs = rocsteady(*call, "--cutoffs", "0.5")
    assert "--cutoffs does nothing with several measures" in cutoffs.stderr


def test_the_command_compares_groups_and_folds(file: Path) -> None:
    grouped = rs.evaluate(Y, SCORES, by=GROUP, measures=["auc"], intervals=False)
    told = rocsteady(*words(file, "compare", "--by", "group", "--baseline", "a")).stdout
    for line in grouped.compare("a").verdict:
        assert line in told
    asked = ("--measure", "auc", "--measure", "recall")
    folded = rs.evaluate(Y, SCORES, fold=FOLD, threshold=0.5, measures=["auc", "recall"])
    told = rocsteady(*words(file, "compare", "--fold", "fold", "--threshold", "0.5", *asked)).stdout
    for name, lines in folded.compare(measures=["auc", "recall"]).verdict.items():
        assert f"{name}: {lines[0]}" in told
    refused = rocsteady(*words(file, "compare", "--fold", "fold", "--method", "delong")).stderr
    assert "--method does nothing with --fold" in refused


def test_the_command_says_gaps_between_groups(file: Path) -> None:
    call = words(file, "gaps", "--by", "group", "--threshold", "0.5", "--reference", "y")
    known = rs.evaluate(Y, SCORES, by=GROUP, measures=["auc"], intervals=False).gaps(threshold=0.5, reference="y")
    told = rocsteady(*call).stdout
    for line in known.lines():
        assert line in told
    data = json.loads(rocsteady(*call, "--format", "json").stdout)
    assert data["found"][0]["largest"]["high"] == pytest.approx(known.found[0].largest.high)
    table = rocsteady(*call, "--measure", "equalized_odds", "--format", "csv").stdout.splitlines()
    assert len(table) == 1 + 3 * 2 * 3
    assert table[0].startswith("model,measure,threshold,group,estimate,low,high,gap,")
    unused = rocsteady(*call, "--measure", "brier_score").stderr
    assert "--threshold does nothing with measures that have no threshold" in unused
    assert "there is no group 'w'" in rocsteady(*call[:-1], "w").stderr
    assert all(one != two for one, two in pairwise(known.lines()))
