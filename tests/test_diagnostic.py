"""Exact rank sums, contrasts of AUCs, ordered classes, partial verification, adjusted ROC: oracles, R and laws."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from test_r_agreement import COLUMNS, FIXTURES, LABELS

R = json.loads((FIXTURES / "r_diagnostic.json").read_text())
WEIGHTS = np.genfromtxt(FIXTURES / "reference_data.csv", delimiter=",", names=True)["weight"]


def _auc(positives: Any, negatives: Any) -> Fraction:
    won = sum((Fraction(2 * int(p > n) + int(p == n), 2) for p in positives for n in negatives), Fraction(0))
    return won / (len(positives) * len(negatives))


@pytest.mark.parametrize("ties", [False, True])
def test_exact_rank_sum(ties: bool) -> None:
    """All labellings, one by one."""
    rng = np.random.default_rng(3)
    scores = rng.normal(size=9).round(0 if ties else 9)
    y = np.array([1, 1, 1, 1, 0, 0, 0, 0, 0])
    seen = _auc(scores[y == 1], scores[y == 0])
    every = []
    for chosen in combinations(range(9), 4):
        mask = np.isin(np.arange(9), chosen)
        every.append(_auc(scores[mask], scores[~mask]))
    at_least = sum(each >= seen for each in every) / len(every)
    at_most = sum(each <= seen for each in every) / len(every)
    for side, value in (("greater", at_least), ("less", at_most), ("two-sided", min(1, 2 * min(at_least, at_most)))):
        found = rs.inference.auc_null_test(y, scores, alternative=side, method="exact")
        assert found.pvalue == pytest.approx(value, abs=1e-14)
    assert found.method.startswith("exact rank sum")


def test_rank_sum_of_r() -> None:
    y, s = LABELS[R["rows"]], COLUMNS["continuous"][R["rows"]]
    for side in ("two-sided", "greater", "less"):
        found = rs.inference.auc_null_test(y, s, alternative=side, method="exact").pvalue
        assert found == pytest.approx(R["rank_sum"][side.replace("-", ".")], abs=1e-12)
    with pytest.raises(rs.InputError, match="normal"):
        rs.inference.auc_null_test(np.tile([0, 1], 600), np.arange(1200), method="exact")


def test_covariance_and_contrasts() -> None:
    scores = {name: COLUMNS[name] for name in ("continuous", "rival", "grade")}
    found = rs.inference.auc_contrasts(LABELS, scores, [[1, -1, 0], [1, 0, -1]])
    assert found.auc == pytest.approx(np.array(R["auc"]), abs=1e-12)
    assert found.covariance == pytest.approx(np.array(R["covariance"]), abs=1e-14)
    free = found.df
    assert found.statistic == pytest.approx(R["chisq"] * (free - 1) / (free * 2), abs=1e-9)
    same = rs.inference.auc_contrasts(LABELS, {"a": LABELS, "b": LABELS})
    assert "models_alike" in [each.code for each in same.warnings]
    named = rs.inference.auc_contrasts(LABELS, scores, {"a": {"continuous": 1, "rival": -1}})
    pair = rs.compare_auc(LABELS, scores["continuous"], scores["rival"], method="delong")
    assert named.estimates[0] == pytest.approx(pair.estimate, abs=1e-14)
    assert math.sqrt(named.covariance_of_contrasts[0, 0]) == pytest.approx(pair.se, abs=1e-14)
    assert rs.inference.auc_contrasts(LABELS, scores).names == ("rival - continuous", "grade - continuous")
    for wrong in ({"a": {"nobody": 1}}, [[1, -1]], [[0, 0, 0]], {}):
        with pytest.raises(rs.errors.ArgumentError, match="contrasts"):
            rs.inference.auc_contrasts(LABELS, scores, wrong)


def _volume(samples: list[list[int]]) -> Fraction:
    """All tuples; those that tie count as a coin would order them."""
    total = Fraction(0)
    for rows in product(*samples):
        if all(a <= b for a, b in pairwise(rows)):
            runs = [rows.count(value) for value in set(rows)]
            total += Fraction(1, math.prod(math.factorial(run) for run in runs))
    return total / math.prod(len(each) for each in samples)


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_volume_by_all_tuples(n_classes: int) -> None:
    rng = np.random.default_rng(n_classes)
    samples = [rng.integers(0, 6, 4 + k).tolist() for k in range(n_classes)]
    y, s = np.repeat(range(n_classes), [len(each) for each in samples]), np.concatenate(samples)
    found = rs.multiclass.ordinal_auc(y, s)
    assert found.volume.estimate == pytest.approx(float(_volume(samples)), abs=1e-14)
    added = [[float(_volume([*samples[:k], [x], *samples[k + 1 :]])) for x in samples[k]] for k in range(n_classes)]
    variance = sum(np.var(each, ddof=1) / len(each) for each in added)
    assert found.volume.se == pytest.approx(math.sqrt(variance), abs=1e-14)
    pairs = {(a, b): _auc(samples[b], samples[a]) for a, b in combinations(range(n_classes), 2)}
    assert found.ordinal_c.estimate == pytest.approx(float(sum(pairs.values()) / len(pairs)), abs=1e-14)
    sizes = {(a, b): len(samples[a]) * len(samples[b]) for a, b in pairs}
    both = sum(sizes[pair] * value for pair, value in pairs.items()) / sum(sizes.values())
    assert found.concordance.estimate == pytest.approx(float(both), abs=1e-14)
    if n_classes == 2:
        area = rs.auc_interval(y, s, method="delong")
        assert (found.volume.estimate, found.volume.se) == pytest.approx((area.estimate, area.se), abs=1e-14)
    assert json.loads(json.dumps(found.to_dict()))["counts"] == [len(each) for each in samples]


def test_order_of_classes() -> None:
    y, s = ["low", "high", "mid", "low", "high", "mid"], [1, 6, 3, 2, 5, 4]
    assert rs.multiclass.ordinal_auc(y, s, order=["low", "mid", "high"]).volume.estimate == 1
    assert "no interval" in str(rs.multiclass.ordinal_auc(y, s, order=["low", "mid", "high"]).volume)
    for order in (None, ["low", "high"], ["low", "mid", "mid"]):
        with pytest.raises(rs.errors.ArgumentError, match="order"):
            rs.multiclass.ordinal_auc(y, s, order=order)


def _partly(strata: Any = None, **more: Any) -> Any:
    y = [int(label) if seen else None for label, seen in zip(LABELS, R["verified"], strict=True)]
    return rs.inference.partial_verification(y, COLUMNS["continuous"], threshold=0.4, strata=strata, **more)


def test_begg_and_greenes() -> None:
    found = _partly()
    for name in ("sensitivity", "specificity"):
        each = getattr(found, name)
        assert (each.estimate, each.low, each.high) == pytest.approx(R[name], abs=1e-10)
    assert found.naive["sensitivity"] > found.sensitivity.estimate
    called, seen = COLUMNS["continuous"] >= 0.4, np.array(R["verified"], bool)
    shares = np.array([seen[called == side].mean() for side in (False, True)])[called.astype(int)]
    inverse = _partly(probability=shares)
    for name in ("sensitivity", "specificity", "prevalence"):
        assert getattr(inverse, name).estimate == pytest.approx(getattr(found, name).estimate, abs=1e-12)
    assert inverse.auc.estimate == pytest.approx(found.auc.estimate, abs=1e-12)
    weighted = rs.auc(LABELS[seen], COLUMNS["continuous"][seen], sample_weight=1 / shares[seen])
    assert found.auc.estimate == pytest.approx(weighted, abs=1e-12)
    assert "verified rows alone" in str(found)


def test_verification_refusals() -> None:
    y = [1, 0, None, None]
    for options, told in (
        ({"threshold": 2.5}, "no row is verified"),
        ({"threshold": 1.5, "strata": ["a", "a", "b", "b"]}, "stratum b"),
        ({"threshold": 1.5, "probability": [1, 0.5, 0, 1]}, "above 0"),
    ):
        with pytest.raises(rs.InputError, match=told):
            rs.inference.partial_verification(y, [1, 2, 3, 4], **options)
    with pytest.raises(rs.InputError, match="all rows are verified"):
        rs.inference.partial_verification([1, 0], [1, 2], threshold=1.5)


def test_adjusted_area() -> None:
    few: dict[str, Any] = {"n_resamples": 20, "random_state": 1}
    found = rs.inference.adjusted_roc(LABELS, COLUMNS["continuous"], WEIGHTS, **few)
    assert found.auc.estimate == pytest.approx(R["stratified"], abs=1e-12)
    line = rs.inference.adjusted_roc(LABELS, COLUMNS["continuous"], COLUMNS["rival"], method="linear", **few)
    assert line.auc.estimate == pytest.approx(R["line"], abs=1e-10)
    one = rs.inference.adjusted_roc(LABELS, COLUMNS["rounded"], np.zeros(300), **few)
    plain = rs.auc_interval(LABELS, COLUMNS["rounded"], method="delong")
    assert (one.auc.estimate, one.auc.se) == pytest.approx((plain.estimate, plain.se), abs=1e-12)
    roc = rs.roc_curve(LABELS, COLUMNS["continuous"])
    whole = rs.inference.adjusted_roc(LABELS, COLUMNS["continuous"], np.zeros(300), **few)
    heights = [roc.tpr[roc.fpr <= at + 1e-12].max() for at in whole.fpr]
    assert whole.tpr == pytest.approx(np.array(heights), abs=1e-12)
    assert (found.low <= found.tpr + 0.2).all()
    assert json.loads(json.dumps(found.to_dict()))["method"] == "stratified"
    assert "left out" in str(rs.inference.adjusted_roc([0, 1, 1], [1, 2, 3], ["a", "a", "b"], **few))
    with pytest.raises(rs.errors.ArgumentError, match="no number"):
        rs.inference.adjusted_roc([0, 1, 1], [1, 2, 3], ["a", "a", "b"], method="linear", **few)
