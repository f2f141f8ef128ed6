"""Power: pROC where it is right, the equation, exact covariances, and simulated tests."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr, ndtri
from scipy.stats import multivariate_normal

import rocsteady as rs
from cases import each_case
from rocsteady._src.inference.power.auc import detectable_difference, power_auc, power_auc_pilot
from rocsteady._src.inference.power.variance import (
    Design,
    both_below,
    exact_covariance,
    obuchowski_covariance,
    obuchowski_variance,
    of_difference,
    one_curve,
    seen,
    two_curves,
)
from rocsteady._src.ranked import read_models

FIXTURES = Path(__file__).with_name("fixtures")
R_POWER = json.loads((FIXTURES / "r_reference.json").read_text())["power"]
SIZES = {"power": "power", "sample size": "n_pos", "sig.level": "alpha", "auc": "auc"}
FIELDS = {"ncases": "n_pos", "ncontrols": "n_neg", "kappa": "ratio", "sig.level": "alpha"}


KNOWN: dict[str, Any] = {"auc": 0.72, "n_pos": 50, "n_neg": 80, "power": None, "alpha": 0.03}


def translated(asked: dict[str, Any]) -> dict[str, Any]:
    """pROC's arguments as ours; its one-sided tests are about the true side."""
    words = {FIELDS.get(name, name): value for name, value in asked.items()}
    if words.get("alternative") == "one.sided":
        words["alternative"] = "greater"
    return words


def arguments(setting: dict[str, Any]) -> dict[str, Any]:
    open_level = {"alpha": None} if setting["solved_for"] == "sig.level" else {}
    asked = {name: value for name, value in setting["asked"].items() if name != "method"}
    return translated(asked) | open_level


def deviate_line(ranked: rs.RankedScores) -> tuple[float, float]:
    """Intercept and slope of the normal deviates of specificity on those of sensitivity, as pROC fits them."""
    curve = rs.roc_curve(ranked)
    x, y = ndtri(curve.tpr), ndtri(1 - curve.fpr)
    inside = np.isfinite(x) & np.isfinite(y)
    slope, intercept = np.polyfit(x[inside], y[inside], 1)
    return float(intercept), float(slope)


def read_pilot() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    with (FIXTURES / "reference_data.csv").open(encoding="ascii", newline="") as file:
        rows = list(csv.DictReader(file))
    return tuple(np.array([float(row[name]) for row in rows]) for name in ("y", "continuous", "rival"))  # type: ignore[return-value]


class TestProcOneCurve:
    @each_case("setting", R_POWER["one_curve"], ids=lambda setting: json.dumps(setting["asked"]))
    def test_same_answer(self, setting: dict[str, Any]) -> None:
        found = power_auc(**arguments(setting), method="obuchowski")
        tolerance = 1.3e-4 if setting["solved_for"] == "auc" else 1e-10  # R's uniroot stops there
        for name, value in translated(setting["answer"]).items():
            assert getattr(found, name) == pytest.approx(value, rel=tolerance), name
        assert found.solved_for == {"sig.level": "alpha"}.get(setting["solved_for"], setting["solved_for"])


