"""Agreement with R (pROC, ROCR, Hmisc, stats) and with the package hmeasure on data of our own.

Their values are in ``fixtures``, beside the scripts that made them; nothing here needs R. Where a convention
differs, the test says how. The tolerance is absolute and the same everywhere.
"""

from __future__ import annotations

import csv
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from rocsteady._src.inference.units.components import Area
from rocsteady._src.inference.units.spread import areas_of
from rocsteady._src.ranked import read_models

TOLERANCE = 1e-12
FIXTURES = Path(__file__).with_name("fixtures")
R_REFERENCE = json.loads((FIXTURES / "r_reference.json").read_text())
H_REFERENCE = json.loads((FIXTURES / "hmeasure_reference.json").read_text())
SCORES = tuple(R_REFERENCE["scores"])

# pROC's column: our measure. Its thresholds increase, ours decrease.
PROC_MEASURES = {
    "sensitivity": "recall",
    "specificity": "specificity",
    "tn": "tn",
    "tp": "tp",
    "fn": "fn",
    "fp": "fp",
    "npv": "negative_predictive_value",
    "ppv": "precision",
    "accuracy": "accuracy",
    "fpr": "false_positive_rate",
    "fnr": "false_negative_rate",
    "fdr": "false_discovery_rate",
    "1-accuracy": "error_rate",
    "1-npv": "false_omission_rate",
}
ROCR_MEASURES = {
    "acc": "accuracy",
    "err": "error_rate",
    "fpr": "false_positive_rate",
    "tpr": "recall",
    "tnr": "specificity",
    "fnr": "false_negative_rate",
    "prec": "precision",
    "npv": "negative_predictive_value",
    "pcfall": "false_discovery_rate",
    "pcmiss": "false_omission_rate",
    "phi": "matthews_correlation",
    "odds": "diagnostic_odds_ratio",
}
BETA_OF_ALPHA = {"f_alpha_0.5": 1.0, "f_alpha_0.2": 2.0, "f_alpha_0.8": 0.5}  # alpha = 1 / (1 + beta^2)


def read_columns() -> dict[str, np.ndarray]:
    with (FIXTURES / "reference_data.csv").open(encoding="ascii", newline="") as file:
        names, *rows = csv.reader(file)
    return dict(zip(names, np.array(rows, dtype=np.float64).T, strict=True))


COLUMNS = read_columns()
LABELS, WEIGHTS = COLUMNS["y"], COLUMNS["weight"]


def numbers(values: Any) -> np.ndarray:
    """null is NaN; infinities are strings, which float() reads."""
    return np.array([np.nan if value is None else float(value) for value in np.atleast_1d(values)])


def assert_agree(ours: Any, theirs: Any) -> None:
    """NaN and infinities must stand in the same places."""
    np.testing.assert_allclose(np.atleast_1d(ours), numbers(theirs), rtol=0, atol=TOLERANCE, strict=True)


