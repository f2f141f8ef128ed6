"""The default interval of an area: its rule, its laws, and that it holds where DeLong's does not."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy.special import ndtri, stdtrit

import rocsteady as rs
from cases import each_case
from rocsteady._src.inference.intervals.automatic import Evidence, chosen_method, partial_area, whole_area, wrong_side
from rocsteady._src.inference.intervals.formulas import newcombe_rows, newcombe_variance, wilson_ends

AREAS = {
    "whole": {},
    "fpr": {"fpr_range": (0, 0.2)},
    "fpr inside": {"fpr_range": (0.1, 0.4)},
    "tpr": {"tpr_range": (0.8, 1)},
    "standardized": {"fpr_range": (0, 0.2), "standardize": True},
    "standardized tpr": {"tpr_range": (0.7, 1), "standardize": True},
}


def sample(n_pos: int, n_neg: int, gap: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], [n_pos, n_neg])
    return y, rng.normal(size=y.size) + gap * y


class TestRule:
    """A function of the share and the rows it rests on; the limits stand in docs/coverage.md."""

    @each_case(
        ("share", "rows", "method"),
        [
            (0.5, 20, "logit"),
            (0.5, 19.9, "wilson"),
            (0.9, 100, "logit"),
            (0.9, 99, "wilson"),
            (0.1, 100, "logit"),
            (0.1, 99, "wilson"),
            (1.0, 10**9, "wilson"),
            (0.0, 10**9, "wilson"),
        ],
    )
    def test_ten_rows_on_the_wrong_side(self, share: float, rows: float, method: str) -> None:
        assert chosen_method(share, rows) == method

    def test_the_smaller_class_decides(self) -> None:
        assert whole_area(0.75, 0.01, (40, 1000)).method == "logit"
        assert whole_area(0.75, 0.01, (1000, 39)).method == "wilson"

    def test_of_a_partial_area_the_rows_in_the_range_decide(self) -> None:
        assert partial_area(0.5, 0.01, 20, 100, 0.2).method == "logit"
        assert partial_area(0.5, 0.01, 20, 100, 0.19).method == "wilson"
        assert partial_area(0.5, 0.01, 19, 1000, 0.2).method == "wilson"

    def test_worth_is_the_model_without_rows_on_the_wrong_side_and_the_variance_with_many(self) -> None:
        assert whole_area(1.0, 0.0, (5, 9)).worth == newcombe_rows(1.0, 5, 9)
        assert whole_area(0.8, math.nan, (1, 9)).worth == newcombe_rows(0.8, 1, 9)
        many = whole_area(0.8, 1e-6, (10**7, 10**7))
        assert many.worth == pytest.approx(0.16 / 1e-6, rel=1e-5)

    def test_worth_weighs_variances_by_the_rows_on_the_wrong_side_against_one(self) -> None:
        known = whole_area(0.75, 0.01, (8, 20))
        wrong = wrong_side(0.75, 8)
        blended = (wrong * 0.01 + newcombe_variance(0.75, 8, 20)) / (wrong + 1)
        assert known.worth == pytest.approx(0.75 * 0.25 / blended, rel=1e-12)

    def test_ends_are_the_roots_of_wilsons_equation_with_students_t(self) -> None:
        known = whole_area(0.75, 0.01, (8, 20))
        q = -stdtrit(8 - 1 + 5, 0.025)
        for end in known.wilson_ends(0.95):
            assert (end - 0.75) ** 2 == pytest.approx(q**2 * end * (1 - end) / known.worth, rel=1e-10)

    @each_case("share", [0.0, 1e-9, 0.3, 0.5, 0.999, 1.0])
    @each_case("rows", [0.01, 1.0, 3.5, 1e4, 1e12])
    def test_wilson_holds_the_share_and_has_a_width(self, share: float, rows: float) -> None:
        low, high = wilson_ends(share, rows, 1.96)
        assert 0 <= low <= share <= high <= 1
        assert low < high

    def test_newcombes_rows_against_fractions(self) -> None:
        a, m, n = Fraction(4, 5), 7, 13
        half = Fraction(m + n, 2) - 1
        variance = a * (1 - a) * (1 + half * (1 - a) / (2 - a) + half * a / (1 + a)) / (m * n)
        assert newcombe_rows(0.8, m, n) == pytest.approx(float(a * (1 - a) / variance), rel=1e-14)

    def test_a_hair_of_the_estimate_moves_an_interval_by_a_hair(self) -> None:
        """Between the methods there is a step, at ten rows on the wrong side, and it is small."""
        logit, wilson = (whole_area(share, 0.0012, (40, 200)) for share in (0.75 - 1e-9, 0.75 + 1e-9))
        assert (logit.method, wilson.method) == ("logit", "wilson")
        from rocsteady._src.inference.intervals.formulas import logit_ends

        before, after = logit_ends(0.75, math.sqrt(0.0012), 1.96), wilson.wilson_ends(0.95)
        assert np.allclose(before, after, atol=0.01)


@pytest.mark.parametrize("area", AREAS.values(), ids=AREAS)
class TestLaws:
    @pytest.mark.parametrize("gap", [-1.0, 0.0, 1.0, 3.0, 9.0])
    @pytest.mark.parametrize("sizes", [(1, 1), (1, 9), (2, 2), (4, 16), (30, 7), (60, 80)])
    def test_it_holds_the_estimate_and_has_a_width(
        self, area: dict[str, object], sizes: tuple[int, int], gap: float
    ) -> None:
        found = rs.auc_interval(*sample(*sizes, gap), **area)
        assert found.low <= found.estimate <= found.high
        assert found.low < found.high
        assert found.auto
        assert found.method in ("wilson", "logit", "gaffke")

    @pytest.mark.parametrize("gap", [0.3, 2.0, 9.0])
    def test_a_higher_level_holds_a_lower_one(self, area: dict[str, object], gap: float) -> None:
        for sizes in ((5, 8), (70, 90)):
            found = [rs.auc_interval(*sample(*sizes, gap), level=level, **area) for level in (0.5, 0.9, 0.95, 0.999)]
            assert sorted(each.low for each in found) == [each.low for each in found[::-1]]
            assert sorted(each.high for each in found) == [each.high for each in found]


@each_case("gap", [0.4, 1.5, 9.0])
@each_case("sizes", [(4, 16), (20, 5), (60, 80)])
def test_the_other_label_and_negated_scores_give_the_same_interval(sizes: tuple[int, int], gap: float) -> None:
    y, score = sample(*sizes, gap)
    found, turned = rs.auc_interval(y, score), rs.auc_interval(1 - y, -score)
    assert (found.low, found.high) == pytest.approx((turned.low, turned.high), abs=1e-14)
    mirrored = rs.auc_interval(y, -score)
    assert (found.low, found.high) == pytest.approx((1 - mirrored.high, 1 - mirrored.low), abs=1e-14)


def test_no_auc_of_one_prints_as_certainty() -> None:
    y, score = [1, 1, 1, 0, 0, 0], [6, 5, 4, 3, 2, 1]
    weight = [0.5, 1.5, 1.0, 0.7, 1.1, 1.3]
    cluster = [1, 1, 2, 3, 3, 4]
    for options in ({}, {"sample_weight": weight}, {"cluster": cluster}, {"fpr_range": (0, 0.2)}):
        found = rs.auc_interval(y, score, **options)
        assert found.estimate == pytest.approx(options.get("fpr_range", (0, 1))[1])
        assert found.low < 0.8 * found.high
        assert found.high == found.estimate
        upside_down = rs.auc_interval(y, [-each for each in score], **options)
        assert upside_down.low == 0 < upside_down.high
    assert str(rs.auc_interval(y, score)) == "1.0000 [0.2924, 1.0000] (0.95 level, gaffke, chosen by auto)"


def test_a_single_row_in_a_class_has_an_interval_that_says_what_it_rests_on() -> None:
    found = rs.auc_interval([1, 0, 0, 0], [3, 2, 4, 1])
    assert 0 < found.low < found.estimate < found.high < 1
    (text,) = found.warnings
    assert "single row" in text
    assert "model" in text


def test_the_method_used_is_named_everywhere_and_others_are_one_word_away() -> None:
    y, score = sample(6, 30, 0.1)
    table = {"y": y, "model": score}
    found = rs.auc_interval(y, score)
    assert (found.method, found.auto, found.how) == ("wilson", True, "wilson, chosen by auto")
    assert found.to_dict()["method"] == "wilson"
    assert found.to_dict()["auto"] is True
    again = pickle.loads(pickle.dumps(found))  # noqa: S301 - our own bytes
    assert (again.how, again.low) == (found.how, found.low)
    judged = rs.evaluate(table, label="y", scores="model", measures=["auc", "gini"], intervals=True)
    assert tuple(judged.intervals["model"]["auc"]) == tuple(found)
    low, high = judged.intervals["model"]["gini"]
    assert (low, high) == pytest.approx((2 * found.low - 1, 2 * found.high - 1), abs=1e-14)
    assert "by wilson, chosen by auto: auc, gini" in str(judged)
    for method in ("delong", "logit", "newcombe", "hanley-mcneil", "wilson"):
        asked = rs.evaluate(table, label="y", scores="model", measures=["auc"], intervals=True, auc_method=method)
        named = rs.auc_interval(y, score, method=method)
        assert tuple(asked.intervals["model"]["auc"]) == tuple(named)
        assert not named.auto
        assert f"by {method}: auc" in str(asked)
    drawn = judged.with_intervals(auc_method="bootstrap", n_resamples=50)
    assert drawn.intervals["model"]["auc"].method == "bootstrap percentile"
    with pytest.raises(rs.ArgumentError, match="auc_method must be one of auto, wilson"):
        rs.evaluate(table, label="y", scores="model", auc_method="exact")


def test_it_holds_the_truth_where_delong_does_not() -> None:
    """Ten positives among fifty, AUC 0.9: DeLong held 84% of 4000 samples. 400 seeded samples, limit 3 errors below."""
    rng = np.random.default_rng(17)
    y, gap = np.repeat([1, 0], [10, 40]), math.sqrt(2) * float(ndtri(0.9))
    held = dict.fromkeys(("auto", "delong"), 0)
    for _ in range(400):
        score = rng.normal(size=50) + gap * y
        for method in held:
            low, high = rs.auc_interval(y, score, method=method)
            held[method] += low <= 0.9 <= high
    assert held["auto"] >= 0.93 * 400
    assert held["delong"] < 0.9 * 400


def test_evidence_is_mirrored() -> None:
    low, high = Evidence(0.2, 0.01, 8, 12, 8).wilson_ends(0.9)
    assert Evidence(0.8, 0.01, 8, 12, 8).wilson_ends(0.9) == pytest.approx((1 - high, 1 - low), abs=1e-15)


class TestDoors:
    """Groups, folds, classes and reports take the method too."""

    def table(self) -> dict[str, np.ndarray]:
        y, score = sample(16, 48, 1.0)
        turn = np.random.default_rng(1).permutation(64)
        part = np.where(np.arange(64) % 2, "b", "a")
        return {"y": y[turn], "model": score[turn], "part": part, "fold": np.arange(64) % 4}

    @pytest.mark.parametrize("method", ["auto", "delong", "logit"])
    def test_groups_and_folds(self, method: str) -> None:
        table = self.table()
        asked = {"label": "y", "scores": "model", "measures": ["auc"], "auc_method": method}
        inside = table["part"] == "a"
        groups = rs.evaluate(table, by="part", **asked)
        known = rs.auc_interval(table["y"][inside], table["model"][inside], method=method)
        assert tuple(groups["a"].intervals["model"]["auc"]) == tuple(known)
        folds = rs.evaluate(table, fold="fold", **asked)
        mean = rs.crossval_auc(table["y"], table["model"], fold=table["fold"], method=method)
        assert (folds["model"].mean.how, tuple(folds["model"].mean)) == (mean.how, tuple(mean))

    def test_reports(self, tmp_path: Path) -> None:
        judged = rs.evaluate(self.table(), label="y", scores="model", measures=["auc"], intervals=True)
        default, asked = tmp_path / "default.md", tmp_path / "asked.md"
        judged.report(default)
        judged.report(asked, auc_method="delong")
        ends = [rs.auc_interval(self.table()["y"], self.table()["model"], method=name) for name in ("auto", "delong")]
        for page, (low, high) in zip((default, asked), ends, strict=True):
            assert f"{low:.4f}, {high:.4f}" in page.read_text() or f"{low:.3f}, {high:.3f}" in page.read_text()
        groups = rs.evaluate(self.table(), label="y", scores="model", by="part")
        with pytest.raises(rs.ArgumentError, match="evaluate again"):
            groups.report(tmp_path / "groups.md", auc_method="delong")

    def test_classes(self) -> None:
        rng = np.random.default_rng(3)
        y = np.arange(60) % 3
        columns = {f"s{k}": rng.normal(size=60) + (y == k) for k in range(3)}
        for method in ("auto", "logit"):
            judged = rs.evaluate(
                {"y": y, **columns}, label="y", scores=list(columns), classes=[0, 1, 2], auc_method=method
            )
            known = rs.multiclass_auc_interval(y, np.column_stack(list(columns.values())), method=method)
            assert tuple(judged.averages["macro"]) == tuple(known)