class TestProcTwoCurves:
    DELONG = tuple(s for s in R_POWER["two_curves"]["settings"] if s["asked"]["method"] == "delong")
    OBUCHOWSKI = tuple(
        s
        for s in R_POWER["two_curves"]["settings"]
        if s["asked"]["method"] == "obuchowski" and "kappa" not in s["asked"]
    )

    @pytest.mark.parametrize("setting", DELONG, ids=lambda setting: json.dumps(setting["asked"]))
    def test_delong(self, setting: dict[str, Any]) -> None:
        found = power_auc_pilot(*read_pilot(), **arguments(setting), null_variance="first")
        answer = setting["answer"]
        assert (found.auc, found.second_auc) == pytest.approx((answer["auc1"], answer["auc2"]), rel=1e-12)
        if "kappa" in setting["asked"]:
            # pROC keeps the cases of the pilot's ratio; ours reach the power they promise.
            assert found.n_pos > 1.3 * answer["ncases"]
            sizes = {"n_pos": found.n_pos, "n_neg": found.n_neg}
            again = power_auc_pilot(*read_pilot(), **sizes, null_variance="first")
            theirs = power_auc_pilot(*read_pilot(), n_pos=answer["ncases"], ratio=1, null_variance="first")
            assert again.power == pytest.approx(0.9, abs=1e-12)
            assert theirs.power < 0.8
            return
        for name in ("n_pos", "n_neg", "power", "alpha"):
            assert getattr(found, name) == pytest.approx(translated(answer)[name], rel=1e-10), name

    @pytest.mark.parametrize("setting", OBUCHOWSKI)
    def test_obuchowskis_method_needs_procs_mistake_to_agree(self, setting: dict[str, Any]) -> None:
        """Intercept and slope of specificity on sensitivity taken for those of the ROC curve."""
        y, first, second = read_pilot()
        rows = read_models(y, {"first": first, "second": second})
        one, other = (deviate_line(ranked) for ranked in rows.ranked)
        corrs = tuple(float(np.corrcoef(first[y == label], second[y == label])[0, 1]) for label in (1, 0))
        both = obuchowski_covariance(one, other, corrs)
        null, true = of_difference(obuchowski_variance(*one), obuchowski_variance(*other), both, "first")
        answer = translated(setting["answer"])
        spread = Design(0.0, null, true).spreads(answer["n_pos"], answer["n_neg"])
        tail = answer["alpha"] if "alternative" in setting["asked"] else answer["alpha"] / 2
        needed = -ndtri(tail) * spread[0] + ndtri(answer["power"]) * spread[1]
        assert answer["auc1"] - answer["auc2"] == pytest.approx(needed, rel=1e-9)

    def test_parameters(self) -> None:
        """power.roc.test(list(A1, B1, A2, B2, rn, ra, delta)), delta the difference of the AUCs; pROC 1.18.0."""
        steep = curves((2.6, 1.0), (1.9, 1.0), (0.6, 0.6))
        found = power_auc(**steep, n_pos=100, n_neg=150, **PROC)
        assert found.power == pytest.approx(LIST_POWER, rel=1e-10)
        other = curves((1.2, 0.8), (0.9, 1.1), (0.5, 0.3))
        found = power_auc(**other, power=0.9, ratio=2.5, **PROC)
        assert found.n_pos == pytest.approx(LIST_CASES, rel=1e-10)
        found = power_auc(**other, power=0.9, n_pos=150, n_neg=120, alpha=None, alternative="greater", **PROC)
        assert found.alpha == pytest.approx(LIST_LEVEL, rel=1e-10)


PROC: dict[str, Any] = {"method": "obuchowski", "null_variance": "first"}
LIST_POWER, LIST_CASES, LIST_LEVEL = 0.89503580513797032, 131.33018949439582, 0.04595767914028559


def curves(first: tuple[float, float], second: tuple[float, float], corrs: tuple[float, float]) -> dict[str, float]:
    areas = [float(ndtr(a / math.hypot(1, b))) for a, b in (first, second)]
    names = ("auc", "second_auc", "spread", "second_spread", "corr_pos", "corr_neg")
    return dict(zip(names, [*areas, first[1], second[1], *corrs], strict=True))


