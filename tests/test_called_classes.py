"""Predicted classes, as predict returns them: pages, groups and folds of them."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import ttest_ind
from sklearn import metrics as sk

import rocsteady as rs
from rocsteady.multiclass import CalledClasses, CalledFolds, CalledGroups, CalledModels

RNG = np.random.default_rng(5)
NAMES = np.array(["ant", "bee", "cat"])
CODES = RNG.integers(0, 3, 240)


def _called(right: float) -> Any:
    return NAMES[np.where(RNG.random(CODES.size) < right, CODES, RNG.integers(0, 3, CODES.size))]


Y, FIRST, SECOND = NAMES[CODES], _called(0.7), _called(0.5)
SITE = np.where(RNG.random(CODES.size) < 0.4, "north", "south")
FOLD = np.arange(CODES.size) % 4
BOTH = {"first": FIRST, "second": SECOND}
OF_SKLEARN = {
    "accuracy": sk.accuracy_score,
    "balanced_accuracy": sk.balanced_accuracy_score,
    "macro_f1": lambda y, called: sk.f1_score(y, called, average="macro"),
    "kappa": sk.cohen_kappa_score,
    "matthews_correlation": sk.matthews_corrcoef,
}


def test_every_group_has_the_numbers_of_scikit_learn() -> None:
    found: Any = rs.evaluate(Y, BOTH, by=SITE)
    assert isinstance(found, CalledGroups)
    for site in ("north", "south"):
        inside = site == SITE
        for model, called in BOTH.items():
            for name, of in OF_SKLEARN.items():
                value = found.parts[site].value(model, name)
                assert value.estimate == pytest.approx(of(Y[inside], called[inside]), rel=1e-12)
                assert value.low < value.estimate < value.high


def test_two_groups_are_tested_as_welch_tests_shares_of_rows_called_right() -> None:
    found: Any = rs.evaluate(Y, BOTH, by=SITE)
    hits = {model: (called == Y).astype(float) for model, called in BOTH.items()}
    for model, hit in hits.items():  # on log-odds
        shares, spread = zip(*((part.mean(), part.var(ddof=1) / part.size) for part in _parts(hit)), strict=True)
        odds = [math.log(share / (1 - share)) for share in shares]
        variance = sum(v / (share * (1 - share)) ** 2 for share, v in zip(shares, spread, strict=True))
        assert found.tests[model].statistic == pytest.approx((odds[0] - odds[1]) ** 2 / variance, rel=1e-9)
    welch = ttest_ind(*_parts(hits["first"] - hits["second"]), equal_var=False)
    test = found.interactions["first", "second"]
    assert test.statistic == pytest.approx(welch.statistic**2, rel=1e-9)
    assert test.pvalue == pytest.approx(welch.pvalue, abs=2e-3)  # degrees of freedom by how rows add, not by rows


def _parts(hit: Any) -> list[Any]:
    return [hit[site == SITE] for site in ("north", "south")]


def test_means_over_folds_and_learners_compared() -> None:
    found: Any = rs.evaluate(Y, BOTH, fold=FOLD)
    assert isinstance(found, CalledFolds)
    for model, called in BOTH.items():
        for name, of in OF_SKLEARN.items():
            each = [of(Y[fold == FOLD], called[fold == FOLD]) for fold in range(4)]
            assert found[model][name].estimate == pytest.approx(np.mean(each), rel=1e-12)
    compared = found.compare()
    assert compared.pairs[0].test.estimate == pytest.approx(
        np.mean(FIRST == Y) - np.mean(SECOND == Y), rel=1e-12
    )  # folds are of one size
    assert "scores of different folds" not in str(found)


def test_one_model_of_a_table_by_two_columns_with_weights_and_subjects() -> None:
    table = {"y": Y, "called": FIRST, "site": SITE, "half": FOLD % 2, "w": np.ones(Y.size), "who": np.arange(Y.size)}
    columns: Any = {"label": "y", "scores": "called", "weight": "w", "cluster": "who"}
    found: Any = rs.evaluate(table, **columns, by=["site", "half"])
    assert list(found) == ["site=north, half=0", "site=north, half=1", "site=south, half=0", "site=south, half=1"]
    assert isinstance(found["site=north, half=0"], rs.results.MulticlassMeasures)
    chosen: Any = rs.evaluate(table, label="y", scores="called", by="site", measures=["kappa_linear"])
    assert chosen.whole.columns == ("kappa_linear",)
    assert chosen.tests["model"].statistic == rs.evaluate(Y, FIRST, by=SITE).tests["model"].statistic


def test_repeated_folds_count_each_row_once() -> None:
    twice = np.r_[np.arange(Y.size), np.arange(Y.size)]
    repeat, fold = np.repeat([1, 2], Y.size), np.r_[FOLD, FOLD[::-1]]
    found: Any = rs.evaluate(Y[twice], FIRST[twice], fold=fold, repeat=repeat, id=twice)
    assert len(found.parts) == 8
    once: Any = rs.evaluate(Y, FIRST, fold=FOLD)
    assert found["model"]["accuracy"].se == pytest.approx(once["model"]["accuracy"].se, rel=0.05)


def test_rows_without_a_call_are_refused_or_dropped() -> None:
    gaps = FIRST.astype(object).copy()
    gaps[3] = None
    with pytest.raises(rs.InputError, match="missing"):
        rs.evaluate(Y, gaps, by=SITE)
    found: Any = rs.evaluate(Y, gaps, by=SITE, missing="drop")
    assert found.whole.origin.n_dropped == 1


@pytest.mark.parametrize(
    ("given", "options", "made"),
    [
        (FIRST, {}, CalledClasses),
        (BOTH, {}, CalledModels),
        (FIRST, {"by": SITE}, CalledGroups),
        (BOTH, {"fold": FOLD}, CalledFolds),
    ],
    ids=["one", "several", "groups", "folds"],
)
def test_a_page_tells_who_is_taken_for_whom(given: Any, options: Any, made: type, tmp_path: Path) -> None:
    found: Any = rs.evaluate(Y, given, **options)
    assert type(found) is made
    page = found.report(tmp_path / "page.html").read_text()
    assert "AUC" not in page.split("<body")[1].split("What the words mean")[0].replace("macro AUC", "")
    assert "Confused most:" in page
    found.report(tmp_path / "page.html")  # its own page is replaced
    other: Any = rs.evaluate(Y, SECOND)
    with pytest.raises(rs.RocsteadyError, match="exists"):
        other.report(tmp_path / "page.html")
    told = json.loads(found.report(tmp_path / "page.json").read_text())
    right = int(np.sum(FIRST == Y))
    assert f"calls {round(1000 * right / Y.size)} right" in json.dumps(told)
    assert "| ant |" in found.report(tmp_path / "page.md").read_text()
    assert found.report(tmp_path / "page.png").stat().st_size > 5000


def test_one_model_keeps_its_measures_and_its_matrix() -> None:
    found: Any = rs.evaluate(Y, FIRST)
    plain = rs.multiclass.multiclass_measures(Y, FIRST)
    assert found.to_dict() == plain.to_dict()
    assert found.confusion.matrix.tolist() == sk.confusion_matrix(Y, FIRST).tolist()


def test_areas_of_calls_are_nowhere() -> None:
    found: Any = rs.evaluate(Y, BOTH)
    assert not {"class_auc", "averages", "roc", "pr", "top_k"} & set(found.to_dict()["models"][0])
    for options in ({"by": SITE}, {"fold": FOLD}):
        with pytest.raises(rs.ArgumentError, match="is about scores"):
            rs.evaluate(Y, BOTH, measures=["macro_auc"], **options)