@pytest.fixture(params=SCORES)
def name(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def ranked(name: str) -> rs.RankedScores:
    return rs.rank(LABELS, COLUMNS[name])


@pytest.fixture
def weighted(name: str) -> rs.RankedScores:
    return rs.rank(LABELS, COLUMNS[name], sample_weight=WEIGHTS)


@pytest.fixture
def r(name: str) -> dict[str, Any]:
    return R_REFERENCE["scores"][name]


class TestSameData:
    @pytest.mark.parametrize("reference", [R_REFERENCE, H_REFERENCE], ids=["R", "hmeasure"])
    def test_the_values_were_made_from_this_file(self, reference: dict[str, Any]) -> None:
        text = (FIXTURES / "reference_data.csv").read_text()
        digest = hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()
        assert reference["made_by"]["data_md5"] == digest

    def test_r_read_the_same_doubles(self, name: str, r: dict[str, Any]) -> None:
        assert numbers(r["values_as_read"]).tolist() == COLUMNS[name].tolist()

    def test_class_sizes(self, ranked: rs.RankedScores, r: dict[str, Any]) -> None:
        assert (ranked.n_pos, ranked.n_neg) == (r["pROC"]["n_cases"], r["pROC"]["n_controls"])


class TestAreas:
    def test_auc(self, ranked: rs.RankedScores, r: dict[str, Any]) -> None:
        for theirs in (r["pROC"]["auc"], r["ROCR"]["auc"], r["Hmisc"]["somers2"]["C"]):
            assert_agree(rs.auc(ranked), theirs)

    def test_auc_is_wilcoxons_w_over_all_pairs(self, ranked: rs.RankedScores, r: dict[str, Any]) -> None:
        w = r["stats"]["wilcox_test"]["two.sided"]["statistic"]
        assert_agree(rs.auc(ranked), w / (ranked.n_pos * ranked.n_neg))

    def test_gini_is_somers_dxy(self, ranked: rs.RankedScores, r: dict[str, Any]) -> None:
        assert_agree(rs.gini(ranked), r["Hmisc"]["somers2"]["Dxy"])

    def test_partial_auc_up_to_a_false_positive_rate(self, ranked: rs.RankedScores, r: dict[str, Any]) -> None:
        assert_agree(rs.partial_auc(ranked, fpr_range=(0, 0.1)), r["ROCR"]["auc_fpr_stop_0.1"])

    def test_partial_auc(self, ranked: rs.RankedScores, r: dict[str, Any]) -> None:
        assert_partial_areas_agree(ranked, r["pROC"]["partial_auc"])

    def test_hull(self, ranked: rs.RankedScores, r: dict[str, Any]) -> None:
        """R's chull works on rounded rates and may keep a point inside an edge; ours are the true vertices."""
        fpr, tpr = numbers(r["ROCR"]["hull"]["fpr"]), numbers(r["ROCR"]["hull"]["tpr"])
        hull = rs.roc_hull(ranked)
        assert_agree(rs.auch(ranked), np.trapezoid(tpr, fpr))
        theirs = whole_counts(ranked, fpr, tpr)
        assert whole_counts(ranked, hull.fpr, hull.tpr) == without_points_inside_edges(theirs)


def whole_counts(ranked: rs.RankedScores, fpr: np.ndarray, tpr: np.ndarray) -> list[tuple[int, int]]:
    """The false and true positives behind rates, which are close to whole numbers."""
    fp, tp = fpr * ranked.n_neg, tpr * ranked.n_pos
    assert_agree(fp, fp.round())
    assert_agree(tp, tp.round())
    return list(zip(fp.round().astype(int).tolist(), tp.round().astype(int).tolist(), strict=True))


def without_points_inside_edges(points: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Drop points that lie, in whole numbers, on the line between their neighbours."""
    inner = zip(points, points[1:], points[2:], strict=False)
    corners = [b for a, b, c in inner if (b[0] - a[0]) * (c[1] - a[1]) != (b[1] - a[1]) * (c[0] - a[0])]
    return [points[0], *corners, points[-1]]


def assert_partial_areas_agree(ranked: rs.RankedScores, areas: dict[str, Any]) -> None:
    for area in areas["specificity"]:
        assert_partial_area_agrees(ranked, area, fpr_range=(1 - area["to"], 1 - area["from"]))
    for area in areas["sensitivity"]:
        assert_partial_area_agrees(ranked, area, tpr_range=(area["from"], area["to"]))


def assert_partial_area_agrees(ranked: rs.RankedScores, area: dict[str, Any], **limits: Any) -> None:
    """By default pROC has no corrected value below the diagonal; ours is McClish's formula there too, below 0.5."""
    assert_agree(rs.partial_auc(ranked, **limits), area["area"])
    standardized = rs.partial_auc(ranked, **limits, standardize=True)
    assert_agree(standardized, area["corrected_anywhere"])
    if area["corrected"] is None:
        assert standardized < 0.5
    else:
        assert_agree(standardized, area["corrected"])


def test_some_partial_area_lies_below_the_diagonal() -> None:
    areas = R_REFERENCE["scores"]["poor"]["pROC"]["partial_auc"]
    assert any(area["corrected"] is None for focus in areas.values() for area in focus)


class TestCurves:
    def test_every_roc_point(self, ranked: rs.RankedScores, r: dict[str, Any]) -> None:
        curve, coords = rs.roc_curve(ranked), r["pROC"]["coords"]
        assert_agree(curve.tpr, coords["sensitivity"][::-1])
        assert_agree(1 - curve.fpr, coords["specificity"][::-1])
        assert_agree(curve.fpr, r["ROCR"]["curves"]["fpr"])
        assert_agree(curve.tpr, r["ROCR"]["curves"]["tpr"])

    def test_thresholds_are_rocrs(self, ranked: rs.RankedScores, r: dict[str, Any]) -> None:
        assert rs.roc_curve(ranked).thresholds.tolist() == numbers(r["ROCR"]["cutoffs"]).tolist()

    def test_procs_thresholds_lie_midway_between_ours(self, ranked: rs.RankedScores, r: dict[str, Any]) -> None:
        thresholds = np.append(rs.roc_curve(ranked).thresholds, -np.inf)
        assert_agree((thresholds[1:] + thresholds[:-1]) / 2, r["pROC"]["coords"]["threshold"][::-1])

    def test_gains_and_lift(self, ranked: rs.RankedScores, r: dict[str, Any]) -> None:
        """Where nothing is called positive ROCR's lift is NaN; our curve starts with its limit, the next value."""
        gains, curves = rs.gains_curve(ranked), r["ROCR"]["curves"]
        assert_agree(gains.fraction, curves["rpp"])
        assert_agree(gains.gain, curves["tpr"])
        assert_agree(gains.lift[1:], curves["lift"][1:])
        assert curves["lift"][0] is None
        assert gains.lift[0] == gains.lift[1]

    def test_precision_recall(self, ranked: rs.RankedScores, r: dict[str, Any]) -> None:
        """The same convention at recall 0. ROCR's aucpr is a trapezoid, which no area of ours is."""
        curve, curves = rs.pr_curve(ranked), r["ROCR"]["curves"]
        assert_agree(curve.recall, curves["tpr"])
        assert_agree(curve.precision[1:], curves["prec"][1:])
        assert curves["prec"][0] is None
        assert curve.precision[0] == curve.precision[1]


class TestThresholdMeasures:
    @pytest.mark.parametrize(("theirs", "ours"), PROC_MEASURES.items())
    def test_proc(self, ranked: rs.RankedScores, r: dict[str, Any], theirs: str, ours: str) -> None:
        counts = rs.confusion(ranked, threshold="all")
        assert_agree(getattr(counts, ours).astype(float), r["pROC"]["coords"][theirs][::-1])

    def test_every_proc_column_is_compared(self, r: dict[str, Any]) -> None:
        elsewhere = {"threshold", "youden", "closest.topleft"}
        assert set(r["pROC"]["coords"]) == set(PROC_MEASURES) | elsewhere

    def test_youden(self, ranked: rs.RankedScores, r: dict[str, Any]) -> None:
        """pROC's is sensitivity + specificity, ours J is less by 1."""
        counts = rs.confusion(ranked, threshold="all")
        assert_agree(counts.youden_j + 1, r["pROC"]["coords"]["youden"][::-1])

    def test_distance_to_the_corner(self, ranked: rs.RankedScores, r: dict[str, Any]) -> None:
        """pROC's is the squared distance."""
        det = rs.det_curve(ranked)
        assert_agree(det.fpr**2 + det.fnr**2, r["pROC"]["coords"]["closest.topleft"][::-1])

    def test_thresholds_given_as_numbers(self, ranked: rs.RankedScores, r: dict[str, Any]) -> None:
        """A score that equals the threshold is called positive, as in ROCR."""
        counts = rs.confusion(ranked, threshold=numbers(r["ROCR"]["cutoffs"]))
        assert_agree(counts.recall, r["ROCR"]["curves"]["tpr"])
        assert_agree(counts.false_positive_rate, r["ROCR"]["curves"]["fpr"])

    def test_thresholds_between_scores(self, ranked: rs.RankedScores, r: dict[str, Any]) -> None:
        coords = r["pROC"]["coords"]
        counts = rs.confusion(ranked, threshold=numbers(coords["threshold"]))
        for cell in ("tp", "fp", "fn", "tn"):
            assert_agree(getattr(counts, cell).astype(float), coords[cell])

    @pytest.mark.parametrize(("theirs", "ours"), ROCR_MEASURES.items())
    def test_rocr(self, ranked: rs.RankedScores, r: dict[str, Any], theirs: str, ours: str) -> None:
        counts = rs.confusion(ranked, threshold="all")
        assert_agree(getattr(counts, ours), r["ROCR"]["curves"][theirs])

    def test_every_rocr_curve_is_compared(self, r: dict[str, Any]) -> None:
        elsewhere = {"rpp", "lift", "cost_fp_1_fn_5", *BETA_OF_ALPHA}
        assert set(r["ROCR"]["curves"]) == set(ROCR_MEASURES) | elsewhere

    @pytest.mark.parametrize(("theirs", "beta"), BETA_OF_ALPHA.items())
    def test_f_beta(self, ranked: rs.RankedScores, r: dict[str, Any], theirs: str, beta: float) -> None:
        """With nothing called positive ROCR has NaN, from precision 0/0; F = 0 / (positives missed) is 0."""
        f = rs.f_beta(rs.confusion(ranked, threshold="all"), beta=beta)
        values = r["ROCR"]["curves"][theirs]
        assert_agree(f[1:], values[1:])
        assert values[0] is None
        assert f[0] == 0
        assert_agree(rs.best_threshold(ranked, rule="f_beta", beta=beta).objective, np.nanmax(numbers(values)))

    def test_f1(self, ranked: rs.RankedScores, r: dict[str, Any]) -> None:
        f1 = rs.confusion(ranked, threshold="all").f1
        assert_agree(f1[1:], r["ROCR"]["curves"]["f_alpha_0.5"][1:])


class TestBestThresholds:
    """pROC's thresholds are midpoints, so rates are compared. On these data it always finds one best."""

    def test_youden(self, ranked: rs.RankedScores, r: dict[str, Any]) -> None:
        best = r["pROC"]["best"]["youden"]
        choice = rs.best_threshold(ranked, rule="youden")
        assert_rates_agree(choice, best)
        assert_agree(choice.objective + 1, best["youden"])

    def test_closest_topleft(self, ranked: rs.RankedScores, r: dict[str, Any]) -> None:
        best = r["pROC"]["best"]["closest_topleft"]
        choice = rs.best_threshold(ranked, rule="closest_topleft")
        assert_rates_agree(choice, best)
        assert_agree(choice.objective**2, best["closest.topleft"])

    def test_cost_and_prevalence(self, ranked: rs.RankedScores, r: dict[str, Any]) -> None:
        """pROC's weights are the cost of a false negative over a false positive, and the prevalence."""
        best = r["pROC"]["best"]["youden_weighted"]
        options = {"cost_fn": best["cost"], "prevalence": best["prevalence"]}
        assert_rates_agree(rs.best_threshold(ranked, rule="cost", **options), best)

    def test_smallest_cost(self, ranked: rs.RankedScores, r: dict[str, Any]) -> None:
        choice = rs.best_threshold(ranked, rule="cost", cost_fp=1, cost_fn=5)
        assert_agree(choice.objective, numbers(r["ROCR"]["curves"]["cost_fp_1_fn_5"]).min())

    @pytest.mark.parametrize("value", [0.5, 0.8, 0.95])
    def test_given_rate(self, ranked: rs.RankedScores, r: dict[str, Any], value: float) -> None:
        """pROC interpolates between thresholds; ours is the best observed one among pROC's points."""
        coords = r["pROC"]["coords"]
        tpr, tnr = numbers(coords["sensitivity"]), numbers(coords["specificity"])
        assert_agree(rs.best_threshold(ranked, rule="sensitivity", value=value).objective, tnr[tpr >= value].max())
        assert_agree(rs.best_threshold(ranked, rule="specificity", value=value).objective, tpr[tnr >= value].max())


def assert_rates_agree(choice: Any, best: dict[str, Any]) -> None:
    assert len(best["threshold"]) == 1
    assert_agree(choice.tpr, best["sensitivity"])
    assert_agree(1 - choice.fpr, best["specificity"])


class TestKolmogorovSmirnov:
    """R's "less": the positives' distribution function lies below, their scores above."""

    def test_one_sided(self, ranked: rs.RankedScores, r: dict[str, Any]) -> None:
        assert_agree(rs.ks_statistic(ranked), r["stats"]["ks_test"]["less"]["statistic"])

    def test_other_side_is_that_of_negated_scores(self, name: str, r: dict[str, Any]) -> None:
        assert_agree(rs.ks_statistic(LABELS, -COLUMNS[name]), r["stats"]["ks_test"]["greater"]["statistic"])


class TestWeights:
    def test_auc(self, weighted: rs.RankedScores, r: dict[str, Any]) -> None:
        somers = r["Hmisc"]["somers2_weighted"]
        assert weighted.n_rows_counted == somers["n"]
        assert_agree(rs.auc(weighted), somers["C"])
        assert_agree(rs.gini(weighted), somers["Dxy"])
        assert_agree(rs.auc(weighted), r["pROC_repeated_rows"]["auc"])

    def test_auc_with_fractional_weights(self, name: str, r: dict[str, Any]) -> None:
        """A common factor changes nothing; these weights are not whole numbers."""
        value = rs.auc(LABELS, COLUMNS[name], sample_weight=WEIGHTS / 7)
        assert_agree(value, r["Hmisc"]["somers2_weighted"]["C"])

    def test_every_roc_point(self, weighted: rs.RankedScores, r: dict[str, Any]) -> None:
        curve, repeated = rs.roc_curve(weighted), r["pROC_repeated_rows"]
        assert_agree(curve.tpr, repeated["sensitivity"][::-1])
        assert_agree(1 - curve.fpr, repeated["specificity"][::-1])

    def test_partial_auc(self, weighted: rs.RankedScores, r: dict[str, Any]) -> None:
        assert_partial_areas_agree(weighted, r["pROC_repeated_rows"]["partial_auc"])

    def test_best_threshold(self, weighted: rs.RankedScores, r: dict[str, Any]) -> None:
        assert_rates_agree(rs.best_threshold(weighted, rule="youden"), r["pROC_repeated_rows"]["best_youden"])


class TestHMeasure:
    @pytest.fixture
    def h(self, name: str) -> dict[str, float]:
        return H_REFERENCE["scores"][name]["severity_ratio"]

    def test_rs_default_is_prevalence(self, ranked: rs.RankedScores, h: dict[str, float]) -> None:
        assert_agree(rs.h_measure(ranked, severity_ratio="prevalence"), h["default"])

    def test_our_default_is_beta_2_2(self, ranked: rs.RankedScores, h: dict[str, float]) -> None:
        assert_agree(rs.h_measure(ranked), h["1"])
        assert_agree(rs.h_measure(ranked, severity_ratio=1), h["1"])

    @pytest.mark.parametrize(("ratio", "beta"), [("0.25", 5.0), ("4", 1.25)])
    def test_severity_ratio(self, ranked: rs.RankedScores, h: dict[str, float], ratio: str, beta: float) -> None:
        assert_agree(rs.h_measure(ranked, severity_ratio=float(ratio)), h[ratio])
        assert_agree(rs.h_measure(ranked, alpha=2, beta=beta), h[ratio])


class TestDeLongAndTests:
    """Variances, intervals and tests of pROC; Wilcoxon of stats, without its continuity correction."""

    def test_variance_and_intervals(self, ranked: rs.RankedScores, r: dict[str, Any]) -> None:
        theirs = r["pROC"]["delong"]
        for interval in theirs["intervals"]:
            ours = rs.auc_interval(ranked, method="delong", level=interval["level"])
            assert_agree([ours.low, ours.high], [interval["low"], interval["high"]])
            assert_agree(ours.se**2, theirs["variance"])

    def test_rank_sum(self, ranked: rs.RankedScores, r: dict[str, Any]) -> None:
        for alternative, theirs in r["stats"]["wilcox_test"].items():
            ours = rs.auc_null_test(ranked, alternative=alternative.replace("two.", "two-"))
            assert ours.pvalue == pytest.approx(theirs["p_value"], rel=1e-9)

    @pytest.mark.parametrize("pair", R_REFERENCE["pairs"], ids=lambda pair: f"{pair['first']}-{pair['second']}")
    def test_paired(self, pair: dict[str, Any]) -> None:
        first, second = COLUMNS[pair["first"]], COLUMNS[pair["second"]]
        for alternative, theirs in pair["paired"]["tests"].items():
            ours = rs.compare_auc(
                LABELS, first, second, method="delong", alternative=alternative.replace("two.", "two-")
            )
            assert_agree([ours.statistic, ours.pvalue], [theirs["statistic"], theirs["p_value"]])
        for interval in pair["paired"]["intervals"]:
            ours = rs.compare_auc(LABELS, first, second, method="delong", level=interval["level"])
            assert_agree([ours.low, ours.high], [interval["low"], interval["high"]])

    @pytest.mark.parametrize("pair", R_REFERENCE["pairs"], ids=lambda pair: f"{pair['first']}-{pair['second']}")
    def test_unpaired(self, pair: dict[str, Any]) -> None:
        first, second = COLUMNS[pair["first"]], COLUMNS[pair["second"]]
        halves = pair["unpaired_halves"]
        cut = halves["rows_first"]
        settings = [
            (pair["unpaired_same_rows"], (LABELS, first, second), {}),
            (halves, (LABELS[:cut], first[:cut], second[cut:]), {"y_true_second": LABELS[cut:]}),
        ]
        for theirs, columns, options in settings:
            for alternative, test in theirs["tests"].items():
                ours = rs.compare_auc(
                    *columns,
                    paired=False,
                    method="delong",
                    alternative=alternative.replace("two.", "two-"),
                    **options,
                )
                assert_agree([ours.statistic, ours.pvalue], [test["statistic"], test["p_value"]])
            assert ours.df == pytest.approx(theirs["df"], rel=1e-12)

    @pytest.mark.parametrize("pair", R_REFERENCE["pairs"], ids=lambda pair: f"{pair['first']}-{pair['second']}")
    def test_covariance(self, pair: dict[str, Any]) -> None:
        columns = {name: COLUMNS[pair[name]] for name in ("first", "second")}
        models = read_models(LABELS, columns)
        covariance = areas_of(models, Area()).covariance
        assert_agree(covariance[0, 1], pair["covariance"])