class TestEquation:
    """difference = z_alpha se_null + z_power se_true, whatever was open."""

    @each_case("method", ["delong", "obuchowski"])
    @each_case("alternative", ["two-sided", "greater"])
    @each_case("second", [None, 0.61])
    def test_all_unknowns_come_back(self, method: Any, alternative: Any, second: float | None) -> None:
        options = {"method": method, "alternative": alternative, "second_auc": second, "corr_pos": 0.4 * bool(second)}
        start = power_auc(**KNOWN, **options)
        full = KNOWN | {"power": start.power}
        assert power_auc(**full | {"alpha": None}, **options).alpha == pytest.approx(0.03, rel=1e-12)
        assert power_auc(**full | {"auc": None}, **options).auc == pytest.approx(0.72, abs=1e-12)
        sized = power_auc(**full | {"n_pos": None, "n_neg": None}, ratio=1.6, **options)
        assert (sized.n_pos, sized.n_neg) == pytest.approx((50, 80), rel=1e-12)

    def test_the_root_for_auc_satisfies_the_equation(self) -> None:
        found = power_auc(n_pos=50, n_neg=80, power=0.9, method="obuchowski")
        null, true = one_curve(found.auc, 1.0, "obuchowski").spreads(50, 80)
        assert found.auc - 0.5 == pytest.approx(1.959963984540054 * null + ndtri(0.9) * true, abs=1e-12)

    def test_less_mirrors_greater(self) -> None:
        above = power_auc(auc=0.7, n_pos=40, n_neg=60, alternative="greater")
        below = power_auc(auc=0.3, n_pos=40, n_neg=60, alternative="less")
        wrong = power_auc(auc=0.3, n_pos=40, n_neg=60, alternative="greater")
        assert below.power == pytest.approx(above.power, rel=1e-12)
        assert wrong.power < 1e-6
        assert power_auc(n_pos=40, n_neg=60, power=0.9, alternative="less").auc == pytest.approx(
            1 - power_auc(n_pos=40, n_neg=60, power=0.9, alternative="greater").auc, abs=1e-12
        )

    def test_order_of_models_does_not_matter(self) -> None:
        models = {"n_pos": 60, "n_neg": 90, "corr_pos": 0.5, "corr_neg": 0.3}
        one = power_auc(auc=0.8, second_auc=0.7, spread=0.8, **models)
        two = power_auc(auc=0.7, second_auc=0.8, second_spread=0.8, **models)
        assert one.power == pytest.approx(two.power, rel=1e-12)

    def test_detectable_difference(self) -> None:
        delta = detectable_difference(0.03, power=0.9, alpha=0.01)
        assert ndtr(delta / 0.03 - ndtri(0.995)) == pytest.approx(0.9, abs=1e-12)
        assert detectable_difference(0.03, n_times=9) == pytest.approx(detectable_difference(0.01), rel=1e-12)
        assert detectable_difference(1, alternative="greater") == pytest.approx(ndtri(0.95) + ndtri(0.8), rel=1e-12)

    def test_detectable_difference_of_a_pilot(self) -> None:
        """At the pilot's size the difference found by its standard error has the power asked for."""
        rows = read_models(read_pilot()[0], dict(zip("ab", read_pilot()[1:], strict=True)))
        areas, parts = seen(rows)
        se = Design(0.0, *of_difference(*parts, "same")).spreads(99, 201)[1]
        alpha = 2 * ndtr(-((areas[0] - areas[1]) / se - ndtri(0.8)))
        assert detectable_difference(se, alpha=alpha) == pytest.approx(areas[0] - areas[1], rel=1e-9)
        assert power_auc_pilot(*read_pilot(), alpha=float(alpha)).power == pytest.approx(0.8, rel=1e-9)


