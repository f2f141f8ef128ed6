"""Predictive values at another prevalence: Bayes' rule, and intervals through likelihood ratios with exact coverage."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from benchmarks.predictive_coverage import coverage, log_bounds, table
from tools.site.tables import RESULTS, cells_of, read_rows

import rocsteady as rs
from cases import each_case
from command import rocsteady
from rocsteady._src.measures.prevalence import values_at_prevalence
from rocsteady.inference import measure_interval, predictive_values

Confusion = rs.measures.Confusion
COUNTS = [(8, 2, 3, 9), (1, 0, 4, 7), (5, 6, 0, 3), (3, 4, 2, 0), (40, 12, 7, 90)]
RNG = np.random.default_rng(2)
Y = RNG.integers(0, 2, 90)
S = (RNG.random(90) * 0.6 + 0.3 * Y).round(2)


def logit(share: float) -> float:
    return math.log(share / (1 - share))


@each_case("cells", COUNTS)
@each_case("prevalence", [Fraction(1, 100), Fraction(1, 3), Fraction(9, 10)])
def test_values_are_bayes_rule_in_fractions(cells: tuple[int, ...], prevalence: Fraction) -> None:
    tp, fp, fn, tn = map(Fraction, cells)
    hits, alarms = prevalence * tp / (tp + fn), (1 - prevalence) * fp / (fp + tn)
    misses, rightly = prevalence * fn / (tp + fn), (1 - prevalence) * tn / (fp + tn)
    found = values_at_prevalence(Confusion(*cells), float(prevalence))
    assert found == pytest.approx((float(hits / (hits + alarms)), float(rightly / (rightly + misses))), rel=1e-14)


def test_at_the_prevalence_of_the_rows_they_are_the_plain_ones() -> None:
    counts = rs.confusion(Y, S, threshold=0.5)
    found = predictive_values(Y, S, threshold=0.5, prevalence=float(Y.mean()))
    assert found.ppv.estimate == pytest.approx(counts.precision, rel=1e-12)
    assert found.npv.estimate == pytest.approx(counts.negative_predictive_value, rel=1e-12)


@pytest.mark.parametrize("cells", COUNTS)
def test_intervals_are_those_of_the_closed_form(cells: tuple[int, ...]) -> None:
    tp, fp, fn, tn = cells
    found = predictive_values(Confusion(*cells), prevalence=0.2)
    for made, a, b, sign in ((found.ppv, tp, fp, 1), (found.npv, fn, tn, -1)):
        ends = [float(end) for end in log_bounds(a, tp + fn, b, fp + tn)]
        shift = sign * logit(0.2)
        expected = sorted(
            1 / (1 + math.exp(-(shift + sign * end))) if math.isfinite(end) else float(sign * end > 0) for end in ends
        )
        assert (made.low, made.high) == pytest.approx(expected, rel=1e-8)
        assert made.low <= made.estimate <= made.high


def test_the_published_table_is_what_is_measured() -> None:
    assert cells_of(table()) == read_rows(RESULTS / "tables" / "prevalence-predictive-values.csv")
    assert min(coverage(recall, specificity, 50, 50)[0] for recall in (0.7, 0.9) for specificity in (0.7, 0.9)) > 0.94


def test_rows_weights_and_subjects() -> None:
    plain = predictive_values(Y, S, threshold=0.5, prevalence=0.1)
    doubled = predictive_values(np.repeat(Y, 2), np.repeat(S, 2), threshold=0.5, prevalence=0.1)
    weighted = predictive_values(
        Y, S, threshold=0.5, prevalence=0.1, sample_weight=np.full(90, 2), weight_type="frequency"
    )
    assert tuple(weighted.ppv) == pytest.approx(tuple(doubled.ppv), rel=1e-9)
    again = predictive_values(
        np.repeat(Y, 2), np.repeat(S, 2), threshold=0.5, prevalence=0.1, cluster=np.repeat(np.arange(90), 2)
    )
    assert again.ppv.estimate == pytest.approx(plain.ppv.estimate)
    assert again.ppv.high - again.ppv.low == pytest.approx(plain.ppv.high - plain.ppv.low, rel=0.02)
    assert "by cluster" in again.ppv.method


def test_ends_of_the_scale() -> None:
    never, always = (predictive_values(Y, S, threshold=0.5, prevalence=share) for share in (0.0, 1.0))
    assert (never.ppv.estimate, never.npv.estimate) == (0, 1)
    assert (always.ppv.estimate, always.npv.estimate) == (1, 0)
    nobody = predictive_values(Confusion(0, 0, 5, 5), prevalence=0.1)
    assert math.isnan(nobody.ppv.estimate)
    assert math.isnan(nobody.ppv.low)
    assert nobody.npv.estimate == pytest.approx(0.9)
    sure = predictive_values(Confusion(5, 0, 5, 50), prevalence=0.1)
    assert sure.ppv.high == 1 == sure.ppv.estimate
    assert 0 < sure.ppv.low < 1
    for wrong in (-0.1, 1.5, math.nan):
        with pytest.raises(rs.errors.ArgumentError, match=r"lies in \[0, 1\]"):
            predictive_values(Y, S, threshold=0.5, prevalence=wrong)
    with pytest.raises(rs.errors.ArgumentError, match="takes a threshold that is known"):
        predictive_values(Y, S, threshold="youden", prevalence=0.1)


def test_the_result_reads_well() -> None:
    found = predictive_values(Y, S, threshold=0.5, prevalence=0.1)
    assert repr(found).startswith("PredictiveValues(PPV ")
    assert list(found._columns())[2:5] == ["ppv", "ppv_low", "ppv_high"]
    assert json.loads(json.dumps(found.to_dict()))["prevalence"] == 0.1


def test_the_command_shows_the_same_intervals(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("y,s\n" + "".join(f"{y},{s}\n" for y, s in zip(Y, S, strict=True)))
    asked = ("confusion", str(path), "--label", "y", "--score", "s", "--threshold", "0.5", "--prevalence", "0.1")
    expected = predictive_values(Y, S, threshold=0.5, prevalence=0.1)
    told = json.loads(rocsteady(*asked, "--format", "json").stdout)["models"][0]
    for name, interval in (("ppv_there", expected.ppv), ("npv_there", expected.npv)):
        assert told[name] == pytest.approx(interval.estimate, rel=1e-12)
        assert told["intervals"][name]["low"] == pytest.approx(interval.low, rel=1e-12)
    header, row = (line.split(",") for line in rocsteady(*asked, "--format", "csv").stdout.splitlines()[:2])
    assert float(row[header.index("npv_there_high")]) == pytest.approx(expected.npv.high, rel=1e-12)
    text = rocsteady(*asked).stdout
    assert f"{expected.ppv.estimate:.4f} [{expected.ppv.low:.4f}, {expected.ppv.high:.4f}]" in text
    assert "likelihood_ratio" not in text


def test_the_interval_of_the_ratio_is_the_one_mechanism() -> None:
    ratio = measure_interval("positive_likelihood_ratio", Y, S, threshold=0.5, method="delta")
    found = predictive_values(Y, S, threshold=0.5, prevalence=0.3)
    assert [logit(end) - logit(0.3) for end in found.ppv] == pytest.approx([math.log(end) for end in ratio], rel=1e-9)


def test_sketches_hold_what_the_rows_say() -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 2000)
    s = 1 / (1 + np.exp(-(rng.normal(size=2000) + 1.5 * y)))
    coarse = rs.scale.Sketch(bits=6, range=(0, 1), capacity=0).update(y, s)
    for threshold in (0.3, 0.71, 0.9):
        asked = {"threshold": threshold, "prevalence": 0.1, "cost_fp": 1.0, "cost_fn": 5.0}
        here, there = predictive_values(y, s, **asked), coarse.predictive_values(**asked)
        for name, exact in here.intervals.items():
            found = there.intervals[name]
            assert found.low <= exact.low <= exact.estimate <= exact.high <= found.high
            assert found.high - found.low < exact.high - exact.low + 0.2
        assert [remark.code for remark in there.warnings] == ["counts_bracket"]
        assert "counted in cells" in str(there)
        assert rs.scale.Sketch().update(y, s).predictive_values(**asked).to_dict() == here.to_dict()
    edge = coarse.predictive_values(threshold=0.5, prevalence=0.1)  # where two cells meet, all is known
    assert edge.to_dict() == predictive_values(y, s, threshold=0.5, prevalence=0.1).to_dict()
