"""Two-stage intervals and pooled curves, tests and evaluations: R, definitions and refusals."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

import rocsteady as rs
from cases import each_case
from rocsteady._src.designs.validation.rules import rubins_rules
from test_r_agreement import COLUMNS, FIXTURES, LABELS

R = json.loads((FIXTURES / "r_pooling.json").read_text())
RNG = np.random.default_rng(4)
IMPUTED = [1 / (1 + np.exp(-2 * LABELS + 1 - RNG.normal(size=300))) for _ in range(3)]


@each_case("complete", [("plain", None), ("small", 58)])
def test_rules_of_mice(complete: Any) -> None:
    """pool.scalar takes the rows and the parameters; the complete data have n - k degrees of freedom."""
    name, df = complete
    found, theirs = rubins_rules(R["Q"], R["U"], df), R[name]
    ours = [found[each] for each in ("estimate", "within", "between", "total", "df", "missing_information")]
    assert ours == pytest.approx([theirs[each] for each in ("qbar", "ubar", "b", "t", "df", "fmi")], rel=1e-12)


def test_recalibration_of_glm() -> None:
    found = rs.calibration.calibration_summary(LABELS, COLUMNS["rival"])
    assert (found.in_the_large.estimate, found.in_the_large.se) == pytest.approx(R["shift"], abs=1e-9)
    assert [found.intercept.estimate, found.slope.estimate] == pytest.approx(R["line"], abs=1e-9)
    assert found.slope.se == pytest.approx(R["line_se"][1], abs=1e-9)
    assert found.unreliability_test.pvalue == pytest.approx(R["any"], rel=1e-8)


def difference(features: Any, labels: Any) -> Any:
    weights = features[labels == 1].mean(0) - features[labels == 0].mean(0)
    return lambda rows: rows @ weights


def test_two_stages() -> None:
    """The outer values written out: everything once more on rows that were drawn."""
    x = np.random.default_rng(5).normal(size=(40, 3))
    y = (x[:, 0] + np.random.default_rng(6).normal(size=40) > 0).astype(int)
    given: dict[str, Any] = {"measures": ["auc"], "n_resamples": 8, "random_state": 3}
    found = rs.validation.optimism(difference, x, y, interval="two-stage", n_outer=6, **given)
    plain = rs.validation.optimism(difference, x, y, **given)
    assert found.corrected.tolist() == plain.corrected.tolist()
    values = []
    for stream in np.random.SeedSequence([3, 2]).spawn(6):
        rows = np.random.default_rng(stream).integers(40, size=40)
        inner, labels = x[rows], y[rows]
        gaps = []
        for each in stream.spawn(8):
            drawn = np.random.default_rng(each).integers(40, size=40)
            scores = difference(inner[drawn], labels[drawn])(inner)
            gaps.append(rs.auc(labels[drawn], scores[drawn]) - rs.auc(labels, scores))
        values.append(rs.auc(labels, difference(inner, labels)(inner)) - np.mean(gaps))
    assert [found["auc"].low, found["auc"].high] == pytest.approx(np.quantile(values, [0.025, 0.975]), abs=1e-12)
    assert found["auc"].method == "two-stage"
    told = ["short_two_stage", "few_resamples_of_procedure"]
    assert [remark.code for remark in found["auc"].warnings] == told
    assert {"few_rows_of_procedure", *told} <= {remark.code for remark in found.warnings}
    assert "83.8% of 80 data sets" in str(found)


def test_measures_are_not_mixed() -> None:
    areas = [rs.auc_interval(LABELS, each) for each in IMPUTED]
    brier = rs.inference.measure_interval("brier_score", LABELS, IMPUTED[0])
    with pytest.raises(rs.InputError, match=r"different measures: .*auc.*brier_score"):
        rs.validation.pool([*areas, brier])
    with pytest.raises(rs.InputError, match="different measures"):
        rs.validation.pool(areas, measure="brier_score")
    assert rs.validation.pool(areas).scale == "logit"
    judged = [rs.evaluate(LABELS, each, measures=["auc", "brier_score"], intervals=True) for each in IMPUTED]
    assert rs.validation.pool(judged, measure="auc").estimate == rs.validation.pool(areas).estimate
    name = judged[0].models[0]
    with pytest.raises(rs.InputError, match="different measures"):
        rs.validation.pool([judged[0].intervals[name]["auc"], judged[1].intervals[name]["brier_score"]])
    with pytest.raises(rs.errors.ArgumentError, match="name the one to pool"):
        rs.validation.pool(judged)


def test_chi_squares_and_reclassification() -> None:
    tests = [rs.calibration.hosmer_lemeshow(LABELS, each) for each in IMPUTED]
    found = rs.validation.pool(tests)
    d = np.array([each.statistic for each in tests])
    k, m = float(tests[0].df or 0), 3
    r = (1 + 1 / m) * np.var(np.sqrt(d), ddof=1)
    ratio = max((d.mean() / k - (m + 1) / (m - 1) * r) / (1 + r), 0)
    assert found.statistic == pytest.approx(ratio)
    assert found.pvalue == pytest.approx(stats.f.sf(ratio, k, k ** (-3 / m) * (m - 1) * (1 + 1 / r) ** 2))
    assert "D2" in str(found)
    gains = [rs.net_reclassification(LABELS, COLUMNS["rival"], each).nri for each in IMPUTED]
    pooled = rs.validation.pool(gains)
    assert pooled.estimate == pytest.approx(np.mean([each.estimate for each in gains]))
    assert pooled.pvalue is not None


def test_curves() -> None:
    grid = np.linspace(0.05, 0.95, 7)
    bands = [rs.roc_band(LABELS, each, fpr=grid) for each in IMPUTED]
    found = rs.validation.pool_curves(bands)
    place = 3
    logit = lambda p: math.log(p / (1 - p))  # noqa: E731 - two words
    values = [logit(each.tpr[place]) for each in bands]
    spread = [((logit(each.high[place]) - logit(each.low[place])) / (2 * 1.959963984540054)) ** 2 for each in bands]
    rules = rubins_rules(values, spread, None)
    reach = stats.t.ppf(0.975, rules["df"]) * math.sqrt(rules["total"])
    ends = [1 / (1 + math.exp(-rules["estimate"] + way * reach)) for way in (0, 1, -1)]
    assert [found.estimate[place], found.low[place], found.high[place]] == pytest.approx(ends, rel=1e-9)
    smooth = [rs.calibration_curve(LABELS, each, method="spline", n_knots=3) for each in IMPUTED]
    curve = rs.validation.pool_curves(smooth)
    assert (curve.low <= curve.estimate).all()
    assert curve.plot().ax_ is not None
    assert "Pooled calibration curve" in str(curve)
    for wrong in ([bands[0]], [bands[0], smooth[0]], [bands[0], rs.roc_band(LABELS, IMPUTED[0])]):
        with pytest.raises((rs.InputError, rs.errors.ArgumentError)):
            rs.validation.pool_curves(wrong)