class TestVariances:
    @each_case("h", [-1.2, 0.0, 0.4])
    @each_case("k", [-0.3, 0.0, 2.0])
    @each_case("correlation", [-0.9, -0.2, 0.0, 0.5, 0.99])
    def test_bivariate_normal(self, h: float, k: float, correlation: float) -> None:
        theirs = multivariate_normal([0, 0], [[1, correlation], [correlation, 1]]).cdf([h, k])
        assert both_below(h, k, correlation) == pytest.approx(float(theirs), abs=1e-9)

    def test_perfect_correlation(self) -> None:
        assert both_below(0.3, 1.0, 1.0) == pytest.approx(ndtr(0.3), rel=1e-12)
        assert both_below(0.3, 1.0, -1.0) == pytest.approx(ndtr(0.3) + ndtr(1.0) - 1, rel=1e-12)

    def test_chance_has_the_variance_of_the_rank_sum(self) -> None:
        np.testing.assert_allclose(exact_covariance((0.5, 1.0), (0.5, 1.0), (1, 1)), [1 / 12] * 3, atol=1e-14)

    def test_a_model_against_itself_has_no_variance(self) -> None:
        design = two_curves((0.8, 0.7), (0.8, 0.7), (1.0, 1.0), "delong", "same")
        np.testing.assert_allclose(design.true, 0, atol=1e-14)

    def test_exact_covariance_is_that_of_simulated_aucs(self) -> None:
        rng = np.random.default_rng(3)
        (first, b), (second, d), (pos, neg) = (0.85, 0.7), (0.75, 1.2), (0.6, 0.3)
        drawn = binormal(rng, 6000, (12, 9), (first, b), (second, d), (pos, neg))
        areas = np.array([(x[:, :, None] > y[:, None, :]).mean(axis=(1, 2)) for x, y in zip(*drawn, strict=True)])
        sizes = np.array([1 / 12, 1 / 9, 1 / 108])
        ours = [
            exact_covariance((first, b), (first, b), (1, 1)) @ sizes,
            exact_covariance((second, d), (second, d), (1, 1)) @ sizes,
            exact_covariance((first, b), (second, d), (pos, neg)) @ sizes,
        ]
        seen_here = np.cov(areas)
        assert [seen_here[0, 0], seen_here[1, 1], seen_here[0, 1]] == pytest.approx(ours, rel=0.06)


