"""cluster= of reclassification and calibration: what is refused, what is undefined, what reaches a comparison."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.errors import ArgumentError, InputError, RocsteadyWarning

CUTOFFS = [0.3, 0.6]
RNG = np.random.default_rng(7)
CLUSTER = np.repeat(np.arange(60), 3)
ROW = np.arange(CLUSTER.size)
RISK = (RNG.random(60)[CLUSTER] + RNG.random(CLUSTER.size)) / 2
Y = (RNG.random(CLUSTER.size) < RISK).astype(int)
OLD, NEW = (0.7 * RISK + 0.3 * RNG.random(CLUSTER.size) for _ in range(2))


def numbers(result: Any, name: str) -> list[float]:
    part = getattr(result, name)
    return [part.se, part.statistic, part.pvalue, part.low, part.high]


class TestRefusals:
    def test_ranked_scores_have_no_rows(self) -> None:
        with pytest.raises(InputError, match="rows"):
            rs.calibration_summary(rs.rank(Y, OLD), cluster=CLUSTER)

    def test_a_lazy_table_has_no_subjects(self) -> None:
        table = {"y": Y, "old": OLD, "new": NEW}
        curve: Any = rs.calibration_curve
        with pytest.raises(TypeError, match="has no option 'label'"):
            curve(table, "old", label="y", cluster=CLUSTER)
        with pytest.raises(ArgumentError, match="memory"):
            rs.net_reclassification(table, "old", "new", label="y", cluster=CLUSTER)

    def test_one_subject(self) -> None:
        same = np.zeros(Y.size)
        for call in (
            lambda: rs.hosmer_lemeshow(Y, OLD, cluster=same),
            lambda: rs.integrated_discrimination(Y, OLD, NEW, cluster=same),
        ):
            with pytest.raises(InputError, match="1 subject"):
                call()

    def test_one_subject_in_a_class_leaves_nan_and_a_reason(self) -> None:
        cluster = np.where(Y == 1, -1, ROW)
        found = rs.net_reclassification(Y, OLD, NEW, cluster=cluster)
        assert math.isnan(found.nri.pvalue)
        assert any("single" in text for text in found.warnings)
        assert found.nonevents.pvalue == pytest.approx(rs.net_reclassification(Y, OLD, NEW).nonevents.pvalue)

    def test_length(self) -> None:
        with pytest.raises(InputError):
            rs.spiegelhalter_test(Y, OLD, cluster=CLUSTER[:-1])


class TestInAnEvaluation:
    TABLE: dict[str, Any] = {"y": Y, "old": OLD, "new": NEW, "person": CLUSTER}  # noqa: RUF012

    def test_repeated_ids_are_refused_with_the_remedy(self) -> None:
        with pytest.warns(RocsteadyWarning, match="not independent"):
            result = rs.evaluate(self.TABLE, label="y", scores=["old", "new"], id="person", intervals=False)
        with pytest.raises(InputError, match="cluster='person'"):
            result.compare(cutoffs=CUTOFFS)

    def test_subjects_reach_what_stands_beside(self) -> None:
        result = rs.evaluate(self.TABLE, label="y", scores=["old", "new"], cluster="person")
        compared = result.compare(cutoffs=CUTOFFS)
        pair = compared.reclassified[0]
        columns = (self.TABLE[pair.old], self.TABLE[pair.new])
        assert numbers(pair.nri, "nri") == pytest.approx(
            numbers(rs.net_reclassification(Y, *columns, cutoffs=CUTOFFS, cluster=CLUSTER), "nri")
        )
        for model in compared.probabilities:
            expected = rs.calibration_summary(Y, self.TABLE[model.model], cluster=CLUSTER)
            assert model.slope.se == pytest.approx(expected.slope.se)
            assert model.brier.se == pytest.approx(expected.brier.se)


class TestOddDesigns:
    PAIRS = np.repeat(np.arange(30), 2)
    OUTCOMES = np.tile([0, 1], 30)

    def test_an_event_and_a_nonevent_of_equal_score_in_each_subject(self) -> None:
        """The design fixes the slope at 0: no width, no test, and a reason."""
        found = rs.calibration_summary(self.OUTCOMES, np.linspace(0.1, 0.8, 30)[self.PAIRS], cluster=self.PAIRS)
        assert found.slope.se == pytest.approx(0, abs=1e-12)
        assert any("cancels" in text for text in found.warnings)
        assert found.in_the_large.se > 0

    def test_rows_that_cancel_leave_nothing_to_test(self) -> None:
        scores = np.tile([0.3, 0.7], 30)
        mirrored = np.where(self.PAIRS % 2, self.OUTCOMES, 1 - self.OUTCOMES)
        assert rs.spiegelhalter_test(mirrored, scores, cluster=self.PAIRS).se > 0
        even = rs.calibration_summary(self.OUTCOMES, np.full(60, 0.5), cluster=self.PAIRS)
        assert even.in_the_large.se == 0
        assert math.isnan(even.in_the_large.pvalue)
        assert (even.hosmer_lemeshow.statistic, even.brier.se) == (0, 0)

    def test_scores_of_0_and_1_and_a_single_class(self) -> None:
        certain = rs.calibration_summary(self.OUTCOMES, self.OUTCOMES.astype(float), cluster=self.PAIRS)
        assert math.isnan(certain.slope.pvalue)
        nobody = rs.calibration_curve(np.zeros(60, dtype=int), np.linspace(0, 1, 60), cluster=self.PAIRS, pos_label=1)
        assert (nobody.low == 0).all()
        assert (nobody.high > 0).all()

    def test_few_subjects_are_named(self) -> None:
        cluster = ROW % 8
        for found in (
            rs.net_reclassification(Y, OLD, NEW, cluster=cluster),
            rs.integrated_discrimination(Y, OLD, NEW, cluster=cluster),
            rs.calibration_summary(Y, OLD, cluster=cluster),
            rs.spiegelhalter_test(Y, OLD, cluster=cluster),
            rs.hosmer_lemeshow(Y, OLD, cluster=cluster),
        ):
            assert any("only 8 subjects" in text for text in found.warnings)
        assert not any("subjects" in text for text in rs.calibration_summary(Y, OLD, cluster=CLUSTER).warnings)
