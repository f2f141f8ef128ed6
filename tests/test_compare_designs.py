"""Folds and groups compare their models, by any measure."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

import rocsteady as rs

RNG = np.random.default_rng(4)
Y = np.arange(180) % 3 == 0
SCORES = {name: np.clip(0.3 + 0.2 * Y + 0.15 * RNG.normal(size=180), 0, 1) for name in "abc"}
FOLD = RNG.permutation(np.arange(180)) % 5
GROUP = RNG.choice(["x", "y"], 180)


def test_folds_compare_all_pairs_with_the_corrected_test_and_holm() -> None:
    folded = rs.evaluate(Y, SCORES, fold=FOLD, measures=["auc"])
    found = folded.compare()
    assert [(pair.first, pair.second) for pair in found.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    for pair in found.pairs:
        one = folded.comparisons[pair.first, pair.second]
        assert pair.test.pvalue == pytest.approx(one.pvalue)
    pvalues = [pair.test.pvalue for pair in found.pairs]
    assert [pair.p_holm for pair in found.pairs] == pytest.approx(rs.inference.adjust_pvalues(pvalues).tolist())
    assert found.estimates["a"] is folded.models["a"].mean
    assert "corrected resampled t" in found.method


def test_folds_compare_by_another_measure() -> None:
    folded = rs.evaluate(Y, SCORES, fold=FOLD, measures=["auc"])
    found = folded.compare("a", measure="brier_score")
    values = {name: [float(np.mean((SCORES[name] - Y)[k == FOLD] ** 2)) for k in range(5)] for name in ("a", "b")}
    one = rs.inference.compare_learners(values["b"], values["a"], test_share=0.2)
    assert found.pairs[0].test.pvalue == pytest.approx(one.pvalue)
    assert "lowest brier_score" in found.verdict[0]


def test_groups_compare_within_and_between() -> None:
    grouped = rs.evaluate(Y, SCORES, by=GROUP, measures=["auc"])
    found = grouped.compare(measure="brier_score")
    part = GROUP == "x"
    one = rs.inference.compare_brier(Y[part], SCORES["a"][part], SCORES["b"][part])
    assert found["x"].pairs[0].test.pvalue == pytest.approx(one.pvalue)
    tests = [found[group].pairs[0].test for group in "xy"]
    apart = (tests[0].estimate - tests[1].estimate) ** 2 / (tests[0].se ** 2 + tests[1].se ** 2)
    assert found.interactions[0].statistic == pytest.approx(apart)
    assert found.interactions[0].pvalue == pytest.approx(chi2.sf(apart, 1))
    assert len(found.to_frame()) == 6
    assert "the difference of brier_score" in str(found)
    areas = grouped.compare("a")
    assert areas["y"].pairs[0].test.pvalue == grouped["y"].compare("a").pairs[0].test.pvalue
    assert areas.interactions[0].pvalue == pytest.approx(grouped.interactions["a", "b"].pvalue, rel=1e-6)


def test_the_command_compares_by_a_measure(
    tmp_path: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from rocsteady.__main__ import main

    path = tmp_path / "rows.csv"
    lines = [f"{int(y)},{a},{b}" for y, a, b in zip(Y, SCORES["a"], SCORES["b"], strict=True)]
    path.write_text("\n".join(["y,a,b", *lines]))
    words = ["compare", str(path), "--label", "y", "--score", "a", "--score", "b", "--measure", "brier_score"]
    monkeypatch.setattr("sys.argv", ["rocsteady", *words])
    with pytest.raises(SystemExit):
        main()
    library = rs.evaluate(Y, {name: SCORES[name] for name in "ab"}).compare(measure="brier_score")
    assert library.verdict[0] in capsys.readouterr().out


def test_every_model_keeps_its_own_threshold_in_every_fold() -> None:
    rng = np.random.default_rng(8)
    y, fold = rng.integers(0, 2, 200), np.arange(200) % 4
    scores = {"a": y + rng.normal(size=200), "b": 10 * (y + rng.normal(size=200))}
    at = {"a": 0.4, "b": 6.0}
    compared = rs.evaluate(y, scores, fold=fold, threshold=at, measures=["recall"], intervals=False).compare(
        measure="recall"
    )
    for model, found in compared.estimates.items():
        by_hand = [np.mean(scores[model][(fold == part) & (y == 1)] >= at[model]) for part in range(4)]
        assert found.estimate == pytest.approx(np.mean(by_hand), rel=1e-12)
