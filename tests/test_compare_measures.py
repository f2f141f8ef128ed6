"""Models are compared by any measure, with a verdict for each."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import rocsteady as rs

MODELS = ["boosted", "logistic", "halved"]


@pytest.fixture(scope="module")
def loans() -> Any:
    table: dict[str, Any] = dict(rs.examples.loans(300))
    table["halved"] = np.asarray(table["boosted"]) / 2
    return rs.evaluate(table, label="defaulted", scores=MODELS)


def test_average_precision_is_compared_as_compare_measure_does(loans: Any) -> None:
    table = rs.examples.loans(300)
    found = loans.compare("logistic", measure="average_precision", n_resamples=200)
    one = rs.compare_measure(
        "average_precision", table["defaulted"], table["boosted"], table["logistic"], n_resamples=200
    )
    test = found.pairs[0].test
    assert (found.pairs[0].first, found.pairs[0].second) == ("boosted", "logistic")
    assert (test.estimate, test.low, test.high, test.pvalue) == (one.estimate, one.low, one.high, one.pvalue)
    assert found.verdict[0].startswith("boosted has the highest average_precision")


def test_the_brier_score_is_compared_by_its_formula_and_lower_is_better(loans: Any) -> None:
    table = rs.examples.loans(300)
    found = loans.compare("logistic", measure="brier_score")
    one = rs.inference.compare_brier(table["defaulted"], table["boosted"], table["logistic"])
    assert found.pairs[0].test.estimate == pytest.approx(one.estimate, abs=1e-15)
    assert found.pairs[0].test.pvalue == pytest.approx(one.pvalue, rel=1e-9)
    assert any(line.startswith("boosted is better than logistic: brier_score -0.0") for line in found.verdict)
    assert "lowest" in found.verdict[0]


def test_holm_is_over_the_pairs_of_a_measure(loans: Any) -> None:
    found = loans.compare(measure="log_loss")
    pvalues = [pair.test.pvalue for pair in found.pairs]
    assert [pair.p_holm for pair in found.pairs] == pytest.approx(rs.inference.adjust_pvalues(pvalues).tolist())


def test_several_measures_have_a_verdict_each(loans: Any) -> None:
    found = loans.compare("logistic", measures=["auc", "brier_score", "partial_auc(fpr_range=(0, 0.2))"])
    assert list(found) == ["auc", "brier_score", "partial_auc(fpr_range=(0, 0.2))"]
    assert found["auc"].pairs[0].test.pvalue == loans.compare("logistic").pairs[0].test.pvalue
    assert all(found.verdict.values())
    assert len(found.to_frame()) == 6
    assert list(found.to_dict()["measures"]) == list(found)
    assert "brier_score\n" in str(found)
    with pytest.raises(rs.errors.ArgumentError, match="measures: 'auc'"):
        found["f1"]


def test_measures_at_the_threshold_of_each_model() -> None:
    rng = np.random.default_rng(1)
    y = rng.random(120) < 0.4
    scores = {"a": y + rng.normal(size=120), "b": 100 + 10 * y + 10 * rng.normal(size=120)}
    found = rs.evaluate(y, scores, threshold="youden").compare(measure="recall", n_resamples=60)
    at = {name: rs.best_threshold(y, each, rule="youden").threshold for name, each in scores.items()}
    values = [rs.measures.recall(y, scores[name], threshold=at[name]) for name in "ab"]
    assert found.pairs[0].test.estimate == pytest.approx(values[0] - values[1])
    assert "threshold_as_given" in [remark.code for remark in found.warnings]
    fixed = rs.compare_models(y, scores, measure="recall", threshold=0.5, n_resamples=60)
    assert fixed.estimates["b"].estimate == 1.0


def test_functions_have_names_and_no_better_side() -> None:
    rng = np.random.default_rng(1)
    y = rng.random(60) < 0.5
    scores = {"a": y + 0.2 * rng.normal(size=60), "b": rng.normal(size=60)}

    def spread(ranked: Any) -> Any:
        return float(ranked.scores.max() - ranked.scores.min())

    found = rs.compare_models(y, scores, measures={"my spread": lambda y, s: float(np.ptp(s[y == 1]))}, n_resamples=60)
    assert list(found) == ["my spread"]
    one = rs.compare_models(y, scores, measure=spread, n_resamples=60)
    assert one.measure == "spread"
    assert not any("better" in line for line in one.verdict)


def test_subjects_and_simultaneous_intervals() -> None:
    rng = np.random.default_rng(2)
    y = np.repeat(rng.random(50) < 0.5, 2)
    scores = {name: 0.3 + 0.4 * y + 0.1 * rng.normal(size=100) for name in "abc"}
    scores = {name: np.clip(each, 0, 1) for name, each in scores.items()}
    subject = np.arange(100) // 2
    plain = rs.compare_models(y, scores, measure="brier_score", cluster=subject)
    wide = rs.compare_models(y, scores, measure="brier_score", cluster=subject, intervals="simultaneous")
    one = rs.inference.compare_brier(y, scores["a"], scores["b"], cluster=subject)
    assert plain.pairs[0].test.se == pytest.approx(one.se, rel=1e-9)
    assert "by cluster" in plain.method
    for narrow, broad in zip(plain.pairs, wide.pairs, strict=True):
        assert broad.test.low < narrow.test.low < narrow.test.high < broad.test.high
        assert broad.test.pvalue == narrow.test.pvalue


def test_what_cannot_be_compared_is_refused(loans: Any) -> None:
    with pytest.raises(rs.errors.ArgumentError, match="not both"):
        loans.compare(measure="auc", measures=["auc"])
    with pytest.raises(rs.errors.ArgumentError, match="there is no formula for average_precision"):
        loans.compare(measure="average_precision", method="formula")
    with pytest.raises(rs.errors.ArgumentError, match="method"):
        loans.compare(measure="brier_score", method="delong")
    assert math.isfinite(loans.compare(measure="gini", n_resamples=40).pairs[0].test.pvalue)