def binormal(
    rng: np.random.Generator,
    repeats: int,
    sizes: tuple[int, int],
    first: tuple[float, float],
    second: tuple[float, float],
    corrs: tuple[float, float],
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Scores of positives and of negatives, one array (repeats, rows) per model."""
    means = [ndtri(auc) * math.hypot(1, spread) for auc, spread in (first, second)]
    sides = []
    for n, corr in zip(sizes, corrs, strict=True):
        noise = rng.standard_normal((2, repeats, n))
        sides.append([noise[0], corr * noise[0] + math.sqrt(1 - corr**2) * noise[1]])
    positives = [mean + side for mean, side in zip(means, sides[0], strict=True)]
    return positives, [spread * side for spread, side in zip((first[1], second[1]), sides[1], strict=True)]


class TestSimulation:
    """Share of simulated tests that reject; 2000 of them, so a standard error of about 0.011."""

    def test_one_curve(self) -> None:
        rng = np.random.default_rng(5)
        x, y = (side[0] for side in binormal(rng, 2000, (40, 60), (0.68, 1.0), (0.68, 1.0), (0, 0)))
        areas = (x[:, :, None] > y[:, None, :]).mean(axis=(1, 2))
        rejected = (np.abs(areas - 0.5) / math.sqrt(101 / (12 * 2400)) > 1.959963984540054).mean()
        for method in ("delong", "obuchowski"):
            assert power_auc(auc=0.68, n_pos=40, n_neg=60, method=method).power == pytest.approx(rejected, abs=0.03)

    @pytest.mark.parametrize("models", [((0.8, 1.0), (0.7, 1.0), (0.5, 0.5)), ((0.88, 0.7), (0.8, 1.2), (0.7, 0.3))])
    def test_two_curves(self, models: Any) -> None:
        rng = np.random.default_rng(6)
        drawn = binormal(rng, 2000, (50, 70), *models)
        pos, neg = 0.0, 0.0
        for sign, x, y in zip((1, -1), *drawn, strict=True):
            above = x[:, :, None] > y[:, None, :]
            pos, neg = pos + sign * above.mean(axis=2), neg + sign * above.mean(axis=1)
        se = np.sqrt(np.var(pos, axis=1, ddof=1) / 50 + np.var(neg, axis=1, ddof=1) / 70)
        rejected = (np.mean(pos, axis=1) / se > 1.959963984540054).mean()
        (first, b), (second, d), (corr_pos, corr_neg) = models
        names = {"spread": b, "second_spread": d, "corr_pos": corr_pos, "corr_neg": corr_neg}
        found = power_auc(auc=first, second_auc=second, n_pos=50, n_neg=70, **names)
        assert found.power == pytest.approx(rejected, abs=0.033)

    def test_a_large_pilot_knows_what_the_model_knows(self) -> None:
        rng = np.random.default_rng(7)
        models = ((0.8, 0.8), (0.7, 1.1), (0.6, 0.4))
        x, y = binormal(rng, 1, (20_000, 30_000), *models)
        labels = np.repeat([1, 0], [20_000, 30_000])
        scores = [np.concatenate([a[0], b[0]]) for a, b in zip(x, y, strict=True)]
        names = {"spread": 0.8, "second_spread": 1.1, "corr_pos": 0.6, "corr_neg": 0.4}
        exact = power_auc(auc=0.8, second_auc=0.7, power=0.9, ratio=2, **names)
        found = power_auc_pilot(labels, *scores, power=0.9, ratio=2)
        assert found.n_pos == pytest.approx(exact.n_pos, rel=0.08)


class TestRefusals:
    @each_case(
        ("options", "text"),
        [
            ({"auc": 0.7}, "exactly one"),
            ({"auc": 0.7, "n_pos": 5, "n_neg": 5, "power": 0.9}, "exactly one"),
            ({"auc": 0.7, "n_pos": 5}, "ratio"),
            ({"auc": 0.7, "n_pos": 5, "n_neg": 5, "ratio": 2}, "ratio"),
            ({"auc": 1.0, "n_pos": 5, "n_neg": 5}, "between 0 and 1"),
            ({"auc": 0.7, "n_pos": -5, "n_neg": 5}, "above 0"),
            ({"auc": 0.7, "power": 80}, "power"),
            ({"auc": 0.5, "power": 0.8}, "no sample size"),
            ({"auc": 0.4, "power": 0.8, "alternative": "greater"}, "no sample size"),
            ({"auc": 0.7, "power": 0.01}, "above alpha"),
            ({"n_pos": 2, "n_neg": 2, "power": 0.9}, "so few rows"),
            ({"n_pos": 20, "n_neg": 20, "power": 0.01}, "above alpha"),
            ({"auc": 0.7, "n_pos": 5, "n_neg": 5, "spread": 0}, "spread"),
            ({"auc": 0.7, "n_pos": 5, "n_neg": 5, "spread": 2, "method": "obuchowski"}, "spread"),
            ({"auc": 0.7, "n_pos": 5, "n_neg": 5, "corr_pos": 2}, "correlations"),
            ({"auc": 0.7, "n_pos": 5, "n_neg": 5, "method": "exact"}, "method"),
            ({"auc": 0.7, "n_pos": 5, "n_neg": 5, "alternative": "one.sided"}, "alternative"),
        ],
    )
    def test_parameters(self, options: dict[str, Any], text: str) -> None:
        with pytest.raises(rs.ArgumentError, match=text):
            power_auc(**options)

    def test_pilot(self) -> None:
        y, score = [1, 1, 0, 0], [4, 3, 2, 1]
        with pytest.raises(rs.ArgumentError, match="two rows"):
            power_auc_pilot([1, 0, 0], [3, 2, 1], [1, 2, 3])
        with pytest.raises(rs.ArgumentError, match="no sample size"):
            power_auc_pilot(y, score, score, power=0.8)
        with pytest.raises(rs.ArgumentError, match="leave one"):
            power_auc_pilot(y, score, score, power=0.8, n_pos=3, n_neg=3)
        assert power_auc_pilot(y, score, score).power == 0

    def test_result(self) -> None:
        found = power_auc(auc=0.65, power=0.9, ratio=2)
        assert str(math.ceil(found.n_pos)) in str(found)
        assert found.to_dict()["solved_for"] == "sample size"
